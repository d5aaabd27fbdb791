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
            summary.set.map_or("ladders and pool", set_in_words).to_owned(),
            summary.lab.clone().unwrap_or_else(|| "all".to_owned()),
            if summary.cross_validated { "other families" } else { "ladders, pool" }.to_owned(),
            summary.times.to_string(),
            percent(summary.mean_absolute_error),
            percent(summary.median_absolute_error),
            signed(summary.bias),
            format!("{} of {}", summary.swapped, summary.pairs),
        ]
    });
    format!(
        "Predicted beside measured times. *Ladders* and *pool* are the kernels that the model was made with; *fresh* kernels \
         were written and measured when it was done. In the rows \"other families\", each kernel is predicted with weights \
         that were fitted to the kernels of all other families: this says what to expect of a new kernel. An error is the \
         distance of predicted ÷ measured from 1, the bias its mean with its sign (below 0: predicted too fast). A pair is \
         two kernels of one task on one picture whose times differ by more than 15 %; swapped: the model predicts the other \
         order. The file has every time.\n\n{}",
        table(&columns, &cells.collect::<Vec<_>>())
    )
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
    fn a_kernel_has_its_ratios_in_one_row_and_the_last_limiter() {
        let text = kernels(&model());
        assert!(text.ends_with("| pool | lab2 | `k` | `t` | 0.50, 1.50 | DRAM |\n"), "{text}");
    }
}
