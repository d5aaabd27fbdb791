//! Jobs run on the simulator, in this process.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use simulator::model::Gpu;
use simulator::{Checks, Location, Module, Order};

use crate::engine::{AssembledKernels, Recording, SimulatedEngine, Touched, Witness};
use crate::finding::{Finding, Kind};
use crate::job::{self, Failure, Job, JobArgument, Outcome, Place, Program};

/// Limit of warp instructions of a block: a base, and an amount per pixel. A correct kernel needs under a thousand
/// per pixel even on one thread, and an endless loop is stopped within seconds.
const BLOCK_BASE: u64 = 5_000_000;
const BLOCK_PER_PIXEL: u64 = 2_000;
/// The same for all launches of a call of the host function.
const CALL_BASE: u64 = 40_000_000;
const CALL_PER_PIXEL: u64 = 1_500;
/// And for all calls that check one task of a file, on all pictures.
const ALL_CALLS: u64 = 800_000_000;

/// Once an output is wrong, larger pictures only add to what is known. Then a picture with all analyses may need so many, a hundred times
/// what is usual, and no further picture is tried after so many of all, or if it needs about so many itself, which is half a second.
const WRONG_BASE: u64 = 5_000_000;
const WRONG_PER_PIXEL: u64 = 100;
const WRONG_PIXELS: u64 = 100_000;
const MUCH: u64 = 50_000_000;
const MUCH_FOR_ONE: u64 = 5_000_000;

/// Limit of instructions of the host function in a call, and in all calls that check one task, where smaller pictures show that it computes
/// so much per pixel: some seconds, and half of the time of a check.
const HOST_MOST: u64 = 1_000_000_000;
const HOST_OF_ALL: u64 = 2_000_000_000;
/// The limit per pixel, as a multiple of what smaller pictures needed.
const HOST_GROWTH: u64 = 4;

/// Limit of warp instructions of the blocks of a launch that are tried. A few dozen per pixel are usual, and a thousandth of the
/// picture is tried.
const TRIAL_INSTRUCTIONS: u64 = 30_000_000;

/// The limit per pixel on a larger picture, as a multiple of what smaller ones needed: an endless loop that begins only
/// there ends as soon as elsewhere, and work that grows with the square of the pixels still has room. The base is smaller
/// then, too.
const GROWTH: u64 = 24;
const KNOWN_BASE: u64 = 10_000_000;
/// Pictures of up to so many pixels may be one column, where one lane of a warp has work, and one warp of a block.
const NARROW_PIXELS: u64 = 200_000;
const NARROW_BASE: u64 = 80_000_000;
/// Pixels from which on the instructions per pixel say something: on fewer, most threads have no work.
const TELLING_PIXELS: u64 = 20_000;

/// The limits of a call on an image of `pixels` pixels, if smaller images needed `known` instructions per pixel.
pub fn budget(pixels: u64, known: Option<u64>) -> simulator::Limits {
    let known_base = if pixels > NARROW_PIXELS { KNOWN_BASE } else { NARROW_BASE };
    let (base, per_pixel) = known.map_or((CALL_BASE, CALL_PER_PIXEL), |known| {
        (known_base, GROWTH.saturating_mul(known + 1).min(CALL_PER_PIXEL))
    });
    simulator::Limits {
        block_instructions: BLOCK_BASE + BLOCK_PER_PIXEL * pixels,
        launch_instructions: base + per_pixel * pixels,
    }
}

/// The limit of the host function in a call on an image of `pixels` pixels, where `needed` instructions are usual.
fn host_budget(needed: u64, pixels: u64) -> u64 {
    HOST_GROWTH.saturating_mul(needed).min(HOST_MOST).max(job::host_limit(pixels))
}

/// Limit of warp instructions of a call that is witnessed, which takes many times longer.
const WITNESS_BASE: u64 = 2_000_000;
const WITNESS_PER_PIXEL: u64 = 60;

/// By host function, the most instructions per pixel that its calls have needed. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Needs(Arc<Mutex<BTreeMap<String, PerPixel>>>);

