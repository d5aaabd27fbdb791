//! Atomics: outcomes that no order changes, and the simulator's own order where results depend on it.

use super::harness::{ARCHITECTURES, int, line, noise, run, words, zeros};

#[test]
fn commuting() {
    let n = 3000;
    let values = noise(61, n);
    for architecture in ARCHITECTURES {
        let mut cells = [0u32; 16];
        cells[1] = u32::MAX;
        cells[3] = i32::MAX as u32;
        cells[4] = i32::MIN as u32;
        cells[5] = u32::MAX;
        let start: Vec<u32> = [0, 0, 0, 0, u32::MAX, 0x7fff_ffff, 0, 0, 0, 0, u32::MAX, u32::MAX].to_vec();
        let arguments = [words(&values), words(&cells), words(&start), int(n as i32)];
        let out = run("atomics", architecture, "commuting", line(24, 128), &arguments);
        let sum = values.iter().fold(0u32, |s, v| s.wrapping_add(*v));
        let fold = |f: &dyn Fn(u32, u32) -> u32, start| values.iter().fold(start, |a, v| f(a, *v));
        let scoped = if architecture >= 60 { (n as u32, (n as u32).wrapping_neg()) } else { (0, 0) };
        let expected = [
            sum,
            fold(&u32::min, u32::MAX),
            fold(&u32::max, 0),
            fold(&|a, v| (a as i32).min(v as i32) as u32, i32::MAX as u32),
            fold(&|a, v| (a as i32).max(v as i32) as u32, i32::MIN as u32),
            fold(&|a, v| a & (v | 0xff), u32::MAX),
            fold(&|a, v| a | v & 0x00ff_00ff, 0),
            fold(&|a, v| a ^ v, 0),
            sum.wrapping_neg(),
            (n % 1001) as u32,
            (0..n).fold(0, |a, _| if a == 0 || a > 1000 { 1000 } else { a - 1 }),
            scoped.0,
            scoped.1,
        ];
        assert_eq!(out[1][..13], expected, "sm_{architecture}");
        let wide: Vec<u64> = out[2].chunks(2).map(|w| u64::from(w[1]) << 32 | u64::from(w[0])).collect();
        let all = |f: &dyn Fn(u64, u64, usize) -> u64, start| {
            values.iter().enumerate().fold(start, |a, (i, v)| f(a, u64::from(*v), i))
        };
        assert_eq!(wide[0], all(&|a, v, _| a.wrapping_add(v << 8), 0));
        assert_eq!(wide[1], all(&|a, v, _| a.max(v * v), 0));
        assert_eq!(wide[2] as i64, values.iter().map(|v| -i64::from(*v)).min().unwrap());
        assert_eq!(wide[3], all(&|a, v, i| a ^ (v << 32 | i as u64), 0));
        assert_eq!(wide[4], all(&|a, v, _| a | 1 << (v & 63), 0));
        assert_eq!(wide[5], all(&|a, v, _| a & !(1 << (v & 63)), u64::MAX));
    }
}

/// Changes a cell; what it held.
fn update<T: Copy>(cell: &mut T, f: impl Fn(T) -> T) -> T {
    let old = *cell;
    *cell = f(old);
    old
}

#[test]
fn in_order() {
    let n = 256;
    let values = noise(62, n);
    for architecture in ARCHITECTURES {
        let arguments = [words(&values), zeros(8), words(&vec![0xdead; 8 * n]), zeros(8)];
        let out = run("atomics", architecture, "ordered", line(4, 64), &arguments);
        // Warp by warp, each atomic for all lanes before the next.
        let mut cells = [0u32; 6];
        let mut wide = [0u64; 2];
        for first in (0..n).step_by(32) {
            for k in 0..8 {
                for i in first..first + 32 {
                    let v = values[i];
                    let old = match k {
                        0 => update(&mut cells[0], |c| c.wrapping_add(v)),
                        1 => update(&mut cells[1], |_| v),
                        2 => update(&mut cells[2], |c| if c == i as u32 { i as u32 + 1 } else { c }),
                        3 => update(&mut cells[3], |c| if c >= 6 { 0 } else { c + 1 }),
                        4 => update(&mut cells[4], |c| if c == 0 || c > 6 { 6 } else { c - 1 }),
                        5 => update(&mut wide[0], |_| u64::from(v) << 32 | 9) as u32,
                        6 => update(&mut wide[1], |c| if c == i as u64 { i as u64 + 1 } else { c }) as u32,
                        _ => update(&mut cells[5], |c| (c as i32).max(v as i32) as u32),
                    };
                    assert_eq!(out[2][8 * i + k], old, "thread {i}, atomic {k}");
                }
            }
        }
        assert_eq!(out[1][..6], cells);
    }
}

