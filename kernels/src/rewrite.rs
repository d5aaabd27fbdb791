//! `kernel<<<grid, block, shared, stream>>>(arguments)` to C++ that NVRTC compiles, within its line:
//! `::workbook::prepare(kernel, ::workbook::configuration(grid, block, shared, stream))(arguments)`.
//!
//! Only three places change: text is inserted before the kernel, and replaces `<<<` and `>>>`. Every token keeps its line,
//! and macros, comments and directives between them stay unchanged. `prepare` and `configuration` are defined in
//! `include/runtime/launch.cuh`. A launch that leaves template arguments to be deduced takes another form, for which
//! [`crate::templates`] has the reason.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::launch::Launch;
use crate::lexer::Token;
use crate::templates::PREFIX;
use crate::{conditional, device_code, launch, lexer, nesting, plain_call, templates};

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
    /// What to try.
    pub hint: &'static str,
}

/// What to try if a launch cannot be parsed.
const FORM: &str = "write the launch as `kernel<<<grid, block>>>(arguments);`";

impl RewriteError {
    /// An error at a byte offset.
    pub(crate) fn at(source: &str, offset: usize, message: impl Into<String>) -> Self {
        let before = &source[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.matches('\n').count() as u32 + 1,
            column: before[line_start..].chars().count() as u32 + 1,
            message: message.into(),
            hint: FORM,
        }
    }
}

/// One change of the text: `remove` bytes at `offset` become `insert`.
#[derive(Debug)]
struct Edit {
    offset: usize,
    remove: usize,
    insert: Cow<'static, str>,
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

/// The same tokens, each with the byte at which it begins. Text that is no CUDA C++ is one token per word.
pub fn tokens_at(source: &str) -> Vec<(usize, &str)> {
    match lexer::tokens(source) {
        Ok(tokens) => tokens.iter().map(|token| (token.start, token.text(source))).collect(),
        Err(_) => source
            .split_whitespace()
            .map(|word| (word.as_ptr() as usize - source.as_ptr() as usize, word))
            .collect(),
    }
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
    let tokens = lexer::tokens(source)?;
    nesting::check(&tokens, source)?;
    let (tokens, macros) = conditional::live(&tokens, source);
    let mut edits = Vec::new();
    let mut launches = 0;
    // Of each kernel template: how many arguments a launch has to write for nothing to be deduced.
    let mut needed: HashMap<String, usize> = HashMap::new();
    for region in regions(&tokens, source) {
        if let Some(error) = plain_call::find(&region, source) {
            return Err(error);
        }
        for annotation in lambda_annotations(&region, source) {
            let remove = annotation.end - annotation.start;
            edits.push(Edit { offset: annotation.start, remove, insert: Cow::Borrowed("") });
        }
        if !region.in_macro {
            for template in templates::find(&region, source) {
                let most = needed.entry(template.name).or_default();
                *most = template.needed.max(*most);
                edits.push(Edit { offset: template.end, remove: 0, insert: template.companion.into() });
            }
        }
        let inside = device_code::bodies(&region, source);
        for launch in launch::find(&region, source, &macros)? {
            launches += 1;
            if launches > nesting::MOST_LAUNCHES {
                return Err(nesting::too_many_launches(source, launch.open));
            }
            if let Some(error) = inside.iter().find_map(|body| body.launches(&launch, source)) {
                return Err(error);
            }
            launched(&launch, &needed, source, &mut edits);
        }
    }
    edits.sort_by_key(|edit| edit.offset);
    Ok(edits)
}

/// `__device__` and `__host__` of lambdas, as in `[=] __device__ (int i) { … }`: nvcc has an option for them, NVRTC has
/// none, and all code is device code here.
fn lambda_annotations<'a>(region: &Region<'a>, source: &str) -> Vec<&'a Token> {
    let tokens = region.tokens.as_slice();
    let is_annotation = |token: &Token| matches!(token.text(source), "__device__" | "__host__");
    let mut found = Vec::new();
    for at in 1..tokens.len() {
        if !tokens[at - 1].is(']') || !is_annotation(tokens[at]) {
            continue;
        }
        let run = tokens[at..].iter().take_while(|token| is_annotation(token)).count();
        let begins = |next: &Token| next.is('(') || next.is('{');
        if tokens.get(at + run).is_some_and(|next| begins(next)) {
            found.extend(&tokens[at..at + run]);
        }
    }
    found
}

/// The changes of one launch.
fn launched(launch: &Launch, needed: &HashMap<String, usize>, source: &str, edits: &mut Vec<Edit>) {
    let &Launch { kernel, open, close, name } = launch;
    let mut edit = |offset, remove, insert: &'static str| {
        edits.push(Edit { offset, remove, insert: insert.into() });
    };
    let most = name.and_then(|name| needed.get(&source[name.start..name.end]));
    match (name, most) {
        (Some(name), Some(most)) if name.arguments < *most => {
            edit(kernel, 0, " ::workbook::deduce([](auto&&... workbook_a) -> decltype(");
            edit(name.start, 0, PREFIX);
            edit(
                open,
                3,
                "(static_cast<decltype(workbook_a)&&>(workbook_a)...)) { return {}; }, ::workbook::configuration(",
            );
        }
        _ => {
            edit(kernel, 0, " ::workbook::prepare(");
            edit(open, 3, ", ::workbook::configuration(");
        }
    }
    edit(close, 3, "))");
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
        out.push_str(&edit.insert);
        done = edit.offset + edit.remove;
    }
    out.push_str(&source[done..]);
    out
}

/// Names that `#define` introduces.
pub(crate) type Macros = HashSet<String>;
