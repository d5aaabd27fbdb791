//! What comes before any idea of a lab.

use std::collections::BTreeMap;

use lab::{Part, Signs, Task};
use runtime::finding::Finding;
use simulator::performance::RUN_PER_THREAD;

use super::{Told, of_file, plain_sentence};
use crate::labs::quoted;
use crate::numbers::grouped;
use crate::prediction::{LineShare, Resident};
use crate::report::Report;
use crate::score;
use crate::weight;

/// What comes before any idea of the lab: threads without work, an array in local memory.
pub fn first(check: &str, tasks: &[&'static dyn Task], report: &Report) -> Option<Told> {
    let seen = |task: &'static dyn Task| Some((task, Seen::of(task, report)?));
    let mut open: Vec<(&'static dyn Task, Seen<'_>)> = tasks.iter().filter_map(|task| seen(*task)).collect();
    // Where most points are left comes first.
    let missing = |task: &dyn Task| score::missing(&report.points, task.name());
    open.sort_by(|one, other| missing(other.0).total_cmp(&missing(one.0)));
    first_of(check, &open, report)
}

/// The same of a task that was run for a profile: without what the lab's ideas would say.
pub fn first_seen(check: &str, task: &'static dyn Task, report: &Report, seen: Seen<'_>) -> Option<String> {
    let Told { told, .. } = first_of(check, &[(task, seen)], report)?;
    let faster = format!("All cases pass. To make `{}` faster, ", task.name());
    Some(told.strip_prefix(&faster).unwrap_or(&told).trim_end_matches('.').to_owned())
}

fn first_of(check: &str, open: &[(&'static dyn Task, Seen<'_>)], report: &Report) -> Option<Told> {
    let of_threads = |(task, seen): &(&'static dyn Task, Seen<'_>)| {
        idle(*task, seen)
            .or_else(|| few_lanes(*task, seen))
            .or_else(|| runs(*task, seen))
            .or_else(|| few_blocks(check, *task, seen, report))
            .or_else(|| many_sums(check, *task, seen, report))
    };
    let of = |task: &'static dyn Task, told: Option<String>, more: &str| {
        Some(Told { task, told: told?, more: more.to_owned() })
    };
    open.iter()
        .find_map(|(task, _)| of(*task, wasted(*task, report), ""))
        .or_else(|| open.iter().find_map(|open| of(open.0, of_threads(open), "")))
        .or_else(|| open.iter().find_map(|(task, seen)| of(*task, local(*task, seen), IN_REGISTERS)))
}

/// What a task with points left to earn was seen to do.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// What its kernels do per pixel.
    pub signs: Option<Signs>,
    /// The lines' shares of the time, largest first.
    pub lines: &'a [LineShare],
    /// The resident warps of its longest kernel.
    pub resident: Option<Resident>,
    /// That kernel's share of the time.
    pub longest_share: Option<f64>,
    /// Pixels of the picture.
    pub pixels: f64,
    /// What was found, remarks on speed among it.
    pub findings: &'a [Finding],
}

impl<'a> Seen<'a> {
    fn of(task: &dyn Task, report: &'a Report) -> Option<Self> {
        let timed = report.performance.iter().find(|timed| timed.task == task.name())?;
        (score::missing(&report.points, task.name()) > 0.0).then_some(Self {
            signs: timed.signs,
            lines: &timed.lines,
            resident: timed.resident,
            longest_share: timed.longest_share,
            pixels: (timed.width * timed.height) as f64,
            findings: &report.findings,
        })
    }
}

/// The part of the pixels of some cases from which on it matters that several threads store the same of them.
const REPEATED: f64 = 0.5;

/// What a task does for nothing.
fn wasted(task: &dyn Task, report: &Report) -> Option<String> {
    match report.wasted.get(task.name()) {
        Some(told) => Some(format!("All cases pass, but {told}")),
        None => repeated(task, report),
    }
}

/// Outputs that several threads store, the same value each.
fn repeated(task: &dyn Task, report: &Report) -> Option<String> {
    let outputs = || task.parameters().split(',').filter(|of| of.contains('*') && !of.contains("const"));
    let is_output = |finding: &&Finding| {
        let name = finding.message.split('`').nth(1).and_then(|place| place.split('[').next());
        finding.code == "W0306"
            && name.is_some_and(|name| outputs().any(|output| output.ends_with(&format!(" {name}"))))
    };
    let pixels = |finding: &Finding| {
        let of = |case: &&crate::report::Case| {
            case.task == task.name()
                && !case.timed
                && finding.cases.contains(&format!("{}: {}", case.task, case.name))
        };
        report.cases.iter().filter(of).map(|case| (case.width * case.height) as f64).sum::<f64>()
    };
    let much = |finding: &&Finding| {
        let pixels = pixels(finding);
        pixels > 0.0 && finding.count as f64 >= REPEATED * pixels
    };
    let finding = report.findings.iter().filter(is_output).find(much)?;
    Some(format!(
        "All cases pass, but `{}` computes many pixels more than once:{} stores what another thread has stored as well (W0306). Let each pixel belong to one \
         thread: compare where two threads begin, and the step of the loop in which they go on.",
        task.name(),
        finding.in_line().replacen(" in", "", 1)
    ))
}

