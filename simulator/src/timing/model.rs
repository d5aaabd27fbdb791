//! The timing model: from the counted events of a launch and its shape to seconds on a given GPU.
//!
//! T = launch + first + behind + (Dᵈ + Vᵈ)^(1/d), V = (Bʳ + (wL)ʳ)^(1/r), B = (Σ (wᵢ Tᵢ)ᵖ)^(1/p), D = (S^q + (wL)^q)^(1/q). Each Tᵢ is what one resource alone would
//! need (see [`terms_of`]), from counted events and the GPU's physical rates; L is what warps by themselves take; S is what starting blocks
//! takes: a block waits for the place of one that is not done, and whoever deals them out for a place. A smooth p lets resources that are about equally busy get in each other's way. With few warps on a multiprocessor
//! nothing fills the time that one of them waits, so that busy and waiting times add up; many hide one in the other:
//! r = 1 + aWᵇ for W warps. V is taken phase by phase, from one barrier of the code to the next, for the first round of blocks, which begin
//! together, times u: phases do not fill each other's idle time. To L comes s times what the units do for a block whose warps are in step (`terms::in_step`). The weights
//! wᵢ say how far the machine is from those rates in real kernels; they are fitted and lie near 1.
//! Behind all that come the atomics on global memory at the end of a launch (see `terms::atomics_at_the_end`) and barriers of the
//! grid: nothing runs beside them. So do the first loads, as far as they come from DRAM: all blocks begin at once, and nothing is
//! there yet.

use std::sync::Arc;

use super::gpus::Gpu;
use super::terms::{
    ATOMICS, BLOCKS, LATENCY, TERM_NAMES, TERMS, UNITS, atomics_at_the_end, first_loads, grid_barriers,
    in_step, phases, rounds, terms_of, warps,
};
use super::traffic::Traffic;
use crate::launch::{Class, Counters, Executed};
use crate::machine::{MachineCode, MachineWork, PHASES};

/// A launch as the model sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// Its counted events.
    pub counters: Counters,
    /// What each instruction of the PTX did, by line.
    pub executed: Vec<Executed>,
    /// Its machine code, where that is known.
    pub code: Option<Arc<MachineCode>>,
    /// What of it was executed.
    pub machine: Option<MachineWork>,
    /// `gridDim`.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub threads: u32,
    /// Shared memory of a block in bytes, static and dynamic.
    pub shared: u32,
    /// Registers a thread, 0 if not known.
    pub registers: u32,
}

impl Kernel {
    /// Blocks of the grid.
    pub fn blocks(&self) -> f64 {
        self.grid.iter().copied().map(f64::from).product()
    }

    /// Warps of a block.
    pub fn warps(&self) -> u32 {
        self.threads.div_ceil(32)
    }

    /// Warps of the grid, which count as whole ones whatever lanes they have.
    pub(super) fn all_warps(&self) -> f64 {
        self.blocks() * f64::from(self.warps())
    }

    /// Barriers that a warp comes to on average.
    pub(super) fn barriers(&self) -> f64 {
        self.counters.live[Class::Barrier as usize] as f64 / self.all_warps()
    }

    /// Bytes of global memory that it reads, and that it writes.
    pub fn bytes(&self) -> f64 {
        let (read, written) = self.counters.unique_bytes();
        (read + written) as f64
    }
}

/// A launch on a larger picture than the one it was counted on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Whole {
    /// The counted events, times this.
    pub scale: f64,
    /// Blocks of its grid.
    pub blocks: f64,
    /// Bytes that the largest of the earlier launches of the same call read and wrote, if there are any: what they left in the
    /// L2 may be found there.
    pub earlier: Option<f64>,
}

