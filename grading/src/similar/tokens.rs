//! A file as hashes of successive tokens.

use std::collections::{BTreeMap, BTreeSet};
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

/// The sequences of a file: for each the places of its tokens, as numbers of first and last lines.
pub struct Print {
    /// The lines of each sequence.
    pub places: BTreeMap<u64, Vec<(usize, usize)>>,
}

impl Print {
    /// Of this text.
    pub fn new(text: &str) -> Self {
        let tokens = normal(text);
        let mut places: BTreeMap<u64, Vec<(usize, usize)>> = BTreeMap::new();
        for window in tokens.windows(LENGTH) {
            let mut hasher = DefaultHasher::new();
            window.iter().for_each(|(_, token)| token.hash(&mut hasher));
            places.entry(hasher.finish()).or_default().push((window[0].0, window[LENGTH - 1].0));
        }
        Self { places }
    }

    /// The sequences.
    pub fn all(&self) -> BTreeSet<u64> {
        self.places.keys().copied().collect()
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
        assert_eq!(Print::new(one).all(), Print::new(two).all());
        assert_ne!(Print::new(one).all(), Print::new(&other).all());
        assert!(Print::new(two).places.values().flatten().any(|(_, last)| *last == 4));
    }
}
