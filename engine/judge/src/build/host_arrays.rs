//! Arrays of the host that a loop reads past their end, or past the part that a copy has filled: their neighbours hold no values.

use runtime::finding::Finding;

use super::code::{
    comparisons, function_of, has, is_part, kernel_to, last_name, numbered_lines, places, value,
};
use super::guards::assignments;
use super::launches::arguments;
use super::overrun;

/// What messages say of a value whose variable the compiler has lost.
const LOCAL: &str = "a local variable or array";
/// What a message says of an element that an array does not have.
pub const NO_ELEMENT: &str = ", which does not exist";
/// What advice says of an index past the last element.
pub const LAST: &str = " elements, the last of which is ";
/// What it says of an array that is filled in part.
pub const IN_PART: &str = ", of which ";
/// Lines before a read where its loop may begin.
const NEAR: usize = 4;

/// Bytes of the elements of arrays.
const BYTES: [(&str, u64); 10] = [
    ("uint8_t", 1),
    ("char", 1),
    ("uint16_t", 2),
    ("short", 2),
    ("int", 4),
    ("unsigned", 4),
    ("uint32_t", 4),
    ("float", 4),
    ("uint64_t", 8),
    ("double", 8),
];

/// Names the array, and what reads past its end or past what a copy has filled, in place of a general hint.
pub fn explained(finding: &mut Finding, text: &str) {
    if finding.code == "W0602" {
        too_small(finding, text);
        return;
    }
    let used = finding.line.filter(|_| finding.code.starts_with("W02") && finding.message.contains(LOCAL));
    let read =
        finding.labels.iter().find(|label| label.text.contains("is read here")).map(|label| label.line);
    let Some(line) = used.map(|line| read.unwrap_or(line)) else { return };
    if kernel_to(line, text).is_some() {
        return;
    }
    let lines: Vec<(u32, &str)> = numbered_lines(text).collect();
    let Some((_, source)) = lines.get(line as usize - 1) else { return };
    let told = source.match_indices('[').find_map(|(at, _)| {
        let name = &source[source[..at].trim_end_matches(is_part).len()..at];
        let index = source[at + 1..].split_once(']')?.0.trim();
        let array = declared(name, line, &lines, text)?;
        let near = &lines[(line as usize).saturating_sub(NEAR)..line as usize];
        looped_past(index, &array, near, text)
            .or_else(|| begins_past(index, &array, &lines, text))
            .or_else(|| in_part(&array, &lines, text))
    });
    if let Some((what, hint)) = told {
        let named = what.split('`').nth(1).unwrap_or_default();
        for label in &mut finding.labels {
            label.text = label.text.replace("a local variable", &format!("`{named}`"));
        }
        finding.message = finding.message.replace(LOCAL, &what);
        finding.hint = hint;
    }
}

/// An array of the host.
struct Array<'a> {
    name: &'a str,
    line: u32,
    elements: u64,
    bytes: u64,
}

/// The array of numbers of the host that a name means in a line `used`.
fn declared<'a>(name: &'a str, used: u32, lines: &[(u32, &str)], text: &str) -> Option<Array<'a>> {
    let mut arrays = lines.iter().filter_map(|(line, source)| {
        let at = places(source, name).next()?;
        let kind = source[..at].trim();
        let (_, bytes) =
            BYTES.iter().find(|(known, _)| kind == *known || kind.ends_with(&format!(" {known}")))?;
        let size = source[at + name.len()..].strip_prefix('[')?.split_once(']')?.0;
        let elements = value(size, text)?;
        (!has(source, "__shared__") && kernel_to(*line, text).is_none()).then_some(Array {
            name,
            line: *line,
            elements,
            bytes: *bytes,
        })
    });
    arrays.find(|array| is_the_same(array, used, lines))
}

/// The first access of the host to an element that its array does not have: the line, what is used, and why.
pub fn read_past(text: &str) -> Option<(u32, String, String)> {
    looped(text).or_else(|| overrun::in_host(text))
}

/// The first loop of the host that reads an array past its end, without another test of its index.
fn looped(text: &str) -> Option<(u32, String, String)> {
    let lines: Vec<(u32, &str)> = numbered_lines(text).collect();
    lines.iter().enumerate().find_map(|(at, (line, source))| {
        let (_, value) = source.split_once('=').filter(|_| !has(source, "for"))?;
        let (index, array) = value.match_indices('[').find_map(|(open, _)| {
            let index = value[open + 1..].split_once(']')?.0.trim();
            let name = last_name(&value[..open]);
            let loops =
                lines[..at].iter().rev().take(NEAR).any(|(_, line)| has(line, "for") && has(line, index));
            loops.then(|| declared(name, *line, &lines, text)).flatten().map(|array| (index, array))
        })?;
        let near = &lines[(at + 1).saturating_sub(NEAR)..=at];
        let tests = near
            .iter()
            .flat_map(|(_, line)| comparisons(line))
            .filter(|(left, _, right)| [left, right].contains(&&index));
        let own = tests.count() == 1
            && kernel_to(*line, text).is_none()
            && !near.iter().any(|(_, line)| has(line, "break"));
        let (what, why) = looped_past(index, &array, near, text).filter(|_| own)?;
        Some((*line, what, why))
    })
}

