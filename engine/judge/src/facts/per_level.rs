//! A thread for each level that goes through a part of the pixels only.

use crate::build::code::{has, is_part, numbered_lines, places};

/// What to try.
pub const HINT: &str = "a thread that counts one level must look at every pixel of its block's part: let all threads of the block begin at the same pixel and \
                        go on by the same step; or let each thread take its own pixels and add each to the counter of its level, atomically";

/// The lines of the comparison and of the loop, as a fact.
pub fn told(source: &str) -> Option<String> {
    let lines: Vec<(u32, &str)> = numbered_lines(source).collect();
    lines.iter().enumerate().find_map(|(at, (number, line))| {
        let (_, other) = line.split_once("] ==")?;
        let own = &other.trim_start()[..other.trim_start().find(|c: char| !is_part(c) && c != '.').unwrap_or(0)];
        let is_thread = own == "threadIdx.x" || lines[..at].iter().rev().take(10).any(|(_, line)| given(line, own));
        let (head, start) = lines[..=at].iter().rev().take(3).find_map(|(number, line)| {
            let (_, start) = line.split_once("for (")?;
            Some((*number, start.split(';').next()?))
        })?;
        (is_thread && has(start, "threadIdx")).then(|| {
            format!(
                "line {number} lets each thread count the level of its own number, but the loop of line {head} also shares the pixels out among the threads: each \
                 thread sees only a part of them"
            )
        })
    })
}

/// Whether a line makes a variable the number of the thread in its block.
fn given(line: &str, name: &str) -> bool {
    places(line, name).any(|at| {
        let value = line[at + name.len()..].trim_start().strip_prefix('=').unwrap_or_default().trim_start();
        value.strip_prefix("threadIdx.x").is_some_and(|rest| rest.starts_with([';', ',']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_and_a_part_of_the_pixels_for_one_thread_are_told() {
        let file = |from: &str| {
            format!(
                "const int level = threadIdx.x;\nfor (int i = {from}; i < n; i += step)\n    if (gray[i] == level) ++count;\n"
            )
        };
        assert!(
            told(&file("threadIdx.x"))
                .is_some_and(|told| told.starts_with("line 3 lets") && told.contains("loop of line 2"))
        );
        assert!(told(&file("blockIdx.x * blockDim.x + threadIdx.x")).is_some());
        assert_eq!(told(&file("blockIdx.x")), None);
        assert_eq!(told(&file("threadIdx.x").replace("= threadIdx.x;\nfor", "= 7;\nfor")), None);
    }
}
