//! The analyses say the same on any number of worker threads: in parallel where blocks are independent and
//! nothing is found, in order otherwise.

use std::sync::Arc;

use crate::watch::Argument::{Bytes, Count, Fresh, Int, Zeros};
use crate::watch::{Argument, Programs};
use pretty_assertions::assert_eq;
use simulator::{Checks, Device, Launch, LaunchReport, Limits, Module};

const RACES: Programs =
    Programs { ptx: include_str!("programs/races.ptx"), source: include_str!("programs/races.cu") };
const INITIALISATION: Programs = Programs {
    ptx: include_str!("programs/initialisation.ptx"),
    source: include_str!("programs/initialisation.cu"),
};
const BASICS: Programs =
    Programs { ptx: include_str!("programs/basics.ptx"), source: include_str!("programs/basics.cu") };

/// Kernels of independent blocks: each thread has a word of each buffer.
const PTX: &str = r"
.version 8.0
.target sm_90
.address_size 64
.visible .entry race(.param .u64 in, .param .u64 out) {
    .reg .b32 %r<6>; .reg .b64 %rd<4>; .shared .align 4 .b8 tile[256];
    mov.u32 %r1, %tid.x; mov.u32 %r5, %ctaid.x; mad.lo.u32 %r2, %r5, 64, %r1;
    mov.u32 %r3, tile; mad.lo.u32 %r4, %r1, 4, %r3; st.shared.u32 [%r4], %r2;
    and.b32 %r4, %r1, 31; mad.lo.u32 %r4, %r4, 4, %r3; ld.shared.u32 %r4, [%r4];
    ld.param.u64 %rd1, [out]; mad.wide.u32 %rd2, %r2, 4, %rd1; st.global.u32 [%rd2], %r4; ret;
}
.visible .entry undefined(.param .u64 in, .param .u64 out) {
    .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<4>; .shared .align 4 .b8 tile[256];
    mov.u32 %r1, %tid.x; mov.u32 %r5, %ctaid.x; mad.lo.u32 %r2, %r5, 64, %r1;
    mov.u32 %r3, tile; mad.lo.u32 %r4, %r1, 4, %r3; ld.shared.u32 %r4, [%r4];
    setp.eq.u32 %p1, %r4, 0; @%p1 bra end;
    ld.param.u64 %rd1, [out]; mad.wide.u32 %rd2, %r2, 4, %rd1; st.global.u32 [%rd2], %r2;
end: ret;
}
.visible .entry copy(.param .u64 in, .param .u64 out) {
    .reg .b32 %r<6>; .reg .b64 %rd<6>;
    mov.u32 %r1, %tid.x; mov.u32 %r5, %ctaid.x; mad.lo.u32 %r2, %r5, 64, %r1;
    ld.param.u64 %rd1, [in]; mad.wide.u32 %rd2, %r2, 4, %rd1; ld.global.u32 %r4, [%rd2];
    ld.param.u64 %rd3, [out]; mad.wide.u32 %rd4, %r2, 4, %rd3; st.global.u32 [%rd4], %r4; ret;
}
.visible .entry top_bytes(.param .u64 in, .param .u64 out) {
    .reg .b32 %r<6>; .reg .b64 %rd<6>;
    mov.u32 %r1, %tid.x; mov.u32 %r5, %ctaid.x; mad.lo.u32 %r2, %r5, 64, %r1;
    ld.param.u64 %rd1, [in]; mad.wide.u32 %rd2, %r2, 4, %rd1; ld.global.u32 %r4, [%rd2];
    shr.u32 %r4, %r4, 24;
    ld.param.u64 %rd3, [out]; mad.wide.u32 %rd4, %r2, 4, %rd3; st.global.u32 [%rd4], %r4; ret;
}
// Only the first and the last block do something.
.visible .entry far(.param .u64 in, .param .u64 out) {
    .reg .pred %p<3>; .reg .b32 %r<6>; .reg .b64 %rd<6>;
    mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %nctaid.x; sub.u32 %r3, %r3, 1;
    ld.param.u64 %rd1, [in]; mad.wide.u32 %rd1, %r1, 4, %rd1;
    ld.param.u64 %rd3, [out]; mad.wide.u32 %rd3, %r1, 4, %rd3;
    setp.eq.u32 %p1, %r2, 0; @%p1 bra first; setp.eq.u32 %p2, %r2, %r3; @%p2 bra last; ret;
first: st.global.u32 [%rd1], %r1; ret;
last: ld.global.u32 %r4, [%rd1]; st.global.u32 [%rd3], %r4; ret;
}
";

fn with_workers<T: Send>(workers: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(workers).build().unwrap().install(run)
}

