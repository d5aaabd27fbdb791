//! Variables, cache hints, structures by value, state spaces, asynchronous copies, special registers.

use super::harness::{ARCHITECTURES, Argument, Shape, bytes_of, line, noise, run, words, zeros};

#[test]
fn variables_start_as_written() {
    for architecture in ARCHITECTURES {
        let out = run("memory", architecture, "variables", line(1, 32), &[zeros(256)]).remove(0);
        for i in 0..32usize {
            let palette = [9, 8, 7, 6][i & 3];
            let weights = [1, 2, 1, 2, 4, 2, 1, 2, 1][i % 9];
            let text = [b"alpha", b"beta\0"][i & 1];
            let expected = [
                palette + 7,
                weights * 16 - 3,
                [1, 2, 3, 4][i & 3],
                u32::from(text[i >> 1 & 3]),
                3.5f32.to_bits(),
                5,
            ];
            assert_eq!(out[8 * i..][..6], expected, "thread {i}");
        }
    }
}

#[test]
fn every_width_and_hint() {
    let input = noise(71, 160);
    let bytes = bytes_of(&input);
    for architecture in ARCHITECTURES {
        let out = run("memory", architecture, "hints", line(1, 32), &[words(&input), zeros(352)]).remove(1);
        for i in 0..32usize {
            let sum = (0..6).fold(0u32, |s, k| s.wrapping_add(input[i + k]));
            let byte = |k: usize| bytes[4 * i + k];
            let high = i64::from(input[4 * i + 3] as i32) as u32;
            let mix = input[4 * i + 3]
                ^ input[2 * i + 1]
                ^ u32::from(byte(2))
                ^ (input[i] as i32 >> 16) as u32
                ^ high;
            let long = i128::from(input[4 * i + 1] as i32) << 32 | i128::from(input[4 * i]);
            let expected = [sum.wrapping_add(mix), input[4 * i], input[2 * i], (long >> 16) as u32];
            assert_eq!(out[4 * i..][..4], expected, "thread {i}");
            assert_eq!(out[128 + i], input[i].swap_bytes());
            assert_eq!(out[160 + i], input[i].rotate_left(16));
            let [a, b] = [i as f64, 2.0 * i as f64].map(f64::to_bits);
            assert_eq!(out[192 + 4 * i..][..4], [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32]);
            assert_eq!(out[320 + i], 1);
        }
    }
}

#[test]
fn structures_and_local_arrays() {
    let big: Vec<u32> = (0..20).map(|k| 1000 + k * 3).chain([2.75f32.to_bits()]).collect();
    for architecture in ARCHITECTURES {
        let arguments = [Argument::Value(bytes_of(&big)), zeros(96)];
        let out = run("memory", architecture, "by_value", line(1, 32), &arguments).remove(0);
        for i in 0..32u32 {
            let expected = big[i as usize % 20] + 2 + (i * ((i + 3) % 20) + i) + big[(i * 7) as usize % 20];
            assert_eq!(out[i as usize], expected, "thread {i}");
            let mut local = [0u32; 16];
            for k in 0..16 {
                local[(k + i) as usize & 15] = k * i;
            }
            let byte = local.iter().flat_map(|w| w.to_le_bytes()).nth((i as usize * 5) & 63).unwrap();
            assert_eq!(out[64 + i as usize], u32::from(byte) + local[i as usize & 15], "thread {i}");
        }
    }
}

#[test]
fn spaces_behind_generic_pointers() {
    for architecture in ARCHITECTURES {
        let mut start = vec![0; 257];
        start[64] = 4711;
        let shape = Shape { shared: 256, ..line(1, 64) };
        let out = run("memory", architecture, "spaces", shape, &[words(&start)]).remove(0);
        for t in 0..64u32 {
            let value = [t * 3, t * 5, 4711, t][t as usize & 3] + 1;
            assert_eq!(out[t as usize], value, "thread {t}");
            assert_eq!(out[128 + t as usize] & 7, [1, 1, 2, 4][t as usize & 3], "thread {t}");
        }
        assert_eq!(out[256], 256);
    }
}

#[test]
fn asynchronous_copies() {
    let input = noise(72, 128);
    for architecture in [90, 120] {
        let out = run("memory", architecture, "copies", line(1, 32), &[words(&input), zeros(352)]).remove(1);
        for k in 0..128usize {
            assert_eq!(out[k], input[k ^ 4]);
        }
        for i in 0..32usize {
            assert_eq!(out[128 + i], input[i]);
            assert_eq!(out[160 + 2 * i..][..2], input[2 * i..][..2]);
            for k in 0..4 {
                assert_eq!(out[224 + 4 * i + k], if k < i % 5 { input[4 * i + k] } else { 0 });
            }
        }
    }
}

#[test]
fn special_registers() {
    for architecture in ARCHITECTURES {
        let shape = Shape { grid: [2, 3, 1], block: [48, 1, 1], shared: 0 };
        let out = run("memory", architecture, "system_registers", shape, &[zeros(4 * 96)]).remove(0);
        for i in 0..96u32 {
            let lane = i % 48 % 32;
            assert_eq!(out[4 * i as usize..][..4], [lane, 2 << 16 | 3 << 8, 1, 33], "thread {i}");
        }
    }
}
