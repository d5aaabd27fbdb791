//! What each mechanism of the model is worth: the error of predictions without it.

use simulator::model::{Gpu, Model};

use super::count::Counted;
use super::mechanisms::{Mechanism, Without};
use super::ready::Ready;
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
pub fn one(mechanism: &Mechanism, calls: &[Counted], model: Model, gpu: &Gpu) -> Vec<f64> {
    let (ready, start, gpu) = without(mechanism, calls, model, gpu);
    let known: Vec<&Ready> = ready.iter().filter(|call| call.is_known()).collect();
    let start = fit::refit(&known, start, &gpu);
    cross::validated(&ready, start, &gpu)
}
