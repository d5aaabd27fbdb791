//! Which constants have been swept: advice to sweep one again is worth nothing until its code changes.

use std::collections::BTreeSet;

use super::{Constant, MARK, Reach, find, one_by_one, replaced};
use crate::text::code::{code, has, last_name};
use grading::hash;

/// What tells the sweep of a constant of a task apart from others: its name, its values, and the functions that have to do with it, whatever
/// values the file's constants have.
pub fn mark(text: &str, task: &str, constant: &Constant) -> String {
    let constants = find(text).unwrap_or_default();
    let values: Vec<(&Constant, &str)> = constants
        .iter()
        .filter(|constant| !constant.candidates.is_empty())
        .map(|constant| (constant, "0"))
        .collect();
    let text = replaced(text, &values);
    let pieces: Vec<&str> = one_by_one(&text).map(|(_, piece)| piece).collect();
    let of_name = |piece: &&&str| piece.lines().any(|line| has(code(line), &constant.name));
    let launched: BTreeSet<&str> = pieces
        .iter()
        .filter(of_name)
        .flat_map(|piece| piece.lines())
        .filter_map(|line| Some(last_name(code(line).split_once("<<<")?.0.trim_end())))
        .collect();
    let is_launched = |piece: &&str| {
        let head = piece.split('{').next().unwrap_or_default();
        launched.iter().any(|kernel| has(head, kernel))
    };
    let own = pieces.iter().filter(|piece| of_name(piece) || is_launched(piece));
    let close = |piece: &&str| piece.lines().map(code).flat_map(str::split_whitespace).collect::<String>();
    let own: Vec<String> = own.map(close).collect();
    hash::of(
        [task, &constant.name, MARK, &constant.candidates.join(" "), &own.join("\n")].join("\n").as_bytes(),
    )
}

/// Names of the marked constants of a task that are not among those swept.
pub fn unswept(text: &str, task: &str, swept: &BTreeSet<String>) -> Vec<String> {
    marked(text, task)
        .into_iter()
        .filter(|constant| swept.is_empty() || !swept.contains(&mark(text, task, constant)))
        .map(|constant| constant.name)
        .collect()
}

/// The constants that are marked as tunable and that a task reaches; none if a mark is wrong.
pub fn marked(text: &str, task: &str) -> Vec<Constant> {
    let reach = Reach::of(text, task);
    let is_marked = |constant: &Constant| {
        !constant.candidates.is_empty() && reach.has(&constant.name, constant.place.start)
    };
    find(text).unwrap_or_default().into_iter().filter(is_marked).collect()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    const FILE: &str = "constexpr int a = 64;  // tune: 64 128\nconstexpr int b = 2;  // tune: 2 4\n\
                        __global__ void k() {\n    int i = 1;\n}\n__global__ void m() {\n    int j = b;\n}\nvoid f() {\n    k<<<9, a>>>();\n    m<<<9, 32>>>();\n}\n";

    #[test]
    fn a_swept_constant_is_left_out_until_its_code_changes() {
        let swept: BTreeSet<String> =
            marked(FILE, "f").iter().map(|constant| mark(FILE, "f", constant)).collect();
        let left = |text: &str| unswept(text, "f", &swept);
        assert_eq!(unswept(FILE, "f", &BTreeSet::new()), ["a", "b"]);
        assert_eq!(left(FILE), [""; 0]);
        assert_eq!(left(&FILE.replace("a = 64", "a = 128").replace("int j = b", "int  j = b  ")), [""; 0]);
        assert_eq!(left(&FILE.replace("int i = 1;", "int i = 2;  // more")), ["a"]);
        assert_eq!(left(&FILE.replace("tune: 2 4", "tune: 2 4 8")), ["b"]);
    }
}
