//! What the checker relies on: points, references, cases, skeleton and ladder fit together.

mod almost;

use lab::{Image, rules};
use lab2_histogram::LAB;
use pretty_assertions::assert_eq;

#[test]
fn the_rules_of_a_lab_hold() {
    rules::hold(LAB, env!("CARGO_MANIFEST_DIR"), 12);
}

#[test]
fn the_parallel_reference_equals_the_sequential_one() {
    rules::references_agree(LAB);
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

/// The same by sorting: pixels of one level then stand side by side.
fn counted(gray: &[u8]) -> Vec<u32> {
    let mut sorted = gray.to_vec();
    sorted.sort_unstable();
    let up_to = |level: u32| sorted.partition_point(|pixel| u32::from(*pixel) < level) as u32;
    (0..256).map(|level| up_to(level + 1) - up_to(level)).collect()
}

#[test]
fn the_references_count() {
    let image = LAB.tasks()[0].cases()[15].image(4).expect("a picture");
    let gray = lab::gray(&image);
    assert_eq!(words(&LAB.tasks()[0].reference(&image)[0]), counted(&gray));
    let both = LAB.tasks()[1].reference(&image);
    assert!(both[0] == gray);
    assert_eq!(words(&both[1]), counted(&gray));
}

#[test]
fn a_pixel_on_the_verge_is_rounded_by_whole_numbers() {
    // 0.3 · 5 = 1.5 and 0.59 · 50 = 29.5 go up; 0.11 · 4 = 0.44 does not.
    let data = vec![5, 0, 0, 0, 50, 0, 0, 0, 4];
    let image = Image { width: 3, height: 1, channels: 3, data };
    assert_eq!(LAB.tasks()[1].reference(&image)[0], [2, 30, 0]);
}

#[test]
fn some_bin_of_some_case_holds_more_than_16_bits() {
    let overflows = |image: &Image| words(&LAB.tasks()[0].reference(image)[0]).iter().any(|&n| n > 65_535);
    let images = LAB.tasks()[0].cases().into_iter().map(|case| case.image(1).expect("a picture"));
    assert!(images.filter(overflows).count() >= 2);
}

#[test]
fn the_timed_case_is_the_size_of_the_first_report() {
    let bytes = [(46_953_096, 1024), (140_859_288, 46_954_120)];
    rules::timed_size_is_that_of_the_report(LAB, &bytes);
}
