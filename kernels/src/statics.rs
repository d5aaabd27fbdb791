//! `static` variables of host functions whose first value has to be computed: `static const int sms = query();`.
//!
//! All code is device code for NVRTC, and there only constants may initialise a `static`. On a machine the value is computed when
//! the function comes there for the first time, and that is what the rewritten line does, through `once` of
//! `include/runtime/once.cuh`. Only lines that the compiler has refused are rewritten: a constant stays one.

use std::ops::Range;

use crate::conditional;
use crate::device_code;
use crate::lexer::{self, Kind, Token};
use crate::region::{closing, regions};

/// What the compiler says of such a line.
const REFUSED: &str = "dynamic initialization is not supported for a function-scope static";

/// Whether a message of the compiler is about such a variable.
pub fn is_lasting(message: &str) -> bool {
    message.contains(REFUSED)
}

/// The source with the `static` variables on these lines made at the first call; `None` without lines, or if one of them has none
/// that can be rewritten.
pub fn rewrite_lasting(source: &str, lines: &[u32]) -> Option<String> {
    let tokens = lexer::tokens(source).ok().filter(|_| !lines.is_empty())?;
    let (tokens, _) = conditional::live(&tokens, source);
    let mut edits: Vec<Edit> = Vec::new();
    for &line in lines {
        let found =
            regions(&tokens, source).into_iter().filter(|region| !region.in_macro).find_map(|region| {
                let kernels = device_code::bodies(&region, source);
                let tokens = region.tokens.as_slice();
                let statics = (0..tokens.len()).filter(|&at| tokens[at].text(source) == "static");
                let mut on_line =
                    statics.filter_map(|at| Declaration::at(tokens, at, source)).filter(|declared| {
                        let place = declared.first..declared.end;
                        lines_of(source, &place).contains(&line)
                            && !kernels.iter().any(|body| body.holds(declared.first))
                    });
                on_line.next()
            })?;
        let more = found.edits(source);
        if !edits.contains(&more[0]) {
            edits.extend(more);
        }
    }
    edits.sort_by_key(|(range, _)| range.start);
    let (mut out, mut done) = (String::new(), 0);
    for (range, insert) in edits {
        out.push_str(&source[done..range.start]);
        out.push_str(&insert);
        done = range.end;
    }
    out.push_str(&source[done..]);
    Some(out)
}

/// These bytes become this text.
type Edit = (Range<usize>, String);

/// The lines, from 1, of these bytes.
fn lines_of(source: &str, bytes: &Range<usize>) -> std::ops::RangeInclusive<u32> {
    let line = |at: usize| source[..at].matches('\n').count() as u32 + 1;
    line(bytes.start)..=line(bytes.end)
}

/// `static TYPE NAME = VALUE;`, `static TYPE NAME(VALUES);` or `static TYPE NAME;`, by byte offsets.
struct Declaration {
    first: usize,
    kind: Range<usize>,
    name: Range<usize>,
    /// What stands between the name and the `;`.
    value: Range<usize>,
    assigned: bool,
    end: usize,
}

impl Declaration {
    /// The declaration of one variable that begins with the `static` at `at`.
    fn at(tokens: &[&Token], at: usize, source: &str) -> Option<Self> {
        let mut name = None;
        let mut next = at + 1;
        let stop = loop {
            let token = tokens.get(next)?;
            match token.kind {
                Kind::Mark('=' | '(' | '{' | ';') => break next,
                Kind::Mark('<') => next = closing(tokens, next)?,
                Kind::Mark(',' | '[' | ')') => return None,
                Kind::Name => name = Some(next),
                _ => {}
            }
            next += 1;
        };
        let name = name.filter(|&name| name + 1 == stop && name > at + 1)?;
        // A function: `static T& only() { … }`.
        if tokens[stop].is('(') && !tokens.get(closing(tokens, stop)? + 1)?.is(';') {
            return None;
        }
        let mut end = stop;
        while !tokens.get(end)?.is(';') {
            let opens = matches!(tokens[end].kind, Kind::Mark('(' | '{' | '['));
            end = if opens { closing(tokens, end)? + 1 } else { end + 1 };
            if tokens.get(end)?.is(',') {
                return None;
            }
        }
        let assigned = tokens[stop].is('=');
        let from = if assigned { tokens[stop].end } else { tokens[stop].start };
        let kind = tokens[at + 1].start..tokens[name].start;
        let constant = source[kind.clone()].contains("constexpr") || source[kind.clone()].contains("__");
        (!constant).then(|| Self {
            first: tokens[at].start,
            kind,
            name: tokens[name].start..tokens[name].end,
            value: from..tokens[end].start,
            assigned,
            end: tokens[end].start,
        })
    }

    /// The changes that make it `TYPE& NAME = once(function that makes the value);`.
    fn edits(&self, source: &str) -> Vec<Edit> {
        let kind = source[self.kind.clone()].trim();
        let is_auto = kind.split_whitespace().any(|word| word.starts_with("auto"));
        let returns = if is_auto { String::new() } else { format!(" -> {kind}") };
        let (make, after) = if self.assigned {
            (format!(" = ::workbook::once([&](){returns} {{ return "), "; })")
        } else {
            // Made in its place, and by its own class: some objects cannot be copied, nor made by others.
            let make = format!(
                " = ::workbook::once<{kind}>([&](::workbook::Here workbook_at) {{ using workbook_t = {kind}; new (workbook_at) \
                 workbook_t"
            );
            (make, if self.value.is_empty() { "(); })" } else { "; })" })
        };
        vec![
            (self.first..self.first + "static".len(), String::new()),
            (self.name.start..self.name.start, "& ".to_owned()),
            (self.name.end..self.value.start, make),
            (self.end..self.end, after.to_owned()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn a_refused_line_is_made_once_and_others_stay() {
        let source = "void f(int n) {\n static int a = 0;\n static const int b = g(n);\n static T* p(h(1));\n static C c;\n}";
        let rewritten = rewrite_lasting(source, &[3, 4, 5]).unwrap();
        let lines: Vec<&str> = rewritten.lines().collect();
        assert_eq!(lines[1], " static int a = 0;");
        assert_eq!(lines[2], "  const int & b = ::workbook::once([&]() -> const int { return  g(n); });");
        let made = |kind: &str, with: &str| {
            format!(
                "= ::workbook::once<{kind}>([&](::workbook::Here workbook_at) {{ using workbook_t = {kind}; new (workbook_at) \
                 workbook_t{with}; }});"
            )
        };
        assert_eq!(lines[3], format!("  T* & p {}", made("T*", "(h(1))")));
        assert_eq!(lines[4], format!("  C & c {}", made("C", "()")));
    }

    #[test]
    fn what_is_in_a_kernel_or_has_several_variables_stays_refused() {
        assert_eq!(rewrite_lasting("__global__ void k(int n) { static int a = n; }", &[1]), None);
        assert_eq!(rewrite_lasting("void f(int n) { static int a = n, b = n; }", &[1]), None);
        assert_eq!(rewrite_lasting("int a = g();", &[1]), None);
        let only = "static C& only() { static C c; return c; }";
        let made = "static C& only() {  C & c = ::workbook::once<C>([&](::workbook::Here workbook_at) { using workbook_t = C; \
                    new (workbook_at) workbook_t(); }); return c; }";
        assert_eq!(rewrite_lasting(only, &[1]).as_deref(), Some(made));
    }
}
