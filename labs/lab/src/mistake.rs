//! Likely causes of a wrong output: mistakes that students make, each with the outputs of a kernel that makes it. The
//! checker compares a wrong output with these, and names the mistake that gives the same output.

use crate::{Element, Image, Task};

/// Two numbers that select one member of a family of mistakes, such as the width and height of a block.
pub type Parameters = [usize; 2];

/// For a mistake that has only one member.
pub const ALONE: &[Parameters] = &[[0, 0]];

/// One output buffer of the task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputShape {
    /// Parameter name.
    pub name: &'static str,
    /// Element type.
    pub element: Element,
    /// Elements per row; 0 if the output is not a picture.
    pub row: usize,
    /// Whether the task promises zeros before the call.
    pub zeroed: bool,
}

/// One call of the host function on one image.
pub struct Situation<'a> {
    /// The task.
    pub task: &'a dyn Task,
    /// Its image: 3 channels, interleaved.
    pub image: &'a Image,
    /// The outputs.
    pub shapes: &'a [OutputShape],
    /// The outputs of the reference.
    pub expected: &'a [Vec<u8>],
    /// The contents of the outputs before the call.
    pub before: &'a [Vec<u8>],
    /// Earlier calls on the same image in the same program.
    pub call: u32,
    /// Which member of the family to compute.
    pub parameters: Parameters,
}

impl Situation<'_> {
    /// The outputs of a kernel that computes only the pixels for which `covered` (column, row) is true.
    pub fn partial(&self, covered: &dyn Fn(usize, usize) -> bool) -> Option<Guess> {
        self.task.partial(self, covered).map(Guess::from)
    }

    /// Width and height of the image.
    pub fn size(&self) -> (usize, usize) {
        (self.image.width, self.image.height)
    }
}

/// The outputs of a kernel with a mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    /// The bytes of each output.
    pub outputs: Vec<Vec<u8>>,
    /// For each output, the elements that may have any value; empty if there are none.
    pub open: Vec<Vec<bool>>,
}

impl From<Vec<Vec<u8>>> for Guess {
    fn from(outputs: Vec<Vec<u8>>) -> Self {
        Self { outputs, open: Vec::new() }
    }
}

/// A mistake, or a family of them.
pub struct Mistake {
    /// Stable name for programs, such as `truncated`.
    pub name: &'static str,
    /// The members of the family that are tried.
    pub parameters: &'static [Parameters],
    /// What went wrong, in one sentence. `{output}` is replaced by the name of output number `parameters[0]`.
    pub message: fn(Parameters) -> String,
    /// What to try.
    pub hint: &'static str,
    /// The outputs of a kernel with this mistake; `None` if the task cannot have it.
    pub outputs: fn(&Situation<'_>) -> Option<Guess>,
}

/// The outputs of a kernel that computes only the `covered` pixels; all other pixels keep their contents from before the
/// call. `None` if an output is not a picture of the image.
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

/// Bytes per pixel of an output, if it is a picture of an image of this width.
pub(crate) fn channels(shape: &OutputShape, width: usize) -> Option<usize> {
    (shape.row > 0 && shape.element == Element::U8 && shape.row.is_multiple_of(width))
        .then(|| shape.row / width)
}
