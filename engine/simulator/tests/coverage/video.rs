//! Video instructions, scalar and vector, by the pseudocode of the PTX manual; written as PTX, since the compiler
//! emits few of them.

use std::sync::Arc;

use simulator::{Checks, Device, Launch, Limits, Module};

use super::harness::{bytes_of, corners, words_of};

/// A number of `bits` bits at `shift`.
fn field(word: u32, shift: u32, bits: u32, signed: bool) -> i64 {
    let value = i64::from(word) >> shift & ((1 << bits) - 1);
    if signed && value >> (bits - 1) & 1 == 1 { value - (1 << bits) } else { value }
}

fn saturated(value: i64, bits: u32, signed: bool) -> i64 {
    let (low, high) = if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
    value.clamp(low, high)
}

/// Runs `instruction %r4, %r1…, %r2…, %r3;` on the first three words of each input.
fn run(instruction: &str, operands: [&str; 4], inputs: &[[u32; 4]]) -> Vec<u32> {
    let [d, a, b, c] = operands;
    let text = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{{\n\
         .reg .b32 %r<8>;\n.reg .b64 %rd<6>;\n\
         ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r5, %tid.x;\n\
         mul.wide.u32 %rd3, %r5, 16;\nadd.s64 %rd3, %rd1, %rd3;\nmul.wide.u32 %rd4, %r5, 4;\n\
         add.s64 %rd4, %rd2, %rd4;\nld.global.u32 %r1, [%rd3];\nld.global.u32 %r2, [%rd3+4];\n\
         ld.global.u32 %r3, [%rd3+8];\n{instruction} {d}, {a}, {b}, {c};\nst.global.u32 [%rd4], %r4;\nret;\n}}\n"
    );
    let module = Module::from_ptx(&text).unwrap();
    let mut device = Device::new(Arc::new(module), Limits::default());
    let flat: Vec<u32> = inputs.iter().flatten().copied().collect();
    let from = device.alloc(4 * flat.len() as u64, "in").unwrap();
    let to = device.alloc(4 * inputs.len() as u64, "out").unwrap();
    device.write(from, &bytes_of(&flat)).unwrap();
    let launch = Launch {
        kernel: "k",
        grid: [1; 3],
        block: [inputs.len() as u32, 1, 1],
        dynamic_shared: 0,
        cooperative: false,
        arguments: &[from.to_le_bytes().to_vec(), to.to_le_bytes().to_vec()],
        checks: Checks::NONE,
        order: simulator::Order::Forward,
    };
    let report = device.launch(&launch).unwrap_or_else(|error| panic!("{instruction}: {error}"));
    assert_eq!(report.findings, [], "{instruction}");
    let mut out = vec![0; 4 * inputs.len()];
    device.read(to, &mut out).unwrap();
    words_of(&out)
}

const TYPES: [(&str, bool); 2] = [("u32", false), ("s32", true)];
const PARTS: [(&str, u32, u32); 4] = [("", 0, 32), (".b0", 0, 8), (".b3", 24, 8), (".h1", 16, 16)];

/// The scalar result before saturation.
fn scalar(name: &str, a: i64, b: i64) -> i64 {
    match name {
        "vadd" => a + b,
        "vsub" => a - b,
        "vabsdiff" => (a - b).abs(),
        "vmin" => a.min(b),
        _ => a.max(b),
    }
}

/// A result, and the accumulator after it.
fn accumulated(second: &str, value: i64, c: u32, signed: bool) -> u32 {
    let value = field(value as u32, 0, 32, signed);
    let c = field(c, 0, 32, signed);
    (match second {
        "add" => value.wrapping_add(c),
        "min" => value.min(c),
        "max" => value.max(c),
        _ => value,
    }) as u32
}

