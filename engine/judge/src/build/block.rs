//! The blocks that a kernel's text is written for, beside those of its launches.

use super::arguments::{Launch, joined, launches, parameters, parts};
use super::code::{code, comparisons, has, is_part, last_name, numbered_lines, places, value, words};
use crate::numbers::grouped;

/// What to try if a kernel is written for blocks of another size.
pub const HINT: &str = "launch blocks of the size that the kernel is written for, or write it for any size, with \
                        `for (int v = threadIdx.x; v < n; v += blockDim.x)`";
/// What a finding says beside the launch.
pub const LAUNCHED: &str = "the launch";
/// What to try if a kernel of one dimension is launched in two.
pub const FLAT: &str =
    "launch this kernel in one dimension, `<<<ceil_div(n, 256), 256>>>`, or compute both an x and a y in it";
/// What to try if a kernel takes its own grid for that of another.
pub const ALONE: &str = "pass the number of blocks of the launch before to the kernel, as an argument";
/// What to try if a comma drops a size.
pub const COMMA: &str = "write `dim3 block(32, 8);`, without `=`";

/// Threads of the largest block.
const MOST_THREADS: u64 = 1024;

/// What a kernel needs of its blocks.
struct Need {
    /// Along x or y.
    axis: usize,
    threads: u64,
    /// Whether fewer threads than that are the only mistake.
    at_least: bool,
    why: String,
}

/// A kernel that is written for other blocks than it gets: the fact, and the line of the launch. `kernel` is the one to look at; without it,
/// all that the host function `task` launches are.
pub fn other_size(text: &str, task: &str, kernel: Option<&str>) -> Option<(String, u32)> {
    launches(text, task).iter().filter(|launch| kernel.is_none_or(|name| name == launch.kernel)).find_map(
        |launch| {
            let sides = block_of(launch, text)?;
            let need = needs(launch, text, task).into_iter().find(|need| {
                let has = sides[need.axis];
                has < need.threads || (has > need.threads && !need.at_least)
            })?;
            let size = match sides {
                [x, 1] => grouped(x),
                [x, y] => format!("{x} × {y}"),
            };
            let told = format!(
                "{}, but line {} launches `{}` with blocks of {size} threads",
                need.why, launch.line, launch.kernel
            );
            Some((told, launch.line))
        },
    )
}

/// A launch in two dimensions of a kernel that knows only one.
pub fn flat(text: &str, task: &str) -> Option<String> {
    // A helper, or a library, may ask for the thread's place.
    if text.contains("thread_rank") || text.contains("%tid") {
        return None;
    }
    launches(text, task).iter().find_map(|launch| {
        let grid = size(launch, 0, text).unwrap_or_default();
        let second = grid.get(1).is_some_and(|second| second != "1");
        let what = match block_of(launch, text) {
            Some([x, y]) if y > 1 && !text.contains("threadIdx.y") => {
                format!("blocks of {x} × {y} threads, and no line uses `threadIdx.y`: threads that differ only in y")
            }
            Some(_) if second && !text.contains("blockIdx.y") => {
                "a grid of two dimensions, and no line uses `blockIdx.y`: blocks that differ only in y".to_owned()
            }
            _ => return None,
        };
        Some(format!("line {} launches `{}` with {what} do the same work", launch.line, launch.kernel))
    })
}

/// Names for the number of elements, or of those along a side.
const COUNTS: [&str; 7] = ["pixels", "n", "total", "size", "count", "width", "height"];

/// A launch of as many blocks for every picture, of a kernel in which each thread has one element and goes on to no other.
pub fn fixed(text: &str, task: &str) -> Option<String> {
    let whole = joined(text);
    launches(text, task).iter().find_map(|launch| {
        let blocks = blocks_of(launch, text).filter(|blocks| *blocks > 1)?;
        let [threads, 1] = block_of(launch, text)? else { return None };
        let names = parameters(&whole, launch.kernel)?;
        let lines = body(text, launch.kernel);
        let goes_on = |line: &str| ["for", "while", "do"].iter().any(|word| has(line, word));
        let numbers = |line: &str| line.contains("blockIdx.x * blockDim.x + threadIdx.x");
        let tests = |line: &str| {
            comparisons(line).iter().any(|(_, operator, bound)| {
                *operator == "<" && COUNTS.contains(bound) && names.iter().any(|name| name == bound)
            })
        };
        let any = |is: &dyn Fn(&str) -> bool| lines.iter().any(|(_, line)| is(line));
        (any(&numbers) && any(&tests) && !any(&goes_on)).then(|| {
            format!(
                "line {} launches `{}` with {blocks} blocks of {threads} threads, {} in all, however large the picture is, and `{}` has no loop in which \
                 they go on",
                launch.line,
                launch.kernel,
                grouped(blocks * threads),
                launch.kernel
            )
        })
    })
}

