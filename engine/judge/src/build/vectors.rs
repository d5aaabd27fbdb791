//! Accesses of a whole vector past the end, in a loop over groups of elements: a loop that counts a group too many, or an index that counts
//! something else.

use runtime::finding::Finding;

use super::code::{closing, comparisons, has, places, words};
use super::guards::assignments;

/// What the loop around the last of these lines of a kernel, which accesses a vector, or its index does wrong.
pub fn told(finding: &Finding, kernel: &[(u32, &str)]) -> Option<String> {
    let (_, access) = kernel.last()?;
    let (number, index, operator, bound) = kernel.iter().rev().skip(1).find_map(|(number, line)| {
        let (_, list) = line.split_once("for (")?;
        let head = &list[..closing(list)?];
        let (left, operator, bound) = comparisons(head).into_iter().next()?;
        Some((*number, left, operator, bound)).filter(|_| has(access, left))
    })?;
    let given = assignments(kernel).into_iter().rev().find(|(name, _)| *name == bound);
    let given = given.map_or(bound, |(_, given)| given.trim());
    if operator == "<=" && given.contains('/') && !given.contains('-') {
        return Some(format!(
            "line {number} lets `{index}` = `{bound}` through: `{index} <= {bound}`. Groups are counted from 0, so that the last whole one has the number `{bound} - 1`: \
             likely it should be `{index} < {bound}`"
        ));
    }
    let (line, _) = kernel.iter().find(|(_, line)| line.contains(given))?;
    if given.starts_with("ceil_div(") {
        return Some(format!(
            "line {line} rounds up: `{given}` counts the last group, too, if it is not whole, and this line takes all of it. Let the loop end with the whole groups (`/` \
             rounds down), and take what is left one by one"
        ));
    }
    let factor = factor(access, index).filter(|_| is_byte_per_pixel(finding))?;
    given.contains('/').then(|| {
        format!(
            "the loop of line {number} counts groups in `{index}`, and group {index} is number `{index}` of the vectors of a picture of one byte per pixel: this line takes \
             number `{factor}`"
        )
    })
}

/// The index of a vector that is a multiple of the counter: `3 * i` of `reinterpret_cast<uint4*>(gray)[3 * i]`.
fn factor<'a>(access: &'a str, index: &str) -> Option<&'a str> {
    let (_, behind) = access.split_once("_cast<")?.1.split_once(")[")?;
    let inner = behind.split(']').next()?.trim();
    let product = inner.split_once('*')?;
    let number = |text: &str| text.trim().parse::<u32>().is_ok_and(|number| number > 1);
    let is_counter = |text: &str| words(text).eq([index]) && places(text.trim(), index).next() == Some(0);
    let both = number(product.0) && is_counter(product.1) || number(product.1) && is_counter(product.0);
    both.then_some(inner)
}

/// Whether what is accessed has as many bytes as the picture of the first case has pixels: `97 bytes` in `1x97`.
fn is_byte_per_pixel(finding: &Finding) -> bool {
    let bytes = finding
        .message
        .rsplit_once(", which has ")
        .and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
    let pixels = finding.cases.first().and_then(|case| {
        let (_, size) = case.split_once(": ")?;
        let (width, height) = size.split(',').next()?.split_once('x')?;
        Some(width.trim().parse::<u64>().ok()? * height.trim().parse::<u64>().ok()?)
    });
    bytes.is_some() && bytes == pixels
}

#[cfg(test)]
mod tests {
    use runtime::finding::{Kind, Severity};

    use super::*;

    #[test]
    fn a_loop_with_a_group_too_many_is_told() {
        let told = |groups: &str, head: &str, index: &str| {
            let message = "writes 16 bytes at byte 96 of `gray`, which has 97 bytes".to_owned();
            let mut finding = Finding::new("W0101", Kind::Memory, Severity::Error, message, "");
            finding.cases.push("gray_histogram: 1x97, one column".to_owned());
            let lines = [
                format!("    const int vectors = {groups};"),
                format!("    for (int i = thread; {head}; i += step) {{"),
                format!("        reinterpret_cast<uint4*>(gray)[{index}] = v;"),
            ];
            let kernel: Vec<(u32, &str)> = (1..).zip(lines.iter().map(String::as_str)).collect();
            told(&finding, &kernel)
        };
        let starts = |told: Option<String>, with: &str| {
            assert!(told.is_some_and(|told| told.starts_with(with)), "{with}");
        };
        starts(told("pixels / 16", "i <= vectors", "i"), "line 2 lets `i` = `vectors` through");
        starts(told("ceil_div(pixels, 16)", "i < vectors", "i"), "line 1 rounds up");
        starts(told("pixels / 16", "i < vectors", "3 * i"), "the loop of line 2 counts groups");
        assert_eq!(told("pixels / 16", "i < vectors", "i"), None);
        assert_eq!(told("pixels / 16", "i < vectors", "i + 1"), None);
    }
}
