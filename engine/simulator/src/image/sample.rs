//! From a coordinate to pixels and their weights, and from pixels to the value of a fetch.

use super::format::{Numbers, Texel};

/// The meaning of a coordinate outside the image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressMode {
    /// The image again; for normalized coordinates only, else as `Clamp`.
    Wrap,
    /// The pixel at the border.
    Clamp,
    /// The image mirrored; for normalized coordinates only, else as `Clamp`.
    Mirror,
    /// The border's colour.
    Border,
}

/// How pixels become a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    /// The pixel that the coordinate lies in.
    Point,
    /// The two or four pixels whose centres lie around it, by their nearness.
    Linear,
}

/// How a texture is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampler {
    /// Along x, y and z.
    pub address: [AddressMode; 3],
    /// How pixels become a value.
    pub filter: Filter,
    /// Coordinates go from 0 to 1 over the image, and not from 0 to its size.
    pub normalized: bool,
    /// Whole numbers are read as fractions: 0 to 1, or −1 to 1.
    pub fractions: bool,
    /// The border's colour.
    pub border: [f32; 4],
}

/// A weight of 1.
pub(super) const WHOLE: i64 = 256;

/// Pixels along one axis; `None` is the border's colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Axis {
    /// The pixel at or before the coordinate.
    pub near: Option<u32>,
    /// The next one.
    pub far: Option<u32>,
    /// The share of the next one, of 256.
    pub weight: u16,
}

/// One pixel of a fetch, and its weight of 65,536.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tap {
    /// Column and row; `None` is the border's colour.
    pub pixel: Option<(u32, u32)>,
    /// Its share.
    pub weight: u32,
}

/// The pixel that a whole-numbered position stands for.
pub(crate) fn position(sampler: &Sampler, axis: usize, at: i64, size: u32) -> Option<u32> {
    let size = i64::from(size);
    let inside = match sampler.address[axis] {
        AddressMode::Wrap if sampler.normalized => at.rem_euclid(size),
        AddressMode::Mirror if sampler.normalized => {
            let there_and_back = at.rem_euclid(2 * size);
            there_and_back.min(2 * size - 1 - there_and_back)
        }
        AddressMode::Border if !(0..size).contains(&at) => return None,
        _ => at.clamp(0, size - 1),
    };
    Some(inside as u32)
}

/// A coordinate in pixels; no number counts as 0, and what is too large as far outside.
fn in_pixels(sampler: &Sampler, coordinate: f32, size: u32) -> f64 {
    let coordinate = f64::from(coordinate);
    let pixels = if sampler.normalized { coordinate * f64::from(size) } else { coordinate };
    if pixels.is_nan() { 0.0 } else { pixels.clamp(-1e15, 1e15) }
}

/// The largest whole number that is not larger, of numbers as [`in_pixels`] gives them: without the call that `f64::floor` is on
/// processors in general.
fn floor(number: f64) -> i64 {
    let towards_zero = number as i64;
    towards_zero - i64::from(towards_zero as f64 > number)
}

/// The pixels along one axis for a coordinate, with `between`: those around it, as linear filtering needs.
pub(crate) fn axis(sampler: &Sampler, axis: usize, coordinate: f32, size: u32, between: bool) -> Axis {
    let pixels = in_pixels(sampler, coordinate, size);
    if !between {
        let near = position(sampler, axis, floor(pixels), size);
        return Axis { near, far: near, weight: 0 };
    }
    // From centre to centre, in steps of 1/256.
    let steps = floor((pixels - 0.5) * WHOLE as f64 + 0.5);
    let near = steps.div_euclid(WHOLE);
    Axis {
        near: position(sampler, axis, near, size),
        far: position(sampler, axis, near + 1, size),
        weight: steps.rem_euclid(WHOLE) as u16,
    }
}

/// The four pixels of a fetch: near and far along x in the near row, then in the far row.
pub(crate) fn corners(x: Axis, y: Axis) -> [Tap; 4] {
    let tap = |column: Option<u32>, row: Option<u32>, x_weight: u32, y_weight: u32| Tap {
        pixel: column.zip(row),
        weight: x_weight * y_weight,
    };
    let (wx, wy) = (u32::from(x.weight), u32::from(y.weight));
    let whole = WHOLE as u32;
    [
        tap(x.near, y.near, whole - wx, whole - wy),
        tap(x.far, y.near, wx, whole - wy),
        tap(x.near, y.far, whole - wx, wy),
        tap(x.far, y.far, wx, wy),
    ]
}

/// A channel of one pixel as a fetch without filtering returns it: 32 bits.
pub(crate) fn taken(texel: Texel, sampler: &Sampler, pixel: Option<&[u8; 16]>, channel: usize) -> u32 {
    if channel >= usize::from(texel.channels) {
        // Absent channels are 0, and the fourth is 1.
        let float = sampler.fractions || texel.numbers == Numbers::Float;
        return if channel < 3 {
            0
        } else if float {
            1f32.to_bits()
        } else {
            1
        };
    }
    let one = texel.one().filter(|_| sampler.fractions);
    match (pixel, one) {
        (Some(pixel), None) => texel.channel(pixel, channel),
        (None, None) if texel.numbers != Numbers::Float => border_number(texel, sampler.border[channel]),
        // The same as the weighted sum of one pixel: its weight is a power of two.
        (Some(pixel), Some(one)) if texel.numbers == Numbers::Unsigned => {
            ((f64::from(texel.channel(pixel, channel)) / one) as f32).to_bits()
        }
        _ => filtered(texel, sampler, &[(pixel, WHOLE as u32 * WHOLE as u32)], channel),
    }
}

