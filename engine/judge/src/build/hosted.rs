//! Functions of the host that a kernel calls: `nvcc` refuses them, and the compiler of the checker, which makes every function one of the
//! GPU, does not.

use runtime::finding::{Finding, Kind, Severity};

use super::code::{code, has, is_part, places};

/// Words of a function that kernels may call, or that is none of the file's own functions.
const OTHERS: [&str; 8] =
    ["__device__", "__global__", "constexpr", "consteval", "operator", "define", "template", "using"];

/// A function at the top of a file.
struct Function<'a> {
    line: u32,
    name: &'a str,
    head: String,
    body: Vec<(u32, &'a str)>,
}

/// A warning for each function of the host that a kernel calls.
pub fn called(file: &str, text: &str) -> Vec<Finding> {
    let all = functions(text);
    let on_gpu = |function: &&Function<'_>| {
        has(&function.head, "__global__")
            || has(&function.head, "__device__") && !has(&function.head, "__host__")
    };
    let macros: Vec<&str> = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("#define ")?.split([' ', '(']).next())
        .collect();
    let of_host = |function: &&Function<'_>| {
        let other = OTHERS.iter().any(|word| has(&function.head, word));
        // A macro may stand for `__device__`; of two functions with one name, one may be for the GPU.
        let is_only = all.iter().filter(|other| other.name == function.name).count() == 1;
        !other && is_only && !macros.iter().any(|name| has(&function.head, name))
    };
    let call = |function: &Function<'_>| {
        all.iter().filter(on_gpu).flat_map(|kernel| &kernel.body).find_map(|(number, line)| {
            let at = places(line, function.name).find(|at| {
                let after = line[at + function.name.len()..].trim_start();
                after.starts_with('(') && !line[..*at].ends_with(['.', '>', ':'])
            })?;
            Some((*number, line[..at].chars().count() as u32 + 1))
        })
    };
    let found = all.iter().filter(of_host).filter_map(|function| Some((function, call(function)?)));
    found.map(|(function, (line, column))| {
        let Function { name, line: defined, head, .. } = function;
        let message = format!("a kernel calls `{name}`, a function of the host: `nvcc` refuses that, although this compiler lets it pass");
        let hint = format!("write `__device__ {head}` in line {defined}; or `__host__ __device__` if the host calls it, too");
        Finding::new("W0006", Kind::Lint, Severity::Warning, message, &hint).at(file, line, column)
    }).collect()
}

fn functions(text: &str) -> Vec<Function<'_>> {
    let lines: Vec<(u32, &str)> = (1..).zip(text.lines().map(code)).collect();
    let mut found = Vec::new();
    for (at, (number, line)) in lines.iter().enumerate() {
        let begins = line.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let Some((before, _)) = line.split_once('(').filter(|_| begins) else { continue };
        let before = before.trim_end();
        let name = &before[before.trim_end_matches(is_part).len()..];
        let above = at.checked_sub(1).map_or("", |at| lines[at].1);
        let mut head = String::new();
        for (_, line) in &lines[at..] {
            head.push_str(line.trim());
            if line.contains(['{', ';']) {
                break;
            }
            head.push(' ');
        }
        let Some((signature, _)) =
            head.split_once('{').filter(|(signature, _)| !signature.contains([';', '=']))
        else {
            continue;
        };
        let rest = &lines[at..];
        let closed = |line: &str| line.matches('{').count() == line.matches('}').count();
        let in_one = rest.iter().position(|(_, line)| line.contains('{')).filter(|at| closed(rest[*at].1));
        let end = in_one.map(|at| at + 1).or_else(|| rest.iter().position(|(_, line)| line.starts_with('}')));
        let end = end.unwrap_or(1);
        let is_template = above.starts_with("template") || above.starts_with("__");
        let head = if is_template {
            format!("{} {}", above.trim(), signature.trim())
        } else {
            signature.trim().to_owned()
        };
        let body = rest[..end.max(1)].iter().enumerate().map(|(at, (number, line))| {
            let line = if at == 0 { line.split_once('{').map_or("", |(_, body)| body) } else { line };
            (*number, line)
        });
        found.push(Function { line: *number, name, head, body: body.collect() });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_of_the_host_that_a_kernel_calls_is_told() {
        let kernel = "__global__ void k(int* out) {\n    out[0] = twice(1);\n}\n";
        for (function, told) in [
            ("int twice(int a) {\n    return 2 * a;\n}\n", Some("`__device__ int twice(int a)` in line 1")),
            ("static inline int twice(int a) { return 2 * a; }\n", Some("in line 1")),
            ("__device__ int twice(int a) {\n    return 2 * a;\n}\n", None),
            ("constexpr int twice(int a) {\n    return 2 * a;\n}\n", None),
            ("template <int n>\n__device__ int twice(int a) {\n    return n * a;\n}\n", None),
            ("__host__ __device__\nint twice(int a) {\n    return 2 * a;\n}\n", None),
            ("#define HD __host__ __device__\nHD int twice(int a) {\n    return 2 * a;\n}\n", None),
            ("int thrice(int a) {\n    return 3 * a;\n}\n", None),
        ] {
            let found = called("a.cu", &format!("{function}{kernel}"));
            let right =
                told.map_or(found.is_empty(), |part| found.len() == 1 && found[0].hint.contains(part));
            assert!(right, "{function}: {found:?}");
        }
    }

    /// Right files, among which none may have such a call, and wrong ones with other mistakes.
    #[test]
    fn no_file_of_the_workbook_has_such_a_call() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../solutions");
        let mut read = 0;
        let mut folders = vec![root];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("a folder of solutions").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "cu") {
                    let text = std::fs::read_to_string(&path).expect("a solution");
                    let found = called("a.cu", &text);
                    assert!(found.is_empty(), "{}: {found:?}", path.display());
                    read += 1;
                }
            }
        }
        assert!(read > 300, "{read}");
    }
}
