//! Slips in bytes that are put into words or taken out of them, and in lanes and groups.

use super::statements::counter;
use super::{BITS, MASK, PACK, REST, Slip, WORDS};
use crate::build::code::{closing, comparisons, end_of_loop, has, is_part, last_name, leading_number};
use crate::build::expression::parsed;
use crate::build::launches::arguments;

/// A word that is itself shifted by eight times the counter in each round.
pub(super) fn adds_up(line: &str, before: &[&str]) -> Option<String> {
    let (word, amount) = line.trim().strip_suffix(';')?.split_once(" >>= ")?;
    let close: String = amount.chars().filter(|c| !c.is_whitespace() && !"()".contains(*c)).collect();
    let name = close.strip_prefix("8*").or_else(|| close.strip_suffix("*8"))?;
    let looped = before.iter().rev().take(3).any(|line| counter(line) == Some(name));
    (looped && word.chars().all(is_part)).then(|| {
        format!(
            "shifts `{word}` itself by `{amount}` in each round, and the shifts add up: 0, 8, 24 and 48 bits"
        )
    })
}

/// The value of the lane beside, by the name of what gets it, which is taken from farther away.
pub(super) fn neighbour(line: &str) -> Option<String> {
    let (to, call) =
        ["__shfl_down_sync(", "__shfl_up_sync("].into_iter().find_map(|call| line.split_once(call))?;
    let name = last_name(to.trim_end().strip_suffix('=')?.trim_end().split('[').next()?);
    let list = arguments(&call[..closing(call)?]);
    let far: u32 = list.get(2)?.parse().ok().filter(|far| *far > 1)?;
    let beside = ["left", "right", "next", "previous", "after", "before"].contains(&name);
    beside.then(|| format!("takes `{name}` from the lane {far} away, not from the one beside"))
}

/// The loop over four bytes right before a line, by its counter.
fn over_bytes<'a>(before: &[&'a str]) -> Option<&'a str> {
    before.iter().rev().take(2).find_map(|line| {
        let name = counter(line)?;
        comparisons(line)
            .iter()
            .any(|(left, operator, bound)| *left == name && *operator == "<" && *bound == "4")
            .then_some(name)
    })
}

/// A byte that is taken out of a word of an array or a word by other bits or another mask than those of a byte.
pub(super) fn taken(line: &str) -> Option<(String, &'static str)> {
    let (before, behind) = line.split_once(">> (")?;
    let end = closing(behind)?;
    let (amount, rest) = (behind[..end].trim(), behind[end + 1..].trim_start_matches([')', ' ']));
    let mask = leading_number(rest.strip_prefix('&')?.trim_start())?;
    let eight = amount.strip_prefix('8').and_then(|rest| rest.trim_start().strip_prefix('*')).map(str::trim);
    // `% 4` counts bytes, and bits go in steps of 8.
    if mask == 255
        && amount.ends_with("% 4")
        && !amount.contains('*')
        && amount.split_once('%').is_some_and(|(name, _)| name.trim().chars().all(is_part))
    {
        return Some((format!("shifts by `{amount}`, which is 0 to 3 bits"), BITS));
    }
    let inner = eight?;
    if mask == 127 {
        return Some(("takes only the lower 7 of the 8 bits of a byte: `& 127`".to_owned(), MASK));
    }
    let of = inner.strip_prefix('(')?.strip_suffix("% 4)").map(str::trim).filter(|_| mask == 255)?;
    let word = before.trim_end().strip_suffix(']')?.rsplit_once('[')?.1;
    let (name, by) = word.split_once('/')?;
    let by: u32 = by.trim().parse().ok().filter(|by| *by != 4)?;
    (name.trim() == of && of.chars().all(is_part))
        .then(|| (format!("takes word `{of} / {by}` and byte `{of} % 4`: a word has four bytes"), WORDS))
}

