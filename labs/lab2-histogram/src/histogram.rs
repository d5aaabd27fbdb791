//! Task `histogram`: how many pixels of a gray image have each of the 256 levels.

use lab::{
    Argument, Case, Element, FewestBytes, Image, Memory, Mistake, Picture, Points, Situation, Task,
    Tolerance, count_levels, gray, gray_cases, into_gray,
};

use crate::LEVELS;
use crate::mistakes;
use crate::scales::{SHARE, TIMES, timed_case};

/// The task, as the checker knows it.
pub struct Histogram;

/// Counters, by level.
pub type Bins = [u32; LEVELS];

/// Median of `cargo bench -p lab2-histogram` (`histogram/sequential`: 22.1 ms for the timed scene) on
/// 2026-11-21: one core of an Intel Xeon at 2.6 GHz, a virtual machine that names no model.
const NOMINAL_NANOSECONDS_PER_PIXEL: f64 = 0.47;

/// The reference: adds the pixels of `gray` to `bins`.
pub fn sequential(gray: &[u8], bins: &mut Bins) {
    for level in gray {
        bins[usize::from(*level)] += 1;
    }
}

/// The same on all cores, with separate counters for each part of the image.
pub fn parallel(gray: &[u8], bins: &mut Bins) {
    *bins = lab::add(*bins, count_levels(gray));
}

/// The bytes of counters as in GPU memory.
pub(crate) fn bytes(bins: &Bins) -> Vec<u8> {
    bins.iter().flat_map(|count| count.to_le_bytes()).collect()
}

/// The output `uint32_t* bins`: 256 counters that are zero before the call.
pub(crate) fn bins_argument() -> Argument {
    let (memory, element) = (Memory::Device, Element::U32);
    Argument::Output { name: "bins", memory, element, length: LEVELS, row: 0, zeroed: true }
}

fn run(count: fn(&[u8], &mut Bins), image: &Image) -> Vec<Vec<u8>> {
    let mut bins = [0; LEVELS];
    count(&gray(image), &mut bins);
    vec![bytes(&bins)]
}

fn time(count: fn(&[u8], &mut Bins), image: &Image) -> f64 {
    // The gray image exists before the clock starts.
    let (gray, mut bins) = (gray(image), [0; LEVELS]);
    lab::seconds(|| count(&gray, std::hint::black_box(&mut bins)))
}

fn arguments(gray: Vec<u8>, width: usize, height: usize) -> Vec<Argument> {
    let (memory, element) = (Memory::Device, Element::U8);
    vec![
        Argument::Input { name: "gray", memory, element, bytes: gray },
        bins_argument(),
        Argument::Int { name: "width", value: width as i32 },
        Argument::Int { name: "height", value: height as i32 },
    ]
}

impl Task for Histogram {
    fn name(&self) -> &'static str {
        "histogram"
    }

    fn summary(&self) -> &'static str {
        "how many pixels of a gray image have each of the 256 levels"
    }

    fn parameters(&self) -> &'static str {
        "const uint8_t* gray, uint32_t* bins, int width, int height"
    }

    fn cases(&self) -> Vec<Case> {
        let mut cases = gray_cases();
        // One level, and an odd number of pixels beyond 2^24, which no `float` holds; a 16-bit counter overflows in each of
        // 260 blocks.
        let (width, height) = (4129, 4129);
        cases.push(Case::new("4129x4129, 1 level", Picture::GrayNoise { width, height, levels: 1 }));
        cases
    }

    fn timed_case(&self) -> Case {
        timed_case()
    }

    fn arguments(&self, image: &Image) -> Vec<Argument> {
        arguments(gray(image), image.width, image.height)
    }

    fn arguments_of(&self, image: Image) -> Vec<Argument> {
        let (width, height) = (image.width, image.height);
        arguments(into_gray(image), width, height)
    }

    fn is_gray(&self) -> bool {
        true
    }

    fn reference(&self, image: &Image) -> Vec<Vec<u8>> {
        run(sequential, image)
    }

    fn parallel_reference(&self, image: &Image) -> Vec<Vec<u8>> {
        run(parallel, image)
    }

    fn sequential_seconds(&self, image: &Image) -> f64 {
        time(sequential, image)
    }

    fn parallel_seconds(&self, image: &Image) -> f64 {
        time(parallel, image)
    }

    fn tolerance(&self) -> Tolerance {
        Tolerance::Exact
    }

    /// Each pixel is read once, each counter written once.
    fn fewest_bytes(&self, width: usize, height: usize) -> FewestBytes {
        FewestBytes { read: (width * height) as u64, write: (LEVELS * Element::U32.size()) as u64 }
    }

    fn points(&self) -> Points {
        Points { correctness: 30.0, bandwidth: 18.0, speedup: 12.0, share: SHARE, times: TIMES }
    }

    fn nominal_nanoseconds_per_pixel(&self) -> f64 {
        NOMINAL_NANOSECONDS_PER_PIXEL
    }

    fn ideas(&self) -> &'static [lab::Idea] {
        crate::ideas::IDEAS
    }

    fn hints(&self) -> &'static [&'static str] {
        &[
            "Take an image of four pixels with the levels 7, 9, 7 and 7: which counters of `bins` change, and by \
             how much?",
            "The level of a pixel is the index of its counter: pixel i belongs to bins[gray[i]].",
            "Two threads may count pixels of the same level at the same time. `bins[v]++` is three steps, load, \
             add, store: both load the same number, and one count is lost.",
            "atomicAdd(&bins[v], 1u) does the three steps as one step that no other thread can interrupt.",
            "A block with its own counters must zero all 256 of them and add all 256 to `bins`, whatever its number \
             of threads; and every call starts from zero.",
            "The grid consists of whole blocks, so it can have more threads than the image has pixels: threads past \
             the last pixel must neither read nor count. With several pixels per thread, also count the last few.",
            "In an image of one level, one counter counts all pixels: 8 or 16 bits are not enough.",
        ]
    }

    fn mistakes(&self) -> &'static [Mistake] {
        mistakes::HISTOGRAM
    }

    fn partial(
        &self,
        situation: &Situation<'_>,
        covered: &dyn Fn(usize, usize) -> bool,
    ) -> Option<Vec<Vec<u8>>> {
        mistakes::partial(situation, covered, false)
    }

    fn first_step(&self) -> &'static str {
        "Fill in `histogram_kernel` in `labs/lab2-histogram/histogram.cu`: its launch is there already, so what \
         each thread does for its pixel is all that is missing to pass every case of this task."
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn every_pixel_counts_once() {
        let mut bins = [0; LEVELS];
        sequential(&[7, 9, 7, 7, 0, 255], &mut bins);
        assert_eq!((bins[0], bins[7], bins[9], bins[255], bins.iter().sum::<u32>()), (1, 3, 1, 1, 6));
    }

    #[test]
    fn counters_are_little_endian_words() {
        let mut bins = [0; LEVELS];
        bins[1] = 0x0102_0304;
        assert_eq!(bytes(&bins)[..8], [0, 0, 0, 0, 4, 3, 2, 1]);
    }
}
