//! The row of all video instructions, scalar (`vadd`, `vmad`, `vset` …) and vector (`vadd2`, `vabsdiff4` …).

use super::bits::{extend, mask};
use super::table::{Row, rare};

/// The row that all of them share: what one does is a constant in its fourth operand.
pub(crate) fn rows() -> Vec<Row> {
    vec![rare!("~video", Int, |a: u32, b: u32, c: u32, plan: u32| -> u32 {
        video(a, b, c, Plan::unpack(plan))
    })]
}

/// The variant of a video instruction, packed into the constant that is its fourth operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of one instruction")]
pub(crate) struct Plan {
    /// 0 add, 1 sub, 2 absdiff, 3 min, 4 max, 5 shl, 6 shr, 7 mad, 8 to 13 set lt le gt ge eq ne.
    pub operation: u32,
    /// Elements: 1, 2 or 4.
    pub elements: u32,
    pub result_signed: bool,
    pub a_signed: bool,
    pub b_signed: bool,
    pub saturate: bool,
    /// Shift amounts: modulo 32 rather than clamped.
    pub wrap: bool,
    /// 0 none, 1 add, 2 min, 3 max.
    pub second: u32,
    /// Selector of each source, of the scalar forms: 0 all, 1 to 4 byte, 5 and 6 half.
    pub a_part: u32,
    pub b_part: u32,
    /// `vmad`: shift right by 7 or 15; negated operand: 1 product, 2 addend; 3 plus one.
    pub scale: u32,
    pub negate: u32,
}

impl Plan {
    pub fn pack(self) -> u32 {
        self.operation
            | (self.elements.trailing_zeros()) << 4
            | u32::from(self.result_signed) << 6
            | u32::from(self.a_signed) << 7
            | u32::from(self.b_signed) << 8
            | u32::from(self.saturate) << 9
            | u32::from(self.wrap) << 10
            | self.second << 11
            | self.a_part << 13
            | self.b_part << 16
            | self.scale << 19
            | self.negate << 24
    }

    fn unpack(word: u32) -> Self {
        Self {
            operation: word & 15,
            elements: 1 << (word >> 4 & 3),
            result_signed: word >> 6 & 1 == 1,
            a_signed: word >> 7 & 1 == 1,
            b_signed: word >> 8 & 1 == 1,
            saturate: word >> 9 & 1 == 1,
            wrap: word >> 10 & 1 == 1,
            second: word >> 11 & 3,
            a_part: word >> 13 & 7,
            b_part: word >> 16 & 7,
            scale: word >> 19 & 31,
            negate: word >> 24 & 3,
        }
    }
}

/// A field of a word as an integer.
fn field(word: u32, first: u32, bits: u32, signed: bool) -> i64 {
    i64::from(extend(word >> first, bits, signed).cast_signed()) & if signed { -1 } else { 0xffff_ffff }
}

fn part(word: u32, part: u32, signed: bool) -> i64 {
    match part {
        0 => field(word, 0, 32, signed),
        1..=4 => field(word, 8 * (part - 1), 8, signed),
        _ => field(word, 16 * (part - 5), 16, signed),
    }
}

fn clamp(value: i64, bits: u32, signed: bool) -> i64 {
    if signed {
        value.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        value.clamp(0, (1 << bits) - 1)
    }
}

/// One element of a video instruction before saturation.
fn combine(plan: Plan, a: i64, b: i64, c: i64) -> i64 {
    let amount = if plan.wrap { b & 31 } else { b.clamp(0, 32) };
    match plan.operation {
        0 => a + b,
        1 => a - b,
        2 => (a - b).abs(),
        3 => a.min(b),
        4 => a.max(b),
        5 => a << amount,
        6 => a >> amount,
        7 => {
            let product = if plan.negate == 1 { -(a * b) } else { a * b };
            let addend = if plan.negate == 2 { -c } else { c };
            (product + addend + i64::from(plan.negate == 3)) >> plan.scale
        }
        8 => i64::from(a < b),
        9 => i64::from(a <= b),
        10 => i64::from(a > b),
        11 => i64::from(a >= b),
        12 => i64::from(a == b),
        _ => i64::from(a != b),
    }
}

fn video(a: u32, b: u32, c: u32, plan: Plan) -> u32 {
    if plan.elements == 1 {
        let signed = plan.result_signed;
        let value = combine(
            plan,
            part(a, plan.a_part, plan.a_signed),
            part(b, plan.b_part, plan.b_signed),
            field(c, 0, 32, plan.a_signed || plan.b_signed),
        );
        let value = if plan.saturate { clamp(value, 32, signed) } else { value };
        let value = field(value as u32, 0, 32, signed);
        return match plan.second {
            0 => value as u32,
            1 => (value as u32).wrapping_add(c),
            2 => value.min(field(c, 0, 32, signed)) as u32,
            _ => value.max(field(c, 0, 32, signed)) as u32,
        };
    }
    let bits = 32 / plan.elements;
    let each = (0..plan.elements).map(|element| {
        let first = bits * element;
        let value =
            combine(plan, field(a, first, bits, plan.a_signed), field(b, first, bits, plan.b_signed), 0);
        (first, if plan.saturate { clamp(value, bits, plan.result_signed) } else { value })
    });
    if plan.second == 1 {
        return each.fold(c, |sum, (_, value)| sum.wrapping_add(value as u32));
    }
    // Without an accumulator, the third operand gives the elements that are left out of the mask.
    each.fold(0, |out, (first, value)| out | (value as u32 & mask(0, bits)) << first)
}
