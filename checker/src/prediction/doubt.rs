//! When a prediction is not to be trusted: the work on the true picture, as far as it was tried, is not what the sample of its
//! rows promises.

use lab::{FewestBytes, Task};
use simulator::Counters;
use simulator::model::{Kernel, Whole};

use super::steps::{Launched, blocks};
use runtime::engine::{Step, Work};

/// Tried blocks may do more than predicted by this factor: rounding, borders, data that earlier blocks did not compute.
const MORE: f64 = 1.5;
/// And less by this one.
const LESS: f64 = 0.25;
/// Counts that are too small to compare.
const FEW: f64 = 4000.0;
/// A launch that moves at least this share of the fewest bytes works on the picture, and not on a table.
const OF_PICTURE: f64 = 0.25;
/// The share of the fewest bytes that the predicted launches must move.
const COVERED: f64 = 0.85;
/// The share of its bytes on some rows, taken to the whole, that a kernel must move there: rows at the borders of parts are read
/// twice, and weigh more in low parts.
const GROWN: f64 = 0.5;
/// Outputs smaller than this are tables.
pub(super) const TABLE: u64 = 1 << 16;
/// Bytes of a sector.
pub(super) const SECTOR: f64 = 32.0;

/// Why a predicted time is not scored, in words for a student: what is wrong, and what to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// What is wrong, after "the time of `task` cannot be predicted: ".
    pub why: String,
    /// What to try.
    pub hint: &'static str,
    /// Whether a run on the whole picture would settle it.
    pub(super) settled_by_running: bool,
}

const SAME_WORK: &str =
    "use the same kernels, the same work per pixel and a grid that covers the picture for every size";
const PARTS: &str = "cut every picture into the same number of parts, each of ceil_div(height, parts) rows, so that every picture \
                     has the same launches";

impl Doubt {
    /// Other launches on the whole picture than on the sample.
    pub(super) fn other_launches() -> Self {
        let why = "only some rows were run, and on the whole picture the host function makes another number of launches, or does \
                   not come to its end";
        Self { why: why.to_owned(), hint: PARTS, settled_by_running: true }
    }

    /// Other results in each timed call.
    pub(crate) fn unsteady() -> Self {
        let why = "its timed calls gave many different results on the same input, so not all of them could be compared";
        Self {
            why: why.to_owned(),
            hint: "give the same bytes for the same input, whatever the order of threads",
            settled_by_running: false,
        }
    }

    /// Much computing in the host function.
    pub(super) fn host_computes(instructions: f64) -> Self {
        let why = format!(
            "the host function itself would execute about {:.0} million instructions on the whole picture",
            instructions * 1e-6
        );
        let hint = "compute in kernels: a loop over pixels in the host function runs on one CPU core";
        Self { why, hint, settled_by_running: false }
    }

    /// A kernel that sleeps.
    pub(super) fn sleeps() -> Self {
        let why = "a kernel calls `__nanosleep`, and the time that threads sleep is not predicted";
        let hint = "remove `__nanosleep`: no task needs it";
        Self { why: why.to_owned(), hint, settled_by_running: false }
    }

    /// A kernel that may do other work at another time.
    pub(super) fn reads_a_clock() -> Self {
        let why = "a kernel reads a clock (`clock()`, `clock64()` or `%globaltimer`), and what it does may depend on the time";
        Self {
            why: why.to_owned(),
            hint: "remove it: the checker times the kernels, and no task needs a clock",
            settled_by_running: false,
        }
    }

    fn no_kernel() -> Self {
        let why = "no kernel is launched, so nothing runs on the GPU".to_owned();
        Self { why, hint: "compute in kernels", settled_by_running: false }
    }

    fn of(kernel: &str, what: &str) -> Self {
        Self { why: format!("`{kernel}` {what}"), hint: SAME_WORK, settled_by_running: true }
    }
}

/// A launch as predicted, and as tried on the picture of full size.
pub(super) struct Compared<'a> {
    /// On the sample.
    pub sample: &'a Launched,
    /// On the whole picture: its counts are those of the blocks that were tried.
    pub whole: &'a Launched,
    /// Predicted counts, and their scale.
    pub predicted: (&'a Kernel, Whole),
}

