//! Small changes of a text, each of which undoes a slip that people make: a constant that is off by one, two things exchanged, a
//! comparison with or without equality, a line too many or in the wrong place.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use kernels::{Function, Side};

mod bytes;
mod lines;
mod lists;
mod names;
mod numbers;
mod operators;
mod series;

use super::declared::{self, Names};
use super::tokens::{Token, reached, tokens};
use crate::text::code::line_at;
use crate::tunable;

/// A change of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that are replaced.
    pub place: Range<usize>,
    /// What stands there instead.
    pub with: String,
    /// How likely such a slip is: smaller numbers are tried first.
    pub rank: u32,
    /// On which side the only function runs whose body it changes.
    pub side: Side,
    /// Whether two lines change their places.
    pub is_swap: bool,
}

impl Edit {
    /// A change that is known already: what it was is not.
    pub fn known(place: Range<usize>, with: String) -> Self {
        Self { place, with, rank: OFTEN, side: Side::Either, is_swap: false }
    }

    /// Whether it changes what a value is computed from, not which elements are used or how often: no index, condition, loop or statement.
    pub fn is_of_values(&self, source: &str) -> bool {
        let begin = source[..self.place.start].rfind('\n').map_or(0, |end| end + 1);
        let before = source[begin..self.place.start].trim_start();
        let open = before.matches('[').count() > before.matches(']').count();
        let steers = ["for", "if", "while", "} else if"].iter().any(|word| before.starts_with(word));
        let adds_a_statement = self.place.is_empty() && self.with.ends_with(';');
        !open && !steers && !self.is_swap && self.with != ";" && !adds_a_statement
    }

    /// The text with the change.
    pub fn applied(&self, source: &str) -> String {
        let mut text = source.to_owned();
        text.replace_range(self.place.clone(), &self.with);
        text
    }
}

/// Slips that are made often, or that few others look like.
const OFTEN: u32 = 0;
/// Slips that are made now and then, and of which a line has many.
const NOW_AND_THEN: u32 = 1;
/// Slips of which a line has very many.
const SELDOM: u32 = 2;

/// Added to the rank of slips in kernels whose results are right.
const TRUSTED: u32 = SELDOM + 2;

/// Operators that change the variable before them.
const ASSIGNING: [&str; 11] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--"];

/// The changes of what a task reaches, the likeliest first, then in the order of the text. Those of `trusted` kernels, which stored nothing
/// wrong, come last; those of the `named` lines, which findings are about, earlier than others of their kind.
pub fn edits(source: &str, task: &str, trusted: &BTreeSet<String>, named: &BTreeSet<u32>) -> Vec<Edit> {
    let functions = reached(source, task);
    let all = tokens(source, &functions);
    let names = declared::names(&all);
    let used: BTreeSet<&str> =
        all.iter().filter(|token| token.function.is_some()).map(|token| token.text).collect();
    let bodies: Vec<(Side, Range<usize>)> =
        functions.iter().map(|function| (function.side, function.place[1].clone())).collect();
    let whole: Vec<Range<usize>> =
        functions.iter().map(|function| function.place[0].start..function.place[1].end).collect();
    let trusted = trusted_alone(source, &functions, trusted);
    let mut found = Found {
        functions: &whole,
        source,
        all: &all,
        names: &names,
        bodies: &bodies,
        trusted: &trusted,
        sizes: in_brackets(&all),
        bytes: bytes::sizes(&all, &names),
        named,
        edits: Vec::new(),
    };
    found.of_sizes();
    for (at, token) in all.iter().enumerate() {
        if token.function.is_some() || found.is_constant_of(at, &used) {
            found.of_token(at);
        }
    }
    for function in &functions {
        found.of_lines(function);
    }
    found.sorted()
}

struct Found<'a> {
    source: &'a str,
    all: &'a [Token<'a>],
    names: &'a Names<'a>,
    /// All functions.
    functions: &'a [Range<usize>],
    /// Their bodies.
    bodies: &'a [(Side, Range<usize>)],
    /// Those of them that only trusted kernels run.
    trusted: &'a [Range<usize>],
    /// What stands in brackets of arrays.
    sizes: BTreeSet<&'a str>,
    /// Sizes in bytes.
    bytes: Vec<bytes::Size<'a>>,
    /// Lines that findings are about.
    named: &'a BTreeSet<u32>,
    edits: Vec<Edit>,
}

