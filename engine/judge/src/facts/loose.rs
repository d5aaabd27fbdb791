//! What the text of a task leaves loose: parameters that nothing uses, copies whose two sides are exchanged, loops that end or step too
//! early for what is in them.

use crate::build::arguments::{is_output, launches, parameters};
use crate::build::block::body;
use crate::build::code::{code, comparisons, has, is_part, last_name, numbered_lines, words};

/// What to try if nothing uses a parameter.
pub const UNUSED: &str = "follow the data: who should read or write it, and what is used in its place?";
/// What to try if nothing uses an output.
pub const UNWRITTEN: &str =
    "it is an output: store each result in it, at the place of its element, `output[i] = result`";
/// What to try if a copy reads an output.
pub const BACKWARDS: &str = "the first argument of `cudaMemcpy` is where the bytes go, the second where they come from: exchange the two";
/// What to try if one element is taken twice.
pub const SAME: &str =
    "each of the variables is to have an element of its own: which index should the second one have?";
/// What to try if a loop ends too early for its index.
pub const PART: &str = "either the loop counts groups, and takes several elements for each, or it ends at the number of elements";

/// The first of these, as a fact, and what to try. `left_out`: elements are left out.
pub fn told(source: &str, task: &str, left_out: bool) -> Option<(String, &'static str)> {
    let lines: Vec<(u32, &str)> = numbered_lines(source).collect();
    let whole = lines.iter().map(|(_, line)| *line).collect::<Vec<_>>().join(" ");
    let copy = || Some((backwards(&lines, source, task)?, BACKWARDS));
    let parameter = || {
        let (told, output) = unused(&whole, source, task)?;
        Some((told, if output { UNWRITTEN } else { UNUSED }))
    };
    let part = || Some((in_part(&lines).filter(|_| left_out)?, PART));
    let same = || Some((same_element(&lines).filter(|_| left_out)?, SAME));
    copy().or_else(parameter).or_else(part).or_else(same)
}

/// Two variables, one below the other, that get the same element.
fn same_element(lines: &[(u32, &str)]) -> Option<String> {
    let taken = |line: &str| {
        let (name, value) = line.trim().strip_suffix(';')?.split_once(" = ")?;
        let (array, _) = value.strip_suffix(']')?.split_once('[')?;
        (words(name).count() > 1 && array.chars().all(is_part)).then(|| value.to_owned())
    };
    lines.windows(2).find_map(|both| {
        let [first, second] = [both[0], both[1]].map(|(_, line)| taken(line));
        let value = first?;
        (second? == value).then(|| format!("lines {} and {} both take `{value}`", both[0].0, both[1].0))
    })
}

/// A copy that reads an output of the task, which nothing has written.
fn backwards(lines: &[(u32, &str)], source: &str, task: &str) -> Option<String> {
    lines.iter().find_map(|(number, line)| {
        let list = line.split_once("cudaMemcpy(")?.1;
        let mut parts = list.split(',').map(str::trim);
        let (to, from) = (parts.next()?, parts.next()?);
        let wrong = is_output(source, task, from) && !is_output(source, task, to);
        wrong.then(|| format!("line {number} copies from `{from}`, an output of `{task}`, to `{to}`"))
    })
}

/// A pointer that a kernel of the task, or its host function, gets and never names, and whether a kernel may write to it.
fn unused(whole: &str, source: &str, task: &str) -> Option<(String, bool)> {
    let kernel = |name: &str| {
        let body: Vec<&str> = body(source, name).into_iter().map(|(_, line)| line).collect();
        let text = body.join(" ");
        let (head, inside) = text.split_once('{').filter(|(_, inside)| inside.contains(';'))?;
        // A number may be there for another kernel's sake.
        let is_pointer = |name: &str| head.split(',').any(|one| one.contains('*') && has(one, name));
        let loose = |parameter: &String| is_pointer(parameter) && !has(inside, parameter);
        let missing = parameters(whole, name)?.into_iter().find(loose)?;
        let is_input = |one: &str| has(one, &missing) && has(one, "const");
        let output = !head.split(',').any(is_input);
        Some((format!("no line of `{name}` uses its parameter `{missing}`"), output))
    };
    let host = || {
        let (_, rest) = source.split_once(&format!("void {task}("))?;
        let (head, rest) = rest.split_once(')')?;
        let inside = rest.split("\n}").next()?.lines().map(code).collect::<Vec<_>>().join(" ");
        let pointers = head.split(',').filter(|one| one.contains('*')).map(str::trim_end);
        let mut names = pointers.map(last_name);
        let missing = names.find(|name| !has(&inside, name))?;
        Some((format!("no line of `{task}` uses its parameter `{missing}`"), false))
    };
    // Without a launch, nothing uses anything.
    let all = launches(source, task);
    all.first()?;
    host().or_else(|| all.iter().find_map(|launch| kernel(launch.kernel)))
}

