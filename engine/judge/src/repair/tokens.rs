//! The part of a text that belongs to a task, as tokens with whole operators.

use std::collections::BTreeSet;
use std::ops::Range;

use kernels::{Function, functions};

use crate::tunable;

/// A name, a number, or a whole operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// Its first byte.
    pub at: usize,
    /// Its text.
    pub text: &'a str,
    /// The function it stands in; none outside all.
    pub function: Option<usize>,
}

impl Token<'_> {
    /// Its bytes.
    pub fn place(&self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }

    /// Whether it is a name, not a number or an operator.
    pub fn is_name(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }

    /// Its value, if it is a whole number without a suffix but `u`.
    pub fn number(&self) -> Option<u64> {
        self.text.trim_end_matches(['u', 'U']).parse().ok()
    }
}

/// Operators of several characters, the longest first.
const OPERATORS: [&str; 24] = [
    "<<<", ">>>", "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=",
    "&=", "|=", "^=", "++", "--", "->", "::",
];

/// The functions that a task's host function reaches, itself included, in the order of the text. By name: overloads count as one.
pub fn reached(source: &str, task: &str) -> Vec<Function> {
    let names = tunable::reached(source, task);
    let is_reached = |function: &Function| function.name == task || names.contains(function.name.as_str());
    functions(source).into_iter().filter(is_reached).collect()
}

/// The text without the functions that a task does not reach: their lines are empty.
pub fn alone(source: &str, task: &str) -> String {
    let own = reached(source, task);
    let mut text = source.to_owned();
    for other in functions(source).iter().rev().filter(|other| !other.in_class) {
        if own.contains(other) {
            continue;
        }
        let place = other.place[0].start..other.place[1].end;
        let lines = "\n".repeat(source[place.clone()].matches('\n').count());
        text.replace_range(place, &lines);
    }
    text
}

/// The tokens of functions, and of what stands outside all: no directives.
pub fn tokens<'a>(source: &'a str, functions: &[Function]) -> Vec<Token<'a>> {
    let directives: BTreeSet<usize> = source
        .lines()
        .filter(|line| line.trim_start().starts_with('#'))
        .map(|line| line.as_ptr() as usize - source.as_ptr() as usize)
        .collect();
    let in_directive = |at: usize| directives.contains(&source[..at].rfind('\n').map_or(0, |end| end + 1));
    let function =
        |at: usize| functions.iter().position(|of| (of.place[0].start..of.place[1].end).contains(&at));
    let mut found: Vec<Token<'a>> = Vec::new();
    for (at, text) in kernels::tokens_at(source) {
        if found.last().is_some_and(|last| at < last.place().end) || in_directive(at) {
            continue;
        }
        let whole = OPERATORS.iter().find(|operator| source[at..].starts_with(**operator));
        let text = whole.map_or(text, |operator| &source[at..at + operator.len()]);
        found.push(Token { at, text, function: function(at) });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#define N 4\nconstexpr int tile = 16;\n__device__ int f(int a) { return a >> 1; }\n\
                        __global__ void k(int* a) { a[0] = f(1); }\n__global__ void other(int* a) {\n}\n\
                        void task(int* a) { k<<<1, tile>>>(a); }\n";

    #[test]
    fn a_task_reaches_its_kernels_and_what_they_call() {
        let names: Vec<String> = reached(TEXT, "task").into_iter().map(|function| function.name).collect();
        assert_eq!(names, ["f", "k", "task"]);
        let alone = alone(TEXT, "task");
        assert!(!alone.contains("other") && alone.lines().count() == TEXT.lines().count(), "{alone}");
    }

    #[test]
    fn operators_are_whole_and_directives_left_out() {
        let functions = reached(TEXT, "task");
        let tokens = tokens(TEXT, &functions);
        let texts: Vec<&str> = tokens.iter().map(|token| token.text).collect();
        assert!(texts.contains(&">>") && texts.contains(&"<<<") && !texts.contains(&"N"), "{texts:?}");
        let tile = tokens.iter().find(|token| token.text == "tile").expect("a constant");
        assert_eq!(tile.function, None);
    }
}
