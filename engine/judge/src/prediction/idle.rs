//! Kernels most of whose threads only start and leave.

use std::collections::BTreeMap;

use runtime::engine::{Profiled, Step};
use simulator::model::{Gpu, H200, Kernel, TERM_NAMES, Whole, breakdown};

use super::lines::kernel;

/// A kernel most of whose warps leave without an access to memory, in all of its launches.
#[derive(Debug, Clone, PartialEq)]
pub struct Idle {
    /// Its name, without the arguments of a template.
    pub kernel: String,
    /// Warps that it starts.
    pub warps: f64,
    /// Of these, those that store anything, at the most.
    pub storing: f64,
    /// The share of the time of all kernels in which the blocks of the others start.
    pub share: f64,
}

/// The parts of the warps that may access memory at all, and that may store, in a kernel most of whose threads have nothing to do.
const ACCESS: f64 = 0.5;
const STORE: f64 = 0.25;

/// What is not a result of such a kernel: the accesses of its warps, each counted as a warp of its own.
fn idle_in(kernel: &Kernel, whole: Whole) -> Option<[f64; 3]> {
    let counters = &kernel.counters;
    let stores = counters.global_store_requests + counters.atomic_requests + counters.shared_requests;
    let accesses = stores + counters.global_load_requests + counters.texture_requests;
    let warps = whole.blocks * f64::from(kernel.warps());
    let [stores, accesses] = [stores, accesses].map(|requests| requests as f64 * whole.scale);
    let most_leave = stores > 0.0 && stores <= STORE * warps && accesses <= ACCESS * warps;
    most_leave.then_some([warps, stores, 1.0 - accesses / warps])
}

/// The kernel of this kind whose needless blocks take most of the time.
pub fn idle(launches: &[Profiled], steps: &[(Step, Whole)], gpu: &Gpu) -> Option<Idle> {
    let mut found: BTreeMap<&str, Idle> = BTreeMap::new();
    let mut all = 0.0;
    for (launch, (kernel, whole)) in launches.iter().zip(steps.iter().filter_map(kernel)) {
        let time = breakdown(kernel, *whole, &H200, gpu);
        all += time.seconds();
        let Some([warps, storing, leaving]) = idle_in(kernel, *whole) else { continue };
        let starts = TERM_NAMES.into_iter().zip(time.terms).find(|(name, _)| *name == "starting blocks");
        let name = launch.kernel.split('<').next().unwrap_or_default();
        let of = found.entry(name).or_insert_with(|| Idle {
            kernel: name.to_owned(),
            warps: 0.0,
            storing: 0.0,
            share: 0.0,
        });
        of.warps += warps;
        of.storing += storing;
        of.share += leaving * starts.map_or(0.0, |(_, seconds)| seconds);
    }
    let most = found.into_values().max_by(|one, other| one.share.total_cmp(&other.share))?;
    Some(Idle { share: most.share / all.max(f64::MIN_POSITIVE), ..most })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a launch of 100 blocks of eight warps on a tenth of the picture.
    fn of(loads: u64, stores: u64, shared: u64) -> Option<[f64; 3]> {
        let mut counters = simulator::Counters::default();
        counters.global_load_requests = loads;
        counters.global_store_requests = stores;
        counters.shared_requests = shared;
        let kernel = Kernel {
            counters,
            executed: Vec::new(),
            simulated: 0,
            code: None,
            machine: None,
            grid: [10, 1, 1],
            threads: 256,
            shared: 0,
            registers: 0,
        };
        idle_in(&kernel, Whole::new(10.0, 100.0))
    }

    #[test]
    fn threads_that_leave_are_told_from_threads_that_help_others() {
        assert_eq!(of(20, 4, 0), Some([800.0, 40.0, 0.7]));
        assert_eq!(of(80, 4, 0), None, "every warp loads");
        assert_eq!(of(0, 4, 80), None, "every warp uses shared memory");
        assert_eq!(of(10, 30, 0), None, "many store");
        assert_eq!(of(20, 0, 0), None, "what has no result that is counted says nothing");
    }
}
