//! The way to a line of a kernel: the loops and conditions around it, and what its variables hold there for one thread.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::arguments::launches;
use super::block::{block_of, changed};
use super::code::{closing, code, function_of, has, is_part, kernel_to, last_name, numbered_lines, value};
use super::expression::{Expression, parsed};
use super::guards::assignments;

/// Rounds of a loop, and of all loops around a line together, that are gone through.
const ROUNDS: usize = 4096;
const ALL_ROUNDS: usize = 1 << 18;
/// Names that are looked up on one way: variables that are made of each other may need very many.
const LOOK_UPS: u32 = 1 << 20;
/// Variables that are made of each other, one below the other; `int k = k;` is made of itself.
const DEEPEST: u32 = 32;

/// A loop with a counter.
#[derive(Debug, Clone)]
pub struct Loop {
    /// The line of its head.
    pub line: u32,
    /// Its counter.
    pub name: String,
    /// Its first value.
    pub begin: Expression,
    /// The condition to go on.
    pub condition: Expression,
    /// Its next value.
    pub step: Expression,
}

/// What is around a line.
#[derive(Debug, Clone)]
enum Around {
    Loop(Loop),
    /// A condition, its expression if its value can be known, its text, and its line.
    Guard(Option<Expression>, String, u32),
    /// Another branch or loop.
    Unknown,
}

/// A thread of a launch.
#[derive(Debug, Clone, Copy, Default)]
pub struct Thread {
    /// `blockIdx`.
    pub block: [i64; 3],
    /// `threadIdx`.
    pub own: [i64; 3],
}

/// The counters of the loops around a line, in one round.
pub type Counters = [(String, i64)];

/// The way to a place in a kernel.
#[derive(Debug)]
pub struct Way<'a> {
    /// The whole file.
    pub text: &'a str,
    /// The host function that launches the kernel.
    pub task: &'a str,
    /// All lines of the kernel.
    pub kernel: Vec<(u32, &'a str)>,
    around: Vec<Around>,
    /// Threads of a block along x and y.
    pub sides: [i64; 2],
    /// The line of the launch.
    pub launch: u32,
    /// What names stand for, once it was looked up.
    known: RefCell<HashMap<String, Option<Rc<Expression>>>>,
    left: Cell<u32>,
    deep: Cell<u32>,
}

impl<'a> Way<'a> {
    /// The way to this byte of a line in a kernel that the host function `task` launches with blocks of a known size.
    pub fn to(text: &'a str, task: &'a str, line: u32, at: usize) -> Option<Self> {
        let before = kernel_to(line, text)?;
        let rest = (line + 1..).zip(text.lines().map(code).skip(line as usize));
        let kernel: Vec<(u32, &str)> =
            before.iter().copied().chain(rest.take_while(|(_, line)| !line.starts_with('}'))).collect();
        let head = before.iter().take(4).map(|(_, line)| *line).collect::<Vec<_>>().join(" ");
        let name = head.split('(').find_map(|part| {
            let name = &part[part.trim_end().trim_end_matches(is_part).len()..];
            let name = name.trim();
            (!name.is_empty() && !name.starts_with("__")).then(|| name.to_owned())
        })?;
        let launches = launches(text, task);
        let launch = launches.iter().find(|launch| launch.kernel == name)?;
        let sides = block_of(launch, text)?.map(|side| side as i64);
        Some(Self {
            text,
            task,
            around: around(&before, at)?,
            kernel,
            sides,
            launch: launch.line,
            known: RefCell::default(),
            left: Cell::new(LOOK_UPS),
            deep: Cell::new(0),
        })
    }

    /// The way to this byte of a line in a function of the host, which one thread goes.
    pub fn in_host(text: &'a str, line: u32, at: usize) -> Option<Self> {
        let lines: Vec<(u32, &str)> = numbered_lines(text).collect();
        let (first, _) = function_of(&lines, line)?;
        let own = &lines[first as usize - 1..];
        let kernel: Vec<(u32, &str)> =
            own.iter().copied().take_while(|(_, line)| !line.starts_with('}')).collect();
        let head = kernel.first().map_or("", |(_, head)| head);
        let before = kernel.get(..=(line - first) as usize)?;
        let is_host =
            head.contains('(') && !["__global__", "__device__"].iter().any(|space| has(head, space));
        is_host.then_some(Self {
            text,
            task: "",
            around: around(before, at)?,
            kernel,
            sides: [1; 2],
            launch: 0,
            known: RefCell::default(),
            left: Cell::new(LOOK_UPS),
            deep: Cell::new(0),
        })
    }

