//! Markdown for a terminal.

use std::fmt::Write as _;

use colored::Colorize;

use super::include::included;
use judge::wrap::hanging;

/// Columns of a page, and before code.
const COLUMNS: usize = 100;
const INDENT: usize = 4;

/// Columns of a table's text and of code are left as they are; prose is wrapped. A remark stands for a picture without a description.
///
/// Without `unfold`, answers and spoilers are only named, as the HTML has them folded.
pub fn shown(markdown: &str, unfold: bool) -> String {
    let markdown = &super::sides::as_code(markdown);
    let mut out = String::new();
    let mut code = false;
    let mut indent = 0;
    let mut empty = true;
    let mut folded = false;
    let mut rows = Vec::new();
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
        if !code && line.starts_with('|') {
            rows.push(line);
            if markdown.lines().nth(number + 1).is_none_or(|next| !next.starts_with('|')) {
                let _ = writeln!(out, "{}", table(&std::mem::take(&mut rows)));
                empty = false;
            }
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

/// What stands for a picture without a description.
const ONLY_THERE: &str = "[a picture that moves: only the book's page has it]";

/// Columns between those of a table, and the fewest that wrapped text needs.
const GAP: usize = 2;
const FEWEST: usize = 24;

/// A table in columns; text in the last one is wrapped where it is long.
fn table(lines: &[&str]) -> String {
    let is_rule = |line: &&&str| line.chars().all(|letter| "|-: ".contains(letter));
    let right: Vec<bool> = lines
        .iter()
        .find(is_rule)
        .map(|rule| rule.trim_matches('|').split('|').map(|cell| cell.trim().ends_with(':')).collect())
        .unwrap_or_default();
    let cells = |line: &&str| -> Vec<String> {
        line.trim_matches(['|', ' ']).split(" | ").map(|cell| plain(cell.trim())).collect()
    };
    let rows: Vec<Vec<String>> = lines.iter().filter(|line| !is_rule(line)).map(cells).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let wide = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(wide).collect();
    let before: usize = widths.iter().take(columns.saturating_sub(1)).map(|width| width + GAP).sum();
    let wraps = before + FEWEST <= COLUMNS;
    let shown = |row: &Vec<String>| {
        if !wraps {
            return hanging("", &row.join(" | "));
        }
        let mut left = String::new();
        for (column, cell) in row.iter().enumerate().take(columns - 1) {
            let pad = " ".repeat(widths[column] - cell.chars().count());
            let aligned = if right.get(column) == Some(&true) { pad + cell } else { format!("{cell}{pad}") };
            left += &aligned;
            left += &" ".repeat(GAP);
        }
        let last = row.get(columns - 1).map_or("", String::as_str);
        hanging(&left, last).trim_end().to_owned()
    };
    rows.iter().map(shown).collect::<Vec<_>>().join("\n")
}

/// What a folded part is about.
fn summary(line: &str) -> Option<&str> {
    line.strip_prefix("<details><summary>")?.strip_suffix("</summary>")
}

fn prose_line(line: &str) -> Option<String> {
    if included(line).is_some() {
        return Some(hanging("", ONLY_THERE).dimmed().to_string());
    }
    if line.starts_with('<') && !line.starts_with("<details>") {
        return None;
    }
    if let Some(summary) = summary(line) {
        return Some(summary.bold().to_string());
    }
    if let Some(title) = line.strip_prefix('#') {
        return Some(title.trim_start_matches('#').trim().bold().to_string());
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
        let page = "# Title\n\nSee **[the page](a.md#b)** and `x[i](y)`.\n\n```cpp\nint \
                    a;\n```\n\n1. One.\n\n| a | b |\n|---|---|\n";
        assert_eq!(
            shown(page, false),
            "Title\n\nSee the page and `x[i](y)`.\n\n    int a;\n\n1. One.\n\na  b\n"
        );
        let table = "| part | ns | what |\n|---|---:|---|\n| L1 | 9 | **c** |\n| memory | 676 | d |\n";
        assert_eq!(shown(table, false), "part     ns  what\nL1        9  c\nmemory  676  d\n");
    }

    #[test]
    fn spoilers_are_folded_until_they_are_asked_for() {
        colored::control::set_override(false);
        let page = "Before.\n\n<details><summary>Spoiler: the code</summary>\n\n```cpp\nint a;\n```\n\n</details>\n\nAfter.\n";
        assert_eq!(shown(page, false), "Before.\n\n[folded] Spoiler: the code\n\nAfter.\n");
        assert!(shown(page, true).contains("int a;"));
    }
}
