//! The timing model beside measured times.

use records::{Model, Prediction};

use super::numbers::distinct;
use super::times::set_in_words;
use crate::markdown::{Align, table};

/// How good the model is, by set and lab.
pub fn comparison(model: &Model) -> String {
    let columns = [
        ("kernels", Align::Left),
        ("lab", Align::Left),
        ("weights fitted to", Align::Left),
        ("times", Align::Right),
        ("mean error", Align::Right),
        ("median error", Align::Right),
        ("bias", Align::Right),
        ("pairs swapped", Align::Right),
    ];
    let cells = model.summaries.iter().map(|summary| {
        vec![
            summary.set.map_or("all", set_in_words).to_owned(),
            summary.lab.clone().unwrap_or_else(|| "all".to_owned()),
            if summary.cross_validated { "other families" } else { "all" }.to_owned(),
            summary.times.to_string(),
            percent(summary.mean_absolute_error),
            percent(summary.median_absolute_error),
            signed(summary.bias),
            format!("{} of {}", summary.swapped, summary.pairs),
        ]
    });
    format!(
        "Predicted beside measured times. *Ladders* and *pool* are the kernels that the model was made with; *fresh* kernels \
         were written when it was done, compared once, and belong to the pool since. In the rows \"other families\", each kernel is predicted with weights \
         that were fitted to the kernels of all other families: this says what to expect of a new kernel. An error is the \
         distance of predicted ÷ measured from 1, the bias its mean with its sign (below 0: predicted too fast). A pair is \
         two kernels of one task on one picture whose times differ by more than 15 %; swapped: the model predicts the other \
         order. The file has every time.\n\n{}",
        table(&columns, &cells.collect::<Vec<_>>())
    )
}

/// The figures of all known kernels together.
pub fn figures(model: &Model) -> Option<String> {
    let columns = [
        ("figure", Align::Left),
        ("times", Align::Right),
        ("mean error", Align::Right),
        ("median error", Align::Right),
        ("bias", Align::Right),
        ("pairs swapped", Align::Right),
    ];
    let all = model.summaries.iter().filter(|summary| summary.set.is_none());
    let cells = all.map(|summary| {
        vec![
            if summary.cross_validated { "cross-validated" } else { "fitted" }.to_owned(),
            summary.times.to_string(),
            percent(summary.mean_absolute_error),
            percent(summary.median_absolute_error),
            signed(summary.bias),
            format!("{} of {}", summary.swapped, summary.pairs),
        ]
    });
    some(&columns, &cells.collect::<Vec<_>>())
}

/// How often the intervals of predictions hold.
pub fn intervals(model: &Model) -> Option<String> {
    let columns = [
        ("kept busy by", Align::Left),
        ("measured ÷ predicted", Align::Left),
        ("times", Align::Right),
        ("inside", Align::Right),
    ];
    let cells = model.coverage.iter().map(|row| {
        let bounds = row.bounds.map_or_else(String::new, |[low, high]| format!("{low:.2} to {high:.2}"));
        let inside = row.inside as f64 / row.times.max(1) as f64;
        vec![
            row.group.clone().unwrap_or_else(|| "all".to_owned()),
            bounds,
            row.times.to_string(),
            format!("{:.0} %", 100.0 * inside),
        ]
    });
    some(&columns, &cells.collect::<Vec<_>>())
}

/// What each mechanism is worth.
pub fn ablation(model: &Model) -> Option<String> {
    let columns = [
        ("without", Align::Left),
        ("counted in", Align::Left),
        ("source", Align::Left),
        ("mean error", Align::Right),
        ("bias", Align::Right),
        ("pairs swapped", Align::Right),
    ];
    let cells = model.ablation.iter().map(|row| {
        vec![
            row.mechanism.clone().unwrap_or_else(|| "nothing".to_owned()),
            row.unit.clone(),
            row.source.clone(),
            format!("{:.2} %", 100.0 * row.mean_absolute_error),
            signed(row.bias),
            row.swapped.to_string(),
        ]
    });
    some(&columns, &cells.collect::<Vec<_>>())
}

/// A table, unless it has no rows.
fn some(columns: &[(&str, Align)], cells: &[Vec<String>]) -> Option<String> {
    (!cells.is_empty()).then(|| table(columns, cells))
}

fn percent(part: f64) -> String {
    format!("{:.1} %", 100.0 * part)
}

fn signed(part: f64) -> String {
    let sign = if part < 0.0 { '−' } else { '+' };
    format!("{sign}{:.1} %", 100.0 * part.abs())
}

/// Expected counts beside the GPU's counters. `None` if the file does not compare them.
pub fn counts(model: &Model) -> Option<String> {
    let columns = [
        ("kernels", Align::Left),
        ("counted", Align::Left),
        ("launches", Align::Right),
        ("mean error", Align::Right),
        ("median error", Align::Right),
    ];
    let cells = model.counts.iter().map(|count| {
        vec![
            set_in_words(count.set).to_owned(),
            count.what.clone(),
            count.launches.to_string(),
            percent(count.mean_absolute_error),
            percent(count.median_absolute_error),
        ]
    });
    let cells: Vec<Vec<String>> = cells.collect();
    (!cells.is_empty()).then(|| {
        format!(
            "A predicted time can be wrong because the counts are wrong or because their weights are wrong. This table compares the counts \
             alone: those expected per launch on the whole picture, extrapolated from the samples that the simulator runs, beside \
             the GPU's own counters (`book/data/totals-h200.json`, on three of the pictures). The GPU's passes of the \
             load/store pipe include work that the model does not count, such as returning loaded values.\n\n{}",
            table(&columns, &cells)
        )
    })
}

