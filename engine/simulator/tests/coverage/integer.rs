//! Integer arithmetic, bit for bit.

use super::harness::{corners, elements};

fn two(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}

#[test]
fn bits() {
    elements("integer", "bits", 50, &corners(1, 600), |[x, y, z, w]| {
        let pair = u64::from(y) << 32 | u64::from(x);
        let select = |i: u32| pair >> (8 * (z >> (4 * i) & 7)) & 0xff;
        let fns = {
            let (base, offset) = (i64::from(y & 31), i64::from(z % 9) - 4);
            let on = |p: i64| x >> p & 1 == 1;
            let ahead: Vec<i64> = if offset > 0 { (base..32).collect() } else { (0..=base).rev().collect() };
            match offset {
                0 if on(base) => base as u32,
                0 => u32::MAX,
                _ => ahead
                    .into_iter()
                    .filter(|&p| on(p))
                    .nth(offset.unsigned_abs() as usize - 1)
                    .map_or(u32::MAX, |p| p as u32),
            }
        };
        [
            x.count_ones(),
            x.leading_zeros(),
            if x == 0 { 0 } else { x.trailing_zeros() + 1 },
            x.reverse_bits(),
            (pair << (z & 31) >> 32) as u32,
            (pair >> (z & 31)) as u32,
            (u128::from(pair) << z.min(32) >> 32) as u32,
            (pair >> z.min(32)) as u32,
            (0..4).fold(0, |out, i| out | (select(i) as u32) << (8 * i)),
            x & y ^ (z | !w),
            fns,
            x.rotate_right(y & 31),
        ]
    });
}

#[test]
fn bits64() {
    elements("integer", "bits64", 50, &corners(2, 600), |[x, y, z, w]| {
        let (a, b) = (u64::from(y) << 32 | u64::from(x), u64::from(w) << 32 | u64::from(z));
        let [r0, r1] = two(a.reverse_bits());
        let [s0, s1] = two(a >> (z & 63) ^ (b as i64 >> (x & 63)) as u64);
        let [t0, t1] = two(a << (w & 63));
        [
            r0,
            r1,
            a.count_ones(),
            a.leading_zeros(),
            if a == 0 { 0 } else { a.trailing_zeros() + 1 },
            s0,
            s1,
            t0,
            t1,
            u32::from((a as i64) < b as i64),
            u32::from(a < b),
            u32::from(a == b || a as i64 >= 17),
        ]
    });
}

#[test]
fn products() {
    elements("integer", "products", 50, &corners(3, 600), |[x, y, z, w]| {
        let (a, b) = (x as i32, y as i32);
        let [p0, p1] = two((u64::from(x) * u64::from(y)).wrapping_add(u64::from(w) << 32 | u64::from(z)));
        let [q0, q1] = two((i64::from(a) * i64::from(b)) as u64);
        let low = |v: u32| v & 0xff_ffff;
        [
            (i64::from(a) * i64::from(b) >> 32) as u32,
            (u64::from(x) * u64::from(y) >> 32) as u32,
            (a << 8 >> 8).wrapping_mul(b << 8 >> 8) as u32,
            low(x).wrapping_mul(low(y)),
            a.abs_diff(b).wrapping_add(z),
            x.abs_diff(y).wrapping_add(z),
            x.wrapping_mul(y).wrapping_add(z),
            p0,
            p1,
            q0,
            q1,
            (i64::from(a) + i64::from(b) >> 1) as u32,
            (i64::from(a) + i64::from(b) + 1 >> 1) as u32,
            (u64::from(x) + u64::from(y) >> 1) as u32 ^ (u64::from(x) + u64::from(y) + 1 >> 1) as u32,
        ]
    });
}

#[test]
fn products64() {
    elements::<12>("integer", "products64", 50, &corners(4, 600), |[x, y, z, w]| {
        let (a, b) = (u64::from(y) << 32 | u64::from(x), u64::from(w) << 32 | u64::from(z));
        let (s, t) = (a as i64, b as i64);
        let values = [
            a.wrapping_mul(b).wrapping_add(a),
            (u128::from(a) * u128::from(b) >> 64) as u64,
            (i128::from(s) * i128::from(t) >> 64) as u64,
            a.checked_div(b).unwrap_or(a),
            if z == 0 { 0 } else { s.wrapping_rem(i64::from(z as i32)) as u64 },
            s.min(t) as u64 ^ a.max(b) ^ t.wrapping_abs() as u64,
        ];
        std::array::from_fn(|i| two(values[i / 2])[i % 2])
    });
}

