//! `setp` and `set`.

use std::cmp::Ordering;

use super::float;
use super::value::{Expect, Form, Type};

/// Whether a comparison of this name holds; no ordering means that an operand is not a number.
fn holds(name: &str, ordering: Option<Ordering>) -> Option<bool> {
    let Some(ordering) = ordering else {
        return Some(match name {
            "eq" | "ne" | "lt" | "le" | "gt" | "ge" | "num" => false,
            "equ" | "neu" | "ltu" | "leu" | "gtu" | "geu" | "nan" => true,
            _ => return None,
        });
    };
    Some(match name {
        "eq" | "equ" => ordering.is_eq(),
        "ne" | "neu" => ordering.is_ne(),
        "lt" | "ltu" | "lo" => ordering.is_lt(),
        "le" | "leu" | "ls" => ordering.is_le(),
        "gt" | "gtu" | "hi" => ordering.is_gt(),
        "ge" | "geu" | "hs" => ordering.is_ge(),
        "num" => true,
        "nan" => false,
        _ => return None,
    })
}

pub(super) fn expected(form: &Form<'_>, [a, b, c, _]: [u64; 4]) -> Option<Expect> {
    if !matches!(form.opcode, "setp" | "set") {
        return None;
    }
    let ty = form.ty()?;
    let name = form.words.first()?;
    // Unsigned spellings compare the bits.
    let unsigned = matches!(*name, "lo" | "ls" | "hi" | "hs");
    let ordering = match ty {
        Type::Whole(bits, signed) => {
            let ty = Type::Whole(bits, signed && !unsigned);
            Some(ty.number(a).cmp(&ty.number(b)))
        }
        _ => float::wide(ty, a, form.has("ftz"))?.partial_cmp(&float::wide(ty, b, form.has("ftz"))?),
    };
    let test = holds(name, ordering)?;
    let test = match form.words.get(1) {
        Some(&"and") => test && c & 1 == 1,
        Some(&"or") => test || c & 1 == 1,
        Some(&"xor") => test != (c & 1 == 1),
        _ => test,
    };
    if form.opcode == "setp" {
        return Some(Expect::Bits(u64::from(test)));
    }
    let result = form.words[form.words.len() - 2];
    Some(Expect::Bits(match (test, result) {
        (false, _) => 0,
        (true, "f32") => u64::from(1f32.to_bits()),
        (true, "u32" | "s32") => 0xffff_ffff,
        _ => return None,
    }))
}