/// What stands in brackets of arrays.
fn in_brackets<'a>(all: &[Token<'a>]) -> BTreeSet<&'a str> {
    let mut open = 0;
    let mut inside = |token: &&Token<'a>| {
        open += i32::from(token.text == "[") - i32::from(token.text == "]");
        open > 0
    };
    all.iter().filter(|token| inside(token) && token.is_name()).map(|token| token.text).collect()
}

/// The places of functions that run in trusted kernels and in no other.
fn trusted_alone(source: &str, functions: &[Function], trusted: &BTreeSet<String>) -> Vec<Range<usize>> {
    let run: BTreeSet<&str> = trusted
        .iter()
        .flat_map(|kernel| tunable::reached(source, kernel))
        .chain(trusted.iter().map(String::as_str))
        .collect();
    let others = functions.iter().filter(|of| of.side == Side::Gpu && !run.contains(of.name.as_str()));
    let doubtful: BTreeSet<&str> = others.flat_map(|other| tunable::reached(source, &other.name)).collect();
    let is_sound = |of: &&Function| run.contains(of.name.as_str()) && !doubtful.contains(of.name.as_str());
    functions.iter().filter(is_sound).map(|of| of.place[0].start..of.place[1].end).collect()
}

impl<'a> Found<'a> {
    fn add(&mut self, place: Range<usize>, with: impl Into<String>, rank: u32) {
        let with = with.into();
        if self.is_other_size(&place, &with) {
            return;
        }
        let own = self.bodies.iter().find(|(_, body)| body.start <= place.start && place.end <= body.end);
        let side = own.map_or(Side::Either, |(side, _)| *side);
        // A constant that sizes an array hides that the array is overrun.
        let is_outer = !self.functions.iter().any(|function| function.contains(&place.start))
            && self.is_in_a_size(place.start);
        let is_trusted = self.trusted.iter().any(|function| function.contains(&place.start));
        let is_named = || self.named.contains(&line_at(self.source, place.start));
        let own = if is_outer { SELDOM } else { rank };
        // Of the lines that a finding is about, all but what is seldom comes before the rest.
        let own = match self.named.is_empty() {
            true => own,
            false if is_named() => own.saturating_sub(1),
            false => own + 1,
        };
        let rank = own + if is_trusted { TRUSTED } else { 0 };
        self.edits.push(Edit { place, with, rank, side, is_swap: false });
    }

    /// Whether a statement outside all functions names something that stands in brackets: a size or an index.
    fn is_in_a_size(&self, at: usize) -> bool {
        let line = self.line_of(at);
        let first = self.all.partition_point(|token| token.at < line.start);
        let last = self.all.partition_point(|token| token.at < line.end);
        let mut names = self.all[first..last].iter().filter(|token| self.names.is_variable(token.text));
        names.any(|name| self.sizes.contains(name.text))
    }

