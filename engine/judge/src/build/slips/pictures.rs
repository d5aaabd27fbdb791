//! Slips in the borders, windows, weights and planes of images.

use super::statements::counter;
use super::{BRACKETS, DISTANCE};
use crate::build::code::{closing, comparisons, has, is_part, leading_number, places};
use crate::build::launches::arguments;

/// A row that is moved by a distance along x, or a column by one along y.
pub(super) fn other_distance(line: &str) -> Option<String> {
    let crossed = ["y + dx", "row + dx", "x + dy", "column + dy", "col + dy"];
    let found = crossed.into_iter().find(|text| places(line, text).next().is_some())?;
    Some(format!("computes `{found}`, where a row has a distance along y, and a column one along x"))
}

/// A weight of one colour beside the byte of another.
pub(super) fn weighted(line: &str) -> Option<String> {
    const OF: [(&str, [&str; 4]); 3] = [
        ("red", ["30", "0.3f", "0.30f", "0.299f"]),
        ("green", ["59", "0.59f", "0.59", "0.587f"]),
        ("blue", ["11", "0.11f", "0.11", "0.114f"]),
    ];
    let weight = |text: &str| OF.iter().position(|(_, names)| names.contains(&text));
    // The place in a pixel that an index ends with, of a picture of three bytes.
    let channel = |text: &str| {
        let (array, index) = text.trim().strip_suffix(']')?.split_once('[')?;
        let known = ["rgb", "p", "pixel", "px"].contains(&array);
        let end = index.rsplit_once('+').map_or(index, |(_, end)| end).trim();
        let bare = index.contains('3') && !index.contains('+');
        match end {
            "0" | "1" | "2" => end.parse::<usize>().ok(),
            _ => bare.then_some(0),
        }
        .filter(|_| known && !index.contains('['))
    };
    let terms = line.split_once('=')?.1;
    let close: String = terms.chars().filter(|c| !"()".contains(*c)).collect();
    // An index has its own sums and products.
    let mut depth = 0;
    let parts = close.split(|c: char| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        depth == 0 && (c == '+' || c == ';')
    });
    let mut found = parts.filter_map(|term| {
        let at = if term.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
            term.find('*')
        } else {
            term.rfind('*')
        }?;
        let (one, other) = (term[..at].trim(), term[at + 1..].trim());
        let (own, byte) = weight(one).zip(channel(other)).or_else(|| weight(other).zip(channel(one)))?;
        Some((own, byte, one.to_owned(), other.to_owned()))
    });
    let (own, byte, one, other) = found.find(|(own, byte, ..)| own != byte)?;
    Some(format!(
        "multiplies `{one} * {other}`: the weight is that of {}, and the byte is {}",
        OF[own].0, OF[byte].0
    ))
}

/// Names of the sides of an image.
const SIDES: [&str; 4] = ["width", "height", "w", "h"];

/// Columns or rows of a window that are counted with one too many or too few.
pub(super) fn extent(line: &str) -> Option<String> {
    line.match_indices("min(").find_map(|(at, _)| {
        let list = &line[at + "min(".len()..];
        let end = closing(list)?;
        let [_, bound] = <[String; 2]>::try_from(arguments(&list[..end])).ok()?;
        let behind = list[end + 1..].trim_start().strip_prefix('-')?.trim_start().strip_prefix("max(")?;
        let close = closing(behind)?;
        let zero = arguments(&behind[..close]).contains(&"0".to_owned());
        let one = behind[close + 1..].trim_start();
        let counted = one.strip_prefix('+').is_some_and(|rest| rest.trim_start().starts_with('1'));
        let ends = one.starts_with(';');
        let bare = SIDES.contains(&bound.as_str());
        let last =
            bound.strip_suffix('1').is_some_and(|side| SIDES.contains(&side.trim_end_matches(['-', ' '])));
        let whole = &line[at..line.len() - behind[close + 1..].len()];
        if zero && bare && counted {
            return Some(format!(
                "counts to `{bound}`, `{} + 1`, but the last one is `{bound} - 1`",
                whole.trim()
            ));
        }
        (zero && last && ends)
            .then(|| format!("counts one too few, `{}`: both ends belong to the window", whole.trim()))
    })
}

