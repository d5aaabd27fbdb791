//! Half precision and bfloat16, alone and in pairs.
//!
//! Every operand is widened to double precision, where sums and products of such short numbers are exact or
//! rounded to odd, and the result is rounded once by [`encode`]. The `half` crate gives the types and their
//! widening, which is exact; its narrowing is not used, because it rounds twice on some machines.

use half::{bf16, f16};

use super::comparisons::compare;
use super::rounding::{fused_wide, odd_integer};
use super::table::{Row, rare};

/// A rounding mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Round {
    /// To nearest, ties to even.
    Nearest,
    /// Toward zero.
    Zero,
    /// Toward minus infinity.
    Down,
    /// Toward plus infinity.
    Up,
}

/// A 16-bit floating type.
pub(crate) trait Short: Copy {
    /// Bits of the fraction.
    const FRACTION: u32;
    /// Greatest exponent, and the exponent's bias.
    const BIAS: i32;
    fn wide(self) -> f64;
    fn of(bits: u16) -> Self;
}

impl Short for f16 {
    const FRACTION: u32 = 10;
    const BIAS: i32 = 15;
    fn wide(self) -> f64 {
        self.to_f64()
    }
    fn of(bits: u16) -> Self {
        Self::from_bits(bits)
    }
}

impl Short for bf16 {
    const FRACTION: u32 = 7;
    const BIAS: i32 = 127;
    fn wide(self) -> f64 {
        self.to_f64()
    }
    fn of(bits: u16) -> Self {
        Self::from_bits(bits)
    }
}

/// The one NaN that GPUs give in both types.
const NAN: u16 = 0x7fff;

/// 2 to a power that is in the range of normal doubles.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// A double rounded once to a 16-bit type.
pub(crate) fn encode<S: Short>(value: f64, mode: Round) -> S {
    if value.is_nan() {
        return S::of(NAN);
    }
    let negative = value.is_sign_negative();
    let sign = u32::from(negative) << 15;
    let infinity = (2 * S::BIAS as u32 + 1) << S::FRACTION;
    let magnitude = value.abs();
    let bits = if magnitude.is_infinite() {
        infinity
    } else {
        // In units of the last place of the result, subnormals included.
        let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(1 - S::BIAS);
        let scaled = magnitude * power(S::FRACTION as i32 - exponent);
        let whole = scaled.floor();
        let rest = scaled - whole;
        let up = match mode {
            Round::Nearest => rest > 0.5 || rest == 0.5 && whole % 2.0 == 1.0,
            Round::Zero => false,
            Round::Down => negative && rest > 0.0,
            Round::Up => !negative && rest > 0.0,
        };
        let units = whole as u64 + u64::from(up);
        // The leading one carries into the exponent, as does a rounding to the next power of two.
        let bits = (((exponent + S::BIAS - 1) as u64) << S::FRACTION) + units;
        let stays_finite = match mode {
            Round::Nearest => false,
            Round::Zero => true,
            Round::Down => !negative,
            Round::Up => negative,
        };
        if bits < u64::from(infinity) { bits as u32 } else { infinity - u32::from(stays_finite) }
    };
    S::of((sign | bits) as u16)
}

fn nearest<S: Short>(value: f64) -> S {
    encode(value, Round::Nearest)
}

/// `.ftz`: subnormals of the type become zero of the same sign.
fn flush<S: Short>(value: S) -> S {
    let wide = value.wide();
    if wide.abs() < power(1 - S::BIAS) { nearest(0f64.copysign(wide)) } else { value }
}

/// `.sat`
fn saturate<S: Short>(value: S) -> S {
    let wide = value.wide();
    if wide > 0.0 { nearest(wide.min(1.0)) } else { nearest(0.0) }
}

/// `.relu`: NaN stays NaN.
fn relu<S: Short>(value: S) -> S {
    let wide = value.wide();
    if wide.is_nan() || wide > 0.0 { nearest(wide) } else { nearest(0.0) }
}

fn fma<S: Short>(a: S, b: S, c: S) -> S {
    nearest(fused_wide(a.wide(), b.wide(), c.wide()))
}

