//! The files that pages include, and their places in the text.

use std::path::Path;

/// The files, by their paths in a checkout.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/includes.rs"));

/// The folder of the pages in a checkout.
const FOLDER: &str = "book/pages";

/// The files of a folder of the checkout that pages include: their paths in it, and their texts.
pub fn files_in(folder: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().copied().filter(move |(name, _)| name.rsplit_once('/').is_some_and(|(own, _)| own == folder))
}

/// The text of a page, with the files that it includes in their places. `page` is its name.
pub fn expanded(page: &str, text: &str) -> String {
    insert(&format!("{FOLDER}/{page}.md"), text)
}

/// `text` of the file `name`, with what it includes. Pictures are there as their descriptions; those without one stay as they are.
fn insert(name: &str, text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let undescribed = |(file, part): &(String, String)| {
            part.is_empty() && Path::new(file).extension().is_some_and(|ending| ending == "svg")
        };
        if let Some((file, part)) =
            included(line).and_then(|path| part(name, path)).filter(|found| !undescribed(found))
        {
            out += &insert(&file, &part);
        } else {
            out += line;
            out.push('\n');
        }
    }
    out
}

/// What a line includes: `../examples/atomics.cu:grid`.
pub fn included(line: &str) -> Option<&str> {
    line.trim().strip_prefix("{{#include ")?.strip_suffix("}}")
}

/// The file that `path` names as seen from the file `from`, and its part between the anchors that `path` names, or all of it.
fn part(from: &str, path: &str) -> Option<(String, String)> {
    let (path, anchor) = path.split_once(':').map_or((path, None), |(path, anchor)| (path, Some(anchor)));
    let mut places: Vec<&str> = from.split('/').collect();
    places.pop();
    for place in path.split('/') {
        match place {
            ".." => drop(places.pop()),
            place => places.push(place),
        }
    }
    let name = places.join("/");
    let (_, text) = FILES.iter().find(|(file, _)| *file == name)?;
    let is_mark = |line: &str| line.contains("ANCHOR: ") || line.contains("ANCHOR_END: ");
    let mut inside = anchor.is_none();
    let mut out = String::new();
    for line in text.lines() {
        let ends_with =
            |mark: &str| anchor.is_some_and(|anchor| line.trim().ends_with(&format!("{mark}: {anchor}")));
        if ends_with("ANCHOR") {
            inside = true;
        } else if ends_with("ANCHOR_END") {
            inside = false;
        } else if inside && !is_mark(line) {
            out += line;
            out.push('\n');
        }
    }
    Some((name, out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::list::PAGES;

    #[test]
    fn every_included_text_is_there_and_every_picture_as_its_description() {
        for page in PAGES {
            let text = expanded(page.name, page.text);
            let left: Vec<&str> = text.lines().filter_map(included).collect();
            assert!(left.is_empty(), "{}: {left:?}", page.name);
        }
    }

    #[test]
    fn a_chart_is_told_as_a_list() {
        let shown = expanded("learn/latency", "{{#include ../generated/latencies.svg}}");
        assert!(
            shown.starts_with("Picture: Cycles from a load to its value\n\n- latency of shared memory"),
            "{shown}"
        );
    }

    #[test]
    fn an_anchor_names_a_part() {
        let text = "```cpp\n{{#include ../../../examples/windows.cu:load_tile}}\n```\n";
        let shown = expanded("labs/lab4/tiles", text);
        assert!(shown.contains("__syncthreads()") && !shown.contains("ANCHOR"), "{shown}");
        assert!(!shown.contains("#include \"workbook.cuh\""), "{shown}");
        let finding = "{{#include ../labs/generated/finding-lab3-scan_in_place-W0301.txt}}";
        assert!(expanded("findings/races", finding).contains("error[W0301]: "));
    }
}