/// Instructions per pixel.
#[derive(Debug, Clone, Copy, Default)]
struct PerPixel {
    /// Of warps.
    warps: u64,
    /// Of the host function.
    host: u64,
}

impl Needs {
    fn of(&self, function: &str) -> Option<PerPixel> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(function).copied()
    }

    fn learn(&self, function: &str, needed: PerPixel) {
        let mut needs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = needs.entry(function.to_owned()).or_default();
        *known = PerPixel { warps: known.warps.max(needed.warps), host: known.host.max(needed.host) };
    }
}

/// What all jobs of a file have taken. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Spent(Arc<Sums>);

#[derive(Debug, Default)]
struct Sums {
    /// Instructions of warps.
    warps: AtomicU64,
    /// Instructions of the host functions.
    host: AtomicU64,
    /// Whether an output was wrong.
    wrong: AtomicBool,
    /// By host function, what its smallest picture took.
    smallest: Mutex<BTreeMap<String, Smallest>>,
}

/// What a call on the smallest picture took.
#[derive(Debug, Clone, Copy)]
struct Smallest {
    pixels: u64,
    /// The threads of its largest launch.
    threads: u64,
    /// Instructions of warps in all of its launches.
    instructions: u64,
}

impl Spent {
    /// What is left of [`ALL_CALLS`].
    fn left(&self) -> u64 {
        ALL_CALLS.saturating_sub(self.0.warps.load(Ordering::Relaxed))
    }

    /// An output was wrong: from now on, there is less for a picture.
    pub fn is_wrong(&self) {
        self.0.wrong.store(true, Ordering::Relaxed);
    }

    fn add(&self, instructions: u64) {
        self.0.warps.fetch_add(instructions, Ordering::Relaxed);
    }

    /// Notes what a call took, if its picture is the smallest so far.
    fn note(&self, function: &str, call: Smallest) {
        let mut known = self.0.smallest.lock().unwrap_or_else(PoisonError::into_inner);
        let smallest = known.entry(function.to_owned()).or_insert(call);
        if call.pixels < smallest.pixels {
            *smallest = call;
        }
    }

    fn smallest(&self, function: &str) -> Option<Smallest> {
        self.0.smallest.lock().unwrap_or_else(PoisonError::into_inner).get(function).copied()
    }
}

/// Limit of warp instructions of a call whose blocks may wait for each other.
const CHAIN_INSTRUCTIONS: u64 = 40_000_000;

/// What a run of a whole picture took.
#[derive(Debug, Clone, Copy)]
pub struct Took {
    /// Instructions of all warps.
    pub instructions: u64,
    /// Those of one block beyond [`UNEVEN`](crate::engine::UNEVEN) times those of the others of its launch.
    pub beyond_others: u64,
    /// The cycles of one warp, if it has one instruction in flight, beyond as many times those of the slowest warps of other blocks.
    pub later_than_others: u64,
}

/// A kernel whose effect depends on the order of its blocks and warps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderDependent {
    /// Its name, as in the source.
    pub kernel: String,
    /// The line that is the likely cause.
    pub location: Option<Location>,
}

/// A number of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number {
    /// Its value.
    pub value: usize,
    /// The line where it stands first.
    pub line: usize,
    /// Of a number that a remainder is compared with, the divisor.
    pub modulus: Option<usize>,
    /// Whether one side is compared with so many times the other.
    pub ratio: bool,
    /// Whether something is compared with it.
    pub compared: bool,
}