/// Each kernel and task: predicted ÷ measured on every picture.
pub fn kernels(model: &Model) -> String {
    let columns = [
        ("kernels", Align::Left),
        ("lab", Align::Left),
        ("kernel", Align::Left),
        ("task", Align::Left),
        ("predicted ÷ measured, picture by picture", Align::Left),
        ("limited by (largest picture)", Align::Left),
    ];
    let calls = distinct(model.rows.iter().map(call));
    let cells = calls.into_iter().map(|one| {
        let rows: Vec<&Prediction> = model.rows.iter().filter(|row| call(row) == one).collect();
        let ratios: Vec<String> = rows.iter().map(|row| format!("{:.2}", row.ratio)).collect();
        let (set, lab, kernel, task) = one;
        vec![
            set_in_words(set).to_owned(),
            lab.to_owned(),
            format!("`{kernel}`"),
            format!("`{task}`"),
            ratios.join(", "),
            rows.last().map_or(String::new(), |row| row.limiter.clone()),
        ]
    });
    format!(
        "The pictures are those of `workshop times`, from 512 × 512 to 8784 × 5352.\n\n{}",
        table(&columns, &cells.collect::<Vec<_>>())
    )
}

fn call(row: &Prediction) -> (records::Set, &str, &str, &str) {
    let point = &row.point;
    (point.set, &point.lab, &point.kernel, &point.task)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use records::{CountsSummary, Point, Set, TimesSummary};

    use super::*;

    fn row(ratio: f64, limiter: &str) -> Prediction {
        let point = Point {
            set: Set::Pool,
            lab: "lab2".to_owned(),
            kernel: "k".to_owned(),
            task: "t".to_owned(),
            case: "c".to_owned(),
            seconds: 1.0,
            yardstick_seconds: 1.0,
            error: 0.0,
        };
        Prediction {
            point,
            family: "f".to_owned(),
            predicted_seconds: ratio,
            cross_validated_seconds: None,
            ratio,
            limiter: limiter.to_owned(),
        }
    }

    fn model() -> Model {
        let (mean_absolute_error, median_absolute_error) = (0.125, 0.1);
        let summary = TimesSummary {
            set: Some(Set::Pool),
            cross_validated: true,
            lab: None,
            times: 7,
            mean_absolute_error,
            median_absolute_error,
            bias: -0.02,
            pairs: 9,
            swapped: 2,
        };
        let count = CountsSummary {
            set: Set::Ladder,
            what: "instructions".to_owned(),
            launches: 3,
            mean_absolute_error,
            median_absolute_error,
        };
        Model {
            summaries: vec![summary],
            ablation: Vec::new(),
            coverage: Vec::new(),
            counts: vec![count],
            rows: vec![row(0.5, "issue"), row(1.5, "DRAM")],
        }
    }

    #[test]
    fn a_summary_has_a_row_and_so_has_a_count() {
        let text = comparison(&model());
        assert!(
            text.ends_with("| pool | all | other families | 7 | 12.5 % | 10.0 % | −2.0 % | 2 of 9 |\n"),
            "{text}"
        );
        let text = counts(&model()).expect("counts");
        assert!(text.ends_with("| ladders | instructions | 3 | 12.5 % | 10.0 % |\n"), "{text}");
        assert_eq!(counts(&Model { counts: Vec::new(), ..model() }), None);
    }

    #[test]
    fn what_was_not_asked_for_has_no_table() {
        let mut model = model();
        assert_eq!((figures(&model), intervals(&model), ablation(&model)), (None, None, None));
        model.summaries[0].set = None;
        let text = figures(&model).expect("figures");
        assert!(text.ends_with("| cross-validated | 7 | 12.5 % | 10.0 % | −2.0 % | 2 of 9 |\n"), "{text}");
        model.coverage =
            vec![records::Coverage { group: None, bounds: None, times: 8, inside: 6, asked: 0.8 }];
        assert!(intervals(&model).expect("intervals").ends_with("| all |  | 8 | 75 % |\n"));
        model.ablation = vec![records::Ablation {
            mechanism: Some("textures".to_owned()),
            unit: "cycles".to_owned(),
            source: "workshop micro".to_owned(),
            mean_absolute_error: 0.2,
            bias: 0.01,
            swapped: 3,
        }];
        let text = ablation(&model).expect("ablation");
        assert!(text.ends_with("| textures | cycles | workshop micro | 20.00 % | +1.0 % | 3 |\n"), "{text}");
    }

    #[test]
    fn a_kernel_has_its_ratios_in_one_row_and_the_last_limiter() {
        let text = kernels(&model());
        assert!(text.ends_with("| pool | lab2 | `k` | `t` | 0.50, 1.50 | DRAM |\n"), "{text}");
    }
}