    /// The loops around the place, the outer ones first.
    pub fn loops(&self) -> impl DoubleEndedIterator<Item = &Loop> {
        self.around.iter().filter_map(|around| match around {
            Around::Loop(of) => Some(of),
            _ => None,
        })
    }

    /// Whether all that is around the place is a loop with a counter or a condition.
    pub fn is_known(&self) -> bool {
        !self.around.iter().any(|around| matches!(around, Around::Unknown))
    }

    /// The conditions around the place, each with its text.
    pub fn guards(&self) -> impl DoubleEndedIterator<Item = (Option<&Expression>, &str)> {
        self.around.iter().filter_map(|around| match around {
            Around::Guard(condition, text, _) => Some((condition.as_ref(), text.as_str())),
            _ => None,
        })
    }

    /// Whether a thread fulfils the conditions around the place, and another one; `None` if that is not known.
    pub fn is_let_through(
        &self,
        thread: &Thread,
        counters: &Counters,
        also: Option<&Expression>,
    ) -> Option<bool> {
        let conditions = self.guards().map(|(condition, _)| condition).chain(also.map(Some));
        conditions
            .into_iter()
            .try_fold(true, |all, condition| Some(all && self.value(condition?, thread, counters)? != 0))
    }

    /// What a name holds for a thread in a round. `None` if that is not known, or takes too long to find out.
    pub fn name(&self, name: &str, thread: &Thread, counters: &Counters) -> Option<i64> {
        self.left.set(self.left.get().checked_sub(1)?);
        if let Some((_, value)) = counters.iter().rev().find(|(counter, _)| counter == name) {
            return Some(*value);
        }
        if let Some((of, side)) = name.split_once('.') {
            let side = ["x", "y", "z"].iter().position(|known| *known == side)?;
            return match of {
                "threadIdx" => Some(thread.own[side]),
                "blockIdx" => Some(thread.block[side]),
                "blockDim" => Some(self.sides.get(side).copied().unwrap_or(1)),
                _ => None,
            };
        }
        let (from, deep) = (self.made_of(name)?, self.deep.get());
        if deep == DEEPEST {
            return None;
        }
        self.deep.set(deep + 1);
        let found = self.value(&from, thread, counters);
        self.deep.set(deep);
        found
    }

    /// What a variable of the kernel or a constant of the text is made of.
    pub fn made_of(&self, name: &str) -> Option<Rc<Expression>> {
        if let Some(known) = self.known.borrow().get(name) {
            return known.clone();
        }
        let number = || Some(Expression::Number(value(name, self.text)?.try_into().ok()?));
        let found = self.given(name).map_or_else(number, parsed).map(Rc::new);
        self.known.borrow_mut().insert(name.to_owned(), found.clone());
        found
    }

    /// The value of an expression there.
    pub fn value(&self, of: &Expression, thread: &Thread, counters: &Counters) -> Option<i64> {
        of.value(&|name| self.name(name, thread, counters))
    }

