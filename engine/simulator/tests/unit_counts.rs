//! What matches, floating-point atomics, constant tables and fetches by whole numbers are counted as: units that
//! `workshop micro` measured on an H200.

use std::sync::Arc;

use pretty_assertions::assert_eq;
use simulator::image::{AddressMode, Filter, Numbers, Pixels, Sampler, Texel};
use simulator::{Checks, Counters, Device, Launch, LaunchReport, Limits, Module};

/// Events of a kernel whose parameter is a buffer of 32 KiB of zeros, in `%rd1`, or a texture of it; `%r1` is the thread. One
/// block of so many threads.
fn counted(code: &str, texture: bool, threads: u32) -> Counters {
    launched(code, texture, threads).counters
}

/// All that the same kernel leaves.
fn launched(code: &str, texture: bool, threads: u32) -> LaunchReport {
    let text = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.const .align 4 .b8 table[16384];\n\
         .visible .entry k(.param .u64 p)\n{{\n.reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .f32 %f<5>;\n\
         .reg .b64 %rd<9>;\n.shared .align 4 .b8 counts[4096];\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n{code}\n\
         ret;\n}}\n"
    );
    let mut device = Device::new(Arc::new(Module::from_ptx(&text).unwrap()), Limits::default());
    let bytes = 32 << 10;
    let mut parameter = device.alloc(bytes, "buffer").unwrap();
    device.fill(parameter, 0, bytes).unwrap();
    if texture {
        let texel = Texel::new(1, 32, Numbers::Unsigned).unwrap();
        let width = bytes as u32 / 4;
        let pixels =
            Pixels { address: parameter, width, height: 1, depth: 1, pitch: bytes, texel, linear: true };
        let sampler = Sampler {
            address: [AddressMode::Clamp; 3],
            filter: Filter::Point,
            normalized: false,
            fractions: false,
            border: [0.0; 4],
        };
        parameter = device.create_texture(pixels, sampler).unwrap();
    }
    let report = device
        .launch(&Launch {
            kernel: "k",
            grid: [1, 1, 1],
            block: [threads, 1, 1],
            dynamic_shared: 0,
            cooperative: false,
            arguments: &[parameter.to_le_bytes().to_vec()],
            checks: Checks::COUNT,
            order: simulator::Order::Forward,
        })
        .unwrap();
    assert!(!report.stopped, "{:?}", report.findings);
    report
}

#[test]
fn a_match_takes_each_value_in_turn_and_wide_ones_twice() {
    let values = |code: &str| counted(code, false, 32).match_values;
    assert_eq!(values("match.any.sync.b32 %r2, %r1, 0xffffffff;"), 32);
    assert_eq!(values("and.b32 %r3, %r1, 7;\nmatch.any.sync.b32 %r2, %r3, 0xffffffff;"), 8);
    assert_eq!(values("cvt.u64.u32 %rd2, %r1;\nmatch.any.sync.b64 %r2, %rd2, 0xffffffff;"), 64);
    assert_eq!(values("match.all.sync.b32 %r2|%p1, %r1, 0xffffffff;"), 1);
}

/// Adds 1 to the float that lies `mask` & thread words behind `base`.
fn additions(space: &str, base: &str, mask: u32) -> String {
    format!(
        "and.b32 %r2, %r1, {mask};\nmul.wide.u32 %rd2, %r2, 4;\nmov.b64 %rd3, {base};\nadd.s64 %rd3, %rd3, %rd2;\n\
         mov.f32 %f1, 0f3F800000;\natom.{space}.add.f32 %f2, [%rd3], %f1;"
    )
}

#[test]
fn floats_added_to_one_address_of_global_memory_wait_longer_than_integers() {
    let hottest = |mask| {
        let counters = counted(&additions("global", "%rd1", mask), false, 32);
        [counters.hottest_atomic_rounds, counters.hottest_atomic_neighbours]
    };
    assert_eq!(hottest(0), [32 * 12 / 5, 0]);
    // Two lanes a word: four sectors of two rounds, which take longer than two additions after one another.
    assert_eq!(hottest(15), [4, 4]);
    assert_eq!(hottest(7), [4 * 12 / 5, 0]);
}

#[test]
fn floats_added_to_shared_memory_go_round_a_loop() {
    let passes = |mask, threads| {
        counted(&additions("shared", "counts", mask), false, threads).shared_atomic_wavefronts
    };
    assert_eq!(passes(31, 32), 3);
    assert_eq!(passes(0, 32), 96);
    // A second warp at the same addresses: it and the first try in vain, too.
    assert_eq!(passes(0, 64), 2 * 96 + 32 * 2 * 7 / 4);
    assert_eq!(passes(63, 64), 2 * 3);
}

#[test]
fn constants_beyond_the_first_level_take_more() {
    let of = |mask: u32| {
        let code = format!(
            "and.b32 %r2, %r1, {mask};\nmul.wide.u32 %rd2, %r2, 64;\nmov.u64 %rd3, table;\nadd.s64 %rd3, %rd3, %rd2;\n\
             ld.const.u32 %r3, [%rd3];\nst.global.u32 [%rd1], %r3;"
        );
        counted(&code, false, 256).constant_passes
    };
    // 32 lines of 64 bytes fit; of 64, half do.
    assert_eq!(of(31), 256);
    assert!((500..1000).contains(&of(63)), "{}", of(63));
}

#[test]
fn a_fetch_by_whole_numbers_takes_four_cycles_and_more_if_it_is_scattered() {
    let of = |apart: u32| {
        let code = format!(
            "mul.lo.u32 %r2, %r1, {apart};\ntex.1d.v4.u32.s32 {{%r3, %r4, %r5, %r6}}, [%rd1, {{%r2}}];\nmov.u32 %r7, %r3;"
        );
        let counters = counted(&code, true, 32);
        (counters.texture_requests, counters.texture_passes)
    };
    assert_eq!(of(1), (1, 4));
    assert_eq!(of(2), (1, 4));
    assert_eq!(of(33), (1, 16));
    assert_eq!(of(32), (1, 32));
}

/// Passes beyond the first of a store to the thread's own array, `apart` words from where the next lane stores in its own.
fn own_conflicts(apart: u32) -> u64 {
    let code = format!(
        ".local .align 4 .b8 own[128];\nmov.u64 %rd2, own;\nmul.wide.u32 %rd3, %r1, {};\nadd.u64 %rd4, %rd2, %rd3;\n\
         st.local.u32 [%rd4], %r1;",
        4 * apart
    );
    launched(&code, false, 32).executed.iter().map(|one| one.conflicts).sum()
}

#[test]
fn lanes_that_store_to_different_words_of_their_own_memory_get_in_each_others_way() {
    // The words of one place lie side by side: a line. Those of 32 places lie in 32, no two in the same bank, four lines a pass.
    assert_eq!([own_conflicts(0), own_conflicts(1)], [0, 7]);
}
