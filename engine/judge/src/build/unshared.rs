//! An array of the block that is declared without `__shared__`: each thread then has one of its own, which it fills in part.

use runtime::finding::Finding;

use super::atomics::of_thread;
use super::code::{has, is_part, kernel_to, last_name, places};

/// Explains a kernel that the compiler has ended with a trap: it reads elements that its thread never sets.
pub fn explained(finding: &mut Finding, file: &str, text: &str) {
    let Some(line) = finding.line.filter(|_| finding.code == "W0505") else { return };
    let Some(kernel) = kernel_to(line, text) else { return };
    let atomic = of_thread(&kernel);
    let Some((number, name, declaration)) = atomic.or_else(|| forgotten(&kernel)) else {
        return;
    };
    finding.hint = if atomic.is_some() {
        format!(
            "each thread has a `{name}` of its own there, and an atomic needs shared or global memory, so that the compiler stops the \
             kernel. For one variable of the whole block: `__shared__ {declaration}`"
        )
    } else {
        format!(
            "each thread has a `{name}` of its own there, sets some of its elements, and reads others that nothing has set, so that the \
         compiler stops the kernel. For one array of the whole block: `__shared__ {declaration}`"
        )
    };
    finding.message =
        format!("`{name}` has no `__shared__`, and the kernel stopped itself with a trap instruction");
    let line = text.lines().nth(number as usize - 1).unwrap_or_default();
    let column = places(line, name).next().map_or(1, |at| line[..at].chars().count() as u32 + 1);
    // The place where the compiler put the trap says nothing.
    (finding.file, finding.line, finding.column) = (file.to_owned(), Some(number), column);
}

/// The array of each thread that its thread's number indexes, in a kernel with barriers.
fn forgotten<'a>(kernel: &[(u32, &'a str)]) -> Option<(u32, &'a str, &'a str)> {
    let waits = kernel.iter().any(|(_, line)| has(line, "__syncthreads"));
    let counters: Vec<&str> = kernel.iter().filter_map(|(_, line)| from_the_thread(line)).collect();
    kernel.iter().filter(|_| waits).find_map(|(number, line)| {
        let (name, declaration) = array(line)?;
        let by_thread = |rest: &str| {
            let index = rest.split(['=', ';', '+']).next().unwrap_or_default();
            let of_thread =
                index.contains("threadIdx.") || counters.iter().any(|counter| has(index, counter));
            rest.starts_with('[') && of_thread
        };
        let own = |line: &str| places(line, name).any(|at| by_thread(&line[at + name.len()..]));
        kernel.iter().any(|(_, line)| own(line)).then_some((*number, name, declaration))
    })
}

/// The name of a number that begins as the thread's: `v` in `for (int v = threadIdx.x; …`.
fn from_the_thread(line: &str) -> Option<&str> {
    let before = line.split_once("= threadIdx.x")?.0.trim_end();
    Some(last_name(before)).filter(|name| !name.is_empty())
}

/// The name and the text of a line that declares an array without values.
fn array(line: &str) -> Option<(&str, &str)> {
    let declaration = line.trim();
    let statement = declaration.strip_suffix(';')?;
    let (head, _) = statement.split_once('[')?;
    let name = last_name(head);
    let of_block = ["__shared__", "extern", "static", "return"].iter().any(|word| has(head, word));
    let typed = head[..head.len() - name.len()].trim();
    let is_type = !typed.is_empty() && typed.chars().all(|c| is_part(c) || c == ' ');
    (statement.ends_with(']') && !statement.contains('=') && is_type && !of_block && !name.is_empty())
        .then_some((name, declaration))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_of_the_block_without_its_word_is_found() {
        let kernel = |declaration: &'static str| -> Vec<(u32, &'static str)> {
            vec![
                (1, "__global__ void k() {"),
                (2, declaration),
                (3, "    count[threadIdx.x] = 0;"),
                (4, "    __syncthreads();"),
            ]
        };
        let looped: Vec<(u32, &str)> = vec![
            (1, "    uint32_t count[256];"),
            (2, "    for (int v = threadIdx.x; v < 256; v += blockDim.x) count[v] = 0;"),
            (3, "    __syncthreads();"),
        ];
        assert_eq!(forgotten(&looped), Some((1, "count", "uint32_t count[256];")));
        assert_eq!(forgotten(&looped[..2]), None, "no barrier");
        let copies =
            [(1, "    uint32_t count[256][32];"), (2, "    count[v][threadIdx.x % 32] = 0;"), looped[2]];
        assert_eq!(forgotten(&copies), Some((1, "count", "uint32_t count[256][32];")));
        for (declaration, found) in [
            ("    uint32_t count[256];", Some((2, "count", "uint32_t count[256];"))),
            ("    __shared__ uint32_t count[256];", None),
            ("    uint32_t count[256] = {};", None),
            ("    uint32_t other[256];", None),
            ("    count[0];", None),
        ] {
            assert_eq!(forgotten(&kernel(declaration)), found, "{declaration}");
        }
    }
}
