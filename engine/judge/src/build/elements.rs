//! The elements of an array of the block that an index reaches: worked out for the thread of a finding, and for all of its block.

use std::rc::Rc;

use runtime::finding::Finding;

use super::arrays::sides;
use super::code::{has, is_part, line_of, places, words};
use super::expression::{Expression, parsed};
use super::steps;
use super::walk::{Thread, Way};

/// An access to an array of the block.
struct Access<'a> {
    way: Way<'a>,
    name: &'a str,
    /// The line of its declaration, and the sizes there.
    declared: u32,
    sides: Vec<i64>,
    indices: Vec<(&'a str, Expression)>,
    line: u32,
    column: usize,
}

/// Rows or columns that an array may lack because its halo was forgotten; one that lacks more has a wrong index.
const HALO: i64 = 4;
/// Levels of a pixel: an array may have one element for each.
const LEVELS: i64 = 256;
/// Bytes of shared memory that a kernel can declare.
const SHARED: i64 = 48 << 10;

/// An access of one thread that leaves the array.
struct Outside {
    thread: Thread,
    counters: Vec<(String, i64)>,
    values: Vec<i64>,
    /// The index that is too small or too large.
    side: usize,
    /// Bytes of an element.
    bytes: i64,
}

/// Puts the index of an access out of bounds, and what is wrong with it, in place of a general hint.
pub fn explained(finding: &mut Finding, text: &str) {
    if let Some(told) = past_its_row(finding, text) {
        finding.hint = told;
        return;
    }
    if finding.code != "W0106" || finding.hint.starts_with("this is the first element past the end") {
        return;
    }
    let task = finding.task().map(str::to_owned);
    let found = finding.line.zip(task.as_deref()).and_then(|(line, task)| {
        let thread = finding.thread.as_ref()?;
        let [block, own] = [thread.block, thread.thread].map(|of| of.map(i64::from));
        accesses(text, task, line).into_iter().find_map(|access| {
            let outside = access.outside(&Thread { block, own }, &finding.message)?;
            Some((access, outside))
        })
    });
    let Some((access, outside)) = found else { return };
    if let Some((before, _)) = finding.message.split_once(" of shared memory at a negative index") {
        let element = in_brackets(&outside.values);
        let verb = before.split(' ').next().unwrap_or_default();
        finding.message = format!("{verb} `{}{element}`, before the first element", access.name);
        let line = text.lines().nth(access.line as usize - 1).unwrap_or_default();
        finding.column = line[..access.column].chars().count() as u32 + 1;
    }
    let others = || -> Vec<Access<'_>> {
        let below = access.declared + 1..=text.lines().count() as u32;
        let all = below
            .filter(|line| *line != access.line)
            .flat_map(|line| task.as_deref().map_or_else(Vec::new, |task| accesses(text, task, line)));
        all.filter(|other| other.name == access.name && other.declared == access.declared).collect()
    };
    let told = access
        .of_the_grid(&outside)
        .or_else(|| steps::of_kernel(&access.way).map(|(told, hint)| format!("{told}: {hint}")))
        .or_else(|| access.remainder(&outside))
        .or_else(|| access.let_through(&outside))
        .or_else(|| access.exchanged(&outside, &others()))
        .or_else(|| access.other_rows(&outside))
        .or_else(|| access.ranged(&outside));
    if let Some(told) = told {
        finding.hint = told;
    }
}

