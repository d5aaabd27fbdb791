//! Pictures on which the host function launches what it launches on none of the cases: a branch on the size, such as
//! `if (width % 48 == 0)` or `if (pixels > 12000000)`. Their sizes come from the numbers of the file, and a run without kernels tells
//! which of them matter. Numbers of a million or more are tried whatever is launched.

use std::collections::{BTreeMap, BTreeSet};

use lab::{Case, Image, Pattern, Picture, Task};

use super::runner::{Dry, Runner};
use crate::call;
use crate::exit::Stop;
use crate::prediction::grown;
use runtime::engine::Asked;
use runtime::finding::Finding;
use runtime::job::Failure;
use runtime::simulation::Number;

/// Pictures that are added at most.
const MOST_ADDED: usize = 4;
/// Pixels of all pictures on which the host function alone runs.
const MOST_TRIED: usize = 60_000_000;
/// Such pictures at most.
const MOST_RUNS: usize = 400;
/// Pixels of one of them.
const MOST_PIXELS: usize = 24_000_000;
/// Instructions of warps that a picture may need on which nothing new is launched, and that all pictures may need.
const MOST_INSTRUCTIONS: u64 = 100_000_000;
const MOST_OF_ALL: u64 = 400_000_000;
/// Instructions of a host function that computes on pixels itself, on all pictures: some seconds.
const MOST_OF_HOST: u64 = 200_000_000;
/// Pictures that would need more, and are tried: those on which a kernel is missing need less.
const MOST_HASTY: usize = 2;
/// Numbers of pixels that are tried whatever is launched, unless all cases are smaller; masks such as 0x01010101 are none. How many of
/// them.
const LARGE: usize = 1_000_000;
pub(super) const LARGEST: usize = 8_300_000;
const MOST_LARGE: usize = 4;
/// Pixels of a picture on which it is seen what the host function reads back.
const ANSWERING: std::ops::RangeInclusive<usize> = 1000..=20_000;
/// Bits of numbers of pixels that are large, where a number of bits is compared or shifted by.
const BITS: std::ops::RangeInclusive<usize> = 20..=24;
/// How many times as long as the other a side may be asked to be.
const RATIOS: std::ops::RangeInclusive<usize> = 2..=64;
/// Divisors of sides whose remainders are tried, and pictures for them at most.
const DIVISORS: std::ops::RangeInclusive<usize> = 3..=1024;
const MOST_REMAINDERS: usize = 18;
/// A number from which on it may be one of two sides, and how many of them are tried with each other, the largest.
const LEAST_SIDE: usize = 16;
const MOST_SIDES: usize = 4;
/// Pixels of a picture in which some levels are rare.
const LEAST_COUNTED: usize = 100_000;
/// A number of a launch that has had more values than that comes from the size.
const FEW: usize = 3;

