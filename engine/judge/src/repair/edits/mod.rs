//! Small changes of a text, each of which undoes a slip that people make: a constant that is off by one, two things exchanged, a
//! comparison with or without equality, a line too many or in the wrong place.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use kernels::Side;

mod lines;
mod lists;
mod names;
mod numbers;
mod operators;

use super::declared::{self, Names};
use super::tokens::{Token, reached, tokens};

/// A change of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that are replaced.
    pub place: Range<usize>,
    /// What stands there instead.
    pub with: String,
    /// How likely such a slip is: smaller numbers are tried first.
    pub rank: u32,
    /// Whether it changes nothing but the body of a kernel or of a function that runs on the GPU alone.
    pub in_kernel: bool,
    /// Whether two lines change their places.
    pub is_swap: bool,
}

impl Edit {
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

/// Operators that change the variable before them.
const ASSIGNING: [&str; 11] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--"];

/// The changes of what a task reaches, the likeliest first, then in the order of the text.
pub fn edits(source: &str, task: &str) -> Vec<Edit> {
    let functions = reached(source, task);
    let all = tokens(source, &functions);
    let names = declared::names(&all);
    let used: BTreeSet<&str> =
        all.iter().filter(|token| token.function.is_some()).map(|token| token.text).collect();
    let on_gpu = functions.iter().filter(|function| function.side == Side::Gpu);
    let kernels: Vec<Range<usize>> = on_gpu.map(|function| function.place[1].clone()).collect();
    let whole: Vec<Range<usize>> =
        functions.iter().map(|function| function.place[0].start..function.place[1].end).collect();
    let mut found =
        Found { functions: &whole, source, all: &all, names: &names, kernels: &kernels, edits: Vec::new() };
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
    /// The bodies of functions that run on the GPU alone.
    kernels: &'a [Range<usize>],
    edits: Vec<Edit>,
}

impl<'a> Found<'a> {
    fn add(&mut self, place: Range<usize>, with: impl Into<String>, rank: u32) {
        let in_kernel = self.kernels.iter().any(|body| body.start <= place.start && place.end <= body.end);
        // A constant that sizes an array hides that the array is overrun.
        let is_outer = !self.functions.iter().any(|function| function.contains(&place.start));
        let rank = if is_outer { SELDOM } else { rank };
        self.edits.push(Edit { place, with: with.into(), rank, in_kernel, is_swap: false });
    }

    fn text(&self, at: usize) -> &'a str {
        self.all.get(at).map_or("", |token| token.text)
    }

    fn before(&self, at: usize) -> &'a str {
        at.checked_sub(1).map_or("", |before| self.text(before))
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
        let mut of_line: BTreeMap<(u32, usize), usize> = BTreeMap::new();
        let mut turn = |edit: &Edit| {
            let line = self.source[..edit.place.start].matches('\n').count();
            let number = of_line.entry((edit.rank, line)).or_default();
            *number += 1;
            *number
        };
        let mut turns: Vec<(usize, Edit)> = edits.into_iter().map(|edit| (turn(&edit), edit)).collect();
        turns.sort_by_key(|(turn, edit)| (edit.rank, *turn));
        turns.into_iter().map(|(_, edit)| edit).collect()
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
             \x20   const int x = blockIdx.x * blockDim.x + threadIdx.x;\n    const int y = x / width;\n    int sum = 0, a = 1, b = 2;\n\
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
            ("sum = (x + y) / width;", "sum = x + y / width;"),
            ("sum = (int)a + 3 / b;", "sum = (int)(a + 3) / b;"),
            ("sum = abs(a + b);", "sum = abs(a) + abs(b);"),
            ("sum = a / b;", "sum = (a + b - 1) / b;"),
            ("sum = 3 * a;", "sum = a;"),
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
        ] {
            let (source, wanted) = (text(slip), text(right));
            let found = edits(&source, "task");
            let plain = |text: &str| text.replace(' ', "");
            assert!(
                found.iter().any(|edit| plain(&edit.applied(&source)) == plain(&wanted)),
                "{slip} to {right}"
            );
        }
    }

    #[test]
    fn no_change_writes_a_value_in_an_odd_way() {
        let source = text("sum = in[x + 1] + in[2 * x] + threadIdx.x; const int block = 256;");
        for odd in ["x + 0", "1 * x", "threadIdx.y", "255"] {
            let found = edits(&source, "task");
            let odd = found.iter().find(|edit| edit.with.contains(odd));
            assert_eq!(odd, None);
        }
    }

    #[test]
    fn lines_change_places_unless_one_needs_the_other() {
        let source = text("a = b;\n    b = 3;");
        let swapped = |edit: &Edit| edit.is_swap && edit.applied(&source).contains("b = 3;\n    a = b;");
        assert!(edits(&source, "task").iter().any(swapped));
        let source = text("const int n = a;\n    sum = n;");
        let swapped =
            |edit: &Edit| edit.is_swap && edit.applied(&source).contains("sum = n;\n    const int n");
        assert!(!edits(&source, "task").iter().any(swapped));
    }

    #[test]
    fn changes_of_kernels_are_told_from_those_of_the_host() {
        let source = text("sum = a;");
        let host = source.find("k<<<").expect("a launch");
        let found = edits(&source, "task");
        assert!(found.iter().any(|edit| edit.in_kernel) && found.iter().any(|edit| !edit.in_kernel));
        assert!(found.iter().all(|edit| !edit.in_kernel || edit.place.end < host));
    }
}
