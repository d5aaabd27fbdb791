//! Functions of the host that a kernel calls, and variables of the host that it uses: `nvcc` refuses them, and the compiler of the checker,
//! which makes all of them the GPU's, does not. Most functions are found by what the compiler put into kernels; those that it computed
//! itself, and variables, by their names.

use std::collections::HashMap;
use std::ops::{Range, RangeInclusive};

use kernels::{Function, Side, functions, host_variables, tokens_at};
use runtime::finding::{Finding, Kind, Severity};

use super::code::is_part;

/// An error for each function of the host that a kernel calls.
pub fn called(file: &str, text: &str, ptx: &str) -> Vec<Finding> {
    let all = functions(text);
    let (places, named) = (Places::of(text), by_names(&all));
    let (inlined, uses) = (inlined(ptx, file), uses(&all, text));
    let code = of_functions(&inlined);
    let of_host = all.iter().filter(|function| function.side == Side::Host);
    let found = of_host.filter_map(|function| {
        let name = function.name.as_str();
        let same = named.get(name)?;
        let code = code.get(name).map_or(&[][..], Vec::as_slice);
        let is_only = same.len() == 1 && !function.in_class && !text.contains("#if");
        let by_name = || uses.get(name).filter(|_| is_only).and_then(|uses| call(uses));
        let at = || by_name().map(|at| places.of_byte(at));
        Some((function, put_into_a_kernel(function, same, code, &places).or_else(at)?))
    });
    found.map(|(function, (line, column))| {
        let Function { name, head, place: [at, _], .. } = function;
        let (defined, _) = places.of_byte(at.start);
        let message = format!(
            "a kernel calls `{name}`, a function of the host: `nvcc` refuses that, although this compiler lets it pass"
        );
        let hint = format!("write `__device__ {head}` in line {defined}; or `__host__ __device__` if the host calls it, too");
        Finding::new("W0001", Kind::Compile, Severity::Error, message, &hint).at(file, line, column)
    }).collect()
}

/// An error for each variable of the host that a function of the GPU uses.
pub fn used(file: &str, text: &str) -> Vec<Finding> {
    let variables = host_variables(text);
    if variables.is_empty() {
        return Vec::new();
    }
    let places = Places::of(text);
    let of_gpu: Vec<Function> =
        functions(text).into_iter().filter(|function| function.side == Side::Gpu).collect();
    let found = variables.into_iter().filter_map(|(declared, name)| {
        let at = of_gpu.iter().find_map(|function| {
            use_in(&text[function.place[0].start..function.place[1].end], name)
                .map(|at| function.place[0].start + at)
        })?;
        Some((declared, name, at))
    });
    found.map(|(declared, name, at)| {
        let ((line, column), (defined, _)) = (places.of_byte(at), places.of_byte(declared));
        let message = format!("a kernel uses `{name}`, a variable of the host: `nvcc` refuses that, although this compiler lets it pass");
        let hint = format!(
            "write `__constant__` (kernels read it) or `__device__` (they write it, too) before it in line {defined}, and copy to it with \
             `cudaMemcpyToSymbol`; or give the kernel its value as an argument"
        );
        Finding::new("W0001", Kind::Compile, Severity::Error, message, &hint).at(file, line, column)
    }).collect()
}

/// The first byte at which a function uses a variable from outside; `None` where one of its own may have that name.
fn use_in(function: &str, name: &str) -> Option<usize> {
    let tokens = tokens_at(function);
    let word = |at: usize| tokens.get(at).map_or("", |token| token.1);
    let mut first = None;
    for at in (0..tokens.len()).filter(|at| word(*at) == name) {
        let [far, before] = [2, 1].map(|back| at.checked_sub(back).map_or("", word));
        let is_member = before == "." || (far, before) == ("-", ">") || (far, before) == (":", ":");
        let is_unread = before == "(" && ["sizeof", "decltype", "alignof"].contains(&far);
        if is_member || is_unread {
            continue;
        }
        if declares(&tokens, at) {
            return None;
        }
        first = first.or(Some(tokens[at].0));
    }
    first
}

