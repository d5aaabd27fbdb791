//! Names: another variable, member or type.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::declared;
use super::super::tokens::Token;
use crate::text::code::line_at;

use super::{ASSIGNING, Found, NOW_AND_THEN, OFTEN, SELDOM, other_of};

/// Names of which one is easily written for the other.
const TWINS: [(&str, &str); 22] = [
    ("x", "y"),
    ("y", "z"),
    ("z", "w"),
    ("x", "w"),
    ("width", "height"),
    ("columns", "rows"),
    ("column", "row"),
    ("col", "row"),
    ("threadIdx", "blockIdx"),
    ("blockDim", "gridDim"),
    ("blockDim", "blockIdx"),
    ("min", "max"),
    ("fminf", "fmaxf"),
    ("grid", "block"),
    ("cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost"),
    ("return", "continue"),
    ("break", "continue"),
    ("atomicAdd", "atomicExch"),
    ("atomicMin", "atomicMax"),
    ("__shfl_up_sync", "__shfl_down_sync"),
    ("__funnelshift_l", "__funnelshift_r"),
    ("floorf", "roundf"),
];

/// Variables of three numbers.
const BUILT_IN: [&str; 4] = ["threadIdx", "blockIdx", "blockDim", "gridDim"];

/// Types of variables of which one is easily written for the other: what stands in the text, and what may be meant.
const TYPES: [(&str, &[&str]); 11] = [
    ("int8_t", &["uint8_t", "int"]),
    ("char", &["unsigned char", "int"]),
    ("uint8_t", &["int", "unsigned"]),
    ("short", &["int"]),
    ("int16_t", &["int"]),
    ("uint16_t", &["unsigned", "int"]),
    ("int", &["float", "unsigned", "long long"]),
    ("unsigned", &["int"]),
    ("uint32_t", &["int"]),
    ("float", &["double"]),
    ("bool", &["int"]),
];

/// Lines before and behind one whose terms it may lack.
const BESIDE: u32 = 2;

/// Values of a line that are exchanged with each other.
const VALUES: usize = 6;

impl<'a> Found<'a> {
    pub(super) fn of_name(&mut self, at: usize) {
        let token = self.all[at];
        self.of_twins(at);
        self.of_type(at);
        let next = self.text(at + 1);
        // A variable that is declared and not set.
        if self.names.declares(at) && next == ";" && token.function.is_some() && self.before(at) != "*" {
            self.add(token.place(), format!("{} = 0", token.text), OFTEN);
        }
        let is_changed = ASSIGNING.contains(&next) || ["++", "--"].contains(&self.before(at));
        if self.names.declares(at) || next == "(" || is_changed || !self.is_operand(at) {
            return;
        }
        if next == "." {
            return self.of_built_in(at);
        }
        for (rank, other) in self.names.alike(token) {
            self.add(token.place(), other, if rank == 0 { OFTEN } else { NOW_AND_THEN });
            self.everywhere(at, other);
        }
        for function in self.called_beside(at) {
            self.add(token.place(), format!("{function}({})", token.text), NOW_AND_THEN);
        }
        if next == ")" && self.before(at) == "(" {
            for other in self.names.pointers(token) {
                self.add(token.place(), other, SELDOM);
            }
        }
        for term in self.terms_of(at) {
            self.add(token.place(), format!("{} {term}", token.text), OFTEN);
        }
        for term in self.terms_beside(at) {
            self.add(token.place(), format!("({} + {term})", token.text), OFTEN);
        }
        if self.names.is_whole(token) && next != "[" {
            // Of pixels with three bytes, if there are any.
            if self.source.contains("3 *") || self.source.contains("* 3") || self.source.contains("rgb") {
                self.add(token.place(), format!("3 * {}", token.text), NOW_AND_THEN);
                self.everywhere(at, &format!("3 * {}", token.text));
            }
            for index in ["threadIdx.x", "(NAME + 1)", "(NAME - 1)"] {
                self.add(token.place(), index.replace("NAME", token.text), SELDOM);
            }
        }
    }

