//! What a wrong output may come from: a guess at the student's mistake, and the outputs a kernel with that mistake
//! leaves. The checker compares a wrong output with these and names the mistake whose outputs it is.

use crate::{Element, Image, Task};

/// Two numbers that tell the members of a family of mistakes apart, such as the sides of a block.
pub type Parameters = [usize; 2];

/// For a mistake that is no family.
pub const ALONE: &[Parameters] = &[[0, 0]];

/// One output as a mistake has to know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputShape {
    /// Parameter name.
    pub name: &'static str,
    /// Element type.
    pub element: Element,
    /// Elements in a row; 0 if it is no picture.
    pub row: usize,
    /// Whether it holds zeros before the call, by the task's promise.
    pub zeroed: bool,
}

/// One call on one image, as a mistake has to know it.
pub struct Situation<'a> {
    /// The task.
    pub task: &'a dyn Task,
    /// Its image: 3 channels, interleaved.
    pub image: &'a Image,
    /// The outputs.
    pub shapes: &'a [OutputShape],
    /// What the reference leaves in them.
    pub expected: &'a [Vec<u8>],
    /// What they held before the call.
    pub before: &'a [Vec<u8>],
    /// Calls on the same image before this one, in the same program.
    pub call: u32,
    /// Which member of the family is asked for.
    pub parameters: Parameters,
}

impl Situation<'_> {
    /// The outputs of a kernel that does only the pixels `covered` (column, row) is true for.
    pub fn partial(&self, covered: &dyn Fn(usize, usize) -> bool) -> Option<Guess> {
        self.task.partial(self, covered).map(Guess::from)
    }

    /// Width and height of the image.
    pub fn size(&self) -> (usize, usize) {
        (self.image.width, self.image.height)
    }
}

/// The outputs a mistake leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    /// The bytes of each output.
    pub outputs: Vec<Vec<u8>>,
    /// By output, the elements that the mistake leaves open; empty if there are none.
    pub open: Vec<Vec<bool>>,
}

impl From<Vec<Vec<u8>>> for Guess {
    fn from(outputs: Vec<Vec<u8>>) -> Self {
        Self { outputs, open: Vec::new() }
    }
}

/// A mistake, or a family of them.
pub struct Mistake {
    /// Stable name, such as `truncated`: what a program reads.
    pub name: &'static str,
    /// The members of the family that are tried.
    pub parameters: &'static [Parameters],
    /// What went wrong, one sentence; `{output}` stands for the name of the output number `parameters[0]`.
    pub message: fn(Parameters) -> String,
    /// What to try.
    pub hint: &'static str,
    /// The outputs it leads to; `None` if it makes no sense for this task.
    pub outputs: fn(&Situation<'_>) -> Option<Guess>,
}

/// What a kernel that does only some of the pixels leaves in outputs that are pictures of the image: elsewhere
/// what they held before. `None` if there is an output of another kind.
pub fn partial_pictures(
    situation: &Situation<'_>,
    covered: &dyn Fn(usize, usize) -> bool,
) -> Option<Vec<Vec<u8>>> {
    let width = situation.image.width;
    let outputs = situation.shapes.iter().zip(situation.expected).zip(situation.before);
    outputs
        .map(|((shape, expected), before)| {
            let channels = channels(shape, width)?;
            let pixels = expected.chunks_exact(channels).zip(before.chunks_exact(channels)).enumerate();
            let done = pixels.flat_map(
                |(pixel, (expected, before))| {
                    if covered(pixel % width, pixel / width) { expected } else { before }
                },
            );
            Some(done.copied().collect())
        })
        .collect()
}

/// Bytes a pixel of an output that is a picture of an image of this width.
pub(crate) fn channels(shape: &OutputShape, width: usize) -> Option<usize> {
    (shape.row > 0 && shape.element == Element::U8 && shape.row.is_multiple_of(width))
        .then(|| shape.row / width)
}
