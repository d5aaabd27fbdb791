//! Cross-validation: each family of kernels predicted with weights that were fitted to all others.
//!
//! Kernels of a family share an idea, and so the model's errors. Weights that were fitted to one of them know something of the
//! others, and so the family is left out as a whole.

use std::collections::BTreeMap;

use rayon::prelude::*;
use simulator::model::{Gpu, Model};

use super::fit;
use super::ready::Ready;

/// The seconds of each call, predicted with weights fitted to other families; `start` are weights fitted to all. Each family is left
/// out by itself, or the families are left out in so many `parts`: that takes less long.
pub fn validated(calls: &[Ready], start: Model, gpu: &Gpu, parts: Option<usize>) -> Vec<f64> {
    let mut part_of: BTreeMap<&str, usize> = calls.iter().map(|call| (call.family.as_str(), 0)).collect();
    let parts = parts.unwrap_or(part_of.len()).max(1);
    part_of.values_mut().enumerate().for_each(|(number, part)| *part = number % parts);
    let part = |call: &Ready| part_of[call.family.as_str()];
    let model_without = |left_out: usize| {
        let others = calls.iter().filter(|call| part(call) != left_out);
        fit::refit(&others.collect::<Vec<_>>(), start, gpu)
    };
    let models: Vec<Model> = (0..parts).into_par_iter().map(model_without).collect();
    let of = |call: &Ready| call.seconds(&models[part(call)], gpu);
    calls.iter().map(of).collect()
}
