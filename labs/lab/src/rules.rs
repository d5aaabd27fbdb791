//! Rules that every lab keeps, as checks for the tests of its crate: points, references, skeleton, task sheet,
//! ladder and wrong kernels fit together. A check panics and names the part that does not fit.

use std::path::Path;

use crate::argument::Argument;
use crate::case::{Case, Picture};
use crate::gray::gray;
use crate::header;
use crate::image::Image;
use crate::points::{Points, Threshold};
use crate::task::Lab;

/// All rules that need no run of a reference. `folder` is the lab's crate; its ladder has at least `rungs` rungs.
pub fn hold(lab: &dyn Lab, folder: &str, rungs: usize) {
    hold_for_a_new_lab(lab, folder);
    let count = |inner: &str| solutions(lab, folder, inner).len();
    assert!(count("") >= rungs, "only {} rungs", count(""));
    assert!(count("wrong") >= 10, "only {} wrong kernels", count("wrong"));
    assert!(count("unusual") > 0, "no unusual kernel");
}

/// The same rules for a lab that is begun: it has a rung and a wrong kernel at least.
pub fn hold_for_a_new_lab(lab: &dyn Lab, folder: &str) {
    points_add_up(lab);
    arguments_follow_the_parameters(lab);
    gray_levels_are_enough_where_a_task_says_so(lab);
    skeleton_and_sheet_are_complete(lab, folder);
    rungs_are_whole(lab, folder);
    wrong_kernels_say_how_they_fail(lab, folder);
    unusual_kernels_say_why(lab, folder);
    cuda_files_fit_a_page(lab, folder);
}

/// Every task is timed on an image of the size that the GTX 480 report timed, and has to read and write at least
/// these bytes of it: one pair per task.
pub fn timed_size_is_that_of_the_report(lab: &dyn Lab, fewest: &[(u64, u64)]) {
    assert_eq!(lab.tasks().len(), fewest.len(), "one pair of bytes per task");
    for (task, fewest) in lab.tasks().iter().zip(fewest) {
        let image = task.timed_case().image(1).expect("a picture");
        assert_eq!((image.width, image.height), (8773, 5352), "{}", task.name());
        let found = task.fewest_bytes(image.width, image.height);
        assert_eq!((found.read, found.write), *fewest, "{}", task.name());
    }
}

/// The tasks are worth 100 points: 50 correctness, 30 bandwidth, 20 speedup; and the levels of every scale
/// rise from its floor to its target.
fn points_add_up(lab: &dyn Lab) {
    let sum = |part: fn(&Points) -> f64| lab.tasks().iter().map(|task| part(&task.points())).sum::<f64>();
    let parts = [sum(|p| p.correctness), sum(|p| p.bandwidth), sum(|p| p.speedup), sum(Points::total)];
    // Compared as text: the parts are whole or halves, so their sums are exact.
    assert_eq!(parts.map(|part| part.to_string()), ["50", "30", "20", "100"], "{}", lab.name());
    for task in lab.tasks() {
        let points = task.points();
        levels_rise(&points.share);
        for level in points.share.levels {
            assert!(!level.how.is_empty(), "how does one reach \"{}\" in `{}`?", level.name, task.name());
        }
        levels_rise(&points.times);
    }
}

fn levels_rise(scale: &Threshold) {
    let at: Vec<f64> = scale.levels.iter().map(|level| level.at).collect();
    assert!(at.windows(2).all(|pair| pair[0] < pair[1]), "levels do not rise: {at:?}");
    assert_eq!((at.first(), at.last()), (Some(&scale.floor), Some(&scale.target)), "levels end elsewhere");
}

/// On every case both references give the same bytes, as many as the outputs hold.
pub fn references_agree(lab: &dyn Lab) {
    for task in lab.tasks() {
        for case in task.cases() {
            let image = case.image(11).expect("a picture");
            let expected = task.reference(&image);
            let lengths = task.arguments(&image).into_iter().filter_map(|argument| match argument {
                Argument::Output { element, length, .. } => Some(length * element.size()),
                _ => None,
            });
            let place = format!("{} on {}", task.name(), case.name);
            assert!(lengths.eq(expected.iter().map(Vec::len)), "{place}: outputs of other lengths");
            assert!(task.parallel_reference(&image) == expected, "{place}: the references differ");
        }
    }
}

/// A task on gray images takes one of one channel for the same; and arguments are the same whoever keeps the image.
fn gray_levels_are_enough_where_a_task_says_so(lab: &dyn Lab) {
    let image = Case::new("", Picture::Scene { width: 37, height: 23 }).image(5).expect("a picture");
    let gray = Image { channels: 1, data: gray(&image), ..image };
    for task in lab.tasks() {
        let arguments = task.arguments(&image);
        assert!(task.arguments_of(image.clone()) == arguments, "{}: its arguments differ", task.name());
        if task.is_gray() {
            let name = task.name();
            assert!(task.arguments_of(gray.clone()) == arguments, "{name}: other arguments for gray levels");
            let outputs = task.reference(&image);
            assert!(task.reference(&gray) == outputs, "{name}: other outputs for gray levels");
            assert!(task.parallel_reference(&gray) == outputs, "{name}: other outputs for gray levels");
        }
    }
}

