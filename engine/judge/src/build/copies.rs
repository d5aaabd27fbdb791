//! Copies of an array in shared memory that are filled, and that nothing reads in the end.

use crate::build::arguments::parts as arguments;
use crate::build::code::{code, is_part, last_name, numbered_lines, words};

/// What to try.
pub const HINT: &str = "add up all copies before the sum goes to the output";

/// What to try if a copy goes on at another place than it reads from.
pub const OFFSETS: &str = "a part of a buffer begins at the same pixel on both sides: a pixel of `rgb` has 3 bytes, and 3 times the number of the first pixel is where its \
                           part begins";

/// A copy whose two addresses lie at different distances from the beginning, as a fact.
pub fn offsets(source: &str) -> Option<String> {
    numbered_lines(source).find_map(|(number, line)| {
        let list = ["cudaMemcpyAsync(", "cudaMemcpy("].iter().find_map(|call| Some(line.split_once(call)?.1))?;
        let parts = arguments(list);
        let [(to, at), (from, other)] = [parts.first()?, parts.get(1)?].map(|part| part.split_once('+').unwrap_or((part.as_str(), "")));
        let close = |text: &str| text.split_whitespace().collect::<String>();
        let names = |text: &'_ str| words(text).filter(|word| word.parse::<u64>().is_err()).map(str::to_owned).collect::<Vec<_>>();
        // A number of elements of several bytes is another one in bytes.
        let differ = close(at) != close(other) && !names(at).is_empty() && names(at) == names(other);
        let of_bytes = [to, from].iter().all(|name| name.trim().chars().all(is_part)) && parts.len() >= 4;
        (differ && of_bytes).then(|| {
            format!("line {number} copies from `{}` to `{}`: the distances `{}` and `{}` from the beginning differ", parts[1], parts[0], other.trim(), at.trim())
        })
    })
}

/// Lines from which on a loop is not that of an index any more.
const NEAR: usize = 3;

/// The most copies that are looked at.
const MOST: usize = 8;

/// A copy that is updated and that nothing reads, as a fact.
pub fn told(source: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().map(code).collect();
    (0..lines.len()).find_map(|at| {
        let (name, number) = copies(lines[at])?;
        let Copies { set, read, .. } = looked_at(&lines, at, name, number)?;
        let read = read?;
        let forgotten = (0..number).find(|copy| !read[*copy]).filter(|_| read.contains(&true))?;
        let sets = set.and_then(|set| set[forgotten]).map(|line| format!(", which line {line} sets"));
        Some(format!(
            "`{name}` has {number} copies (line {}), and no line reads `{name}[{forgotten}]`{}",
            at + 1,
            sets.unwrap_or_default()
        ))
    })
}

/// The last line that sets copies of this array, and the first copy that none sets.
pub fn unset(source: &str, array: &str) -> Option<(u32, usize)> {
    let lines: Vec<&str> = source.lines().map(code).collect();
    (0..lines.len()).find_map(|at| {
        let (name, number) = copies(lines[at]).filter(|(name, _)| *name == array)?;
        let set = looked_at(&lines, at, name, number)?.set?;
        let line = set.iter().flatten().max()?;
        Some((*line, set.iter().position(Option::is_none)?))
    })
}

/// Which copies are set, by the line, and which are read; `None` where an index may be any.
struct Copies {
    set: Option<Vec<Option<u32>>>,
    read: Option<Vec<bool>>,
}

/// What the function around a declaration does with the copies of its array; `None` if it has an index past the end.
fn looked_at(lines: &[&str], at: usize, name: &str, number: usize) -> Option<Copies> {
    let open = format!("{name}[");
    // The next function has other arrays.
    let rest = &lines[at + 1..];
    let body = &rest[..rest.iter().position(|line| line.starts_with('}')).unwrap_or(rest.len())];
    let mut copies = Copies { set: Some(vec![None; number]), read: Some(vec![false; number]) };
    for (place, text) in body.iter().enumerate() {
        for (copy, used) in uses(text, &open) {
            let range = match copy.trim().parse::<usize>() {
                Ok(copy) => Some(copy..copy + 1),
                Err(_) => looped(copy.trim(), &body[..=place]),
            };
            if range.as_ref().is_some_and(|range| range.end > number) {
                return None;
            }
            let line = (at + 2 + place) as u32;
            match (used, range) {
                (Use::Updated, _) => {}
                (Use::Set, Some(range)) => {
                    let set = copies.set.iter_mut().flat_map(|set| &mut set[range.clone()]);
                    set.for_each(|copy| *copy = copy.or(Some(line)));
                }
                (Use::Read, Some(range)) => {
                    copies.read.iter_mut().for_each(|read| read[range.clone()].fill(true));
                }
                // Any of them is meant.
                (Use::Set, None) => copies.set = None,
                (Use::Read, None) => copies.read = None,
            }
        }
    }
    Some(copies)
}