/// The numbers of a file that a side or a number of pixels may be, and what `*` and `<<` make of them, and those at which a quotient comes
/// to the number that it is compared with (`pixels / 1024 < 16384`), or the pixels need one bit more (`pixels >> 22`, `bits < 23`,
/// `int shift = 22;`), smallest first.
pub fn numbers(text: &str) -> Vec<Number> {
    let tokens = kernels::tokens_at(text);
    let constants = constants(&tokens);
    let text_of = |at: usize| tokens.get(at).map_or("", |(_, token)| *token);
    let mut found: BTreeMap<usize, (usize, bool)> = BTreeMap::new();
    let mut product: Option<usize> = None;
    let mut divisors: Option<usize> = None;
    let mut leading_zeros = false;
    let (mut line, mut counted) = (1, 0);
    for (at, &(place, token)) in tokens.iter().enumerate() {
        if matches!(token, ";" | "{" | "}" | "," | "?" | ":" | "&" | "|") {
            divisors = None;
            leading_zeros = false;
        }
        leading_zeros |= matches!(token, "__clz" | "__builtin_clz" | "countl_zero");
        let named = constants.get(token).copied();
        let Some(first) = value(token).or(named) else { continue };
        line += text[counted..place].matches('\n').count();
        counted = place;
        if named.is_some() {
            // What it stands for was read where it was declared; here it may be a side of the picture.
            if is_compared(&tokens, at) {
                found.entry(first).or_insert((line, false)).1 = true;
            }
            continue;
        }
        let shift = text_of(at + 1) == "<" && text_of(at + 2) == "<";
        let shifted = value(text_of(at + 3)).filter(|by| shift && *by < 30).map(|by| first << by);
        let factor = at > 0 && text_of(at - 1) == "*";
        product = product.filter(|_| factor).map_or(Some(first), |before| before.checked_mul(first));
        let own = shifted.unwrap_or(first);
        let before = at.checked_sub(1).map_or("", text_of);
        let shifted_by = matches!(before, "<" | ">") && at.checked_sub(2).map_or("", text_of) == before;
        let compared = matches!(before, "<" | ">" | "=" | "<=" | ">=" | "==" | "!=") && !shifted_by;
        let quotient = divisors.filter(|_| compared).and_then(|by| by.checked_mul(own));
        if before == "/" {
            divisors = divisors.unwrap_or(1).checked_mul(own);
        }
        // The highest byte of a word is `word >> 24`.
        let shifts = shifted_by && before == ">" && first < 24;
        let counts_bits = BITS.contains(&first) && (shifts || compared);
        // Past this power a picture is past half of it, too.
        let zeros = || (leading_zeros && compared).then(|| 32_usize.checked_sub(first)).flatten();
        let bits = if counts_bits { Some(first) } else { zeros().filter(|bits| BITS.contains(bits)) };
        let bits = bits.map(|bits| 1 << bits);
        let made = [Some(own), product.filter(|_| factor), quotient, bits];
        for value in made.into_iter().flatten().filter(|value| *value <= MOST_PIXELS) {
            found.entry(value).or_insert((line, false)).1 |= value == first && is_compared(&tokens, at);
        }
    }
    let number = |(value, (line, compared))| Number { value, line, modulus: None, ratio: false, compared };
    let sizes = found.into_iter().map(number);
    sizes.chain(ratios(text, &tokens)).chain(remainders(text, &tokens)).collect()
}

/// Whether something is compared with the token at this place: no shift, no launch, no argument of a template.
fn is_compared(tokens: &[(usize, &str)], at: usize) -> bool {
    let text_of = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", |token| token.1);
    let [far, before] = [2, 1].map(|back| text_of(at.checked_sub(back)));
    let [after, next] = [1, 2].map(|on| text_of(Some(at + on)));
    let is_one = |first: &str, second: &str| match first {
        "<" | ">" => second != first,
        "=" | "!" => second == "=",
        _ => matches!(first, "<=" | ">=" | "==" | "!="),
    };
    let behind = match before {
        "=" => matches!(far, "=" | "!" | "<" | ">"),
        _ => is_one(before, far),
    };
    (behind || is_one(after, next)) && !(before == "<" && after == ">")
}

/// What one side is compared with so many times the other, as in `width > 7 * height` or `height / width >= 12`.
fn ratios(text: &str, tokens: &[(usize, &str)]) -> Vec<Number> {
    let text_of = |at: usize| tokens.get(at).map_or("", |(_, token)| *token);
    let ordered = |at: usize| matches!(text_of(at), "<" | ">");
    let mut found = BTreeSet::new();
    for (at, &(place, token)) in tokens.iter().enumerate().filter(|(at, _)| *at > 1) {
        let number = match token {
            // width > 7 * height, width > height * 7
            "*" if ordered(at - 2) || at > 2 && text_of(at - 2) == "=" && ordered(at - 3) => {
                value(text_of(at - 1)).or_else(|| value(text_of(at + 1)))
            }
            // 7 * height < width, height * 7 < width
            "*" if ordered(at + 2) => value(text_of(at - 1)).or_else(|| value(text_of(at + 1))),
            // width / height > 7
            "/" if ordered(at + 2) => value(text_of(at + 3)).or_else(|| value(text_of(at + 4))),
            _ => None,
        };
        let of_sides = (at - 2..at + 5).any(|at| is_side(text_of(at), "h"))
            && (at.saturating_sub(4)..at + 5).any(|at| is_side(text_of(at), "w"));
        if let Some(value) = number.filter(|number| of_sides && RATIOS.contains(number)) {
            found.insert((value, 1 + text[..place].matches('\n').count()));
        }
    }
    let number = |(value, line)| Number { value, line, modulus: None, ratio: true, compared: true };
    found.into_iter().map(number).collect()
}