/// Everything a launch of 200 blocks reports, in words.
fn report(
    workers: usize,
    programs: &Programs,
    kernel: &str,
    block: [u32; 2],
    arguments: &[Argument],
) -> LaunchReport {
    with_workers(workers, || programs.run(kernel, 200, block, arguments, Checks::ALL))
}

fn noise(count: usize) -> Argument {
    Bytes((0..count).map(|i| (i * 7 % 13) as u8).collect())
}

/// The findings of one worker have these codes, and those of others are the same to the letter.
fn agree(programs: &Programs, kernel: &str, block: [u32; 2], arguments: &[Argument], codes: &[&str]) {
    let alone = report(1, programs, kernel, block, arguments);
    let found: Vec<&str> = alone.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(found, codes, "{kernel}");
    for workers in [2, 3, 8] {
        let together = report(workers, programs, kernel, block, arguments);
        assert_eq!(format!("{together:#?}"), format!("{alone:#?}"), "{kernel} with {workers} workers");
    }
}

#[test]
fn races_within_and_between_blocks() {
    let sums = [Count(200), Zeros(4)];
    agree(&RACES, "blocks_share_a_sum", [32, 1], &sums, &["W0303"]);
    agree(&RACES, "blocks_overlap", [32, 1], &[Zeros(4 * 200 * 32)], &["W0303"]);
    agree(&RACES, "store_beside_atomic", [64, 1], &[Zeros(4)], &["W0306", "W0307"]);
    agree(&RACES, "colliding_stores", [32, 1], &[Zeros(128)], &["W0303", "W0305", "W0306"]);
    // In shared memory only: the bins are added to the result by atomics.
    agree(&RACES, "zeroing_without_barrier", [256, 1], &[noise(256 * 200), Zeros(1024)], &["W0306", "W0307"]);
}

#[test]
fn orders_between_blocks() {
    agree(&RACES, "right_lock", [32, 1], &[Zeros(4), Zeros(4)], &[]);
    agree(&RACES, "right_last_block", [64, 1], &[Zeros(4 * 200), Zeros(4 * 200)], &[]);
    agree(&RACES, "chained_blocks", [32, 1], &[Zeros(4)], &[]);
}

#[test]
fn independent_blocks() {
    agree(&RACES, "right_histogram", [256, 1], &[noise(256 * 200), Zeros(1024)], &[]);
    agree(&RACES, "atomics_of_many_kinds", [64, 1], &[Zeros(8)], &[]);
    let pixels = 200 * 256;
    let gray = [noise(3 * pixels), Fresh(pixels), Int(pixels as i32)];
    agree(&BASICS, "gray", [256, 1], &gray, &[]);
    agree(&INITIALISATION, "zeroed_counters", [64, 1], &[Zeros(16)], &[]);
}

#[test]
fn undefined_values_within_and_between_blocks() {
    agree(&INITIALISATION, "counters_not_zeroed", [64, 1], &[Fresh(16)], &["W0203"]);
    let bins = [noise(64 * 200), Zeros(256)];
    agree(&INITIALISATION, "shared_bins_not_zeroed", [64, 1], &bins, &["W0203", "W0306"]);
}

/// Blocks of a launch: enough that no worker gets them all before the others have started.
const BLOCKS: usize = 2000;

/// Launches of so many blocks on one device.
struct Session(Device);

impl Session {
    fn new(ptx: &str) -> Self {
        Self(Device::new(Arc::new(Module::from_ptx(ptx).expect("valid PTX")), Limits::default()))
    }

    fn launch(&mut self, kernel: &str, threads: u32, arguments: &[Vec<u8>]) -> LaunchReport {
        let launch = Launch {
            kernel,
            grid: [BLOCKS as u32, 1, 1],
            block: [threads, 1, 1],
            dynamic_shared: 0,
            cooperative: false,
            arguments,
            checks: Checks::ALL,
            order: simulator::Order::Forward,
        };
        self.0.launch(&launch).unwrap()
    }
}

/// The same on any number of workers; what it is.
fn same_with_any<T: Send + std::fmt::Debug>(outcome: impl Fn() -> T + Sync) -> T {
    let alone = with_workers(1, &outcome);
    for workers in [2, 5] {
        let together = with_workers(workers, &outcome);
        assert_eq!(format!("{together:#?}"), format!("{alone:#?}"), "{workers} workers");
    }
    alone
}

/// Nothing but what they find keeps these blocks from running in parallel.
#[test]
fn findings_of_independent_blocks() {
    for (kernel, code, count) in [("race", "W0301", BLOCKS), ("undefined", "W0201", BLOCKS * 64)] {
        let report = same_with_any(|| {
            let mut session = Session::new(PTX);
            let out = session.0.alloc(4 * 64 * BLOCKS as u64, "out").unwrap().to_le_bytes().to_vec();
            session.launch(kernel, 64, &[out.clone(), out])
        });
        let finding = report.findings.iter().find(|finding| finding.code == code).unwrap();
        assert!(finding.count >= count as u64, "{finding:?}");
    }
}

