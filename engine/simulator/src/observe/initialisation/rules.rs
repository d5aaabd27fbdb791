//! How undefined bits spread in a computation.
//!
//! Instructions that only move bits are their own rule: run on the undefined bits in place of the values,
//! they put them where they belong. Bitwise ones are tried with every undefined bit both ways. Sums and
//! products are undefined from the lowest undefined bit up. Whatever else reads an undefined bit gives an
//! undefined result.

use crate::decode::{Action, Class, Inst, Row};
use crate::exec::{FULL, LANES, Regs, Slot};

/// A register, whatever its width.
pub(in crate::observe) type Column = [u64; LANES];

/// How a row treats undefined bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::observe) enum Rule {
    /// Moves the bits of these sources (a bit each), as the others say.
    Moves(u8),
    /// Each bit of the result depends on the same bit of the sources.
    Bitwise,
    /// Carries go up.
    Sum,
    /// The product of the first two, plus the third.
    Product,
    /// Equality of the first two: decided as soon as defined bits differ.
    Equality,
    /// Products of bytes: a zero on the other side decides.
    Dot,
    /// All or nothing.
    Any,
}

impl Rule {
    /// Whether the result is a number computed from the sources, rather than their bits in another place.
    pub fn computes(self) -> bool {
        matches!(self, Self::Sum | Self::Product | Self::Dot | Self::Any)
    }

    /// The rule of a row, by its spelling.
    pub fn of(row: &Row) -> Self {
        let forms = row.forms;
        let opcode = forms.split(['.', '{']).next().unwrap_or_default();
        let float = forms.contains(".f") || forms.contains("{f") || forms.contains(".bf");
        match opcode {
            "mov" | "~low" | "~high" | "~truncate" | "~extend" | "brev" | "shl" | "shr" | "bfe" | "~byte"
            | "~half" => Self::Moves(0b1),
            "selp" | "slct" | "shf" | "bfi" | "prmt" | "~join" => Self::Moves(0b11),
            "~join4" => Self::Moves(0b1111),
            "cvt" if integer_conversion(forms) => Self::Moves(0b1),
            "and" | "or" | "xor" | "not" | "lop3" => Self::Bitwise,
            // A sum whose carry comes in from below.
            "addc" | "subc" => Self::Sum,
            "add" | "sub" | "neg" if !float && !forms.contains(".sat") => Self::Sum,
            "mul" | "mad" | "mul24" | "mad24" if !float && !forms.contains(".hi") => Self::Product,
            "setp" | "set" if !float && (forms.contains(".eq.") || forms.contains(".ne.")) => Self::Equality,
            "dp4a" => Self::Dot,
            _ => Self::Any,
        }
    }
}

