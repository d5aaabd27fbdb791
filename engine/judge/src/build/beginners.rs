//! Hints on the compiler's messages that the text of the line makes plain: what a call lacks, and a pointer that is none or points nowhere.

use super::arguments::misfit;
use super::code::{code, has, is_part, kernel_to, last_name, places};
use super::launches::arguments;
use super::missed::indices;

/// Functions, the number of their arguments, and how they are called.
const CALLS: [(&str, usize, &str); 5] = [
    (
        "cudaMemcpy",
        4,
        "`cudaMemcpy(to, from, bytes, direction)`: the direction is `cudaMemcpyHostToDevice` or `cudaMemcpyDeviceToHost`",
    ),
    ("cudaMemset", 3, "`cudaMemset(pointer, byte, bytes)`"),
    ("cudaMalloc", 2, "`cudaMalloc(&pointer, bytes)`"),
    ("cudaMemcpyToSymbol", 3, "`cudaMemcpyToSymbol(variable, from, bytes)`"),
    ("atomicAdd", 2, "`atomicAdd(&counter, 1)`"),
];

/// The hint for an error in a line, if its text makes plain what is missing.
pub(super) fn told(message: &str, line: u32, column: u32, text: &str) -> Option<String> {
    let source = text.lines().map(code).nth(line.checked_sub(1)? as usize)?;
    if message.contains("unrecognized token") {
        return source.chars().nth(column.saturating_sub(1) as usize).filter(|c| !c.is_ascii()).map(|c| {
            format!(
                "`{c}` (U+{:04X}) is not a character of C++, though it looks like one: type this place anew{}",
                c as u32,
                if "«»‹›".contains(c) { ", a launch as `kernel<<<blocks, threads>>>(…)`" } else { "" }
            )
        });
    }
    if message.contains("too few arguments in function call") {
        return CALLS.iter().find_map(|(name, wanted, form)| {
            let given = listed(source, name)?.len();
            (given < *wanted).then(|| format!("this call has {given} of {wanted} arguments: {form}"))
        });
    }
    if message.contains("must have a void return type") {
        return Some(
            "write `__global__ void`: a kernel returns nothing, and stores its results in memory".to_owned(),
        );
    }
    if message.contains("expected a \";\"")
        && source.chars().nth(column.saturating_sub(1) as usize) == Some(')')
    {
        return Some(
            "this `)` closes nothing: compare the opening and closing brackets of the statement".to_owned(),
        );
    }
    if message.contains("is incompatible with parameter of type") {
        return misfit(text, line, column);
    }
    if message.contains("no instance of overloaded function \"atomic") {
        let name = message.split('"').nth(1)?;
        return row(name, source, message, text).or_else(|| not_an_address(name, source, message));
    }
    if message.contains("initializer not allowed for __shared__") {
        return Some(
            "leave out the value: an array of the block starts with arbitrary contents. Let its threads fill it, \
             `for (int v = threadIdx.x; v < 256; v += blockDim.x) counts[v] = 0;`, and put a `__syncthreads()` after it"
                .to_owned(),
        );
    }
    if message.contains("no instance of function template \"cudaMalloc\"")
        && let Some(first) = listed(source, "cudaMalloc").and_then(|list| list.into_iter().next())
        && first.chars().all(is_part)
    {
        return Some(format!(
            "`cudaMalloc` stores an address in the pointer, and needs the place of it: `cudaMalloc(&{first}, bytes)`"
        ));
    }
    if message.contains("must be a modifiable lvalue") {
        let (_, condition) = source.split_once("if (")?;
        let (left, right) = condition.split_once(" = ")?;
        let right = right.split([')', '&', '|']).next()?.trim();
        return Some(format!("`=` sets a variable, and `==` compares: `{} == {right}`", left.trim()));
    }
    if message.contains("expression must have pointer") {
        return not_a_pointer(line, text);
    }
    None
}

