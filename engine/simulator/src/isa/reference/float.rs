//! Arithmetic of floating-point numbers, in software.

use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

use super::value::{Expect, Form, NAN16, NAN32, Type};

/// The value of a register as a double, which holds all types exactly; `flushed`: subnormals of the type are zero.
pub(super) fn wide(ty: Type, word: u64, flushed: bool) -> Option<f64> {
    fn of<F: Float + FloatConvert<Double>>(word: u64, flushed: bool) -> f64 {
        let value = flush(F::from_bits(u128::from(word)), flushed);
        f64::from_bits(value.convert(&mut false).value.to_bits() as u64)
    }
    Some(match ty {
        Type::F16 => of::<Half>(word & 0xffff, flushed),
        Type::Bf16 => of::<BFloat>(word & 0xffff, flushed),
        Type::F32 => of::<Single>(word & 0xffff_ffff, flushed),
        Type::F64 => of::<Double>(word, flushed),
        _ => return None,
    })
}

/// Zero of the same sign in place of a subnormal number.
pub(super) fn flush<F: Float>(value: F, flushed: bool) -> F {
    if flushed && value.is_denormal() { F::ZERO.copy_sign(value) } else { value }
}

/// The rounding mode that a spelling names; to nearest without one.
pub(super) fn rounding(form: &Form<'_>) -> Round {
    match () {
        () if form.has("rz") || form.has("rzi") => Round::TowardZero,
        () if form.has("rm") || form.has("rmi") => Round::TowardNegative,
        () if form.has("rp") || form.has("rpi") => Round::TowardPositive,
        () => Round::NearestTiesToEven,
    }
}

/// `.sat` and `.relu`, then a result's bits; the one NaN of each type shorter than double.
pub(super) fn finished<F: Float>(form: &Form<'_>, value: F, ty: Type) -> Expect {
    let one = F::from_u128(1).value;
    let value = match () {
        // Not-a-number and minus zero become zero.
        () if form.has("sat") && (value.is_nan() || value.is_negative()) => F::ZERO,
        () if form.has("sat") && value > one => one,
        () if form.has("relu") && !value.is_nan() && value.is_negative() => F::ZERO,
        () => value,
    };
    match ty {
        Type::F32 if value.is_nan() => Expect::Bits(NAN32),
        _ if value.is_nan() => Expect::Bits(NAN16),
        _ => Expect::Bits(value.to_bits() as u64),
    }
}

/// The smaller or larger; a NaN loses, unless `nan`; zeros are ordered by sign.
fn extreme<F: Float>(a: F, b: F, larger: bool, nan: bool) -> F {
    if a.is_nan() || b.is_nan() {
        return if nan || a.is_nan() && b.is_nan() {
            F::NAN
        } else if a.is_nan() {
            b
        } else {
            a
        };
    }
    let below = if a.is_zero() && b.is_zero() { a.is_negative() && !b.is_negative() } else { a < b };
    if below == larger { b } else { a }
}

/// A directed root: the nearest double root of the type, moved where its exact square lies on the wrong side.
fn root<F>(value: F, round: Round) -> F
where
    F: Float + FloatConvert<Quad> + FloatConvert<Double>,
    Double: FloatConvert<F>,
{
    if value.is_nan() || value.is_negative() && !value.is_zero() {
        return F::NAN;
    }
    if value.is_zero() || value.is_infinite() {
        return value;
    }
    let double: Double = value.convert(&mut false).value;
    let near = f64::from_bits(double.to_bits() as u64).sqrt();
    let mut guess: F = Double::from_bits(u128::from(near.to_bits())).convert(&mut false).value;
    let exact = |x: F| -> Quad { x.convert(&mut false).value };
    let square = |x: F| (exact(x) * exact(x)).value;
    // To the largest whose square is not above.
    while square(guess) > exact(value) {
        guess = guess.next_down().value;
    }
    while square(guess.next_up().value) <= exact(value) {
        guess = guess.next_up().value;
    }
    let above = guess.next_up().value;
    match round {
        Round::TowardPositive if square(guess) != exact(value) => above,
        Round::NearestTiesToEven => {
            // A root is never halfway; the square of the middle, in 2 × 53 bits and a few more, decides.
            let middle = ((exact(guess) + exact(above)).value * Quad::from_bits(0x3ffe << 112)).value;
            if (middle * middle).value < exact(value) { above } else { guess }
        }
        _ => guess,
    }
}

