//! Slips in statements and loops.

use super::{BRACES, DISTANCES, EVERY, FROM_ZERO, OLDEST, Slip};
use crate::build::code::{closing, code, comparisons, end_of_loop, has, is_part, last_name, places};

/// 255 divided by a difference of integers, as an argument or a factor.
pub(super) fn scale(line: &str, lines: &[&str]) -> Option<String> {
    let at = places(line, "255").find(|at| line[at + 3..].starts_with(" / ("))?;
    let before = line[..at].trim_end();
    let inside = &line[at + " / (".len() + 3..];
    let end = closing(inside)?;
    let (one, other) = inside[..end].split_once(" - ")?;
    let after = inside[end + 1..].trim_start();
    let alone = before.ends_with(['(', ',']) && after.starts_with([')', ','])
        || before.ends_with('=') && after.starts_with([';', '*'])
        || before.ends_with('*')
        || after.starts_with('*') && before.ends_with(['=', '(', ',']);
    let is_integer = |name: &str| {
        let name = name.rsplit('.').next().unwrap_or(name);
        let declares = |kind: &str| {
            lines.iter().any(|line| {
                let mut declared = line.split([';', '(', '{']).filter_map(|part| part.split_once(kind));
                declared.any(|(before, list)| {
                    !before.ends_with(is_part)
                        && list
                            .split(',')
                            .any(|one| one.split('=').next().is_some_and(|own| own.trim() == name))
                })
            })
        };
        let integer =
            ["int ", "unsigned ", "uint32_t ", "uint8_t ", "const int "].iter().any(|kind| declares(kind));
        !name.is_empty()
            && name.chars().all(is_part)
            && integer
            && !declares("float ")
            && !declares("double ")
    };
    (alone && is_integer(one.trim()) && is_integer(other.trim()))
        .then(|| format!("divides integers, `255 / ({})`", &inside[..end]))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Two statements that are indented alike below an `if` or a loop without braces.
pub(super) fn unbraced(lines: &[&str]) -> Option<Slip> {
    let next = |from: usize| (from + 1..lines.len()).find(|at| !lines[*at].trim().is_empty());
    let heads = ["if (", "for (", "while ("];
    (0..lines.len()).find_map(|head| {
        let text = lines[head].trim();
        let word = heads.into_iter().find(|word| text.starts_with(word))?;
        let (_, list) = text.split_once('(')?;
        (closing(list)? + 1 == list.len()).then_some(())?;
        let inside = next(head)?;
        let outside = next(inside)?;
        let statement = |at: usize| {
            let text = lines[at].trim();
            let own = heads.iter().chain(&["else", "case ", "do ", "}"]).any(|word| text.starts_with(word));
            text.ends_with(';') && !own && indent(lines[at]) > indent(lines[head])
        };
        let alike = indent(lines[inside]) == indent(lines[outside]);
        (statement(inside) && statement(outside) && alike).then(|| {
            let word = word.trim_end_matches(" (");
            let [line, inside, outside] = [head, inside, outside].map(|at| at as u32 + 1);
            let told = format!("the `{word}` of line {line} has no braces: only line {inside} belongs to it, and line {outside} does not");
            (line, told, BRACES)
        })
    })
}

/// A statement that compares and does nothing with the result; not the end of one that began before.
pub(super) fn compared(line: &str, before: &[&str]) -> Option<String> {
    let (left, right) = line.trim().strip_suffix(';')?.split_once("==")?;
    let is_place = |c: char| is_part(c) || "[].->+* ".contains(c);
    let begins = before
        .iter()
        .rev()
        .find(|line| !line.trim().is_empty())
        .is_none_or(|line| line.trim_end().ends_with([';', '{', '}', ')']));
    let plain = left.starts_with(char::is_alphabetic) && left.chars().all(is_place) && !has(left, "return");
    (begins && plain && !right.contains(['=', '?']))
        .then(|| format!("compares, `{}`, and sets nothing", line.trim()))
}

/// The two sides of `a = b;`, both a name or an element.
fn copy(line: &str) -> Option<(&str, &str)> {
    let (to, from) = line.trim().strip_suffix(';')?.split_once(" = ")?;
    let is_place = |text: &str| {
        text.starts_with(char::is_alphabetic) && text.chars().all(|c| is_part(c) || "[]+- ".contains(c)) && {
            let outside: String = text.split(['[', ']']).step_by(2).collect();
            outside.chars().all(is_part)
        }
    };
    (is_place(to) && is_place(from)).then_some((to, from))
}

/// Values that go on from place to place, the newest first, so that all get the same.
pub(super) fn moved(lines: &[&str]) -> Option<Slip> {
    let chain = (1..).zip(lines.windows(3)).find_map(|(number, three)| {
        let copies: Vec<_> = three.iter().map(|line| copy(line)).collect::<Option<_>>()?;
        let [(first, _), (second, given), (_, passed)] = copies.as_slice() else { return None };
        (given == first && passed == second).then(|| {
            let told = format!(
                "line {number} sets `{first}`, and lines {} and {} pass its new value on to `{second}` and further: all get the same",
                number + 1,
                number + 2
            );
            (number, told, OLDEST)
        })
    });
    let looped = || {
        (1..).zip(lines).find_map(|(number, line)| {
            let (_, head) = line.split_once("for (")?;
            let (head, behind) = head.split_at(closing(head)?);
            let (_, step) = head.rsplit_once(';')?;
            let name = step.trim().trim_matches(['+', '-', ' ']);
            let (down, up) = (step.contains("--"), step.contains("++"));
            let inside = behind.trim_start_matches([')', ' ', '{']);
            let inside = if inside.trim().is_empty() { lines.get(number as usize)?.trim() } else { inside };
            let (to, from) = copy(inside)?;
            let (array, own) = to.strip_suffix(']')?.split_once('[')?;
            let other = from.strip_suffix(']')?.strip_prefix(array)?.strip_prefix('[')?;
            let close: String = other.split_whitespace().collect();
            let wrong = down && close == format!("{name}+1") || up && close == format!("{name}-1");
            (wrong && own == name && (down || up)).then(|| {
                let told = format!(
                    "the loop of line {number} copies `{from}` to `{to}`, and the round before has just changed `{from}`: all get the same"
                );
                (number, told, OLDEST)
            })
        })
    };
    chain.or_else(looped)
}

/// A loop that adds the same in each of its rounds: nothing in it changes.
pub(super) fn same_in_each_round(lines: &[&str]) -> Option<Slip> {
    (0..lines.len()).find_map(|at| {
        let name = counter(lines[at])?;
        let last = end_of_loop(lines, at)?;
        let (_, list) = lines[at].split_once("for (")?;
        let behind = list.get(closing(list)? + 1..)?;
        let body: Vec<&str> = std::iter::once(behind).chain(lines[at + 1..=last].iter().copied()).collect();
        let statements: Vec<&str> =
            body.iter().map(|line| line.trim().trim_matches(['{', '}', ' '])).filter(|line| !line.is_empty()).collect();
        let [statement] = statements.as_slice() else { return None };
        let adds = statement.split_once(" += ").map(|(to, added)| (to, added.strip_suffix(';')));
        let counts = || {
            let list = statement.strip_prefix("atomicAdd(&")?;
            list.split_once(", 1").map(|(counter, _)| ("", Some(counter)))
        };
        let (to, read) = adds.or_else(counts)?;
        let read = read?;
        let changes = ["++", "--", ">>=", "<<="].iter().any(|change| statement.contains(change));
        let own = !to.is_empty() && to.chars().all(is_part) && has(read, to);
        let single = read.contains('[') && !read.contains('?') && !read.contains("= ");
        (single && !changes && !own && !has(statement, name)).then(|| {
            let told = format!(
                "the loop of line {} counts `{name}`, and nothing in it depends on `{name}`: each round adds the same, `{}`",
                at + 1,
                statement.trim()
            );
            (at as u32 + 1, told, EVERY)
        })
    })
}

/// A loop over distances to both sides that nothing in it uses.
pub(super) fn unused_distance(lines: &[&str]) -> Option<Slip> {
    (0..lines.len()).find_map(|at| {
        let name = counter(lines[at]).filter(|name| lines[at].contains(&format!("{name} = -")))?;
        let last = end_of_loop(lines, at).filter(|last| *last > at)?;
        let inside = lines[at + 1..=last].join(" ");
        (!has(&inside, name) && inside.contains("+=") && inside.contains("for (")).then(|| {
            let told =
                format!("the loop of line {} goes over `{name}`, and no line in it uses `{name}`", at + 1);
            (at as u32 + 1, told, DISTANCES)
        })
    })
}

/// A divisor that is added up from another number than 0.
pub(super) fn begins_high(lines: &[&str]) -> Option<Slip> {
    lines.iter().enumerate().find_map(|(at, line)| {
        let declared = line.trim().strip_prefix("int ")?.strip_suffix(';')?;
        let one = declared.split(", ").find_map(|one| one.strip_suffix(" = 1"))?;
        let behind: Vec<&str> =
            lines[at + 1..].iter().copied().take_while(|line| !line.starts_with('}')).collect();
        let adds = behind.iter().any(|line| line.contains(&format!("{one} += ")));
        let divides = behind.iter().any(|line| line.contains(&format!("/ {one};")));
        let beside = declared.contains(" = 0");
        (adds && divides && beside && one.chars().all(is_part)).then(|| {
            let line = at as u32 + 1;
            (
                line,
                format!("line {line} lets `{one}` begin with 1, and later lines add to it and divide by it"),
                FROM_ZERO,
            )
        })
    })
}

/// The counter of a loop.
pub(super) fn counter(line: &str) -> Option<&str> {
    let (_, head) = line.split_once("for (")?;
    let (first, _) = head.split_once(';')?;
    Some(last_name(first.split_once('=')?.0.trim_end())).filter(|name| !name.is_empty())
}

/// A product with the quotient of 1 and an integer.
pub(super) fn inverse(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("* (1 / ")?;
    let name = rest.split(')').next()?;
    (!name.is_empty() && name.chars().all(is_part))
        .then(|| format!("multiplies by `1 / {name}`, which is 0 for integers above 1"))
}

/// A quotient by the first of two names, from which the second one is then taken: `a * (v - low) / high - low`.
pub(super) fn difference(line: &str) -> Option<String> {
    line.match_indices(" / ").find_map(|(at, _)| {
        let (high, rest) = line[at + " / ".len()..].split_once(" - ")?;
        let is_place = |c: char| is_part(c) || c == '.';
        let low = &rest[..rest.find(|c: char| !is_place(c)).unwrap_or(rest.len())];
        let taken = line[..at].contains(&format!("- {low})"));
        let names = [high, low]
            .iter()
            .all(|name| name.starts_with(char::is_alphabetic) && name.chars().all(is_place));
        (names && taken).then(|| format!("divides by `{high}` alone, and takes `{low}` from the quotient"))
    })
}

/// A variable that a loop has moved past its bound, and that a later line takes for the number of the thread, as a fact.
pub fn moved_index(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(code).collect();
    (0..lines.len()).find_map(|at| {
        let head = lines[at].trim().strip_prefix("while (")?;
        let (name, _, bound) = comparisons(head).into_iter().find(|(_, operator, _)| *operator == "<")?;
        let last = end_of_loop(&lines, at)?;
        let moves = lines[at..=last].iter().any(|line| line.contains(&format!("{name} += ")));
        let later = (last + 1..lines.len()).take_while(|at| !lines[*at].starts_with('}'));
        let uses = |at: &usize| {
            let line = lines[*at];
            let (sets, from) = line.split_once('=').unwrap_or(("", ""));
            let own = has(from, name) && !sets.ends_with(['<', '>', '!', '+']) && !from.starts_with('=');
            let tested = has(line, "if") && comparisons(line).iter().any(|(left, ..)| *left == name);
            (own || tested || line.contains(&format!("({name} == 0"))) && !has(line, "for") && !has(line, "while")
        };
        let mut later = later.peekable();
        // What gives it another value first makes it another number.
        let line = later.find(uses).filter(|_| moves && name.chars().all(is_part))?;
        Some(format!(
            "the loop of line {} moves `{name}` on until it is at least `{bound}`: in line {}, behind it, `{name}` is no longer the number of the thread",
            at + 1,
            line + 1
        ))
    })
}

/// What to try if an index was moved.
pub const KEEP: &str =
    "keep the number of the thread in a variable of its own, and let the loop count with another one";
