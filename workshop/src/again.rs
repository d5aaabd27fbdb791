//! Measuring some of the kernels of a file again, and keeping what it has of the others: `--only`.

use std::path::Path;

use serde::de::DeserializeOwned;

use checker::exit::Stop;

/// Whether the kernel of this name is measured: all are if nothing is chosen.
pub fn is_chosen(only: &[String], name: &str) -> bool {
    only.is_empty() || only.iter().any(|part| name.contains(part.as_str()))
}

/// The option as it was given, with a space before it; nothing if it was not.
pub fn option(only: &[String]) -> String {
    if only.is_empty() { String::new() } else { format!(" --only {}", only.join(",")) }
}

/// Times of different GPUs, drivers or compilers (in this order) do not belong in one file.
pub fn same_machine(there: [&str; 3], here: [&str; 3]) -> Result<(), Stop> {
    if there == here {
        return Ok(());
    }
    Err(Stop::environment(format!(
        "the times in the file were measured with {}, this is {}: measure all of them, without `--only`",
        there.join(", "),
        here.join(", ")
    )))
}

/// Reads the JSON that this command wrote.
pub fn read<T: DeserializeOwned>(path: &Path, command: &str) -> Result<T, Stop> {
    let failed = |error: String| {
        Stop::environment(format!(
            "failed to read `{}`: {error}; `{command}` writes such a file",
            path.display()
        ))
    };
    let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn parts_of_names_choose_and_nothing_chooses_all() {
        let only = ["02".to_owned(), "tile".to_owned()];
        let chosen = ["01_plain", "02_coalesced", "06_shared_tile"].map(|name| is_chosen(&only, name));
        assert_eq!(chosen, [false, true, true]);
        assert!(is_chosen(&[], "01_plain"));
        assert_eq!([option(&only), option(&[])], [" --only 02,tile", ""]);
    }

    #[test]
    fn times_of_another_driver_are_not_added_to() {
        assert!(same_machine(["A", "1", "C"], ["A", "1", "C"]).is_ok());
        let refused = same_machine(["A", "1", "C"], ["A", "2", "C"]).expect_err("another driver");
        assert!(refused.to_string().contains("A, 1, C"), "{refused}");
    }
}
