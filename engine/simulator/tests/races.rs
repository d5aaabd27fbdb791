//! What the race observer finds, and what it must be silent about. The kernels are in `programs/races.cu`.

use crate::watch::Argument::{Bytes, Count, Zeros};
use crate::watch::{Argument, Programs, errors, shown};
use pretty_assertions::assert_eq;
use simulator::{Checks, Kind, Severity};

const PROGRAMS: Programs =
    Programs { ptx: include_str!("programs/races.ptx"), source: include_str!("programs/races.cu") };

const CHECKS: Checks = Checks { races: true, ..Checks::NONE };

fn levels(count: usize) -> Argument {
    Bytes((0..count).map(|i| (i * 7 % 13) as u8).collect())
}

/// The kernel's findings contain this code between these two lines, in any order.
fn found(kernel: &str, grid: u32, block: u32, arguments: &[Argument], code: &str, lines: [&str; 2]) {
    let report = PROGRAMS.run(kernel, grid, [block, 1], arguments, CHECKS);
    let [a, b] = lines.map(|text| PROGRAMS.line_in(kernel, text));
    let all = shown(&report.findings);
    assert!(
        all.contains(&format!("{code} {a} {b}")) || all.contains(&format!("{code} {b} {a}")),
        "{kernel}: {code} between {a} and {b} is not in {all:?}"
    );
    let finding = report.findings.iter().find(|finding| finding.code == code).unwrap();
    assert_eq!(finding.kind, Kind::Race);
    assert!(finding.count > 0 && !finding.hint.is_empty() && finding.thread.is_some());
    assert!(!report.stopped);
}

macro_rules! finds {
    ($($kernel:ident($grid:expr, $block:expr, $arguments:expr) $code:literal $first:literal $second:literal;)*) => {$(
        #[test]
        fn $kernel() {
            found(stringify!($kernel), $grid, $block, &$arguments, $code, [$first, $second]);
        }
    )*};
}

finds! {
    zeroing_without_barrier(1, 256, [levels(256), Zeros(1024)]) "W0307" "= 0;" "atomicAdd";
    reading_counts_without_barrier(1, 256, [levels(256), Zeros(1024)]) "W0307" "atomicAdd" "out[";
    no_second_barrier(1, 128, [Count(512), Zeros(512)]) "W0301" "tile[threadIdx.x] = " "sum +=";
    scan_in_place(1, 256, [Count(256), Zeros(1024)]) "W0301" "sums[i + d] +=" "sums[i + d] +=";
    halo_without_barrier(1, 128, [Count(128), Zeros(512)]) "W0301" "row[threadIdx.x + 1] =" "out[";
    tree_without_barrier(1, 128, [Count(128), Zeros(512)]) "W0301" "+= sums" "+= sums";
    blocks_share_a_sum(3, 32, [Count(3), Zeros(4)]) "W0303" "out[0]" "out[0]";
    blocks_overlap(3, 32, [Zeros(512)]) "W0303" "out[" "out[";
    neighbours_in_global(1, 64, [Zeros(256), Zeros(256)]) "W0302" "data[threadIdx.x] =" "out[";
    warp_without_syncwarp(1, 32, [Zeros(128)]) "W0304" "values[threadIdx.x] =" "out[";
    volatile_tree(1, 32, [Count(64), Zeros(128)]) "W0304" "sums[threadIdx.x] =" "x + 16]";
    shuffle_is_no_barrier(1, 32, [Zeros(128)]) "W0304" "values[threadIdx.x] =" "values[other]";
    colliding_stores(1, 32, [Zeros(128)]) "W0305" "out[" "out[";
    store_beside_atomic(1, 64, [Zeros(4)]) "W0307" "most = 0" "atomicMax";
    last_block_without_fence(8, 32, [Zeros(32), Zeros(32)]) "W0303" "parts[blockIdx.x] =" "out[";
    last_block_with_block_fence(8, 32, [Zeros(32), Zeros(32)]) "W0303" "parts[blockIdx.x] =" "out[";
    last_block_of_sums_without_fence(4, 64, [Zeros(256), Zeros(256)]) "W0307" "atomicAdd(&sums" "out[threadIdx.x] = sums";
    last_block_of_sums_without_barrier(4, 64, [Zeros(256), Zeros(256)]) "W0307" "atomicAdd(&sums" "out[threadIdx.x] = sums";
    lock_without_fence(4, 32, [Zeros(4), Zeros(4)]) "W0303" "*value" "*value";
    wrong_named_barrier(1, 128, [Count(128), Zeros(512)]) "W0301" "values[threadIdx.x] =" "out[";
    bytes_of_a_word(1, 64, [Zeros(64)]) "W0304" "= 1" "out[";
    partial_syncwarp(1, 32, [Zeros(128)]) "W0304" "values[threadIdx.x] =" "out[";
}