/// The first reason not to trust the predicted steps of a call on the whole picture; `scale` is its height as a multiple of the
/// sample's.
pub(super) fn doubt(
    task: &dyn Task,
    fewest: FewestBytes,
    scale: f64,
    steps: &[(Step, Whole)],
    launches: &[Compared<'_>],
) -> Option<Doubt> {
    if launches.is_empty() {
        return Some(Doubt::no_kernel());
    }
    let alone = launches.iter().find_map(one);
    let by_kernel = || {
        let mut names: Vec<&str> = launches.iter().map(|launch| launch.whole.asked.kernel.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter().find_map(|name| {
            let of_kernel = launches.iter().filter(|launch| launch.whole.asked.kernel == name);
            let of_kernel: Vec<&Compared<'_>> = of_kernel.collect();
            let name = simulator::readable(name);
            work(&name, &of_kernel).or_else(|| sublinear(&name, &of_kernel, fewest, scale))
        })
    };
    alone.or_else(by_kernel).or_else(|| covered(task, fewest, steps))
}

/// The doubt in one launch: another kernel than on the sample, or one that could not be tried.
fn one(launch: &Compared<'_>) -> Option<Doubt> {
    let name = simulator::readable(&launch.whole.asked.kernel);
    let (sample, whole) = (&launch.sample.asked, &launch.whole.asked);
    if sample.kernel != whole.kernel || sample.block != whole.block {
        let before = simulator::readable(&sample.kernel);
        return Some(Doubt::of(
            &name,
            &format!(
                "runs on the whole picture in blocks of {:?} threads, but `{before}` in blocks of {:?} on some of its rows",
                whole.block, sample.block
            ),
        ));
    }
    launch.groups().is_empty().then(|| {
        Doubt::of(
            &name,
            "could not be tried on the whole picture: its blocks take too long, wait for other blocks, or fail",
        )
    })
}

impl Compared<'_> {
    fn groups(&self) -> &[(u64, Counters)] {
        self.whole.asked.tried.as_ref().map_or(&[], |tried| &tried.groups)
    }

    fn found(&self, count: &dyn Fn(&Counters) -> u64) -> Estimate {
        estimate(self.groups(), blocks(self.whole.kernel.grid), count)
    }

    /// A predicted count.
    fn promised(&self, what: &str, count: &dyn Fn(&Counters) -> u64) -> f64 {
        let (kernel, on) = self.predicted;
        let by_lines = instructions(kernel) as f64;
        // The time follows from the instructions line by line, which grow each in its own way. Where they have grown more than
        // their sum, the other sums have grown too little as well.
        if what == "instructions" {
            return on.scale * by_lines;
        }
        let sum = kernel.counters.warp_instructions.max(1) as f64;
        on.scale * count(&kernel.counters) as f64 * by_lines / sum
    }
}

/// The doubt in the work of all launches of a kernel.
fn work(name: &str, launches: &[&Compared<'_>]) -> Option<Doubt> {
    for (what, count) in COUNTS {
        let promised: f64 = launches.iter().map(|launch| launch.promised(what, &count)).sum();
        let found: Vec<Estimate> = launches.iter().map(|launch| launch.found(&count)).collect();
        if found.iter().map(|found| found.least).sum::<f64>() > MORE * promised + FEW {
            let times = found.iter().map(|found| found.middle).sum::<f64>() / promised.max(1.0);
            let times = if times > 1000.0 { "over 1,000".to_owned() } else { format!("{times:.1}") };
            return Some(Doubt::of(
                name,
                &format!(
                    "has {times} times as many {what} on the whole picture as its work on some rows promises"
                ),
            ));
        }
    }
    let moved = |of: &Counters| {
        of.global_load_sectors + of.global_store_sectors + of.global_atomic_sectors + of.texture_requests
    };
    let promised: f64 = launches
        .iter()
        .map(|launch| moved(&launch.predicted.0.counters) as f64 * launch.predicted.1.scale)
        .sum();
    let found: Vec<Estimate> = launches.iter().map(|launch| launch.found(&moved)).collect();
    (found.iter().map(|found| found.most).sum::<f64>() < LESS * promised - FEW).then(|| {
        let percent = 100.0 * found.iter().map(|found| found.middle).sum::<f64>() / promised.max(1.0);
        Doubt::of(
            name,
            &format!(
                "moves only {percent:.0} % of the bytes on the whole picture that its work on some rows promises"
            ),
        )
    })
}

/// Instructions of a launch: of its lines, or as one sum if that grew more.
pub(super) fn instructions(kernel: &Kernel) -> u64 {
    kernel.executed.iter().map(|line| line.warps).sum::<u64>().max(kernel.counters.warp_instructions)
}

/// A count of a launch.
type Count = fn(&Counters) -> u64;

/// What is compared of a launch: counts that depend on the code and the size more than on the values of pixels.
const COUNTS: [(&str, Count); 7] = [
    ("instructions", |counters| counters.warp_instructions),
    ("sectors read", |counters| counters.global_load_sectors),
    ("sectors written", |counters| counters.global_store_sectors),
    ("reads", |counters| counters.global_load_requests),
    ("accesses to shared memory", |counters| counters.shared_requests),
    ("accesses to local memory", |counters| counters.local_requests),
    ("texture fetches", |counters| counters.texture_requests),
];

/// A count of a whole launch, as its tried blocks tell it.
pub(super) struct Estimate {
    least: f64,
    middle: f64,
    pub most: f64,
}

/// The mean over groups of blocks, and as far from it as chance may bring it: three times the error of the mean.
pub(super) fn estimate(groups: &[(u64, Counters)], all: f64, count: &dyn Fn(&Counters) -> u64) -> Estimate {
    let each: Vec<f64> =
        groups.iter().map(|(blocks, counters)| count(counters) as f64 / *blocks as f64 * all).collect();
    let number = each.len() as f64;
    let middle = each.iter().sum::<f64>() / number;
    let variance = each.iter().map(|one| (one - middle).powi(2)).sum::<f64>() / (number - 1.0).max(1.0);
    let error = 3.0 * (variance / number).sqrt();
    Estimate { least: middle - error, middle, most: middle + error }
}

/// A kernel that works on the picture has to grow with it.
fn sublinear(name: &str, launches: &[&Compared<'_>], fewest: FewestBytes, scale: f64) -> Option<Doubt> {
    let moved = |kernel: &Kernel, by: f64| {
        [kernel.counters.unique_read_sectors, kernel.counters.unique_write_sectors]
            .map(|sectors| sectors as f64 * SECTOR * by)
    };
    let sum = |of: &dyn Fn(&Compared<'_>) -> [f64; 2]| {
        launches.iter().map(|launch| of(launch)).fold([0.0; 2], |sum, one| [sum[0] + one[0], sum[1] + one[1]])
    };
    let linear = sum(&|launch| moved(&launch.sample.kernel, scale));
    let after = sum(&|launch| moved(launch.predicted.0, launch.predicted.1.scale));
    let fewest = [fewest.read, fewest.write].map(|bytes| bytes as f64);
    let grows_less = |way: usize| {
        let of_picture = linear[way] >= OF_PICTURE * fewest[way] && fewest[way] >= TABLE as f64;
        of_picture && after[way] < GROWN * linear[way]
    };
    let what = if grows_less(0) {
        "reads"
    } else if grows_less(1) {
        "writes"
    } else {
        return None;
    };
    Some(Doubt::of(
        name,
        &format!(
            "{what} less of the whole picture than of some of its rows: its grid does not cover the picture"
        ),
    ))
}

/// All launches together have to move the fewest bytes of the task.
fn covered(task: &dyn Task, fewest: FewestBytes, steps: &[(Step, Whole)]) -> Option<Doubt> {
    let mut moved = [0.0; 2];
    for (step, on) in steps {
        match step {
            Step::Work { work: Work::Kernel(kernel), .. } => {
                let counters = &kernel.counters;
                // Textures are read through arrays, whose filling counts as well.
                let textures = 64 * counters.texture_requests;
                moved[0] += (counters.unique_read_sectors + textures) as f64 * SECTOR * on.scale;
                moved[1] += counters.unique_write_sectors as f64 * SECTOR * on.scale;
            }
            Step::Work { work: Work::Memory(bytes), .. } => {
                moved[0] += *bytes as f64 * on.scale;
                moved[1] += *bytes as f64 * on.scale;
            }
            _ => {}
        }
    }
    // Between host memory and host memory, part of the work may be left to the CPU, which is charged.
    if task.over_link() {
        return None;
    }
    let ways = [("read", fewest.read, moved[0]), ("write", fewest.write, moved[1])];
    let short =
        ways.into_iter().find(|(_, fewest, moved)| *fewest >= TABLE && *moved < COVERED * *fewest as f64);
    short.map(|(way, fewest, moved)| Doubt {
        why: format!(
            "all kernels together {way} only {:.0} % of the bytes of the whole picture that any solution has to {way}",
            100.0 * moved / fewest as f64
        ),
        hint: SAME_WORK,
        settled_by_running: true,
    })
}
