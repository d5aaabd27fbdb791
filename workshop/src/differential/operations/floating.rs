//! Floating-point operations whose bits are defined, and conversions between numbers and integers.

use super::super::types::Type;
use super::{Operation, Row, of};
use Type::{F32, F64, S16, S32, S64, U8, U32, U64};

/// All that are exact or correctly rounded.
pub fn all() -> Vec<Operation> {
    let mut all = of(NUMBERS);
    for rounding in ["rn", "rz", "ru", "rd"] {
        let one = |result: Type, arguments: &[Type], name: &str| {
            let places: Vec<String> = (0..arguments.len()).map(|place| format!("${place}")).collect();
            Operation::new(result, arguments, format!("{name}_{rounding}({})", places.join(", ")))
        };
        for name in ["__fadd", "__fsub", "__fmul", "__fdiv"] {
            all.push(one(F32, &[F32, F32], name));
        }
        for name in ["__dadd", "__dsub", "__dmul", "__ddiv"] {
            all.push(one(F64, &[F64, F64], name));
        }
        all.push(one(F32, &[F32, F32, F32], "__fmaf"));
        all.push(one(F64, &[F64, F64, F64], "__fma"));
        for name in ["__fsqrt", "__frcp"] {
            all.push(one(F32, &[F32], name));
        }
        for name in ["__dsqrt", "__drcp"] {
            all.push(one(F64, &[F64], name));
        }
        for (name, short) in [(S32, "int"), (U32, "uint"), (S64, "ll"), (U64, "ull")] {
            all.push(one(name, &[F32], &format!("__float2{short}")));
            all.push(one(name, &[F64], &format!("__double2{short}")));
            all.push(one(F32, &[name], &format!("__{short}2float")));
            if name.bits() == 64 {
                all.push(one(F64, &[name], &format!("__{short}2double")));
            }
        }
        all.push(one(F32, &[F64], "__double2float"));
    }
    all
}

/// Operations that are exact in every mode, or have one mode.
const NUMBERS: &[Row] = &[
    (F32, &[F32, F32], "($0 / $1)"),
    (F64, &[F64, F64], "($0 / $1)"),
    (F32, &[F32], "sqrtf($0)"),
    (F64, &[F64], "sqrt($0)"),
    (F32, &[F32, F32, F32], "fmaf($0, $1, $2)"),
    (F64, &[F64, F64, F64], "fma($0, $1, $2)"),
    (F32, &[F32, F32], "fminf($0, $1)"),
    (F32, &[F32, F32], "fmaxf($0, $1)"),
    (F64, &[F64, F64], "fmin($0, $1)"),
    (F64, &[F64, F64], "fmax($0, $1)"),
    (F32, &[F32], "fabsf($0)"),
    (F64, &[F64], "fabs($0)"),
    (F32, &[F32], "(-$0)"),
    (F64, &[F64], "(-$0)"),
    (F32, &[F32], "floorf($0)"),
    (F32, &[F32], "ceilf($0)"),
    (F32, &[F32], "truncf($0)"),
    (F32, &[F32], "rintf($0)"),
    (F64, &[F64], "floor($0)"),
    (F64, &[F64], "ceil($0)"),
    (F64, &[F64], "trunc($0)"),
    (F64, &[F64], "rint($0)"),
    (F32, &[F32], "__saturatef($0)"),
    (F64, &[F32], "((f64)$0)"),
    (F32, &[F64], "((f32)$0)"),
    (F32, &[S32], "((f32)$0)"),
    (F32, &[U32], "((f32)$0)"),
    (F32, &[U8], "((f32)$0)"),
    (F32, &[S16], "((f32)$0)"),
    (F32, &[U64], "((f32)$0)"),
    (F64, &[S32], "((f64)$0)"),
    (F64, &[U32], "((f64)$0)"),
    (F64, &[S64], "((f64)$0)"),
    (U8, &[F32], "((u8)fminf(fmaxf($0, 0.0f), 255.0f))"),
    (U32, &[F32, F32], "((u32)($0 < $1))"),
    (U32, &[F32, F32], "((u32)($0 >= $1))"),
    (U32, &[F32, F32], "((u32)($0 == $1))"),
    (U32, &[F32, F32], "((u32)($0 != $1))"),
    (U32, &[F32, F32], "((u32)!($0 <= $1))"),
    (U32, &[F64, F64], "((u32)($0 < $1))"),
    (U32, &[F64, F64], "((u32)!($0 > $1))"),
    (U32, &[F64, F64], "((u32)($0 == $1))"),
    (U32, &[F32], "((u32)isnan($0))"),
    (U32, &[F32], "((u32)isinf($0))"),
    (U32, &[F64], "((u32)isfinite($0))"),
    (F32, &[F32, F32, F32, F32], "($0 < $1 ? $2 : $3)"),
    (F64, &[F64, F64, F64, F64], "($0 < $1 ? $2 : $3)"),
    (F32, &[U32, F32, F32], "($0 & 1u ? $1 : $2)"),
    (U32, &[F32], "((u32)bits($0))"),
    (U64, &[F64], "bits($0)"),
    (F32, &[U32], "__uint_as_float($0)"),
    (F64, &[U64], "__longlong_as_double((s64)$0)"),
];

/// Sums and products that the assembler may fuse. Their bits are the compiler's choice.
pub fn contractable() -> Vec<Operation> {
    of(&[
        (F32, &[F32, F32], "($0 + $1)"),
        (F32, &[F32, F32], "($0 - $1)"),
        (F32, &[F32, F32], "($0 * $1)"),
        (F32, &[F32, F32, F32], "($0 * $1 + $2)"),
        (F64, &[F64, F64], "($0 + $1)"),
        (F64, &[F64, F64], "($0 * $1)"),
        (F64, &[F64, F64, F64], "($0 * $1 - $2)"),
    ])
}
