//! The idea that a rung of a ladder is told next: one of a later rung.

use judge::build;
use judge::labs;
use judge::prediction;
use judge::progress::Progress;
use judge::rung::Rung;
use judge::setup::{EngineChoice, Setup};
use judge::submission;
use judge::workspace::Workspace;
use lab::{Lab, Task, next_idea};
use rayon::prelude::*;

use crate::common::{part, root};

/// The ideas for each task of a rung, by their rungs.
fn told(setup: &Setup, lab: &'static dyn Lab, rung: &Rung) -> Vec<(&'static str, Option<u32>)> {
    let submission = submission::read(&rung.path, "rung.cu", lab, "").expect("a rung");
    let tasks: Vec<&dyn Task> = rung.tasks.iter().map(|task| *task as &dyn Task).collect();
    let Ok(build) = build::build(&setup.compiler, &submission, &tasks, setup.targets) else {
        panic!("{} does not compile", rung.name());
    };
    let simulation = build.simulation(setup.simulated_gpu());
    let tell = |task: &'static dyn Task| {
        let case = task.timed_case();
        let counted = prediction::counted(task, &case, &build.program, &simulation, 1).expect("it runs");
        (task.name(), next_idea(task.ideas(), &counted.signs).map(|idea| idea.rung))
    };
    rung.tasks.iter().map(|task| tell(*task)).collect()
}

/// Asserts that every rung of one of so many parts of all rungs is told an idea of a later rung; of all of them, that hardly any is told
/// nothing.
fn follows(number: usize, parts: usize) {
    let workspace = Workspace::find(&root()).expect("a checkout");
    let setup = Setup::new(EngineChoice::Simulator, &simulator::model::gpus()[0], &Progress::new());
    let setup = setup.expect("a compiler");
    let rungs = |lab| workspace.rungs(lab).expect("a ladder").into_iter().map(move |rung| (lab, rung));
    let all = labs::all().into_iter().flat_map(rungs);
    let rungs: Vec<(&'static dyn Lab, Rung)> = all.skip(number).step_by(parts).collect();
    let all: Vec<(u32, &str, Option<u32>)> = rungs
        .par_iter()
        .flat_map_iter(|(lab, rung)| {
            let number: u32 = rung.number.parse().expect("a number");
            told(&setup, *lab, rung).into_iter().map(move |(task, idea)| (number, task, idea))
        })
        .collect();
    let stale: Vec<_> = all.iter().filter(|(rung, _, idea)| idea.is_some_and(|idea| idea <= *rung)).collect();
    assert!(stale.is_empty(), "{stale:#?}");
    // Rungs that earn all points may be told nothing, and hardly any other.
    let silent = all.iter().filter(|(_, _, idea)| idea.is_none()).count();
    assert!(parts > 1 || 4 * silent < all.len(), "{silent} of {} are told nothing", all.len());
}

#[test]
fn a_rung_is_told_an_idea_of_a_later_rung() {
    follows(part(18), 18);
}

#[test]
#[ignore = "a minute of two cores: run it after a change of an idea, a rung or the counters"]
fn every_rung_is_told_an_idea_of_a_later_rung() {
    follows(0, 1);
}

/// Asserts that the reports of one of so many parts of all rungs say next what a later rung does, or that nothing but values of constants is
/// left: whatever else they advise first. Tasks that a rung is not about come from lower rungs, and a report may be about these.
fn leads_on(number: usize, parts: usize) {
    let workspace = Workspace::find(&root()).expect("a checkout");
    let numbered = |lab| -> Vec<(u32, Rung)> {
        let rungs = workspace.rungs(lab).expect("a ladder").into_iter();
        rungs.map(|rung| (rung.number.parse().expect("a number"), rung)).collect()
    };
    let ladders: Vec<_> = labs::all().into_iter().map(|lab| (lab, numbered(lab))).collect();
    let all = ladders.iter().flat_map(|(lab, rungs)| rungs.iter().map(move |rung| (*lab, rungs, rung)));
    let some: Vec<_> = all.skip(number).step_by(parts).collect();
    let stray = |lab: &'static dyn Lab, rungs: &[(u32, Rung)], number: &u32, rung: &Rung| {
        let command = [lab.name(), "--solution", &rung.number, "--engine", "sim", "--json"];
        let said = crate::common::run(&root(), &command).stdout;
        let report: serde_json::Value = serde_json::from_slice(&said).expect("a report");
        let next = report["next"].as_str().expect("the next step");
        let ends = ["You earned every point", " is nearly at full points", " % of the yardstick's speed"];
        let says = |idea: &str| next.contains(idea.split('{').next().unwrap_or_default());
        let later = lab.tasks().iter().any(|task| {
            let below = rungs.iter().filter(|(below, rung)| below <= number && rung.is_about(*task));
            let own = below.map(|(below, _)| *below).max();
            task.ideas().iter().any(|idea| Some(idea.rung) > own && says(idea.idea))
        });
        let leads = later || ends.iter().any(|end| next.contains(end));
        (!leads).then(|| format!("{} of {}: {next}", rung.name(), lab.name()))
    };
    let stray: Vec<String> =
        some.par_iter().filter_map(|(lab, rungs, (number, rung))| stray(*lab, rungs, number, rung)).collect();
    assert!(stray.is_empty(), "{stray:#?}");
}