#[test]
fn quotients() {
    elements("integer", "quotients", 50, &corners(5, 600), |[x, y, z, _]| {
        let a = x as i32;
        let b = (y >> (z & 31)) as i32 | 1;
        [
            a.wrapping_div(b) as u32,
            a.wrapping_rem(b) as u32,
            x / b as u32,
            x % b as u32,
            (a / 7) as u32,
            x % 255,
            (i32::from(x as i16) / i32::from(y as i16 | 1)) as u32,
            u32::from(x as u16 % (y as u16 | 1)),
            (i32::from(x as i8) / i32::from((y & 0x7f | 1) as i8)) as u32,
            u32::from(x as u8 / (y as u8 | 1)),
        ]
    });
}

#[test]
fn narrow() {
    elements("integer", "narrow", 50, &corners(6, 600), |[x, y, z, w]| {
        let (a, b, c, d) = (i32::from(x as i16), i32::from(y as i16), z as u16, w as u16);
        let (e, f) = (i32::from(x as i8), i32::from(y as u8));
        [
            u32::from((a + b) as u16),
            i32::from(a.wrapping_mul(b) as i16) as u32,
            u32::from(if a < b { c } else { d }),
            u32::from(c >> (d & 15)),
            (a >> (d & 15)) as u32,
            u32::from((u32::from(c) << (d & 7)) as u16),
            (e * f) as u32,
            u32::from((e + f) as u8),
            i32::from((e - f) as i8) as u32,
            a.clamp(0, 255) as u32,
            u32::from(c.min(d)) << 16 | u32::from(c.max(d)),
            u32::from_le_bytes([(x >> 8) as u8, (y >> 16) as u8, z as u8, w as u8]),
        ]
    });
}

#[test]
fn dots() {
    let byte = |v: u32, i: u32, signed: bool| {
        let b = (v >> (8 * i)) as u8;
        if signed { i64::from(b as i8) } else { i64::from(b) }
    };
    let half = |v: u32, i: u32, signed: bool| {
        let h = (v >> (16 * i)) as u16;
        if signed { i64::from(h as i16) } else { i64::from(h) }
    };
    let four =
        |x, y, z: u32, s, t| (0..4).fold(i64::from(z), |sum, i| sum + byte(x, i, s) * byte(y, i, t)) as u32;
    let pair = |x, y, z: u32, at: u32, s, t| {
        (0..2).fold(i64::from(z), |sum, i| sum + half(x, i, s) * byte(y, i + at, t)) as u32
    };
    elements("integer", "dots", 75, &corners(7, 600), |[x, y, z, _]| {
        [
            four(x, y, z, true, true),
            four(x, y, z, false, false),
            pair(x, y, z, 0, true, true),
            pair(x, y, z, 2, true, true),
            pair(x, y, z, 0, false, false),
            pair(x, y, z, 2, false, false),
            four(x, y, z, false, true),
            four(x, y, z, true, false),
            pair(x, y, z, 0, false, true),
            pair(x, y, z, 2, true, false),
        ]
    });
}

/// Applies `f` to each element of `bits` bits, sign-extended if `signed`, and packs what it gives.
fn each(x: u32, y: u32, bits: u32, signed: bool, f: impl Fn(i64, i64) -> i64) -> u32 {
    let get = |v: u32, i: u32| {
        let raw = i64::from(v >> (bits * i)) & ((1 << bits) - 1);
        if signed && raw >> (bits - 1) == 1 { raw - (1 << bits) } else { raw }
    };
    (0..32 / bits)
        .fold(0, |out, i| out | ((f(get(x, i), get(y, i)) & ((1 << bits) - 1)) as u32) << (bits * i))
}

fn sum_of(x: u32, y: u32, bits: u32, signed: bool) -> u32 {
    let differences = each(x, y, bits, signed, |a, b| (a - b).abs());
    (0..32 / bits).map(|i| differences >> (bits * i) & ((1 << bits) - 1)).sum()
}

