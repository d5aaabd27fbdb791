//! Floating-point instructions: correctly rounded ones bit for bit, approximate ones correctly rounded too
//! (which is inside the error that the PTX manual allows, and the same on every machine).

use super::comparisons::compare;
use super::nan::nan64;
use super::rounding::{self, Mode, canonical, flush, fused, saturate};
use super::table::{Row, op, rare};

/// Single precision with and without flushing of subnormals; double precision.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = single_rows();
    rows.extend(directed_rows());
    rows.extend(approximate_rows());
    rows.extend(double_rows());
    rows.extend(compare_rows());
    rows
}

fn single_rows() -> Vec<Row> {
    vec![
        op!("add{,.rn}.f32", Fp32, |a: f32, b: f32| -> f32 { canonical(a + b) }),
        op!("sub{,.rn}.f32", Fp32, |a: f32, b: f32| -> f32 { canonical(a - b) }),
        op!("mul{,.rn}.f32", Fp32, |a: f32, b: f32| -> f32 { canonical(a * b) }),
        op!("{fma.rn,mad.rn,mad}.f32", Fp32, |a: f32, b: f32, c: f32| -> f32 { fused(a, b, c) }),
        op!("div.rn.f32", Fp32Div, |a: f32, b: f32| -> f32 { canonical(a / b) }),
        op!("sqrt.rn.f32", Fp32Div, |a: f32| -> f32 { canonical(a.sqrt()) }),
        op!("rcp.rn.f32", Fp32Div, |a: f32| -> f32 { canonical(1.0 / a) }),
        rare!("add{,.rn}.ftz.f32", Fp32, |a: f32, b: f32| -> f32 { flush(canonical(flush(a) + flush(b))) }),
        rare!("sub{,.rn}.ftz.f32", Fp32, |a: f32, b: f32| -> f32 { flush(canonical(flush(a) - flush(b))) }),
        rare!("mul{,.rn}.ftz.f32", Fp32, |a: f32, b: f32| -> f32 { flush(canonical(flush(a) * flush(b))) }),
        rare!("{fma.rn,mad.rn,mad}.ftz.f32", Fp32, |a: f32, b: f32, c: f32| -> f32 {
            flush(fused(flush(a), flush(b), flush(c)))
        }),
        rare!("div.rn.ftz.f32", Fp32Div, |a: f32, b: f32| -> f32 { flush(canonical(flush(a) / flush(b))) }),
        rare!("sqrt.rn.ftz.f32", Fp32Div, |a: f32| -> f32 { flush(canonical(flush(a).sqrt())) }),
        rare!("rcp.rn.ftz.f32", Fp32Div, |a: f32| -> f32 { flush(canonical(1.0 / flush(a))) }),
        rare!("add{,.rn}.sat.f32", Fp32, |a: f32, b: f32| -> f32 { saturate(a + b) }),
        rare!("add{,.rn}.ftz.sat.f32", Fp32, |a: f32, b: f32| -> f32 {
            saturate(flush(flush(a) + flush(b)))
        }),
        rare!("sub{,.rn}.sat.f32", Fp32, |a: f32, b: f32| -> f32 { saturate(a - b) }),
        rare!("sub{,.rn}.ftz.sat.f32", Fp32, |a: f32, b: f32| -> f32 {
            saturate(flush(flush(a) - flush(b)))
        }),
        rare!("mul{,.rn}.sat.f32", Fp32, |a: f32, b: f32| -> f32 { saturate(a * b) }),
        rare!("mul{,.rn}.ftz.sat.f32", Fp32, |a: f32, b: f32| -> f32 {
            saturate(flush(flush(a) * flush(b)))
        }),
        rare!("fma.rn.sat.f32", Fp32, |a: f32, b: f32, c: f32| -> f32 { saturate(fused(a, b, c)) }),
        rare!("fma.rn.ftz.sat.f32", Fp32, |a: f32, b: f32, c: f32| -> f32 {
            saturate(flush(fused(flush(a), flush(b), flush(c))))
        }),
        // What `contract` makes of a product and a difference.
        op!("~fms.f32", Fp32, |a: f32, b: f32, c: f32| -> f32 { fused(a, b, -c) }),
        rare!("~fms.sat.f32", Fp32, |a: f32, b: f32, c: f32| -> f32 { saturate(fused(a, b, -c)) }),
        rare!("~fms.ftz.f32", Fp32, |a: f32, b: f32, c: f32| -> f32 {
            flush(fused(flush(a), flush(b), -flush(c)))
        }),
        rare!("~fms.ftz.sat.f32", Fp32, |a: f32, b: f32, c: f32| -> f32 {
            saturate(flush(fused(flush(a), flush(b), -flush(c))))
        }),
        op!("~fnma.f32", Fp32, |a: f32, b: f32, c: f32| -> f32 { fused(-a, b, c) }),
        rare!("~fnma.sat.f32", Fp32, |a: f32, b: f32, c: f32| -> f32 { saturate(fused(-a, b, c)) }),
        rare!("~fnma.ftz.f32", Fp32, |a: f32, b: f32, c: f32| -> f32 {
            flush(fused(-flush(a), flush(b), flush(c)))
        }),
        rare!("~fnma.ftz.sat.f32", Fp32, |a: f32, b: f32, c: f32| -> f32 {
            saturate(flush(fused(-flush(a), flush(b), flush(c))))
        }),
        op!("neg.f32", Fp32, |a: f32| -> f32 { canonical(-a) }),
        rare!("neg.ftz.f32", Fp32, |a: f32| -> f32 { canonical(-flush(a)) }),
        op!("abs.f32", Fp32, |a: f32| -> f32 { canonical(a.abs()) }),
        rare!("abs.ftz.f32", Fp32, |a: f32| -> f32 { canonical(flush(a).abs()) }),
        op!("min.f32", Int, |a: f32, b: f32| -> f32 { rounding::min(a, b) }),
        op!("max.f32", Int, |a: f32, b: f32| -> f32 { rounding::max(a, b) }),
        rare!("min.ftz.f32", Int, |a: f32, b: f32| -> f32 { rounding::min(flush(a), flush(b)) }),
        rare!("max.ftz.f32", Int, |a: f32, b: f32| -> f32 { rounding::max(flush(a), flush(b)) }),
        rare!("min.NaN.f32", Int, |a: f32, b: f32| -> f32 {
            if a.is_nan() || b.is_nan() { canonical(f32::NAN) } else { rounding::min(a, b) }
        }),
        rare!("min.ftz.NaN.f32", Int, |a: f32, b: f32| -> f32 {
            if a.is_nan() || b.is_nan() { canonical(f32::NAN) } else { rounding::min(flush(a), flush(b)) }
        }),
        rare!("max.NaN.f32", Int, |a: f32, b: f32| -> f32 {
            if a.is_nan() || b.is_nan() { canonical(f32::NAN) } else { rounding::max(a, b) }
        }),
        rare!("max.ftz.NaN.f32", Int, |a: f32, b: f32| -> f32 {
            if a.is_nan() || b.is_nan() { canonical(f32::NAN) } else { rounding::max(flush(a), flush(b)) }
        }),
        rare!("copysign.f32", Logic, |a: f32, b: f32| -> f32 { b.copysign(a) }),
        rare!("testp.finite.f32", Fp32, |a: f32| -> bool { a.is_finite() }),
        rare!("testp.infinite.f32", Fp32, |a: f32| -> bool { a.is_infinite() }),
        rare!("testp.number.f32", Fp32, |a: f32| -> bool { !a.is_nan() }),
        rare!("testp.notanumber.f32", Fp32, |a: f32| -> bool { a.is_nan() }),
        rare!("testp.normal.f32", Fp32, |a: f32| -> bool { a.is_normal() }),
        rare!("testp.subnormal.f32", Fp32, |a: f32| -> bool { a.is_subnormal() }),
    ]
}

