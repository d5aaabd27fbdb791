//! Fitting the weights: a pattern search on the mean absolute error of logarithms, the same on every machine.

use rayon::prelude::*;
use simulator::model::{Gpu, Model, TERMS};

use super::ready::Ready;

/// Exponents to start from: the search finds the nearest valley.
const EXPONENTS: [f64; 3] = [1.5, 2.5, 4.0];
/// A rate was measured: its weight stays within this factor of 1.
const MEASURED: f64 = 1.1;
/// Bounds of the exponents by which dealing out blocks meets what they do.
const DEALING: [f64; 2] = [1.5, 12.0];
/// Rounds of a search; it ends earlier when the steps are small.
const ROUNDS: usize = 400;
/// First step of each number, a factor.
const FIRST_STEP: f64 = 1.0;
/// First and last step of a search near weights that were found before.
const NEAR_STEPS: [f64; 2] = [0.08, 0.02];
/// Numbers of a model besides its weights.
const NUMBERS: usize = 6;
/// Smallest step.
const LAST_STEP: f64 = 0.005;

/// The times that a model is fitted to.
struct Target<'a> {
    calls: &'a [&'a Ready],
    /// Logarithms of their measured seconds.
    measured: Vec<f64>,
    /// By call and term, whether its weight matters.
    feels: Vec<[bool; TERMS]>,
}

impl<'a> Target<'a> {
    fn of(calls: &'a [&'a Ready]) -> Self {
        Self {
            calls,
            measured: calls.iter().map(|call| call.point.seconds.ln()).collect(),
            feels: calls.iter().map(|call| std::array::from_fn(|term| call.feels(term))).collect(),
        }
    }
}

/// The best model for these calls, searched from `start` and from other exponents.
pub fn fit(calls: &[&Ready], start: Model, gpu: &Gpu, say: &(impl Fn(&str) + Sync)) -> Model {
    let target = Target::of(calls);
    let found = EXPONENTS.into_par_iter().map(|p| {
        let mut from = start;
        from.p = p;
        for weight in &mut from.weights {
            *weight = within(*weight);
        }
        search(&target, from, [FIRST_STEP, LAST_STEP], gpu, say)
    });
    let found: Vec<(Model, f64)> = found.collect();
    let best = found.into_iter().min_by(|(_, one), (_, other)| one.total_cmp(other));
    best.map_or(start, |(model, _)| model)
}

/// The best model for these calls, searched near `start`, which suits most of them.
pub fn refit(calls: &[&Ready], start: Model, gpu: &Gpu) -> Model {
    search(&Target::of(calls), start, NEAR_STEPS, gpu, &|_| ()).0
}

/// `steps`: the first and the last.
fn search(
    target: &Target<'_>,
    start: Model,
    steps: [f64; 2],
    gpu: &Gpu,
    say: &impl Fn(&str),
) -> (Model, f64) {
    let mut best = start;
    let mut logs = target.logs(&best, gpu, None);
    let mut error = target.cost(&logs);
    let [mut step, last] = steps;
    for round in 0..ROUNDS {
        let mut better = false;
        for index in 0..knobs(&best) {
            for factor in [step.exp(), (-step).exp()] {
                let candidate = turned(best, index, factor);
                if candidate == best {
                    continue;
                }
                let candidate_logs = target.logs(&candidate, gpu, Some((&logs, index)));
                let candidate_error = target.cost(&candidate_logs);
                if candidate_error < error {
                    (best, logs, error, better) = (candidate, candidate_logs, candidate_error, true);
                    break;
                }
            }
        }
        say(&format!("fitting: round {round}, error {:.2} %", 100.0 * error));
        if !better {
            step /= 2.0;
            if step < last {
                break;
            }
        }
    }
    (best, error)
}

impl Target<'_> {
    /// Logarithms of the predicted seconds; `known`: those before one number of the model was changed.
    fn logs(&self, model: &Model, gpu: &Gpu, known: Option<(&[f64], usize)>) -> Vec<f64> {
        let of = |(at, call): (usize, &&Ready)| match known {
            Some((logs, knob)) if knob >= NUMBERS && !self.feels[at][knob - NUMBERS] => logs[at],
            _ => call.seconds(model, gpu).ln(),
        };
        self.calls.iter().enumerate().map(of).collect()
    }

    /// Mean absolute error of the logarithm, where an error by a factor of two counts the same either way. It is
    /// hardly moved by a few kernels that are far off.
    fn cost(&self, logs: &[f64]) -> f64 {
        let errors =
            logs.iter().zip(&self.measured).map(|(predicted, measured)| (predicted - measured).abs());
        errors.sum::<f64>() / self.calls.len().max(1) as f64
    }
}

fn knobs(model: &Model) -> usize {
    NUMBERS + model.weights.len()
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
        3 => turn(&mut model.hiding, [1.0, 8.0]),
        4 => turn(&mut model.dealing, DEALING),
        5 => turn(&mut model.places, DEALING),
        _ => turn(&mut model.weights[index - NUMBERS], [1.0 / MEASURED, MEASURED]),
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
         pub const H200: Model = Model {{\n    launch: {:?},\n    round_trip: {:?},\n    p: {:?},\n    hiding: {:?},\n    dealing: {:?},\n    places: {:?},\n    weights: [\n{}    ],\n    bounds: {:?},\n}};\n",
        model.launch,
        model.round_trip,
        model.p,
        model.hiding,
        model.dealing,
        model.places,
        weights.concat(),
        model.bounds
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_stays_near_the_rate_that_was_measured() {
        assert!((within(5.0) - MEASURED).abs() < 1e-12 && (within(0.1) - 1.0 / MEASURED).abs() < 1e-12);
        assert!((within(1.05) - 1.05).abs() < 1e-12);
    }
}
