//! Task `filter_rgb`: any 5×5 integer filter on a colour image.
//!
//! For each channel, out = Σ filter · neighbour ÷ divisor, truncated, clamped to 0..255; the two outermost rows and
//! columns are copied. The caller passes the filter and the divisor; the 25 integers lie in host memory.

use lab::{Argument, Case, Element, FewestBytes, Image, Memory, Mistake, Points, Task, Tolerance};

use crate::filters::{filter_for, width_of_another};
use crate::scales::{FILTER_SHARE, FILTER_TIMES, fewest_bytes};
use crate::{cases, correlation, mistakes};

/// The task, as the checker knows it.
pub struct FilterRgb;

/// Median of `cargo bench -p lab4-smoothing --bench reference` (`filter_rgb/sequential`: 1603 ms for the timed scene) on
/// 2026-11-21: one core of an Intel Xeon, a virtual machine that names no model, otherwise idle.
const NOMINAL_NANOSECONDS_PER_PIXEL: f64 = 34.1;

impl Task for FilterRgb {
    fn name(&self) -> &'static str {
        "filter_rgb"
    }

    fn summary(&self) -> &'static str {
        "any 5x5 integer filter on RGB, divided, clamped; borders copied"
    }

    fn parameters(&self) -> &'static str {
        "const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width, int height"
    }

    fn cases(&self) -> Vec<Case> {
        cases::filtered()
    }

    fn timed_case(&self) -> Case {
        cases::timed()
    }

    fn arguments(&self, image: &Image) -> Vec<Argument> {
        let filter = filter_for(image.width);
        let values = filter.values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let (memory, element) = (Memory::Device, Element::U8);
        let (length, row) = (image.data.len(), 3 * image.width);
        vec![
            Argument::Input { name: "rgb", memory, element, bytes: image.data.clone() },
            Argument::Output { name: "out", memory, element, length, row, zeroed: false },
            Argument::Input { name: "filter25", memory: Memory::Host, element: Element::I32, bytes: values },
            Argument::Int { name: "divisor", value: filter.divisor },
            Argument::Int { name: "width", value: image.width as i32 },
            Argument::Int { name: "height", value: image.height as i32 },
        ]
    }

    fn other_width(&self, width: usize) -> usize {
        width_of_another(width)
    }

    fn reference(&self, image: &Image) -> Vec<Vec<u8>> {
        let mut out = vec![0; image.data.len()];
        correlation::sequential(&image.data, &mut out, image.width, filter_for(image.width));
        vec![out]
    }

    fn parallel_reference(&self, image: &Image) -> Vec<Vec<u8>> {
        let mut out = vec![0; image.data.len()];
        correlation::parallel(&image.data, &mut out, image.width, filter_for(image.width));
        vec![out]
    }

    fn sequential_seconds(&self, image: &Image) -> f64 {
        // Ones, not zeros: the memory pages of the output exist before the clock starts.
        let mut out = vec![1; image.data.len()];
        let filter = filter_for(image.width);
        lab::seconds(|| correlation::sequential(&image.data, &mut out, image.width, filter))
    }

    fn parallel_seconds(&self, image: &Image) -> f64 {
        let mut out = vec![1; image.data.len()];
        let filter = filter_for(image.width);
        lab::seconds(|| correlation::parallel(&image.data, &mut out, image.width, filter))
    }

    /// Exact: everything is integer arithmetic. A kernel may divide in `float`, if it handles quotients just below an
    /// integer.
    fn tolerance(&self) -> Tolerance {
        Tolerance::Exact
    }

    fn fewest_bytes(&self, width: usize, height: usize) -> FewestBytes {
        fewest_bytes(width, height, 3)
    }

    fn is_local(&self) -> bool {
        true
    }

    fn points(&self) -> Points {
        Points { correctness: 15.0, bandwidth: 9.0, speedup: 6.0, share: FILTER_SHARE, times: FILTER_TIMES }
    }

    fn nominal_nanoseconds_per_pixel(&self) -> f64 {
        NOMINAL_NANOSECONDS_PER_PIXEL
    }

    fn ideas(&self) -> &'static [lab::Idea] {
        crate::ideas::FILTER
    }

    fn hints(&self) -> &'static [&'static str] {
        &[
            "Begin with the copy alone: out equals rgb in every pixel. The borders are then right; only the inner \
             pixels remain.",
            "`filter25` is a host address: a kernel cannot read it. Copy the 25 integers to the GPU \
             first: `cudaMemcpyToSymbol` into a `__constant__ int` array, or a struct of 25 ints passed by value.",
            "filter25[5 * (dy + 2) + (dx + 2)] belongs to the neighbour dx columns and dy rows away; its channel c is \
             rgb[3 * ((y + dy) * width + x + dx) + c].",
            "A pixel is an inner pixel if 2 <= x < width - 2 and 2 <= y < height - 2; images narrower than five pixels have \
             none.",
            "Sums may be negative or larger than 255 * divisor: divide first, then clamp to 0 and 255.",
        ]
    }

    fn mistakes(&self) -> &'static [Mistake] {
        mistakes::FILTER
    }

    fn first_step(&self) -> &'static str {
        "Copy the image in `filter_rgb_kernel`, then copy the filter to the GPU and apply it to the inner pixels."
    }
}
