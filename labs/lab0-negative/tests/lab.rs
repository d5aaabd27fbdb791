//! What the checker relies on: points, references, cases and skeleton fit together.

use lab::rules;
use lab0_negative::LAB;

/// When the ladder is complete, with ten wrong kernels and an unusual one, use `rules::hold` with the number of rungs.
#[test]
fn the_rules_of_a_lab_hold() {
    rules::hold_for_a_new_lab(LAB, env!("CARGO_MANIFEST_DIR"));
}

#[test]
fn the_parallel_reference_equals_the_sequential_one() {
    rules::references_agree(LAB);
}