#[test]
fn vectors() {
    elements("integer", "vectors4", 50, &corners(8, 600), |[x, y, z, _]| {
        let u = |f: &dyn Fn(i64, i64) -> i64| each(x, y, 8, false, f);
        let s = |f: &dyn Fn(i64, i64) -> i64| each(x, y, 8, true, f);
        let all = |yes: bool| if yes { 255 } else { 0 };
        [
            u(&|a, b| a + b),
            u(&|a, b| a - b),
            u(&|a, b| (a + b).min(255)),
            s(&|a, b| (a + b).clamp(-128, 127)),
            u(&|a, b| (a - b).max(0)),
            s(&|a, b| (a - b).clamp(-128, 127)),
            u(&|a, b| (a - b).abs()),
            s(&|a, b| (a - b).abs()),
            u(&|a, b| (a + b + 1) >> 1),
            // Rounds away from zero.
            s(&|a, b| (a + b + i64::from(a + b >= 0)) >> 1),
            u(&|a, b| (a + b) >> 1),
            u(&|a, b| a.max(b)),
            s(&|a, b| a.max(b)),
            u(&|a, b| a.min(b)),
            s(&|a, b| a.min(b)),
            u(&|a, b| all(a > b)),
            s(&|a, b| all(a > b)),
            each(x, y ^ z & 0x00ff_00ff, 8, false, |a, b| all(a == b)),
            each(x, x & 0xffff | y << 16, 8, false, |a, b| i64::from(a == b)),
            u(&|a, b| i64::from(a < b)),
            s(&|a, b| i64::from(a <= b)),
            sum_of(x, y, 8, false),
            sum_of(x, y, 8, true),
            each(x, 0, 8, true, |a, _| -a),
            each(x, 0, 8, true, |a, _| a.abs()),
            each(x, 0, 8, true, |a, _| (-a).min(127)) ^ each(y, 0, 8, true, |a, _| a.abs().min(127)),
        ]
    });
    elements("integer", "vectors2", 50, &corners(9, 600), |[x, y, z, _]| {
        let u = |f: &dyn Fn(i64, i64) -> i64| each(x, y, 16, false, f);
        let s = |f: &dyn Fn(i64, i64) -> i64| each(x, y, 16, true, f);
        let all = |yes: bool| if yes { 0xffff } else { 0 };
        let (a, b, c) = (x as i32, y as i32, z as i32);
        [
            u(&|a, b| a + b),
            u(&|a, b| a - b),
            u(&|a, b| (a + b).min(0xffff)),
            s(&|a, b| (a + b).clamp(-32768, 32767)),
            u(&|a, b| (a - b).max(0)),
            s(&|a, b| (a - b).clamp(-32768, 32767)),
            u(&|a, b| (a - b).abs()),
            s(&|a, b| (a - b).abs()),
            u(&|a, b| (a + b + 1) >> 1),
            s(&|a, b| (a + b + i64::from(a + b >= 0)) >> 1),
            u(&|a, b| a.max(b)),
            s(&|a, b| a.max(b)),
            u(&|a, b| a.min(b)),
            s(&|a, b| a.min(b)),
            u(&|a, b| all(a >= b)),
            s(&|a, b| all(a < b)),
            u(&|a, b| i64::from(a != b)),
            sum_of(x, y, 16, false),
            sum_of(x, y, 16, true),
            a.max(b).max(c) as u32
                ^ a.min(b).max(0) as u32
                ^ x.wrapping_add(y).max(z)
                ^ each(each(x, y, 16, false, |a, b| a.min(b)), z, 16, false, |a, b| a.min(b)),
        ]
    });
}

