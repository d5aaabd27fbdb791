//! The labs that this checker knows, and suggestions for misspelt names.

use lab::{Lab, Task};

use crate::exit::Stop;

/// All labs, in the order a student takes them.
pub fn all() -> Vec<&'static dyn Lab> {
    vec![
        lab1_grayscale::LAB,
        lab2_histogram::LAB,
        lab3_equalization::LAB,
        lab4_smoothing::LAB,
        lab5_pipeline::LAB,
    ]
}

/// The lab of this name, or a usage error that suggests one.
pub fn find(name: &str) -> Result<&'static dyn Lab, Stop> {
    all().into_iter().find(|lab| lab.name() == name).ok_or_else(|| {
        let names: Vec<&str> =
            all().iter().map(|lab| lab.name()).chain(["device", "grade", "ladder", "tune"]).collect();
        Stop::Usage(unknown("lab", name, &names, "run `checker` to see all labs"))
    })
}

/// The labs of these names; all if none is named.
pub fn named(names: &[String]) -> Result<Vec<&'static dyn Lab>, Stop> {
    if names.is_empty() {
        return Ok(all());
    }
    names.iter().map(|name| find(name)).collect()
}

/// The tasks of `lab` to check: all, or the one named.
pub fn tasks(lab: &'static dyn Lab, only: Option<&str>) -> Result<Vec<&'static dyn Task>, Stop> {
    let Some(name) = only else { return Ok(lab.tasks().to_vec()) };
    if let Some(task) = lab.tasks().iter().find(|task| task.name() == name) {
        return Ok(vec![*task]);
    }
    let names: Vec<&str> = lab.tasks().iter().map(|task| task.name()).collect();
    let advice = format!("the tasks of {} are {}", lab.name(), quoted(&names));
    Err(Stop::Usage(unknown("task", name, &names, &advice)))
}

/// A message for an unknown name: the most similar known name if one is similar, then the advice.
pub fn unknown(what: &str, name: &str, known: &[&str], advice: &str) -> String {
    let lower = name.to_lowercase();
    let nearest = known
        .iter()
        .map(|candidate| (strsim::normalized_damerau_levenshtein(&lower, candidate), candidate))
        .filter(|(likeness, _)| *likeness >= 0.5)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match nearest {
        Some((_, candidate)) => format!("unknown {what} `{name}`: did you mean `{candidate}`? {advice}"),
        None => format!("unknown {what} `{name}`: {advice}"),
    }
}

/// `` `a`, `b` and `c` ``
pub fn quoted(names: &[&str]) -> String {
    let ticks: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match ticks.split_last() {
        None => "none".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_is_suggested_and_a_far_one_is_not() {
        assert!(unknown("lab", "lba1", &["lab1", "lab2"], "x").contains("did you mean `lab1`?"));
        assert!(!unknown("lab", "zebra", &["lab1", "lab2"], "x").contains("did you mean"));
    }
}
