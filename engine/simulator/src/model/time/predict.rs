//! The timing model: from the counted events of a launch and its shape to seconds on a given GPU.
//!
//! T = (launch^a + behind^a)^(1/a) + first + (Dᵈ + Vᵈ)^(1/d), V = (Bʳ + (wL)ʳ)^(1/r), B = (Σ (wᵢ Tᵢ)ᵖ)^(1/p),
//! D = (S^q + (wL)^q)^(1/q). Each Tᵢ is what one resource alone would need (see [`terms_of`]), from counted events and the GPU's
//! physical rates; L is what warps by themselves take; S is what starting blocks takes: a block waits for the place of one that is
//! not done, and whoever deals them out for a place. A smooth p lets resources that are about equally busy get in each other's way.
//! Warps hide each other's waiting, but not all of it: r. The weights wᵢ say how far the machine is from those rates in real
//! kernels; they are fitted and lie near 1. Behind all that come the atomics on global memory at the end of a launch (see
//! `at_the_end`): only the end of the launch itself is beside them. Nothing runs beside the first loads, as far as they come from
//! DRAM: all blocks begin at once, and nothing is there yet.

use super::at_the_end::atomics_at_the_end;
use super::interval::{GROUPS, group};
use super::terms::{ATOMICS, BLOCKS, LATENCY, TERM_NAMES, TERMS, first_loads, terms_of};
use super::traffic::Traffic;
use crate::model::gpu::Gpu;
use crate::model::launch::{Kernel, Whole};

/// The fitted numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Model {
    /// Seconds of a launch that follows another.
    pub launch: f64,
    /// Seconds that a copy over the link takes longer if the host waits for it.
    pub round_trip: f64,
    /// Exponent of the sum over resources.
    pub p: f64,
    /// How well warps hide each other's waiting: r.
    pub hiding: f64,
    /// How little dealing out blocks and what they do get in each other's way: d, an exponent like p. Who deals does nothing else.
    pub dealing: f64,
    /// How little dealing out blocks and what each of them takes do: q. Where as many are done as can be dealt out, now one is waited
    /// for and now the other.
    pub places: f64,
    /// Weight of each term.
    pub weights: [f64; TERMS],
    /// Of each group of limiters, the least and the most that measured times are of predicted ones.
    pub bounds: [[f64; 2]; GROUPS],
}

/// What a launch asks of a GPU: all that its time follows from once the weights are known.
#[derive(Debug, Clone, Copy)]
pub struct Demand {
    pub(super) terms: [f64; TERMS],
    /// The share of the atomics on global memory after all else.
    at_the_end: f64,
    /// Seconds of the first loads: nothing else runs, and they have no weight.
    pub(super) first_loads: f64,
}

impl Demand {
    /// Of a launch.
    pub fn of(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> Self {
        let traffic = Traffic::of(kernel, whole, gpu);
        Self {
            terms: terms_of(kernel, whole, &traffic, gpu),
            at_the_end: atomics_at_the_end(kernel, whole, gpu),
            first_loads: first_loads(kernel, &traffic, gpu),
        }
    }

    /// Its seconds.
    pub fn seconds(&self, model: &Model) -> f64 {
        let mut weighted: [f64; TERMS] = std::array::from_fn(|term| self.terms[term] * model.weights[term]);
        let behind = weighted[ATOMICS] * self.at_the_end;
        weighted[ATOMICS] -= behind;
        let busy = norm(&weighted[..BLOCKS], model.p);
        let working = norm(&[busy, weighted[LATENCY]], model.hiding);
        let dealt = norm(&[weighted[BLOCKS], weighted[LATENCY]], model.places);
        let together = norm(&[working, dealt], model.dealing);
        norm(&[model.launch, behind], NEXT) + together + self.first_loads
    }

    /// The part of its seconds that goes to the launch itself: less than a launch where its last atomics run beside it.
    pub fn launch(&self, model: &Model) -> f64 {
        let behind = self.terms[ATOMICS] * model.weights[ATOMICS] * self.at_the_end;
        if behind > 0.0 {
            model.launch * model.launch / norm(&[model.launch, behind], NEXT)
        } else {
            model.launch
        }
    }

    /// The name of its largest term.
    pub fn limiter(&self, model: &Model) -> &'static str {
        self.largest(model).map_or("launch", |term| TERM_NAMES[term])
    }

    /// Whether a term's weight matters for its seconds. It does not if it is far below the largest term.
    pub fn feels(&self, term: usize) -> bool {
        let largest = self.terms.iter().copied().fold(0.0, f64::max);
        term >= ATOMICS || self.terms[term] > FELT * largest
    }

    /// The group of kernels that are mispredicted alike.
    pub fn group(&self, model: &Model) -> usize {
        group(self.largest(model))
    }

    fn largest(&self, model: &Model) -> Option<usize> {
        let weighted = self.terms.iter().zip(&model.weights).map(|(term, weight)| term * weight);
        weighted.enumerate().max_by(|one, other| one.1.total_cmp(&other.1)).map(|(term, _)| term)
    }
}

/// How little a launch and its last atomics get in each other's way: a, an exponent like p. An empty launch takes 1.3 µs
/// (`workshop micro`) and 1056 blocks that add 8 rows of 32 words 1.4 µs more than these rows, but a launch as fitted 2.1 µs: in
/// the rest of it the last requests of a kernel are on their way, its atomics among them. Chosen: of 1.6, 2, 4 and 8, 2 gives the
/// smallest cross-validated error.
const NEXT: f64 = 2.0;

/// A smaller part of the largest term changes the sum by less than 0.1 %.
const FELT: f64 = 0.2;

/// Seconds of a launch.
pub fn seconds(kernel: &Kernel, whole: Whole, model: &Model, gpu: &Gpu) -> f64 {
    Demand::of(kernel, whole, gpu).seconds(model)
}

/// Seconds of a fill or a copy within the GPU that reads and writes so many bytes.
pub fn memory_seconds(bytes: f64, gpu: &Gpu) -> f64 {
    gpu.rates.fill_seconds + bytes / gpu.dram_bytes_per_second
}

/// (Σ tᵖ)^(1/p).
fn norm(terms: &[f64], p: f64) -> f64 {
    let mut there = terms.iter().copied().filter(|&term| term > 0.0);
    let (first, second) = (there.next(), there.next());
    match (first, second) {
        (None, _) => 0.0,
        (Some(only), None) => only,
        (Some(first), Some(second)) => {
            let sum: f64 = [first, second].into_iter().chain(there).map(|term| libm::pow(term, p)).sum();
            libm::pow(sum, 1.0 / p)
        }
    }
}

#[cfg(test)]
mod tests;