/// Whether a name may be that of the width (`w`) or of the height (`h`).
fn is_side(name: &str, first: &str) -> bool {
    name == first || name == if first == "w" { "width" } else { "height" }
}

/// What remainders are compared with, as in `width % 28 == 27` or `(width & 63) == 63`, and the numbers beside it that make the
/// difference; 0 where it decides as it is, as in `width % 48 ? … : …`; large divisors first, which the cases know least.
fn remainders(text: &str, tokens: &[(usize, &str)]) -> Vec<Number> {
    let text_of = |at: usize| tokens.get(at).map_or("", |(_, token)| *token);
    let constants = constants(tokens);
    let mut found = BTreeSet::new();
    for (at, &(place, token)) in tokens.iter().enumerate() {
        let after = value(text_of(at + 1)).or_else(|| constants.get(text_of(at + 1)).copied());
        let modulus = match token {
            "%" => after,
            "&" => after.map(|mask| mask + 1).filter(|modulus| modulus.is_power_of_two()),
            _ => None,
        };
        let of_thread = at >= 3 && ["threadIdx", "blockIdx"].contains(&text_of(at - 3));
        let Some(modulus) = modulus.filter(|by| DIVISORS.contains(by) && !of_thread) else { continue };
        let mut next = at + 2;
        while text_of(next) == ")" {
            next += 1;
        }
        let closed = next - (at + 2);
        let first = next;
        while matches!(text_of(next), "=" | "!" | "<" | ">" | "==" | "!=" | "<=" | ">=") {
            next += 1;
        }
        let line = 1 + text[..place].matches('\n').count();
        let Some(one) = value(text_of(next)).filter(|_| next > first) else {
            // In brackets of an `if`, behind `!`, or before an operator that takes a condition.
            let begin = at.checked_sub(closed + 1).map_or("", text_of);
            let before = at.checked_sub(closed + 2).map_or("", text_of);
            let decides = matches!(text_of(first), "?" | "&&" | "||")
                || text_of(first) == "&" && text_of(first + 1) == "&"
                || text_of(first) == "|" && text_of(first + 1) == "|"
                || closed > 0 && begin == "(" && matches!(before, "if" | "while" | "!");
            if decides && next == first {
                found.insert((modulus, 0, line));
            }
            continue;
        };
        let beside = match text_of(first).as_bytes()[0] {
            b'<' => one.wrapping_sub(1),
            b'>' => one + 1,
            _ => one,
        };
        found.extend([one, beside].into_iter().filter(|one| *one < modulus).map(|one| (modulus, one, line)));
    }
    let number = |&(modulus, value, line)| Number {
        value,
        line,
        modulus: Some(modulus),
        ratio: false,
        compared: true,
    };
    found.iter().rev().map(number).collect()
}

/// The names of constants that are plain numbers, as in `constexpr int tile = 48;`, `const int tile{48};`, `enum { TILE = 48 };` or
/// `#define TILE (48)`.
fn constants<'a>(tokens: &[(usize, &'a str)]) -> BTreeMap<&'a str, usize> {
    let mut constants = BTreeMap::new();
    let mut is_constant = false;
    for at in 0..tokens.len() {
        let [first, second, third, fourth] =
            [0, 1, 2, 3].map(|next| tokens.get(at + next).map_or("", |token| token.1));
        is_constant = (is_constant || matches!(first, "const" | "constexpr" | "enum")) && first != ";";
        let named = match (second, first) {
            ("=" | "{" | "(", name) if is_constant && matches!(fourth, ";" | "," | "}" | ")") => {
                value(third).map(|value| (name, value))
            }
            (name, "define") => {
                value(third).or_else(|| value(fourth).filter(|_| third == "(")).map(|value| (name, value))
            }
            _ => None,
        };
        constants.extend(named);
    }
    constants
}

