//! Things of which a line has several: elements of one array, bytes of one number, assignments.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Found, NOW_AND_THEN, SELDOM};

impl Found<'_> {
    /// The elements of an array that a line takes by their numbers, each one farther on, or one before: `a[0] + a[1]` to `a[1] + a[2]`.
    pub(super) fn of_elements(&mut self, line: &Range<usize>) {
        let inside = self.all.partition_point(|token| token.at < line.start)
            ..self.all.partition_point(|token| token.at < line.end);
        let mut arrays: BTreeMap<&str, Vec<(Range<usize>, u64)>> = BTreeMap::new();
        for at in inside {
            let is_element = self.text(at + 1) == "[" && self.text(at + 3) == "]" && !self.names.declares(at);
            if let Some(number) = self.all.get(at + 2).filter(|_| is_element)
                && let Some(value) = number.number()
            {
                arrays.entry(self.text(at)).or_default().push((number.place(), value));
            }
        }
        for elements in arrays.values().filter(|elements| elements.len() > 1) {
            let place = elements[0].0.start..elements[elements.len() - 1].0.end;
            let moved = |by: i64| {
                let mut text = self.source[place.clone()].to_owned();
                for (own, value) in elements.iter().rev() {
                    let own = own.start - place.start..own.end - place.start;
                    text.replace_range(own, &value.checked_add_signed(by)?.to_string());
                }
                Some(text)
            };
            for with in [moved(1), moved(-1)].into_iter().flatten() {
                self.add(place.clone(), with, NOW_AND_THEN);
            }
        }
    }

    /// Bytes of a number in hexadecimal: each as one that is common, or as another of the same number, and two neighbours exchanged.
    pub(super) fn of_bytes(&mut self, at: usize) {
        let token = self.all[at];
        let Some(digits) = token.text.strip_prefix("0x").map(|digits| digits.trim_end_matches(['u', 'U']))
        else {
            return;
        };
        if !digits.len().is_multiple_of(2) || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return;
        }
        let bytes: Vec<&str> = (0..digits.len()).step_by(2).map(|byte| &digits[byte..byte + 2]).collect();
        let place = |byte: usize| token.at + 2 + 2 * byte;
        for (index, byte) in bytes.iter().enumerate() {
            let mut others: Vec<&str> =
                ["00", "01", "02", "ff"].into_iter().chain(bytes.iter().copied()).collect();
            others.sort_unstable();
            others.dedup();
            for other in others.into_iter().filter(|other| other != byte) {
                let rank = if bytes.contains(&other) { NOW_AND_THEN } else { SELDOM };
                self.add(place(index)..place(index + 1), other, rank);
            }
            if let Some(next) = bytes.get(index + 1).filter(|next| *next != byte) {
                self.add(place(index)..place(index + 2), format!("{next}{byte}"), NOW_AND_THEN);
            }
        }
    }

    /// Two assignments with a comma between them, in the other order.
    pub(super) fn of_assignments(&mut self, comma: usize) {
        let depth = |text: &str| {
            i32::from(["(", "[", "{"].contains(&text)) - i32::from([")", "]", "}"].contains(&text))
        };
        let mut open = 0;
        let first = (0..comma).rev().find(|at| {
            open -= depth(self.text(*at));
            open < 0 || open == 0 && [",", ";", "{", "}"].contains(&self.text(*at))
        });
        let mut open = 0;
        let last = (comma + 1..self.all.len()).find(|at| {
            open += depth(self.text(*at));
            open < 0 || open == 0 && [",", ";"].contains(&self.text(*at))
        });
        let (Some(first), Some(last)) = (first, last) else { return };
        let both = [first + 1..comma, comma + 1..last];
        let assigns = |of: &Range<usize>| {
            of.clone().any(|at| self.text(at) == "=") && !of.clone().any(|at| self.names.declares(at))
        };
        if both.iter().all(assigns) {
            let [left, right] = both.map(|of| self.all[of.start].at..self.all[of.end - 1].place().end);
            let between = &self.source[left.end..right.start];
            let with = format!("{}{between}{}", &self.source[right.clone()], &self.source[left.clone()]);
            self.add(left.start..right.end, with, NOW_AND_THEN);
        }
    }
}
