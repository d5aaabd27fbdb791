//! Machine code and the simulator's counts: the lines of machine instructions, and how often they run.

use std::path::Path;
use std::sync::Arc;

use cuda::cubin::cubin_code;
use cuda::nvrtc::{Request, Target};
use judge::build::{Targets, assembled, build};
use judge::workspace::Workspace;
use judge::{labs, submission};
use simulator::model::machine::{CAPABILITIES, MachineWork};
use simulator::{Checks, Device, Launch, Limits, Module};

use crate::nvrtc::compiler;

/// The work of 64 threads of a kernel with a buffer of words and a number.
fn work(source: &str, number: i32) -> MachineWork {
    work_on(90, source, number)
}

/// The same in machine code of this compute capability.
fn work_on(capability: u32, source: &str, number: i32) -> MachineWork {
    let compile = |target| {
        let request = Request { source, file: "lab.cu", headers: &[], options: &[], target };
        compiler().compile(&request).unwrap_or_else(|error| panic!("{error:?}")).image
    };
    let ptx = String::from_utf8(compile(Target::Ptx(capability))).unwrap();
    let ptx = ptx.trim_end_matches('\0');
    let targets = Targets { ptx: capability, cubin: Some(capability), own: true };
    let kernels = assembled(&compile(Target::Cubin(capability)), targets, ptx);
    let (name, kernel) = kernels.iter().next().expect("a kernel");
    let code = kernel.code.as_ref().expect("its machine code");
    let mut device = Device::new(Arc::new(Module::from_ptx(ptx).unwrap()), Limits::default());
    let buffer = device.alloc(4096, "words").unwrap();
    device.fill(buffer, 1, 4096).unwrap();
    let launch = Launch {
        kernel: name,
        grid: [1, 1, 1],
        block: [64, 1, 1],
        dynamic_shared: 0,
        cooperative: false,
        arguments: &[buffer.to_le_bytes().to_vec(), number.to_le_bytes().to_vec()],
        checks: Checks::COUNT,
        order: simulator::Order::Forward,
    };
    let report = device.launch(&launch).unwrap();
    assert!(!report.stopped, "{:?}", report.findings);
    code.work(&report.executed)
}

/// A loop with one dot product per iteration, unrolled or not.
fn dots(unroll: &str) -> String {
    format!(
        "__global__ void dots(unsigned* words, int rounds) {{\n\
         unsigned sum = words[threadIdx.x];\n\
         {unroll}\n\
         for (int i = 0; i < rounds; i++) sum = __dp4a(sum, 0x01020304u, sum);\n\
         words[threadIdx.x] = sum;\n}}\n"
    )
}

#[test]
fn unrolled_loops_run_as_often_as_their_rounds() {
    for unroll in ["", "#pragma unroll 1"] {
        let few = work(&dots(unroll), 25);
        let many = work(&dots(unroll), 125);
        // Two warps; few other instructions use that unit, and their number does not depend on the iterations.
        let dots = many.multiply - few.multiply;
        assert!((200.0..=215.0).contains(&dots), "{unroll}: {dots} in 100 rounds");
        assert!(few.multiply >= 50.0, "{unroll}: {few:?}");
        // Each waits for the previous one.
        assert!(many.near - few.near > 4.0 * 200.0, "{unroll}: {few:?} {many:?}");
    }
}

#[test]
fn machine_code_of_every_modelled_capability_is_read() {
    for capability in CAPABILITIES {
        for unroll in ["", "#pragma unroll 1"] {
            let (few, many) =
                (work_on(capability, &dots(unroll), 25), work_on(capability, &dots(unroll), 125));
            let dots = many.multiply - few.multiply;
            assert!((200.0..=215.0).contains(&dots), "{capability} {unroll}: {dots} in 100 rounds");
            assert!(many.near - few.near > 4.0 * 200.0, "{capability} {unroll}: {few:?} {many:?}");
        }
    }
}

#[test]
fn independent_loads_are_waited_for_once() {
    let sum = |second: &str| {
        format!(
            "__global__ void sum(unsigned* words, int n) {{\n\
             unsigned a = words[threadIdx.x];\nunsigned b = {second};\nwords[threadIdx.x] = a + b;\n}}\n"
        )
    };
    let (beside, behind) = (work(&sum("words[threadIdx.x + n]"), 64), work(&sum("words[(a & 1) * n]"), 64));
    // Two warps; the first load of one warp fetches the data of the other warp's second load.
    assert!(beside.far > 800.0, "{beside:?}");
    assert!(behind.far > 1.4 * beside.far, "{beside:?} {behind:?}");
}

#[test]
fn every_machine_instruction_of_a_rung_has_a_line_of_its_ptx() {
    let compiler = compiler();
    let workspace =
        Workspace::find(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap_or_else(|_| panic!("a workspace"));
    let targets = Targets { ptx: 90, cubin: Some(90), own: true };
    for lab in labs::all() {
        let rungs = workspace.rungs(lab).unwrap_or_else(|_| panic!("rungs"));
        for rung in [rungs.first(), rungs.last()].into_iter().flatten() {
            let tasks: Vec<&dyn lab::Task> = rung.tasks.iter().map(|task| *task as &dyn lab::Task).collect();
            let text = submission::read(&rung.path, "rung.cu", lab, "").unwrap_or_else(|_| panic!("a rung"));
            let built = build(compiler, &text, &tasks, targets).unwrap_or_else(|_| panic!("{:?}", rung.path));
            let code = cubin_code(built.cubin.as_deref().unwrap());
            assert!(!code.kernels.is_empty());
            for kernel in &code.kernels {
                let unknown = kernel.instructions.iter().filter(|one| {
                    let text = code.ptx.get(one.line.wrapping_sub(1) as usize);
                    text.is_none_or(|text| text.trim().is_empty())
                });
                assert_eq!(unknown.count(), 0, "{} of {:?}", kernel.name, rung.path);
                assert!(built.assembled[&kernel.name].code.is_some(), "{} of {:?}", kernel.name, rung.path);
            }
        }
    }
}
