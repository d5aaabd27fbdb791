//! Extended-precision arithmetic: `add.cc`, `addc`, `sub.cc`, `subc`, `mad.cc`, `madc`.
//!
//! The condition code is one bit a thread, kept in a predicate column of its own, which every handler here
//! reads and writes through the instruction's fourth source.

use super::inst::{Class, Handler, Inst};
use super::lower::{Unsupported, spelling};
use super::operands::Builder;
use crate::exec::{LANES, Lane, Regs, Slot};
use crate::ptx::ast::Instruction;

/// Runs `f(a, b, c, carry) -> (result, carry)` in the lanes of `mask`.
#[inline(always)]
fn run<T: Lane>(regs: &mut Regs, inst: &Inst, mask: u32, f: impl Fn(T, T, T, bool) -> (T, bool)) {
    let (a, b, c) = (T::get(regs, inst.a), T::get(regs, inst.b), T::get(regs, inst.c));
    let carry = regs.pred[inst.e as usize];
    let mut out = [T::default(); LANES];
    let mut carries = 0;
    for lane in 0..LANES {
        let (value, carried) = f(a[lane], b[lane], c[lane], carry >> lane & 1 == 1);
        out[lane] = value;
        carries |= u32::from(carried) << lane;
    }
    T::put(regs, inst.d, out, mask);
    regs.pred[inst.e as usize] = carry & !mask | carries & mask;
}

/// The handlers of one width: addition, subtraction, and the halves of a product plus an addend; each with
/// and without a carry in, each with and without a carry out.
macro_rules! handlers {
    ($t:ty, $wide:ty, $signed:ty, $signed_wide:ty, $name:expr, $in:literal, $out:literal) => {{
        let name: &str = $name;
        let handler: Handler = match name {
            "add" => |regs, inst, mask| {
                run::<$t>(regs, inst, mask, |a, b, _, carry| {
                    sum(u128::from(a), u128::from(b), carry && $in, <$t>::BITS, carry, $out)
                        .map_value(|value| value as $t)
                });
            },
            "sub" => |regs, inst, mask| {
                run::<$t>(regs, inst, mask, |a, b, _, carry| {
                    let borrow = <$t>::from(carry && $in);
                    let (first, x) = a.overflowing_sub(b);
                    let (second, y) = first.overflowing_sub(borrow);
                    (second, if $out { x | y } else { carry })
                });
            },
            "lo" => |regs, inst, mask| {
                run::<$t>(regs, inst, mask, |a, b, c, carry| {
                    sum(u128::from(a.wrapping_mul(b)), u128::from(c), carry && $in, <$t>::BITS, carry, $out)
                        .map_value(|value| value as $t)
                });
            },
            "hi" => |regs, inst, mask| {
                run::<$t>(regs, inst, mask, |a, b, c, carry| {
                    let high = (<$wide>::from(a) * <$wide>::from(b) >> <$t>::BITS) as $t;
                    sum(u128::from(high), u128::from(c), carry && $in, <$t>::BITS, carry, $out)
                        .map_value(|value| value as $t)
                });
            },
            _ => |regs, inst, mask| {
                run::<$t>(regs, inst, mask, |a, b, c, carry| {
                    let product = <$signed_wide>::from(a as $signed) * <$signed_wide>::from(b as $signed);
                    let high = (product >> <$t>::BITS) as $t;
                    sum(u128::from(high), u128::from(c), carry && $in, <$t>::BITS, carry, $out)
                        .map_value(|value| value as $t)
                });
            },
        };
        handler
    }};
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

/// Decodes the instruction if it is one of these.
pub(super) fn lower(builder: &mut Builder<'_>, instruction: &Instruction) -> Result<bool, Unsupported> {
    let words: Vec<&str> = instruction.modifiers.iter().map(String::as_str).collect();
    let out = words.contains(&"cc");
    let (base, carry_in) = match instruction.opcode.as_str() {
        "add" | "sub" | "mad" if out => (instruction.opcode.as_str(), false),
        "addc" => ("add", true),
        "subc" => ("sub", true),
        "madc" => ("mad", true),
        _ => return Ok(false),
    };
    let Some(ty @ ("u32" | "s32" | "u64" | "s64")) = words.last().copied() else {
        return builder
            .error(format!("the simulator does not know the instruction `{}`", spelling(instruction)));
    };
    let name = match base {
        "mad" if words.contains(&"lo") => "lo",
        "mad" if ty.starts_with('s') => "signed hi",
        "mad" => "hi",
        other => other,
    };
    let handler = match (ty.ends_with("64"), carry_in, out) {
        (false, false, _) => handlers!(u32, u64, i32, i64, name, false, true),
        (false, true, false) => handlers!(u32, u64, i32, i64, name, true, false),
        (false, true, true) => handlers!(u32, u64, i32, i64, name, true, true),
        (true, false, _) => handlers!(u64, u128, i64, i128, name, false, true),
        (true, true, false) => handlers!(u64, u128, i64, i128, name, true, false),
        (true, true, true) => handlers!(u64, u128, i64, i128, name, true, true),
    };
    let slot = if ty.ends_with("64") { Slot::R64 } else { Slot::R32 };
    let sources = if base == "mad" { 3 } else { 2 };
    if instruction.operands.len() != sources + 1 {
        return builder.error(format!("`{}` with another number of operands", spelling(instruction)));
    }
    let mut columns = [0; 4];
    for (column, operand) in columns.iter_mut().zip(&instruction.operands[1..]) {
        *column = builder.source(operand, slot)?;
    }
    columns[3] = builder.condition_code()?;
    let d = builder.destination(&instruction.operands[0], slot)?.0;
    let class = if base == "mad" { Class::IntMul } else { Class::Int };
    builder.emit_handler(handler, class, d, columns);
    Ok(true)
}
