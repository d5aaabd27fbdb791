//! The rungs: opened once, timed on each picture.

use lab::{Argument, Element, FewestBytes, Image, Lab, Task};
use records::{Fastest, TimedRung};

use super::operations::Operation;
use judge::call::{job, yardstick_bytes};
use runtime::job::Job;
use runtime::remote::RemoteGpu;
use runtime::statistics;
use runtime::timing::Pace;

/// Enough for a table of two digits, and soon over.
const PACE: Pace = Pace { pairs: 15, precise: 0.01, believed: 0.01, warm_up_ms: 50, budget_ms: 500 };

/// Selects what outputs hold before a call.
const SEED: u64 = 1;

/// A rung, its worker started when first needed.
pub struct Rung {
    /// Its lab.
    pub lab: &'static dyn Lab,
    /// File name without ending.
    pub name: String,
    /// The tasks that it is timed for.
    pub tasks: Vec<&'static dyn Task>,
    /// The worker.
    pub gpu: RemoteGpu,
}

/// On a larger picture, rungs that were this much slower than the fastest on the last one are left out.
const MANY_PIXELS: usize = 100_000_000;
const MUCH_SLOWER: f64 = 1.2;

/// Whether a rung is worth the time on this picture, given what the rungs took for the same task on the last one.
pub fn is_worth_it(rung: &str, pixels: usize, last: &[TimedRung]) -> bool {
    let of =
        |rung: &str| last.iter().find(|timed| timed.rung == rung && timed.right).and_then(|timed| timed.ms);
    let fastest = last.iter().filter_map(|timed| of(&timed.rung)).min_by(f64::total_cmp);
    match (fastest, of(rung)) {
        (Some(fastest), Some(own)) => pixels <= MANY_PIXELS || own <= MUCH_SLOWER * fastest,
        _ => true,
    }
}

impl Rung {
    /// Whether it is timed for this task.
    pub fn is_about(&self, task: &str) -> bool {
        self.tasks.iter().any(|own| own.name() == task)
    }
}

/// A timed call.
pub struct Call<'a> {
    /// The operation.
    pub operation: &'a Operation,
    /// Its task.
    pub task: &'static dyn Task,
    /// The call.
    pub job: Job,
    /// The types of its outputs.
    pub elements: Vec<Element>,
    /// The right outputs.
    pub expected: &'a [Vec<u8>],
    /// The task's fewest bytes.
    pub fewest: FewestBytes,
}

impl<'a> Call<'a> {
    /// A call of the task on this image, whose right outputs are `expected`.
    pub fn new(
        operation: &'a Operation,
        task: &'static dyn Task,
        image: &Image,
        expected: &'a [Vec<u8>],
    ) -> Self {
        let arguments = task.arguments(image);
        let element = |argument: &Argument| match argument {
            Argument::Output { element, .. } => Some(*element),
            _ => None,
        };
        let elements = arguments.iter().filter_map(element).collect();
        let job = job(task.name(), arguments, image.pixels() as u64, SEED);
        let fewest = task.fewest_bytes(image.width, image.height);
        Self { operation, task, job, elements, expected, fewest }
    }

    /// Times one rung.
    pub fn time(&self, rung: &mut Rung) -> TimedRung {
        let mut timed = TimedRung { rung: rung.name.clone(), ..TimedRung::default() };
        let measured = if self.task.over_link() { self.kernels(rung) } else { self.pairs(rung) };
        match measured {
            Err(failure) => timed.failure = failure,
            Ok(Measured { ms, yardstick_ms, share, share_error, outputs }) => {
                timed.right = self.right(&outputs);
                (timed.ms, timed.yardstick_ms) = (Some(ms), Some(yardstick_ms));
                (timed.share, timed.share_error) = (Some(share), share_error);
            }
        }
        timed
    }

    fn pairs(&self, rung: &mut Rung) -> Result<Measured, String> {
        let bytes = self.operation.yardstick_bytes(self.fewest);
        let timed = rung.gpu.time_at(PACE, &self.job, Vec::new(), yardstick_bytes(bytes), false);
        let (timed, outputs) = timed.map_err(|failure| failure.to_string())?;
        let (share, error) = statistics::ratio(&timed.ratios());
        Ok(Measured {
            ms: 1e3 * statistics::median(&timed.student),
            yardstick_ms: 1e3 * statistics::median(&timed.yardstick),
            share,
            share_error: Some(error),
            outputs,
        })
    }

    /// The kernels of a task from host to host, one right after the other, and the yardstick on the GPU.
    fn kernels(&self, rung: &mut Rung) -> Result<Measured, String> {
        let timed = rung.gpu.time_at(Pace::APART, &self.job, Vec::new(), yardstick_bytes(self.fewest), true);
        let (timed, outputs) = timed.map_err(|failure| failure.to_string())?;
        let apart = timed.apart.ok_or("kernels and transfers were not told apart")?;
        let FewestBytes { read, write } = self.operation.yardstick_bytes(self.fewest);
        let yardstick = rung.gpu.yardstick(read, write).map_err(|failure| failure.to_string())?;
        let yardstick = statistics::median(&yardstick);
        Ok(Measured {
            ms: 1e3 * apart.kernels,
            yardstick_ms: 1e3 * yardstick,
            share: yardstick / apart.kernels,
            share_error: None,
            outputs,
        })
    }

