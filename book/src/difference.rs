//! The difference between the code of two rungs, side by side.

use std::fmt::Write as _;

/// Lines around a change that are shown.
const CONTEXT: usize = 2;
/// Share of the lines that two codes must have in common to be worth a comparison.
const ALIKE: f64 = 0.35;

/// A line of one or both codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line<'a> {
    Both(&'a str),
    Before(&'a str),
    After(&'a str),
}

/// The code that a file shows in the book: between its anchors, or all of it behind its header.
fn shown(text: &str) -> Vec<&str> {
    let anchored = text.contains("// ANCHOR: ");
    let mut inside = !anchored;
    let mut lines = Vec::new();
    for line in text.lines().skip_while(|line| line.starts_with("//")) {
        match line.trim() {
            mark if mark.starts_with("// ANCHOR: ") => inside = true,
            mark if mark.starts_with("// ANCHOR_END: ") => inside = false,
            _ if inside => lines.push(line),
            _ => {}
        }
    }
    lines
}

/// Lines that follow each other, and are in both codes or not.
#[derive(Debug, PartialEq, Eq)]
enum Piece<'a> {
    /// In both.
    Same(Vec<&'a str>),
    /// In the code before; in the code after.
    Changed(Vec<&'a str>, Vec<&'a str>),
    /// In both, far from any change.
    LeftOut,
}

/// The pieces of two codes; `None` if they are equal or have little in common.
fn difference<'a>(before: &[&'a str], after: &[&'a str]) -> Option<Vec<Piece<'a>>> {
    let lines = compared(before, after);
    let common =
        lines.iter().filter(|line| matches!(line, Line::Both(text) if !text.trim().is_empty())).count();
    let longest = before.len().max(after.len()).max(1);
    if common == lines.len() || (common as f64) < ALIKE * longest as f64 {
        return None;
    }
    let changed = |at: usize| !matches!(lines[at], Line::Both(_));
    let near = |at: usize| (at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(lines.len())).any(changed);
    let mut pieces = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let last = pieces.last_mut();
        match (*line, last) {
            (Line::Both(_), Some(Piece::LeftOut)) if !near(at) => {}
            (Line::Both(_), _) if !near(at) => pieces.push(Piece::LeftOut),
            (Line::Both(text), Some(Piece::Same(texts)))
            | (Line::Before(text), Some(Piece::Changed(texts, _)))
            | (Line::After(text), Some(Piece::Changed(_, texts))) => texts.push(text),
            (Line::Both(text), _) => pieces.push(Piece::Same(vec![text])),
            (Line::Before(text), _) => pieces.push(Piece::Changed(vec![text], Vec::new())),
            (Line::After(text), _) => pieces.push(Piece::Changed(Vec::new(), vec![text])),
        }
    }
    // What is left out at an end needs no sign.
    if pieces.last() == Some(&Piece::LeftOut) {
        pieces.pop();
    }
    Some(pieces)
}

/// What two files, by their names and texts, show side by side; `None` if that is worth nothing.
pub fn sides(before: (&str, &str), after: (&str, &str)) -> Option<String> {
    let (old, new) = (shown(before.1), shown(after.1));
    Some(side_by_side([before.0, after.0], &difference(&old, &new)?))
}

/// HTML of two columns, which a narrow screen shows one below the other. Signs mark the lines, so that nobody needs to see
/// colours.
fn side_by_side(titles: [&str; 2], pieces: &[Piece<'_>]) -> String {
    let mut out = "<div class=\"sides\">\n".to_owned();
    for title in titles {
        let _ = writeln!(out, "<p>{}</p>", escaped(title));
    }
    let mut cell = |class: &str, mark: &str, lines: &[&str]| {
        let lines: Vec<String> = lines.iter().map(|line| format!("{mark} {}", escaped(line))).collect();
        // An empty line would end the HTML in a page.
        let _ = writeln!(out, "<pre class=\"{class}\">{}</pre>", lines.join("\n"));
    };
    for piece in pieces {
        match piece {
            Piece::Same(lines) => {
                cell("same", "&nbsp;", lines);
                cell("same again", "&nbsp;", lines);
            }
            Piece::Changed(before, after) => {
                cell("before", "−", before);
                cell("after", "+", after);
            }
            Piece::LeftOut => {
                cell("same", "…", &[""]);
                cell("same again", "…", &[""]);
            }
        }
    }
    out + "</div>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// All lines, by the longest common subsequence.
fn compared<'a>(before: &[&'a str], after: &[&'a str]) -> Vec<Line<'a>> {
    // lengths[i][j]: of the longest common subsequence of before[i..] and after[j..].
    let mut lengths = vec![vec![0_u32; after.len() + 1]; before.len() + 1];
    for i in (0..before.len()).rev() {
        for j in (0..after.len()).rev() {
            lengths[i][j] = if before[i] == after[j] {
                lengths[i + 1][j + 1] + 1
            } else {
                lengths[i + 1][j].max(lengths[i][j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    while i < before.len() || j < after.len() {
        if i < before.len() && j < after.len() && before[i] == after[j] {
            lines.push(Line::Both(before[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == after.len() || i < before.len() && lengths[i + 1][j] >= lengths[i][j + 1] {
            lines.push(Line::Before(before[i]));
            i += 1;
        } else {
            lines.push(Line::After(after[j]));
            j += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn changed_lines_stand_between_some_that_are_not() {
        let before = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let after = ["a", "b", "c", "d", "x", "y", "g", "h"];
        let pieces = difference(&before, &after).unwrap();
        assert_eq!(
            pieces,
            [
                Piece::LeftOut,
                Piece::Same(vec!["c", "d"]),
                Piece::Changed(vec!["e", "f"], vec!["x", "y"]),
                Piece::Same(vec!["g", "h"]),
            ]
        );
        let near_the_start = difference(&["x", "b", "c", "d"], &["a", "b", "c", "d"]).unwrap();
        assert_eq!(near_the_start, [Piece::Changed(vec!["x"], vec!["a"]), Piece::Same(vec!["b", "c"])]);
        assert_eq!(difference(&before, &before), None);
        assert_eq!(difference(&before, &["p", "q", "r"]), None);
    }

    #[test]
    fn signs_mark_the_lines_of_both_sides() {
        let pieces = [Piece::Same(vec!["", "k<<<1, 2>>>();"]), Piece::Changed(vec!["a && b"], vec![])];
        let text = side_by_side(["01_a.cu", "02_b.cu"], &pieces);
        assert!(text.starts_with("<div class=\"sides\">\n<p>01_a.cu</p>\n<p>02_b.cu</p>\n"), "{text}");
        assert!(
            text.contains("<pre class=\"before\">− a &amp;&amp; b</pre>\n<pre class=\"after\"></pre>\n"),
            "{text}"
        );
        assert!(text.contains("k&lt;&lt;&lt;1, 2&gt;&gt;&gt;();") && !text.contains("\n\n"), "{text}");
    }

    #[test]
    fn code_is_taken_from_the_anchors() {
        let text = "// Rung 1: x.\nint a;\n// ANCHOR: k\nint b;\n// ANCHOR_END: k\nint c;\n";
        assert_eq!(shown(text), ["int b;"]);
        assert_eq!(shown("// Rung 1: x.\nint a;\n"), ["int a;"]);
    }
}