/// Whether the name at `at` may be that of a parameter or a local variable: `int* a`, `const T &a`, `int b = f(c), *a`.
fn declares(tokens: &[(usize, &str)], at: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.1);
    let is_name =
        |word: &str| word.ends_with(is_part) && !["return", "else", "do", "case", "goto"].contains(&word);
    let [far, before] = [2, 1].map(|back| at.checked_sub(back).map_or("", word));
    if is_name(before) {
        return true;
    }
    let begin = tokens[..at].iter().rposition(|token| [";", "{", "}", "("].contains(&token.1));
    let statement = &tokens[begin.map_or(0, |begin| begin + 1)..at];
    let in_brackets = begin.is_some_and(|begin| word(begin) == "(" && word(begin.wrapping_sub(1)) != "for");
    let in_body = tokens[..at].iter().any(|token| token.1 == "{");
    let types = |token: &(usize, &str)| is_name(token.1) || ["*", "&", "<", ">", ","].contains(&token.1);
    let is_one = statement.first().is_some_and(|first| is_name(first.1))
        && statement.get(1).is_some_and(|second| is_name(second.1) || ["*", "&", "<"].contains(&second.1));
    let behind_a_comma = before == "," || ["*", "&"].contains(&before) && far == ",";
    let behind_a_type = ["*", "&", ">"].contains(&before) && statement.iter().all(types);
    is_one && !(in_brackets && in_body) && (behind_a_comma || behind_a_type)
}

/// The functions by their names.
fn by_names(all: &[Function]) -> HashMap<&str, Vec<&Function>> {
    let mut named: HashMap<&str, Vec<&Function>> = HashMap::new();
    for function in all {
        named.entry(&function.name).or_default().push(function);
    }
    named
}

/// The lines of a text.
struct Places<'a> {
    text: &'a str,
    /// The bytes at which they begin.
    starts: Vec<usize>,
}

impl<'a> Places<'a> {
    fn of(text: &'a str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(0).chain(ends).collect() }
    }

    /// Line and column of a byte, from 1.
    fn of_byte(&self, at: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|start| *start <= at);
        let before = &self.text[self.starts[line - 1]..at];
        (line as u32, before.chars().count() as u32 + 1)
    }

    fn of_lines(&self, bytes: &Range<usize>) -> RangeInclusive<u32> {
        self.of_byte(bytes.start).0..=self.of_byte(bytes.end).0
    }
}

/// Code of a function of the file that a kernel got.
struct Inlined {
    /// The name of the function as the compiler writes it: `_ZN1A5twiceEi`.
    name: String,
    line: u32,
    /// Where it is called, if in the same file.
    call: Option<(u32, u32)>,
}

/// The code of functions of this file that was put into kernels. What stands in other functions may never run on a GPU.
fn inlined(ptx: &str, file: &str) -> Vec<Inlined> {
    let own: Vec<&str> = ptx.lines().filter_map(|line| number_of(line, file)).collect();
    let names = names(ptx);
    let mut in_kernel = false;
    let mut found = Vec::new();
    for line in ptx.lines().map(str::trim_start) {
        if let Some(place) = line.strip_prefix(".loc").filter(|_| in_kernel) {
            found.extend(code(place, &own, &names));
        } else if line.contains(".entry ") || line.contains(".func ") {
            in_kernel = line.contains(".entry ");
        }
    }
    found
}

/// The number of this file, if a line of the PTX gives it.
fn number_of<'a>(line: &'a str, file: &str) -> Option<&'a str> {
    let (number, path) = line.trim_start().strip_prefix(".file")?.split_once('"')?;
    (path.rsplit_once('"')?.0 == file).then(|| number.trim())
}

/// The code at a `.loc`, which reads `1 2 5, function_name $L__info_string0, inlined_at 1 6 5`.
fn code(place: &str, own: &[&str], names: &HashMap<&str, String>) -> Option<Inlined> {
    let mut parts = place.split(',');
    let at = |part: &str| {
        let mut words = part.split_whitespace();
        let file = words.next()?;
        let [line, column] = [words.next()?.parse().ok()?, words.next()?.parse().ok()?];
        own.contains(&file).then_some((line, column))
    };
    let (line, _) = at(parts.next()?)?;
    let label = parts.next()?.trim().strip_prefix("function_name")?.trim();
    let call = parts.next().and_then(|part| at(part.trim().strip_prefix("inlined_at")?));
    Some(Inlined { name: names.get(label)?.clone(), line, call })
}

/// The texts of the PTX by their labels: each byte is a number there.
fn names(ptx: &str) -> HashMap<&str, String> {
    let mut names: HashMap<&str, String> = HashMap::new();
    let mut label = None;
    for line in ptx.lines().skip_while(|line| !line.contains(".debug_str")).map(str::trim) {
        if let Some(bytes) = line.strip_prefix(".b8") {
            let Some(label) = label else { continue };
            let bytes = bytes.split(',').filter_map(|byte| byte.trim().parse::<u8>().ok());
            names.entry(label).or_default().extend(bytes.filter(|byte| *byte != 0).map(char::from));
        } else {
            label = line.strip_suffix(':');
        }
    }
    names
}

