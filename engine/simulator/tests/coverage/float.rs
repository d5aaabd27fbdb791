//! Floating-point instructions: correctly rounded ones against IEEE arithmetic in software, bit for bit; the
//! special function unit and the library within the errors that NVIDIA's manuals give.

use rustc_apfloat::ieee::{Double, Single};
use rustc_apfloat::{Float, Round};

use super::harness::{corners, elements, int, line, noise, run, words, zeros};

const NEAR: Round = Round::NearestTiesToEven;
const ZERO: Round = Round::TowardZero;
const UP: Round = Round::TowardPositive;
const DOWN: Round = Round::TowardNegative;

fn s(bits: u32) -> Single {
    Single::from_bits(u128::from(bits))
}

/// The bits; GPUs give one NaN.
fn b(value: Single) -> u32 {
    if value.is_nan() { 0x7fff_ffff } else { value.to_bits() as u32 }
}

fn d(value: f64) -> Double {
    Double::from_bits(u128::from(value.to_bits()))
}

/// The bits of a result of these operands. The first NaN among them comes out, quiet; without one, the NaN that an
/// H200 makes.
fn bd(operands: &[f64], value: Double) -> u64 {
    if !value.is_nan() {
        return value.to_bits() as u64;
    }
    let nan = operands.iter().find(|operand| operand.is_nan());
    nan.map_or(0xfff8_0000_0000_0000, |nan| nan.to_bits() | 0x0008_0000_0000_0000)
}

/// A number of single precision as a double; the host may lose a NaN's payload.
fn wide(bits: u32) -> f64 {
    let value = f32::from_bits(bits);
    if !value.is_nan() {
        return f64::from(value);
    }
    let (sign, payload) = (u64::from(bits >> 31) << 63, u64::from(bits & 0x007f_ffff) << 29);
    f64::from_bits(sign | 0x7ff8_0000_0000_0000 | payload)
}

#[test]
fn rounded_once() {
    elements::<20>("float", "exact", 50, &corners(21, 2000), |[x, y, z, _]| {
        let (a, c) = (s(x), s(z));
        let modes = [NEAR, ZERO, UP, DOWN];
        let root = |round: Round| {
            // The root in double precision is exact enough to tell the neighbours apart by squaring.
            let value = f32::from_bits(x);
            let nearest = value.sqrt();
            if nearest.is_nan() {
                return 0x7fff_ffff;
            }
            let exact = f64::from(nearest) * f64::from(nearest);
            if round == DOWN && exact > f64::from(value) {
                nearest.next_down().to_bits()
            } else {
                nearest.to_bits()
            }
        };
        std::array::from_fn(|i| match i {
            0..4 => b(a.add_r(s(y), modes[i]).value),
            4..8 => b(a.mul_r(s(y), modes[i - 4]).value),
            8..12 => b(a.mul_add_r(s(y), c, modes[i - 8]).value),
            12..16 => b(a.div_r(s(y), modes[i - 12]).value),
            16 => root(NEAR),
            17 => root(DOWN),
            18 => b(s(0x3f80_0000).div_r(a, NEAR).value),
            _ => {
                let value = f32::from_bits(x);
                (if value > 0.0 { value.min(1.0) } else { 0.0 }).to_bits()
            }
        })
    });
}

#[test]
fn converted() {
    let nan = |v: f32| if v.is_nan() { 0x7fff_ffff } else { v.to_bits() };
    let least = |a: f32, b: f32| {
        if a.is_nan() {
            nan(b)
        } else if b.is_nan() {
            a.to_bits()
        } else if a == b {
            a.to_bits() | b.to_bits()
        } else {
            a.min(b).to_bits()
        }
    };
    let most = |a: f32, b: f32| {
        if a.is_nan() {
            nan(b)
        } else if b.is_nan() {
            a.to_bits()
        } else if a == b {
            a.to_bits() & b.to_bits()
        } else {
            a.max(b).to_bits()
        }
    };
    elements("float", "roundings", 50, &corners(22, 1500), |[x, y, z, w]| {
        let (a, c, e) = (f32::from_bits(x), f32::from_bits(y), f32::from_bits(z));
        let wide = u128::from(w) << 32 | u128::from(w);
        let from = |v: i128, round: Round| b(Single::from_i128_r(v, round).value);
        [
            a.round_ties_even() as i32 as u32,
            a as i32 as u32,
            a.ceil() as i32 as u32,
            a.floor() as i32 as u32,
            a.round_ties_even() as u32,
            (a as i64 >> 16) as u32,
            (a.round_ties_even() as u64 >> 16) as u32,
            from(i128::from(w as i32), NEAR),
            from(i128::from(w as i32), ZERO),
            from(i128::from(w), UP),
            from(i128::from(w), DOWN),
            from(i128::from(w) << 20 | 5, NEAR),
            from(wide as i128, ZERO),
            from(wide as i128, UP),
            nan(a.floor()),
            nan(a.ceil()),
            nan(a.trunc()),
            nan(a.round_ties_even()),
            // As the library does it: a half away from zero, unless the value is whole already.
            if a.abs() < 8_388_608.0 || !a.is_nan() { nan(a.round()) } else { nan(a) },
            least(a, c),
            most(a, c),
            x & 0x7fff_ffff | y & 0x8000_0000,
            u32::from(a.is_nan())
                | u32::from(c.is_infinite()) << 1
                | u32::from(e.is_finite()) << 2
                | x >> 31 << 3
                | u32::from(a < c) << 4
                | u32::from(a == c) << 5
                | u32::from(!(a >= e)) << 6,
            // Out of range, C leaves the result open: the GPU clamps to 32 bits and keeps the low ones.
            u32::from(a.abs() as u32 as u8) | u32::from(c as u32 as u16) << 16,
        ]
    });
}

