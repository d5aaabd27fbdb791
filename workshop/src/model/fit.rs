//! Fitting the weights: a pattern search on the mean absolute error of logarithms, the same on every machine.

use rayon::prelude::*;
use records::Point;
use simulator::model::{Gpu, Model};

use super::ready::Ready;
use super::summary::DIFFERENT;

/// Exponents to start from: the search finds the nearest valley.
const EXPONENTS: [f64; 3] = [1.5, 2.5, 4.0];
/// A rate was measured: its weight stays within this factor of 1.
const MEASURED: f64 = 1.1;
/// Cost of two kernels in the wrong order, as a multiple of the distance: little beside the errors of hundreds of times, and
/// more than any of them gains by the wrong order.
const ORDER: f64 = 30.0;
/// Two that differ are kept apart at least by this, as a logarithm.
const APART: f64 = 0.01;
/// Bounds of the exponents by which dealing out blocks meets what they do.
const DEALING: [f64; 2] = [1.5, 12.0];
/// How far blocks are in the same phase, where the search begins.
const PHASED: [f64; 2] = [0.3, 1.0];
/// Bounds of how much of what the warps of a block do in step takes its time, and of how far blocks are in the same phase.
const IN_STEP: [f64; 2] = [0.02, 1.0];
/// Rounds of a search; it ends earlier when the steps are small.
const ROUNDS: usize = 400;
/// First step of each number, a factor.
const FIRST_STEP: f64 = 1.0;
/// The same of a search near weights that were found before.
const NEAR_STEP: f64 = 0.1;
/// Smallest step.
const LAST_STEP: f64 = 0.005;

/// The times that a model is fitted to.
struct Target<'a> {
    calls: &'a [&'a Ready],
    /// Of the same task and picture, the slower one first: those whose times differ.
    pairs: Vec<(usize, usize)>,
}

impl<'a> Target<'a> {
    fn of(calls: &'a [&'a Ready]) -> Self {
        let points: Vec<&Point> = calls.iter().map(|call| &call.point).collect();
        Self { calls, pairs: different(&points) }
    }
}

/// The best model for these calls, searched from `start` and from other exponents.
pub fn fit(calls: &[&Ready], start: Model, gpu: &Gpu, say: &(impl Fn(&str) + Sync)) -> Model {
    let target = Target::of(calls);
    let starts: Vec<(f64, f64)> =
        EXPONENTS.into_iter().flat_map(|p| PHASED.map(|phased| (p, phased))).collect();
    let found = starts.into_par_iter().map(|(p, phased)| {
        let mut from = start;
        (from.p, from.phased) = (p, phased);
        for weight in &mut from.weights {
            *weight = within(*weight);
        }
        let found = search(&target, from, FIRST_STEP, gpu, say);
        (found, target.cost(&found, gpu))
    });
    let found: Vec<(Model, f64)> = found.collect();
    let best = found.into_iter().min_by(|(_, one), (_, other)| one.total_cmp(other));
    best.map_or(start, |(model, _)| model)
}

/// The best model for these calls, searched near `start`, which suits most of them.
pub fn refit(calls: &[&Ready], start: Model, gpu: &Gpu) -> Model {
    search(&Target::of(calls), start, NEAR_STEP, gpu, &|_| ())
}

fn search(target: &Target<'_>, start: Model, first: f64, gpu: &Gpu, say: &impl Fn(&str)) -> Model {
    let mut best = start;
    let mut error = target.cost(&best, gpu);
    let mut step = first;
    for round in 0..ROUNDS {
        let mut better = false;
        for index in 0..knobs(&best) {
            for factor in [step.exp(), (-step).exp()] {
                let candidate = turned(best, index, factor);
                let candidate_error = target.cost(&candidate, gpu);
                if candidate_error < error {
                    (best, error, better) = (candidate, candidate_error, true);
                    break;
                }
            }
        }
        say(&format!("fitting: round {round}, error {:.2} %", 100.0 * error));
        if !better {
            step /= 2.0;
            if step < LAST_STEP {
                break;
            }
        }
    }
    best
}

/// Pairs of calls of the same lab, task and picture whose times differ, the slower one first.
fn different(points: &[&Point]) -> Vec<(usize, usize)> {
    let of = |point: &Point| (point.lab.clone(), point.task.clone(), point.case.clone());
    let mut pairs = Vec::new();
    for (slow, one) in points.iter().enumerate() {
        for (fast, other) in points.iter().enumerate() {
            if one.seconds > DIFFERENT * other.seconds && of(one) == of(other) {
                pairs.push((slow, fast));
            }
        }
    }
    pairs
}

