//! Whole lines: one too many, one that is missing, two in the wrong order.

use std::collections::BTreeSet;
use std::ops::Range;

use kernels::Function;

use super::super::declared;
use super::{Found, NOW_AND_THEN, OFTEN, SELDOM};
use crate::text::code::{code, has, is_part, words};

/// What makes the writes of a block visible to its other threads.
const BARRIER: &str = "__syncthreads();";

impl Found<'_> {
    /// The changes of each line of a function.
    pub(super) fn of_lines(&mut self, function: &Function) {
        let body = function.place[1].clone();
        let text = &self.source[body.clone()];
        let shares = ["__shared__", "__syncwarp", "[threadIdx"].iter().any(|word| text.contains(word));
        let lines: Vec<Range<usize>> = lines_of(self.source, &body);
        let sums = self.sums(&body);
        for (index, line) in lines.iter().enumerate() {
            self.of_values(line);
            self.of_elements(line);
            self.of_statement(line, &sums, shares);
            if let Some(next) = lines.get(index + 1).filter(|_| index > 0 && index + 2 < lines.len()) {
                self.of_pair(line, next);
            }
        }
    }

    /// What something is added to: it has to be zero before.
    fn sums(&self, body: &Range<usize>) -> BTreeSet<String> {
        let added =
            (0..self.all.len()).filter(|at| body.contains(&self.all[*at].at) && self.text(*at) == "+=");
        added.filter_map(|at| self.operand_before(at)).map(|place| self.source[place].to_owned()).collect()
    }

    /// A statement that is too many, or one that is missing behind it.
    fn of_statement(&mut self, line: &Range<usize>, sums: &BTreeSet<String>, shares: bool) {
        let code = code(&self.source[line.clone()]);
        let own = code.trim();
        let begin = line.start + code.len() - code.trim_start().len();
        let end = begin + own.len();
        if !own.ends_with(';')
            || own.starts_with("for")
            || own.matches('(').count() != own.matches(')').count()
        {
            return;
        }
        let first = own.split(|c: char| !is_part(c)).next().unwrap_or_default();
        let declares = declared::is_type(first)
            || ["const", "constexpr", "extern", "__shared__", "auto", "static"].contains(&first);
        if self.is_unset_struct(own) {
            self.add(end - 1..end, " = {};", OFTEN);
        } else if !declares {
            self.add(begin..end, ";", OFTEN);
        } else if own.contains('[') && !own.contains('=') && declared::is_type(first) {
            // An array of each thread, which the block should share.
            self.add(begin..begin, "__shared__ ", OFTEN);
        }
        if let Some(next) = next_of_series(own) {
            self.add(end..end, format!(" {next}"), NOW_AND_THEN);
        }
        if let Some(next) = next_numbers(own)
            && words(&next).all(|name| self.names.kind(name, end).is_some())
        {
            self.add(end..end, format!(" {next}"), OFTEN);
        }
        for sum in sums {
            self.add(end..end, format!(" {sum} = 0;"), SELDOM);
        }
        if shares && own != BARRIER {
            self.add(end..end, format!(" {BARRIER}"), SELDOM);
        }
    }

    /// Whether a statement declares a variable of a structure of the file and sets none of its members: `Pair p;`.
    fn is_unset_struct(&self, statement: &str) -> bool {
        let mut parts = statement.trim_end_matches(';').split_whitespace();
        let (Some(kind), Some(name), None) = (parts.next(), parts.next(), parts.next()) else { return false };
        let is_name = |word: &str| word.chars().all(is_part);
        is_name(kind) && is_name(name) && has(self.source, &format!("struct {kind}"))
    }

    /// Two lines, one below the other, that change their places.
    fn of_pair(&mut self, line: &Range<usize>, next: &Range<usize>) {
        let texts = [line, next].map(|line| &self.source[line.clone()]);
        let is_code = |text: &&str| {
            let code = code(text).trim();
            let is_whole =
                code.ends_with([';', '{', '}']) && code.matches('(').count() == code.matches(')').count();
            is_whole && !code.starts_with('#')
        };
        if texts.iter().all(is_code) && texts[0] != texts[1] && self.may_change_places(line, next) {
            self.add(line.start..next.end, format!("{}\n{}", texts[1], texts[0]), NOW_AND_THEN);
            if let Some(edit) = self.edits.last_mut() {
                edit.is_swap = true;
            }
        }
    }

    /// Whether two lines, one below the other, may change their places: neither needs a variable of the other, or of a block that it leaves.
    fn may_change_places(&self, line: &Range<usize>, next: &Range<usize>) -> bool {
        let inside = |of: &Range<usize>| {
            let of = of.clone();
            (0..self.all.len()).filter(move |at| of.contains(&self.all[*at].at))
        };
        let declared = |of: &Range<usize>, by: &Range<usize>| {
            let names: BTreeSet<&str> =
                inside(of).filter(|at| self.names.declares(*at)).map(|at| self.text(at)).collect();
            inside(by).any(|at| names.contains(self.text(at)))
        };
        let ends = self.source[next.clone()].trim_start().starts_with('}');
        let end = next.end;
        let leaves = ends
            && inside(line).any(|at| {
                let token = self.all[at];
                self.names.is_variable(token.text)
                    && self.names.kind(token.text, token.at).is_some()
                    && self.names.kind(token.text, end).is_none()
            });
        !declared(line, next) && !declared(next, line) && !leaves
    }
}

/// The statement that follows one in a series: `f(a.z);` after `f(a.y);`, or `f(a[3]);` after `f(a[2]);`.
fn next_of_series(statement: &str) -> Option<String> {
    for (own, next) in [(".z", ".w"), (".y", ".z"), (".x", ".y")] {
        if statement.contains(own) && !statement.contains("Idx") && !statement.contains("Dim") {
            return Some(statement.replace(own, next));
        }
    }
    let mut numbers = statement.match_indices('[').filter_map(|(at, _)| {
        let inside = statement[at + 1..].split(']').next()?;
        Some((at + 1, inside.parse::<u32>().ok()?))
    });
    let (_, number) = numbers.next()?;
    let with = format!("[{}]", number + 1);
    Some(statement.replace(&format!("[{number}]"), &with))
}

/// The assignment that follows one of variables with numbers: `r2 = r3;` after `r1 = r2;`.
fn next_numbers(statement: &str) -> Option<String> {
    let (left, right) = statement.strip_suffix(';')?.split_once(" = ")?;
    let next = |name: &str| {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let number: u32 = name[stem.len()..].parse().ok()?;
        (name.chars().all(is_part) && !stem.is_empty()).then(|| format!("{stem}{}", number + 1))
    };
    Some(format!("{} = {};", next(left)?, next(right)?))
}

/// The lines of a range, without their ends.
fn lines_of(source: &str, body: &Range<usize>) -> Vec<Range<usize>> {
    let mut begin = source[..body.start].rfind('\n').map_or(0, |end| end + 1);
    let mut found = Vec::new();
    while begin < body.end {
        let end = source[begin..].find('\n').map_or(source.len(), |length| begin + length);
        found.push(begin..end);
        begin = end + 1;
    }
    found
}
