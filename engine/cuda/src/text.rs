//! Text that a submission has a part in: what it prints, names and messages of its file.

use std::borrow::Cow;

/// The text without characters that a terminal, an editor or a browser would obey: control characters but line ends and
/// tabs, and what changes the direction of text or cannot be seen. Each becomes `�`, so that columns stay.
pub fn clean(text: &str) -> String {
    text.chars().map(|c| if is_harmless(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

/// Characters of a message or a name: a template's name may have a hundred thousand, and so may that of a file in an archive.
pub const MOST: usize = 500;

/// The text, cut after [`MOST`] characters.
pub fn cut(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{} …", text[..end].trim_end()).into(),
        None => text.into(),
    }
}

/// A name or a message for one line of a report: [`clean`], and [`cut`].
pub fn short(text: &str) -> String {
    clean(&cut(text))
}

fn is_harmless(c: char) -> bool {
    match c {
        '\n' | '\t' => true,
        // Marks and overrides of direction, joiners, separators of lines, tags, and the mark of byte order.
        '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' => false,
        other => !other.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_cut_between_characters() {
        let long = "é".repeat(60_000);
        assert_eq!(short(&long), format!("{} …", "é".repeat(MOST)));
        assert_eq!(short(&long[..2 * MOST]), long[..2 * MOST]);
        assert_eq!(short("k\x1b"), "k\u{fffd}");
    }

    #[test]
    fn what_a_terminal_obeys_is_replaced_and_text_stays() {
        assert_eq!(clean("grün \t2 × 3\nЖ 漢 😀"), "grün \t2 × 3\nЖ 漢 😀");
        for hostile in
            ["\x1b[2J", "\u{9b}2J", "\r", "\x08", "\u{202e}", "\u{2066}", "\u{200b}", "\u{e0041}", "\0"]
        {
            let cleaned = clean(hostile);
            assert!(cleaned.starts_with(char::REPLACEMENT_CHARACTER), "{hostile:?}");
            assert_eq!(cleaned.chars().count(), hostile.chars().count(), "columns stay");
        }
    }
}
