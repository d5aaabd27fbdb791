//! Whole numbers, bits, and what only moves them.

use super::value::{Expect, Form, Type};

/// The ones of so many low bits.
fn ones(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

pub(super) fn expected(form: &Form<'_>, operands: [u64; 4]) -> Option<Expect> {
    let pairs = form.words.last().is_some_and(|word| word.ends_with("x2"));
    let carries = form.has("cc") || matches!(form.opcode, "addc" | "subc" | "madc");
    let bits = match () {
        () if form.opcode.starts_with('~') => internal(form, operands)?,
        () if carries => return carry(form, operands),
        () if pairs => halves(form, operands)?,
        () => {
            let moved = moved(form, operands);
            moved.or_else(|| arithmetic(form, operands)).or_else(|| fields(form, operands))?
        }
    };
    Some(Expect::Bits(bits))
}

/// What takes one of its operands as it is.
fn moved(form: &Form<'_>, [a, b, c, _]: [u64; 4]) -> Option<u64> {
    let first = Type::of(form.words.iter().find(|word| **word != "ftz")?)?;
    let width = match first {
        Type::Whole(bits, _) => bits,
        Type::F16 | Type::Bf16 => 16,
        Type::F32 => 32,
        Type::F64 => 64,
        Type::Pred => 1,
    };
    let low = |word: u64| word & ones(width) as u64;
    Some(match form.opcode {
        "mov" => low(a),
        "selp" => low(if c & 1 == 1 { a } else { b }),
        "slct" => {
            let condition = match form.ty()? {
                Type::F32 => {
                    let value = f32::from_bits(c as u32);
                    value >= 0.0 || form.has("ftz") && value.is_subnormal()
                }
                ty => ty.number(c) >= 0,
            };
            low(if condition { a } else { b })
        }
        _ => return None,
    })
}

/// Sums, products, quotients and the like, without limits in between.
fn arithmetic(form: &Form<'_>, [a, b, c, _]: [u64; 4]) -> Option<u64> {
    let ty = form.ty()?;
    let Type::Whole(bits, signed) = ty else { return None };
    let wide = Type::Whole((2 * bits).min(64), signed);
    let (x, y) = (ty.number(a), ty.number(b));
    let z = ty.number(c);
    let unsigned = Type::Whole(bits, false);
    let limited = |value: i128| {
        value.clamp(-(1 << (bits - 1)), if signed { (1 << (bits - 1)) - 1 } else { (1 << bits) - 1 })
    };
    let product = x.wrapping_mul(y);
    // 24 bits of each, extended as the type says.
    let short = |value: i128| {
        let low = value & 0xff_ffff;
        if signed && low >> 23 == 1 { low - (1 << 24) } else { low }
    };
    let short_product = short(x) * short(y);
    let high = |value: i128, by: u32| if signed { value >> by } else { (value as u128 >> by) as i128 };
    let relu = |value: i128| if form.has("relu") { value.max(0) } else { value };
    Some(match (form.opcode, form.words.first().copied()?) {
        ("add", "sat") => ty.word(limited(x + y)),
        ("sub", "sat") => ty.word(limited(x - y)),
        ("add", _) => ty.word(x + y),
        ("sub", _) => ty.word(x - y),
        ("mul", "lo") => ty.word(product),
        ("mul", "hi") => ty.word(high(product, bits)),
        ("mul", "wide") => wide.word(product),
        ("mul24", "lo") => ty.word(short_product),
        ("mul24", "hi") => ty.word(short_product >> 16),
        ("mad", "lo") => ty.word(product.wrapping_add(z)),
        ("mad", "hi") if form.has("sat") => ty.word(limited((product >> bits) + z)),
        ("mad", "hi") => ty.word(high(product, bits) + z),
        ("mad", "wide") => wide.word(product + wide.number(c)),
        ("mad24", "lo") => ty.word(short_product + z),
        ("mad24", "hi") => ty.word((short_product >> 16) + z),
        // By zero: all ones, and the dividend, as the hardware has it.
        ("div", _) => ty.word(if y == 0 { -1 } else { x / y }),
        ("rem", _) => ty.word(if y == 0 { x } else { x % y }),
        ("abs", _) => ty.word(x.abs()),
        ("neg", _) => ty.word(-x),
        ("min", _) => ty.word(relu(x.min(y))),
        ("max", _) => ty.word(relu(x.max(y))),
        ("sad", _) => unsigned.word((x - y).abs() + unsigned.number(c)),
        ("and", _) => ty.word(x & y),
        ("or", _) => ty.word(x | y),
        ("xor", _) => ty.word(x ^ y),
        ("not", _) => ty.word(!x),
        ("cnot", _) => u64::from(x == 0),
        ("shl", _) => ty.word(if (b as u32) < bits { x << (b as u32) } else { 0 }),
        ("shr", _) => ty.word(x >> (b as u32).min(bits)),
        _ => return None,
    })
}

/// Bit by bit.
fn bit(word: u64, at: u64) -> u64 {
    if at < 64 { word >> at & 1 } else { 0 }
}

/// Shifts through two words, fields, permutations, counts.
fn fields(form: &Form<'_>, [a, b, c, d]: [u64; 4]) -> Option<u64> {
    let last = form.words.last().copied()?;
    let ty = form.ty();
    let bits = match ty {
        Some(Type::Whole(bits, _)) => bits,
        Some(Type::Pred) => {
            return Some(match form.opcode {
                "and" => a & b & 1,
                "or" => (a | b) & 1,
                "xor" => (a ^ b) & 1,
                "not" => !a & 1,
                _ => return None,
            });
        }
        _ => 32,
    };
    let signed = matches!(ty, Some(Type::Whole(_, true)));
    let top = u64::from(bits) - 1;
    // The number itself, or for negative ones the number of the other bits.
    let magnitude = || {
        let value = ty.unwrap_or(Type::Whole(32, false)).number(a);
        (if value < 0 { !value } else { value }) as u64
    };
    let highest = |value: u64| (0..=top).rev().find(|&at| bit(value, at) == 1);
    let amount = |word: u64, wrap: bool| if wrap { word & 31 } else { word.min(32) };
    let wrap = form.has("wrap");
    Some(match form.opcode {
        "lop3" => (0..32).fold(0, |out, at| {
            let entry = bit(a, at) << 2 | bit(b, at) << 1 | bit(c, at);
            out | bit(d, entry) << at
        }),
        "shf" => {
            let both = u128::from(b << 32 | a);
            let by = amount(c, wrap);
            let word = if form.has("l") { both << by >> 32 } else { both >> by };
            word as u64 & 0xffff_ffff
        }
        // 64 bits take several machine instructions, for which the counts are not taken modulo 256.
        "bfe" if bits == 64 => {
            let filler = if signed { bit(a, (b + c).saturating_sub(1).min(63)) } else { 0 };
            let filler = if c == 0 { 0 } else { filler };
            (0..64).fold(0, |out, at| {
                let taken = if at >= c {
                    filler
                } else if b + at > 63 {
                    if signed { bit(a, 63) } else { 0 }
                } else {
                    bit(a, b + at)
                };
                out | taken << at
            })
        }
        "bfe" => {
            let (position, length) = (b & 0xff, c & 0xff);
            let filler = if signed && length > 0 { bit(a, (position + length - 1).min(top)) } else { 0 };
            (0..32).fold(0, |out, at| {
                let inside = at < length && position + at <= top;
                out | if inside { bit(a, position + at) } else { filler } << at
            })
        }
        "bfi" => {
            let (position, length) = if bits == 64 { (c, d) } else { (c & 0xff, d & 0xff) };
            (0..=top).fold(0, |out, at| {
                let inside = at >= position && at - position < length;
                out | if inside { bit(a, at - position) } else { bit(b, at) } << at
            })
        }
        "prmt" => permuted(form, a, b, c),
        "popc" => (0..=top).map(|at| bit(a, at)).sum(),
        "clz" => highest(a).map_or(top + 1, |at| top - at),
        "brev" => (0..=top).fold(0, |out, at| out | bit(a, at) << (top - at)),
        "bfind" => match highest(magnitude()) {
            None => 0xffff_ffff,
            Some(at) if form.has("shiftamt") => top - at,
            Some(at) => at,
        },
        "bmsk" => {
            let (start, count) = (amount(a, wrap), amount(b, wrap));
            (0..32).filter(|at| (start..start + count).contains(at)).fold(0, |out, at| out | 1 << at)
        }
        "szext" => {
            let count = amount(b, wrap);
            let filler = if signed && count > 0 { bit(a, count - 1) } else { 0 };
            (0..32).fold(0, |out, at| out | if at < count { bit(a, at) } else { filler } << at)
        }
        "fns" => counted(a, b, i64::from(c as u32 as i32)),
        "dp4a" => dot(form, a, b, c, 8, 0, 4),
        "dp2a" => dot(form, a, b, c, 16, if form.has("hi") { 2 } else { 0 }, 2),
        "vabsdiff4" => {
            let byte = |word: u64, at: u64| (word >> (8 * at) & 0xff) as i64;
            let differences: Vec<u64> = (0..4).map(|at| (byte(a, at) - byte(b, at)).unsigned_abs()).collect();
            if last == "add" {
                (differences.iter().sum::<u64>() + c) & 0xffff_ffff
            } else {
                (0..4).map(|at| differences[at] << (8 * at)).sum()
            }
        }
        _ => return None,
    })
}

/// `prmt` by its table of modes.
fn permuted(form: &Form<'_>, a: u64, b: u64, selector: u64) -> u64 {
    let byte =
        |number: u64| if number < 4 { a >> (8 * number) & 0xff } else { b >> (8 * (number - 4)) & 0xff };
    let n = (selector & 3) as usize;
    let rows: [[u64; 4]; 4] = match form.words.get(1) {
        Some(&"f4e") => [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]],
        Some(&"b4e") => [[0, 7, 6, 5], [1, 0, 7, 6], [2, 1, 0, 7], [3, 2, 1, 0]],
        Some(&"rc8") => [[0; 4], [1; 4], [2; 4], [3; 4]],
        Some(&"ecl") => [[0, 1, 2, 3], [1, 1, 2, 3], [2, 2, 2, 3], [3; 4]],
        Some(&"ecr") => [[0; 4], [0, 1, 1, 1], [0, 1, 2, 2], [0, 1, 2, 3]],
        Some(&"rc16") => [[0, 1, 0, 1], [2, 3, 2, 3], [0, 1, 0, 1], [2, 3, 2, 3]],
        _ => {
            return (0..4).fold(0, |out, at| {
                let choice = selector >> (4 * at) & 0xf;
                let value = byte(choice & 7);
                let value = if choice < 8 {
                    value
                } else if value < 0x80 {
                    0
                } else {
                    0xff
                };
                out | value << (8 * at)
            });
        }
    };
    (0..4).fold(0, |out, at| out | byte(rows[n][at]) << (8 * at))
}

