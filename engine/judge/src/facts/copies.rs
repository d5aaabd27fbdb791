//! Copies of an array in shared memory that are filled, and that nothing reads in the end.

use crate::build::code::{code, is_part};

/// What to try.
pub const HINT: &str = "add up all copies before the sum goes to the output";

/// The most copies that are looked at.
const MOST: usize = 8;

/// A copy that is set and updated but never read, as a fact.
pub fn told(source: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().map(code).collect();
    (0..lines.len()).find_map(|at| {
        let (name, number) = copies(lines[at])?;
        let open = format!("{name}[");
        // The next function has other arrays.
        let rest = &lines[at + 1..];
        let body = &rest[..rest.iter().position(|line| line.starts_with('}')).unwrap_or(rest.len())];
        let (mut set, mut read) = (vec![None; number], vec![false; number]);
        for (line, text) in (at + 2..).zip(body) {
            for (copy, used) in uses(text, &open) {
                match (copy.trim().parse::<usize>(), used) {
                    (Ok(copy), _) if copy >= number => return None,
                    (Ok(copy), Use::Set) => set[copy] = set[copy].or(Some(line)),
                    (Ok(copy), Use::Read) => read[copy] = true,
                    (_, Use::Updated) => {}
                    // Any of them is meant.
                    (Err(_), _) => return None,
                }
            }
        }
        let forgotten = (0..number).find(|copy| set[*copy].is_some() && !read[*copy])?;
        read.contains(&true).then(|| {
            format!(
                "`{name}` has {number} copies (line {}), and no line reads `{name}[{forgotten}]`, which line {} sets",
                at + 1,
                set[forgotten].unwrap_or_default()
            )
        })
    })
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
    let name = &before[before.trim_end_matches(is_part).len()..];
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
    }
}
