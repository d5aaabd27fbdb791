//! Text that `#if 0` certainly switches off. Every other condition is treated as unknown, and its text as live.

use std::collections::HashSet;

use crate::lexer::{Kind, Token};

/// Names that `#define` introduces.
pub(crate) type Macros = HashSet<String>;

/// Known facts about the branches of one `#if` … `#endif`.
struct Group {
    /// Whether the current branch is off.
    off: bool,
    /// Whether an earlier branch is certainly on, so that the others are off.
    decided: bool,
}

/// The tokens that may reach the compiler, in order, and the names that `#define` introduces.
pub(crate) fn live(tokens: &[Token], source: &str) -> (Vec<Token>, Macros) {
    let mut groups: Vec<Group> = Vec::new();
    let mut kept = Vec::with_capacity(tokens.len());
    let mut macros = Macros::new();
    let mut rest = tokens;
    while let Some(token) = rest.first() {
        if token.directive == 0 {
            kept.extend((!groups.iter().any(|group| group.off)).then_some(*token));
            rest = &rest[1..];
            continue;
        }
        let length = rest.iter().take_while(|next| next.directive == token.directive).count();
        let (directive, after) = rest.split_at(length);
        rest = after;
        let word = |index: usize| directive.get(index).map_or("", |token| token.text(source));
        enter(&mut groups, word(1), (length == 3).then(|| word(2)));
        if !groups.iter().any(|group| group.off) {
            if word(1) == "define" {
                macros.insert(word(2).to_owned());
            }
            kept.extend(directive);
        }
    }
    (kept, macros)
}

/// Takes one directive into account: its name, and its condition if that is a single token.
fn enter(groups: &mut Vec<Group>, name: &str, condition: Option<&str>) {
    let off = matches!(condition, Some("0" | "false"));
    let on = matches!(condition, Some("1" | "true"));
    match name {
        "if" => groups.push(Group { off, decided: on }),
        "ifdef" | "ifndef" => groups.push(Group { off: false, decided: false }),
        "elif" => {
            if let Some(group) = groups.last_mut() {
                group.off = group.decided || off;
                group.decided |= on;
            }
        }
        "else" | "elifdef" | "elifndef" => {
            if let Some(group) = groups.last_mut() {
                group.off = group.decided;
            }
        }
        "endif" => {
            groups.pop();
        }
        _ => {}
    }
}

/// The first `{` of ordinary text that no `}` closes, if that is certain: the braces of every `#define` are balanced,
/// and so are those of each branch of an `#if`.
pub(crate) fn unclosed_brace(tokens: &[Token], source: &str) -> Option<Token> {
    let mut open: Vec<Token> = Vec::new();
    // For each `#if`: how many were open before it.
    let mut groups: Vec<usize> = Vec::new();
    let mut rest = tokens;
    while let Some(token) = rest.first() {
        let length = if token.directive == 0 {
            match token.kind {
                Kind::Mark('{') => open.push(*token),
                Kind::Mark('}') => drop(open.pop()?),
                _ => {}
            }
            1
        } else {
            let length = rest.iter().take_while(|next| next.directive == token.directive).count();
            match rest.get(1).map_or("", |token| token.text(source)) {
                "define" if depth_change(&rest[..length]) != 0 => return None,
                "if" | "ifdef" | "ifndef" => groups.push(open.len()),
                "elif" | "else" if *groups.last()? != open.len() => return None,
                "endif" => {
                    let before = groups.pop()?;
                    if before != open.len() {
                        return None;
                    }
                }
                _ => {}
            }
            length
        };
        rest = &rest[length..];
    }
    open.first().copied()
}

fn depth_change(tokens: &[Token]) -> i64 {
    tokens.iter().map(|token| i64::from(token.is('{')) - i64::from(token.is('}'))).sum()
}
