//! What a check changed: the score, and the time of each task.

use std::collections::BTreeMap;

use serde_json::Value;

use judge::numbers::significant;

/// What of a report is compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// Points.
    pub score: f64,
    /// Points that can be earned.
    pub most: f64,
    /// By task, its milliseconds.
    pub times: BTreeMap<String, f64>,
    /// By task, the rows of the picture that a prediction ran.
    pub rows: BTreeMap<String, usize>,
}

/// Times as many rows from which on two predictions may differ by how they were made.
const MORE_ROWS: usize = 4;

impl Checked {
    /// From a report as JSON.
    pub fn of(report: &Value) -> Option<Self> {
        let timed = report["performance"].as_array()?;
        let task = |timed: &Value| timed["task"].as_str().map(str::to_owned);
        let of = |timed: &Value| Some((task(timed)?, 1e3 * timed["seconds"].as_f64()?));
        let rows = |timed: &Value| Some((task(timed)?, usize::try_from(timed["rows"].as_u64()?).ok()?));
        Some(Self {
            score: report["score"].as_f64()?,
            most: report["max_score"].as_f64()?,
            times: timed.iter().filter_map(of).collect(),
            rows: timed.iter().filter_map(rows).collect(),
        })
    }

    /// What has changed since `before`, one line each.
    pub fn since(&self, before: Option<&Self>) -> Vec<String> {
        let Some(before) = before else {
            return vec![format!("score {:.1} of {:.0}", self.score, self.most)];
        };
        let gained = self.score - before.score;
        let change = if gained.abs() < 0.05 { "as before".to_owned() } else { format!("{gained:+.1}") };
        let mut lines = vec![format!("score {:.1} of {:.0} ({change})", self.score, self.most)];
        for (task, now) in &self.times {
            let Some(then) = before.times.get(task) else { continue };
            let speed = then / now;
            let words = match speed {
                _ if (speed - 1.0).abs() < 0.005 => continue,
                _ if speed > 1.0 => format!("{} faster", times(speed)),
                _ => format!("{} slower", times(1.0 / speed)),
            };
            let basis = match (self.rows.get(task), before.rows.get(task)) {
                (Some(now), Some(then)) if now.max(then) >= &(MORE_ROWS * now.min(then)) => {
                    format!(
                        ", but now from {now} rows of the picture, and then from {then}: the file may have changed less"
                    )
                }
                _ => String::new(),
            };
            lines.push(format!(
                "{task}: {} ms, was {} ms: {words}{basis}",
                significant(*now),
                significant(*then)
            ));
        }
        lines
    }
}

/// How many times as much, or how many per cent more: `1.01×` says less than `1 %`.
fn times(ratio: f64) -> String {
    if ratio < 1.1 { format!("{:.0} %", 100.0 * (ratio - 1.0)) } else { format!("{}×", significant(ratio)) }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;

    fn result(score: f64, seconds: f64) -> Checked {
        let performance = json!([{"task": "histogram", "seconds": seconds}]);
        Checked::of(&json!({"score": score, "max_score": 100.0, "performance": performance}))
            .expect("a report")
    }

    #[test]
    fn changes_are_told() {
        let (slow, fast) = (result(51.0, 7.4e-3), result(62.5, 0.12e-3));
        assert_eq!(slow.since(None), ["score 51.0 of 100"]);
        assert_eq!(
            fast.since(Some(&slow)),
            ["score 62.5 of 100 (+11.5)", "histogram: 0.120 ms, was 7.40 ms: 61.7× faster"]
        );
        assert_eq!(slow.since(Some(&fast))[1], "histogram: 7.40 ms, was 0.120 ms: 61.7× slower");
        assert_eq!(fast.since(Some(&fast)), ["score 62.5 of 100 (as before)"]);
        let of = |rows| Checked { rows: [("histogram".to_owned(), rows)].into(), ..fast.clone() };
        let slower = Checked { rows: of(102).rows, ..slow };
        assert!(
            of(5352).since(Some(&slower))[1].contains("now from 5352 rows of the picture, and then from 102")
        );
        assert!(!of(72).since(Some(&slower))[1].contains("rows"));
    }
}
