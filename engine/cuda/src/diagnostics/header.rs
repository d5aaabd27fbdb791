//! The first line of a message: which tool, where, how bad.

use super::Severity;

/// The parts of a first line.
pub(super) struct Header<'a> {
    pub severity: Severity,
    pub code: Option<&'a str>,
    pub file: &'a str,
    pub line: u32,
    /// The front end found the error only at the end of the file.
    pub at_end: bool,
    /// `ptxas`, `nvrtc` …; empty for the front end.
    tool: &'a str,
    /// Where in the generated PTX a tool found the error.
    ptx_line: Option<&'a str>,
    text: &'a str,
}

impl Header<'_> {
    pub(super) fn message(&self) -> String {
        let at_end = if self.at_end { "at the end of the file: " } else { "" };
        let separator = if self.tool.is_empty() { "" } else { ": " };
        let ptx =
            self.ptx_line.map(|line| format!(" (line {line} of the generated PTX)")).unwrap_or_default();
        format!("{at_end}{}{separator}{}{ptx}", self.tool, self.text)
    }

    /// ptxas ends with a line that repeats that there were errors.
    pub(super) fn is_summary(&self) -> bool {
        self.tool == "ptxas" && self.text == "Ptx assembly aborted due to errors"
    }
}

/// Reads a line that begins a message. `None` for empty lines, counts and advice about options.
pub(super) fn read(line: &str) -> Option<Header<'_>> {
    let trimmed = line.trim();
    if trimmed.is_empty() || is_noise(trimmed) {
        return None;
    }
    Some(placed(line).or_else(|| at_end(line)).or_else(|| of_tool(line)).unwrap_or_else(|| bare(trimmed)))
}

fn is_noise(line: &str) -> bool {
    let counts = line.starts_with(|c: char| c.is_ascii_digit()) || line.starts_with("and ");
    (counts && line.contains(" detected in the compilation of "))
        || line == "Compilation terminated."
        || line.starts_with("Remark: The warnings can be suppressed with ")
}

/// `file(line): error #20-D: message`; the name of the file may hold parentheses and colons.
fn placed(line: &str) -> Option<Header<'_>> {
    if line.starts_with([' ', '\t']) {
        return None;
    }
    line.match_indices("): ").find_map(|(at, separator)| {
        let open = line[..at].rfind('(')?;
        let number: u32 = line[open + 1..at].parse().ok()?;
        let (severity, code, text) = graded(&line[at + separator.len()..])?;
        Some(Header { file: &line[..open], line: number, ..plain(severity, code, text) })
    })
}

fn at_end(line: &str) -> Option<Header<'_>> {
    let (severity, code, text) = graded(line.strip_prefix("At end of source: ")?)?;
    Some(Header { at_end: true, ..plain(severity, code, text) })
}

/// `ptxas error   : message`, `ptxas application ptx input, line 30; error   : message`, `nvrtc: error: …`.
fn of_tool(line: &str) -> Option<Header<'_>> {
    let (tool, rest) = line.split_once(' ')?;
    let tool = tool.trim_end_matches(':');
    if !matches!(tool, "ptxas" | "nvlink" | "nvrtc" | "nvvm" | "libnvvm" | "nvJitLink") {
        return None;
    }
    let place = rest.split_once("; ").and_then(|(place, rest)| Some((place.rsplit_once("line ")?.1, rest)));
    let (ptx_line, rest) = place.map_or((None, rest), |(ptx_line, rest)| (Some(ptx_line), rest));
    let (severity, code, text) = graded(rest)?;
    Some(Header { tool, ptx_line, ..plain(severity, code, text) })
}

/// Any other line, unchanged.
fn bare(line: &str) -> Header<'_> {
    match graded(line) {
        Some((severity, code, text)) => plain(severity, code, text),
        None => plain(Severity::Remark, None, line),
    }
}

fn plain<'a>(severity: Severity, code: Option<&'a str>, text: &'a str) -> Header<'a> {
    Header { severity, code, file: "", line: 0, at_end: false, tool: "", ptx_line: None, text }
}

/// Severity, code and message of `error #20-D: message`.
fn graded(text: &str) -> Option<(Severity, Option<&str>, &str)> {
    const WORDS: [(&str, Severity); 11] = [
        ("catastrophic error", Severity::Error),
        ("internal error", Severity::Error),
        ("command-line error", Severity::Error),
        ("error", Severity::Error),
        ("fatal", Severity::Error),
        ("warning", Severity::Warning),
        ("remark", Severity::Remark),
        ("Remark", Severity::Remark),
        ("note", Severity::Remark),
        ("info", Severity::Remark),
        ("Error", Severity::Error),
    ];
    let text = text.trim_start();
    let (rest, severity) = WORDS.iter().find_map(|&(word, grade)| Some((text.strip_prefix(word)?, grade)))?;
    let (before, message) = rest.split_once(':')?;
    let code = match before.trim() {
        "" => None,
        code if code.starts_with('#') && !code.contains(' ') => Some(code),
        _ => return None,
    };
    // A student passes no folders to search, so the list is always empty.
    let message = message.trim().trim_end_matches(" (no directories in search list)");
    Some((severity, code, message))
}
