//! Operators and brackets.

use std::collections::BTreeSet;

use super::super::declared;
use super::{Found, NOW_AND_THEN, OFTEN, SELDOM, other_of};

/// Operators of which one is easily written for the other, and how often.
const OPERATORS: [(&str, &str, u32); 15] = [
    ("<", "<=", OFTEN),
    (">", ">=", OFTEN),
    ("==", "!=", OFTEN),
    ("+", "-", OFTEN),
    ("&&", "||", OFTEN),
    ("+=", "=", OFTEN),
    ("/", "%", OFTEN),
    ("+=", "-=", NOW_AND_THEN),
    ("<<", ">>", NOW_AND_THEN),
    ("<", ">", NOW_AND_THEN),
    ("*", "/", NOW_AND_THEN),
    ("*", "+", NOW_AND_THEN),
    ("|", "+", NOW_AND_THEN),
    ("&", "|", NOW_AND_THEN),
    ("&", "%", NOW_AND_THEN),
];

impl<'a> Found<'a> {
    /// Whether an `=` gives a variable its first value, or an array: `int a[2] = {`.
    fn is_set_where_declared(&self, at: usize) -> bool {
        self.names.declares(at - 1) || self.before(at) == "]" && self.text(at + 1) == "{"
    }

    pub(super) fn of_operator(&mut self, at: usize) {
        let token = self.all[at];
        match token.text {
            "=" if at == 0 || self.is_set_where_declared(at) => return,
            "=" | "+=" | "-=" => {}
            "++" | "--" => return self.of_step(at),
            "&&" | "||" => self.of_condition(at),
            "(" => return self.of_bracket(at),
            "-" | "!" | "~" if !self.is_binary(at) => return self.add(token.place(), "", OFTEN),
            _ if !self.is_binary(at) => return,
            _ => {}
        }
        // `(n - 15) / 16` is no way to round.
        let rounds = token.text == "+" && self.rounds_up(at);
        for (one, other, rank) in OPERATORS.into_iter().filter(|_| !rounds) {
            if let Some(twin) = other_of(token.text, (one, other)) {
                self.add(token.place(), twin, rank);
            }
        }
        self.of_term(at);
        if token.text == "/" || token.text == "%" {
            self.of_quotients(at);
        }
    }

    /// Whether a sum is divided that has a number as its last term: `(n + 15) / 16`.
    fn rounds_up(&self, at: usize) -> bool {
        let number = self.all.get(at + 1).is_some_and(|token| token.number().is_some());
        number && self.text(at + 2) == ")" && self.text(at + 3) == "/"
    }

    /// `a / n` and `a % n` of a line, each in the place of the other.
    fn of_quotients(&mut self, at: usize) {
        let token = self.all[at];
        let end = self.end_of_line(token.at);
        let other = if token.text == "/" { "%" } else { "/" };
        let second = self.all[at + 1..].iter().take_while(|of| of.at < end).find(|of| of.text == other);
        if let Some(second) = second {
            let between = &self.source[token.place().end..second.at];
            let with = format!("{other}{between}{}", token.text);
            self.add(token.at..second.place().end, with, NOW_AND_THEN);
        }
    }

    /// A loop that goes on by one: by a number or a variable of the function, or backwards.
    fn of_step(&mut self, at: usize) {
        let token = self.all[at];
        let other = if token.text == "++" { "--" } else { "++" };
        self.add(token.place(), other, SELDOM);
        // `i++`, or `++i`.
        let (name, place) = match self.all.get(at + 1).filter(|next| next.is_name()) {
            Some(next) => (*next, token.at..next.place().end),
            None if at > 0 => (self.all[at - 1], self.all[at - 1].at..token.place().end),
            None => return,
        };
        let steps = self.numbers_beside(at).into_iter().filter(|step| *step > 1).map(|step| step.to_string());
        let names =
            self.names.whole_at(token.at).into_iter().filter(|other| *other != name.text).map(str::to_owned);
        for step in steps.chain(names).collect::<Vec<_>>() {
            self.add(place.clone(), format!("{} += {step}", name.text), NOW_AND_THEN);
        }
    }