impl Target<'_> {
    /// Mean absolute error of the logarithm, where an error by a factor of two counts the same either way, plus the cost of pairs in
    /// the wrong order.
    fn cost(&self, model: &Model, gpu: &Gpu) -> f64 {
        let predicted: Vec<f64> = self.calls.iter().map(|call| call.seconds(model, gpu)).collect();
        let errors =
            self.calls.iter().zip(&predicted).map(|(call, seconds)| (seconds / call.point.seconds).ln());
        let wrong = wrong(&self.pairs, &predicted);
        (errors.map(f64::abs).sum::<f64>() + ORDER * wrong) / self.calls.len().max(1) as f64
    }
}

/// By how much pairs of predicted times are in the wrong order, or nearly so: a sum of logarithms.
fn wrong(pairs: &[(usize, usize)], predicted: &[f64]) -> f64 {
    pairs.iter().map(|&(slow, fast)| ((predicted[fast] / predicted[slow]).ln() + APART).max(0.0)).sum()
}

fn knobs(model: &Model) -> usize {
    9 + model.weights.len()
}

/// The model with one of its numbers multiplied, inside its bounds. What is 0 is left out of the model, and stays so.
fn turned(mut model: Model, index: usize, factor: f64) -> Model {
    let turn = |number: &mut f64, [least, most]: [f64; 2]| {
        if *number > 0.0 {
            *number = (*number * factor).clamp(least, most);
        }
    };
    match index {
        0 => model.launch *= factor,
        1 => turn(&mut model.p, [1.0, 8.0]),
        2 => model.round_trip *= factor,
        3 => turn(&mut model.overlap[0], [0.02, 5.0]),
        4 => turn(&mut model.overlap[1], [0.01, 2.0]),
        5 => turn(&mut model.dealing, DEALING),
        6 => turn(&mut model.places, DEALING),
        7 => turn(&mut model.in_step, IN_STEP),
        8 => turn(&mut model.phased, IN_STEP),
        _ => turn(&mut model.weights[index - 9], [1.0 / MEASURED, MEASURED]),
    }
    model
}

/// A weight inside its bounds.
fn within(weight: f64) -> f64 {
    weight.clamp(1.0 / MEASURED, MEASURED)
}

/// The model as the source file that holds it.
pub fn source(model: &Model, from: &str, gpu: &str) -> String {
    let weights: Vec<String> = model.weights.iter().map(|weight| format!("        {weight:?},\n")).collect();
    format!(
        "//! The weights of the model, fitted on an H200. Written by `workshop model --fit`; not by hand.\n\n\
         use super::predict::Model;\n\n\
         /// Fitted on the ladders and the pool as timed on an {gpu}, `{from}`.\n\
         #[expect(clippy::unreadable_literal, reason = \"written by a program\")]\n\
         pub const H200: Model = Model {{\n    launch: {:?},\n    round_trip: {:?},\n    p: {:?},\n    overlap: {:?},\n    dealing: {:?},\n    places: {:?},\n    in_step: {:?},\n    phased: {:?},\n    weights: [\n{}    ],\n    bounds: {:?},\n}};\n",
        model.launch,
        model.round_trip,
        model.p,
        model.overlap,
        model.dealing,
        model.places,
        model.in_step,
        model.phased,
        weights.concat(),
        model.bounds
    )
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use records::Set;

    use super::*;

    fn point(task: &str, seconds: f64) -> Point {
        Point {
            set: Set::Ladder,
            lab: "lab1".to_owned(),
            kernel: "any".to_owned(),
            task: task.to_owned(),
            case: "noise 512x512".to_owned(),
            seconds,
            yardstick_seconds: 1.0,
            error: 0.0,
        }
    }

    #[test]
    fn pairs_that_differ_are_those_of_one_task() {
        let points = [point("a", 1.0), point("a", 1.1), point("a", 1.2), point("b", 9.0)];
        assert_eq!(different(&points.each_ref()), [(2, 0)]);
    }

    #[test]
    fn what_is_in_the_wrong_order_costs_as_much_as_it_is_off() {
        let pairs = [(1, 0), (2, 0)];
        assert!(wrong(&pairs, &[1.0, 1.1, 1.2]).abs() < 1e-12);
        // In the right order, but hardly; and in the wrong one.
        assert!((0.0..APART).contains(&wrong(&pairs, &[1.0, 1.005, 1.2])));
        assert!((wrong(&pairs, &[1.1, 1.0, 1.2]) - 1.1_f64.ln() - APART).abs() < 1e-12);
    }

    #[test]
    fn a_weight_stays_near_the_rate_that_was_measured() {
        assert!((within(5.0) - MEASURED).abs() < 1e-12 && (within(0.1) - 1.0 / MEASURED).abs() < 1e-12);
        assert!((within(1.05) - 1.05).abs() < 1e-12);
    }
}
