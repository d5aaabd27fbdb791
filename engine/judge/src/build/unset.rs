//! Sums and counters that are declared without a value and then added to.

use crate::build::code::{code, has, is_part, places};

/// What to try.
pub const HINT: &str = "give a sum or a counter its first value where it is declared: `int sum = 0, count = 0;`. What depends on a \
                        variable without a value is undefined, and the compiler may leave it out";

/// Types of sums.
const TYPES: [&str; 14] = [
    "int", "unsigned", "long", "float", "double", "uint32_t", "int32_t", "uint64_t", "int64_t", "size_t",
    "uint8_t", "uint16_t", "short", "char",
];

/// The first such variables, as a fact.
pub fn told(source: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().map(code).collect();
    lines.iter().enumerate().find_map(|(at, line)| {
        let names: Vec<(&str, usize)> =
            declared(line).into_iter().filter_map(|name| Some((name, added(name, at, &lines)?))).collect();
        let (_, used) = *names.first()?;
        let quoted: Vec<String> = names.iter().map(|(name, _)| format!("`{name}`")).collect();
        let it = if names.len() > 1 { "them" } else { "it" };
        let first = at + 1;
        Some(format!(
            "line {first} declares {} without a value, and line {used} adds to {it}",
            quoted.join(" and ")
        ))
    })
}

/// The variables that a line declares without a value.
fn declared(line: &str) -> Vec<&str> {
    if ["__shared__", "__constant__", "__device__", "extern", "static"].iter().any(|word| has(line, word)) {
        return Vec::new();
    }
    line.split_inclusive([';', '{', '}']).filter_map(declarators).flatten().collect()
}

fn declarators(statement: &str) -> Option<Vec<&str>> {
    let statement = statement.strip_suffix(';')?.trim_start();
    let word = |text: &str| text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    let mut rest = statement;
    while TYPES.contains(&&rest[..word(rest)]) {
        rest = rest[word(rest)..].trim_start();
    }
    let whole = |name: &&str| !name.is_empty() && name.chars().all(is_part);
    (rest.len() < statement.len()).then(|| rest.split(',').map(str::trim).filter(whole).collect())
}

/// The line of the first use of a variable after its declaration in line `at`, if that adds to it.
fn added(name: &str, at: usize, lines: &[&str]) -> Option<usize> {
    let ends = |line: &&(usize, &&str)| !line.1.starts_with('}');
    let rest: Vec<(usize, &&str)> = lines.iter().enumerate().skip(at).collect();
    let uses = rest.iter().take_while(ends).flat_map(|(number, line)| {
        places(line, name).map(move |place| (*number + 1, &line[..place], &line[place + name.len()..]))
    });
    // The first is the declaration.
    let (number, before, after) = uses.filter(|(_, before, _)| !before.ends_with(['.', '>'])).nth(1)?;
    let after = after.trim_start();
    let adds = ["+=", "-=", "|=", "^=", "++", "--"].iter().any(|operator| after.starts_with(operator))
        || before.ends_with("++")
        || before.ends_with("--");
    adds.then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_variables_whose_first_use_adds_to_them_are_told() {
        for (text, names) in [
            ("int sum, count;\nfor (;;) {\n  sum += 1;\n  count++;\n", Some("`sum` and `count`")),
            ("int sum, count = 0;\ncount++; sum += 2;", Some("`sum`")),
            ("{ unsigned int n; if (a)\n ++n; }", Some("`n`")),
            ("int sum = 0;\nsum += 1;", None),
            ("int sum;\nsum = 0;\nsum += 1;", None),
            ("struct Range {\n  int low, high;\n};\nrange.low++; low += 1;", None),
            ("__shared__ int sum;\nsum += 1;", None),
            ("int k;\nfor (k = 0; k < 5; k++) {}", None),
            ("int n; r.n += 1; read(&n); n++;", None),
            ("return sum;\nsum += 1;", None),
        ] {
            let said = told(text);
            let right = said.as_deref().map_or(names.is_none(), |said| {
                names.is_some_and(|names| said.contains(&format!("line 1 declares {names} without")))
            });
            assert!(right, "{text}: {said:?}");
        }
    }
}