    /// What is subtracted from this variable elsewhere in the function: `- 2` of `height - 2`, where the bound of a loop may lack it.
    fn terms_of(&self, at: usize) -> BTreeSet<String> {
        let own = self.all[at];
        if !self.names.is_whole(own)
            || ["-", "*", "/", "%"].contains(&self.before(at))
            || ![")", ";", ","].contains(&self.text(at + 1))
        {
            return BTreeSet::new();
        }
        // One side of a picture has the border that the other has.
        let sides = ["width", "height"];
        let with = self.all.windows(3).filter(|of| {
            (of[0].text == own.text || [of[0].text, own.text].iter().all(|name| sides.contains(name)))
                && of[0].function == own.function
                && of[1].text == "-"
                && of[2].number().is_some_and(|value| value > 0)
        });
        with.map(|of| format!("- {}", of[2].text)).collect()
    }

    /// What is added to this variable elsewhere in its line, or in the lines beside it, where one of several terms may lack it: `at + 1`.
    fn terms_beside(&self, at: usize) -> BTreeSet<u64> {
        let own = self.all[at];
        if !self.names.is_whole(own) || ["+", "-"].contains(&self.text(at + 1)) || self.before(at) == "-" {
            return BTreeSet::new();
        }
        let line = line_at(self.source, own.at);
        let beside = self.all.windows(3).filter(|of| {
            of[0].text == own.text
                && of[0].function == own.function
                && of[1].text == "+"
                && line_at(self.source, of[0].at).abs_diff(line) <= BESIDE
        });
        beside.filter_map(|of| of[2].number().filter(|term| *term > 0)).collect()
    }

