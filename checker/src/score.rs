//! From verdicts and times to points. Pure functions.

use lab::{Level, Points, Threshold};
use serde::Serialize;

/// One line of a score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// The task.
    pub task: String,
    /// What the points are for: `correctness`, `bandwidth`, `speedup`.
    pub what: &'static str,
    /// Points earned, in tenths.
    pub points: f64,
    /// Points that can be earned.
    pub max: f64,
    /// Why so many, in a few words.
    pub reason: String,
}

/// Whether times can be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Enough pairs of runs that agree; or predicted.
    Stable,
    /// The pairs do not agree: something else was using the GPU.
    Unstable,
    /// Faster than the bytes can be moved.
    Suspect,
}

/// What was measured or predicted of a right solution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speed {
    /// Yardstick time ÷ kernel time.
    pub share: f64,
    /// Sequential CPU time ÷ kernel time.
    pub speedup: f64,
    /// Whether the two can be believed.
    pub state: State,
}

/// The lines of one task. `speed` is absent unless the task is right and was timed; `why_not` then says why.
pub fn lines(task: &str, points: &Points, right: bool, speed: Option<Speed>, why_not: &str) -> Vec<Line> {
    let line = |what, points, max, reason: String| Line {
        task: task.to_owned(),
        what,
        points: tenths(points),
        max,
        reason,
    };
    let correctness = if right {
        line("correctness", points.correctness, points.correctness, "every case right".to_owned())
    } else {
        line(
            "correctness",
            0.0,
            points.correctness,
            "every case has to be right, without an error".to_owned(),
        )
    };
    let (bandwidth, speedup) = match speed.filter(|_| right) {
        None => {
            let reason = if right { why_not } else { "a wrong result earns nothing for speed" };
            (
                line("bandwidth", 0.0, points.bandwidth, reason.to_owned()),
                line("speedup", 0.0, points.speedup, reason.to_owned()),
            )
        }
        Some(speed) if speed.state != State::Stable => {
            let reason = if speed.state == State::Suspect {
                "suspect: faster than the bytes allow, so not scored"
            } else {
                "unstable: the times do not agree closely enough, so not scored; run it again on an idle GPU"
            };
            (
                line("bandwidth", 0.0, points.bandwidth, reason.to_owned()),
                line("speedup", 0.0, points.speedup, reason.to_owned()),
            )
        }
        Some(speed) => {
            let share = format!("{:.1} % of the yardstick", 100.0 * speed.share);
            let times = format!("{:.1} times one CPU core", speed.speedup);
            (
                line(
                    "bandwidth",
                    points.bandwidth * points.share.fraction(speed.share),
                    points.bandwidth,
                    share + &reached(&points.share, speed.share),
                ),
                line(
                    "speedup",
                    points.speedup * points.times.fraction(speed.speedup),
                    points.speedup,
                    times + &reached(&points.times, speed.speedup),
                ),
            )
        }
    };
    vec![correctness, bandwidth, speedup]
}

/// The sum of what was earned, and of what can be earned.
pub fn total(lines: &[Line]) -> (f64, f64) {
    let sum = |value: fn(&Line) -> f64| tenths(lines.iter().map(value).sum());
    (sum(|line| line.points), sum(|line| line.max))
}

fn reached(scale: &Threshold, value: f64) -> String {
    scale.level(value).map(|Level { name, .. }| format!(": {name}")).unwrap_or_default()
}

/// Rounded to tenths, so that a score is the same on every machine, whatever its logarithm's last bit.
fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: Points = Points {
        correctness: 25.0,
        bandwidth: 15.0,
        speedup: 10.0,
        share: Threshold {
            floor: 0.25,
            target: 1.0,
            levels: &[Level { name: "half way", at: 0.5, how: "" }],
        },
        times: Threshold { floor: 10.0, target: 1000.0, levels: &[] },
    };

    fn points(right: bool, speed: Option<Speed>) -> Vec<f64> {
        lines("t", &POINTS, right, speed, "not timed").iter().map(|line| line.points).collect()
    }

    #[test]
    fn speed_counts_only_when_right_and_believable() {
        let speed = Speed { share: 0.5, speedup: 100.0, state: State::Stable };
        assert_eq!(points(true, Some(speed)), [25.0, 7.5, 5.0]);
        assert_eq!(points(false, Some(speed)), [0.0, 0.0, 0.0]);
        assert_eq!(points(true, None), [25.0, 0.0, 0.0]);
        assert_eq!(points(true, Some(Speed { state: State::Suspect, ..speed })), [25.0, 0.0, 0.0]);
        assert_eq!(points(true, Some(Speed { state: State::Unstable, ..speed })), [25.0, 0.0, 0.0]);
    }

    #[test]
    fn the_reached_level_is_named() {
        let all =
            lines("t", &POINTS, true, Some(Speed { share: 0.5, speedup: 100.0, state: State::Stable }), "");
        assert_eq!(all[1].reason, "50.0 % of the yardstick: half way");
        assert_eq!(total(&all), (37.5, 50.0));
    }
}
