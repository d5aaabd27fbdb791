//! Slips of the pen that the text alone shows, wherever they lead: braces that are missing, `==` for `=`, values that are moved in the wrong
//! order, borders of the image that are one off.

use super::code::{closing, code, comparisons, end_of_loop, has, is_part, last_name, places};
use super::expression::parsed;
use super::launches::arguments;

/// A line, what it does, and what to try.
pub type Slip = (u32, String, &'static str);

const BRACES: &str = "put all lines that belong together in braces, `{ … }`: without them, an `if` or a loop has the next statement only";
const SETS: &str = "`=` sets a variable, and `==` compares";
const OLDEST: &str = "move the oldest value first: each is passed on before its place gets a new one";
const EVERY: &str =
    "each round is to take another element: which index should change with the counter of the loop?";
const BOTH_ENDS: &str = "the columns from a to b are `b - a + 1`, and the last column of an image is `width - 1` (rows: `height - 1`): \
                         `min(x + 2, width - 1) - max(x - 2, 0) + 1`";
const CROSSED: &str = "columns end at `width - 1`, and rows at `height - 1`";
const FIRST: &str = "columns and rows are counted from 0: `>= 0` keeps the first one";
const INNER: &str = "with n neighbours to each side, the inner columns go from n to `width - n - 1`, so that the border begins at `x >= width - n`";
const BRACKETS: &str =
    "`*` binds before `-`: put each difference in brackets, `(3 - abs(dx)) * (3 - abs(dy))`";
const DISTANCE: &str = "the weight falls with the distance to both sides: `3 - abs(dx)`";
const ADDS_UP: &str = "`word >> (8 * k) & 255` takes byte k and leaves the word as it is; or shift the word itself by 8 at the end of each round";
const THREE: &str = "a pixel of `rgb` has three bytes, so that pixel i begins at `3 * i`";
const ROUND: &str = "`break` ends the loop, and the neighbours behind this one may lie inside: `continue` leaves out this one only";
const ONE: &str = "the quotient of two integers is cut off to an integer: divide the sum, `sum / divisor`";
const PLANES: &str = "in a planar image all of R comes first, then G, then B: the planes begin at 0, at `pixels` and at `2 * pixels`";
const REST: &str = "count the threads that take the rest from 0, `4 * quads + (thread - quads)`";
const DIFFERENCE: &str =
    "`/` binds before `-`: put the difference that divides in brackets, `255 * (level - low) / (high - low)`";
const PACK: &str = "a word has four bytes: byte k goes to the bits from 8 * k on, `word |= byte << (8 * k)`";
const BITS: &str = "a byte has 8 bits: byte k of a word has the bits from `8 * k` on, where it is read and where it is stored";
const BYTES: &str = "the funnel shift counts bits, and an address has bytes: `8 * (address % 4)`";
const MASK: &str = "a byte has 8 bits, and its mask is 255 (0xff)";
const WORDS: &str = "byte n of an array of words is byte `n % 4` of the word `n / 4`";
const HUNDRED: &str = "divide the weighted sum by 100, the sum of the weights";
const NEXT_LANE: &str = "the lane beside this one is 1 away: `__shfl_down_sync(mask, value, 1)` or `__shfl_up_sync(mask, value, 1)`";
const DISTANCES: &str = "the column of a neighbour is `x + dx`, and its row `y + dy`: use both counters";
const FROM_ZERO: &str = "a sum begins with 0";
const WEIGHTS: &str = "a pixel has the bytes red, green, blue, in this order, with the weights 30, 59 and 11";
const AREA: &str = "an image has `width * height` pixels";

const FRACTION: &str =
    "the quotient of two integers loses its fraction: write `255.0f`, or multiply before you divide";

/// The first slip of a text.
pub fn told(text: &str) -> Option<Slip> {
    let lines: Vec<&str> = text.lines().map(code).collect();
    unbraced(&lines)
        .or_else(|| moved(&lines))
        .or_else(|| same_in_each_round(&lines))
        .or_else(|| unused_distance(&lines))
        .or_else(|| begins_high(&lines))
        .or_else(|| rest(&lines))
        .or_else(|| other_place(&lines))
        .or_else(|| (1..).zip(&lines).find_map(|(number, line)| in_line(number, line, &lines)))
}

/// A slip that one line shows.
fn in_line(number: u32, line: &str, lines: &[&str]) -> Option<Slip> {
    let told = compared(line, &lines[..number as usize - 1])
        .map(|told| (told, SETS))
        .or_else(|| extent(line).map(|told| (told, BOTH_ENDS)))
        .or_else(|| crossed(line).map(|told| (told, CROSSED)))
        .or_else(|| first_left_out(line).map(|told| (told, FIRST)))
        .or_else(|| border(line).map(|told| (told, INNER)))
        .or_else(|| weight(line, &lines[..number as usize - 1]))
        .or_else(|| adds_up(line, &lines[..number as usize - 1]).map(|told| (told, ADDS_UP)))
        .or_else(|| pixel(line).map(|told| (told, THREE)))
        .or_else(|| ends_at_outside(line).map(|told| (told, ROUND)))
        .or_else(|| inverse(line).map(|told| (told, ONE)))
        .or_else(|| other_distance(line).map(|told| (told, DISTANCES)))
        .or_else(|| weighted(line).map(|told| (told, WEIGHTS)))
        .or_else(|| neighbour(line).map(|told| (told, NEXT_LANE)))
        .or_else(|| difference(line).map(|told| (told, DIFFERENCE)))
        .or_else(|| scale(line, lines).map(|told| (told, FRACTION)))
        .or_else(|| packed(line, &lines[..number as usize - 1]))
        .or_else(|| taken(line))
        .or_else(|| hundred(line).map(|told| (told, HUNDRED)))
        .or_else(|| funnel(line, &lines[..number as usize - 1]).map(|told| (told, BYTES)))
        .or_else(|| plane(line).map(|told| (told, PLANES)))
        .or_else(|| {
            line.contains("= width + height;").then(|| ("computes `width + height`".to_owned(), AREA))
        });
    told.map(|(told, hint)| (number, format!("line {number} {told}"), hint))
}

/// The slip that keeps a loop without an end, or lets an access through, in the kernel of a line or on the host.
pub fn near(line: u32, text: &str) -> Option<Slip> {
    let kernel = |line: u32| super::code::kernel_to(line, text).and_then(|lines| Some(lines.first()?.0));
    let (own, slip) = (kernel(line), told(text)?);
    let of = kernel(slip.0);
    (of.is_none() || of == own).then_some(slip)
}

/// 255 divided by a difference of integers, as an argument or a factor.
fn scale(line: &str, lines: &[&str]) -> Option<String> {
    let at = places(line, "255").find(|at| line[at + 3..].starts_with(" / ("))?;
    let before = line[..at].trim_end();
    let inside = &line[at + " / (".len() + 3..];
    let end = closing(inside)?;
    let (one, other) = inside[..end].split_once(" - ")?;
    let after = inside[end + 1..].trim_start();
    let alone = before.ends_with(['(', ',']) && after.starts_with([')', ','])
        || before.ends_with('=') && after.starts_with([';', '*'])
        || before.ends_with('*')
        || after.starts_with('*') && before.ends_with(['=', '(', ',']);
    let is_integer = |name: &str| {
        let name = name.rsplit('.').next().unwrap_or(name);
        let declares = |kind: &str| {
            lines.iter().any(|line| {
                let mut declared = line.split([';', '(', '{']).filter_map(|part| part.split_once(kind));
                declared.any(|(before, list)| {
                    !before.ends_with(is_part)
                        && list
                            .split(',')
                            .any(|one| one.split('=').next().is_some_and(|own| own.trim() == name))
                })
            })
        };
        let integer =
            ["int ", "unsigned ", "uint32_t ", "uint8_t ", "const int "].iter().any(|kind| declares(kind));
        !name.is_empty()
            && name.chars().all(is_part)
            && integer
            && !declares("float ")
            && !declares("double ")
    };
    (alone && is_integer(one.trim()) && is_integer(other.trim()))
        .then(|| format!("divides integers, `255 / ({})`", &inside[..end]))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Two statements that are indented alike below an `if` or a loop without braces.
fn unbraced(lines: &[&str]) -> Option<Slip> {
    let next = |from: usize| (from + 1..lines.len()).find(|at| !lines[*at].trim().is_empty());
    let heads = ["if (", "for (", "while ("];
    (0..lines.len()).find_map(|head| {
        let text = lines[head].trim();
        let word = heads.into_iter().find(|word| text.starts_with(word))?;
        let (_, list) = text.split_once('(')?;
        (closing(list)? + 1 == list.len()).then_some(())?;
        let inside = next(head)?;
        let outside = next(inside)?;
        let statement = |at: usize| {
            let text = lines[at].trim();
            let own = heads.iter().chain(&["else", "case ", "do ", "}"]).any(|word| text.starts_with(word));
            text.ends_with(';') && !own && indent(lines[at]) > indent(lines[head])
        };
        let alike = indent(lines[inside]) == indent(lines[outside]);
        (statement(inside) && statement(outside) && alike).then(|| {
            let word = word.trim_end_matches(" (");
            let [line, inside, outside] = [head, inside, outside].map(|at| at as u32 + 1);
            let told = format!("the `{word}` of line {line} has no braces: only line {inside} belongs to it, and line {outside} does not");
            (line, told, BRACES)
        })
    })
}

/// A statement that compares and does nothing with the result; not the end of one that began before.
fn compared(line: &str, before: &[&str]) -> Option<String> {
    let (left, right) = line.trim().strip_suffix(';')?.split_once("==")?;
    let is_place = |c: char| is_part(c) || "[].->+* ".contains(c);
    let begins = before
        .iter()
        .rev()
        .find(|line| !line.trim().is_empty())
        .is_none_or(|line| line.trim_end().ends_with([';', '{', '}', ')']));
    let plain = left.starts_with(char::is_alphabetic) && left.chars().all(is_place) && !has(left, "return");
    (begins && plain && !right.contains(['=', '?']))
        .then(|| format!("compares, `{}`, and sets nothing", line.trim()))
}

/// The two sides of `a = b;`, both a name or an element.
fn copy(line: &str) -> Option<(&str, &str)> {
    let (to, from) = line.trim().strip_suffix(';')?.split_once(" = ")?;
    let is_place = |text: &str| {
        text.starts_with(char::is_alphabetic) && text.chars().all(|c| is_part(c) || "[]+- ".contains(c)) && {
            let outside: String = text.split(['[', ']']).step_by(2).collect();
            outside.chars().all(is_part)
        }
    };
    (is_place(to) && is_place(from)).then_some((to, from))
}

/// Values that go on from place to place, the newest first, so that all get the same.
fn moved(lines: &[&str]) -> Option<Slip> {
    let chain = (1..).zip(lines.windows(3)).find_map(|(number, three)| {
        let copies: Vec<_> = three.iter().map(|line| copy(line)).collect::<Option<_>>()?;
        let [(first, _), (second, given), (_, passed)] = copies.as_slice() else { return None };
        (given == first && passed == second).then(|| {
            let told = format!(
                "line {number} sets `{first}`, and lines {} and {} pass its new value on to `{second}` and further: all get the same",
                number + 1,
                number + 2
            );
            (number, told, OLDEST)
        })
    });
    let looped = || {
        (1..).zip(lines).find_map(|(number, line)| {
            let (_, head) = line.split_once("for (")?;
            let (head, behind) = head.split_at(closing(head)?);
            let (_, step) = head.rsplit_once(';')?;
            let name = step.trim().trim_matches(['+', '-', ' ']);
            let (down, up) = (step.contains("--"), step.contains("++"));
            let inside = behind.trim_start_matches([')', ' ', '{']);
            let inside = if inside.trim().is_empty() { lines.get(number as usize)?.trim() } else { inside };
            let (to, from) = copy(inside)?;
            let (array, own) = to.strip_suffix(']')?.split_once('[')?;
            let other = from.strip_suffix(']')?.strip_prefix(array)?.strip_prefix('[')?;
            let close: String = other.split_whitespace().collect();
            let wrong = down && close == format!("{name}+1") || up && close == format!("{name}-1");
            (wrong && own == name && (down || up)).then(|| {
                let told = format!(
                    "the loop of line {number} copies `{from}` to `{to}`, and the round before has just changed `{from}`: all get the same"
                );
                (number, told, OLDEST)
            })
        })
    };
    chain.or_else(looped)
}

/// A loop that adds the same in each of its rounds: nothing in it changes.
fn same_in_each_round(lines: &[&str]) -> Option<Slip> {
    (0..lines.len()).find_map(|at| {
        let name = counter(lines[at])?;
        let last = end_of_loop(lines, at)?;
        let (_, list) = lines[at].split_once("for (")?;
        let behind = list.get(closing(list)? + 1..)?;
        let body: Vec<&str> = std::iter::once(behind).chain(lines[at + 1..=last].iter().copied()).collect();
        let statements: Vec<&str> =
            body.iter().map(|line| line.trim().trim_matches(['{', '}', ' '])).filter(|line| !line.is_empty()).collect();
        let [statement] = statements.as_slice() else { return None };
        let adds = statement.split_once(" += ").map(|(to, added)| (to, added.strip_suffix(';')));
        let counts = || {
            let list = statement.strip_prefix("atomicAdd(&")?;
            list.split_once(", 1").map(|(counter, _)| ("", Some(counter)))
        };
        let (to, read) = adds.or_else(counts)?;
        let read = read?;
        let changes = ["++", "--", ">>=", "<<="].iter().any(|change| statement.contains(change));
        let own = !to.is_empty() && to.chars().all(is_part) && has(read, to);
        let single = read.contains('[') && !read.contains('?') && !read.contains("= ");
        (single && !changes && !own && !has(statement, name)).then(|| {
            let told = format!(
                "the loop of line {} counts `{name}`, and nothing in it depends on `{name}`: each round adds the same, `{}`",
                at + 1,
                statement.trim()
            );
            (at as u32 + 1, told, EVERY)
        })
    })
}

/// A loop over distances to both sides that nothing in it uses.
fn unused_distance(lines: &[&str]) -> Option<Slip> {
    (0..lines.len()).find_map(|at| {
        let name = counter(lines[at]).filter(|name| lines[at].contains(&format!("{name} = -")))?;
        let last = end_of_loop(lines, at).filter(|last| *last > at)?;
        let inside = lines[at + 1..=last].join(" ");
        (!has(&inside, name) && inside.contains("+=") && inside.contains("for (")).then(|| {
            let told =
                format!("the loop of line {} goes over `{name}`, and no line in it uses `{name}`", at + 1);
            (at as u32 + 1, told, DISTANCES)
        })
    })
}

/// A row that is moved by a distance along x, or a column by one along y.
fn other_distance(line: &str) -> Option<String> {
    let crossed = ["y + dx", "row + dx", "x + dy", "column + dy", "col + dy"];
    let found = crossed.into_iter().find(|text| places(line, text).next().is_some())?;
    Some(format!("computes `{found}`, where a row has a distance along y, and a column one along x"))
}

/// A divisor that is added up from another number than 0.
fn begins_high(lines: &[&str]) -> Option<Slip> {
    lines.iter().enumerate().find_map(|(at, line)| {
        let declared = line.trim().strip_prefix("int ")?.strip_suffix(';')?;
        let one = declared.split(", ").find_map(|one| one.strip_suffix(" = 1"))?;
        let behind: Vec<&str> =
            lines[at + 1..].iter().copied().take_while(|line| !line.starts_with('}')).collect();
        let adds = behind.iter().any(|line| line.contains(&format!("{one} += ")));
        let divides = behind.iter().any(|line| line.contains(&format!("/ {one};")));
        let beside = declared.contains(" = 0");
        (adds && divides && beside && one.chars().all(is_part)).then(|| {
            let line = at as u32 + 1;
            (
                line,
                format!("line {line} lets `{one}` begin with 1, and later lines add to it and divide by it"),
                FROM_ZERO,
            )
        })
    })
}

/// A weight of one colour beside the byte of another.
fn weighted(line: &str) -> Option<String> {
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

/// The counter of a loop.
fn counter(line: &str) -> Option<&str> {
    let (_, head) = line.split_once("for (")?;
    let (first, _) = head.split_once(';')?;
    Some(last_name(first.split_once('=')?.0.trim_end())).filter(|name| !name.is_empty())
}

/// Names of the sides of an image.
const SIDES: [&str; 4] = ["width", "height", "w", "h"];

/// Columns or rows of a window that are counted with one too many or too few.
fn extent(line: &str) -> Option<String> {
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
fn crossed(line: &str) -> Option<String> {
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
fn first_left_out(line: &str) -> Option<String> {
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
fn border(line: &str) -> Option<String> {
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
fn weight(line: &str, before: &[&str]) -> Option<(String, &'static str)> {
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

/// A word that is itself shifted by eight times the counter in each round.
fn adds_up(line: &str, before: &[&str]) -> Option<String> {
    let (word, amount) = line.trim().strip_suffix(';')?.split_once(" >>= ")?;
    let close: String = amount.chars().filter(|c| !c.is_whitespace() && !"()".contains(*c)).collect();
    let name = close.strip_prefix("8*").or_else(|| close.strip_suffix("*8"))?;
    let looped = before.iter().rev().take(3).any(|line| counter(line) == Some(name));
    (looped && word.chars().all(is_part)).then(|| {
        format!(
            "shifts `{word}` itself by `{amount}` in each round, and the shifts add up: 0, 8, 24 and 48 bits"
        )
    })
}

/// A pixel of three bytes that begins at its number and three.
fn pixel(line: &str) -> Option<String> {
    let at = places(line, "rgb").find(|at| line[..*at].trim_end().ends_with('='))?;
    let place = line[at..].split(';').next()?;
    let mut parts = place.split(" + ").skip(1);
    let (name, three) = (parts.next()?, parts.next()?);
    (name.chars().all(is_part) && three == "3" && parts.next().is_none())
        .then(|| format!("lets the pixel `{name}` begin at `{place}`"))
}

/// A loop over neighbours that ends with the first one outside the image.
fn ends_at_outside(line: &str) -> Option<String> {
    let outside = comparisons(line).iter().any(|(_, operator, bound)| *operator == "<" && *bound == "0");
    (outside && line.contains("||") && has(line, "break"))
        .then(|| "ends the loop at the first neighbour that lies outside the image".to_owned())
}

/// A product with the quotient of 1 and an integer.
fn inverse(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("* (1 / ")?;
    let name = rest.split(')').next()?;
    (!name.is_empty() && name.chars().all(is_part))
        .then(|| format!("multiplies by `1 / {name}`, which is 0 for integers above 1"))
}

/// The value of the lane beside, by the name of what gets it, which is taken from farther away.
fn neighbour(line: &str) -> Option<String> {
    let (to, call) =
        ["__shfl_down_sync(", "__shfl_up_sync("].into_iter().find_map(|call| line.split_once(call))?;
    let name = last_name(to.trim_end().strip_suffix('=')?.trim_end().split('[').next()?);
    let list = arguments(&call[..closing(call)?]);
    let far: u32 = list.get(2)?.parse().ok().filter(|far| *far > 1)?;
    let beside = ["left", "right", "next", "previous", "after", "before"].contains(&name);
    beside.then(|| format!("takes `{name}` from the lane {far} away, not from the one beside"))
}

/// A quotient by the first of two names, from which the second one is then taken: `a * (v - low) / high - low`.
fn difference(line: &str) -> Option<String> {
    line.match_indices(" / ").find_map(|(at, _)| {
        let (high, rest) = line[at + " / ".len()..].split_once(" - ")?;
        let is_place = |c: char| is_part(c) || c == '.';
        let low = &rest[..rest.find(|c: char| !is_place(c)).unwrap_or(rest.len())];
        let taken = line[..at].contains(&format!("- {low})"));
        let names = [high, low]
            .iter()
            .all(|name| name.starts_with(char::is_alphabetic) && name.chars().all(is_place));
        (names && taken).then(|| format!("divides by `{high}` alone, and takes `{low}` from the quotient"))
    })
}

/// The loop over four bytes right before a line, by its counter.
fn over_bytes<'a>(before: &[&'a str]) -> Option<&'a str> {
    before.iter().rev().take(2).find_map(|line| {
        let name = counter(line)?;
        comparisons(line)
            .iter()
            .any(|(left, operator, bound)| *left == name && *operator == "<" && *bound == "4")
            .then_some(name)
    })
}

/// A byte that is taken out of a word of an array or a word by other bits or another mask than those of a byte.
fn taken(line: &str) -> Option<(String, &'static str)> {
    let (before, behind) = line.split_once(">> (")?;
    let end = closing(behind)?;
    let (amount, rest) = (behind[..end].trim(), behind[end + 1..].trim_start_matches([')', ' ']));
    let mask: u32 =
        rest.strip_prefix('&')?.trim_start().split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
    let eight = amount.strip_prefix('8').and_then(|rest| rest.trim_start().strip_prefix('*')).map(str::trim);
    // `% 4` counts bytes, and bits go in steps of 8.
    if mask == 255
        && amount.ends_with("% 4")
        && !amount.contains('*')
        && amount.split_once('%').is_some_and(|(name, _)| name.trim().chars().all(is_part))
    {
        return Some((format!("shifts by `{amount}`, which is 0 to 3 bits"), BITS));
    }
    let inner = eight?;
    if mask == 127 {
        return Some(("takes only the lower 7 of the 8 bits of a byte: `& 127`".to_owned(), MASK));
    }
    let of = inner.strip_prefix('(')?.strip_suffix("% 4)").map(str::trim).filter(|_| mask == 255)?;
    let word = before.trim_end().strip_suffix(']')?.rsplit_once('[')?.1;
    let (name, by) = word.split_once('/')?;
    let by: u32 = by.trim().parse().ok().filter(|by| *by != 4)?;
    (name.trim() == of && of.chars().all(is_part))
        .then(|| (format!("takes word `{of} / {by}` and byte `{of} % 4`: a word has four bytes"), WORDS))
}

/// A weighted sum of the three channels that is divided by another number than the sum of the weights.
fn hundred(line: &str) -> Option<String> {
    let close: String = line.split_whitespace().collect();
    // A reciprocal is another factor; an index has its own.
    let mut depth = 0;
    let factors = close.chars().filter(|c| {
        depth += i32::from(*c == '[') - i32::from(*c == ']');
        depth == 0 && *c == '*'
    });
    let weighted = factors.count() == 3 && ["30*", "59*", "11*"].iter().all(|weight| close.contains(weight));
    let shift = close
        .rsplit_once(")>>")
        .and_then(|(_, rest)| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok());
    let divisor = close
        .rsplit_once(")/")
        .and_then(|(_, rest)| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok());
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

/// Bytes that are all put at the same place of a word, or not at whole bytes, in a loop over four.
fn packed(line: &str, before: &[&str]) -> Option<(String, &'static str)> {
    let head = [line];
    let name = over_bytes(before).or_else(|| over_bytes(&head))?;
    let (word, value) = line.split_once("|=")?;
    let word = last_name(word.trim_end());
    let value = value.split(';').next()?;
    let zero = format!("{word} = 0");
    let is_word = before.iter().rev().take(4).any(|line| line.contains("uint32_t") && line.contains(&zero));
    if !is_word || !has(value, name) || word.is_empty() {
        return None;
    }
    let Some((_, amount)) = value.rsplit_once("<<") else {
        return Some((
            format!(
                "joins byte `{name}` to `{word}` without a shift, so that all four lie in its lowest byte"
            ),
            PACK,
        ));
    };
    let amount = parsed(amount.trim())?;
    let bits: Vec<i64> =
        (0..4).map(|k| amount.value(&|other| (other == name).then_some(k))).collect::<Option<_>>()?;
    let [0, by, second, third] = bits[..] else { return None };
    ([1, 2, 4, 16].contains(&by) && [second, third] == [2 * by, 3 * by])
        .then(|| (format!("shifts byte `{name}` by 0, {by}, {second} and {third} bits"), BITS))
}

/// A byte that is put at another place of a word than it was taken from, beside one that keeps its place.
fn other_place(lines: &[&str]) -> Option<Slip> {
    let shifts = |line: &str| {
        let (_, value) = line.split_once("|=")?;
        let number =
            |text: &str| text.trim_start().split(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok();
        let (before, behind) = value.rsplit_once("<<")?;
        let (_, taken) = before.rsplit_once(">>")?;
        (before.matches(">>").count() == 1).then_some((number(taken)?, number(behind)?))
    };
    (0..lines.len()).find_map(|at| {
        let (from, to) = shifts(lines[at]).filter(|(from, to)| from != to)?;
        let beside =
            [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| shifts(lines.get(at)?));
        let keeps = beside.into_iter().any(|(from, other)| from == other && other == to);
        keeps.then(|| {
            let told = format!(
                "line {} takes the byte at bit {from}, and puts it at bit {to}, where another byte lies",
                at + 1
            );
            (at as u32 + 1, told, BITS)
        })
    })
}

/// A funnel shift by the bytes that an address is past a word.
fn funnel(line: &str, before: &[&str]) -> Option<String> {
    let (_, list) = line.split_once("__funnelshift_r(")?;
    let list = arguments(&list[..closing(list)?]);
    let amount = list.get(2)?;
    let given = before.iter().rev().find_map(|line| {
        let (name, from) = line.split_once(" = ")?;
        (last_name(name) == amount).then(|| from.split(';').next().unwrap_or_default().trim())
    });
    let from = given.unwrap_or(amount);
    let of_bytes = from.ends_with("% 4") || from.ends_with("& 3") || from == "start" || from == "offset";
    (of_bytes && !from.contains('8') && !from.contains("<<"))
        .then(|| format!("shifts by `{from}`, the bytes that an address is past a word, in place of bits"))
}

/// A plane of a planar image that begins one element, or one row, after the first.
fn plane(line: &str) -> Option<String> {
    let (_, index) = line.split_once("planar_rgb[")?;
    let index = index.split(']').next()?;
    let (_, offset) = index.rsplit_once(" + ")?;
    let wrong = ["1", "2", "width", "2 * width", "height", "2 * height"].contains(&offset);
    (wrong && !index.contains('*') || wrong && index.matches('+').count() == 1 && offset.contains('*'))
        .then(|| format!("reads `planar_rgb[{index}]`, as if a plane began at `{offset}`"))
}

/// Threads behind those that take whole groups, which begin at their own number in place of that among them.
fn rest(lines: &[&str]) -> Option<Slip> {
    (0..lines.len()).find_map(|at| {
        let head = lines[at].trim().strip_prefix("if (")?;
        let (thread, _, groups) = comparisons(head).into_iter().find(|(_, operator, _)| *operator == "<")?;
        let last = end_of_loop(lines, at).filter(|last| *last > at + 1)?;
        let leaves = lines[last - 1].trim() == "return;";
        let close = |at: usize| lines[at].split_whitespace().collect::<String>();
        let wrong = format!("*{groups}+{thread};");
        let used = (last + 1..lines.len()).take_while(|at| !lines[*at].starts_with('}')).find(|at| close(*at).ends_with(&wrong))?;
        leaves.then(|| {
            let used = used as u32 + 1;
            let told = format!(
                "only threads from `{groups}` on come to line {used}, as the others have returned in line {last}: the first of them begins `{groups}` elements \
                 too late"
            );
            (used, told, REST)
        })
    })
}

/// A variable that a loop has moved past its bound, and that a later line takes for the number of the thread, as a fact.
pub fn moved_index(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(code).collect();
    (0..lines.len()).find_map(|at| {
        let head = lines[at].trim().strip_prefix("while (")?;
        let (name, _, bound) = comparisons(head).into_iter().find(|(_, operator, _)| *operator == "<")?;
        let last = end_of_loop(&lines, at)?;
        let moves = lines[at..=last].iter().any(|line| line.contains(&format!("{name} += ")));
        let later = (last + 1..lines.len()).take_while(|at| !lines[*at].starts_with('}'));
        let uses = |at: &usize| {
            let line = lines[*at];
            let (sets, from) = line.split_once('=').unwrap_or(("", ""));
            let own = has(from, name) && !sets.ends_with(['<', '>', '!', '+']) && !from.starts_with('=');
            let tested = has(line, "if") && comparisons(line).iter().any(|(left, ..)| *left == name);
            (own || tested || line.contains(&format!("({name} == 0"))) && !has(line, "for") && !has(line, "while")
        };
        let mut later = later.peekable();
        // What gives it another value first makes it another number.
        let line = later.find(uses).filter(|_| moves && name.chars().all(is_part))?;
        Some(format!(
            "the loop of line {} moves `{name}` on until it is at least `{bound}`: in line {}, behind it, `{name}` is no longer the number of the thread",
            at + 1,
            line + 1
        ))
    })
}

/// What to try if an index was moved.
pub const KEEP: &str =
    "keep the number of the thread in a variable of its own, and let the loop count with another one";

#[cfg(test)]
mod tests {
    use super::*;

    /// A slip, its right form, and what is said of it.
    const PAIRS: &[(&str, &str, &str)] = &[
        (
            "    while (i < n)\n        a[i] = 0;\n        i += step;\n",
            "    while (i < n)\n        a[i] = 0;\n    i += step;\n",
            "only line 2 belongs to it, and line 3 does not",
        ),
        (
            "    if (x)\n        a = 1;\n        b = 2;\n",
            "    if (x)\n        a = 1;\n    else\n        b = 2;\n",
            "the `if` of line 1",
        ),
        ("local[t] == 0;", "local[t] = 0;", "line 1 compares"),
        ("last == true;", "bool last = a == b;", "line 1 compares"),
        ("d = e;\nc = d;\nb = c;", "b = c;\nc = d;\nd = e;", "pass its new value on"),
        (
            "for (int k = 3; k >= 0; --k) rows[k] = rows[k + 1];",
            "for (int k = 0; k < 4; ++k) rows[k] = rows[k + 1];",
            "the round before has just changed",
        ),
        (
            "for (int j = 0; j < 5; j++)\n    sum += tile[ty][tx];",
            "for (int j = 0; j < 5; j++)\n    sum += tile[ty + j][tx];",
            "each round adds the same",
        ),
        (
            "for (int k = 0; k < 4; k++) {\n    atomicAdd(&local[w & 255], 1u);\n}",
            "for (int k = 0; k < 4; k++) {\n    atomicAdd(&local[w & 255], 1u);\n    w >>= 8;\n}",
            "nothing in it depends on `k`",
        ),
        (
            "int cols = min(x + 2, width) - max(x - 2, 0) + 1;",
            "int cols = min(x + 2, width - 1) - max(x - 2, 0) + 1;",
            "counts to `width`",
        ),
        (
            "int cols = min(x + 2, width - 1) - max(x - 2, 0);",
            "int cols = min(x + 3, width) - max(x - 2, 0);",
            "counts one too few",
        ),
        ("int last = min(y + 2, width - 1);", "int last = min(y + 2, height - 1);", "limits `y + 2`, a row"),
        ("if (xx > 0 && xx < width)", "if (xx >= 0 && xx < width)", "tests `xx > 0`"),
        ("if (xx <= 0 || xx >= width) continue;", "if (xx < 0 || xx >= width) continue;", "tests `xx <= 0`"),
        (
            "if (x < 2 || x > width - 2) return;",
            "if (x < 2 || x > width - 3) return;",
            "begins the border at `x > width - 2`",
        ),
        (
            "int w = 3 - abs(dx) * 3 - abs(dy);",
            "int w = (3 - abs(dx)) * (3 - abs(dy));",
            "multiplies before it subtracts",
        ),
        (
            "for (int dy = -2; dy < 3; dy++)\nfor (int dx = -2; dx < 3; dx++)\nw = (3 - dx) * (3 - dy);",
            "for (int dy = -2; dy < 3; dy++)\nfor (int dx = -2; dx < 3; dx++)\nw = (3 - abs(dx)) * (3 - abs(dy));",
            "subtracts `dx`",
        ),
        (
            "for (int k = 0; k < 4; k++) {\n    w >>= 8 * k;\n    f(w & 255);\n}",
            "for (int k = 0; k < 4; k++) {\n    w >>= 8;\n    f(w & 255);\n}",
            "the shifts add up",
        ),
        ("const uint8_t* p = rgb + i + 3;", "const uint8_t* p = rgb + 3 * i;", "begin at `rgb + i + 3`"),
        (
            "if (x < 0 || x >= width) break;",
            "if (x < 0 || x >= width) continue;",
            "ends the loop at the first neighbour",
        ),
        ("sum = sum * (1 / divisor);", "sum = sum * (1.0f / divisor);", "multiplies by `1 / divisor`"),
        (
            "for (int dy = -2; dy <= 2; dy++) {\n    for (int dx = -2; dx <= 2; dx++) {\n        s += a[w * y + x + dx];\n    }\n}",
            "for (int dy = -2; dy <= 2; dy++) {\n    for (int dx = -2; dx <= 2; dx++) {\n        s += a[w * (y + dy) + x + dx];\n    }\n}",
            "no line in it uses `dy`",
        ),
        ("int xx = x + dx, yy = y + dx;", "int xx = x + dx, yy = y + dy;", "computes `y + dx`"),
        (
            "int sum = 0, norm = 1;\nnorm += w;\nreturn sum / norm;",
            "int sum = 0, norm = 0;\nnorm += w;\nreturn sum / norm;",
            "lets `norm` begin with 1",
        ),
        (
            "v = (p[1] * 30 + p[0] * 59 + p[2] * 11 + 50) / 100;",
            "v = (p[0] * 30 + p[1] * 59 + p[2] * 11 + 50) / 100;",
            "multiplies `p[1] * 30`: the weight is that of red, and the byte is green",
        ),
        (
            "v = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i] + 0.11f * rgb[3 * i + 2];",
            "v = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];",
            "the weight is that of green, and the byte is red",
        ),
        (
            "if (y < 2 || y >= height - 1) return;",
            "if (y < 2 || y >= height - 2) return;",
            "begins the border at `y >= height - 1`",
        ),
        (
            "right[c] = __shfl_down_sync(~0u, own[c], 2);",
            "two = __shfl_down_sync(~0u, own[c], 2);",
            "takes `right` from the lane 2 away",
        ),
        (
            "v = 255 * (level - low) / high - low + 0.5f;",
            "v = 255 * (level - low) / (high - low) + 0.5f;",
            "divides by `high` alone",
        ),
        (
            "uint32_t word = 0;\nfor (int k = 0; k < 4; ++k)\n    word |= table[byte_of(four, k)];",
            "uint32_t word = 0;\nfor (int k = 0; k < 4; ++k)\n    word |= table[byte_of(four, k)] << (8 * k);",
            "without a shift",
        ),
        (
            "uint32_t word = 0;\nfor (int k = 0; k < 4; ++k) word |= table[byte_of(four, k)] << (4 * k);",
            "uint32_t any = 0;\nfor (int k = 0; k < 5; ++k) any |= table[k];",
            "by 0, 4, 8 and 12 bits",
        ),
        (
            "byte = (words[k / 4] >> (k % 4)) & 255;",
            "byte = (words[k / 4] >> (8 * (k % 4))) & 255;",
            "shifts by `k % 4`, which is 0 to 3 bits",
        ),
        (
            "byte = (words[k / 3] >> (8 * (k % 4))) & 255;",
            "byte = (words[n] >> (8 * (k % 4))) & 255;",
            "takes word `k / 3` and byte `k % 4`",
        ),
        ("f((four >> (8 * k)) & 127);", "f((four >> (7 * k)) & 127);", "only the lower 7 of the 8 bits"),
        (
            "v = (30 * r + 59 * g + 11 * b + 50) >> 7;",
            "v = (30 * r + 59 * g + 11 * b + 50) / 100;",
            "shifts by 7 bits, which divides by 128",
        ),
        (
            "r |= t[w >> 8 & 255] << 8;\nr |= t[w >> 16 & 255] << 8;",
            "r |= t[w >> 8 & 255] << 8;\nr |= t[w >> 16 & 255] << 16;",
            "line 2 takes the byte at bit 16",
        ),
        (
            "shift = start % 4;\nw = __funnelshift_r(a, b, shift);",
            "shift = 8 * (start % 4);\nw = __funnelshift_r(a, b, shift);",
            "in place of bits",
        ),
        ("g = planar_rgb[i + 1];", "g = planar_rgb[i + n];", "as if a plane began at `1`"),
        ("g = planar_rgb[i + 2 * width];", "g = planar_rgb[2 * n + y * width + x];", "began at `2 * width`"),
        (
            "    if (t < quads) {\n        f();\n        return;\n    }\n    int i = 4 * quads + t;\n",
            "    if (t < quads) {\n        f();\n        return;\n    }\n    int i = 4 * quads + (t - quads);\n",
            "only threads from `quads` on come to line 5",
        ),
        ("int n = width + height;", "int n = width * height;", "computes `width + height`"),
    ];

    #[test]
    fn slips_are_told_and_their_right_forms_are_not() {
        for (wrong, right, part) in PAIRS {
            let said = told(wrong).map(|(_, told, _)| told).unwrap_or_default();
            assert!(said.contains(part), "{wrong}: {said}");
            assert_eq!(told(right), None, "{right}");
        }
    }

    #[test]
    fn an_index_that_a_loop_has_moved_is_told() {
        let text = "    while (i < n / 4) {\n        i += step;\n    }\n    int rest = n / 4 * 4 + i;\n";
        assert!(moved_index(text).is_some_and(|said| said.contains("in line 4")));
        assert_eq!(moved_index(&text.replace("4 + i", "4 + first")), None);
    }
}
