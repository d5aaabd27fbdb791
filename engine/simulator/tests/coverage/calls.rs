//! Recursion, function pointers, virtual functions, tables of branches, printf and assert.

use super::harness::{ARCHITECTURES, int, line, noise, run, run_and_report, words, zeros};

fn fibonacci(n: u32) -> u32 {
    if n < 2 { n } else { fibonacci(n - 1) + fibonacci(n - 2) }
}

fn ackermann(m: u32, n: u32) -> u32 {
    match (m, n) {
        (0, n) => n + 1,
        (m, 0) => ackermann(m - 1, 1),
        (m, n) => ackermann(m - 1, ackermann(m, n - 1)),
    }
}

#[test]
fn functions_that_call_themselves() {
    for architecture in ARCHITECTURES {
        let out = run("calls", architecture, "recursion", line(1, 64), &[zeros(16 * 64)]).remove(0);
        for t in 0..64u32 {
            let row = &out[16 * t as usize..][..16];
            let mut values: Vec<u32> = (0..12).map(|k| (t * 37 + k * 101 + (t ^ k) * 13) % 97).collect();
            values.sort_unstable();
            assert_eq!(&row[4..], values, "thread {t}");
            assert_eq!((row[0], row[1]), (fibonacci(t % 12), ackermann(t & 1, t & 3)), "thread {t}");
        }
        let out = run("calls", architecture, "mutual", line(1, 96), &[zeros(96)]).remove(0);
        for n in 0..96 {
            let from_inside = (0..n).fold(if n % 2 == 0 { 1 } else { 2 }, |value, k| {
                let depth = n - 1 - k;
                if depth % 2 == 0 { value * 3 % 1009 } else { value * 5 % 1013 }
            });
            assert_eq!(out[n as usize], from_inside, "even({n})");
        }
    }
}

#[test]
fn pointers_to_functions() {
    let values: Vec<f32> = noise(41, 65).iter().map(|v| (v % 1000) as f32 / 8.0).collect();
    let bits: Vec<u32> = values.iter().map(|v| v.to_bits()).collect();
    for architecture in ARCHITECTURES {
        for which in 0..4 {
            let arguments = [words(&bits), zeros(128), int(which)];
            let out = run("calls", architecture, "pointers", line(1, 64), &arguments).remove(1);
            for t in 0..64 {
                let (a, b) = (values[t], values[t + 1]);
                let first = [a + b, a * b, a - b][(t + which as usize) % 3];
                let second = if which > 1 {
                    first * 2.0
                } else if t & 1 == 1 {
                    first + 2.0
                } else {
                    first - 2.0
                };
                assert_eq!((out[t], out[64 + t]), (first.to_bits(), second.to_bits()), "{which}: thread {t}");
            }
        }
        let out = run("calls", architecture, "virtuals", line(1, 32), &[zeros(64)]).remove(0);
        for t in 0..32 {
            let radius = t as f32 + 0.5;
            let (area, corners) =
                if t % 3 != 0 { ((t * t) as f32, 4f32) } else { (3.0 * radius * radius, 0.0) };
            assert_eq!((out[2 * t], out[2 * t + 1]), (area.to_bits(), corners.to_bits()), "thread {t}");
        }
    }
}

#[test]
fn switches_and_tables() {
    let values = noise(42, 64);
    for architecture in ARCHITECTURES {
        let out =
            run("calls", architecture, "switches", line(1, 64), &[words(&values), zeros(128)]).remove(1);
        for (t, &x) in values.iter().enumerate() {
            let expected = match x % 11 {
                0 => x.wrapping_mul(3),
                1 => x ^ 0x55,
                2 => x.wrapping_add(7) / 3,
                3 => x / 3,
                4 => x.count_ones(),
                5 => x << 3,
                6 => x,
                7 => (0..x % 5).fold(x, |r, k| r.wrapping_mul(31).wrapping_add(k)),
                9 => 0,
                _ => !x,
            };
            assert_eq!((out[t], out[64 + t]), (expected, u32::from(x % 11 == 6)), "{x}");
        }
        let out = run("calls", architecture, "jumps", line(1, 64), &[zeros(64)]).remove(0);
        for (t, &got) in out.iter().enumerate() {
            assert_eq!(got, if t % 4 == 3 { 0 } else { [1111, 1101, 1001][t % 3] }, "thread {t}");
        }
        let out = run("calls", architecture, "lambdas", line(1, 32), &[zeros(51), int(50), int(3)]).remove(0);
        for (i, &got) in out[..50].iter().enumerate() {
            assert_eq!(got, (i as u32).pow(5).wrapping_mul(3));
        }
        assert_eq!(out[50], 6);
    }
}

#[test]
fn text_and_assertions() {
    for architecture in ARCHITECTURES {
        let (report, _) = run_and_report("calls", architecture, "talks", line(1, 2), &[int(5)]);
        let text = String::from_utf8(report.printed).unwrap();
        assert_eq!(text, "5 text 2.500 q 1099511627776 %|   -7|abc   |\n");
        let (report, _) = run_and_report("calls", architecture, "talks", line(1, 2), &[int(0)]);
        assert_eq!(report.findings[0].code, "W0505");
        assert!(report.findings[0].message.contains("n > 0"));
    }
}