/// A kernel of one block that goes through as many parts as its own launch has blocks.
pub fn alone(text: &str, task: &str) -> Option<String> {
    launches(text, task).iter().find_map(|launch| {
        let grid = size(launch, 0, text)?;
        let one = grid.iter().all(|side| number(side, text) == Some(1));
        let lines = body(text, launch.kernel);
        let (line, _) = lines.iter().filter(|_| one).find(|(_, line)| {
            let close: String = line.split_whitespace().collect();
            has(line, "for") && close.contains("=0;") && close.contains("<gridDim.x;")
        })?;
        Some(format!(
            "the loop of line {line} ends at `gridDim.x`, which is the number of blocks of its own launch: line {} launches `{}` with 1 block",
            launch.line, launch.kernel
        ))
    })
}

/// A `dim3` that is given two sizes in brackets behind `=`.
pub fn comma(text: &str) -> Option<String> {
    numbered_lines(text).find_map(|(number, line)| {
        let (name, sizes) = line.split_once("dim3 ")?.1.split_once('=')?;
        let sizes = sizes.trim().strip_prefix('(')?.split_once(");")?.0;
        let (first, last) = sizes.rsplit_once(',')?;
        let (name, last) = (name.trim(), last.trim());
        (!sizes.contains('(')).then(|| {
            format!(
                "line {number} sets `{name}` to ({last}, 1, 1): between brackets behind `=`, the comma drops all but the last number, here `{first}`"
            )
        })
    })
}

/// The threads of a block along x and y. Another function may have another constant of the same name.
pub fn block_of(launch: &Launch<'_>, text: &str) -> Option<[u64; 2]> {
    threads(launch, &function_to(launch.line, text), text).or_else(|| threads(launch, text, text))
}

/// The blocks of the grid, if their number is a constant.
pub fn blocks_of(launch: &Launch<'_>, text: &str) -> Option<u64> {
    let blocks = |text: &str| {
        let sides = size(launch, 0, text)?;
        sides.iter().map(|side| number(side, text)).product::<Option<u64>>()
    };
    blocks(&function_to(launch.line, text)).or_else(|| blocks(text))
}

/// The lines of a function up to this one.
fn function_to(line: u32, text: &str) -> String {
    let lines: Vec<&str> = text.lines().take(line as usize).collect();
    let begins = lines.iter().rposition(|line| line.starts_with('}')).map_or(0, |end| end + 1);
    lines[begins..].join("\n")
}

/// The threads of a block whose sizes stand in `function`, with constants that may stand anywhere.
fn threads(launch: &Launch<'_>, function: &str, text: &str) -> Option<[u64; 2]> {
    let sides = size(launch, 1, function)?;
    let known: Option<Vec<u64>> =
        sides.iter().take(2).map(|side| number(side, function).or_else(|| number(side, text))).collect();
    match known?.as_slice() {
        [x] => Some([*x, 1]),
        [x, y] => Some([*x, *y]),
        _ => None,
    }
}

/// The sizes of the grid (0) or of the block (1), each as text.
fn size(launch: &Launch<'_>, which: usize, text: &str) -> Option<Vec<String>> {
    let all = parts(&launch.sizes);
    let one = all.get(which)?;
    if let Some(list) = sizes(one) {
        return Some(list);
    }
    let mut given = text.lines().map(code).filter(|line| has(line, "dim3")).filter_map(|line| {
        let close: String = line.split_whitespace().collect();
        let at = places(&close.replace("dim3", "dim3 "), one).next()? - 1;
        let after = close[at + one.len()..].trim_start_matches('=');
        sizes(after)
    });
    let first = given.next();
    match first {
        Some(first) => given.all(|other| other == first).then_some(first),
        None => one.chars().all(|c| is_part(c) || "+-*/() ".contains(c)).then(|| vec![one.clone()]),
    }
}

