//! Products and sums that are kept in a type of 8 or 16 bits before they are divided.

use crate::build::code::{closing, code, is_part, is_word, last_name, numbered_lines, places};

/// What to try.
pub const HINT: &str = "keep products and sums in an `int`, and make the result a byte only at the end: what does not fit loses its upper bits";

/// The same for levels in a signed byte.
pub const SIGNED: &str = "keep levels in a `uint8_t` or an `int`: a signed byte has no numbers above 127";

/// What to try if a number with digits behind the point becomes an integer.
pub const TRUNCATED: &str = "a conversion to an integer cuts off what stands behind the point: add 0.5f before it, or compute with integers, as the task does";

/// A line that makes an integer of a sum of products in `float`, and does not round it, as a fact.
pub fn truncated(source: &str) -> Option<String> {
    numbered_lines(source).find_map(|(number, line)| {
        let (before, value) = line.split_once(" = ")?;
        let kind = before.trim_start().trim_start_matches("const ").split_once(' ')?.0;
        let integer = ["int", "unsigned", "uint32_t", "uint8_t", "int32_t"].contains(&kind);
        // `0.59f *`, with a digit behind the point.
        let decimal = |part: &str| {
            let word = part.trim_end().rsplit(|c: char| !is_part(c) && c != '.').next().unwrap_or_default();
            word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.')
        };
        let factors: Vec<&str> = value.split('*').collect();
        let products = factors[..factors.len() - 1].iter().filter(|part| decimal(part)).count();
        let half =
            value.split(|c: char| !is_part(c) && c != '.').any(|word| ["0.5", "0.5f", ".5f"].contains(&word));
        let rounds =
            half || ["round", "rint", "_rn", "floor", "ceil", "/"].iter().any(|word| value.contains(word));
        (integer && products > 1 && !rounds && value.trim_end().ends_with(';')).then(|| {
            let name = last_name(before);
            format!("line {number} makes `{name}`, of type `{kind}`, of a sum in `float`")
        })
    })
}

/// Types that hold few numbers, and which.
const TYPES: [(&str, &str); 8] = [
    ("uint8_t", "0 to 255"),
    ("unsigned char", "0 to 255"),
    ("int8_t", "-128 to 127"),
    ("char", "-128 to 127"),
    ("uint16_t", "0 to 65,535"),
    ("unsigned short", "0 to 65,535"),
    ("int16_t", "-32,768 to 32,767"),
    ("short", "-32,768 to 32,767"),
];

/// The first such value, as a fact, and what to try.
pub fn told(source: &str) -> Option<(String, &'static str)> {
    let lines: Vec<&str> = source.lines().map(code).collect();
    lines.iter().enumerate().find_map(|(at, line)| {
        let of = |(name, holds): &(&str, &str)| {
            let number = at + 1;
            let article = if name.starts_with(['i', 'u']) && !name.starts_with("uint") { "an" } else { "a" };
            let cut = is_cast(line, name)
                .then(|| format!("line {number} makes a sum or product {article} `{name}`, which holds {holds}, and divides it then"));
            let kept = || {
                let variable = declared(line, name, &lines[at + 1..])?;
                Some(format!("line {number} keeps `{variable}`, a sum or product, in {article} `{name}`, which holds {holds}"))
            };
            let signed = || {
                let (variable, array) = byte(line, name)?;
                Some(format!(
                    "line {number} keeps an element of `{array}` as `{variable}` in {article} `{name}`, which holds {holds}: 200 becomes -56"
                ))
            };
            let count = || {
                let (variable, from, line) = count(line, name, &lines[at + 1..])?;
                let line = at + 1 + line;
                Some(format!(
                    "line {number} makes `{variable}` {article} `{name}`, which holds {holds}, and line {line} gives it a count, `{from}`"
                ))
            };
            cut.or_else(kept).or_else(count).map(|told| (told, HINT)).or_else(|| Some((signed()?, SIGNED)))
        };
        TYPES.iter().find_map(of)
    })
}

/// Whether a sum or product in parentheses is converted to this type, and then divided.
fn is_cast(line: &str, name: &str) -> bool {
    let cast = format!("({name})(");
    line.match_indices(&cast).any(|(at, _)| {
        let inner = &line[at + cast.len()..];
        let Some(end) = closing(inner) else { return false };
        let divides = inner[end + 1..].trim_start();
        is_large(&inner[..end]) && (divides.starts_with('/') || divides.starts_with(">>"))
    })
}

/// A variable of this type that gets a sum or product, or that later lines of its block add to.
fn declared<'a>(line: &'a str, name: &str, after: &[&str]) -> Option<&'a str> {
    let at = places(line, name).next()?;
    let before = line[..at].trim();
    if !["", "const", "for (const", "register"].contains(&before) {
        return None;
    }
    let rest = line[at + name.len()..].trim_start();
    let end = rest.find(|c: char| !is_part(c))?;
    let (variable, value) = (&rest[..end], rest[end..].trim_start().strip_prefix('=')?);
    let adds = |line: &&str| {
        places(line, variable).any(|at| line[at + variable.len()..].trim_start().starts_with("+="))
    };
    let mut block = after.iter().take_while(|line| !line.starts_with('}'));
    let whole = is_large(value)
        && !["/", ">>", "min(", "max(", "clamp", "&", "?", "["].iter().any(|part| cuts(value, part));
    (!variable.is_empty() && (whole || block.any(adds))).then_some(variable)
}