/// Rounding toward zero, down and up.
fn directed_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    macro_rules! directed {
        ($(($suffix:literal, $mode:expr)),*) => {$(
            rows.push(rare!(concat!("add.", $suffix, ".f32"), Fp32,
                |a: f32, b: f32| -> f32 { rounding::add(a, b, $mode) }));
            rows.push(rare!(concat!("sub.", $suffix, ".f32"), Fp32,
                |a: f32, b: f32| -> f32 { rounding::add(a, -b, $mode) }));
            rows.push(rare!(concat!("mul.", $suffix, ".f32"), Fp32,
                |a: f32, b: f32| -> f32 { rounding::mul(a, b, $mode) }));
            rows.push(rare!(concat!("fma.", $suffix, ".f32"), Fp32,
                |a: f32, b: f32, c: f32| -> f32 { rounding::fma(a, b, c, $mode) }));
            rows.push(rare!(concat!("div.", $suffix, ".f32"), Fp32Div,
                |a: f32, b: f32| -> f32 { rounding::div(a, b, $mode) }));
            rows.push(rare!(concat!("rcp.", $suffix, ".f32"), Fp32Div,
                |a: f32| -> f32 { rounding::div(1.0, a, $mode) }));
            rows.push(rare!(concat!("sqrt.", $suffix, ".f32"), Fp32Div,
                |a: f32| -> f32 { rounding::sqrt(a, $mode) }));
        )*};
    }
    directed!(("rz", Mode::Zero), ("rm", Mode::Down), ("rp", Mode::Up));
    rows
}