/// Threads for each pixel from which on most of them have none, and the part of the time that makes that worth a word.
const IDLE: [f64; 2] = [4.0, 0.2];

/// What to do about blocks that have nothing to do.
fn idle(task: &dyn Task, seen: &Seen<'_>) -> Option<String> {
    let signs = seen.signs?;
    let [many, worth] = IDLE;
    let threads = 1.0 / signs.pixels_per_thread;
    let lost = signs.time[Part::Launches as usize] + signs.time[Part::Waiting as usize];
    (threads >= many && lost >= worth).then(|| {
        format!(
            "All cases pass. To make `{}` faster, launch fewer blocks: it starts {threads:.0} threads for each pixel, and most of them have nothing to \
             do. A block of {:.0} threads covers that many pixels, so the grid needs `ceil_div(width, block.x)` × `ceil_div(height, block.y)` \
             blocks, or `ceil_div(pixels, block_size)`.",
            task.name(),
            signs.threads_per_block
        )
    })
}

/// How an array comes into registers.
const IN_REGISTERS: &str = "Such an index is the counter of a loop with a constant number of rounds that is unrolled (`#pragma unroll`), inside of a loop over all \
     rows if need be.";

/// The part of the time that makes an array in local memory worth a word.
const LOCAL: f64 = 0.05;

/// What to do about an array in local memory.
fn local(task: &dyn Task, seen: &Seen<'_>) -> Option<String> {
    let of = |lines: &[LineShare]| lines.iter().filter(|line| line.local).map(|line| line.share).sum::<f64>();
    if of(seen.lines) < LOCAL {
        return None;
    }
    let line = seen.lines.iter().find(|line| line.local)?;
    Some(format!(
        "All cases pass. To make `{}` faster, look at the array in line {}: it lies in local memory, which is a part of global memory, \
         because registers have no index. Make each index a constant, and the array fits registers; one whose index comes from the data \
         belongs in shared memory.",
        task.name(),
        line.number
    ))
}

/// The part of the resident warps that a multiprocessor can hold, and the part of the time that they wait, below and above which more
/// blocks come before any other change.
const FEW_WARPS: f64 = 0.5;
const WAITS: f64 = 0.4;
/// Bytes read per pixel from which on a kernel reads the image many times.
const MANY_READS: f64 = 64.0;

/// What to do about a grid that leaves multiprocessors with few warps or none.
fn few_blocks(check: &str, task: &'static dyn Task, seen: &Seen<'_>, report: &Report) -> Option<String> {
    let resident = seen.resident.filter(|resident| resident.scarce == "grid")?;
    if resident.idle() >= 1.0 && seen.longest_share.is_some_and(|share| share >= MOST) {
        return Some(format!(
            "All cases pass. To make `{}` faster, launch more blocks: the grid has {:.0}, so that {:.0} of the {} multiprocessors have nothing to do. \
             One to eight blocks per multiprocessor suit a kernel whose threads go on in a loop; \
             `cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device)` gives their number.",
            task.name(),
            resident.blocks,
            resident.idle(),
            resident.multiprocessors
        ));
    }
    let multiprocessors = resident.multiprocessors;
    let waits = seen.signs?.time[Part::Waiting as usize];
    // More blocks that each read the whole image would read more.
    let reads_again = seen.signs.is_some_and(|signs| signs.loads * signs.access_bytes > MANY_READS);
    let few = resident.warps < FEW_WARPS * f64::from(resident.most) && waits >= WAITS && !reads_again;
    // A sweep has found how many blocks are best.
    let marks = Marks::of(task, report);
    (few && !marks.are_swept()).then(|| {
        format!(
            "All cases pass. To make `{}` faster, launch more blocks: a multiprocessor has {:.0} of {} warps, because the grid has no more \
             blocks, and they wait {:.0} % of the time. How many are best depends on what each block does besides: {}.",
            task.name(),
            resident.warps,
            resident.most,
            100.0 * waits,
            marks.compared(check, task, multiprocessors)
        )
    })
}

/// The share of the time of the lines in which blocks add their sums to global memory from which on fewer blocks come before any other
/// change, the blocks per multiprocessor up to which they may be needed to keep it busy, and the pixels per block below which the lab's
/// ideas say so themselves.
const SUMS: f64 = 0.25;
const NEEDED_BLOCKS: f64 = 4.0;
const FEW_PIXELS: f64 = 4096.0;