/// Two threads that use one element of an array of several dimensions, because the index of one of them leaves its row.
fn past_its_row(finding: &Finding, text: &str) -> Option<String> {
    let (does, rest) = finding.message.split_once(" `")?;
    let (element, rest) = rest.split_once("`, which thread ")?;
    let (name, indices) = element.split_once('[')?;
    let indices: Option<Vec<i64>> =
        indices.strip_suffix(']')?.split("][").map(|index| index.parse().ok()).collect();
    let indices = indices.filter(|indices| finding.code.starts_with("W03") && indices.len() > 1)?;
    let (other, rest) = rest.split_once(" too")?.0.rsplit_once(' ')?;
    let told = finding.thread.as_ref()?;
    let own = told.thread.map(i64::from);
    let parse = |who: &str| {
        let mut sides = [0; 3];
        for (side, value) in sides.iter_mut().zip(who.trim_matches(['(', ')']).split(", ")) {
            *side = value.parse().ok()?;
        }
        Some(sides)
    };
    let parties = [(own, does, finding.line?), (parse(other)?, rest, finding.labels.first()?.line)];
    parties.into_iter().find_map(|(own, does, line)| {
        let thread = Thread { block: told.block.map(i64::from), own };
        let accesses = accesses(text, finding.task()?, line);
        accesses.iter().filter(|access| access.name == name).find_map(|access| {
            let (values, side) = access.leaves_its_row(&thread, &indices)?;
            let who = coordinates(own);
            let (at, size) = (values[side], access.sides[side]);
            let (edge, which) = if at < 0 { ("before the beginning", "previous") } else { ("past the end", "next") };
            Some(format!(
                "thread {who} {does} `{name}{}` in line {line}, {edge} of a row of {size} (line {}): that is `{element}`, in the {which} row. Declare \
                 longer rows, or keep this index from 0 to {}",
                in_brackets(&values),
                access.declared,
                size - 1
            ))
        })
    })
}

/// A thread of a block as messages name it.
fn coordinates(own: [i64; 3]) -> String {
    match own {
        [x, 0, 0] => x.to_string(),
        [x, y, 0] => format!("({x}, {y})"),
        [x, y, z] => format!("({x}, {y}, {z})"),
    }
}

/// The accesses of a line to arrays of the block by indices of whole numbers.
fn accesses<'a>(text: &'a str, task: &'a str, line: u32) -> Vec<Access<'a>> {
    let source = line_of(text, line);
    let found = source.match_indices('[').filter_map(|(at, _)| {
        let name = &source[source[..at].trim_end_matches(is_part).len()..at];
        let column = at - name.len();
        let (declared, sides) = sides(name, line, text).filter(|_| !name.is_empty())?;
        let (texts, _) = super::missed::indices(&source[at..])?;
        let indices: Option<Vec<_>> = texts.iter().map(|text| Some((*text, parsed(text)?))).collect();
        let indices = indices.filter(|indices| indices.len() == sides.len())?;
        let way = Way::to(text, task, line, column)?;
        Some(Access { way, name, declared, sides, indices, line, column })
    });
    found.collect()
}