/// The upper word of a double, above zeros.
fn upper(value: f64) -> f64 {
    f64::from_bits(value.to_bits() & 0xffff_ffff_0000_0000)
}

/// Zero of the same sign in place of a subnormal double.
fn flush64(value: f64) -> f64 {
    if value.is_subnormal() { 0f64.copysign(value) } else { value }
}

/// A quotient as the manual defines `div.approx`: the product with the reciprocal, both rounded. So 21 / 7 may come out below 3, which
/// matters where the quotient is truncated.
fn by_reciprocal(a: f32, b: f32) -> f32 {
    let reciprocal = 1.0 / b;
    if reciprocal.is_normal() { a * reciprocal } else { a / b }
}

/// The special function unit. Computed in double precision and rounded once.
fn approximate_rows() -> Vec<Row> {
    macro_rules! single {
        ($name:literal, |$a:ident| $body:expr) => {
            [
                rare!(concat!($name, ".approx.f32"), Sfu, |x: f32| -> f32 {
                    let $a = f64::from(x);
                    canonical(($body) as f32)
                }),
                rare!(concat!($name, ".approx.ftz.f32"), Sfu, |x: f32| -> f32 {
                    let $a = f64::from(flush(x));
                    flush(canonical(($body) as f32))
                }),
            ]
        };
    }
    let mut rows = vec![
        op!("div.{approx,full}.f32", Sfu, |a: f32, b: f32| -> f32 { canonical(by_reciprocal(a, b)) }),
        rare!("div.{approx,full}.ftz.f32", Sfu, |a: f32, b: f32| -> f32 {
            flush(canonical(by_reciprocal(flush(a), flush(b))))
        }),
        rare!("tanh.approx.f32", Sfu, |a: f32| -> f32 { canonical(libm::tanh(f64::from(a)) as f32) }),
        // Only the upper word is meaningful: the manual zeroes the lower.
        rare!("rcp.approx.ftz.f64", Sfu, |a: f64| -> f64 { upper(flush64(nan64([a], 1.0 / flush64(a)))) }),
        rare!("rsqrt.approx.f64", Sfu, |a: f64| -> f64 { upper(nan64([a], 1.0 / a.sqrt())) }),
        rare!("rsqrt.approx.ftz.f64", Sfu, |a: f64| -> f64 { upper(nan64([a], 1.0 / flush64(a).sqrt())) }),
    ];
    rows.extend(single!("rcp", |a| 1.0 / a));
    rows.extend(single!("sqrt", |a| a.sqrt()));
    rows.extend(single!("rsqrt", |a| 1.0 / a.sqrt()));
    rows.extend(single!("sin", |a| libm::sin(a)));
    rows.extend(single!("cos", |a| libm::cos(a)));
    rows.extend(single!("ex2", |a| libm::exp2(a)));
    rows.extend(single!("lg2", |a| libm::log2(a)));
    rows
}

