//! How much scores can be relied on: the same file scored again, and scores without a GPU.

use records::{Repeat, RepeatedTask, Score, Scores, Spread, State, TaskScores};

use lab::Threshold;

use crate::markdown::{Align, prose, table};

/// A row per task of a file that was scored many times.
pub fn repeated(repeat: &Repeat) -> String {
    let right = Align::Right;
    let columns = [
        ("task", Align::Left),
        ("score: least, median, most", right),
        ("spread", right),
        ("share: least, median, most", right),
        ("spread", right),
        ("levels", Align::Left),
        ("stable", right),
        ("pairs dropped", right),
    ];
    let cells: Vec<Vec<String>> =
        repeat.tasks.iter().map(|task| repeated_task(task, &repeat.lab, repeat.times)).collect();
    let verdict = if repeat.passed { "It is met." } else { "**It is not met.**" };
    format!(
        "`{}` scored {} times, each time in a new process, on new pictures. A spread is half of the \
         distance between the least and the most, relative to the median. The goal: spreads within {:.0} %, one level, \
         every score stable. {verdict}\n\n{}",
        repeat.file,
        repeat.times,
        100.0 * repeat.allowed_spread,
        table(&columns, &cells)
    )
}

/// The levels of a task's scales that the measured values reach, under the names that they have now: the file has those of its day.
fn levels(task: &RepeatedTask, lab: &str) -> Option<[Vec<&'static str>; 2]> {
    let lab = judge::labs::all().into_iter().find(|known| known.name() == lab)?;
    let points = lab.tasks().iter().find(|known| known.name() == task.task)?.points();
    let names = |scale: Threshold, spread: Spread| {
        let ends = [spread.min, spread.max].map(|end| scale.level(end).map_or("none", |level| level.name));
        let mut ends = ends.to_vec();
        ends.dedup();
        ends
    };
    Some([names(points.share, task.share), names(points.times, task.speedup)])
}

fn repeated_task(task: &RepeatedTask, lab: &str, times: usize) -> Vec<String> {
    let three = |spread: Spread, unit: f64, digits: usize| {
        [spread.min, spread.median, spread.max].map(|end| format!("{:.digits$}", unit * end)).join(", ")
    };
    let percent = |spread: Spread| format!("±{:.2} %", 100.0 * spread.spread);
    let levels = levels(task, lab)
        .map_or_else(String::new, |levels| levels.map(|names| prose(&names.join(" and "))).join("; "));
    vec![
        format!("`{}`", task.task),
        format!("{} of {}", three(task.score, 1.0, 1), task.points),
        percent(task.score),
        format!("{} %", three(task.share, 100.0, 2)),
        percent(task.share),
        levels,
        format!("{} of {times}", task.stable),
        format!("{} of {}", task.dropped_pairs, task.dropped_pairs + task.pairs),
    ]
}

/// How many rungs have two scores that are close. `None` if there are no rungs.
pub fn summary(scores: &Scores) -> Option<String> {
    let worst =
        scores.rungs.iter().max_by(|one, other| one.difference.abs().total_cmp(&other.difference.abs()))?;
    Some(format!(
        "Of {} rungs, {} get two scores within {:.0} points of each other: one with times measured on the GPU, one \
         with predicted times. The largest difference is that of `{}` of {} ({:+.1} points).",
        scores.rungs.len(),
        scores.within,
        scores.allowed_difference,
        worst.rung,
        worst.lab,
        worst.difference
    ))
}

/// A row per rung and per task. `None` if there are no rungs.
pub fn compared(scores: &Scores) -> Option<String> {
    let right = Align::Right;
    let columns = [
        ("rung", Align::Left),
        ("task", Align::Left),
        ("points, measured", right),
        ("points, predicted", right),
        ("difference", right),
        ("share, measured", right),
        ("share, predicted", right),
        ("speedup, measured", right),
        ("speedup, predicted", right),
    ];
    let mut cells = Vec::new();
    for rung in &scores.rungs {
        let apart = rung.difference.abs() > scores.allowed_difference;
        let shown = format!("{:+.1}", rung.difference);
        let mut whole = vec![
            format!("{} `{}`", rung.lab, rung.rung),
            "all".to_owned(),
            format!("{:.1}", rung.measured),
            format!("{:.1}", rung.predicted),
            if apart { format!("**{shown}**") } else { shown },
        ];
        whole.resize(columns.len(), String::new());
        cells.push(whole);
        cells.extend(rung.tasks.iter().map(task));
    }
    Some(format!("{}\n\n{}", summary(scores)?, table(&columns, &cells)))
}

