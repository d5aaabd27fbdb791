//! What the kernels of a task do per pixel: which idea they lack is told from that.

use std::collections::BTreeSet;

use lab::Signs;
use runtime::engine::{HostMemory, Step, Transfer, Work};
use simulator::model::{Kernel, MachineWork, Whole};
use simulator::{Class, Counters};

use super::costs::Cost;

/// Lanes of a warp.
pub const LANES: f64 = 32.0;
/// Copies of at most this many bytes are tables and counters, which do not grow with the picture.
const TABLE: u64 = 4096;

/// The signs of these steps on a picture of so many pixels. `link_share` is the share of the time in which the link is busy; `costs`
/// says what the time is spent on.
pub fn signs(steps: &[(Step, Whole)], pixels: f64, link_share: f64, costs: &[Cost]) -> Signs {
    let mut signs = Signs { link_share, ..Signs::default() };
    for cost in costs {
        signs.time[cost.part as usize] = cost.share;
    }
    let (mut streams, mut most_threads) = (BTreeSet::new(), 0.0_f64);
    let mut kernels: Vec<(&Kernel, f64)> = Vec::new();
    let mut atomics = 0.0;
    for (step, whole) in steps {
        let Step::Work { work, stream } = step else { continue };
        streams.insert(*stream);
        signs.operations += 1.0;
        match work {
            Work::Kernel(kernel) => {
                signs.launches += 1.0;
                signs.single_blocks += f64::from(u8::from(whole.blocks < 1.5));
                let threads = whole.blocks * f64::from(kernel.threads);
                if threads > most_threads {
                    (most_threads, signs.threads_per_block) = (threads, f64::from(kernel.threads));
                }
                signs.shared_bytes = signs.shared_bytes.max(f64::from(kernel.shared));
                kernels.push((kernel, whole.scale));
                let counted = kernel.counters.global_atomics;
                atomics += counted as f64 * whole.atomics_by(counted);
            }
            Work::Transfer(transfer) => transferred(&mut signs, transfer, whole.scale),
            _ => {}
        }
    }
    signs.streams = streams.len() as f64;
    signs.pixels_per_thread = pixels / most_threads.max(1.0);
    for bytes in [&mut signs.link_bytes, &mut signs.pageable_bytes, &mut signs.managed_bytes] {
        *bytes /= pixels;
    }
    of_kernels(&mut signs, &kernels, pixels);
    signs.global_atomics = atomics / pixels;
    signs
}

fn transferred(signs: &mut Signs, transfer: &Transfer, scale: f64) {
    let bytes = transfer.bytes as f64 * if transfer.bytes <= TABLE { 1.0 } else { scale };
    signs.downloads += f64::from(u8::from(!transfer.up));
    signs.link_bytes += bytes;
    match transfer.host {
        HostMemory::Pageable => signs.pageable_bytes += bytes,
        HostMemory::Managed => signs.managed_bytes += bytes,
        HostMemory::Pinned => {}
    }
}

/// Executions per pixel of the instructions in these lines of the PTX, those of a warp counted 32 times.
pub fn executed(steps: &[(Step, Whole)], lines: &[u32], pixels: f64) -> f64 {
    let of = |(step, whole): &(Step, Whole)| match step {
        Step::Work { work: Work::Kernel(kernel), .. } => {
            let own = kernel.executed.iter().filter(|one| lines.binary_search(&one.line).is_ok());
            own.map(|one| one.warps).sum::<u64>() as f64 * whole.scale
        }
        _ => 0.0,
    };
    LANES * steps.iter().map(of).sum::<f64>() / pixels
}

/// The conversions among the instructions of this class: where the machine code can be read, at most as many as it has. A number that
/// is only kept within the limits of a smaller type (`cvt.sat.u8.s32`) becomes a minimum and a maximum there.
pub fn conversions(counted: f64, machine: Option<&MachineWork>) -> f64 {
    machine.map_or(counted, |work| counted.min(work.special))
}

/// Instructions that warps execute in a launch: those of its lines, each of which grows with the picture by itself.
pub fn instructions(kernel: &Kernel) -> f64 {
    match kernel.executed.iter().map(|line| line.warps).sum::<u64>() {
        0 => kernel.counters.mix.iter().sum::<u64>() as f64,
        all => all as f64,
    }
}

fn of_kernels(signs: &mut Signs, kernels: &[(&Kernel, f64)], pixels: f64) {
    let sum = |of: fn(&Counters) -> u64| -> f64 {
        kernels.iter().map(|(kernel, scale)| of(&kernel.counters) as f64 * scale).sum()
    };
    let per_pixel = |warps: f64| LANES * warps / pixels;
    // Each kind grows with the picture in its own way, and so do the lines: the kinds are made parts of what the lines sum up to.
    let mix = |class: Class| -> f64 {
        let of = |(kernel, scale): &(&Kernel, f64)| {
            let all: u64 = kernel.counters.mix.iter().sum();
            kernel.counters.mix[class as usize] as f64 / all.max(1) as f64 * instructions(kernel) * scale
        };
        per_pixel(kernels.iter().map(of).sum())
    };
    let ratio = |one: f64, other: f64| if other > 0.0 { one / other } else { 0.0 };
    let requests = sum(Counters::global_requests);
    let least = sum(|counters| counters.global_sectors_least);
    signs.loads = per_pixel(sum(|counters| counters.global_load_requests));
    signs.stores = per_pixel(sum(|counters| counters.global_store_requests));
    signs.access_bytes = ratio(least, requests);
    signs.scattered = ratio(sum(Counters::global_sectors), least);
    signs.stores_a_sector =
        ratio(sum(|counters| counters.global_store_sectors), sum(|counters| counters.unique_write_sectors));
    signs.shared_atomics = sum(|counters| counters.shared_atomics) / pixels;
    signs.atomic_passes = ratio(
        sum(|counters| counters.shared_atomic_wavefronts),
        sum(|counters| counters.shared_atomic_requests),
    );
    signs.shared_accesses = per_pixel(sum(|counters| counters.shared_requests));
    signs.conflicts =
        ratio(sum(|counters| counters.shared_wavefronts), sum(|counters| counters.shared_wavefronts_least));
    signs.local_accesses = per_pixel(sum(|counters| counters.local_requests));
    signs.instructions = per_pixel(kernels.iter().map(|(kernel, scale)| instructions(kernel) * scale).sum());
    signs.additions = mix(Class::Int);
    signs.products = mix(Class::IntMul);
    signs.bits = mix(Class::Logic) + mix(Class::Shift);
    signs.branches = mix(Class::Control);
    let converts = |(kernel, scale): &(&Kernel, f64)| {
        conversions(kernel.counters.mix[Class::Convert as usize] as f64, kernel.machine.as_ref()) * scale
    };
    signs.conversions = per_pixel(kernels.iter().map(converts).sum());
    signs.divisions = mix(Class::IntDiv) + mix(Class::Fp32Div);
    signs.constant_words = per_pixel(sum(|counters| counters.constant_passes));
    signs.shuffles = mix(Class::Warp);
    signs.matches = mix(Class::Match);
    signs.barriers = mix(Class::Barrier);
    let ahead =
        |(kernel, scale): &(&Kernel, f64)| kernel.machine.map_or(0.0, |work| work.fetched_ahead) * scale;
    signs.copies_ahead = per_pixel(kernels.iter().map(ahead).sum());
}