    /// What the kernel gives a variable that it sets once.
    pub fn given(&self, name: &str) -> Option<&'a str> {
        let mut given = assignments(&self.kernel).into_iter().filter(|(known, _)| *known == name);
        let (_, from) = given.next()?;
        (given.next().is_none() && !changed(name, &self.kernel)).then_some(from.trim())
    }

    /// The line that gives a variable its value.
    pub fn line_of(&self, name: &str) -> Option<u32> {
        let gives =
            |(_, line): &&(u32, &str)| assignments(&[(0, *line)]).iter().any(|(known, _)| *known == name);
        self.kernel.iter().find(gives).map(|(number, _)| *number)
    }

    /// Whether an expression depends on a name, also by variables of the kernel.
    pub fn depends(&self, of: &Expression, on: &dyn Fn(&str) -> bool) -> bool {
        self.leads(of, on, &RefCell::default())
    }

    /// The same, but for names that were followed before.
    fn leads(&self, of: &Expression, on: &dyn Fn(&str) -> bool, seen: &RefCell<BTreeSet<String>>) -> bool {
        let is_new = |name: &str| seen.borrow_mut().insert(name.to_owned());
        of.any(&|name| {
            on(name) || is_new(name) && self.made_of(name).is_some_and(|from| self.leads(&from, on, seen))
        })
    }

    /// Goes through all rounds in which a thread comes to the place, until `visit` returns false. `None` if they are not known.
    pub fn rounds(&self, thread: &Thread, visit: &mut dyn FnMut(&Counters) -> Option<bool>) -> Option<()> {
        let mut left = ALL_ROUNDS;
        self.inner(&self.around, thread, &mut Vec::new(), &mut left, visit).map(|_| ())
    }

    fn inner(
        &self,
        around: &[Around],
        thread: &Thread,
        counters: &mut Vec<(String, i64)>,
        left: &mut usize,
        visit: &mut dyn FnMut(&Counters) -> Option<bool>,
    ) -> Option<bool> {
        *left = left.checked_sub(1)?;
        let Some((first, rest)) = around.split_first() else { return visit(counters) };
        let of = match first {
            Around::Unknown => return self.inner(rest, thread, counters, left, visit),
            Around::Guard(condition, ..) => {
                let value = condition.as_ref().and_then(|condition| self.value(condition, thread, counters));
                return match value {
                    Some(0) => Some(true),
                    _ => self.inner(rest, thread, counters, left, visit),
                };
            }
            Around::Loop(of) => of,
        };
        for value in self.counted(of, thread, counters)? {
            counters.push((of.name.clone(), value));
            let goes_on = self.inner(rest, thread, counters, left, visit);
            counters.pop();
            if !goes_on? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The first value of a loop's counter.
    pub fn begin(&self, of: &Loop, thread: &Thread, counters: &Counters) -> Option<i64> {
        self.value(&of.begin, thread, counters)
    }

    /// The values of a loop's counter, one for each round.
    pub fn counted(&self, of: &Loop, thread: &Thread, counters: &Counters) -> Option<Vec<i64>> {
        let mut value = self.begin(of, thread, counters)?;
        let mut found = Vec::new();
        let with = |value: i64| [counters, &[(of.name.clone(), value)]].concat();
        while self.value(&of.condition, thread, &with(value))? != 0 {
            (found.len() < ROUNDS).then_some(())?;
            found.push(value);
            value = self.value(&of.step, thread, &with(value))?;
        }
        Some(found)
    }
}

/// The line of the innermost `if` around a byte of the last of these lines of a function, unless another branch or loop that is not counted
/// lies within.
pub fn innermost_if(function: &[(u32, &str)], at: usize) -> Option<u32> {
    match around(function, at)?.into_iter().rev().find(|around| !matches!(around, Around::Loop(_)))? {
        Around::Guard(.., line) => Some(line),
        Around::Loop(_) | Around::Unknown => None,
    }
}

/// What is around a byte of the last line of a kernel, the outermost first. `None` if the brackets do not fit.
fn around(kernel: &[(u32, &str)], at: usize) -> Option<Vec<Around>> {
    let ((last, access), before) = kernel.split_last()?;
    let last = *last;
    let lines = before.iter().copied().chain([(last, access.get(..at)?)]);
    // Each is open up to its brace, or up to the end of one statement.
    let mut open: Vec<(Option<Around>, bool)> = Vec::new();
    let mut depth = 0;
    for (number, line) in lines.skip_while(|(_, line)| !line.contains('{')) {
        let mut from = 0;
        while let Some(c) = line[from..].chars().next() {
            let starts = line[..from].chars().next_back().is_none_or(|c| !is_part(c));
            let word =
                &line[from..from + line[from..].find(|c: char| !is_part(c)).unwrap_or(line.len() - from)];
            if starts && depth == 0 && ["for", "while", "if", "else", "do", "switch"].contains(&word) {
                let behind = line[from + word.len()..].trim_start();
                // The place is in the condition itself.
                if word == "if"
                    && number == last
                    && behind.starts_with('(')
                    && closing(&behind[1..]).is_none()
                {
                    break;
                }
                let head = behind
                    .strip_prefix('(')
                    .and_then(|text| text.get(..closing(text)?))
                    .filter(|_| !["else", "do"].contains(&word));
                open.push((Some(head.map_or(Around::Unknown, |head| known(word, number, head))), false));
                from = head.map_or(from + word.len(), |head| {
                    head.as_ptr() as usize - line.as_ptr() as usize + head.len() + 1
                });
                continue;
            }
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                '{' if open.is_empty() => {
                    // The head may have begun in a line before.
                    depth = 0;
                    open.push((None, true));
                }
                '{' => match open.last_mut().filter(|(_, braced)| !braced) {
                    Some((_, braced)) => *braced = true,
                    None => open.push((None, true)),
                },
                '}' => {
                    open.pop()?;
                    while open.last().is_some_and(|(_, braced)| !braced) {
                        open.pop();
                    }
                }
                ';' if depth == 0 => {
                    while open.last().is_some_and(|(_, braced)| !braced) {
                        open.pop();
                    }
                }
                _ => {}
            }
            from += c.len_utf8();
        }
    }
    Some(open.into_iter().filter_map(|(around, _)| around).collect())
}

