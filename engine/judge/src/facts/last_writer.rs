//! What wrote the wrong elements of an output last: a copy or fill of the host, or a line of a kernel.

use std::collections::BTreeSet;

use lab::{Element, OutputShape};
use runtime::engine::{Moved, MovedFrom, State, Touched, Toucher, Witness};

use super::stages;
use super::words::were;
use crate::numbers::{grouped, lines_in_words};
use crate::rounding::Output;

/// What to try after a fill that comes too late.
pub const LATE: &str =
    "calls take effect in the order of their lines: a fill behind the launch removes the result";
/// The same of a copy.
pub const OVER: &str = "calls take effect in the order of their lines, and this copy puts other bytes in place of the result. The first argument of \
                        `cudaMemcpy` is where the bytes go: if the copy is to take the result elsewhere, exchange the two; else leave it out";
/// What to try after a copy of too few bytes.
pub const SHORT: &str = "`cudaMemcpy` counts bytes, not elements: n elements need `n * sizeof(type)` bytes";
/// What to try where a launch behind the kernel that stores the picture counts.
pub const OTHER_LAUNCH: &str = "follow the pointers of that launch: which buffer does it read, and which should it read to count the levels of the picture?";

/// What to try where a pixel is stored and not counted.
pub const UNCOUNTED: &str = "follow this pixel from the line that stores it: which line adds 1 to the counter of its level, and does its thread come to that line?";

