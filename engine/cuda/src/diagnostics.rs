//! Parses the compiler's log.
//!
//! Several tools write to one log: the C++ front end (position, message, the quoted line, a caret, context), and
//! NVRTC itself and ptxas (one line each, without a position in the student's file). Left out on purpose: the
//! compiler's counts ("2 errors detected …") and its advice about command-line options, which a student does not
//! pass.

mod header;

use std::collections::{HashMap, HashSet};

use header::Header;
use serde::{Deserialize, Serialize};

use crate::text::clean;

/// Bytes of a log that are read. A file with 0.4 MB of bad tokens makes a log of 40 MB.
pub const LOG_LIMIT: usize = 256 * 1024;
/// Errors that are kept, and so many warnings and remarks: nobody reads more, and each costs whoever explains it a look through the
/// whole file.
pub const MOST: usize = 100;

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Severity {
    /// A remark, or a note about the diagnostic before it.
    Remark,
    /// The file compiles, but the code may not do what it seems to.
    Warning,
    /// The file does not compile.
    Error,
}

/// One message of the compiler.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The compiler's number, such as `#550-D`, if it gave one.
    pub code: Option<String>,
    /// The message in one line; the instantiations that led to it follow in parentheses.
    pub message: String,
    /// The file as the compiler names it; empty if it names none.
    pub file: String,
    /// Line from 1; 0 if none.
    pub line: u32,
    /// Column from 1 of the caret, in characters (a tab is one); 0 if none.
    pub column: u32,
    /// The source line, if the compiler quotes it.
    pub source: Option<String>,
}

/// Parses a log of NVRTC. An unknown line becomes a diagnostic without a position, so that no message is lost; a
/// message that comes twice is kept once, and of each severity the first [`MOST`]. The log is cut after [`LOG_LIMIT`] bytes, and the
/// last diagnostic says so.
pub fn parse(log: &str) -> Vec<Diagnostic> {
    parse_start(log, log.len())
}

/// The same for the start of a log of `whole` bytes.
pub(crate) fn parse_start(log: &str, whole: usize) -> Vec<Diagnostic> {
    let kept = capped(log, whole);
    let lines: Vec<&str> = kept.lines().collect();
    let mut list: Vec<Diagnostic> = Vec::new();
    let mut seen = HashSet::new();
    let mut kept_of: HashMap<Severity, usize> = HashMap::new();
    let mut at = 0;
    while at < lines.len() {
        let header = header::read(lines[at]);
        at += 1;
        let body_start = at;
        if header.as_ref().is_some_and(|header| header.line > 0 || header.at_end) {
            // The front end indents every line of a message but the first, and ends it with an empty line.
            while at < lines.len() && lines[at].starts_with([' ', '\t']) {
                at += 1;
            }
        }
        let Some(header) = header else { continue };
        if header.is_summary() && list.iter().any(|found| found.severity == Severity::Error) {
            continue;
        }
        let number = kept_of.entry(header.severity).or_default();
        if *number >= MOST {
            continue;
        }
        let diagnostic = assemble(&header, &lines[body_start..at]);
        if seen.insert(diagnostic.clone()) {
            *number += 1;
            list.push(diagnostic);
        }
    }
    if kept.len() < whole {
        list.push(cut_note(whole));
    }
    list
}

/// A diagnostic without a position.
pub(crate) fn unplaced(severity: Severity, message: String) -> Diagnostic {
    Diagnostic { severity, code: None, message, file: String::new(), line: 0, column: 0, source: None }
}

fn cut_note(bytes: usize) -> Diagnostic {
    let message = format!(
        "the compiler's messages are cut here ({} of {} KiB shown); fix the first ones and compile again",
        LOG_LIMIT / 1024,
        bytes / 1024
    );
    unplaced(Severity::Remark, message)
}

/// The log up to the limit, ending with a whole line.
fn capped(log: &str, whole: usize) -> &str {
    if whole <= LOG_LIMIT {
        return log;
    }
    let boundary = (0..=LOG_LIMIT.min(log.len())).rev().find(|&at| log.is_char_boundary(at)).unwrap_or(0);
    let start = &log[..boundary];
    start.rfind('\n').map_or(start, |end| &start[..end])
}

/// Joins a header line with the indented lines below it: the rest of the message, the quoted line, the caret
/// and the context.
fn assemble(header: &Header<'_>, body: &[&str]) -> Diagnostic {
    let caret = body.iter().rposition(|line| is_caret(line)).filter(|&at| at > 0);
    let (more, context) = match caret {
        Some(at) => (&body[..at - 1], &body[at + 1..]),
        None => (body, &body[body.len()..]),
    };
    let mut message = header.message();
    for line in more.iter().map(|line| line.trim()).filter(|line| !line.is_empty()) {
        message.push_str("; ");
        message.push_str(line);
    }
    let context = joined_context(context);
    if !context.is_empty() {
        message = format!("{message} ({context})");
    }
    Diagnostic {
        severity: header.severity,
        code: header.code.map(str::to_owned),
        message: clean(&message),
        file: clean(header.file),
        line: header.line,
        column: caret.map_or(0, |at| column(unindented(body[at - 1]), unindented(body[at]))),
        source: caret.map(|at| clean(unindented(body[at - 1]))),
    }
}

/// "detected during: instantiation of A at line 2, instantiation of B at line 4".
fn joined_context(lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()) {
        if !text.is_empty() {
            text.push_str(if text.ends_with(':') { " " } else { ", " });
        }
        text.push_str(line);
    }
    text
}

fn is_caret(line: &str) -> bool {
    line.contains('^') && line.chars().all(|c| matches!(c, ' ' | '\t' | '^' | '~'))
}

/// The compiler puts two spaces before a quoted line.
fn unindented(line: &str) -> &str {
    line.strip_prefix("  ").unwrap_or(line)
}

/// The caret's line repeats the tabs of the quoted line and has one space for each other byte, so the caret's
/// offset is a byte offset into the quoted line.
fn column(source: &str, caret: &str) -> u32 {
    let offset = caret.find('^').unwrap_or(0);
    let whole = source.char_indices().take_while(|(at, c)| at + c.len_utf8() <= offset).count();
    whole as u32 + 1
}