/// The loop or the condition that a head is.
fn known(word: &str, line: u32, head: &str) -> Around {
    let found = match word {
        "for" => counted(line, head).map(Around::Loop),
        "if" => Some(Around::Guard(parsed(head), head.trim().to_owned(), line)),
        _ => None,
    };
    found.unwrap_or(Around::Unknown)
}

/// The loop of a head with one counter: `int v = t; v < 256; v += 32`.
fn counted(line: u32, head: &str) -> Option<Loop> {
    let mut parts = head.split(';');
    let (begin, condition, step) = (parts.next()?, parts.next()?, parts.next()?.trim());
    let (name, begin) = begin.split_once('=')?;
    let name = name.trim_end();
    let name = last_name(name);
    let by_one =
        |sign: &str| [format!("{name}{sign}"), format!("{sign}{name}")].contains(&step.replace(' ', ""));
    let next = if by_one("++") {
        format!("{name} + 1")
    } else if by_one("--") {
        format!("{name} - 1")
    } else {
        let (left, by) = step.split_once('=')?;
        let operator = left.strip_prefix(name)?.trim();
        if operator.is_empty() { by.to_owned() } else { format!("{name} {operator} ({by})") }
    };
    Some(Loop {
        line,
        name: name.to_owned(),
        begin: parsed(begin)?,
        condition: parsed(condition)?,
        step: parsed(&next)?,
    })
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn the_rounds_of_the_loops_around_a_place_are_known() {
        let text = "__global__ void k(int* a) {\n    const int t = threadIdx.x;\n    for (int r = 0; r < 2; ++r) a[r] = 0;\n    if (t < 40)\n        for (int s = blockDim.x / 2; s > 8; s /= 2) {\n            if (t < s) a[t + s] = 1;\n        }\n}\n\
                    void f(int* a) {\n    k<<<1, 64>>>(a);\n}\n";
        let line = text.lines().nth(5).expect("a line");
        let way = Way::to(text, "f", 6, line.find("a[").expect("an access")).expect("a way");
        let seen = |own: i64| {
            let (thread, mut all) = (Thread { own: [own, 0, 0], ..Thread::default() }, Vec::new());
            way.rounds(&thread, &mut |counters| {
                all.push(way.value(&parsed("t + s")?, &thread, counters)?);
                Some(true)
            })?;
            Some(all)
        };
        assert_eq!(seen(3), Some(vec![35, 19]));
        assert_eq!(seen(20), Some(vec![52]));
        assert_eq!(seen(50), Some(vec![]));
    }

    #[test]
    fn variables_that_are_made_of_themselves_or_of_too_many_are_not_known() {
        let chain = |n: u32| format!("    const int a{n} = a{} + a{};\n", n - 1, n - 1);
        let chain = (1..30).map(chain).collect::<Vec<_>>().concat();
        let text = format!(
            "__global__ void k(int* a) {{\n    int k = k;\n    int a0 = blockIdx.x;\n{chain}    a[0] = 1;\n}}\n\
             void f(int* a) {{\n    k<<<1, 64>>>(a);\n}}\n"
        );
        let way = Way::to(&text, "f", 33, 4).expect("a way");
        let value = |name: &str| way.name(name, &Thread::default(), &[]);
        assert_eq!([value("k"), value("a3"), value("a29"), value("a3")], [None, Some(0), None, None]);
        let leads = |name: &str, to: &str| way.depends(&Expression::Name(name.into()), &|known| known == to);
        assert!(leads("a29", "blockIdx.x") && !leads("a29", "threadIdx.x") && !leads("k", "threadIdx.x"));
    }
}
