//! Markdown for a terminal.

use std::fmt::Write as _;

use colored::Colorize;

use super::include::included;
use judge::wrap::hanging;

/// Columns of a page, and before code.
const COLUMNS: usize = 100;
const INDENT: usize = 4;

/// Columns of a table's text and of code are left as they are; prose is wrapped. Pictures are left out.
///
/// Without `unfold`, answers and spoilers are only named, as the HTML has them folded.
pub fn shown(markdown: &str, unfold: bool) -> String {
    let markdown = &super::sides::as_code(markdown);
    let mut out = String::new();
    let mut code = false;
    let mut indent = 0;
    let mut empty = true;
    let mut folded = false;
    for (number, line) in markdown.lines().enumerate() {
        if folded {
            folded = line != "</details>";
            continue;
        }
        if let Some(summary) = summary(line).filter(|_| !unfold && !code) {
            folded = true;
            let _ = writeln!(out, "{}", hanging("[folded] ", summary).dimmed());
            empty = false;
            continue;
        }
        if line.starts_with("```") {
            code = !code;
            indent = indent_of(markdown.lines().skip(number + 1));
            continue;
        }
        let text = if code { Some(format!("{:indent$}{line}", "")) } else { prose_line(line) };
        let Some(text) = text else { continue };
        // One empty line is enough where something was left out.
        if !text.is_empty() || !empty {
            let _ = writeln!(out, "{text}");
        }
        empty = text.is_empty();
    }
    format!("{}\n", out.trim_end())
}

/// How far to indent the code that begins here, so that its longest line fits.
fn indent_of<'a>(lines: impl Iterator<Item = &'a str>) -> usize {
    let longest = lines.take_while(|line| !line.starts_with("```")).map(|line| line.chars().count()).max();
    COLUMNS.saturating_sub(longest.unwrap_or(0)).min(INDENT)
}

/// What a folded part is about.
fn summary(line: &str) -> Option<&str> {
    line.strip_prefix("<details><summary>")?.strip_suffix("</summary>")
}

fn prose_line(line: &str) -> Option<String> {
    if included(line).is_some() || line.starts_with('<') && !line.starts_with("<details>") {
        return None;
    }
    if let Some(summary) = summary(line) {
        return Some(summary.bold().to_string());
    }
    if let Some(title) = line.strip_prefix('#') {
        return Some(title.trim_start_matches('#').trim().bold().to_string());
    }
    if line.starts_with('|') {
        let is_rule = line.chars().all(|letter| "|-: ".contains(letter));
        return (!is_rule).then(|| plain(line));
    }
    let (prefix, text) = bullet(line);
    Some(if text.is_empty() { String::new() } else { hanging(prefix, &plain(text)) })
}

/// `- ` or `1. `, and the text after it.
fn bullet(line: &str) -> (&str, &str) {
    let end = line.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(0);
    let width = if line.starts_with("- ") {
        2
    } else if end > 0 && line[end..].starts_with(". ") {
        end + 2
    } else {
        0
    };
    line.split_at(width)
}

/// Text without the marks of links and of emphasis. Code keeps its marks.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for (index, part) in text.split('`').enumerate() {
        if index % 2 == 1 {
            let _ = write!(out, "`{part}`");
            continue;
        }
        let mut rest = part;
        while let Some((before, link)) = rest.split_once("](") {
            out += &before.replace("**", "").replace('[', "");
            rest = link.split_once(')').map_or("", |(_, after)| after);
        }
        out += &rest.replace("**", "").replace('[', "");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_markdown_are_gone_and_code_is_kept() {
        colored::control::set_override(false);
        let page = "# Title\n\nSee **[the page](a.md#b)** and `x[i](y)`.\n\n{{#include a.svg}}\n\n```cpp\nint \
                    a;\n```\n\n1. One.\n\n| a | b |\n|---|---|\n";
        assert_eq!(
            shown(page, false),
            "Title\n\nSee the page and `x[i](y)`.\n\n    int a;\n\n1. One.\n\n| a | b |\n"
        );
    }

    #[test]
    fn spoilers_are_folded_until_they_are_asked_for() {
        colored::control::set_override(false);
        let page = "Before.\n\n<details><summary>Spoiler: the code</summary>\n\n```cpp\nint a;\n```\n\n</details>\n\nAfter.\n";
        assert_eq!(shown(page, false), "Before.\n\n[folded] Spoiler: the code\n\nAfter.\n");
        assert!(shown(page, true).contains("int a;"));
    }
}
