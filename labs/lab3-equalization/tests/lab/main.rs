//! What the checker relies on: points, references, cases, skeleton and ladder fit together.

mod almost;

use lab::{Image, rules};
use lab3_equalization::LAB;

#[test]
fn the_rules_of_a_lab_hold() {
    rules::hold(LAB, env!("CARGO_MANIFEST_DIR"), 10);
}

#[test]
fn the_parallel_reference_equals_the_sequential_one() {
    rules::references_agree(LAB);
}

/// The new level of one pixel by the formulas of the task sheet, in double precision, from the sorted pixels.
fn formula(task: &str, sorted: &[u8], level: u8) -> f64 {
    let pixels = sorted.len() as f64;
    let up_to = |level: u8| sorted.partition_point(|pixel| *pixel <= level) as f64;
    if task == "equalize" {
        let min = up_to(sorted[0]);
        return if pixels > min { (up_to(level) - min) * 255.0 / (pixels - min) } else { f64::from(level) };
    }
    let count = |level: u8| up_to(level) - sorted.partition_point(|pixel| *pixel < level) as f64;
    let matters: Vec<u8> = (0..=255).filter(|level| count(*level) >= (pixels / 1024.0).ceil()).collect();
    let (low, high) = (f64::from(matters[0]), f64::from(matters[matters.len() - 1]));
    if low < high {
        ((f64::from(level) - low) * 255.0 / (high - low)).clamp(0.0, 255.0)
    } else {
        f64::from(level)
    }
}

#[test]
fn the_reference_is_the_formula() {
    for task in LAB.tasks() {
        for case in task.cases().iter().filter(|case| !case.name.contains("4096")) {
            let image = case.image(5).expect("a picture");
            let gray = lab::gray(&image);
            let mut sorted = gray.clone();
            sorted.sort_unstable();
            let expected: Vec<f64> = (0..=255).map(|level| formula(task.name(), &sorted, level)).collect();
            for (level, found) in gray.iter().zip(&task.reference(&image)[0]) {
                // Half a level either way, and the rounding errors of this formula itself.
                let off = (expected[usize::from(*level)] - f64::from(*found)).abs();
                assert!(off <= 0.5 + 1e-9, "{} on {}: {level} becomes {found}", task.name(), case.name);
            }
        }
    }
}

#[test]
fn the_cases_tell_the_beginners_from_the_right() {
    let changed = |task: usize, name: &str| {
        let task = LAB.tasks()[task];
        let case = task.cases().into_iter().find(|case| case.name == name).expect("the case");
        let image: Image = case.image(1).expect("a picture");
        (lab::gray(&image), task.reference(&image).swap_remove(0))
    };
    // Nothing to spread: copied.
    for task in [0, 1] {
        let (gray, out) = changed(task, "flat white");
        assert!(gray == out);
    }
    // Levels outside the range are there, and clamped.
    let (gray, out) = changed(0, "narrow levels");
    let clamped = gray.iter().zip(&out).filter(|(level, _)| !(90..=141).contains(*level));
    assert!(clamped.clone().count() > 0 && clamped.clone().all(|(_, new)| [0, 255].contains(new)));
    // 255 times the pixels above the lowest level does not fit 32 bits.
    let (gray, _) = changed(1, "4128x4128, mostly 1 level");
    let lowest = gray.iter().min().expect("pixels");
    assert!(u32::try_from(255 * gray.iter().filter(|level| *level > lowest).count()).is_err());
}

#[test]
fn the_timed_case_is_the_size_of_the_first_report() {
    let bytes = (46_953_096, 46_953_096);
    rules::timed_size_is_that_of_the_report(LAB, &[bytes, bytes]);
}
