//! The terms of the glossary as a script, with which pages link the first occurrence of each.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use serde_json::json;

use crate::files::read;

/// Words that are also everyday words: a link would mislead more often than it helps.
const EVERYDAY: [&str; 13] = [
    "case", "engine", "ladder", "level", "match", "rung", "share", "slice", "surface", "tail", "task",
    "vote", "wave",
];

/// The text of `book/theme/terms.js`.
pub fn script(root: &Path) -> anyhow::Result<String> {
    let glossary = read(&root.join("book/pages/glossary.md"))?;
    let mut out =
        "// Generated from the glossary: cargo run -p book -- generate. Do not edit.\nconst TERMS = [\n"
            .to_owned();
    for line in glossary.lines().filter_map(|line| line.strip_prefix("- **")) {
        let (words, means) = line.split_once("**: ").context("a term has no explanation")?;
        let words = words.split(", ").map(str::to_lowercase);
        let words: Vec<String> = words.filter(|word| !EVERYDAY.contains(&word.as_str())).collect();
        if words.is_empty() {
            continue;
        }
        // The first sentences, without the link to the chapter.
        let means = means.split(" See [").next().unwrap_or(means).replace('`', "");
        let _ = writeln!(out, "    {},", json!({ "words": words, "means": plain(&means) }));
    }
    Ok(out + "];\n")
}

/// Text without links.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once("](") {
        out += &before.replace('[', "");
        rest = link.split_once(')').map_or("", |(_, after)| after);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_is_told_without_marks() {
        let script = script(&crate::root()).unwrap();
        assert!(script.contains("\"words\":[\"halo\"]"), "{script}");
        assert!(!script.contains("](") && !script.contains('`') && !script.contains("\"share\""), "{script}");
        assert!(script.lines().count() > 60, "{script}");
    }
}
