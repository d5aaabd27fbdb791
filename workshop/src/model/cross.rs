//! Cross-validation: each family of kernels predicted with weights that were fitted to all others.
//!
//! Kernels of a family share an idea, and so the model's errors. Weights that were fitted to one of them know something of the
//! others, and so the family is left out as a whole.

use std::collections::BTreeMap;

use rayon::prelude::*;
use simulator::model::{Gpu, Model};

use super::fit;
use super::ready::Ready;

/// How families are left out in a hurry.
#[derive(Debug, Clone, Copy)]
pub struct Hurry {
    /// In so many parts.
    pub parts: usize,
    /// Of the calls of the other parts, each so manieth is fitted to.
    pub each: usize,
}

/// The seconds of each call, predicted with weights fitted to other families; `start` are weights fitted to all. Each family is left
/// out by itself, unless there is a hurry.
pub fn validated(calls: &[Ready], start: Model, gpu: &Gpu, hurry: Option<Hurry>) -> Vec<f64> {
    let mut part_of: BTreeMap<&str, usize> = calls.iter().map(|call| (call.family.as_str(), 0)).collect();
    let Hurry { parts, each } = hurry.unwrap_or(Hurry { parts: part_of.len().max(1), each: 1 });
    part_of.values_mut().enumerate().for_each(|(number, part)| *part = number % parts);
    let part = |call: &Ready| part_of[call.family.as_str()];
    let model_without = |left_out: usize| {
        let others = calls.iter().filter(|call| part(call) != left_out).step_by(each);
        fit::refit(&others.collect::<Vec<_>>(), start, gpu)
    };
    let models: Vec<Model> = (0..parts).into_par_iter().map(model_without).collect();
    let of = |call: &Ready| call.seconds(&models[part(call)], gpu);
    calls.iter().map(of).collect()
}
