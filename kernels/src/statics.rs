//! Variables that outlive a call and whose first value has to be computed: `static const int sms = query();` in a host function, and
//! objects outside all functions, `std::vector<int> sizes;`.
//!
//! All code is device code for NVRTC, and there only constants may initialise such a variable. On a machine the value is computed when
//! the function comes there for the first time, and that is what the rewritten line does, through `once` of
//! `include/runtime/once.cuh`. An object outside all functions becomes a function that makes it at its first use. Only lines that the
//! compiler has refused are rewritten: a constant stays one.

use std::ops::Range;

use crate::conditional;
use crate::device_code;
use crate::lexer::{self, Kind, Token};
use crate::region::{Region, closing, regions};

/// What the compiler says of such a line.
const REFUSED: &str = "dynamic initialization is not supported for a function-scope static";

/// And of such a line outside all functions.
const REFUSED_OUTSIDE: &str = "dynamic initialization is not supported for a __device__ variable";

/// Whether a message of the compiler is about such a variable.
pub fn is_lasting(message: &str) -> bool {
    message.contains(REFUSED) || message.contains(REFUSED_OUTSIDE)
}

/// The source with the variables that these messages are about made at the first call, each with its line; `None` without
/// messages, or if one of the lines has no variable that can be rewritten.
pub fn rewrite_lasting(source: &str, refused: &[(u32, &str)]) -> Option<String> {
    let tokens = lexer::tokens(source).ok().filter(|_| !refused.is_empty())?;
    let (tokens, _) = conditional::live(&tokens, source);
    let mut edits: Vec<Edit> = Vec::new();
    for &(line, message) in refused {
        if message.contains(REFUSED_OUTSIDE) {
            let more = outside(&regions(&tokens, source), source, line)?;
            if !edits.contains(&more[0]) {
                edits.extend(more);
            }
            continue;
        }
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

/// The changes for the object that is declared on this line outside all functions, and for its uses.
fn outside(all: &[Region<'_>], source: &str, line: u32) -> Option<Vec<Edit>> {
    let code = all.iter().filter(|region| !region.in_macro);
    let declared = code.flat_map(|region| {
        let tokens = region.tokens.as_slice();
        statements(tokens, source).into_iter().filter_map(|at| Declaration::from(tokens, at, source))
    });
    let found =
        declared.into_iter().find(|found| lines_of(source, &(found.first..found.end)).contains(&line))?;
    let name = &source[found.name.clone()];
    let mut edits = found.edits_outside(source);
    for region in all {
        for (at, token) in region.tokens.iter().enumerate() {
            if token.start <= found.end || token.text(source) != name {
                continue;
            }
            let before = |back: usize| at.checked_sub(back).map(|before| region.tokens[before]);
            let is = |back: usize, mark: char| before(back).is_some_and(|token| token.is(mark));
            if is(1, '.') || is(1, '>') && is(2, '-') {
                continue;
            }
            // Another variable of that name, `int name`.
            let kind = before(1).filter(|before| before.kind == Kind::Name);
            if kind.is_some_and(|kind| !BEFORE_VALUES.contains(&kind.text(source))) {
                return None;
            }
            edits.push((token.start..token.end, format!("workbook_only_{name}()")));
        }
    }
    Some(edits)
}

/// Words that may stand before a value.
const BEFORE_VALUES: [&str; 8] = ["return", "else", "do", "case", "throw", "sizeof", "delete", "co_return"];

/// Where statements outside all functions and classes begin.
fn statements(tokens: &[&Token], source: &str) -> Vec<usize> {
    let (mut begins, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        begins.push(at);
        let ends = |token: &&Token| token.is(';') || token.is('{') || token.is('}');
        let Some(next) = tokens[at..].iter().position(ends) else { break };
        let is_namespace =
            tokens[at..at + next].iter().any(|token| matches!(token.text(source), "namespace" | "extern"));
        at += next;
        if tokens[at].is('{') && !is_namespace {
            let Some(close) = closing(tokens, at) else { break };
            at = close;
        }
        at += 1;
    }
    begins
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
        Self::of(tokens, at, at + 1, source)
    }

    /// The declaration outside all functions that begins at `at`, perhaps with `static`.
    fn from(tokens: &[&Token], at: usize, source: &str) -> Option<Self> {
        let specifier = |token: &&&Token| matches!(token.text(source), "static" | "inline");
        let specifiers = tokens[at..].iter().take_while(specifier).count();
        Self::of(tokens, at, at + specifiers, source)
    }

    /// The declaration that begins at `at`, with its type at `kind`.
    fn of(tokens: &[&Token], at: usize, kind: usize, source: &str) -> Option<Self> {
        let mut name = None;
        let mut next = kind;
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
        let name = name.filter(|&name| name + 1 == stop && name > kind && !tokens[name - 1].is(':'))?;
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
        let kind = tokens[kind].start..tokens[name].start;
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
        let (make, after) = self.once(source);
        vec![
            (self.first..self.first + "static".len(), String::new()),
            (self.name.start..self.name.start, "& ".to_owned()),
            (self.name.end..self.value.start, format!(" = {make}")),
            (self.end..self.end, after.to_owned()),
        ]
    }

    /// The changes that make it `inline TYPE& workbook_only_NAME() { return once(function that makes the value); }`.
    fn edits_outside(&self, source: &str) -> Vec<Edit> {
        let (make, after) = self.once(source);
        let name = &source[self.name.clone()];
        vec![
            (self.first..self.kind.start, "inline ".to_owned()),
            (self.name.start..self.value.start, format!("& workbook_only_{name}() {{ return {make}")),
            (self.end..self.end, format!("{after}; }}")),
        ]
    }

    /// `once` with what makes the value, before and behind what the declaration says of it.
    fn once(&self, source: &str) -> (String, &'static str) {
        let kind = source[self.kind.clone()].trim();
        let is_auto = kind.split_whitespace().any(|word| word.starts_with("auto"));
        let returns = if is_auto { String::new() } else { format!(" -> {kind}") };
        if self.assigned {
            return (format!("::workbook::once([&](){returns} {{ return "), "; })");
        }
        // Made in its place, and by its own class: some objects cannot be copied, nor made by others.
        let make = format!(
            "::workbook::once<{kind}>([&](::workbook::Here workbook_at) {{ using workbook_t = {kind}; new (workbook_at) workbook_t"
        );
        (make, if self.value.is_empty() { "(); })" } else { "; })" })
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn a_refused_line_is_made_once_and_others_stay() {
        let source = "void f(int n) {\n static int a = 0;\n static const int b = g(n);\n static T* p(h(1));\n static C c;\n}";
        let rewritten = rewrite_lasting(source, &[3, 4, 5].map(|line| (line, REFUSED))).unwrap();
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
        let rewrite_lasting = |source: &str| rewrite_lasting(source, &[(1, REFUSED)]);
        assert_eq!(rewrite_lasting("__global__ void k(int n) { static int a = n; }"), None);
        assert_eq!(rewrite_lasting("void f(int n) { static int a = n, b = n; }"), None);
        assert_eq!(rewrite_lasting("int a = g();"), None);
        let only = "static C& only() { static C c; return c; }";
        let made = "static C& only() {  C & c = ::workbook::once<C>([&](::workbook::Here workbook_at) { using workbook_t = C; \
                    new (workbook_at) workbook_t(); }); return c; }";
        assert_eq!(rewrite_lasting(only).as_deref(), Some(made));
    }

    #[test]
    fn an_object_outside_all_functions_is_made_at_its_first_use() {
        let rewrite = |source: &str, line| rewrite_lasting(source, &[(line, REFUSED_OUTSIDE)]);
        let source = "struct S { A a; };\nnamespace n {\nstatic const A<1, 2> a{3};\n}\nint f(S s) { return s.a + n::a; }";
        let made = "struct S { A a; };\nnamespace n {\ninline const A<1, 2> & workbook_only_a() { return ::workbook::once<const A<1, 2>>\
                    ([&](::workbook::Here workbook_at) { using workbook_t = const A<1, 2>; new (workbook_at) workbook_t{3}; }); };\n}\n\
                    int f(S s) { return s.a + n::workbook_only_a(); }";
        assert_eq!(rewrite(source, 3).as_deref(), Some(made));
        // Another `a` within: it stays refused.
        assert_eq!(rewrite("A a;\nvoid f() { int a = 3; }", 1), None);
        assert_eq!(rewrite("__device__ A a;", 1), None);
        assert_eq!(rewrite("A a[3];", 1), None);
        assert_eq!(rewrite("A S::a;", 1), None);
    }
}