/// `fns`: the set bits in the order in which they are met.
fn counted(mask: u64, base: u64, offset: i64) -> u64 {
    let met: Vec<u64> = match offset {
        0 => vec![base],
        1.. => (base.min(32)..32).collect(),
        _ if base > 31 => Vec::new(),
        _ => (0..=base).rev().collect(),
    };
    let nth = offset.unsigned_abs().max(1) as usize - 1;
    met.into_iter().filter(|&at| at < 32 && bit(mask, at) == 1).nth(nth).unwrap_or(0xffff_ffff)
}

/// Products of the parts of `a` and bytes of `b`, added up.
fn dot(form: &Form<'_>, a: u64, b: u64, c: u64, part: u32, first: u32, count: u32) -> u64 {
    let types = &form.words[form.words.len() - 2..];
    let signed: Vec<bool> = types.iter().map(|word| *word == "s32").collect();
    let sum = (0..count).fold(i128::from(c), |sum, at| {
        let left = Type::Whole(part, signed[0]).number(a >> (part * at));
        let right = Type::Whole(8, signed[1]).number(b >> (8 * (first + at)));
        sum + left * right
    });
    sum as u64 & 0xffff_ffff
}

/// Operations on both halves of a word.
fn halves(form: &Form<'_>, [a, b, ..]: [u64; 4]) -> Option<u64> {
    let name = form.words.iter().find_map(|word| word.strip_suffix("x2"))?;
    let ty = Type::of(name)?;
    let Type::Whole(..) = ty else { return None };
    let mut out = 0;
    for shift in [0, 16] {
        let (x, y) = (ty.number(a >> shift), ty.number(b >> shift));
        let value = match form.opcode {
            "add" => x + y,
            "min" => x.min(y),
            "max" => x.max(y),
            _ => return None,
        };
        let value = if form.has("relu") { value.max(0) } else { value };
        out |= (value as u64 & 0xffff) << shift;
    }
    Some(out)
}

