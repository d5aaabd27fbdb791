//! Threads, launches and elements in words.

use runtime::engine::{Toucher, Witness, WitnessedLaunch};

use super::threads::coordinates;
use crate::numbers::{few, grouped};

/// A thread and its block.
pub fn in_words(witness: &Witness, thread: Toucher) -> String {
    let Some(launch) = witness.launches.get(thread.launch as usize) else { return "a thread".to_owned() };
    let (block, own) = coordinates(launch, thread);
    format!("thread {} of block {}", tuple(own), tuple(block))
}

/// A kernel with the blocks and threads of its launch.
pub fn launch_in_words(launch: &WitnessedLaunch) -> String {
    let count = |of: [u32; 3]| grouped(of.iter().map(|side| u64::from(*side)).product());
    let (blocks, threads) = (count(launch.grid), count(launch.block));
    let plural =
        |number: &str, what: &str| format!("{number} {what}{}", if number == "1" { "" } else { "s" });
    format!("`{}` with {} of {}", launch.kernel, plural(&blocks, "block"), plural(&threads, "thread"))
}

fn tuple(of: [u32; 3]) -> String {
    match of {
        [x, 0, 0] => x.to_string(),
        [x, y, 0] => format!("({x}, {y})"),
        [x, y, z] => format!("({x}, {y}, {z})"),
    }
}

/// Which elements, as the start of a sentence.
pub fn were(name: &str, indices: &[usize], total: usize) -> String {
    let count = grouped(indices.len() as u64);
    let of = format!("{count} of {} elements", grouped(total as u64));
    match indices {
        [only] => format!("`{name}[{only}]` was"),
        [first, .., last] if last - first + 1 == indices.len() => {
            format!("`{name}[{first}]` to `{name}[{last}]` ({of}) were")
        }
        [first, second, _, ..] if indices.windows(2).all(|pair| pair[1] - pair[0] == second - first) => {
            format!("every {} element from `{name}[{first}]` on ({of}) was", ordinal(second - first))
        }
        _ => format!("{of} ({}) were", few(name, indices)),
    }
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}