impl Access<'_> {
    fn values(&self, thread: &Thread, counters: &[(String, i64)]) -> Option<Vec<i64>> {
        self.indices.iter().map(|(_, index)| self.way.value(index, thread, counters)).collect()
    }

    /// The indices by which a thread reaches this element, if one behind the first leaves its size, and the number of that one.
    fn leaves_its_row(&self, thread: &Thread, element: &[i64]) -> Option<(Vec<i64>, usize)> {
        let loops: Vec<_> = self
            .way
            .loops()
            .filter(|of| {
                self.indices.iter().any(|(_, index)| self.way.depends(index, &|name| name == of.name))
            })
            .collect();
        let rounds: Vec<Vec<(String, i64)>> = match loops.as_slice() {
            [] => vec![Vec::new()],
            [of] => {
                let all = self.way.counted(of, thread, &[])?;
                all.into_iter().map(|round| vec![(of.name.clone(), round)]).collect()
            }
            _ => return None,
        };
        rounds.iter().find_map(|counters| {
            let values = self.values(thread, counters)?;
            let side = (1..values.len()).find(|side| !(0..self.sides[*side]).contains(&values[*side]))?;
            (element.len() == values.len() && self.flat(&values) == self.flat(element))
                .then_some((values, side))
        })
    }

    /// The number of an element in the whole array.
    fn flat(&self, values: &[i64]) -> i64 {
        values.iter().zip(&self.sides).fold(0, |at, (value, side)| at * side + value)
    }

    /// The access of a thread that leaves the array, as the message tells it: the compiler may carry out the rounds of a loop in any order.
    fn outside(&self, thread: &Thread, message: &str) -> Option<Outside> {
        let told = message.split('`').nth(1).and_then(|told| told.strip_prefix(self.name)?.strip_prefix('['));
        let told: Option<Vec<i64>> = told
            .and_then(|told| told.strip_suffix(']'))
            .and_then(|told| told.split("][").map(|index| index.parse().ok()).collect());
        let bytes =
            message.split_once("elements of ").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
        let bytes = bytes.unwrap_or(1);
        let total = self.sides.iter().product();
        let fits = |flat: i64| match &told {
            Some(told) => flat == self.flat(told),
            None => flat < 0 && message.contains("negative index"),
        };
        let mut found = None;
        self.way.rounds(thread, &mut |counters| {
            let values = self.values(thread, counters)?;
            let flat = self.flat(&values);
            if (0..total).contains(&flat) {
                return Some(true);
            }
            let side =
                values.iter().zip(&self.sides).position(|(value, side)| !(0..*side).contains(value))?;
            found = fits(flat).then(|| Outside {
                thread: *thread,
                counters: counters.to_vec(),
                values,
                side,
                bytes,
            });
            Some(found.is_none())
        })?;
        found
    }

    /// An index that counts the threads of all blocks.
    fn of_the_grid(&self, outside: &Outside) -> Option<String> {
        let (text, index) = &self.indices[outside.side];
        let first = Thread { block: [0; 3], ..outside.thread };
        let inside = self.way.value(index, &first, &outside.counters)?;
        if !(0..self.sides[outside.side]).contains(&inside) {
            return None;
        }
        of_the_grid(&self.way, self.name, text, index)
    }

    /// A variable that is a remainder, where the quotient fits.
    fn remainder(&self, outside: &Outside) -> Option<String> {
        let (text, _) = self.indices[outside.side];
        let line = self.way.line_of(text)?;
        let given = self.way.given(text)?;
        let (of, by) = given.split_once('%')?;
        let (of, by) = (of.trim(), by.trim());
        let last = Thread { own: [self.way.sides[0] - 1, self.way.sides[1] - 1, 0], ..outside.thread };
        let quotient = self.way.value(&parsed(&format!("{of} / {by}"))?, &last, &[])?;
        (quotient < self.sides[outside.side]).then(|| {
            format!(
                "line {line} gives `{text}` the value `{given}`, from 0 to `{by} - 1`: with {by} for the size of a warp, that is the lane of a thread, its number in \
                 its warp. The number of its warp is `{of} / {by}`: likely the two are exchanged"
            )
        })
    }

    /// A test by `<=` that lets one too many through.
    fn let_through(&self, outside: &Outside) -> Option<String> {
        self.way.guards().find_map(|(condition, text)| {
            let Some(Expression::Binary("<=", one, other)) = condition else { return None };
            let [one, other] =
                [one, other].map(|side| self.way.value(side, &outside.thread, &outside.counters));
            let equal = one? == other?;
            equal.then(|| {
                format!(
                    "`{text}` lets this thread through, as both sides are {}: likely it should be `{}`",
                    one.unwrap_or_default(),
                    text.replacen("<=", "<", 1)
                )
            })
        })
    }

    /// Two indices that fit the other way round.
    fn exchanged(&self, outside: &Outside, others: &[Access<'_>]) -> Option<String> {
        let [(one, first), (other, second)] = self.indices.as_slice() else { return None };
        let fits = |index: &Expression, side: i64| {
            self.range(index, outside).is_some_and(|(least, most)| least >= 0 && most < side)
        };
        (fits(first, self.sides[1]) && fits(second, self.sides[0])).then(|| {
            let agree: isize = others.iter().map(|other| other.exchanges(outside)).sum();
            if agree > 0 {
                return format!(
                    "line {1} declares `{0}[{2}][{3}]`, and other lines use rows and columns the other way round too: likely the declaration \
                     is exchanged, `{0}[{3}][{2}]` in line {1}",
                    self.name, self.declared, self.sides[0], self.sides[1]
                );
            }
            format!(
                "`{0}[{one}][{other}]` takes `{one}` for the row and `{other}` for the column, and line {1} declares `{0}[{2}][{3}]`: likely the two                  are exchanged, `{0}[{other}][{one}]`",
                self.name, self.declared, self.sides[0], self.sides[1]
            )
        })
    }

    /// Whether the indices are those of an array with the two sides exchanged (1) or as they are declared (-1); 0 if that is not known.
    fn exchanges(&self, outside: &Outside) -> isize {
        let [rows, columns] = self.sides[..] else { return 0 };
        let most: Vec<Option<i64>> =
            self.indices.iter().map(|(_, index)| Some(self.range(index, outside)?.1 + 1)).collect();
        let is_of = |sides: [i64; 2]| {
            let fits = most.iter().zip(sides).all(|(most, side)| most.is_none_or(|most| most <= side));
            fits && most.iter().zip(sides).any(|(most, side)| *most == Some(side))
        };
        isize::from(is_of([columns, rows])) - isize::from(is_of([rows, columns]))
    }

    /// What a variable is made of; anything else is itself.
    fn made_of(&self, index: &Expression) -> Rc<Expression> {
        let made = match index {
            Expression::Name(name) => self.way.made_of(name),
            _ => None,
        };
        made.unwrap_or_else(|| Rc::new(index.clone()))
    }

    /// A number that is split into row and column by another width than that of the rows.
    fn other_rows(&self, outside: &Outside) -> Option<String> {
        let [(one, row), (other, column)] = self.indices.as_slice() else { return None };
        let [row, column] = [row, column].map(|index| self.made_of(index));
        let (Expression::Binary("/", of, by), Expression::Binary("%", same, width)) = (&*row, &*column)
        else {
            return None;
        };
        let split = self.way.value(by, &outside.thread, &outside.counters)?;
        let own = self.sides[1];
        (of == same && by == width && split != own).then(|| {
            format!(
                "`{one}` and `{other}` count in rows of {split} elements, and line {} declares rows of {own}: likely both should be {own}",
                self.declared
            )
        })
    }

    /// Whether the array may be meant to have so many along the side of an index: hardly more than it has, and shared memory holds them.
    fn may_grow(&self, outside: &Outside, count: i64) -> bool {
        let has = self.sides[outside.side];
        let elements = self.sides.iter().product::<i64>() / has.max(1) * count;
        let is_near = count - has <= HALO || count == LEVELS;
        is_near && elements * outside.bytes <= SHARED
    }

    /// All that an index reaches, beside what the array has.
    fn ranged(&self, outside: &Outside) -> Option<String> {
        let (text, index) = &self.indices[outside.side];
        let has = self.sides[outside.side];
        let (least, most) = self.range(index, outside)?;
        let sizes = in_brackets(&self.sides);
        let what = match (self.sides.len(), outside.side) {
            (1, _) => "elements",
            (2, 0) => "rows",
            (_, side) if side + 1 == self.sides.len() => "columns",
            _ => "indices",
        };
        let declared = format!(
            "line {} declares `{}{sizes}`, with the {what} 0 to {}",
            self.declared,
            self.name,
            has - 1
        );
        let counted = self.way.loops().last().filter(|of| of.name == *text);
        let who = match counted {
            Some(of) => format!("the loop of line {} goes from {least} to {most}", of.line),
            None => format!("`{text}` goes from {least} to {most} here"),
        };
        let values: Vec<String> = self.names(index, outside);
        let own = match values.as_slice() {
            _ if counted.is_some() || least >= 0 => String::new(),
            all => format!(" (in this thread, {})", all.join(" and ")),
        };
        let try_this = if let Some(told) = self.masked(text) {
            told
        } else if most - least >= has {
            self.too_many(text, outside, [least, most, has], what)
        } else if least < 0 {
            format!("with {} more, it fits", -least)
        } else {
            let enough = self.may_grow(outside, most + 1).then(|| format!(", or with {} {what}", most + 1));
            format!("with {} less, it fits{}", most + 1 - has, enough.unwrap_or_default())
        };
        Some(format!("{declared}, but {who}{own}: {try_this}"))
    }

    /// The rest of a division that is taken by a mask of one bit: `threadIdx.x & 32`.
    fn masked(&self, text: &str) -> Option<String> {
        let (given, line) = (self.way.given(text)?, self.way.line_of(text)?);
        let (of, bit) = given.trim_end_matches(';').split_once('&')?;
        let bit: i64 = bit.trim().parse().ok().filter(|bit: &i64| *bit > 1 && bit & (bit - 1) == 0)?;
        let of = of.trim();
        (self.sides.contains(&bit) && of.starts_with("threadIdx")).then(|| {
            format!(
                "line {line} gives `{text}` only the bit {bit} of `{of}`, `{given}`, which is 0 or {bit}. The rest of a division by {bit} is `{of} % {bit}`, or `{of} & {}`",
                bit - 1
            )
        })
    }

    /// What to try if an index has more values than the array has elements.
    fn too_many(&self, text: &str, outside: &Outside, [least, most, has]: [i64; 3], what: &str) -> String {
        let by_thread =
            self.way.depends(&self.indices[outside.side].1, &|name| name.starts_with("threadIdx"));
        let looped = self
            .way
            .loops()
            .any(|of| self.way.depends(&self.indices[outside.side].1, &|name| name == of.name));
        if what == "columns" && looped && by_thread && least == 0 && has & (has - 1) == 0 {
            return format!("go round within the row, `({text}) % {has}`");
        }
        let lane = what == "columns" && has == 32 && by_thread && most + 1 == self.way.sides[0];
        if lane {
            return "the lane of a thread, its number in its warp, is `threadIdx.x % 32`".to_owned();
        }
        if least < 0 {
            return format!(
                "test it before the access, `if ({text} >= 0)`: the threads before have no element"
            );
        }
        let levels = if most == 255 { ", as there are 256 levels" } else { "" };
        let enough = self.may_grow(outside, most + 1).then(|| format!("declare {} {what}{levels}", most + 1));
        if 2 * has <= most + 1 && !looped && by_thread {
            return format!(
                "a block has more threads than that: let each thread go on in steps of a block, `for (int v = threadIdx.x; v < {has}; v += \
                 blockDim.x)`, or test it, `if ({text} < {has})`"
            );
        }
        if by_thread && most + 1 >= 2 * has {
            return "the threads of a block reach further than that: test the thread's number before this line, so that only threads that have elements come \
                    here"
                .to_owned();
        }
        // So many more are not what the array is for.
        if most + 1 > 2 * has {
            return format!(
                "far too much for this array; work out what `{text}` counts, and what the array is for"
            );
        }
        let those = "let only those use it that have an element";
        enough.map_or_else(|| those.to_owned(), |enough| format!("{enough}, or {those}"))
    }

    /// The least and the greatest value of an index over all threads of the block.
    fn range(&self, index: &Expression, outside: &Outside) -> Option<(i64, i64)> {
        let mut range: Option<(i64, i64)> = None;
        let [across, down] = self.way.sides;
        for at in 0..across * down {
            let thread = Thread { own: [at % across, at / across, 0], ..outside.thread };
            self.way.rounds(&thread, &mut |counters| {
                let value = self.way.value(index, &thread, counters)?;
                range = Some(range.map_or((value, value), |(low, high)| (low.min(value), high.max(value))));
                Some(true)
            })?;
        }
        range
    }

    /// The names of an index with their values: `` `t` = 0 ``.
    fn names(&self, index: &Expression, outside: &Outside) -> Vec<String> {
        let found = std::cell::RefCell::new(Vec::new());
        index.any(&|name| {
            let value = self.way.name(name, &outside.thread, &outside.counters);
            let varies = outside.counters.iter().any(|(counter, _)| counter == name)
                || self.way.given(name).is_some()
                || name.contains('.');
            if let Some(value) = value.filter(|_| varies) {
                found.borrow_mut().push(format!("`{name}` is {value}"));
            }
            false
        });
        found.into_inner()
    }
}

