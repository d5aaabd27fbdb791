//! Integer operations of all widths.

use super::super::types::{INTEGERS, Type};
use super::{Operation, Row, of};
use Type::{S16, S32, S64, U16, U32, U64};

/// All integer operations.
pub fn all() -> Vec<Operation> {
    let mut all: Vec<Operation> = INTEGERS.into_iter().flat_map(plain).collect();
    all.extend(of(INTRINSICS));
    all
}

/// The operators of C++, for one type.
fn plain(ty: Type) -> Vec<Operation> {
    let (name, wide, mask) = (ty.name(), ty.wrapping(), ty.bits() - 1);
    let two = &[ty, ty];
    let mut all = Vec::new();
    for operator in ["+", "-", "*", "&", "|", "^"] {
        all.push(Operation::new(ty, two, format!("(({name})(({wide})$0 {operator} ({wide})$1))")));
    }
    for operator in ["/", "%"] {
        all.push(Operation::new(ty, two, format!("(({name})($0 {operator} divisor($1)))")));
    }
    for comparison in ["<", "<=", ">", ">=", "==", "!="] {
        all.push(Operation::new(ty, &[ty, ty, ty, ty], format!("($0 {comparison} $1 ? $2 : $3)")));
    }
    let shift = &[ty, U32];
    all.push(Operation::new(ty, shift, format!("(({name})(({wide})$0 << ($1 & {mask}u)))")));
    all.push(Operation::new(ty, shift, format!("(({name})($0 >> ($1 & {mask}u)))")));
    all.push(Operation::new(ty, &[ty], format!("(({name})~$0)")));
    all.push(Operation::new(ty, &[ty], format!("(({name})(({wide})0 - ({wide})$0))")));
    // Twice, because `min` and `max` are several instructions each.
    all.push(Operation::new(ty, two, "($0 < $1 ? $0 : $1)"));
    all.push(Operation::new(ty, two, "($0 > $1 ? $0 : $1)"));
    // Conversions: truncated, extended, reinterpreted.
    for from in INTEGERS {
        all.push(Operation::new(ty, &[from], format!("(({name})$0)")));
    }
    // Constant divisors become multiplications.
    for divisor in [3_u32, 7, 10, 100, 127] {
        all.push(Operation::new(ty, &[ty], format!("(({name})($0 / ({name}){divisor}))")));
        all.push(Operation::new(ty, &[ty], format!("(({name})($0 % ({name}){divisor}))")));
    }
    all
}

