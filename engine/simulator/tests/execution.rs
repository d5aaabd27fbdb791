//! Compiled kernels on the simulator: what they compute, what is found, and that neither depends on the
//! number of worker threads. The kernels are in `programs/basics.cu`.

use std::sync::Arc;

use pretty_assertions::assert_eq;
use simulator::{Checks, Device, Finding, Kind, Launch, LaunchReport, Limits, Module};

const PTX: &str = include_str!("programs/basics.ptx");
const SOURCE: &str = include_str!("programs/basics.cu");

/// An argument of a kernel.
enum Argument<'a> {
    Int(i32),
    Null,
    In(&'a [u8]),
    /// Filled with this byte.
    Out(usize, u8),
}
use Argument::{In, Int, Null, Out};

/// Runs a kernel; its report and the buffers, in order.
fn run(
    kernel: &str,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    arguments: &[Argument],
) -> (LaunchReport, Vec<Vec<u8>>) {
    let limits = Limits { block_instructions: 2_000_000, ..Limits::default() };
    let mut device = Device::new(Arc::new(Module::from_ptx(PTX).expect("the PTX is valid")), limits);
    let mut buffers = Vec::new();
    let mut bytes = Vec::new();
    for (number, argument) in arguments.iter().enumerate() {
        let (size, contents) = match argument {
            Int(value) => {
                bytes.push(value.to_le_bytes().to_vec());
                continue;
            }
            Null => {
                bytes.push(vec![0; 8]);
                continue;
            }
            In(contents) => (contents.len(), contents.to_vec()),
            Out(size, fill) => (*size, vec![*fill; *size]),
        };
        let address = device.alloc(size as u64, &format!("argument {number}")).unwrap();
        device.write(address, &contents).unwrap();
        bytes.push(address.to_le_bytes().to_vec());
        buffers.push((address, size));
    }
    let launch = Launch {
        kernel,
        grid,
        block,
        dynamic_shared: shared,
        cooperative: false,
        arguments: &bytes,
        checks: Checks::COUNT,
        order: simulator::Order::Forward,
    };
    let report = device.launch(&launch).unwrap();
    let read = |&(address, size): &(u64, usize)| {
        let mut out = vec![0; size];
        device.read(address, &mut out).unwrap();
        out
    };
    (report, buffers.iter().map(read).collect())
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Bytes without a pattern, the same on every run.
fn noise(count: usize) -> Vec<u8> {
    (0..count as u64).map(|i| ((i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u8).collect()
}

fn clean(report: &LaunchReport) {
    assert_eq!(report.findings, []);
    assert!(!report.stopped);
}

#[test]
fn gray_is_exact() {
    for n in [1usize, 31, 256, 1000, 100_003] {
        let rgb = noise(3 * n);
        let blocks = n.div_ceil(256) as u32;
        let (report, buffers) =
            run("gray", [blocks, 1, 1], [256, 1, 1], 0, &[In(&rgb), Out(n, 0xaa), Int(n as i32)]);
        clean(&report);
        let expected: Vec<u8> = rgb
            .chunks_exact(3)
            .map(|p| {
                // As the compiler contracts it: two fused multiply-adds.
                let [r, g, b] = [0, 1, 2].map(|i| f32::from(p[i]));
                (0.11f32.mul_add(b, 0.3f32.mul_add(r, 0.59 * g)) + 0.5) as u8
            })
            .collect();
        assert_eq!(buffers[1], expected, "{n} pixels");
    }
}

#[test]
fn unique_bytes_are_counted_by_line_and_launch() {
    let n = 1000;
    let rgb = noise(3 * n);
    let (report, _) = run("gray", [4, 1, 1], [256, 1, 1], 0, &[In(&rgb), Out(n, 0), Int(n as i32)]);
    clean(&report);
    // 3000 bytes lie in 94 sectors of 32, 1000 in 32.
    assert_eq!(report.counters.unique_bytes(), (32 * 94, 32 * 32));
    let of = |text: &str| {
        let line = line_of(text);
        let found = report.lines.iter().find(|counted| counted.location.line == line);
        found.unwrap_or_else(|| panic!("line {line} was not counted")).counters.unique_bytes()
    };
    // Red and green are read in one line, blue in the next: each touches every sector.
    assert_eq!(of("weights[0] * rgb"), (32 * 94, 32 * 32));
    assert_eq!(of("weights[2] * rgb"), (32 * 94, 0));
}

#[test]
fn threads_that_do_not_take_a_branch_are_active_in_its_line() {
    let rgb = noise(3000);
    let (report, _) = run("gray", [4, 1, 1], [256, 1, 1], 0, &[In(&rgb), Out(1000, 0), Int(1000)]);
    let lanes = |text: &str| {
        let line = line_of(text);
        report.lines.iter().find(|counted| counted.location.line == line).unwrap().counters.active_lanes()
    };
    assert!((lanes("if (i < n) {") - 32.0).abs() < 1e-9, "{}", lanes("if (i < n) {"));
    // 31 warps are full, the last one has 8 pixels.
    assert!(lanes("weights[2] * rgb") < 32.0);
}

#[test]
fn histograms_count_everything() {
    let n = 100_000;
    let gray = noise(n);
    let arguments = [In(&gray), Out(1024, 0), Int(n as i32)];
    let (report, buffers) = run("histogram", [37, 1, 1], [192, 1, 1], 0, &arguments);
    clean(&report);
    let mut expected = vec![0; 256];
    for &level in &gray {
        expected[usize::from(level)] += 1;
    }
    assert_eq!(words(&buffers[1]), expected);
    assert_eq!(report.counters.global_atomics, 37 * 256);
    // This noise is spread so evenly that no two lanes of a warp meet; in a flat image all do.
    assert!((report.counters.atomic_multiplicity() - 1.0).abs() < 1e-9);
    let flat = vec![9; 640];
    let (report, _) = run("histogram", [1, 1, 1], [64, 1, 1], 0, &[In(&flat), Out(1024, 0), Int(640)]);
    // 20 requests of 32 lanes at one address, then 8 that add 256 bins.
    assert!((report.counters.atomic_multiplicity() - f64::from(20 * 32 + 8) / 28.0).abs() < 1e-9);
}

#[test]
fn box_filter_minds_the_border() {
    let (width, height) = (67, 45);
    let gray = noise(width * height);
    let grid = [width.div_ceil(32) as u32, height.div_ceil(8) as u32, 1];
    let arguments = [In(&gray), Out(width * height, 0), Int(width as i32), Int(height as i32)];
    let (report, buffers) = run("box", grid, [32, 8, 1], 0, &arguments);
    clean(&report);
    for y in 0..height {
        for x in 0..width {
            let (mut sum, mut count) = (0, 0);
            for yy in y.saturating_sub(2)..(y + 3).min(height) {
                for xx in x.saturating_sub(2)..(x + 3).min(width) {
                    sum += u32::from(gray[yy * width + xx]);
                    count += 1;
                }
            }
            assert_eq!(u32::from(buffers[1][y * width + x]), (sum + count / 2) / count, "{x}, {y}");
        }
    }
}

#[test]
fn sums_agree_through_shuffles_and_shared_memory() {
    let values: Vec<u32> = (0..5000).map(|i: u32| i.wrapping_mul(2_654_435_761)).collect();
    let arguments = [In(&bytes(&values)), Out(8, 0), Int(values.len() as i32)];
    let (report, buffers) = run("sum", [5, 1, 1], [256, 1, 1], 1024, &arguments);
    clean(&report);
    let total = values.iter().fold(0u32, |sum, &value| sum.wrapping_add(value));
    assert_eq!(words(&buffers[1]), [total, total]);
}

#[test]
fn calls_local_arrays_and_printf() {
    let (report, buffers) = run("calls", [1, 1, 1], [32, 1, 1], 0, &[Out(128, 0), Int(5)]);
    clean(&report);
    let expected: Vec<u32> = (0..32)
        .map(|t| (0..5).map(|k| (t + k) & 7).map(|k| t * k / (k + 1) + 7).sum::<i32>() as u32)
        .collect();
    assert_eq!(words(&buffers[0]), expected);
    assert_eq!(String::from_utf8(report.printed).unwrap(), "thread 3 of calls:  1.50 0xff|9   |\n");
}

#[test]
fn divergent_loops_end_where_they_should() {
    let start: Vec<u32> = (1..=200).collect();
    let arguments = [In(&bytes(&start)), Out(800, 0), Int(200)];
    let (report, buffers) = run("collatz", [2, 1, 1], [128, 1, 1], 0, &arguments);
    clean(&report);
    let steps = |mut value: u32| {
        let mut count = 0;
        while value != 1 && count < 500 {
            value = if value.is_multiple_of(2) { value / 2 } else { 3 * value + 1 };
            count += 1;
        }
        count
    };
    assert_eq!(words(&buffers[1]), start.into_iter().map(steps).collect::<Vec<u32>>());
}

#[test]
fn a_lock_within_a_warp_is_not_a_deadlock() {
    let (report, buffers) = run("locked", [3, 1, 1], [64, 1, 1], 0, &[Out(4, 0), Out(4, 0)]);
    clean(&report);
    assert_eq!(words(&buffers[1]), [192]);
}

#[test]
fn the_last_block_sees_all_others() {
    let (report, buffers) = run("last_block", [100, 1, 1], [64, 1, 1], 0, &[Out(400, 0), Out(4, 0)]);
    clean(&report);
    assert_eq!(words(&buffers[1]), [5050]);
}

#[test]
fn lanes_see_each_other() {
    let value: Vec<u32> = words(&noise(128));
    let (report, buffers) = run("lanes", [1, 1, 1], [32, 1, 1], 0, &[In(&bytes(&value)), Out(1024, 0)]);
    clean(&report);
    let out = words(&buffers[1]);
    let mask = |keep: &dyn Fn(u32) -> bool| {
        (0..32).filter(|&lane| keep(value[lane])).fold(0u32, |mask, lane| mask | 1 << lane)
    };
    for lane in 0..32usize {
        let v = value[lane];
        let l = lane as u32;
        assert_eq!(out[lane], mask(&|w| w & 1 == 1));
        assert_eq!(out[32 + lane], mask(&|w| w % 5 == v % 5));
        assert_eq!(out[64 + lane], value.iter().fold(0u32, |sum, &w| sum.wrapping_add(w)));
        assert_eq!(out[96 + lane], l << 5 | v >> 27);
        let [v0, v1, _, _] = v.to_le_bytes();
        let [l0, l1, _, _] = l.to_le_bytes();
        assert_eq!(out[128 + lane].to_le_bytes(), [v0, l0, v1, l1]);
        let dot: i32 = v.to_le_bytes().iter().zip([4, 3, 2, 1]).map(|(&b, w)| i32::from(b) * w).sum();
        assert_eq!(out[160 + lane], (dot as u32).wrapping_add(l));
        let first = if v == 0 { 0 } else { v.trailing_zeros() + 1 };
        let expected = (v.count_ones() + v.leading_zeros() + first).wrapping_add(v.reverse_bits());
        assert_eq!(out[192 + lane], expected);
        if lane.is_multiple_of(3) {
            assert_eq!(out[224 + lane], value[9]);
        }
    }
}

/// The line of the source that holds this text.
fn line_of(text: &str) -> u32 {
    SOURCE.lines().position(|line| line.contains(text)).expect("the text is in the source") as u32 + 1
}

fn check_finding(finding: &Finding, code: &str, kind: Kind, line: u32, words: &str) {
    assert_eq!((finding.code, finding.kind), (code, kind), "{}", finding.message);
    assert!(finding.message.contains(words), "{}", finding.message);
    assert_eq!(finding.location.as_ref().map(|location| location.line), Some(line));
    assert!(!finding.hint.is_empty());
}

#[test]
fn faults_name_the_line_and_the_thread() {
    let (report, buffers) = run("past_the_end", [5, 1, 1], [32, 1, 1], 0, &[Out(128, 3), Int(128)]);
    let [finding] = &report.findings[..] else { panic!("{:?}", report.findings) };
    check_finding(finding, "W0101", Kind::Memory, line_of("if (i <= n)"), "byte 128 of `argument 0`");
    let thread = finding.thread.as_ref().unwrap();
    assert_eq!((thread.kernel.as_str(), thread.block, thread.thread), ("past_the_end", [4, 0, 0], [0, 0, 0]));
    assert!(report.stopped);
    assert_eq!(buffers[0], [3; 128], "a launch that faults leaves memory as it was");

    let (report, _) = run("misaligned", [1, 1, 1], [32, 1, 1], 0, &[Out(256, 0)]);
    check_finding(&report.findings[0], "W0102", Kind::Memory, line_of("out + 1"), "4 bytes");
    let (report, _) = run("null_pointer", [1, 1, 1], [32, 1, 1], 0, &[Null]);
    check_finding(&report.findings[0], "W0108", Kind::Memory, line_of("null_pointer"), "null pointer");
    let (report, _) = run("beyond_shared", [1, 1, 1], [32, 1, 1], 0, &[Out(256, 0), Int(1)]);
    check_finding(
        &report.findings[0],
        "W0106",
        Kind::Memory,
        line_of("few[threadIdx.x + n]"),
        "16 elements of 4 bytes",
    );
    let (report, _) = run("endless", [1, 1, 1], [32, 1, 1], 0, &[Out(4, 0)]);
    check_finding(
        &report.findings[0],
        "W0504",
        Kind::Launch,
        line_of("while (*flag"),
        "does not come to an end",
    );
    let (report, _) = run("asserts", [1, 1, 1], [32, 1, 1], 0, &[Int(31)]);
    check_finding(&report.findings[0], "W0505", Kind::Launch, line_of("void asserts"), "threadIdx.x < n");
}

#[test]
fn barriers_that_not_all_reach_are_found() {
    let (report, _) = run("barrier_in_branch", [1, 1, 1], [64, 1, 1], 0, &[Out(256, 0), Int(40)]);
    assert!(report.findings.iter().any(|finding| finding.code == "W0401"), "{:?}", report.findings);
    let (report, _) = run("barrier_after_return", [1, 1, 1], [64, 1, 1], 0, &[Out(512, 0), Int(32)]);
    let line = line_of("out[threadIdx.x + 64]") - 1;
    check_finding(&report.findings[0], "W0403", Kind::Barrier, line, "end without coming");
}

#[test]
fn impossible_launches_are_refused() {
    for (grid, block, shared, code) in [
        ([1, 1, 1], [1025, 1, 1], 0, "W0501"),
        ([1, 1, 1], [1, 1, 65], 0, "W0501"),
        ([0, 1, 1], [32, 1, 1], 0, "W0502"),
        ([1, 65536, 1], [32, 1, 1], 0, "W0502"),
        ([1, 1, 1], [32, 1, 1], 300_000, "W0503"),
    ] {
        let (report, _) = run("calls", grid, block, shared, &[Out(128, 0), Int(5)]);
        assert_eq!(report.findings[0].code, code, "{grid:?} {block:?}");
    }
}

/// Everything that a launch leaves, with a given number of worker threads.
fn outcome(workers: usize, kernel: &str, arguments: &[Argument]) -> (LaunchReport, Vec<Vec<u8>>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build().unwrap();
    pool.install(|| run(kernel, [300, 1, 1], [64, 1, 1], 0, arguments))
}

#[test]
fn the_number_of_workers_changes_nothing() {
    let data = noise(60_000);
    let kernels: [(&str, Vec<Argument>); 5] = [
        ("gray", vec![In(&data), Out(19_200, 1), Int(19_200)]),
        ("histogram", vec![In(&data), Out(1024, 0), Int(60_000)]),
        // A race between blocks, and a fault that more than one block would run into.
        ("colliding", vec![Out(4 * 1000, 0), Int(1000)]),
        ("past_the_end", vec![Out(9000, 0), Int(19_000)]),
        ("lanes", vec![In(&data), Out(1024, 0)]),
    ];
    for (kernel, arguments) in &kernels {
        let alone = outcome(1, kernel, arguments);
        for workers in [2, 3, 8] {
            let together = outcome(workers, kernel, arguments);
            assert_eq!(alone.1, together.1, "{kernel} with {workers} workers");
            assert_eq!(format!("{:?}", alone.0), format!("{:?}", together.0), "{kernel} with {workers}");
        }
    }
}