/// The last block reads what the first has stored, and most likely another worker runs it.
#[test]
fn blocks_far_apart() {
    for _ in 0..5 {
        let (report, words) = same_with_any(|| {
            let mut session = Session::new(PTX);
            let buffers = [(); 2].map(|()| session.0.alloc(4 * 64, "words").unwrap());
            session.0.write(buffers[0], &[0; 4 * 64]).unwrap();
            let report = session.launch("far", 64, &buffers.map(|buffer| buffer.to_le_bytes().to_vec()));
            let mut words = vec![0; 4 * 64];
            session.0.read(buffers[1], &mut words).unwrap();
            (report, words)
        });
        assert_eq!(report.findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), ["W0303"]);
        assert_eq!(words[4 * 63..], [63, 0, 0, 0]);
    }
}

/// Words whose last byte is undefined are moved, which is no fault, over words that are defined; only a later
/// launch uses that byte.
#[test]
fn undefined_bytes_that_several_workers_move() {
    let reports = same_with_any(|| {
        let mut session = Session::new(PTX);
        let buffers = [(); 3].map(|()| session.0.alloc(4 * 64 * BLOCKS as u64, "words").unwrap());
        for word in 0..64 * BLOCKS as u64 {
            session.0.write(buffers[0] + 4 * word, &[1, 2, 3]).unwrap();
        }
        session.0.write(buffers[1], &vec![0; BLOCKS * 64 * 4]).unwrap();
        let [from, over, to] = buffers.map(|buffer| buffer.to_le_bytes().to_vec());
        [session.launch("copy", 64, &[from, over.clone()]), session.launch("top_bytes", 64, &[over, to])]
    });
    assert_eq!(reports[0].findings, []);
    assert_eq!((reports[1].findings[0].code, reports[1].findings[0].count), ("W0204", 64 * BLOCKS as u64));
}

/// A first launch writes some of a buffer, a second reads all of it.
#[test]
fn bytes_that_several_workers_define() {
    let count = BLOCKS * 256;
    for written in [count as u32, count as u32 - 100] {
        let reports = same_with_any(|| {
            let mut session = Session::new(BASICS.ptx);
            let buffers = [3 * count, count, count].map(|n| session.0.alloc(n as u64, "pixels").unwrap());
            session.0.write(buffers[0], &vec![9; 3 * count]).unwrap();
            let [from, over, to] = buffers.map(|buffer| buffer.to_le_bytes().to_vec());
            let size = |n: u32| n.to_le_bytes().to_vec();
            [
                session.launch("gray", 256, &[from, over.clone(), size(written)]),
                session.launch("gray", 256, &[over, to, size(count as u32 / 3)]),
            ]
        });
        assert_eq!(reports[0].findings, []);
        assert_eq!(reports[1].findings.is_empty(), written == count as u32, "{:?}", reports[1].findings);
    }
}

/// Groups of blocks at once count and leave what they do one after another; where one reads what another has written, nothing happens.
#[test]
fn groups_of_blocks_at_once() {
    let groups = [vec![0, 7, 500], vec![3, 1999], vec![8]];
    let run = |kernel: &str, most: Option<u64>| {
        with_workers(3, || {
            let mut session = Session::new(PTX);
            let buffers = [1, 2].map(|value| {
                let words = session.0.alloc(4 * 64 * BLOCKS as u64, "words").unwrap();
                session.0.write(words, &vec![value; 4 * 64 * BLOCKS]).unwrap();
                words
            });
            let arguments = buffers.map(|buffer| buffer.to_le_bytes().to_vec());
            let launch = Launch {
                kernel,
                grid: [BLOCKS as u32, 1, 1],
                block: [64, 1, 1],
                arguments: &arguments,
                checks: Checks::COUNT,
                ..Launch::default()
            };
            let before = session.0.digest();
            let reports: Option<Vec<LaunchReport>> = match most {
                Some(most) => session.0.launch_groups(&launch, &groups, most).unwrap(),
                None => Some(
                    groups.iter().map(|group| session.0.launch_blocks(&launch, group).unwrap()).collect(),
                ),
            };
            (reports.map(|reports| format!("{reports:#?}")), session.0.digest() != before, session.0.digest())
        })
    };
    let (in_turn, changed, _) = run("copy", None);
    assert!(changed && in_turn.is_some_and(|reports| reports.contains("global_load_sectors: 24")));
    assert_eq!(run("copy", Some(u64::MAX)), run("copy", None));
    for (kernel, most) in [("far", u64::MAX), ("copy", 10)] {
        let (reports, changed, _) = run(kernel, Some(most));
        assert_eq!((reports, changed), (None, false), "{kernel}");
    }
}
