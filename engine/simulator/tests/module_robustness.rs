//! No PTX, however mangled, makes decoding or a launch panic, and no damaged kernel runs for ever.
//!
//! `cargo test -p simulator --release --test suite module_robustness -- --ignored` goes on for a minute, or for as
//! many seconds as `FUZZ_SECONDS` says, and lists every place that panics. The coverage-guided targets in
//! `engine/fuzz/` do the same where there is a nightly compiler.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use simulator::{Checks, Device, Launch, Limits, Module};

const SAMPLES: [&str; 8] = [
    include_str!("programs/basics.ptx"),
    include_str!("ptx/assembly.ptx"),
    include_str!("ptx/blocks.ptx"),
    include_str!("ptx/calls.ptx"),
    include_str!("ptx/debug.ptx"),
    include_str!("ptx/initializers.ptx"),
    include_str!("ptx/inlining.ptx"),
    include_str!("ptx/textures.ptx"),
];

/// Words that are put in the place of others.
const WORDS: [&str; 40] = [
    "add",
    "cvt",
    "ld",
    "st",
    "atom",
    "shfl",
    "vote",
    "bar",
    "mov",
    "setp",
    "call",
    "bra",
    "ret",
    "selp",
    "match",
    "redux",
    "brx",
    "red",
    "prmt",
    "lop3",
    "u8",
    "s16",
    "u32",
    "s64",
    "f32",
    "f64",
    "pred",
    "b128",
    "v2",
    "v4",
    "global",
    "shared",
    "local",
    "param",
    "const",
    "sync",
    "rn",
    "sat",
    "0xffffffffffffffff",
    "99999999",
];

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ word >> 31) % bound.max(1) as u64) as usize
    }
}

/// The text as words, numbers and single characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%');
        let length = match first {
            c if word(c) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        tokens.push(&rest[..length]);
        rest = &rest[length..];
    }
    tokens
}

/// A sample with one to four tokens removed, doubled, swapped, or replaced.
fn mangled(seed: u64) -> String {
    let mut random = Random(seed);
    let sample = SAMPLES[random.below(SAMPLES.len())];
    let mut tokens = tokens(sample);
    for _ in 0..=random.below(4) {
        let at = random.below(tokens.len());
        let other = random.below(tokens.len());
        // Neighbours more often than not: operands of one instruction.
        let near = (at + 1 + random.below(12)).min(tokens.len() - 1);
        match random.below(8) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[other]),
            2 => tokens.swap(at, near),
            3 => tokens[at] = tokens[near],
            4 => tokens[at] = WORDS[random.below(WORDS.len())],
            5 => tokens[at] = tokens[other],
            // An operand with its comma.
            6 => drop(tokens.drain(at..(at + 3).min(tokens.len()))),
            _ => drop(tokens.drain(at..near)),
        }
    }
    tokens.concat()
}

/// Decodes the text and launches each of its kernels, on real and on stray addresses.
fn survives(text: &str) {
    let Ok(module) = Module::from_ptx(text) else { return };
    let module = Arc::new(module);
    let limits = Limits { block_instructions: 3_000, launch_instructions: 20_000 };
    for kernel in module.kernels() {
        let mut device = Device::new(Arc::clone(&module), limits);
        let buffer = device.alloc(4096, "buffer").unwrap();
        device.fill(buffer, 3, 4096).unwrap();
        let argument = |(number, &size): (usize, &usize)| {
            let word = if number % 3 == 2 { 40 } else { buffer };
            word.to_le_bytes().into_iter().cycle().take(size).collect()
        };
        let arguments: Vec<Vec<u8>> = kernel.parameter_sizes.iter().enumerate().map(argument).collect();
        for checks in [Checks::NONE, Checks::ALL] {
            let launch = Launch {
                kernel: &kernel.name,
                grid: [2, 1, 1],
                block: [40, 1, 1],
                dynamic_shared: 256,
                cooperative: false,
                arguments: &arguments,
                checks,
                order: simulator::Order::Forward,
            };
            // Refused, stopped by a fault, or run to its end: all are answers.
            let _ = device.launch(&launch);
        }
    }
}

