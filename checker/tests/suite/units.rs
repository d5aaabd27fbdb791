//! The files that use the whole runtime: each is compiled, interpreted, and run on the simulator.

use judge::build::{Targets, build};
use judge::submission;
use lab::{Argument, Case, Element, FewestBytes, Image, Lab, Memory, Points, Task, Threshold, Tolerance};
use runtime::finding::Severity;

const WIDTH: usize = 19;
const HEIGHT: usize = 7;

/// A unit as a task: one gray image in, one out.
struct Unit(&'static str);

impl Task for Unit {
    fn name(&self) -> &'static str {
        self.0
    }
    fn summary(&self) -> &'static str {
        "a unit of the shim"
    }
    fn parameters(&self) -> &'static str {
        "const uint8_t* in, uint8_t* out, int width, int height"
    }
    fn cases(&self) -> Vec<Case> {
        Vec::new()
    }
    fn timed_case(&self) -> Case {
        unreachable!("units are not timed")
    }
    fn arguments(&self, image: &Image) -> Vec<Argument> {
        let (memory, element) = (Memory::Device, Element::U8);
        vec![
            Argument::Input { name: "in", memory, element, bytes: image.data.clone() },
            Argument::Output {
                name: "out",
                memory,
                element,
                length: image.data.len(),
                row: image.width,
                zeroed: false,
            },
            Argument::Int { name: "width", value: image.width as i32 },
            Argument::Int { name: "height", value: image.height as i32 },
        ]
    }
    fn reference(&self, _: &Image) -> Vec<Vec<u8>> {
        Vec::new()
    }
    fn parallel_reference(&self, _: &Image) -> Vec<Vec<u8>> {
        Vec::new()
    }
    fn tolerance(&self) -> Tolerance {
        Tolerance::Exact
    }
    fn fewest_bytes(&self, _: usize, _: usize) -> FewestBytes {
        FewestBytes { read: 0, write: 0 }
    }
    fn points(&self) -> Points {
        let scale = Threshold { floor: 1.0, target: 2.0, levels: &[] };
        Points { correctness: 0.0, bandwidth: 0.0, speedup: 0.0, share: scale, times: scale }
    }
    fn nominal_nanoseconds_per_pixel(&self) -> f64 {
        1.0
    }
    fn hints(&self) -> &'static [&'static str] {
        &[]
    }
    fn first_step(&self) -> &'static str {
        ""
    }
}

/// The results of a unit: the codes of its findings, the printed text, the output.
struct Ran {
    codes: Vec<String>,
    printed: String,
    output: Vec<u8>,
}

fn run(name: &'static str) -> Ran {
    let compiler = crate::nvrtc::compiler();
    let lab: &dyn Lab = lab1_grayscale::LAB;
    let path = crate::common::root().join(format!("kernels/tests/units/{name}.cu"));
    let submission = submission::read(&path, &format!("{name}.cu"), lab, "").expect("the unit");
    let task = Unit(name);
    let gpu = &simulator::model::gpus()[0];
    let targets = Targets::simulated(compiler, gpu.capability);
    let build = build(compiler, &submission, &[&task], targets)
        .unwrap_or_else(|error| panic!("{name}.cu does not compile: {error:#?}"));
    let data = (0..WIDTH * HEIGHT).map(|value| value as u8).collect();
    let image = Image { width: WIDTH, height: HEIGHT, channels: 1, data };
    let job = judge::call::job(name, task.arguments(&image), (WIDTH * HEIGHT) as u64, 1);
    let simulation = build.simulation(gpu);
    let outcome = simulation
        .run(&build.program, &job, simulator::Checks::COUNT)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    Ran {
        // Remarks on the speed of these small launches do not matter.
        codes: outcome
            .findings
            .iter()
            .filter(|finding| finding.severity != Severity::Note)
            .map(|finding| finding.code.clone())
            .collect(),
        printed: outcome.printed,
        output: outcome.outputs.into_iter().next().unwrap_or_default().into_iter().next().unwrap_or_default(),
    }
}

fn inverted() -> Vec<u8> {
    (0..WIDTH * HEIGHT).map(|value| 255 - value as u8).collect()
}

#[test]
fn a_file_without_includes_runs() {
    let ran = run("bare");
    assert_eq!((ran.codes, ran.printed.as_str()), (vec![], ""));
    assert_eq!(ran.output, inverted());
}

#[test]
fn every_form_of_launch_runs() {
    let ran = run("launches");
    assert_eq!(ran.codes, Vec::<String>::new());
    // Inverted, then raised by 4 and by 8 in the templates; the first bytes belong to other kernels.
    let expected: Vec<u8> = inverted()[20..].iter().map(|value| value.wrapping_add(12)).collect();
    assert_eq!(ran.output[20..], expected);
}

#[test]
fn the_c_library_of_the_host_runs() {
    let ran = run("library");
    assert_eq!(ran.codes, Vec::<String>::new());
    let lines: Vec<&str> = ran.printed.lines().collect();
    assert_eq!(lines.len(), 3, "{}", ran.printed);
    // squares[7] = 7 * 7 + 2 * 7; "two" with its first three letters moved up by one, and what lies behind them.
    assert!(lines[0].starts_with("ttwo") && lines[0].ends_with(" 63 -12"), "{}", lines[0]);
    assert_eq!(lines[1..], [(WIDTH * HEIGHT).to_string().as_str(), "done"]);
    let expected: Vec<u8> = (0..WIDTH * HEIGHT).map(|value| (value as u8).saturating_add(4)).collect();
    assert_eq!(ran.output, expected);
}

#[test]
fn properties_streams_and_events_answer() {
    let ran = run("device");
    assert_eq!(ran.codes, Vec::<String>::new());
    assert_eq!(ran.printed, "NVIDIA H200: 9.0, 150109880320 bytes, 132, 1024 x 65535 x 2048\n");
    assert_eq!(ran.output[32..], [1].repeat(WIDTH * HEIGHT - 32));
}

#[test]
fn copies_fills_and_symbols_work() {
    let ran = run("memory");
    assert_eq!(ran.codes, Vec::<String>::new(), "{}", ran.printed);
}

#[test]
fn copies_to_shared_memory_arrive() {
    let ran = run("pipeline");
    assert_eq!(ran.codes, Vec::<String>::new());
    // What lies past the end of the image becomes 0 within the last copy, and stays as it was behind that.
    assert_eq!(ran.printed, "0 7\n");
    assert_eq!(ran.output, inverted());
}
