//! Outputs beside those of the reference: the verdict on a case.

use lab::{Argument, Case, Image, Task};

use crate::exit::Stop;
use crate::report::{self, Mismatch, Verdict};
use crate::root;
use runtime::job::Outcome;

/// Larger images are compared with the parallel reference.
const LARGE_PIXELS: usize = 4_000_000;

/// What is noted of a case whose second call alone is wrong.
pub const IN_THE_SECOND: &str = "wrong in the second call";

/// The beginning of what is noted of a case of which a later call is wrong, with the number of the call behind it.
const IN_CALL: &str = "wrong in call ";

/// Whether this was noted of a call after the second.
pub fn is_late(note: &str) -> bool {
    note.starts_with(IN_CALL)
}

/// The verdict on the outputs of one or several calls on this image.
pub fn compared(task: &dyn Task, name: &str, image: &Image, outcome: &Outcome) -> Result<report::Case, Stop> {
    let mut case =
        report::Case { printed: outcome.printed.clone(), ..blank(task, name, (image.width, image.height)) };
    if let Some(error) = root::main_error(&outcome.findings) {
        case.note = format!("stopped by {}", error.code);
        return Ok(case);
    }
    let shapes = output_shapes(&task.arguments_of(image.first_row()));
    // Both references return the same bytes, as each lab's tests show; on a large image only the parallel one is fast.
    let large = image.pixels() > LARGE_PIXELS;
    let expected = if large { task.parallel_reference(image) } else { task.reference(image) };
    for (round, outputs) in outcome.outputs.iter().enumerate() {
        if outputs.len() != expected.len() || expected.len() != shapes.len() {
            return Err(Stop::environment(format!(
                "task `{}` has {} outputs, its reference {}",
                task.name(),
                outputs.len(),
                expected.len()
            )));
        }
        (case.wrong, case.differing, case.total) = (0, 0, 0);
        for ((found, expected), shape) in outputs.iter().zip(&expected).zip(&shapes) {
            shape.compare(task.tolerance(), expected, found, &mut case);
        }
        if case.wrong > 0 {
            if round > 1 {
                case.note = format!("{IN_CALL}{}", round + 1);
            } else if round == 1 {
                IN_THE_SECOND.clone_into(&mut case.note);
            } else if let Some(name) = outcome.unwritten.first() {
                case.note = format!("`{name}` holds what it held before the call");
            }
            return Ok(case);
        }
    }
    if !outcome.outputs.is_empty() {
        case.verdict = Verdict::Passed;
    }
    Ok(case)
}

/// The elements of a pixel of a colour image.
const COLOURS: [&str; 3] = ["red", "green", "blue"];

/// The facts of an output that the comparison needs.
struct Shape {
    name: &'static str,
    element: lab::Element,
    row: usize,
}

impl Shape {
    fn compare(&self, tolerance: lab::Tolerance, expected: &[u8], found: &[u8], case: &mut report::Case) {
        let verdict = tolerance.compare(self.element, expected, found);
        case.wrong += verdict.wrong;
        case.differing += verdict.differing;
        case.total += verdict.total;
        // A pixel of a colour image has several elements.
        let channels = if case.width > 0 && self.row.is_multiple_of(case.width) {
            (self.row / case.width).max(1)
        } else {
            1
        };
        let at = |place: fn(usize, usize) -> usize, index| (self.row > 0).then(|| place(index, self.row));
        case.mismatches.extend(verdict.first.iter().map(|mismatch| Mismatch {
            output: self.name.to_owned(),
            index: mismatch.index,
            x: at(|index, row| index % row, mismatch.index).map(|element| element / channels),
            y: at(|index, row| index / row, mismatch.index),
            channel: (channels == COLOURS.len()).then(|| COLOURS[mismatch.index % channels]),
            expected: mismatch.expected,
            found: mismatch.found,
        }));
    }
}

fn output_shapes(arguments: &[Argument]) -> Vec<Shape> {
    arguments
        .iter()
        .filter_map(|argument| match argument {
            Argument::Output { name, element, row, .. } => Some(Shape { name, element: *element, row: *row }),
            _ => None,
        })
        .collect()
}

/// A case without a verdict yet.
fn blank(task: &dyn Task, name: &str, (width, height): (usize, usize)) -> report::Case {
    report::Case {
        task: task.name().to_owned(),
        name: name.to_owned(),
        width,
        height,
        verdict: Verdict::Failed,
        wrong: 0,
        differing: 0,
        total: 0,
        mismatches: Vec::new(),
        note: String::new(),
        printed: String::new(),
        timed: false,
    }
}

/// A case that does not run any more after the finding `code`.
pub fn skipped(task: &dyn Task, case: &Case, size: (usize, usize), code: &str) -> report::Case {
    report::Case { verdict: Verdict::Skipped, note: format!("after {code}"), ..blank(task, &case.name, size) }
}
