//! Windows that slide by one place in each round of a loop: what enters, what leaves, and what they begin with.

use crate::build::code::{
    code, comparisons, end_of_loop, has, is_outermost, last_name, numbered_lines, places,
};

/// What to try.
pub const HINT: &str = "when a result is stored, the window must reach as far to one side as to the other: what enters is added before, and what \
                        leaves is taken away after the store; before the loop, the window holds all but what the first round adds";

/// What to try if a loop over neighbours does not reach as far to one side as to the other.
pub const SHORT_LOOP: &str = "the pixels at most 2 away on both sides are `d = -2; d <= 2`";

/// A loop from -a up to, but without, a, as a fact.
pub fn short_loop(source: &str) -> Option<String> {
    numbered_lines(source).find_map(|(number, line)| {
        let (_, head) = line.split_once("for (")?;
        let (begin, rest) = head.split_once(';')?;
        let (name, begin) = begin.split_once('=')?;
        let name = name_at_end(name)?;
        let (index, operator, bound) = comparisons(rest).into_iter().next()?;
        let reach = begin.trim().strip_prefix('-')?;
        (index == name && operator == "<" && bound == reach).then(|| {
            format!("the loop of line {number} goes from `-{reach}` to `{reach} - 1`: it reaches less far to one side than to the other")
        })
    })
}

/// What to try if a pointer is not moved on.
pub const MOVE: &str = "move the pointer on in each round, as the loop before it does";

/// A loop that reads from a pointer the same places in each round, where the loop before it moves the pointer, as a fact.
pub fn stands(source: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().map(code).collect();
    let is_loop = |at: &usize| ["for (", "while ("].iter().any(|head| lines[*at].contains(head));
    let ends: Vec<(usize, usize)> =
        (0..lines.len()).filter(is_loop).filter_map(|at| Some((at, end_of_loop(&lines, at)?))).collect();
    let moves = |at: usize, name: &str| {
        places(lines[at], name).any(|place| {
            let (before, after) =
                (lines[at][..place].trim_end(), lines[at][place + name.len()..].trim_start());
            before.ends_with("++") || ["++", "+=", "-=", "= "].iter().any(|how| after.starts_with(how))
        })
    };
    ends.iter().find_map(|(first, last)| {
        let name = (first + 1..=*last).find_map(|at| name_at_end(lines[at].split_once("+=")?.0))?;
        let moved = (first + 1..=*last).find(|at| moves(*at, name))?;
        // `p[-2] + p[2]`: places that no counter is in.
        let reads = |at: usize| {
            let mut all = places(lines[at], name).filter_map(|place| lines[at][place + name.len()..].strip_prefix('[')?.split_once(']')).peekable();
            all.peek().is_some() && all.all(|(index, _)| index.trim_start_matches('-').chars().all(|c| c.is_ascii_digit()))
        };
        let begins_function = |at: &usize| lines[*at].starts_with('}');
        let (head, end) = ends.iter().find(|(head, _)| head > last && !(*last..*head).any(|at| begins_function(&at)))?;
        let read = (*head..=*end).find(|at| reads(*at)).filter(|_| (*first..=*last).any(reads))?;
        (!(*head..=*end).any(|at| moves(at, name))).then(|| {
            format!(
                "line {} reads from `{name}`, and no line of the loop in line {} moves it, as line {} does in the loop before: each round reads the same",
                read + 1,
                head + 1,
                moved + 1
            )
        })
    })
}

/// A loop that passes the same pointer on in each round, where the line right before it has moved the pointer to its first place, as a fact.
pub fn passes(source: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().map(code).collect();
    (0..lines.len()).filter(|at| lines[*at].contains("for (")).find_map(|head| {
        let near = || (0..head).rev().take(3).filter(|at| !lines[*at].trim().is_empty());
        let (moved, name) = near().find_map(|at| {
            let (name, _) = lines[at].trim().split_once(" += ")?;
            (!name.contains(' ')).then_some((at, name))
        })?;
        let pointer = format!("* {name} =");
        lines[..head].iter().rev().take_while(|line| !is_outermost(line)).find(|line| line.contains(&pointer))?;
        let last = end_of_loop(&lines, head)?;
        let inside: String = lines[head + 1..=last].join(" ");
        let mut uses = places(&inside, name).map(|at| (&inside[..at], &inside[at + name.len()..])).peekable();
        uses.peek()?;
        let alone = uses.all(|(before, after)| before.ends_with('(') && after.starts_with(')'));
        let used = (head + 1..=last).find(|at| has(lines[*at], name))?;
        alone.then(|| {
            format!(
                "line {} reads from `{name}`, and no line of the loop in line {} moves it, as line {} does before: each round reads the same",
                used + 1,
                head + 1,
                moved + 1
            )
        })
    })
}

