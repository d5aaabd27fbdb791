//! Pictures on which arithmetic that is almost right gives another result than right arithmetic, found by looking where the
//! results jump. The same for every seed.

use crate::picture::rows;
use crate::random::SplitMix64;

/// A picture made for one kind of arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// Every sum 30 R + 59 G + 11 B that colours can have, each by one pixel.
    ColourSums,
    /// 5×5 tiles for means of 5×5 pixels: for each quotient, a tile just below the half and one just above, for plain sums
    /// (25 pixels) and for the weights 1 2 3 2 1 in both directions (81 in total) at once. A mean that is computed by any
    /// function that never falls when the sum grows is right for every sum if it is right for these.
    MeansAroundHalves,
    /// Colours of many hues within two hundredths of a gray of 100.5: the gray is 100 or 101, and whoever wants to stretch these
    /// two levels over the whole range has to round them exactly.
    GraysAroundHalf,
    /// Half of the pixels black, a few of the next darker level, and many levels with more: whoever passes over black takes another
    /// level, with another count, for the darkest.
    HalfBlack,
    /// Grays of which two, 60 and 200, have just the pixels / 1024, rounded up, that a level needs to matter, and two, 10 and 245,
    /// one pixel less. The picture has these sides.
    CountsAroundThreshold {
        /// Pixels per row.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// Nearly all pixels of one level, the darkest. Of the five others, one has just the pixels / 1024, rounded up, that a level needs to
    /// matter, the others one pixel less; each lies in other columns, at random. Whoever counts only some pixels takes other levels
    /// for those that matter, and gives them other ranks.
    NearlyOneLevel {
        /// Pixels per row.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// Grays of which the darkest is that of the last pixel alone, and the brightest that of the first pixel behind the last whole group of 16.
    /// Of so few pixels, one makes a level matter: whoever leaves out some at the end takes other levels.
    LastPixels,
}

/// Colours that reach every sum, and what is needed to fill the last row.
const COLOUR_SUMS: (usize, usize) = (160, 160);
/// Tiles per row, and rows of tiles: two for each of 255 quotients.
const TILES: (usize, usize) = (30, 17);
/// Each level of [`Pattern::NearlyOneLevel`] has one of so many neighbouring pixels for itself.
const STRIDE: usize = 16;
/// Pixels of a side of a tile.
const TILE: usize = 5;
const GRAYS_AROUND_HALF: (usize, usize) = (81, 55);
const HALF_BLACK: (usize, usize) = (61, 43);
/// 7 pixels behind the last group of 16, of which 3 are behind the last group of 4.
const LAST_PIXELS: (usize, usize) = (37, 27);
/// Repeated over the picture.
const HALF_BLACK_GRAYS: [u8; 20] =
    [0, 180, 0, 40, 0, 110, 0, 180, 0, 40, 0, 7, 0, 180, 0, 220, 0, 110, 0, 220];

/// Largest sum of hundredths: white.
const WHITE: u32 = 25_500;

impl Pattern {
    /// Width and height.
    pub const fn size(self) -> (usize, usize) {
        match self {
            Self::ColourSums => COLOUR_SUMS,
            Self::MeansAroundHalves => (TILES.0 * TILE, TILES.1 * TILE),
            Self::GraysAroundHalf => GRAYS_AROUND_HALF,
            Self::HalfBlack => HALF_BLACK,
            Self::LastPixels => LAST_PIXELS,
            Self::CountsAroundThreshold { width, height } | Self::NearlyOneLevel { width, height } => {
                (width, height)
            }
        }
    }

    /// The pixels: 3 channels, interleaved.
    pub fn pixels(self) -> Vec<u8> {
        let (width, height) = self.size();
        let colours = match self {
            Self::ColourSums => (0..=WHITE).filter_map(colour_of).collect(),
            Self::GraysAroundHalf => (10_048..=10_051).flat_map(colours_of).collect(),
            Self::HalfBlack => HALF_BLACK_GRAYS.map(|gray| [gray; 3]).to_vec(),
            Self::CountsAroundThreshold { .. } => around_threshold(width * height),
            Self::NearlyOneLevel { .. } => nearly_one_level(width * height),
            Self::LastPixels => last_pixels(width * height),
            Self::MeansAroundHalves => Vec::new(),
        };
        rows(width, height, |y, row| {
            for (x, pixel) in row.chunks_exact_mut(3).enumerate() {
                match self {
                    Self::MeansAroundHalves => pixel.fill(around_half(x, y)),
                    _ => pixel.copy_from_slice(&colours[(y * width + x) % colours.len()]),
                }
            }
        })
    }
}

/// The grays of [`Pattern::CountsAroundThreshold`], in a row.
fn around_threshold(pixels: usize) -> Vec<[u8; 3]> {
    let threshold = pixels.div_ceil(1024);
    let rare = [(10, threshold - 1), (60, threshold), (200, threshold), (245, threshold - 1)];
    let mut grays: Vec<u8> = rare.into_iter().flat_map(|(level, count)| vec![level; count]).collect();
    // Twenty levels between, of which each has far more: whoever goes outwards from them has to pass over many empty ones.
    grays.extend((grays.len()..pixels).map(|number| 75 + (number % 20) as u8));
    grays.into_iter().map(|gray| [gray; 3]).collect()
}

/// The grays of [`Pattern::NearlyOneLevel`], in a row.
fn nearly_one_level(pixels: usize) -> Vec<[u8; 3]> {
    const DARKEST: u8 = 20;
    let (threshold, places) = (pixels.div_ceil(1024), pixels / STRIDE);
    let rare = [(90, 1, -1), (140, 6, 0), (215, 11, -1), (230, 12, -1), (250, 15, -1)];
    let mut grays = vec![[DARKEST; 3]; pixels];
    let mut random = SplitMix64::new(0);
    for (level, first, more) in rare {
        let mut left = threshold.saturating_add_signed(more);
        while left > 0 && left < places {
            let at = &mut grays[STRIDE * random.below(places as u32) as usize + first];
            if at[0] == DARKEST {
                (*at, left) = ([level; 3], left - 1);
            }
        }
    }
    grays
}

/// The grays of [`Pattern::LastPixels`], in a row.
fn last_pixels(pixels: usize) -> Vec<[u8; 3]> {
    let mut grays: Vec<u8> = (0..pixels).map(|number| 75 + (number % 20) as u8).collect();
    grays[pixels / 16 * 16] = 190;
    grays[pixels - 1] = 20;
    grays.into_iter().map(|gray| [gray; 3]).collect()
}

/// A colour with this sum of hundredths, if there is one.
fn colour_of(sum: u32) -> Option<[u8; 3]> {
    colours_of(sum).next()
}

/// The colours with this sum of hundredths: those with little green first.
fn colours_of(sum: u32) -> impl Iterator<Item = [u8; 3]> {
    let channel = |value: u32| u8::try_from(value).ok();
    // With less green the others could not make up the sum.
    let least = sum.saturating_sub((30 + 11) * 255).div_ceil(59);
    (least..=255).flat_map(move |green| {
        let rest = sum.checked_sub(59 * green);
        // 11 · 11 = 121 = 4 · 30 + 1: the blue that leaves a multiple of 30 repeats every 30 levels.
        let blues = rest
            .into_iter()
            .flat_map(|rest| (rest % 30 * 11 % 30..=255).step_by(30).map(move |blue| (rest, blue)));
        blues.filter_map(move |(rest, blue)| {
            let red = rest.checked_sub(11 * blue)?;
            assert!(red.is_multiple_of(30), "{red}");
            Some([channel(red / 30)?, channel(green)?, channel(blue)?])
        })
    })
}

/// Which pixels of a tile are one level lighter: 12 of 25, with 40 of the 81 weights. The tile with the other 13, with the
/// other 41 weights, is the one just above the half.
const LIGHTER: [[bool; TILE]; TILE] = [
    [true, false, true, false, true],
    [false, false, true, true, false],
    [true, true, false, true, false],
    [false, true, false, false, true],
    [true, false, true, false, false],
];

fn around_half(x: usize, y: usize) -> u8 {
    let tile = y / TILE * TILES.0 + x / TILE;
    let (quotient, above) = (tile / 2, tile % 2 == 1);
    quotient as u8 + u8::from(LIGHTER[y % TILE][x % TILE] != above)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn sum(pixel: &[u8]) -> u32 {
        30 * u32::from(pixel[0]) + 59 * u32::from(pixel[1]) + 11 * u32::from(pixel[2])
    }

    #[test]
    fn of_nearly_one_level_one_other_matters() {
        let (width, height) = (97, 61);
        let pixels = Pattern::NearlyOneLevel { width, height }.pixels();
        let mut counts = [0; 256];
        pixels.chunks_exact(3).for_each(|pixel| counts[usize::from(pixel[0])] += 1);
        let threshold = (width * height).div_ceil(1024);
        let matter = |level: &usize| counts[*level] >= threshold;
        assert_eq!((0..256).filter(matter).collect::<Vec<_>>(), [20, 140]);
        assert_eq!([90, 140, 215, 230, 250].map(|level| threshold - counts[level]), [1, 0, 1, 1, 1]);
    }

    #[test]
    fn the_last_pixels_alone_have_the_levels_at_both_ends() {
        let (width, height) = Pattern::LastPixels.size();
        let pixels = width * height;
        assert!(pixels <= 1024 && pixels % 16 > 4 && pixels % 4 == 3);
        let grays = last_pixels(pixels);
        let with = |level: u8| (0..pixels).filter(|at| grays[*at][0] == level).collect::<Vec<_>>();
        assert_eq!([with(20), with(190)], [vec![pixels - 1], vec![pixels / 16 * 16]]);
        assert!(grays.iter().all(|gray| [20, 190].contains(&gray[0]) || (75..95).contains(&gray[0])));
    }

    #[test]
    fn every_sum_that_a_colour_has_is_there() {
        let sums: BTreeSet<u32> = Pattern::ColourSums.pixels().chunks_exact(3).map(sum).collect();
        let mut reached = vec![false; WHITE as usize + 1];
        for (red, green) in (0..=255).flat_map(|red| (0..=255).map(move |green| (red, green))) {
            (0..=255).for_each(|blue| reached[30 * red + 59 * green + 11 * blue] = true);
        }
        let missing = (0..=WHITE).find(|sum| reached[*sum as usize] != sums.contains(sum));
        assert_eq!(missing, None);
    }

    #[test]
    fn the_lighter_pixels_are_nearly_half_of_the_pixels_and_of_the_weights() {
        let weights = [1, 2, 3, 2, 1];
        let lighter = (0..25).filter(|at| LIGHTER[at / 5][at % 5]);
        let weight: usize = lighter.clone().map(|at| weights[at / 5] * weights[at % 5]).sum();
        assert_eq!((lighter.count(), weight), (12, 40));
    }

    #[test]
    fn two_levels_reach_the_threshold_and_two_miss_it_by_a_pixel() {
        for (width, height, threshold) in [(64, 32, 2), (70, 30, 3)] {
            let pixels = Pattern::CountsAroundThreshold { width, height }.pixels();
            let count = |gray: u8| pixels.iter().step_by(3).filter(|own| **own == gray).count();
            assert_eq!([10, 60, 200, 245].map(count), [threshold - 1, threshold, threshold, threshold - 1]);
            assert!((75..95).all(|gray| count(gray) > threshold + 1));
        }
    }

    #[test]
    fn grays_lie_around_a_half_and_have_many_hues() {
        let pixels = Pattern::GraysAroundHalf.pixels();
        let hues: BTreeSet<&[u8]> = pixels.chunks_exact(3).collect();
        assert!(hues.len() > 4000, "{}", hues.len());
        let sums: BTreeSet<u32> = pixels.chunks_exact(3).map(sum).collect();
        assert_eq!(sums, (10_048..=10_051).collect());
    }
}
