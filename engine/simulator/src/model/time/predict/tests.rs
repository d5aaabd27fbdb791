//! Properties of the model that hold whatever its weights are, and some that hold for those fitted.

use pretty_assertions::assert_eq;

use super::super::H200;
use super::*;
use crate::decode::Class;
use crate::model::counters::Counters;
use crate::model::gpu::find;

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

fn whole(kernel: &Kernel) -> Whole {
    Whole::new(1.0, kernel.blocks())
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
    let name = |kernel: &Kernel| Demand::of(kernel, whole(kernel), gpu).limiter(&H200);
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
    // 16 MiB are read; 24 are found whole, 48 not at all (`workshop micro`).
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

fn demand(terms: [f64; TERMS], at_the_end: f64) -> Demand {
    Demand { terms, at_the_end, first_loads: 0.0 }
}

#[test]
fn places_are_waited_for_where_blocks_take_as_long_as_dealing_them_out() {
    let with = |latency: f64| {
        let mut terms = [0.0; TERMS];
        (terms[BLOCKS], terms[LATENCY]) = (40e-6, latency);
        demand(terms, 0.0).seconds(&Model { places: 2.5, ..H200 })
    };
    assert!(with(40e-6) > 1.2 * with(0.0) && with(10e-6) < 1.02 * with(0.0));
}

#[test]
fn atomics_at_the_end_run_beside_the_end_of_the_launch_only() {
    let mut terms = [0.0; TERMS];
    (terms[0], terms[ATOMICS], terms[LATENCY]) = (10e-6, 10e-6, 10e-6);
    let at = |share| demand(terms, share).seconds(&H200);
    let without = |atomics: f64| {
        let mut terms = terms;
        terms[ATOMICS] = atomics;
        demand(terms, 0.0).seconds(&H200)
    };
    let (launch, last) = (H200.launch, 10e-6 * H200.weights[ATOMICS]);
    assert!((at(1.0) - without(0.0) - (launch.hypot(last) - launch)).abs() < 1e-12);
    assert!(at(0.0) < at(0.5) && at(0.5) < at(1.0));
}

#[test]
fn a_copy_takes_longer_on_every_older_gpu() {
    let kernel = copy();
    let on = |name: &str| seconds(&kernel, whole(&kernel), &H200, find(name).unwrap());
    assert!(on("h200") < on("k80") && on("k80") < on("gtx480") && on("gtx480") < on("k620"));
}