/// A window of a kernel that is not what it should be, as a fact.
pub fn told(source: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().map(code).collect();
    (0..lines.len()).find_map(|head| {
        let (place, begin) = counted(lines[head])?;
        let last = end_of_loop(&lines, head)?;
        let steps = |operator: &str, sign: char| {
            (head + 1..=last).find_map(|at| {
                let (sum, value) = lines[at].split_once(operator)?;
                let distance = offset(value, place, sign)?;
                Some((at, name_at_end(sum)?, distance))
            })
        };
        let (enters, sum, up) = steps("+=", '+')?;
        let (leaves, other, down) = steps("-=", '-')?;
        let store = (head + 1..=last).find(|at| stores(lines[*at], place))?;
        if sum != other || enters == store || leaves == store {
            return None;
        }
        lopsided(place, (enters, up), (leaves, down), store)
            .or_else(|| begins(&lines, head, (begin, sum), (enters, up)))
    })
}

/// A window that reaches farther to one side.
fn lopsided(
    place: &str,
    (enters, up): (usize, u32),
    (leaves, down): (usize, u32),
    store: usize,
) -> Option<String> {
    let ahead = if enters < store { up } else { up.checked_sub(1)? };
    let behind = if leaves < store { down.checked_sub(1)? } else { down };
    let when = |at: usize| if at < store { "before" } else { "after" };
    (ahead != behind).then(|| {
        format!(
            "when line {} stores the result of `{place}`, the window reaches from `{}` to `{}`: line {} adds `{place} + {up}` {} that, and line {} \
             takes `{place} - {down}` away {} it",
            store + 1,
            moved(place, '-', behind),
            moved(place, '+', ahead),
            enters + 1,
            when(enters),
            leaves + 1,
            when(leaves)
        )
    })
}

/// A window that begins with more or less than what its first round expects.
fn begins(
    lines: &[&str],
    head: usize,
    (begin, sum): (&str, &str),
    (enters, up): (usize, u32),
) -> Option<String> {
    let adds = |line: &&str| line.split_once("+=").is_some_and(|(left, _)| name_at_end(left) == Some(sum));
    let mut fills = None;
    for at in (0..head).rev().take_while(|at| !is_outermost(lines[*at])) {
        let Some(last) = end_of_loop(lines, at).filter(|last| *last < head && counted(lines[at]).is_some())
        else {
            continue;
        };
        // The outer one of loops that lie in each other.
        let outer = fills.is_none_or(|(_, inner)| last >= inner);
        if outer && lines[at..=last].iter().any(adds) {
            fills = Some((at, last));
        }
    }
    let (fills, _) = fills?;
    let (_, operator, _) = comparisons(lines[fills]).into_iter().next()?;
    let bound = lines[fills].split(';').nth(1)?.split_once(operator)?.1;
    let limit = if begin == "0" {
        bound.split(|c: char| !c.is_ascii_digit()).find(|word| !word.is_empty())?.parse().ok()?
    } else {
        offset(bound, begin, '+')?
    };
    let limit: u32 = if operator == "<=" { limit + 1 } else { limit };
    let from = |distance: u32| if begin == "0" { distance.to_string() } else { moved(begin, '+', distance) };
    let what = match limit.cmp(&up) {
        std::cmp::Ordering::Less => "is never added",
        std::cmp::Ordering::Greater => "is added twice",
        std::cmp::Ordering::Equal => return None,
    };
    Some(format!(
        "before the loop, line {} begins the window with `{}` as the last, and in the first round line {} adds `{}`: `{}` {what}",
        fills + 1,
        from(limit.checked_sub(1)?),
        enters + 1,
        from(up),
        from(limit.min(up))
    ))
}

