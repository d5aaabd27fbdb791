//! Double precision in directed rounding, and 64-bit integers to floating types in directed rounding.
//!
//! Rare in kernels, so that arithmetic in software serves; only `fma` and the quotient need it, but one
//! library for all is simpler to trust.

use rustc_apfloat::ieee::Double;
use rustc_apfloat::{Float, Round};

use super::nan::nan64;
use super::rounding::{Mode, flush, narrow, odd_integer, saturate};
use super::table::{Row, rare};

fn soft(value: f64) -> Double {
    Double::from_bits(u128::from(value.to_bits()))
}

fn hard<const N: usize>(operands: [f64; N], value: Double) -> f64 {
    nan64(operands, f64::from_bits(value.to_bits() as u64))
}

/// The root, moved by one unit if the nearest lies on the wrong side.
fn root(value: f64, mode: Mode) -> f64 {
    // Into a range where the remainder is exact.
    let (scale, back) = if value < 1e-280 { (2f64.powi(200), 2f64.powi(-100)) } else { (1.0, 1.0) };
    let scaled = value * scale;
    let nearest = scaled.sqrt();
    if !nearest.is_finite() || nearest == 0.0 {
        return nan64([value], nearest);
    }
    let rest = libm::fma(-nearest, nearest, scaled);
    let moved = match mode {
        Mode::Up if rest > 0.0 => nearest.next_up(),
        Mode::Down | Mode::Zero if rest < 0.0 => nearest.next_down(),
        _ => nearest,
    };
    moved * back
}

/// An integer as a double in a directed mode.
fn from_integer(value: i128, mode: Mode) -> f64 {
    let nearest = value as f64;
    let rest = value - nearest as i128;
    match mode {
        Mode::Up if rest > 0 => nearest.next_up(),
        Mode::Down if rest < 0 => nearest.next_down(),
        Mode::Zero if rest < 0 && value > 0 => nearest.next_down(),
        Mode::Zero if rest > 0 && value < 0 => nearest.next_up(),
        _ => nearest,
    }
}

