//! When a prediction is not to be trusted: the work on the true picture, as far as it was tried, is not what the sample of its
//! rows promises.

use lab::{FewestBytes, Task};
use simulator::model::{Kernel, Whole};
use simulator::{Class, Counters};

use super::grids::FEWEST_PARTS;
use super::steps::{Launched, blocks};
use runtime::engine::{Step, UNEVEN, Work};
use runtime::simulation::Took;

/// Tried blocks may do more than predicted by this factor: rounding, borders, data that earlier blocks did not compute.
const MORE: f64 = 1.5;
/// And less by this one.
const LESS: f64 = 0.25;
/// And a block may execute so many instructions more than [`UNEVEN`] times those of others.
const LONG: f64 = 50_000.0;
/// And a warp may take longer than others by this share of the predicted time.
const LATE: f64 = 0.25;
/// Tried blocks may wait more than predicted by this factor for what the values of pixels decide.
const MORE_OF_VALUES: f64 = 4.0;
/// Instructions of all kernels that are too few to compare: what starting blocks costs counts as some.
const MUCH: f64 = 3e6;
/// Counts that are too small to compare.
const FEW: f64 = 4000.0;
/// What all kernels together may do more than predicted, each an equal part of it, as a share of what all do: a border is predicted from
/// few rows, on which its bytes depend on where rows begin as much as on their number.
const SMALL: f64 = 0.02;
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
const PARTS: &str = "cut every picture into the same small number of parts (8, say), each of ceil_div(height, parts) rows, so that every \
                     picture has the same launches: with many parts, low pictures have fewer of them";

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

    /// Something looks wrong on the whole picture, and a run there does not come to its end in time.
    pub(super) fn unconfirmed() -> Self {
        let why = "its blocks, as far as they were tried, do not do all the work on the whole picture, and a run of all of them takes too \
                   long to compare the result";
        Self { why: why.to_owned(), hint: SAME_WORK, settled_by_running: false }
    }

    /// The run of the whole picture, or a block of it, took many more instructions than predicted.
    pub(super) fn hidden() -> Self {
        let why = "its kernels, or some of their blocks, execute many more instructions on the whole picture than their work on some rows \
                   promises";
        Self { why: why.to_owned(), hint: SAME_WORK, settled_by_running: false }
    }

    /// A warp of the whole picture may wait longer than others do.
    fn waits() -> Self {
        let why = "on the whole picture some of its warps make far more accesses to memory than others, one after another, and the launch \
                   lasts as long as its slowest warp";
        Self { why: why.to_owned(), hint: SAME_WORK, settled_by_running: false }
    }

    /// The doubt in a run that took more instructions than promised, a block of it far more than others, or in which a warp may wait
    /// longer than others do for a part of the predicted time that counts. `cycles` is that time.
    pub(super) fn of_run(took: Took, promised: f64, cycles: f64) -> Option<Self> {
        let more = took.instructions as f64 > MORE * promised + MUCH || took.beyond_others as f64 > LONG;
        let late = took.later_than_others as f64 > LATE * cycles;
        if more { Some(Self::hidden()) } else { late.then(Self::waits) }
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

    /// Blocks that wait for each other one after another.
    pub(super) fn chain() -> Self {
        let why = "its blocks wait for each other one after another, with a lock or until it is their turn, and each such step takes about a \
                   microsecond on a GPU, which is not predicted";
        let hint = "let blocks work side by side: an atomic, such as `atomicAdd(&bins[v], n)`, needs neither a lock nor an order";
        Self { why: why.to_owned(), hint, settled_by_running: false }
    }

    /// Threads that wait for each other one after another.
    pub(super) fn turns() -> Self {
        let why = "its threads take turns, with a lock or until it is their turn, and each such step takes about a microsecond on a GPU (in \
                   shared memory a twentieth of it), which is not predicted";
        let hint = "let threads work side by side: an atomic, such as `atomicAdd(&bins[v], n)`, needs neither a lock nor an order; or let \
                    one thread per block take the lock, once";
        Self { why: why.to_owned(), hint, settled_by_running: false }
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
    /// How many times the predicted counts are charged.
    pub charged: f64,
}

/// The first reason not to trust the predicted steps of a call on the whole picture; `scale` is its height as a multiple of the
/// sample's.
pub(super) fn doubt(
    task: &dyn Task,
    fewest: FewestBytes,
    scale: f64,
    steps: &[(Step, Whole)],
    launches: &[Compared<'_>],
    links: [[u64; 2]; 2],
) -> Option<Doubt> {
    if launches.is_empty() {
        return Some(Doubt::no_kernel());
    }
    let alone = launches.iter().find_map(one);
    let by_kernel = of_kernels(launches);
    let named = |name: &str| simulator::readable(name);
    let small = |what: &str, count: &Count| {
        let promised = launches.iter().map(|launch| launch.promised(what, count)).sum::<f64>();
        SMALL * promised / by_kernel.len() as f64
    };
    let worked = || by_kernel.iter().find_map(|(name, launches)| work(&named(name), launches, &small));
    let found = alone
        .or_else(worked)
        .or_else(|| sublinear(&by_kernel, fewest, scale))
        .or_else(|| covered(task, fewest, steps))
        .or_else(|| transferred(task, links, scale))?;
    // A picture in many parts: another number of them may be predicted.
    let in_parts = task.over_link() && launches.len() >= FEWEST_PARTS;
    Some(Doubt { hint: if in_parts { PARTS } else { found.hint }, ..found })
}

/// Instructions that these launches execute at least, as their tried blocks tell.
pub(super) fn instructions_at_least(launches: &[Compared<'_>]) -> f64 {
    launches.iter().map(|launch| launch.found(&|counters| counters.warp_instructions).least.max(0.0)).sum()
}

/// The launches of each kernel.
type OfKernel<'a, 'b> = (&'a str, Vec<&'a Compared<'b>>);

fn of_kernels<'a, 'b>(launches: &'a [Compared<'b>]) -> Vec<OfKernel<'a, 'b>> {
    let mut names: Vec<&str> = launches.iter().map(|launch| launch.whole.asked.kernel.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let of = |name| launches.iter().filter(|launch| launch.whole.asked.kernel == name).collect();
    names.into_iter().map(|name| (name, of(name))).collect()
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
    if launch.groups().is_empty() {
        return Some(Doubt::of(
            &name,
            "could not be tried on the whole picture: its blocks take too long, wait for other blocks, or fail",
        ));
    }
    let most = UNEVEN as f64 * launch.found(&|counters| counters.warp_instructions).middle
        / blocks(launch.whole.kernel.grid)
        + LONG;
    let edges = whole.tried.as_ref().map_or(&[][..], |tried| &tried.edges);
    edges.iter().any(|instructions| *instructions as f64 > most).then(|| {
        Doubt::of(&name, "does far more in its first or last block than in others on the whole picture")
    })
}

impl Compared<'_> {
    fn groups(&self) -> &[(u64, Counters)] {
        self.whole.asked.tried.as_ref().map_or(&[], |tried| &tried.groups)
    }

    fn found(&self, count: &dyn Fn(&Counters) -> u64) -> Estimate {
        estimate(self.groups(), blocks(self.whole.kernel.grid), count)
    }

    /// The multiple of the predicted counts to charge where no run of the whole can tell: what a later launch does may depend on
    /// what one before it has left in memory, and the tried blocks of that one leave less than all would.
    pub(super) fn charged(&self) -> f64 {
        let (what, instructions, _) = COUNTS[0];
        let (promised, found) = (self.promised(what, &instructions), self.found(&instructions));
        let more = found.least > MORE * promised + FEW && found.middle <= MORE_OF_VALUES * promised;
        if more { found.middle / promised } else { 1.0 }
    }

    /// A predicted count.
    fn promised(&self, what: &str, count: &dyn Fn(&Counters) -> u64) -> f64 {
        let (kernel, on) = self.predicted;
        let by_lines = instructions(kernel) as f64;
        // The time follows from the instructions line by line, which grow each in its own way. Where they have grown more than
        // their sum, the other sums have grown too little as well.
        let scale = on.scale * self.charged;
        if what == "instructions" {
            return scale * by_lines;
        }
        scale * count(&kernel.counters) as f64 * by_lines / kernel.counters.warp_instructions.max(1) as f64
    }
}

/// The doubt in the work of all launches of a kernel; `small` tells how much of a count is too little to matter.
fn work(name: &str, launches: &[&Compared<'_>], small: &dyn Fn(&str, &Count) -> f64) -> Option<Doubt> {
    for (what, count, more) in COUNTS {
        let promised: f64 = launches.iter().map(|launch| launch.promised(what, &count)).sum();
        let found: Vec<Estimate> = launches.iter().map(|launch| launch.found(&count)).collect();
        let few = FEW.max(small(what, &count));
        if found.iter().map(|found| found.least).sum::<f64>() > more * promised + few {
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
    let of = |launch: &&Compared<'_>| moved(&launch.predicted.0.counters) as f64 * launch.predicted.1.scale;
    let promised: f64 = launches.iter().map(of).sum();
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
fn instructions(kernel: &Kernel) -> u64 {
    kernel.executed.iter().map(|line| line.warps).sum::<u64>().max(kernel.counters.warp_instructions)
}

/// A count of a launch.
type Count = fn(&Counters) -> u64;

/// What is compared of a launch, and by which factor it may be more than predicted: most counts depend on the code and the size, some
/// on the values of pixels.
const COUNTS: [(&str, Count, f64); 18] = [
    ("instructions", |counters| counters.warp_instructions, MORE),
    ("sectors read", |counters| counters.global_load_sectors, MORE),
    ("sectors written", |counters| counters.global_store_sectors, MORE),
    ("reads", |counters| counters.global_load_requests, MORE),
    ("accesses to shared memory", |counters| counters.shared_requests, MORE),
    ("accesses to local memory", |counters| counters.local_requests, MORE),
    ("texture fetches", |counters| counters.texture_requests, MORE),
    ("atomic operations", |counters| counters.global_atomics, MORE),
    ("passes of atomics", |counters| counters.global_atomic_rounds, MORE_OF_VALUES),
    ("passes of shared memory", |counters| counters.shared_wavefronts, MORE_OF_VALUES),
    ("passes of constant memory", |counters| counters.constant_passes, MORE_OF_VALUES),
    ("passes of local memory", |counters| counters.local_wavefronts, MORE_OF_VALUES),
    ("barriers and fences", |counters| of(counters, Class::Barrier), MORE),
    ("shuffles and votes", |counters| of(counters, Class::Warp), MORE),
    ("integer divisions", |counters| of(counters, Class::IntDiv), MORE_OF_VALUES),
    ("divisions", |counters| of(counters, Class::Fp32Div), MORE_OF_VALUES),
    ("instructions in double precision", |counters| of(counters, Class::Fp64), MORE_OF_VALUES),
    ("special functions", |counters| of(counters, Class::Sfu), MORE_OF_VALUES),
];

fn of(counters: &Counters, class: Class) -> u64 {
    counters.mix[class as usize]
}

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

/// Kernels that work on the picture have to grow with it, all together: many may each work on a small part of it.
fn sublinear(kernels: &[OfKernel<'_, '_>], fewest: FewestBytes, scale: f64) -> Option<Doubt> {
    let moved = |kernel: &Kernel, by: f64| {
        [kernel.counters.unique_read_sectors, kernel.counters.unique_write_sectors]
            .map(|sectors| sectors as f64 * SECTOR * by)
    };
    for (way, what, fewest) in [(0, "reads", fewest.read), (1, "writes", fewest.write)] {
        let mut of_picture = 0.0;
        let mut most = ("", 0.0);
        for (name, launches) in kernels {
            let sum = |of: &dyn Fn(&Compared<'_>) -> [f64; 2]| {
                launches.iter().map(|launch| of(launch)[way]).sum::<f64>()
            };
            let linear = sum(&|launch| moved(&launch.sample.kernel, scale));
            let after = sum(&|launch| moved(launch.predicted.0, launch.predicted.1.scale));
            if after < GROWN * linear {
                of_picture += linear;
                if linear > most.1 {
                    most = (name, linear);
                }
            }
        }
        if fewest >= TABLE && of_picture >= OF_PICTURE * fewest as f64 {
            return Some(Doubt::of(
                &simulator::readable(most.0),
                &format!(
                    "seems to {} less of the whole picture than of some of its rows: its grid does not cover the picture, or its launches do \
                     not grow with it alike",
                    what.trim_end_matches('s')
                ),
            ));
        }
    }
    None
}

/// What goes over the link has to grow with the picture; `links` are the bytes to the GPU and back, on the sample and on the whole.
fn transferred(task: &dyn Task, [sample, whole]: [[u64; 2]; 2], scale: f64) -> Option<Doubt> {
    if !task.over_link() {
        return None;
    }
    let mut ways = [("to the GPU", 0), ("back to the host", 1)].into_iter();
    let short = ways.find(|(_, way)| {
        let linear = sample[*way] as f64 * scale;
        linear >= TABLE as f64 && (whole[*way] as f64) < COVERED * linear
    });
    short.map(|(way, _)| Doubt {
        why: format!("fewer bytes of the whole picture than of some of its rows are copied {way}"),
        hint: SAME_WORK,
        settled_by_running: true,
    })
}

/// All kernels together have to move the fewest bytes of the task. A copy or a fill computes nothing.
fn covered(task: &dyn Task, fewest: FewestBytes, steps: &[(Step, Whole)]) -> Option<Doubt> {
    let mut moved = [0.0; 2];
    for (step, on) in steps {
        if let Step::Work { work: Work::Kernel(kernel), .. } = step {
            moved[0] += kernel.counters.unique_read_sectors as f64 * SECTOR * on.scale;
            moved[1] += kernel.counters.unique_write_sectors as f64 * SECTOR * on.scale;
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
