//! The difference between the code of two rungs, line by line.

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
pub fn shown(text: &str) -> Vec<&str> {
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

/// The difference as the body of a `diff` block; `None` if the codes are equal or have little in common.
pub fn difference(before: &[&str], after: &[&str]) -> Option<String> {
    let lines = compared(before, after);
    let common =
        lines.iter().filter(|line| matches!(line, Line::Both(text) if !text.trim().is_empty())).count();
    let longest = before.len().max(after.len()).max(1);
    if common == lines.len() || (common as f64) < ALIKE * longest as f64 {
        return None;
    }
    let changed = |at: usize| !matches!(lines[at], Line::Both(_));
    let near = |at: usize| (at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(lines.len())).any(changed);
    let mut out = String::new();
    let mut left_out = false;
    for (at, line) in lines.iter().enumerate() {
        if !near(at) {
            left_out = true;
            continue;
        }
        if left_out && !out.is_empty() {
            out += "  …\n";
        }
        left_out = false;
        let (mark, text) = match line {
            Line::Both(text) => (' ', text),
            Line::Before(text) => ('-', text),
            Line::After(text) => ('+', text),
        };
        out.push(mark);
        out.push_str(text);
        out.push('\n');
    }
    Some(out)
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
        let after = ["a", "b", "c", "d", "e", "x", "g", "h"];
        assert_eq!(difference(&before, &after).unwrap(), " d\n e\n-f\n+x\n g\n h\n");
        assert_eq!(difference(&before, &before), None);
        assert_eq!(difference(&before, &["p", "q", "r"]), None);
    }

    #[test]
    fn code_is_taken_from_the_anchors() {
        let text = "// Rung 1: x.\nint a;\n// ANCHOR: k\nint b;\n// ANCHOR_END: k\nint c;\n";
        assert_eq!(shown(text), ["int b;"]);
        assert_eq!(shown("// Rung 1: x.\nint a;\n"), ["int a;"]);
    }
}