    fn text(&self, at: usize) -> &'a str {
        self.all.get(at).map_or("", |token| token.text)
    }

    fn before(&self, at: usize) -> &'a str {
        at.checked_sub(1).map_or("", |before| self.text(before))
    }

    /// The line that a byte stands in.
    fn line_of(&self, at: usize) -> Range<usize> {
        self.source[..at].rfind('\n').map_or(0, |end| end + 1)..self.end_of_line(at)
    }

    /// The end of the line that a byte stands in.
    fn end_of_line(&self, at: usize) -> usize {
        self.source[at..].find('\n').map_or(self.source.len(), |length| at + length)
    }

    /// Whether a token outside all functions belongs to a constant that they use.
    fn is_constant_of(&self, at: usize, used: &BTreeSet<&str>) -> bool {
        let begin = self.all[..at].iter().rposition(|token| [";", "}", "{"].contains(&token.text));
        let statement = &self.all[begin.map_or(0, |before| before + 1)..at];
        let is_value = statement.iter().any(|token| token.text == "=" || token.text == "[");
        is_value
            && statement.iter().any(|token| used.contains(token.text) && self.names.is_variable(token.text))
    }

    fn of_token(&mut self, at: usize) {
        let token = self.all[at];
        if token.text == "," {
            self.of_list(at);
        } else if token.number().is_some() {
            self.of_number(at);
        } else if token.text.starts_with(|c: char| c.is_ascii_digit()) {
            self.of_digits(at);
        } else if token.is_name() {
            self.of_name(at);
        } else {
            self.of_operator(at);
        }
    }

    /// Whether two texts may stand in each other's place: not if they are variables of types that do not mix.
    fn may_be_exchanged(&self, texts: [&str; 2], at: usize) -> bool {
        !matches!(texts.map(|text| self.names.kind(text, at)), [Some(a), Some(b)] if !declared::same(a, b))
    }

    /// Whether a token stands where a value is expected.
    fn is_operand(&self, at: usize) -> bool {
        let before = self.before(at);
        !["->", ".", "::"].contains(&before) && !declared::KEYWORDS.contains(&self.text(at))
    }

    /// Whether an operator stands between two values, so that it is no sign, pointer or address.
    fn is_binary(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).map(|before| self.all[before]) else { return false };
        let of_value = before.is_name() && !declared::is_type(before.text) && before.text != "return"
            || before.text.starts_with(|c: char| c.is_ascii_digit())
            || [")", "]"].contains(&before.text);
        let of_template = before.text.ends_with("_cast") || before.text == "template";
        of_value && !of_template
    }

    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        (open..self.all.len()).find(|at| {
            depth += i32::from(["(", "["].contains(&self.text(*at)))
                - i32::from([")", "]"].contains(&self.text(*at)));
            depth == 0
        })
    }

    fn opening(&self, close: usize) -> Option<usize> {
        let mut depth = 0;
        (0..=close).rev().find(|at| {
            depth += i32::from([")", "]"].contains(&self.text(*at)))
                - i32::from(["(", "["].contains(&self.text(*at)));
            depth == 0
        })
    }

    /// Whether brackets around the two values of an operator change what is computed.
    fn needs_brackets(&self, at: usize, whole: &Range<usize>) -> bool {
        let first = self.all.partition_point(|token| token.at < whole.start);
        let next = self.all.partition_point(|token| token.at < whole.end);
        let (own, before) = (binds(self.text(at)), self.before(first));
        let same = ["-", "/", "%", "*"].contains(&before) && binds(before) == own && self.text(at) != "*";
        binds(before) > own || binds(self.text(next)) > own || same
    }

    /// The bytes of the term before an operator: with the factors that belong to it.
    fn term_before(&self, at: usize) -> Option<Range<usize>> {
        let mut term = self.operand_before(at)?;
        loop {
            let first = self.all.partition_point(|token| token.at < term.start);
            let Some(operator) = first.checked_sub(1).filter(|before| self.is_binary(*before)) else { break };
            if binds(self.text(operator)) <= binds(self.text(at)) {
                break;
            }
            term.start = self.operand_before(operator)?.start;
        }
        Some(term)
    }

    /// The same behind it.
    fn term_after(&self, at: usize) -> Option<Range<usize>> {
        let mut term = self.operand_after(at)?;
        loop {
            let next = self.all.partition_point(|token| token.at < term.end);
            if binds(self.text(next)) <= binds(self.text(at)) {
                break;
            }
            term.end = self.operand_after(next)?.end;
        }
        Some(term)
    }

    /// The bytes of the value before an operator: a name or number with its members, indices and arguments.
    fn operand_before(&self, at: usize) -> Option<Range<usize>> {
        let end = at.checked_sub(1)?;
        let mut begin = end;
        loop {
            if [")", "]"].contains(&self.text(begin)) {
                begin = self.opening(begin)?;
                let callee = begin.checked_sub(1).map(|before| self.all[before]);
                let called = callee.is_some_and(|of| of.is_name() && !declared::KEYWORDS.contains(&of.text));
                if !called && self.text(begin) == "(" {
                    break;
                }
                begin = begin.checked_sub(1)?;
                continue;
            }
            if [".", "->", "::"].contains(&self.before(begin)) {
                begin = begin.checked_sub(2)?;
                continue;
            }
            break;
        }
        Some(self.all[begin].at..self.all[end].place().end)
    }

    /// The same behind an operator.
    fn operand_after(&self, at: usize) -> Option<Range<usize>> {
        let begin = at + 1;
        let first = self.all.get(begin)?;
        let is_value =
            first.is_name() || first.text == "(" || first.text.starts_with(|c: char| c.is_ascii_digit());
        if !is_value || declared::is_type(first.text) {
            return None;
        }
        let mut end = if first.text == "(" { self.closing(begin)? } else { begin };
        loop {
            match self.text(end + 1) {
                "(" | "[" => end = self.closing(end + 1)?,
                "." | "->" | "::" => end += 2,
                _ => break,
            }
        }
        Some(first.at..self.all.get(end)?.place().end)
    }

    /// The changes without repetitions, the likeliest kinds first; of one kind, the first of each line, then the second of each, so that no line
    /// takes all turns.
    fn sorted(self) -> Vec<Edit> {
        let mut edits = self.edits;
        edits.sort_by_key(|edit| (edit.rank, edit.place.start, edit.place.end));
        let mut tried = BTreeSet::new();
        edits.retain(|edit| {
            self.source[edit.place.clone()] != edit.with
                && tried.insert((edit.place.start, edit.place.end, edit.with.clone()))
        });
        let mut of_line: BTreeMap<(u32, u32), usize> = BTreeMap::new();
        let mut turn = |edit: &Edit| {
            let line = line_at(self.source, edit.place.start);
            let number = of_line.entry((edit.rank, line)).or_default();
            *number += 1;
            *number
        };
        let mut turns: Vec<(usize, Edit)> = edits.into_iter().map(|edit| (turn(&edit), edit)).collect();
        turns.sort_by_key(|(turn, edit)| (edit.rank, *turn));
        turns.into_iter().map(|(_, edit)| edit).collect()
    }
}

