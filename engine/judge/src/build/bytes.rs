//! Pixels that are taken out of words of several bytes: shifts by other amounts than whole bytes, a byte that is left out, a byte of another
//! word, a word that is taken twice, and shifts by more bits than a word has.

use super::arguments::launches;
use super::block::body;
use super::code::{closing, is_part, last_name};
use super::expression::{Expression, parsed};
use super::guards::assignments;
use super::walk::{Thread, Way};

/// What to try if a shift is not one by whole bytes.
pub const BITS: &str = "a byte has 8 bits: byte k of a word is `word >> (8 * k) & 255`";
/// What to try if not all bytes are taken.
pub const ALL: &str = "a word has four bytes, at the bits 0, 8, 16 and 24: let the loop take all of them";
/// What to try if word and byte do not belong together.
pub const BOTH: &str =
    "byte n of an array of words is byte `n % 4` of the word `n / 4`: both have the same n";
/// What to try if a part of a vector is taken twice.
pub const PARTS: &str = "a vector of four has the parts `x`, `y`, `z` and `w`: take each of them once";

/// What to try if bytes are put into a word at other bits than their own.
pub const PACKED: &str = "a byte has 8 bits: byte k goes into a word by `word |= byte << (8 * k)`";
/// What to try if a shift goes on past the end of a word.
pub const BEYOND: &str = "with four bytes in each word, byte k lies in the word `k / 4`, at the bits from `8 * (k % 4)` on: shift by 0, 8, 16 or 24";
/// What to try if vectors are listed in another order than they have in memory.
pub const ORDER: &str =
    "list the words in the order of their addresses: word n of the array then has the bytes from 4 * n on";

/// Parts of a vector.
const NAMES: [&str; 4] = ["x", "y", "z", "w"];

/// What is wrong with how a kernel of `task` takes words apart, as a fact, and what to try. `lost`: counts are missing.
pub fn told(text: &str, task: &str, lost: bool) -> Option<(String, &'static str)> {
    launches(text, task).iter().find_map(|launch| {
        body(text, launch.kernel).into_iter().find_map(|(line, source)| {
            let pair = || Some((other_byte(source).map(|told| format!("line {line} {told}"))?, BOTH));
            let parts = || Some((same_part(source).map(|told| format!("line {line} {told}"))?, PARTS));
            let order = || {
                Some((order(text, launch.kernel, source).map(|told| format!("line {line} {told}"))?, ORDER))
            };
            let packed = || packed(text, task, line, source);
            let beyond = || Some((beyond(text, task, line, source)?, BEYOND));
            parts()
                .or_else(order)
                .or_else(pair)
                .or_else(beyond)
                .or_else(|| shifts(text, task, line, source, lost))
                .or_else(packed)
        })
    })
}

/// A list of the parts of several vectors, of which a later one lies before an earlier one in memory.
fn order(text: &str, kernel: &str, source: &str) -> Option<String> {
    let (_, list) = source.split_once('{')?;
    let names: Vec<&str> = list
        .split_once('}')?
        .0
        .split(',')
        .map(|one| Some(one.trim().split_once('.').filter(|(_, part)| NAMES.contains(part))?.0))
        .collect::<Option<_>>()?;
    let lines = body(text, kernel);
    let given = assignments(&lines);
    // All variables of an index may have any value: the vectors are compared for one.
    let place = |name: &str| {
        let mut own = given.iter().filter(|(known, _)| *known == name);
        let (Some((_, from)), None) = (own.next(), own.next()) else { return None };
        let (array, index) = from.trim().strip_suffix(']')?.split_once('[')?;
        let number = parsed(index)?.value(&|_| Some(1))?;
        array.chars().all(is_part).then_some((array, number, from.trim()))
    };
    let vectors: Vec<_> =
        names.chunks_exact(4).map(|four| Some((four[0], place(four[0])?))).collect::<Option<_>>()?;
    let alike =
        names.len().is_multiple_of(4) && names.chunks(4).all(|four| four.iter().all(|name| *name == four[0]));
    let both = vectors.windows(2).find(|both| both[0].1.1 > both[1].1.1 && both[0].1.0 == both[1].1.0)?;
    let [(first, (.., from)), (second, (.., other))] = both else { return None };
    alike.then(|| {
        format!("lists the words of `{first}`, which are `{from}`, before those of `{second}`, `{other}`")
    })
}

/// A byte that goes into a word at its own number in place of eight times it, or four.
fn packed(text: &str, task: &str, line: u32, source: &str) -> Option<(String, &'static str)> {
    let (_, value) = source.split_once("|=")?;
    let (byte, behind) = value.split_once("<<")?;
    let is_value = |c: char| is_part(c) || ['[', ']', '.', ' '].contains(&c);
    let amount = behind.split(';').next()?.trim();
    if !byte.trim().starts_with(char::is_alphabetic) || !byte.chars().all(is_value) {
        return None;
    }
    let amount = parsed(amount)?;
    let way = Way::to(text, task, line, source.find("<<")?)?;
    let mut over = way.loops().filter(|of| way.depends(&amount, &|name| name == of.name));
    let (of, None) = (over.next()?, over.next()) else { return None };
    let all = amounts(&way, of, &amount)?;
    let &[0, by, second, third] = all.as_slice() else { return None };
    ([1, 4].contains(&by) && [second, third] == [2 * by, 3 * by]).then(|| {
        let told = format!(
            "line {line} shifts by 0, {by}, {second} and {third} bits, in the loop of line {}",
            of.line
        );
        (told, PACKED)
    })
}