#[test]
fn double_precision() {
    let two = |v: u64| [v as u32, (v >> 32) as u32];
    elements::<40>("float", "doubles", 50, &corners(23, 1500), |[x, y, z, w]| {
        let (a, c) = (wide(x), wide(z));
        let b = f64::from_bits(bd(&[wide(y)], d(wide(y)).mul_r(d(1.000000001), NEAR).value));
        let long = u64::from(w) << 32 | u64::from(w);
        let root = |v: f64, up: bool| {
            let nearest = v.sqrt();
            if nearest.is_nan() || v == 0.0 || v.is_infinite() {
                return bd(&[v], d(nearest));
            }
            // Which side of the root: by an exact square of the candidate.
            let below = d(nearest).mul_r(d(nearest), DOWN).value < d(v)
                || d(nearest).mul_r(d(nearest), UP).value < d(v);
            (if up && below { nearest.next_up() } else { nearest }).to_bits()
        };
        let least = |a: f64, b: f64| {
            if a.is_nan() {
                b.to_bits()
            } else if b.is_nan() {
                a.to_bits()
            } else if a == b {
                a.to_bits() | b.to_bits()
            } else {
                a.min(b).to_bits()
            }
        };
        let most = |a: f64, b: f64| {
            if a.is_nan() {
                b.to_bits()
            } else if b.is_nan() {
                a.to_bits()
            } else if a == b {
                a.to_bits() & b.to_bits()
            } else {
                a.max(b).to_bits()
            }
        };
        let narrow = |v: f64, round: Round| {
            let mut loses = false;
            let value: Single = rustc_apfloat::FloatConvert::convert_r(d(v), round, &mut loses).value;
            if value.is_nan() { 0x7fff_ffff } else { value.to_bits() as u32 }
        };
        let whole = |v: f64| bd(&[b], d(v));
        let big = [
            // The compiler puts the sum's and the first product's operands the other way round.
            bd(&[b, a], d(a).add_r(d(b), NEAR).value),
            bd(&[b, a], d(a).mul_r(d(b), NEAR).value),
            bd(&[a, b, c], d(a).mul_add_r(d(b), d(c), NEAR).value),
            bd(&[a, b], d(a).div_r(d(b), NEAR).value),
            root(b.abs(), false),
            bd(&[a, b], d(a).add_r(d(b), ZERO).value),
            bd(&[a, b], d(a).mul_r(d(b), UP).value),
            bd(&[a, b, c], d(a).mul_add_r(d(b), d(c), DOWN).value),
            bd(&[a, b], d(a).div_r(d(b), ZERO).value),
            root(b.abs(), true),
        ];
        let later = [
            f64::from(w as i32).to_bits(),
            Double::from_u128_r(u128::from(long), DOWN).value.to_bits() as u64,
            whole(b.floor()),
            whole(b.round_ties_even()),
        ];
        std::array::from_fn(|i| match i {
            0..20 => two(big[i / 2])[i % 2],
            // From a NaN of 64 bits, the top bit of the result.
            20 | 21 if b.is_nan() => 1 << 31,
            20 => b.round_ties_even() as i32 as u32,
            21 => b as u32,
            // `b` is then the NaN that `y` was, made quiet.
            22 if b.is_nan() => y | 0x0040_0000,
            22 => narrow(b, NEAR),
            23 => narrow(b, UP),
            24..32 => two(later[(i - 24) / 2])[i % 2],
            32 => (b as i64 >> 8) as u32,
            33 => {
                u32::from(a < b)
                    | u32::from(a == c) << 1
                    | u32::from(a.is_nan()) << 2
                    | u32::from(b.is_infinite()) << 3
            }
            34 | 35 => two(least(a, b))[i - 34],
            36 | 37 => two(most(a, c))[i - 36],
            38 => two(b.to_bits())[1],
            _ => two(b.to_bits())[0],
        })
    });
}

