//! What each mechanism of the model is worth: the error of predictions without it.

use std::fmt::Write as _;

use records::{Ablation, Prediction, TimesSummary};
use simulator::model::{Gpu, Model};

use super::count::Counted;
use super::cross::Hurry;
use super::mechanisms::{MECHANISMS, Mechanism, Without};
use super::ready::Ready;
use super::summary::summaries;
use super::{cross, fit};
use runtime::engine::{Step, Work};

/// The calls without a mechanism, and the GPU.
fn without(mechanism: &Mechanism, calls: &[Counted], gpu: &Gpu) -> (Vec<Ready>, Gpu) {
    let mut other = gpu.clone();
    let mut ready = Vec::with_capacity(calls.len());
    for call in calls {
        let mut call = call.clone();
        for (step, whole) in &mut call.steps {
            if let Step::Work { work: Work::Kernel(kernel), .. } = step {
                (mechanism.off)(&mut Without { kernel, whole, gpu: &mut other });
            }
        }
        ready.push(call);
    }
    let ready = ready.iter().map(|call| Ready::of(call, &other)).collect();
    (ready, other)
}

/// Each mechanism takes so many fits, to so few calls, instead of one for each family to all others: minutes instead of hours. There are
/// six pictures of each kernel, so each fifth call is one of another picture.
const HURRY: Hurry = Hurry { parts: 6, each: 5 };

/// The cross-validated seconds of every call by this model, fitted again.
fn one(ready: &[Ready], model: Model, gpu: &Gpu) -> Vec<f64> {
    let known: Vec<&Ready> = ready.iter().step_by(HURRY.each).collect();
    cross::validated(ready, fit::refit(&known, model, gpu), gpu, Some(HURRY))
}

/// The model as it is, and without each mechanism; the worst loss first. `rows` are predictions of the calls.
pub fn ablated(
    calls: &[Counted],
    rows: &[Prediction],
    model: Model,
    gpu: &Gpu,
    mut say: impl FnMut(&str),
) -> Vec<Ablation> {
    let of = |mechanism: Option<&Mechanism>, seconds: Vec<f64>| {
        let mut rows = rows.to_vec();
        for (row, seconds) in rows.iter_mut().zip(seconds) {
            row.cross_validated_seconds = row.cross_validated_seconds.map(|_| seconds);
        }
        ablation(mechanism, &rows)
    };
    let ready: Vec<Ready> = calls.iter().map(|call| Ready::of(call, gpu)).collect();
    let all = of(None, one(&ready, model, gpu));
    let mut lacking: Vec<Ablation> = Vec::with_capacity(MECHANISMS.len());
    for (number, mechanism) in MECHANISMS.iter().enumerate() {
        say(&format!("{} of {}: without {}", number + 1, MECHANISMS.len(), mechanism.name));
        let (ready, gpu) = without(mechanism, calls, gpu);
        lacking.push(of(Some(mechanism), one(&ready, model, &gpu)));
    }
    lacking.sort_by(|one, other| other.mean_absolute_error.total_cmp(&one.mean_absolute_error));
    [all].into_iter().chain(lacking).collect()
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
