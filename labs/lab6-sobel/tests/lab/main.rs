//! What the checker relies on: points, references, cases and skeleton fit together.

mod almost;

use lab::rules;
use lab6_sobel::LAB;

#[test]
fn the_rules_of_a_lab_hold() {
    rules::hold(LAB, env!("CARGO_MANIFEST_DIR"), 6);
}

#[test]
fn the_parallel_reference_equals_the_sequential_one() {
    rules::references_agree(LAB);
}

/// The reference against the formula of the task sheet, with the border rule applied to the picture first.
#[test]
fn the_reference_is_the_formula_on_a_picture_with_its_border_repeated() {
    let task = LAB.tasks()[0];
    for case in &task.cases()[..12] {
        let image = case.image(5).expect("a picture");
        let (width, height, gray) = (image.width, image.height, lab::gray(&image));
        let larger: Vec<i32> = (0..height + 2)
            .flat_map(|y| {
                let row = &gray[y.saturating_sub(1).min(height - 1) * width..][..width];
                let ends = [row[0], row[width - 1]].map(i32::from);
                [vec![ends[0]], row.iter().copied().map(i32::from).collect(), vec![ends[1]]].concat()
            })
            .collect();
        let stride = width + 2;
        for (index, found) in task.reference(&image)[0].iter().enumerate() {
            let corner = index / width * stride + index % width;
            let at = |dx: usize, dy: usize| larger[corner + dy * stride + dx];
            let gx: i32 = [(0, 1), (1, 2), (2, 1)].iter().map(|(y, w)| w * (at(2, *y) - at(0, *y))).sum();
            let gy: i32 = [(0, 1), (1, 2), (2, 1)].iter().map(|(x, w)| w * (at(*x, 2) - at(*x, 0))).sum();
            assert_eq!(i32::from(*found), (gx.abs() + gy.abs()).min(255), "{} at {index}", case.name);
        }
    }
}

#[test]
fn many_results_of_the_cases_are_below_255_and_many_are_not() {
    let task = LAB.tasks()[0];
    let outputs = task.cases().into_iter().map(|case| task.reference(&case.image(1).expect("a picture")));
    let (full, below): (Vec<u8>, Vec<u8>) = outputs.flatten().flatten().partition(|value| *value == 255);
    assert!(
        20 * full.len() > below.len() && 20 * below.len() > full.len(),
        "{} and {}",
        full.len(),
        below.len()
    );
}

#[test]
fn the_timed_case_is_the_size_of_the_first_report() {
    rules::timed_size_is_that_of_the_report(LAB, &[(46_953_096, 46_953_096)]);
}
