//! What the initialisation observer finds, and what it must be silent about. The kernels are in
//! `programs/initialisation.cu`.

use crate::watch::Argument::{Bytes, Count, Fresh, Holes, Int, Zeros};
use crate::watch::{Argument, Programs, shown};
use pretty_assertions::assert_eq;
use simulator::{Checks, Kind, Severity};

const PROGRAMS: Programs = Programs {
    ptx: include_str!("programs/initialisation.ptx"),
    source: include_str!("programs/initialisation.cu"),
};

const CHECKS: Checks = Checks { initialisation: true, ..Checks::NONE };

/// Of a `Padded`, the bytes that are no padding.
const PADDED: &[usize] = &[0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
/// Of four bytes, the first three.
const THREE: &[usize] = &[0, 1, 2];
/// Of four floats, the first three.
const TWELVE: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

fn bytes(count: usize) -> Argument {
    Bytes((0..count).map(|i| (i * 7 % 251) as u8).collect())
}

/// The only finding of the kernel has this code, at the line of this text, and says this of the source.
fn found(kernel: &str, arguments: &[Argument], code: &str, text: &str, source: &str) {
    let threads =
        if source.contains("tile") || source.contains("row") || source.contains("bins") { 64 } else { 32 };
    let report = PROGRAMS.run(kernel, 1, [threads, 1], arguments, CHECKS);
    let line = PROGRAMS.line_in(kernel, text);
    let finding = report
        .findings
        .iter()
        .find(|finding| finding.code == code)
        .unwrap_or_else(|| panic!("{kernel}: no {code} in {:?}", shown(&report.findings)));
    assert_eq!(finding.location.as_ref().map(|location| location.line), Some(line), "{finding:?}");
    assert!(finding.message.contains(source), "{kernel}: {}", finding.message);
    assert_eq!((finding.kind, finding.severity), (Kind::Initialisation, Severity::Error));
    assert!(finding.count > 0 && !finding.hint.is_empty() && finding.thread.is_some());
    assert_eq!(report.findings.len(), 1, "{kernel}: {:?}", shown(&report.findings));
}

macro_rules! finds {
    ($($kernel:ident($($argument:expr),*) $code:literal $text:literal $source:literal;)*) => {$(
        #[test]
        fn $kernel() {
            found(stringify!($kernel), &[$($argument),*], $code, $text, $source);
        }
    )*};
}

finds! {
    scratch_is_read(Fresh(128), Zeros(128)) "W0204" "out[threadIdx.x] =" "`argument 0[0]` (global memory)";
    scratch_is_added_to(Fresh(128), Zeros(128)) "W0204" "+= 1.0f" "`argument 0[0]`";
    branch_on_scratch(Fresh(128), Zeros(256)) "W0201" "if (scratch" "`argument 0[0]`";
    index_from_scratch(Fresh(128), Count(32), Zeros(128)) "W0202" "in[scratch" "`argument 0[0]`";
    counters_not_zeroed(Fresh(16)) "W0203" "atomicAdd" "`argument 0[0]`";
    shared_bins_not_zeroed(Bytes((0..64).collect()), Zeros(256)) "W0203" "atomicAdd" "`bins[";
    operand_of_an_atomic(Fresh(128), Zeros(4)) "W0203" "atomicAdd" "`argument 0[0]`";
    half_a_tile(Count(64), Zeros(256)) "W0204" "out[" "`tile[32]` (shared memory)";
    halo_forgotten(Count(64), Zeros(256)) "W0204" "out[" "`row[";
    dynamic_shared(Zeros(128)) "W0204" "out[" "`values[0]` (shared memory)";
    local_array(Zeros(128), Int(3)) "W0204" "out[" "local variable";
    through_a_shuffle(Fresh(128), Zeros(128)) "W0204" "out[" "`argument 0[";
    through_a_vote(Fresh(128), Zeros(128)) "W0204" "out[" "`argument 0[0]`";
    through_shared(Fresh(128), Zeros(128)) "W0204" "* 3" "`argument 0[31]`";
    lane_from_scratch(Fresh(128), Zeros(128)) "W0205" "__shfl_sync" "`argument 0[0]`";
    last_byte_is_used(Holes(32, 4, THREE), Zeros(32)) "W0204" "out[" "`argument 0[";
    sum_of_bytes(Fresh(32), Zeros(128)) "W0204" "out[" "`argument 0[0]`";
    one_of_many(Holes(32, 4, THREE), Zeros(128), Int(32)) "W0204" "out[" "`argument 0[3]`";
    exchanged(Fresh(128), Zeros(128)) "W0204" "atomicExch" "`argument 0[0]`";
    endless_perhaps(Fresh(128), Zeros(128)) "W0201" "for (" "`argument 0[0]`";
}

/// The kernel leads to no finding at all.
fn silent(kernel: &str, threads: u32, arguments: &[Argument]) {
    let report = PROGRAMS.run(kernel, 1, [threads, 1], arguments, CHECKS);
    assert_eq!(report.findings, [], "{kernel}");
    assert!(!report.stopped);
}

macro_rules! is_silent {
    ($($kernel:ident($($argument:expr),*);)*) => {$(
        #[test]
        fn $kernel() {
            silent(stringify!($kernel), 32, &[$($argument),*]);
        }
    )*};
}

is_silent! {
    writes_scratch_first(Fresh(128), Fresh(128));
    module_variable(Fresh(128));
    copies_a_padded_struct(Holes(32, 24, PADDED), Fresh(768));
    sorts_padded_structs(Holes(32, 24, PADDED), Fresh(768));
    unused_lane(Holes(32, 4, THREE), Fresh(32));
    unused_lane_of_floats(Holes(32, 16, TWELVE), Fresh(128));
    packed_pixel(Holes(32, 4, THREE), Fresh(128));
    dot_of_three(Holes(32, 4, THREE), Fresh(128));
    makes_a_pixel(bytes(96), Fresh(128));
    moves_through_shared(Holes(32, 4, THREE), Fresh(32));
    shared_written_in_part(Count(32), Fresh(128), Int(20));
    reads_but_does_not_use(Fresh(128), Fresh(128), Int(0));
    shuffles_past_the_end(Count(32), Fresh(128), Int(20));
    structs_through_calls(Fresh(128));
    local_array_filled(Fresh(128), Int(3));
    zeroed_counters(Zeros(16));
    a_lock_word(Fresh(128), Fresh(128));
    last_of_a_loop(Count(32), Fresh(128), Int(8));
    masked_out(Fresh(128), Count(32), Fresh(128));
    reads_constants_of_printf(Fresh(128));
}

#[test]
fn the_load_is_named_beside_the_use() {
    let report = PROGRAMS.run("through_shared", 1, [32, 1], &[Fresh(128), Zeros(128)], CHECKS);
    let [finding] = &report.findings[..] else { panic!("{:?}", report.findings) };
    let line = PROGRAMS.line_in("through_shared", "= scratch[");
    assert_eq!(
        shown(&report.findings),
        [format!("W0204 {} {line}", PROGRAMS.line_in("through_shared", "* 3"))]
    );
    // The first thread uses what the last one has read.
    assert_eq!(finding.labels[0].text, "`argument 0[31]` is read here, and nothing has written it");
    assert_eq!(finding.count, 32);
}

#[test]
fn what_one_launch_wrote_the_next_may_read() {
    use simulator::{Device, Launch, Limits, Module};
    let module = std::sync::Arc::new(Module::from_ptx(PROGRAMS.ptx).unwrap());
    let mut device = Device::new(module, Limits::default());
    let scratch = device.alloc(256, "scratch").unwrap();
    let out = device.alloc(128, "out").unwrap();
    let mut launch = |kernel: &str, from: u64| {
        let arguments = [from.to_le_bytes().to_vec(), out.to_le_bytes().to_vec()];
        let launch = Launch {
            kernel,
            grid: [1; 3],
            block: [32, 1, 1],
            dynamic_shared: 0,
            cooperative: false,
            arguments: &arguments,
            checks: CHECKS,
            order: simulator::Order::Forward,
        };
        shown(&device.launch(&launch).unwrap().findings).len()
    };
    assert_eq!(launch("writes_scratch_first", scratch), 0);
    assert_eq!(launch("scratch_is_read", scratch), 0, "the first launch has written it");
    assert_eq!(launch("scratch_is_read", scratch + 128), 1, "but not its second half");
    device.copy(scratch, scratch + 128, 128).unwrap();
    let arguments = [scratch.to_le_bytes().to_vec(), out.to_le_bytes().to_vec()];
    let launch = Launch {
        kernel: "scratch_is_read",
        grid: [1; 3],
        block: [32, 1, 1],
        dynamic_shared: 0,
        cooperative: false,
        arguments: &arguments,
        checks: CHECKS,
        order: simulator::Order::Forward,
    };
    assert_eq!(device.launch(&launch).unwrap().findings.len(), 1, "a copy of undefined bytes is undefined");
    device.fill(scratch, 0, 128).unwrap();
    assert_eq!(device.launch(&launch).unwrap().findings, []);
}

/// Two registers that hold undefined values, then code; undefined `%r1` and `%p1` of lane 0 decide what is stored.
macro_rules! after_undefined {
    ($code:literal) => {
        concat!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 k_0)\n{\n",
            ".reg .pred %p<3>;\n.reg .b32 %r<4>;\n.reg .b64 %rd<3>;\n.shared .align 4 .b8 tile[4];\n",
            "ld.param.u64 %rd1, [k_0];\ncvta.to.global.u64 %rd2, %rd1;\nld.shared.u32 %r1, [tile];\n",
            "mov.u32 %r2, %r1;\nsetp.ne.u32 %p1, %r1, 0;\n",
            $code,
            "\n@%p1 st.global.u32 [%rd2], %r1;\nret;\n}\n"
        )
    };
}

fn codes(ptx: &'static str) -> Vec<&'static str> {
    let report = Programs { ptx, source: "" }.run("k", 1, [32, 1], &[Zeros(4)], CHECKS);
    report.findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn electing_a_leader_defines_both_results() {
    assert_eq!(codes(after_undefined!("")), ["W0201"]);
    assert_eq!(codes(after_undefined!("elect.sync %r1|%p1, 0xffffffff;")), Vec::<&str>::new());
}

#[test]
fn a_leader_is_elected_among_defined_members() {
    let undefined_but_all =
        after_undefined!("sub.s32 %r2, %r1, %r1;\nsub.s32 %r2, %r2, 1;\nelect.sync %r1|%p1, %r2;");
    assert_eq!(codes(undefined_but_all), ["W0205"]);
}