/// Bits of the words that are shifted here. Other widths are left alone.
const WORD: i64 = 32;

/// A shift by as many bits as a word has, or more, in some round of a loop.
fn beyond(text: &str, task: &str, line: u32, source: &str) -> Option<String> {
    let kernel = super::code::kernel_to(line, text)?;
    let wide = |source: &str| ["64_t", "long", "size_t"].iter().any(|wide| source.contains(wide));
    if kernel.iter().any(|(_, source)| wide(source)) {
        return None;
    }
    ["<<", ">>"].into_iter().flat_map(|shift| source.match_indices(shift)).find_map(|(at, shift)| {
        let sign = &shift[..1];
        let behind = source[at + 2..].trim_start();
        if source[..at].ends_with(sign) || behind.starts_with(sign) {
            return None;
        }
        let behind = behind.strip_prefix('=').unwrap_or(behind);
        let mut depth = 0;
        let ends = |c: char| {
            depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
            depth < 0 || depth == 0 && "&|^;,?:<>=".contains(c)
        };
        let amount = parsed(&behind[..behind.find(ends)?])?;
        let way = Way::to(text, task, line, at)?;
        let mut over = way.loops().filter(|of| way.depends(&amount, &|name| name == of.name));
        let (of, None) = (over.next()?, over.next()) else { return None };
        // A condition may keep the shift from rounds in which it goes too far.
        if way.guards().next().is_some() || !way.is_known() {
            return None;
        }
        let most = amounts(&way, of, &amount)?.into_iter().max().filter(|most| *most >= WORD)?;
        Some(format!(
            "line {line} shifts a word of {WORD} bits by up to {most} bits, in the loop of line {}: from {WORD} on, the result is not defined",
            of.line
        ))
    })
}

/// A list of the four parts of a vector, one of which is there twice: `{v.x, v.y, v.z, v.z}`.
fn same_part(source: &str) -> Option<String> {
    let (_, list) = source.split_once('{')?;
    let all: Vec<(&str, &str)> =
        list.split_once('}')?.0.split(',').map(|one| one.trim().split_once('.')).collect::<Option<_>>()?;
    all.chunks_exact(4).find_map(|four| {
        let name = four[0].0;
        let of_one = four.iter().all(|(of, part)| *of == name && NAMES.contains(part));
        let missing = NAMES.into_iter().find(|part| !four.iter().any(|(_, own)| own == part))?;
        let twice = NAMES.into_iter().find(|part| four.iter().filter(|(_, own)| own == part).count() > 1)?;
        (of_one && name.chars().all(is_part))
            .then(|| format!("takes `{name}.{twice}` twice, and `{name}.{missing}` never"))
    })
}

/// A byte of another word than its own: `words[(n + 1) / 4] >> (8 * (n % 4))`.
fn other_byte(source: &str) -> Option<String> {
    source.match_indices(">>").find_map(|(at, _)| {
        let word = source[..at].trim_end().strip_suffix(']')?;
        let open = word.rfind('[')?;
        let bare = |text: &str| -> Option<String> {
            let text = text.trim();
            let inner = text.strip_prefix('(').filter(|inner| closing(inner) == Some(inner.len() - 1));
            Some(inner.map_or(text, |inner| &inner[..inner.len() - 1]).trim().to_owned())
        };
        let index = word[open + 1..].trim();
        let amount = source[at + 2..].trim_start().strip_prefix('(')?;
        let of = bare(amount[..closing(amount)?].split_once('*')?.1)?;
        let close = |text: &str| text.split_whitespace().collect::<String>();
        let same = close(&bare(index.strip_suffix('4')?.trim_end().strip_suffix('/')?)?)
            == close(&bare(of.strip_suffix('4')?.trim_end().strip_suffix('%')?)?);
        (!same).then(|| {
            format!(
                "takes byte `{of}` of the word `{}[{index}]`: these are the byte of one number and the word of another",
                last_name(&word[..open])
            )
        })
    })
}

