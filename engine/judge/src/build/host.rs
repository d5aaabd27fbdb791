//! The host's part of the work, as its text says it: variables of the GPU that it uses like its own, and numbers that it computes for
//! the kernels.

use crate::build::code::{code, has, is_outermost, is_part, last_name, numbered_lines, places};

/// What to try if the host uses a variable of the GPU.
pub const SYMBOL: &str = "a `__constant__` or `__device__` variable lies in GPU memory: fill it with `cudaMemcpyToSymbol(name, host, bytes)`, and \
                          read it back with `cudaMemcpyFromSymbol`";
/// What to try if kernels use numbers of the host.
pub const COMPUTED: &str = "find out on which side it goes wrong: print the host's numbers before the launch (`printf` works there), and compare them \
                            with the task's rule for the smallest wrong case. If they are right, a kernel is wrong; if not, the host";

/// An element of a `__constant__` or `__device__` variable that a host function reads or assigns: the line, and what it is about.
pub fn symbol(source: &str) -> Option<(u32, String)> {
    let lines: Vec<&str> = source.lines().map(code).collect();
    let symbols: Vec<(&str, &str)> = lines.iter().filter_map(|line| variable(line)).collect();
    let mut of_gpu = false;
    for (number, line) in (1..).zip(&lines) {
        if is_outermost(line) {
            of_gpu = has(line, "__global__") || has(line, "__device__") || has(line, "__constant__");
        }
        let used = symbols
            .iter()
            .find(|(_, name)| !of_gpu && places(line, name).any(|at| is_element(line, at, name)));
        if let Some((space, name)) = used
            && !lines.iter().any(|line| is_hidden(line, name))
        {
            let told = format!(
                "line {number} uses `{name}` in a host function, but `{name}` is a `{space}` variable, which the host cannot reach by its name"
            );
            return Some((number, told));
        }
    }
    None
}

/// The space and the name of a variable of the GPU with elements that a line declares.
fn variable(line: &str) -> Option<(&'static str, &str)> {
    let space = ["__constant__", "__device__"].into_iter().find(|space| has(line, space))?;
    let before = line.split_once('[').filter(|_| !line.contains('('))?.0.trim_end();
    let name = last_name(before);
    (!name.is_empty()).then_some((space, name))
}

/// Whether `name` at this place is an element, `name[…]`, and not the address of one.
fn is_element(line: &str, at: usize, name: &str) -> bool {
    let (before, after) = (line[..at].trim_end(), line[at + name.len()..].trim_start());
    let unused =
        ["sizeof(", "&", ".", "->"].iter().any(|end| before.ends_with(end)) && !before.ends_with("&&");
    after.starts_with('[') && !unused && variable(line).is_none()
}

/// Whether a line declares another variable or parameter of this name.
fn is_hidden(line: &str, name: &str) -> bool {
    variable(line).is_none()
        && places(line, name).any(|at| {
            let before = line[..at].trim_end();
            let word = last_name(before);
            before.ends_with('*') && !line[..at].contains('=') && !line[..at].contains('[')
                || (word.starts_with(|c: char| c.is_alphabetic())
                    && !["return", "else", "case"].contains(&word))
        })
}

/// What the host function `task` computes for its kernels, as a fact.
pub fn computed(source: &str, task: &str) -> Option<String> {
    let body = function(source, task)?;
    let head: Vec<&str> =
        body.iter().map(|(_, line)| *line).take_while(|line| !line.starts_with("    ")).collect();
    let is_given = |name: &str| head.iter().any(|line| has(line, name));
    let copied = body.iter().find_map(|(number, line)| {
        let from = copied_from(line).filter(|from| !is_given(from))?;
        Some(format!("line {number} copies `{from}`, which the host computed, to the GPU"))
    });
    copied.or_else(|| {
        body.iter().find_map(|(number, line)| {
            let name = result(line, source)?;
            let passes =
                |line: &str| line.split_once(">>>").is_some_and(|(_, arguments)| has(arguments, name));
            let (launch, _) = body.iter().find(|(_, line)| passes(line))?;
            Some(format!(
                "the host computes `{name}` in line {number}, and line {launch} passes it to the kernel"
            ))
        })
    })
}