/// Whether the name of an array means it in this line, too: in its function, or in a function that gets it under the same name.
fn is_the_same(array: &Array<'_>, line: u32, lines: &[(u32, &str)]) -> bool {
    let (Some((own, _)), Some((other, name))) = (function_of(lines, array.line), function_of(lines, line))
    else {
        return false;
    };
    let rest = lines.iter().skip(array.line as usize).take_while(|(_, line)| !line.starts_with('}'));
    let gets = |line: &str| {
        let list = line.split_once(&format!("{name}(")).map_or("", |(_, list)| list);
        list.split([',', ')']).any(|argument| argument.trim() == array.name)
    };
    own == other || rest.into_iter().any(|(_, line)| gets(line))
}

/// What is read past the end of an array, and why.
fn past(array: &Array<'_>, line: u32, said: &str) -> (String, String) {
    let Array { name, line: declared, elements, .. } = array;
    let what = format!("`{name}[{elements}]`{NO_ELEMENT}");
    let last = elements.saturating_sub(1);
    (
        what,
        format!(
            "line {declared} declares `{name}` with {elements}{LAST}`{name}[{last}]`, but line {line} {said}"
        ),
    )
}

/// A loop that lets its index past the last element.
fn looped_past(index: &str, array: &Array<'_>, near: &[(u32, &str)], text: &str) -> Option<(String, String)> {
    near.iter().rev().find_map(|(number, line)| {
        let (_, operator, bound) =
            comparisons(line).into_iter().find(|(left, ..)| *left == index && has(line, "for"))?;
        let last = value(bound, text)? + u64::from(operator == "<=");
        (["<", "<="].contains(&operator) && last > array.elements)
            .then(|| past(array, *number, &format!("goes on to `{index} = {}`", last - 1)))
    })
}

/// An index that begins past the last element.
fn begins_past(
    index: &str,
    array: &Array<'_>,
    lines: &[(u32, &str)],
    text: &str,
) -> Option<(String, String)> {
    let is_first = |(name, from): &(&str, &str)| {
        let first = from.split([';', ',']).next().and_then(|from| value(from, text));
        *name == index && first.is_some_and(|first| first >= array.elements)
    };
    lines.iter().find_map(|line| {
        let given = assignments(std::slice::from_ref(line));
        let said = format!("begins with `{index} = {}`", array.elements);
        given.iter().any(&is_first).then(|| past(array, line.0, &said))
    })
}

/// A copy that fills only a part of an array.
fn in_part(array: &Array<'_>, lines: &[(u32, &str)], text: &str) -> Option<(String, String)> {
    let Array { name, elements, bytes, .. } = array;
    let whole = elements * bytes;
    lines.iter().find_map(|(number, line)| {
        let (to, _, length) = copy(line)?;
        let copied = length_of(&length, text).filter(|copied| to == *name && *copied < whole)?;
        let what = format!("`{name}`{IN_PART}line {number} fills only {copied} of {whole} bytes");
        let hint = "copy all elements that the host reads (`n * sizeof(element)`: copies count bytes), and read no others";
        Some((what, hint.to_owned()))
    })
}

/// The target, the source and the length of the copy in a line.
fn copy(line: &str) -> Option<(String, String, String)> {
    let list = line.split_once("cudaMemcpy")?.1;
    let list = list.strip_prefix("Async").unwrap_or(list).strip_prefix('(')?.split_once(");")?.0;
    let mut parts = arguments(list).into_iter();
    Some((parts.next()?, parts.next()?, parts.next()?))
}

/// The bytes of the length of a copy, if it is known from the text alone.
fn length_of(length: &str, text: &str) -> Option<u64> {
    let mut length = length.to_owned();
    for (kind, bytes) in BYTES {
        length = length.replace(&format!("sizeof({kind})"), &bytes.to_string());
    }
    value(&length, text)
}

/// Names the array of the host that is smaller than what a copy writes to it, or reads from it.
fn too_small(finding: &mut Finding, text: &str) {
    let Some(line) = finding.line.filter(|_| finding.message.contains(" bytes of host memory that are not"))
    else {
        return;
    };
    let lines: Vec<(u32, &str)> = numbered_lines(text).collect();
    let Some((to, from, length)) = lines.get(line as usize - 1).and_then(|(_, source)| copy(source)) else {
        return;
    };
    let name = if finding.message.starts_with("this call writes") { to } else { from };
    let all = declared(&name, line, &lines, text).map(|array| (array.line, array.elements * array.bytes));
    if let Some((declared, whole)) = all
        && length_of(&length, text).is_some_and(|length| length > whole)
    {
        let (before, _) = finding.message.split_once(" that are not").unwrap_or((&finding.message, ""));
        finding.message = format!("{before}, but `{name}` has {whole} bytes (line {declared})");
    }
}

