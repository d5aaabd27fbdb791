//! Extended-precision arithmetic: `add.cc`, `addc`, `sub.cc`, `subc`, `mad.cc`, `madc`.
//!
//! The condition code is one bit per thread, kept in its own predicate column, which every row here reads or
//! writes through the instruction's fourth source. Sums have a third source too, which they do not read, so that
//! the code is always the fourth.

use super::inst::{Class, Inst};
use super::regs::{Lane, Regs, Slot, lanes};
use super::table::Row;

/// Runs `f(a, b, c, carry) -> (result, carry)` in the lanes of `mask`, one after another: these instructions are rare.
#[inline(never)]
fn run<T: Lane>(regs: &mut Regs, inst: &Inst, mask: u32, f: fn(T, T, T, bool) -> (T, bool)) {
    for lane in lanes(mask) {
        let [a, b, c] = [inst.a, inst.b, inst.c].map(|register| T::get_one(regs, register, lane));
        let (value, carried) = f(a, b, c, bool::get_one(regs, inst.e, lane));
        T::put_one(regs, inst.d, lane, value);
        bool::put_one(regs, inst.e, lane, carried);
    }
}

/// The rows of one width and one way with the carry: in, out, or both.
macro_rules! way {
    ($rows:ident, $t:ty, $wide:ty, $signed:ty, $signed_wide:ty, $slot:ident,
     $bits:literal, $c:literal, $cc:literal, $in:literal, $out:literal) => {{
        let ins: &'static [Slot] =
            if $in { &[Slot::$slot, Slot::$slot, Slot::$slot, Slot::Pred] } else { &[Slot::$slot; 3] };
        let mut row = |forms, class, run| {
            $rows.push(Row { forms, out: Slot::$slot, ins, class, run, carries: $out });
        };
        row(concat!("add", $c, $cc, ".{u", $bits, ",s", $bits, "}"), Class::Int, |regs, inst, mask| {
            run::<$t>(regs, inst, mask, |a, b, _, carry| {
                sum(u128::from(a), u128::from(b), carry && $in, <$t>::BITS, carry, $out)
                    .map_value(|v| v as $t)
            });
        });
        row(concat!("sub", $c, $cc, ".{u", $bits, ",s", $bits, "}"), Class::Int, |regs, inst, mask| {
            run::<$t>(regs, inst, mask, |a, b, _, carry| {
                let (first, x) = a.overflowing_sub(b);
                let (second, y) = first.overflowing_sub(<$t>::from(carry && $in));
                (second, if $out { x | y } else { carry })
            });
        });
        row(
            concat!("mad", $c, ".lo", $cc, ".{u", $bits, ",s", $bits, "}"),
            Class::IntMul,
            |regs, inst, mask| {
                run::<$t>(regs, inst, mask, |a, b, c, carry| {
                    let low = u128::from(a.wrapping_mul(b));
                    sum(low, u128::from(c), carry && $in, <$t>::BITS, carry, $out).map_value(|v| v as $t)
                });
            },
        );
        row(concat!("mad", $c, ".hi", $cc, ".u", $bits), Class::IntMul, |regs, inst, mask| {
            run::<$t>(regs, inst, mask, |a, b, c, carry| {
                let high = (<$wide>::from(a) * <$wide>::from(b) >> <$t>::BITS) as $t;
                sum(u128::from(high), u128::from(c), carry && $in, <$t>::BITS, carry, $out)
                    .map_value(|v| v as $t)
            });
        });
        row(concat!("mad", $c, ".hi", $cc, ".s", $bits), Class::IntMul, |regs, inst, mask| {
            run::<$t>(regs, inst, mask, |a, b, c, carry| {
                let product = <$signed_wide>::from(a as $signed) * <$signed_wide>::from(b as $signed);
                let high = (product >> <$t>::BITS) as $t;
                sum(u128::from(high), u128::from(c), carry && $in, <$t>::BITS, carry, $out)
                    .map_value(|v| v as $t)
            });
        });
    }};
}

/// All rows of this file.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    macro_rules! width {
        ($($types:tt)*) => {
            way!(rows, $($types)*, "", ".cc", false, true);
            way!(rows, $($types)*, "c", "", true, false);
            way!(rows, $($types)*, "c", ".cc", true, true);
        };
    }
    width!(u32, u64, i32, i64, R32, 32);
    width!(u64, u128, i64, i128, R64, 64);
    rows
}

/// A result and its carry.
struct Sum(u128, bool);

impl Sum {
    fn map_value<T>(self, f: impl Fn(u128) -> T) -> (T, bool) {
        (f(self.0), self.1)
    }
}

/// `a + b + carry_in`; the new carry, or the old one if none is asked for.
#[inline(always)]
fn sum(a: u128, b: u128, carry_in: bool, bits: u32, old: bool, out: bool) -> Sum {
    let total = a + b + u128::from(carry_in);
    Sum(total, if out { total >> bits & 1 == 1 } else { old })
}
