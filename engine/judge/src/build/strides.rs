//! Loops over all elements that begin with the number of a thread in the grid: how far they step, and whether one over whole groups and one
//! over the last elements meet. Both are worked out for a few threads and one number of elements: that of a wrong case, if it shows the mistake.

use super::arguments::{Launch, declared, joined, launches, parameters};
use super::block::{blocks_of, body};
use super::code::{closing, code, end_of_loop, has, is_part, last_name, places};
use super::expression::Expression;
use super::walk::{Loop, Thread, Way};

/// What to try if threads go on by less than all threads of the grid.
pub const SHORT: &str = "all threads of the grid share the elements, so that the step is their number: `gridDim.x * blockDim.x`, times the elements that a \
                         thread takes at once";
/// What to try if they go on by more.
pub const LONG: &str = "a thread goes on by the number of threads in the grid, `gridDim.x * blockDim.x`: the elements between are left to nobody";
/// What to try if two loops do not meet.
pub const MEET: &str = "with groups of n, whole groups end at `count / n * n`: the loop over the last elements begins there, each thread at its own, `count / n * n + \
                        thread`, and ends at `count`";
/// What a fact on two such loops ends with if elements between them are taken by neither.
pub const LEFT_OUT: &str = "left out";
/// What to try if groups go on past the last whole one.
pub const WHOLE: &str =
    "end the loop over the groups at `count / n`, the number of whole groups of n elements";

/// What to try if a loop counts elements in one place and groups in another.
pub const MIXED: &str = "count elements everywhere: with n for each access, a thread begins at `n * thread`, goes on by `n * threads`, and ends with the last whole \
                         group; or count groups everywhere";

/// What to try if each round takes the same element.
pub const SAME: &str =
    "each round is to take another element: let the index change with the counter of the loop";

/// Blocks of a grid whose number is not known.
const BLOCKS: i64 = 8;
/// Groups of the number of elements that the loops are worked out for, and what is left over.
const GROUPS: i64 = 5;

/// A loop of a kernel that no other loop is around, with the text of its three parts.
struct Counted<'a> {
    way: Way<'a>,
    of: Loop,
    parts: [&'a str; 3],
}

/// What is wrong with a loop over the elements in a kernel of `task`, as a fact, and what to try. `wrong`: the elements of a case that is
/// wrong, 0 if none is known.
pub fn told(text: &str, task: &str, wrong: usize) -> Option<(String, &'static str)> {
    launches(text, task).iter().find_map(|launch| of_launch(launch, text, (task, wrong)))
}

/// The same of one kernel.
pub fn of_kernel(text: &str, task: &str, kernel: &str) -> Option<(String, &'static str)> {
    launches(text, task)
        .iter()
        .filter(|launch| launch.kernel == kernel)
        .find_map(|launch| of_launch(launch, text, (task, 0)))
}

/// The lines of the loops of a kernel over whole groups and over the last elements.
pub fn groups_and_rest(text: &str, task: &str, kernel: &str) -> Option<[u32; 2]> {
    let launches = launches(text, task);
    let launch = launches.iter().find(|launch| launch.kernel == kernel)?;
    let loops = loops(launch, text, task);
    let (groups, rest, count) = pairs(&loops, launch, text).next()?;
    is_whole(groups, &count)?.then_some([groups.of.line, rest.of.line])
}

/// Whether a loop over groups ends with the last whole one, if that can be worked out.
fn is_whole(groups: &Counted<'_>, count: &str) -> Option<bool> {
    let each = divisor(&groups.way, groups.bound()?, count)?;
    let counters = [(count.to_owned(), GROUPS * each + each - 1)];
    Some(groups.way.value(groups.bound()?, &Thread::default(), &counters)? == GROUPS)
}

fn of_launch(
    launch: &Launch<'_>,
    text: &str,
    (task, wrong): (&str, usize),
) -> Option<(String, &'static str)> {
    let loops = loops(launch, text, task);
    let step = || loops.iter().find_map(|counted| counted.step(launch, text));
    let meet = pairs(&loops, launch, text).find_map(|(groups, rest, count)| {
        let of = |all: Option<i64>| meet(groups, rest, (&count, all));
        i64::try_from(wrong)
            .ok()
            .filter(|wrong| *wrong > 0)
            .and_then(|wrong| of(Some(wrong)))
            .or_else(|| of(None))
    });
    let same = || loops.iter().find_map(|counted| counted.same_element(launch, text));
    meet.or_else(step).or_else(same)
}