/// The only line before a use that stores to an array of the block, outside all loops, the elements that it sets there, and all that there are.
pub fn filled(name: &str, used: u32, text: &str, task: &str) -> Option<(u32, u64, u64)> {
    let kernel = super::code::kernel_to(used, text)?;
    let stores = |line: &str| {
        places(line, name).find(|at| {
            let behind = super::missed::indices(&line[at + name.len()..]);
            behind.is_some_and(|(found, rest)| {
                !found.is_empty() && rest.starts_with('=') && !rest.starts_with("==")
            })
        })
    };
    let mut found = kernel
        .iter()
        .filter(|(_, line)| !line.contains("__shared__"))
        .filter_map(|(number, line)| Some((*number, stores(line)?)));
    let ((line, column), None) = (found.next()?, found.next()) else { return None };
    let access = accesses(text, task, line)
        .into_iter()
        .find(|access| access.name == name && access.column == column)?;
    if access.way.loops().next().is_some() || access.way.guards().any(|(condition, _)| condition.is_none()) {
        return None;
    }
    let mut set = std::collections::BTreeSet::new();
    let [across, down] = access.way.sides;
    for at in 0..across * down {
        let thread = Thread { own: [at % across, at / across, 0], ..Thread::default() };
        if access.way.is_let_through(&thread, &[], None)? {
            set.insert(access.flat(&access.values(&thread, &[])?));
        }
    }
    let all = access.sides.iter().product::<i64>().unsigned_abs();
    ((set.len() as u64) < all).then_some((line, set.len() as u64, all))
}