    /// One of two conditions that is too many.
    fn of_condition(&mut self, at: usize) {
        let ends =
            |of: &usize| ["(", ")", "&&", "||", ";", "?", "=", "return", ","].contains(&self.text(*of));
        let mut depth = 0;
        let mut outside = |of: &usize, opens: [&str; 2]| {
            depth += i32::from(self.text(*of) == opens[0]) - i32::from(self.text(*of) == opens[1]);
            depth < 0 || depth == 0 && ends(of) && self.text(*of) != opens[1]
        };
        let Some(last) = (at + 1..self.all.len()).find(|of| outside(of, ["(", ")"])) else { return };
        let mut depth = 0;
        let first = (0..at).rev().find(|of| {
            depth += i32::from(self.text(*of) == ")") - i32::from(self.text(*of) == "(");
            depth < 0 || depth == 0 && ends(of) && self.text(*of) != "("
        });
        let Some(first) = first.filter(|first| first + 1 < at && at + 1 < last) else { return };
        let left = self.all[first + 1].at..self.all[at - 1].place().end;
        let right = self.all[at + 1].at..self.all[last - 1].place().end;
        for kept in [left.clone(), right.clone()] {
            self.add(left.start..right.end, self.source[kept].to_owned(), NOW_AND_THEN);
        }
    }

    /// A term or factor that is too many, brackets around one, and the operands exchanged.
    fn of_term(&mut self, at: usize) {
        if !["+", "-", "*", "/", "%", "<<", ">>", "&"].contains(&self.text(at)) {
            return;
        }
        self.of_whole_term(at);
        if self.text(at) == "+" {
            self.of_row(at);
        }
        let (Some(left), Some(right)) = (self.operand_before(at), self.operand_after(at)) else { return };
        let whole = left.start..right.end;
        let (a, b) = (self.source[left.clone()].to_owned(), self.source[right.clone()].to_owned());
        let operator = self.text(at);
        if operator != "*" && operator != "+" {
            self.add(whole.clone(), format!("{b} {operator} {a}"), NOW_AND_THEN);
        }
        if self.needs_brackets(at, &whole) {
            self.add(whole.clone(), format!("({a} {operator} {b})"), NOW_AND_THEN);
        }
        match operator {
            "/" => {
                // Of integers, it is cut off.
                if self.source[self.line_of(self.all[at].at)].contains("float") {
                    self.add(left, format!("1.0f * {a}"), OFTEN);
                }
                // Blocks are often rounded down.
                let line = &self.source[self.line_of(self.all[at].at)];
                let of_grid = ["dim3", "<<<", "block", "grid"].iter().any(|word| line.contains(word));
                let up = if self.source.contains("ceil_div(") {
                    format!("ceil_div({a}, {b})")
                } else {
                    format!("({a} + {b} - 1) / {b}")
                };
                self.add(whole.clone(), up, if of_grid { OFTEN } else { NOW_AND_THEN });
                // A scaled reciprocal, rounded up.
                self.add(whole.end..whole.end, " + 1", if a.contains("<<") { OFTEN } else { SELDOM });
                // The last multiple, where a rest begins.
                let begins = self.text(self.all.partition_point(|token| token.at < whole.end)) == "+";
                let often = if begins { OFTEN } else { NOW_AND_THEN };
                self.add(whole, format!("{a} / {b} * {b}"), often);
            }
            "<<" | ">>" => {
                self.add(right, format!("(8 * {b})"), NOW_AND_THEN);
                let last = self.all.partition_point(|token| token.at < whole.end);
                if operator == ">>" && [";", ")", ",", "]"].contains(&self.text(last)) {
                    for mask in self.masks(at) {
                        self.add(whole.end..whole.end, format!(" & {mask}"), OFTEN);
                    }
                }
            }
            _ => {}
        }
    }