/// The loops of a kernel with one counter, that no other is around.
fn loops<'a>(launch: &Launch<'_>, text: &'a str, task: &'a str) -> Vec<Counted<'a>> {
    let head = |(line, source): (u32, &'a str)| {
        let at = places(source, "for").next()?;
        let behind = source[at + 3..].trim_start().strip_prefix('(')?;
        let head = &behind[..closing(behind)?];
        let end = head.as_ptr() as usize - source.as_ptr() as usize + head.len() + 1;
        let way = Way::to(text, task, line, end)?;
        let of = way.loops().next().filter(|of| of.line == line)?.clone();
        let mut parts = head.split(';').map(str::trim);
        let parts = [parts.next()?.split_once('=')?.1.trim(), parts.next()?, parts.next()?];
        Some(Counted { way, of, parts })
    };
    body(text, launch.kernel).into_iter().filter_map(head).collect()
}

/// Loops over whole groups and over the rest, one after the other, with the name of the number of elements.
fn pairs<'a, 'b>(
    loops: &'b [Counted<'a>],
    launch: &Launch<'_>,
    text: &str,
) -> impl Iterator<Item = (&'b Counted<'a>, &'b Counted<'a>, String)> {
    let names = parameters(&joined(text), launch.kernel).unwrap_or_default();
    loops.windows(2).filter_map(move |both| {
        let [groups, rest] = both else { return None };
        let count = names.iter().find(|name| {
            let on = |known: &str| known == name.as_str();
            let ends =
                |counted: &Counted<'_>| counted.bound().is_some_and(|bound| counted.way.depends(bound, &on));
            let begins = |counted: &Counted<'_>| counted.way.depends(&counted.of.begin, &on);
            ends(groups) && ends(rest) && begins(rest) && !begins(groups)
        })?;
        Some((groups, rest, count.clone()))
    })
}

/// A loop over groups that ends too late, or one over the rest that begins elsewhere, for so many elements.
fn meet(
    groups: &Counted<'_>,
    rest: &Counted<'_>,
    (count, all): (&str, Option<i64>),
) -> Option<(String, &'static str)> {
    let each = [(&groups.way, groups.bound()?), (&rest.way, &rest.of.begin)];
    let each = each.into_iter().find_map(|(way, of)| divisor(way, of, count))?;
    let all = all.unwrap_or(GROUPS * each + (each - 1).min(3));
    let counters = [(count.to_owned(), all)];
    let [first, second] = [0, 1].map(|own| Thread { own: [own, 0, 0], ..Thread::default() });
    let end = groups.way.value(groups.bound()?, &first, &counters)?;
    let begin = |counted: &Counted<'_>, thread| counted.way.begin(&counted.of, thread, &counters);
    let ends = rest.way.value(rest.bound()?, &first, &counters)?;
    if ends > all || begin(groups, &first)? != 0 {
        return None;
    }
    let covered = match begin(groups, &second)? {
        1 => end * each,
        by if by == each => (end + each - 1) / each * each,
        _ => return None,
    };
    let (begins, next) = (begin(rest, &first)?, begin(rest, &second)?);
    let [group_line, line] = [groups.of.line, rest.of.line];
    let [bound, from] = [groups.bound_text()?, rest.parts[0]];
    if ends < all {
        let told = format!(
            "the loop of line {line} begins at `{from}` and ends at `{}`: of {all} elements, {begins} and {ends}",
            rest.bound_text()?
        );
        return (begins == covered && covered < all).then_some((told, MEET));
    }
    let grid = [counters.as_slice(), &[("gridDim.x".to_owned(), BLOCKS)]].concat();
    let threads = BLOCKS * groups.way.sides[0];
    if covered > all && groups.step_of(&first, &grid) == Some(each * threads) && begin(groups, &second)? == 1
    {
        let told = format!(
            "the loop of line {group_line} begins at `{}`, one for each thread, and goes on by {each} times the threads of the grid",
            groups.parts[0]
        );
        return Some((told, MIXED));
    }
    if covered > all {
        let given = groups.way.given(bound).zip(groups.way.line_of(bound));
        let given = given.map_or_else(String::new, |(given, line)| format!(" (line {line}: `{given}`)"));
        let rest = match all % each {
            0 => String::new(),
            1 => format!("; 1 is left over for the loop of line {line}"),
            rest => format!("; {rest} are left over for the loop of line {line}"),
        };
        let told = format!(
            "the loop of line {group_line} takes {each} elements in each round, and ends at `{bound}`{given}. Of {all} elements, it may take {}, in {} groups of \
             {each}{rest}",
            all / each * each,
            all / each
        );
        return Some((told, WHOLE));
    }
    let between = |what: &str| {
        format!(
            "the loop of line {line} begins at `{from}`, which is {begins} for {all} elements, but the groups of line {group_line} end at {covered}: the elements \
             between are {what}"
        )
    };
    if begins > covered {
        return Some((between(LEFT_OUT), MEET));
    }
    if begins < covered {
        return Some((between("taken twice"), MEET));
    }
    let alone = rest.way.guards().next().is_none();
    (next == begins && alone && rest.step_of(&first, &counters)? == 1).then(|| {
        let told = format!(
            "every thread of the grid goes through the loop of line {line} from `{from}` on, so that each of the last elements is taken by all of them"
        );
        (told, MEET)
    })
}