fn add<S: Short>(a: S, b: S) -> S {
    nearest(fused_wide(a.wide(), 1.0, b.wide()))
}

fn sub<S: Short>(a: S, b: S) -> S {
    nearest(fused_wide(b.wide(), -1.0, a.wide()))
}

fn mul<S: Short>(a: S, b: S) -> S {
    nearest(a.wide() * b.wide())
}

/// The smaller; a NaN loses, or wins with `.NaN`.
fn min<S: Short>(a: S, b: S, nan: bool) -> S {
    let (x, y) = (a.wide(), b.wide());
    if nan && (x.is_nan() || y.is_nan()) { S::of(NAN) } else { nearest(super::rounding::min64(x, y)) }
}

fn max<S: Short>(a: S, b: S, nan: bool) -> S {
    let (x, y) = (a.wide(), b.wide());
    if nan && (x.is_nan() || y.is_nan()) { S::of(NAN) } else { nearest(super::rounding::max64(x, y)) }
}

/// `.xorsign.abs`: the magnitude chosen among magnitudes, with the product's sign.
fn with_xor_sign<S: Short>(a: S, b: S, chosen: S) -> S {
    let negative = a.wide().is_sign_negative() != b.wide().is_sign_negative();
    let wide = chosen.wide();
    if wide.is_nan() { S::of(NAN) } else { nearest(if negative { -wide.abs() } else { wide.abs() }) }
}

fn absolute<S: Short>(a: S) -> S {
    nearest(a.wide().abs())
}

/// Both halves of a pair.
fn both(a: u32, f: impl Fn(u16) -> u16) -> u32 {
    u32::from(f(a as u16)) | u32::from(f((a >> 16) as u16)) << 16
}

/// A row for a scalar and for its pair, from a function of the scalars.
macro_rules! scalar_and_pair {
    ($rows:ident, $forms:expr, $t:ident, $class:ident, |$a:ident| $body:expr) => {
        $rows.push(rare!(concat!($forms, ".", stringify!($t)), $class, |$a: $t| -> $t { $body }));
        $rows.push(rare!(concat!($forms, ".", stringify!($t), "x2"), $class, |a: u32| -> u32 {
            both(a, |bits| {
                let $a = $t::from_bits(bits);
                ($body).to_bits()
            })
        }));
    };
    ($rows:ident, $forms:expr, $t:ident, $class:ident, |$a:ident, $b:ident| $body:expr) => {
        $rows.push(rare!(concat!($forms, ".", stringify!($t)), $class, |$a: $t, $b: $t| -> $t { $body }));
        $rows.push(rare!(concat!($forms, ".", stringify!($t), "x2"), $class, |a: u32, b: u32| -> u32 {
            let f = |$a: u32, $b: u32| -> u32 {
                let ($a, $b) = ($t::from_bits($a as u16), $t::from_bits($b as u16));
                u32::from(($body).to_bits())
            };
            f(a, b) | f(a >> 16, b >> 16) << 16
        }));
    };
    ($rows:ident, $forms:expr, $t:ident, $class:ident, |$a:ident, $b:ident, $c:ident| $body:expr) => {
        $rows.push(rare!(concat!($forms, ".", stringify!($t)), $class, |$a: $t, $b: $t, $c: $t| -> $t {
            $body
        }));
        $rows.push(rare!(concat!($forms, ".", stringify!($t), "x2"), $class, |a: u32,
                                                                              b: u32,
                                                                              c: u32|
         -> u32 {
            let f = |$a: u32, $b: u32, $c: u32| -> u32 {
                let ($a, $b, $c) =
                    ($t::from_bits($a as u16), $t::from_bits($b as u16), $t::from_bits($c as u16));
                u32::from(($body).to_bits())
            };
            f(a, b, c) | f(a >> 16, b >> 16, c >> 16) << 16
        }));
    };
}

