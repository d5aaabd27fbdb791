//! The functions that a file defines outside all others, and for which side each is: `nvcc` lets a kernel call only what is marked, while
//! the compiler of the checker takes every function as one of the GPU.
//!
//! Left out: operators, constructors whose members have `{}`, and functions made by a macro.

use std::collections::HashSet;
use std::ops::Range;

use crate::conditional;
use crate::lexer::{self, Kind, Token};
use crate::region::{closing, regions};
use crate::templates::text;

/// For whom a function is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// For the GPU alone.
    Gpu,
    /// For the host alone: it is marked with nothing.
    Host,
    /// For both, or the text alone does not tell.
    Either,
}

/// A function with its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name, without a class or a namespace.
    pub name: String,
    /// What stands before its body, on one line, but for `template <…>`.
    pub head: String,
    /// Bytes of the head, and of the body with its braces.
    pub place: [Range<usize>; 2],
    /// For whom it is.
    pub side: Side,
    /// Whether it stands in a class.
    pub in_class: bool,
}

/// Words of a function that runs on the GPU alone.
const OF_GPU: [&str; 2] = ["__global__", "__device__"];
/// Words of a head that leave open who calls it. `nvcc` needs an option for `constexpr` functions in kernels, and takes calls in constants
/// without one.
const OPEN: [&str; 9] =
    ["__host__", "constexpr", "consteval", "virtual", "override", "final", "friend", "requires", "operator"];
/// Words before brackets that name no function.
const CONTROL: [&str; 8] = ["if", "for", "while", "switch", "catch", "return", "do", "else"];
/// Words of blocks around functions.
const AROUND: [&str; 5] = ["namespace", "class", "struct", "union", "extern"];

/// The functions that a text defines outside all others. None of a text that cannot be read.
pub fn functions(source: &str) -> Vec<Function> {
    let Ok(tokens) = lexer::tokens(source) else { return Vec::new() };
    let (tokens, macros) = conditional::live(&tokens, source);
    let Some(region) = regions(&tokens, source).into_iter().find(|region| !region.in_macro) else {
        return Vec::new();
    };
    let tokens = region.tokens.as_slice();
    let (mut found, mut around, mut begin, mut at) = (Vec::new(), Vec::new(), 0, 0);
    let mut told: HashSet<&str> = HashSet::new();
    while let Some(token) = tokens.get(at) {
        let head = &tokens[begin..at];
        let is_macro = |token: &&&Token| macros.contains(token.text(source));
        match token.kind {
            Kind::Mark('(' | '[') => {
                at = closing(tokens, at).unwrap_or(at) + 1;
                continue;
            }
            Kind::Mark('{') => {
                if let Some(word) = opens(head, source) {
                    around.push(word);
                } else {
                    let end = closing(tokens, at).unwrap_or(tokens.len() - 1);
                    if let Some(name) = name(head, source) {
                        let place = [head[0].start..token.start, token.start..tokens[end].end];
                        let side = if head.iter().any(|token| is_macro(&token)) {
                            Side::Either
                        } else {
                            side(head, source)
                        };
                        let in_class = around.iter().any(|word| !matches!(*word, "namespace" | "extern"));
                        let name = name.text(source).to_owned();
                        let head = text(without_template(head, source), source);
                        found.push(Function { name, head, place, side, in_class });
                    }
                    at = end;
                }
                begin = at + 1;
            }
            Kind::Mark('}') => {
                around.pop();
                begin = at + 1;
            }
            Kind::Mark(';') => {
                // Declared for the GPU, it needs no mark where it is defined.
                let marked = side(head, source) != Side::Host || head.iter().any(|token| is_macro(&token));
                told.extend(name(head, source).filter(|_| marked).map(|name| name.text(source)));
                begin = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    for function in &mut found {
        if function.side == Side::Host && told.contains(function.name.as_str()) {
            function.side = Side::Either;
        }
    }
    found
}

/// The word that opens a block around functions, if this is the head of one.
pub(crate) fn opens<'a>(head: &[&Token], source: &'a str) -> Option<&'a str> {
    let head = without_template(head, source);
    let has_brackets = head.iter().any(|token| token.is('('));
    let word = head.iter().map(|token| token.text(source)).find(|word| AROUND.contains(word))?;
    (!has_brackets
        || word == "class"
        || word == "struct" && head[0].text(source) == word && is_aligned(head, source))
    .then_some(word)
}

/// Whether the brackets of a class are those of `alignas(16)` or the like.
fn is_aligned(head: &[&Token], source: &str) -> bool {
    head.get(1).is_some_and(|token| ["alignas", "__align__", "__attribute__"].contains(&token.text(source)))
}

/// A head without `template <…>`.
fn without_template<'a, 't>(head: &'a [&'t Token], source: &str) -> &'a [&'t Token] {
    match head {
        [first, open, ..] if first.text(source) == "template" && open.is('<') => {
            closing(head, 1).map_or(&head[..0], |close| without_template(&head[close + 1..], source))
        }
        _ => head,
    }
}

