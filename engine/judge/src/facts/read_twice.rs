//! Elements of the inputs that two threads of one launch read: those of a filter do, and those that count each pixel once must not.

use runtime::engine::{Touched, Toucher, Witness};

use super::in_words;
use crate::build::code::{code, has, last_name, leading_number, line_of, words};
use crate::build::expression::parsed;
use crate::build::walk::Way;

/// What to try if each of them counts once.
pub const HINT: &str = "each pixel belongs to one thread: compare the index at which both begin, and the step of the loop in which \
                        they go on. All threads of the grid share the pixels, so that the step is `gridDim.x * blockDim.x`";

/// What to try if there is no loop.
pub const OWN: &str = "each pixel belongs to one thread: give each thread of the grid a number of its own, `blockIdx.x * blockDim.x + threadIdx.x`";

/// The line of a kernel of `task` without a loop that reads an element twice, by what was seen of it.
pub fn without_loop(source: &str, task: &str, seen: &[String]) -> Option<u32> {
    let both = seen.iter().find(|seen| seen.contains("was read by") && seen.ends_with(" too"))?;
    let mut lines = both.split(" in line ").skip(1).filter_map(leading_number);
    let (first, second) = (lines.next()?, lines.next()?);
    let way = Way::to(source, task, first, line_of(source, first).len().saturating_sub(1))?;
    let looped = way.kernel.iter().any(|(_, line)| has(line, "for") || has(line, "while"));
    (first == second && !looped).then_some(first)
}

/// The line that gives a variable of the index of an element one value in all threads of a block, or in all blocks.
pub fn shared_number(source: &str, task: &str, read: u32) -> Option<String> {
    let text = line_of(source, read);
    let way = Way::to(source, task, read, text.len().saturating_sub(1))?;
    words(text).find_map(|name| {
        let from = way.given(name)?;
        let number = parsed(from)?;
        let on = |of: &str| way.depends(&number, &|name| name.starts_with(of));
        let what = match [on("blockIdx"), on("threadIdx")] {
            [true, false] => "the same value in all threads of a block",
            [false, true] => "the same value in all blocks",
            _ => return None,
        };
        Some(format!("line {} gives `{name}` {what}: `{from}`", way.line_of(name)?))
    })
}

/// The first such element, with both threads, as a fact.
pub fn told(witness: &Witness, is_output: &dyn Fn(&Touched) -> bool) -> Option<String> {
    let (name, at, both) = first(witness, is_output)?;
    let [first, second] = both.map(|thread| {
        let line = if thread.line > 0 { format!(" in line {}", thread.line) } else { String::new() };
        format!("{}{line}", in_words(witness, thread))
    });
    Some(format!("`{name}[{at}]` was read by {first}, and by {second} too"))
}

/// The line that sets the step of a loop over the pixels to less than the threads of the grid.
pub fn step(source: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().map(code).collect();
    let looped =
        |step: &str| lines.iter().position(|line| has(line, "for") && line.contains(&format!("+= {step})")));
    (1..).zip(&lines).find_map(|(number, line)| {
        ["gridDim.x", "blockDim.x"].into_iter().find_map(|sides| {
            let (before, _) = line.split_once(&format!(" = {sides};"))?;
            let name = last_name(before);
            let at = looped(name).filter(|_| !name.is_empty())?;
            Some(format!(
                "line {number} sets `{name}`, the step of the loop in line {}, to `{sides}`",
                at + 1
            ))
        })
    })
}

/// Whether there is one.
pub fn is_any(witness: &Witness, is_output: &dyn Fn(&Touched) -> bool) -> bool {
    first(witness, is_output).is_some()
}

/// The line in which an element is read a second time.
pub fn line(witness: &Witness, is_output: &dyn Fn(&Touched) -> bool) -> Option<u32> {
    first(witness, is_output).map(|(.., [_, second])| second.line)
}

/// Whether a line stands in a function that counts: each pixel is to be read once there.
pub fn counts(source: &str, line: u32) -> bool {
    let lines: Vec<&str> = source.lines().map(code).collect();
    let at = (line as usize).saturating_sub(1).min(lines.len());
    let begins = lines[..at].iter().rposition(|line| line.starts_with('}')).map_or(0, |end| end + 1);
    let body = lines[begins..].iter().take_while(|line| !line.starts_with('}'));
    line > 0 && body.clone().any(|line| has(line, "atomicAdd"))
}

fn first<'a>(
    witness: &'a Witness,
    is_output: &dyn Fn(&Touched) -> bool,
) -> Option<(&'a str, usize, [Toucher; 2])> {
    witness.buffers.iter().filter(|buffer| !is_output(buffer)).find_map(|buffer| {
        buffer.bytes.iter().enumerate().find_map(|(at, touches)| match touches.readers {
            [Some(first), Some(second)] if first.launch == second.launch => {
                Some((buffer.name.as_str(), at, [first, second]))
            }
            _ => None,
        })
    })
}