/// A variable of this type that gets an element of an array of counts as it is, here or in a later line of its function: with that element and
/// the number of lines to it.
fn count<'a>(line: &'a str, name: &str, after: &[&'a str]) -> Option<(&'a str, &'a str, usize)> {
    let at = places(line, name).next()?;
    let before = line[..at].trim();
    if !["", "const", "__shared__"].contains(&before) {
        return None;
    }
    let rest = line[at + name.len()..].trim_start();
    let variable = &rest[..rest.find(|c: char| !is_part(c))?];
    let given = |text: &'a str| {
        let from = text.trim_start().strip_prefix('=')?.trim_start().split_once(';')?.0.trim_end();
        // `count`, which another line gives an element.
        let is_kept = || {
            let set = format!("{from} = ");
            let is_set = |line: &&str| {
                line.split_once(&set).is_some_and(|(before, value)| {
                    let wide =
                        ["uint32_t", "unsigned", "int"].iter().any(|kind| before.trim_end().ends_with(kind));
                    wide && value.trim().strip_suffix(';').is_some_and(is_count)
                })
            };
            from.chars().all(is_part) && after.iter().take_while(|line| !line.starts_with('}')).any(is_set)
        };
        (is_count(from) || is_kept()).then_some(from)
    };
    let ends = rest[variable.len()..].trim_start();
    if variable.is_empty() || !ends.starts_with(['=', ';']) {
        return None;
    }
    if let Some(from) = given(ends) {
        return Some((variable, from, 0));
    }
    let block = after.iter().take_while(|line| !line.starts_with('}')).enumerate();
    let mut sets = block.filter_map(|(number, line)| {
        places(line, variable)
            .find_map(|at| Some((variable, given(&line[at + variable.len()..])?, number + 1)))
    });
    sets.next()
}

/// Whether a text is an element of an array of counts.
fn is_count(text: &str) -> bool {
    let Some((array, index)) = text.split_once('[') else { return false };
    let counts = ["bins", "counts", "cdf", "histogram", "sums"].contains(&array);
    counts && index.ends_with(']') && index.matches(']').count() == 1
}

/// A variable of a signed byte that gets an element of an array, and the array.
fn byte<'a>(line: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    let declares = ["char", "int8_t"].contains(&name);
    let at = places(line, name).next().filter(|_| declares)?;
    let before = line[..at].trim();
    if !["", "const"].contains(&before) {
        return None;
    }
    let (variable, value) = line[at + name.len()..].split_once('=')?;
    let (array, index) = value.trim().strip_suffix(';')?.split_once('[')?;
    let whole = index.ends_with(']') && index.matches(']').count() == 1;
    (whole && is_word(variable.trim()) && is_word(array)).then_some((variable.trim(), array))
}

/// Whether a value is cut to size; an index in brackets may stand in a product.
fn cuts(value: &str, part: &str) -> bool {
    if part == "[" { !value.contains('*') } else { value.contains(part) }
}

/// Whether an expression multiplies outside brackets.
fn is_large(value: &str) -> bool {
    let mut depth = 0_i32;
    value.chars().any(|c| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        depth == 0 && c == '*'
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_in_float_that_is_cut_off_is_told() {
        let said = "line 1 makes `level`, of type `int`, of a sum in `float`";
        assert_eq!(
            truncated("    const int level = 0.3f * r + 0.59f * g + 0.11f * b;").as_deref(),
            Some(said)
        );
        for right in [
            "    const int level = 0.3f * r + 0.59f * g + 0.11f * b + 0.5f;",
            "    const float level = 0.3f * r + 0.59f * g;",
            "    const int level = __float2int_rn(0.3f * r + 0.59f * g);",
            "    const int level = (30 * r + 59 * g + 50) / 100;",
        ] {
            assert_eq!(truncated(right), None, "{right}");
        }
    }

    #[test]
    fn sums_and_products_in_small_types_are_told() {
        for (text, names) in [
            (
                "    gray[i] = (uint8_t)(30 * rgb[3 * i] + 50) / 100;",
                Some("makes a sum or product a `uint8_t`"),
            ),
            ("    const uint8_t sum = 30 * r + 59 * g + 11 * b;", Some("keeps `sum`")),
            ("    int16_t sum = 0;\n    for (;;) sum += f[k] * rgb[i];", Some("keeps `sum`")),
            (
                "    __shared__ uint8_t min;\n    if (v == 0) min = cdf[v];",
                Some("makes `min` a `uint8_t`, which holds 0 to 255, and line 2 gives it a count, `cdf[v]`"),
            ),
            ("    const uint8_t low = counts[first];", Some("line 1 gives it a count")),
            (
                "    __shared__ uint8_t min;\n    const uint32_t count = bins[v];\n    if (v == 0) min = count;",
                Some("line 3 gives it a count, `count`"),
            ),
            ("    const uint8_t v = table[first];", None),
            ("    __shared__ uint8_t min;\n    min = cdf[v] / n;", None),
            ("    const char r = rgb[3 * i];", Some("keeps an element of `rgb` as `r` in a `char`")),
            ("    char name[4] = \"abc\";", None),
            ("    const uint8_t level = (30 * r + 59 * g + 11 * b + 50) / 100;", None),
            ("    out[i] = (uint8_t)((30 * r + 50) / 100);", None),
            ("    const uint8_t v = gray[3 * i + 1];", None),
            ("    uint8_t n = 0;\n    n = 1;", None),
            ("    const uint8_t* row = gray + y * width;", None),
            ("void k(const uint8_t* gray, uint8_t level) {", None),
        ] {
            let said = told(text).map(|(said, _)| said);
            let right =
                said.as_deref().map_or(names.is_none(), |said| names.is_some_and(|name| said.contains(name)));
            assert!(right, "{text}: {said:?}");
        }
    }
}
