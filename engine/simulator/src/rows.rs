//! Rows of bytes at equal distances: one side of a two-dimensional copy or fill.

use std::ops::Range;

/// Bytes of a sector, the unit that memory moves.
const SECTOR: u64 = 32;

/// `rows` rows of `width` bytes, `pitch` bytes apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rows {
    /// Address of the first byte.
    pub address: u64,
    /// Bytes from the start of a row to that of the next.
    pub pitch: u64,
    /// Bytes of a row.
    pub width: u64,
    /// How many rows.
    pub rows: u64,
}

impl Rows {
    /// `bytes` bytes in one row.
    pub fn line(address: u64, bytes: u64) -> Self {
        Self { address, pitch: bytes, width: bytes, rows: 1 }
    }

    /// Bytes that memory moves for them: whole sectors where there are gaps between rows.
    pub fn moved_bytes(self) -> u64 {
        if self.pitch == self.width || self.rows <= 1 {
            return self.bytes();
        }
        self.rows.saturating_mul(self.width.next_multiple_of(SECTOR))
    }

    /// The same, as one row if there is no gap between rows.
    #[must_use]
    pub fn joined(self) -> Self {
        match self.width.checked_mul(self.rows) {
            Some(bytes) if self.pitch == self.width => Self::line(self.address, bytes),
            _ => self,
        }
    }

    /// Bytes of all rows, without the gaps; `u64::MAX` if that is more.
    pub fn bytes(&self) -> u64 {
        self.width.saturating_mul(self.rows)
    }

    /// Bytes from the first to the last one, with the gaps; `u64::MAX` if that is more.
    pub fn extent(&self) -> u64 {
        if self.bytes() == 0 {
            0
        } else {
            (self.rows - 1).saturating_mul(self.pitch).saturating_add(self.width)
        }
    }

    /// Whether a byte is in one of the rows and among `length` bytes at `address`. Rows do not overlap each other.
    pub fn meets(&self, address: u64, length: u64) -> bool {
        let end = address.saturating_add(length);
        if self.bytes() == 0 || length == 0 || end <= self.address {
            return false;
        }
        // The last row that begins before the end.
        let row = match (end - 1 - self.address).checked_div(self.pitch) {
            Some(row) => row.min(self.rows - 1),
            None => 0,
        };
        address < self.address + row * self.pitch + self.width
    }

    /// The same for other rows.
    pub fn meet(&self, other: &Self) -> bool {
        let (few, many) = if self.rows < other.rows { (self, other) } else { (other, self) };
        few.starts().any(|start| many.meets(start, few.width))
    }

    /// The address of each row.
    pub fn starts(self) -> impl Iterator<Item = u64> {
        (0..self.rows).map(move |row| self.address + row * self.pitch)
    }

    /// The addresses of bytes that are numbered without the gaps, in ranges.
    pub fn places(self, numbers: Range<u64>) -> impl Iterator<Item = Range<u64>> {
        let mut next = numbers.start;
        std::iter::from_fn(move || {
            if next >= numbers.end || self.width == 0 {
                return None;
            }
            let (row, into) = (next / self.width, next % self.width);
            let length = (self.width - into).min(numbers.end - next);
            next += length;
            let start = self.address + row * self.pitch + into;
            Some(start..start + length)
        })
    }
}

/// Copies between bytes without gaps and rows in `all`, which begins with the first row: `each` gets a row of both.
pub(crate) fn each_row(rows: &Rows, mut each: impl FnMut(usize, usize)) {
    for row in 0..rows.rows as usize {
        each(row * rows.pitch as usize, row * rows.width as usize);
    }
}

/// What `undefined` says of each row, numbered without the gaps.
pub(crate) fn numbered(
    rows: Rows,
    mut undefined: impl FnMut(u64, u64) -> Vec<Range<u64>>,
) -> Vec<Range<u64>> {
    // Mostly the gaps are written, too, and millions of rows are one question.
    if undefined(rows.address, rows.extent()).is_empty() {
        return Vec::new();
    }
    let mut all: Vec<Range<u64>> = Vec::new();
    for (row, start) in rows.starts().enumerate() {
        let before = row as u64 * rows.width;
        for part in undefined(start, rows.width) {
            match all.last_mut() {
                Some(last) if last.end == before + part.start => last.end = before + part.end,
                _ => all.push(before + part.start..before + part.end),
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_meet_bytes_and_not_gaps() {
        let rows = Rows { address: 100, pitch: 10, width: 3, rows: 4 };
        assert_eq!((rows.bytes(), rows.extent()), (12, 33));
        for address in 90..140 {
            for length in 0..25 {
                let byte = |at: u64| (100..140).contains(&at) && (at - 100) % 10 < 3;
                let expected = (address..address + length).any(byte);
                assert_eq!(rows.meets(address, length), expected, "{address} {length}");
            }
        }
        let beside = Rows { address: 103, width: 7, ..rows };
        assert!(!rows.meet(&beside) && !beside.meet(&rows));
        assert!(rows.meet(&Rows { width: 8, ..beside }) && rows.meet(&Rows::line(121, 1)));
    }

    #[test]
    fn huge_rows_do_not_overflow() {
        let huge = Rows { address: 5, pitch: u64::MAX, width: u64::MAX, rows: u64::MAX };
        assert_eq!((huge.bytes(), huge.extent()), (u64::MAX, u64::MAX));
        let none = Rows { address: 5, pitch: 0, width: 0, rows: 1 << 60 };
        assert_eq!((none.bytes(), none.extent(), none.meets(0, 100)), (0, 0, false));
    }

    #[test]
    fn numbers_become_places() {
        let rows = Rows { address: 100, pitch: 10, width: 3, rows: 4 };
        let places: Vec<_> = rows.places(2..8).collect();
        assert_eq!(places, [102..103, 110..113, 120..122]);
        assert_eq!(Rows { pitch: 3, ..rows }.joined(), Rows::line(100, 12));
    }
}