#[test]
fn floating_cells() {
    let values: Vec<f32> = noise(63, 100).iter().map(|v| *v as f32 * 1e-5).collect();
    let bits: Vec<u32> = values.iter().map(|v| v.to_bits()).collect();
    for architecture in ARCHITECTURES {
        let arguments = [words(&bits), zeros(128), zeros(2), int(100)];
        let out = run("atomics", architecture, "floating", line(1, 100), &arguments);
        let sum = values.iter().fold(0f32, |s, v| s + v);
        assert_eq!(out[1][0], sum.to_bits());
        assert_eq!(out[1][1], values.iter().fold(1f32, |s, v| s + v).to_bits());
        assert_eq!(out[1][8 + 50], bits[49]);
        if architecture >= 60 {
            let sum = values.iter().fold(0f64, |s, v| s + f64::from(*v)).to_bits();
            assert_eq!(out[2], [sum as u32, (sum >> 32) as u32]);
        }
        let arguments = [words(&bits), zeros(1), zeros(2), int(100)];
        let out = run("atomics", architecture, "by_compare_and_swap", line(2, 64), &arguments);
        assert_eq!(out[1][0], values.iter().fold(0f32, |m, v| m.max(*v)).to_bits());
        let total = f64::from_bits(u64::from(out[2][1]) << 32 | u64::from(out[2][0]));
        let want: f64 = values.iter().map(|v| f64::from(*v)).sum();
        assert!((total - want).abs() < 1e-6 * want);
    }
}

#[test]
fn cells_in_shared_memory() {
    let values = noise(64, 64);
    for architecture in ARCHITECTURES {
        let out =
            run("atomics", architecture, "shared_cells", line(1, 64), &[words(&values), zeros(12)]).remove(1);
        let sum: u64 = values.iter().map(|v| u64::from(*v)).sum();
        let most = values.iter().map(|v| *v as i32).max().unwrap().max(0) as u32;
        let xor = values.iter().fold(0, |a, v| a ^ v);
        let expected = [
            sum as u32,
            *values.iter().min().unwrap(),
            most,
            64 % 6,
            xor,
            values[0] | 1,
            77,
            0,
            sum as u32,
            (sum >> 32) as u32,
        ];
        assert_eq!(out[..10], expected);
    }
}

#[test]
fn narrow_and_vector_cells() {
    for architecture in [75, 90, 120] {
        let out = run("atomics", architecture, "narrow_cells", line(1, 32), &[zeros(1), zeros(2), zeros(40)]);
        // 32 × 3 by compare-and-swap below; 32 × 1.0 in half precision above.
        assert_eq!(out[0], [0x5000 << 16 | 96]);
        // Pairs: 32 × (2.0, 1.0) and 32 × (0.25, 0.5).
        assert_eq!(out[1], [0x5000 << 16 | 0x5400, 0x4c00 << 16 | 0x4800]);
        assert_eq!(out[2][..4], [(0..32).sum::<u32>(), 31, (-64i32) as u32, 5]);
        assert_eq!(out[2][8..], [5; 32]);
    }
    for architecture in [90, 120] {
        let out = run("atomics", architecture, "vector_cells", line(1, 2), &[zeros(8)]).remove(0);
        let values: Vec<f32> = out.iter().map(|w| f32::from_bits(*w)).collect();
        assert_eq!(values, [2.0, 4.0, 6.0, 8.0, 1.0, 1.0, 0.0, 0.0]);
    }
}