/// Names of kernels that stored elements of outputs last, none of them wrong.
pub fn trusted(witness: &Witness, outputs: &[Output<'_>]) -> BTreeSet<String> {
    let of = |is_wrong: bool| -> BTreeSet<u32> {
        outputs
            .iter()
            .flat_map(|output| touched(witness, output, is_wrong))
            .map(|thread| thread.launch)
            .collect()
    };
    let named = |launches: BTreeSet<u32>| -> BTreeSet<String> {
        let launches = launches.into_iter().filter_map(|launch| witness.launches.get(launch as usize));
        launches.map(|launch| launch.kernel.clone()).collect()
    };
    let wrong = of(true);
    if wrong.is_empty() {
        return BTreeSet::new();
    }
    &named(of(false)) - &named(wrong)
}

/// Counters of levels.
const LEVELS: usize = 256;

/// A copy or fill of the host after which a right output is wrong, or that leaves its end out: a fact and what to try.
pub fn told(witness: &Witness, outputs: &[Output<'_>]) -> Option<(String, &'static str)> {
    wrong(outputs).find_map(|output| {
        let (at, state, moved) = last_move(witness, output)?;
        over(witness, output, at, moved).or_else(|| short(witness, output, (at, state), moved))
    })
}

/// An output whose last writer is a copy from the GPU, where what it copies is wrong, too: facts about both.
pub fn copied(witness: &Witness, outputs: &[Output<'_>]) -> Option<String> {
    wrong(outputs).find_map(|output| {
        let (at, _, moved) = last_move(witness, output)?;
        let (source, from) = source(witness, at, moved)?;
        let stored = witness.states[..at].iter().rev().find(|state| state.address == source.address)?;
        let kernel = &witness.launches.get(stored.launch? as usize)?.kernel;
        let lines = lines_in_words(stored.lines.clone())?;
        let name = output.shape.name;
        Some(format!(
            "line {} copies `{from}` to `{name}`, and `{from}` is wrong before that copy: `{kernel}` stores to it in {lines}",
            moved.line
        ))
    })
}

/// The lines of kernels that wrote these outputs' wrong elements last.
pub fn lines<'a>(witness: &Witness, outputs: impl Iterator<Item = &'a Output<'a>>) -> Vec<u32> {
    let threads = outputs.flat_map(|output| threads(witness, output));
    threads.map(|thread| thread.line).filter(|line| *line > 0).collect()
}

/// Counters that another launch changed last than the one that stored a right picture, as a fact.
pub fn other_launch(witness: &Witness, picture: &str, counters: &Output<'_>) -> Option<String> {
    let name = counters.shape.name;
    let last = threads(witness, counters).map(|thread| thread.launch).max()?;
    let stored = buffer(witness, picture)?.bytes.iter().filter_map(|touches| touches.last);
    let before = stored.map(|thread| thread.launch).max().filter(|before| *before < last)?;
    let unchanged = |state: &&State| state.name == name && state.launch == Some(before);
    let is_zero = |state: &State| state.bytes.iter().all(|byte| *byte == 0);
    if !witness.states.iter().find(unchanged).is_none_or(is_zero) {
        return None;
    }
    let launch = witness.launches.get(last as usize)?;
    let first = &witness.launches.get(before as usize)?.kernel;
    let given: Vec<String> =
        launch.arguments.iter().filter_map(|argument| given(witness, argument)).collect();
    let lines = lines_in_words(lines(witness, std::iter::once(counters)))?;
    Some(format!(
        "`{picture}`, which `{first}` stores, is right, and all counts of `{name}` come from `{}`, launched behind it ({lines}) and given {}",
        launch.kernel,
        given.join(" and ")
    ))
}

/// A pixel of a right picture whose level is one that no pixel was counted for, if it is the only one, as a fact.
pub fn uncounted(witness: &Witness, outputs: &[Output<'_>], counters: &Output<'_>) -> Option<String> {
    let picture = outputs.iter().find(|output| {
        output.shape.row > 0 && output.shape.element == Element::U8 && output.expected == output.found
    })?;
    let OutputShape { element, .. } = *counters.shape;
    let values = |bytes: &[u8]| -> Vec<i64> {
        bytes.chunks_exact(element.size()).map(|bytes| element.value(bytes)).collect()
    };
    let both = values(counters.expected).into_iter().zip(values(counters.found));
    let level = both.into_iter().position(|(expected, found)| (expected, found) == (1, 0))?;
    let at = picture.expected.iter().position(|own| usize::from(*own) == level)?;
    let name = picture.shape.name;
    let line = buffer(witness, name)?.bytes.get(at)?.last?.line;
    (line > 0 && counters.expected.len() / element.size() == LEVELS).then(|| {
        format!("`{name}[{at}]`, the only pixel of level {level}, is right: line {line} stores it, and `{}[{level}]` does not count it", counters.shape.name)
    })
}

/// The kernel that is given a buffer's address, if no copy reads the buffer.
pub fn given_to<'a>(witness: &'a Witness, buffer: &Touched) -> Option<&'a str> {
    let inside =
        |address: u64| (buffer.address..buffer.address + buffer.bytes.len() as u64).contains(&address);
    let copied = witness.states.iter().filter_map(|state| state.moved.as_ref());
    if copied.into_iter().any(|moved| matches!(moved.from, MovedFrom::Device(address) if inside(address))) {
        return None;
    }
    let is_given = |argument: &Vec<u8>| argument.as_slice() == buffer.address.to_le_bytes();
    let mut given = witness.launches.iter().filter(|launch| launch.arguments.iter().any(is_given));
    let kernel = &given.next()?.kernel;
    given.all(|launch| launch.kernel == *kernel).then_some(kernel.as_str())
}

fn wrong<'a>(outputs: &'a [Output<'a>]) -> impl Iterator<Item = &'a Output<'a>> {
    outputs.iter().filter(|output| output.off().any(|off| output.is_wrong(off)))
}

fn buffer<'a>(witness: &'a Witness, name: &str) -> Option<&'a Touched> {
    witness.buffers.iter().find(|buffer| buffer.name == name)
}

/// The threads that touched the wrong elements of an output last.
fn threads(witness: &Witness, output: &Output<'_>) -> impl Iterator<Item = Toucher> {
    touched(witness, output, true)
}

/// The threads that touched the wrong elements of an output last, or the right ones.
fn touched(witness: &Witness, output: &Output<'_>, is_wrong: bool) -> impl Iterator<Item = Toucher> {
    let size = output.shape.element.size();
    let own = output.off().enumerate().filter(|(_, off)| output.is_wrong(*off) == is_wrong).map(|(at, _)| at);
    let bytes = buffer(witness, output.shape.name).map_or(&[][..], |buffer| &buffer.bytes);
    own.filter_map(|at| bytes.get(at * size)?.last).collect::<Vec<_>>().into_iter()
}

