//! Steps of a call, and how far each is taken to the whole picture.

use simulator::model::{Kernel, Whole};
use simulator::{Counters, is_allocated_on_device};

use runtime::engine::{Asked, Step, Work};

/// A launch, and what it asked for.
pub(super) struct Launched {
    pub kernel: Kernel,
    pub asked: Asked,
}

pub(super) fn launched(steps: &[Step], asked: Vec<Asked>) -> Vec<Launched> {
    let kernels = steps.iter().filter_map(|step| match step {
        Step::Work { work: Work::Kernel(kernel), .. } => Some((**kernel).clone()),
        _ => None,
    });
    kernels.zip(asked).map(|(kernel, asked)| Launched { kernel, asked }).collect()
}

/// Every step taken to the whole by its rows alone.
pub fn as_they_are(steps: &[Step], scale: f64) -> Vec<(Step, Whole)> {
    let whole = |step: &Step| Whole {
        scale,
        blocks: grid(step).map_or(0.0, blocks) * scale,
        earlier: None,
        atomics: None,
    };
    marked(steps.iter().map(|step| (step.clone(), whole(step))).collect())
}

/// The steps of the host function on the whole picture, with the kernels of `sample` as they were taken to it: copies and fills
/// count as they are there, whatever their sizes and their number.
pub(super) fn as_on_the_whole(whole: &[Step], mut sample: Vec<(Step, Whole)>) -> Vec<(Step, Whole)> {
    let mut predicted = kernels(&mut sample).map(|(step, on)| (step.clone(), *on));
    let as_it_is = |step: &Step| (step.clone(), Whole::new(1.0, 0.0));
    whole
        .iter()
        .map(|step| match grid(step) {
            Some(_) => predicted.next().unwrap_or_else(|| as_it_is(step)),
            None => as_it_is(step),
        })
        .collect()
}

/// Gives each launch the dynamic shared memory that it asks for on the whole picture: fewer blocks may be resident with it.
pub(super) fn shared_as_there(steps: &mut [(Step, Whole)], sample: &[Launched], whole: &[Launched]) {
    for ((step, _), (sample, whole)) in kernels(steps).zip(sample.iter().zip(whole)) {
        let Step::Work { work: Work::Kernel(kernel), .. } = step else { continue };
        kernel.shared = (kernel.shared - sample.asked.dynamic_shared.min(kernel.shared))
            .saturating_add(whole.asked.dynamic_shared);
    }
}

/// Gives each launch the sectors of an access that its blocks have on the whole picture, where samples do not tell them: where it gets
/// an address within a sector, as of a part of a picture.
pub(super) fn aligned_as_there(steps: &mut [(Step, Whole)], sample: &[Launched], whole: &[Launched]) {
    for ((step, _), (sample, whole)) in kernels(steps).zip(sample.iter().zip(whole)) {
        let (Step::Work { work: Work::Kernel(kernel), .. }, Some(tried)) = (step, &whole.asked.tried) else {
            continue;
        };
        if ![sample, whole].into_iter().any(|launched| within_a_sector(&launched.asked)) {
            continue;
        }
        let mut all = Counters::default();
        tried.groups.iter().for_each(|(_, counters)| all.add(counters));
        kernel.align(&sample.kernel.counters, &all);
    }
}

/// Bytes of a sector of global memory.
const SECTOR: u64 = 32;

/// Whether an argument of a launch is an address of device memory at which no sector begins.
fn within_a_sector(asked: &Asked) -> bool {
    let addresses = asked.arguments.iter().flat_map(|bytes| bytes.as_chunks().0);
    addresses
        .map(|bytes| u64::from_le_bytes(*bytes))
        .any(|address| is_allocated_on_device(address) && !address.is_multiple_of(SECTOR))
}

/// Whether the host function copies or fills more or less often on the whole picture than on the sample.
pub(super) fn other_steps(sample: &[Step], whole: &[Step]) -> bool {
    let count = |steps: &[Step]| {
        let moves = |step: &&Step| match step {
            Step::Work { work, .. } => !matches!(work, Work::Kernel(_) | Work::Compute(_)),
            _ => false,
        };
        steps.iter().filter(moves).count()
    };
    count(sample) != count(whole)
}

/// Bytes that go over the link: to the GPU, and back.
pub(super) fn over_the_link(steps: &[Step]) -> [u64; 2] {
    steps.iter().fold([0; 2], |mut sums, step| {
        if let Step::Work { work: Work::Transfer(transfer), .. } = step {
            sums[usize::from(!transfer.up)] += transfer.bytes;
        }
        sums
    })
}

pub(super) fn grid(step: &Step) -> Option<[u32; 3]> {
    match step {
        Step::Work { work: Work::Kernel(kernel), .. } => Some(kernel.grid),
        _ => None,
    }
}

pub(super) fn blocks(grid: [u32; 3]) -> f64 {
    grid.into_iter().map(f64::from).product()
}

pub(super) fn kernels(steps: &mut [(Step, Whole)]) -> impl Iterator<Item = &mut (Step, Whole)> {
    steps.iter_mut().filter(|(step, _)| grid(step).is_some())
}

/// Notes which work comes after other work, and how much that has moved.
fn marked(mut steps: Vec<(Step, Whole)>) -> Vec<(Step, Whole)> {
    let mut earlier: Option<f64> = None;
    for (step, whole) in &mut steps {
        whole.earlier = earlier;
        let Step::Work { work, .. } = step else { continue };
        let moved = match work {
            Work::Kernel(kernel) => kernel.bytes() * whole.scale,
            Work::Memory(bytes) => *bytes as f64 * whole.scale,
            _ => 0.0,
        };
        earlier = Some(earlier.map_or(moved, |most| most.max(moved)));
    }
    steps
}