fn task(task: &TaskScores) -> Vec<String> {
    let (measured, predicted) = (&task.measured, &task.predicted);
    let score = |side: &Score| match side.state {
        State::Stable => format!("{:.1}", side.score),
        state => format!("{:.1} ({state})", side.score),
    };
    let share = |side: &Score| format!("{:.1} %", 100.0 * side.share);
    let times = |side: &Score| format!("{:.1}", side.times);
    vec![
        String::new(),
        format!("`{}`", task.task),
        score(measured),
        score(predicted),
        format!("{:+.1}", task.difference),
        share(measured),
        share(predicted),
        times(measured),
        times(predicted),
    ]
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use records::RungScores;

    use super::*;

    #[test]
    fn repetitions_show_their_ends_and_the_verdict() {
        let spread = Spread { min: 0.5, median: 0.51, max: 0.52, spread: 0.0196 };
        let task = RepeatedTask {
            task: "grayscale".to_owned(),
            points: 60.0,
            passed: false,
            score: spread,
            share: spread,
            speedup: Spread { min: 100.0, max: 200.0, ..spread },
            bandwidth_levels: vec!["a".to_owned(), "b".to_owned()],
            speedup_levels: vec!["c".to_owned()],
            stable: 49,
            unstable: 1,
            suspect: 0,
            pairs: 1500,
            dropped_pairs: 2,
            attempts: Vec::new(),
        };
        let made = repeated(&Repeat {
            lab: "lab1".to_owned(),
            file: "f.cu".to_owned(),
            sha256: String::new(),
            times: 50,
            allowed_spread: 0.01,
            passed: false,
            tasks: vec![task],
        });
        assert!(made.contains("`f.cu` scored 50 times") && made.contains("within 1 %"), "{made}");
        assert!(made.contains("**It is not met.**"), "{made}");
        let levels = "coalesced; one pixel per thread and several pixels per thread";
        let line = format!(
            "| `grayscale` | 0.5, 0.5, 0.5 of 60 | ±1.96 % | 50.00, 51.00, 52.00 % | ±1.96 % | {levels} | \
                    49 of 50 | 2 of 1502 |\n"
        );
        assert!(made.ends_with(&line), "{made}");
    }

    fn rung(name: &str, difference: f64) -> RungScores {
        let side =
            |score: f64, state| Score { score, bandwidth: 0.0, speedup: 0.0, share: 0.5, times: 9.0, state };
        let (measured, predicted) = (90.0, 90.0 + difference);
        let task = TaskScores {
            task: "gray".to_owned(),
            points: 60.0,
            measured: side(measured, State::Unstable),
            predicted: side(predicted, State::Stable),
            difference,
        };
        let (lab, rung) = ("lab1".to_owned(), name.to_owned());
        RungScores { lab, rung, measured, predicted, difference, tasks: vec![task] }
    }

    #[test]
    fn scores_that_lie_apart_stand_out() {
        let scores = Scores {
            predicted_for: "K80".to_owned(),
            allowed_difference: 5.0,
            within: 1,
            rungs: vec![rung("01_a", -1.5), rung("02_b", 7.25)],
        };
        let made = compared(&scores).expect("a table");
        assert!(made.starts_with("Of 2 rungs, 1 get two scores within 5 points"), "{made}");
        assert!(made.contains("`02_b` of lab1 (+7.2 points)"), "{made}");
        assert!(made.contains("| lab1 `02_b` | all | 90.0 | 97.2 | **+7.2** |"), "{made}");
        assert!(made.contains("| lab1 `01_a` | all | 90.0 | 88.5 | -1.5 |"), "{made}");
        let line = "|  | `gray` | 90.0 (unstable) | 88.5 | -1.5 | 50.0 % | 50.0 % | 9.0 | 9.0 |";
        assert!(made.contains(line), "{made}");
        assert_eq!(summary(&Scores { rungs: Vec::new(), ..scores }), None);
    }
}
