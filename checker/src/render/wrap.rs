//! Text that fits its columns.

/// Columns of the report.
pub const WIDTH: usize = 100;

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
    let lines = wrap(text, WIDTH.saturating_sub(indent).max(20));
    let mut out = format!("{prefix}{}", lines[0]);
    for line in &lines[1..] {
        out.push('\n');
        out.push_str(&" ".repeat(indent));
        out.push_str(line);
    }
    out
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
    fn lines_break_at_the_width_and_not_before() {
        assert_eq!(wrap("ab cd ef", 5), ["ab cd", "ef"]);
        assert_eq!(wrap("abcdefgh ij", 5), ["abcdefgh", "ij"]);
        assert_eq!(wrap("", 5), [""]);
    }
}