/// Bytes that are all put at the same place of a word, or not at whole bytes, in a loop over four.
pub(super) fn packed(line: &str, before: &[&str]) -> Option<(String, &'static str)> {
    let head = [line];
    let name = over_bytes(before).or_else(|| over_bytes(&head))?;
    let (word, value) = line.split_once("|=")?;
    let word = last_name(word.trim_end());
    let value = value.split(';').next()?;
    let zero = format!("{word} = 0");
    let is_word = before.iter().rev().take(4).any(|line| line.contains("uint32_t") && line.contains(&zero));
    if !is_word || !has(value, name) || word.is_empty() {
        return None;
    }
    let Some((_, amount)) = value.rsplit_once("<<") else {
        return Some((
            format!(
                "joins byte `{name}` to `{word}` without a shift, so that all four lie in its lowest byte"
            ),
            PACK,
        ));
    };
    let amount = parsed(amount.trim())?;
    let bits: Vec<i64> =
        (0..4).map(|k| amount.value(&|other| (other == name).then_some(k))).collect::<Option<_>>()?;
    let [0, by, second, third] = bits[..] else { return None };
    ([1, 2, 4, 16].contains(&by) && [second, third] == [2 * by, 3 * by])
        .then(|| (format!("shifts byte `{name}` by 0, {by}, {second} and {third} bits"), BITS))
}

/// A byte that is put at another place of a word than it was taken from, beside one that keeps its place.
pub(super) fn other_place(lines: &[&str]) -> Option<Slip> {
    let shifts = |line: &str| {
        let (_, value) = line.split_once("|=")?;
        let number = |text: &str| leading_number(text.trim_start());
        let (before, behind) = value.rsplit_once("<<")?;
        let (_, taken) = before.rsplit_once(">>")?;
        (before.matches(">>").count() == 1).then_some((number(taken)?, number(behind)?))
    };
    (0..lines.len()).find_map(|at| {
        let (from, to) = shifts(lines[at]).filter(|(from, to)| from != to)?;
        let beside =
            [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| shifts(lines.get(at)?));
        let keeps = beside.into_iter().any(|(from, other)| from == other && other == to);
        keeps.then(|| {
            let told = format!(
                "line {} takes the byte at bit {from}, and puts it at bit {to}, where another byte lies",
                at + 1
            );
            (at as u32 + 1, told, BITS)
        })
    })
}

/// A funnel shift by the bytes that an address is past a word.
pub(super) fn funnel(line: &str, before: &[&str]) -> Option<String> {
    let (_, list) = line.split_once("__funnelshift_r(")?;
    let list = arguments(&list[..closing(list)?]);
    let amount = list.get(2)?;
    let given = before.iter().rev().find_map(|line| {
        let (name, from) = line.split_once(" = ")?;
        (last_name(name) == amount).then(|| from.split(';').next().unwrap_or_default().trim())
    });
    let from = given.unwrap_or(amount);
    let of_bytes = from.ends_with("% 4") || from.ends_with("& 3") || from == "start" || from == "offset";
    (of_bytes && !from.contains('8') && !from.contains("<<"))
        .then(|| format!("shifts by `{from}`, the bytes that an address is past a word, in place of bits"))
}

/// Threads behind those that take whole groups, which begin at their own number in place of that among them.
pub(super) fn rest(lines: &[&str]) -> Option<Slip> {
    (0..lines.len()).find_map(|at| {
        let head = lines[at].trim().strip_prefix("if (")?;
        let (thread, _, groups) = comparisons(head).into_iter().find(|(_, operator, _)| *operator == "<")?;
        let last = end_of_loop(lines, at).filter(|last| *last > at + 1)?;
        let leaves = lines[last - 1].trim() == "return;";
        let close = |at: usize| lines[at].split_whitespace().collect::<String>();
        let wrong = format!("*{groups}+{thread};");
        let used = (last + 1..lines.len()).take_while(|at| !lines[*at].starts_with('}')).find(|at| close(*at).ends_with(&wrong))?;
        leaves.then(|| {
            let used = used as u32 + 1;
            let told = format!(
                "only threads from `{groups}` on come to line {used}, as the others have returned in line {last}: the first of them begins `{groups}` elements \
                 too late"
            );
            (used, told, REST)
        })
    })
}