/// The value of a token, if it is a whole number.
fn value(token: &str) -> Option<usize> {
    if !token.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let plain = token.replace('\'', "").to_ascii_lowercase();
    if let Some(digits) = plain.strip_prefix("0x") {
        let number = usize::from_str_radix(digits.trim_end_matches(['u', 'l', 'z']), 16).ok();
        return number.filter(|number| *number <= MOST_PIXELS);
    }
    let digits = plain.trim_end_matches(['u', 'l', 'z', 'f']);
    let number: f64 = digits.parse().ok()?;
    (number.fract() == 0.0 && number <= MOST_PIXELS as f64).then_some(number as usize)
}

/// Pictures beside the cases that ran, smallest first.
pub fn added(task: &dyn Task, tried: &[Case], runner: &Runner<'_>, seed: u64) -> Result<Vec<Case>, Stop> {
    let mut seen = Seen::default();
    let mut pixels = 0;
    if runner.simulation.numbers.is_empty() {
        return Ok(Vec::new());
    }
    let (mut largest, mut answers) = (0, None);
    for case in tried {
        let (width, height) = call::size(case)?;
        let pixels = width * height;
        largest = largest.max(pixels);
        if answers.is_none() && ANSWERING.contains(&pixels) {
            answers = Some(Answers::of(task, &call::image(case, seed)?, runner, seed)?);
        }
    }
    let answers = answers.unwrap_or_default();
    let mut all_end = true;
    let mut host_left = MOST_OF_HOST;
    let mut host_may = |(width, height): (usize, usize)| {
        let needed = runner.simulation.usual_host_instructions(task.name(), (width * height) as u64);
        let may = needed <= host_left;
        host_left -= if may { needed } else { 0 };
        may
    };
    for case in tried {
        if !host_may(call::size(case)?) {
            all_end = false;
            continue;
        }
        match launched(task, call::unread(task, case, seed)?, &answers, runner, seed)? {
            Some(launched) => seen.add(&launched),
            None => all_end = false,
        }
    }
    let mut added = Vec::new();
    // What a kernel does with more pixels than those of all cases, or which of many it counts, shows in no launch.
    let mut large = MOST_LARGE;
    let (mut left, mut hasty) = (MOST_OF_ALL, 0);
    for (number, size) in sizes(&runner.simulation.numbers).into_iter().take(MOST_RUNS) {
        let (width, height) = size;
        pixels += width * height;
        if added.len() == MOST_ADDED || pixels > MOST_TRIED {
            break;
        }
        let needed = runner.simulation.usual_instructions(task.name(), (width * height) as u64);
        if needed > left && hasty == MOST_HASTY || !host_may(size) {
            continue;
        }
        let case = case(task, number, size);
        let launched = launched(task, call::unread(task, &case, seed)?, &answers, runner, seed)?;
        let Some(launched) = launched else {
            // A loop without an end, or a fault, that begins at this size.
            if all_end && needed <= left {
                left -= needed;
                added.push(case);
            }
            continue;
        };
        if needed > left {
            if !seen.lacks(&launched) {
                continue;
            }
            hasty += 1;
            if !ends_soon(task, &case, runner, seed)? {
                continue;
            }
        }
        let is_large = large > 0
            && needed <= MOST_INSTRUCTIONS
            && (largest.min(LARGE)..=LARGEST).contains(&number.value);
        if seen.lacks(&launched) || is_large {
            seen.add(&launched);
            large -= usize::from(is_large);
            left = left.saturating_sub(needed);
            added.extend(counted(task, &case, size));
            added.push(case);
        }
    }
    // A side with a remainder that only a kernel looks at shows in no launch, and the pictures are small.
    let of_sides = runner.simulation.numbers.iter().filter_map(|number| Some((*number, with_side(number)?)));
    let small = of_sides.flat_map(|(number, sizes)| sizes.map(|size| case(task, number, size)));
    added.extend(small.take(MOST_REMAINDERS));
    Ok(added)
}

/// Sizes with a side, and with a number of pixels, that has this remainder; sizes with sides so far apart.
fn with_side(number: &Number) -> Option<[(usize, usize); 3]> {
    if number.ratio {
        let (short, long) = (25, 25 * number.value + 26);
        return Some([(long, short), (short, long), (short * number.value, short)]);
    }
    let side = 4 * number.modulus? + number.value;
    Some([(side, 5), (5, side), (side, 1)])
}