/// The fitted numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Model {
    /// Seconds of a launch that follows another.
    pub launch: f64,
    /// Seconds that a copy over the link takes longer if the host waits for it.
    pub round_trip: f64,
    /// Exponent of the sum over resources.
    pub p: f64,
    /// How well warps hide each other's waiting: a and b of r = 1 + aWᵇ.
    pub overlap: [f64; 2],
    /// How little dealing out blocks and what they do get in each other's way: d, an exponent like p. Who deals does nothing else.
    pub dealing: f64,
    /// How little dealing out blocks and what each of them takes do: q. Where as many are done as can be dealt out, now one is waited
    /// for and now the other.
    pub places: f64,
    /// How much of what the warps of a block do in step takes its time: s.
    pub in_step: f64,
    /// How far the blocks of the first round are in the same phase at the same time: u.
    pub phased: f64,
    /// Weight of each term.
    pub weights: [f64; TERMS],
}

/// Seconds of a launch.
pub fn seconds(kernel: &Kernel, whole: Whole, model: &Model, gpu: &Gpu) -> f64 {
    let traffic = Traffic::of(kernel, whole, gpu);
    let shape = Shape {
        warps: warps(kernel, whole, gpu),
        phases: phases(kernel, &traffic, gpu),
        first_round: rounds(kernel, whole, gpu).recip(),
        in_step: in_step(kernel, whole, gpu),
        at_the_end: atomics_at_the_end(kernel, whole, gpu),
    };
    combine(&terms_of(kernel, whole, &traffic, gpu), shape, model)
        + grid_barriers(kernel, whole, gpu)
        + first_loads(kernel, &traffic, gpu)
}

/// Seconds of a fill or a copy within the GPU that reads and writes so many bytes.
pub fn memory_seconds(bytes: f64, gpu: &Gpu) -> f64 {
    gpu.rates.fill_seconds + bytes / gpu.dram_bytes_per_second
}

/// How the terms of a launch meet.
#[derive(Clone, Copy)]
struct Shape {
    /// Warps on a multiprocessor.
    warps: f64,
    /// Of each phase, its shares of what its units are busy for and of the latency.
    phases: [[f64; 2]; PHASES],
    /// The share of the blocks that begin with the launch.
    first_round: f64,
    /// The share of what its units do that the warps of one block do at the same time.
    in_step: f64,
    /// The share of the atomics on global memory after all else.
    at_the_end: f64,
}

/// Seconds from terms that are known already.
fn combine(terms: &[f64; TERMS], shape: Shape, model: &Model) -> f64 {
    let mut weighted: [f64; TERMS] = std::array::from_fn(|term| terms[term] * model.weights[term]);
    let behind = weighted[ATOMICS] * shape.at_the_end;
    weighted[ATOMICS] -= behind;
    let [a, b] = model.overlap;
    let r = 1.0 + a * libm::pow(shape.warps, b);
    weighted[LATENCY] += model.in_step * shape.in_step * norm(&weighted[UNITS..ATOMICS], model.p);
    let busy = norm(&weighted[..BLOCKS], model.p);
    let mixed = norm(&[busy, weighted[LATENCY]], r);
    let apart: f64 =
        shape.phases.iter().map(|[work, alone]| norm(&[work * busy, alone * weighted[LATENCY]], r)).sum();
    let working = mixed + model.phased * shape.first_round * (apart - mixed);
    let dealt = norm(&[weighted[BLOCKS], weighted[LATENCY]], model.places);
    model.launch + norm(&[working, dealt], model.dealing) + behind
}

/// (Σ tᵖ)^(1/p).
fn norm(terms: &[f64], p: f64) -> f64 {
    libm::pow(terms.iter().map(|&term| libm::pow(term, p)).sum(), 1.0 / p)
}

/// The name of the largest term.
pub fn limiter(terms: &[f64; TERMS], model: &Model) -> &'static str {
    let weighted = terms.iter().zip(&model.weights).map(|(term, weight)| term * weight);
    let largest = weighted.enumerate().max_by(|one, other| one.1.total_cmp(&other.1));
    largest.map_or("launch", |(index, _)| TERM_NAMES[index])
}

