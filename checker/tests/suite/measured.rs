//! Measured runs with the simulator in the place of the GPU: the same worker, the same phases and checks. Each cheat that only a
//! GPU's timed runs can pay for is found, and an honest file is timed.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use cuda::nvrtc::{CompileError, Compiled, Request};
use judge::build::{self, Compile};
use judge::performance::{self, Timed};
use judge::progress::Progress;
use judge::report::Verdict;
use judge::setup::{EngineChoice, Setup};
use judge::verify::Runner;
use judge::{labs, submission};
use kernels::{digest, digest_shape};
use lab::{Case, Picture};
use runtime::engine::{AssembledKernels, Command, Engine, SimulatedEngine};
use runtime::finding::Finding;
use runtime::job::Failure;
use runtime::remote::{Images, RemoteGpu};
use runtime::worker::Target;
use simulator::{Checks, Limits, Module};

/// A compiler that keeps the PTX that it makes.
struct Recorder<'a>(&'a dyn Compile, Mutex<Vec<String>>);

impl Compile for Recorder<'_> {
    fn compile_all(&self, requests: &[Request<'_>]) -> Result<Vec<Result<Compiled, CompileError>>, Failure> {
        let all = self.0.compile_all(requests)?;
        for made in all.iter().flatten() {
            let text = made.ptx.clone().unwrap_or_else(|| String::from_utf8_lossy(&made.image).into_owned());
            self.1.lock().expect("no thread has panicked").push(text.trim_end_matches('\0').to_owned());
        }
        Ok(all)
    }
}

fn yardstick() -> Vec<u8> {
    let made = build::yardstick(crate::nvrtc::compiler(), cuda::nvrtc::Target::Ptx(90)).expect("it compiles");
    made.strip_suffix(b"\0").map(<[u8]>::to_vec).unwrap_or(made)
}

/// Times a file of the solutions on a small picture.
fn timed(task: &str, file: &str) -> Timed {
    let lab = labs::all().into_iter().find(|lab| lab.tasks().iter().any(|own| own.name() == task));
    let lab = lab.expect("a lab has the task");
    let task = labs::tasks(lab, Some(task)).expect("the task")[0];
    let path = crate::common::root().join("solutions").join(lab.folder()).join(file);
    let submission = submission::read(&path, file, lab, "").expect("a file");
    let gpu = &simulator::model::gpus()[0];
    let setup = Setup::new(EngineChoice::Simulator, gpu, &Progress::new()).expect("a compiler");
    let compiler = setup.submissions();
    let recorder = Recorder(&compiler, Mutex::default());
    let Ok(build) = build::build(&recorder, &submission, &[task], setup.targets) else {
        panic!("{file} does not compile")
    };
    let made = recorder.1.into_inner().expect("no thread has panicked");
    let device = made.iter().find(|ptx| ptx.contains(".entry") && !ptx.contains("host_call"));
    let device = device.expect("PTX of the kernels").clone().into_bytes();
    let images = Images { host: build.host_ptx.clone().into_bytes(), device, yardstick: yardstick() };
    let program = PathBuf::from(env!("CARGO_BIN_EXE_checker"));
    let target = Target::Simulator(gpu.name.into());
    let mut remote = RemoteGpu::with(program, target, images, Duration::from_secs(60));
    let simulation = build.simulation(gpu);
    let mut runner = Runner { program: &build.program, simulation: &simulation, gpu: Some(&mut remote) };
    let case = Case { name: "small".to_owned(), picture: Picture::Scene { width: 67, height: 20 } };
    performance::time(task, &case, &setup, &mut runner, 1).expect("a timed run")
}

#[test]
fn honest_files_are_timed_whether_they_keep_state_or_not() {
    for (task, file) in [
        ("grayscale", "03_coalesced.cu"),
        ("histogram", "08_histogram_per_warp.cu"),
        ("equalize", "11_last_block.cu"),
    ] {
        let Timed { case, findings, performance } = timed(task, file);
        assert_eq!((case.verdict, &case.note[..]), (Verdict::Passed, ""), "{file}");
        assert_eq!(findings, [], "{file}");
        assert!(performance.is_some_and(|timed| timed.pairs > Some(0)), "{file}");
    }
}

#[test]
fn a_call_that_leaves_work_out_is_found_whichever_it_is() {
    for (task, file) in [
        ("grayscale", "cheats/lazy_after_forty_calls.cu"),
        ("grayscale", "cheats/nothing_for_a_known_buffer.cu"),
        ("histogram", "cheats/kept_answer.cu"),
    ] {
        let case = timed(task, file).case;
        assert!(case.verdict == Verdict::Failed && case.wrong > 0, "{file}: {case:?}");
        assert!(case.note.starts_with("wrong in a timed call"), "{file}: {}", case.note);
    }
}

#[test]
fn a_call_that_changes_its_input_is_found() {
    let Timed { case, findings, .. } = timed("grayscale", "cheats/note_in_the_input.cu");
    assert_eq!((case.verdict, &case.note[..]), (Verdict::Failed, "stopped by W0122"));
    assert!(findings.iter().any(Finding::is_error), "{findings:?}");
}

/// The kernel hashes as the host does, whatever the alignment and the length.
#[test]
fn the_kernel_hashes_as_the_host_does() {
    let ptx = String::from_utf8(yardstick()).expect("text");
    let module = Module::from_ptx(&ptx).expect("the workbook's own kernels");
    let gpu = &simulator::model::gpus()[0];
    let (none, limits) = (AssembledKernels::default(), Limits::default());
    let mut engine = SimulatedEngine::new(module.into(), gpu, none, limits, Checks::ALL);
    let bytes: Vec<u8> = (0..9_001_u32).map(|i| ((i * i) >> 3) as u8).collect();
    let base = engine.alloc(bytes.len() as u64, "bytes").expect("memory");
    engine.write(base, &bytes).expect("a copy");
    let parts = [(0, 9_001), (0, 8), (8, 16), (3, 100), (1, 1), (4_097, 4_096), (16, 0)];
    let table: Vec<u8> = parts
        .iter()
        .flat_map(|(at, length)| [base + *at as u64, *length as u64])
        .flat_map(u64::to_le_bytes)
        .collect();
    let ranges = engine.alloc(table.len() as u64, "ranges").expect("memory");
    engine.write(ranges, &table).expect("a copy");
    let size = 8 * parts.len() as u64;
    let hashes = engine.alloc(size, "hashes").expect("memory");
    engine.fill(hashes, 0, size).expect("a fill");
    let (key, shape) = (0xfeed_face_cafe_beef_u64, digest_shape(parts.len(), 9_001));
    let launched = engine.launch(Command {
        kernel: shape.kernel.to_owned(),
        grid: shape.grid,
        block: [shape.threads, 1, 1],
        dynamic_shared: 0,
        cooperative: false,
        arguments: [ranges, hashes, key].map(|word| word.to_le_bytes().to_vec()).to_vec(),
    });
    assert!(!launched.expect("a launch").stopped);
    let mut found = vec![0; size as usize];
    engine.read(hashes, &mut found).expect("a copy");
    let expected = parts.iter().flat_map(|(at, length)| digest(&bytes[*at..at + length], key).to_le_bytes());
    assert_eq!(found, expected.collect::<Vec<u8>>());
}