/// The same size once more, for a task on gray levels: who counts only some of the pixels of such a picture is far off.
fn counted(task: &dyn Task, case: &Case, (width, height): (usize, usize)) -> Option<Case> {
    let picture = Picture::Pattern(Pattern::NearlyOneLevel { width, height });
    (task.is_gray() && width * height >= LEAST_COUNTED).then(|| Case::new(case.name.clone(), picture))
}

fn case(task: &dyn Task, number: Number, (width, height): (usize, usize)) -> Case {
    let Number { value, line, .. } = number;
    let picture = if task.is_gray() {
        Picture::GrayNoise { width, height, levels: 256 }
    } else {
        Picture::Noise { width, height, colours: 256 }
    };
    let of_size = if number.ratio { "ratio" } else { "number" };
    let what = number.modulus.map_or(of_size.to_owned(), |by| format!("remainder of {by},"));
    let which = if value == width * height { "numbers".to_owned() } else { format!("{what} {value}") };
    Case::new(format!("{width}x{height}, by the {which} of line {line}"), picture)
}

/// Sizes at and beside numbers, smallest pictures first.
fn sizes(numbers: &[Number]) -> Vec<(Number, (usize, usize))> {
    let mut all = Vec::new();
    for number in
        numbers.iter().filter(|number| number.value >= 2 && number.modulus.is_none() && !number.ratio)
    {
        let (at, past) = (number.value, number.value + 1);
        let mut sizes = Vec::new();
        if past < 65_536 {
            sizes.extend([(at, 3), (past, 3), (3, at), (3, past)]);
        }
        if past < 512 {
            sizes.extend([(past, 4 * past + 1), (4 * past + 1, past)]);
        }
        if past < 2048 {
            sizes.extend([(past, past), (at, at)]);
        }
        if at >= 1000 {
            // Both sides odd.
            let side = at.isqrt() | 1;
            sizes.push((side, (at / side + 1) | 1));
            // And exactly as many pixels.
            let divides = |side: &usize| at.is_multiple_of(*side);
            sizes.extend((2..=at.isqrt()).rev().find(divides).map(|side| (at / side, side)));
        }
        all.extend(sizes.into_iter().map(|size| (*number, size)));
    }
    all.extend(both_sides(numbers));
    all.retain(|(_, (width, height))| width * height <= MOST_PIXELS);
    all.sort_by_key(|(number, (width, height))| (width * height, *number));
    all
}

/// Sizes of two numbers that something is compared with, as in `width == 1920 && height == 1080`, each with its number of pixels.
fn both_sides(numbers: &[Number]) -> Vec<(Number, (usize, usize))> {
    let is_side = |number: &&Number| {
        let is_plain = number.modulus.is_none() && !number.ratio;
        is_plain && number.compared && (LEAST_SIDE..65_536).contains(&number.value)
    };
    let sides: Vec<&Number> = numbers.iter().rev().filter(is_side).take(MOST_SIDES).collect();
    let mut pairs = Vec::new();
    for (one, other) in sides.iter().flat_map(|one| sides.iter().map(move |other| (one, other))) {
        if one.value != other.value {
            let size = (one.value, other.value);
            pairs.push((Number { value: size.0 * size.1, ..**one }, size));
        }
    }
    pairs
}

/// Whether a call needs far fewer instructions than the pixels promise.
fn ends_soon(task: &dyn Task, case: &Case, runner: &Runner<'_>, seed: u64) -> Result<bool, Stop> {
    let image = call::image(case, seed)?;
    let job = call::job(task.name(), task.arguments(&image), image.pixels() as u64, seed);
    match runner.simulation.run_in_full(runner.program, &job, MOST_INSTRUCTIONS) {
        Err(Failure::Broken(message)) => Err(Stop::environment(message)),
        Err(_) => Ok(false),
        Ok((outcome, _)) => Ok(!outcome.has_error()),
    }
}

/// What the host function read back in a call: a run without kernels needs it to come to its end.
#[derive(Debug, Default)]
struct Answers {
    read: Vec<Vec<u8>>,
    pixels: usize,
}

impl Answers {
    fn of(task: &dyn Task, image: &Image, runner: &Runner<'_>, seed: u64) -> Result<Self, Stop> {
        let pixels = image.pixels();
        let job = call::job(task.name(), task.arguments(image), pixels as u64, seed);
        Ok(Self { read: runner.read(&job)?, pixels })
    }