/// One operation in one type; `None` if it is none of these.
fn operation<F>(form: &Form<'_>, ty: Type, operands: [u64; 3]) -> Option<Expect>
where
    F: Float + FloatConvert<Quad> + FloatConvert<Double>,
    Double: FloatConvert<F>,
{
    let ftz = form.has("ftz");
    let round = rounding(form);
    let mask = if ty == Type::F64 {
        u64::MAX
    } else if ty == Type::F32 {
        0xffff_ffff
    } else {
        0xffff
    };
    let [a, b, c] = operands.map(|word| flush(F::from_bits(u128::from(word & mask)), ftz));
    let both = form.has("xorsign");
    let value = match form.opcode {
        "add" => a.add_r(b, round).value,
        "sub" => a.sub_r(b, round).value,
        "mul" => a.mul_r(b, round).value,
        "fma" | "mad" => a.mul_add_r(b, c, round).value,
        "~fms" => a.mul_add_r(b, -c, round).value,
        "~fnma" => (-a).mul_add_r(b, c, round).value,
        "div" => a.div_r(b, round).value,
        "rcp" => F::from_u128(1).value.div_r(a, round).value,
        "sqrt" => root(a, round),
        // Double precision keeps the bits of what is not a number.
        "neg" if ty == Type::F64 => return Some(Expect::Bits(operands[0] ^ 1 << 63)),
        "abs" if ty == Type::F64 => return Some(Expect::Bits(operands[0] & !(1 << 63))),
        "neg" => -a,
        "abs" => a.abs(),
        "min" | "max" => {
            let (x, y) = if both { (a.abs(), b.abs()) } else { (a, b) };
            let chosen = extreme(x, y, form.opcode == "max", form.has("NaN"));
            if both && a.is_negative() != b.is_negative() { -chosen } else { chosen }
        }
        _ => return None,
    };
    if ty == Type::F64 && value.is_nan() {
        return Some(Expect::Bits(nan64(form.opcode, operands)));
    }
    Some(finished(form, flush(value, ftz), ty))
}

/// Which NaN an operation in double precision gives: `isa/nan.rs` says which of this was seen on a GPU.
fn nan64(opcode: &str, [a, b, c]: [u64; 3]) -> u64 {
    let used: &[u64] = match opcode {
        "fma" | "mad" | "~fms" | "~fnma" => &[a, b, c],
        "add" | "sub" | "mul" | "div" => &[a, b],
        // Both are NaN, or the result were not.
        "min" | "max" => &[b],
        _ => &[a],
    };
    let nan = used.iter().find(|&&word| word & !(1 << 63) > 0x7ff0_0000_0000_0000);
    nan.map_or(0xfff8_0000_0000_0000, |word| word | 0x0008_0000_0000_0000)
}

/// What the special function unit approximates, in double precision.
fn approximated(form: &Form<'_>, a: f64, b: f64) -> Option<f64> {
    Some(match form.opcode {
        "div" => a / b,
        "rcp" => 1.0 / a,
        "sqrt" => a.sqrt(),
        "rsqrt" => 1.0 / a.sqrt(),
        "sin" => a.sin(),
        "cos" => a.cos(),
        "ex2" => a.exp2(),
        "lg2" => a.log2(),
        "tanh" => a.tanh(),
        _ => return None,
    })
}

fn approximate(form: &Form<'_>, ty: Type, [a, b]: [u64; 2]) -> Option<Expect> {
    let ftz = form.has("ftz");
    let value = approximated(form, wide(ty, a, ftz)?, wide(ty, b, ftz)?)?;
    Some(match ty {
        Type::F64 => Expect::NearUpper(value),
        Type::F32 if value.is_nan() => Expect::Bits(NAN32),
        Type::F32 => {
            let single = Single::from_bits(u128::from((value as f32).to_bits()));
            Expect::Near(f32::from_bits(flush(single, ftz).to_bits() as u32))
        }
        // Nearest in 16 bits: none of these functions comes near a midpoint of numbers so short.
        _ => {
            let double = Double::from_bits(u128::from(value.to_bits()));
            match ty {
                Type::F16 => finished::<Half>(form, flush(double.convert(&mut false).value, ftz), ty),
                _ => finished::<BFloat>(form, flush(double.convert(&mut false).value, ftz), ty),
            }
        }
    })
}

/// Copies of signs and tests of kinds.
fn inspected(form: &Form<'_>, ty: Type, a: u64, b: u64) -> Option<Expect> {
    let sign = if ty == Type::F64 { 1 << 63 } else { 1u64 << 31 };
    let value = Double::from_bits(u128::from(wide(ty, a, false)?.to_bits()));
    let subnormal = if ty == Type::F32 {
        Single::from_bits(u128::from(a & 0xffff_ffff)).is_denormal()
    } else {
        value.is_denormal()
    };
    let answer = match (form.opcode, *form.words.first()?) {
        ("copysign", _) => return Some(Expect::Bits(b & !sign & (sign | sign - 1) | a & sign)),
        ("testp", "finite") => value.is_finite(),
        ("testp", "infinite") => value.is_infinite(),
        ("testp", "number") => !value.is_nan(),
        ("testp", "notanumber") => value.is_nan(),
        ("testp", "normal") => value.is_finite() && !value.is_zero() && !subnormal,
        ("testp", "subnormal") => subnormal,
        _ => return None,
    };
    Some(Expect::Bits(u64::from(answer)))
}

fn one(form: &Form<'_>, ty: Type, [a, b, c]: [u64; 3]) -> Option<Expect> {
    if form.has("approx") || form.has("full") {
        return approximate(form, ty, [a, b]);
    }
    if let Some(answer) = inspected(form, ty, a, b) {
        return Some(answer);
    }
    match ty {
        Type::F16 => operation::<Half>(form, ty, [a, b, c]),
        Type::Bf16 => operation::<BFloat>(form, ty, [a, b, c]),
        Type::F32 => operation::<Single>(form, ty, [a, b, c]),
        Type::F64 => operation::<Double>(form, ty, [a, b, c]),
        _ => None,
    }
}

pub(super) fn expected(form: &Form<'_>, [a, b, c, _]: [u64; 4]) -> Option<Expect> {
    if form.opcode.starts_with('~') && !matches!(form.opcode, "~fms" | "~fnma") {
        return None;
    }
    let last = form.words.last()?;
    let Some(half) = last.strip_suffix("x2").and_then(Type::of).filter(|ty| ty.float()) else {
        return one(form, form.ty().filter(|ty| ty.float())?, [a, b, c]);
    };
    let part = |shift: u32| one(form, half, [a >> shift & 0xffff, b >> shift & 0xffff, c >> shift & 0xffff]);
    match (part(0)?, part(16)?) {
        (Expect::Bits(low), Expect::Bits(high)) => Some(Expect::Bits(low | high << 16)),
        _ => None,
    }
}
