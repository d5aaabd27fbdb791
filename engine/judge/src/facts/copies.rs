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
        let (_, declared) = lines[at].split_once("__shared__")?;
        let name = array(declared)?;
        let open = format!("{name}[");
        let number: usize = declared.split_once(&open)?.1.split(']').next()?.trim().parse().ok()?;
        // The next function has other arrays.
        let rest = &lines[at + 1..];
        let body = &rest[..rest.iter().position(|line| line.starts_with('}')).unwrap_or(rest.len())];
        if number > MOST || !declared.contains("][") {
            return None;
        }
        let mut set = vec![None; number];
        let mut read = vec![false; number];
        for (offset, line) in body.iter().enumerate() {
            for (place, _) in line.match_indices(&open).filter(|(place, _)| !line[..*place].ends_with(is_part)) {
                let index = line[place + open.len()..].split(']').next()?.trim();
                let updated = line[..place].trim_end().ends_with("atomicAdd(&");
                let Ok(copy) = index.parse::<usize>() else {
                    // Any of them is read, unless it is only added to.
                    if !updated {
                        return None;
                    }
                    continue;
                };
                let after = line[place + open.len()..].split_once("] =").filter(|(index, rest)| !rest.starts_with('=') && !index.contains(['+', '(']));
                match after {
                    _ if copy >= number => return None,
                    Some(_) => set[copy] = set[copy].or(Some(at + offset + 2)),
                    None => read[copy] |= !updated,
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
