//! The timed operations: the tasks of the labs, the bytes that the yardstick moves for each, and the target share.

use lab::{FewestBytes, Lab, Task};

use super::pictures::Content;

/// The bytes that the yardstick moves, given the task's fewest.
type Moves = fn(FewestBytes) -> FewestBytes;

/// One operation.
#[derive(Debug, Clone, Copy)]
pub struct Operation {
    /// The task's host function.
    pub task: &'static str,
    /// Its name in the table.
    pub title: &'static str,
    /// The target share of the yardstick's speed.
    pub target: f64,
    /// The bytes that the yardstick moves, where they are not the task's fewest, and the reason.
    moves: Option<(Moves, &'static str)>,
    /// The pictures. Only counting tasks depend on the content.
    pub contents: &'static [Content],
}

const ALL: &[Content] = &[Content::Noise, Content::Scene, Content::Flat];
const ONE: &[Content] = &[Content::Noise];

/// The whole image has to be seen before its first pixel can be changed.
const TWICE: Moves = |bytes| FewestBytes { read: 2 * bytes.read, write: bytes.write };

/// Colours in, gray out; gray in, result out.
const THROUGH_GRAY: Moves = |bytes| FewestBytes { read: bytes.read + bytes.write, write: 2 * bytes.write };

/// All of them, lab by lab. A lab that is not here has nothing to be compared with.
pub const OPERATIONS: [Operation; 10] = [
    plain("grayscale", "RGB to gray", 0.97, ONE),
    plain("grayscale_darken", "planar RGB to darker gray", 0.97, ONE),
    plain("histogram", "histogram", 0.85, ALL),
    plain("gray_histogram", "gray and histogram in one pass", 0.90, ALL),
    Operation {
        moves: Some((TWICE, "two reads and a write")),
        ..plain("contrast_stretch", "contrast stretch", 0.90, ALL)
    },
    Operation { moves: Some((TWICE, "two reads and a write")), ..plain("equalize", "equalize", 0.90, ALL) },
    plain("smooth_box", "5×5 box", 0.90, ONE),
    plain("smooth_triangular", "5×5 triangular", 0.90, ONE),
    plain("filter_rgb", "RGB 5×5, any filter", 0.60, ONE),
    // 1.3 times the time of the bytes.
    Operation {
        moves: Some((
            THROUGH_GRAY,
            "colours read and gray written, gray read and the result written; kernels alone, one right after the other, without the link",
        )),
        ..plain("pipeline", "the pipeline's kernels", 1.0 / 1.3, ONE)
    },
];

const fn plain(
    task: &'static str,
    title: &'static str,
    target: f64,
    contents: &'static [Content],
) -> Operation {
    Operation { task, title, target, moves: None, contents }
}

impl Operation {
    /// The lab and the task.
    pub fn find(&self, labs: &[&'static dyn Lab]) -> Option<(&'static dyn Lab, &'static dyn Task)> {
        labs.iter().find_map(|lab| {
            let task = lab.tasks().iter().find(|task| task.name() == self.task)?;
            Some((*lab, *task))
        })
    }

    /// The bytes that the yardstick moves.
    pub fn yardstick_bytes(&self, fewest: FewestBytes) -> FewestBytes {
        self.moves.map_or(fewest, |(moves, _)| moves(fewest))
    }

    /// The bytes that the yardstick moves, in words.
    pub fn yardstick(&self) -> &'static str {
        self.moves.map_or("each input read once, each output written once", |(_, words)| words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge::labs;

    #[test]
    fn every_operation_is_a_task_in_the_order_of_the_labs_and_a_lab_has_all_or_none() {
        let operations: Vec<&str> = OPERATIONS.iter().map(|operation| operation.task).collect();
        let is_timed = |lab: &&&'static dyn Lab| operations.contains(&lab.tasks()[0].name());
        let labs = labs::all();
        let tasks = labs.iter().filter(is_timed).flat_map(|lab| lab.tasks().iter().map(|task| task.name()));
        assert_eq!(tasks.collect::<Vec<_>>(), operations);
        assert!(OPERATIONS.iter().all(|operation| operation.find(&labs::all()).is_some()));
    }

    #[test]
    fn what_needs_two_passes_is_measured_by_the_bytes_of_two() {
        let of = |task: &str, read, write| {
            let operation = OPERATIONS.iter().find(|operation| operation.task == task).expect("a task");
            let bytes = operation.yardstick_bytes(FewestBytes { read, write });
            (bytes.read, bytes.write)
        };
        assert_eq!(of("grayscale", 3, 1), (3, 1));
        assert_eq!(of("equalize", 1, 1), (2, 1));
        assert_eq!(of("pipeline", 3, 1), (4, 2));
    }
}
