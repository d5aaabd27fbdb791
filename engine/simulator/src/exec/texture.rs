//! Texture fetches of a warp.

use super::fault::{Fault, FaultKind};
use super::observer::{Observer, Place, Request};
use super::run::{Environment, fault};
use super::warp::Warp;
use crate::decode::{Access, Fetch, Inst, Where};
use crate::image::{Axis, Filter, Pixels, Sampler, Tap, axis, corners, filtered, position, taken};
use crate::isa::AccessKind;
use crate::isa::LANES;
use crate::isa::lanes;
use crate::memory::{Located, View};
use crate::ptx::ast::Space;

/// Bytes of the unit in which caches fetch: pixels of one fetch in the same one are asked for once.
const SECTOR: u64 = 32;
/// Pixels of one fetch at the most.
const TAPS: usize = 4;

/// Carries a fetch out, for the lanes of each texture in turn.
pub(super) fn fetch<O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
    observer: &mut O,
    inst: &Inst,
    fetch: Fetch,
    mask: u32,
    pc: u32,
) -> Result<(), Fault> {
    let handles = warp.regs.r64[inst.a as usize];
    let mut remaining = mask;
    while remaining != 0 {
        let handle = handles[remaining.trailing_zeros() as usize];
        let group = lanes(remaining)
            .filter(|&lane| handles[lane] == handle)
            .fold(0u32, |group, lane| group | 1 << lane);
        let bad = |kind| fault(warp, pc, group, kind);
        let (pixels, sampler) = env
            .view
            .memory()
            .objects
            .texture(handle)
            .map_err(|problem| bad(FaultKind::BadObject { surface: false, problem }))?;
        let gives_float = sampler.fractions || pixels.texel.numbers == crate::image::Numbers::Float;
        if gives_float != fetch.float {
            return Err(bad(FaultKind::TextureType { float: gives_float }));
        }
        let taps = taps(warp, env.program.lists.as_slice(), fetch, &pixels, &sampler, group);
        let texels = read(warp, env, observer, inst, fetch, &pixels, &taps, (group, pc))?;
        put(warp, &env.program.lists, fetch, (&pixels, &sampler), &taps, &texels, group);
        remaining &= !group;
    }
    Ok(())
}

type Taps = [[Tap; LANES]; TAPS];

/// The pixels that each lane needs.
fn taps(warp: &Warp, lists: &[u16], fetch: Fetch, pixels: &Pixels, sampler: &Sampler, mask: u32) -> Taps {
    let none = Tap { pixel: None, weight: 0 };
    let mut out = [[none; LANES]; TAPS];
    let register = |axis: usize| &warp.regs.r32[lists[fetch.list as usize + 4 + axis] as usize];
    let between = fetch.gather.is_some() || sampler.filter == Filter::Linear && !pixels.linear;
    let sizes = [pixels.width, pixels.height];
    for lane in lanes(mask) {
        let mut along = [Axis { near: Some(0), far: Some(0), weight: 0 }; 2];
        for (number, along) in along.iter_mut().enumerate().take(usize::from(fetch.axes)) {
            let word = register(number)[lane];
            *along = if fetch.whole {
                let near = if pixels.linear {
                    (word < sizes[number]).then_some(word)
                } else {
                    position(sampler, number, i64::from(word as i32), sizes[number])
                };
                Axis { near, far: near, weight: 0 }
            } else {
                axis(sampler, number, f32::from_bits(word), sizes[number], between)
            };
        }
        for (tap, corner) in out.iter_mut().zip(corners(along[0], along[1])) {
            tap[lane] = corner;
        }
    }
    out
}

