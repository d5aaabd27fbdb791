use std::sync::Arc;

use pretty_assertions::assert_eq;

use super::observer::TABLE;
use crate::model::counters::{Counters, CriticalPath, StallReason};
use crate::{Checks, Device, Launch, Limits, Module};

/// Events of a kernel with one buffer of 4 KiB, in `%rd1`, run by `blocks` warps.
fn counted(code: &str, blocks: u32) -> Counters {
    launched(code, [blocks, 32], 4096)
}

/// The same for so many blocks, of so many threads, with a buffer of so many bytes.
fn launched(code: &str, [blocks, threads]: [u32; 2], bytes: u64) -> Counters {
    let text = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n.reg .pred %p<4>;\n\
         .local .align 4 .b8 own[1024];\n\
         .reg .b32 %r<9>;\n.reg .b64 %rd<9>;\nld.param.u64 %rd1, [p];\n{code}\nret;\n}}\n"
    );
    let mut device = Device::new(Arc::new(Module::from_ptx(&text).unwrap()), Limits::default());
    let buffer = device.alloc(bytes, "buffer").unwrap();
    device.fill(buffer, 0, bytes).unwrap();
    let report = device
        .launch(&Launch {
            kernel: "k",
            grid: [blocks, 1, 1],
            block: [threads, 1, 1],
            dynamic_shared: 0,
            cooperative: false,
            arguments: &[buffer.to_le_bytes().to_vec()],
            checks: Checks::COUNT,
            order: crate::exec::Order::Forward,
        })
        .unwrap();
    assert!(!report.stopped, "{:?}", report.findings);
    report.counters
}

fn far(code: &str) -> u64 {
    counted(code, 1).path.cycles[StallReason::Far as usize]
}

#[test]
fn loads_side_by_side_wait_together_and_one_after_the_other_in_turn() {
    let one = "ld.global.u32 %r1, [%rd1];\nadd.u32 %r2, %r1, %r1;";
    assert!((400..=CriticalPath::FAR).contains(&far(one)), "{}", far(one));
    let both = "ld.global.u32 %r1, [%rd1];\nld.global.u32 %r2, [%rd1+256];\nadd.u32 %r3, %r1, %r2;";
    assert_eq!(far(both), far(one));
    let chain = "ld.global.u64 %rd2, [%rd1];\nadd.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r1, [%rd3+256];\n\
                 add.u32 %r2, %r1, %r1;";
    assert!(far(chain) > far(one) + 400);
}

#[test]
fn loads_stay_behind_stores_unless_nothing_writes_what_they_read() {
    let code = |load: &str| {
        format!(
            "{load} %r1, [%rd1];\nst.global.u32 [%rd1+1024], %r1;\n{load} %r2, [%rd1+256];\n\
             st.global.u32 [%rd1+2048], %r2;"
        )
    };
    assert!(far(&code("ld.global.u32")) > far(&code("ld.global.nc.u32")) + 400);
}

#[test]
fn a_loop_of_known_length_is_unrolled_and_its_counter_vanishes() {
    let rounds = |bound: &str| {
        format!(
            "mov.u32 %r5, %tid.x;\nmov.u32 %r1, 0;\nmov.u32 %r2, 0;\n$L:\nadd.u32 %r2, %r2, %r5;\n\
             add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, {bound};\n@%p1 bra $L;\nst.global.u32 [%rd1], %r2;"
        )
    };
    let known = counted(&rounds("25"), 1);
    // 25 additions, the store and the return.
    assert_eq!(known.live.iter().sum::<u64>(), 25 + 2);
    let unknown = format!("ld.global.u32 %r6, [%rd1];\nadd.u32 %r6, %r6, 25;\n{}", rounds("%r6"));
    let unknown = counted(&unknown, 1);
    assert!(unknown.live.iter().sum::<u64>() > 3 * 25);
    assert!(unknown.path.total() > known.path.total() + 25 * 10);
}

#[test]
fn a_loop_is_unrolled_for_lanes_that_have_parted_from_the_others() {
    // Lanes 0 to 7 skip it; they come back with a counter that is not known to be what the others have.
    let parted = |after: &str| {
        format!(
            "mov.u32 %r5, %tid.x;\nmov.u32 %r1, 0;\nmov.u32 %r2, 0;\nsetp.lt.u32 %p2, %r5, 8;\n@%p2 bra $E;\n\
             $L:\nadd.u32 %r2, %r2, %r5;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 25;\n@%p1 bra $L;\n\
             $E:\n{after}st.global.u32 [%rd1], %r2;"
        )
    };
    let live = |after: &str| counted(&parted(after), 1).live.iter().sum::<u64>();
    // A comparison, a branch, 25 additions, the store and the return.
    assert_eq!(live(""), 25 + 4);
    assert_eq!(live("add.u32 %r2, %r1, 7;\n"), 25 + 5);
}