#[test]
fn a_report_leads_to_a_later_rung() {
    leads_on(part(70), 70);
}

#[test]
#[ignore = "a quarter of an hour of two cores: run it after a change of what comes before ideas"]
fn every_report_leads_to_a_later_rung() {
    leads_on(0, 1);
}

#[test]
fn the_ideas_of_a_task_rise_and_each_is_one_of_its_rungs() {
    let workspace = Workspace::find(&root()).expect("a checkout");
    for lab in labs::all() {
        let rungs = workspace.rungs(lab).expect("a ladder");
        for task in lab.tasks() {
            let ideas = task.ideas();
            assert!(!ideas.is_empty(), "{} has no ideas", task.name());
            assert!(ideas.is_sorted_by_key(|idea| idea.rung), "{}", task.name());
            for idea in ideas {
                let known = |rung: &&Rung| rung.number.parse() == Ok(idea.rung) && rung.is_about(*task);
                assert!(rungs.iter().any(|rung| known(&rung)), "{}: no rung {}", task.name(), idea.rung);
                let texts = [idea.idea, idea.sketch, idea.code];
                assert!(texts.iter().all(|text| !text.trim().is_empty()), "{}", idea.name);
                assert!(!idea.idea.ends_with('.'), "{}", idea.idea);
                assert!(idea.code.lines().all(|line| line.chars().count() <= 94), "{}", idea.code);
            }
        }
    }
}

/// A right histogram per lane, with these columns of the counters and this index of the sum at the end.
fn per_lane(columns: &str, index: &str) -> String {
    PER_LANE.replace("COLUMNS", columns).replace("INDEX", index)
}

const PER_LANE: &str = r#"#include "workbook.cuh"
__global__ void __launch_bounds__(1024) histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ uint32_t counts[256][COLUMNS];
    const int t = threadIdx.x, lane = t % 32, step = gridDim.x * blockDim.x;
    for (int v = t / 32; v < 256; v += 32) counts[v][lane] = 0;
    __syncthreads();
    const int vectors = pixels / 16, first = blockIdx.x * blockDim.x + t;
    for (int i = first; i < vectors; i += step) {
        const uint4 v = reinterpret_cast<const uint4*>(gray)[i];
        const uint32_t words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int w = 0; w < 4; ++w)
            for (int s = 0; s < 32; s += 8) atomicAdd(&counts[words[w] >> s & 0xff][lane], 1u);
    }
    for (int i = 16 * vectors + first; i < pixels; i += step) atomicAdd(&counts[gray[i]][lane], 1u);
    __syncthreads();
    if (t < 256) {
        uint32_t sum = 0;
        for (int l = 0; l < 32; ++l) sum += counts[t][INDEX];
        atomicAdd(&bins[t], sum);
    }
}
void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<min(ceil_div(pixels, 16 * 1024), 132), 1024>>>(gray, bins, pixels);
}
"#;

/// What `checker` prints of a file of lab 2, its words with single spaces.
fn said(source: &str, command: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("mine.cu"), source).expect("a file in it");
    let rest = ["lab2", "--engine", "sim", "--task", "histogram", "--file", "mine.cu"];
    let shown = crate::common::shown_in(folder.path(), &[command, &rest].concat());
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_layout_for_atomics_is_kept_and_not_advised_again() {
    let conflicts = said(&per_lane("32", "l"), &[]);
    assert!(conflicts.contains("mend W0702 in line 19: keep the layout"), "{conflicts}");
    assert!(!conflicts.contains("pad each row"), "{conflicts}");
    let padded = said(&per_lane("33", "l"), &[]);
    assert!(padded.contains("lane number last and without padding"), "{padded}");
    assert!(!padded.contains("32 histograms per block"), "{padded}");
}

/// A right histogram of sixteen pixels per load and one of 256 counters per block, with this number of blocks.
fn per_block(blocks: &str) -> String {
    PER_BLOCK.replace("BLOCKS", blocks)
}

const PER_BLOCK: &str = r#"#include "workbook.cuh"
__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    const int step = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < pixels / 16; i += step) {
        const uint4 v = reinterpret_cast<const uint4*>(gray)[i];
        const uint32_t words[4] = {v.x, v.y, v.z, v.w};
        for (int w = 0; w < 4; ++w)
            for (int s = 0; s < 32; s += 8) atomicAdd(&counts[words[w] >> s & 0xff], 1u);
    }
    for (int i = pixels / 16 * 16 + first; i < pixels; i += step) atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<min(ceil_div(pixels, 16 * 256), BLOCKS), 256>>>(gray, bins, pixels);
}
"#;

