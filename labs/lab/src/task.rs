//! A lab and its tasks.

use std::time::Instant;

use crate::{
    Answer, Argument, Case, Idea, Image, Mistake, Points, Situation, Stage, Tolerance, partial_pictures,
};

/// Wall time of `work` in seconds.
pub fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// A lab: one `.cu` file with one host function per task.
pub trait Lab: Sync {
    /// As on the command line: `lab1`.
    fn name(&self) -> &'static str;
    /// As a heading: `Grayscale`.
    fn title(&self) -> &'static str;
    /// Folder under `labs/` and `solutions/`: `lab1-grayscale`.
    fn folder(&self) -> &'static str;
    /// File name of the skeleton in that folder: `grayscale.cu`.
    fn file(&self) -> &'static str;
    /// The untouched skeleton's text.
    fn skeleton(&self) -> &'static str;
    /// The tasks, in the order a student takes them.
    fn tasks(&self) -> &'static [&'static dyn Task];
    /// The task sheet's text.
    fn sheet(&self) -> &'static str;
    /// The answers to the questions of the task sheet, in their order.
    fn answers(&self) -> &'static [Answer];
}

/// A task: one host function that the student's file defines.
pub trait Task: Sync {
    /// The host function's name: `grayscale`.
    fn name(&self) -> &'static str;
    /// One line: what it computes.
    fn summary(&self) -> &'static str;
    /// Its C parameters: `const uint8_t* rgb, uint8_t* gray, int width, int height`.
    fn parameters(&self) -> &'static str;
    /// The cases that must be right, small ones first.
    fn cases(&self) -> Vec<Case>;
    /// The case that is timed.
    fn timed_case(&self) -> Case;
    /// The arguments for this image (3 channels, interleaved), in the order of the parameters.
    fn arguments(&self, image: &Image) -> Vec<Argument>;
    /// The same for an image that nobody else needs: the largest are not copied.
    fn arguments_of(&self, image: Image) -> Vec<Argument> {
        self.arguments(&image)
    }
    /// The width of a picture that may follow one of this width. A task whose other arguments depend on the width chooses one with
    /// arguments that are like those of the first, but not the same.
    fn other_width(&self, width: usize) -> usize {
        width + 33
    }
    /// Whether only the gray levels of an image count: an image of one channel, of these levels, gives the same arguments and outputs
    /// as the image of 3 channels, and takes a third of the memory.
    fn is_gray(&self) -> bool {
        false
    }
    /// The bytes of each output, by plain sequential loops.
    fn reference(&self, image: &Image) -> Vec<Vec<u8>>;
    /// The same bytes, as fast as plain safe Rust gets on all cores.
    fn parallel_reference(&self, image: &Image) -> Vec<Vec<u8>>;
    /// Seconds of one run of the sequential reference on this machine: the loop alone, because kernels are timed
    /// alone too. A task that first converts the image, or allocates its output, does so before the clock starts.
    fn sequential_seconds(&self, image: &Image) -> f64 {
        seconds(|| {
            self.reference(image);
        })
    }
    /// Seconds of one run of the parallel reference.
    fn parallel_seconds(&self, image: &Image) -> f64 {
        seconds(|| {
            self.parallel_reference(image);
        })
    }
    /// How close an output must come to the reference.
    fn tolerance(&self) -> Tolerance;
    /// The fewest bytes that any kernel has to move: each input read once, each output written once.
    fn fewest_bytes(&self, width: usize, height: usize) -> FewestBytes;
    /// Whether inputs and outputs lie in host memory. The fewest bytes then cross the link between host and GPU, and
    /// speed is compared with the link.
    fn over_link(&self) -> bool {
        false
    }
    /// Whether each pixel of an output depends on pixels at most two rows away, and on nothing else of the picture.
    fn is_local(&self) -> bool {
        false
    }
    /// Points and scales.
    fn points(&self) -> Points;
    /// Nanoseconds per pixel of the sequential reference on one fixed machine, noted beside the number: the base of
    /// predicted speedups, so that a predicted score is the same everywhere.
    fn nominal_nanoseconds_per_pixel(&self) -> f64;
    /// Hints, from gentle to plain; the report shows the first that applies.
    fn hints(&self) -> &'static [&'static str];
    /// The ideas that make it faster, in the order in which a kernel should get them.
    fn ideas(&self) -> &'static [Idea] {
        &[]
    }
    /// Mistakes that only this task can have. A wrong output is compared with these and with the general ones.
    fn mistakes(&self) -> &'static [Mistake] {
        &[]
    }
    /// The outputs of a kernel that computes only the pixels for which `covered` (column, row) is true; `None` if the
    /// task cannot tell. A task must override this if one of its outputs is not a picture of the image.
    fn partial(
        &self,
        situation: &Situation<'_>,
        covered: &dyn Fn(usize, usize) -> bool,
    ) -> Option<Vec<Vec<u8>>> {
        partial_pictures(situation, covered)
    }
    /// The results between its steps, in their order; none if it has one step.
    fn stages(&self, image: &Image) -> Vec<Stage> {
        let _ = image;
        Vec::new()
    }
    /// What to do first, shown when the skeleton is untouched.
    fn first_step(&self) -> &'static str;
}

/// The least traffic of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FewestBytes {
    /// Bytes read.
    pub read: u64,
    /// Bytes written.
    pub write: u64,
}
