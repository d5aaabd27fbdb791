//! Half precision and bfloat16 against IEEE arithmetic in software, bit for bit.

use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

use super::harness::{corners, elements};

const NEAR: Round = Round::NearestTiesToEven;
const ZERO: Round = Round::TowardZero;

/// One of the two formats.
trait Short: Float + FloatConvert<Single> + FloatConvert<Double> {
    fn of(bits: u32) -> Self {
        Self::from_bits(u128::from(bits & 0xffff))
    }
    fn bits(self) -> u32 {
        if self.is_nan() { 0x7fff } else { self.to_bits() as u32 }
    }
    fn single(self) -> f32 {
        let wide: Single = self.convert(&mut false).value;
        f32::from_bits(wide.to_bits() as u32)
    }
    fn flushed(self) -> Self {
        if self.is_denormal() { if self.is_negative() { -Self::ZERO } else { Self::ZERO } } else { self }
    }
}
impl Short for Half {}
impl Short for BFloat {}

fn saturated<S: Short>(value: S) -> u32 {
    if value.is_nan() || value.is_negative() {
        0
    } else if value.single() > 1.0 {
        S::from_u128(1).value.bits()
    } else {
        value.bits()
    }
}

/// A single rounded to a short.
fn narrowed<S: Short>(bits: u32, round: Round) -> S
where
    Single: FloatConvert<S>,
{
    Single::from_bits(u128::from(bits)).convert_r(round, &mut false).value
}

fn both(f: impl Fn(u32) -> u32) -> u32 {
    f(0) | f(16) << 16
}

/// Words whose halves are often near each other in size, so that sums round.
fn inputs(seed: u64) -> Vec<[u32; 4]> {
    let mut out = corners(seed, 1500);
    for (index, words) in corners(seed + 1, 1500).into_iter().enumerate() {
        let [x, y, z, w] = words;
        let near = |v: u32| v & 0x83ff_83ff | 0x3800_3800 | (index as u32 & 7) << 10;
        out.push([near(x), near(y), near(z), w]);
    }
    out
}

#[test]
fn half_precision() {
    elements("half", "f16", 75, &inputs(31), |[x, y, z, w]| {
        let h = |v: u32, shift: u32| Half::of(v >> shift);
        let add = |i| h(x, i).add_r(h(y, i), NEAR).value;
        let mul = |i| h(x, i).mul_r(h(y, i), NEAR).value;
        let fma = |i| h(x, i).mul_add_r(h(y, i), h(z, i), NEAR).value;
        let flushed =
            |i| h(x, i).flushed().mul_add_r(h(y, i).flushed(), h(z, i).flushed(), NEAR).value.flushed();
        let sign =
            |bits: u32, f: &dyn Fn(u32) -> u32| if h(bits, 0).is_nan() { 0x7fff } else { f(bits & 0xffff) };
        let low_ge = h(x, 0) >= h(y, 0);
        let high_ge = h(x, 16) >= h(y, 16);
        let other = if w & 1 == 1 { x } else { y };
        [
            add(0).bits(),
            h(x, 0).sub_r(h(y, 0), NEAR).value.bits(),
            mul(0).bits(),
            fma(0).bits(),
            h(x, 0).flushed().add_r(h(y, 0).flushed(), NEAR).value.flushed().bits(),
            saturated(mul(0)),
            saturated(flushed(0)),
            sign(x, &|v| v ^ 0x8000),
            sign(x, &|v| v & 0x7fff),
            both(|i| add(i).bits()),
            both(|i| h(x, i).sub_r(h(y, i), NEAR).value.bits()),
            both(|i| mul(i).bits()),
            both(|i| fma(i).bits()),
            both(|i| flushed(i).bits()),
            both(|i| if h(x, i) < h(y, i) { 0x3c00 } else { 0 }),
            (if low_ge { 1 } else { 2 }) + if high_ge { 8 } else { 0 },
            u32::from(!(h(x, 0) >= h(y, 0))),
            if h(x, 0) == h(other, 0) { u32::MAX } else { 0 },
        ]
    });
}

