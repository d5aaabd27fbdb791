//! The columns and rows of all lanes of a fetch that takes one pixel each.
//!
//! Loops over all lanes without a branch, so that the compiler can use vector instructions; what lanes hold that do not take part makes
//! no difference. Where coordinates repeat the image, or lie between pixels, [`super::axis`] tells lane by lane.

use super::objects::Pixels;
use super::sample::{AddressMode, Sampler, WHOLE};
use crate::isa::{BIT, LANES};

/// A column or a row for each lane.
pub(crate) struct Places {
    /// Inside the image.
    pub at: [u32; LANES],
    /// Lanes that get the border's colour instead.
    pub outside: u32,
}

impl Places {
    /// The only row of an image of one dimension.
    pub const FIRST: Self = Self { at: [0; LANES], outside: 0 };
}

/// How a fetch uses coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coordinates {
    /// They number pixels.
    Numbers,
    /// The pixel that they lie in.
    Inside,
    /// Those around it; here only if they lie at the centre of one.
    Between,
}

/// Added to a number, it leaves a whole one, whose last bits are those of the sum.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// Numbers below are far from those that [`ROUND`] does not round.
const NEAR: f64 = 1e9;

/// The largest whole number that is not larger, of a number of at most 2^51.
#[inline(always)]
fn floor(number: f64) -> f64 {
    let rounded = (number + ROUND) - ROUND;
    if rounded > number { rounded - 1.0 } else { rounded }
}

/// The places along an axis for the coordinates in these words; `None` where they have to be found lane by lane for the lanes of
/// `mask`.
#[expect(clippy::float_cmp, reason = "both are whole numbers")]
pub(crate) fn places(
    pixels: &Pixels,
    sampler: &Sampler,
    axis: usize,
    (coordinates, words): (Coordinates, &[u32; LANES]),
    mask: u32,
) -> Option<Places> {
    let size = i32::try_from([pixels.width, pixels.height][axis]).ok().filter(|size| *size > 0)?;
    let mode = sampler.address[axis];
    let plain = coordinates == Coordinates::Numbers && pixels.linear;
    if !plain && sampler.normalized && matches!(mode, AddressMode::Wrap | AddressMode::Mirror) {
        return None;
    }
    let mut at = [0i32; LANES];
    match coordinates {
        Coordinates::Numbers => {
            for (at, word) in at.iter_mut().zip(words) {
                *at = (*word as i32).max(-1).min(size);
            }
        }
        Coordinates::Inside if !sampler.normalized && size < SINGLE => {
            single(words, 0.0, size, &mut at);
        }
        // At most what the subtraction rounds off they are not at a centre: much less than half a step.
        Coordinates::Between
            if !sampler.normalized && size < SINGLE && single(words, 0.5, size, &mut at) & mask == 0 => {}
        Coordinates::Inside => {
            let end = f64::from(size);
            for (at, word) in at.iter_mut().zip(words) {
                *at = number(floor(in_pixels(*word, sampler.normalized, end).max(-1.0).min(end)), end);
            }
        }
        Coordinates::Between => {
            let end = f64::from(size);
            let mut between = 0;
            for (lane, (at, word)) in at.iter_mut().zip(words).enumerate() {
                let pixels = in_pixels(*word, sampler.normalized, end);
                let steps = floor((pixels.clamp(-NEAR, NEAR) - 0.5) * WHOLE as f64 + 0.5);
                let near = floor(steps * (1.0 / WHOLE as f64));
                let is_centre = near * WHOLE as f64 == steps && pixels.abs() < NEAR;
                between |= if is_centre { 0 } else { BIT[lane] };
                *at = number(near, end);
            }
            if between & mask != 0 {
                return None;
            }
        }
    }
    let mut outside = 0;
    if plain || mode == AddressMode::Border {
        for (at, bit) in at.iter().zip(BIT) {
            outside |= if *at < 0 || *at >= size { bit } else { 0 };
        }
    }
    Some(Places { at: at.map(|at| at.max(0).min(size - 1) as u32), outside })
}

/// A coordinate in pixels of an image with so many along the axis.
#[inline(always)]
fn in_pixels(word: u32, normalized: bool, size: f64) -> f64 {
    let pixels = f64::from(f32::from_bits(word)) * if normalized { size } else { 1.0 };
    if pixels.is_nan() { 0.0 } else { pixels }
}

/// A whole number as one of −1 to `end`.
#[inline(always)]
fn number(whole: f64, end: f64) -> i32 {
    (whole.max(-1.0).min(end) + ROUND).to_bits() as i32
}

