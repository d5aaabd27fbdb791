//! Integer, logic, shift and compare instructions. Meanings follow the PTX ISA manual, section by section.

use super::comparisons::compare;
use super::integer_math::{
    bit_field, bit_field64, bytes, dot2, dot4, funnel, insert, insert64, lop3, permute,
};
use super::rounding::flush;
use super::table::{Row, alike, mask_op, op, rare};

/// Arithmetic, logic, shifts and bit fields.
#[expect(clippy::too_many_lines, reason = "a table is read row by row")]
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = vec![
        op!("mov.{u32,s32,b32,f32}", Move, |a: u32| -> u32 { a }),
        op!("mov.{u16,s16,b16,f16}", Move, |a: u16| -> u16 { a }),
        op!("mov.{u64,s64,b64,f64}", Move, |a: u64| -> u64 { a }),
        mask_op!("mov.pred", Move, |a| a),
        op!("selp.{u32,s32,b32,f32}", Move, |a: u32, b: u32, c: bool| -> u32 { if c { a } else { b } }),
        op!("selp.{u16,s16,b16,f16}", Move, |a: u16, b: u16, c: bool| -> u16 { if c { a } else { b } }),
        op!("selp.{u64,s64,b64,f64}", Move, |a: u64, b: u64, c: bool| -> u64 { if c { a } else { b } }),
        op!("slct.{u32,s32,b32,f32}.s32", Move, |a: u32, b: u32, c: i32| -> u32 {
            if c >= 0 { a } else { b }
        }),
        rare!("slct.{u64,s64,b64,f64}.s32", Move, |a: u64, b: u64, c: i32| -> u64 {
            if c >= 0 { a } else { b }
        }),
        op!("slct.{u32,s32,b32,f32}.f32", Move, |a: u32, b: u32, c: f32| -> u32 {
            if c >= 0.0 { a } else { b }
        }),
        rare!("slct.ftz.{u32,s32,b32,f32}.f32", Move, |a: u32, b: u32, c: f32| -> u32 {
            if flush(c) >= 0.0 { a } else { b }
        }),
        // 32 bits
        op!("add.{u32,s32}", Int, |a: u32, b: u32| -> u32 { a.wrapping_add(b) }),
        rare!("add.sat.s32", Int, |a: i32, b: i32| -> i32 { a.saturating_add(b) }),
        op!("sub.{u32,s32}", Int, |a: u32, b: u32| -> u32 { a.wrapping_sub(b) }),
        rare!("sub.sat.s32", Int, |a: i32, b: i32| -> i32 { a.saturating_sub(b) }),
        op!("mul.lo.{u32,s32}", IntMul, |a: u32, b: u32| -> u32 { a.wrapping_mul(b) }),
        op!("mul.hi.u32", IntMul, |a: u32, b: u32| -> u32 { (u64::from(a) * u64::from(b) >> 32) as u32 }),
        op!("mul.hi.s32", IntMul, |a: i32, b: i32| -> i32 { (i64::from(a) * i64::from(b) >> 32) as i32 }),
        op!("mul.wide.u32", IntMul, |a: u32, b: u32| -> u64 { u64::from(a) * u64::from(b) }),
        op!("mul.wide.s32", IntMul, |a: i32, b: i32| -> i64 { i64::from(a) * i64::from(b) }),
        rare!("mul24.lo.u32", IntMul, |a: u32, b: u32| -> u32 {
            (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff)
        }),
        rare!("mul24.lo.s32", IntMul, |a: i32, b: i32| -> i32 { (a << 8 >> 8).wrapping_mul(b << 8 >> 8) }),
        op!("mad.lo.{u32,s32}", IntMul, |a: u32, b: u32, c: u32| -> u32 {
            a.wrapping_mul(b).wrapping_add(c)
        }),
        rare!("mad.hi.u32", IntMul, |a: u32, b: u32, c: u32| -> u32 {
            ((u64::from(a) * u64::from(b) >> 32) as u32).wrapping_add(c)
        }),
        rare!("mad.hi.s32", IntMul, |a: i32, b: i32, c: i32| -> i32 {
            ((i64::from(a) * i64::from(b) >> 32) as i32).wrapping_add(c)
        }),
        op!("mad.wide.u32", IntMul, |a: u32, b: u32, c: u64| -> u64 {
            (u64::from(a) * u64::from(b)).wrapping_add(c)
        }),
        op!("mad.wide.s32", IntMul, |a: i32, b: i32, c: i64| -> i64 {
            (i64::from(a) * i64::from(b)).wrapping_add(c)
        }),
        rare!("mad24.lo.u32", IntMul, |a: u32, b: u32, c: u32| -> u32 {
            (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff).wrapping_add(c)
        }),
        rare!("mad24.lo.s32", IntMul, |a: i32, b: i32, c: i32| -> i32 {
            (a << 8 >> 8).wrapping_mul(b << 8 >> 8).wrapping_add(c)
        }),
        // Division by zero gives all ones on NVIDIA GPUs, and the remainder the dividend; PTX leaves it open.
        op!("div.u32", IntDiv, |a: u32, b: u32| -> u32 { a.checked_div(b).unwrap_or(u32::MAX) }),
        op!("div.s32", IntDiv, |a: i32, b: i32| -> i32 { if b == 0 { -1 } else { a.wrapping_div(b) } }),
        op!("rem.u32", IntDiv, |a: u32, b: u32| -> u32 { a.checked_rem(b).unwrap_or(a) }),
        op!("rem.s32", IntDiv, |a: i32, b: i32| -> i32 { if b == 0 { a } else { a.wrapping_rem(b) } }),
        op!("abs.s32", Int, |a: i32| -> i32 { a.wrapping_abs() }),
        op!("neg.s32", Int, |a: i32| -> i32 { a.wrapping_neg() }),
        op!("min.u32", Int, |a: u32, b: u32| -> u32 { a.min(b) }),
        op!("min.s32", Int, |a: i32, b: i32| -> i32 { a.min(b) }),
        op!("max.u32", Int, |a: u32, b: u32| -> u32 { a.max(b) }),
        op!("max.s32", Int, |a: i32, b: i32| -> i32 { a.max(b) }),
        rare!("min{.relu.s32,.s32.relu}", Int, |a: i32, b: i32| -> i32 { a.min(b).max(0) }),
        rare!("max{.relu.s32,.s32.relu}", Int, |a: i32, b: i32| -> i32 { a.max(b).max(0) }),
        op!("sad.u32", Int, |a: u32, b: u32, c: u32| -> u32 { a.abs_diff(b).wrapping_add(c) }),
        op!("sad.s32", Int, |a: i32, b: i32, c: u32| -> u32 { a.abs_diff(b).wrapping_add(c) }),
        op!("and.b32", Logic, |a: u32, b: u32| -> u32 { a & b }),
        op!("or.b32", Logic, |a: u32, b: u32| -> u32 { a | b }),
        op!("xor.b32", Logic, |a: u32, b: u32| -> u32 { a ^ b }),
        op!("not.b32", Logic, |a: u32| -> u32 { !a }),
        rare!("cnot.b32", Logic, |a: u32| -> u32 { u32::from(a == 0) }),
        alike!("lop3.b32", Logic, |a: u32, b: u32, c: u32, table: u32| -> u32 { lop3(a, b, c, table) }),
        // Shift amounts above the width act as the width.
        alike!("shl.b32", Shift, |a: u32, b: u32| -> u32 { if b > 31 { 0 } else { a << b } }),
        alike!("shr.{u32,b32}", Shift, |a: u32, b: u32| -> u32 { if b > 31 { 0 } else { a >> b } }),
        alike!("shr.s32", Shift, |a: i32, b: u32| -> i32 { a >> b.min(31) }),
        alike!("shf.l.wrap.b32", Shift, |a: u32, b: u32, c: u32| -> u32 { funnel(a, b).rotate_high(c & 31) }),
        alike!("shf.r.wrap.b32", Shift, |a: u32, b: u32, c: u32| -> u32 { funnel(a, b).shift_low(c & 31) }),
        rare!("shf.l.clamp.b32", Shift, |a: u32, b: u32, c: u32| -> u32 {
            funnel(a, b).rotate_high(c.min(32))
        }),
        rare!("shf.r.clamp.b32", Shift, |a: u32, b: u32, c: u32| -> u32 {
            funnel(a, b).shift_low(c.min(32))
        }),
        alike!("bfe.u32", Shift, |a: u32, b: u32, c: u32| -> u32 { bit_field(a, b, c, false) }),
        alike!("bfe.s32", Shift, |a: u32, b: u32, c: u32| -> u32 { bit_field(a, b, c, true) }),
        rare!("bfe.u64", Shift, |a: u64, b: u32, c: u32| -> u64 { bit_field64(a, b, c, false) }),
        rare!("bfe.s64", Shift, |a: u64, b: u32, c: u32| -> u64 { bit_field64(a, b, c, true) }),
        alike!("bfi.b32", Shift, |a: u32, b: u32, c: u32, d: u32| -> u32 {
            insert(u64::from(a), u64::from(b), c, d, 32) as u32
        }),
        rare!("bfi.b64", Shift, |a: u64, b: u64, c: u32, d: u32| -> u64 { insert64(a, b, c, d) }),
        alike!("prmt.b32", Shift, |a: u32, b: u32, c: u32| -> u32 { permute(a, b, c) }),
        op!("popc.b32", Int, |a: u32| -> u32 { a.count_ones() }),
        rare!("popc.b64", Int, |a: u64| -> u32 { a.count_ones() }),
        op!("clz.b32", Int, |a: u32| -> u32 { a.leading_zeros() }),
        rare!("clz.b64", Int, |a: u64| -> u32 { a.leading_zeros() }),
        rare!("brev.b32", Shift, |a: u32| -> u32 { a.reverse_bits() }),
        rare!("brev.b64", Shift, |a: u64| -> u64 { a.reverse_bits() }),
        rare!("bfind.u32", Int, |a: u32| -> u32 { 31u32.wrapping_sub(a.leading_zeros()) }),
        rare!("bfind.s32", Int, |a: i32| -> u32 {
            31u32.wrapping_sub((if a < 0 { !a } else { a } as u32).leading_zeros())
        }),
        rare!("bfind.u64", Int, |a: u64| -> u32 { 63u32.wrapping_sub(a.leading_zeros()) }),
        rare!("bfind.shiftamt.u32", Int, |a: u32| -> u32 {
            if a == 0 { u32::MAX } else { a.leading_zeros() }
        }),
        // Byte dot products and byte-wise SIMD
        op!("dp4a.u32.u32", IntMul, |a: u32, b: u32, c: u32| -> u32 { dot4(a, b, c, false, false) }),
        rare!("dp4a.u32.s32", IntMul, |a: u32, b: u32, c: u32| -> u32 { dot4(a, b, c, false, true) }),
        rare!("dp4a.s32.u32", IntMul, |a: u32, b: u32, c: u32| -> u32 { dot4(a, b, c, true, false) }),
        op!("dp4a.s32.s32", IntMul, |a: u32, b: u32, c: u32| -> u32 { dot4(a, b, c, true, true) }),
        rare!("dp2a.lo.u32.u32", IntMul, |a: u32, b: u32, c: u32| -> u32 { dot2(a, b, c, false, false) }),
        rare!("dp2a.hi.u32.u32", IntMul, |a: u32, b: u32, c: u32| -> u32 {
            dot2(a, b >> 16, c, false, false)
        }),
        rare!("dp2a.lo.s32.s32", IntMul, |a: u32, b: u32, c: u32| -> u32 { dot2(a, b, c, true, true) }),
        rare!("dp2a.hi.s32.s32", IntMul, |a: u32, b: u32, c: u32| -> u32 { dot2(a, b >> 16, c, true, true) }),
        rare!("vabsdiff4.u32.u32.u32.add", Int, |a: u32, b: u32, c: u32| -> u32 {
            bytes(a).iter().zip(bytes(b)).fold(c, |sum, (x, y)| sum.wrapping_add(u32::from(x.abs_diff(y))))
        }),
        rare!("vabsdiff4.u32.u32.u32", Int, |a: u32, b: u32, _c: u32| -> u32 {
            let (a, b) = (bytes(a), bytes(b));
            u32::from_le_bytes([0, 1, 2, 3].map(|i: usize| a[i].abs_diff(b[i])))
        }),
        // 16 bits
        op!("add.{u16,s16}", Int, |a: u16, b: u16| -> u16 { a.wrapping_add(b) }),
        op!("sub.{u16,s16}", Int, |a: u16, b: u16| -> u16 { a.wrapping_sub(b) }),
        op!("mul.lo.{u16,s16}", IntMul, |a: u16, b: u16| -> u16 { a.wrapping_mul(b) }),
        rare!("mul.hi.u16", IntMul, |a: u16, b: u16| -> u16 { (u32::from(a) * u32::from(b) >> 16) as u16 }),
        rare!("mul.hi.s16", IntMul, |a: i16, b: i16| -> i16 { (i32::from(a) * i32::from(b) >> 16) as i16 }),
        op!("mul.wide.u16", IntMul, |a: u16, b: u16| -> u32 { u32::from(a) * u32::from(b) }),
        op!("mul.wide.s16", IntMul, |a: i16, b: i16| -> i32 { i32::from(a) * i32::from(b) }),
        op!("mad.lo.{u16,s16}", IntMul, |a: u16, b: u16, c: u16| -> u16 {
            a.wrapping_mul(b).wrapping_add(c)
        }),
        rare!("mad.wide.u16", IntMul, |a: u16, b: u16, c: u32| -> u32 {
            (u32::from(a) * u32::from(b)).wrapping_add(c)
        }),
        rare!("mad.wide.s16", IntMul, |a: i16, b: i16, c: i32| -> i32 {
            (i32::from(a) * i32::from(b)).wrapping_add(c)
        }),
        rare!("div.u16", IntDiv, |a: u16, b: u16| -> u16 { a.checked_div(b).unwrap_or(u16::MAX) }),
        rare!("div.s16", IntDiv, |a: i16, b: i16| -> i16 { if b == 0 { -1 } else { a.wrapping_div(b) } }),
        rare!("rem.u16", IntDiv, |a: u16, b: u16| -> u16 { a.checked_rem(b).unwrap_or(a) }),
        rare!("rem.s16", IntDiv, |a: i16, b: i16| -> i16 { if b == 0 { a } else { a.wrapping_rem(b) } }),
        rare!("abs.s16", Int, |a: i16| -> i16 { a.wrapping_abs() }),
        rare!("neg.s16", Int, |a: i16| -> i16 { a.wrapping_neg() }),
        op!("min.u16", Int, |a: u16, b: u16| -> u16 { a.min(b) }),
        op!("min.s16", Int, |a: i16, b: i16| -> i16 { a.min(b) }),
        op!("max.u16", Int, |a: u16, b: u16| -> u16 { a.max(b) }),
        op!("max.s16", Int, |a: i16, b: i16| -> i16 { a.max(b) }),
        op!("and.b16", Logic, |a: u16, b: u16| -> u16 { a & b }),
        op!("or.b16", Logic, |a: u16, b: u16| -> u16 { a | b }),
        op!("xor.b16", Logic, |a: u16, b: u16| -> u16 { a ^ b }),
        op!("not.b16", Logic, |a: u16| -> u16 { !a }),
        alike!("shl.b16", Shift, |a: u16, b: u32| -> u16 { if b > 15 { 0 } else { a << b } }),
        alike!("shr.{u16,b16}", Shift, |a: u16, b: u32| -> u16 { if b > 15 { 0 } else { a >> b } }),
        alike!("shr.s16", Shift, |a: i16, b: u32| -> i16 { a >> b.min(15) }),
        // 64 bits
        op!("add.{u64,s64}", Int, |a: u64, b: u64| -> u64 { a.wrapping_add(b) }),
        op!("sub.{u64,s64}", Int, |a: u64, b: u64| -> u64 { a.wrapping_sub(b) }),
        op!("mul.lo.{u64,s64}", IntMul, |a: u64, b: u64| -> u64 { a.wrapping_mul(b) }),
        rare!("mul.hi.u64", IntMul, |a: u64, b: u64| -> u64 { (u128::from(a) * u128::from(b) >> 64) as u64 }),
        rare!("mul.hi.s64", IntMul, |a: i64, b: i64| -> i64 { (i128::from(a) * i128::from(b) >> 64) as i64 }),
        op!("mad.lo.{u64,s64}", IntMul, |a: u64, b: u64, c: u64| -> u64 {
            a.wrapping_mul(b).wrapping_add(c)
        }),
        rare!("mad.hi.u64", IntMul, |a: u64, b: u64, c: u64| -> u64 {
            ((u128::from(a) * u128::from(b) >> 64) as u64).wrapping_add(c)
        }),
        rare!("div.u64", IntDiv, |a: u64, b: u64| -> u64 { a.checked_div(b).unwrap_or(u64::MAX) }),
        rare!("div.s64", IntDiv, |a: i64, b: i64| -> i64 { if b == 0 { -1 } else { a.wrapping_div(b) } }),
        rare!("rem.u64", IntDiv, |a: u64, b: u64| -> u64 { a.checked_rem(b).unwrap_or(a) }),
        rare!("rem.s64", IntDiv, |a: i64, b: i64| -> i64 { if b == 0 { a } else { a.wrapping_rem(b) } }),
        rare!("abs.s64", Int, |a: i64| -> i64 { a.wrapping_abs() }),
        op!("neg.s64", Int, |a: i64| -> i64 { a.wrapping_neg() }),
        op!("min.u64", Int, |a: u64, b: u64| -> u64 { a.min(b) }),
        op!("min.s64", Int, |a: i64, b: i64| -> i64 { a.min(b) }),
        op!("max.u64", Int, |a: u64, b: u64| -> u64 { a.max(b) }),
        op!("max.s64", Int, |a: i64, b: i64| -> i64 { a.max(b) }),
        op!("and.b64", Logic, |a: u64, b: u64| -> u64 { a & b }),
        op!("or.b64", Logic, |a: u64, b: u64| -> u64 { a | b }),
        op!("xor.b64", Logic, |a: u64, b: u64| -> u64 { a ^ b }),
        op!("not.b64", Logic, |a: u64| -> u64 { !a }),
        alike!("shl.b64", Shift, |a: u64, b: u32| -> u64 { if b > 63 { 0 } else { a << b } }),
        alike!("shr.{u64,b64}", Shift, |a: u64, b: u32| -> u64 { if b > 63 { 0 } else { a >> b } }),
        alike!("shr.s64", Shift, |a: i64, b: u32| -> i64 { a >> b.min(63) }),
        // Predicates
        mask_op!("and.pred", Logic, |a, b| a & b),
        mask_op!("or.pred", Logic, |a, b| a | b),
        mask_op!("xor.pred", Logic, |a, b| a ^ b),
        mask_op!("not.pred", Logic, |a| !a),
        // Halves of a register pair; not PTX spellings: the decoder splits `mov.b64 {a, b}, c` into them.
        op!("~low.b64", Move, |a: u64| -> u32 { a as u32 }),
        op!("~high.b64", Move, |a: u64| -> u32 { (a >> 32) as u32 }),
        op!("~join.b64", Move, |a: u32, b: u32| -> u64 { u64::from(a) | u64::from(b) << 32 }),
        op!("~low.b32", Move, |a: u32| -> u16 { a as u16 }),
        op!("~high.b32", Move, |a: u32| -> u16 { (a >> 16) as u16 }),
        op!("~join.b32", Move, |a: u16, b: u16| -> u32 { u32::from(a) | u32::from(b) << 16 }),
        op!("~byte.b32", Move, |a: u32, b: u32| -> u32 { a >> (8 * (b & 3)) & 0xff }),
        op!("~join4.b32", Move, |a: u8, b: u8, c: u8, d: u8| -> u32 { u32::from_le_bytes([a, b, c, d]) }),
        rare!("~join4.b64", Move, |a: u16, b: u16, c: u16, d: u16| -> u64 {
            u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48
        }),
        rare!("~half.b64", Move, |a: u64, b: u32| -> u16 { (a >> (16 * (b & 3))) as u16 }),
        op!("~truncate", Move, |a: u64| -> u32 { a as u32 }),
        op!("~extend.u", Move, |a: u32| -> u64 { u64::from(a) }),
    ];
    rows.extend(integer_min_max_3());
    rows
}

