//! From verdicts and times to points. Pure functions.

use lab::{Points, Threshold};
use serde::Serialize;

use crate::numbers::significant;

/// One line of a score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// The task.
    pub task: String,
    /// The part of the score: `correctness`, `bandwidth`, `speedup`.
    pub what: &'static str,
    /// Points earned, in tenths.
    pub points: f64,
    /// Points that can be earned.
    pub max: f64,
    /// The reason, in a few words.
    pub reason: String,
}

/// Whether times are reliable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Enough pairs of runs that agree; or predicted.
    Stable,
    /// The pairs do not agree: another program was using the GPU.
    Unstable,
    /// Faster than the memory can move the bytes.
    Suspect,
}

/// The speed of a right solution, measured or predicted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speed {
    /// Yardstick time ÷ kernel time.
    pub share: f64,
    /// Sequential CPU time ÷ kernel time.
    pub speedup: f64,
    /// Whether both are reliable.
    pub state: State,
}

/// The lines of one task. `speed` is absent unless the task is right and was timed; then `why_not` is the reason.
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
        line("correctness", 0.0, points.correctness, "every case must pass, without an error".to_owned())
    };
    let (bandwidth, speedup) = match speed.filter(|_| right) {
        None => {
            let reason = if right { why_not } else { "speed counts only if every case passes" };
            (
                line("bandwidth", 0.0, points.bandwidth, reason.to_owned()),
                line("speedup", 0.0, points.speedup, reason.to_owned()),
            )
        }
        Some(speed) if speed.state != State::Stable => {
            let reason = if speed.state == State::Suspect {
                "suspect, not scored: faster than memory allows"
            } else {
                "unstable, not scored: run again on an idle GPU"
            };
            (
                line("bandwidth", 0.0, points.bandwidth, reason.to_owned()),
                line("speedup", 0.0, points.speedup, reason.to_owned()),
            )
        }
        Some(speed) => {
            let share = format!("{} % of the yardstick", shown(&points.share, speed.share));
            let scale = times_scale(points, speed);
            let is_full = speed.share >= points.share.target;
            let (bandwidth, speedup) = (
                earned(points.bandwidth, points.share.fraction(speed.share), is_full),
                earned(points.speedup, scale.fraction(speed.speedup), is_full),
            );
            let full =
                if is_full { String::new() } else { format!(" (full from {}×)", significant(scale.target)) };
            let times = format!("{}× one CPU core{full}", significant(speed.speedup));
            (
                line("bandwidth", bandwidth, points.bandwidth, share + &reached(&points.share, is_full)),
                line("speedup", speedup, points.speedup, times),
            )
        }
    };
    vec![correctness, bandwidth, speedup]
}

/// The scale of the speedup on the GPU at hand: its target is the speed that the target of the share asks for there. So no
/// kernel has all points for its speedup before it has all for its share, and every GPU can reach them.
fn times_scale(points: &Points, speed: Speed) -> Threshold {
    let yardstick = speed.speedup / speed.share;
    let target = points.share.target * yardstick;
    Threshold { floor: points.times.floor.min(target / 2.0), target, ..points.times }
}

/// The sum of the points earned, and of the points that can be earned.
pub fn total(lines: &[Line]) -> (f64, f64) {
    let sum = |value: fn(&Line) -> f64| tenths(lines.iter().map(value).sum());
    (sum(|line| line.points), sum(|line| line.max))
}

/// The points of a task that are left to earn.
pub fn missing(lines: &[Line], task: &str) -> f64 {
    tenths(lines.iter().filter(|line| line.task == task).map(|line| line.max - line.points).sum())
}

/// A share in per cent, never rounded up to a level that it does not reach.
fn shown(scale: &Threshold, share: f64) -> String {
    let percent = 100.0 * share;
    let text = significant(percent);
    let reached = |at: f64| text.parse().is_ok_and(|shown: f64| shown >= 100.0 * at) && share < at;
    if scale.levels.iter().any(|level| reached(level.at)) {
        return significant((10.0 * percent).floor() / 10.0);
    }
    text
}

fn reached(scale: &Threshold, full: bool) -> String {
    if full { String::new() } else { format!(" (full from {} %)", significant(100.0 * scale.target)) }
}

/// Points in tenths: all of them only where the target is reached, never because the rest rounds up to them.
fn earned(all: f64, fraction: f64, is_full: bool) -> f64 {
    if is_full { all } else { tenths(all * fraction).min(tenths(all - 0.1)) }
}

/// Rounds to tenths, so that a score does not depend on the last bit of a machine's logarithm.
fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use lab::Level;

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
    fn speed_counts_only_if_right_and_reliable() {
        let speed = Speed { share: 0.5, speedup: 100.0, state: State::Stable };
        // The share's target of 1 stands for a speedup of 200: 100 is log 10 of log 20 above the floor of 10.
        assert_eq!(points(true, Some(speed)), [25.0, 7.5, 7.7]);
        assert_eq!(points(false, Some(speed)), [0.0, 0.0, 0.0]);
        assert_eq!(points(true, None), [25.0, 0.0, 0.0]);
        assert_eq!(points(true, Some(Speed { state: State::Suspect, ..speed })), [25.0, 0.0, 0.0]);
        assert_eq!(points(true, Some(Speed { state: State::Unstable, ..speed })), [25.0, 0.0, 0.0]);
    }

    #[test]
    fn the_reached_level_is_named() {
        let all =
            lines("t", &POINTS, true, Some(Speed { share: 0.5, speedup: 100.0, state: State::Stable }), "");
        assert_eq!(all[1].reason, "50.0 % of the yardstick (full from 100 %)");
        assert_eq!(all[2].reason, "100× one CPU core (full from 200×)");
        assert_eq!(total(&all), (40.2, 50.0));
    }

    #[test]
    fn points_do_not_round_up_to_all() {
        let levels = &[Level { name: "all", at: 1.0, how: "" }];
        let points = Points { share: Threshold { levels, ..POINTS.share }, ..POINTS };
        let of = |share: f64| {
            let speed = Speed { share, speedup: 200.0 * share, state: State::Stable };
            lines("t", &points, true, Some(speed), "")[1..].to_vec()
        };
        let reasons = |share| of(share).into_iter().map(|line| line.reason).collect::<Vec<_>>();
        let earned = |share| format!("{:.2}, {:.2}", of(share)[0].points, of(share)[1].points);
        assert_eq!([0.9999, 1.0].map(earned), ["14.90, 9.90", "15.00, 10.00"]);
        assert_eq!(
            reasons(0.997),
            ["99.7 % of the yardstick (full from 100 %)", "199× one CPU core (full from 200×)"]
        );
        assert!(reasons(0.99)[0].starts_with("99.0 %"));
        assert_eq!(shown(&points.share, 0.999_96), "99.9", "the level is not reached");
        assert_eq!(
            reasons(0.9),
            ["90.0 % of the yardstick (full from 100 %)", "180× one CPU core (full from 200×)"]
        );
    }

    #[test]
    fn all_points_for_the_speedup_come_with_all_for_the_share_on_every_gpu() {
        for yardstick in [5.0, 300.0, 60_000.0] {
            let of = |share: f64| {
                let speed = Speed { share, speedup: share * yardstick, state: State::Stable };
                points(true, Some(speed))
            };
            assert_eq!(of(1.0), [25.0, 15.0, 10.0], "{yardstick}");
            assert!(of(0.9)[2] < 10.0, "{yardstick}");
        }
    }
}
