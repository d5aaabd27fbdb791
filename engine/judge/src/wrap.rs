//! Text that fits its columns.

use std::io::IsTerminal as _;
use std::sync::OnceLock;

/// Columns of the report, and the fewest: a narrower terminal breaks the lines.
const WIDTHS: [usize; 2] = [80, 100];

/// Columns of the report: those of the terminal, within [`WIDTHS`]; the most if it goes elsewhere.
pub fn width() -> usize {
    static WIDTH: OnceLock<usize> = OnceLock::new();
    let [fewest, most] = WIDTHS;
    *WIDTH.get_or_init(|| {
        let size = std::io::stdout().is_terminal().then(|| console::Term::stdout().size_checked());
        size.flatten().map_or(most, |(_, columns)| usize::from(columns).clamp(fewest, most))
    })
}

/// Breaks text at spaces into lines of at most `width` characters; a longer word has its own line.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last().map_or(0, |line| line.chars().count());
        if line > 0 && line + 1 + word.chars().count() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

/// A prefix, and text whose further lines start below its first word.
pub fn hanging(prefix: &str, text: &str) -> String {
    let indent = prefix.chars().count();
    let lines = wrap(text, width().saturating_sub(indent).max(20));
    let mut out = format!("{prefix}{}", lines[0]);
    for line in &lines[1..] {
        out.push('\n');
        out.push_str(&" ".repeat(indent));
        out.push_str(line);
    }
    out
}

/// The same, cut between two words.
pub fn shortened_to_words(text: &str, width: usize) -> String {
    let cut = shortened(text, width);
    let Some(kept) = cut.strip_suffix('…').filter(|_| cut != text) else { return cut };
    let is_whole = text[kept.len()..].starts_with(' ');
    match kept.rsplit_once(' ').filter(|_| !is_whole) {
        Some((words, _)) => format!("{} …", words.trim_end()),
        None => cut,
    }
}

/// At most `width` characters; a cut is shown as `…`.
pub fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_between_words_leaves_whole_words() {
        let cut = [7, 8, 10, 12, 13].map(|width| shortened_to_words("one two three", width));
        assert_eq!(cut, ["one …", "one two…", "one two …", "one two …", "one two three"]);
    }

    #[test]
    fn lines_break_at_the_width_and_not_before() {
        assert_eq!(wrap("ab cd ef", 5), ["ab cd", "ef"]);
        assert_eq!(wrap("abcdefgh ij", 5), ["abcdefgh", "ij"]);
        assert_eq!(wrap("", 5), [""]);
    }
}
