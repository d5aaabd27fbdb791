//! The place in a line that a finding is about: the array or variable that it names instead of the beginning of the statement.

use runtime::finding::Finding;

use super::arrays::sides;
use super::code::{code, has, is_part, kernel_to, line_of, numbered_lines, places, words};

/// Findings that stand at one place and name another one.
const ELSEWHERE: [&str; 2] = ["W0204", "W0206"];
/// Words before a condition.
const BRANCHES: [&str; 3] = ["if", "while", "switch"];

/// Moves the columns of a finding and its labels in this text.
pub fn moved(finding: &mut Finding, file: &str, text: &str) {
    if let Some(line) = finding.line.filter(|_| finding.file == file)
        && !ELSEWHERE.contains(&finding.code.as_str())
    {
        finding.column = better(&finding.message, line, finding.column, text);
    }
    for label in finding.labels.iter_mut().filter(|label| label.file == file) {
        label.column = better(&label.text, label.line, label.column, text);
    }
}

/// The line that reads what a finding names, where the finding's own line only sets an element of an array of the block: the compiler loads
/// earlier than the text does, and gives the load the line that it puts it into. `None` if it may be more than one.
pub fn reading(finding: &Finding, text: &str) -> Option<u32> {
    let line = finding.line.filter(|_| finding.code == "W0101")?;
    let name = finding.message.strip_prefix("reads ")?.split_once(" of `")?.1.split('`').next()?;
    let own = line_of(text, line);
    let (array, value) = own.split_once(" = ")?;
    let array = array.trim().split('[').next()?;
    if has(own, name) || value.contains(['[', '(', '*']) {
        return None;
    }
    sides(array, line, text)?;
    let (head, _) = *kernel_to(line, text)?.first()?;
    let reads = |source: &str| places(source, name).any(|at| source[at + name.len()..].starts_with('['));
    let (mut depth, mut found) = (0, Vec::new());
    let lines = numbered_lines(text).skip(head as usize - 1).take_while(|(_, line)| !line.starts_with('}'));
    for (number, source) in lines {
        // Of a condition, the load is not moved out.
        if reads(source) && depth == 1 && !["if", "for", "while"].iter().any(|word| has(source, word)) {
            found.push(number);
        }
        depth += source.matches('{').count() as i32 - source.matches('}').count() as i32;
    }
    let [only] = found.as_slice() else { return None };
    Some(*only)
}

/// The column of what a message names first, if its line has it once, as an array or else at all, and the old column is another word;
/// behind `if`, that of the condition.
fn better(message: &str, line: u32, column: u32, text: &str) -> u32 {
    let Some(line) = text.lines().nth(line.wrapping_sub(1) as usize).map(code) else { return column };
    let Some((at, _)) = line.char_indices().nth(column.wrapping_sub(1) as usize) else { return column };
    let told = &line[at..line[at..].find(|c| !is_part(c)).map_or(line.len(), |end| at + end)];
    let columns = |at: usize| line[..at].chars().count() as u32 + 1;
    let name = message.split('`').nth(1).unwrap_or_default().split('[').next().unwrap_or_default();
    let (arrays, others): (Vec<usize>, Vec<usize>) =
        places(line, name).partition(|at| line[at + name.len()..].trim_start().starts_with('['));
    let named = if arrays.is_empty() { others } else { arrays };
    let one = match named[..] {
        [only] => Some(only),
        // `sum[v] += sum[v - 1]`: the first is stored to.
        [stored, read] if sets(&line[stored..read]) => {
            let reads = message.contains("reads `") || message.contains("is read here");
            Some(if reads { read } else { stored })
        }
        _ => None,
    };
    if told != name
        && let Some(one) = one
    {
        return columns(one);
    }
    // Where the compiler gives the place of a statement, what is read stands behind its `return`, its condition or its `=`.
    if let Some(place) = dereferenced(line, at) {
        return columns(place);
    }
    if message.starts_with("reads ")
        && let Some(value) = assigned(line, at)
    {
        return columns(value);
    }
    let condition = || {
        let rest = &line[at + told.len()..];
        let first = words(rest.trim_start().strip_prefix('(')?).next()?;
        Some(columns(at + told.len() + places(rest, first).next()?))
    };
    if BRANCHES.contains(&told) { condition().unwrap_or(column) } else { column }
}

