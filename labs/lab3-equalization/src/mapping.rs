//! The steps that both tasks share: count the levels, and look up every pixel in a table.

use lab::Image;
use rayon::prelude::*;

/// Levels of an 8-bit image.
pub const LEVELS: usize = 256;

/// Pixels of each level.
pub type Bins = [u32; LEVELS];

/// The new level of each level.
pub type Table = [u8; LEVELS];

/// Computes the table from the histogram of an image of at least one pixel.
pub type MakeTable = fn(&Bins) -> Table;

/// Pixels per task of the parallel reference.
const PARALLEL_PIXELS: usize = 256 * 1024;

/// The table that changes nothing.
pub fn identity() -> Table {
    std::array::from_fn(|level| level as u8)
}

fn count(gray: &[u8], bins: &mut Bins) {
    for level in gray {
        bins[usize::from(*level)] += 1;
    }
}

/// Looks up every pixel.
pub fn map(table: &Table, gray: &[u8], out: &mut [u8]) {
    for (level, out) in gray.iter().zip(out) {
        *out = table[usize::from(*level)];
    }
}

/// The reference: histogram, table, mapping. `out` is as long as `gray`.
pub fn sequential(make: MakeTable, gray: &[u8], out: &mut [u8]) {
    let mut bins = [0; LEVELS];
    count(gray, &mut bins);
    map(&make(&bins), gray, out);
}

/// The same on all cores.
pub fn parallel(make: MakeTable, gray: &[u8], out: &mut [u8]) {
    let table = make(&lab::count_levels(gray));
    let chunks = gray.par_chunks(PARALLEL_PIXELS).zip(out.par_chunks_mut(PARALLEL_PIXELS));
    chunks.for_each(|(gray, out)| map(&table, gray, out));
}

/// [`sequential`] or [`parallel`].
pub type Way = fn(MakeTable, &[u8], &mut [u8]);

/// The output for an image of 3 channels.
pub(crate) fn run(way: Way, make: MakeTable, image: &Image) -> Vec<Vec<u8>> {
    let mut out = vec![0; image.pixels()];
    way(make, &lab::gray(image), &mut out);
    vec![out]
}

/// Seconds of one run.
pub(crate) fn time(way: Way, make: MakeTable, image: &Image) -> f64 {
    // The gray image and the memory pages of the output exist before the clock starts.
    let (gray, mut out) = (lab::gray(image), vec![1; image.pixels()]);
    lab::seconds(|| way(make, &gray, &mut out))
}
