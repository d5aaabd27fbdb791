//! Markdown for a terminal.

use std::fmt::Write as _;

use colored::Colorize;

use crate::render::hanging;

/// Columns of a table's text and of code are left as they are; prose is wrapped. Pictures are left out, and code that a page
/// includes is named.
pub fn shown(markdown: &str) -> String {
    let mut out = String::new();
    let mut code = false;
    let mut empty = true;
    for line in super::sides::as_code(markdown).lines() {
        if line.starts_with("```") {
            code = !code;
            continue;
        }
        let text = if code { Some(code_line(line)) } else { prose_line(line) };
        let Some(text) = text else { continue };
        // One empty line is enough where something was left out.
        if !text.is_empty() || !empty {
            let _ = writeln!(out, "{text}");
        }
        empty = text.is_empty();
    }
    format!("{}\n", out.trim_end())
}

fn code_line(line: &str) -> String {
    match included(line) {
        Some(file) => format!("    ({file})"),
        None => format!("    {line}"),
    }
}

fn prose_line(line: &str) -> Option<String> {
    if included(line).is_some() || line.starts_with('<') && !line.starts_with("<details>") {
        return None;
    }
    if let Some(summary) = line.strip_prefix("<details><summary>") {
        return Some(summary.trim_end_matches("</summary>").bold().to_string());
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

/// The file that a line includes.
fn included(line: &str) -> Option<&str> {
    let path = line.trim().strip_prefix("{{#include ")?.strip_suffix("}}")?;
    Some(path.trim_start_matches("../"))
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
        let page = "# Title\n\nSee **[the page](a.md#b)** and `x[i](y)`.\n\n{{#include a.svg}}\n\n```cpp\n{{#include \
                    ../../examples/atomics.cu:grid}}\nint a;\n```\n\n1. One.\n\n| a | b |\n|---|---|\n";
        assert_eq!(
            shown(page),
            "Title\n\nSee the page and `x[i](y)`.\n\n    (examples/atomics.cu:grid)\n    int a;\n\n1. One.\n\n| a | b |\n"
        );
    }
}