/// The numbers that a variable has in the loop around the last of these lines: `0..3` of `for (int k = 0; k < 3; ++k)`.
fn looped(variable: &str, lines: &[&str]) -> Option<std::ops::Range<usize>> {
    let head =
        lines.iter().rev().take(NEAR).find_map(|line| line.split_once("for (").map(|(_, head)| head))?;
    let mut parts = head.split(';');
    let (begin, end, step) = (parts.next()?, parts.next()?, parts.next()?);
    let (before, first) = begin.split_once('=')?;
    let own = before.trim_end().ends_with(variable) && !variable.is_empty() && variable.chars().all(is_part);
    let last = end.trim().strip_prefix(variable)?.trim_start().strip_prefix('<')?;
    let by_one = step.contains("++");
    (own && by_one).then(|| Some(first.trim().parse().ok()?..last.trim().parse().ok()?))?
}

/// The array of a few copies that a line declares: its name, and how many.
fn copies(line: &str) -> Option<(&str, usize)> {
    let (_, declared) = line.split_once("__shared__")?;
    let name = array(declared)?;
    let sizes = declared.split_once(&format!("{name}["))?.1;
    let number = sizes.split(']').next()?.trim().parse().ok()?;
    (number <= MOST && sizes.contains("][")).then_some((name, number))
}

/// What a line does with a copy.
enum Use {
    Set,
    Updated,
    Read,
}

/// The uses of an array in a line: which copy, as it stands there, and what for.
fn uses<'a>(line: &'a str, open: &'a str) -> impl Iterator<Item = (&'a str, Use)> {
    let own = move |place: &usize| !line[..*place].ends_with(is_part);
    line.match_indices(open).map(|(place, _)| place).filter(own).filter_map(move |place| {
        let (copy, rest) = line[place + open.len()..].split_once(']')?;
        let stored = rest
            .split_once("] =")
            .is_some_and(|(index, value)| !value.starts_with('=') && !index.contains(['+', '(']));
        if line[..place].trim_end().ends_with("atomicAdd(&") {
            return Some((copy, Use::Updated));
        }
        Some((copy, if stored { Use::Set } else { Use::Read }))
    })
}

/// The name of a declared array.
fn array(declared: &str) -> Option<&str> {
    let before = declared.split('[').next()?.trim_end();
    let name = last_name(before);
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_that_nothing_reads_is_told() {
        let file = |sum: &str| {
            format!(
                "__global__ void k() {{\n  __shared__ uint32_t local[2][256];\n  local[0][t] = 0;\n  local[1][t] = 0;\n  atomicAdd(&local[t & 1][v], 1u);\n  {sum}\n}}\n"
            )
        };
        let told = |sum| told(&file(sum));
        assert_eq!(
            told("const uint32_t n = local[0][t];").as_deref(),
            Some("`local` has 2 copies (line 2), and no line reads `local[1]`, which line 4 sets")
        );
        assert_eq!(told("const uint32_t n = local[0][t] + local[1][t];"), None);
        assert_eq!(told("for (int c = 0; c < 2; c++) n += local[c][t];"), None);
        let said = told("for (int c = 0; c < 1; c++) n += local[c][t];");
        assert!(said.is_some_and(|said| said.contains("no line reads `local[1]`")));
        assert_eq!(told("n += local[c][t];"), None);
    }

    #[test]
    fn a_copy_that_nothing_sets_is_found() {
        let file = |zero: &str| {
            format!(
                "__global__ void k() {{\n  __shared__ uint32_t local[4][256];\n  {zero}\n  n += local[c][t];\n}}\n"
            )
        };
        assert_eq!(unset(&file("local[0][t] = 0;"), "local"), Some((3, 1)));
        assert_eq!(unset(&file("for (int c = 0; c < 4; ++c) local[c][t] = 0;"), "local"), None);
        assert_eq!(unset(&file("local[t / 64][t % 64] = 0;"), "local"), None);
        assert_eq!(unset(&file("local[0][t] = 0;"), "other"), None);
    }
}