/// An index of an array of the block that differs from block to block.
fn of_the_grid(way: &Way<'_>, name: &str, text: &str, index: &Expression) -> Option<String> {
    let begins = |counters: &mut Vec<(String, i64)>, thread: &Thread| {
        for of in way.loops() {
            let first = way.begin(of, thread, counters)?;
            counters.push((of.name.clone(), first));
        }
        way.value(index, thread, counters)
    };
    let first = begins(&mut Vec::new(), &Thread::default())?;
    let side = (0..2).find(|side| {
        let in_block = |number: i64| {
            let mut thread = Thread::default();
            thread.block[*side] = number;
            begins(&mut Vec::new(), &thread)
        };
        // It grows from block to block: what only the first block has otherwise is a border.
        let (second, third) = (in_block(1), in_block(2));
        second.zip(third).is_some_and(|(second, third)| second != first && third - second == second - first)
    })?;
    let cut = |expression: &Expression| matches!(expression, Expression::Binary("%" | "&", ..));
    let word = words(text).find(|word| {
        let of_grid = |name: &str| name.starts_with("blockIdx");
        of_grid(word)
            || way
                .given(word)
                .and_then(parsed)
                .is_some_and(|from| !cut(&from) && way.depends(&from, &of_grid))
    });
    let side = ["x", "y"][side];
    let what = match word.filter(|word| *word != "blockIdx") {
        Some(word) => {
            let line = way.line_of(word)?;
            format!("`{word}` (line {line}) counts the threads of all blocks")
        }
        None => format!("`{text}` differs from block to block"),
    };
    (!text.contains(['%', '&'])).then(|| {
        format!("{what}, but each block has a `{name}` of its own: count its elements by `threadIdx.{side}`")
    })
}

