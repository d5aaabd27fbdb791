//! The list of all labs: the only place that names them. The checker, the authors' commands and the book go over it.
//!
//! A lab is a crate of its own. `checker new-lab` makes one, and adds its line here and in this crate's `Cargo.toml`.

use lab::Lab;

// ANCHOR: list
/// All labs, in the order a student takes them.
pub fn all() -> Vec<&'static dyn Lab> {
    vec![
        lab1_grayscale::LAB,
        lab2_histogram::LAB,
        lab3_equalization::LAB,
        lab4_smoothing::LAB,
        lab5_pipeline::LAB,
        lab6_sobel::LAB,
        // `checker new-lab` adds its line above this one.
    ]
}
// ANCHOR_END: list

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_folder_of_a_lab_is_in_the_list_once_under_names_of_its_own() {
        let labs = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folders: BTreeSet<String> = std::fs::read_dir(labs)
            .expect("the folder of the labs")
            .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
            // Lab 0 is what `checker new-lab` copies.
            .filter(|name| !name.starts_with("lab0-"))
            .filter(|name| {
                name.strip_prefix("lab").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            })
            .collect();
        let listed: Vec<String> = all().iter().map(|lab| lab.folder().to_owned()).collect();
        assert_eq!(folders, listed.iter().cloned().collect());
        let names: BTreeSet<&str> = all().iter().map(|lab| lab.name()).collect();
        assert_eq!((names.len(), listed.len()), (folders.len(), folders.len()));
        let tasks: Vec<&str> = all().iter().flat_map(|lab| lab.tasks()).map(|task| task.name()).collect();
        assert_eq!(tasks.iter().collect::<BTreeSet<_>>().len(), tasks.len(), "{tasks:?}");
    }
}