    /// Whether the outputs of all checked calls are right.
    fn right(&self, outputs: &[Vec<u8>]) -> bool {
        let same = |outputs: &[Vec<u8>]| {
            let both = self.expected.iter().zip(outputs).zip(&self.elements);
            both.into_iter().all(|((expected, found), element)| {
                expected.len() == found.len()
                    && self.task.tolerance().compare(*element, expected, found).passed()
            })
        };
        let each = self.expected.len();
        !outputs.is_empty()
            && each == self.elements.len()
            && outputs.len().is_multiple_of(each)
            && outputs.chunks(each).all(same)
    }

    /// The fastest right rung.
    pub fn fastest(&self, rungs: &[TimedRung]) -> Option<Fastest> {
        let right = rungs.iter().filter(|timed| timed.right);
        let (timed, ms) = right
            .filter_map(|timed| Some((timed, timed.ms.filter(|ms| *ms > 0.0)?)))
            .min_by(|(_, one), (_, other)| one.total_cmp(other))?;
        let share = timed.share?;
        Some(Fastest {
            rung: timed.rung.clone(),
            ms,
            gigabytes_per_second: (self.fewest.read + self.fewest.write) as f64 * 1e-6 / ms,
            yardstick_ms: timed.yardstick_ms?,
            share,
            share_error: timed.share_error,
            reached: share >= self.operation.target,
        })
    }
}

struct Measured {
    ms: f64,
    yardstick_ms: f64,
    share: f64,
    share_error: Option<f64>,
    outputs: Vec<Vec<u8>>,
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::bench::operations::OPERATIONS;
    use crate::bench::pictures::Content;
    use judge::labs;

    fn timed(rung: &str, ms: Option<f64>, right: bool) -> TimedRung {
        TimedRung {
            rung: rung.to_owned(),
            ms,
            yardstick_ms: Some(1.0),
            share: ms.map(|ms| 1.0 / ms),
            share_error: None,
            right,
            failure: String::new(),
        }
    }

    fn with_call<T>(task: &str, use_it: impl FnOnce(&Call<'_>) -> T) -> T {
        let operation = OPERATIONS.iter().find(|operation| operation.task == task).expect("an operation");
        let (_, task) = operation.find(&labs::all()).expect("a task");
        let image = Content::Noise.case((40, 30)).image(1).expect("a picture");
        let expected = task.reference(&image);
        use_it(&Call::new(operation, task, &image, &expected))
    }

    #[test]
    fn on_many_pixels_only_what_was_fast_on_fewer_is_timed() {
        let last =
            [timed("01_a", Some(2.0), true), timed("02_b", Some(1.1), true), timed("03_c", Some(1.0), true)];
        let worth = |rung, pixels| is_worth_it(rung, pixels, &last);
        assert!(!worth("01_a", MANY_PIXELS + 1) && worth("01_a", MANY_PIXELS));
        assert!(worth("02_b", MANY_PIXELS + 1) && worth("04_d", MANY_PIXELS + 1));
        // What was fast because it was wrong does not count.
        let wrong = [timed("01_a", Some(2.0), true), timed("02_b", Some(0.1), false)];
        assert!(is_worth_it("01_a", MANY_PIXELS + 1, &wrong) && is_worth_it("x", MANY_PIXELS + 1, &[]));
    }

    #[test]
    fn the_fastest_is_one_that_is_right() {
        with_call("grayscale", |call| {
            let rungs =
                [timed("01_a", Some(2.0), true), timed("02_b", Some(0.5), false), timed("03_c", None, true)];
            let ours = call.fastest(&rungs).expect("one is right");
            assert_eq!((ours.rung.as_str(), ours.reached), ("01_a", false));
            assert!((ours.gigabytes_per_second - 4.0 * 1200.0 * 1e-6 / 2.0).abs() < 1e-12);
            assert!(call.fastest(&[timed("01_a", Some(1.0), true)]).expect("one").reached);
            assert_eq!(call.fastest(&rungs[1..]), None);
        });
    }

    #[test]
    fn every_checked_call_has_to_be_right_in_all_its_outputs() {
        with_call("gray_histogram", |call| {
            let twice = [call.expected, call.expected].concat();
            assert!(call.right(&twice));
            assert!(!call.right(&[]) && !call.right(&twice[..3]));
            let mut wrong = twice;
            wrong[3][0] ^= 1;
            assert!(!call.right(&wrong));
        });
        // One output each, of bytes.
        for operation in &OPERATIONS {
            with_call(operation.task, |call| assert!(call.right(call.expected), "{}", operation.task));
        }
    }
}