/// Rows of a flat array that overlap, in a line that stores to it: `tile[r * 8 + c]`, where `c` goes beyond 7.
pub fn overlapping(text: &str, task: &str, line: u32, array: &str) -> Option<String> {
    accesses(text, task, line).into_iter().filter(|access| access.name == array).find_map(|access| {
        let [(index, Expression::Binary("+", row, column))] = access.indices.as_slice() else { return None };
        let Expression::Binary("*", _, length) = row.as_ref() else { return None };
        let outside = Outside { thread: Thread::default(), counters: Vec::new(), values: Vec::new(), side: 0, bytes: 1 };
        let length = access.way.value(length, &outside.thread, &[])?;
        let (least, most) = access.range(column, &outside)?;
        (least == 0 && most >= length).then(|| {
            format!(
                "in `{array}[{index}]` a row begins {length} elements after the row before, but the place in it goes from 0 to {most}: a row needs {} elements, \
                 here, where `{array}` is read and where it is declared (line {})",
                most + 1,
                access.declared
            )
        })
    })
}

/// The first line of a kernel of `task` in which an array of the block has an index of the grid, as a fact; `array` is the one to look at.
pub fn of_all_blocks(text: &str, task: &str, array: Option<&str>) -> Option<String> {
    (1..).zip(text.lines()).find_map(|(line, source)| {
        if !source.contains('[') || source.contains("__shared__") {
            return None;
        }
        let told = |access: &Access<'_>| {
            // Not one of the GPU.
            let of_block = |line: &str| has(line, "__shared__") && has(line, access.name);
            let mut lines = access.way.kernel.iter();
            let named =
                array.is_none_or(|array| array == access.name) && lines.any(|(_, line)| of_block(line));
            access
                .indices
                .iter()
                .filter(|_| named)
                .find_map(|(text, index)| of_the_grid(&access.way, access.name, text, index))
        };
        let told = accesses(text, task, line).iter().find_map(told)?;
        Some(format!("line {line} uses an index of the grid: {told}"))
    })
}