/// Intrinsics and instructions.
const INTRINSICS: &[Row] = &[
    (S32, &[S32, S32], "__mulhi($0, $1)"),
    (U32, &[U32, U32], "__umulhi($0, $1)"),
    (S64, &[S64, S64], "__mul64hi($0, $1)"),
    (U64, &[U64, U64], "__umul64hi($0, $1)"),
    (S32, &[S32, S32], "__mul24($0, $1)"),
    (U32, &[U32, U32], "__umul24($0, $1)"),
    (S64, &[S32, S32], "((s64)$0 * (s64)$1)"),
    (U64, &[U32, U32], "((u64)$0 * (u64)$1)"),
    (U64, &[U32, U32, U64], "((u64)$0 * (u64)$1 + $2)"),
    (S32, &[S16, S16], "((s32)$0 * (s32)$1)"),
    (U32, &[U16, U16], "((u32)$0 * (u32)$1)"),
    (U32, &[U32], "((u32)__popc($0))"),
    (U32, &[U64], "((u32)__popcll($0))"),
    (U32, &[U32], "((u32)__clz((s32)$0))"),
    (U32, &[U64], "((u32)__clzll((s64)$0))"),
    (U32, &[U32], "((u32)__ffs((s32)$0))"),
    (U32, &[U64], "((u32)__ffsll((s64)$0))"),
    (U32, &[U32], "__brev($0)"),
    (U64, &[U64], "__brevll($0)"),
    (U32, &[U32, U32, U32], "__byte_perm($0, $1, $2)"),
    (U32, &[U32, U32, U32], "prmt($0, $1, $2)"),
    (U32, &[U32, U32, U32], "__funnelshift_l($0, $1, $2)"),
    (U32, &[U32, U32, U32], "__funnelshift_r($0, $1, $2)"),
    (U32, &[U32, U32, U32], "__funnelshift_lc($0, $1, $2)"),
    (U32, &[U32, U32, U32], "__funnelshift_rc($0, $1, $2)"),
    (S32, &[S32, S32, S32], "__dp4a($0, $1, $2)"),
    (U32, &[U32, U32, U32], "__dp4a($0, $1, $2)"),
    (S32, &[S32, S32, S32], "__dp2a_lo($0, $1, $2)"),
    (U32, &[U32, U32, U32], "__dp2a_hi($0, $1, $2)"),
    (U32, &[S32, S32, U32], "__sad($0, $1, $2)"),
    (U32, &[U32, U32, U32], "__usad($0, $1, $2)"),
    (S32, &[S32, S32, S32], "sad_s32($0, $1, $2)"),
    (U32, &[U32, U32, U32], "sad_u32($0, $1, $2)"),
    (S32, &[S32, S32], "__hadd($0, $1)"),
    (S32, &[S32, S32], "__rhadd($0, $1)"),
    (U32, &[U32, U32], "__uhadd($0, $1)"),
    (U32, &[U32, U32], "__urhadd($0, $1)"),
    (U16, &[U16, U32], "shl16($0, $1)"),
    (U16, &[U16, U32], "shr16($0, $1)"),
    (S16, &[S16, U32], "sar16($0, $1)"),
    (U32, &[U32, U32], "shl32($0, $1)"),
    (U32, &[U32, U32], "shr32($0, $1)"),
    (S32, &[S32, U32], "sar32($0, $1)"),
    (U64, &[U64, U32], "shl64($0, $1)"),
    (U64, &[U64, U32], "shr64($0, $1)"),
    (S64, &[S64, U32], "sar64($0, $1)"),
    (U32, &[U32, U32, U32], "bfe_u32($0, $1, $2)"),
    (S32, &[S32, U32, U32], "bfe_s32($0, $1, $2)"),
    (U64, &[U64, U32, U32], "bfe_u64($0, $1, $2)"),
    (S64, &[S64, U32, U32], "bfe_s64($0, $1, $2)"),
    (U32, &[U32, U32, U32, U32], "bfi_b32($0, $1, $2, $3)"),
    (U64, &[U64, U64, U32, U32], "bfi_b64($0, $1, $2, $3)"),
    (U32, &[U32, U32, U32], "bfe_u32($0, $1 & 31u, $2 & 15u)"),
    (S32, &[S32, U32, U32], "bfe_s32($0, $1 & 31u, $2 & 15u)"),
    (U32, &[U32, U32, U32], "mad_hi_u32($0, $1, $2)"),
    (S32, &[S32, S32, S32], "mad_hi_s32($0, $1, $2)"),
    (U32, &[U32, U32, U32], "mad24_u32($0, $1, $2)"),
    (U16, &[U16, U16, U16], "mad_u16($0, $1, $2)"),
    (S32, &[S32, S32, S32], "slct_s32($0, $1, $2)"),
    (S32, &[S32], "abs_s32($0)"),
    (S64, &[S64], "abs_s64($0)"),
    (S16, &[S16], "abs_s16($0)"),
    (U32, &[U32], "cnot_b32($0)"),
    (U32, &[U32], "bfind_u32($0)"),
    (U32, &[S32], "bfind_s32($0)"),
    (U32, &[U64], "bfind_u64($0)"),
    (U32, &[U32], "bfind_shift($0)"),
    (S16, &[S32], "sat_s16($0)"),
    (U16, &[S32], "sat_u16($0)"),
    (U32, &[S64], "sat_u32($0)"),
    (S32, &[U64], "sat_s32($0)"),
    (S32, &[S32, S32], "add_sat($0, $1)"),
    (S32, &[S32, S32], "sub_sat($0, $1)"),
    (U32, &[U32, U32, U32], "lop3_96($0, $1, $2)"),
    (U32, &[U32, U32, U32], "lop3_ca($0, $1, $2)"),
    (U32, &[U32, U32, U32], "lop3_1d($0, $1, $2)"),
    (U32, &[U32, U32, U32], "lop3_b4($0, $1, $2)"),
    (U32, &[U32, U32, U32], "(($0 & $1) | (~$0 & $2))"),
    // Four bytes or two halves at once.
    (U32, &[U32, U32], "__vadd4($0, $1)"),
    (U32, &[U32, U32], "__vsub4($0, $1)"),
    (U32, &[U32, U32], "__vadd2($0, $1)"),
    (U32, &[U32, U32], "__vaddus4($0, $1)"),
    (U32, &[U32, U32], "__vsubss2($0, $1)"),
    (U32, &[U32, U32], "__vabsdiffu4($0, $1)"),
    (U32, &[U32, U32], "__vavgu4($0, $1)"),
    (U32, &[U32, U32], "__vmaxu4($0, $1)"),
    (U32, &[U32, U32], "__vmins4($0, $1)"),
    (U32, &[U32, U32], "__vmaxs2($0, $1)"),
    (U32, &[U32, U32], "__vminu2($0, $1)"),
    (U32, &[U32, U32], "__vcmpeq4($0, $1)"),
    (U32, &[U32, U32], "__vcmpgts2($0, $1)"),
    (U32, &[U32, U32], "__vsadu4($0, $1)"),
    (U32, &[U32, U32], "__vsads2($0, $1)"),
    (U32, &[U32], "__vnegss4($0)"),
    (U32, &[U32], "__vabs2($0)"),
];