/// By what something with the number of elements in it is divided.
fn divisor(way: &Way<'_>, of: &Expression, count: &str) -> Option<i64> {
    match of {
        Expression::Binary("/", above, by) | Expression::Call("ceil_div", above, by) => match **by {
            Expression::Number(by) if (2..=64).contains(&by) && way.depends(above, &|name| name == count) => {
                Some(by)
            }
            _ => None,
        },
        Expression::Binary(_, one, other) => divisor(way, one, count).or_else(|| divisor(way, other, count)),
        Expression::Name(name) if name != count => divisor(way, &*way.made_of(name)?, count),
        _ => None,
    }
}

impl Counted<'_> {
    /// Where the counter ends: `n` of `i < n`.
    fn bound(&self) -> Option<&Expression> {
        match &self.of.condition {
            Expression::Binary("<", counter, bound) => {
                matches!(&**counter, Expression::Name(name) if *name == self.of.name).then_some(bound)
            }
            _ => None,
        }
    }

    fn bound_text(&self) -> Option<&str> {
        Some(self.parts[1].split_once('<')?.1.trim())
    }

    /// By how much the counter grows.
    fn step_of(&self, thread: &Thread, counters: &[(String, i64)]) -> Option<i64> {
        let after = |value: i64| {
            let counters = [counters, &[(self.of.name.clone(), value)]].concat();
            Some(self.way.value(&self.of.step, thread, &counters)? - value)
        };
        after(0).filter(|step| after(64) == Some(*step))
    }

    /// A line of the loop that reads an input where the thread began, and not where the round is.
    fn same_element(&self, launch: &Launch<'_>, text: &str) -> Option<(String, &'static str)> {
        let (first, name, line) = (self.parts[0], &self.of.name, self.of.line);
        let of_grid = |on: &str| self.way.depends(&self.of.begin, &|name| name.starts_with(on));
        if !first.chars().all(is_part) || !of_grid("blockIdx") || !of_grid("threadIdx") {
            return None;
        }
        let inputs = declared(&joined(text), launch.kernel)?;
        let inputs = inputs.iter().filter(|one| has(one, "const") && one.contains('*'));
        let inputs: Vec<&str> = inputs.map(|one| last_name(one.trim_end())).collect();
        let lines: Vec<&str> = text.lines().map(code).collect();
        let last = end_of_loop(&lines, line as usize - 1)?;
        let inside = (line + 1..).zip(lines.get(line as usize..=last)?);
        let reads = |source: &str| {
            let input = inputs.iter().copied().find(|input| has(source, input))?;
            let (_, value) = source.split_once('=')?;
            (has(value, input) && has(value, first) && !has(source, name)).then_some(input)
        };
        let mut found = inside.filter_map(|(number, source)| Some((number, reads(source)?)));
        let (Some((number, input)), None) = (found.next(), found.next()) else { return None };
        let told = format!(
            "line {number} reads `{input}` at `{first}`, and the loop of line {line} counts on from there in `{name}`: each round reads what the first one has read"
        );
        Some((told, SAME))
    }

    /// A step that is not the number of threads of the grid, of a loop in which each thread begins with its own number.
    fn step(&self, launch: &Launch<'_>, text: &str) -> Option<(String, &'static str)> {
        let depends = |of: &Expression, on: &str| self.way.depends(of, &|name| name.starts_with(on));
        let of_thread = |of: &Expression| depends(of, "threadIdx") || depends(of, "blockIdx");
        if self.way.sides[1] != 1 || of_thread(self.bound()?) || of_thread(&self.of.step) {
            return None;
        }
        let known = blocks_of(launch, text);
        // A number of threads for a grid whose size is not known may be right, but for one.
        let fixed = !depends(&self.of.step, "blockDim") && !depends(&self.of.step, "gridDim");
        let by_one = self.step_of(&Thread::default(), &[]) == Some(1);
        if known == Some(1) || known.is_none() && fixed && !by_one {
            return None;
        }
        let blocks = known.map_or(BLOCKS, |known| known as i64);
        let counters = [("gridDim.x".to_owned(), blocks), ("gridDim.y".to_owned(), 1)];
        let begin = |block: i64, own: i64| {
            self.way.begin(&self.of, &Thread { block: [block, 0, 0], own: [own, 0, 0] }, &counters)
        };
        let first = begin(0, 0)?;
        let each = begin(0, 1)? - first;
        let threads = blocks * self.way.sides[0];
        // Each thread begins with its own number, or a multiple of it.
        if each < 1 || begin(1, 0)? - first != each * self.way.sides[0] {
            return None;
        }
        let step = self.step_of(&Thread::default(), &counters)?;
        let (line, by) = (self.of.line, self.parts[2].split_once("+=").map_or("1", |(_, by)| by.trim()));
        let given = self.way.given(by).zip(self.way.line_of(by));
        let given = given.map_or_else(String::new, |(given, line)| format!(" (line {line}: `{given}`)"));
        let told = format!("the loop of line {line} goes on by `{by}`{given}");
        // What a round takes beside the counter's own element lies at `i + stride`, or another function takes it.
        let alone = || {
            let name = &self.of.name;
            let inside = self.way.kernel.iter().filter(|(number, _)| *number > line);
            inside.clone().all(|(_, source)| {
                places(source, name).all(|at| {
                    let behind = source[at + name.len()..].trim_start();
                    behind.starts_with([']', ';', '=', '<'])
                        || behind.starts_with("+=")
                        || behind.starts_with("++")
                })
            })
        };
        // Blocks for which such a step is right: of how many there are, nothing is known.
        let of_blocks = step / (each * self.way.sides[0]);
        if known.is_none() && !depends(&self.of.step, "gridDim") && of_blocks > 1 {
            let only = format!(
                "which is the number of threads of the grid only if that has {of_blocks} blocks: with fewer blocks elements are left out, with more \
                 blocks some are taken twice"
            );
            let whole = step % (each * self.way.sides[0]) == 0;
            return (whole && alone()).then(|| (format!("{told}, {only}"), SHORT));
        }
        if each > 1 && step == threads {
            let from = self.parts[0];
            let told = format!(
                "the loop of line {line} begins at `{from}`, {each} elements from one thread to the next, and goes on by `{by}`{given}, one element for each thread of the grid: \
                 some elements are taken several times"
            );
            return Some((told, MIXED));
        }
        if step > 0 && step < each * threads && (each * threads) % step == 0 {
            let more = "and begins at another element in each thread of the grid, so that several threads take the same elements";
            return Some((format!("{told}, {more}"), SHORT));
        }
        (step > each * threads && step % (each * threads) == 0 && alone()).then(|| {
            let times = step / (each * threads);
            let took = format!(
                "{times} times the threads of the grid, so that only one element in {times} is taken"
            );
            (format!("{told}, {took}"), LONG)
        })
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_loop_in_which_each_round_reads_the_same_is_told() {
        let told = |read: &str| {
            let text = format!(
                "__global__ void k(const uint8_t* gray, uint32_t* bins, int n) {{\n    const int t = blockIdx.x * blockDim.x + threadIdx.x;\n    \
                 for (int i = t; i < n / 4; i += gridDim.x * blockDim.x) {{\n        {read}\n        bins[i] = x;\n    }}\n}}\n\
                 void task(const uint8_t* gray, uint32_t* bins, int n) {{\n    k<<<132, 256>>>(gray, bins, n);\n}}\n"
            );
            super::told(&text, "task", 0).map(|(told, _)| told)
        };
        let said = "line 4 reads `gray` at `t`, and the loop of line 3 counts on from there in `i`: each round reads what the first one has read";
        assert_eq!(
            told("const uint32_t x = reinterpret_cast<const uint32_t*>(gray)[t];").as_deref(),
            Some(said)
        );
        assert_eq!(told("const uint32_t x = reinterpret_cast<const uint32_t*>(gray)[i];"), None);
        assert_eq!(told("sums[t] += gray[i];"), None);
    }

    fn file(first: &str, last: &str) -> String {
        format!(
            "__global__ void k(const uint8_t* gray, uint32_t* bins, int n) {{\n    const int t = blockIdx.x * blockDim.x + threadIdx.x;\n    const int all = gridDim.x * blockDim.x;\n\
             \x20   for ({first}) {{\n        f(v[i]);\n    }}\n    for ({last}) {{\n        f(gray[i]);\n    }}\n}}\nvoid task(const uint8_t* gray, uint32_t* bins, int n) {{\n    k<<<132, 256>>>(gray, bins, n);\n}}\n"
        )
    }

    #[test]
    fn loops_over_groups_and_the_rest_that_do_not_meet_are_told() {
        let groups = "int i = t; i < n / 16; i += all";
        let rest = "int i = n / 16 * 16 + t; i < n; i += all";
        for (first, last, said) in [
            (groups, rest, None),
            ("int i = 16 * t; i < n / 16 * 16; i += 16 * all", rest, None),
            (
                "int i = t; i < n; i += all",
                rest,
                Some(
                    "the loop of line 4 takes 16 elements in each round, and ends at `n`. Of 83 elements, it may take 80, in 5 groups of 16; 3 are left over for the loop of line 7",
                ),
            ),
            (
                "int i = t; i < n / 16 + 1; i += all",
                rest,
                Some(
                    "takes 16 elements in each round, and ends at `n / 16 + 1`. Of 83 elements, it may take 80",
                ),
            ),
            (
                "int i = t; i < n; i += 16 * all",
                rest,
                Some("begins at `t`, one for each thread, and goes on by 16 times the threads of the grid"),
            ),
            (
                groups,
                "int i = n / 16 + t; i < n; i += all",
                Some(
                    "the loop of line 7 begins at `n / 16 + t`, which is 5 for 83 elements, but the groups of line 4 end at 80: the elements between are taken twice",
                ),
            ),
            (
                groups,
                "int i = (n / 16 + 1) * 16 + t; i < n; i += all",
                Some(
                    "which is 96 for 83 elements, but the groups of line 4 end at 80: the elements between are left out",
                ),
            ),
            (
                groups,
                "int i = n / 16 * 16; i < n; i++",
                Some("every thread of the grid goes through the loop of line 7 from `n / 16 * 16` on"),
            ),
            (
                "int i = t; i < n / 16; i += blockDim.x",
                rest,
                Some("the loop of line 4 goes on by `blockDim.x`, and begins at another element"),
            ),
            (
                "int i = t; i < n / 16; i += all * 16",
                rest,
                Some("the loop of line 4 goes on by `all * 16`, 16 times the threads of the grid"),
            ),
            (
                "int i = 16 * t; i < n / 16 * 16; i += all",
                rest,
                Some(
                    "the loop of line 4 begins at `16 * t`, 16 elements from one thread to the next, and goes on by `all` (line 3: `gridDim.x * blockDim.x`), one element for each thread",
                ),
            ),
            ("int i = t; i < n / 16; i += 33792", rest, None),
            ("int i = t; i < n / 16; i += 2 * all) {\n        f(v[i + all]", rest, None),
            ("int i = threadIdx.x; i < 256; i += blockDim.x", "int i = t; i < n; i += all", None),
            ("int i = 16 * t; i < 16 * t + 16; i++", "int i = t; i < n; i += all", None),
        ] {
            let told = super::told(&file(first, last), "task", 0).map(|(told, _)| told);
            assert_eq!(told.is_some(), said.is_some(), "{first} | {last}: {told:?}");
            assert!(
                said.is_none_or(|said| told.as_ref().is_some_and(|told| told.contains(said))),
                "{told:?}"
            );
        }
        // The numbers are those of a wrong case, if it shows the mistake.
        let from = file(groups, "int i = n / 16 + t; i < n; i += all");
        for (wrong, said) in [
            (97, "which is 6 for 97 elements, but the groups of line 4 end at 96"),
            (1, "which is 5 for 83 elements"),
        ] {
            let told = super::told(&from, "task", wrong).map(|(told, _)| told).unwrap_or_default();
            assert!(told.contains(said), "{told}");
        }
        let one = file("int i = t; i < n; i += blockDim.x", rest).replace("<<<132,", "<<<1,");
        assert_eq!(super::told(&one.replace("n / 16 * 16 + t", "n"), "task", 0), None);
    }
}
