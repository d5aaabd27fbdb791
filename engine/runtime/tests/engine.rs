//! The interface of an engine, from outside the crate: a program without a host function.

use std::sync::Arc;

use pretty_assertions::assert_eq;
use runtime::codes;
use runtime::engine::{AssembledKernels, Command, Engine, EngineError, HostSide, SimulatedEngine};
use runtime::job::{Job, JobArgument, Place, Prepared};
use simulator::model::find;
use simulator::{Checks, Limits, Module};

/// `add_one(words, n)`: adds 1 to each of `n` words.
const PTX: &str = "
.version 8.0
.target sm_90
.address_size 64
.visible .entry add_one(.param .u64 words, .param .u32 n)
{
    .reg .pred %p;
    .reg .b32 %r<5>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [words];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r2, %r2, %r3, %r4;
    setp.ge.s32 %p, %r2, %r1;
    @%p bra done;
    cvta.to.global.u64 %rd1, %rd1;
    mul.wide.s32 %rd2, %r2, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r3, [%rd3];
    add.s32 %r3, %r3, 1;
    st.global.u32 [%rd3], %r3;
done:
    ret;
}
";

/// Words of the buffer.
const WORDS: u32 = 100;

/// A simulated H200 that runs all analyses and predicts times.
fn engine() -> SimulatedEngine {
    let module = Module::from_ptx(PTX).expect("the PTX is valid");
    let gpu = find("h200").expect("the default GPU");
    SimulatedEngine::new(Arc::new(module), gpu, AssembledKernels::default(), Limits::default(), Checks::ALL)
}

/// Pageable host memory; the host waits for the copy.
fn pageable(bytes: u64) -> HostSide {
    HostSide { pinned: None, waits: true, counts: bytes }
}

fn add_one(words: u64, count: u32) -> Command {
    Command {
        kernel: "add_one".to_owned(),
        grid: [count.div_ceil(32), 1, 1],
        block: [32, 1, 1],
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![words.to_le_bytes().to_vec(), count.to_le_bytes().to_vec()],
    }
}

#[test]
fn a_program_allocates_copies_launches_waits_and_frees() {
    let mut gpu = engine();
    let bytes: Vec<u8> = (0..WORDS).flat_map(u32::to_le_bytes).collect();
    let length = bytes.len() as u64;
    let words = gpu.alloc(length, "words").expect("memory");

    gpu.select_stream(8);
    gpu.upload(words, &bytes, pageable(length)).expect("a copy to the device");
    let start = gpu.mark().expect("a mark");
    let launched = gpu.launch(add_one(words, WORDS)).expect("a launch");
    assert!(!launched.stopped && launched.findings.iter().all(|found| found.code.starts_with("W07")));
    let stop = gpu.mark().expect("a mark");
    let number = gpu.download(words, length, pageable(length)).expect("a copy to the host");
    gpu.synchronize_stream().expect("the end of the stream");

    let expected: Vec<u8> = (1..=WORDS).flat_map(u32::to_le_bytes).collect();
    assert_eq!(gpu.take_download(number).expect("its bytes"), expected);
    assert!(gpu.between_ms(start, stop).expect("both marks were reached") > 0.0);
    assert!(gpu.take_seconds() > 0.0 && gpu.take_work().len() == 6);
    gpu.free(words).expect("it was allocated");
    let refused = gpu.free(words).expect_err("it is free already");
    assert!(matches!(refused, EngineError::Refused { code: codes::INVALID_VALUE, .. }), "{refused}");
}

#[test]
fn a_launch_past_the_end_of_a_buffer_stops_with_a_finding() {
    let mut gpu = engine();
    let words = gpu.alloc(u64::from(4 * WORDS), "words").expect("memory");
    gpu.fill(words, 0, u64::from(4 * WORDS)).expect("a fill");
    let launched = gpu.launch(add_one(words, WORDS + 1)).expect("the launch itself is accepted");
    assert!(launched.stopped);
    let codes: Vec<_> = launched.findings.iter().map(|found| found.code).collect();
    assert!(codes.contains(&"W0101"), "{codes:?}");
}

#[test]
fn inputs_get_one_value_or_the_bytes_of_inputs_of_their_size() {
    let input = |bytes: Vec<u8>| JobArgument::Input { name: "in".to_owned(), place: Place::Device, bytes };
    let job = Job::new("f", vec![input(vec![1, 2, 3, 4])], 4, 1);
    let mut engine = engine();
    let mut prepared = Prepared::new(&mut engine, &job).expect("allocated");
    let address = *prepared.allocations().keys().next().expect("one buffer");
    let mut after = |like: Vec<u8>| {
        let set = prepared.set_inputs(&mut engine, &[input(like)]).expect("written");
        let mut bytes = [0; 4];
        engine.read(address, &mut bytes).expect("read");
        (set, bytes)
    };
    assert_eq!(after(vec![9, 9]), (true, [9; 4]));
    assert_eq!(after(vec![8, 9]), (false, [9; 4]), "of another size and mixed");
    assert_eq!(after(vec![5, 6, 7, 8]), (true, [5, 6, 7, 8]));
}