/// A simulated GPU of one type, and the device code to run on it.
#[derive(Clone)]
pub struct Simulation {
    /// The kernels.
    pub module: Arc<Module>,
    /// The GPU.
    pub gpu: &'static Gpu,
    /// The same after the assembler.
    pub assembled: AssembledKernels,
    /// What its jobs have needed so far: the limits of later jobs follow from it.
    pub needs: Needs,
    /// What its jobs have executed so far: a limit for all of them together.
    pub spent: Spent,
    /// A hash of the tokens of the source: where blocks are tried depends on it.
    pub tokens: u64,
    /// Whether the picture that is timed is run in full, too: for grades.
    pub confirmed: bool,
    /// Numbers of the source, smallest first: pictures of sizes beside them are tried, too. None where no file is judged.
    pub numbers: Arc<[Number]>,
    /// Lines of the PTX at which threads sleep.
    pub sleeps: Arc<[u32]>,
    /// Lines of the PTX at which threads read a clock.
    pub clocks: Arc<[u32]>,
    /// Lines of the PTX that permute bytes (`__byte_perm`).
    pub permutes: Arc<[u32]>,
    /// Lines of the PTX that multiply bytes and add the products (`__dp4a`).
    pub dot_products: Arc<[u32]>,
    /// Lines of the PTX that only serve to divide numbers that may be negative by a constant.
    pub signed_divisions: Arc<[u32]>,
}

impl Simulation {
    /// Kernels without known machine code.
    pub fn new(module: Arc<Module>, gpu: &'static Gpu) -> Self {
        Self {
            module,
            gpu,
            assembled: Arc::default(),
            needs: Needs::default(),
            spent: Spent::default(),
            tokens: 0,
            confirmed: false,
            numbers: Arc::default(),
            sleeps: Arc::default(),
            clocks: Arc::default(),
            permutes: Arc::default(),
            dot_products: Arc::default(),
            signed_divisions: Arc::default(),
        }
    }

    /// An engine for one image, with fresh memory and variables.
    pub fn engine(&self, pixels: u64, checks: Checks) -> SimulatedEngine {
        self.limited(budget(pixels, None), checks)
    }

    /// An engine for one job, for [`Self::run_on`]. Its limits follow from the jobs before it.
    pub fn engine_for(&self, job: &Job, checks: Checks) -> SimulatedEngine {
        let own = self.own_budget(job);
        let launch_instructions = own.launch_instructions.min(self.spent.left());
        self.limited(simulator::Limits { launch_instructions, ..own }, checks).computing(self.host_limit(job))
    }

    /// The most instructions of the host function in a call of this job, where those before it have computed much per pixel.
    fn host_limit(&self, job: &Job) -> Option<u64> {
        let needed = self.usual_host_instructions(&job.function, job.pixels);
        let left = HOST_OF_ALL.saturating_sub(self.spent.0.host.load(Ordering::Relaxed));
        (needed > 0).then(|| host_budget(needed, job.pixels).min(left))
    }

    fn own_budget(&self, job: &Job) -> simulator::Limits {
        let own = budget(job.pixels, self.needs.of(&job.function).map(|known| known.warps));
        let wrong = self.spent.0.wrong.load(Ordering::Relaxed) && job.pixels <= WRONG_PIXELS;
        let most = if wrong { WRONG_BASE + WRONG_PER_PIXEL * job.pixels } else { u64::MAX };
        simulator::Limits { launch_instructions: own.launch_instructions.min(most), ..own }
    }

    /// Instructions of warps that a picture of so many pixels is likely to need.
    pub fn usual_instructions(&self, function: &str, pixels: u64) -> u64 {
        self.needs.of(function).map_or(1, |known| known.warps).saturating_mul(pixels)
    }

    /// Instructions of the host function that a picture of so many pixels is likely to need, beyond those that every call may use.
    pub fn usual_host_instructions(&self, function: &str, pixels: u64) -> u64 {
        self.needs.of(function).map_or(0, |known| known.host).saturating_mul(pixels)
    }

    /// Whether a picture of so many pixels is not worth its time once an output is wrong.
    pub fn is_slow_on(&self, function: &str, pixels: u64) -> bool {
        let known = self.needs.of(function);
        let own = known.is_some_and(|known| known.warps.saturating_mul(pixels) > MUCH_FOR_ONE);
        own || self.spent.0.warps.load(Ordering::Relaxed) > MUCH
    }

    /// Runs a job on an engine that was made for it.
    pub fn run_on(
        &self,
        engine: &mut SimulatedEngine,
        program: &Program,
        job: &Job,
    ) -> Result<Outcome, Failure> {
        self.run_all_on(engine, program, std::slice::from_ref(job))
    }

