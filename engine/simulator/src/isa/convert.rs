//! `cvt` between all pairs of integer and floating types, and byte-packing conversions.

use super::nan::{nan64, shortened, widened};
use super::rounding::{Mode, canonical, flush, narrow, saturate};
use super::table::{Row, op, rare};

/// All conversions.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = integer_rows();
    rows.extend(to_float_rows());
    rows.extend(to_integer_rows());
    rows.extend(float_rows());
    rows
}

/// Integer to integer: truncated or extended; with `.sat` clamped.
fn integer_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    // A register of 16 bits or more holds the same for a signed and an unsigned number.
    macro_rules! plain {
        ($row:ident, $to:ty, $names:literal) => {
            plain!(@from $row, $to, $names, (u8, "u8"), (i8, "s8"), (u16, "u16"), (i16, "s16"),
                (u32, "u32"), (i32, "s32"), (u64, "u64"), (i64, "s64"));
        };
        (@from $row:ident, $to:ty, $names:literal, $(($from:ty, $name:literal)),*) => {$(
            rows.push($row!(concat!("cvt.", $names, ".", $name), Move, |a: $from| -> $to { a as $to }));
        )*};
    }
    plain!(rare, u8, "u8");
    plain!(rare, i8, "s8");
    plain!(op, u16, "{u16,s16}");
    plain!(op, u32, "{u32,s32}");
    plain!(op, u64, "{u64,s64}");
    macro_rules! clamped {
        ($to:ty, $to_name:literal, $(($from:ty, $name:literal)),*) => {$(
            rows.push(rare!(concat!("cvt.sat.", $to_name, ".", $name), Convert, |a: $from| -> $to {
                i128::from(a).clamp(<$to>::MIN as i128, <$to>::MAX as i128) as $to
            }));
        )*};
    }
    macro_rules! clamped_from_all {
        ($(($to:ty, $name:literal)),*) => {$(
            clamped!($to, $name, (u8, "u8"), (i8, "s8"), (u16, "u16"), (i16, "s16"), (u32, "u32"), (i32, "s32"),
                (u64, "u64"), (i64, "s64"));
        )*};
    }
    clamped_from_all!(
        (u8, "u8"),
        (i8, "s8"),
        (u16, "u16"),
        (i16, "s16"),
        (u32, "u32"),
        (i32, "s32"),
        (u64, "u64"),
        (i64, "s64")
    );
    rows.push(rare!("cvt.pack.sat.u8.s32.b32", Convert, |a: i32, b: i32, c: u32| -> u32 {
        c << 16 | (a.clamp(0, 255) as u32) << 8 | b.clamp(0, 255) as u32
    }));
    rows.push(rare!("cvt.pack.sat.s8.s32.b32", Convert, |a: i32, b: i32, c: u32| -> u32 {
        c << 16 | u32::from(a.clamp(-128, 127) as u8) << 8 | u32::from(b.clamp(-128, 127) as u8)
    }));
    rows.push(rare!("cvt.pack.sat.u16.s32", Convert, |a: i32, b: i32| -> u32 {
        (a.clamp(0, 65535) as u32) << 16 | b.clamp(0, 65535) as u32
    }));
    rows.push(rare!("cvt.pack.sat.s16.s32", Convert, |a: i32, b: i32| -> u32 {
        u32::from(a.clamp(-32768, 32767) as u16) << 16 | u32::from(b.clamp(-32768, 32767) as u16)
    }));
    rows
}

/// Integer to floating, to nearest even; directed modes from 32 bits.
fn to_float_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    macro_rules! from {
        ($row:ident, $(($from:ty, $name:literal)),*) => {$(
            rows.push($row!(concat!("cvt.rn.f32.", $name), Convert, |a: $from| -> f32 { a as f32 }));
            rows.push(rare!(concat!("cvt.rn.sat.f32.", $name), Convert, |a: $from| -> f32 { saturate(a as f32) }));
            rows.push($row!(concat!("cvt.rn.f64.", $name), Convert, |a: $from| -> f64 { a as f64 }));
        )*};
    }
    from!(op, (u8, "u8"), (i8, "s8"), (u16, "u16"), (i16, "s16"), (u32, "u32"), (i32, "s32"));
    from!(rare, (u64, "u64"), (i64, "s64"));
    macro_rules! directed {
        ($(($from:ty, $name:literal)),*) => {$(
            rows.push(rare!(concat!("cvt.rz.f32.", $name), Convert,
                |a: $from| -> f32 { narrow(f64::from(a), Mode::Zero) }));
            rows.push(rare!(concat!("cvt.rm.f32.", $name), Convert,
                |a: $from| -> f32 { narrow(f64::from(a), Mode::Down) }));
            rows.push(rare!(concat!("cvt.rp.f32.", $name), Convert,
                |a: $from| -> f32 { narrow(f64::from(a), Mode::Up) }));
        )*};
    }
    directed!((u8, "u8"), (i8, "s8"), (u16, "u16"), (i16, "s16"), (u32, "u32"), (i32, "s32"));
    rows
}

/// To the nearest integer, ties to even, without a library call: adding 2²³ pushes the fraction out.
#[inline(always)]
fn round_even(value: f32) -> f32 {
    let magic = 8_388_608f32.copysign(value);
    if value.abs() < 8_388_608.0 { ((value + magic) - magic).copysign(value) } else { value }
}

