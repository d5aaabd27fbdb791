//! Fetches of one pixel per lane, for all lanes at once.

use super::super::fault::Fault;
use super::super::observer::Observer;
use super::super::run::Environment;
use super::super::warp::Warp;
use super::{between, seen};
use crate::decode::{Fetch, Inst};
use crate::image::{Coordinates, Numbers, Pixels, Places, Sampler, Texel, filtered, places, taken};
use crate::isa::{BIT, FULL, LANES};

/// The weight of a pixel that is the only one.
const ALL: u32 = 1 << 16;

/// Bytes read as fractions: the bits of `byte / 255`.
static FRACTIONS: [u32; 256] = {
    let mut fractions = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        fractions[byte] = ((byte as f64 / 255.0) as f32).to_bits();
        byte += 1;
    }
    fractions
};

/// Columns and rows, if all lanes need one pixel each, and their coordinates do not repeat the image.
pub(super) fn lanes_places(
    warp: &Warp,
    lists: &[u16],
    fetch: Fetch,
    (pixels, sampler): (&Pixels, &Sampler),
    group: u32,
) -> Option<[Places; 2]> {
    if fetch.gather.is_some() {
        return None;
    }
    let coordinates = match (fetch.whole, between(fetch, (pixels, sampler))) {
        (true, _) => Coordinates::Numbers,
        (false, false) => Coordinates::Inside,
        (false, true) => Coordinates::Between,
    };
    let along = |axis: usize| {
        if axis >= usize::from(fetch.axes) {
            return Some(Places::FIRST);
        }
        let words = &warp.regs.r32[lists[fetch.list as usize + 4 + axis] as usize];
        places(pixels, sampler, axis, (coordinates, words), group)
    };
    Some([along(0)?, along(1)?])
}

/// Carries such a fetch out.
#[expect(clippy::too_many_arguments, reason = "one instruction's particulars, taken apart by the caller")]
pub(super) fn fetch_places<O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
    observer: &mut O,
    inst: &Inst,
    fetch: Fetch,
    object: (&Pixels, &Sampler),
    [columns, rows]: &[Places; 2],
    (group, pc): (u32, u32),
) -> Result<(), Fault> {
    let pixels = object.0;
    let bytes = pixels.texel.bytes();
    let mut addresses = [0; LANES];
    for (address, (column, row)) in addresses.iter_mut().zip(columns.at.iter().zip(&rows.at)) {
        *address = pixels.address + u64::from(*row) * pixels.pitch + u64::from(*column) * bytes;
    }
    let inside = group & !(columns.outside | rows.outside);
    macro_rules! put {
        ($($size:literal)*) => {
            match bytes {
                $($size => {
                    let mut texels = [[0; $size]; LANES];
                    if inside != 0 {
                        let located = seen(warp, env, observer, inst, (&addresses, inside, inside), bytes, pc)?;
                        texels = env.view.gather::<$size>(located, &addresses, inside);
                    }
                    put::<$size>(warp, &env.program.lists, fetch, object, &texels, (group, inside));
                })*
                _ => unreachable!("a texel has 1 to 16 bytes"),
            }
        };
    }
    put!(1 2 4 8 16);
    Ok(())
}

/// The values, to the result registers; those outside get the border's colour.
fn put<const W: usize>(
    warp: &mut Warp,
    lists: &[u16],
    fetch: Fetch,
    (pixels, sampler): (&Pixels, &Sampler),
    texels: &[[u8; W]; LANES],
    (group, inside): (u32, u32),
) {
    let texel = pixels.texel;
    let between = between(fetch, (pixels, sampler));
    let value = |pixel: Option<&[u8; 16]>, number: usize| {
        if between {
            filtered(texel, sampler, &[(pixel, ALL)], number)
        } else {
            taken(texel, sampler, pixel, number)
        }
    };
    for number in 0..4 {
        let outside = value(None, number);
        let values = &mut warp.regs.r32[lists[fetch.list as usize + number] as usize];
        let absent = number >= usize::from(texel.channels);
        let found =
            if absent { [outside; LANES] } else { channel(texel, sampler, between, texels, number, value) };
        if inside == FULL {
            *values = found;
            continue;
        }
        for lane in 0..LANES {
            let new = if inside & BIT[lane] != 0 { found[lane] } else { outside };
            values[lane] = if group & BIT[lane] != 0 { new } else { values[lane] };
        }
    }
}

/// A channel of all lanes' pixels. `value` tells it for one pixel.
#[inline(always)]
fn channel<const W: usize>(
    texel: Texel,
    sampler: &Sampler,
    between: bool,
    texels: &[[u8; W]; LANES],
    number: usize,
    value: impl Fn(Option<&[u8; 16]>, usize) -> u32,
) -> [u32; LANES] {
    // Inside in any case; so the compiler knows it, too.
    let at = number * usize::from(texel.bits / 8) % W;
    let as_it_is = !between && !sampler.fractions;
    match (texel.bits, texel.numbers) {
        (8, Numbers::Unsigned) if as_it_is => texels.map(|texel| u32::from(texel[at])),
        (8, Numbers::Unsigned) if sampler.fractions => texels.map(|texel| FRACTIONS[usize::from(texel[at])]),
        (32, _) if !between && texel.one().is_none() => {
            texels.map(|texel| u32::from_le_bytes(std::array::from_fn(|byte| texel[(at + byte) % W])))
        }
        _ => texels.map(|texel| {
            let mut pixel = [0; 16];
            pixel[..W].copy_from_slice(&texel);
            value(Some(&pixel), number)
        }),
    }
}
