//! What the checker relies on: points, references, cases and skeleton fit together.

mod almost;

use std::collections::BTreeSet;

use lab::{Argument, Memory, Task, rules};
use lab4_smoothing::{LAB, filters, mean, smooth_box, smooth_triangular};
use pretty_assertions::assert_eq;

fn tasks() -> &'static [&'static dyn Task] {
    LAB.tasks()
}

#[test]
fn the_rules_of_a_lab_hold() {
    rules::hold(LAB, env!("CARGO_MANIFEST_DIR"), 10);
}

/// What an idea of dot products needs to be followed: their name, and bytes with a sign.
#[test]
fn ideas_of_dot_products_on_pixels_say_how() {
    let products = tasks()[2].ideas().iter().filter(|idea| idea.name.contains("seven dot products"));
    let texts: Vec<String> = products.map(|idea| [idea.idea, idea.sketch, idea.code].concat()).collect();
    assert!(!texts.is_empty());
    for text in texts {
        assert!(
            text.contains("`__dp4a`") && text.contains("pixel ^ 128") && text.contains("on the CPU"),
            "{text}"
        );
    }
}

#[test]
fn the_parallel_reference_equals_the_sequential_one() {
    rules::references_agree(LAB);
}

/// The means against the formula of the task sheet, in double precision.
#[test]
fn the_means_are_the_formula() {
    for (task, weights) in [(tasks()[0], smooth_box::WEIGHTS), (tasks()[1], smooth_triangular::WEIGHTS)] {
        let image = task.cases()[13].image(5).expect("a picture");
        let gray = lab::gray(&image);
        let (width, height) = (image.width as i64, image.height as i64);
        for (index, found) in task.reference(&image)[0].iter().enumerate() {
            let (x, y) = (index as i64 % width, index as i64 / width);
            let (mut sum, mut total) = (0.0, 0.0);
            for (dx, dy) in (0..25).map(|k| (k % 5 - 2, k / 5 - 2)) {
                if (0..width).contains(&(x + dx)) && (0..height).contains(&(y + dy)) {
                    let weight = f64::from(weights[(dx + 2) as usize] * weights[(dy + 2) as usize]);
                    sum += weight * f64::from(gray[((y + dy) * width + x + dx) as usize]);
                    total += weight;
                }
            }
            // Half a level either way, and the rounding errors of this formula itself.
            assert!((sum / total - f64::from(*found)).abs() <= 0.5 + 1e-9, "{} at {x}, {y}", task.name());
        }
    }
}

/// What the task sheets say of `float`: any division that IEEE arithmetic rounds gives the same level.
#[test]
fn single_precision_gives_the_same_levels() {
    for weights in [smooth_box::WEIGHTS, smooth_triangular::WEIGHTS] {
        for total in totals(&weights) {
            for sum in 0..=255 * total {
                let exact = ((sum + total / 2) / total) as u8;
                assert_eq!((sum as f32 / total as f32 + 0.5) as u8, exact, "{sum} / {total}");
            }
        }
    }
}

/// All sums of weights of a row or column that images of any size lead to.
fn lines(weights: &mean::Weights) -> BTreeSet<u32> {
    (0..5).flat_map(|first| (first + 1..=5).map(move |end| weights[first..end].iter().sum())).collect()
}

/// All sums of weights that images of any size lead to.
fn totals(weights: &mean::Weights) -> BTreeSet<u32> {
    let lines = lines(weights);
    lines.iter().flat_map(|a| lines.iter().map(move |b| a * b)).collect()
}

/// The last rungs divide with one multiplication in `float` whose result has the quotient in its lowest byte. The
/// constants are those of `solutions/lab4-smoothing/13_one_multiplication.cu`.
#[test]
fn the_division_of_the_last_rung_is_exact() {
    for (total, bias) in [(25_u32, 17_u32), (81, 76)] {
        let base = 0x4b00_0000 + bias;
        assert_eq!(((1 << 23) + bias) % total, 0, "the constant below is a whole number");
        let offset = (1 << 23) - ((1 << 23) + bias) / total;
        for sum in 0..=255 * total {
            let scaled = f32::from_bits(base + sum).mul_add(1.0 / total as f32, offset as f32);
            assert_eq!(scaled.to_bits() & 0xff, (sum + total / 2) / total, "{sum} / {total}");
        }
    }
}

/// Rungs 18 and 20 divide by any weights: a factor for the row, an inverse for the column, and a little more, so that
/// halves go up. The constants are those of `solutions/lab4-smoothing/18_fetched_ahead.cu`.
#[test]
fn the_division_near_the_border_is_exact() {
    let little_more = 1.0 + 2.0_f32.powi(-20);
    for weights in [&smooth_box::WEIGHTS, &smooth_triangular::WEIGHTS] {
        let whole = weights.iter().sum::<u32>();
        for (columns, rows) in
            lines(weights).into_iter().flat_map(|x| lines(weights).into_iter().map(move |y| (x, y)))
        {
            let inverse = little_more / (whole * columns) as f32;
            let inverse = if rows == whole { inverse } else { inverse * (whole as f32 / rows as f32) };
            let total = rows * columns;
            for sum in 0..=255 * total {
                let quotient = (sum as f32).mul_add(inverse, 8_388_608.0);
                assert_eq!(quotient.to_bits() & 0xff, (sum + total / 2) / total, "{sum} / {total}");
            }
        }
    }
}