fn double_rows() -> Vec<Row> {
    vec![
        op!("add{,.rn}.f64", Fp64, |a: f64, b: f64| -> f64 { nan64([a, b], a + b) }),
        op!("sub{,.rn}.f64", Fp64, |a: f64, b: f64| -> f64 { nan64([a, b], a - b) }),
        op!("mul{,.rn}.f64", Fp64, |a: f64, b: f64| -> f64 { nan64([a, b], a * b) }),
        rare!("{fma.rn,mad.rn}.f64", Fp64, |a: f64, b: f64, c: f64| -> f64 {
            nan64([a, b, c], libm::fma(a, b, c))
        }),
        rare!("~fms.f64", Fp64, |a: f64, b: f64, c: f64| -> f64 { nan64([a, b, c], libm::fma(a, b, -c)) }),
        rare!("~fnma.f64", Fp64, |a: f64, b: f64, c: f64| -> f64 { nan64([a, b, c], libm::fma(-a, b, c)) }),
        op!("div.rn.f64", Fp64, |a: f64, b: f64| -> f64 { nan64([a, b], a / b) }),
        rare!("rcp.rn.f64", Fp64, |a: f64| -> f64 { nan64([a], 1.0 / a) }),
        op!("sqrt.rn.f64", Fp64, |a: f64| -> f64 { nan64([a], a.sqrt()) }),
        op!("neg.f64", Fp64, |a: f64| -> f64 { -a }),
        op!("abs.f64", Fp64, |a: f64| -> f64 { a.abs() }),
        op!("min.f64", Fp64, |a: f64, b: f64| -> f64 { rounding::min64(a, b) }),
        op!("max.f64", Fp64, |a: f64, b: f64| -> f64 { rounding::max64(a, b) }),
        rare!("copysign.f64", Logic, |a: f64, b: f64| -> f64 { b.copysign(a) }),
        rare!("testp.finite.f64", Fp64, |a: f64| -> bool { a.is_finite() }),
        rare!("testp.infinite.f64", Fp64, |a: f64| -> bool { a.is_infinite() }),
        rare!("testp.number.f64", Fp64, |a: f64| -> bool { !a.is_nan() }),
        rare!("testp.notanumber.f64", Fp64, |a: f64| -> bool { a.is_nan() }),
    ]
}

/// Ordered comparisons are false if an operand is NaN; their `u` forms are true.
fn compare_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    macro_rules! float {
        ($types:expr, $t:ty, $class:ident) => {
            compare!(
                op,
                rows,
                "",
                $types,
                $t,
                $class,
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
    float!("f32", f32, Fp32);
    float!("f64", f64, Fp64);
    macro_rules! flushed {
        ($(($cmp:literal, $test:expr)),*) => {
            compare!(rare, rows, ".ftz", "f32", f32, Fp32, $(($cmp, |a: &f32, b: &f32| {
                let test: fn(f32, f32) -> bool = $test;
                test(flush(*a), flush(*b))
            })),*);
        };
    }
    flushed!(
        ("eq", |a, b| a == b),
        ("ne", |a, b| a < b || a > b),
        ("lt", |a, b| a < b),
        ("le", |a, b| a <= b),
        ("gt", |a, b| a > b),
        ("ge", |a, b| a >= b),
        ("equ", |a, b| !(a < b || a > b)),
        ("neu", |a, b| a != b),
        ("ltu", |a, b| !(a >= b)),
        ("leu", |a, b| !(a > b)),
        ("gtu", |a, b| !(a <= b)),
        ("geu", |a, b| !(a < b)),
        ("num", |a, b| !(a.is_nan() || b.is_nan())),
        ("nan", |a, b| a.is_nan() || b.is_nan())
    );
    rows
}
