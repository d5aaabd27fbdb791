//! Elements of the inputs that two threads of one launch read: those of a filter do, and those that count each pixel once must not.

use runtime::engine::{Touched, Toucher, Witness};

use super::words::in_words;
use crate::build::arguments::launches;
use crate::build::block::{blocks_of, body};
use crate::build::code::{code, has, last_name, leading_number, line_of, places, words};
use crate::build::expression::{Expression, parsed};
use crate::build::indices_of;
use crate::build::walk::Way;

/// What to try if each of them counts once.
pub const HINT: &str = "each pixel belongs to one thread: work out for both threads which elements they take, from the conditions around the line, the index at \
                        which they begin, and the step of the loop in which they go on";

/// What to try if there is no loop.
pub const OWN: &str = "each pixel belongs to one thread: give each thread of the grid a number of its own, `blockIdx.x * blockDim.x + threadIdx.x`";

/// The line in which both threads read, by what was seen of them, and the way to it; `None` if it is not one line.
fn line_of_both<'a>(source: &'a str, task: &'a str, seen: &[String]) -> Option<(u32, Way<'a>)> {
    let both = seen.iter().find(|seen| seen.contains("was read by") && seen.ends_with(" too"))?;
    let mut lines = both.split(" in line ").skip(1).filter_map(leading_number);
    let (first, second) = (lines.next()?, lines.next()?);
    let way = Way::to(source, task, first, line_of(source, first).len().saturating_sub(1))?;
    (first == second).then_some((first, way))
}

/// The line of a kernel of `task` without a loop that reads an element twice, by what was seen of it.
pub fn without_loop(source: &str, task: &str, seen: &[String]) -> Option<u32> {
    let (line, way) = line_of_both(source, task, seen)?;
    let looped = way.kernel.iter().any(|(_, line)| has(line, "for") || has(line, "while"));
    (!looped).then_some(line)
}