/// A loop that ends at a part of the elements, and takes one element for each round.
fn in_part(lines: &[(u32, &str)]) -> Option<String> {
    lines.iter().enumerate().find_map(|(at, (number, line))| {
        let (_, head) = line.split_once("for (")?;
        let (index, _, bound) = comparisons(head).into_iter().find(|(_, operator, _)| *operator == "<")?;
        let (above, parts) = bound.split_once('/')?;
        let parts: u32 = parts.trim().parse().ok().filter(|parts| [2, 3, 4, 8, 16].contains(parts))?;
        let inside = lines[at..].iter().take(3).map(|(_, line)| *line).collect::<Vec<_>>().join(" ");
        let own = format!("[{index}]");
        let mut arrays = inside
            .match_indices(&own)
            .map(|(at, _)| &inside[inside[..at].trim_end_matches(is_part).len()..at]);
        let of_words = |array: &str| {
            array.is_empty()
                || ["uint4", "uint2", "uint32_t", "uchar4", "int"].iter().any(|kind| {
                    lines.iter().any(|(_, line)| {
                        line.contains(&format!("{kind}* {array}"))
                            || line.contains(&format!("{kind} *{array}"))
                    })
                })
        };
        let single = arrays.clone().next().is_some();
        let wide = inside.contains("_cast")
            || inside.contains(&format!("{parts} * {index}"))
            || arrays.any(of_words);
        (single && !wide && ["pixels", "n", "size", "total"].contains(&above.trim())).then(|| {
            format!("the loop of line {number} ends at `{bound}`, but takes one element for each `{index}`")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(kernel: &str, host: &str) -> String {
        format!(
            "__global__ void k(const uint8_t* gray, uint32_t* bins, int n) {{\n{kernel}\n}}\nvoid task(const uint8_t* gray, uint32_t* bins, int n) {{\n{host}\n}}\n"
        )
    }

    #[test]
    fn what_is_left_loose_is_told() {
        let (kernel, host) = (
            "    for (int i = 0; i < n; i += step)\n        bins[gray[i]]++;",
            "    k<<<1, 256>>>(gray, bins, n);",
        );
        for (kernel, host, said) in [
            (kernel.to_owned(), host.to_owned(), None),
            (
                kernel.replace("i < n", "i < n / 4"),
                host.to_owned(),
                Some("the loop of line 2 ends at `n / 4`"),
            ),
            (
                format!(
                    "    const uint4 b = gray[3 * i + 1];\n    const uint4 c = gray[3 * i + 1];\n{kernel}"
                ),
                host.to_owned(),
                Some("lines 2 and 3 both take `gray[3 * i + 1]`"),
            ),
            (
                kernel.replace("gray[i]", "i % 256"),
                host.to_owned(),
                Some("no line of `k` uses its parameter `gray`"),
            ),
            (
                kernel.to_owned(),
                host.replace("bins", "own"),
                Some("no line of `task` uses its parameter `bins`"),
            ),
            (
                kernel.to_owned(),
                format!("{host}\n    cudaMemcpy(local, bins, 1024, cudaMemcpyDeviceToDevice);"),
                Some("line 7 copies from `bins`, an output of `task`, to `local`"),
            ),
        ] {
            let told = told(&file(&kernel, &host), "task", true).map(|(told, _)| told);
            assert_eq!(told.is_some(), said.is_some(), "{kernel}{host}: {told:?}");
            assert!(
                said.is_none_or(|said| told.is_some_and(|told| told.starts_with(said))),
                "{kernel}{host}"
            );
        }
    }
}