/// Floating to integer: rounded, clamped to the type.
fn to_integer_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    // Where either side has 64 bits, an H200 makes the top bit of a NaN; else 0.
    macro_rules! single {
        ($a:expr, $rounded:expr, $to:ty) => {
            if size_of::<$to>() == 8 && $a.is_nan() { (1u64 << 63) as $to } else { $rounded as $to }
        };
    }
    macro_rules! double {
        ($a:expr, $rounded:expr, $to:ty) => {
            if $a.is_nan() { (1u64 << (8 * size_of::<$to>() - 1)) as $to } else { $rounded as $to }
        };
    }
    macro_rules! to {
        ($row:ident, $(($to:ty, $name:literal)),*) => {$(
            rows.push($row!(concat!("cvt.rzi{,.ftz}{,.sat}.", $name, ".f32"), Convert, |a: f32| -> $to { single!(a, a, $to) }));
            rows.push($row!(concat!("cvt.rni{,.ftz}{,.sat}.", $name, ".f32"), Convert,
                |a: f32| -> $to { single!(a, round_even(a), $to) }));
            rows.push(rare!(concat!("cvt.rmi{,.sat}.", $name, ".f32"), Convert,
                |a: f32| -> $to { single!(a, a.floor(), $to) }));
            rows.push(rare!(concat!("cvt.rmi.ftz{,.sat}.", $name, ".f32"), Convert,
                |a: f32| -> $to { single!(a, flush(a).floor(), $to) }));
            rows.push(rare!(concat!("cvt.rpi{,.sat}.", $name, ".f32"), Convert,
                |a: f32| -> $to { single!(a, a.ceil(), $to) }));
            rows.push(rare!(concat!("cvt.rpi.ftz{,.sat}.", $name, ".f32"), Convert,
                |a: f32| -> $to { single!(a, flush(a).ceil(), $to) }));
            rows.push($row!(concat!("cvt.rzi{,.sat}.", $name, ".f64"), Convert, |a: f64| -> $to { double!(a, a, $to) }));
            rows.push(rare!(concat!("cvt.rni{,.sat}.", $name, ".f64"), Convert,
                |a: f64| -> $to { double!(a, a.round_ties_even(), $to) }));
            rows.push(rare!(concat!("cvt.rmi{,.sat}.", $name, ".f64"), Convert,
                |a: f64| -> $to { double!(a, a.floor(), $to) }));
            rows.push(rare!(concat!("cvt.rpi{,.sat}.", $name, ".f64"), Convert,
                |a: f64| -> $to { double!(a, a.ceil(), $to) }));
        )*};
    }
    to!(op, (u32, "u32"), (i32, "s32"));
    to!(rare, (u8, "u8"), (i8, "s8"), (u16, "u16"), (i16, "s16"), (u64, "u64"), (i64, "s64"));
    rows
}

/// Between floating types, and to integral values of the same type.
fn float_rows() -> Vec<Row> {
    vec![
        op!("cvt.f64.f32", Convert, |a: f32| -> f64 { widened(a) }),
        rare!("cvt.ftz.f64.f32", Convert, |a: f32| -> f64 { widened(flush(a)) }),
        // A NaN keeps its sign and payload here, as on an H200.
        op!("cvt.rn.f32.f64", Convert, |a: f64| -> f32 { shortened(a) }),
        rare!("cvt.rn.ftz.f32.f64", Convert, |a: f64| -> f32 { flush(canonical(a as f32)) }),
        rare!("cvt.rz.f32.f64", Convert, |a: f64| -> f32 { narrow(a, Mode::Zero) }),
        rare!("cvt.rm.f32.f64", Convert, |a: f64| -> f32 { narrow(a, Mode::Down) }),
        rare!("cvt.rp.f32.f64", Convert, |a: f64| -> f32 { narrow(a, Mode::Up) }),
        op!("cvt.f32.f32", Convert, |a: f32| -> f32 { a }),
        rare!("cvt.ftz.f32.f32", Convert, |a: f32| -> f32 { flush(a) }),
        rare!("cvt.sat.f32.f32", Convert, |a: f32| -> f32 { saturate(a) }),
        rare!("cvt.ftz.sat.f32.f32", Convert, |a: f32| -> f32 { saturate(flush(a)) }),
        op!("cvt.rni.f32.f32", Convert, |a: f32| -> f32 { canonical(round_even(a)) }),
        op!("cvt.rzi.f32.f32", Convert, |a: f32| -> f32 { canonical(a.trunc()) }),
        rare!("cvt.rmi.f32.f32", Convert, |a: f32| -> f32 { canonical(a.floor()) }),
        rare!("cvt.rpi.f32.f32", Convert, |a: f32| -> f32 { canonical(a.ceil()) }),
        rare!("cvt.rni.ftz.f32.f32", Convert, |a: f32| -> f32 { canonical(round_even(flush(a))) }),
        rare!("cvt.rzi.ftz.f32.f32", Convert, |a: f32| -> f32 { canonical(flush(a).trunc()) }),
        rare!("cvt.rmi.ftz.f32.f32", Convert, |a: f32| -> f32 { canonical(flush(a).floor()) }),
        rare!("cvt.rpi.ftz.f32.f32", Convert, |a: f32| -> f32 { canonical(flush(a).ceil()) }),
        rare!("cvt.rni.f64.f64", Convert, |a: f64| -> f64 { nan64([a], a.round_ties_even()) }),
        rare!("cvt.rzi.f64.f64", Convert, |a: f64| -> f64 { nan64([a], a.trunc()) }),
        rare!("cvt.rmi.f64.f64", Convert, |a: f64| -> f64 { nan64([a], a.floor()) }),
        rare!("cvt.rpi.f64.f64", Convert, |a: f64| -> f64 { nan64([a], a.ceil()) }),
    ]
}