/// A shift before a mask of one byte, over the rounds of the loop that it depends on.
fn shifts(text: &str, task: &str, line: u32, source: &str, lost: bool) -> Option<(String, &'static str)> {
    source.match_indices(">>").find_map(|(at, _)| {
        let behind = source[at + 2..].trim_start();
        let (amount, rest) = match behind.strip_prefix('(') {
            Some(inner) => inner.split_at(closing(inner)?),
            None => behind.split_at(behind.find(|c: char| !is_part(c))?),
        };
        let rest = rest.trim_start_matches([')', ' ']).strip_prefix('&')?.trim_start();
        let mask = ["255", "0xff", "0xFF"].into_iter().find_map(|mask| rest.strip_prefix(mask))?;
        if mask.starts_with(|c: char| c.is_ascii_hexdigit()) {
            return None;
        }
        let amount = parsed(amount)?;
        let way = Way::to(text, task, line, at)?;
        let mut over = way.loops().filter(|of| way.depends(&amount, &|name| name == of.name));
        let (of, None) = (over.next()?, over.next()) else { return None };
        let mut all = amounts(&way, of, &amount)?;
        let shown: Vec<String> = all.iter().map(i64::to_string).collect();
        let shown = match shown.as_slice() {
            [some @ .., last] if !some.is_empty() => format!("{} and {last}", some.join(", ")),
            _ => shown.concat(),
        };
        if all.iter().any(|bits| bits % 8 != 0) {
            return Some((format!("line {line} shifts by {shown} bits, in the loop of line {}", of.line), BITS));
        }
        all.sort_unstable();
        (lost && all == [0, 8, 16]).then(|| {
            (format!("line {line} shifts by {shown} bits, in the loop of line {}, and leaves out those from 24 on", of.line), ALL)
        })
    })
}

/// The values of an expression over the rounds of a loop, each once.
fn amounts(way: &Way<'_>, of: &super::walk::Loop, amount: &Expression) -> Option<Vec<i64>> {
    let mut all = Vec::new();
    for round in way.counted(of, &Thread::default(), &[])? {
        let bits = way.value(amount, &Thread::default(), &[(of.name.clone(), round)])?;
        if !all.contains(&bits) {
            all.push(bits);
        }
    }
    (!all.is_empty()).then_some(all)
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_that_are_taken_apart_wrongly_are_told() {
        let right = "const uint32_t words[4] = {v.x, v.y, v.z, v.w};";
        let byte = "atomicAdd(&counts[(words[w] >> (8 * b)) & 255], 1);";
        for (words, rounds, byte, lost, said) in [
            (right, 4, byte, true, None),
            (
                right,
                4,
                "atomicAdd(&counts[(words[w] >> b) & 255], 1);",
                false,
                Some("line 4 shifts by 0, 1, 2 and 3 bits, in the loop of line 3"),
            ),
            (right, 3, byte, true, Some("and leaves out those from 24 on")),
            (right, 3, byte, false, None),
            (
                "const uint32_t words[4] = {v.x, v.y, v.z, v.z};",
                4,
                byte,
                false,
                Some("line 2 takes `v.z` twice, and `v.w` never"),
            ),
            (
                right,
                4,
                "f((words[(b + 1) / 4] >> (8 * (b % 4))) & 255);",
                false,
                Some("line 4 takes byte `b % 4` of the word `words[(b + 1) / 4]`"),
            ),
            (right, 4, "f((words[(b + 1) / 4] >> (8 * ((b + 1) % 4))) & 255);", false, None),
            (right, 4, "f(words[w] >> s & 0xff);", true, None),
            (right, 4, "out[0] |= level << (8 * (b % 4));", false, None),
            (right, 4, "out[0] |= 1 << b;", false, None),
            (
                right,
                4,
                "out[0] |= level << (b % 4);",
                false,
                Some("line 4 shifts by 0, 1, 2 and 3 bits, in the loop of line 3"),
            ),
            (
                right,
                16,
                "out[b / 4] |= level << 8 * b;",
                false,
                Some("line 4 shifts a word of 32 bits by up to 120 bits, in the loop of line 3"),
            ),
            (right, 16, "f(words[b / 4] >> 8 * b & 0xff);", false, Some("by up to 120 bits")),
            (right, 16, "out[b / 4] |= level << 8 * (b % 4);", false, None),
            (right, 16, "sum += uint64_t(level) << 4 * (b % 12);", false, None),
            (right, 40, "if (b < 32) f(1u << b);", false, None),
            (
                "uint4 v = a[2 * n]; uint4 u = a[2 * n + 1]; uint32_t words[8] = {v.x, v.y, v.z, v.w, u.x, u.y, u.z, u.w};",
                4,
                byte,
                false,
                None,
            ),
            (
                "uint4 v = a[2 * n + 1]; uint4 u = a[2 * n]; uint32_t words[8] = {v.x, v.y, v.z, v.w, u.x, u.y, u.z, u.w};",
                4,
                byte,
                false,
                Some(
                    "line 2 lists the words of `v`, which are `a[2 * n + 1]`, before those of `u`, `a[2 * n]`",
                ),
            ),
        ] {
            let text = format!(
                "__global__ void k(int n) {{\n    {words}\n    for (int b = 0; b < {rounds}; b++)\n        {byte}\n}}\nvoid f(int n) {{\n    k<<<n, 32>>>(n);\n}}\n"
            );
            let told = super::told(&text, "f", lost).map(|(told, _)| told);
            assert_eq!(told.is_some(), said.is_some(), "{words} {byte}: {told:?}");
            assert!(
                said.is_none_or(|said| told.as_ref().is_some_and(|told| told.contains(said))),
                "{told:?}"
            );
        }
    }
}
