//! Task `contrast_stretch`: stretch the levels that matter over the whole range.
//!
//! A level matters if at least one pixel in 1,024 has it: its bin reaches the threshold ⌈pixels / 1024⌉. The
//! lowest such level becomes 0, the highest 255; levels between them are spread evenly and rounded; levels outside
//! become 0 or 255. Some level always matters: 256 bins below pixels / 1024 could not hold all pixels. If only one
//! level matters, the image is copied.

use lab::{
    Argument, Case, FewestBytes, Image, Mistake, Pattern, Picture, Points, Stage, Task, Tolerance,
    cases_around_threshold, gray_cases, gray_to_gray_arguments, gray_to_gray_arguments_of,
};

use crate::mapping::{self, Bins, LEVELS, Table, identity};
use crate::mistakes;
use crate::scales::{SHARE, TIMES, fewest_bytes, timed_case};

/// The task, as the checker knows it.
pub struct ContrastStretch;

/// Median of `cargo bench -p lab3-equalization` (`contrast_stretch/sequential`: 40.6 ms for the timed scene)
/// on 2026-11-21: one core of an Intel Xeon at 2.6 GHz, a virtual machine that names no model.
const NOMINAL_NANOSECONDS_PER_PIXEL: f64 = 0.86;

/// One pixel in this many makes a level matter.
const SHARE_OF_PIXELS: u32 = 1024;

/// The lowest and the highest level whose bin reaches the threshold.
pub fn range(bins: &Bins) -> (usize, usize) {
    range_over(bins, bins.iter().sum::<u32>().div_ceil(SHARE_OF_PIXELS))
}

fn range_over(bins: &Bins, threshold: u32) -> (usize, usize) {
    let matters = |level: &usize| bins[*level] >= threshold;
    let low = (0..LEVELS).find(matters);
    let high = (0..LEVELS).rfind(matters);
    low.zip(high).expect("the most frequent of 256 levels has at least 1/256 of the pixels")
}

/// The new level of each level.
pub fn table(bins: &Bins) -> Table {
    table_between(range(bins))
}

/// The same with another threshold, at most 1/256 of the pixels.
pub fn table_over(bins: &Bins, threshold: u32) -> Table {
    table_between(range_over(bins, threshold))
}

fn table_between((low, high): (usize, usize)) -> Table {
    if low == high {
        return identity();
    }
    std::array::from_fn(|level| {
        let above = level.clamp(low, high) - low;
        ((255 * above + (high - low) / 2) / (high - low)) as u8
    })
}

