//! The student's text as code: lines without comments, whole identifiers, comparisons, the kernel around a line.

use std::cell::Cell;

use super::expression::parsed;

/// A line without its comment.
pub fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

/// The lines of a text without their comments, with their numbers from 1.
pub fn numbered_lines(text: &str) -> impl Iterator<Item = (u32, &str)> + Clone {
    (1..).zip(text.lines().map(code))
}

/// A line of a text without its comment; nothing, if there is none.
pub fn line_of(text: &str, line: u32) -> &str {
    text.lines().nth(line.saturating_sub(1) as usize).map_or("", code)
}

/// The line that a byte of a text stands in, from 1.
pub fn line_at(text: &str, at: usize) -> u32 {
    1 + text[..at].matches('\n').count() as u32
}

/// The name at the end of a text, or nothing.
pub fn last_name(text: &str) -> &str {
    &text[text.trim_end_matches(is_part).len()..]
}

/// Whether a line begins a function, a variable or a type outside all others, as files that are laid out in lines have it.
pub fn is_outermost(line: &str) -> bool {
    line.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The line in which the function around a line begins, and its name.
pub fn function_of<'a>(lines: &[(u32, &'a str)], line: u32) -> Option<(u32, &'a str)> {
    let before = &lines[..(line as usize).min(lines.len())];
    let (number, head) = before.iter().rev().find(|(_, line)| is_outermost(line))?;
    Some((*number, head.split('(').next().map_or("", last_name)))
}

/// The lines of the host function of this name, with their numbers, up to the brace that ends it.
pub fn host_function<'a>(text: &'a str, name: &str) -> Vec<(u32, &'a str)> {
    numbered_lines(text)
        .skip_while(|(_, line)| !line.contains(&format!("void {name}(")))
        .take_while(|(_, line)| !line.starts_with('}'))
        .collect()
}

/// The last line of a loop whose head is in line `head`: that of its closing brace, or its only statement.
pub fn end_of_loop(lines: &[&str], head: usize) -> Option<usize> {
    let mut open = 0;
    (head..lines.len()).find(|at| {
        open += lines[*at].matches('{').count() as i32 - lines[*at].matches('}').count() as i32;
        open <= 0 && lines[*at].trim_end().ends_with([';', '}'])
    })
}

/// The place of the parenthesis that closes the one before a text.
pub fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    text.find(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    })
}

/// Whether a character belongs to an identifier.
pub fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a text is a name, or a number, alone.
pub fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_part)
}

/// The number that a text begins with.
pub fn leading_number(text: &str) -> Option<u32> {
    text.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The positions of `name` in `text` as a whole identifier.
pub fn places<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(name).map(|(at, _)| at).filter(move |at| {
        !name.is_empty() && !text[..*at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    })
}

/// Whether a text has this identifier.
pub fn has(text: &str, name: &str) -> bool {
    places(text, name).next().is_some()
}

/// The identifiers of a text, in its order.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let name = |word: &&str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    text.split(|c: char| !is_part(c)).filter(name)
}

/// The lines of the kernel in which a line stands, from the one with `__global__` to this one, with their numbers and without comments;
/// `None` outside a kernel.
pub fn kernel_to(line: u32, text: &str) -> Option<Vec<(u32, &str)>> {
    let lines: Vec<(u32, &str)> = numbered_lines(text).take(line as usize).collect();
    let starts = |text: &str| ["__global__", "__device__"].into_iter().find(|word| has(text, word));
    let (at, start) = lines.iter().enumerate().rev().find_map(|(at, (_, text))| {
        // A variable of the GPU is no function.
        starts(text).filter(|_| text.contains('(') || !text.contains(';')).map(|start| (at, start))
    })?;
    // A function that begins at the first column after it is another one.
    let ended = lines[at..].iter().skip(1).any(|(number, text)| text.starts_with('}') && *number < line);
    (start == "__global__" && !ended).then(|| lines[at..].to_vec())
}