/// The place of the only cast that is dereferenced in a line, if it stands behind the head of its statement, which is at `from`.
fn dereferenced(line: &str, from: usize) -> Option<usize> {
    let mut casts = line.match_indices("*reinterpret_cast<");
    let ((cast, _), None) = (casts.next()?, casts.next()) else { return None };
    let head = &line[from..];
    let is_head = ["return", "if"].iter().any(|word| head.starts_with(word))
        || line[..from].trim_end().ends_with("if (");
    (cast > from && is_head).then_some(cast + 1)
}

/// The place of what is assigned in a statement that begins at `from` with its target.
fn assigned(line: &str, from: usize) -> Option<usize> {
    let (target, value) = line[from..].split_once(" = ")?;
    let is_target = target.ends_with(']') && !target.contains([';', '{']) && !value.contains(" = ");
    is_target.then(|| from + target.len() + 3)
}

/// Whether a text ends with an assignment to the element with which it begins.
fn sets(text: &str) -> bool {
    let Some((_, behind)) = text.split_once(']') else { return false };
    let behind = behind.trim_start().trim_start_matches(['+', '-', '*', '|', '^']);
    behind.starts_with('=') && !behind.starts_with("==")
}

#[cfg(test)]
mod tests {
    use runtime::finding::{Kind, Severity};

    use super::*;

    #[test]
    fn a_load_that_was_moved_up_stands_where_it_is_written() {
        let text = "__global__ void k(const uint8_t* gray) {\n    __shared__ int counts[256];\n    counts[threadIdx.x] = 0;\n    if (i < n) {\n        f(gray[i]);\n    }\n    \
                    atomicAdd(&bins[t], counts[gray[i]]);\n}\n";
        let reading = |text: &str| {
            let message = "reads 1 byte at byte 1 of `gray`, which has 1 byte".to_owned();
            let mut finding = Finding::new("W0101", Kind::Memory, Severity::Error, message, "");
            finding.line = Some(3);
            reading(&finding, text)
        };
        assert_eq!(reading(text), Some(7));
        assert_eq!(reading(&text.replace("= 0;", "= gray[i];")), None);
        assert_eq!(reading(&text.replace("counts[gray[i]]", "1")), None, "only behind a condition");
    }

    #[test]
    fn a_finding_stands_under_what_it_names() {
        let words = "    return *reinterpret_cast<const uint32_t*>(image + at);\n    if (at < n) return *reinterpret_cast<const uint32_t*>(image + at);\n    r[(k + 4) % 5] = p[-2] + p[2];\n";
        for (line, column, is) in [(1, 5, 13), (2, 9, 25), (3, 5, 22)] {
            assert_eq!(better("reads 4 bytes at byte 24 of `gray`", line, column, words), is);
        }
        assert_eq!(better("writes 4 bytes of `out`", 3, 5, words), 5);
        let text = "        sum += gray[cy * width + cx];\n    if (i < n) atomicAdd(&bins[gray[i]], 1u);\n    if (tile[a] > tile[b])\n    for (int k = 0; k < darken; ++k) n += *p + n;\n    if (v > 0) cdf[v] += cdf[v - 1];\n";
        for (line, message, column, is) in [
            (1, "reads 1 byte at byte -4 of `gray`, which has 1 byte", 9, 16),
            (2, "comes from `bins[166]` (global memory)", 5, 27),
            (3, "comes from `tile[3]`", 5, 9),
            (1, "reads 1 byte of `input`", 9, 9),
            (2, "comes from a variable", 5, 9),
            (1, "of `gray`", 0, 0),
            (4, "comes from `darken` (shared memory)", 5, 25),
            (4, "writes 4 bytes of `p`", 5, 44),
            (4, "reads `n`", 5, 5),
            (5, "reads `cdf[31]`, which thread 31 writes too", 9, 26),
            (5, "thread 31 writes `cdf[31]` here", 9, 16),
        ] {
            assert_eq!(better(message, line, column, text), is, "{message}");
        }
    }
}