#[cfg(test)]
impl Kernel {
    /// One that is known by its events alone, with few registers and no shared memory.
    pub(super) fn of(counters: Counters, blocks: u32, threads: u32) -> Self {
        Self {
            counters,
            executed: Vec::new(),
            code: None,
            machine: None,
            grid: [blocks, 1, 1],
            threads,
            shared: 0,
            registers: 16,
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::super::{H200, find, terms};
    use super::*;
    use crate::machine::Phase;

    /// 64 MiB read and 8 written by a million threads.
    fn copy() -> Kernel {
        let mut counters = Counters {
            global_wavefronts: 1 << 16,
            missed_sectors: 1 << 21,
            global_store_sectors: 1 << 18,
            unique_read_sectors: 1 << 21,
            unique_write_sectors: 1 << 18,
            ..Counters::default()
        };
        counters.live[Class::Int as usize] = 1 << 18;
        counters.path.cycles = [100 << 12, 10 << 12, 500 << 12, 0];
        counters.longest_path.cycles = [100, 10, 500, 0];
        Kernel::of(counters, 1 << 12, 256)
    }

    /// Few warps, in one phase.
    const SHAPE: Shape =
        Shape { warps: 8.0, phases: [[0.0; 2]; PHASES], first_round: 0.0, in_step: 0.0, at_the_end: 0.0 };

    fn whole(kernel: &Kernel) -> Whole {
        Whole { scale: 1.0, blocks: kernel.blocks(), earlier: None }
    }

    fn of(kernel: &Kernel) -> f64 {
        seconds(kernel, whole(kernel), &H200, find("h200").unwrap())
    }

    #[test]
    fn more_events_never_take_less_time() {
        let least = of(&copy());
        let more: [fn(&mut Counters); 12] = [
            |counters| counters.unique_read_sectors *= 2,
            |counters| counters.unique_write_sectors += 1 << 22,
            |counters| counters.missed_sectors *= 4,
            |counters| counters.global_wavefronts *= 40,
            |counters| counters.shared_wavefronts += 1 << 22,
            |counters| counters.shared_atomic_wavefronts += 1 << 22,
            |counters| counters.constant_passes += 1 << 22,
            |counters| counters.texture_passes += 1 << 25,
            |counters| counters.hottest_atomic_rounds += 1 << 20,
            |counters| counters.global_atomic_rounds += 1 << 26,
            |counters| counters.match_values += 1 << 22,
            |counters| counters.path.cycles[2] *= 16,
        ];
        for (index, more) in more.into_iter().enumerate() {
            let mut kernel = copy();
            more(&mut kernel.counters);
            assert!(of(&kernel) > 1.001 * least, "{index}: {} and {least}", of(&kernel));
        }
    }

    #[test]
    fn the_limiter_is_what_there_is_most_of() {
        let gpu = find("h200").unwrap();
        let name = |kernel: &Kernel| limiter(&terms(kernel, whole(kernel), gpu), &H200);
        let mut kernel = copy();
        assert_eq!(name(&kernel), "DRAM");
        kernel.counters.hottest_atomic_rounds = 1 << 20;
        assert_eq!(name(&kernel), "global atomics");
        kernel.counters.live[Class::IntDiv as usize] = 1 << 27;
        assert_eq!(name(&kernel), "issue");
    }

    #[test]
    fn atomics_at_one_address_take_their_turns() {
        // 32 lanes of 524,288 warps at one word: 12.3 ms on the H200 (`book/data/times-h200.json`, flat 4096x4096).
        let mut kernel = copy();
        kernel.counters.hottest_atomic_rounds = 1 << 24;
        kernel.counters.global_atomic_rounds = 1 << 24;
        assert!((10e-3..15e-3).contains(&of(&kernel)), "{}", of(&kernel));
    }

    #[test]
    fn registers_that_keep_warps_out_make_latency_felt() {
        let mut kernel = copy();
        kernel.counters.path.cycles[2] *= 16;
        let few = of(&kernel);
        kernel.registers = 128;
        assert!(of(&kernel) > 1.5 * few);
    }

    #[test]
    fn what_an_earlier_launch_left_is_not_read_again() {
        let kernel = copy();
        let mut kernel = kernel;
        (kernel.counters.unique_read_sectors, kernel.counters.unique_write_sectors) = (1 << 19, 0);
        let after = |bytes: f64| {
            let whole = Whole { earlier: Some(bytes), ..whole(&kernel) };
            seconds(&kernel, whole, &H200, find("h200").unwrap())
        };
        // 16 MiB are read; 24 are found whole, 48 not at all (`checker dev micro`).
        let (fits, half, too_much) = (after(24e6), after(38e6), after(50e6));
        assert!(fits < half && half < too_much, "{fits} {half} {too_much}");
        assert!((too_much - of(&kernel)).abs() < 1e-12);
    }

    #[test]
    fn first_loads_wait_for_dram_and_no_others_do() {
        let h200 = find("h200").unwrap();
        let mut little = copy();
        (little.counters.unique_read_sectors, little.counters.missed_sectors) = (1 << 13, 1 << 13);
        let first = |kernel: &Kernel, earlier| {
            let whole = Whole { earlier, ..whole(kernel) };
            first_loads(kernel, &Traffic::of(kernel, whole, h200), h200)
        };
        assert!((first(&little, None) - h200.rates.first_seconds).abs() < 1e-12);
        // All that it reads is in the L2 still; of what nearly fills that, some is. Earlier work that moved nothing left nothing.
        assert!(first(&little, Some(1e6)).abs() < 1e-12);
        assert!((first(&little, Some(0.0)) - h200.rates.first_seconds).abs() < 1e-12);
        assert!((first(&little, Some(65536.0)) / h200.rates.first_seconds - 0.75).abs() < 1e-9);
        assert!((0.1..0.9).contains(&(first(&little, Some(36e6)) / h200.rates.first_seconds)));
        little.counters.unique_read_sectors = 0;
        assert!(first(&little, None).abs() < 1e-12);
    }

    #[test]
    fn blocks_that_come_one_after_the_other_wait_for_their_turn() {
        let h200 = find("h200").unwrap();
        let of = |turn| {
            let mut gpu = h200.clone();
            gpu.rates.turn = turn;
            seconds(&copy(), whole(&copy()), &H200, &gpu)
        };
        // Four rounds of eight blocks on each multiprocessor: three turns.
        assert!(of([1000.0, 0.0]) > of([0.0; 2]) && of([0.0, 1000.0]) > of([1000.0, 0.0]));
        let single = |turn| {
            let mut gpu = h200.clone();
            gpu.rates.turn = turn;
            seconds(&copy(), Whole { blocks: 1056.0, ..whole(&copy()) }, &H200, &gpu)
        };
        assert_eq!(single([1000.0, 9.0]).to_bits(), single([0.0; 2]).to_bits());
    }

    #[test]
    fn blocks_that_go_round_meet_where_they_are_in_step() {
        let mut kernel = copy();
        kernel.counters.global_atomics = 1 << 24;
        kernel.counters.global_atomic_rounds = 1 << 22;
        kernel.counters.hottest_atomic_rounds = 1 << 20;
        let of = |kernel: &Kernel, blocks: f64| {
            seconds(kernel, Whole { blocks, ..whole(kernel) }, &H200, find("h200").unwrap())
        };
        let [round, many] = [1056.0, 65_536.0].map(|blocks| of(&kernel, blocks));
        kernel.counters.traffic.hottest_in_step = [1 << 21, 0];
        kernel.counters.traffic.hottest_throughout = [1 << 20, 0];
        assert!(of(&kernel, 1056.0) > 1.2 * round);
        // Blocks that take the place of others go through the picture in order, and atomics at the end come all at once.
        assert!((of(&kernel, 65_536.0) - many).abs() < 1e-12);
        kernel.counters.traffic.last_atomics = 1 << 24;
        let last = of(&kernel, 1056.0);
        kernel.counters.traffic.hottest_in_step = [1 << 20, 0];
        assert!((of(&kernel, 1056.0) - last).abs() < 1e-12);
    }

    #[test]
    fn places_are_waited_for_where_blocks_take_as_long_as_dealing_them_out() {
        let with = |latency: f64| {
            let mut terms = [0.0; TERMS];
            (terms[BLOCKS], terms[LATENCY]) = (40e-6, latency);
            combine(&terms, Shape { warps: 64.0, ..SHAPE }, &H200)
        };
        assert!(with(40e-6) > 1.2 * with(0.0) && with(10e-6) < 1.02 * with(0.0));
    }

    #[test]
    fn warps_in_step_work_when_they_do_not_wait() {
        let h200 = find("h200").unwrap();
        let mut kernel = copy();
        let work =
            MachineWork { issued: f64::from(1 << 22), far: f64::from(1 << 26), ..MachineWork::default() };
        kernel.machine = Some(work);
        let share = |kernel: &Kernel| in_step(kernel, whole(kernel), h200);
        assert!(share(&kernel).abs() < 1e-12);
        // A barrier a warp: eight blocks at once, of whose warps each waits 3.4 times in two phases.
        kernel.counters.live[Class::Barrier as usize] = 1 << 15;
        assert!((share(&kernel) - 2.0 * 600.0 / 2048.0 / 8.0).abs() < 1e-9, "{}", share(&kernel));
        let seconds = |in_step| seconds(&kernel, whole(&kernel), &Model { in_step, ..H200 }, h200);
        assert!(seconds(1.0) > seconds(0.0));
        kernel.machine = Some(MachineWork { fetched_ahead: 1.0, ..work });
        assert!(share(&kernel).abs() < 1e-12);
    }

    #[test]
    fn phases_of_the_first_round_do_not_fill_each_others_idle_time() {
        let h200 = find("h200").unwrap();
        let phase = |issued, near| Phase { issued, near, far: 0.0 };
        let of = |phases: [Phase; 2], blocks: f64| {
            let mut work = MachineWork {
                issued: f64::from(1 << 22),
                near: f64::from(1 << 28),
                ..MachineWork::default()
            };
            work.phases[..2].copy_from_slice(&phases);
            let kernel = Kernel { machine: Some(work), ..copy() };
            let whole = Whole { blocks, scale: blocks / 1056.0, earlier: None };
            seconds(&kernel, whole, &Model { phased: 1.0, ..H200 }, h200)
        };
        let alike = [phase(1.0, 10.0); 2];
        let one = [phase(2.0, 20.0), phase(0.0, 0.0)];
        let apart = [phase(2.0, 0.0), phase(0.0, 20.0)];
        // As many blocks as run at once; the same in fifty rounds.
        assert!((of(alike, 1056.0) - of(one, 1056.0)).abs() < 1e-12);
        assert!(of(apart, 1056.0) > 1.1 * of(alike, 1056.0));
        let [rounds, mixed] = [apart, alike].map(|phases| of(phases, 1056.0 * 50.0));
        assert!(rounds < 1.01 * mixed, "{rounds} {mixed}");
    }

    #[test]
    fn atomics_at_the_end_come_on_top() {
        let mut terms = [0.0; TERMS];
        (terms[0], terms[ATOMICS], terms[LATENCY]) = (10e-6, 10e-6, 10e-6);
        let at = |share| combine(&terms, Shape { at_the_end: share, ..SHAPE }, &H200);
        let without = |atomics: f64| {
            let mut terms = terms;
            terms[ATOMICS] = atomics;
            combine(&terms, SHAPE, &H200)
        };
        assert!((at(1.0) - without(0.0) - 10e-6 * H200.weights[ATOMICS]).abs() < 1e-12);
        assert!(at(0.0) < at(0.5) && at(0.5) < at(1.0));
    }

    #[test]
    fn a_copy_takes_longer_on_every_older_gpu() {
        let kernel = copy();
        let on = |name: &str| seconds(&kernel, whole(&kernel), &H200, find(name).unwrap());
        assert!(on("h200") < on("k80") && on("k80") < on("gtx480") && on("gtx480") < on("k620"));
    }
}
