//! Numbers of threads in the grid that several threads get: block and thread exchanged, or a factor that is not the size of a block.

use super::arguments::{declared, joined, launches};
use super::block::{block_of, body};
use super::code::{has, is_part, last_name};
use super::expression::{Expression, parsed};
use super::guards::assignments;

/// What to try.
pub const HINT: &str = "the number of a thread in the grid is the number of its block times the size of a block, plus its own in the block: \
                        `blockIdx.x * blockDim.x + threadIdx.x`";

/// A line of a kernel of `task` that gives two threads one number, as a fact. Only numbers of the grid and the block are in it: with other
/// factors, blocks may be meant to overlap.
pub fn told(text: &str, task: &str) -> Option<String> {
    launches(text, task).iter().find_map(|launch| {
        let sides = block_of(launch, text)?.map(|side| side as i64);
        body(text, launch.kernel).iter().find_map(|line| {
            let given = assignments(std::slice::from_ref(line));
            given.into_iter().find_map(|(_, from)| {
                let factors = from.contains(|c: char| c.is_ascii_digit());
                let [[one, of], [other, behind]] = clash(&parsed(from).filter(|_| !factors)?, sides)?;
                let (line, from) = (line.0, from.trim());
                Some(format!(
                    "line {line} gives the same number to thread {one} of block {of} and to thread {other} of block {behind}: `{from}`"
                ))
            })
        })
    })
}

/// The only line of a kernel of `task` that gives an index of an input the number of the thread in its block alone, as a fact.
pub fn of_block(text: &str, task: &str) -> Option<String> {
    launches(text, task).iter().find_map(|launch| {
        let inputs = declared(&joined(text), launch.kernel)?;
        let inputs = inputs.iter().filter(|one| has(one, "const") && one.contains('*'));
        let inputs: Vec<&str> = inputs.map(|one| last_name(one.trim_end())).collect();
        let lines = body(text, launch.kernel);
        let is_index = |name: &str| {
            let reads = |input: &str| {
                lines.iter().any(|(_, line)| {
                    line.split(&format!("{input}["))
                        .skip(1)
                        .any(|rest| rest.split(']').next().is_some_and(|index| has(index, name)))
                })
            };
            inputs.iter().any(|input| reads(input))
        };
        let mut found = lines.iter().filter_map(|line| {
            let given = assignments(std::slice::from_ref(line));
            let (name, _) =
                given.into_iter().find(|(name, from)| from.trim() == "threadIdx.x" && is_index(name))?;
            Some(format!(
                "line {} begins `{name}` with `threadIdx.x`, so that all blocks have the same numbers",
                line.0
            ))
        });
        let first = found.next()?;
        found.next().is_none().then_some(first)
    })
}

/// What to try if a pixel's column and row are exchanged.
pub const ROWS: &str = "the rows of a picture follow each other, each with `width` pixels: pixel i is in column `i % width` and row `i / width`";

/// A column or row of a kernel of `task` that is worked out from the number of a pixel as the other one, as a fact.
pub fn turned(text: &str, task: &str) -> Option<String> {
    launches(text, task).iter().find_map(|launch| {
        body(text, launch.kernel).iter().find_map(|line| {
            assignments(std::slice::from_ref(line)).into_iter().find_map(|(name, from)| {
                let right = match name {
                    "x" | "column" | "col" => '%',
                    "y" | "row" => '/',
                    _ => return None,
                };
                let from = from.split([';', ',']).next()?.trim();
                let (of, by) = from.split_once(['/', '%'])?;
                let is_number = of.trim().chars().all(is_part) && ["width", "height"].contains(&by.trim());
                let wrong = !from.contains(right) || by.trim() == "height";
                (is_number && wrong).then(|| format!("line {} gives `{name}` the value `{from}`", line.0))
            })
        })
    })
}