/// The sizes in `dim3(a, b)`, `(a, b)` or `{a, b}`.
fn sizes(text: &str) -> Option<Vec<String>> {
    let text = text.strip_prefix("dim3").unwrap_or(text);
    let close = match text.chars().next()? {
        '(' => ')',
        '{' => '}',
        _ => return None,
    };
    let mut depth = 0;
    let end = text.char_indices().find(|(_, c)| {
        depth += i32::from("({".contains(*c)) - i32::from(")}".contains(*c));
        depth == 0
    })?;
    (end.1 == close).then(|| parts(&text[1..end.0]))
}

/// The value of an expression, also of a variable that is set once.
fn number(expression: &str, text: &str) -> Option<u64> {
    value(expression, text).or_else(|| {
        let lines = || text.lines().map(code);
        let mut set = lines().flat_map(|line| {
            places(line, expression).filter_map(move |at| {
                let after = line[at + expression.len()..].trim_start().strip_prefix('=')?;
                (!after.starts_with('=')).then(|| after.split([';', ',']).next().unwrap_or_default())
            })
        });
        let first = set.next()?;
        (set.all(|other| other == first) && first.trim().parse::<u64>().is_ok())
            .then(|| value(first, text))?
    })
}

/// What the text of a kernel needs of its blocks, the surest first.
fn needs(launch: &Launch<'_>, text: &str, task: &str) -> Vec<Need> {
    let lines = body(text, launch.kernel);
    let mut found: Vec<Need> = Vec::new();
    for (axis, side) in ["x", "y"].into_iter().enumerate() {
        let counters = counters(&lines, side);
        let numbered = lines.iter().filter_map(|(line, text_of)| {
            let threads = numbered(text_of, side).and_then(|size| value(size, text))?;
            let why = format!(
                "line {line} counts {threads} threads to a block along {side} (`blockIdx.{side} * {threads}`)"
            );
            Some(Need { axis, threads, at_least: false, why })
        });
        found.extend(numbered);
        let stepped = lines.iter().filter_map(|(line, text_of)| {
            let threads = stepped(text_of, &counters).and_then(|step| value(step, text))?;
            let why = format!(
                "the loop of line {line} goes on by {threads}, as with {threads} threads along {side}"
            );
            Some(Need { axis, threads, at_least: true, why })
        });
        found.extend(stepped);
    }
    found.extend(own_element(launch, &lines, text, task));
    found
}

/// The lines of a kernel, with their numbers.
pub fn body<'a>(text: &'a str, kernel: &str) -> Vec<(u32, &'a str)> {
    let lines: Vec<(u32, &str)> = numbered_lines(text).collect();
    let begins = |at: usize| {
        let (_, line) = lines[at];
        let head = has(line, "__global__") || at > 0 && has(lines[at - 1].1, "__global__");
        head && places(line, kernel).any(|at| line[at + kernel.len()..].trim_start().starts_with('('))
    };
    let Some(first) = (0..lines.len()).find(|at| begins(*at)) else { return Vec::new() };
    let rest = &lines[first..];
    let end = rest.iter().position(|(_, line)| line.starts_with('}')).unwrap_or(rest.len());
    rest[..end].to_vec()
}

/// `threadIdx.x` and the variables that are the same, and stay so: a loop counts with others.
pub(super) fn counters<'a>(lines: &[(u32, &'a str)], side: &str) -> Vec<&'a str> {
    let thread = format!("threadIdx.{side}");
    lines
        .iter()
        .flat_map(|(_, line)| {
            let starts =
                places(line, "threadIdx").filter(|at| line[*at..].starts_with(&thread)).collect::<Vec<_>>();
            starts.into_iter().flat_map(|at| {
                let ends = line[at + thread.len()..].trim_start().starts_with([';', ',']);
                let before = line[..at].trim_end().strip_suffix('=').unwrap_or_default().trim_end();
                let name = last_name(before);
                let stays = ends && !name.is_empty() && !has(before, "for") && !changed(name, lines);
                [Some(&line[at..at + thread.len()]), Some(name).filter(|_| stays)]
            })
        })
        .flatten()
        .collect()
}