    /// What other values of the function are masked with: `0xff` of `word >> 8 & 0xff`, where one may lack it.
    fn masks(&self, at: usize) -> BTreeSet<&'a str> {
        let own = self.all[at].function;
        let masked = self.all.windows(3).enumerate().filter(|(before, of)| {
            let is_number = of[2].text.starts_with(|c: char| c.is_ascii_digit());
            of[1].function == own && of[1].text == "&" && is_number && self.is_binary(before + 1)
        });
        masked.map(|(_, of)| of[2].text).collect()
    }

    /// A row and a place in it, exchanged: `a * n + b` to `b * n + a`, with another length of the row as well, and `a + n * b` to `a * n + b`.
    fn of_row(&mut self, at: usize) {
        let (Some(left), Some(right)) = (self.term_before(at), self.term_after(at)) else { return };
        let whole = left.start..right.end;
        let [a, b] = [left, right].map(|place| self.source[place].to_owned());
        let split = |term: &str| {
            let (row, length) = term.rsplit_once(" * ")?;
            Some((row.to_owned(), length.to_owned()))
        };
        match (split(&a), split(&b)) {
            (Some((row, length)), None) => {
                let lengths = self.numbers_beside(at).into_iter().filter(|length| *length > 4);
                let others = lengths.map(|length| length.to_string());
                let lengths: BTreeSet<String> = std::iter::once(length.clone()).chain(others).collect();
                for length in &lengths {
                    self.add(whole.clone(), format!("{b} * {length} + {row}"), NOW_AND_THEN);
                }
                // `blocks * blockIdx.x + b`, where the row is the second factor.
                for other in lengths.iter().chain([&row]).filter(|other| **other != length) {
                    self.add(whole.clone(), format!("{b} * {other} + {length}"), NOW_AND_THEN);
                }
            }
            (None, Some((one, other))) => {
                self.add(whole.clone(), format!("{a} * {one} + {other}"), NOW_AND_THEN);
                self.add(whole, format!("{a} * {other} + {one}"), NOW_AND_THEN);
            }
            _ => {}
        }
    }

    /// A term or factor that is too many: `a + b` to `a`, and `3 * i` to `i`.
    fn of_whole_term(&mut self, at: usize) {
        let (Some(left), Some(right)) = (self.term_before(at), self.term_after(at)) else { return };
        let (a, b) = (self.source[left.clone()].to_owned(), self.source[right.clone()].to_owned());
        let whole = left.start..right.end;
        let one = ["1", "2"].contains(&b.as_str()) || self.rounds_up(at);
        self.add(whole.clone(), a, if one { OFTEN } else { NOW_AND_THEN });
        if ["*", "+"].contains(&self.text(at)) {
            let twice = self.text(at) == "*" && self.source[left] == *"2";
            self.add(whole, b, if twice { OFTEN } else { NOW_AND_THEN });
        }
    }

    /// An offset before a pointer is converted, or after it: `reinterpret_cast<T*>(a) + b` to `reinterpret_cast<T*>(a + b)`. It counts elements of another
    /// type there.
    fn of_cast(&mut self, open: usize) {
        let Some(close) = self.closing(open) else { return };
        let (start, end) = (self.all[open].at, self.all[close].place().end);
        let inside = &self.source[start + 1..end - 1];
        if self.text(close + 1) == "+"
            && let Some(offset) = self.term_after(close + 1)
        {
            let with = format!("({inside} + {})", &self.source[offset.clone()]);
            self.add(start..offset.end, with, NOW_AND_THEN);
        }
        let mut added = (open + 1..close).filter(|of| self.text(*of) == "+");
        if let (Some(plus), None) = (added.next(), added.next()) {
            let pointer = self.source[start + 1..self.all[plus].at].trim();
            let offset = self.source[self.all[plus].place().end..end - 1].trim();
            self.add(start..end, format!("({pointer}) + {offset}"), NOW_AND_THEN);
        }
    }

    /// Brackets that are left out, or around each of two values: `abs(a + b)` to `abs(a) + abs(b)`.
    fn of_bracket(&mut self, at: usize) {
        let before = self.before(at);
        let begin = self.all[..at].iter().rposition(|token| token.text == "reinterpret_cast");
        if before == ">" && begin.is_some_and(|begin| self.all[begin..at].iter().all(|of| of.text != "(")) {
            self.of_cast(at);
        }
        let called = at > 0
            && self.all[at - 1].is_name()
            && !declared::KEYWORDS.contains(&before)
            && !declared::is_type(before);
        if let Some(close) = self.closing(at).filter(|close| called && *close > at + 3) {
            let inside = at + 1..close;
            let mut operators = inside.filter(|of| ["+", "-", "*"].contains(&self.text(*of)));
            if let (Some(operator), None) = (operators.next(), operators.next())
                && !self.all[at..close].iter().any(|token| token.text == ",")
            {
                let place = self.all[at - 1].at..self.all[close].place().end;
                let left = &self.source[self.all[at].place().end..self.all[operator].at];
                let right = &self.source[self.all[operator].place().end..self.all[close].at];
                let with =
                    format!("{before}({}) {} {before}({})", left.trim(), self.text(operator), right.trim());
                self.add(place, with, NOW_AND_THEN);
            }
        }
        let of_value =
            ["=", "(", "return", ",", "+", "-", "*", "/", "%", "<", "<=", "+=", "["].contains(&before);
        let Some(close) = self.closing(at).filter(|_| of_value) else { return };
        let inside = &self.all[at + 1..close];
        let has_operator =
            inside.iter().any(|token| ["+", "-", "*", "/", "%", "<<", ">>", "&", "|"].contains(&token.text));
        if has_operator && inside.len() > 2 {
            let place = self.all[at].at..self.all[close].place().end;
            let text = self.source[place.start + 1..place.end - 1].to_owned();
            self.add(place, text, NOW_AND_THEN);
        }
    }
}
