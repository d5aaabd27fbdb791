//! `cvt`.

use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert};

use super::float::{finished, flush, rounding, wide};
use super::value::{Expect, Form, Type};

/// A number of any type, exactly.
#[derive(Clone, Copy)]
enum Exact {
    Whole(i128),
    Float(Double),
}

/// To a floating-point type, rounded once.
fn to_float<F: Float>(form: &Form<'_>, from: Exact, ty: Type) -> Expect
where
    Double: FloatConvert<F>,
{
    let round = rounding(form);
    let value = match from {
        Exact::Whole(number) => F::from_i128_r(number, round).value,
        Exact::Float(number) => number.convert_r(round, &mut false).value,
    };
    // Only single precision is flushed.
    finished(form, flush(value, form.has("ftz") && ty == Type::F32), ty)
}

fn float_of(form: &Form<'_>, from: Exact, ty: Type) -> Option<Expect> {
    Some(match ty {
        Type::F16 => to_float::<Half>(form, from, ty),
        Type::Bf16 => to_float::<BFloat>(form, from, ty),
        Type::F32 => to_float::<Single>(form, from, ty),
        Type::F64 => to_float::<Double>(form, from, ty),
        _ => return None,
    })
}

/// A floating-point number to a whole one: rounded, then clamped.
fn to_whole(form: &Form<'_>, value: Double, from: Type, to: Type) -> Option<Expect> {
    let Type::Whole(bits, signed) = to else { return None };
    if value.is_nan() {
        // Where either side has 64 bits, an H200 gives the top bit alone; single to short types gives 0.
        let top = from == Type::F64 || from == Type::F32 && bits == 64;
        return Some(Expect::Bits(if top { to.word(1 << (bits - 1)) } else { 0 }));
    }
    let round = rounding(form);
    let number = if signed {
        value.to_i128_r(bits as usize, round, &mut false).value
    } else {
        value.to_u128_r(bits as usize, round, &mut false).value as i128
    };
    Some(Expect::Bits(to.word(number)))
}

/// Two numbers packed into one word, above what the third operand holds.
fn packed(form: &Form<'_>, [a, b, c, _]: [u64; 4]) -> Option<Expect> {
    let to = Type::of(form.words.get(2)?)?;
    let Type::Whole(bits, signed) = to else { return None };
    let (low, high) = if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
    let part = |word: u64| (i64::from(word as u32 as i32).clamp(low, high) as u64) & ((1 << bits) - 1);
    let above = if form.words.len() == 5 { c << (2 * bits) } else { 0 };
    Some(Expect::Bits((above | part(a) << bits | part(b)) & 0xffff_ffff))
}

pub(super) fn expected(form: &Form<'_>, operands: [u64; 4]) -> Option<Expect> {
    if form.opcode != "cvt" {
        return None;
    }
    if form.has("pack") {
        return packed(form, operands);
    }
    let from = form.ty()?;
    let target = form.words[form.words.len() - 2];
    let a = operands[0];
    if let Some(ty) = target.strip_suffix("x2").and_then(Type::of) {
        // The first operand becomes the upper half.
        let half = |word: u64| float_of(form, exact(form, from, word)?, ty);
        let (Expect::Bits(high), Expect::Bits(low)) = (half(a)?, half(operands[1])?) else { return None };
        return Some(Expect::Bits(high << 16 | low));
    }
    let to = Type::of(target)?;
    match (from.float(), to.float()) {
        (false, false) => {
            let number = from.number(a);
            let Type::Whole(bits, signed) = to else { return None };
            let (low, high) =
                if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
            let kept = if form.has("sat") { number.clamp(low, high) } else { number };
            Some(Expect::Bits(to.word(kept)))
        }
        (false, true) => float_of(form, Exact::Whole(from.number(a)), to),
        (true, false) => match exact(form, from, a)? {
            Exact::Float(value) => to_whole(form, value, from, to),
            Exact::Whole(_) => None,
        },
        (true, true) => between(form, from, to, a),
    }
}

fn exact(form: &Form<'_>, from: Type, word: u64) -> Option<Exact> {
    let flushed = form.has("ftz") && from == Type::F32;
    Some(Exact::Float(Double::from_bits(u128::from(wide(from, word, flushed)?.to_bits()))))
}

/// Between floating-point types, and to whole values of the same type.
fn between(form: &Form<'_>, from: Type, to: Type, word: u64) -> Option<Expect> {
    let Exact::Float(value) = exact(form, from, word)? else { return None };
    let whole = ["rni", "rzi", "rmi", "rpi"].iter().any(|word| form.has(word));
    let plain = form.words.len() == 2;
    if from == to && plain {
        // Moved, whatever it is.
        let width = match from {
            Type::F64 => u64::MAX,
            Type::F32 => 0xffff_ffff,
            _ => 0xffff,
        };
        return Some(Expect::Bits(word & width));
    }
    if value.is_nan()
        && !form.has("sat")
        && (from, to) == (Type::F64, Type::F32)
        && form.words == ["rn", "f32", "f64"]
    {
        // Sign and payload stay, as an H200 has it.
        let bits = word >> 32 & 0x8000_0000 | 0x7fc0_0000 | word >> 29 & 0x003f_ffff;
        return Some(Expect::Bits(bits));
    }
    if value.is_nan() && to == Type::F64 && !form.has("sat") {
        // Sign and payload stay.
        let payload = match from {
            Type::F16 => (word & 0x8000) << 48 | (word & 0x03ff) << 42,
            Type::Bf16 => (word & 0x8000) << 48 | (word & 0x007f) << 45,
            Type::F32 => (word & 0x8000_0000) << 32 | (word & 0x007f_ffff) << 29,
            _ => word,
        };
        return Some(Expect::Bits(payload | 0x7ff8_0000_0000_0000));
    }
    if value.is_nan() && form.words == ["ftz", "f32", "f32"] {
        return Some(Expect::Bits(word & 0xffff_ffff));
    }
    let value = if whole { value.round_to_integral(rounding(form)).value } else { value };
    float_of(form, Exact::Float(value), to)
}