/// The line to which a message about a missing `;` belongs, if it is the end of one before.
pub(super) fn end_before(message: &str, line: u32, column: u32, text: &str) -> Option<(u32, u32)> {
    let lines: Vec<&str> = text.lines().map(code).collect();
    let own: String =
        lines.get(line.checked_sub(1)? as usize)?.chars().take(column.saturating_sub(1) as usize).collect();
    if !message.contains("expected a \";\"") || !own.trim().is_empty() {
        return None;
    }
    let before = lines[..line as usize - 1].iter().rposition(|line| !line.trim().is_empty())?;
    let column = lines[before].trim_end().chars().count() as u32;
    Some((before as u32 + 1, column))
}

/// The hint for a variable that is used before it has a value.
pub(super) fn without_value(name: &str, line: u32, text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(code).take(line as usize).collect();
    let source = lines.last()?;
    let call = CALLS.iter().map(|(call, ..)| *call).find(|call| source.contains(&format!("{call}(")))?;
    if call == "cudaMalloc" {
        return Some(format!(
            "`cudaMalloc` sets the pointer, and needs its address for that: `cudaMalloc(&{name}, bytes)`"
        ));
    }
    Some(format!(
        "`{name}` is a pointer that points nowhere yet. On the host, declare an array in its place, `uint32_t {name}[256];`; on the GPU, call \
         `cudaMalloc(&{name}, bytes)` before"
    ))
}

/// The arguments of a call in this line.
fn listed(line: &str, name: &str) -> Option<Vec<String>> {
    let at = places(line, name).next()?;
    let rest = line[at + name.len()..].trim_start().strip_prefix('(')?;
    let mut depth = 1;
    let end = rest.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        depth == 0
    })?;
    Some(arguments(&rest[..end.0]))
}

/// The first argument of an atomic that is the address of a row of an array, with an index too few.
fn row(name: &str, line: &str, message: &str, text: &str) -> Option<String> {
    let (_, size) = message.split_once("argument types are: (")?.1.split(',').next()?.split_once("(*)[")?;
    let size = size.trim_end_matches([']', ')']);
    let given = listed(line, name)?;
    let element = given.first()?.trim_start_matches('&');
    let array = element.split('[').next()?;
    let (own, _) = indices(&element[array.len()..])?;
    // Where the file names one element of it, with its last index.
    let mut others = text.lines().map(code).filter_map(|line| {
        let at = places(line, array).find(|at| line[at + array.len()..].starts_with('['))?;
        let (found, _) = indices(&line[at + array.len()..])?;
        (has(line, name) && found.len() > own.len()).then(|| found.last().copied())?
    });
    let last = others.next_back().unwrap_or("…");
    let rest = given[1..].join(", ");
    Some(format!(
        "`{element}` is a row of {size} elements, because `{array}` is an array with rows and columns: an index is missing. Name one element of the row, \
         `{name}(&{element}[{last}], {rest})`"
    ))
}

/// The first argument of an atomic that is a value, or of a type that has none.
fn not_an_address(name: &str, line: &str, message: &str) -> Option<String> {
    let given = listed(line, name)?;
    let first = given.first()?;
    let types = message.split_once("argument types are: (")?.1;
    let first_type = types.split(',').next()?.trim();
    if !first_type.ends_with('*') {
        let rest = &given[1..];
        return Some(format!(
            "`{name}` needs the address of what it changes: `{name}({})`",
            std::iter::once(format!("&{first}")).chain(rest.iter().cloned()).collect::<Vec<_>>().join(", ")
        ));
    }
    let narrow = ["uint8_t", "char", "uint16_t", "short"].iter().any(|narrow| has(first_type, narrow));
    narrow.then(|| {
        format!(
            "`{name}` changes whole words: count in `int` or `uint32_t`, not in `{}`",
            first_type.trim_end_matches(['*', ' '])
        )
    })
}

