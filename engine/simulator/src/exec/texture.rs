//! Texture fetches of a warp.

mod nearest;

use super::fault::{Fault, FaultKind};
use super::observer::{Observer, Place, Request};
use super::run::{Environment, fault};
use super::warp::Warp;
use crate::decode::{Access, Fetch, Inst, Where};
use crate::image::{Axis, Filter, Pixels, Sampler, Tap, axis, corners, filtered, position, taken};
use crate::isa::AccessKind;
use crate::isa::lanes;
use crate::isa::{BIT, LANES};
use crate::memory::{Located, View};
use crate::ptx::ast::Space;
use nearest::{fetch_places, lanes_places};

/// Bytes of the unit in which caches fetch: pixels of one fetch in the same one are asked for once.
const SECTOR: u64 = 32;
/// Pixels of one fetch at the most.
const TAPS: usize = 4;

/// Instructions that take as long as fetching one pixel per lane: what it counts for in the limits.
const INSTRUCTIONS_OF_A_FETCH: u64 = 32;

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
        let mut group = 0;
        for (other, bit) in handles.iter().zip(BIT) {
            group |= if *other == handle { bit } else { 0 };
        }
        let mut group = group & remaining;
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
        let pixels = if fetch.axes == 3 {
            let number =
                slice_of(warp, &env.program.lists, fetch, (&pixels, &sampler), group.trailing_zeros());
            let same = |lane| slice_of(warp, &env.program.lists, fetch, (&pixels, &sampler), lane) == number;
            group = lanes(group).filter(|&lane| same(lane as u32)).fold(0, |group, lane| group | BIT[lane]);
            let Some(number) = number else {
                put_border(warp, &env.program.lists, fetch, (&pixels, &sampler), group);
                remaining &= !group;
                continue;
            };
            pixels.slice(number)
        } else {
            pixels
        };
        let object = (&pixels, &sampler);
        let taps = if fetch.gather.is_some() || between(fetch, object) { TAPS } else { 1 };
        *env.budget = env.budget.saturating_sub(INSTRUCTIONS_OF_A_FETCH * taps as u64);
        // Four pixels are many times the work of one.
        if let Some(places) = lanes_places(warp, &env.program.lists, fetch, object, group) {
            fetch_places(warp, env, observer, inst, fetch, object, &places, (group, pc))?;
        } else if taps == TAPS {
            fetch_taps::<TAPS, O>(warp, env, observer, inst, fetch, object, (group, pc))?;
        } else {
            fetch_taps::<1, O>(warp, env, observer, inst, fetch, object, (group, pc))?;
        }
        remaining &= !group;
    }
    Ok(())
}

/// The slice or layer that a lane reads; `None` is the border's colour.
fn slice_of(
    warp: &Warp,
    lists: &[u16],
    fetch: Fetch,
    (pixels, sampler): (&Pixels, &Sampler),
    lane: u32,
) -> Option<u32> {
    let word = warp.regs.r32[lists[fetch.list as usize + 6] as usize][lane as usize];
    if fetch.layered {
        // The nearest layer that exists.
        return Some((word as i32).clamp(0, pixels.depth as i32 - 1) as u32);
    }
    if fetch.whole {
        return position(sampler, 2, i64::from(word as i32), pixels.depth);
    }
    axis(sampler, 2, f32::from_bits(word), pixels.depth, false).near
}

/// The border's colour, to the result registers.
fn put_border(
    warp: &mut Warp,
    lists: &[u16],
    fetch: Fetch,
    (pixels, sampler): (&Pixels, &Sampler),
    group: u32,
) {
    for number in 0..4 {
        let value = taken(pixels.texel, sampler, None, number);
        let register = lists[fetch.list as usize + number];
        lanes(group).for_each(|lane| warp.regs.r32[register as usize][lane] = value);
    }
}

/// Whether values are made of several pixels.
fn between(fetch: Fetch, (pixels, sampler): (&Pixels, &Sampler)) -> bool {
    sampler.filter == Filter::Linear && !pixels.linear && !fetch.whole
}

/// The pixels that each lane needs, by lane.
type Taps<const N: usize> = [[Tap; LANES]; N];
/// Their bytes.
type Texels<const N: usize> = [[[u8; 16]; LANES]; N];

/// Carries a fetch out that needs `N` pixels per lane, for the lanes of one texture.
fn fetch_taps<const N: usize, O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
    observer: &mut O,
    inst: &Inst,
    fetch: Fetch,
    object: (&Pixels, &Sampler),
    (group, pc): (u32, u32),
) -> Result<(), Fault> {
    let taps = taps::<N>(warp, &env.program.lists, fetch, object, group);
    let texels = read::<N, O>(warp, env, observer, inst, fetch, object.0, &taps, (group, pc))?;
    put::<N>(warp, &env.program.lists, fetch, object, &taps, &texels, group);
    Ok(())
}