    /// Runs jobs one after another in one program. The outcome is that of the last.
    fn run_all_on(
        &self,
        engine: &mut SimulatedEngine,
        program: &Program,
        jobs: &[Job],
    ) -> Result<Outcome, Failure> {
        let budget = jobs.last().map_or(0, |job| self.own_budget(job).launch_instructions);
        let scarce = self.spent.left() < budget;
        let mut outcome = job::run_all(engine, program, jobs)?;
        self.spent.add(engine.all_instructions());
        self.spent.0.host.fetch_add(engine.host_instructions(), Ordering::Relaxed);
        if let Some(job) = jobs.last() {
            if scarce {
                let smallest = self
                    .spent
                    .smallest(&job.function)
                    .filter(|_| !self.spent.0.wrong.load(Ordering::Relaxed));
                outcome.findings.iter_mut().for_each(|finding| blame_all_calls(finding, smallest));
            } else if !outcome.has_error() {
                let (threads, instructions) = (engine.most_threads(), engine.most_instructions());
                self.spent.note(&job.function, Smallest { pixels: job.pixels, threads, instructions });
            }
            outcome.findings.iter_mut().for_each(|finding| self.blame_host(job, finding));
        }
        Ok(outcome)
    }

    /// Says of a host function that was stopped what it needed on the smaller pictures, if that comes to about its limit: it is too slow,
    /// not without an end.
    fn blame_host(&self, job: &Job, finding: &mut Finding) {
        let needed = self.usual_host_instructions(&job.function, job.pixels);
        let limit = self.host_limit(job).unwrap_or(u64::MAX);
        if finding.code != "W0504" || finding.kind != Kind::Host || needed.saturating_mul(2) < limit {
            return;
        }
        let per_pixel = needed / job.pixels.max(1);
        TOO_SLOW.clone_into(&mut finding.code);
        finding.message = format!(
            "the host function is too slow to be checked on this picture, and was stopped here: on smaller pictures it executes about \
             {per_pixel} instructions per pixel itself, and this one has {} pixels",
            job.pixels
        );
        "let a kernel do what this loop does for each pixel: the host function runs on one CPU core, and only has to allocate, copy, \
         launch and wait"
            .clone_into(&mut finding.hint);
    }

    /// An engine whose job may execute so many instructions of warps, whatever its image.
    pub fn engine_within(&self, instructions: u64, checks: Checks) -> SimulatedEngine {
        self.limited(
            simulator::Limits { block_instructions: instructions, launch_instructions: instructions },
            checks,
        )
    }

    fn limited(&self, budget: simulator::Limits, checks: Checks) -> SimulatedEngine {
        let assembled = Arc::clone(&self.assembled);
        SimulatedEngine::new(Arc::clone(&self.module), self.gpu, assembled, budget, checks)
    }

    /// The first launch of a job after which GPU memory depends on the order that the job asks for.
    pub fn first_order_dependent(&self, program: &Program, job: &Job) -> Option<OrderDependent> {
        let trace = |job: &Job| {
            let mut engine = self.engine(job.pixels, Checks::NONE).traced();
            job::run(&mut engine, program, job).ok()?;
            Some(engine.take_trace())
        };
        let (forward, other) = (trace(&Job { orders: Vec::new(), ..job.clone() })?, trace(job)?);
        let ((kernel, _), _) = forward.into_iter().zip(other).find(|(forward, other)| forward != other)?;
        let location = self.module.order_sensitive(&kernel);
        Some(OrderDependent { kernel: self.module.readable(&kernel), location })
    }

    /// Who touches the buffers in the first call of a job; `None` if it does not end well.
    pub fn witness(&self, program: &Program, job: &Job) -> Option<Witness> {
        let (outcome, witness) = self.watched(program, job)?;
        (!outcome.has_error()).then_some(witness)
    }

    /// The same of a call that may end with an error: what was there until then.
    pub fn witness_to_the_end(&self, program: &Program, job: &Job) -> Option<Witness> {
        self.watched(program, job).map(|(_, witness)| witness)
    }