/// The bytes of each tap of each lane.
#[expect(clippy::too_many_arguments, reason = "one instruction's particulars, taken apart by the caller")]
fn read<O: Observer>(
    warp: &Warp,
    env: &mut Environment<'_, '_>,
    observer: &mut O,
    inst: &Inst,
    fetch: Fetch,
    pixels: &Pixels,
    taps: &Taps,
    (group, pc): (u32, u32),
) -> Result<Box<[[[u8; 16]; LANES]; TAPS]>, Fault> {
    let mut out = Box::new([[[0; 16]; LANES]; TAPS]);
    let bytes = pixels.texel.bytes();
    let access = Access {
        space: Where::In(Space::Global),
        width: bytes.min(8) as u8,
        vector: 1,
        signed: false,
        wide: false,
        wide_address: true,
        strong: false,
        offset: 0,
        list: 0,
    };
    let gathers = fetch.gather.is_some();
    let mut sectors = [[u64::MAX; TAPS]; LANES];
    for (number, tap) in taps.iter().enumerate() {
        let (addresses, mask, fresh) = wanted(number, tap, pixels, gathers, group, &mut sectors);
        if mask == 0 {
            continue;
        }
        let located = env.view.locate(&addresses, mask, bytes).map_err(|lane| Fault {
            kind: FaultKind::OutOfBounds {
                address: addresses[lane],
                bytes,
                kind: AccessKind::Read,
                space: Space::Global,
            },
            pc,
            warp: warp.index,
            lane: lane as u32,
        })?;
        if O::MEMORY {
            let request = Request::new(Space::Global, AccessKind::Read, mask, &addresses, bytes);
            let (shared, view, program) = (&*env.shared, &*env.view, env.program);
            let place = Place { warp, inst, access: &access, program, located: Some(located), shared, view };
            observer.texels(pc, &request, fresh, &place);
        }
        copy_texels(env.view, located, &addresses, mask, bytes, &mut out[number]);
    }
    Ok(out)
}

/// The addresses of tap `number`, the lanes that read it, and those of them that have not read from its sector yet.
fn wanted(
    number: usize,
    tap: &[Tap; LANES],
    pixels: &Pixels,
    gathers: bool,
    group: u32,
    sectors: &mut [[u64; TAPS]; LANES],
) -> ([u64; LANES], u32, u32) {
    let mut addresses = [0; LANES];
    let (mut mask, mut fresh) = (0u32, 0u32);
    for lane in lanes(group) {
        // A tap without weight is not read.
        let Some((column, row)) = tap[lane].pixel.filter(|_| gathers || tap[lane].weight > 0) else {
            continue;
        };
        let address =
            pixels.address + u64::from(row) * pixels.pitch + u64::from(column) * pixels.texel.bytes();
        addresses[lane] = address;
        mask |= 1 << lane;
        let sector = address / SECTOR;
        fresh |= u32::from(!sectors[lane][..number].contains(&sector)) << lane;
        sectors[lane][number] = sector;
    }
    (addresses, mask, fresh)
}

/// The bytes of one texel per lane.
fn copy_texels(
    view: &mut View<'_>,
    located: Located,
    addresses: &[u64; LANES],
    mask: u32,
    bytes: u64,
    out: &mut [[u8; 16]; LANES],
) {
    macro_rules! gather {
        ($($size:literal)*) => {
            match bytes {
                $($size => {
                    let texels = view.gather::<$size>(located, addresses, mask);
                    for lane in lanes(mask) {
                        out[lane][..$size].copy_from_slice(&texels[lane]);
                    }
                })*
                _ => unreachable!("a texel has 1 to 16 bytes"),
            }
        };
    }
    gather!(1 2 4 8 16);
}

/// The values, to the result registers.
fn put(
    warp: &mut Warp,
    lists: &[u16],
    fetch: Fetch,
    (pixels, sampler): (&Pixels, &Sampler),
    taps: &Taps,
    texels: &[[[u8; 16]; LANES]; TAPS],
    group: u32,
) {
    // Against the clock, from the far row's near column.
    const GATHERED: [usize; TAPS] = [2, 3, 1, 0];
    let smooth = sampler.filter == Filter::Linear && !pixels.linear && !fetch.whole;
    for lane in lanes(group) {
        let pixel = |tap: usize| taps[tap][lane].pixel.map(|_| &texels[tap][lane]);
        for number in 0..4 {
            let value = match fetch.gather {
                Some(channel) => taken(pixels.texel, sampler, pixel(GATHERED[number]), usize::from(channel)),
                None if smooth => {
                    let weighted: [_; TAPS] = std::array::from_fn(|tap| (pixel(tap), taps[tap][lane].weight));
                    filtered(pixels.texel, sampler, &weighted, number)
                }
                None => taken(pixels.texel, sampler, pixel(0), number),
            };
            let register = lists[fetch.list as usize + number];
            warp.regs.r32[register as usize][lane] = value;
        }
    }
}
