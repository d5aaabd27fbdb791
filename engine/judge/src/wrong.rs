//! The outputs of a failed case as pictures: found, expected, difference. Histograms are drawn as bars.

use lab::{Case, Element, Image, OutputShape, Task};

use crate::call;

/// Rows of a drawn histogram, and columns of a bar.
const BARS: usize = 256;
const BAR: usize = 3;

/// Takes failed cases as they come.
pub trait Gallery {
    /// One more.
    fn add(&self, wrong: &Wrong<'_>);
}

/// A failed case.
pub struct Wrong<'a> {
    /// Its task.
    pub task: &'a dyn Task,
    /// Its number among the task's cases, from 1.
    pub number: usize,
    /// The case.
    pub case: &'a Case,
    /// Its image.
    pub image: &'a Image,
    /// The outputs of each call.
    pub outputs: &'a [Vec<Vec<u8>>],
}

/// A picture of an output.
pub struct Picture {
    /// The output.
    pub output: &'static str,
    /// `found`, `expected` or `difference`.
    pub what: &'static str,
    /// Whether its pixels are those of the output; else it is a drawing of its values.
    pub pixels: bool,
    /// The picture.
    pub image: Image,
}

impl Wrong<'_> {
    /// The pictures of the first of its calls with a wrong output: three for each output.
    pub fn pictures(&self) -> Vec<Picture> {
        let expected = self.task.parallel_reference(self.image);
        let tolerance = self.task.tolerance();
        let shapes = call::shapes(self.task, self.image);
        let is_wrong = |outputs: &&Vec<Vec<u8>>| {
            let each = shapes.iter().zip(&expected).zip(outputs.iter());
            each.into_iter()
                .any(|((shape, right), found)| !tolerance.compare(shape.element, right, found).passed())
        };
        let Some(found) = self.outputs.iter().find(is_wrong) else { return Vec::new() };
        let outputs = shapes.iter().zip(&expected).zip(found);
        let three = |((shape, right), found): ((&OutputShape, &Vec<u8>), &Vec<u8>)| {
            let (output, pixels) = (shape.name, is_picture(shape));
            drawn(shape, self.image.width, right, found).map(|(what, image)| Picture {
                output,
                what,
                pixels,
                image,
            })
        };
        outputs.flat_map(three).collect()
    }
}

fn is_picture(shape: &OutputShape) -> bool {
    shape.row > 0 && shape.element == Element::U8
}

/// Found, expected, difference.
fn drawn(shape: &OutputShape, width: usize, right: &[u8], found: &[u8]) -> [(&'static str, Image); 3] {
    if is_picture(shape) {
        let channels = if shape.row == 3 * width { 3 } else { 1 };
        let image = |data: Vec<u8>| {
            let width = shape.row / channels;
            Image { width, height: data.len() / shape.row, channels, data }
        };
        let difference = amplified(right, found);
        return [
            ("found", image(found.to_vec())),
            ("expected", image(right.to_vec())),
            ("difference", image(difference)),
        ];
    }
    let values = |bytes: &[u8]| -> Vec<u64> {
        let elements = bytes.chunks_exact(shape.element.size());
        elements.map(|element| shape.element.value(element).max(0) as u64).collect()
    };
    let (right, found) = (values(right), values(found));
    let difference: Vec<u64> =
        right.iter().zip(&found).map(|(right, found)| right.abs_diff(*found)).collect();
    let highest = right.iter().copied().max().unwrap_or(0);
    let own = difference.iter().copied().max().unwrap_or(0);
    [
        ("found", bars(&found, highest)),
        ("expected", bars(&right, highest)),
        ("difference", bars(&difference, own)),
    ]
}

/// Differences, scaled so that the largest is white and no difference looks black.
fn amplified(right: &[u8], found: &[u8]) -> Vec<u8> {
    let differences = || right.iter().zip(found).map(|(right, found)| u32::from(right.abs_diff(*found)));
    let largest = differences().max().unwrap_or(0).max(1);
    differences()
        .map(|difference| if difference == 0 { 0 } else { (64 + difference * 191 / largest) as u8 })
        .collect()
}

/// White bars on black. The value `highest` is as high as the picture; higher values are cut off.
fn bars(values: &[u64], highest: u64) -> Image {
    let width = values.len() * BAR;
    let mut data = vec![0; width * BARS];
    for (index, value) in values.iter().enumerate() {
        let height = (value.saturating_mul(BARS as u64)).div_ceil(highest.max(1)).min(BARS as u64) as usize;
        for row in BARS - height..BARS {
            data[row * width + index * BAR..][..BAR - 1].fill(255);
        }
    }
    Image { width, height: BARS, channels: 1, data }
}
