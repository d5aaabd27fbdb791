//! Barriers of the text that do not order a race: one that is named but not called, and one that the next round of a loop comes past.

use runtime::finding::Finding;

use super::code::{code, end_of_loop, has, numbered_lines, places};

/// How the general hints begin that a barrier is missing between two accesses of one block.
const GENERAL: [&str; 3] = [
    "put a `__syncthreads()` between the two",
    "an atomic only orders itself with other atomics: put a barrier",
    "put a `__syncwarp()` between the two",
];

const BLOCK: &str = "__syncthreads";
const WARP: &str = "__syncwarp";

/// What to try where the first is not called.
pub const CALL_BLOCK: &str = "`()` is missing: write `__syncthreads();`";
/// What to try where the second is not called.
pub const CALL_WARP: &str = "`()` is missing: write `__syncwarp();`";

/// Puts what the text says of its barriers in place of a general hint.
pub fn explained(finding: &mut Finding, text: &str) {
    if !GENERAL.iter().any(|begin| finding.hint.starts_with(begin)) {
        return;
    }
    let (Some(line), Some(label)) = (finding.line, finding.labels.first()) else { return };
    let (first, last) = (line.min(label.line), line.max(label.line));
    let of_warp = finding.code == "W0304";
    if let Some(told) = not_called(first, last, of_warp, text).or_else(|| next_round(first, last, text)) {
        finding.hint = told;
    }
}

/// The barrier that a line names without calling it, with what to try.
pub fn uncalled(line: &str) -> Option<(&'static str, &'static str)> {
    [(BLOCK, CALL_BLOCK), (WARP, CALL_WARP)]
        .into_iter()
        .find(|(name, _)| places(line, name).any(|at| line[at + name.len()..].trim_start().starts_with(';')))
}

/// The barrier between two lines that is named but not called.
fn not_called(first: u32, last: u32, of_warp: bool, text: &str) -> Option<String> {
    let mut between = numbered_lines(text).skip(first as usize - 1).take((last - first + 1) as usize);
    between.find_map(|(number, line)| {
        let (name, hint) = uncalled(line).filter(|(name, _)| of_warp || *name == BLOCK)?;
        Some(format!("line {number} names `{name}` but does not call it: {hint}"))
    })
}

/// The barrier between two lines of a loop's body, if it is the only one there: it orders them in a round, and not with the next round.
fn next_round(first: u32, last: u32, text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(code).collect();
    let (first, last) = (first as usize - 1, last as usize - 1);
    let is_head = |line: &str| {
        let line = line.trim();
        ["for (", "while (", "do {"].iter().any(|word| line.starts_with(word)) && line.ends_with('{')
    };
    let head = (0..first)
        .rev()
        .take_while(|at| !lines[*at].starts_with('}'))
        .find(|at| is_head(lines[*at]) && end_of_loop(&lines, *at).is_some_and(|end| end > last))?;
    let end = end_of_loop(&lines, head)?;
    let mut depth = 0;
    let mut barriers = Vec::new();
    for (at, line) in lines.iter().enumerate().take(end).skip(head + 1) {
        let is_statement =
            lines[at - 1].trim().is_empty() || lines[at - 1].trim_end().ends_with([';', '{', '}']);
        if line.trim() == "__syncthreads();" && depth == 0 && is_statement {
            barriers.push(at);
        } else if line.contains("sync(") || has(line, "continue") || line.contains(BLOCK) {
            return None;
        }
        depth += line.matches('{').count() as i32 - line.matches('}').count() as i32;
    }
    let barrier = barriers.first().filter(|at| barriers.len() == 1 && (first + 1..last).contains(at))?;
    Some(format!(
        "the `__syncthreads()` in line {} does not order these two: from line {}, threads go on to line {} of the next round, with no barrier on \
         the way. Put one more `__syncthreads()` at the end of the body of the loop in line {}",
        barrier + 1,
        last + 1,
        first + 1,
        head + 1
    ))
}

#[cfg(test)]
mod tests {
    use runtime::finding::{Kind, Label, Severity};

    use super::*;

    const SCAN: &str = "__device__ void scan(uint32_t* s, int t) {\n    for (int d = 1; d < 256; d *= 2) {\n        const uint32_t b = t >= d ? s[t - d] : 0;\n        \
                        __syncthreads();  // all have read\n        s[t] += b;\n    }\n}\n";

    fn hint(code: &str, lines: [u32; 2], hint: &str, text: &str) -> String {
        let mut finding = Finding::new(code, Kind::Race, Severity::Error, "reads `s[0]`".to_owned(), hint);
        finding.line = Some(lines[0]);
        finding.labels = vec![Label { file: "a.cu".into(), line: lines[1], column: 1, text: String::new() }];
        explained(&mut finding, text);
        finding.hint
    }

    #[test]
    fn a_barrier_that_the_next_round_comes_past_is_named() {
        let [told, other] = [[3, 5], [5, 3]].map(|lines| hint("W0301", lines, GENERAL[0], SCAN));
        assert!(
            told.contains("the `__syncthreads()` in line 4 does not order these two: from line 5"),
            "{told}"
        );
        assert!(told.ends_with("at the end of the body of the loop in line 2"), "{told}");
        assert_eq!(told, other);
        let general = |text: &str| assert_eq!(hint("W0301", [3, 5], GENERAL[0], text), GENERAL[0], "{text}");
        general(&SCAN.replace("    }\n}", "        __syncthreads();\n    }\n}"));
        general(&SCAN.replace(
            "        __syncthreads();  // all have read\n        s[t] += b;",
            "\n        s[t] += b;",
        ));
        general(&SCAN.replace("        __syncthreads();", "        if (t < d) __syncthreads();"));
        general(&SCAN.replace("? s[t - d] : 0;", "? s[t - d] :"));
        general(&SCAN.replace("for (int d = 1; d < 256; d *= 2) {", "{"));
        assert_eq!(hint("W0303", [3, 5], "let each block write", SCAN), "let each block write");
    }

    #[test]
    fn a_barrier_that_is_not_called_is_named() {
        let text = "__global__ void k() {\n    s[t] = 0;\n    __syncthreads;\n    __syncwarp;\n    atomicAdd(&s[9], 1u);\n}\n";
        let told = format!("line 3 names `__syncthreads` but does not call it: {CALL_BLOCK}");
        assert_eq!(hint("W0307", [5, 2], GENERAL[1], text), told);
        assert_eq!(hint("W0307", [5, 2], GENERAL[1], &text.replace("threads;", "threads();")), GENERAL[1]);
        let of_warp = text.replace("    __syncthreads;\n", "\n");
        let told = format!("line 4 names `__syncwarp` but does not call it: {CALL_WARP}");
        assert_eq!(hint("W0304", [5, 2], GENERAL[2], &of_warp), told);
        assert_eq!(hint("W0301", [5, 2], GENERAL[0], &of_warp), GENERAL[0]);
    }
}