/// How `solutions/lab4-smoothing/19_filter_fetched_ahead.cu` divides a filter's sum: with a scale that is a little too
/// large, made of few bits.
#[test]
fn the_filters_division_is_exact() {
    let base = 10_485_760.0_f32;
    for divisor in 1..=3000_i32 {
        let scale = scale_for(divisor);
        let [rounded, exact] = [f64::from(base * scale), f64::from(base) * f64::from(scale)];
        assert_eq!(rounded.to_bits(), exact.to_bits(), "exact for {divisor}");
        let multiples = (-3..=260).map(|quotient| quotient * divisor);
        for sum in multiples.flat_map(|multiple| [multiple - 1, multiple, multiple + 1]) {
            let part = (base + sum as f32).mul_add(scale, -base * scale).clamp(0.0, 1.0);
            let quotient = (f64::from(part) * f64::from(255.999_98_f32)).floor() as i32;
            assert_eq!(quotient, (sum / divisor).clamp(0, 255), "{sum} / {divisor}");
        }
    }
}

/// The rung's `scale_for`.
fn scale_for(divisor: i32) -> f32 {
    let wanted = (1.0 + 2.0_f64.powi(-22)) / (256.0 * f64::from(divisor));
    let mut last_bit = 1.0;
    while last_bit * 2.0_f64.powi(20) > wanted {
        last_bit /= 2.0;
    }
    ((wanted / last_bit).ceil() * last_bit) as f32
}

/// A quotient, before it is clamped.
type Divide = fn(f32, f32) -> f32;

/// Divisions that are right for nearly every sum and divisor, and wrong for some.
const ALMOST: [(&str, Divide); 9] = [
    ("rounded reciprocal", |sum, divisor| sum * (1.0 / divisor)),
    ("reciprocal of a half more", |sum, divisor| (sum + 0.5) * (1.0 / divisor)),
    ("the same, fused", |sum, divisor| sum.mul_add(1.0 / divisor, 0.5 * (1.0 / divisor))),
    ("reciprocal and a little more", |sum, divisor| sum * ((1.0 + 2.0_f32.powi(-22)) / divisor)),
    ("a little added", |sum, divisor| sum * (1.0 / divisor) + 1e-4),
    ("rounded to nearest", |sum, divisor| (sum / divisor).round()),
    ("too much up to 1,024", |sum, divisor| added_up_to(1024.0, 2e-3, sum, divisor)),
    ("too much up to 4,096", |sum, divisor| added_up_to(4096.0, 3e-4, sum, divisor)),
    ("too much up to 65,536", |sum, divisor| added_up_to(65_536.0, 2e-5, sum, divisor)),
];

/// A product with the reciprocal, and a little more, for divisors up to a limit; else the quotient.
fn added_up_to(limit: f32, little: f32, sum: f32, divisor: f32) -> f32 {
    if divisor <= limit {
        sum * (1.0 / divisor) + little
    } else {
        (f64::from(sum) / f64::from(divisor)).trunc() as f32
    }
}

#[test]
fn divisions_that_are_almost_right_are_told_from_right_ones() {
    let mut found = BTreeSet::new();
    for case in tasks()[2].cases() {
        let image = case.image(1).expect("a picture");
        let (width, filter) = (image.width, filters::filter_for(image.width));
        for (x, y) in (2..image.height.saturating_sub(2))
            .flat_map(|y| (2..width.saturating_sub(2)).map(move |x| (x, y)))
        {
            let value = |k: usize| i32::from(image.data[3 * ((y + k / 5 - 2) * width + x + k % 5 - 2)]);
            let sum: i32 = (0..25).map(|k| filter.values[k] * value(k)).sum();
            let right = (sum / filter.divisor).clamp(0, 255);
            let wrong = |(_, divide): &&(&str, Divide)| {
                (divide(sum as f32, filter.divisor as f32) as i32).clamp(0, 255) != right
            };
            found.extend(ALMOST.iter().filter(wrong).map(|(name, _)| *name));
        }
    }
    let missed: Vec<&str> =
        ALMOST.iter().map(|(name, _)| *name).filter(|name| !found.contains(name)).collect();
    assert!(missed.is_empty(), "no case is wrong for: {missed:?}");
}

#[test]
fn every_filter_is_tried_and_the_timed_one_uses_all_its_values() {
    let images = tasks()[2].cases().into_iter().map(|case| case.image(1).expect("a picture"));
    let with_inner = images.filter(|image| image.width >= 5 && image.height >= 5);
    let tried: BTreeSet<&str> = with_inner.map(|image| filters::filter_for(image.width).name).collect();
    assert_eq!(tried.len(), filters::FILTERS.len() + 11, "{tried:?}");
    let timed = filters::filter_for(8773);
    let different: BTreeSet<i32> = timed.values.into_iter().collect();
    assert_eq!((timed.name, different.len()), ("relief", 25));
    assert!(!different.contains(&0));
    // As the task sheet says, and only of the timed filter.
    let fits = |filter: &filters::Filter| {
        filter.divisor < 256 && filter.values.iter().all(|value| (-128..=127).contains(value))
    };
    assert!(fits(timed));
    assert!(!filters::FILTERS.iter().all(fits));
}

