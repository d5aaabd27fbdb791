//! Rounding as the GPU does it, on top of the host's IEEE arithmetic.
//!
//! Single-precision results that need one exact rounding are computed in double precision, rounded to odd
//! (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to
//! odd", 2008), and rounded once more: 53 bits leave more than the two spare bits that this needs.

use super::nan::nan64;

/// A directed rounding mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Toward zero.
    Zero,
    /// Toward minus infinity.
    Down,
    /// Toward plus infinity.
    Up,
}

/// NVIDIA GPUs give one NaN whatever the operands: `0x7fffffff`.
#[inline(always)]
pub(crate) fn canonical(value: f32) -> f32 {
    // By the bits: a comparison of floats may be folded away, because a NaN's bits are nobody's business there.
    let bits = value.to_bits();
    f32::from_bits(if bits & 0x7fff_ffff > 0x7f80_0000 { 0x7fff_ffff } else { bits })
}

/// `.ftz`: subnormals become zero of the same sign.
#[inline(always)]
pub(crate) fn flush(value: f32) -> f32 {
    if value.abs() < f32::MIN_POSITIVE { 0f32.copysign(value) } else { value }
}

/// `.sat`: into 0 to 1; NaN becomes 0.
#[inline(always)]
pub(crate) fn saturate(value: f32) -> f32 {
    if value > 0.0 { value.min(1.0) } else { 0.0 }
}

/// The smaller; a NaN loses to a number; −0 is below +0.
#[inline(always)]
pub(crate) fn min(a: f32, b: f32) -> f32 {
    if a.is_nan() {
        return canonical(b);
    }
    if b.is_nan() || a < b || (a == b && a.is_sign_negative()) { a } else { b }
}

/// The larger; a NaN loses to a number; +0 is above −0.
#[inline(always)]
pub(crate) fn max(a: f32, b: f32) -> f32 {
    if a.is_nan() {
        return canonical(b);
    }
    if b.is_nan() || a > b || (a == b && a.is_sign_positive()) { a } else { b }
}

/// [`min`] in double precision; of two NaNs the second, as `ptxas` writes it for its compare-and-select.
pub(crate) fn min64(a: f64, b: f64) -> f64 {
    if a.is_nan() {
        return nan64([b], b);
    }
    if b.is_nan() || a < b || (a == b && a.is_sign_negative()) { a } else { b }
}

/// [`max`] in double precision.
pub(crate) fn max64(a: f64, b: f64) -> f64 {
    if a.is_nan() {
        return nan64([b], b);
    }
    if b.is_nan() || a > b || (a == b && a.is_sign_positive()) { a } else { b }
}

/// `sum + error` exactly, as one double rounded to odd.
#[inline(always)]
fn to_odd(sum: f64, error: f64) -> f64 {
    let bits = sum.to_bits();
    // Toward zero when the error points there, then the sticky bit.
    let truncated = bits - u64::from((error < 0.0) != (sum < 0.0));
    if error != 0.0 && sum.is_finite() { f64::from_bits(truncated | 1) } else { sum }
}

/// Knuth's two-sum: the rounded sum and its exact error.
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

#[inline(always)]
fn fused_odd(a: f32, b: f32, c: f32) -> f64 {
    // 24 × 24 bits fit a double: the product is exact.
    let product = f64::from(a) * f64::from(b);
    let (sum, error) = two_sum(product, f64::from(c));
    to_odd(sum, error)
}

/// `a × b + c` rounded once, to nearest even.
#[inline(always)]
pub(crate) fn fused(a: f32, b: f32, c: f32) -> f32 {
    canonical(fused_odd(a, b, c) as f32)
}

/// `a × b + c` rounded to odd; the product has to be exact in double precision.
pub(crate) fn fused_wide(a: f64, b: f64, c: f64) -> f64 {
    let (sum, error) = two_sum(a * b, c);
    to_odd(sum, error)
}

/// An integer as a double rounded to odd.
pub(crate) fn odd_integer(value: i128) -> f64 {
    let nearest = value as f64;
    to_odd(nearest, (value - nearest as i128) as f64)
}

