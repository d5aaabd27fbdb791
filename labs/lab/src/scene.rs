//! A synthetic scene with the features of a photograph: gradients, edges, areas of one colour, grain.
//!
//! Used in place of a large photograph, which is too large for the repository. Integer arithmetic only: bit-identical on
//! every machine. Fast enough (rows in parallel, no division per pixel) to be generated for every timed run.

use crate::picture::rows;
use crate::random::SplitMix64;

/// Ellipses and rectangles painted over the background.
const SHAPES: usize = 48;
/// The background's colour in the first and in the last row.
const TOP: [u32; 3] = [96, 148, 214];
const BOTTOM: [u32; 3] = [112, 98, 52];
/// How much brighter the right edge is than the left one.
const SLOPE: u32 = 32;

/// Bands of [`bands`].
const BANDS: usize = 4;

/// Makes the scene; `seed` moves and colours the shapes, and draws the grain.
pub fn scene(width: usize, height: usize, seed: u64) -> Vec<u8> {
    bands(width, height, height, seed)
}

/// `count` of the `height` rows of a scene, in four bands, one from the middle of each quarter. Rows of a band stay
/// neighbours, so that a block sees the same kind of picture as in the whole scene. With half of `count`, the bands have
/// the same centres and half the height.
pub fn bands(width: usize, count: usize, height: usize, seed: u64) -> Vec<u8> {
    painted(width, count, height, seed, |number| row_of(number, count, height))
}

/// Rows of a scene of `height` rows: row `number` is row `place(number)` of the scene.
fn painted(
    width: usize,
    count: usize,
    height: usize,
    seed: u64,
    place: impl Fn(usize) -> usize + Sync,
) -> Vec<u8> {
    let mut random = SplitMix64::new(seed);
    let shapes: Vec<Shape> = (0..SHAPES).map(|_| Shape::draw(width, height, &mut random)).collect();
    let grain = random.next();
    rows(width, count, |number, row| {
        let y = place(number);
        background(y, height, row);
        for shape in &shapes {
            shape.paint(y, row);
        }
        add_grain(SplitMix64::at(grain, (width as u64 * 3).div_ceil(8) * y as u64), row);
    })
}

/// The row of the scene that becomes row `number` of `count`.
fn row_of(number: usize, count: usize, height: usize) -> usize {
    if count == height {
        return number;
    }
    let band = number * BANDS / count;
    let [first, end] = [band, band + 1].map(|band| (band * count).div_ceil(BANDS));
    let [top, bottom] = [band, band + 1].map(|band| band * height / BANDS);
    let above = (bottom - top).saturating_sub(end - first) / 2;
    (top + above).min(height - (end - first)) + number - first
}

/// `count` neighbouring rows of a scene of `height` rows, from row `first` on.
pub fn slice(width: usize, first: usize, count: usize, height: usize, seed: u64) -> Vec<u8> {
    painted(width, count, height, seed, |number| (first + number).min(height - 1))
}

fn background(y: usize, height: usize, row: &mut [u8]) {
    let colour: [u32; 3] = std::array::from_fn(|channel| {
        let (top, bottom) = (TOP[channel] as usize, BOTTOM[channel] as usize);
        ((top * (height - y) + bottom * y) / height) as u32
    });
    // 16 fractional bits; the sum stays below SLOPE << 16 over the whole row.
    let step = (SLOPE << 16) / (row.len() / 3) as u32;
    let mut light = 0;
    for pixel in row.chunks_exact_mut(3) {
        for (byte, base) in pixel.iter_mut().zip(colour) {
            *byte = (base + (light >> 16)) as u8;
        }
        light += step;
    }
}

/// Adds -8 to 7 to every byte, 4 bits of each drawn byte.
fn add_grain(mut random: SplitMix64, row: &mut [u8]) {
    for bytes in row.chunks_mut(8) {
        let drawn = random.next().to_le_bytes();
        for (byte, drawn) in bytes.iter_mut().zip(drawn) {
            *byte = byte.saturating_add(drawn & 15).saturating_sub(8);
        }
    }
}

/// An ellipse or a rectangle, half transparent.
struct Shape {
    round: bool,
    centre: [i64; 2],
    radius: [i64; 2],
    colour: [u8; 3],
}

impl Shape {
    /// A shape somewhere in the picture, with radii from 1/64 to 1/8 of its sides.
    fn draw(width: usize, height: usize, random: &mut SplitMix64) -> Self {
        let [centre_x, centre_y] = [width, height].map(|side| i64::from(random.below(side as u32)));
        let [radius_x, radius_y] =
            [width, height].map(|side| (side / 64) as i64 + i64::from(random.below((side / 8) as u32 + 1)));
        Self {
            round: random.below(2) == 0,
            centre: [centre_x, centre_y],
            radius: [radius_x, radius_y],
            colour: std::array::from_fn(|_| random.below(256) as u8),
        }
    }

    /// Mixes the shape's colour into the pixels of row `y` that it covers.
    fn paint(&self, y: usize, row: &mut [u8]) {
        let [radius_x, radius_y] = self.radius;
        let distance = y as i64 - self.centre[1];
        if distance.abs() > radius_y {
            return;
        }
        let half = if self.round && radius_y > 0 {
            radius_x * (radius_y * radius_y - distance * distance).isqrt() / radius_y
        } else {
            radius_x
        };
        let last = (row.len() / 3) as i64 - 1;
        let first = (self.centre[0] - half).max(0) as usize;
        let end = (self.centre[0] + half).min(last) as usize + 1;
        for pixel in row[first * 3..end * 3].chunks_exact_mut(3) {
            for (byte, colour) in pixel.iter_mut().zip(self.colour) {
                *byte = u16::midpoint(u16::from(*byte), u16::from(colour)) as u8;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn uses_most_levels_and_has_edges() {
        let data = scene(400, 300, 3);
        let levels: HashSet<u8> = data.iter().copied().collect();
        assert!(levels.len() > 200, "only {} levels", levels.len());
        let edges = data.windows(4).filter(|window| window[0].abs_diff(window[3]) > 32).count();
        assert!(edges > 500, "only {edges} edges");
    }

    #[test]
    fn bands_are_rows_of_the_whole() {
        let (width, height, count) = (40, 300, 72);
        let whole = scene(width, height, 3);
        let bands = bands(width, count, height, 3);
        let rows: Vec<usize> = (0..count).map(|number| row_of(number, count, height)).collect();
        for (band, row) in bands.chunks(3 * width).zip(&rows) {
            assert_eq!(band, &whole[3 * width * row..][..3 * width]);
        }
        assert_eq!((rows[0], rows[17], rows[18], rows[71]), (28, 45, 103, 270));
        for (count, height) in [(1, 2), (3, 4), (6, 7), (7, 9), (40, 41), (72, 5352), (5, 5)] {
            let rows: Vec<usize> = (0..count).map(|number| row_of(number, count, height)).collect();
            assert!(rows.is_sorted() && rows[count - 1] < height, "{count} of {height}: {rows:?}");
        }
    }

    #[test]
    fn a_slice_is_rows_of_the_whole() {
        let (width, height) = (40, 300);
        let whole = scene(width, height, 3);
        assert_eq!(slice(width, 170, 20, height, 3), whole[3 * width * 170..][..3 * width * 20]);
    }

    #[test]
    fn follows_the_seed_and_fits_every_size() {
        assert_ne!(scene(64, 64, 1), scene(64, 64, 2));
        for (width, height) in [(1, 1), (1, 50), (50, 1), (7, 3)] {
            assert_eq!(scene(width, height, 5).len(), width * height * 3);
        }
    }
}
