//! How good the predictions of a set are.

use records::{Prediction, Set, TimesSummary};

use checker::labs;

/// Two kernels whose measured times differ by more than this factor must not be swapped.
pub const DIFFERENT: f64 = 1.15;

/// By set, and by set and lab; a set without times is left out.
pub fn summaries(rows: &[Prediction]) -> Vec<TimesSummary> {
    let mut all = Vec::new();
    for set in [Set::Ladder, Set::HeldOut] {
        let of_set: Vec<&Prediction> = rows.iter().filter(|row| row.point.set == set).collect();
        if of_set.is_empty() {
            continue;
        }
        all.push(summary(set, None, &of_set));
        for lab in labs::all() {
            let of_lab = of_set.iter().copied().filter(|row| row.point.lab == lab.name());
            let of_lab: Vec<&Prediction> = of_lab.collect();
            if !of_lab.is_empty() {
                all.push(summary(set, Some(lab.name().to_owned()), &of_lab));
            }
        }
    }
    all
}

fn summary(set: Set, lab: Option<String>, rows: &[&Prediction]) -> TimesSummary {
    let (mean_absolute_error, median_absolute_error) = errors(rows.iter().map(|row| row.ratio));
    let (pairs, swapped) = pairs(rows);
    TimesSummary { set, lab, times: rows.len(), mean_absolute_error, median_absolute_error, pairs, swapped }
}

/// Mean and median of the distances of ratios from 1.
pub fn errors(ratios: impl Iterator<Item = f64>) -> (f64, f64) {
    let mut errors: Vec<f64> = ratios.map(|ratio| (ratio - 1.0).abs()).collect();
    errors.sort_by(f64::total_cmp);
    let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    (mean, errors.get(errors.len() / 2).copied().unwrap_or(f64::NAN))
}

/// Pairs of kernels of one task and picture whose times differ, and how many of them the model swaps.
fn pairs(rows: &[&Prediction]) -> (usize, usize) {
    let of = |row: &Prediction| (row.point.lab.clone(), row.point.task.clone(), row.point.case.clone());
    let (mut pairs, mut swapped) = (0, 0);
    for (index, one) in rows.iter().enumerate() {
        for other in rows[index + 1..].iter().filter(|other| of(one) == of(other)) {
            let measured = one.point.seconds / other.point.seconds;
            if measured.max(1.0 / measured) > DIFFERENT {
                pairs += 1;
                swapped += usize::from((measured > 1.0) != (one.predicted_seconds > other.predicted_seconds));
            }
        }
    }
    (pairs, swapped)
}

/// A set in a printed table.
pub fn set_name(set: Set) -> &'static str {
    match set {
        Set::Ladder => "ladder",
        Set::HeldOut => "held out",
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use records::Point;

    use super::*;

    fn row(task: &str, seconds: f64, predicted_seconds: f64) -> Prediction {
        let point = Point {
            set: Set::Ladder,
            lab: "lab1".to_owned(),
            kernel: "01_a".to_owned(),
            task: task.to_owned(),
            case: "c".to_owned(),
            seconds,
            yardstick_seconds: 1.0,
            error: 0.0,
        };
        Prediction { point, predicted_seconds, ratio: predicted_seconds / seconds, limiter: String::new() }
    }

    #[test]
    fn pairs_are_of_one_task_and_differ_when_measured() {
        let rows = [row("a", 1.0, 2.0), row("a", 1.5, 1.0), row("a", 1.1, 3.0), row("b", 9.0, 1.0)];
        let rows: Vec<&Prediction> = rows.iter().collect();
        // Of the first and third, which differ by 10 %, the order is not asked for.
        assert_eq!(pairs(&rows), (2, 2));
        assert_eq!(pairs(&[&row("a", 1.0, 1.0), &row("a", 1.5, 1.2)]), (1, 0));
    }

    #[test]
    fn an_error_is_the_distance_of_a_ratio_from_one() {
        let (mean, median) = errors([1.5, 0.9, 1.0].into_iter());
        assert!((mean - 0.2).abs() < 1e-12 && (median - 0.1).abs() < 1e-12);
    }
}