fn taps<const N: usize>(
    warp: &Warp,
    lists: &[u16],
    fetch: Fetch,
    (pixels, sampler): (&Pixels, &Sampler),
    mask: u32,
) -> Taps<N> {
    let none = Tap { pixel: None, weight: 0 };
    let mut out = [[none; LANES]; N];
    let origin = Axis { near: Some(0), far: Some(0), weight: 0 };
    let mut along = [[origin; LANES]; 2];
    let sizes = [pixels.width, pixels.height];
    for (number, along) in along.iter_mut().enumerate().take(usize::from(fetch.axes)) {
        let words = &warp.regs.r32[lists[fetch.list as usize + 4 + number] as usize];
        let size = sizes[number];
        for lane in lanes(mask) {
            let word = words[lane];
            along[lane] = if fetch.whole {
                let near = if pixels.linear {
                    (word < size).then_some(word)
                } else {
                    position(sampler, number, i64::from(word as i32), size)
                };
                Axis { near, far: near, weight: 0 }
            } else {
                axis(sampler, number, f32::from_bits(word), size, N > 1)
            };
        }
    }
    for lane in lanes(mask) {
        // With one pixel it is the first corner, which has all the weight.
        for (tap, corner) in out.iter_mut().zip(corners(along[0][lane], along[1][lane])) {
            tap[lane] = corner;
        }
    }
    out
}

/// The bytes of each tap of each lane.
#[expect(clippy::too_many_arguments, reason = "one instruction's particulars, taken apart by the caller")]
fn read<const N: usize, O: Observer>(
    warp: &Warp,
    env: &mut Environment<'_, '_>,
    observer: &mut O,
    inst: &Inst,
    fetch: Fetch,
    pixels: &Pixels,
    taps: &Taps<N>,
    (group, pc): (u32, u32),
) -> Result<Texels<N>, Fault> {
    let mut out = [[[0; 16]; LANES]; N];
    let bytes = pixels.texel.bytes();
    let gathers = fetch.gather.is_some();
    let mut sectors = [[u64::MAX; N]; LANES];
    for (number, tap) in taps.iter().enumerate() {
        let (addresses, mask, fresh) = wanted(number, tap, pixels, gathers, group, &mut sectors);
        if mask == 0 {
            continue;
        }
        let located = seen(warp, env, observer, inst, (&addresses, mask, fresh), bytes, pc)?;
        copy_texels(env.view, located, &addresses, mask, bytes, &mut out[number]);
    }
    Ok(out)
}

/// Where the pixels of one tap lie, shown to the observer: their addresses, the lanes that read them, and those of them that have not
/// read from its sector yet.
fn seen<O: Observer>(
    warp: &Warp,
    env: &mut Environment<'_, '_>,
    observer: &mut O,
    inst: &Inst,
    (addresses, mask, fresh): (&[u64; LANES], u32, u32),
    bytes: u64,
    pc: u32,
) -> Result<Located, Fault> {
    let located = env.view.locate(addresses, mask, bytes).map_err(|lane| Fault {
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
        let request = Request::new(Space::Global, AccessKind::Read, mask, addresses, bytes);
        let (shared, view, program) = (&*env.shared, &*env.view, env.program);
        let place = Place { warp, inst, access: &access, program, located: Some(located), shared, view };
        observer.texels(pc, &request, fresh, &place);
    }
    Ok(located)
}

/// The addresses of tap `number`, the lanes that read it, and those of them that have not read from its sector yet.
fn wanted<const N: usize>(
    number: usize,
    tap: &[Tap; LANES],
    pixels: &Pixels,
    gathers: bool,
    group: u32,
    sectors: &mut [[u64; N]; LANES],
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
fn put<const N: usize>(
    warp: &mut Warp,
    lists: &[u16],
    fetch: Fetch,
    (pixels, sampler): (&Pixels, &Sampler),
    taps: &Taps<N>,
    texels: &Texels<N>,
    group: u32,
) {
    // Against the clock, from the far row's near column.
    const GATHERED: [usize; TAPS] = [2, 3, 1, 0];
    let texel = pixels.texel;
    let pixel = |tap: usize, lane: usize| taps[tap][lane].pixel.map(|_| &texels[tap][lane]);
    for number in 0..4 {
        let register = lists[fetch.list as usize + number];
        let values = &mut warp.regs.r32[register as usize];
        if let Some(channel) = fetch.gather {
            for lane in lanes(group) {
                values[lane] = taken(texel, sampler, pixel(GATHERED[number], lane), usize::from(channel));
            }
        } else if number >= usize::from(texel.channels) {
            let absent = taken(texel, sampler, None, number);
            lanes(group).for_each(|lane| values[lane] = absent);
        } else if between(fetch, (pixels, sampler)) {
            for lane in lanes(group) {
                let weighted: [_; N] = std::array::from_fn(|tap| (pixel(tap, lane), taps[tap][lane].weight));
                values[lane] = filtered(texel, sampler, &weighted, number);
            }
        } else {
            lanes(group).for_each(|lane| values[lane] = taken(texel, sampler, pixel(0, lane), number));
        }
    }
}