/// A row that is limited by the width, or a column by the height.
pub(super) fn crossed(line: &str) -> Option<String> {
    line.match_indices("min(").find_map(|(at, _)| {
        let list = &line[at + "min(".len()..];
        let [place, bound] = <[String; 2]>::try_from(arguments(&list[..closing(list)?])).ok()?;
        let side = bound.strip_suffix('1')?.trim_end_matches(['-', ' ']);
        let of = |names: &[&str]| names.iter().any(|name| has(&place, name));
        let (row, column) = (of(&["y", "row", "yy"]), of(&["x", "column", "col", "xx"]));
        let wrong = row && !column && side == "width" || column && !row && side == "height";
        wrong.then(|| format!("limits `{place}`, a {}, by `{bound}`", if row { "row" } else { "column" }))
    })
}

/// A test that leaves out column or row 0.
pub(super) fn first_left_out(line: &str) -> Option<String> {
    let tests = comparisons(line);
    tests.iter().find_map(|(index, operator, bound)| {
        let paired = |other: &str| {
            tests.iter().any(|(own, how, side)| own == index && *how == other && SIDES.contains(side))
        };
        let inside = *operator == ">" && paired("<") && line.contains("&&") && !line.contains("||");
        let outside = *operator == "<=" && paired(">=") && line.contains("||") && !line.contains("&&");
        (*bound == "0" && (inside || outside) && index.chars().all(is_part)).then(|| {
            format!("tests `{index} {operator} 0`, so that `{index}` = 0 counts as outside the image")
        })
    })
}

/// A border that is narrower at its end than at its beginning.
pub(super) fn border(line: &str) -> Option<String> {
    let tests = comparisons(line);
    let narrower = tests.iter().find_map(|(index, operator, bound)| {
        let (side, number) = bound.split_once('-')?;
        let number: u32 = number.trim().parse().ok().filter(|_| *operator == ">=" && SIDES.contains(&side.trim()))?;
        let least = tests.iter().find_map(|(own, how, least)| {
            let number = least.parse::<u32>().ok()?;
            (own == index && *how == "<" && number > 0).then_some(number)
        })?;
        (least > number && line.contains("||")).then(|| {
            format!("begins the border at `{index} >= {bound}`, but ends it at `{index} < {least}` on the other side: one side is narrower")
        })
    });
    if narrower.is_some() {
        return narrower;
    }
    tests.iter().find_map(|(index, operator, bound)| {
        let (side, number) = bound.split_once('-')?;
        let (side, number) = (side.trim(), number.trim());
        let before = tests.iter().any(|(own, how, least)| own == index && *how == "<" && *least == number);
        (*operator == ">" && before && SIDES.contains(&side) && index.chars().all(is_part)).then(|| {
            format!("begins the border at `{index} > {bound}`, but ends it at `{index} < {number}` on the other side: `{side} - {number}` is left to the inner part")
        })
    })
}

/// A product of distances from the middle without its brackets, or without `abs`.
pub(super) fn weight(line: &str, before: &[&str]) -> Option<(String, &'static str)> {
    let close: String = line.split_whitespace().collect();
    let unbracketed = close.match_indices("-abs(").find_map(|(at, _)| {
        let rest = &close[at + "-abs(".len()..];
        let behind = rest[closing(rest)? + 1..].strip_prefix('*')?;
        let number = behind.trim_start_matches(|c: char| c.is_ascii_digit() || c == '(');
        (number.len() < behind.len() && number.starts_with("-abs(") && !behind.starts_with('(')).then_some(())
    });
    if unbracketed.is_some() {
        return Some((format!("multiplies before it subtracts: `{}`", line.trim()), BRACKETS));
    }
    let signed = close.match_indices(")*(").find_map(|(at, _)| {
        let side = |text: &str| {
            let (number, name) = text.split_once('-')?;
            let whole = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty();
            (whole && name.chars().all(is_part) && !name.is_empty()).then(|| name.to_owned())
        };
        let first = side(&close[close[..at].rfind('(')? + 1..at])?;
        let second = side(close[at + 3..].split(')').next()?)?;
        let from_minus = |name: &str| {
            before.iter().any(|line| counter(line) == Some(name) && line.contains(&format!("{name} = -")))
        };
        (from_minus(&first) && from_minus(&second)).then_some(first)
    })?;
    Some((format!("subtracts `{signed}`, which is negative on one side: the weight grows there"), DISTANCE))
}

