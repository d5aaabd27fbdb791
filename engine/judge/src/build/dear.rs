//! What makes a line dear, as its text or its PTX shows.

use std::sync::Arc;

use super::code::{code, line_of};
use crate::prediction::LineShare;

/// Lines between the instruction that makes a sign and the one that uses it.
const NEAR: usize = 6;

/// Lines of the PTX, from 1, that a quotient or remainder by a constant has only because its dividend may be negative, two or three each.
///
/// `n / 4` of an `int` is `shr.s32 s, n, 31; shr.u32 c, s, 30; add.s32 m, n, c; shr.s32 q, m, 2`, and of a `uint32_t` the last shift
/// alone; by another constant, `mul.hi.s32 p, n, …; shr.u32 c, p, 31; shr.s32 q, p, …; add.s32 …`.
pub fn divisions(ptx: &str) -> Arc<[u32]> {
    let lines: Vec<Option<[&str; 4]>> = ptx.lines().map(parts).collect();
    let mut found: Vec<u32> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(["shr.u32", corrected, sign, by]) = *line else { continue };
        let made = (at.saturating_sub(NEAR)..at).rev().find(|before| defines(lines[*before], sign));
        let Some(before) = made else { continue };
        match lines[before] {
            Some(["shr.s32", .., "31"]) => found.push(before as u32 + 1),
            Some(["mul.hi.s32", ..]) if by == "31" => {}
            _ => continue,
        }
        found.push(at as u32 + 1);
        let uses = |line: &Option<[&str; 4]>| {
            line.is_some_and(|[name, _, one, other]| name == "add.s32" && [one, other].contains(&corrected))
        };
        let after = lines.iter().skip(at + 1).take(NEAR).position(uses);
        found.extend(after.map(|after| (at + after) as u32 + 2));
    }
    found.sort_unstable();
    found.dedup();
    found.into()
}

/// Whether a line returns what it loads, behind a condition: `if (i < n) return data[i];`.
pub fn returns_early(line: &str) -> bool {
    let line = code(line).trim_start();
    let returned = line.strip_prefix("if").filter(|rest| rest.trim_start().starts_with('('));
    returned.and_then(|rest| rest.split_once("return ")).is_some_and(|(_, value)| value.contains('['))
}

/// Keeps the mark of loads behind a branch where the line returns early: other branches are turned into choices.
pub fn keep_early_returns(lines: &mut [LineShare], text: &str) {
    for line in lines.iter_mut().filter(|line| line.branches) {
        line.branches = returns_early(line_of(text, line.number));
    }
}

fn defines(line: Option<[&str; 4]>, register: &str) -> bool {
    line.is_some_and(|[_, defined, ..]| defined == register)
}

/// An instruction with three operands: its name and them.
fn parts(line: &str) -> Option<[&str; 4]> {
    let (name, rest) = line.trim().strip_suffix(';')?.split_once(char::is_whitespace)?;
    let mut operands = rest.split(',').map(str::trim);
    let all = [name, operands.next()?, operands.next()?, operands.next()?];
    operands.next().is_none().then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_load_that_is_returned_behind_a_condition_counts() {
        assert!(returns_early("    if (i < n / 4) return reinterpret_cast<const uint32_t*>(gray)[i];"));
        for line in [
            "if (i >= n) return;",
            "return i < n ? gray[i] : 0;",
            "// if (i < n) return gray[i];",
            "if (i < n) sum += gray[i];",
        ] {
            assert!(!returns_early(line), "{line}");
        }
    }

    #[test]
    fn what_a_negative_dividend_needs_is_found_and_nothing_else() {
        let quarter =
            "shr.s32 %r2, %r1, 31;\nshr.u32 %r3, %r2, 30;\nadd.s32 %r4, %r1, %r3;\nshr.s32 %r5, %r4, 2;";
        assert_eq!(*divisions(quarter), [1, 2, 3]);
        let third = "mul.hi.s32 %r2, %r1, 1431655766;\nshr.u32 %r3, %r2, 31;\nadd.s32 %r4, %r2, %r3;";
        assert_eq!(*divisions(third), [2, 3]);
        let unsigned = "mul.hi.u32 %r2, %r1, -858993459;\nshr.u32 %r3, %r2, 2;\nadd.s32 %r4, %r1, %r3;";
        assert!(divisions(unsigned).is_empty());
        assert!(divisions("shr.s32 %r2, %r1, 4;\nshr.u32 %r3, %r2, 31;").is_empty());
    }
}