/// The kernel leads to no finding at all.
fn silent(kernel: &str, grid: u32, block: [u32; 2], arguments: &[Argument]) {
    let report = PROGRAMS.run(kernel, grid, block, arguments, CHECKS);
    assert_eq!(report.findings, [], "{kernel}");
    assert!(!report.stopped);
}

macro_rules! is_silent {
    ($($kernel:ident($grid:expr, $block:expr, $arguments:expr);)*) => {$(
        #[test]
        fn $kernel() {
            silent(stringify!($kernel), $grid, $block, &$arguments);
        }
    )*};
}

is_silent! {
    right_histogram(3, [256, 1], [levels(768), Zeros(1024)]);
    right_tree(2, [128, 1], [Count(128), Zeros(8)]);
    double_buffer(1, [128, 1], [Count(512), Zeros(512)]);
    warp_with_syncwarp(1, [32, 1], [Count(64), Zeros(128)]);
    right_lock(5, [32, 1], [Zeros(4), Zeros(4)]);
    lock_of_every_thread(3, [64, 1], [Zeros(4), Zeros(4)]);
    right_last_block(8, [64, 1], [Zeros(32), Zeros(32)]);
    last_block_of_sums(4, [64, 1], [Zeros(256), Zeros(256)]);
    last_block_of_many(8, [64, 1], [Zeros(2048), Zeros(4)]);
    chained_blocks(6, [32, 1], [Zeros(4)]);
    volatile_flag(2, [32, 1], [Zeros(4), Zeros(4)]);
    producer_and_consumer(1, [128, 1], [Count(256), Zeros(1024)]);
    right_named_barrier(1, [128, 1], [Count(128), Zeros(512)]);
    bytes_beside_each_other(1, [256, 1], [levels(256), Zeros(256)]);
    atomics_of_many_kinds(3, [64, 1], [Zeros(8)]);
    volatile_with_fence(3, [64, 1], [Zeros(4), Zeros(4)]);
    groups_of_a_warp(1, [32, 1], [Zeros(128)]);
    in_shared_and_out(1, [32, 8], [Count(1024), Zeros(4096)]);
}

#[test]
fn storing_the_same_value_is_a_note() {
    let report = PROGRAMS.run("same_value_flag", 1, [128, 1], &[Count(128), Zeros(4)], CHECKS);
    assert_eq!(errors(&report.findings), Vec::<&simulator::Finding>::new());
    assert!(report.findings.iter().all(|finding| finding.severity == Severity::Note));
    assert_eq!(report.findings[0].code, "W0306");
}

#[test]
fn severities_follow_what_can_go_wrong() {
    for (kernel, block, severity) in
        [("warp_without_syncwarp", 32, Severity::Warning), ("colliding_stores", 32, Severity::Error)]
    {
        let report = PROGRAMS.run(kernel, 1, [block, 1], &[Zeros(128)], CHECKS);
        assert_eq!(report.findings[0].severity, severity, "{kernel}");
    }
}