/// The variable of a loop that counts up by one, and what it begins with.
fn counted(line: &str) -> Option<(&str, &str)> {
    let (_, head) = line.split_once("for (")?;
    let mut parts = head.split(';');
    let (name, begin) = parts.next()?.split_once('=')?;
    let (name, step) = (name_at_end(name)?, parts.nth(1)?);
    let by_one = [format!("{name}++"), format!("++{name}"), format!("{name} += 1")];
    by_one.iter().any(|by| step.contains(by.as_str())).then(|| (name, begin.trim()))
}

/// The number that is added to or taken from the variable: 2 in `(y + 2) * width`.
fn offset(text: &str, name: &str, sign: char) -> Option<u32> {
    places(text, name).find_map(|at| {
        let rest = text[at + name.len()..].trim_start().strip_prefix(sign)?.trim_start();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        rest[..digits].parse().ok()
    })
}

fn name_at_end(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let name = last_name(text);
    (!name.is_empty()).then_some(name)
}

/// Whether a line stores to an array at this place.
fn stores(line: &str, place: &str) -> bool {
    line.split_once("] =").is_some_and(|(index, value)| !value.starts_with('=') && has(index, place))
}

fn moved(name: &str, sign: char, distance: u32) -> String {
    if distance == 0 { name.to_owned() } else { format!("{name} {sign} {distance}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(limit: &str, enters: &str, before: &str, after: &str) -> String {
        format!(
            "__global__ void k(const int* in, int* out) {{\n  int sum = 0;\n  for (int r = begin - 2; r {limit}; r++) {{\n    for (int c = 0; c < 5; c++) sum += in[r * width + c];\n  }}\n  \
             for (int y = begin; y < end; y++) {{\n    if (y < n) sum += in[({enters}) * width + x];\n    {before}\n    out[y * width + x] = sum / 5;\n    {after}\n  }}\n}}\n"
        )
    }

    #[test]
    fn a_pointer_that_stands_still_in_the_second_loop_is_told() {
        let text = |second: &str| {
            format!(
                "__global__ void k(const uint8_t* in, int* out) {{\n  const uint8_t* p = in + x;\n  for (int k = 0; k < 4; ++k) {{\n    r[k] = p[-1] + p[1];\n    p += width;\n  }}\n  \
                 for (int y = y0; y < y1; ++y) {{\n    for (int k = 0; k < 5; ++k) {{\n      r[k] = p[-1] + p[1];\n      {second}\n      out[y] = r[0];\n    }}\n  }}\n}}\n"
            )
        };
        let said = "line 9 reads from `p`, and no line of the loop in line 7 moves it, as line 5 does in the loop before: each round reads the same";
        assert_eq!(stands(&text("")).as_deref(), Some(said));
        assert_eq!(stands(&text("p += width;")), None);
        assert_eq!(stands(&text("").replace("p[-1] + p[1];\n      ", "p[y * width];\n      ")), None);
    }

    #[test]
    fn a_window_that_is_not_in_the_middle_is_told() {
        let leaves = |row: &str| format!("sum -= in[({row}) * width + x];");
        let right = file("< min(begin + 2, n)", "y + 2", "", &leaves("y - 2"));
        assert_eq!(told(&right), None);
        assert_eq!(told(&file("< begin + 2", "y + 2", &leaves("y - 3"), "")), None);
        for (text, seen) in [
            (
                file("< begin + 3", "y + 3", "", &leaves("y - 2")),
                "line 9 stores the result of `y`, the window reaches from `y - 2` to `y + 3`: line 7",
            ),
            (file("< begin + 2", "y + 2", "", &leaves("y - 3")), "from `y - 3` to `y + 2`"),
            (file("< begin + 2", "y + 2", &leaves("y - 2"), ""), "from `y - 1` to `y + 2`"),
            (
                file("< begin + 1", "y + 2", "", &leaves("y - 2")),
                "line 3 begins the window with `begin` as the last, and in the first round line 7 adds `begin + 2`: `begin + 1` is never added",
            ),
            (file("<= min(begin + 2, n - 1)", "y + 2", "", &leaves("y - 2")), "`begin + 2` is added twice"),
        ] {
            let said = told(&text).unwrap_or_default();
            assert!(said.contains(seen), "{text}\n{said}");
        }
    }
}
