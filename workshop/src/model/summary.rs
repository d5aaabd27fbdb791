//! How good the predictions of a set are.

use records::{Prediction, Set, TimesSummary};

use judge::labs;

/// Two kernels whose measured times differ by more than this factor must not be swapped.
const DIFFERENT: f64 = 1.15;

/// Of all kernels but the yardstick together, by set, and by set and lab: fitted, and cross-validated where that was done. A set without times is
/// left out.
pub fn summaries(rows: &[Prediction]) -> Vec<TimesSummary> {
    let known: Vec<&Prediction> = rows.iter().filter(|row| row.point.set != Set::Yardstick).collect();
    let mut all = both(None, None, &known);
    for set in [Set::Ladder, Set::Pool, Set::Fresh, Set::Yardstick] {
        let of_set: Vec<&Prediction> = rows.iter().filter(|row| row.point.set == set).collect();
        all.extend(both(Some(set), None, &of_set));
        for lab in labs::all().iter().filter(|_| set != Set::Yardstick) {
            let of_lab = of_set.iter().copied().filter(|row| row.point.lab == lab.name());
            all.extend(both(Some(set), Some(lab.name()), &of_lab.collect::<Vec<_>>()));
        }
    }
    all
}

/// As fitted, and cross-validated.
fn both(set: Option<Set>, lab: Option<&str>, rows: &[&Prediction]) -> Vec<TimesSummary> {
    let fitted: Vec<Timed> = rows.iter().map(|row| Timed { row, predicted: row.predicted_seconds }).collect();
    let validated =
        rows.iter().filter_map(|row| row.cross_validated_seconds.map(|predicted| Timed { row, predicted }));
    let validated: Vec<Timed> = validated.collect();
    let of = |(cross_validated, timed): (bool, Vec<Timed>)| {
        let figures = Figures::of(&timed);
        (figures.times > 0).then(|| TimesSummary {
            set,
            cross_validated,
            lab: lab.map(str::to_owned),
            times: figures.times,
            mean_absolute_error: figures.mean,
            median_absolute_error: figures.median,
            bias: figures.bias,
            pairs: figures.pairs,
            swapped: figures.swapped,
        })
    };
    [(false, fitted), (true, validated)].into_iter().filter_map(of).collect()
}

/// A measured time, and one that was predicted for it.
#[derive(Clone, Copy)]
struct Timed<'a> {
    row: &'a Prediction,
    predicted: f64,
}

/// How good predictions are.
struct Figures {
    times: usize,
    mean: f64,
    median: f64,
    bias: f64,
    pairs: usize,
    swapped: usize,
}

impl Figures {
    fn of(timed: &[Timed]) -> Self {
        let ratios = || timed.iter().map(|one| one.predicted / one.row.point.seconds);
        let (mean, median) = errors(ratios());
        let bias = ratios().sum::<f64>() / timed.len().max(1) as f64 - 1.0;
        let (pairs, swapped) = pairs(timed);
        Self { times: timed.len(), mean, median, bias, pairs, swapped }
    }
}

/// Mean and median of the distances of ratios from 1.
pub fn errors(ratios: impl Iterator<Item = f64>) -> (f64, f64) {
    let mut errors: Vec<f64> = ratios.map(|ratio| (ratio - 1.0).abs()).collect();
    errors.sort_by(f64::total_cmp);
    let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    (mean, errors.get(errors.len() / 2).copied().unwrap_or(f64::NAN))
}

/// Pairs of kernels of one task and picture whose times differ, and how many of them the model swaps.
fn pairs(timed: &[Timed]) -> (usize, usize) {
    let of = |timed: &Timed| {
        let point = &timed.row.point;
        (point.lab.clone(), point.task.clone(), point.case.clone())
    };
    let (mut pairs, mut swapped) = (0, 0);
    for (index, one) in timed.iter().enumerate() {
        for other in timed[index + 1..].iter().filter(|other| of(one) == of(other)) {
            let measured = one.row.point.seconds / other.row.point.seconds;
            if measured.max(1.0 / measured) > DIFFERENT {
                pairs += 1;
                swapped += usize::from((measured > 1.0) != (one.predicted > other.predicted));
            }
        }
    }
    (pairs, swapped)
}

/// A set in a printed table.
pub fn set_name(set: Set) -> &'static str {
    match set {
        Set::Ladder => "ladder",
        Set::Pool => "pool",
        Set::Fresh => "fresh",
        Set::Yardstick => "yardstick",
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
        Prediction {
            point,
            family: "f".to_owned(),
            predicted_seconds,
            cross_validated_seconds: None,
            ratio: predicted_seconds / seconds,
            limiter: String::new(),
        }
    }

    #[test]
    fn pairs_are_of_one_task_and_differ_when_measured() {
        let rows = [row("a", 1.0, 2.0), row("a", 1.5, 1.0), row("a", 1.1, 3.0), row("b", 9.0, 1.0)];
        let of = |rows: &[Prediction]| {
            let timed = rows.iter().map(|row| Timed { row, predicted: row.predicted_seconds });
            pairs(&timed.collect::<Vec<_>>())
        };
        // Of the first and third, which differ by 10 %, the order is not asked for.
        assert_eq!(of(&rows), (2, 2));
        assert_eq!(of(&[row("a", 1.0, 1.0), row("a", 1.5, 1.2)]), (1, 0));
    }

    #[test]
    fn each_way_to_predict_has_its_own_figures() {
        let mut rows = [row("a", 1.0, 1.1), row("a", 2.0, 1.9)];
        rows[0].cross_validated_seconds = Some(0.8);
        rows[1].cross_validated_seconds = Some(1.0);
        let of_all: Vec<TimesSummary> =
            summaries(&rows).into_iter().filter(|summary| summary.set.is_none()).collect();
        let [fitted, validated] = &of_all[..] else { panic!("{of_all:?}") };
        assert!(!fitted.cross_validated && validated.cross_validated);
        assert!((fitted.bias - 0.025).abs() < 1e-9 && (validated.bias + 0.35).abs() < 1e-9);
        assert!((validated.mean_absolute_error - 0.35).abs() < 1e-9 && validated.times == 2);
        assert!(summaries(&rows[..1]).iter().all(|summary| summary.set != Some(Set::Pool)));
    }

    #[test]
    fn an_error_is_the_distance_of_a_ratio_from_one() {
        let (mean, median) = errors([1.5, 0.9, 1.0].into_iter());
        assert!((mean - 0.2).abs() < 1e-12 && (median - 0.1).abs() < 1e-12);
    }
}