/// A buffer of the call that a kernel is given, by the bytes of the argument.
fn given(witness: &Witness, argument: &[u8]) -> Option<String> {
    let address = u64::from_le_bytes(argument.try_into().ok()?);
    let inside =
        |buffer: &&Touched| (buffer.address..buffer.address + buffer.bytes.len() as u64).contains(&address);
    witness.buffers.iter().find(inside).map(|buffer| format!("`{}`", buffer.name))
}

/// The copy or fill that wrote to an output behind all kernels that did, and what it held then.
fn last_move<'a>(witness: &'a Witness, output: &Output<'_>) -> Option<(usize, &'a State, &'a Moved)> {
    let address = buffer(witness, output.shape.name)?.address;
    let (at, state) = witness.states.iter().enumerate().rfind(|(_, state)| state.address == address)?;
    let moved = state.moved.as_ref().filter(|moved| moved.line > 0)?;
    (state.bytes.len() == output.expected.len()).then_some((at, state, moved))
}

/// A copy or fill behind which an output is wrong that was right before.
fn over(witness: &Witness, output: &Output<'_>, at: usize, moved: &Moved) -> Option<(String, &'static str)> {
    let name = output.shape.name;
    let address = witness.states[at].address;
    let own = witness.states[..at].iter().filter(|state| state.address == address);
    let before = own.rev().find(|state| state.moved.as_ref() != Some(moved))?;
    if before.launch.is_none() || !stages::equals(output, &before.bytes) {
        return None;
    }
    let (line, bytes) = (moved.line, grouped(moved.bytes));
    let what = match moved.from {
        MovedFrom::Fill(value) => {
            let value = if value == 0 { String::new() } else { format!(" with {value}") };
            return Some((
                format!(
                    "line {line} fills `{name}`{value} after kernels have stored to it, and it was right before"
                ),
                LATE,
            ));
        }
        MovedFrom::Host => "of the host".to_owned(),
        MovedFrom::Device(address) => {
            let buffer = given(witness, &address.to_le_bytes());
            let source = || Some(format!("`{}`", moved.source.as_deref()?));
            format!("of {}", buffer.or_else(source)?)
        }
    };
    let plural = if moved.bytes == 1 { "" } else { "s" };
    Some((
        format!(
            "line {line} copies {bytes} byte{plural} {what} to `{name}` after kernels have stored to it, and it was right before"
        ),
        OVER,
    ))
}

/// The only copy to an output, and one that all of its wrong elements lie behind.
fn short(
    witness: &Witness,
    output: &Output<'_>,
    (at, state): (usize, &State),
    moved: &Moved,
) -> Option<(String, &'static str)> {
    let is_other = |other: &&State| other.address == state.address && other.moved.as_ref() != Some(moved);
    if matches!(moved.from, MovedFrom::Fill(_)) || witness.states.iter().any(|other| is_other(&other)) {
        return None;
    }
    let size = output.shape.element.size();
    let copied = |element: usize| moved.to.contains(&(state.address + (element * size) as u64));
    let mut left_out = Vec::new();
    let mut wrong = 0;
    for (element, off) in output.off().enumerate() {
        if output.is_wrong(off) {
            wrong += 1;
            if copied(element) {
                return None;
            }
        }
        if !copied(element) {
            left_out.push(element);
        }
    }
    let from = source(witness, at, moved).filter(|(source, _)| source.bytes.len() == output.expected.len());
    let right = from
        .filter(|(source, _)| stages::equals(output, &source.bytes))
        .map_or_else(String::new, |(_, name)| format!("; all of `{name}`, from which it copies, is right"));
    let name = output.shape.name;
    (wrong > 0).then(|| {
        let seen = format!(
            "line {} copies {} bytes to `{name}`, which has {}: {} not copied{right}",
            moved.line,
            grouped(moved.bytes),
            grouped(output.expected.len() as u64),
            were(name, &left_out, output.expected.len() / size)
        );
        (seen, SHORT)
    })
}

/// What the allocation held that a copy reads, and its name.
fn source<'a>(witness: &'a Witness, at: usize, moved: &'a Moved) -> Option<(&'a State, &'a str)> {
    let MovedFrom::Device(address) = moved.from else { return None };
    let holds = |state: &&State| (state.address..state.address + state.bytes.len() as u64).contains(&address);
    Some((witness.states[..at].iter().rev().find(holds)?, moved.source.as_deref()?))
}
