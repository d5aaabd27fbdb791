//! What the checker relies on: points, references, cases and skeleton fit together.

mod almost;

use lab::{Argument, Memory, rules};
use lab5_pipeline::LAB;
use pretty_assertions::assert_eq;

#[test]
fn the_rules_of_a_lab_hold() {
    rules::hold(LAB, env!("CARGO_MANIFEST_DIR"), 7);
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
    // The bytes of the report's table of copies: 35.1 ms up, 18.4 ms down.
    rules::timed_size_is_that_of_the_report(LAB, &[(140_859_288, 46_953_096)]);
}
