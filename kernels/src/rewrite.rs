//! `kernel<<<grid, block, shared, stream>>>(arguments)` to C++ that NVRTC compiles, within its line:
//! `::workbook::prepare(kernel, ::workbook::configuration(grid, block, shared, stream))(arguments)`.
//!
//! Only three places change: text is inserted before the kernel, and replaces `<<<` and `>>>`. Every token keeps its line,
//! and macros, comments and directives between them stay unchanged. `prepare` and `configuration` are defined in
//! `include/runtime/launch.cuh`. A launch that leaves template arguments to be deduced takes another form, for which
//! [`crate::templates`] has the reason.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::error::RewriteError;
use crate::launch::Launch;
use crate::lexer::Token;
use crate::region::{Region, closing, regions};
use crate::templates::PREFIX;
use crate::{conditional, device_code, launch, lexer, nesting, overloads, plain_call, templates};

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
    let regions = regions(&tokens, source);
    for kernel in overloads::find(&regions, source) {
        needed.insert(kernel.name, kernel.needed);
        edits.push(Edit { offset: kernel.end, remove: 0, insert: kernel.companion.into() });
    }
    for region in regions {
        if let Some(error) = plain_call::find(&region, source) {
            return Err(error);
        }
        for annotation in lambda_annotations(&region, source) {
            let remove = annotation.end - annotation.start;
            edits.push(Edit { offset: annotation.start, remove, insert: Cow::Borrowed("") });
        }
        edits.extend(exceptions(&region, source));
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

/// `throw;`, `catch (...)`, and a `try` in the place of a body: the macros of `runtime/exception.cuh` that stand for exceptions need
/// something to throw, something to catch, and a body around them.
fn exceptions(region: &Region<'_>, source: &str) -> Vec<Edit> {
    let tokens = region.tokens.as_slice();
    let mut found = Vec::new();
    let mut replace = |offset, remove, insert: &'static str| {
        found.push(Edit { offset, remove, insert: insert.into() });
    };
    for (at, token) in tokens.iter().enumerate() {
        match (token.text(source), &tokens[at + 1..]) {
            ("throw", [end, ..]) if end.is(';') => {
                replace(token.start, "throw".len(), "::workbook::rethrow()");
            }
            ("catch", [open, first, second, third, close, ..])
                if open.is('(') && [first, second, third].iter().all(|dot| dot.is('.')) && close.is(')') =>
            {
                let insert = "const ::workbook::NeverThrown& workbook_caught";
                replace(first.start, third.end - first.start, insert);
            }
            ("try", [open, ..]) if at > 0 && open.is('{') && ends_a_head(tokens[at - 1], source) => {
                if let Some(end) = end_of_try(&tokens[at..], source) {
                    replace(token.start, 0, "{ ");
                    replace(end, 0, " }");
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a function's body may follow this token; braces around the `try` after an `if (…)` do no harm.
fn ends_a_head(token: &Token, source: &str) -> bool {
    token.is(')') || matches!(token.text(source), "noexcept" | "const" | "override" | "final")
}

/// The end of `try {…} catch (…) {…} …`, whose first token is the `try`.
fn end_of_try(tokens: &[&Token], source: &str) -> Option<usize> {
    let mut close = closing(tokens, 1)?;
    while tokens.get(close + 1).is_some_and(|next| next.text(source) == "catch") {
        close = closing(tokens, closing(tokens, close + 2)? + 1)?;
    }
    Some(tokens[close].end)
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