/// A pixel of three bytes that begins at its number and three.
pub(super) fn pixel(line: &str) -> Option<String> {
    let at = places(line, "rgb").find(|at| line[..*at].trim_end().ends_with('='))?;
    let place = line[at..].split(';').next()?;
    let mut parts = place.split(" + ").skip(1);
    let (name, three) = (parts.next()?, parts.next()?);
    (name.chars().all(is_part) && three == "3" && parts.next().is_none())
        .then(|| format!("lets the pixel `{name}` begin at `{place}`"))
}

/// A loop over neighbours that ends with the first one outside the image.
pub(super) fn ends_at_outside(line: &str) -> Option<String> {
    let outside = comparisons(line).iter().any(|(_, operator, bound)| *operator == "<" && *bound == "0");
    (outside && line.contains("||") && has(line, "break"))
        .then(|| "ends the loop at the first neighbour that lies outside the image".to_owned())
}

/// A weighted sum of the three channels that is divided by another number than the sum of the weights.
pub(super) fn hundred(line: &str) -> Option<String> {
    let close: String = line.split_whitespace().collect();
    // A reciprocal is another factor; an index has its own.
    let mut depth = 0;
    let factors = close.chars().filter(|c| {
        depth += i32::from(*c == '[') - i32::from(*c == ']');
        depth == 0 && *c == '*'
    });
    let weighted = factors.count() == 3 && ["30*", "59*", "11*"].iter().all(|weight| close.contains(weight));
    let behind = |operator: &str| close.rsplit_once(operator).and_then(|(_, rest)| leading_number(rest));
    let (shift, divisor) = (behind(")>>"), behind(")/"));
    let told =
        |how: String, by: u32| (by != 100).then(|| format!("{how}, and the weights 30, 59 and 11 make 100"));
    match (shift.filter(|_| weighted), divisor.filter(|_| weighted)) {
        (Some(bits @ 1..=16), None) => {
            told(format!("shifts by {bits} bits, which divides by {}", 1 << bits), 1 << bits)
        }
        (None, Some(by)) => told(format!("divides by {by}"), by),
        _ => None,
    }
}

/// Most levels that whole weights make together: finer ones come near enough to 30, 59 and 11 of 100.
const COARSE: u32 = 1024;

/// A weighted mean of the three colours with other weights than those of the task.
pub(super) fn other_weights(line: &str) -> Option<String> {
    let (_, value) = line.split_once('=')?;
    let close: String = value.split_whitespace().collect();
    let (sum, behind) = close.strip_prefix('(')?.split_once(')')?;
    let bits = behind.strip_prefix(">>").and_then(leading_number).filter(|bits| *bits < 32);
    let divisor = bits.map(|bits| 1 << bits).or_else(|| behind.strip_prefix('/').and_then(leading_number))?;
    let product = |term: &str| {
        let (one, other) = term.split_once('*')?;
        let weight = one.parse().ok().map(|weight: u32| (weight, other));
        let (weight, colour) = weight.or_else(|| Some((other.parse().ok()?, one)))?;
        Some((weight, ["r", "g", "b"].iter().position(|of| *of == colour)?))
    };
    // Half of the divisor may follow.
    let terms: Vec<&str> = sum.split('+').collect();
    let (products, rest) = terms.split_at_checked(3)?;
    let mut found: Vec<(u32, usize)> =
        products.iter().map(|term| product(term)).collect::<Option<_>>().filter(|_| rest.len() < 2)?;
    found.sort_by_key(|(_, colour)| *colour);
    let [(r, 0), (g, 1), (b, 2)] = found[..] else { return None };
    let is_mean = divisor <= COARSE && r.checked_add(g)?.checked_add(b)? == divisor;
    (is_mean && [100 * r, 100 * g, 100 * b] != [30 * divisor, 59 * divisor, 11 * divisor]).then(|| {
        format!("has the weights {r}, {g} and {b}, which make {divisor}, and the task has 30, 59 and 11")
    })
}

/// A plane of a planar image that begins one element, or one row, after the first.
pub(super) fn plane(line: &str) -> Option<String> {
    let (_, index) = line.split_once("planar_rgb[")?;
    let index = index.split(']').next()?;
    let (_, offset) = index.rsplit_once(" + ")?;
    let wrong = ["1", "2", "width", "2 * width", "height", "2 * height"].contains(&offset);
    (wrong && !index.contains('*') || wrong && index.matches('+').count() == 1 && offset.contains('*'))
        .then(|| format!("reads `planar_rgb[{index}]`, as if a plane began at `{offset}`"))
}
