//! Which pixel belongs to which thread, where a launch has a thread for every pixel.

use std::collections::BTreeSet;

use runtime::engine::{Toucher, Touches, Witness, WitnessedLaunch};

/// Pixels of the widest word.
const WORD: usize = 16;

/// A thread that touched one element alone, and not the one of its own number: the thread, that element, and its own.
/// `None` unless one launch touched them all, and has a thread for every pixel: kernels that share a picture, as one for its border and
/// one for the rest, number their pixels as they like.
pub fn stranger(
    witness: &Witness,
    elements: &[Touches],
    (width, height): (usize, usize),
    threads: impl Fn(&Touches) -> [Option<Toucher>; 2],
) -> Option<(Toucher, usize, usize)> {
    let mut touched: Vec<(Toucher, usize)> = elements
        .iter()
        .enumerate()
        .flat_map(|(at, touches)| threads(touches).into_iter().flatten().map(move |thread| (thread, at)))
        .collect();
    touched.sort_unstable();
    // The last few alone are what is left over from whole words, by threads that are counted anew.
    let mut all: Vec<usize> = touched.iter().map(|(_, at)| *at).collect();
    all.sort_unstable();
    if all.len() < WORD && all.first().is_some_and(|first| *first > 0 && first + all.len() == elements.len())
    {
        return None;
    }
    if touched.first().map(|(first, _)| first.launch) != touched.last().map(|(last, _)| last.launch)
        || idles(witness)
    {
        return None;
    }
    if has_halo_threads(witness, elements, &touched, width, width * height) {
        return None;
    }
    let same = |one: &Toucher, other: &Toucher| {
        (one.launch, one.block, one.thread) == (other.launch, other.block, other.thread)
    };
    let alone = touched.chunk_by(|one, other| same(&one.0, &other.0)).map(|chunk| (chunk.len(), chunk[0]));
    let mut wrong = None;
    for (count, (thread, at)) in alone {
        let launch = witness.launches.get(thread.launch as usize)?;
        // Several pixels per thread may be in any order.
        if count != 1 || !covers(launch, width, height) {
            return None;
        }
        let own = number(launch, thread, width);
        if wrong.is_none() && own.is_some_and(|own| own != at && own < width * height) {
            wrong = own.map(|own| (thread, at, own));
        }
    }
    wrong
}

/// Whether the threads in some column or row of all blocks touch nothing, though they have pixels by their number: they only load what lies
/// around the pixels of the others, so that a thread with a pixel has another number than that.
fn has_halo_threads(
    witness: &Witness,
    elements: &[Touches],
    touched: &[(Toucher, usize)],
    width: usize,
    pixels: usize,
) -> bool {
    let Some(launch) = touched.first().and_then(|(first, _)| witness.launches.get(first.launch as usize))
    else {
        return false;
    };
    // Of more threads that touch one element, not all are known.
    if elements.iter().any(|touches| touches.writes.max(touches.reads) > 2) {
        return false;
    }
    let busy: BTreeSet<(usize, u32)> = touched
        .iter()
        .flat_map(|(thread, _)| {
            let own = coordinates(launch, *thread).1;
            [(0, own[0]), (1, own[1])]
        })
        .collect();
    let threads: u32 = launch.block.iter().product();
    // The first block alone has threads at all places with a pixel, if any has.
    (0..threads).any(|thread| {
        let thread = Toucher { launch: touched[0].0.launch, block: 0, thread, line: 0 };
        let own = coordinates(launch, thread).1;
        let idle = [0, 1].into_iter().any(|axis| !busy.contains(&(axis, own[axis])));
        idle && number(launch, thread, width).is_some_and(|own| own < pixels)
    })
}

/// Whether a launch touched no buffer: there may be a part of a picture that this one lacks.
fn idles(witness: &Witness) -> bool {
    let bytes = witness.buffers.iter().flat_map(|buffer| &buffer.bytes);
    let threads = bytes.flat_map(|touches| touches.writers.iter().chain(&touches.readers)).flatten();
    let busy: BTreeSet<u32> = threads.map(|thread| thread.launch).collect();
    busy.len() < witness.launches.len()
}

/// Whether a launch has a thread for every pixel, in one dimension or in two, and hardly a block more: with many more, a thread is meant for
/// something else than a pixel.
fn covers(launch: &WitnessedLaunch, width: usize, height: usize) -> bool {
    let fits = |side: usize, all: usize| {
        let needed = all.div_ceil(launch.block[side].max(1) as usize);
        (needed..=needed + 1).contains(&(launch.grid[side] as usize))
    };
    let flat = launch.grid[2] == 1 && launch.block[2] == 1;
    let one = launch.grid[1] == 1 && launch.block[1] == 1;
    flat && (if one { fits(0, width * height) } else { fits(0, width) && fits(1, height) })
}

/// The pixel with the number of a thread; `None` if the thread lies beyond the image.
fn number(launch: &WitnessedLaunch, thread: Toucher, width: usize) -> Option<usize> {
    let (block, own) = coordinates(launch, thread);
    let at = [0, 1].map(|side| (block[side] * launch.block[side] + own[side]) as usize);
    if launch.grid[1] * launch.block[1] == 1 {
        return Some(at[0]);
    }
    (at[0] < width).then(|| at[1] * width + at[0])
}

/// `blockIdx` and `threadIdx`.
pub fn coordinates(launch: &WitnessedLaunch, thread: Toucher) -> ([u32; 3], [u32; 3]) {
    let split = |at: u64, of: [u32; 3]| {
        let [x, y] = [u64::from(of[0].max(1)), u64::from(of[1].max(1))];
        [at % x, at / x % y, at / x / y].map(|part| part as u32)
    };
    (split(thread.block, launch.grid), split(u64::from(thread.thread), launch.block))
}