impl Task for ContrastStretch {
    fn name(&self) -> &'static str {
        "contrast_stretch"
    }

    fn summary(&self) -> &'static str {
        "the levels that at least one pixel in 1,024 has, stretched over 0 to 255"
    }

    fn parameters(&self) -> &'static str {
        "const uint8_t* gray, uint8_t* out, int width, int height"
    }

    fn cases(&self) -> Vec<Case> {
        // A little more than 2^32 / 1,024 pixels of one level: 1,024 times their count leaves little in 32 bits.
        let picture = Picture::Pattern(Pattern::NearlyOneLevel { width: 2053, height: 2054 });
        let large = Case::new("2053x2054, nearly 1 level", picture);
        let last = Case::new("37x27, last pixels", Picture::Pattern(Pattern::LastPixels));
        gray_cases().into_iter().chain([last]).chain(cases_around_threshold()).chain([large]).collect()
    }

    fn timed_case(&self) -> Case {
        timed_case()
    }

    fn arguments(&self, image: &Image) -> Vec<Argument> {
        gray_to_gray_arguments(image)
    }

    fn arguments_of(&self, image: Image) -> Vec<Argument> {
        gray_to_gray_arguments_of(image)
    }

    fn is_gray(&self) -> bool {
        true
    }

    fn reference(&self, image: &Image) -> Vec<Vec<u8>> {
        mapping::run(mapping::sequential, table, image)
    }

    fn parallel_reference(&self, image: &Image) -> Vec<Vec<u8>> {
        mapping::run(mapping::parallel, table, image)
    }

    fn sequential_seconds(&self, image: &Image) -> f64 {
        mapping::time(mapping::sequential, table, image)
    }

    fn parallel_seconds(&self, image: &Image) -> f64 {
        mapping::time(mapping::parallel, table, image)
    }

    /// One level: the error of a quotient in `float` is a few roundings of a number up to 255, less than 0.0001. A
    /// value near a half can therefore round the other way.
    fn tolerance(&self) -> Tolerance {
        Tolerance::Levels(1)
    }

    fn fewest_bytes(&self, width: usize, height: usize) -> FewestBytes {
        fewest_bytes(width, height)
    }

    fn points(&self) -> Points {
        Points { correctness: 25.0, bandwidth: 15.0, speedup: 10.0, share: SHARE, times: TIMES }
    }

    fn nominal_nanoseconds_per_pixel(&self) -> f64 {
        NOMINAL_NANOSECONDS_PER_PIXEL
    }

    fn ideas(&self) -> &'static [lab::Idea] {
        crate::ideas::STRETCH
    }

    fn hints(&self) -> &'static [&'static str] {
        &[
            "Three steps, each of which needs the whole result of the step before: count, find the two levels, \
             change every pixel. All blocks have finished when a kernel ends.",
            "`histogram_kernel` is task 1 of lab 2: the counters start at zero, every pixel adds 1 to the counter of \
             its level, and atomicAdd loses no count.",
            "The threshold is pixels / 1024, rounded up (ceil_div). A bin that equals the threshold is enough.",
            "A pixel v between the two levels becomes (v - low) * 255 / (high - low): multiply before you divide, \
             or compute in float; and add 0.5 to round.",
            "If both levels are the same, high - low is 0: copy the pixel.",
            "Levels below the lower level become 0, levels above the upper level 255: without a clamp they wrap \
             around in a byte.",
        ]
    }

    fn mistakes(&self) -> &'static [Mistake] {
        mistakes::STRETCH
    }

    fn stages(&self, image: &Image) -> Vec<Stage> {
        let bins = lab::count_levels(&lab::gray(image));
        let (low, high) = range(&bins);
        // Levels outside may be left to the mapping.
        let matters = |level| (low..=high).contains(&level) && bins[level] > 0;
        vec![Stage::histogram(&bins), Stage::range(low, high), Stage::table(&table(&bins), matters)]
    }

    fn first_step(&self) -> &'static str {
        "Fill in `histogram_kernel`, `find_range` and `stretch_kernel` in \
         `labs/lab3-equalization/equalization.cu`: `contrast_stretch` already calls them in this order."
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn bins(counts: &[(usize, u32)]) -> Bins {
        let mut bins = [0; LEVELS];
        for (level, count) in counts {
            bins[*level] = *count;
        }
        bins
    }

    #[test]
    fn a_bin_that_equals_the_threshold_reaches_it() {
        // 2,049 pixels: the threshold is 3.
        assert_eq!(range(&bins(&[(3, 2), (10, 3), (90, 2040), (200, 3), (201, 1)])), (10, 200));
        // 2,048 pixels: the threshold is 2.
        assert_eq!(range(&bins(&[(3, 2), (10, 3), (90, 2040), (200, 3)])), (3, 200));
        assert_eq!(range(&bins(&[(7, 1)])), (7, 7));
    }

    #[test]
    fn the_range_becomes_the_whole_range_and_the_rest_is_clamped() {
        let table = table(&bins(&[(100, 500), (102, 500), (110, 500)]));
        assert_eq!(
            [table[0], table[100], table[101], table[102], table[110], table[255]],
            [0, 0, 26, 51, 255, 255]
        );
    }

    #[test]
    fn one_level_stays_as_it_is() {
        assert_eq!(table(&bins(&[(42, 9)])), identity());
    }
}