/// Sums, differences and products with a carry in or out.
fn carry(form: &Form<'_>, [a, b, c, e]: [u64; 4]) -> Option<Expect> {
    let Type::Whole(bits, signed) = form.ty()? else { return None };
    let (x, y, z) = (u128::from(a) & ones(bits), u128::from(b) & ones(bits), u128::from(c) & ones(bits));
    let old = u128::from(e & 1);
    let carry_in = if form.opcode.ends_with('c') { old } else { 0 };
    let ty = Type::Whole(bits, signed);
    let product = ty.number(a).wrapping_mul(ty.number(b)) as u128;
    let (value, out) = match form.opcode {
        "add" | "addc" => (x + y + carry_in, x + y + carry_in > ones(bits)),
        "sub" | "subc" => (x.wrapping_sub(y + carry_in), y + carry_in > x),
        _ => {
            let part = if form.has("hi") { product >> bits } else { product } & ones(bits);
            (part + z + carry_in, part + z + carry_in > ones(bits))
        }
    };
    let out = if form.has("cc") { u64::from(out) } else { old as u64 };
    Some(Expect::Carry((value & ones(bits)) as u64, out))
}

/// Spellings of the decoder's own.
fn internal(form: &Form<'_>, [a, b, c, d]: [u64; 4]) -> Option<u64> {
    let word = 0xffff_ffff;
    Some(match (form.opcode, form.words.first().copied().unwrap_or_default()) {
        ("~low", "b64") | ("~truncate", _) => a & word,
        ("~high", "b64") => a >> 32,
        ("~join", "b64") => a | b << 32,
        ("~low", "b32") => a & 0xffff,
        ("~high", "b32") => a >> 16,
        ("~join", "b32") => a & 0xffff | (b & 0xffff) << 16,
        ("~byte", _) => a >> (8 * (b & 3)) & 0xff,
        ("~half", _) => a >> (16 * (b & 3)) & 0xffff,
        ("~join4", "b32") => [a, b, c, d].iter().rev().fold(0, |out, part| out << 8 | part & 0xff),
        ("~join4", _) => [a, b, c, d].iter().rev().fold(0, |out, part| out << 16 | part & 0xffff),
        ("~extend", _) => a,
        ("~nonzero", _) => u64::from(a != 0),
        ("~word", _) => a & 1,
        ("~set", "u32") => {
            if a & 1 == 1 {
                word
            } else {
                0
            }
        }
        ("~set", "f32") => {
            if a & 1 == 1 {
                0x3f80_0000
            } else {
                0
            }
        }
        ("~set", "f16") => {
            if a & 1 == 1 {
                0x3c00
            } else {
                0
            }
        }
        ("~set", "bf16") => {
            if a & 1 == 1 {
                0x3f80
            } else {
                0
            }
        }
        _ => return None,
    })
}
