//! Sizes in bytes: of an allocation, a copy or a fill.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::declared;
use super::super::tokens::Token;
use super::{Found, OFTEN, binds};

/// Functions that take a size in bytes, with the numbers of their pointers and of the size among the arguments.
const CALLS: [(&str, &[usize], usize); 6] = [
    ("cudaMalloc", &[0], 1),
    ("cudaMallocAsync", &[0], 1),
    ("cudaMemset", &[0], 2),
    ("cudaMemsetAsync", &[0], 2),
    ("cudaMemcpy", &[0, 1], 2),
    ("cudaMemcpyAsync", &[0, 1], 2),
];

/// A size in bytes.
pub(super) struct Size<'a> {
    /// Its bytes in the text.
    pub place: Range<usize>,
    /// The type of an element of the buffer, as another size of the same buffer has it, or else the pointer; none if it is not known.
    kind: Option<&'a str>,
    /// The names in other sizes of the same buffer; none if there is no other.
    others: Option<BTreeSet<&'a str>>,
}

/// A call: its function, the names of its buffers, and the tokens of its size.
struct Call<'a> {
    function: Option<usize>,
    buffers: Vec<Token<'a>>,
    size: Range<usize>,
}

/// The sizes in bytes of these tokens.
pub(super) fn sizes<'a>(all: &[Token<'a>], names: &declared::Names<'a>) -> Vec<Size<'a>> {
    let calls: Vec<Call<'a>> = (0..all.len()).filter_map(|at| call(all, at)).collect();
    let words = |size: &Range<usize>| {
        let own = all[size.clone()].iter().filter(|token| token.is_name() && token.text != "sizeof");
        own.map(|token| token.text).collect::<Vec<_>>()
    };
    let size = |(at, own): (usize, &Call<'a>)| {
        let others = || {
            let same = |other: &Token<'_>| own.buffers.iter().any(|buffer| buffer.text == other.text);
            let of_function = calls.iter().enumerate().filter(|(_, other)| other.function == own.function);
            of_function.filter(move |(of, other)| *of != at && other.buffers.iter().any(same))
        };
        let with_type =
            others().flat_map(|(_, other)| words(&other.size)).find(|word| declared::is_type(word));
        let of_pointer = || {
            own.buffers.iter().find_map(|buffer| {
                let kind = names.element(buffer.text, buffer.at)?;
                TYPES.iter().copied().find(|of| *of == kind)
            })
        };
        let known: BTreeSet<&str> = others().flat_map(|(_, other)| words(&other.size)).collect();
        Size {
            place: all[own.size.start].at..all[own.size.end - 1].place().end,
            kind: with_type.or_else(of_pointer),
            others: others().next().map(|_| known),
        }
    };
    calls.iter().enumerate().map(size).collect()
}

/// Types of elements of several bytes.
const TYPES: [&str; 12] = [
    "int", "unsigned", "float", "double", "short", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t",
    "uint64_t", "size_t",
];

/// The call that begins at a token.
fn call<'a>(all: &[Token<'a>], at: usize) -> Option<Call<'a>> {
    let (_, pointers, number) = CALLS.iter().find(|(name, ..)| *name == all[at].text)?;
    all.get(at + 1).filter(|open| open.text == "(")?;
    let (mut depth, mut first) = (0, at + 2);
    let mut arguments: Vec<Range<usize>> = Vec::new();
    for (index, token) in all.iter().enumerate().skip(at + 2) {
        let ends = depth == 0 && [",", ")"].contains(&token.text);
        if ends {
            arguments.push(first..index);
            first = index + 1;
        }
        if ends && token.text == ")" {
            break;
        }
        depth += i32::from(["(", "[", "{"].contains(&token.text))
            - i32::from([")", "]", "}"].contains(&token.text));
    }
    let buffers = pointers.iter().filter_map(|pointer| {
        let argument = arguments.get(*pointer)?;
        let is_plain = |token: &&Token<'_>| {
            token.is_name() && !declared::is_type(token.text) && !declared::KEYWORDS.contains(&token.text)
        };
        all[argument.clone()].iter().find(is_plain).copied()
    });
    let size = arguments.get(*number).filter(|size| !size.is_empty())?.clone();
    Some(Call { function: all[at].function, buffers: buffers.collect(), size })
}

impl Found<'_> {
    /// Sizes that count elements: times the bytes of one.
    pub(super) fn of_sizes(&mut self) {
        let wanting: Vec<(Range<usize>, &str)> = (self.bytes.iter())
            .filter(|size| !self.source[size.place.clone()].contains("sizeof"))
            .filter_map(|size| Some((size.place.clone(), size.kind?)))
            .collect();
        for (place, kind) in wanting {
            let size = &self.source[place.clone()];
            let tokens = self.all.partition_point(|token| token.at < place.start)
                ..self.all.partition_point(|token| token.at < place.end);
            let is_sum = tokens.clone().any(|at| {
                (1..binds("*")).contains(&binds(self.text(at))) || ["?", ":"].contains(&self.text(at))
            });
            let size = if is_sum { format!("({size})") } else { size.to_owned() };
            self.add(place, format!("{size} * sizeof({kind})"), OFTEN);
        }
    }

    /// Whether a change takes another name for a size in bytes that nothing says of this buffer: one that is as great by chance, or greater, hides a
    /// missing `sizeof`.
    pub(super) fn is_other_size(&self, place: &Range<usize>, with: &str) -> bool {
        let changed = |size: &&Size<'_>| size.place.start < place.end && place.start < size.place.end;
        let Some(size) = self.bytes.iter().find(changed) else { return false };
        let own = &self.source[place.start.min(size.place.start)..place.end.max(size.place.end)];
        let own: BTreeSet<&str> = kernels::tokens_at(own).into_iter().map(|(_, text)| text).collect();
        let is_new = |text: &str| {
            let is_name = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
            is_name && text != "sizeof" && !declared::is_type(text) && !own.contains(text)
        };
        let mut new = kernels::tokens_at(with).into_iter().map(|(_, text)| text).filter(|text| is_new(text));
        match &size.others {
            Some(others) => new.any(|text| !others.contains(text)),
            // Bytes of bytes, or of counted elements, may be those of another name.
            None => size.kind.is_some() && !own.contains("sizeof") && new.next().is_some(),
        }
    }
}