/// A name before `[` that is declared without a `*` in the head of its kernel.
fn not_a_pointer(line: u32, text: &str) -> Option<String> {
    let kernel = kernel_to(line, text)?;
    let (_, source) = kernel.last()?;
    let indexed = source.match_indices('[').map(|(at, _)| {
        let before = source[..at].trim_end();
        last_name(before)
    });
    let head = kernel.iter().position(|(_, line)| line.contains('{'))?;
    indexed.filter(|name| !name.is_empty()).find_map(|name| {
        kernel[..=head].iter().find_map(|(number, line)| {
            let parameter = line.split(['(', ',', ')']).find(|part| part.trim_end().ends_with(name) && has(part, name))?;
            let kind = parameter.trim().strip_suffix(name)?.trim();
            (!kind.contains('*') && !kind.is_empty()).then(|| {
                format!(
                    "line {number} declares `{name}` as one number: `{kind} {name}`. For a pointer to many, write `{kind}* {name}`"
                )
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn what_a_line_lacks_is_told() {
        let few = "too few arguments in function call";
        for (message, line, part) in [
            (
                few,
                "cudaMemcpy(counts, bins, sizeof(counts));",
                "3 of 4 arguments: `cudaMemcpy(to, from, bytes, direction)`",
            ),
            (few, "WORKBOOK_CHECK(cudaMalloc(&bins));", "1 of 2 arguments"),
            (
                "no instance of overloaded function \"atomicAdd\" matches the argument list; argument types are: (uint32_t, int)",
                "atomicAdd(bins[gray[i]], 1);",
                "`atomicAdd(&bins[gray[i]], 1)`",
            ),
            (
                "no instance of overloaded function \"atomicAdd\" matches the argument list; argument types are: (uint8_t *, int)",
                "atomicAdd(&bins[gray[i]], 1);",
                "not in `uint8_t`",
            ),
            (
                "no instance of overloaded function \"atomicAdd\" matches the argument list; argument types are: (uint32_t (*)[32], int)",
                "atomicAdd(&counts[gray[i]], 1);\natomicAdd(&counts[level][lane], 1);",
                "`counts[gray[i]]` is a row of 32 elements, because `counts` is an array with rows and columns: an index is missing. Name one element of \
                 the row, `atomicAdd(&counts[gray[i]][lane], 1)`",
            ),
            (
                "initializer not allowed for __shared__ variable",
                "__shared__ int a[4] = {0};",
                "leave out the value",
            ),
        ] {
            let said = told(message, 1, 0, line).unwrap_or_default();
            assert!(said.contains(part), "{line}: {said}");
        }
        let said = told("expected a \";\"", 1, 12, "gray[i] = a);").unwrap_or_default();
        assert!(said.starts_with("this `)` closes nothing"), "{said}");
        assert_eq!(told("expected a \";\"", 1, 5, "int i j;"), None);
        assert_eq!(told(few, 1, 0, "luma(r, g);"), None);
    }

    #[test]
    fn a_parameter_that_should_be_a_pointer_is_told() {
        let text =
            "__global__ void k(const uint8_t rgb,\n                  int n) {\n    int r = rgb[3 * n];\n}\n";
        let message = "expression must have pointer-to-object type but it has type \"int\"";
        let said = told(message, 3, 0, text).unwrap_or_default();
        assert!(
            said.starts_with("line 1 declares `rgb` as one number") && said.ends_with("`const uint8_t* rgb`"),
            "{said}"
        );
        assert_eq!(told(message, 3, 0, &text.replace("8_t rgb", "8_t* rgb")), None);
    }

    #[test]
    fn a_missing_semicolon_is_at_the_end_of_the_line_before() {
        let text = "int i = 3  // three\n\n    if (i)\n    a b;\n";
        let message = "expected a \";\"";
        assert_eq!(end_before(message, 3, 5, text), Some((1, 9)));
        assert_eq!(end_before(message, 4, 7, text), None);
        assert_eq!(end_before("expected a \")\"", 3, 5, text), None);
    }

    #[test]
    fn a_pointer_that_points_nowhere_is_told() {
        let said = |line: &str| without_value("bins", 1, line).unwrap_or_default();
        assert!(said("cudaMalloc((void**)bins, 4);").contains("`cudaMalloc(&bins, bytes)`"));
        assert!(said("cudaMemset(bins, 0, 4);").contains("points nowhere yet"));
        assert_eq!(said("sum += bins;"), "");
    }
}