/// The code by the names in that of its function: `A` and `twice` of `_ZN1A5twiceEi`. What stands inside a function, a lambda or a member of
/// a class, may be for the GPU, and is left out.
fn of_functions(inlined: &[Inlined]) -> HashMap<&str, Vec<&Inlined>> {
    let mut by_name: HashMap<&str, Vec<&Inlined>> = HashMap::new();
    for code in inlined.iter().filter(|code| !code.name.starts_with("_ZZ")) {
        let mut rest = code.name.as_str();
        while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
            let length = rest[at..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - at);
            let (number, behind) = rest[at..].split_at(length);
            rest = behind;
            if let Some(name) = number.parse().ok().and_then(|length: usize| rest.get(..length)) {
                by_name.entry(name).or_default().push(code);
            }
        }
    }
    by_name
}

/// Where a kernel calls a function whose code it got; `same` are the functions of its name.
fn put_into_a_kernel(
    function: &Function,
    same: &[&Function],
    code: &[&Inlined],
    places: &Places<'_>,
) -> Option<(u32, u32)> {
    let own = places.of_lines(&function.place[1]);
    let others: Vec<RangeInclusive<u32>> = same
        .iter()
        .filter(|other| other.side != Side::Host)
        .map(|other| places.of_lines(&other.place[1]))
        .collect();
    let of_line = |line: &u32| own.contains(line) && !others.iter().any(|other| other.contains(line));
    let code = code.iter().find(|code| of_line(&code.line))?;
    Some(code.call.unwrap_or_else(|| places.of_byte(function.place[0].start)))
}

/// A name in a function of the GPU that is one of a function of the host.
struct Use {
    /// The function in which it stands, by its first byte.
    inside: usize,
    at: usize,
    /// Whether it is a call.
    calls: bool,
}

/// The uses of host functions in functions of the GPU, by name and in their order.
fn uses<'a>(all: &'a [Function], text: &str) -> HashMap<&'a str, Vec<Use>> {
    let of_host = all.iter().filter(|function| function.side == Side::Host);
    let mut uses: HashMap<&str, Vec<Use>> =
        of_host.map(|function| (function.name.as_str(), Vec::new())).collect();
    for Function { place: [head, body], .. } in all.iter().filter(|function| function.side == Side::Gpu) {
        for three in tokens_at(&text[head.start..body.end]).windows(3) {
            let [(_, before), (at, name), (_, after)] = three else { continue };
            if let Some(uses) = uses.get_mut(*name) {
                // A word before it declares a variable of that name.
                let is_word = before.ends_with(is_part) && !["return", "else", "do"].contains(before);
                let calls = *after == "(" && !is_word && ![".", ">", ":", "&", "*"].contains(before);
                uses.push(Use { inside: head.start, at: head.start + at, calls });
            }
        }
    }
    uses
}