#[test]
fn half_conversions() {
    let nan = |v: f32| if v.is_nan() { 0x7fff_ffff } else { v.to_bits() };
    elements("half", "f16_convert", 50, &inputs(33), |[x, y, z, _]| {
        let h = Half::of(x);
        let v = h.single();
        // A NaN keeps its sign and payload, made quiet.
        let (sign, payload) = (u64::from(x & 0x8000) << 48, u64::from(x & 0x03ff) << 42);
        let wide = if v.is_nan() { sign | 0x7ff8_0000_0000_0000 | payload } else { f64::from(v).to_bits() };
        let from = |value: i128, round: Round| Half::from_i128_r(value, round).value.bits();
        let whole = |value: f32| narrowed::<Half>(value.to_bits(), NEAR).bits();
        let double: Half =
            Double::from_bits(u128::from(y) << 32 | u128::from(z)).convert_r(NEAR, &mut false).value;
        let subnormal = y & 0x7f80_0000 == 0;
        [
            nan(v),
            narrowed::<Half>(y, NEAR).bits(),
            narrowed::<Half>(y, ZERO).bits(),
            v.round_ties_even() as i32 as u32,
            v as u32,
            v.ceil() as i32 as u32,
            v.floor() as i32 as u32,
            from(i128::from(z as i32), NEAR),
            from(i128::from(z), NEAR),
            from(i128::from(z), Round::TowardNegative),
            from(i128::from(z as i16), NEAR),
            whole(v.round_ties_even()),
            whole(v.trunc()),
            whole(v.floor()),
            whole(v.ceil()),
            wide as u32,
            (wide >> 32) as u32,
            double.bits(),
            narrowed::<Half>(if subnormal { y & 0x8000_0000 } else { y }, NEAR).bits(),
            saturated(narrowed::<Half>(y, NEAR)),
            u32::from(v as u8),
            nan(v),
        ]
    });
}

#[test]
fn half_special_functions() {
    elements("half", "f16_special", 75, &inputs(35), |[x, y, _, _]| {
        let tanh = |i| narrowed::<Half>((Half::of(x >> i).single()).tanh().to_bits(), NEAR).bits();
        // Through double precision: the exact value is never close enough to a tie for it to matter.
        let exp2 = |i| {
            let exact = libm::exp2(f64::from(Half::of(y >> i).single()));
            let short: Half =
                Double::from_bits(u128::from(exact.to_bits())).convert_r(NEAR, &mut false).value;
            short.bits()
        };
        [tanh(0), exp2(0), both(tanh), both(exp2)]
    });
}

fn extreme<S: Short>(a: S, b: S, most: bool, nan: bool) -> u32 {
    if nan && (a.is_nan() || b.is_nan()) {
        return 0x7fff;
    }
    match (a.is_nan(), b.is_nan()) {
        (true, _) => b.bits(),
        (_, true) => a.bits(),
        _ if a == b && most => a.bits() & b.bits(),
        _ if a == b => a.bits() | b.bits(),
        _ => {
            if (a < b) != most {
                a.bits()
            } else {
                b.bits()
            }
        }
    }
}

#[test]
fn bfloat_and_extremes() {
    elements("half", "bf16", 90, &inputs(37), |[x, y, z, _]| {
        let f = |v: u32, i: u32| BFloat::of(v >> i);
        let h = |v: u32, i: u32| Half::of(v >> i);
        let fma = |i| f(x, i).mul_add_r(f(y, i), f(z, i), NEAR).value;
        let sign =
            |bits: u32, g: &dyn Fn(u32) -> u32| if f(bits, 0).is_nan() { 0x7fff } else { g(bits & 0xffff) };
        let relu = |bits: u32| if bits & 0x8000 != 0 { 0 } else { bits };
        let wide = f(x, 0).single();
        let magnitude = |v: u32| Half::of(v & 0x7fff);
        let least = extreme(magnitude(x), magnitude(y), false, false);
        let xor_sign = if least == 0x7fff { least } else { least | (x ^ y) & 0x8000 };
        [
            f(x, 0).add_r(f(y, 0), NEAR).value.bits(),
            f(x, 0).sub_r(f(y, 0), NEAR).value.bits(),
            f(x, 0).mul_r(f(y, 0), NEAR).value.bits(),
            fma(0).bits(),
            relu(fma(0).bits()),
            sign(x, &|v| v ^ 0x8000),
            sign(x, &|v| v & 0x7fff),
            extreme(f(x, 0), f(y, 0), false, false),
            extreme(f(x, 0), f(y, 0), true, true),
            both(|i| f(x, i).add_r(f(y, i), NEAR).value.bits()),
            both(|i| f(x, i).mul_r(f(y, i), NEAR).value.bits()),
            both(|i| fma(i).bits()),
            both(|i| extreme(f(x, i), f(y, i), false, false)),
            extreme(h(x, 0), h(y, 0), false, false),
            extreme(h(x, 0), h(y, 0), true, false),
            extreme(h(x, 0), h(y, 0), true, true),
            both(|i| extreme(h(x, i), h(y, i), false, false)),
            both(|i| extreme(h(x, i).flushed(), h(y, i).flushed(), true, false)),
            xor_sign,
            if wide.is_nan() { 0x7fff_ffff } else { wide.to_bits() },
            narrowed::<BFloat>(y, NEAR).bits(),
            narrowed::<BFloat>(y, ZERO).bits(),
            narrowed::<BFloat>(y, NEAR).bits() << 16 | narrowed::<BFloat>(z, NEAR).bits(),
            narrowed::<Half>(y, NEAR).bits() << 16 | narrowed::<Half>(z, NEAR).bits(),
            relu(narrowed::<Half>(y, ZERO).bits()) << 16 | relu(narrowed::<Half>(z, ZERO).bits()),
            u32::from(f(x, 0) > f(y, 0)),
        ]
    });
}