    /// On a picture of so many pixels, as counts of pixels grow.
    fn on(&self, pixels: usize) -> Vec<Vec<u8>> {
        let scale = pixels as f64 / self.pixels.max(1) as f64;
        self.read.iter().map(|bytes| grown(bytes, scale)).collect()
    }
}

/// What a case launches, if its host function comes to its end without a kernel.
fn launched(
    task: &dyn Task,
    image: Image,
    answers: &Answers,
    runner: &Runner<'_>,
    seed: u64,
) -> Result<Option<Dry>, Stop> {
    let pixels = image.pixels();
    let job = call::job(task.name(), task.arguments_of(image), pixels as u64, seed);
    let dry = runner.dry(&job, answers.on(pixels))?;
    Ok(dry.filter(|dry| !dry.findings.iter().any(Finding::is_error)))
}

/// What was launched so far.
#[derive(Default)]
struct Seen {
    /// Numbers of a kernel: threads along each axis, dynamic shared memory, small arguments; by its name and their place.
    numbers: BTreeMap<(String, usize), BTreeSet<u64>>,
    steps: BTreeSet<usize>,
}

impl Seen {
    fn add(&mut self, launched: &Dry) {
        for (place, number) in launched.kernels.iter().flat_map(numbers_of) {
            self.numbers.entry(place).or_default().insert(number);
        }
        self.steps.insert(launched.steps);
    }

    /// Whether a kernel, or a number that has had few values so far, is new.
    fn lacks(&self, launched: &Dry) -> bool {
        let is_new = |(place, number)| self.numbers.get(&place).is_none_or(|few| lacks(few, &number));
        launched.kernels.iter().flat_map(numbers_of).any(is_new) || lacks(&self.steps, &launched.steps)
    }
}

/// The numbers of a launch, each with the kernel and its place.
fn numbers_of(asked: &Asked) -> Vec<((String, usize), u64)> {
    let small = asked.arguments.iter().map(|bytes| {
        let small: &[u8] = if bytes.len() <= size_of::<u32>() { bytes } else { &[] };
        small.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
    });
    let shape = asked.block.into_iter().chain([asked.dynamic_shared]).map(u64::from);
    shape.chain(small).enumerate().map(|(place, number)| ((asked.kernel.clone(), place), number)).collect()
}