/// Two threads, each with its block, for which an expression of one side of the grid has one value.
fn clash(of: &Expression, sides: [i64; 2]) -> Option<[[i64; 2]; 2]> {
    let has = |name: &str| of.any(&|known| known == name);
    let axis = ["x", "y"].iter().position(|side| has(&format!("threadIdx.{side}")))?;
    let side = ["x", "y"][axis];
    let [block, thread] = ["blockIdx", "threadIdx"].map(|word| format!("{word}.{side}"));
    let others = [["blockIdx.x", "threadIdx.x"], ["blockIdx.y", "threadIdx.y"]][1 - axis];
    let dims = ["blockDim.x", "blockDim.y", "gridDim.x", "gridDim.y"];
    let alone = !of.any(&|name| name != block && name != thread && !dims.contains(&name));
    if !alone || !has(&block) || others.iter().any(|other| has(other)) || sides[axis] < 2 {
        return None;
    }
    // Few blocks, and more of them than a block has threads.
    [2, sides[axis] + 1].into_iter().find_map(|blocks| {
        let number = |own: i64, at: i64| {
            of.value(&|name| match name {
                "blockDim.x" => Some(sides[0]),
                "blockDim.y" => Some(sides[1]),
                "gridDim.x" | "gridDim.y" => Some(blocks),
                name if name == block => Some(at),
                name => Some(own).filter(|_| name == thread),
            })
        };
        let mut seen = std::collections::HashMap::new();
        (0..blocks).flat_map(|at| (0..sides[axis]).map(move |own| [own, at])).find_map(|[own, at]| {
            let first = seen.insert(number(own, at)?, [own, at])?;
            Some([first, [own, at]])
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_rows_that_are_exchanged_are_told() {
        let of = |columns: &str| {
            let text = format!(
                "__global__ void k(int n) {{\n    const int {columns};\n}}\nvoid f(int n) {{\n    k<<<n, 32>>>(n);\n}}\n"
            );
            turned(&text, "f")
        };
        assert_eq!(
            of("x = i / width, y = i % width").as_deref(),
            Some("line 2 gives `x` the value `i / width`")
        );
        assert_eq!(
            of("x = i % width, y = i / height").as_deref(),
            Some("line 2 gives `y` the value `i / height`")
        );
        assert_eq!(of("x = i % width, y = i / width"), None);
        assert_eq!(of("x = (i + 1) % columns, row = t / 32"), None);
    }

    #[test]
    fn numbers_that_two_threads_get_are_told() {
        for (number, clashes) in [
            ("threadIdx.x * blockDim.x + blockIdx.x", true),
            ("blockIdx.x + blockDim.x * threadIdx.x", true),
            ("blockIdx.x + threadIdx.x", true),
            ("blockIdx.x * gridDim.x + threadIdx.x", true),
            ("blockIdx.x * threadIdx.x + blockDim.x", true),
            ("blockIdx.x * blockDim.y + threadIdx.x", true),
            ("blockIdx.y * blockDim.x + threadIdx.y", false),
            ("blockIdx.y + threadIdx.y", true),
            ("blockIdx.x * blockDim.x + threadIdx.x", false),
            ("(int)(threadIdx.x + blockDim.x * blockIdx.x)", false),
            ("threadIdx.x * gridDim.x + blockIdx.x", false),
            ("blockIdx.x * 28 + threadIdx.x", false),
            ("threadIdx.y * blockDim.x + threadIdx.x", false),
            ("(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x", false),
        ] {
            let text = format!(
                "__global__ void k(int n) {{\n    const int i = {number};\n}}\nvoid f(int n) {{\n    k<<<n, dim3(32, 8)>>>(n);\n}}\n"
            );
            let said = told(&text, "f");
            assert_eq!(said.is_some(), clashes, "{number}: {said:?}");
        }
        let text = "__global__ void k(int n) {\n    int i = threadIdx.x * blockDim.x + blockIdx.x;\n}\nvoid f(int n) {\n    k<<<n, 256>>>(n);\n}\n";
        assert!(told(text, "f").is_some_and(|said| said.starts_with(
            "line 2 gives the same number to thread 1 of block 0 and to thread 0 of block 256"
        )));
    }
}