#[test]
fn blocks_add_up_whatever_the_workers_and_the_longest_is_kept() {
    let code = "mov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p1, %r1, 7;\n@!%p1 bra $E;\n\
                ld.global.u32 %r2, [%rd1];\nst.global.u32 [%rd1+64], %r2;\n$E:";
    let counters = counted(code, 300);
    assert!(counters.longest_path.cycles[StallReason::Far as usize] > 400);
    assert_eq!(
        counters.path.cycles[StallReason::Far as usize],
        counters.longest_path.cycles[StallReason::Far as usize]
    );
}

/// Warp 1 of each block goes round ten times.
const UNEVEN: &str = "mov.u32 %r1, %tid.x;\nshr.u32 %r1, %r1, 5;\nsetp.ne.u32 %p1, %r1, 1;\n@%p1 bra $E;\n\
                      ld.global.u32 %r2, [%rd1];\nadd.u32 %r2, %r2, 10;\n$L:\nsub.u32 %r2, %r2, 1;\n\
                      setp.ne.u32 %p2, %r2, 0;\n@%p2 bra $L;\nst.global.u32 [%rd1+64], %r2;\n$E:";

#[test]
fn instructions_are_told_apart_by_the_place_of_their_warp() {
    let balance = launched(UNEVEN, [5, 192], 4096).scheduler_balance;
    let [first, second, third, fourth] = balance.sums;
    // Warps 4 and 5 are at the places of warps 0 and 1.
    assert_eq!((first, third), (2 * fourth, fourth));
    assert!(second > first + 5 * 30, "{balance:?}");
    let each = u128::from(second / 5);
    assert_eq!(balance.squares[1], 5 * each * each, "all five blocks do the same");
}

#[test]
fn tables_are_fetched_by_the_first_block_and_pictures_by_all() {
    let load = "ld.global.u32 %r2, [%rd1];\nst.global.u32 [%rd1+64], %r2;";
    assert_eq!(launched(load, [7, 32], TABLE).missed_sectors, 1);
    assert_eq!(launched(load, [7, 32], TABLE + 32).missed_sectors, 7);
}

#[test]
fn stores_to_a_threads_own_memory_are_counted_by_sector() {
    // 32 words side by side; then each lane's at another place.
    let stored = |offset: &str| {
        let code = format!(
            "mov.u32 %r1, %tid.x;\nmov.u64 %rd2, own;\ncvt.u64.u32 %rd3, %r1;\nmul.lo.u64 %rd3, %rd3, {offset};\n\
             add.u64 %rd2, %rd2, %rd3;\nst.local.u32 [%rd2], %r1;"
        );
        counted(&code, 1).local_store_sectors
    };
    assert_eq!((stored("0"), stored("4")), (4, 32));
}

/// Sectors missed, and those of who comes first or at the same time, in blocks of a warp whose lanes load 64 bytes apart.
fn first_touches(code: &str) -> [u64; 3] {
    let place = "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %tid.x;\n";
    let counters = launched(&format!("{place}{code}"), [512, 32], 1 << 21);
    let traffic = counters.traffic;
    [counters.missed_sectors, traffic.first_by_request[0], traffic.first_by_round[0]]
}

#[test]
fn who_walks_on_by_a_sector_finds_the_next_one_in_the_l2() {
    let place = "shl.b32 %r3, %r3, 11;\nshl.b32 %r4, %r4, 6;\nadd.u32 %r3, %r3, %r4;\ncvt.u64.u32 %rd2, %r3;\n\
                 add.s64 %rd1, %rd1, %rd2;\n";
    // In a row, and in two rounds of a loop.
    let row = "ld.global.u32 %r1, [%rd1];\nld.global.u32 %r2, [%rd1+32];\nst.global.u32 [%rd1+4], %r1;";
    let round = "mov.u32 %r5, 0;\nL:\nld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1+4], %r1;\nadd.s64 %rd1, %rd1, 32;\n\
                 add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 2;\n@%p1 bra L;";
    let [missed, by_request, by_round] = first_touches(&format!("{place}{row}"));
    assert_eq!(missed, 2 * 512 * 32);
    let share = |sectors: u64| sectors as f64 / missed as f64;
    assert!((0.45..0.55).contains(&share(by_request)), "{}", share(by_request));
    assert!((0.9..1.1).contains(&share(by_round)), "{}", share(by_round));
    let [same, by_request, by_round] = first_touches(&format!("{place}{round}"));
    assert_eq!(same, missed);
    assert!((0.45..0.55).contains(&share(by_request)) && by_request == by_round);
}