/// All rows of this file.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = vec![
        rare!("mad.f64", Fp64, |a: f64, b: f64, c: f64| -> f64 { nan64([a, b, c], libm::fma(a, b, c)) }),
        rare!("testp.normal.f64", Fp64, |a: f64| -> bool { a.is_normal() }),
        rare!("testp.subnormal.f64", Fp64, |a: f64| -> bool { a.is_subnormal() }),
        rare!("cvt.rn.sat.f32.f64", Convert, |a: f64| -> f32 { saturate(a as f32) }),
        rare!("cvt.sat.f64.f64", Convert, |a: f64| -> f64 { if a > 0.0 { a.min(1.0) } else { 0.0 } }),
        rare!("cvt.f64.f64", Convert, |a: f64| -> f64 { a }),
        rare!("cvt.rz.ftz.f32.f64", Convert, |a: f64| -> f32 { flush(narrow(a, Mode::Zero)) }),
        rare!("cvt.rm.ftz.f32.f64", Convert, |a: f64| -> f32 { flush(narrow(a, Mode::Down)) }),
        rare!("cvt.rp.ftz.f32.f64", Convert, |a: f64| -> f32 { flush(narrow(a, Mode::Up)) }),
    ];
    macro_rules! directed {
        ($(($suffix:literal, $round:ident, $mode:ident)),*) => {$(
            rows.push(rare!(concat!("add.", $suffix, ".f64"), Fp64, |a: f64, b: f64| -> f64 {
                hard([a, b], soft(a).add_r(soft(b), Round::$round).value)
            }));
            rows.push(rare!(concat!("sub.", $suffix, ".f64"), Fp64, |a: f64, b: f64| -> f64 {
                hard([a, b], soft(a).sub_r(soft(b), Round::$round).value)
            }));
            rows.push(rare!(concat!("mul.", $suffix, ".f64"), Fp64, |a: f64, b: f64| -> f64 {
                hard([a, b], soft(a).mul_r(soft(b), Round::$round).value)
            }));
            rows.push(rare!(concat!("{fma,mad}.", $suffix, ".f64"), Fp64, |a: f64, b: f64, c: f64| -> f64 {
                hard([a, b, c], soft(a).mul_add_r(soft(b), soft(c), Round::$round).value)
            }));
            rows.push(rare!(concat!("div.", $suffix, ".f64"), Fp64, |a: f64, b: f64| -> f64 {
                hard([a, b], soft(a).div_r(soft(b), Round::$round).value)
            }));
            rows.push(rare!(concat!("rcp.", $suffix, ".f64"), Fp64, |a: f64| -> f64 {
                hard([a], soft(1.0).div_r(soft(a), Round::$round).value)
            }));
            rows.push(rare!(concat!("sqrt.", $suffix, ".f64"), Fp64, |a: f64| -> f64 { root(a, Mode::$mode) }));
            rows.push(rare!(concat!("cvt.", $suffix, ".f64.u64"), Convert, |a: u64| -> f64 {
                from_integer(i128::from(a), Mode::$mode)
            }));
            rows.push(rare!(concat!("cvt.", $suffix, ".f64.s64"), Convert, |a: i64| -> f64 {
                from_integer(i128::from(a), Mode::$mode)
            }));
            // 32 bits and fewer are exact in double precision.
            rows.push(rare!(concat!("cvt.", $suffix, ".f64.u32"), Convert, |a: u32| -> f64 { f64::from(a) }));
            rows.push(rare!(concat!("cvt.", $suffix, ".f64.s32"), Convert, |a: i32| -> f64 { f64::from(a) }));
            rows.push(rare!(concat!("cvt.", $suffix, ".f32.u64"), Convert, |a: u64| -> f32 {
                narrow(odd_integer(i128::from(a)), Mode::$mode)
            }));
            rows.push(rare!(concat!("cvt.", $suffix, ".f32.s64"), Convert, |a: i64| -> f32 {
                narrow(odd_integer(i128::from(a)), Mode::$mode)
            }));
        )*};
    }
    directed!(("rz", TowardZero, Zero), ("rm", TowardNegative, Down), ("rp", TowardPositive, Up));
    macro_rules! flushed {
        ($(($suffix:literal, $mode:ident)),*) => {$(
            rows.push(rare!(concat!("add.", $suffix, ".ftz.f32"), Fp32, |a: f32, b: f32| -> f32 {
                flush(super::rounding::add(flush(a), flush(b), Mode::$mode))
            }));
            rows.push(rare!(concat!("sub.", $suffix, ".ftz.f32"), Fp32, |a: f32, b: f32| -> f32 {
                flush(super::rounding::add(flush(a), -flush(b), Mode::$mode))
            }));
            rows.push(rare!(concat!("mul.", $suffix, ".ftz.f32"), Fp32, |a: f32, b: f32| -> f32 {
                flush(super::rounding::mul(flush(a), flush(b), Mode::$mode))
            }));
            rows.push(rare!(concat!("fma.", $suffix, ".ftz.f32"), Fp32, |a: f32, b: f32, c: f32| -> f32 {
                flush(super::rounding::fma(flush(a), flush(b), flush(c), Mode::$mode))
            }));
            rows.push(rare!(concat!("div.", $suffix, ".ftz.f32"), Fp32Div, |a: f32, b: f32| -> f32 {
                flush(super::rounding::div(flush(a), flush(b), Mode::$mode))
            }));
            rows.push(rare!(concat!("rcp.", $suffix, ".ftz.f32"), Fp32Div, |a: f32| -> f32 {
                flush(super::rounding::div(1.0, flush(a), Mode::$mode))
            }));
            rows.push(rare!(concat!("sqrt.", $suffix, ".ftz.f32"), Fp32Div, |a: f32| -> f32 {
                flush(super::rounding::sqrt(flush(a), Mode::$mode))
            }));
        )*};
    }
    flushed!(("rz", Zero), ("rm", Down), ("rp", Up));
    rows
}
