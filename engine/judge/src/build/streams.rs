//! A launch without a stream among calls that have one.

use super::arguments::{launches, parts};
use super::code::{code, end_of_loop, has, numbered_lines};

/// What to try.
pub const GIVE_IT: &str = "launch it in the stream of the calls around it, the fourth number of a launch, `<<<grid, block, 0, stream>>>`";

/// The launch without a stream in a loop of `task` whose other calls have one, as a fact.
pub fn without(text: &str, task: &str) -> Option<String> {
    let all = launches(text, task);
    let in_stream = |sizes: &str| parts(sizes).len() >= 4;
    let plain = || all.iter().filter(|launch| !in_stream(&launch.sizes));
    loops(text).into_iter().find_map(|(first, last)| {
        let inside = |line: u32| (first..=last).contains(&line);
        let copies = numbered_lines(text).any(|(line, source)| inside(line) && has(source, "cudaMemcpyAsync"));
        let others = all.iter().any(|launch| inside(launch.line) && in_stream(&launch.sizes));
        let launch = plain().find(|launch| inside(launch.line)).filter(|_| copies || others)?;
        Some(format!(
            "line {} launches `{}` without a stream, in a loop whose other calls have one: it waits for all streams, and they wait for it, so that \
             nothing runs beside it",
            launch.line, launch.kernel
        ))
    })
}

/// The first and the last line of each loop with braces.
fn loops(text: &str) -> Vec<(u32, u32)> {
    let lines: Vec<&str> = text.lines().map(code).collect();
    let begins = |line: &str| ["for", "while"].iter().any(|word| has(line, word)) && line.contains('{');
    let heads = (0..lines.len()).filter(|at| begins(lines[*at]));
    heads.filter_map(|at| Some((at as u32 + 1, end_of_loop(&lines, at)? as u32 + 1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_without_the_stream_of_its_loop_is_told() {
        let text = |sizes: &str, copy: &str| {
            format!(
                "void f(int n) {{\n    first<<<n, 32>>>(n);\n    for (int k = 0; k < 8; ++k) {{\n        if (k > n) {{ break; }}\n        \
                 k<<<{sizes}>>>(n);\n        {copy}(a, b, 4, kind, stream);\n    }}\n    last<<<n, 32>>>(n);\n}}\n"
            )
        };
        let said = without(&text("grid(n, 8), dim3(32, 8)", "cudaMemcpyAsync"), "f");
        assert!(said.is_some_and(|said| said.starts_with("line 5 launches `k` without a stream")));
        assert_eq!(without(&text("grid(n, 8), dim3(32, 8), 0, stream", "cudaMemcpyAsync"), "f"), None);
        assert_eq!(without(&text("n, 32", "cudaMemcpy"), "f"), None);
    }
}