#[test]
fn blocks_that_share_their_sectors_wait_for_them_together() {
    // Blocks 2k and 2k + 1, each half a sector of every 64 bytes.
    let halves = "shr.u32 %r5, %r3, 1;\nand.b32 %r6, %r3, 1;\nshl.b32 %r5, %r5, 11;\nshl.b32 %r6, %r6, 4;\nshl.b32 %r4, %r4, 6;\n\
                  add.u32 %r5, %r5, %r6;\nadd.u32 %r5, %r5, %r4;\ncvt.u64.u32 %rd2, %r5;\nadd.s64 %rd1, %rd1, %rd2;\n\
                  ld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1+8], %r1;";
    let [missed, by_request, by_round] = first_touches(halves);
    assert_eq!(missed, 512 * 32);
    assert!((0.85..1.15).contains(&(by_request as f64 / missed as f64)), "{by_request}");
    assert_eq!(by_request, by_round);
}

#[test]
fn blocks_that_load_the_same_miss_alike() {
    let same = "ld.global.u32 %r1, [%rd1];\nld.global.u32 %r2, [%rd1+65536];\nst.global.u32 [%rd1+4], %r1;";
    let own = "mov.u32 %r3, %ctaid.x;\nmul.wide.u32 %rd2, %r3, 128;\nadd.s64 %rd1, %rd1, %rd2;\n";
    for (code, alike) in [(same.to_owned(), 2), (format!("{own}{same}"), 10)] {
        let counters = launched(&code, [5, 32], 1 << 17);
        assert_eq!(
            (counters.missed_sectors, counters.traffic.distinct_missed_sectors),
            (10, alike),
            "{code}"
        );
    }
}

#[test]
fn atomics_behind_the_last_load_are_told_from_others() {
    let load = "ld.global.u32 %r1, [%rd1];\n";
    let atomic = "red.global.add.u32 [%rd1+64], 1;\n";
    for (code, last) in [(format!("{load}{atomic}{atomic}"), 2 * 64), (format!("{atomic}{load}{atomic}"), 64)]
    {
        let counters = launched(&code, [2, 32], 4096);
        assert_eq!((counters.global_atomics, counters.traffic.last_atomics), (2 * 64, last), "{code}");
    }
}

#[test]
fn stores_of_words_and_of_bytes_leave_as_sectors() {
    let place = |bytes| {
        format!("mov.u32 %r3, %tid.x;\nmul.wide.u32 %rd2, %r3, {bytes};\nadd.s64 %rd2, %rd1, %rd2;\n")
    };
    let words = format!("{}st.global.u32 [%rd2], %r3;", place(4));
    let bytes = format!("{}st.global.u8 [%rd2], %r3;\nst.global.u8 [%rd2+1], %r3;", place(2));
    let apart = format!(
        "{}st.global.u8 [%rd2], %r3;\nld.global.u32 %r1, [%rd1];\nst.global.u8 [%rd2+1], %r3;",
        place(2)
    );
    for (code, [sectors, partial]) in [(words, [4, 0]), (bytes, [4, 0]), (apart, [4, 4])] {
        let counters = counted(&code, 1);
        let seen = [counters.global_store_sectors, counters.traffic.partial_sectors];
        assert_eq!(seen, [sectors, partial], "{code}");
    }
}

#[test]
fn arrays_of_a_threads_own_lie_word_by_word() {
    // A vector of four words of each lane is four lines: four passes, sixteen sectors.
    let code = "mov.u64 %rd2, own;\nst.local.v4.u32 [%rd2], {%r1, %r1, %r1, %r1};";
    let counters = counted(code, 1);
    assert_eq!((counters.local_wavefronts, counters.local_store_sectors), (4, 16));
    assert_eq!(counters.traffic.partial_sectors, 0);
    // Each lane at a word of its own: one sector each, and as many passes as lines are looked up at once.
    let code = "mov.u32 %r3, %tid.x;\nmul.wide.u32 %rd3, %r3, 4;\nmov.u64 %rd2, own;\nadd.s64 %rd2, %rd2, %rd3;\n\
                st.local.u32 [%rd2], %r3;";
    let counters = counted(code, 1);
    assert_eq!((counters.local_wavefronts, counters.local_store_sectors), (8, 32));
    assert_eq!(counters.traffic.partial_sectors, 32);
}
