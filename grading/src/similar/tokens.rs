//! A file as hashes of successive tokens.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::LENGTH;

/// Names with a meaning that is not the author's.
const KNOWN: [&str; 67] = [
    "alignas",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "class",
    "const",
    "constexpr",
    "continue",
    "default",
    "delete",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "false",
    "float",
    "for",
    "goto",
    "half",
    "if",
    "inline",
    "int",
    "int32_t",
    "int64_t",
    "int8_t",
    "long",
    "namespace",
    "new",
    "nullptr",
    "operator",
    "private",
    "public",
    "reinterpret_cast",
    "return",
    "short",
    "signed",
    "size_t",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "true",
    "typedef",
    "typename",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uint8_t",
    "union",
    "unsigned",
    "using",
    "void",
    "volatile",
    "while",
    "blockDim",
    "blockIdx",
    "gridDim",
    "threadIdx",
    "warpSize",
    "dim3",
];
/// Beginnings of names of CUDA's.
const PREFIXES: [&str; 3] = ["__", "cuda", "atomic"];

/// A file: the line of each token, and the hash of the sequence that begins there.
pub struct Print {
    /// The line of each token, from 1.
    pub lines: Vec<usize>,
    /// The sequences, in order; the last tokens begin none.
    pub sequences: Vec<u64>,
}

impl Print {
    /// Of this text.
    pub fn new(text: &str) -> Self {
        let tokens = normal(text);
        let hash = |window: &[(usize, &str)]| {
            let mut hasher = DefaultHasher::new();
            for (_, token) in window {
                token.hash(&mut hasher);
            }
            hasher.finish()
        };
        Self {
            lines: tokens.iter().map(|(line, _)| *line).collect(),
            sequences: tokens.windows(LENGTH).map(hash).collect(),
        }
    }

    /// Which tokens are part of a wanted sequence.
    pub fn covered(&self, wanted: impl Fn(u64) -> bool) -> Vec<bool> {
        let mut covered = vec![false; self.lines.len()];
        for (at, sequence) in self.sequences.iter().enumerate() {
            if wanted(*sequence) {
                covered[at..at + LENGTH].fill(true);
            }
        }
        covered
    }
}

/// Tokens with their lines, from 1.
fn normal(text: &str) -> Vec<(usize, &str)> {
    let mut line = 1;
    let mut seen = 0;
    kernels::tokens_at(text)
        .into_iter()
        .map(|(at, token)| {
            line += text[seen..at].matches('\n').count();
            seen = at;
            (line, kind(token))
        })
        .collect()
}

fn kind(token: &str) -> &str {
    let first = token.chars().next().unwrap_or(' ');
    if first.is_ascii_digit() || (first == '.' && token.len() > 1) {
        return "0";
    }
    if token.contains(['"', '\'']) {
        return "\"";
    }
    let is_name = first.is_alphabetic() || first == '_';
    let known = KNOWN.contains(&token) || PREFIXES.iter().any(|prefix| token.starts_with(prefix));
    if is_name && !known { "n" } else { token }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_numbers_comments_and_layout_do_not_count() {
        let one = "__global__ void f(int* a, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) a[i] = i; }";
        let two = "/* mine */ __global__ void kernel(int *out,\n int size)\n{ int at = blockIdx.x*64 + threadIdx.x; // here\n\
                   if (at<size) out[at] = at; }";
        let other = one.replace("i < n", "n > i + 1");
        assert_eq!(Print::new(one).sequences, Print::new(two).sequences);
        assert_ne!(Print::new(one).sequences, Print::new(&other).sequences);
        assert_eq!(Print::new(two).lines.last(), Some(&4));
    }
}