/// What to do about sums that too many blocks add to global memory.
fn many_sums(check: &str, task: &'static dyn Task, seen: &Seen<'_>, report: &Report) -> Option<String> {
    let multiprocessors = seen.resident?.multiprocessors;
    let most = NEEDED_BLOCKS * f64::from(multiprocessors);
    let many = |line: &&LineShare| {
        let of_sums = line.parts.first().is_some_and(|(part, _)| *part == Part::Atomics);
        of_sums && line.adding_blocks > most && seen.pixels >= FEW_PIXELS * line.adding_blocks
    };
    let marks = Marks::of(task, report);
    let line = seen.lines.iter().find(many).filter(|_| !marks.are_swept())?;
    (line.share >= SUMS).then(|| {
        format!(
            "All cases pass. To make `{}` faster, launch fewer blocks: in line {}, which takes {:.0} % of the time, each of {} blocks adds its sums to \
             global memory. How many are best depends on what each block does besides: {}.",
            task.name(),
            line.number,
            100.0 * line.share,
            grouped(line.adding_blocks.round() as u64),
            marks.compared(check, task, multiprocessors)
        )
    })
}

/// The constants of a task that the file marks as tunable.
pub(super) struct Marks<'a> {
    unswept: &'a [String],
    swept: &'a [String],
}

impl<'a> Marks<'a> {
    pub(super) fn of(task: &dyn Task, report: &'a Report) -> Self {
        let of =
            |names: &'a BTreeMap<String, Vec<String>>| names.get(task.name()).map_or(&[][..], Vec::as_slice);
        Self { unswept: of(&report.tunable), swept: of(&report.swept) }
    }

    /// How to find the best number of blocks on a GPU of so many multiprocessors.
    fn compared(&self, check: &str, task: &'static dyn Task, multiprocessors: u32) -> String {
        let tune = of_file(check, "tune", task);
        match self.unswept {
            [] => {
                let [one, two, four, eight] = [1, 2, 4, 8].map(|each| each * multiprocessors);
                format!(
                    "write the number as a constant, `constexpr int blocks = {eight};  // tune: {one} {two} {four} {eight}` (1, 2, 4 and 8 for each of \
                     the GPU's {one} multiprocessors), and `{tune}` compares them"
                )
            }
            names => {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                format!("`{tune}` compares the values of {}", quoted(&names))
            }
        }
    }

    /// Whether all of them were swept: to try other values is no advice any more.
    pub(super) fn are_swept(&self) -> bool {
        self.unswept.is_empty() && !self.swept.is_empty()
    }
}

/// The part of the time of a line that makes lanes without work the first thing to mend.
pub(super) const MOST: f64 = 0.5;

/// What to do about a line that takes most of the time with few lanes active.
fn few_lanes(task: &dyn Task, seen: &Seen<'_>) -> Option<String> {
    let line = seen.lines.first().filter(|line| line.share >= MOST)?;
    let is_it = |finding: &&Finding| finding.code == "W0704" && finding.line == Some(line.number);
    let finding = seen.findings.iter().find(is_it)?;
    Some(format!(
        "All cases pass. To make `{}` faster, mend {} in line {}, which takes {:.0} % of the time: {}",
        task.name(),
        finding.code,
        line.number,
        100.0 * line.share,
        plain_sentence(&finding.hint)
    ))
}

/// The share of the time that the requests of a line waste from which on neighbouring threads should take neighbouring elements before
/// any other change: wider loads, more blocks or fewer of them leave the threads of a warp apart.
const SCATTERED: f64 = 0.1;

/// What to do about threads that each load a run of neighbouring elements.
fn runs(task: &dyn Task, seen: &Seen<'_>) -> Option<String> {
    let scattered = |finding: &&Finding| {
        finding.hint == RUN_PER_THREAD
            && weight::seen_in(finding, task.name())
            && weight::scattered(finding, seen.lines) >= SCATTERED
    };
    let finding = seen.findings.iter().find(scattered)?;
    let line = seen.lines.iter().find(|line| Some(line.number) == finding.line)?;
    Some(format!(
        "All cases pass. To make `{}` faster, let neighbouring threads load neighbouring elements in line {}, which takes {:.0} % of the time. There \
         each thread loads a run of neighbouring elements, one per round of a loop, so the 32 threads of a warp touch a sector each ({}). Begin \
         with the number of the thread in the grid, `blockIdx.x * blockDim.x + threadIdx.x`, and go on by the number of all threads, \
         `gridDim.x * blockDim.x`.",
        task.name(),
        line.number,
        100.0 * line.share,
        finding.code
    ))
}
