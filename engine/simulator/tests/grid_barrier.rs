//! What is counted around a barrier of the whole grid, and what it joins.

use std::sync::Arc;

use pretty_assertions::assert_eq;
use simulator::{Checks, Device, Launch, LaunchReport, Limits, Module};

/// A kernel of one parameter `p`, an address that `%rd1` holds; its blocks may call the barrier.
fn text(code: &str) -> String {
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.func workbook_grid_barrier()\n{{\ntrap;\n}}\n\
         .visible .entry k(.param .b64 p)\n{{\n.reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<4>;\n\
         ld.param.b64 %rd1, [p];\n{code}\nret;\n}}\n"
    )
}

const BARRIER: &str = "{\ncall.uni workbook_grid_barrier, ();\n}\n";

/// Runs it in blocks of 32 threads on 4 KiB of words that count up; what they hold then.
fn run(code: &str, blocks: u32, checks: Checks) -> (LaunchReport, Vec<u32>) {
    let mut device = Device::new(Arc::new(Module::from_ptx(&text(code)).unwrap()), Limits::default());
    let address = device.alloc(4096, "words").unwrap();
    let words: Vec<u8> = (0..1024_u32).flat_map(u32::to_le_bytes).collect();
    device.write(address, &words).unwrap();
    let launch = Launch {
        kernel: "k",
        grid: [blocks, 1, 1],
        block: [32, 1, 1],
        dynamic_shared: 0,
        cooperative: true,
        arguments: &[address.to_le_bytes().to_vec()],
        checks,
        order: simulator::Order::Forward,
    };
    let report = device.launch(&launch).unwrap();
    let mut bytes = vec![0; 4096];
    device.read(address, &mut bytes).unwrap();
    let (words, _) = bytes.as_chunks::<4>();
    (report, words.iter().map(|word| u32::from_le_bytes(*word)).collect())
}

/// Loads the words of each block, 128 bytes, into `%r1`.
const LOAD: &str = "shl.b32 %r5, %ctaid.x, 7;\nmad.lo.u32 %r5, %tid.x, 4, %r5;\ncvt.u64.u32 %rd2, %r5;\n\
                    add.u64 %rd2, %rd1, %rd2;\nld.global.u32 %r1, [%rd2];\n";

#[test]
fn all_blocks_wait_for_the_slowest() {
    // The first block goes round a loop whose end it does not know.
    let slow = "ld.global.u32 %r6, [%rd1+1600];\nsetp.ne.u32 %p1, %ctaid.x, 0;\n@%p1 bra D;\nL:\n\
                sub.u32 %r6, %r6, 1;\nsetp.ne.u32 %p2, %r6, 0;\n@%p2 bra L;\nD:\n";
    let (joined, _) = run(&format!("{slow}{BARRIER}"), 4, Checks::COUNT);
    let (apart, _) = run(slow, 4, Checks::COUNT);
    let [joined, apart] = [joined, apart].map(|report| report.counters);
    assert!(2 * joined.path.total() > 7 * joined.longest_path.total(), "{:?}", joined.path);
    assert!(2 * apart.path.total() < 4 * apart.longest_path.total(), "{:?}", apart.path);
}

#[test]
fn what_blocks_store_before_it_all_of_them_see_behind_it() {
    // Each block reads what the block after it has stored, a number of its own.
    let exchange = "add.u32 %r7, %ctaid.x, 100;\nst.global.u32 [%rd2], %r7;\n";
    let next = "add.u32 %r3, %ctaid.x, 1;\nand.b32 %r3, %r3, 3;\nshl.b32 %r3, %r3, 7;\ncvt.u64.u32 %rd3, %r3;\n\
                add.u64 %rd3, %rd1, %rd3;\nld.global.u32 %r4, [%rd3];\n";
    let code = format!("{LOAD}{exchange}{BARRIER}{next}{BARRIER}st.global.u32 [%rd2], %r4;\n");
    let (report, words) = run(&code, 4, Checks::ALL);
    assert_eq!(report.findings, []);
    let first: Vec<u32> = (0..4).map(|block| words[32 * block]).collect();
    assert_eq!(first, [101, 102, 103, 100]);
    let (report, _) = run(&code.replacen(BARRIER, "", 1), 4, Checks::ALL);
    assert!(report.findings.iter().any(|finding| finding.code.starts_with("W03")), "{:?}", report.findings);
}