/// A double to single precision in a directed mode.
pub(crate) fn narrow(value: f64, mode: Mode) -> f32 {
    let nearest = value as f32;
    if value.is_nan() || f64::from(nearest) == value {
        return canonical(nearest);
    }
    let above = f64::from(nearest) > value;
    match mode {
        Mode::Up if !above => nearest.next_up(),
        Mode::Down if above => nearest.next_down(),
        Mode::Zero if value > 0.0 && above => nearest.next_down(),
        Mode::Zero if value < 0.0 && !above => nearest.next_up(),
        _ => nearest,
    }
}

/// Directed sum.
pub(crate) fn add(a: f32, b: f32, mode: Mode) -> f32 {
    let (sum, error) = two_sum(f64::from(a), f64::from(b));
    zero_sign(narrow(to_odd(sum, error), mode), sum == 0.0, mode, a, b)
}

/// An exact zero from two opposite numbers is −0 only when rounding down.
fn zero_sign(sum: f32, exact_zero: bool, mode: Mode, a: f32, b: f32) -> f32 {
    let opposite = a.is_sign_negative() != b.is_sign_negative();
    if exact_zero && opposite && mode == Mode::Down { -0.0 } else { sum }
}

/// Directed product.
pub(crate) fn mul(a: f32, b: f32, mode: Mode) -> f32 {
    narrow(f64::from(a) * f64::from(b), mode)
}

/// Directed fused multiply-add.
pub(crate) fn fma(a: f32, b: f32, c: f32, mode: Mode) -> f32 {
    let product_sign = if a.is_sign_negative() == b.is_sign_negative() { 1.0 } else { -1.0 };
    // What rounds to zero without being it keeps its sign.
    let wide = fused_odd(a, b, c);
    zero_sign(narrow(wide, mode), wide == 0.0, mode, product_sign, c)
}

/// Directed quotient.
pub(crate) fn div(a: f32, b: f32, mode: Mode) -> f32 {
    let (a, b) = (f64::from(a), f64::from(b));
    let quotient = a / b;
    if !quotient.is_finite() || quotient == 0.0 {
        return canonical(quotient as f32);
    }
    let remainder = libm::fma(-quotient, b, a);
    narrow(to_odd(quotient, if b < 0.0 { -remainder } else { remainder }), mode)
}

/// Directed square root.
pub(crate) fn sqrt(a: f32, mode: Mode) -> f32 {
    let a = f64::from(a);
    let root = a.sqrt();
    if !root.is_finite() || root == 0.0 {
        return canonical(root as f32);
    }
    narrow(to_odd(root, libm::fma(-root, root, a)), mode)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn fused_equals_the_reference_fma(a in any::<u32>(), b in any::<u32>(), c in any::<u32>()) {
            let (a, b, c) = (f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
            let expected = canonical(libm::fmaf(a, b, c));
            prop_assert_eq!(fused(a, b, c).to_bits(), expected.to_bits());
        }

        #[test]
        fn fused_equals_the_reference_fma_near_cancellation(a in 1u32..1 << 24, b in 1u32..1 << 24, nudge in -64i32..64) {
            let (a, b) = (a as f32, b as f32);
            let c = f32::from_bits((-(a * b)).to_bits().wrapping_add_signed(nudge));
            prop_assert_eq!(fused(a, b, c).to_bits(), libm::fmaf(a, b, c).to_bits());
        }

        #[test]
        fn directed_results_bracket_the_nearest(a in any::<u32>(), b in any::<u32>()) {
            let (a, b) = (f32::from_bits(a), f32::from_bits(b));
            prop_assume!(a.is_finite() && b.is_finite());
            for (down, up, nearest) in [
                (add(a, b, Mode::Down), add(a, b, Mode::Up), a + b),
                (mul(a, b, Mode::Down), mul(a, b, Mode::Up), a * b),
            ] {
                prop_assert!(down <= nearest && nearest <= up);
                prop_assert!(up == down || up == down.next_up() || up.is_infinite() || down.is_infinite());
            }
        }
    }
}