#[test]
fn a_number_of_blocks_is_followed_by_the_idea_and_its_code() {
    // The numbers to try are said what they are, and that a hint has more.
    let report = said(&per_block("1056"), &[]);
    let numbers = "`constexpr int blocks = 1056; // tune: 132 264 528 1056` (1, 2, 4 and 8 for each of the GPU's 132 multiprocessors)";
    assert!(report.contains(numbers), "{report}");
    assert!(report.contains("`checker hint lab2 --task histogram --file mine.cu` says more."), "{report}");
    let told = |more: usize| said(&per_block("1056"), &[&["hint"][..], &["--more"; 4][..more]].concat());
    let [first, sketch, code, beyond] = [0, 1, 2, 3].map(told);
    assert!(first.contains("launch fewer blocks: in line 15"), "{first}");
    assert!(sketch.contains("After that, in `histogram`: let fewer threads share a counter"), "{sketch}");
    assert!(sketch.contains("counts[level][lane] lies in bank `lane`"), "{sketch}");
    assert!(code.contains("__shared__ uint32_t counts[256][32];") && !code.contains("no more:"), "{code}");
    assert!(beyond.contains("no more: `checker profile lab2 --task histogram"), "{beyond}");
}

#[test]
fn a_line_that_only_moves_its_bytes_is_not_the_one_to_work_on() {
    // Hardly any point is left, so that constants come first.
    let source = per_lane("32", "(l + t) % 32").replace("132), 1024", "198), 1024");
    let hint = said(&source, &["hint", "--more"]);
    assert!(
        hint.contains("reads and writes each byte once already; of the other time, most goes to"),
        "{hint}"
    );
    let (_, line) = hint.split_once(" of it is in line ").expect("a line");
    let (line, rest) = line.split_once(", ").expect("its number");
    let share: f64 = rest.split(' ').next().and_then(|share| share.parse().ok()).expect("its share");
    // The profile has the whole time of the line, which is not less; each number is rounded by itself.
    let profile = said(&source, &["profile"]);
    let (_, whole) = profile.split_once(&format!(" line {line} ")).expect("the line");
    let whole: f64 = whole.split(' ').next().and_then(|share| share.parse().ok()).expect("a number");
    assert!(whole >= share - 0.551, "{hint}\n{profile}");
}

#[test]
fn atomics_that_take_a_sizeable_part_beside_the_limit_are_told() {
    let rung =
        ["hint", "lab3", "--task", "contrast_stretch", "--solution", "09", "--engine", "sim", "--more"];
    let said = crate::common::shown(&rung).split_whitespace().collect::<Vec<_>>().join(" ");
    let (limit, beside) = said.split_once("Beside that: ").expect("what takes time beside the limit");
    assert!(limit.contains("limited by DRAM bandwidth"), "{said}");
    // They come before a single kernel for several, and are not told again.
    assert!(limit.contains("First atomics, ") && limit.contains("launch fewer blocks"), "{said}");
    assert!(!beside.contains("atomics, "), "{said}");
}

#[test]
fn a_chunk_of_pixels_for_each_thread_comes_before_wider_loads() {
    let source = r#"#include "workbook.cuh"
__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    const int each = pixels / (gridDim.x * blockDim.x) + 1;
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < first + each && i < pixels; ++i) {
        atomicAdd(&counts[gray[i]], 1u);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<min(ceil_div(pixels, 256), 132 * 8), 256>>>(gray, bins, pixels);
}
"#;
    let mend = "let neighbouring threads load neighbouring elements in line 9";
    for command in [&[][..], &["hint"], &["profile"]] {
        let said = said(source, command);
        let first = said.split_once(mend).unwrap_or_else(|| panic!("{said}"));
        assert!(!first.0.contains("uint4"), "{said}");
    }
    // Vectors too, which a thread of this loop does not need together.
    let wide = source
        .replace("pixels / (gridDim", "pixels / 16 / (gridDim")
        .replace("i < pixels; ++i) {", "i < pixels / 16; ++i) {\n        const uint4 v = ((const uint4*)gray)[i];")
        .replace(
            "        atomicAdd(&counts[gray[i]], 1u);\n    }",
            "        const uint32_t words[4] = {v.x, v.y, v.z, v.w};\n        for (int k = 0; k < 16; ++k) atomicAdd(&counts[words[k / 4] >> 8 * (k % 4) & 255], 1u);\n    }\n    \
             const int last = pixels / 16 * 16 + blockIdx.x * 256 + threadIdx.x;\n    if (last < pixels) atomicAdd(&counts[gray[last]], 1u);",
        );
    for command in [&[][..], &["profile"]] {
        let said = said(&wide, command);
        assert!(said.contains(mend) && !said.contains("leave it so"), "{said}");
    }
}
