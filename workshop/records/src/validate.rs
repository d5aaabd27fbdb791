//! `workshop validate`: the timing model beside a GPU that someone has.

use serde::{Deserialize, Serialize};

use crate::Point;

/// A fixed set of kernels, measured and predicted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Validate {
    /// The model of this GPU, by its short name; absent if there is none, and then nothing is predicted.
    pub model: Option<String>,
    /// Time by time.
    pub rows: Vec<Validated>,
}

/// One time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Validated {
    /// The measurement.
    #[serde(flatten)]
    pub point: Point,
    /// Predicted seconds per call.
    pub predicted_seconds: Option<f64>,
    /// The same of the yardstick.
    pub predicted_yardstick_seconds: Option<f64>,
}

impl Validated {
    /// Predicted ÷ measured.
    pub fn ratio(&self) -> Option<f64> {
        self.predicted_seconds.map(|predicted| predicted / self.point.seconds)
    }
}

impl Validate {
    /// The mean of |predicted ÷ measured − 1|, and of predicted ÷ measured − 1; `None` without predictions.
    pub fn errors(&self) -> Option<[f64; 2]> {
        let ratios: Vec<f64> = self.rows.iter().filter_map(Validated::ratio).collect();
        let mean = |of: fn(f64) -> f64| {
            ratios.iter().map(|ratio| of(ratio - 1.0)).sum::<f64>() / ratios.len() as f64
        };
        (!ratios.is_empty()).then(|| [mean(f64::abs), mean(|error| error)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Set;

    #[test]
    fn errors_are_those_of_rows_with_a_prediction() {
        let row = |predicted_seconds| Validated {
            point: Point {
                set: Set::Ladder,
                lab: "lab1".to_owned(),
                kernel: "01".to_owned(),
                task: "gray".to_owned(),
                case: "noise".to_owned(),
                seconds: 2.0,
                yardstick_seconds: 1.0,
                error: 0.0,
            },
            predicted_seconds,
            predicted_yardstick_seconds: None,
        };
        let of = |rows| Validate { model: None, rows }.errors();
        assert_eq!(of(vec![row(None)]), None);
        let [error, bias] = of(vec![row(Some(1.0)), row(Some(2.5)), row(None)]).unwrap();
        assert!((error - 0.375).abs() < 1e-12 && (bias + 0.125).abs() < 1e-12);
    }
}
