//! Finds the launches of a run of tokens and the extent of their parts.

use crate::conditional::Macros;
use crate::error::RewriteError;
use crate::lexer::{Kind, Token};
use crate::region::{self, Region};

const SHAPE: &str = "kernel<<<blocks, threads_per_block>>>(arguments)";

/// Byte offsets of a launch's parts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Launch {
    /// The kernel expression.
    pub kernel: usize,
    /// `<<<`.
    pub open: usize,
    /// `>>>`.
    pub close: usize,
    /// The kernel's name within the expression, if it ends in one or in its template arguments.
    pub name: Option<Named>,
}

/// The name at the end of a kernel expression.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Named {
    /// Its bytes.
    pub start: usize,
    pub end: usize,
    /// Template arguments behind it.
    pub arguments: usize,
}

/// The kernel's name in the expression before the token `open`.
fn named(tokens: &[&Token], open: usize) -> Option<Named> {
    let last = open.checked_sub(1)?;
    let (name, arguments) = match tokens[last].kind {
        Kind::Name => (last, 0),
        Kind::Mark('>') => {
            let list = template_open(tokens, last)?;
            (list.checked_sub(1)?, region::parts(&tokens[list + 1..last]))
        }
        _ => return None,
    };
    let token = tokens[name];
    (token.kind == Kind::Name).then_some(Named { start: token.start, end: token.end, arguments })
}

/// All launches of a region, in order.
pub(crate) fn find(region: &Region<'_>, source: &str, macros: &Macros) -> Result<Vec<Launch>, RewriteError> {
    let tokens = region.tokens.as_slice();
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let length = run(tokens, at, '<');
        // `operator<<` before `<int>` is not a launch.
        let of_operator = at > 0 && tokens[at - 1].text(source) == "operator";
        if length >= 3 && !of_operator {
            found.push(launch(region, at, length, source, macros)?);
        }
        at += length.max(1);
    }
    Ok(found)
}

/// The launch whose `<<<` is the run of `length` marks at `open`.
fn launch(
    region: &Region<'_>,
    open: usize,
    length: usize,
    source: &str,
    macros: &Macros,
) -> Result<Launch, RewriteError> {
    let tokens = region.tokens.as_slice();
    let fail = |message: String| RewriteError::at(source, tokens[open].start, message);
    if length == 7 {
        return Err(fail(
            "`<<<<<<<` marks an unresolved merge conflict: keep one of the two versions".into(),
        ));
    }
    if length > 3 {
        return Err(fail(format!("`{}` does not start a launch: write `{SHAPE}`", "<".repeat(length))));
    }
    let kernel = kernel_start(tokens, open, source).ok_or_else(|| {
        fail(if region.in_macro {
            "there is no kernel before `<<<` in this macro: a macro must contain the kernel, `<<<` and `>>>` together, \
             such as `#define RUN(kernel, n) kernel<<<(n + 255) / 256, 256>>>`"
                .to_owned()
        } else {
            format!("there is no kernel before `<<<`: write `{SHAPE}`")
        })
    })?;
    let expression = &source[tokens[kernel].start..tokens[open].start];
    let name = expression.split_whitespace().collect::<Vec<_>>().join(" ");
    let close = launch_close(region, open + 3, source, macros).map_err(|reason| {
        fail(match (reason, region.in_macro) {
            (NoClose::NoArguments, _) => format!(
                "the launch of `{name}` has no argument list: write `(…)` after `>>>`, even if it is empty, as in \
                 `{name}<<<blocks, threads_per_block>>>();`"
            ),
            (NoClose::NoMarks, true) => format!(
                "the launch of `{name}` in this macro has no `>>>`: a macro must contain the kernel, `<<<` and \
                 `>>>` together; end each line but the last with `\\`"
            ),
            (NoClose::NoMarks, false) => {
                format!("the launch of `{name}` has no `>>>`: write `{name}<<<blocks, threads_per_block>>>(arguments)`")
            }
        })
    })?;
    let count = count(&tokens[open + 3..close], source, macros, region.in_macro);
    let asked = match count {
        Count::None => Some("no settings"),
        Count::One => Some("only one setting"),
        Count::Fits => None,
        Count::TooMany => Some("more than four settings"),
    };
    if let Some(asked) = asked {
        return Err(fail(format!(
            "the launch of `{name}` has {asked} between `<<<` and `>>>`: write the number of blocks, the threads per \
             block, and, if needed, the bytes of dynamic shared memory and a stream: \
             `{name}<<<blocks, threads_per_block>>>(arguments)`"
        )));
    }
    Ok(Launch {
        kernel: tokens[kernel].start,
        open: tokens[open].start,
        close: tokens[close].start,
        name: named(tokens, open),
    })
}

/// How many equal marks stand side by side from `at` on.
fn run(tokens: &[&Token], at: usize, mark: char) -> usize {
    let adjacent = |index: usize| index == at || tokens[index].start == tokens[index - 1].end;
    (at..tokens.len()).take_while(|&index| tokens[index].is(mark) && adjacent(index)).count()
}

enum NoClose {
    NoMarks,
    NoArguments,
}