/// Arithmetic and comparisons.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    macro_rules! common {
        ($t:ident) => {
            scalar_and_pair!(rows, "add{,.rn}", $t, Fp32, |a, b| add(a, b));
            scalar_and_pair!(rows, "sub{,.rn}", $t, Fp32, |a, b| sub(a, b));
            scalar_and_pair!(rows, "mul{,.rn}", $t, Fp32, |a, b| mul(a, b));
            scalar_and_pair!(rows, "fma.rn", $t, Fp32, |a, b, c| fma(a, b, c));
            scalar_and_pair!(rows, "fma.rn.relu", $t, Fp32, |a, b, c| relu(fma(a, b, c)));
            scalar_and_pair!(rows, "neg", $t, Fp32, |a| nearest::<$t>(-a.wide()));
            scalar_and_pair!(rows, "abs", $t, Fp32, |a| absolute(a));
            scalar_and_pair!(rows, "min", $t, Fp32, |a, b| min(a, b, false));
            scalar_and_pair!(rows, "max", $t, Fp32, |a, b| max(a, b, false));
            scalar_and_pair!(rows, "min.NaN", $t, Fp32, |a, b| min(a, b, true));
            scalar_and_pair!(rows, "max.NaN", $t, Fp32, |a, b| max(a, b, true));
            scalar_and_pair!(rows, "min.xorsign.abs", $t, Fp32, |a, b| {
                with_xor_sign(a, b, min(absolute(a), absolute(b), false))
            });
            scalar_and_pair!(rows, "max.xorsign.abs", $t, Fp32, |a, b| {
                with_xor_sign(a, b, max(absolute(a), absolute(b), false))
            });
            scalar_and_pair!(rows, "tanh.approx", $t, Sfu, |a| nearest::<$t>(libm::tanh(a.wide())));
            rows.push(rare!(concat!("~set.", stringify!($t)), Move, |a: bool| -> $t {
                nearest(if a { 1.0 } else { 0.0 })
            }));
            compare!(
                rare,
                rows,
                "",
                stringify!($t),
                $t,
                Fp32,
                ("eq", |a: &$t, b: &$t| a == b),
                ("ne", |a: &$t, b: &$t| a < b || a > b),
                ("lt", <$t>::lt),
                ("le", <$t>::le),
                ("gt", <$t>::gt),
                ("ge", <$t>::ge),
                ("equ", |a: &$t, b: &$t| !(a < b || a > b)),
                ("neu", |a: &$t, b: &$t| a != b),
                ("ltu", |a: &$t, b: &$t| !(a >= b)),
                ("leu", |a: &$t, b: &$t| !(a > b)),
                ("gtu", |a: &$t, b: &$t| !(a <= b)),
                ("geu", |a: &$t, b: &$t| !(a < b)),
                ("num", |a: &$t, b: &$t| !(a.is_nan() || b.is_nan())),
                ("nan", |a: &$t, b: &$t| a.is_nan() || b.is_nan())
            );
        };
    }
    common!(f16);
    common!(bf16);
    scalar_and_pair!(rows, "ex2.approx", f16, Sfu, |a| nearest::<f16>(libm::exp2(a.wide())));
    scalar_and_pair!(rows, "ex2.approx.ftz", bf16, Sfu, |a| flush(nearest::<bf16>(libm::exp2(
        flush(a).wide()
    ))));
    scalar_and_pair!(rows, "add{,.rn}.ftz", f16, Fp32, |a, b| flush(add(flush(a), flush(b))));
    scalar_and_pair!(rows, "sub{,.rn}.ftz", f16, Fp32, |a, b| flush(sub(flush(a), flush(b))));
    scalar_and_pair!(rows, "mul{,.rn}.ftz", f16, Fp32, |a, b| flush(mul(flush(a), flush(b))));
    scalar_and_pair!(rows, "add{,.rn}.sat", f16, Fp32, |a, b| saturate(add(a, b)));
    scalar_and_pair!(rows, "sub{,.rn}.sat", f16, Fp32, |a, b| saturate(sub(a, b)));
    scalar_and_pair!(rows, "mul{,.rn}.sat", f16, Fp32, |a, b| saturate(mul(a, b)));
    scalar_and_pair!(rows, "add{,.rn}.ftz.sat", f16, Fp32, |a, b| flush(saturate(add(flush(a), flush(b)))));
    scalar_and_pair!(rows, "sub{,.rn}.ftz.sat", f16, Fp32, |a, b| flush(saturate(sub(flush(a), flush(b)))));
    scalar_and_pair!(rows, "mul{,.rn}.ftz.sat", f16, Fp32, |a, b| flush(saturate(mul(flush(a), flush(b)))));
    scalar_and_pair!(rows, "fma.rn.sat", f16, Fp32, |a, b, c| saturate(fma(a, b, c)));
    scalar_and_pair!(rows, "fma.rn.ftz", f16, Fp32, |a, b, c| flush(fma(flush(a), flush(b), flush(c))));
    scalar_and_pair!(rows, "fma.rn.ftz.sat", f16, Fp32, |a, b, c| {
        flush(saturate(fma(flush(a), flush(b), flush(c))))
    });
    scalar_and_pair!(rows, "fma.rn.ftz.relu", f16, Fp32, |a, b, c| {
        flush(relu(fma(flush(a), flush(b), flush(c))))
    });
    scalar_and_pair!(rows, "neg.ftz", f16, Fp32, |a| nearest::<f16>(-flush(a).wide()));
    scalar_and_pair!(rows, "abs.ftz", f16, Fp32, |a| absolute(flush(a)));
    scalar_and_pair!(rows, "min.ftz", f16, Fp32, |a, b| min(flush(a), flush(b), false));
    scalar_and_pair!(rows, "max.ftz", f16, Fp32, |a, b| max(flush(a), flush(b), false));
    scalar_and_pair!(rows, "min.ftz.NaN", f16, Fp32, |a, b| min(flush(a), flush(b), true));
    scalar_and_pair!(rows, "max.ftz.NaN", f16, Fp32, |a, b| max(flush(a), flush(b), true));
    rows
}