/// The lines of a function that begins at the first column, to its end.
fn function<'a>(source: &'a str, name: &str) -> Option<Vec<(u32, &'a str)>> {
    let mut lines = numbered_lines(source).skip_while(|(_, line)| !begins(line, name));
    let head = lines.next()?;
    Some(std::iter::once(head).chain(lines.take_while(|(_, line)| !line.starts_with('}'))).collect())
}

/// Whether a function of the host with this name begins in a line.
fn begins(line: &str, name: &str) -> bool {
    let defines = |at: usize| line[at + name.len()..].trim_start().starts_with('(') && !line.contains(';');
    line.starts_with(is_part) && !has(line, "__global__") && places(line, name).any(defines)
}

/// The array of the host that a line copies to the GPU.
fn copied_from(line: &str) -> Option<&str> {
    let call =
        ["cudaMemcpyToSymbol", "cudaMemcpy", "cudaMemcpyAsync"].into_iter().find(|call| has(line, call))?;
    if call != "cudaMemcpyToSymbol" && !line.contains("HostToDevice") {
        return None;
    }
    let from = line.split_once(call)?.1.split(',').nth(1)?.trim().trim_start_matches('&');
    (!from.is_empty() && from.chars().all(is_part)).then_some(from)
}

/// The variable that a line gives the result of one of the file's own functions.
fn result<'a>(line: &'a str, source: &str) -> Option<&'a str> {
    let (left, right) = line.split_once('=')?;
    let called = right.split_once('(')?.0.trim();
    let left = left.trim_end();
    let name = last_name(left);
    let own = !called.is_empty() && source.lines().any(|line| begins(code(line), called));
    (own && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_variables_of_the_gpu_in_host_functions_are_told() {
        let file = |host: &str| {
            format!(
                "__constant__ int filter[25];\n__global__ void k() {{\n  int a = filter[2];\n}}\nvoid f(int n) {{\n  {host}\n}}\n"
            )
        };
        for (host, told) in [
            ("filter[n] = 1;", true),
            ("if (n > 0 && filter[1] == 2) n = 1;", true),
            ("cudaMemcpyToSymbol(filter, p, 25 * sizeof(filter[0]));", false),
            ("cudaMemcpyFromSymbol(p, filter, 4); // filter[0]", false),
            ("int filter[25]; filter[2] = 1;", false),
            ("const int* filter = p; n = filter[1];", false),
            ("s.filter[1] = 2;", false),
        ] {
            let said = symbol(&file(host));
            assert_eq!(said.as_ref().map(|(line, _)| *line), told.then_some(6), "{host}: {said:?}");
        }
    }

    #[test]
    fn numbers_that_the_host_computes_are_told() {
        let file = |body: &str| {
            format!(
                "Range find(int n) {{\n}}\nvoid task(const int* given, int n) {{\n    {body}\n    k<<<1, 2>>>(range);\n}}\n"
            )
        };
        for (body, told) in [
            (
                "const Range range = find(n);",
                Some("the host computes `range` in line 4, and line 5 passes it"),
            ),
            ("cudaMemcpy(to, table, 256, cudaMemcpyHostToDevice);", Some("line 4 copies `table`, which")),
            ("cudaMemcpyToSymbol(symbol, &range, 8);", Some("line 4 copies `range`, which")),
            ("cudaMemcpyToSymbol(symbol, given, 100);", None),
            ("cudaMemcpy(table, to, 256, cudaMemcpyDeviceToHost);", None),
            ("const int range = ceil_div(n, 2);", None),
        ] {
            let said = computed(&file(body), "task");
            let right = said
                .as_deref()
                .map_or(told.is_none(), |said| told.is_some_and(|told| said.starts_with(told)));
            assert!(right, "{body}: {said:?}");
        }
    }
}