/// The comparisons of a line: left side, operator, right side, each side up to the next bracket or logical operator.
pub fn comparisons(line: &str) -> Vec<(&str, &str, &str)> {
    let ends = |c: char| "(){};,&|?:=!<>".contains(c);
    let mut found = Vec::new();
    for (at, c) in line.char_indices().filter(|(_, c)| ['<', '>'].contains(c)) {
        let (before, rest) = (&line[..at], &line[at + 1..]);
        // `<<`, `>>`, `->`, and the brackets of templates and launches.
        if before.ends_with(['<', '>', '-']) || rest.starts_with(['<', '>']) {
            continue;
        }
        let (operator, rest) = match rest.strip_prefix('=') {
            Some(rest) => (if c == '<' { "<=" } else { ">=" }, rest),
            None => (if c == '<' { "<" } else { ">" }, rest),
        };
        let left = before.rsplit(ends).next().unwrap_or_default().trim();
        let right = rest.split(ends).next().unwrap_or_default().trim();
        let of_types = left.ends_with("_cast") || right.ends_with('*');
        if !left.is_empty() && !right.is_empty() && !of_types {
            found.push((left, operator, right));
        }
    }
    found
}

/// Constants one below the other, and all that are looked up for a value: each is looked for in the whole text.
const DEEPEST: usize = 8;
const LOOK_UPS: u32 = 64;

/// The value of a constant expression of numbers and names that the text gives one.
pub fn value(expression: &str, text: &str) -> Option<u64> {
    evaluated(expression, text, DEEPEST, &Cell::new(LOOK_UPS))
}

fn evaluated(expression: &str, text: &str, depth: usize, left: &Cell<u32>) -> Option<u64> {
    let depth = depth.checked_sub(1)?;
    let names = |name: &str| i64::try_from(constant(name, text, depth, left)?).ok();
    parsed(expression)?.value(&names)?.try_into().ok()
}

/// The value of a constant of the text.
fn constant(name: &str, text: &str, depth: usize, left: &Cell<u32>) -> Option<u64> {
    left.set(left.get().checked_sub(1)?);
    let mut given = text.lines().map(code).filter_map(|line| {
        let at = places(line, name).next()?;
        let (before, after) = (&line[..at], &line[at + name.len()..]);
        if before.trim_end().ends_with("#define") {
            return Some(after);
        }
        let constant = has(line, "const") || has(line, "constexpr");
        let assigned =
            after.trim_start().strip_prefix('=').filter(|rest| constant && !rest.starts_with('='))?;
        Some(assigned.split([';', ',']).next().unwrap_or_default())
    });
    // With two definitions that differ, which one counts is not known.
    let first = given.next().filter(|first| given.all(|other| other == *first))?;
    evaluated(first, text, depth, left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_told_from_shifts_and_launches() {
        assert_eq!(
            comparisons("if (x >= width || y + 1 < height && p->x >> 2) k<<<n, 1>>>();"),
            [("x", ">=", "width"), ("y + 1", "<", "height")]
        );
        assert_eq!(comparisons("for (int b = t; b <= 256; b += 256)"), [("b", "<=", "256")]);
        assert_eq!(comparisons("const auto p = reinterpret_cast<const uint4*>(gray);"), []);
    }

    #[test]
    fn constants_have_values() {
        let text = "constexpr int side = 16, halo = 2;\n#define ROWS (side / 2)\nint n = 4;\nconst int twice = 64;\nconst int twice = 64;\n\
                    const int differs = 1;\nconst int differs = 2;\n";
        for (expression, is) in [
            ("side + 2 * halo", Some(20)),
            ("ROWS + 2*halo", Some(12)),
            ("(side - 1) * 2u", Some(30)),
            ("n", None),
            ("side % 3", Some(1)),
            ("side[3]", None),
            ("twice", Some(64)),
            ("differs", None),
        ] {
            assert_eq!(value(expression, text), is, "{expression}");
        }
    }

    #[test]
    fn the_kernel_around_a_line_begins_at_its_first_one() {
        let text = "__device__ int f(int a) {\n    return a;\n}\n__global__ void k(int* a) {\n    a[0] = 1;\n}\nvoid h() {\n    g();\n}\n";
        assert_eq!(kernel_to(5, text).map(|lines| lines[0].0), Some(4));
        assert_eq!(kernel_to(2, text), None);
        assert_eq!(kernel_to(8, text), None);
    }
}