/// The first of these uses in the first function of the GPU where all of them are calls.
fn call(uses: &[Use]) -> Option<usize> {
    let calls = |uses: &&[Use]| uses.iter().all(|one| one.calls);
    uses.chunk_by(|one, other| one.inside == other.inside).find(calls).map(|uses| uses[0].at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KERNEL: &str = "__global__ void k(int* out) {\n    out[0] = twice(1);\n}\n";

    #[test]
    fn a_function_of_the_host_that_a_kernel_calls_is_told() {
        for (function, told) in [
            ("int twice(int a) {\n    return 2 * a;\n}\n", Some("`__device__ int twice(int a)` in line 1")),
            ("static inline int twice(int a) { return 2 * a; }\n", Some("in line 1")),
            ("__device__ int twice(int a) {\n    return 2 * a;\n}\n", None),
            ("constexpr int twice(int a) {\n    return 2 * a;\n}\n", None),
            ("template <int n>\n__device__ int twice(int a) {\n    return n * a;\n}\n", None),
            ("__host__ __device__\nint twice(int a) {\n    return 2 * a;\n}\n", None),
            ("#define HD __host__ __device__\nHD int twice(int a) {\n    return 2 * a;\n}\n", None),
            ("int thrice(int a) {\n    return 3 * a;\n}\n", None),
            ("int twice(int a) { return 2 * a; }\n__device__ int twice(long a) { return 2 * a; }\n", None),
        ] {
            let found = called("a.cu", &format!("{function}{KERNEL}"), "");
            let right =
                told.map_or(found.is_empty(), |part| found.len() == 1 && found[0].hint.contains(part));
            assert!(right, "{function}: {found:?}");
        }
        let own = KERNEL.replace("out[0]", "auto twice = [](int a) { return a; };\n    out[0]");
        assert!(called("a.cu", &format!("int twice(int a) {{ return 2 * a; }}\n{own}"), "").is_empty());
        let commented = KERNEL.replace("out[0]", "// twice(1) /* twice(2) */\n    1");
        let host = "int twice(int a) { return 2 * a; }\n";
        assert_eq!(called("a.cu", &format!("{host}{commented}"), "")[0].line, Some(4));
    }

    #[test]
    fn a_variable_of_the_host_that_a_kernel_uses_is_told() {
        for (variable, use_of_it, told) in [
            ("int table[25];", "out[0] = table[3];", true),
            ("static float a, table[25];", "out[0] = 2 * table[3];", true),
            ("int table;", "if (table > 3) { out[0] = 1; }", true),
            ("int table;", "out[0] = out[1] > 0 ? 3 : table;", true),
            ("__constant__ int table[25];", "out[0] = table[3];", false),
            ("const int table = 3;", "out[0] = table;", false),
            ("int table[25];", "int table[3] = {1}; out[0] = table[3];", false),
            ("int table[25];", "const int *a = out, *table = out; out[0] = table[3];", false),
            ("int table[25];", "for (int table = 0; table < 3; table++) out[0] = table;", false),
            ("int table[25];", "out[0] = out.table + out->table + A::table;", false),
            ("int table[25];", "out[0] = sizeof(table); // table[3]", false),
            ("int table[25];", "int a = 2 * table[3], b = max(a, table[1]);", true),
            ("int table[25];", "out[0] = max(out[1] * table[1], table[2]);", true),
        ] {
            let text = format!("{variable}\n__global__ void k(int* out) {{\n    {use_of_it}\n}}\n");
            let found = used("a.cu", &text);
            assert_eq!(found.len(), usize::from(told), "{text}: {found:?}");
            assert!(found.iter().all(|found| found.line == Some(3)), "{found:?}");
        }
        let parameter = "int table;\n__global__ void k(int* out, int table) { out[0] = table; }\n";
        assert_eq!(used("a.cu", parameter), []);
        let host = "int table;\nvoid f(int* out) { out[0] = table; }\n__host__ __device__ int g() { return table; }\n";
        assert_eq!(used("a.cu", host), []);
    }

    /// What a kernel got of a member, which no name in its text tells for certain.
    #[test]
    fn code_in_a_kernel_tells_its_function() {
        let text = |mark: &str| {
            format!(
                "struct A {{\n    int b;\n    {mark}int at(int a) const {{\n        return a * b;\n    }}\n}};\n\
                     __global__ void k(A a, int* out) {{\n    out[0] = a.at(2);\n}}\n"
            )
        };
        let inlined = "\t.loc 1 4 16, function_name $L__info_string0, inlined_at 1 8 14\n";
        let strings = "\t.file 1 \"a.cu\"\n\t.section .debug_str\n\t{\n$L__info_string0:\n\
                       .b8 95,90,78,75,49,65,50,97,116,69,105,0\n\t}\n";
        let kernel = format!(".visible .entry k(\n{inlined}{strings}");
        let found = called("a.cu", &text(""), &kernel);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].line, found[0].column), (Some(8), 14));
        assert!(found[0].hint.contains("`__device__ int at(int a) const` in line 3"), "{}", found[0].hint);
        assert!(called("a.cu", &text("__device__ "), &kernel).is_empty());
        assert!(called("a.cu", &text(""), &kernel.replace(".visible .entry", ".func")).is_empty());
        assert!(called("b.cu", &text(""), &kernel).is_empty(), "another file's code");
        let of_a_lambda = kernel.replace("95,90,78,75,49", "95,90,90,78,75,49");
        assert!(called("a.cu", &text(""), &of_a_lambda).is_empty(), "code inside a function");
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
                    let found = [called("a.cu", &text, ""), used("a.cu", &text)].concat();
                    assert!(found.is_empty(), "{}: {found:?}", path.display());
                    read += 1;
                }
            }
        }
        assert!(read > 300, "{read}");
    }
}