/// Instructions whose decoding takes their operands by number, with the fewest that they need.
const COMPLETE: [&str; 24] = [
    "ld.global.u32 %r1, [%rd1]",
    "ldu.global.u32 %r1, [%rd1]",
    "st.global.u32 [%rd1], %r1",
    "atom.global.add.u32 %r1, [%rd1], %r2",
    "red.global.add.u32 [%rd1], %r1",
    "bra L",
    "activemask.b32 %r1",
    "createpolicy.fractional.L2::evict_first.b64 %rd1",
    "cvta.global.u64 %rd1, %rd2",
    "isspacep.shared %p1, %rd1",
    "isspacep.shared::cluster %p1, %rd1",
    "shfl.sync.idx.b32 %r1, %r2, %r3, %r4",
    "vote.sync.all.pred %p1, %p2",
    "match.any.sync.b32 %r1, %r2, %r3",
    "redux.sync.add.u32 %r1, %r2, %r3",
    "elect.sync %r1|%p1, %r2",
    "bar.red.popc.u32 %r1, 0, %p1",
    "bar.warp.sync %r1",
    "setp.lt.and.u32 %p1, %r1, %r2, %p2",
    "lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 0x80, %p2",
    "mov.u32 %r1, %r2",
    "vadd.u32.u32.u32 %r1, %r2, %r3",
    "add.cc.u32 %r1, %r2, %r3",
    "cp.async.ca.shared.global [%r1], [%rd1], 4",
];

#[test]
fn an_instruction_that_lacks_operands_is_refused() {
    for complete in COMPLETE {
        let (opcode, operands) = complete.split_once(' ').unwrap();
        let operands: Vec<&str> = operands.split(", ").collect();
        for kept in 0..=operands.len() {
            let code = format!("{opcode} {}", operands[..kept].join(", "));
            let text = format!(
                ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n.reg .pred %p<3>;\n\
                 .reg .b32 %r<5>;\n.reg .b64 %rd<3>;\nL:\n{code};\nret;\n}}\n"
            );
            let known = Module::from_ptx(&text).is_ok_and(|module| module.runs("k"));
            assert_eq!(known, kept == operands.len(), "`{code}`");
        }
    }
}

#[test]
fn mangled_modules_do_not_panic() {
    for seed in 0..400 {
        survives(&mangled(seed));
    }
}

#[test]
#[ignore = "takes a minute"]
fn mangled_modules_do_not_panic_for_a_while() {
    let seconds = std::env::var("FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let start_seed: u64 =
        std::env::var("FUZZ_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1 << 32);
    let places: Arc<Mutex<BTreeMap<String, (u64, u64)>>> = Arc::default();
    let current = Arc::new(Mutex::new(0));
    let (seen, at) = (Arc::clone(&places), Arc::clone(&current));
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let seed = *at.lock().unwrap();
        let message = panic.payload_as_str().unwrap_or("").lines().next().unwrap_or("").to_owned();
        seen.lock().unwrap().entry(format!("{place}: {message}")).or_insert((seed, 0)).1 += 1;
    }));
    let start = Instant::now();
    let mut slowest = (Duration::ZERO, 0);
    let mut count = 0;
    for seed in start_seed.. {
        if start.elapsed() > Duration::from_secs(seconds) {
            break;
        }
        *current.lock().unwrap() = seed;
        let begun = Instant::now();
        let _ = catch_unwind(AssertUnwindSafe(|| survives(&mangled(seed))));
        slowest = slowest.max((begun.elapsed(), seed));
        count += 1;
    }
    let _ = std::panic::take_hook();
    println!("{count} texts in {seconds} s, the slowest in {:?} (seed {})", slowest.0, slowest.1);
    let places = places.lock().unwrap();
    for (place, (seed, times)) in places.iter() {
        println!("{times:6} × {place} (first at seed {seed})");
    }
    assert!(places.is_empty(), "{} places panic", places.len());
}