/// Conversions from and to the 16-bit types.
pub(crate) fn convert_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    macro_rules! rounded {
        ($t:ident, $($mode:literal: $round:ident),*) => {$(
            rows.push(rare!(concat!("cvt.", $mode, ".", stringify!($t), ".f32"), Convert,
                |a: f32| -> $t { encode(f64::from(a), Round::$round) }));
            rows.push(rare!(concat!("cvt.", $mode, ".ftz.", stringify!($t), ".f32"), Convert,
                |a: f32| -> $t { encode(f64::from(super::rounding::flush(a)), Round::$round) }));
            rows.push(rare!(concat!("cvt.", $mode, ".sat.", stringify!($t), ".f32"), Convert,
                |a: f32| -> $t { saturate(encode(f64::from(a), Round::$round)) }));
            rows.push(rare!(concat!("cvt.", $mode, ".ftz.sat.", stringify!($t), ".f32"), Convert,
                |a: f32| -> $t { saturate(encode(f64::from(super::rounding::flush(a)), Round::$round)) }));
            rows.push(rare!(concat!("cvt.", $mode, ".relu.", stringify!($t), ".f32"), Convert,
                |a: f32| -> $t { relu(encode(f64::from(a), Round::$round)) }));
            rows.push(rare!(concat!("cvt.", $mode, ".", stringify!($t), ".f64"), Convert,
                |a: f64| -> $t { encode(a, Round::$round) }));
            rows.push(rare!(concat!("cvt.", $mode, ".sat.", stringify!($t), ".f64"), Convert,
                |a: f64| -> $t { saturate(encode(a, Round::$round)) }));
            // The first operand goes to the upper half.
            rows.push(rare!(concat!("cvt.", $mode, ".", stringify!($t), "x2.f32"), Convert,
                |a: f32, b: f32| -> u32 {
                    let f = |x: f32| u32::from(encode::<$t>(f64::from(x), Round::$round).to_bits());
                    f(a) << 16 | f(b)
                }));
            rows.push(rare!(concat!("cvt.", $mode, ".relu.", stringify!($t), "x2.f32"), Convert,
                |a: f32, b: f32| -> u32 {
                    let f = |x: f32| u32::from(relu(encode::<$t>(f64::from(x), Round::$round)).to_bits());
                    f(a) << 16 | f(b)
                }));
            rounded!(@integers $t, $mode, $round, (u8, "u8"), (i8, "s8"), (u16, "u16"), (i16, "s16"),
                (u32, "u32"), (i32, "s32"), (u64, "u64"), (i64, "s64"));
        )*};
        (@integers $t:ident, $mode:literal, $round:ident, $(($from:ty, $name:literal)),*) => {$(
            rows.push(rare!(concat!("cvt.", $mode, ".", stringify!($t), ".", $name), Convert,
                |a: $from| -> $t { encode(odd_integer(i128::from(a)), Round::$round) }));
        )*};
    }
    macro_rules! whole {
        ($t:ident, $mode:literal, $round:ident, $(($to:ty, $name:literal)),*) => {
            $(rows.push(rare!(concat!("cvt.", $mode, "{,.ftz}{,.sat}.", $name, ".", stringify!($t)), Convert,
                |a: $t| -> $to { a.wide().$round() as $to }));)*
            rows.push(rare!(concat!("cvt.", $mode, ".", stringify!($t), ".", stringify!($t)), Convert,
                |a: $t| -> $t { nearest(a.wide().$round()) }));
        };
    }
    macro_rules! common {
        ($t:ident, $other:ident) => {
            rounded!($t, "rn": Nearest, "rz": Zero, "rm": Down, "rp": Up);
            rows.push(rare!(concat!("cvt.f32.", stringify!($t)), Convert, |a: $t| -> f32 {
                super::rounding::canonical(a.wide() as f32)
            }));
            rows.push(rare!(concat!("cvt.ftz.f32.", stringify!($t)), Convert, |a: $t| -> f32 {
                super::rounding::flush(super::rounding::canonical(a.wide() as f32))
            }));
            rows.push(rare!(concat!("cvt.sat.f32.", stringify!($t)), Convert, |a: $t| -> f32 {
                super::rounding::saturate(a.wide() as f32)
            }));
            rows.push(rare!(concat!("cvt.ftz.sat.f32.", stringify!($t)), Convert, |a: $t| -> f32 {
                super::rounding::saturate(super::rounding::flush(a.wide() as f32))
            }));
            rows.push(rare!(concat!("cvt.f64.", stringify!($t)), Convert, |a: $t| -> f64 {
                super::nan::nan64([a.wide()], a.wide())
            }));
            rows.push(rare!(concat!("cvt.", stringify!($t), ".", stringify!($t)), Convert, |a: $t| -> $t { a }));
            rows.push(rare!(concat!("cvt.sat.", stringify!($t), ".", stringify!($t)), Convert, |a: $t| -> $t {
                saturate(a)
            }));
            rows.push(rare!(concat!("cvt.rn.", stringify!($t), ".", stringify!($other)), Convert, |a: $other| -> $t {
                nearest(a.wide())
            }));
            whole!($t, "rzi", trunc, (u8, "u8"), (i8, "s8"), (u16, "u16"), (i16, "s16"), (u32, "u32"),
                (i32, "s32"), (u64, "u64"), (i64, "s64"));
            whole!($t, "rni", round_ties_even, (u8, "u8"), (i8, "s8"), (u16, "u16"), (i16, "s16"),
                (u32, "u32"), (i32, "s32"), (u64, "u64"), (i64, "s64"));
            whole!($t, "rmi", floor, (u8, "u8"), (i8, "s8"), (u16, "u16"), (i16, "s16"), (u32, "u32"),
                (i32, "s32"), (u64, "u64"), (i64, "s64"));
            whole!($t, "rpi", ceil, (u8, "u8"), (i8, "s8"), (u16, "u16"), (i16, "s16"), (u32, "u32"),
                (i32, "s32"), (u64, "u64"), (i64, "s64"));
        };
    }
    common!(f16, bf16);
    common!(bf16, f16);
    rows
}

/// The sum that an atomic on 16-bit cells leaves; `wide` for pairs.
pub(crate) fn atomic_sum(old: u32, value: u32, bfloat: bool) -> u32 {
    let one = |a: u32, b: u32| {
        u32::from(if bfloat {
            add(bf16::from_bits(a as u16), bf16::from_bits(b as u16)).to_bits()
        } else {
            add(f16::from_bits(a as u16), f16::from_bits(b as u16)).to_bits()
        })
    };
    one(old, value) | one(old >> 16, value >> 16) << 16
}
