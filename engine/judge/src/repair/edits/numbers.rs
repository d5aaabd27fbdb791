//! Numbers: off by one, another one of the function, digits exchanged.

use std::collections::BTreeSet;

use super::super::tokens::Token;
use super::{Found, NOW_AND_THEN, OFTEN, SELDOM};

/// Numbers of a function that are tried for another one.
const NUMBERS: usize = 4;

impl Found<'_> {
    pub(super) fn of_number(&mut self, at: usize) {
        let (token, Some(value)) = (self.all[at], self.all[at].number()) else { return };
        let suffix = &token.text[token.text.trim_end_matches(['u', 'U']).len()..];
        let mut tried = BTreeSet::from([value]);
        // `a + 0` and `1 * a` are odd ways to write `a`, which is tried as well, and nothing is divided by 0.
        let beside = [self.before(at), self.text(at + 1)];
        let adds = ["+", "-"].contains(&beside[0]);
        let divides = ["/", "%"].contains(&beside[0]);
        let scales = beside.contains(&"*") || beside[0] == "/";
        let mut put = |found: &mut Self, value: u64, rank: u32| {
            let is_odd = value == 0 && (adds || divides) || value == 1 && scales;
            if !is_odd && tried.insert(value) {
                found.add(token.place(), format!("{value}{suffix}"), rank);
            }
        };
        // A block has whole warps: 255 threads would only hide a mistake.
        let sizes_a_block = value >= 32 && value.is_multiple_of(32) && self.is_beside_a_launch(at);
        // Whoever divides by 4, 8 or 16 makes groups of as many: with 5 there would only be fewer of them. Who multiplies by them counts bytes of words.
        let groups = (divides || beside[1] == "*") && value >= 4 && value.is_power_of_two();
        if !sizes_a_block && !groups {
            put(self, value + 1, OFTEN);
            if let Some(less) = value.checked_sub(1) {
                put(self, less, OFTEN);
            }
        }
        if ["<<", ">>"].contains(&self.before(at)) {
            put(self, value / 8 * 8, OFTEN);
            put(self, value.next_multiple_of(8), OFTEN);
        }
        for near in self.numbers_beside(at) {
            put(self, near, NOW_AND_THEN);
        }
        for other in [0, 2 * value, value / 2] {
            put(self, other, NOW_AND_THEN);
        }
        // A rest begins behind the same groups that are counted: `n / 4 * 4`.
        for near in
            self.numbers_beside(at).into_iter().filter(|near| *near > 1 && *near != value && value > 1)
        {
            self.everywhere(at, &format!("{near}{suffix}"));
        }
        for other in [2 * value + 1, 4 * value, 3 * value] {
            put(self, other, SELDOM);
        }
    }

    /// A number with a point, or in hexadecimal: two neighbouring digits exchanged, and the others of the function.
    pub(super) fn of_digits(&mut self, at: usize) {
        let token = self.all[at];
        let digits: Vec<char> = token.text.chars().collect();
        for index in 0..digits.len() - 1 {
            let pair = [digits[index], digits[index + 1]];
            if pair.iter().all(char::is_ascii_digit) && pair[0] != pair[1] && index > 0 {
                let mut other = digits.clone();
                other.swap(index, index + 1);
                self.add(token.place(), other.into_iter().collect::<String>(), NOW_AND_THEN);
            }
        }
        let alike = |other: &&Token<'_>| {
            other.function == token.function
                && other.number().is_none()
                && other.text.starts_with(|c: char| c.is_ascii_digit())
        };
        let others: BTreeSet<&str> = self.all.iter().filter(alike).map(|other| other.text).collect();
        for other in others {
            self.add(token.place(), other, NOW_AND_THEN);
        }
        self.of_bytes(at);
    }

    /// Whether a line launches a kernel or speaks of a block.
    fn is_beside_a_launch(&self, at: usize) -> bool {
        let line = &self.source[self.line_of(self.all[at].at)];
        line.contains("<<<") || line.contains("block")
    }

    /// The numbers of the same function, those of the nearest lines first.
    pub(super) fn numbers_beside(&self, at: usize) -> Vec<u64> {
        let own = self.all[at];
        let mut near: Vec<(usize, u64)> = (self.all.iter())
            .filter(|token| token.function == own.function)
            .filter_map(|token| Some((token.at.abs_diff(own.at), token.number()?)))
            .collect();
        near.sort_unstable();
        let mut values = Vec::new();
        for (_, value) in near {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values.truncate(NUMBERS);
        values
    }
}
