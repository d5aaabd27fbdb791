//! What the checker relies on: points, references, cases and skeleton fit together.

use lab::{Argument, Memory, rules};
use lab5_pipeline::LAB;
use pretty_assertions::assert_eq;

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn the_rules_of_a_lab_hold() {
    rules::points_add_up(LAB);
    rules::arguments_follow_the_parameters(LAB);
    rules::skeleton_and_sheet_are_complete(LAB, FOLDER);
    rules::rungs_are_whole(LAB, FOLDER, 7);
    rules::wrong_kernels_say_how_they_fail(LAB, FOLDER);
    rules::cuda_files_fit_a_page(LAB, FOLDER);
}

#[test]
fn the_parallel_reference_equals_the_sequential_one() {
    rules::references_agree(LAB);
}

#[test]
fn both_buffers_lie_in_host_memory() {
    let task = LAB.tasks()[0];
    let image = task.cases()[3].image(0).expect("a picture");
    let host = task.arguments(&image).into_iter().filter_map(|argument| match argument {
        Argument::Input { name, memory: Memory::Host, bytes, .. } => Some((name, bytes.len())),
        Argument::Output { name, memory: Memory::Host, length, .. } => Some((name, length)),
        _ => None,
    });
    assert_eq!(host.collect::<Vec<_>>(), [("host_rgb", 60), ("host_out", 20)]);
    assert!(task.over_link());
}

#[test]
fn the_timed_case_is_the_size_of_the_first_report() {
    let task = LAB.tasks()[0];
    let image = task.timed_case().image(1).expect("a picture");
    assert_eq!((image.width, image.height), (8773, 5352));
    // What the report's table of copies moved: 35.1 ms for the first number, 18.4 ms for the second.
    let fewest = task.fewest_bytes(image.width, image.height);
    assert_eq!((fewest.read, fewest.write), (140_859_288, 46_953_096));
}
