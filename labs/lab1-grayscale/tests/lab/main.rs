//! What the checker relies on: points, references, cases and skeleton fit together.

mod almost;

use lab::{Argument, Task, rules};
use lab1_grayscale::LAB;

fn tasks() -> &'static [&'static dyn Task] {
    LAB.tasks()
}

#[test]
fn the_rules_of_a_lab_hold() {
    rules::hold(LAB, env!("CARGO_MANIFEST_DIR"), 7);
}

#[test]
fn the_parallel_reference_equals_the_sequential_one() {
    rules::references_agree(LAB);
}

/// The later labs start from the gray levels that this one asks for.
#[test]
fn later_labs_are_given_the_same_grays() {
    for case in tasks()[0].cases() {
        let image = case.image(2).expect("a picture");
        assert!(tasks()[0].reference(&image)[0] == lab::gray(&image), "{}", case.name);
    }
}

#[test]
fn both_tasks_see_the_same_pixels() {
    for task in tasks() {
        let image = task.cases()[5].image(3).expect("a picture");
        let arguments = task.arguments(&image);
        let Argument::Input { bytes, .. } = &arguments[0] else { panic!("the first argument is the image") };
        let pixels = image.pixels();
        let pixel = |i: usize| match task.name() {
            "grayscale" => [bytes[3 * i], bytes[3 * i + 1], bytes[3 * i + 2]],
            _ => [bytes[i], bytes[pixels + i], bytes[2 * pixels + i]],
        };
        let interleaved: Vec<u8> = (0..pixels).flat_map(pixel).collect();
        assert!(interleaved == image.data, "{}", task.name());
    }
}

/// The reference itself, against the formula of the task sheet in double precision.
#[test]
fn the_reference_is_the_formula() {
    let gray = |p: &[u8]| 0.3 * f64::from(p[0]) + 0.59 * f64::from(p[1]) + 0.11 * f64::from(p[2]);
    for task in tasks() {
        let image = task.cases().last().expect("cases").image(5).expect("a picture");
        for (pixel, found) in image.data.chunks_exact(3).zip(&task.reference(&image)[0]) {
            let exact = if task.name() == "grayscale" { gray(pixel) } else { gray(pixel) * 0.6 };
            // Half a level either way, and the rounding errors of this formula itself.
            assert!((exact - f64::from(*found)).abs() <= 0.5 + 1e-9, "{} {pixel:?} {found}", task.name());
        }
    }
}

#[test]
fn the_timed_case_is_the_size_of_the_first_report() {
    let bytes = (140_859_288, 46_953_096);
    rules::timed_size_is_that_of_the_report(LAB, &[bytes, bytes]);
}
