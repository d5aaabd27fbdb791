//! The figures of a variant that ran on the simulator.

use std::ops::Range;

use runtime::engine::{Step, Timeline, Work};
use runtime::job::Outcome;
use simulator::model::{Gpu, Whole};
use simulator::{Class, Counters};

use super::example::Example;
use judge::prediction::{Resident, as_they_are, limiter, timeline};

/// The figures of a variant. Counted figures are of the small run, times of the large one.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Elements of the small run.
    pub elements: u64,
    /// Blocks of all launches.
    pub blocks: f64,
    /// Threads of all launches.
    pub threads: f64,
    /// Events of all launches.
    pub counters: Counters,
    /// Barriers, counted once per warp.
    pub barriers: u64,
    /// Kernels launched.
    pub launches: usize,
    /// Registers per thread of the longest kernel.
    pub registers: u32,
    /// Bytes of shared memory per block of it.
    pub shared: u32,
    /// Its resident warps per multiprocessor.
    pub resident: Option<Resident>,
    /// Bytes over the link between host and GPU.
    pub link_bytes: u64,
    /// Fewest bytes of the large run: each input read once, each output written once.
    pub bytes: u64,
    /// Predicted seconds of the large run.
    pub seconds: f64,
    /// Seconds of its copies over the link by themselves.
    pub transfer_seconds: f64,
    /// What limits the longest kernel.
    pub limiter: &'static str,
    /// When each copy and each kernel runs.
    pub spans: Vec<Span>,
}

/// A copy or a kernel of the large run.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// The unit that carries it out.
    pub unit: Unit,
    /// Seconds from the beginning to its start and to its end.
    pub seconds: Range<f64>,
}

/// A unit that runs one operation at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// Copies to the GPU.
    Up,
    /// Kernels, and copies within the GPU.
    Kernels,
    /// Copies to the host.
    Down,
    /// The host itself.
    Host,
}

impl Measured {
    /// The figures that follow from what an example's variant did.
    pub fn of(example: &Example, outcome: &Outcome, gpu: &'static Gpu) -> Self {
        let steps = large(example, &outcome.work);
        let (timeline, spans) = spans(&steps, gpu, example.over_link);
        let limit = limiter(&steps, gpu, timeline.end());
        let kernels = || {
            steps.iter().filter_map(|(step, _)| match step {
                Step::Work { work: Work::Kernel(kernel), .. } => Some(kernel),
                _ => None,
            })
        };
        let links = outcome.work.iter().filter_map(|step| match step {
            Step::Work { work: Work::Transfer(transfer), .. } => Some(transfer.bytes),
            _ => None,
        });
        let mut counters = Counters::default();
        for kernel in kernels() {
            counters.include(&kernel.counters);
        }
        Self {
            elements: example.elements,
            blocks: kernels().map(|kernel| kernel.blocks()).sum(),
            threads: kernels().map(|kernel| kernel.blocks() * f64::from(kernel.threads)).sum(),
            barriers: counters.mix[Class::Barrier as usize],
            counters,
            launches: kernels().count(),
            registers: kernels().map(|kernel| kernel.registers).max().unwrap_or(0),
            shared: kernels().map(|kernel| kernel.shared).max().unwrap_or(0),
            resident: limit.map(|limit| limit.resident),
            link_bytes: links.sum(),
            bytes: (example.bytes().iter().sum::<u64>() as f64 * example.scale) as u64,
            seconds: timeline.end(),
            transfer_seconds: timeline.apart().transfers,
            limiter: limit.map_or("", |limit| limit.name),
            spans,
        }
    }
}

/// The steps of the large run.
fn large(example: &Example, work: &[Step]) -> Vec<(Step, Whole)> {
    let mut steps = as_they_are(work, example.scale);
    for (step, whole) in &mut steps {
        if let (true, Step::Work { work: Work::Kernel(kernel), .. }) = (example.fixed_grid, step) {
            whole.blocks = kernel.blocks();
        }
    }
    steps
}

/// When the steps run.
pub fn spans(steps: &[(Step, Whole)], gpu: &Gpu, over_link: bool) -> (Timeline, Vec<Span>) {
    let mut spans = Vec::new();
    let timeline = timeline(steps, gpu, over_link, &mut |step, seconds| {
        let unit = match step {
            Step::Work { work: Work::Transfer(transfer), .. } if transfer.up => Unit::Up,
            Step::Work { work: Work::Transfer(_), .. } => Unit::Down,
            Step::Work { work: Work::Host(_) | Work::Compute(_), .. } => Unit::Host,
            _ => Unit::Kernels,
        };
        spans.push(Span { unit, seconds });
    });
    (timeline, spans)
}