/// The loop around the line in which both threads read, if it goes on by the threads of a block, and ends at the same element in all blocks:
/// then all threads of the grid share the elements.
pub fn of_a_block(source: &str, task: &str, seen: &[String]) -> Option<String> {
    let (line, way) = line_of_both(source, task, seen)?;
    let mut heads = way.kernel.iter().filter(|(number, text)| *number <= line && has(text, "for"));
    let (number, head) = heads.next_back()?;
    let mut parts = head.split_once('(')?.1.split(';').skip(1);
    let (_, bound) = parts.next()?.split_once('<')?;
    let (_, by) = parts.next()?.split_once("+=")?;
    let by_block = by.trim().strip_prefix("blockDim.x").is_some_and(|after| after.starts_with(')'));
    let ends = parsed(bound.trim())?;
    let same = !way.depends(&ends, &|name| name.starts_with("blockIdx"));
    (by_block && same).then(|| {
        format!(
            "the loop of line {number} goes on by `blockDim.x`, and ends at `{}` in all blocks",
            bound.trim()
        )
    })
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

/// What to try where each block counts the same pixels.
pub const SAME: &str = "`threadIdx` has the same values in each block. Begin at the thread's number in the grid, `blockIdx.x * blockDim.x + threadIdx.x`, or \
                        let one block take these pixels: ask for `blockIdx.x == 0`, too";

/// A line of a kernel of several blocks that counts pixels which do not depend on the block, as a fact.
pub fn same_in_all_blocks(source: &str, task: &str) -> Option<String> {
    launches(source, task).iter().find_map(|launch| {
        let lines = body(source, launch.kernel);
        let one = launch.sizes.split(',').next().is_none_or(|blocks| blocks.trim() == "1");
        let chosen = |line: &str| {
            has(line, "if") && has(line, "blockIdx") || has(line, "gridDim") && line.contains("== 1")
        };
        if one || blocks_of(launch, source) == Some(1) || lines.iter().any(|(_, line)| chosen(line)) {
            return None;
        }
        let found =
            lines.iter().find(|(number, line)| is_same(*number, line, source, task).unwrap_or(false))?;
        Some(format!(
            "line {} counts the same pixels in each block: which ones does not depend on `blockIdx`",
            found.0
        ))
    })
}

/// Whether a line counts pixels of `gray`, all of which are known not to depend on the block, and the kernel adds the counts to its output.
fn is_same(number: u32, line: &str, source: &str, task: &str) -> Option<bool> {
    let update = "atomicAdd(&";
    let call = line.find(update)?;
    let at = places(line, "gray").find(|at| *at > call && line[at + "gray".len()..].starts_with('['))?;
    let way = Way::to(source, task, number, at).filter(Way::is_known)?;
    let head: Vec<&str> = way.kernel.iter().map(|(_, line)| *line).take(HEAD).collect();
    let head = head.join(" ");
    let parameters = head.split('{').next()?;
    let counter = |name: &str| way.loops().any(|of| of.name == name);
    let block = |name: &str| name.starts_with("blockIdx");
    let is_known = |name: &str| {
        ["threadIdx.", "blockDim.", "gridDim."].iter().any(|of| name.starts_with(of))
            || counter(name)
            || way.made_of(name).is_some()
            || has(parameters, name)
    };
    let open = |of: &Expression| way.depends(of, &|name| block(name) || !is_known(name));
    let index = |line: &str, at: usize| {
        let (found, _) = indices_of(&line[at..])?;
        parsed(found.first()?)
    };
    let pixel = index(line, at + "gray".len())?;
    let loops = || way.loops().flat_map(|of| [&of.begin, &of.condition, &of.step]);
    let guards: Option<Vec<&Expression>> = way.guards().map(|(condition, _)| condition).collect();
    let adds = way.kernel.iter().any(|(_, line)| {
        line.find(update).is_some_and(|at| {
            let target = &line[at + update.len()..];
            let name = target.split('[').next().unwrap_or_default();
            let own = index(target, name.len()).is_some_and(|of| !way.depends(&of, &block));
            has(parameters, name) && (own || target.starts_with(&format!("{name}[gray[")))
        })
    });
    let guards = guards?;
    // Where not even the thread counts, each of them takes all of it: that is another mistake.
    let by_thread = |of: &Expression| way.depends(of, &|name| name.starts_with("threadIdx"));
    let chooses = by_thread(&pixel) || loops().any(by_thread) || guards.iter().any(|of| by_thread(of));
    Some(adds && chooses && !open(&pixel) && !loops().any(open) && !guards.into_iter().any(open))
}

/// Lines that the head of a kernel may have.
const HEAD: usize = 6;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_of_the_grid_that_goes_on_by_a_block_is_told() {
        let text = |begin: &str, bound: &str, by: &str| {
            format!(
                "__global__ void k(const uint8_t* gray, uint32_t* bins, int n) {{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    {begin}\n    for (; i < {bound}; i += {by}) atomicAdd(&bins[gray[i]], 1u);\n}}\n\
                 void f(const uint8_t* gray, uint32_t* bins, int n) {{\n    k<<<n / 9 + 1, 256>>>(gray, bins, n);\n}}\n"
            )
        };
        let seen = [
            "`gray[256]` was read by thread 0 of block 0 in line 4, and by thread 0 of block 1 in line 4 too",
        ];
        let told = |text: &str| of_a_block(text, "f", &seen.map(str::to_owned));
        let said = "the loop of line 4 goes on by `blockDim.x`, and ends at `n` in all blocks";
        assert_eq!(told(&text("", "n", "blockDim.x")).as_deref(), Some(said));
        assert_eq!(told(&text("", "n", "blockDim.x * gridDim.x")), None);
        let part = "const int end = min((blockIdx.x + 1) * 9, n);";
        assert_eq!(told(&text(part, "end", "blockDim.x")), None, "a part for each block");
    }

    #[test]
    fn pixels_that_each_block_counts_are_told() {
        let text = |count: &str| {
            format!(
                "__global__ void k(const uint8_t* gray, uint32_t* bins, int n) {{\n    __shared__ uint32_t counts[256];\n    const int first = blockIdx.x * blockDim.x + threadIdx.x;\n    \
                 {count}\n    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);\n}}\nvoid f(const uint8_t* gray, uint32_t* bins, int n) {{\n    k<<<n / 9 + 1, 256>>>(gray, bins, n);\n}}\n"
            )
        };
        let told = |count: &str| same_in_all_blocks(&text(count), "f");
        let by_one = "if (threadIdx.x == 0) {\n        for (int i = n / 16 * 16; i < n; ++i) atomicAdd(&counts[gray[i]], 1u);\n    }";
        let said = "line 5 counts the same pixels in each block: which ones does not depend on `blockIdx`";
        assert_eq!(told(by_one).as_deref(), Some(said));
        let tail = "const int rest = n / 16 * 16 + threadIdx.x;\n    if (rest < n) atomicAdd(&counts[gray[rest]], 1u);";
        assert_eq!(told(tail).as_deref(), Some(said));
        assert_eq!(told(&tail.replace("threadIdx.x;", "first;")), None);
        assert_eq!(told(&by_one.replace("threadIdx.x == 0", "first == 0")), None);
        assert_eq!(told(&by_one.replace("int i = n / 16 * 16", "int i = n / 16 * 16 + begin")), None);
        assert_eq!(told(&format!("if (blockIdx.x > 0) return;\n    {tail}")), None);
        assert_eq!(same_in_all_blocks(&text(tail).replace("<<<n / 9 + 1,", "<<<1,"), "f"), None);
    }
}
