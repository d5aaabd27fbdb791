//! Task `equalize`: histogram equalization. The rank of a level among the pixels becomes its new value.
//!
//! With n pixels, cdf(v) of them at level v or below, and m of them at the lowest level that occurs, the new level
//! of v is (cdf(v) − m) · 255 / (n − m), rounded. If all pixels have one level, n = m, and the image is copied.

use lab::{
    Argument, Case, FewestBytes, Image, Mistake, Pattern, Picture, Points, Stage, Task, Tolerance,
    gray_cases, gray_to_gray_arguments, gray_to_gray_arguments_of,
};

use crate::mapping::{self, Bins, LEVELS, Table, identity};
use crate::mistakes;
use crate::scales::{SHARE, TIMES, fewest_bytes, timed_case};

/// The task, as the checker knows it.
pub struct Equalize;

/// Median of `cargo bench -p lab3-equalization` (`equalize/sequential`: 40.4 ms for the timed scene) on
/// 2026-11-21: one core of an Intel Xeon at 2.6 GHz, a virtual machine that names no model.
const NOMINAL_NANOSECONDS_PER_PIXEL: f64 = 0.86;

/// The new level of each level.
pub fn table(bins: &Bins) -> Table {
    let pixels: u64 = bins.iter().copied().map(u64::from).sum();
    let lowest = bins.iter().copied().find(|count| *count > 0).map_or(0, u64::from);
    if pixels == lowest {
        return identity();
    }
    let mut table = [0; LEVELS];
    let mut cdf = 0;
    for (new, count) in table.iter_mut().zip(bins) {
        cdf += u64::from(*count);
        // Levels below the lowest do not occur: any new level is right for them.
        let above = cdf.saturating_sub(lowest);
        *new = ((255 * above + (pixels - lowest) / 2) / (pixels - lowest)) as u8;
    }
    table
}

impl Task for Equalize {
    fn name(&self) -> &'static str {
        "equalize"
    }

    fn summary(&self) -> &'static str {
        "histogram equalization: every level to (cdf - min) * 255 / (pixels - min), rounded"
    }

    fn parameters(&self) -> &'static str {
        "const uint8_t* gray, uint8_t* out, int width, int height"
    }

    fn cases(&self) -> Vec<Case> {
        let mut cases = gray_cases();
        // In the place of the large scene: there a wrong count of few pixels shows.
        let (width, height) = (1283, 967);
        cases.pop();
        let picture = Picture::Pattern(Pattern::NearlyOneLevel { width, height });
        cases.push(Case::new("1283x967, nearly 1 level", picture));
        // More than 2^32 / 255 pixels, nearly all of one level: 255 · (cdf − m) fits neither an int nor a uint32_t, and a
        // 16-bit counter overflows even in one of 259 blocks.
        let (width, height) = (4128, 4128);
        let picture = Picture::LowContrast { width, height, low: 100, high: 100 };
        cases.push(Case::new("half black", Picture::Pattern(Pattern::HalfBlack)));
        cases.push(Case::new("4128x4128, mostly 1 level", picture));
        cases
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

    /// One level: in `float` the counts of large images lose their last bits, the product and the quotient are
    /// rounded, all together less than 4 · 2⁻²⁴ · 255 < 0.0001: a new level can fall to the other side of a half.
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
        crate::ideas::EQUALIZE
    }

    fn hints(&self) -> &'static [&'static str] {
        &[
            "Four steps: count, add up the counts from level 0 on (the CDF), compute a table of 256 new levels, look \
             up every pixel in it. `contrast_stretch` shows how to count and to copy the counts to the host.",
            "A table computed on the host must be copied to the GPU: cudaMalloc 256 bytes, cudaMemcpy with \
             cudaMemcpyHostToDevice, and pass that pointer to the kernel. Sizes are in bytes: 256 counters are 1,024.",
            "min is the number of pixels at the lowest level that occurs, not the level itself. With it, the lowest \
             level becomes 0 and the highest 255.",
            "(cdf - min) / (pixels - min) is 0 in integer arithmetic for every level but the last: multiply before you divide, \
             or compute in float; and add 0.5 to round.",
            "Two special images: if all pixels have one level, pixels - min is 0, so copy the image; with 9 million \
             pixels 255 * cdf needs more than 31 bits, so compute in 64 bits or in float.",
        ]
    }

    fn mistakes(&self) -> &'static [Mistake] {
        mistakes::EQUALIZE
    }

    fn stages(&self, image: &Image) -> Vec<Stage> {
        let bins = lab::count_levels(&lab::gray(image));
        vec![Stage::histogram(&bins), Stage::table(&table(&bins), |level| bins[level] > 0)]
    }

    fn first_step(&self) -> &'static str {
        "Fill in `make_table` and `map_kernel`, then write `equalize` in the same way as `contrast_stretch`."
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn the_lowest_level_becomes_black_and_the_highest_white() {
        let mut bins = [0; LEVELS];
        (bins[50], bins[60], bins[200]) = (10, 5, 15);
        let table = table(&bins);
        // (15 − 10) · 255 / 20 = 63.75
        assert_eq!([table[50], table[60], table[199], table[200], table[255]], [0, 64, 64, 255, 255]);
    }

    #[test]
    fn one_level_stays_as_it_is() {
        let mut bins = [0; LEVELS];
        bins[42] = 9;
        assert_eq!(table(&bins), identity());
    }

    #[test]
    fn counts_near_32_bits_do_not_overflow() {
        let mut bins = [0; LEVELS];
        (bins[1], bins[2], bins[3]) = (1, 2_000_000_000, 2_000_000_000);
        assert_eq!([table(&bins)[2], table(&bins)[3]], [128, 255]);
    }
}
