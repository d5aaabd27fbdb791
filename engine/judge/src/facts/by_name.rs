//! Cases that alone are wrong, and whose name says what is special about them.

use crate::case::{Case, Verdict};

/// Names of filters, what is special about them, and what to try.
const SPECIAL: &[(&[&str], &str, &str)] = &[(
    &["beyond a byte", "below a byte", "heavy"],
    "with filters whose weights a signed byte, -128 to 127, does not hold",
    "test each weight before four of them go into a word for `__dp4a`: a filter with a weight below -128 or above 127 takes another way",
)];

/// What is special about the cases of a task that failed, if most others passed, as a fact, and what to try.
pub fn told(cases: &[&Case]) -> Option<(String, &'static str)> {
    let of = |verdict: Verdict| cases.iter().filter(move |case| case.verdict == verdict);
    let (failed, passed) = (of(Verdict::Failed).count(), of(Verdict::Passed).count());
    let (_, what, hint) = SPECIAL.iter().find(|(names, ..)| {
        of(Verdict::Failed).all(|case| names.iter().any(|name| case.name.contains(name)))
    })?;
    let told = format!("all {failed} wrong cases are {what}, and {passed} cases are right");
    (failed > 0 && passed > 2).then_some((told, *hint))
}
