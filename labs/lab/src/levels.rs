//! Histogram of a gray image, on all cores.

use rayon::prelude::*;

/// Pixels per task: few enough for a core's own cache, and many compared with the counters to add up.
const PARALLEL_PIXELS: usize = 256 * 1024;

/// Sets of counters, used in turn: neighbouring pixels often have the same level, and an increment of another set need
/// not wait for the increment before.
const SETS: usize = 4;

/// The number of pixels at each of the 256 levels.
pub fn count_levels(gray: &[u8]) -> [u32; 256] {
    gray.par_chunks(PARALLEL_PIXELS).map(count_chunk).reduce(|| [0; 256], add)
}

/// [`count_levels`] of a part of an image, on the calling thread.
pub fn count_chunk(gray: &[u8]) -> [u32; 256] {
    let mut sets = [[0_u32; 256]; SETS];
    let (groups, rest) = gray.as_chunks::<SETS>();
    for group in groups {
        for (level, set) in group.iter().zip(&mut sets) {
            set[usize::from(*level)] += 1;
        }
    }
    for level in rest {
        sets[0][usize::from(*level)] += 1;
    }
    sets.into_iter().fold([0; 256], add)
}

/// Adds two histograms.
pub fn add(left: [u32; 256], right: [u32; 256]) -> [u32; 256] {
    std::array::from_fn(|level| left[level] + right[level])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pixel_counts_once_whatever_is_left_over() {
        for pixels in [0, 1, 3, 4, 5, PARALLEL_PIXELS - 1, 2 * PARALLEL_PIXELS + 3] {
            let gray: Vec<u8> = (0..pixels).map(|i| (i * i / 7) as u8).collect();
            let mut expected = [0; 256];
            for level in &gray {
                expected[usize::from(*level)] += 1;
            }
            assert!(count_levels(&gray) == expected, "{pixels} pixels");
        }
    }
}