/// Whether a variable gets another value after its first one.
pub(super) fn changed(name: &str, lines: &[(u32, &str)]) -> bool {
    let sets = |line: &str| {
        let after =
            places(line, name).map(|at| (line[..at].trim_end(), line[at + name.len()..].trim_start()));
        let set = |(before, after): &(&str, &str)| {
            let assigned = after.starts_with('=') && !after.starts_with("==");
            assigned
                || before.ends_with("++")
                || ["+=", "-=", "++", "--"].iter().any(|step| after.starts_with(step))
        };
        after.filter(set).count()
    };
    lines.iter().map(|(_, line)| sets(line)).sum::<usize>() > 1
}

/// The size in `blockIdx.x * size + threadIdx.x`, which nothing is added to.
fn numbered<'a>(line: &'a str, side: &str) -> Option<&'a str> {
    let (block, thread) = (format!("blockIdx.{side}"), format!("threadIdx.{side}"));
    line.split([';', ',', '=', '(', ')']).find_map(|part| {
        let (one, other) = part.split_once('+')?;
        let (product, index) = if one.trim() == thread { (other, one) } else { (one, other) };
        let (left, right) = product.split_once('*')?;
        let size = if left.trim() == block { right.trim() } else { left.trim() };
        let whole = [left, right].iter().any(|side| side.trim() == block) && index.trim() == thread;
        (whole && size.chars().all(is_part)).then_some(size)
    })
}

/// The step of a loop that begins with the thread's number.
fn stepped<'a>(line: &'a str, counters: &[&str]) -> Option<&'a str> {
    let (_, head) = line.split_once("for")?;
    let mut parts = head.split(';');
    let (begin, step) = (parts.next()?, parts.nth(1)?);
    let from = begin.split_once('=')?.1.trim();
    let step = step.split_once("+=")?.1;
    let step = step.split(')').next()?.trim();
    (counters.contains(&from) && step.chars().all(is_part)).then_some(step)
}

/// An array of which each thread handles one element, or one for several threads: the kernel stores it in one place.
fn own_element(launch: &Launch<'_>, lines: &[(u32, &str)], text: &str, task: &str) -> Option<Need> {
    let counters = counters(lines, "x");
    lines.iter().find_map(|(line, text_of)| {
        let (name, index) = stored(text_of)?;
        let (counter, per) = index.split_once('/').unwrap_or((index, "1"));
        let per = value(per, text).filter(|_| counters.contains(&counter.trim()))?;
        let size = elements(name, launch, lines, text, task)?;
        // Others by the thread's number may fill the rest.
        let by_thread = |index: &str| has(index, "threadIdx") || counters.iter().any(|counter| has(index, counter));
        let mut others = lines.iter().filter_map(|(_, other)| stored(other)).filter(|(other, _)| *other == name);
        let once = others.all(|(_, other)| other == index || !by_thread(other));
        let threads = size * per;
        // No block has more; then the array is to be filled in a loop.
        if threads > MOST_THREADS {
            return None;
        }
        let each = if per == 1 { "a thread".to_owned() } else { format!("{per} threads") };
        once.then(|| Need {
            axis: 0,
            threads,
            at_least: true,
            why: format!(
                "line {line} gives each of the {size} elements of `{name}` to {each}, which takes blocks of {} threads",
                grouped(threads)
            ),
        })
    })
}

/// Name and index of the element that a line stores to or adds to.
fn stored(line: &str) -> Option<(&str, &str)> {
    let (target, added) = match line.split_once("atomicAdd(&") {
        Some((_, rest)) => (rest, true),
        None => (line, false),
    };
    let (before, after) = target.split_once('[')?;
    let name = last_name(before);
    let (mut index, mut rest) = after.split_once(']')?;
    // Of several copies of an array, the last index is that of the element.
    while let Some((next, behind)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        (index, rest) = (next, behind);
    }
    let rest = rest.trim_start();
    let set = rest.starts_with('=') && !rest.starts_with("==") || rest.starts_with("+=");
    let declared = words(before).count() > 1 && !has(before, "if") && !added;
    (!name.is_empty() && (added && rest.starts_with(',') || set) && !declared).then_some((name, index.trim()))
}

