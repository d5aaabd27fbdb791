//! The variables of a text and their types, as far as the search for small changes needs them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::tokens::Token;

/// Words that are no values.
pub const KEYWORDS: [&str; 22] = [
    "if",
    "for",
    "while",
    "do",
    "else",
    "return",
    "switch",
    "case",
    "break",
    "continue",
    "const",
    "constexpr",
    "static",
    "template",
    "typename",
    "void",
    "sizeof",
    "struct",
    "__shared__",
    "__restrict__",
    "__global__",
    "__device__",
];

/// Words of types of variables.
const TYPES: [&str; 40] = [
    "int",
    "unsigned",
    "float",
    "double",
    "char",
    "short",
    "long",
    "bool",
    "size_t",
    "auto",
    "dim3",
    "int8_t",
    "uint8_t",
    "int16_t",
    "uint16_t",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
    "char2",
    "char3",
    "char4",
    "uchar2",
    "uchar3",
    "uchar4",
    "short2",
    "short4",
    "ushort2",
    "ushort4",
    "int2",
    "int3",
    "int4",
    "uint2",
    "uint3",
    "uint4",
    "float2",
    "float3",
    "float4",
    "ulonglong2",
    "uintptr_t",
];

/// Whether a word is a type that variables have.
pub fn is_type(word: &str) -> bool {
    TYPES.contains(&word)
}

/// A declared variable.
struct Variable {
    /// Its type with its stars.
    kind: String,
    /// Where it is known: from the byte of its declaration to the end of its block.
    known: Range<usize>,
    /// From this byte on it has the value of its declaration.
    set: usize,
}

/// The variables that a text declares.
pub struct Names<'a> {
    /// By name.
    variables: BTreeMap<&'a str, Vec<Variable>>,
    /// Tokens that declare.
    declaring: BTreeSet<usize>,
}

/// Variables that are tried for another one, beside those with a similar name.
const OTHERS: usize = 4;
/// Variables that are tried for the index of a thread.
const INDICES: usize = 6;

impl<'a> Names<'a> {
    /// Whether this token declares its name.
    pub fn declares(&self, at: usize) -> bool {
        self.declaring.contains(&at)
    }

    /// Whether a variable of this name is declared anywhere.
    pub fn is_variable(&self, name: &str) -> bool {
        self.variables.contains_key(name)
    }

    /// The type of the variable that a name means at this byte.
    pub fn kind(&self, name: &str, at: usize) -> Option<&str> {
        self.of(name, at).map(|variable| variable.kind.as_str())
    }

    /// The type of an element of the pointer that a name means at this byte.
    pub fn element(&self, name: &str, at: usize) -> Option<&str> {
        let kind = self.kind(name, at)?.strip_suffix('*')?;
        Some(kind.strip_prefix("const").unwrap_or(kind))
    }

    fn of(&self, name: &str, at: usize) -> Option<&Variable> {
        self.variables.get(name)?.iter().rev().find(|variable| variable.known.contains(&at))
    }

    /// The variables that are known at a byte and have a value there: in its own declaration, none has.
    fn set_at(&self, at: usize) -> impl Iterator<Item = (&'a str, &Variable)> {
        let known = self.variables.keys().filter_map(move |name| Some((*name, self.of(name, at)?)));
        known.filter(move |(_, variable)| variable.set <= at)
    }

    /// Whether a name is a variable of whole numbers of at least 32 bits.
    pub fn is_whole(&self, token: Token<'a>) -> bool {
        self.kind(token.text, token.at).is_some_and(|kind| WHOLE.contains(&kind))
    }

    /// The nearest variables of whole numbers that are known at a byte.
    pub fn whole_at(&self, at: usize) -> Vec<&'a str> {
        let mut found: Vec<(usize, &'a str)> = self
            .set_at(at)
            .filter(|(_, variable)| WHOLE.contains(&variable.kind.as_str()))
            .map(|(name, variable)| (at - variable.known.start, name))
            .collect();
        found.sort_unstable();
        found.into_iter().take(INDICES).map(|(_, name)| name).collect()
    }