#[test]
fn carries() {
    elements::<16>("integer", "wide", 50, &corners(10, 600), |[x, y, z, w]| {
        let (a, b) = (u64::from(y) << 32 | u64::from(x), u64::from(w) << 32 | u64::from(z));
        let (ab, ba) = (u128::from(a) << 64 | u128::from(b), u128::from(b) << 64 | u128::from(a));
        let product = u128::from(a) * u128::from(b) + u128::from(b);
        let (s, d) = (ab.wrapping_add(ba), ab.wrapping_sub(ba));
        let sums = u128::from(x) + u128::from(y);
        let high = (u64::from(y) + u64::from(z) + (sums >> 32) as u64) as u32;
        // x × y + y × z, a word at a time, then minus x, minus the carry out of the top and the last borrow.
        let xy = u128::from(x) * u128::from(y);
        let yz = u128::from(y) * u128::from(z);
        let total = xy + yz;
        let lower = (total as u64 as u128).wrapping_sub(u128::from(x)) as u64;
        let borrow_low = u64::from((total as u32) < x);
        let top = (total >> 64) as u64;
        let minuend = (total as u64) >> 32;
        let borrow = u64::from(minuend < top + borrow_low);
        let fourth = ((lower >> 32) as u32).wrapping_sub(top as u32).wrapping_sub(borrow as u32);
        let parts =
            [product as u64, (product >> 64) as u64, s as u64, (s >> 64) as u64, d as u64, (d >> 64) as u64];
        std::array::from_fn(|i| match i {
            0..12 => two(parts[i / 2])[i % 2],
            12 => sums as u32,
            13 => high,
            14 => lower as u32,
            _ => fourth,
        })
    });
}

#[test]
fn assembly() {
    let mask = |start: u32, width: u32| {
        (0..width).filter(|i| start + i < 32).fold(0u32, |m, i| m | 1 << (start + i))
    };
    let extend = |v: u32, bits: u32, signed: bool| {
        if bits == 0 {
            return 0;
        }
        let kept = v & mask(0, bits.min(32));
        if signed && bits < 32 && kept >> (bits - 1) == 1 { kept | !mask(0, bits) } else { kept }
    };
    elements("integer", "assembly", 75, &corners(11, 900), |[x, y, z, w]| {
        let bytes: Vec<u8> = x.to_le_bytes().into_iter().chain(y.to_le_bytes()).collect();
        let pick = |which: [usize; 4]| u32::from_le_bytes(which.map(|i| bytes[i & 7]));
        let n = (z & 3) as usize;
        let logic = x ^ y ^ z;
        let (position, length) = (y & 31, z & 31);
        let field = mask(z & 31, w & 31);
        let magnitude = if (x as i32) < 0 { !x } else { x };
        // The sign of a field that leaves the word is the word's.
        let sign = length > 0 && x >> (position + length - 1).min(31) & 1 == 1;
        let extracted =
            (x >> position) & mask(0, length) | if sign { !mask(0, length.min(32 - position)) } else { 0 };
        let byte_sum = i64::from(x as u8) + i64::from((y >> 24) as u8);
        let difference =
            (i64::from(x as u16 as i16) - i64::from((y >> 16) as u16 as i16)).unsigned_abs() as u32;
        [
            31u32.wrapping_sub(x.leading_zeros()),
            if magnitude == 0 { u32::MAX } else { magnitude.leading_zeros() },
            mask((x & 63).min(32), (y & 63).min(32)),
            mask(x & 31, y & 31),
            extend(x, (y & 63).min(32), true),
            extend(x, y & 31, false),
            pick([n, n + 1, n + 2, n + 3]),
            pick([n, n + 7, n + 6, n + 5]),
            pick([n; 4]),
            pick([n, n.max(1), n.max(2), 3]),
            pick([0, n.min(1), n.min(2), n]),
            pick([2 * (n & 1), 2 * (n & 1) + 1, 2 * (n & 1), 2 * (n & 1) + 1]),
            if logic != 0 || x < y { logic } else { 7 },
            if length == 0 { 0 } else { extracted },
            y & !field | x << (z & 31) & field,
            if (x as i32) < y as i32 { u32::MAX } else { 0 },
            if x >= y && z & 1 == 1 { 1f32.to_bits() } else { 0 },
            byte_sum as u32,
            difference.wrapping_add(z),
            (i64::from((x >> 8) as u8 as i8) * i64::from(y as u16) + i64::from(z as i32)) as u32,
            x << (y & 31),
            u32::from(i64::from((x >> 16) as u8) < i64::from(y as u8 as i8)),
        ]
    });
}