/// The number of elements of an array: of the block by its declaration, of the GPU by the `cudaMalloc` of what the launch passes.
fn elements(name: &str, launch: &Launch<'_>, lines: &[(u32, &str)], text: &str, task: &str) -> Option<u64> {
    let shared = lines.iter().filter(|(_, line)| line.contains("__shared__")).find_map(|(_, line)| {
        let at = places(line, name).next()?;
        let sizes = line[at + name.len()..].trim_start().strip_prefix('[')?.split_once("];")?.0;
        value(sizes.rsplit('[').next()?, text)
    });
    shared.or_else(|| {
        let names = parameters(&joined(text), launch.kernel)?;
        let passed = launch.arguments.get(names.iter().position(|known| known == name)?)?;
        let function = text.split_once(&format!("void {task}(")).map_or(text, |(_, rest)| rest);
        function.lines().map(code).find_map(|line| {
            let (_, size) =
                line.split_once(&format!("&{passed},")).filter(|_| line.contains("cudaMalloc"))?;
            let bytes = || size.rsplit_once(");").filter(|_| of_bytes(text, passed)).map(|(bytes, _)| bytes);
            value(size.split_once(" * sizeof(").map(|(n, _)| n).or_else(bytes)?, text)
        })
    })
}

/// Whether a pointer is declared as one to bytes.
fn of_bytes(text: &str, pointer: &str) -> bool {
    let declares = |line: &str| {
        places(line, pointer).any(|at| {
            let kind = line[..at].trim_end().trim_end_matches('*').trim_end();
            line[..at].trim_end().ends_with('*') && (kind.ends_with("uint8_t") || kind.ends_with("char"))
        })
    };
    text.lines().map(code).any(declares)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn file(kernel: &str, host: &str) -> String {
        format!(
            "constexpr int levels = 256;\n__global__ void k(const uint8_t* gray, uint32_t* bins, int n) {{\n{kernel}\n}}\n\
             void task(const uint8_t* gray, int n) {{\n    cudaMalloc(&sums, levels * sizeof(uint32_t));\n{host}\n}}\n"
        )
    }

    #[test]
    fn kernels_for_blocks_of_another_size_are_told() {
        let one = "    k<<<ceil_div(n, 256), 256>>>(gray, sums, n);";
        for (kernel, host, told) in [
            (
                "    const int t = threadIdx.x, lane = t % 32;\n    if (t % 4 == 0) atomicAdd(&bins[t / 4], sum);",
                one,
                Some(
                    "line 4 gives each of the 256 elements of `bins` to 4 threads, which takes blocks of 1,024 threads, but line 8 launches `k` with blocks of 256 threads",
                ),
            ),
            ("    atomicAdd(&bins[threadIdx.x], 1);", one, None),
            (
                "    __shared__ uint8_t t[256];\n    t[threadIdx.x] = table[threadIdx.x];",
                "    int threads = 128;\n    k<<<n, threads>>>(gray, sums, n);",
                Some(
                    "line 4 gives each of the 256 elements of `t` to a thread, which takes blocks of 256 threads, but line 9 launches `k` with blocks of 128 threads",
                ),
            ),
            (
                "    __shared__ int t[256];\n    for (int v = threadIdx.x; v < 256; v += blockDim.x)\n        t[v] = 0;",
                "    k<<<n, 128>>>(gray, sums, n);",
                None,
            ),
            (
                "    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;",
                "    const dim3 block(32, 8);\n    k<<<grid, block>>>(gray, sums, n);",
                Some(
                    "line 3 counts 16 threads to a block along x (`blockIdx.x * 16`), but line 8 launches `k` with blocks of 32 × 8 threads",
                ),
            ),
            ("    int x = blockIdx.x * 28 + threadIdx.x - 2;", one, None),
            (
                "    for (int v = threadIdx.y; v < 20; v += 16)",
                "    k<<<grid, dim3(16, 8)>>>(gray, sums, n);",
                Some(
                    "the loop of line 3 goes on by 16, as with 16 threads along y, but line 7 launches `k` with blocks of 16 × 8 threads",
                ),
            ),
            ("    for (int v = threadIdx.x; v < 20; v += 16)", one, None),
            ("    int i = blockIdx.x * blockDim.x + threadIdx.x;", one, None),
            (
                "    const int t = threadIdx.x;\n    __shared__ int c[2][256];\n    c[0][t] = c[1][t] = 0;\n    atomicAdd(&c[t & 1][gray[i]], 1);",
                "    k<<<n, 128>>>(gray, sums, n);",
                Some(
                    "line 5 gives each of the 256 elements of `c` to a thread, which takes blocks of 256 threads, but line 10 launches `k` with blocks of 128 threads",
                ),
            ),
            (
                "    const int level = threadIdx.x;\n    if (level < levels) bins[level] = 0;",
                "    uint8_t* bytes;\n    cudaMalloc(&bytes, levels);\n    k<<<n, 128>>>(gray, bytes, n);",
                Some(
                    "line 4 gives each of the 256 elements of `bins` to a thread, which takes blocks of 256 threads, but line 10 launches `k` with blocks of 128 threads",
                ),
            ),
            (
                "    __shared__ int c[256];\n    c[threadIdx.x] = 0;\n    c[threadIdx.x + 128] = 0;",
                "    k<<<n, 128>>>(gray, sums, n);",
                None,
            ),
        ] {
            let said = other_size(&file(kernel, host), "task", None).map(|(said, _)| said);
            assert_eq!(said.as_deref(), told, "{kernel}");
        }
        let text = file("    atomicAdd(&bins[threadIdx.x / 2], 1);", one);
        assert_eq!(other_size(&text, "task", Some("other")), None);
    }

    #[test]
    fn launches_in_two_dimensions_of_a_kernel_of_one_are_told() {
        let kernel = "    int i = blockIdx.x * blockDim.x + threadIdx.x;";
        let both = "    int x = threadIdx.x, y = threadIdx.y + blockIdx.y;";
        for (kernel, sizes, part) in [
            (
                kernel,
                "dim3 g(n, n), b(16, 16);\n    k<<<g, b>>>",
                Some("line 8 launches `k` with blocks of 16 × 16 threads"),
            ),
            (kernel, "dim3 g = dim3(n, n);\n    k<<<g, 256>>>", Some("a grid of two dimensions")),
            (kernel, "k<<<n, 256>>>", None),
            (kernel, "dim3 b(16, 1);\n    k<<<n, b>>>", None),
            (kernel, "k<<<ceil_div(n, 256), dim3(16, 16)>>>", Some("blocks of 16 × 16 threads")),
            (both, "dim3 g(n, n), b(16, 16);\n    k<<<g, b>>>", None),
        ] {
            let said = flat(&file(kernel, &format!("    {sizes}(gray, sums, n);")), "task");
            let right =
                part.map_or(said.is_none(), |part| said.as_ref().is_some_and(|said| said.contains(part)));
            assert!(right, "{sizes}: {said:?}");
        }
    }

    #[test]
    fn a_grid_of_one_size_without_a_loop_is_told() {
        let kernel = "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) atomicAdd(&bins[gray[i]], 1);";
        let said = fixed(&file(kernel, "    k<<<528, 256>>>(gray, sums, n);"), "task").unwrap_or_default();
        assert!(
            said.starts_with("line 8 launches `k` with 528 blocks of 256 threads, 135,168 in all"),
            "{said}"
        );
        assert_eq!(fixed(&file(kernel, "    k<<<ceil_div(n, 256), 256>>>(gray, sums, n);"), "task"), None);
        let looped = kernel.replace("if (i < n)", "for (; i < n; i += 512)");
        assert_eq!(fixed(&file(&looped, "    k<<<528, 256>>>(gray, sums, n);"), "task"), None);
    }

    #[test]
    fn a_loop_over_the_blocks_of_another_launch_is_told() {
        let kernel = "    for (int b = 0; b < gridDim.x; b++)";
        let said = alone(&file(kernel, "    k<<<1, 256>>>(gray, sums, n);"), "task").unwrap_or_default();
        assert!(
            said.starts_with("the loop of line 3 ends at `gridDim.x`")
                && said.ends_with("line 7 launches `k` with 1 block"),
            "{said}"
        );
        assert_eq!(alone(&file(kernel, "    k<<<n, 256>>>(gray, sums, n);"), "task"), None);
        assert_eq!(
            alone(
                &file(
                    "    for (int b = blockIdx.x; b < n; b += gridDim.x)",
                    "    k<<<1, 256>>>(gray, sums, n);"
                ),
                "task"
            ),
            None
        );
    }

    #[test]
    fn a_comma_that_drops_a_size_is_told() {
        let said = comma("void f() {\n    dim3 block = (32, 8);\n}").unwrap_or_default();
        assert!(said.starts_with("line 2 sets `block` to (8, 1, 1)") && said.ends_with("`32`"), "{said}");
        for right in
            ["dim3 block(32, 8);", "dim3 block = dim3(32, 8);", "dim3 block = {32, 8};", "dim3 n = (32);"]
        {
            assert_eq!(comma(right), None, "{right}");
        }
    }
}
