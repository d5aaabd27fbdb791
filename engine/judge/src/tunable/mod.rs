//! The constants of a file, and the ones that it marks as tunable:
//! `constexpr int block_size = 256;  // tune: 64 128 256 512`.

mod reach;
mod swept;

pub use reach::{Reach, of_task, one_by_one, reached};
pub use swept::{mark, marked, unswept};

/// A `constexpr` that has its own line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its value in the file.
    pub value: String,
    /// The place of the value, in bytes from the start of the file.
    pub place: std::ops::Range<usize>,
    /// Its line, from 1.
    pub line: usize,
    /// The values to try; empty if it is not tunable.
    pub candidates: Vec<String>,
}

/// The share of the time that another setting has to save to be better than the file's: less is within what a prediction or a measurement
/// can tell.
pub const CLEARLY: f64 = 0.01;

/// The mark after a tunable constant.
const MARK: &str = "// tune:";

/// All constants of a file, in order. The error is for a student: a mark without values, or not after a constant.
pub fn find(text: &str) -> Result<Vec<Constant>, String> {
    let mut constants = Vec::new();
    let mut start = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let (code, mark) = line.split_once(MARK).map_or((line, None), |(code, mark)| (code, Some(mark)));
        let constant = parsed(code, start, index + 1);
        match (constant, mark) {
            (None, Some(_)) => {
                return Err(format!(
                    "line {} has `{MARK}` after something that is not `constexpr int name = value;`",
                    index + 1
                ));
            }
            (Some(constant), None) => constants.push(constant),
            (Some(constant), Some(mark)) => {
                let candidates: Vec<String> = mark.split_whitespace().map(str::to_owned).collect();
                if candidates.is_empty() {
                    return Err(format!("line {}: `{MARK}` has no values", index + 1));
                }
                for value in &candidates {
                    check_value(value).map_err(|error| format!("line {}: {error}", index + 1))?;
                }
                constants.push(Constant { candidates, ..constant });
            }
            (None, None) => {}
        }
        start += line.len();
    }
    Ok(constants)
}

/// Checks a value: an expression without spaces, which replaces text of the file.
pub fn check_value(value: &str) -> Result<(), String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_+-*/%()<>.'".contains(c);
    if value.is_empty() || value.len() > 64 || !value.chars().all(allowed) || value.contains("//") {
        return Err(format!(
            "`{value}` is not a value for a constant: use numbers, names, + - * / % ( ) and no spaces"
        ));
    }
    Ok(())
}

/// The file with these values instead of its own.
pub fn replaced(text: &str, values: &[(&Constant, &str)]) -> String {
    let mut sorted = values.to_vec();
    sorted.sort_by_key(|(constant, _)| constant.place.start);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (constant, value) in sorted {
        out.push_str(&text[done..constant.place.start]);
        out.push_str(value);
        done = constant.place.end;
    }
    out + &text[done..]
}

/// Parses `constexpr TYPE NAME = VALUE;`; the line starts `start` bytes into the file.
fn parsed(code: &str, start: usize, line: usize) -> Option<Constant> {
    let trimmed = code.trim_start();
    let words = trimmed.strip_prefix("static ").unwrap_or(trimmed);
    if !words.starts_with("constexpr ") {
        return None;
    }
    let (left, right) = code.split_once('=')?;
    let (value, _) = right.split_once(';')?;
    let name = left.split_whitespace().last()?;
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name || left.split_whitespace().count() < 3 || value.contains(',') {
        return None;
    }
    let lead = value.len() - value.trim_start().len();
    let from = start + left.len() + 1 + lead;
    let value = value.trim();
    Some(Constant {
        name: name.to_owned(),
        value: value.to_owned(),
        place: from..from + value.len(),
        line,
        candidates: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    const FILE: &str = "constexpr int a = 60 * 45;  // tune: 60*45 132\nint b;\n  constexpr int c = 4;\n";

    #[test]
    fn constants_are_found_and_replaced_in_place() {
        let found = find(FILE).expect("a good file");
        let names: Vec<_> = found.iter().map(|c| (c.name.as_str(), c.value.as_str(), c.line)).collect();
        assert_eq!(names, [("a", "60 * 45", 1), ("c", "4", 3)]);
        assert_eq!(found[0].candidates, ["60*45", "132"]);
        let text = replaced(FILE, &[(&found[1], "16"), (&found[0], "132")]);
        assert_eq!(text, "constexpr int a = 132;  // tune: 60*45 132\nint b;\n  constexpr int c = 16;\n");
    }

    #[test]
    fn marks_that_mean_nothing_are_refused() {
        assert!(find("int a = 3;  // tune: 1 2\n").is_err_and(|e| e.contains("line 1")));
        assert!(find("constexpr int a = 3;  // tune:\n").is_err_and(|e| e.contains("has no values")));
        assert!(find("\nconstexpr int a = 3;  // tune: 1;system\n").is_err_and(|e| e.contains("line 2")));
    }
}