    /// The functions that the line calls with another value alone, and this one may need as well: `abs(dx) * dy`.
    fn called_beside(&self, at: usize) -> BTreeSet<&'a str> {
        let own = self.all[at];
        let line = self.line_of(own.at);
        let [first, last] =
            [line.start, line.end].map(|end| self.all.partition_point(|token| token.at < end));
        let calls = self.all[first..last].windows(4).filter(|of| {
            let [called, open, value, close] = of else { return false };
            let is_call = called.is_name() && open.text == "(" && value.is_name() && close.text == ")";
            let is_plain = !declared::KEYWORDS.contains(&called.text) && !declared::is_type(called.text);
            is_call && is_plain && value.text != own.text && self.names.kind(value.text, own.at).is_some()
        });
        let alone = self.before(at) == "(" && self.text(at + 1) == ")";
        let is_value = self.names.kind(own.text, own.at).is_some() && !alone;
        calls.filter(|_| is_value).map(|of| of[0].text).collect()
    }

    /// A name that is easily written for another one.
    fn of_twins(&mut self, at: usize) {
        let token = self.all[at];
        let built_in = self.before(at) == "." && at > 1 && BUILT_IN.contains(&self.text(at - 2));
        let is_member = [".", "->"].contains(&self.before(at));
        let leaves_early = token.text == "return" && self.text(at + 1) != ";";
        if self.names.declares(at) || leaves_early {
            return;
        }
        // Both bounds of a value.
        if let Some(inner) = other_of(token.text, ("min", "max"))
            && [self.text(at + 1), self.text(at + 2)] == ["(", inner]
        {
            self.add(token.at..self.all[at + 2].place().end, format!("{inner}({}", token.text), OFTEN);
        }
        // In a file that uses one dimension alone, the others are 0 everywhere.
        let flat =
            built_in && !["dim3", "threadIdx.y", "blockIdx.y"].iter().any(|word| self.source.contains(word));
        if flat {
            return;
        }
        for twin in TWINS.iter().filter_map(|pair| other_of(token.text, *pair)) {
            let is_unknown =
                !is_member && self.names.is_variable(token.text) && self.names.kind(twin, token.at).is_none();
            if !(is_unknown || built_in && twin == "w") {
                self.add(token.place(), twin, OFTEN);
            }
        }
    }

    /// A type that is too narrow, too wide, or has no sign.
    fn of_type(&mut self, at: usize) {
        let token = self.all[at];
        let is_cast = [self.before(at), self.text(at + 1)] == ["(", ")"];
        if let Some((_, types)) = TYPES.iter().find(|(name, _)| *name == token.text)
            && (is_cast || self.all.get(at + 1).is_some_and(Token::is_name) || self.before(at) == "->")
        {
            for kind in *types {
                self.add(token.place(), *kind, NOW_AND_THEN);
            }
        }
        if ["int8_t", "char"].contains(&token.text) && self.text(at + 1) == "*" {
            self.add(token.place(), "uint8_t", OFTEN);
        }
    }

    /// The same change of a name wherever it stands in the rest of its line, if it does so again.
    pub(super) fn everywhere(&mut self, at: usize, with: &str) {
        let token = self.all[at];
        let end = self.end_of_line(token.at);
        let same = |of: &usize| {
            let is_member = [".", "->"].contains(&self.before(*of));
            self.text(*of) == token.text && !is_member && (token.at..end).contains(&self.all[*of].at)
        };
        let places: Vec<Range<usize>> =
            (0..self.all.len()).filter(same).map(|of| self.all[of].place()).collect();
        let Some(last) = places.last().filter(|_| places.len() > 1).cloned() else { return };
        let mut text = self.source[token.at..last.end].to_owned();
        for place in places.iter().rev() {
            text.replace_range(place.start - token.at..place.end - token.at, with);
        }
        self.add(token.at..last.end, text, NOW_AND_THEN);
    }

    /// The index of a thread or block instead of a variable.
    fn of_built_in(&mut self, at: usize) {
        let token = self.all[at];
        let Some(member) = self.all.get(at + 2).filter(|_| BUILT_IN.contains(&token.text)) else { return };
        for other in self.names.whole_at(token.at) {
            self.add(token.at..member.place().end, other, NOW_AND_THEN);
        }
        if token.text == "threadIdx" {
            self.of_thread(at);
        }
        // One thread of each block, where one of the grid is meant.
        if token.text == "threadIdx" && [self.text(at + 3), self.text(at + 4)] == ["==", "0"] {
            let other = format!("blockIdx.{} == 0 && ", member.text);
            if !self.source[self.line_of(token.at)].contains("blockIdx") {
                self.add(token.at..token.at, other, NOW_AND_THEN);
            }
        }
    }

    /// A halo that was forgotten: the index of a thread, alone and with that of the other direction in the same line.
    fn of_thread(&mut self, at: usize) {
        let token = self.all[at];
        let Some(member) = self.all.get(at + 2) else { return };
        let place = token.at..member.place().end;
        for halo in 1..=2 {
            self.add(place.clone(), format!("(threadIdx.{} + {halo})", member.text), SELDOM);
        }
        let end = self.end_of_line(place.end);
        let rest = &self.source[place.end..end];
        if member.text == "x" && rest.contains("threadIdx.y") {
            for halo in 1..=2 {
                let with = rest.replace("threadIdx.y", &format!("threadIdx.y + {halo}"));
                self.add(place.start..end, format!("threadIdx.x + {halo}{with}"), NOW_AND_THEN);
            }
        }
    }

    /// Two values of a line that stand in each other's place: names with their members, and numbers.
    pub(super) fn of_values(&mut self, line: &Range<usize>) {
        let first = self.all.partition_point(|token| token.at < line.start);
        let last = self.all.partition_point(|token| token.at < line.end);
        let mut values: Vec<Range<usize>> = Vec::new();
        for at in first..last {
            let is_value = (self.all[at].is_name() || self.all[at].number().is_some())
                && self.is_operand(at)
                && !self.names.declares(at)
                && !declared::is_type(self.text(at));
            if !is_value
                || ["(", "[", "<<<"].contains(&self.text(at + 1))
                || ASSIGNING.contains(&self.text(at + 1))
            {
                continue;
            }
            let end = if self.text(at + 1) == "." { at + 2 } else { at };
            values.push(self.all[at].at..self.all[end].place().end);
        }
        values.truncate(VALUES);
        for (index, left) in values.iter().enumerate() {
            for right in &values[index + 1..] {
                let (a, b) = (&self.source[left.clone()], &self.source[right.clone()]);
                if a != b && self.may_be_exchanged([a, b], left.start) {
                    let with = format!("{b}{}{a}", &self.source[left.end..right.start]);
                    self.add(left.start..right.end, with, NOW_AND_THEN);
                }
            }
        }
    }
}