#[test]
fn video_instructions_follow_the_manual() {
    let inputs = corners(71, 64);
    let expect = |instruction: &str, operands: [&str; 4], f: &dyn Fn([u32; 4]) -> u32| {
        let got = run(instruction, operands, &inputs);
        for (&input, &got) in inputs.iter().zip(&got) {
            assert_eq!(got, f(input), "{instruction} {operands:?} of {input:x?}");
        }
    };
    // Scalar: every operation, type, part and accumulation, each in some combination.
    let mut number = 0;
    for name in ["vadd", "vsub", "vabsdiff", "vmin", "vmax"] {
        for (d, d_signed) in TYPES {
            for (a, a_signed) in TYPES {
                for second in ["add", "min", "max"] {
                    for sat in ["", ".sat"] {
                        number += 1;
                        let b = TYPES[number % 2];
                        let (a_part, b_part) = (PARTS[number % 4], PARTS[number / 4 % 4]);
                        let instruction = format!("{name}.{d}.{a}.{}{sat}.{second}", b.0);
                        let operands = [
                            "%r4".to_owned(),
                            format!("%r1{}", a_part.0),
                            format!("%r2{}", b_part.0),
                            "%r3".to_owned(),
                        ];
                        expect(
                            &instruction,
                            [&operands[0], &operands[1], &operands[2], &operands[3]],
                            &|[x, y, z, _]| {
                                let x = field(x, a_part.1, a_part.2, a_signed);
                                let y = field(y, b_part.1, b_part.2, b.1);
                                let value = scalar(name, x, y);
                                let value =
                                    if sat.is_empty() { value } else { saturated(value, 32, d_signed) };
                                accumulated(second, value, z, d_signed)
                            },
                        );
                    }
                }
            }
        }
    }
    shifts_and_products(&expect);
    vectors(&expect);
}

type Check<'a> = &'a dyn Fn(&str, [&str; 4], &dyn Fn([u32; 4]) -> u32);

fn shifts_and_products(expect: Check<'_>) {
    const PLAIN: [&str; 4] = ["%r4", "%r1", "%r2", "%r3"];
    for (a, signed) in TYPES {
        for (mode, wrap) in [("clamp", false), ("wrap", true)] {
            let by = |y: u32| if wrap { y & 31 } else { y.min(32) };
            expect(&format!("vshl.u32.{a}.u32.{mode}.add"), PLAIN, &|[x, y, z, _]| {
                ((field(x, 0, 32, signed) << by(y)) as u32).wrapping_add(z)
            });
            expect(&format!("vshr.u32.{a}.u32.{mode}.add"), PLAIN, &|[x, y, z, _]| {
                ((field(x, 0, 32, signed) >> by(y)) as u32).wrapping_add(z)
            });
        }
        for (scale, by) in [("", 0), (".shr7", 7), (".shr15", 15)] {
            for (plus, one) in [("", 0), (".po", 1)] {
                expect(
                    &format!("vmad.{a}.{a}.{a}{plus}{scale}"),
                    ["%r4", "%r1.h0", "%r2.b1", "%r3"],
                    &|[x, y, z, _]| {
                        let product = field(x, 0, 16, signed) * field(y, 8, 8, signed);
                        ((product + field(z, 0, 32, signed) + one) >> by) as u32
                    },
                );
            }
        }
        let comparisons: [(&str, fn(i64, i64) -> bool); 6] = [
            ("lt", |a, b| a < b),
            ("le", |a, b| a <= b),
            ("gt", |a, b| a > b),
            ("ge", |a, b| a >= b),
            ("eq", |a, b| a == b),
            ("ne", |a, b| a != b),
        ];
        for (name, holds) in comparisons {
            expect(&format!("vset.{a}.{a}.{name}.add"), PLAIN, &|[x, y, z, _]| {
                z.wrapping_add(u32::from(holds(field(x, 0, 32, signed), field(y, 0, 32, signed))))
            });
        }
    }
}

fn vectors(expect: Check<'_>) {
    const PLAIN: [&str; 4] = ["%r4", "%r1", "%r2", "%r3"];
    const NOTHING: [&str; 4] = ["%r4", "%r1", "%r2", "0"];
    for (count, bits) in [(2, 16), (4, 8)] {
        for name in ["vadd", "vsub", "vabsdiff", "vmin", "vmax"] {
            for (ty, signed) in TYPES {
                let parts = |[x, y, _, _]: [u32; 4]| -> Vec<i64> {
                    let part = |word, at| field(word, bits * at, bits, signed);
                    (0..count).map(|at| scalar(name, part(x, at), part(y, at))).collect()
                };
                let packed = |values: Vec<i64>| {
                    values.iter().enumerate().fold(0, |out, (at, value)| {
                        out | (*value as u32 & ((1 << bits) - 1)) << (bits * at as u32)
                    })
                };
                expect(&format!("{name}{count}.{ty}.{ty}.{ty}"), NOTHING, &|input| packed(parts(input)));
                expect(&format!("{name}{count}.{ty}.{ty}.{ty}.sat"), NOTHING, &|input| {
                    packed(parts(input).into_iter().map(|value| saturated(value, bits, signed)).collect())
                });
                expect(&format!("{name}{count}.{ty}.{ty}.{ty}.add"), PLAIN, &|input| {
                    parts(input).iter().fold(input[2], |sum, value| sum.wrapping_add(*value as u32))
                });
            }
        }
    }
}
