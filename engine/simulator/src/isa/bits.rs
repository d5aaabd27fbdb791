//! Less common integer instructions: masks, sign extensions, permute modes, packed half-words.

use super::rounding::flush;
use super::table::{Row, op, rare};

/// All rows of this file.
pub(crate) fn rows() -> Vec<Row> {
    vec![
        rare!("bfind.s64", Int, |a: i64| -> u32 {
            63u32.wrapping_sub((if a < 0 { !a } else { a } as u64).leading_zeros())
        }),
        rare!("bfind.shiftamt.s32", Int, |a: i32| -> u32 { shift_amount(if a < 0 { !a } else { a } as u32) }),
        rare!("bfind.shiftamt.u64", Int, |a: u64| -> u32 {
            if a == 0 { u32::MAX } else { a.leading_zeros() }
        }),
        rare!("bfind.shiftamt.s64", Int, |a: i64| -> u32 {
            let magnitude = if a < 0 { !a } else { a } as u64;
            if magnitude == 0 { u32::MAX } else { magnitude.leading_zeros() }
        }),
        rare!("bmsk.clamp.b32", Shift, |a: u32, b: u32| -> u32 { mask(a.min(32), b.min(32)) }),
        rare!("bmsk.wrap.b32", Shift, |a: u32, b: u32| -> u32 { mask(a & 31, b & 31) }),
        rare!("szext.clamp.s32", Shift, |a: u32, b: u32| -> u32 { extend(a, b.min(32), true) }),
        rare!("szext.clamp.u32", Shift, |a: u32, b: u32| -> u32 { extend(a, b.min(32), false) }),
        rare!("szext.wrap.s32", Shift, |a: u32, b: u32| -> u32 { extend(a, b & 31, true) }),
        rare!("szext.wrap.u32", Shift, |a: u32, b: u32| -> u32 { extend(a, b & 31, false) }),
        rare!("fns.b32", Int, |a: u32, b: u32, c: i32| -> u32 { nth_set(a, b, c) }),
        rare!("cnot.b16", Logic, |a: u16| -> u16 { u16::from(a == 0) }),
        rare!("cnot.b64", Logic, |a: u64| -> u64 { u64::from(a == 0) }),
        rare!("sad.u16", Int, |a: u16, b: u16, c: u16| -> u16 { a.abs_diff(b).wrapping_add(c) }),
        rare!("sad.s16", Int, |a: i16, b: i16, c: u16| -> u16 { a.abs_diff(b).wrapping_add(c) }),
        rare!("sad.u64", Int, |a: u64, b: u64, c: u64| -> u64 { a.abs_diff(b).wrapping_add(c) }),
        rare!("sad.s64", Int, |a: i64, b: i64, c: u64| -> u64 { a.abs_diff(b).wrapping_add(c) }),
        rare!("mad.hi.u16", IntMul, |a: u16, b: u16, c: u16| -> u16 {
            ((u32::from(a) * u32::from(b) >> 16) as u16).wrapping_add(c)
        }),
        rare!("mad.hi.s16", IntMul, |a: i16, b: i16, c: i16| -> i16 {
            ((i32::from(a) * i32::from(b) >> 16) as i16).wrapping_add(c)
        }),
        rare!("mad.hi.s64", IntMul, |a: i64, b: i64, c: i64| -> i64 {
            ((i128::from(a) * i128::from(b) >> 64) as i64).wrapping_add(c)
        }),
        rare!("mad.hi.sat.s32", IntMul, |a: i32, b: i32, c: i32| -> i32 {
            ((i64::from(a) * i64::from(b) >> 32) as i32).saturating_add(c)
        }),
        rare!("dp2a.lo.u32.s32", IntMul, |a: u32, b: u32, c: u32| -> u32 { dot2(a, b, c, false, true) }),
        rare!("dp2a.hi.u32.s32", IntMul, |a: u32, b: u32, c: u32| -> u32 {
            dot2(a, b >> 16, c, false, true)
        }),
        rare!("dp2a.lo.s32.u32", IntMul, |a: u32, b: u32, c: u32| -> u32 { dot2(a, b, c, true, false) }),
        rare!("dp2a.hi.s32.u32", IntMul, |a: u32, b: u32, c: u32| -> u32 {
            dot2(a, b >> 16, c, true, false)
        }),
        rare!("add.{u16x2,s16x2}", Int, |a: u32, b: u32| -> u32 { halves(a, b, u16::wrapping_add) }),
        rare!("min.u16x2", Int, |a: u32, b: u32| -> u32 { halves(a, b, u16::min) }),
        rare!("max.u16x2", Int, |a: u32, b: u32| -> u32 { halves(a, b, u16::max) }),
        rare!("min.s16x2", Int, |a: u32, b: u32| -> u32 {
            halves(a, b, |x, y| (x as i16).min(y as i16) as u16)
        }),
        rare!("max.s16x2", Int, |a: u32, b: u32| -> u32 {
            halves(a, b, |x, y| (x as i16).max(y as i16) as u16)
        }),
        rare!("min{.relu.s16x2,.s16x2.relu}", Int, |a: u32, b: u32| -> u32 {
            halves(a, b, |x, y| (x as i16).min(y as i16).max(0) as u16)
        }),
        rare!("max{.relu.s16x2,.s16x2.relu}", Int, |a: u32, b: u32| -> u32 {
            halves(a, b, |x, y| (x as i16).max(y as i16).max(0) as u16)
        }),
        rare!("prmt.b32.f4e", Shift, |a: u32, b: u32, c: u32| -> u32 { pick(a, b, c, |i, n| n + i) }),
        rare!("prmt.b32.b4e", Shift, |a: u32, b: u32, c: u32| -> u32 { pick(a, b, c, |i, n| n + 8 - i) }),
        rare!("prmt.b32.rc8", Shift, |a: u32, b: u32, c: u32| -> u32 { pick(a, b, c, |_, n| n) }),
        rare!("prmt.b32.ecl", Shift, |a: u32, b: u32, c: u32| -> u32 { pick(a, b, c, u32::max) }),
        rare!("prmt.b32.ecr", Shift, |a: u32, b: u32, c: u32| -> u32 { pick(a, b, c, u32::min) }),
        rare!("prmt.b32.rc16", Shift, |a: u32, b: u32, c: u32| -> u32 {
            pick(a, b, c, |i, n| 2 * (n & 1) + (i & 1))
        }),
        rare!("slct.{u16,s16,b16,f16}.s32", Move, |a: u16, b: u16, c: i32| -> u16 {
            if c >= 0 { a } else { b }
        }),
        rare!("slct.{u16,s16,b16,f16}.f32", Move, |a: u16, b: u16, c: f32| -> u16 {
            if c >= 0.0 { a } else { b }
        }),
        rare!("slct.ftz.{u16,s16,b16,f16}.f32", Move, |a: u16, b: u16, c: f32| -> u16 {
            if flush(c) >= 0.0 { a } else { b }
        }),
        rare!("slct.{u64,s64,b64,f64}.f32", Move, |a: u64, b: u64, c: f32| -> u64 {
            if c >= 0.0 { a } else { b }
        }),
        rare!("slct.ftz.{u64,s64,b64,f64}.f32", Move, |a: u64, b: u64, c: f32| -> u64 {
            if flush(c) >= 0.0 { a } else { b }
        }),
        op!("~nonzero", Logic, |a: u32| -> bool { a != 0 }),
        op!("~set.u32", Move, |a: bool| -> u32 { if a { u32::MAX } else { 0 } }),
        op!("~set.f32", Move, |a: bool| -> f32 { if a { 1.0 } else { 0.0 } }),
        op!("~word", Move, |a: bool| -> u32 { u32::from(a) }),
    ]
}

