//! The class on a terminal, 100 columns wide.

use std::fmt::Write as _;

use cuda::text::clean;

use super::class::Class;
use super::graded::{Graded, State};
use super::lateness::sentences;

/// Findings that are listed.
const FINDINGS: usize = 10;
/// Columns of a bar.
const BAR: usize = 40;

/// `87.5`, or `100` without a fraction.
pub fn points(value: f64) -> String {
    // The sum of nothing is a negative zero.
    let text = format!("{:.1}", value + 0.0);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// At most this many characters.
pub fn cut(text: &str, most: usize) -> String {
    let text = clean(text).replace(['\n', '\t'], " ");
    if text.chars().count() <= most { text } else { text.chars().take(most - 1).chain(['…']).collect() }
}

/// The table, the distribution, the commonest findings, and what needs a person.
pub fn text(all: &[Graded], class: &Class) -> String {
    let mut out = String::new();
    let width = all.iter().map(|one| one.person.id.chars().count()).max().unwrap_or(0).clamp(7, 30);
    // No column where no date matters.
    let late = all.iter().map(|one| one.lateness.short().chars().count()).max().unwrap_or(0);
    let arrival = |text: &str| if late > 0 { format!("{text:late$}  ") } else { String::new() };
    let title = arrival("handed in");
    let _ = writeln!(out, "{:width$}  {:9}  {:>6}  {title}main finding", "student", "verdict", "points");
    for one in all {
        let verdict = match one.state {
            State::Graded if one.passed => "passed",
            State::Graded => "failed",
            State::Refused => "refused",
            State::Missing => "missing",
            State::Unfinished => "no result",
        };
        let score = if one.state == State::Unfinished { "-".to_owned() } else { points(one.score) };
        let when = arrival(&one.lateness.short());
        let room = 100 - width - 21 - when.chars().count();
        let _ = writeln!(
            out,
            "{:width$}  {verdict:9}  {score:>6}  {when}{}",
            cut(&one.person.id, width),
            cut(&main(one), room)
        );
    }
    let count = |state| class.states.get(&state).copied().unwrap_or(0);
    let _ = writeln!(
        out,
        "\n{} graded ({} passed), {} refused, {} missing, {} without a result; mean {}, median {} of {} points",
        count(State::Graded),
        class.passed,
        count(State::Refused),
        count(State::Missing),
        count(State::Unfinished),
        points(class.mean),
        points(class.median),
        points(class.max_score),
    );
    for sentence in sentences(class) {
        let _ = writeln!(out, "{sentence}");
    }
    distribution(&mut out, class);
    if !class.findings.is_empty() {
        let _ = writeln!(out, "\nCommonest findings (submissions that have each):");
    }
    for finding in class.findings.iter().take(FINDINGS) {
        let _ = writeln!(
            out,
            "{:5}  {} {:7}  {}",
            finding.count,
            finding.code,
            finding.severity,
            cut(&finding.example, 77)
        );
    }
    needs(&mut out, all, class);
    out
}

fn distribution(out: &mut String, class: &Class) {
    let most = class.distribution.iter().map(|bin| bin.count).max().unwrap_or(0);
    if most == 0 {
        return;
    }
    let _ = writeln!(out, "\nDistribution (% of the points):");
    for bin in &class.distribution {
        let bar = "█".repeat((bin.count * BAR).div_ceil(most));
        let _ =
            writeln!(out, "{}", format!("{:3}-{:<3} {:4}  {bar}", bin.from, bin.to, bin.count).trim_end());
    }
}

fn needs(out: &mut String, all: &[Graded], class: &Class) {
    let mut lines: Vec<String> = Vec::new();
    for one in all {
        for need in &one.needs {
            lines.push(format!("  {}  {}: {}", cut(&one.person.id, 30), need.code, need.why));
        }
    }
    for pair in &class.similar {
        let share = (100.0 * pair.share).round();
        lines.push(format!(
            "  {} and {}  similar: {share} % of their own code ({} tokens)",
            cut(&pair.a, 30),
            cut(&pair.b, 30),
            pair.tokens
        ));
    }
    if class.practice {
        lines.push(
            "  all  practice: the seed is public, so that a file may know its pictures; use --secret-seed"
                .to_owned(),
        );
    }
    let _ = match lines.len() {
        0 => writeln!(out, "\nNothing needs a person."),
        count => writeln!(out, "\nFor a person to look at ({count}):"),
    };
    for line in lines {
        let _ = writeln!(out, "{}", cut(&line, 100));
    }
}

/// The most severe finding, or why there is none.
fn main(one: &Graded) -> String {
    if let Some(refused) = &one.refused {
        return refused.why.clone();
    }
    let Some(report) = one.report() else { return String::new() };
    if report.untouched {
        return "the untouched skeleton".to_owned();
    }
    match report.findings.first() {
        Some(finding) => format!("{} {}", finding.code, finding.message),
        None if report.passed => String::new(),
        None => {
            let wrong = report.cases.iter().filter(|case| case.verdict == "failed").count();
            format!("wrong output in {wrong} of {} cases", report.cases.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_one_decimal_and_no_sign_at_zero() {
        assert_eq!([87.5, 100.0, -0.0].map(points), ["87.5", "100", "0"]);
    }
}
