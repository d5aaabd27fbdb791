//! Small pieces of Markdown.

use std::fmt::Write as _;

/// Where a column's cells stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A table of these columns.
pub fn table(columns: &[(&str, Align)], rows: &[Vec<String>]) -> String {
    let mut out = String::new();
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    out += &line(columns.iter().map(|(title, _)| *title).collect());
    out +=
        &line(columns.iter().map(|(_, align)| if *align == Align::Right { "---:" } else { "---" }).collect());
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        out += &line(cells.iter().map(String::as_str).collect());
    }
    out
}

/// Prose from a source comment: characters that are markup in Markdown or HTML, outside of back-ticks, as
/// itself.
pub fn prose(text: &str) -> String {
    let mut out = String::new();
    for (index, part) in text.split('`').enumerate() {
        if index % 2 == 1 {
            let _ = write!(out, "`{part}`");
            continue;
        }
        for letter in part.chars() {
            match letter {
                '<' => out += "&lt;",
                '*' | '_' | '[' | ']' => out.extend(['\\', letter]),
                _ => out.push(letter),
            }
        }
    }
    out
}

/// `03_four_pixels` as `four pixels`, with a capital.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn markup_is_kept_as_text_and_code_as_code() {
        assert_eq!(prose("5 * 3 < `a * b[i]` [x]"), "5 \\* 3 &lt; `a * b[i]` \\[x\\]");
    }

    #[test]
    fn a_bar_in_a_cell_does_not_end_it() {
        let made = table(&[("a", Align::Left), ("b", Align::Right)], &[vec!["x|y".into(), "1".into()]]);
        assert_eq!(made, "| a | b |\n| --- | ---: |\n| x\\|y | 1 |\n");
    }
}
