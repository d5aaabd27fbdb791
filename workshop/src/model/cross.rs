//! Cross-validation: each family of kernels predicted with weights that were fitted to all others.
//!
//! Kernels of a family share an idea, and so the model's errors. Weights that were fitted to one of them know something of the
//! others, and so the family is left out as a whole.

use std::collections::BTreeSet;

use rayon::prelude::*;
use simulator::model::{Gpu, Model};

use super::fit;
use super::ready::Ready;

/// The seconds of each call, predicted with weights fitted to all other families; `start` are weights fitted to all.
pub fn validated(calls: &[Ready], start: Model, gpu: &Gpu) -> Vec<f64> {
    let families: BTreeSet<&str> =
        calls.iter().filter(|call| call.is_known()).map(|call| call.family.as_str()).collect();
    let families: Vec<&str> = families.into_iter().collect();
    let models = families.par_iter().map(|family| {
        let others = calls.iter().filter(|call| call.is_known() && call.family != *family);
        (*family, fit::refit(&others.collect::<Vec<_>>(), start, gpu))
    });
    let models: Vec<(&str, Model)> = models.collect();
    let of = |call: &Ready| {
        let own = models.iter().find(|(family, _)| call.is_known() && *family == call.family);
        call.seconds(own.map_or(&start, |(_, model)| model), gpu)
    };
    calls.iter().map(of).collect()
}