    /// The place in the source of the first store to an input in the first call of a job, if a kernel makes one.
    pub fn first_store_to_an_input(&self, program: &Program, job: &Job) -> Option<Location> {
        let (_, witness) = self.watched(program, job)?;
        let is_input = |buffer: &&Touched| {
            job.arguments
                .iter()
                .any(|argument| matches!(argument, JobArgument::Input { name, .. } if *name == buffer.name))
        };
        let inputs = witness.buffers.iter().filter(is_input);
        let writers = inputs.flat_map(|buffer| &buffer.bytes).flat_map(|byte| byte.writers).flatten();
        let first = writers.filter(|writer| writer.line > 0).min()?;
        let kernel = &witness.launches.get(first.launch as usize)?.kernel;
        let kernels = self.module.kernels();
        let own = kernels.iter().filter(|known| self.module.readable(&known.name) == *kernel);
        let mut places = own.flat_map(|known| self.module.source_lines(&known.name).into_values());
        places.find(|place| place.line == first.line)
    }

    fn watched(&self, program: &Program, job: &Job) -> Option<(Outcome, Witness)> {
        let on_device = |argument: &&JobArgument| {
            matches!(
                argument,
                JobArgument::Input { place: Place::Device, .. }
                    | JobArgument::Output { place: Place::Device, .. }
            )
        };
        let buffers = job.arguments.iter().filter(on_device).count();
        let most = WITNESS_BASE + WITNESS_PER_PIXEL * job.pixels;
        let mut engine = self.engine_within(most, Checks::NONE).witnessing(buffers);
        let once = Job { orders: Vec::new(), calls: 1, ..job.clone() };
        let outcome = job::run(&mut engine, program, &once).ok()?;
        Some((outcome, engine.take_witness()))
    }

    /// An engine for a dry run that tries some blocks of each launch: see [`SimulatedEngine::trying`].
    pub fn trial(&self, read: Vec<Vec<u8>>, seed: u64, share: f64, launches: usize) -> SimulatedEngine {
        self.engine_within(TRIAL_INSTRUCTIONS, Checks::COUNT).trying(read, seed, share, launches)
    }

    /// Runs jobs one after another in one program, which share what the largest may take. The outcome is that of the last.
    pub fn run_all(&self, program: &Program, jobs: &[Job]) -> Result<Outcome, Failure> {
        let Some(largest) = jobs.iter().max_by_key(|job| job.pixels) else { return Ok(Outcome::default()) };
        let mut engine = self.engine_for(largest, Checks::NONE);
        self.run_all_on(&mut engine, program, jobs)
    }

    /// Runs a job on a picture of full size on a fresh GPU, within so many instructions. Returns what it took, too.
    pub fn run_in_full(
        &self,
        program: &Program,
        job: &Job,
        instructions: u64,
    ) -> Result<(Outcome, Took), Failure> {
        let mut engine = self.engine_within(instructions, Checks::NONE);
        let outcome = job::run(&mut engine, program, job)?;
        let took = Took {
            instructions: engine.most_instructions(),
            beyond_others: engine.unevenness(),
            later_than_others: engine.lateness(),
        };
        Ok((outcome, took))
    }

    /// Whether the blocks of a launch wait for each other one after another.
    pub fn waits_in_a_chain(&self, program: &Program, job: &Job) -> Result<bool, Failure> {
        let mut engine = self.engine_within(CHAIN_INSTRUCTIONS, Checks::NONE);
        job::run(&mut engine, program, &Job { orders: vec![Order::InChains], calls: 1, ..job.clone() })?;
        Ok(engine.ran_in_a_chain())
    }

    /// What the first `blocks` blocks of each launch of a job do.
    pub fn record(&self, program: &Program, job: &Job, blocks: u64) -> Result<Vec<Recording>, Failure> {
        let mut engine = self.engine(job.pixels, Checks::NONE).recording(blocks);
        job::run(&mut engine, program, job)?;
        Ok(engine.take_recorded())
    }

