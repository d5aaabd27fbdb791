//! What the predicted time of a task is spent on, in words for a student.

use lab::Part;
use serde::Serialize;
use simulator::Counters;
use simulator::model::{Breakdown, Gpu, H200, Kernel, TERM_NAMES, Whole, breakdown};

use runtime::engine::{Step, Work};

/// A part of the time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Cost {
    /// What it is spent on.
    pub part: Part,
    /// Its share of all the work, 0 to 1.
    pub share: f64,
}

/// The parts of the work's time, largest first; those of less than a thousandth are left out. `seconds` gives the duration of
/// work that is not a kernel.
pub fn costs(steps: &[(Step, Whole)], gpu: &Gpu, seconds: impl Fn(&Work, Whole) -> f64) -> Vec<Cost> {
    let mut all = Part::ALL.map(|part| Cost { part, share: 0.0 });
    for (step, whole) in steps {
        match step {
            Step::Work { work: Work::Kernel(kernel), .. } => {
                for (part, seconds) in of_kernel(kernel, *whole, gpu) {
                    all[part as usize].share += seconds;
                }
            }
            Step::Work { work, .. } => all[Part::Copies as usize].share += seconds(work, *whole),
            _ => {}
        }
    }
    let sum: f64 = all.iter().map(|cost| cost.share).sum();
    let mut costs: Vec<Cost> =
        all.into_iter().map(|cost| Cost { share: cost.share / sum.max(f64::MIN_POSITIVE), ..cost }).collect();
    costs.retain(|cost| cost.share >= 1e-3);
    costs.sort_by(|one, other| other.share.total_cmp(&one.share));
    costs
}

/// Seconds of a launch by part.
fn of_kernel(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> Vec<(Part, f64)> {
    let Breakdown { terms, launch, first_loads } = breakdown(kernel, whole, &H200, gpu);
    let mut parts = vec![(Part::Launches, launch), (Part::Bytes, first_loads)];
    for (name, seconds) in TERM_NAMES.into_iter().zip(terms) {
        if name == PIPE {
            parts.extend(pipe(&kernel.counters, gpu).map(|(part, share)| (part, share * seconds)));
        } else {
            parts.push((part(name), seconds));
        }
    }
    parts
}

/// The term of several parts.
pub const PIPE: &str = "load/store pipe and shared memory";

/// The term of the model that is not a resource.
pub const LATENCY: &str = "latency";

/// The part that a term of the timing model belongs to, but for [`PIPE`].
pub fn part(term: &str) -> Part {
    match term {
        "DRAM" | "L2" => Part::Bytes,
        "textures" => Part::Requests,
        "global atomics" => Part::Atomics,
        "starting blocks" => Part::Launches,
        "barriers" | "latency" => Part::Waiting,
        _ => Part::Instructions,
    }
}

/// The parts of [`PIPE`] and their shares, by passes.
pub fn pipe(counters: &Counters, gpu: &Gpu) -> [(Part, f64); 3] {
    let passes = [
        (Part::Requests, (counters.global_wavefronts + counters.local_wavefronts) as f64),
        (Part::SharedMemory, counters.shared_wavefronts as f64),
        (Part::Atomics, counters.shared_atomic_wavefronts as f64 * gpu.rates.shared_atomic),
    ];
    let sum: f64 = passes.iter().map(|(_, passes)| passes).sum();
    passes.map(|(part, passes)| (part, passes / sum.max(1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_terms_are_known() {
        assert!(TERM_NAMES.contains(&PIPE));
        assert!(TERM_NAMES.into_iter().any(|name| part(name) == Part::Waiting));
    }
}
