//! Cases that alone are wrong, and whose name says what is special about them.

use crate::case::{Case, Verdict};

/// Names of filters and pictures, what is special about them, and what to try.
const SPECIAL: &[(&str, &str, &str)] = &[(
    "beyond a byte",
    "this filter has a weight of 128, which a signed byte, -128 to 127, does not hold",
    "test each weight before four of them go into a word for `__dp4a`: a filter with a weight below -128 or above 127 takes another way",
)];

/// What is special about the cases of a task that failed, if all others passed, as a fact, and what to try.
pub fn told(cases: &[&Case]) -> Option<(String, &'static str)> {
    let count = |verdict: Verdict| cases.iter().filter(|case| case.verdict == verdict).count();
    let (name, what, hint) = SPECIAL.iter().find(|(name, ..)| {
        let named = |case: &&&Case| case.name.contains(name);
        let failed = cases.iter().filter(|case| case.verdict == Verdict::Failed);
        count(Verdict::Failed) > 0 && failed.clone().count() == failed.filter(named).count()
    })?;
    let passed = count(Verdict::Passed);
    (passed > 2)
        .then(|| (format!("only \"{name}\" is wrong, and {passed} other cases are right: {what}"), *hint))
}