    /// Runs a job on a fresh GPU.
    pub fn run(&self, program: &Program, job: &Job, checks: Checks) -> Result<Outcome, Failure> {
        let mut engine = self.engine_for(job, checks);
        let outcome = self.run_on(&mut engine, program, job)?;
        if job.pixels >= TELLING_PIXELS && !outcome.has_error() {
            let calls = u64::from(job.calls.max(1));
            let warps = engine.most_instructions().div_ceil(job.pixels);
            let host = engine.host_instructions().div_ceil(calls * job.pixels);
            self.needs.learn(&job.function, PerPixel { warps, host });
        }
        Ok(outcome)
    }
}

/// The code of a check that takes too long.
const TOO_SLOW: &str = "W0520";

/// How the message on a check begins that the checks before it have left too few instructions for.
pub const NOT_VERIFIED: &str = "not verified: ";

/// How the message begins where nothing is known of the smaller pictures.
pub const TOO_MUCH_WORK: &str = "needs more instructions than the checker simulates for one task";

/// Instructions of each thread on the smallest picture from which on they are what a file spends: a pixel takes some tens.
const MANY_PER_THREAD: u64 = 500;

/// The checks before this one are what has taken most: the file may be right. `smallest` is what the smallest picture took, if all were
/// right.
fn blame_all_calls(finding: &mut Finding, smallest: Option<Smallest>) {
    let spent = ["needs more instructions", "does not come to an end: the limit"];
    if finding.code != "W0504" || !spent.iter().any(|words| finding.message.starts_with(words)) {
        return;
    }
    let Some(Smallest { pixels, threads, instructions }) = smallest else {
        finding.message = format!("{TOO_MUCH_WORK}, together with the smaller pictures before it");
        MANY_PER_PIXEL.clone_into(&mut finding.hint);
        return;
    };
    finding.message = format!(
        "{NOT_VERIFIED}this picture needs more instructions than the smaller ones before it have left of what the checker simulates for one file. \
         Those came out right, and this one may be right on a GPU, too"
    );
    let each = 32 * instructions / threads.max(1);
    finding.hint = if each >= MANY_PER_THREAD {
        format!(
            "on a picture of {pixels} pixel{}, each of {threads} threads executes about {each} instructions already: what a thread does beside \
             its pixels is too much. Launch fewer threads, or let the threads of a block share that work",
            if pixels == 1 { "" } else { "s" }
        )
    } else {
        MANY_PER_PIXEL.to_owned()
    };
}

/// What to try where no number of instructions is known.
const MANY_PER_PIXEL: &str = "a kernel needs some tens of instructions per pixel: look for a loop in this line or around it that every thread goes \
                              through very often";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_the_limits_cut_short_may_be_right() {
        let told = |message: &str, smallest: Option<Smallest>| {
            let severity = crate::finding::Severity::Error;
            let mut finding = Finding::new("W0504", Kind::Launch, severity, message.to_owned(), "try");
            blame_all_calls(&mut finding, smallest);
            (finding.message, finding.hint)
        };
        let smallest = |instructions| Some(Smallest { pixels: 1, threads: 320, instructions });
        let (message, hint) = told("needs more instructions than", smallest(10_000));
        assert!(message.starts_with(NOT_VERIFIED), "{message}");
        assert!(
            hint.contains("a picture of 1 pixel, each of 320 threads executes about 1000 instructions"),
            "{hint}"
        );
        assert_eq!(told("needs more instructions than", smallest(100)).1, MANY_PER_PIXEL);
        let waits = "does not come to an end: this loop waits";
        assert_eq!(told(waits, smallest(10_000)), (waits.to_owned(), "try".to_owned()));
    }

    /// A host function that computes on every pixel comes to its end on a picture of 17 million, and one that began to loop for ever only
    /// there is stopped as soon as one that never computed.
    #[test]
    fn a_host_function_may_go_on_as_on_smaller_pictures() {
        let pixels = 4129 * 4129;
        assert!(host_budget(13 * pixels, pixels) > 3 * 13 * pixels);
        assert_eq!(host_budget(1000, pixels), job::host_limit(pixels));
        assert_eq!(host_budget(400 * pixels, pixels), HOST_MOST);
    }
}
