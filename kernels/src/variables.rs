//! The variables that a file defines outside all functions for the host alone: `nvcc` lets no kernel use them, while the compiler of the
//! checker makes every variable one of the GPU.
//!
//! Left out: constants, whose values `nvcc` puts into kernels where it can, what a macro may mark, and variables that are made by a
//! constructor's brackets.

use crate::conditional;
use crate::functions::{name, opens};
use crate::lexer::{self, Kind, Token};
use crate::region::{closing, regions};

/// Words of a declaration that is for the GPU, for both sides, or of no variable.
const OTHERS: [&str; 22] = [
    "__device__",
    "__constant__",
    "__managed__",
    "__shared__",
    "const",
    "constexpr",
    "constinit",
    "using",
    "typedef",
    "template",
    "extern",
    "friend",
    "static_assert",
    "struct",
    "class",
    "union",
    "enum",
    "operator",
    "thread_local",
    "namespace",
    "concept",
    "asm",
];

/// The names of the variables that a text defines for the host alone, with the bytes at which they stand. None of a text that cannot be
/// read.
pub fn host_variables(source: &str) -> Vec<(usize, &str)> {
    let Ok(tokens) = lexer::tokens(source) else { return Vec::new() };
    let (tokens, macros) = conditional::live(&tokens, source);
    let Some(region) = regions(&tokens, source).into_iter().find(|region| !region.in_macro) else {
        return Vec::new();
    };
    let tokens = region.tokens.as_slice();
    let (mut found, mut begin, mut at) = (Vec::new(), 0, 0);
    while let Some(token) = tokens.get(at) {
        let head = &tokens[begin..at];
        match token.kind {
            Kind::Mark('(' | '[') => at = closing(tokens, at).unwrap_or(at),
            Kind::Mark('{') => match opens(head, source) {
                Some("namespace" | "extern") => begin = at + 1,
                of_class => {
                    at = closing(tokens, at).unwrap_or(tokens.len() - 1);
                    if of_class.is_none() && name(head, source).is_some() {
                        begin = at + 1;
                    }
                }
            },
            Kind::Mark('}') => begin = at + 1,
            Kind::Mark(';') => {
                let other = |token: &&&Token| {
                    let word = token.text(source);
                    OTHERS.contains(&word) || macros.contains(word)
                };
                if !head.iter().any(|token| other(&token)) {
                    found.extend(declared(head, source));
                }
                begin = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The names that a statement declares, as far as it is `type name`, with a size or a value, and more names behind commas.
fn declared<'a>(statement: &[&Token], source: &'a str) -> Vec<(usize, &'a str)> {
    let (mut names, mut begin, mut at) = (Vec::new(), 0, 0);
    let mut pieces = Vec::new();
    while at <= statement.len() {
        match statement.get(at).map(|token| token.kind) {
            Some(Kind::Mark('(' | '[' | '{' | '<')) => at = closing(statement, at).unwrap_or(at),
            Some(Kind::Mark(',')) | None => {
                pieces.push(&statement[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    for (number, piece) in pieces.into_iter().enumerate() {
        let ends = |token: &&Token| token.is('=') || token.is('[') || token.is('{');
        let declarator = &piece[..piece.iter().position(ends).unwrap_or(piece.len())];
        let words = if number == 0 { 2 } else { 1 };
        let is_plain =
            declarator.len() >= words && !declarator.iter().any(|token| token.is('(') || token.is('.'));
        match declarator.last() {
            Some(last) if is_plain && last.kind == Kind::Name => names.push((last.start, last.text(source))),
            _ => return Vec::new(),
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn variables_of_the_host_are_found_by_their_names() {
        for (source, names) in [
            ("int a; static float *b = nullptr, c[5];", vec!["a", "b", "c"]),
            ("int table[] = {1, 2}; int x{3}; std::map<int, int> m;", vec!["table", "x", "m"]),
            ("__device__ int a; __constant__ float b[3]; __managed__ int c;", vec![]),
            ("const int a = 3; constexpr float b = 1; enum { X, Y }; struct A { int b; } c;", vec![]),
            ("#define DEV __device__\nDEV int a; int b;", vec!["b"]),
            (
                "int f(int a); int g(int a) { int b; return b; } namespace { int c; } extern \"C\" { int d; }",
                vec!["c", "d"],
            ),
            (
                "using T = int; typedef int U; template <class T> T v; extern int e; dim3 block(32, 8);",
                vec![],
            ),
            ("#if 0\nint a;\n#endif\n// int b;\nint c;", vec!["c"]),
            ("struct A { int a; void f() { int b; } }; int d = [] { return 1; }();", vec!["d"]),
        ] {
            let found: Vec<&str> = host_variables(source).into_iter().map(|(_, name)| name).collect();
            assert_eq!(found, names, "{source}");
        }
    }
}
