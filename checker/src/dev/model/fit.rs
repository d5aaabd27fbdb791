//! Fitting the weights: a pattern search on the mean absolute error of logarithms, the same on every machine.

use simulator::timing::{Gpu, Model};

use super::count::Counted;

/// Exponents to start from: the search finds the nearest valley.
const EXPONENTS: [f64; 3] = [1.5, 2.5, 4.0];
/// A rate was measured: its weight stays within this factor of 1.
const MEASURED: f64 = 1.1;
/// Rounds of a search; it ends earlier when the steps are small.
const ROUNDS: usize = 400;
/// First step of each number, a factor.
const FIRST_STEP: f64 = 1.0;
/// Smallest step.
const LAST_STEP: f64 = 0.005;

/// The best model for these calls, searched from `start`.
pub fn fit(calls: &[Counted], start: Model, gpu: &Gpu, mut say: impl FnMut(&str)) -> Model {
    let mut best: Option<(Model, f64)> = None;
    for p in EXPONENTS {
        let mut from = start;
        from.p = p;
        for weight in &mut from.weights {
            *weight = within(*weight);
        }
        let found = search(calls, from, gpu, &mut say);
        let error = cost(calls, &found, gpu);
        if best.as_ref().is_none_or(|(_, least)| error < *least) {
            best = Some((found, error));
        }
    }
    best.map_or(start, |(model, _)| model)
}

fn search(calls: &[Counted], start: Model, gpu: &Gpu, say: &mut impl FnMut(&str)) -> Model {
    let mut best = start;
    let mut error = cost(calls, &best, gpu);
    let mut step = FIRST_STEP;
    for round in 0..ROUNDS {
        let mut better = false;
        for index in 0..knobs(&best) {
            for factor in [step.exp(), (-step).exp()] {
                let candidate = turned(best, index, factor);
                let candidate_error = cost(calls, &candidate, gpu);
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

/// Mean absolute error of the logarithm: an error by a factor of two counts the same either way.
pub fn cost(calls: &[Counted], model: &Model, gpu: &Gpu) -> f64 {
    let error = |call: &Counted| (call.seconds(model, gpu) / call.point.seconds).ln().abs();
    calls.iter().map(error).sum::<f64>() / calls.len().max(1) as f64
}

fn knobs(model: &Model) -> usize {
    5 + model.weights.len()
}

fn turned(mut model: Model, index: usize, factor: f64) -> Model {
    match index {
        0 => model.launch *= factor,
        1 => model.p = (model.p * factor).clamp(1.0, 8.0),
        2 => model.round_trip *= factor,
        3 => model.overlap[0] = (model.overlap[0] * factor).clamp(0.02, 5.0),
        4 => model.overlap[1] = (model.overlap[1] * factor).clamp(0.01, 2.0),
        _ => model.weights[index - 5] = within(model.weights[index - 5] * factor),
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
        "//! The weights of the model, fitted on an H200. Written by `checker dev model --fit`; not by hand.\n\n\
         use super::model::Model;\n\n\
         /// Fitted on the rungs of the ladders as timed on an {gpu}, `{from}`.\n\
         #[expect(clippy::unreadable_literal, reason = \"written by a program\")]\n\
         pub const H200: Model = Model {{\n    launch: {:?},\n    round_trip: {:?},\n    p: {:?},\n    overlap: {:?},\n    weights: [\n{}    ],\n}};\n",
        model.launch,
        model.round_trip,
        model.p,
        model.overlap,
        weights.concat()
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
