//! Lines of the student's file with the relevant places underlined.

use cuda::text::clean;
use judge::wrap::{shortened, wrap};

/// A place to underline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark<'a> {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1; 0 underlines the whole line.
    pub column: u32,
    /// The text beside the underline.
    pub text: &'a str,
    /// Whether this is the place of the finding; else another line that is involved.
    pub primary: bool,
}

/// A tab, as shown.
const TAB: &str = "    ";

/// The marked lines of `source`, in order, each with its underlines; gaps as `...`. `width` bounds every line.
/// Marks outside the source are left out.
pub fn snippet(source: &str, marks: &[Mark<'_>], width: usize) -> Vec<String> {
    let lines: Vec<&str> = source.lines().collect();
    let mut marks: Vec<Mark<'_>> =
        marks.iter().copied().filter(|mark| mark.line >= 1 && (mark.line as usize) <= lines.len()).collect();
    marks.sort_by_key(|mark| (mark.line, mark.column, !mark.primary));
    let gutter = marks.last().map_or(1, |mark| mark.line.to_string().len());
    let mut out = Vec::new();
    let mut shown = 0;
    for mark in marks {
        let line = mark.line as usize;
        let window = Window::new(lines[line - 1], mark.column, width.saturating_sub(gutter + 3));
        if line != shown {
            if shown > 0 && line > shown + 1 {
                out.push(format!("{:gutter$}...", ""));
            }
            out.push(format!("{line:gutter$} | {}", window.text));
            shown = line;
        }
        let symbol = if mark.primary { "^" } else { "-" };
        let underline = format!("{}{}", " ".repeat(window.start), symbol.repeat(window.length));
        let room = width.saturating_sub(gutter + 3);
        out.extend(
            labelled(&underline, window.start, mark.text, room)
                .iter()
                .map(|line| format!("{:gutter$} | {line}", "")),
        );
    }
    out
}

/// An underline with its text beside it, or below where it has no room beside it.
fn labelled(underline: &str, start: usize, text: &str, room: usize) -> Vec<String> {
    let (length, label) = (underline.chars().count(), text.chars().count());
    if label == 0 || length + 1 + label <= room {
        return vec![format!("{underline} {text}").trim_end().to_owned()];
    }
    let indent = start.min(room.saturating_sub(label)).min(room / 2);
    let below = wrap(text, room.saturating_sub(indent)).into_iter();
    let below = below.map(|line| format!("{}{}", " ".repeat(indent), shortened(&line, room)));
    std::iter::once(shortened(underline, room)).chain(below).collect()
}

/// The part of a line that is shown, and where in it the underline goes.
struct Window {
    text: String,
    start: usize,
    length: usize,
}

impl Window {
    fn new(line: &str, column: u32, width: usize) -> Self {
        let raw: Vec<char> = line.trim_end().chars().collect();
        let (from, to) = extent(&raw, column);
        let expand = |part: &[char]| -> String {
            let printable = |c: &char| if *c == '\t' { TAB.to_owned() } else { clean(&c.to_string()) };
            part.iter().map(printable).collect()
        };
        let start = expand(&raw[..from]).chars().count();
        let length = expand(&raw[from..to]).chars().count().max(1);
        let all: Vec<char> = expand(&raw).chars().collect();
        if all.len() <= width {
            return Self { text: all.into_iter().collect(), start, length };
        }
        // Too long: the part around the underline.
        let skip =
            if start + length <= width.saturating_sub(1) { 0 } else { start.saturating_sub(width / 4) };
        let mut text: String = all.iter().skip(skip).take(width.saturating_sub(1)).collect();
        if skip > 0 {
            text = std::iter::once('…').chain(text.chars().skip(1)).collect();
        }
        if skip + width.saturating_sub(1) < all.len() {
            text.push('…');
        }
        let start = start - skip;
        Self { text, start, length: length.min(width.saturating_sub(start)).max(1) }
    }
}

/// Words with which statements begin.
const HEADS: [&str; 16] = [
    "const",
    "constexpr",
    "auto",
    "return",
    "int",
    "unsigned",
    "float",
    "double",
    "bool",
    "char",
    "size_t",
    "int8_t",
    "uint8_t",
    "uint16_t",
    "int32_t",
    "uint32_t",
];

/// The range to underline: a name at the column and the brackets after it, a number to the end of its statement, or a
/// single character; the whole line if no column is known.
fn extent(line: &[char], column: u32) -> (usize, usize) {
    let first = line.iter().position(|c| !c.is_whitespace()).unwrap_or(0);
    let from = (column as usize).wrapping_sub(1);
    if column == 0 || from >= line.len() {
        return (first.min(line.len()), line.len());
    }
    let is_name = |c: &char| c.is_alphanumeric() || *c == '_';
    let mut to = from + line[from..].iter().take_while(|c| is_name(c)).count();
    let word: String = line[from..to].iter().collect();
    // The place of a whole statement says nothing of where in it something happened.
    if to == from || from == first && HEADS.contains(&word.as_str()) {
        return (from, from + 1);
    }
    if line[from].is_ascii_digit() {
        // An expression begins here, and the place is somewhere in it.
        let end = line[from..].iter().position(|c| matches!(c, ';' | '{')).map_or(line.len(), |at| from + at);
        return (from, end.max(from + 1));
    }
    while let Some(closing) = line.get(to).and_then(|open| closing(*open)) {
        let Some(end) = matching(&line[to..], line[to], closing) else { break };
        to += end + 1;
    }
    (from, to)
}

fn closing(open: char) -> Option<char> {
    match open {
        '[' => Some(']'),
        '(' => Some(')'),
        _ => None,
    }
}

fn matching(text: &[char], open: char, close: char) -> Option<usize> {
    let mut depth = 0;
    text.iter().position(|c| {
        depth += i32::from(*c == open) - i32::from(*c == close);
        depth == 0
    })
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn mark(line: u32, column: u32, text: &str, primary: bool) -> Mark<'_> {
        Mark { line, column, text, primary }
    }

    #[test]
    fn a_name_is_underlined_with_its_brackets_and_other_parties_are_named() {
        let source = "int i;\n\tgray[f(i)] = 1;\n\n\n  done();\n";
        let marks = [mark(5, 0, "the other", false), mark(2, 2, "", true)];
        let expected = [
            "2 |     gray[f(i)] = 1;",
            "  |     ^^^^^^^^^^",
            " ...",
            "5 |   done();",
            "  |   ------- the other",
        ];
        assert_eq!(snippet(source, &marks, 40), expected);
    }

    #[test]
    fn the_head_of_a_statement_is_marked_by_one_character() {
        let shown = snippet("    const int a = gray[i], b = gray[i + 1];", &[mark(1, 5, "", true)], 60);
        assert_eq!(shown[1], "  |     ^");
    }

    #[test]
    fn a_text_without_room_beside_its_underline_stands_below_it() {
        let shown = snippet(
            "    total = total + count[v];",
            &[mark(1, 0, "read here, and nothing has written it", true)],
            44,
        );
        let expected = [
            "1 |     total = total + count[v];",
            "  |     ^^^^^^^^^^^^^^^^^^^^^^^^^",
            "  |    read here, and nothing has written it",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let source = format!("{}here{}", "a ".repeat(60), " b".repeat(60));
        let shown = snippet(&source, &[mark(1, 121, "", true)], 50);
        assert!(shown.iter().all(|line| line.chars().count() <= 50), "{shown:?}");
        let at = shown[1].find('^').expect("an underline");
        let under: String = shown[0].chars().skip(at).take(4).collect();
        assert_eq!(under, "here");
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let shown = snippet("a\u{1b}[31m", &[mark(1, 1, "", true)], 50);
        assert!(!shown[0].contains('\u{1b}'));
    }
}