/// Index of the `>>>` that closes the configuration beginning at `from`: the last three `>` of a run outside
/// all brackets that an argument list follows (or a macro that may be one; or, in a macro, nothing).
fn launch_close(region: &Region<'_>, from: usize, source: &str, macros: &Macros) -> Result<usize, NoClose> {
    let tokens = region.tokens.as_slice();
    let may_expand = |name: &Token| region.in_macro || macros.contains(name.text(source));
    let mut without_arguments = false;
    let mut depth = 0_usize;
    let mut at = from;
    while at < tokens.len() {
        let Kind::Mark(mark) = tokens[at].kind else {
            at += 1;
            continue;
        };
        match mark {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' | ';' if depth == 0 => break,
            ')' | ']' | '}' => depth -= 1,
            '<' if depth == 0 && run(tokens, at, '<') >= 3 => break,
            '>' if depth == 0 => {
                let length = run(tokens, at, '>');
                if length >= 3 {
                    match tokens.get(at + length) {
                        Some(next) if next.is('(') => return Ok(at + length - 3),
                        None if region.in_macro => return Ok(at + length - 3),
                        Some(next) if next.kind == Kind::Name && may_expand(next) => {
                            return Ok(at + length - 3);
                        }
                        _ => without_arguments = true,
                    }
                }
                at += length;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    Err(if without_arguments { NoClose::NoArguments } else { NoClose::NoMarks })
}

enum Count {
    None,
    One,
    Fits,
    TooMany,
}

/// The number of expressions in the configuration, as far as it is certain without knowing which `<` opens a template. An
/// uncertain number fits, and the compiler decides.
fn count(configuration: &[&Token], source: &str, macros: &Macros, in_macro: bool) -> Count {
    let mut depth = 0_usize;
    let mut commas = 0;
    for token in configuration {
        match token.kind {
            Kind::Mark('(' | '[' | '{') => depth += 1,
            Kind::Mark(')' | ']' | '}') => depth = depth.saturating_sub(1),
            Kind::Mark(',') if depth == 0 => commas += 1,
            _ => {}
        }
    }
    let expands = |token: &&Token| token.kind == Kind::Name && macros.contains(token.text(source));
    let may_expand = in_macro || configuration.iter().any(expands);
    match commas {
        0 if configuration.is_empty() => Count::None,
        0 if !may_expand => Count::One,
        4.. if !configuration.iter().any(|token| token.is('<')) => Count::TooMany,
        _ => Count::Fits,
    }
}

/// Words after which an expression begins: they are not part of it.
const KEYWORDS: &[&str] = &[
    "case",
    "co_await",
    "co_return",
    "co_yield",
    "default",
    "delete",
    "do",
    "else",
    "for",
    "goto",
    "if",
    "new",
    "return",
    "sizeof",
    "switch",
    "throw",
    "typedef",
    "using",
    "while",
];

/// Index of the first token of the postfix expression that ends before `end`: names, `a::b`, `k<3>`, `a.b`,
/// `a->b`, `a[i]`, `f(x)`, `(*k)`, `a##b`.
fn kernel_start(tokens: &[&Token], end: usize, source: &str) -> Option<usize> {
    let is_name =
        |index: usize| tokens[index].kind == Kind::Name && !KEYWORDS.contains(&tokens[index].text(source));
    let is = |index: usize, mark: char| tokens[index].is(mark);
    let pair = |at: usize, first: char, second: char| {
        at >= 2 && is(at - 2, first) && is(at - 1, second) && tokens[at - 2].end == tokens[at - 1].start
    };
    let mut at = end;
    loop {
        let last = at.checked_sub(1)?;
        match tokens[last].kind {
            Kind::Name if is_name(last) => at = last,
            Kind::Mark('>') => {
                at = template_open(tokens, last)?.checked_sub(1).filter(|&name| is_name(name))?;
            }
            Kind::Mark(']') => {
                at = matching_open(tokens, last)?;
                continue;
            }
            Kind::Mark(')') => {
                at = matching_open(tokens, last)?;
                if at > 0 && is_name(at - 1) {
                    continue;
                }
            }
            _ => return None,
        }
        if at > 0 && tokens[at - 1].text(source) == "template" {
            at -= 1;
        }
        if pair(at, ':', ':') {
            at -= 2;
            if at == 0 || !(is_name(at - 1) || is(at - 1, '>')) {
                return Some(at);
            }
        } else if pair(at, '#', '#') || pair(at, '-', '>') {
            at -= 2;
        } else if at > 0 && is(at - 1, '.') {
            at -= 1;
        } else {
            return Some(at);
        }
    }
}

/// Index of the bracket that the one at `close` closes.
fn matching_open(tokens: &[&Token], close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in (0..=close).rev() {
        match tokens[at].kind {
            Kind::Mark(')' | ']' | '}') => depth += 1,
            Kind::Mark('(' | '[' | '{') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Index of the `<` that opens the template arguments which the `>` at `close` closes. Shifts, `->`, `<=` and
/// `>=` are no brackets; a comparison in template arguments stands in parentheses.
fn template_open(tokens: &[&Token], close: usize) -> Option<usize> {
    let touches = |at: usize, next: char| {
        tokens.get(at + 1).is_some_and(|token| token.is(next) && token.start == tokens[at].end)
    };
    let mut depth = 1_usize;
    let mut at = close;
    while at > 0 {
        at -= 1;
        match tokens[at].kind {
            Kind::Mark(')' | ']' | '}') => at = matching_open(tokens, at)?,
            Kind::Mark('(' | '[' | '{' | ';') => return None,
            Kind::Mark('>') => {
                let arrow = at > 0 && tokens[at - 1].is('-') && touches(at - 1, '>');
                depth += usize::from(!arrow && !touches(at, '='));
            }
            Kind::Mark('<') if touches(at, '=') => {}
            Kind::Mark('<') if at > 0 && tokens[at - 1].is('<') && touches(at - 1, '<') => at -= 1,
            Kind::Mark('<') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}
