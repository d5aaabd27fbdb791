//! What each mechanism of the model is worth: the error of predictions without it.

use std::fmt::Write as _;

use records::{Ablation, Prediction, TimesSummary};
use simulator::model::{Gpu, Model};

use super::count::Counted;
use super::mechanisms::{MECHANISMS, Mechanism, Without};
use super::ready::Ready;
use super::summary::summaries;
use super::{cross, fit};
use runtime::engine::Work;

/// The calls without a mechanism, the weights without it, and the GPU.
fn without(mechanism: &Mechanism, calls: &[Counted], model: Model, gpu: &Gpu) -> (Vec<Ready>, Model, Gpu) {
    let (mut model, mut other) = (model, gpu.clone());
    let mut ready = Vec::with_capacity(calls.len());
    for call in calls {
        let mut call = call.clone();
        for (work, whole) in &mut call.pieces {
            if let Work::Kernel(kernel) = work {
                (mechanism.off)(&mut Without { kernel, whole, gpu: &mut other, model: &mut model });
            }
        }
        ready.push(call);
    }
    let ready = ready.iter().map(|call| Ready::of(call, &other)).collect();
    (ready, model, other)
}

/// The cross-validated seconds of every call by a model that lacks the mechanism.
fn one(mechanism: &Mechanism, calls: &[Counted], model: Model, gpu: &Gpu) -> Vec<f64> {
    let (ready, start, gpu) = without(mechanism, calls, model, gpu);
    let known: Vec<&Ready> = ready.iter().filter(|call| call.is_known()).collect();
    let start = fit::refit(&known, start, &gpu);
    cross::validated(&ready, start, &gpu)
}

/// The model as it is, which predicted `rows`, and without each mechanism; the worst loss first.
pub fn ablated(
    calls: &[Counted],
    rows: &[Prediction],
    model: Model,
    gpu: &Gpu,
    mut say: impl FnMut(&str),
) -> Vec<Ablation> {
    let mut lacking: Vec<Ablation> = Vec::with_capacity(MECHANISMS.len());
    for mechanism in &MECHANISMS {
        say(&format!("without {}", mechanism.name));
        let mut rows = rows.to_vec();
        for (row, seconds) in rows.iter_mut().zip(one(mechanism, calls, model, gpu)) {
            row.cross_validated_seconds = row.cross_validated_seconds.map(|_| seconds);
        }
        lacking.push(ablation(Some(mechanism), &rows));
    }
    lacking.sort_by(|one, other| other.mean_absolute_error.total_cmp(&one.mean_absolute_error));
    [ablation(None, rows)].into_iter().chain(lacking).collect()
}

fn ablation(mechanism: Option<&Mechanism>, rows: &[Prediction]) -> Ablation {
    let all = summaries(rows).into_iter().find(|summary| summary.set.is_none() && summary.cross_validated);
    let figure = |of: fn(&TimesSummary) -> f64| all.as_ref().map_or(f64::NAN, of);
    Ablation {
        mechanism: mechanism.map(|one| one.name.to_owned()),
        unit: mechanism.map_or_else(String::new, |one| one.unit.to_owned()),
        source: mechanism.map_or_else(String::new, |one| one.source.to_owned()),
        mean_absolute_error: figure(|all| all.mean_absolute_error),
        bias: figure(|all| all.bias),
        swapped: all.map_or(0, |all| all.swapped),
    }
}

/// The rows as text.
pub fn table(rows: &[Ablation]) -> String {
    let mut out = String::new();
    for row in rows {
        let _ = writeln!(
            out,
            "without    {:58} {:>6.2} % {:>+5.1} % {:>4} swapped",
            row.mechanism.as_deref().unwrap_or("nothing"),
            100.0 * row.mean_absolute_error,
            100.0 * row.bias,
            row.swapped
        );
    }
    out
}