/// The name of the function that this is the head of.
pub(crate) fn name<'t>(head: &[&'t Token], source: &str) -> Option<&'t Token> {
    let head = without_template(head, source);
    let open = (0..head.len()).find(|&at| {
        let before = at.checked_sub(1).map(|at| head[at]);
        head[at].is('(')
            && before.is_none_or(|before| {
                !before.text(source).starts_with("__") && before.text(source) != "alignas"
            })
    })?;
    let name = *head[..open].last()?;
    let is_name = name.kind == Kind::Name && !CONTROL.contains(&name.text(source));
    let assigns = head[..open].iter().any(|token| token.is('='));
    (is_name && !assigns).then_some(name)
}

fn side(head: &[&Token], source: &str) -> Side {
    let has = |words: &[&str]| head.iter().any(|token| words.contains(&token.text(source)));
    match (has(&OF_GPU), has(&OPEN)) {
        (_, true) => Side::Either,
        (true, false) => Side::Gpu,
        (false, false) => Side::Host,
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    /// Each function with its side, and those in classes with a dot before them.
    fn sides(source: &str) -> Vec<(String, Side)> {
        let named = |function: Function| {
            (format!("{}{}", if function.in_class { "." } else { "" }, function.name), function.side)
        };
        functions(source).into_iter().map(named).collect()
    }

    #[test]
    fn functions_are_found_with_their_sides() {
        use Side::{Either, Gpu, Host};
        for (source, all) in [
            ("int f(int a) { if (a) { return 1; } return 2; }", vec![("f", Host)]),
            (
                "template <class T, int N = (2 > 1)>\n__device__ T f(T a)\n{ return a; } int g() {}",
                vec![("f", Gpu), ("g", Host)],
            ),
            (
                "__global__ void __launch_bounds__(64) k(int* a) { auto f = [](int b) { return b; }; }",
                vec![("k", Gpu)],
            ),
            ("__host__ __device__ int f() {} constexpr int g() {}", vec![("f", Either), ("g", Either)]),
            (
                "struct A : B<1> { int a = 3; int f(int x) const { return x; } A() : a{3} {} };",
                vec![(".f", Host), (".A", Host)],
            ),
            ("struct alignas(16) A { virtual int f() { return 1; } };", vec![(".f", Either)]),
            ("namespace { struct A {}; A f() { return {}; } }", vec![("f", Host)]),
            ("struct A f(int a) { return {}; }", vec![("f", Host)]),
            ("int t[] = {1, 2}; auto f = [](int a) { return a; }; int x{3};", vec![]),
            ("__device__ int f(int); int f(int a) { return a; }", vec![("f", Either)]),
            ("#define HD __host__ __device__\nHD int f() { return 1; }", vec![("f", Either)]),
            ("#if 0\nint f() { return 1; }\n#endif\n/* int g() {} */ // int h() {}", vec![]),
            ("[[nodiscard]] static int f() noexcept { return 1; }", vec![("f", Host)]),
        ] {
            let all: Vec<(String, Side)> =
                all.into_iter().map(|(name, side)| (name.to_owned(), side)).collect();
            assert_eq!(sides(source), all, "{source}");
        }
    }

    #[test]
    fn places_and_heads_are_those_of_the_text() {
        let source = "template <class T>\nstatic  int\nf(T a) {\n return a;\n}";
        let found = functions(source).remove(0);
        assert_eq!(found.head, "static int f(T a)");
        assert_eq!(&source[found.place[1].clone()], "{\n return a;\n}");
    }
}