#[test]
fn filters_stay_within_what_the_sheet_promises() {
    let others = (0..70).map(|width| filters::filter_for(filters::width_of_another(width)));
    let own = [&filters::BROAD, &filters::BEYOND_A_BYTE, &filters::WHOLE, &filters::NEARLY_GAUSS];
    let own = own.into_iter().chain([&filters::BELOW_A_BYTE, &filters::NEIGHBOUR, &filters::BRIGHT]);
    let own = own.chain(filters::ALMOST_WHOLE.iter().map(|(_, filter)| filter));
    for filter in filters::FILTERS.iter().chain(own).chain(others) {
        assert!(filter.values.iter().all(|value| (-1000..=1000).contains(value)), "{}", filter.name);
        assert!(filter.divisor >= 1);
    }
}

/// Whoever keeps a filter by all values but one, or by their sum, is found out by one of the pictures that follow.
#[test]
fn filters_that_follow_differ_in_all_values_in_the_last_or_in_the_first() {
    let places = |width: usize| -> Vec<usize> {
        let (one, other) =
            (filters::filter_for(width), filters::filter_for(filters::width_of_another(width)));
        assert_eq!(one.divisor, other.divisor, "{width}");
        (0..25).filter(|place| one.values[*place] != other.values[*place]).collect()
    };
    let differ: Vec<Vec<usize>> = [1, 8, 15].map(places).into();
    assert!(differ[0].len() > 2);
    assert_eq!(differ[1..], [vec![24], vec![0]]);
}

/// `sum * (1.0f / divisor)`, in both precisions.
#[test]
fn reciprocals_miss_the_whole_quotients_of_a_large_divisor() {
    let (sum, divisor) = (filters::WHOLE.values.iter().sum::<i32>(), filters::WHOLE.divisor);
    for (level, quotient) in [(85, 1), (170, 2), (255, 3)] {
        assert_eq!(level * sum, quotient * divisor);
        assert!((level * sum) as f32 * (1.0 / divisor as f32) < quotient as f32);
        assert!(f64::from(level * sum) * (1.0 / f64::from(divisor)) < f64::from(quotient));
    }
}

/// A summand that is too large for a divisor, even if whole quotients come out right with it, lifts one of these to the next level.
#[test]
fn summands_for_whole_quotients_are_too_much_for_some_divisor() {
    for ((_, filter), summand) in filters::ALMOST_WHOLE.iter().zip([1e-3_f64, 2.5e-4, 1.6e-5, 4e-7]) {
        let sum = 255 * filter.values.iter().sum::<i32>();
        let whole = sum / filter.divisor + 1;
        assert_eq!(sum, whole * filter.divisor - 1, "{}", filter.name);
        assert!(f64::from(sum) / f64::from(filter.divisor) + summand >= f64::from(whole), "{}", filter.name);
    }
}

#[test]
fn the_filter_lies_in_host_memory() {
    let image = tasks()[2].cases()[4].image(0).expect("a picture");
    let host = tasks()[2].arguments(&image).into_iter().filter_map(|argument| match argument {
        Argument::Input { name, memory: Memory::Host, bytes, .. } => Some((name, bytes.len())),
        _ => None,
    });
    assert_eq!(host.collect::<Vec<_>>(), [("filter25", 100)]);
}

#[test]
fn the_timed_case_is_the_size_of_the_first_report() {
    let bytes = [46_953_096, 46_953_096, 140_859_288].map(|bytes| (bytes, bytes));
    rules::timed_size_is_that_of_the_report(LAB, &bytes);
}

fn tasks_of(text: &str) -> Result<Vec<&'static str>, String> {
    let tasks = lab::header::tasks(text, LAB)?;
    Ok(tasks.iter().map(|task| task.name()).collect())
}

#[test]
fn a_rung_is_about_the_tasks_that_its_header_names_or_about_all() {
    let all = vec!["smooth_box", "smooth_triangular", "filter_rgb"];
    assert_eq!(tasks_of("// Rung 1: x.\n#include <a>\n// tasks: filter_rgb\n"), Ok(all));
    let two = "// Rung 1: x.\n//\n// tasks: filter_rgb, smooth_box\n//\n// Before:   a\n";
    assert_eq!(tasks_of(two), Ok(vec!["smooth_box", "filter_rgb"]));
}

#[test]
fn a_task_that_the_lab_has_not_is_an_error_that_names_those_it_has() {
    let error = tasks_of("// tasks: smooth_box, smooth\n").expect_err("there is no such task");
    assert!(error.contains("unknown task `smooth`") && error.contains("`filter_rgb`"), "{error}");
    assert!(tasks_of("// tasks:\n").is_err());
}