/// The arguments have the names of the C parameters, in their order.
fn arguments_follow_the_parameters(lab: &dyn Lab) {
    for task in lab.tasks() {
        let image = task.cases()[3].image(0).expect("a picture");
        let arguments = task.arguments(&image);
        let names: Vec<&str> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Input { name, .. } | Argument::Output { name, .. } | Argument::Int { name, .. } => {
                    *name
                }
            })
            .collect();
        let declared: Vec<&str> = task
            .parameters()
            .split(',')
            .map(|parameter| parameter.rsplit([' ', '*']).next().expect("a name"))
            .collect();
        assert_eq!(names, declared, "{}", task.name());
    }
}

/// Skeleton and task sheet lie in `folder`, the lab's crate; the skeleton defines every host function, and the
/// sheet states signature and points of each task.
fn skeleton_and_sheet_are_complete(lab: &dyn Lab, folder: &str) {
    let folder = Path::new(folder);
    assert_eq!(folder.file_name().and_then(|name| name.to_str()), Some(lab.folder()));
    let file = std::fs::read_to_string(folder.join(lab.file())).expect("the skeleton");
    assert_eq!(file, lab.skeleton());
    assert!(file.contains("#include \"workbook.cuh\"") && file.contains("// TODO"));
    let sheet = std::fs::read_to_string(folder.join("README.md")).expect("the task sheet");
    for task in lab.tasks() {
        let signature = format!("{}({})", task.name(), task.parameters());
        assert!(defines(&file, &format!("void {signature}")), "the skeleton lacks `{signature}`");
        assert!(sheet.contains(&format!("`{signature}`")), "the sheet lacks `{signature}`");
        let points = task.points();
        let row =
            [points.correctness, points.bandwidth, points.speedup].map(|part| part.to_string()).join(" | ");
        assert!(sheet.contains(&format!("| `{}` | {row} |", task.name())), "the sheet lacks `{row}`");
    }
}

/// Whether the text defines this function, over however many lines its parameters go.
fn defines(text: &str, function: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").contains(&format!("{function} {{"))
}

/// Names and texts of the `.cu` files in `inner` of the lab's folder under `solutions/`, by name; `folder` is
/// the lab's crate.
fn solutions(lab: &dyn Lab, folder: &str, inner: &str) -> Vec<(String, String)> {
    let solutions = Path::new(folder).join("../../solutions").join(lab.folder()).join(inner);
    // A new lab has no unusual kernels yet.
    let listed =
        if solutions.is_dir() { Some(std::fs::read_dir(&solutions).expect("readable")) } else { None };
    let mut files: Vec<(String, String)> = listed
        .into_iter()
        .flatten()
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cu"))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).expect("readable"))
        })
        .collect();
    files.sort();
    files
}

/// The rungs are numbered without a gap, each a whole submission under a header of three parts.
fn rungs_are_whole(lab: &dyn Lab, folder: &str) {
    let rungs = solutions(lab, folder, "");
    for (index, (name, text)) in rungs.iter().enumerate() {
        let number = index + 1;
        assert!(name.starts_with(&format!("{number:02}_")), "{name} is not rung {number}");
        assert!(text.starts_with(&format!("// Rung {number}: ")), "{name}: the first line names the rung");
        for part in ["// Before:   ", "// Change:   ", "// Expected: "] {
            assert!(text.contains(part), "{name} lacks `{part}`");
        }
        let own = header::tasks(text, lab).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert!(index > 0 || own.len() == lab.tasks().len(), "{name}: the first rung has every task");
        for task in lab.tasks() {
            let function = format!("void {}({})", task.name(), task.parameters());
            let is_own = own.iter().any(|of| of.name() == task.name());
            assert!(defines(text, &function) == is_own, "{name}: `{function}` and its line `tasks:` differ");
        }
    }
    assert!(!rungs.is_empty(), "no rung");
}

/// Wrong kernels, each with the way in which it fails, and what is wrong in words.
fn wrong_kernels_say_how_they_fail(lab: &dyn Lab, folder: &str) {
    const KINDS: [&str; 7] = ["compile", "host", "memory", "initialisation", "race", "barrier", "launch"];
    let wrong = solutions(lab, folder, "wrong");
    for (name, text) in &wrong {
        let expect = text.lines().next().and_then(|line| line.strip_prefix("// expect: "));
        let expect = expect.unwrap_or_else(|| panic!("{name} begins with no `// expect:`"));
        let known = match expect.split_once(' ') {
            Some(("finding", kind)) => KINDS.contains(&kind),
            Some(("mismatch", task)) => lab.tasks().iter().any(|known| known.name() == task),
            _ => false,
        };
        assert!(known, "{name} expects `{expect}`");
        assert!(text.contains("\n// fault: "), "{name} does not say what is wrong");
    }
    assert!(!wrong.is_empty(), "no wrong kernel");
}

/// The first line of a right but unusual kernel says what is unusual, and its tasks are the lab's.
fn unusual_kernels_say_why(lab: &dyn Lab, folder: &str) {
    let unusual = solutions(lab, folder, "unusual");
    for (name, text) in &unusual {
        assert!(text.starts_with("// why: "), "{name} does not begin with `// why: `");
        let tasks = header::tasks(text, lab).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert!(!tasks.is_empty(), "{name} has no task");
    }
}

/// No line of a CUDA file is longer than 100 columns.
fn cuda_files_fit_a_page(lab: &dyn Lab, folder: &str) {
    let skeleton = (lab.file().to_owned(), lab.skeleton().to_owned());
    let folders = ["", "wrong", "unusual"].map(|inner| solutions(lab, folder, inner));
    for (name, text) in folders.into_iter().flatten().chain([skeleton]) {
        for (index, line) in text.lines().enumerate() {
            assert!(line.chars().count() <= 100, "{name}:{} is longer than 100 columns", index + 1);
        }
    }
}
