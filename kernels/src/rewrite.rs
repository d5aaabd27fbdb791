//! `kernel<<<grid, block, shared, stream>>>(arguments)` to C++ that NVRTC compiles, within its line:
//! `::workbook::prepare(kernel, ::workbook::configuration(grid, block, shared, stream))(arguments)`.
//!
//! Only three places change: text is inserted before the kernel, and replaces `<<<` and `>>>`. Every token keeps its line,
//! and macros, comments and directives between them stay unchanged. `prepare` and `configuration` are defined in
//! `include/runtime/launch.cuh`.
//!
//! One thing differs from nvcc: the template arguments of a kernel are not deduced from the launch's
//! arguments, because the kernel's parameters must be known before them. See [`crate::hint`].

use std::collections::HashSet;

use crate::lexer::Token;
use crate::{conditional, launch, lexer, plain_call};

/// A launch that the rewriter cannot parse.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct RewriteError {
    /// Line from 1.
    pub line: u32,
    /// Column from 1, in characters.
    pub column: u32,
    /// The error, and the correct form.
    pub message: String,
}

impl RewriteError {
    /// An error at a byte offset.
    pub(crate) fn at(source: &str, offset: usize, message: impl Into<String>) -> Self {
        let before = &source[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.matches('\n').count() as u32 + 1,
            column: before[line_start..].chars().count() as u32 + 1,
            message: message.into(),
        }
    }
}

/// One change of the text: `remove` bytes at `offset` become `insert`.
#[derive(Debug)]
struct Edit {
    offset: usize,
    remove: usize,
    insert: &'static str,
}

/// Rewrites every launch of a CUDA source; all other text stays unchanged, on its line.
pub fn rewrite_launches(source: &str) -> Result<String, RewriteError> {
    Ok(apply(source, &edits(source)?))
}

/// The tokens of a source, one per line: its text without comments and blanks. The text itself if it cannot be read.
pub fn tokens_alone(source: &str) -> String {
    let Ok(tokens) = lexer::tokens(source) else { return source.to_owned() };
    let lines: Vec<&str> = tokens.iter().map(|token| token.text(source)).collect();
    lines.join("\n")
}

/// The column in `source` that corresponds to this column of the same line of the rewritten text (both from 1, in
/// characters): the place of the compiler's caret under the student's own line.
pub fn source_column(source: &str, line: u32, column: u32) -> u32 {
    let Ok(edits) = edits(source) else { return column };
    let column = i64::from(column);
    // How much longer the rewritten line is than the student's, up to the edit at hand.
    let mut shift = 0;
    for edit in &edits {
        let place = RewriteError::at(source, edit.offset, "");
        let start = i64::from(place.column) + shift;
        if place.line == line && column >= start {
            if column < start + edit.insert.len() as i64 {
                return place.column;
            }
            shift += edit.insert.len() as i64 - edit.remove as i64;
        }
    }
    (column - shift) as u32
}

/// The changes, in the order of the text.
fn edits(source: &str) -> Result<Vec<Edit>, RewriteError> {
    let (tokens, macros) = conditional::live(&lexer::tokens(source)?, source);
    let mut edits = Vec::new();
    for region in regions(&tokens, source) {
        if let Some(error) = plain_call::find(&region, source) {
            return Err(error);
        }
        for launch in launch::find(&region, source, &macros)? {
            edits.push(Edit { offset: launch.kernel, remove: 0, insert: " ::workbook::prepare(" });
            edits.push(Edit { offset: launch.open, remove: 3, insert: ", ::workbook::configuration(" });
            edits.push(Edit { offset: launch.close, remove: 3, insert: "))" });
        }
    }
    edits.sort_by_key(|edit| edit.offset);
    Ok(edits)
}

/// The first `{` that is never closed, as an error to show with the compiler's own, which points at the end of the file.
/// `None` if all are closed, or if it depends on the preprocessor.
pub fn unclosed_brace(source: &str) -> Option<RewriteError> {
    let (tokens, _) = conditional::live(&lexer::tokens(source).ok()?, source);
    let brace = conditional::unclosed_brace(&tokens, source)?;
    Some(RewriteError::at(
        source,
        brace.start,
        "this `{` is never closed: a `}` is missing in this block or at its end",
    ))
}

/// A run of tokens in which a launch must be complete.
pub(crate) struct Region<'a> {
    pub tokens: Vec<&'a Token>,
    /// Whether this is the replacement of a macro.
    pub in_macro: bool,
}

/// The ordinary text without its directives, and the replacement of each `#define`.
fn regions<'a>(tokens: &'a [Token], source: &str) -> Vec<Region<'a>> {
    let text = tokens.iter().filter(|token| token.directive == 0).collect();
    let mut regions = vec![Region { tokens: text, in_macro: false }];
    for directive in tokens.chunk_by(|a, b| a.directive == b.directive) {
        let is_define =
            directive[0].directive != 0 && directive.get(1).is_some_and(|t| t.text(source) == "define");
        if is_define {
            let replacement = directive.iter().skip(3 + parameter_tokens(directive)).collect();
            regions.push(Region { tokens: replacement, in_macro: true });
        }
    }
    regions
}

/// Number of tokens of the parameter list of a `#define`, with its parentheses; 0 if no `(` directly follows the name.
fn parameter_tokens(define: &[Token]) -> usize {
    match (define.get(2), define.get(3)) {
        (Some(name), Some(open)) if open.is('(') && open.start == name.end => {
            define[3..].iter().position(|token| token.is(')')).map_or(define.len(), |close| close + 1)
        }
        _ => 0,
    }
}

fn apply(source: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(source.len() + edits.len() * 24);
    let mut done = 0;
    for edit in edits {
        out.push_str(&source[done..edit.offset]);
        out.push_str(edit.insert);
        done = edit.offset + edit.remove;
    }
    out.push_str(&source[done..]);
    out
}

/// Names that `#define` introduces.
pub(crate) type Macros = HashSet<String>;