/// `cvt.{u16,s16}.u32` and its like: truncation or extension.
fn integer_conversion(forms: &str) -> bool {
    let mut words = forms.split('.').skip(1);
    let one = |word: &str| {
        word.strip_prefix(['u', 's']).is_some_and(|width| width.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let integer =
        |words: Option<&str>| words.is_some_and(|words| words.trim_matches(['{', '}']).split(',').all(one));
    integer(words.next()) && integer(words.next()) && words.next().is_none()
}

/// The bits that a row reads of its sources, where it reads less than a register.
fn source_bits(row: &Row) -> u64 {
    let forms = row.forms.trim_end_matches('}');
    let last = forms.rsplit(['.', ',', '{']).next().unwrap_or_default();
    match last {
        "u8" | "s8" | "b8" => 0xff,
        "u16" | "s16" | "b16" | "f16" | "bf16" => 0xffff,
        _ => u64::MAX,
    }
}

fn width(slot: Slot) -> u64 {
    match slot {
        Slot::R32 => u64::from(u32::MAX),
        Slot::R64 => u64::MAX,
        Slot::Pred => 1,
    }
}

/// All bits from the lowest set one up.
fn upward(bits: u64) -> u64 {
    bits | bits.wrapping_neg()
}

/// Registers to try an instruction on.
#[derive(Debug)]
pub(in crate::observe) struct Bench {
    regs: Regs,
    inst: Inst,
}

impl Bench {
    pub fn new() -> Self {
        let regs = Regs { r32: vec![[0; LANES]; 5], r64: vec![[0; LANES]; 5], pred: vec![0; 5] };
        let inst = Inst {
            action: Action::Nothing,
            guard: 0,
            guard_negated: false,
            d: 4,
            a: 0,
            b: 1,
            c: 2,
            e: 3,
            class: Class::Move,
            location: 0,
        };
        Self { regs, inst }
    }

    /// The result of a row for these sources.
    fn run(&mut self, row: &Row, sources: &[Column; 4]) -> Column {
        for (number, (slot, column)) in row.ins.iter().zip(sources).enumerate() {
            match slot {
                Slot::R32 => self.regs.r32[number] = column.map(|word| word as u32),
                Slot::R64 => self.regs.r64[number] = *column,
                Slot::Pred => self.regs.pred[number] = mask_of(column),
            }
        }
        (row.run)(&mut self.regs, &self.inst, FULL);
        match row.out {
            Slot::R32 => self.regs.r32[4].map(u64::from),
            Slot::R64 => self.regs.r64[4],
            Slot::Pred => column_of(self.regs.pred[4]),
        }
    }

    /// The undefined bits of a row's result.
    pub fn apply(&mut self, rule: Rule, row: &Row, values: &[Column; 4], undefined: &[Column; 4]) -> Column {
        let count = row.ins.len();
        let all = width(row.out);
        let read = source_bits(row);
        let any = |lane: usize| undefined[..count].iter().fold(0, |bits, column| bits | column[lane]);
        match rule {
            Rule::Moves(data) => {
                let moved =
                    std::array::from_fn(|n| if data >> n & 1 == 1 { undefined[n] } else { values[n] });
                let mut out = self.run(row, &moved);
                for (lane, bits) in out.iter_mut().enumerate() {
                    let controlled = (0..count).any(|n| data >> n & 1 == 0 && undefined[n][lane] != 0);
                    *bits = if controlled { all } else { *bits };
                }
                out
            }
            Rule::Bitwise => {
                let base = self.run(row, values);
                let mut out = [0; LANES];
                for choice in 1..1u32 << count.min(3) {
                    let flipped: [Column; 4] = std::array::from_fn(|n| {
                        std::array::from_fn(|lane| {
                            values[n][lane] ^ if choice >> n & 1 == 1 { undefined[n][lane] } else { 0 }
                        })
                    });
                    for ((bits, with), without) in out.iter_mut().zip(self.run(row, &flipped)).zip(base) {
                        *bits |= with ^ without;
                    }
                }
                out
            }
            Rule::Sum => std::array::from_fn(|lane| upward(any(lane)) & all),
            Rule::Product => std::array::from_fn(|lane| {
                let zero = |n: usize| undefined[n][lane] == 0 && values[n][lane] == 0;
                let product = if zero(0) || zero(1) { 0 } else { undefined[0][lane] | undefined[1][lane] };
                let added = if count > 2 { undefined[2][lane] } else { 0 };
                upward(product | added) & all
            }),
            Rule::Equality => std::array::from_fn(|lane| {
                let unsure = (undefined[0][lane] | undefined[1][lane]) & read;
                let differ = (values[0][lane] ^ values[1][lane]) & !unsure & read != 0;
                let combined = count > 2 && undefined[2][lane] != 0;
                if unsure != 0 && !differ || combined { all } else { 0 }
            }),
            Rule::Dot => std::array::from_fn(|lane| {
                let mut out = undefined[2][lane];
                for byte in 0..4 {
                    let part = |column: &Column| column[lane] >> (8 * byte) & 0xff;
                    let zero = |n: usize| part(&undefined[n]) == 0 && part(&values[n]) == 0;
                    if part(&undefined[0]) | part(&undefined[1]) != 0 && !zero(0) && !zero(1) {
                        out = all;
                    }
                }
                upward(out) & all
            }),
            Rule::Any => std::array::from_fn(|lane| if any(lane) & read == 0 { 0 } else { all }),
        }
    }
}

/// Lanes whose word is not zero.
pub(super) fn mask_of(column: &Column) -> u32 {
    column.iter().enumerate().fold(0, |mask, (lane, word)| mask | u32::from(*word != 0) << lane)
}

/// A mask as a column of zeros and ones.
pub(in crate::observe) fn column_of(mask: u32) -> Column {
    std::array::from_fn(|lane| u64::from(mask >> lane & 1))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::isa::table::row;

    /// The undefined bits of a result in lane 0.
    fn out(spelling: &str, sources: &[(u64, u64)]) -> u64 {
        let row = row(spelling).unwrap();
        let column = |pick: fn(&(u64, u64)) -> u64| -> [Column; 4] {
            std::array::from_fn(|n| [sources.get(n).map_or(0, pick); LANES])
        };
        Bench::new().apply(Rule::of(row), row, &column(|s| s.0), &column(|s| s.1))[0]
    }

    #[test]
    fn bytes_of_a_partly_undefined_word_can_be_taken_out() {
        let word = (0x1122_3344, 0xff00_0000);
        assert_eq!(out("and.b32", &[word, (0xff, 0)]), 0);
        assert_eq!(out("and.b32", &[word, (0xff00_00ff, 0)]), 0xff00_0000);
        assert_eq!(out("or.b32", &[word, (0xf000_0000, 0)]), 0x0f00_0000);
        assert_eq!(out("shr.u32", &[word, (24, 0)]), 0xff);
        assert_eq!(out("bfe.u32", &[word, (16, 0), (8, 0)]), 0);
        assert_eq!(out("bfe.s32", &[word, (24, 0), (8, 0)]), 0xffff_ffff);
        assert_eq!(out("prmt.b32", &[word, (0, 0), (0x4442, 0)]), 0);
        assert_eq!(out("prmt.b32", &[word, (0, 0), (0x4443, 0)]), 0xff);
        assert_eq!(out("cvt.u16.u32", &[word]), 0);
        assert_eq!(out("lop3.b32", &[word, (0xff, 0), (0, 0), (0xc0, 0)]), 0);
        assert_eq!(out("dp4a.u32.u32", &[word, (0x0001_0101, 0), (7, 0)]), 0);
        assert_eq!(out("dp4a.u32.u32", &[word, (0x0101_0101, 0), (7, 0)]), 0xffff_ffff);
    }

    #[test]
    fn arithmetic_spreads_upward_and_zero_decides() {
        assert_eq!(out("add.s32", &[(0, 0x100), (1, 0)]), 0xffff_ff00);
        assert_eq!(out("mul.lo.s32", &[(0, 0x100), (0, 0)]), 0);
        assert_eq!(out("mad.wide.s32", &[(0, 0x100), (2, 0), (5, 0)]), 0xffff_ffff_ffff_ff00);
        assert_eq!(out("setp.eq.s32", &[(0x10, 0xf), (0x20, 0)]), 0);
        assert_eq!(out("setp.eq.s32", &[(0x20, 0xf), (0x20, 0)]), 1);
        assert_eq!(out("setp.lt.u32", &[(0x20, 0xf), (0x20, 0)]), 1);
        assert_eq!(out("fma.rn.f32", &[(0, 1), (0, 0), (0, 0)]), 0xffff_ffff);
        assert_eq!(out("cvt.rn.f32.u8", &[(0, 0xff00)]), 0);
        assert_eq!(out("selp.b32", &[(0, 0xff), (0, 0), (0, 0)]), 0);
        assert_eq!(out("selp.b32", &[(0, 0xff), (0, 0), (0, 1)]), 0xffff_ffff);
    }
}