#[test]
fn both_parties_are_named() {
    let report = PROGRAMS.run("halo_without_barrier", 1, [128, 1], &[Count(128), Zeros(512)], CHECKS);
    let finding = report.findings.iter().find(|finding| finding.code == "W0301").unwrap();
    assert_eq!(
        finding.message.split(": ").next().unwrap(),
        "writes `row[33]`, which thread 31 reads too",
        "{finding:?}"
    );
    assert_eq!(finding.labels[0].text, "thread 31 reads `row[33]` here");
    let thread = finding.thread.as_ref().unwrap();
    assert_eq!((thread.kernel.as_str(), thread.thread), ("halo_without_barrier", [32, 0, 0]));
    assert_eq!(finding.labels[0].location.line, PROGRAMS.line_in("halo_without_barrier", "out["));
}

#[test]
fn accesses_of_two_sizes_are_told_in_bytes() {
    let report = PROGRAMS.run("bytes_of_a_word", 1, [64, 1], &[Zeros(64)], CHECKS);
    let finding = report.findings.iter().find(|finding| finding.code == "W0304").unwrap();
    let told = format!("{}; {}", finding.message, finding.labels[0].text);
    assert!(told.contains(" of `") && told.contains("byte") && !told.contains('['), "{told}");
}

#[test]
fn lanes_run_in_step_before_volta() {
    let ptx = PROGRAMS.ptx.replace(".target sm_90", ".target sm_60").leak();
    let programs = Programs { ptx, ..PROGRAMS };
    let report = programs.run("warp_without_syncwarp", 1, [32, 1], &[Zeros(128)], CHECKS);
    assert_eq!(report.findings, []);
}

#[test]
fn nothing_is_looked_for_unless_asked() {
    let report = PROGRAMS.run("colliding_stores", 1, [32, 1], &[Zeros(128)], Checks::COUNT);
    assert_eq!(report.findings, []);
}

#[test]
fn repeated_runs_and_workers_agree() {
    let run = |workers: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build().unwrap();
        pool.install(|| PROGRAMS.run("blocks_overlap", 100, [32, 1], &[Zeros(16384)], Checks::ALL).findings)
    };
    let alone = run(1);
    assert!(!alone.is_empty());
    assert_eq!(alone, run(1));
    assert_eq!(alone, run(8));
}

/// An atomic does not hide the plain store that it covers: every later one races with that too.
#[test]
fn a_store_covered_by_atomics() {
    const PTX: &str = r"
.version 8.0
.target sm_90
.address_size 64
.visible .entry k() {
    .reg .pred %p<3>; .reg .b32 %r<6>; .shared .align 4 .b8 words[256];
    mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31; shr.u32 %r3, %r1, 5;
    mov.u32 %r4, words; mad.lo.u32 %r4, %r2, 4, %r4;
    setp.eq.u32 %p1, %r3, 1; @%p1 bra second; setp.eq.u32 %p2, %r3, 2; @%p2 bra third;
    st.shared.u32 [%r4], 0; ret;
second: red.shared.add.u32 [%r4], 1; ret;
third: red.shared.add.u32 [%r4], 2; ret;
}
";
    let module = std::sync::Arc::new(simulator::Module::from_ptx(PTX).unwrap());
    let mut device = simulator::Device::new(module, simulator::Limits::default());
    let (grid, block) = ([1, 1, 1], [96, 1, 1]);
    let launch = simulator::Launch {
        kernel: "k",
        grid,
        block,
        dynamic_shared: 0,
        cooperative: false,
        arguments: &[],
        checks: CHECKS,
        order: simulator::Order::Forward,
    };
    let findings = device.launch(&launch).unwrap().findings;
    let counts: Vec<_> = findings.iter().map(|finding| (finding.code, finding.count)).collect();
    assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), 64, "{counts:?}");
}

#[test]
fn other_warps_are_named_only_in_a_block_that_has_them() {
    for (threads, are_named) in [(32, false), (64, true)] {
        let report = PROGRAMS.run("warp_without_syncwarp", 1, [threads, 1], &[Zeros(256)], CHECKS);
        let finding = report.findings.iter().find(|finding| finding.code == "W0304").unwrap();
        assert_eq!(finding.hint.contains("other warps"), are_named, "{}", finding.hint);
    }
}