#[cfg(test)]
mod tests {
    use runtime::finding::{Kind, Severity};

    use super::*;

    #[test]
    fn what_a_host_reads_past_its_values_is_named() {
        let told = |declaration: &str, copy: &str, head: &str| {
            let text = format!(
                "void task() {{\n    {declaration}\n    cudaMemcpy(counts, bins, {copy}, cudaMemcpyDeviceToHost);\n    {head}\n        sum += counts[v];\n}}\n"
            );
            let mut finding = Finding::new(
                "W0201",
                Kind::Initialisation,
                Severity::Error,
                format!("it comes from {LOCAL}"),
                "general",
            );
            finding.line = Some(5);
            explained(&mut finding, &text);
            format!("{}; {}", finding.message, finding.hint)
        };
        let (right, bytes, all) =
            ("uint32_t counts[256];", "256 * sizeof(uint32_t)", "for (int v = 0; v < 256; v++)");
        assert!(told(right, bytes, all).ends_with("general"));
        let said = told(right, bytes, "for (int v = 0; v <= 256; v++)");
        assert!(
            said.contains("`counts[256]`, which does not exist; line 2 declares")
                && said.ends_with("line 4 goes on to `v = 256`"),
            "{said}"
        );
        let said = told("uint32_t counts[255];", bytes, all);
        assert!(said.contains("`counts[255]`, which does not exist"), "{said}");
        let said = told(right, bytes, "for (int v = 256; v >= 0; v--)");
        assert!(said.ends_with("line 4 begins with `v = 256`"), "{said}");
        let reads = |declaration: &str, head: &str, body: &str| {
            let text = format!("void task() {{\n    {declaration}\n    {head}\n        {body}\n}}\n");
            read_past(&text).map(|(line, what, _)| (line, what))
        };
        let (past, body) = ("for (int v = 0; v <= 256; v++)", "sum += counts[v];");
        assert_eq!(reads(right, past, body), Some((4, format!("`counts[256]`{NO_ELEMENT}"))));
        assert_eq!(reads(right, "for (int v = 0; v < 256; v++)", body), None);
        assert_eq!(reads(right, past, "sum += v < 256 ? counts[v] : 0;"), None);
        assert_eq!(reads("uint32_t* counts = all;", past, body), None);
        let helped = |list: &str| {
            let text = format!(
                "void sums(const uint32_t* counts) {{\n    {past}\n        {body}\n}}\nvoid task() {{\n    {right}\n    sums({list});\n}}\n"
            );
            read_past(&text).map(|(line, ..)| line)
        };
        assert_eq!([helped("counts"), helped("others")], [Some(3), None]);
        let gone = Some((4, format!("`counts[256]`{NO_ELEMENT}")));
        for (head, body) in [
            ("{", "odd = counts[256];"),
            ("for (int v = 0; v < 256; v++)", "odd += counts[v + 1];"),
            (past, "if (counts[v] > 0) odd++;"),
            ("for (int v = 256; v > 0; v--)", "odd = counts[v];"),
            (past, "counts[v] = 0;"),
        ] {
            assert_eq!(reads(right, head, body), gone, "{head} {body}");
        }
        for (head, body) in [
            (past, "if (v < 256 && counts[v] > 0) odd++;"),
            (past, "odd = v < 256 ? counts[v] : 0;"),
            ("if (width > 3) return; {", "odd = counts[256];"),
            ("if (width > 3)", "odd = counts[256];"),
            ("while (left--)", "odd = counts[256];"),
            ("{", "const uint32_t* end = &counts[256];"),
            ("for (int v = 0; v <= 256; v++) if (v < 256)", "odd = counts[v];"),
            ("for (int v = 0; v <= 256; v++) {", "if (v == 256) break; odd += counts[v]; }"),
        ] {
            assert_eq!(reads(right, head, body), None, "{head} {body}");
        }
        let said = told(right, "256", all);
        assert!(said.contains("`counts`, of which line 3 fills only 256 of 1024 bytes"), "{said}");
        assert_eq!(
            copy("cudaMemcpyAsync(counts, bins, 4 * n, kind, stream);").map(|(.., length)| length).as_deref(),
            Some("4 * n")
        );
    }

    #[test]
    fn an_array_of_the_host_that_a_copy_does_not_fit_into_is_named() {
        let told = |size: &str| {
            let text = format!(
                "void task() {{\n    int counts[{size}];\n    cudaMemcpy(counts, bins, 256 * sizeof(int), cudaMemcpyDeviceToHost);\n}}\n"
            );
            let message = "this call writes 1024 bytes of host memory that are not all allocated".to_owned();
            let mut finding = Finding::new("W0602", Kind::Host, Severity::Error, message, "");
            finding.line = Some(3);
            explained(&mut finding, &text);
            finding.message
        };
        let said = "this call writes 1024 bytes of host memory, but `counts` has 256 bytes (line 2)";
        assert_eq!(told("64"), said);
        assert!(told("256").ends_with("not all allocated"));
        assert!(told("n").ends_with("not all allocated"));
    }
}