/// `[2][33]` for 2 and 33.
pub(super) fn in_brackets(numbers: &[impl std::fmt::Display]) -> String {
    let parts: Vec<String> = numbers.iter().map(|number| format!("[{number}]")).collect();
    parts.concat()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use runtime::finding::{Kind, Severity, Thread};

    use super::*;

    /// The hint on the access of line 5 by this thread of block 1, in a kernel of 256 threads, or of 32 × 8.
    fn hint(array: &str, before: &str, access: &str, thread: [u32; 3], message: &str) -> String {
        let sizes = if array.contains("][") { "dim3(32, 8)" } else { "256" };
        let text = format!(
            "__global__ void k(const int* gray, int n) {{\n    __shared__ int {array};\n    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, warp = t % 32;\n    {before}\n        {access}\n}}\n\
             void f(const int* gray, int n) {{\n    k<<<n, {sizes}>>>(gray, n);\n}}\n"
        );
        let mut finding =
            Finding::new("W0106", Kind::Memory, Severity::Error, message.to_owned(), "check the index");
        (finding.line, finding.cases) = (Some(5), vec!["f: 1x1".to_owned()]);
        finding.thread = Some(Thread { kernel: "k".to_owned(), block: [1, 0, 0], thread });
        explained(&mut finding, &text);
        finding.hint
    }

    #[test]
    fn an_index_past_its_row_is_told_where_two_threads_meet() {
        let hint = |size: &str| {
            let text = format!(
                "constexpr int warps = 4;\n__global__ void k(const int* gray, int n) {{\n    __shared__ int a[warps][{size}];\n    const int lane = threadIdx.x;\n    \
                 for (int y = 0; y < n; ++y)\n        for (int k = 0; k < 3; ++k) a[threadIdx.y][3 * lane + k] = y;\n}}\n\
                 void g() {{\n    const dim3 block(64);\n}}\nvoid f(const int* gray, int n) {{\n    const dim3 block(32, warps);\n    k<<<n, block>>>(gray, n);\n}}\n"
            );
            let message = "writes `a[1][0]`, which thread 30 writes too: two warps".to_owned();
            let mut finding = Finding::new("W0301", Kind::Race, Severity::Error, message, "known");
            (finding.line, finding.cases) = (Some(6), vec!["f: 1x1".to_owned()]);
            finding.thread = Some(Thread { kernel: "k".to_owned(), block: [1, 0, 0], thread: [0, 1, 0] });
            let label = "thread 30 writes `a[1][0]` here".to_owned();
            finding.labels =
                vec![runtime::finding::Label { file: "a.cu".into(), line: 6, column: 1, text: label }];
            explained(&mut finding, &text);
            finding.hint
        };
        assert_eq!(
            hint("3 * 32 - 6"),
            "thread 30 writes `a[0][90]` in line 6, past the end of a row of 90 (line 3): that is `a[1][0]`, in the next row. Declare longer rows, or keep \
             this index from 0 to 89"
        );
        assert_eq!(hint("3 * 32"), "known");
    }

    #[test]
    fn an_index_past_the_end_is_told_beside_what_the_array_has() {
        for (array, before, access, thread, message, told) in [
            (
                "a[255]",
                "for (int b = t; b < 256; b += blockDim.x)",
                "a[b] = 0;",
                [255, 0, 0],
                "writes `a[255]`, but",
                "line 2 declares `a[255]`, with the elements 0 to 254, but the loop of line 4 goes from 0 to 255: declare 256 elements, as there are 256 levels",
            ),
            (
                "a[64]",
                "",
                "a[t] = 0;",
                [64, 0, 0],
                "writes `a[64]`, but",
                "line 2 declares `a[64]`, with the elements 0 to 63, but `t` goes from 0 to 255 here: a block has more threads",
            ),
            (
                "a[256]",
                "",
                "a[i] = 0;",
                [0, 0, 0],
                "writes `a[256]`, but",
                "`i` (line 3) counts the threads of all blocks, but each block has a `a` of its own: count its elements by `threadIdx.x`",
            ),
            (
                "a[8]",
                "",
                "a[warp] = 0;",
                [8, 0, 0],
                "writes `a[8]`, but",
                "line 3 gives `warp` the value `t % 32`",
            ),
            (
                "a[256]",
                "if (t <= 255 - n % 1)",
                "a[t + 1] = 0;",
                [255, 0, 0],
                "writes `a[256]`, but",
                "`t + 1` goes from 1 to 256 here: with 1 less, it fits, or with 257 elements",
            ),
            (
                "a[256]",
                "",
                "a[t + 31] = 0;",
                [255, 0, 0],
                "writes `a[286]`, but",
                "`t + 31` goes from 31 to 286 here: with 31 less, it fits",
            ),
            (
                "a[12][36]",
                "for (int d = -2; d <= 2; d++)",
                "n += a[threadIdx.y][threadIdx.x + d - 2];",
                [0, 0, 0],
                "reads 4 bytes of shared memory at a negative index",
                "line 2 declares `a[12][36]`, with the columns 0 to 35, but `threadIdx.x + d - 2` goes from -4 to 31 here (in this thread, `threadIdx.x` is 0 and `d` is -2): with 4 more, it fits",
            ),
            (
                "a[32][256]",
                "for (int k = t; k < 8192; k += blockDim.x) a[k / 32][k % 32] = 0; for (int k = 0; k < 32; ++k)",
                "n += a[t][(k + t) % 32];",
                [32, 0, 0],
                "reads `a[32][0]`, but",
                "`a[256][32]` in line 2",
            ),
            ("a[256]", "", "a[gray[t]] = 0;", [3, 0, 0], "writes `a[700]`, but", "check the index"),
            ("a[256]", "", "a[t] = 0;", [3, 0, 0], "writes `a[700]`, but", "check the index"),
        ] {
            let said = hint(array, before, access, thread, message);
            assert!(said.contains(told), "{access}: {said}");
            assert!(!said.contains("287"), "{access}: {said}");
        }
    }

    #[test]
    fn an_array_that_is_much_too_small_is_not_made_larger() {
        let lane = hint(
            "a[256][32]",
            "for (int k = 0; k < 32; ++k)",
            "n += a[t][k + t % 32];",
            [255, 0, 0],
            "reads `a[256][0]`, but",
        );
        assert!(!lane.contains("declare 63"), "{lane}");
        let each = hint("a[64]", "", "a[t] = 0;", [64, 0, 0], "writes `a[64]`, but");
        assert!(!each.contains("declare 256"), "{each}");
    }

    #[test]
    fn an_index_of_the_grid_in_an_array_of_the_block_is_told() {
        let told = |access: &str| {
            let text = format!(
                "__global__ void k(int* a, int n) {{\n    __shared__ int s[256];\n    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n    {access}\n}}\n\
                 void f(int* a, int n) {{\n    k<<<n, 256>>>(a, n);\n}}\n"
            );
            of_all_blocks(&text, "f", None)
        };
        let said = told("if (i < 256) atomicAdd(&a[i], s[i]);").unwrap_or_default();
        assert!(said.starts_with("line 4 uses an index of the grid: `i` (line 3) counts"), "{said}");
        for right in ["a[i] = s[t];", "s[i - blockIdx.x * blockDim.x] = 0;", "s[(t + blockIdx.x) % 256] = 0;"]
        {
            assert_eq!(told(right), None, "{right}");
        }
    }
}
