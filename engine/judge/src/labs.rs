//! The labs that this checker knows, and suggestions for misspelt names.

pub use all_labs::all;
use lab::{Lab, Task};

use crate::exit::Stop;

/// The lab of this name, or a usage error that suggests one.
pub fn find(name: &str) -> Result<&'static dyn Lab, Stop> {
    all().into_iter().find(|lab| lab.name() == name).ok_or_else(|| Stop::Usage(not_a_lab(name)))
}

/// Commands that a misspelt word may mean.
const COMMANDS: [&str; 14] = [
    "book", "course", "device", "doctor", "explain", "grade", "hint", "init", "ladder", "new-lab", "profile",
    "try", "tune", "watch",
];

/// What is meant by a name that is not a lab's.
fn not_a_lab(name: &str) -> String {
    let plain: String = name.to_lowercase().chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
    let task = |lab: &&&'static dyn Lab| lab.tasks().iter().any(|task| task.name() == plain);
    if let Some(lab) = all().iter().find(task) {
        return format!("`{name}` is a task: run `checker {} --task {plain}`", lab.name());
    }
    let number = plain.strip_prefix("lab").unwrap_or(&plain).to_owned();
    let about = |lab: &&&'static dyn Lab| {
        lab.name() == format!("lab{number}")
            || lab.title().to_lowercase() == plain
            || lab.file() == name
            || lab.folder() == name.trim_end_matches('/')
    };
    if let Some(lab) = all().iter().find(about) {
        return format!("unknown lab `{name}`: did you mean `checker {}`?", lab.name());
    }
    let begins = |lab: &&&'static dyn Lab| {
        let tasks = lab.tasks();
        let mut names = tasks.iter().map(|task| task.name().to_owned()).chain([lab.title().to_lowercase()]);
        plain.len() >= 3 && plain != "lab" && names.any(|name| name.starts_with(&plain))
    };
    if let Some(lab) = all().iter().find(begins) {
        return format!("unknown lab `{name}`: did you mean `checker {}`, {}?", lab.name(), lab.title());
    }
    match plain.as_str() {
        "lab" => format!(
            "`lab` needs a number: the labs are {}",
            quoted(&all().iter().map(|lab| lab.name()).collect::<Vec<_>>())
        ),
        "score" | "scores" | "points" => {
            format!("there is no command `{name}`: `checker lab1` checks the file of lab 1, and scores it")
        }
        "run" | "check" | "test" | "judge" | "submit" | "start" => {
            format!("there is no command `{name}`: `checker lab1` checks the file of lab 1")
        }
        "hints" | "next" | "help" => {
            format!("there is no command `{name}`: `checker hint lab1` gives a hint for your file")
        }
        "why" => format!(
            "there is no command `{name}`: `checker explain lab1` answers the questions of a task sheet"
        ),
        "list" | "labs" | "status" | "progress" => {
            format!("there is no command `{name}`: `checker` alone shows all labs")
        }
        code if code
            .strip_prefix('w')
            .is_some_and(|digits| digits.len() == 4 && digits.bytes().all(|c| c.is_ascii_digit())) =>
        {
            format!("`{name}` is a finding, not a lab: `checker book {}` explains it", name.to_uppercase())
        }
        _ => {
            let names: Vec<&str> = all().iter().map(|lab| lab.name()).chain(COMMANDS).collect();
            unknown("lab", name, &names, "run `checker` to see all labs")
        }
    }
}

/// What is meant by several words, such as `lab 2` or `run lab2`.
pub fn not_one_word(words: &[String]) -> Stop {
    let joined = words.concat();
    if ["labnew", "newlab"].iter().any(|meant| joined.to_lowercase().starts_with(meant)) {
        return Stop::Usage("to begin a lab of your own, run `checker new-lab NAME`".into());
    }
    let lab = |word: &String| all().into_iter().find(|lab| lab.name() == word.to_lowercase());
    let meant = lab(&joined).or_else(|| words.iter().find_map(lab));
    Stop::Usage(match meant {
        Some(lab) => format!("one lab at a time: did you mean `checker {}`?", lab.name()),
        None => not_a_lab(&words[0]),
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
        let meant = |name: &str| find(name).err().map(|stop| stop.to_string()).unwrap_or_default();
        for name in ["2", "Lab2", "lab-2", "Histogram", "histogram.cu", "lab2-histogram/"] {
            assert!(meant(name).contains("checker lab2"), "{}", meant(name));
        }
        assert!(meant("lab22").contains("did you mean `lab2`?"));
        assert!(meant("hist").contains("`checker lab2`") && meant("lab").contains("`lab1`, `lab2`"));
        assert!(meant("gray_histogram").contains("checker lab2 --task gray_histogram"));
        assert!(meant("hints").contains("checker hint lab1") && meant("run").contains("checker lab1"));
        let words = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            not_one_word(&words).to_string()
        };
        assert!(
            words(&["lab", "2"]).contains("checker lab2") && words(&["run", "lab3"]).contains("checker lab3")
        );
        assert!(words(&["lab", "new", "edges"]).contains("checker new-lab"));
        assert!(!unknown("lab", "zebra", &["lab1", "lab2"], "x").contains("did you mean"));
    }
}
