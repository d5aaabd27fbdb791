//! Arrays with several sides: their elements by rows and columns, as the student's text names them.

use runtime::finding::Finding;

use super::code::{code, has, is_part, line_of, numbered_lines, places, value};

/// The words that make a declaration one of an array that findings name.
const SPACES: [&str; 3] = ["__shared__", "__constant__", "__device__"];

/// Writes elements in the message and the labels as `tile[13][2]` instead of `tile[470]`, and says what the array holds if an index
/// leaves it.
pub fn explained(finding: &mut Finding, text: &str) {
    let past = finding.code == "W0106";
    if let Some(line) = finding.line {
        let message = shaped(&finding.message, line, text);
        if past
            && message != finding.message
            && let Some((name, sides)) = first_element(&finding.message)
                .and_then(|(name, _)| Some((name, declared(name, line, text)?)))
        {
            let declared = in_brackets(&sides);
            let last: Vec<String> = sides.iter().map(|side| format!("0 to {}", side - 1)).collect();
            // An index with a constant beside it may be that of a neighbour.
            let source = line_of(text, line);
            let halo =
                has(source, "threadIdx") || !["atomic", "%", "/"].iter().any(|part| source.contains(part));
            finding.hint = format!(
                "`{name}{declared}` has the indices {}. Work out which rows and columns the threads of a block fill and read{}: an index is too large, or the \
                 array too small. A column past the end of a row is the first one of the next row",
                last.join(" and "),
                if halo { ", with the halo on both sides if there is one" } else { "" }
            );
            finding.message = in_rows(&message, name, &sides);
        } else {
            finding.message = message;
        }
    }
    for label in &mut finding.labels {
        label.text = shaped(&label.text, label.line, text);
    }
}

/// The message with each `name[434]` of an array with several sides by its indices.
pub fn shaped(message: &str, line: u32, text: &str) -> String {
    let mut parts: Vec<String> = message.split('`').map(str::to_owned).collect();
    for part in parts.iter_mut().skip(1).step_by(2) {
        let Some((name, index)) = element(part) else { continue };
        let Some(sides) = declared(name, line, text) else { continue };
        let mut rest = index;
        let mut indices: Vec<u64> = Vec::new();
        for side in sides[1..].iter().rev() {
            indices.push(rest % side);
            rest /= side;
        }
        indices.push(rest);
        indices.reverse();
        *part = format!("{name}{}", in_brackets(&indices));
    }
    parts.join("`")
}

/// The number of elements by rows and columns: `256 × 32 elements` for the 8192 of `counts`.
fn in_rows(message: &str, name: &str, sides: &[u64]) -> String {
    let whole = format!("but `{name}` has {} elements", sides.iter().product::<u64>());
    let shown: Vec<String> = sides.iter().map(u64::to_string).collect();
    message.replace(&whole, &format!("but `{name}` has {} elements", shown.join(" × ")))
}

/// `[13][2]`.
fn in_brackets(numbers: &[u64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    format!("[{}]", numbers.join("]["))
}

/// The first element in backticks.
fn first_element(message: &str) -> Option<(&str, u64)> {
    message.split('`').skip(1).step_by(2).find_map(element)
}

/// Name and index of `tile[434]`.
fn element(part: &str) -> Option<(&str, u64)> {
    let (name, index) = part.strip_suffix(']')?.split_once('[')?;
    (!name.is_empty() && name.chars().all(is_part)).then_some(())?;
    Some((name, index.parse().ok()?))
}

/// The sides of the array that the nearest declaration at or above a line gives, if there are several and all are known.
fn declared(name: &str, line: u32, text: &str) -> Option<Vec<u64>> {
    let (_, sides) = sides(name, line, text)?;
    // An access of several elements at once counts in units of its own.
    let source = text.lines().nth(line.checked_sub(1)? as usize).map_or("", code);
    let whole = !source.contains("_cast<") && !source.contains("__pipeline");
    (sides.len() > 1 && whole).then(|| sides.into_iter().map(i64::unsigned_abs).collect())
}

/// The line of the nearest declaration of an array at or above a line, and its sides, if all are known.
pub fn sides(name: &str, line: u32, text: &str) -> Option<(u32, Vec<i64>)> {
    let lines: Vec<(u32, &str)> = numbered_lines(text).take(line as usize).collect();
    let declares = |(_, line): &&(u32, &str)| SPACES.iter().any(|space| has(line, space)) && has(line, name);
    let (number, declaration) = lines.iter().rev().find(declares)?;
    let at = places(declaration, name).next()?;
    let mut rest = declaration[at + name.len()..].trim_start();
    let mut sides = Vec::new();
    while let Some(inner) = rest.strip_prefix('[') {
        let (side, behind) = inner.split_once(']')?;
        let side = value(side, text).filter(|side| *side > 0)?;
        sides.push(i64::try_from(side).ok()?);
        rest = behind.trim_start();
    }
    (!sides.is_empty()).then_some((*number, sides))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_named_by_their_rows_and_columns() {
        let text = "constexpr int columns = 32;\n__global__ void k() {\n    __shared__ uint8_t tile[12][columns + 4], flat[8];\n    tile[0][0] = flat[0];\n}\n\
                    __global__ void other(int n) {\n    __shared__ int tile[2][3][4];\n    tile[n][0][0] = 1;\n    flat[0] = *reinterpret_cast<int*>(&tile[0][0][0]);\n}\n";
        for (line, told, said) in [
            (
                4,
                "writes `tile[434]`, but `tile` has 432 elements",
                "writes `tile[12][2]`, but `tile` has 432 elements",
            ),
            (4, "reads `flat[7]` and `gray[70]`", "reads `flat[7]` and `gray[70]`"),
            (8, "reads `tile[23]`", "reads `tile[1][2][3]`"),
            (9, "reads `tile[5]`", "reads `tile[5]`"),
        ] {
            assert_eq!(shaped(told, line, text), said);
        }
    }
}
