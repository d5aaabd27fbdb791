//! The cases of a task in one line.

use judge::report::{Case, Verdict};

/// `21 of 21 passed`, or `2 of 21 failed: 31×33, 257×5`, in at most `width` characters. The number of all cases is the same in each
/// report on a task: the picture that is timed, which comes only after right ones, does not count.
pub fn folded(cases: &[&Case], width: usize) -> String {
    let (timed, cases): (Vec<&Case>, Vec<&Case>) = cases.iter().partition(|case| case.timed);
    let count = |verdict| cases.iter().filter(|case| case.verdict == verdict).count();
    let (passed, failed, skipped) = (count(Verdict::Passed), count(Verdict::Failed), count(Verdict::Skipped));
    let all = cases.len();
    let rest = if skipped > 0 { format!("; {skipped} not run after that") } else { String::new() };
    if timed.iter().any(|case| case.verdict == Verdict::Failed) {
        return format!("{passed} of {all} passed; the timed picture failed");
    }
    match failed {
        0 if skipped == all => format!("{skipped} not run"),
        0 => format!("{passed} of {all} passed{rest}"),
        1 if passed == 0 => format!("failed in the first, {}{rest}", short(cases[0])),
        _ if failed == all => format!("all {all} failed"),
        _ => {
            let start = format!("{failed} of {all} failed: ");
            let names = cases.iter().filter(|case| case.verdict == Verdict::Failed).map(|case| short(case));
            let left = width.saturating_sub(start.chars().count() + rest.chars().count());
            start + &listed(&names.collect::<Vec<_>>(), left) + &rest
        }
    }
}

/// As many names as fit, and the number of the others.
fn listed(names: &[String], width: usize) -> String {
    let shown = |count: usize| {
        let more = names.len() - count;
        let start = names[..count].join(", ");
        if more > 0 { format!("{start}, and {more} more") } else { start }
    };
    let fits = |count: &usize| shown(*count).chars().count() <= width;
    (1..=names.len()).rev().find(fits).map_or_else(|| shown(1), shown)
}

/// A case's name, without its explanation if the name is a size: `31×33` for `31x33, odd`.
fn short(case: &Case) -> String {
    let first = case.name.split(',').next().unwrap_or_default();
    // Another picture may have failed after the one that the case is named for.
    let number = |side: &str| !side.is_empty() && side.chars().all(|c| c.is_ascii_digit());
    let is_size = first.split_once('x').is_some_and(|(width, height)| number(width) && number(height));
    if is_size { first.replace('x', "×") } else { case.name.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str, verdict: Verdict) -> Case {
        Case {
            task: "t".to_owned(),
            name: name.to_owned(),
            width: 31,
            height: 33,
            verdict,
            wrong: 0,
            differing: 0,
            total: 1,
            mismatches: Vec::new(),
            note: String::new(),
            printed: String::new(),
            timed: false,
        }
    }

    fn shown(cases: &[(&str, Verdict)], width: usize) -> String {
        let cases: Vec<Case> = cases.iter().map(|(name, verdict)| case(name, *verdict)).collect();
        folded(&cases.iter().collect::<Vec<_>>(), width)
    }

    #[test]
    fn cases_are_one_line() {
        use Verdict::{Failed, Passed, Skipped};
        assert_eq!(shown(&[("31x33, odd", Passed), ("flat", Passed)], 60), "2 of 2 passed");
        let some = [("31x33, odd", Failed), ("flat", Passed), ("noise, 1 level", Failed), ("photo", Failed)];
        assert_eq!(shown(&some, 60), "3 of 4 failed: 31×33, noise, 1 level, photo");
        assert_eq!(shown(&some, 36), "3 of 4 failed: 31×33, and 2 more");
        assert_eq!(
            shown(&[("31x33, odd", Failed), ("flat", Skipped)], 60),
            "failed in the first, 31×33; 1 not run after that"
        );
        assert_eq!(
            shown(&[("a", Passed), ("b", Failed), ("c", Skipped)], 60),
            "1 of 3 failed: b; 1 not run after that"
        );
        assert_eq!(shown(&[("a", Skipped)], 60), "1 not run");
        assert_eq!(shown(&[("1x1", Failed), ("a", Passed)], 60), "1 of 2 failed: 1×1");
    }

    #[test]
    fn the_timed_picture_does_not_change_the_number_of_cases() {
        let said = |verdict| {
            let timed = Case { timed: true, ..case("timed", verdict) };
            folded(&[&case("a", Verdict::Passed), &case("b", Verdict::Passed), &timed], 60)
        };
        assert_eq!(said(Verdict::Passed), "2 of 2 passed");
        assert_eq!(said(Verdict::Failed), "2 of 2 passed; the timed picture failed");
    }
}