/// The border's colour where whole numbers are read.
fn border_number(texel: Texel, colour: f32) -> u32 {
    if texel.numbers == Numbers::Signed { colour as i32 as u32 } else { colour as u32 }
}

/// The weighted sum of pixels, for textures that are read as floating-point numbers; rounded once.
pub(crate) fn filtered(
    texel: Texel,
    sampler: &Sampler,
    taps: &[(Option<&[u8; 16]>, u32)],
    channel: usize,
) -> u32 {
    if channel >= usize::from(texel.channels) {
        return taken(texel, sampler, None, channel);
    }
    let one = texel.one().filter(|_| sampler.fractions);
    let value = |pixel: Option<&[u8; 16]>| -> f64 {
        let Some(pixel) = pixel else { return f64::from(sampler.border[channel]) * one.unwrap_or(1.0) };
        let bits = texel.channel(pixel, channel);
        match (texel.numbers, one) {
            (Numbers::Float, _) => f64::from(f32::from_bits(bits)),
            (Numbers::Unsigned, _) => f64::from(bits),
            // The smallest number has no counterpart: it is −1 like its neighbour.
            (Numbers::Signed, one) => f64::from(bits as i32).max(-one.unwrap_or(f64::INFINITY)),
        }
    };
    // A pixel without weight has no say, even if it is infinite or no number.
    let sum: f64 = taps
        .iter()
        .filter(|(_, weight)| *weight > 0)
        .map(|&(pixel, weight)| value(pixel) * f64::from(weight))
        .sum();
    let scale = (WHOLE * WHOLE) as f64 * one.unwrap_or(1.0);
    ((sum / scale) as f32).to_bits()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn sampler(mode: AddressMode, normalized: bool) -> Sampler {
        Sampler { address: [mode; 3], filter: Filter::Linear, normalized, fractions: false, border: [0.0; 4] }
    }

    #[test]
    fn positions_outside_follow_the_mode() {
        let at = |mode, normalized, at| position(&sampler(mode, normalized), 0, at, 4);
        let along = |mode, normalized| [-5, -1, 0, 3, 4, 7, 8].map(|p| at(mode, normalized, p));
        assert_eq!(along(AddressMode::Wrap, true), [3, 3, 0, 3, 0, 3, 0].map(Some));
        assert_eq!(along(AddressMode::Mirror, true), [3, 0, 0, 3, 3, 0, 0].map(Some));
        assert_eq!(along(AddressMode::Clamp, true), [0, 0, 0, 3, 3, 3, 3].map(Some));
        assert_eq!(along(AddressMode::Wrap, false), [0, 0, 0, 3, 3, 3, 3].map(Some));
        assert_eq!(along(AddressMode::Border, false), [None, None, Some(0), Some(3), None, None, None]);
    }

    #[test]
    fn weights_have_eight_bits() {
        let clamp = sampler(AddressMode::Clamp, false);
        let between = |x| axis(&clamp, 0, x, 4, true);
        assert_eq!(between(1.5), Axis { near: Some(1), far: Some(2), weight: 0 });
        assert_eq!(between(1.75), Axis { near: Some(1), far: Some(2), weight: 64 });
        assert_eq!(between(0.25), Axis { near: Some(0), far: Some(0), weight: 192 });
        // Nearest: 0.0019 of a pixel is half a step, 0.4981 steps is none.
        assert_eq!(between(1.5 + 1.0 / 512.0).weight, 1);
        assert_eq!(between(1.501_9).weight, 0);
        // Rounded up to the next pixel whole.
        assert_eq!(between(2.499), Axis { near: Some(2), far: Some(3), weight: 0 });
        assert_eq!(between(f32::NAN).near, Some(0));
        assert_eq!(between(f32::INFINITY).near, Some(3));
    }

    #[test]
    fn fractions_reach_one_on_both_sides() {
        let texel = Texel::new(1, 8, Numbers::Signed).unwrap();
        let fractions = Sampler { fractions: true, ..sampler(AddressMode::Clamp, false) };
        let of = |byte: i8| {
            let mut pixel = [0; 16];
            pixel[0] = byte as u8;
            taken(texel, &fractions, Some(&pixel), 0)
        };
        assert_eq!([127, 0, -127, -128].map(of), [1.0, 0.0, -1.0, -1.0].map(f32::to_bits));
        let bytes = Texel::new(1, 8, Numbers::Unsigned).unwrap();
        let (mut low, mut high) = ([0; 16], [0; 16]);
        (low[0], high[0]) = (10, 20);
        let half = filtered(bytes, &fractions, &[(Some(&low), 32768), (Some(&high), 32768)], 0);
        assert_eq!(half, (15.0_f32 / 255.0).to_bits());
    }
}