/// `min`/`max` chains are written with two operands; PTX 8.8's three-operand integer forms do not exist.
fn integer_min_max_3() -> Vec<Row> {
    vec![
        rare!("mul24.hi.u32", IntMul, |a: u32, b: u32| -> u32 {
            (u64::from(a & 0xff_ffff) * u64::from(b & 0xff_ffff) >> 16) as u32
        }),
        rare!("mul24.hi.s32", IntMul, |a: i32, b: i32| -> i32 {
            (i64::from(a << 8 >> 8) * i64::from(b << 8 >> 8) >> 16) as i32
        }),
    ]
}

/// All integer comparisons.
pub(crate) fn compare_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    macro_rules! ordered {
        ($types:expr, $t:ty) => {
            compare!(
                op,
                rows,
                "",
                $types,
                $t,
                Int,
                ("lt", <$t>::lt),
                ("le", <$t>::le),
                ("gt", <$t>::gt),
                ("ge", <$t>::ge)
            );
        };
    }
    macro_rules! equal {
        ($types:expr, $t:ty) => {
            compare!(op, rows, "", $types, $t, Int, ("eq", <$t>::eq), ("ne", <$t>::ne));
        };
    }
    ordered!("{u16}", u16);
    ordered!("s16", i16);
    ordered!("{u32}", u32);
    ordered!("s32", i32);
    ordered!("{u64}", u64);
    ordered!("s64", i64);
    equal!("{u16,s16,b16}", u16);
    equal!("{u32,s32,b32}", u32);
    equal!("{u64,s64,b64}", u64);
    // Other spellings for unsigned types.
    macro_rules! unsigned {
        ($types:expr, $t:ty) => {
            compare!(
                rare,
                rows,
                "",
                $types,
                $t,
                Int,
                ("lo", <$t>::lt),
                ("ls", <$t>::le),
                ("hi", <$t>::gt),
                ("hs", <$t>::ge)
            );
        };
    }
    unsigned!("{u16}", u16);
    unsigned!("{u32,b32}", u32);
    unsigned!("{u64,b64}", u64);
    rows
}
