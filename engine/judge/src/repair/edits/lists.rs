//! Lists: arguments and first values.

use std::ops::Range;

use super::super::declared;
use super::{Found, NOW_AND_THEN, OFTEN};

impl Found<'_> {
    /// Two neighbours of a list exchanged, and the whole list the other way round.
    pub(super) fn of_list(&mut self, comma: usize) {
        self.of_assignments(comma);
        let Some(left) = self.item(comma, true) else { return };
        let Some(right) = self.item(comma, false) else { return };
        // Parameters and declarations in a list are no values.
        let declares = |of: Range<usize>| {
            of.into_iter().any(|at| self.names.declares(at) || declared::is_type(self.text(at)))
        };
        if declares(left.start..right.end) {
            return;
        }
        let bytes = [&left, &right].map(|of| self.all[of.start].at..self.all[of.end - 1].place().end);
        let [a, b] = bytes.clone().map(|place| &self.source[place]);
        let address = a.starts_with('&') != b.starts_with('&');
        if a != b && !address && self.may_be_exchanged([a, b], bytes[0].start) {
            let between = &self.source[bytes[0].end..bytes[1].start];
            let with = format!("{b}{between}{a}");
            self.add(bytes[0].start..bytes[1].end, with, OFTEN);
        }
        self.reversed(left);
    }

    /// A list of three or more whose first item this is, the other way round.
    fn reversed(&mut self, first: Range<usize>) {
        let opens = first.start > 0 && ["(", "{"].contains(&self.text(first.start - 1));
        let mut items = vec![first];
        while let Some(next) =
            items.last().filter(|last| self.text(last.end) == ",").and_then(|last| self.item(last.end, false))
        {
            items.push(next);
        }
        if opens && items.len() > 2 {
            let place = |of: &Range<usize>| self.all[of.start].at..self.all[of.end - 1].place().end;
            let texts: Vec<&str> = items.iter().rev().map(|item| &self.source[place(item)]).collect();
            let whole = place(&items[0]).start..place(&items[items.len() - 1]).end;
            self.add(whole, texts.join(", "), NOW_AND_THEN);
        }
    }

    /// The tokens of the item before or behind a comma; `None` if it is empty.
    fn item(&self, comma: usize, before: bool) -> Option<Range<usize>> {
        let depth = |text: &str| {
            i32::from(["(", "[", "{", "<<<"].contains(&text))
                - i32::from([")", "]", "}", ">>>"].contains(&text))
        };
        let mut open = 0;
        let mut ends = |at: &usize| {
            open += if before { -depth(self.text(*at)) } else { depth(self.text(*at)) };
            open < 0 || open == 0 && [",", ";", "="].contains(&self.text(*at))
        };
        let item = if before {
            (0..comma).rev().find(&mut ends)? + 1..comma
        } else {
            comma + 1..(comma + 1..self.all.len()).find(&mut ends)?
        };
        (!item.is_empty()).then_some(item)
    }
}