/// Images of fewer pixels along an axis do with single precision: half the work.
const SINGLE: i32 = 1 << 22;
/// [`ROUND`] in single precision, and its bits.
const ROUND_SINGLE: f32 = 12_582_912.0;
const ROUND_BITS: u32 = ROUND_SINGLE.to_bits();

/// The largest whole numbers that are not larger than the coordinates without `shift`; −1 and `size` stand for all outside. Returns the
/// lanes whose coordinates are others.
#[expect(clippy::float_cmp, reason = "whether it is a whole number")]
fn single(words: &[u32; LANES], shift: f32, size: i32, at: &mut [i32; LANES]) -> u32 {
    let end = size as f32;
    let mut others = 0;
    for ((at, word), bit) in at.iter_mut().zip(words).zip(BIT) {
        let pixels = f32::from_bits(*word);
        let pixels = if pixels.is_nan() { 0.0 } else { pixels } - shift;
        let inside = pixels.max(-1.0).min(end);
        let rounded = inside + ROUND_SINGLE;
        let whole = rounded - ROUND_SINGLE;
        let beyond = i32::from(whole > inside);
        *at = rounded.to_bits().wrapping_sub(ROUND_BITS) as i32 - beyond;
        others |= if whole == pixels { 0 } else { bit };
    }
    others
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::super::{Axis, Filter, Numbers, Texel, axis, position};
    use super::*;

    /// Coordinates at pixels, at their borders and centres, far outside, and no numbers.
    const COORDINATES: [f32; 24] = [
        0.0,
        -0.0,
        0.25,
        0.5,
        0.999,
        1.0,
        1.5,
        2.5,
        2.498,
        2.502,
        3.5,
        4.0,
        4.5,
        5.0,
        -0.5,
        -0.001,
        -1.0,
        -7.5,
        1e8,
        -1e8,
        1e20,
        -1e20,
        f32::NAN,
        f32::INFINITY,
    ];

    #[test]
    fn all_lanes_get_what_one_would_get() {
        let texel = Texel::new(1, 8, Numbers::Unsigned).unwrap();
        for (linear, normalized) in [(false, false), (false, true), (true, false)] {
            let pixels = Pixels { address: 0, width: 5, height: 4, depth: 1, pitch: 5, texel, linear };
            for mode in [AddressMode::Clamp, AddressMode::Border, AddressMode::Wrap, AddressMode::Mirror] {
                let sampler = Sampler {
                    address: [mode; 3],
                    filter: Filter::Linear,
                    normalized,
                    fractions: false,
                    border: [0.0; 4],
                };
                let scale = if normalized { 0.2 } else { 1.0 };
                let given = COORDINATES.map(|coordinate| coordinate * scale);
                let floats: [u32; LANES] = std::array::from_fn(|lane| given[lane % given.len()].to_bits());
                let numbers: [u32; LANES] = std::array::from_fn(|lane| (lane as u32).wrapping_sub(9));
                let told = |coordinates, words: &[u32; LANES], lane: usize| {
                    let places = places(&pixels, &sampler, 0, (coordinates, words), 1 << lane)?;
                    Some((places.outside >> lane & 1 == 0).then_some(places.at[lane]))
                };
                for lane in 0..LANES {
                    let coordinate = f32::from_bits(floats[lane]);
                    let one = axis(&sampler, 0, coordinate, 5, false).near;
                    let found = told(Coordinates::Inside, &floats, lane);
                    assert!(found.is_none_or(|found| found == one), "{coordinate} {sampler:?}");
                    let Axis { near, weight, .. } = axis(&sampler, 0, coordinate, 5, true);
                    let found = told(Coordinates::Between, &floats, lane);
                    assert!(
                        found.is_none_or(|found| (found, 0) == (near, weight)),
                        "{coordinate} {sampler:?}"
                    );
                    let word = numbers[lane];
                    let one = if linear {
                        (word < 5).then_some(word)
                    } else {
                        position(&sampler, 0, i64::from(word as i32), 5)
                    };
                    let found = told(Coordinates::Numbers, &numbers, lane);
                    assert!(found.is_none_or(|found| found == one), "{word} {sampler:?}");
                    let repeats = normalized && matches!(mode, AddressMode::Wrap | AddressMode::Mirror);
                    assert_eq!(found.is_none(), repeats, "{sampler:?}");
                }
                let centre = told(Coordinates::Between, &[1.5f32.to_bits(); LANES], 0);
                assert!(normalized || centre == Some(Some(1)), "{sampler:?}");
            }
        }
    }
}
