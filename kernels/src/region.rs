//! Runs of tokens, and what stands where in them: brackets, lists, the names of kernels.

use crate::lexer::{Kind, Token};

/// A run of tokens in which a launch must be complete.
pub(crate) struct Region<'a> {
    pub tokens: Vec<&'a Token>,
    /// Whether this is the replacement of a macro.
    pub in_macro: bool,
}

/// The ordinary text without its directives, and the replacement of each `#define`.
pub(crate) fn regions<'a>(tokens: &'a [Token], source: &str) -> Vec<Region<'a>> {
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

/// The bracket that closes the one at `open`. `<` and `>` count only directly in a list that `<` opens.
pub(crate) fn closing(tokens: &[&Token], open: usize) -> Option<usize> {
    let mut opened = Vec::new();
    for (at, token) in tokens.iter().enumerate().skip(open) {
        let Kind::Mark(mark) = token.kind else { continue };
        match mark {
            '(' | '[' | '{' => opened.push(mark),
            '<' if opened.last().is_none_or(|open| *open == '<') => opened.push(mark),
            ')' | ']' | '}' => while opened.pop()? == '<' {},
            '>' if opened.last() == Some(&'<') => drop(opened.pop()),
            _ => {}
        }
        if opened.is_empty() {
            return Some(at);
        }
    }
    None
}

/// The parts between commas outside all brackets; none of an empty list.
pub(crate) fn split<'a, 't>(list: &'a [&'t Token]) -> Vec<&'a [&'t Token]> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0_i32);
    for (at, token) in list.iter().enumerate() {
        match token.kind {
            Kind::Mark('(' | '[' | '{' | '<') => depth += 1,
            Kind::Mark(')' | ']' | '}' | '>') => depth -= 1,
            Kind::Mark(',') if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if start < list.len() {
        parts.push(&list[start..]);
    }
    parts
}

/// How many parts a list has between its commas.
pub(crate) fn parts(list: &[&Token]) -> usize {
    split(list).len()
}

/// The index of the name of the kernel that a `__global__` declares: the token before the first parenthesis that is not
/// part of an attribute.
pub(crate) fn kernel_name(region: &Region<'_>, source: &str, global: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, pair) in region.tokens.windows(2).enumerate().skip(global) {
        let (token, next) = (pair[0], pair[1]);
        match token {
            _ if token.is('(') => depth += 1,
            _ if token.is(')') => depth -= 1,
            _ if token.is(';') || token.is('{') => return None,
            _ if depth == 0 && next.is('(') && !token.text(source).starts_with("__") => {
                return Some(at);
            }
            _ => {}
        }
    }
    None
}