/// Inputs in the range that images have: angles, exponents, positive values.
fn moderate(count: usize) -> Vec<[f32; 3]> {
    noise(24, 3 * count)
        .chunks_exact(3)
        .map(|r| {
            let unit = |v: u32| v as f32 / 4_294_967_296.0;
            [unit(r[0]) * 6.0 - 3.0, unit(r[1]) * 8.0 - 4.0, unit(r[2]) * 50.0 + 0.01]
        })
        .collect()
}

/// The greatest error of each result, in units of the last place of the exact value, over all architectures.
fn worst(kernel: &str, results: usize, exact: impl Fn([f64; 3]) -> Vec<f64>) -> Vec<f64> {
    let inputs = moderate(3000);
    let flat: Vec<u32> =
        inputs.iter().flat_map(|v| [v[0].to_bits(), v[1].to_bits(), v[2].to_bits(), 0]).collect();
    let mut errors = vec![0f64; results];
    let mut first: Option<Vec<u32>> = None;
    for architecture in super::harness::ARCHITECTURES {
        let n = inputs.len();
        let arguments = [words(&flat), zeros(n * results), int(n as i32)];
        let out = run("float", architecture, kernel, line(n.div_ceil(128) as u32, 128), &arguments).remove(1);
        for (index, input) in inputs.iter().enumerate() {
            let want = exact(input.map(f64::from));
            for (slot, want) in want.iter().enumerate() {
                let got = f32::from_bits(out[index * results + slot]);
                let unit = f64::from((*want as f32).abs().next_up()) - f64::from((*want as f32).abs());
                let error = (f64::from(got) - want).abs() / unit.max(f64::from(f32::MIN_POSITIVE));
                errors[slot] = if error.is_nan() { f64::INFINITY } else { errors[slot].max(error) };
            }
        }
        first.get_or_insert(out);
    }
    errors
}

#[test]
fn library_functions_are_as_accurate_as_documented() {
    // The CUDA programming guide's table of single-precision functions; the range is where it holds.
    let limits = [
        ("sinf", 2.0),
        ("cosf", 2.0),
        ("tanf", 4.0),
        ("expf", 2.0),
        ("logf", 1.0),
        ("log2f", 1.0),
        ("log10f", 2.0),
        ("powf", 4.0),
        ("atan2f", 3.0),
        ("atanf", 2.0),
        ("hypotf", 3.0),
        ("cbrtf", 1.0),
        ("tanhf", 2.0),
        ("sinhf", 3.0),
        ("coshf", 2.0),
        ("expm1f", 1.0),
        ("log1pf", 1.0),
        ("erff", 2.0),
    ];
    let slots = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17, 18, 19];
    let exact = |[x, y, z]: [f64; 3]| {
        let mut all = vec![0.0; 20];
        let values = [
            x.sin(),
            x.cos(),
            x.tan(),
            y.exp(),
            z.ln(),
            z.log2(),
            z.log10(),
            z.powf(y),
            x.atan2(y),
            x.atan(),
            x.hypot(y),
            x.cbrt(),
            y.tanh(),
            y.sinh(),
            y.cosh(),
            y.exp_m1(),
            z.ln_1p(),
            libm::erf(y),
        ];
        for (slot, value) in slots.iter().zip(values) {
            all[*slot] = value;
        }
        // Not compared here.
        all[10] = f64::NAN;
        all[11] = f64::NAN;
        all
    };
    let errors = worst("library", 30, exact);
    for ((name, limit), slot) in limits.iter().zip(slots) {
        // Half a unit for the rounding of the exact value itself.
        assert!(errors[slot] <= limit + 0.5, "{name}: {} units in the last place", errors[slot]);
    }
}

#[test]
fn special_functions_are_rounded_correctly() {
    let exact = |[x, y, z]: [f64; 3]| {
        let mut all = vec![0.0; 16];
        all[0] = x.sin();
        all[1] = x.cos();
        all[4] = z.log2();
        all[7] = x / y;
        all[8] = 1.0 / z.sqrt();
        all[9] = 1.0 / z.sqrt();
        all[10] = y.exp2();
        all[13] = z.sqrt();
        all[14] = x / y;
        all[15] = 1.0 / z;
        all
    };
    let errors = worst("special", 16, exact);
    for slot in [0, 1, 4, 7, 8, 9, 10, 13, 14, 15] {
        // A quick quotient is a product with the rounded reciprocal: two roundings, up to 2 units by the manual.
        let most = if matches!(slot, 7 | 14) { 2.0 } else { 0.501 };
        assert!(errors[slot] <= most, "result {slot}: {} units in the last place", errors[slot]);
    }
}