    /// Other pointers, of whatever type, that are known at a pointer.
    pub fn pointers(&self, token: Token<'a>) -> Vec<&'a str> {
        let is_pointer = |name: &str| self.kind(name, token.at).is_some_and(|kind| kind.ends_with('*'));
        let others = self.variables.keys().filter(|name| **name != token.text && is_pointer(name)).copied();
        if is_pointer(token.text) { others.collect() } else { Vec::new() }
    }

    /// Other variables of the same type that are known at a token: those with a similar name (0), then the nearest (1).
    pub fn alike(&self, token: Token<'a>) -> Vec<(u32, &'a str)> {
        let Some(kind) = self.kind(token.text, token.at) else { return Vec::new() };
        let mut found: Vec<(u32, usize, &'a str)> = self
            .set_at(token.at)
            .filter(|(name, other)| *name != token.text && same(&other.kind, kind))
            .map(|(name, other)| (u32::from(!similar(name, token.text)), token.at - other.known.start, name))
            .collect();
        found.sort_unstable();
        let mut others = 0;
        found.retain(|(rank, ..)| {
            others += usize::from(*rank > 0);
            others <= OTHERS
        });
        found.into_iter().map(|(rank, _, name)| (rank, name)).collect()
    }
}

/// Types of whole numbers of at least 32 bits.
const WHOLE: [&str; 5] = ["int", "unsigned", "size_t", "uint32_t", "auto"];

/// Whether one type may be written for the other.
pub fn same(one: &str, other: &str) -> bool {
    one == other || WHOLE.contains(&one) && WHOLE.contains(&other)
}

/// Whether two names differ in one letter or in their last ones.
fn similar(one: &str, other: &str) -> bool {
    let differing = one.chars().zip(other.chars()).filter(|(a, b)| a != b).count();
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    one.len() == other.len() && differing == 1 || short.len() > 1 && long.starts_with(short)
}

/// The variables of these tokens.
pub fn names<'a>(tokens: &[Token<'a>]) -> Names<'a> {
    let mut names = Names { variables: BTreeMap::new(), declaring: BTreeSet::new() };
    let mut at = 0;
    while at < tokens.len() {
        if !is_type(tokens[at].text) {
            at += 1;
            continue;
        }
        let mut kind = String::new();
        // Of what a pointer points to, it matters whether it may be changed.
        if at > 0 && tokens[at - 1].text == "const" {
            kind.push_str("const");
        }
        while tokens.get(at).is_some_and(|token| {
            is_type(token.text) || ["const", "*", "&", "__restrict__"].contains(&token.text)
        }) {
            if !["__restrict__", "&"].contains(&tokens[at].text) {
                kind.push_str(tokens[at].text);
            }
            at += 1;
        }
        let kind = if kind.contains('*') { kind } else { kind.replace("const", "") };
        at = names.declared(tokens, at, &kind);
    }
    names
}

impl<'a> Names<'a> {
    /// Notes the names of one declaration, and returns the token after it that may begin another.
    fn declared(&mut self, tokens: &[Token<'a>], first: usize, kind: &str) -> usize {
        let mut at = first;
        loop {
            let Some(token) =
                tokens.get(at).filter(|token| token.is_name() && !KEYWORDS.contains(&token.text))
            else {
                return at.max(first);
            };
            let next = tokens.get(at + 1).map_or("", |token| token.text);
            // Of most types, a name before brackets is a function.
            let is_function = next == "(" && kind != "dim3";
            if is_function || !["=", ";", ",", ")", "[", "{", "("].contains(&next) {
                return at;
            }
            self.declaring.insert(at);
            let kind = if next == "[" { format!("{kind}[]") } else { kind.to_owned() };
            // `int a = f(1, 2), b`: the next name stands behind a comma outside all brackets.
            let mut depth = 0;
            let end = (at + 1..tokens.len()).find(|at| {
                let text = tokens[*at].text;
                depth +=
                    i32::from(["(", "[", "{"].contains(&text)) - i32::from([")", "]", "}"].contains(&text));
                depth < 0 || depth == 0 && [",", ";"].contains(&text)
            });
            let known = token.at..end_of_block(tokens, at);
            let set = end.map_or(token.at, |end| tokens[end].at);
            self.variables.entry(token.text).or_default().push(Variable { kind, known, set });
            match end.filter(|end| tokens[*end].text == ",") {
                Some(comma) => at = comma + 1,
                None => return first.max(at + 1),
            }
        }
    }
}

/// The byte at which the block of a declaration ends: of the loop or function whose head it stands in, or of the braces around it.
fn end_of_block(tokens: &[Token<'_>], at: usize) -> usize {
    let depth = |token: &Token<'_>| match token.text {
        "(" | "{" => 1,
        ")" | "}" => -1,
        _ => 0,
    };
    let mut open = 0;
    let mut in_head = false;
    for (index, token) in tokens.iter().enumerate().skip(at) {
        open += depth(token);
        if open < 0 && token.text == ")" {
            // In the head of a loop or a function, whose body follows.
            (in_head, open) = (true, 0);
            let has_braces = tokens.get(index + 1).is_some_and(|next| next.text == "{");
            if !has_braces {
                let end = tokens[index..].iter().find(|token| token.text == ";");
                return end.map_or(usize::MAX, |end| end.at);
            }
            continue;
        }
        if open < 0 || in_head && open == 0 && token.text == "}" {
            return token.at;
        }
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::super::tokens::{reached, tokens};
    use super::*;

    #[test]
    fn variables_of_one_type_are_alike_and_similar_names_come_first() {
        let text = "void task(const unsigned char* in, int width, int height) {\n    int near = 1, x0 = f(1, 2), x1 = 3;\n    float f = x0;\n}\n";
        let functions = reached(text, "task");
        let tokens = tokens(text, &functions);
        let names = names(&tokens);
        let last = tokens.iter().rev().find(|token| token.text == "x0").copied().expect("a name");
        assert_eq!(names.alike(last), [(0, "x1"), (1, "near"), (1, "height"), (1, "width")]);
        assert!(names.is_whole(last));
    }
}