/// How tightly an operator binds, 0 if it is none of arithmetic.
fn binds(operator: &str) -> u32 {
    match operator {
        "*" | "/" | "%" => 5,
        "+" | "-" => 4,
        "<<" | ">>" => 3,
        "&" => 2,
        "|" | "^" => 1,
        _ => 0,
    }
}

/// The other of two texts, if this is one of them.
fn other_of<'a>(text: &str, (one, other): (&'a str, &'a str)) -> Option<&'a str> {
    if text == one {
        Some(other)
    } else if text == other {
        Some(one)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kernel with one line, as a task's text.
    fn text(line: &str) -> String {
        format!(
            "constexpr int tile = 16;\n__global__ void k(const unsigned char* in, unsigned char* out, int width, int height) {{\n\
             \x20   const int x = blockIdx.x * blockDim.x + threadIdx.x;\n    const int y = x / width;\n    int sum = 0, a = 1, b = 3 * 2;\n\
             \x20   uchar4 c = {{}};\n    {line}\n    out[y * width + x] = sum;\n}}\n\
             void task(const unsigned char* in, unsigned char* out, int width, int height) {{\n    k<<<1, tile>>>(in, out, width, height);\n}}\n"
        )
    }

    #[test]
    fn a_slip_in_a_line_is_undone_by_one_of_the_changes() {
        for (slip, right) in [
            ("sum = in[x * width + y];", "sum = in[y * width + x];"),
            ("if (x <= width) sum = 1;", "if (x < width) sum = 1;"),
            (
                "for (int i = 1; i < 5; i++) sum += in[x + i];",
                "for (int i = 0; i < 5; i++) sum += in[x + i];",
            ),
            (
                "for (int i = 0; i < 4; i++) sum += in[x + i];",
                "for (int i = 0; i < 5; i++) sum += in[x + i];",
            ),
            ("sum = max(0, min(x, height - 1));", "sum = max(0, min(x, width - 1));"),
            ("sum = x + y * width;", "sum = (x + y) * width;"),
            ("sum = a - b + x;", "sum = a - (b + x);"),
            ("sum = a + 2 * in[b] + x;", "sum = a + x;"),
            ("sum = 3 * a + b;", "sum = b;"),
            ("sum = (x + y) / width;", "sum = x + y / width;"),
            ("sum = (int)a + 3 / b;", "sum = (int)(a + 3) / b;"),
            ("sum = abs(a + b);", "sum = abs(a) + abs(b);"),
            ("sum = a / b;", "sum = (a + b - 1) / b;"),
            ("const float f = a / (b - 1); sum = f;", "const float f = 1.0f * a / (b - 1); sum = f;"),
            ("sum = 3 * a;", "sum = a;"),
            ("sum = a + 2 * in[b];", "sum = a + in[b];"),
            ("sum = a;", "sum = 3 * a;"),
            ("sum = c.x + c.y + c.y;", "sum = c.x + c.y + c.z;"),
            ("sum = __shfl_up_sync(~0u, a, 1);", "sum = __shfl_down_sync(~0u, a, 1);"),
            ("sum = 0.95f * a;", "sum = 0.59f * a;"),
            ("sum = __dp4a(a, 0x00010101, 0);", "sum = __dp4a(a, 0x01010101, 0);"),
            (
                "const int tx = threadIdx.x, ty = threadIdx.y;",
                "const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;",
            ),
            ("for (int i = 0; i < 8; i++) sum += in[i];", "for (int i = 0; i < 8; i += 8) sum += in[i];"),
            ("sum += c.y;", "sum += c.y; sum += c.z;"),
            ("sum = f(b, a);", "sum = f(a, b);"),
            ("int all; all += a;", "int all = 0; all += a;"),
            ("const int8_t v = in[x]; sum = v;", "const uint8_t v = in[x]; sum = v;"),
            ("sum = in[(char)a];", "sum = in[(unsigned char)a];"),
            ("sum = (uint8_t)(30 * a) / 100;", "sum = (int)(30 * a) / 100;"),
            ("return;", ";"),
            ("sum = in[a] + in[a + 1];", "sum = in[3 * a] + in[3 * a + 1];"),
            ("sum = in[threadIdx.x];", "sum = in[x];"),
            ("sum = a >> x % 4;", "sum = a >> (8 * x) % 4;"),
            (
                "for (int i = x; i < height; ++i) sum += in[i];",
                "for (int i = x; i < height; i += x) sum += in[i];",
            ),
            ("sum = a & 127;", "sum = a & 255;"),
            ("if (b == 0 && x < width) sum = 1;", "if (x < width) sum = 1;"),
            ("if (f(b) && (x < width || a)) sum = 1;", "if (f(b)) sum = 1;"),
            ("sum = in[a % 4] << (8 * (a / 4));", "sum = in[a / 4] << (8 * (a % 4));"),
            ("sum = f(c.x, c.y, c.z);", "sum = f(c.z, c.y, c.x);"),
            ("sum = ((const int*)(in))[x];", "sum = ((const int*)(out))[x];"),
            ("sum = -a;", "sum = a;"),
            ("sum = max(min(a, 0), 255);", "sum = max(min(a, 255), 0);"),
            ("sum = a / 16 + x;", "sum = a / 16 * 16 + x;"),
            ("int sums[32];", "__shared__ int sums[32];"),
            ("sum = a >> 18 & 255;", "sum = a >> 16 & 255;"),
            ("sum = abs(a) * b;", "sum = abs(a) * abs(b);"),
            ("sum = (a + 15) / 16;", "sum = (a) / 16;"),
            ("sum = in[0] + 2 * in[1];", "sum = in[1] + 2 * in[2];"),
            ("sum = a ^ 0x80808000;", "sum = a ^ 0x80808080;"),
            ("sum = f(a, 0x0001ff00);", "sum = f(a, 0x000100ff);"),
            ("p[1] = p[2], p[0] = p[1];", "p[0] = p[1], p[1] = p[2];"),
            ("sum = a * ((1u << 24) / b);", "sum = a * ((1u << 24) / b + 1);"),
            ("p[a] = b * ((1u << 24) / (x ? 81 : 25));", "p[a] = b * ((1u << 24) / (x ? 81 : 25) + 1);"),
            ("sum = a / 16 + x / 4 * 4;", "sum = a / 16 + x / 16 * 16;"),
            ("sum = max(min(a + b, 0), 255);", "sum = min(max(a + b, 0), 255);"),
            ("sum = in[b * 256 + a] + 32;", "sum = in[a * 32 + b] + 32;"),
            ("sum = in[(a >> b) + 32 * x];", "sum = in[(a >> b) * 32 + x];"),
            (
                "const int* p = reinterpret_cast<const int*>(in) + a;",
                "const int* p = reinterpret_cast<const int*>(in + a);",
            ),
            (
                "const int* p = reinterpret_cast<const int*>(in + a);",
                "const int* p = reinterpret_cast<const int*>(in) + a;",
            ),
            (
                "sum = min(x + 3, width - 2) + min(x, width);",
                "sum = min(x + 3, width - 2) + min(x, width - 2);",
            ),
            (
                "const auto f = [&](int i) -> uint8_t { return in[i]; };",
                "const auto f = [&](int i) -> int { return in[i]; };",
            ),
        ] {
            is_undone(slip, right);
        }
    }

    #[test]
    fn what_other_lines_have_is_tried_where_one_lacks_it() {
        for (slip, right) in [
            ("if (threadIdx.x == 0) sum = 1;", "if (blockIdx.x == 0 && threadIdx.x == 0) sum = 1;"),
            ("a = b & 0xff; sum = (b >> 8);", "a = b & 0xff; sum = (b >> 8 & 0xff);"),
            (
                "sum = in[(a + 1) / 4] >> 8 * ((a + 1) % 4);\n    sum += in[(a + 2) / 4] >> 8 * (a % 4);",
                "sum = in[(a + 1) / 4] >> 8 * ((a + 1) % 4);\n    sum += in[(a + 2) / 4] >> 8 * ((a + 2) % 4);",
            ),
            ("sum = in[width * blockIdx.x + a];", "sum = in[a * width + blockIdx.x];"),
            (
                "int r0 = 1, r1 = 2, r2 = 3;\n    r0 = r1;\n    sum = r1;",
                "int r0 = 1, r1 = 2, r2 = 3;\n    r0 = r1; r1 = r2;\n    sum = r1;",
            ),
            (
                "struct P { int n; };\n    P p;\n    p.n |= a;",
                "struct P { int n; };\n    P p = {};\n    p.n |= a;",
            ),
        ] {
            is_undone(slip, right);
        }
    }

    fn is_undone(slip: &str, right: &str) {
        let (source, wanted) = (text(slip), text(right));
        let found = edits(&source, "task", &BTreeSet::new(), &BTreeSet::new());
        let plain = |text: &str| text.replace(' ', "");
        assert!(
            found.iter().any(|edit| plain(&edit.applied(&source)) == plain(&wanted)),
            "{slip} to {right}"
        );
    }

    #[test]
    fn where_values_are_hardly_wrong_only_what_computes_them_is_changed() {
        let source = text("if (a < 4) b = 1;\n    sum = in[x + 1] * ((1 << 8) / b);");
        let found = edits(&source, "task", &BTreeSet::new(), &BTreeSet::new());
        let of_values: Vec<&Edit> = found.iter().filter(|edit| edit.is_of_values(&source)).collect();
        let tried = |line: &str| of_values.iter().any(|edit| edit.applied(&source).contains(line));
        assert!(tried("/ b + 1)") && tried("(1 << 7)"));
        assert!(!tried("in[x + 2]") && !tried("a <= 4") && !tried("{\n    ;"));
        assert!(of_values.len() < found.len());
    }

    #[test]
    fn no_change_writes_a_value_in_an_odd_way() {
        let source =
            text("sum = in[x + 1] + in[2 * x] + threadIdx.x; const int block = 256; a = (b + 15) / 64;");
        for odd in ["/ 0", "65", "x + 0", "1 * x", "threadIdx.y", "255", "(2 * x)", "abs(int)", "tile<<<"] {
            let found = edits(&source, "task", &BTreeSet::new(), &BTreeSet::new());
            let odd = found.iter().find(|edit| edit.with.contains(odd));
            assert_eq!(odd, None);
        }
        let found = edits(&source, "task", &BTreeSet::new(), &BTreeSet::new());
        assert!(!found.iter().any(|edit| edit.applied(&source).contains("(b - 15)")));
    }

    #[test]
    fn changes_of_kernels_whose_results_are_right_come_last() {
        let other = "__device__ int twice(int a) {\n    return 2 * a;\n}\n\
                     __global__ void border(unsigned char* out) {\n    out[twice(threadIdx.x)] = 1;\n}\n";
        let source = text("sum = a;").replace("    k<<<", "    border<<<1, 2>>>(out);\n    k<<<");
        let source = format!("{other}{source}");
        let trusted = BTreeSet::from(["border".to_owned()]);
        let places = |found: &[Edit]| -> Vec<bool> {
            found.iter().map(|edit| edit.place.start < other.len()).collect()
        };
        let found = places(&edits(&source, "task", &trusted, &BTreeSet::new()));
        let first = found.iter().position(|is_of_border| *is_of_border).expect("changes of the border");
        assert!(first > found.len() / 2 && found[first..].iter().all(|is_of_border| *is_of_border));
        // What another kernel runs as well may be wrong.
        let source = source.replace("sum = a;", "sum = twice(a);");
        let found = edits(&source, "task", &trusted, &BTreeSet::new());
        let of_twice = found.iter().position(|edit| source[edit.place.clone()].contains("2 * a"));
        assert!(of_twice.is_some_and(|at| at < found.len() / 2));
    }

    #[test]
    fn changes_of_lines_that_findings_are_about_come_earlier() {
        let source = text("sum = a;\n    sum = b - a;");
        let first = |named: &[u32]| {
            let named = named.iter().copied().collect();
            let found = edits(&source, "task", &BTreeSet::new(), &named);
            found.iter().position(|edit| edit.with == "a - b").expect("the two exchanged")
        };
        let at = 1 + source.lines().position(|line| line.contains("b - a")).expect("the line") as u32;
        assert!(first(&[at]) < first(&[]));
    }

    #[test]
    fn no_variable_is_tried_in_its_own_declaration() {
        let source = text("const int both = b / 4; sum = a;");
        let found = edits(&source, "task", &BTreeSet::new(), &BTreeSet::new());
        let tried = |line: &str| found.iter().any(|edit| edit.applied(&source).contains(line));
        assert!(!tried("both = both / 4"));
        assert!(tried("both = a / 4") && tried("sum = both"));
    }

    #[test]
    fn a_size_in_bytes_is_no_name_of_something_else() {
        let host = "    constexpr int block_size = 1024;\n    uint32_t* bins;\n    cudaMalloc(&bins, width * sizeof(uint32_t));\n    \
                    cudaMemset(bins, 0, width);\n    int* rest;\n    cudaMalloc(&rest, width + 1);\n    k<<<";
        let source = text("sum = a;").replace("    k<<<", host);
        let found = edits(&source, "task", &BTreeSet::new(), &BTreeSet::new());
        let first = |line: &str| found.iter().position(|edit| edit.applied(&source).contains(line));
        let bytes = first("cudaMemset(bins, 0, width * sizeof(uint32_t));").expect("the bytes of an element");
        assert!(first("cudaMemset(bins, 0, 3 * width)").is_none_or(|at| bytes < at));
        assert!(first("cudaMalloc(&rest, (width + 1) * sizeof(int));").is_some());
        for other in
            ["0, block_size)", "0, height)", "&bins, block_size *", "&rest, height", "&rest, block_size"]
        {
            assert_eq!(first(other), None, "{other}");
        }
    }

    #[test]
    fn lines_change_places_unless_one_needs_the_other() {
        let source = text("a = b;\n    b = 3;");
        let swapped = |edit: &Edit| edit.is_swap && edit.applied(&source).contains("b = 3;\n    a = b;");
        assert!(edits(&source, "task", &BTreeSet::new(), &BTreeSet::new()).iter().any(swapped));
        let source = text("const int n = a;\n    sum = n;");
        let swapped =
            |edit: &Edit| edit.is_swap && edit.applied(&source).contains("sum = n;\n    const int n");
        assert!(!edits(&source, "task", &BTreeSet::new(), &BTreeSet::new()).iter().any(swapped));
    }

    #[test]
    fn changes_of_kernels_are_told_from_those_of_the_host() {
        let source = text("sum = a;");
        let host = source.find("k<<<").expect("a launch");
        let found = edits(&source, "task", &BTreeSet::new(), &BTreeSet::new());
        let of = |side: Side| found.iter().filter(move |edit| edit.side == side);
        assert!(of(Side::Gpu).count() > 0 && of(Side::Gpu).all(|edit| edit.place.end < host));
        assert!(of(Side::Host).count() > 0 && of(Side::Host).all(|edit| edit.place.end > host));
        assert!(of(Side::Either).any(|edit| source[edit.place.clone()] == *"16"));
    }
}