fn lacks<T: Ord>(few: &BTreeSet<T>, one: &T) -> bool {
    few.len() <= FEW && !few.contains(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_with_their_suffixes_shifts_and_products() {
        let text = "if (n > 12'000'000u) f();\nconst int side = 1 << 20, area = 640 * 480;\nfloat half = 0.5f, million = 1e6f; // 77\nx = 0x30;";
        let found: Vec<(usize, usize)> = numbers(text).iter().map(|one| (one.value, one.line)).collect();
        let all = [20, 48, 480, 640, 307_200, 1_000_000, 1 << 20, 12_000_000];
        assert_eq!(found.iter().map(|one| one.0).collect::<Vec<_>>(), all);
        assert_eq!(found[7].1, 1);
        assert_eq!(found[1].1, 4);
    }

    #[test]
    fn a_quotient_is_compared_at_a_multiple() {
        let of = |text| numbers(text).into_iter().map(|one| one.value).max();
        assert_eq!(of("if (pixels / 1024 < 16384) f();"), Some(1 << 24));
        assert_eq!(of("if (width / 64 * (height / 64) >= (4096)) f();"), Some(4096));
        assert_eq!(of("if (width / 64 * (height / 64) >= 4096) f();"), Some(1 << 24));
        assert_eq!(of("if (pixels / 1024 == 16384) f();"), Some(1 << 24));
        assert_eq!(of("int blocks = n / 256; if (blocks < 4096) f();"), Some(4096));
        assert_eq!(of("int most = n / 256 << 20;"), Some(20));
    }

    #[test]
    fn bits_of_a_number_of_pixels_are_told() {
        let of = |text| numbers(text).into_iter().map(|one| one.value).max();
        for text in ["if (pixels >> 22) f();", "int limit = 22;", "if (log2f(pixels) > 22.0f) f();"] {
            assert_eq!(of(text), Some(1 << 22), "{text}");
        }
        assert_eq!(of("if (__clz(pixels) < 10) f();"), Some(1 << 22));
        assert_eq!(of("word = level << 24; level = word >> 24;"), Some(24));
        assert_eq!(of("add(word >> 16, 24);"), Some(24));
    }

    #[test]
    fn sides_are_compared_with_a_multiple_of_each_other() {
        let of = |text| numbers(text).iter().filter(|one| one.ratio).map(|one| one.value).collect::<Vec<_>>();
        assert_eq!(of("if (width > 7 * height || h * 3 >= w) f();"), [3, 7]);
        assert_eq!(of("if (w >= h * 9) f();"), [9]);
        assert_eq!(of("if (height / width > 12) f();"), [12]);
        assert_eq!(of("if (12 * width < height) f();"), [12]);
        assert_eq!(
            of("if (3 * i < width * height) f(); size_t n = 3 * width * height;"),
            Vec::<usize>::new()
        );
    }

    #[test]
    fn remainders_are_those_that_are_compared() {
        let of = |text| {
            let all = numbers(text).into_iter().filter_map(|one| Some((one.modulus?, one.value)));
            all.collect::<Vec<_>>()
        };
        assert_eq!(of("if (width % 28 == 27 || (n % 48) < 16) f();"), [(48, 16), (48, 15), (28, 27)]);
        assert_eq!(of("int x = i % 100, y = i % width;"), []);
        assert_eq!(of("int tiles = width / 48 + (width % 48 ? 1 : -(height & 1));"), [(48, 0)]);
        assert_eq!(of("if (!(n % 28) && height % 36) f();"), [(28, 0)]);
        assert_eq!(of("if (width % 36) f(); x = table[n % 36];"), [(36, 0)]);
        assert_eq!(of("if ((width & 63) == 63) f(); x = (n & 127) + 1;"), [(64, 63)]);
        assert_eq!(of("if (threadIdx.x % 32 == 0) f();"), []);
        assert_eq!(of("constexpr int rows = 8, tile = 48; if (width % tile == 5) f();"), [(48, 5)]);
        assert_eq!(of("#define TILE 36\nint tile = 48; if (n % TILE && n % tile == 1) f();"), [(36, 0)]);
        assert_eq!(of("printf(\"%d\", 7 % 32 != 31);"), [(32, 31)]);
    }

    #[test]
    fn sides_may_have_names() {
        let of = |text: &str| {
            let sizes = both_sides(&numbers(text));
            sizes.iter().any(|(_, size)| *size == (3840, 2160))
        };
        let compared = "if (width == w && height == h) f();";
        for (declared, compared) in [
            ("const int w = 3840, h = 2160;", compared),
            ("static constexpr unsigned w = 3840u; static constexpr unsigned h = 2160u;", compared),
            ("const int w{3840}; const int h(2160);", compared),
            ("enum { w = 3840, h = 2160 };", compared),
            ("enum Size : int { w = 3840, h = 2160 };", "if (width >= w && height >= h) f();"),
            ("#define w 3840\n#define h (2160)\n", compared),
            ("constexpr int w = 3840, h = 2160;", "if (w == width && h == height) f();"),
            ("constexpr int w = 3840;", "if (w <= width && height > 2160) f();"),
        ] {
            assert!(of(&format!("{declared} {compared}")), "{declared} {compared}");
        }
        assert!(!of("const int w = 3840, h = 2160; int a = w; f(h);"));
        assert!(of("if (3840 == width && 2160 == height) f();"));
    }

    #[test]
    fn sizes_lie_at_a_number_and_past_it() {
        let number = |value| Number { value, line: 1, modulus: None, ratio: false, compared: false };
        let sizes = sizes(&[number(48), number(1_000_000)]);
        let all: Vec<(usize, usize)> = sizes.iter().map(|(_, size)| *size).collect();
        assert_eq!(all[..4], [(48, 3), (3, 48), (49, 3), (3, 49)]);
        assert!(all.contains(&(49, 197)));
        let (width, height) = all[all.len() - 1];
        assert!(width * height > 1_000_000 && width % 2 == 1 && height % 2 == 1);
    }
}
