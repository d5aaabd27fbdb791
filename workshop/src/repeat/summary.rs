//! Summary of many scores of one task, and the printed table.

use std::fmt::Write as _;

use lab::Task;
use records::{Attempt, Record, Repeat, RepeatedTask, Spread, State};

use crate::machine::heading;
use runtime::statistics::median;

/// Scores and shares of one file lie within this around their median, relative.
pub const ALLOWED: f64 = 0.01;

/// All scores of one task, and whether they are repeatable.
pub fn of_task(task: &dyn Task, attempts: Vec<Attempt>) -> RepeatedTask {
    let spread = |value: fn(&Attempt) -> f64| spread(&attempts.iter().map(value).collect::<Vec<_>>());
    let seen = |level: fn(&Attempt) -> &String| {
        let mut seen: Vec<String> = attempts.iter().map(level).cloned().collect();
        seen.sort();
        seen.dedup();
        seen
    };
    let count = |state| attempts.iter().filter(|attempt| attempt.state == state).count();
    let mut all = RepeatedTask {
        task: task.name().to_owned(),
        points: task.points().total(),
        passed: false,
        score: spread(|attempt| attempt.score),
        share: spread(|attempt| attempt.share),
        speedup: spread(|attempt| attempt.speedup),
        bandwidth_levels: seen(|attempt| &attempt.bandwidth_level),
        speedup_levels: seen(|attempt| &attempt.speedup_level),
        stable: count(State::Stable),
        unstable: count(State::Unstable),
        suspect: count(State::Suspect),
        pairs: attempts.iter().map(|attempt| attempt.pairs).sum(),
        dropped_pairs: attempts.iter().map(|attempt| attempt.dropped_pairs).sum(),
        attempts,
    };
    all.passed = all.score.spread <= ALLOWED
        && all.share.spread <= ALLOWED
        && all.bandwidth_levels.len() == 1
        && all.speedup_levels.len() == 1
        && all.stable == all.attempts.len();
    all
}

fn spread(values: &[f64]) -> Spread {
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let median = median(values);
    // Zeros alone do not spread.
    let spread = if max > min { (max - min) / 2.0 / median } else { 0.0 };
    Spread { min, median, max, spread }
}

/// The printed table.
pub fn table(record: &Record<Repeat>) -> String {
    let repeat = &record.content;
    let mut out =
        format!("{}\n{}, scored {} times\n", heading(&record.provenance), repeat.file, repeat.times);
    repeat.tasks.iter().for_each(|task| out += &one(task));
    let verdict = if repeat.passed {
        "no level changes, and scores and shares stay within"
    } else {
        "NOT repeatable: a level changes, a score is missing, or a spread exceeds"
    };
    let _ = writeln!(out, "\n{verdict} {:.0} % of their median", 100.0 * ALLOWED);
    out
}

fn one(task: &RepeatedTask) -> String {
    let mut out = format!("\n{} ({} points)\n", task.task, task.points);
    let _ = writeln!(out, "  {:10} {:>10} {:>10} {:>10} {:>10}", "", "least", "median", "most", "spread");
    for (name, spread) in [("score", task.score), ("share", task.share), ("speedup", task.speedup)] {
        let Spread { min, median, max, spread } = spread;
        let _ = writeln!(out, "  {name:10} {min:>10.4} {median:>10.4} {max:>10.4} {:>8.2} %", 100.0 * spread);
    }
    let _ = writeln!(
        out,
        "  levels     {}; {}\n  states     {} stable, {} unstable, {} suspect; {} of {} pairs dropped",
        task.bandwidth_levels.join(" and "),
        task.speedup_levels.join(" and "),
        task.stable,
        task.unstable,
        task.suspect,
        task.dropped_pairs,
        task.pairs + task.dropped_pairs
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge::labs;

    fn attempts(shares: &[f64]) -> RepeatedTask {
        let task = labs::all()[0].tasks()[0];
        let scored = |share: &f64| Attempt {
            score: 60.0 * share,
            share: *share,
            share_error: Some(0.001),
            speedup: 200.0,
            bandwidth_level: task.points().share.level(*share).map_or("none", |level| level.name).to_owned(),
            speedup_level: "GTX 480, best".to_owned(),
            state: State::Stable,
            pairs: 30,
            dropped_pairs: 1,
        };
        of_task(task, shares.iter().map(scored).collect())
    }

    #[test]
    fn a_spread_is_half_of_what_lies_between_relative_to_the_middle() {
        let spread = spread(&[0.99, 1.0, 1.03]);
        assert!((spread.spread - 0.02).abs() < 1e-12 && (spread.median - 1.0).abs() < 1e-12);
        assert!(super::spread(&[0.0, 0.0]).spread.abs() < 1e-12);
    }

    #[test]
    fn spread_flips_and_states_each_fail_the_check() {
        let good = attempts(&[0.60, 0.605, 0.595]);
        assert!(good.passed && good.dropped_pairs == 3 && good.stable == 3);
        assert!(!attempts(&[0.60, 0.62, 0.59]).passed);
        // Within the spread, but on both sides of a level.
        let flips = attempts(&[0.749, 0.751]);
        assert!(!flips.passed && flips.bandwidth_levels == ["coalesced", "wide loads"]);
        let task = labs::all()[0].tasks()[0];
        let mut unstable = good.attempts;
        unstable[0].state = State::Unstable;
        assert!(!of_task(task, unstable).passed);
    }
}