fn shift_amount(value: u32) -> u32 {
    if value == 0 { u32::MAX } else { value.leading_zeros() }
}

/// `width` ones from bit `start` on.
pub(super) fn mask(start: u32, width: u32) -> u32 {
    (((1u64 << width) - 1) << start) as u32
}

/// The low `bits` bits, extended.
pub(super) fn extend(value: u32, bits: u32, signed: bool) -> u32 {
    match bits {
        0 => 0,
        32 => value,
        _ if signed => ((value << (32 - bits)) as i32 >> (32 - bits)) as u32,
        _ => value & ((1 << bits) - 1),
    }
}

/// `fns`: the position of the `offset`-th set bit counted from `base`, upwards or downwards; offset 0 is the
/// base itself if it is set.
fn nth_set(mask: u32, base: u32, offset: i32) -> u32 {
    let base = i64::from(base);
    let set = |position: i64| (0..32).contains(&position) && mask >> position & 1 == 1;
    if offset == 0 {
        return if set(base) { base as u32 } else { u32::MAX };
    }
    let step = i64::from(offset.signum());
    let mut left = offset.unsigned_abs();
    let mut position = base;
    while (0..32).contains(&position) {
        if set(position) {
            left -= 1;
            if left == 0 {
                return position as u32;
            }
        }
        position += step;
    }
    u32::MAX
}

fn halves(a: u32, b: u32, f: impl Fn(u16, u16) -> u16) -> u32 {
    u32::from(f(a as u16, b as u16)) | u32::from(f((a >> 16) as u16, (b >> 16) as u16)) << 16
}

/// `dp2a` with any mix of signs; `b`'s two bytes are its lowest.
fn dot2(a: u32, b: u32, c: u32, a_signed: bool, b_signed: bool) -> u32 {
    (0..2).fold(c, |sum, i| {
        let half = a >> (16 * i) & 0xffff;
        let half = if a_signed { i64::from(half as u16 as i16) } else { i64::from(half) };
        let byte = b >> (8 * i) & 0xff;
        let byte = if b_signed { i64::from(byte as u8 as i8) } else { i64::from(byte) };
        sum.wrapping_add((half * byte) as u32)
    })
}

/// `prmt` in one of its modes: byte `i` of the result is byte `which(i, selector)` of the eight.
fn pick(a: u32, b: u32, selector: u32, which: impl Fn(u32, u32) -> u32) -> u32 {
    let source = u64::from(b) << 32 | u64::from(a);
    (0..4).fold(0, |out, i| {
        let byte = source >> (8 * (which(i, selector & 3) & 7)) & 0xff;
        out | (byte as u32) << (8 * i)
    })
}
