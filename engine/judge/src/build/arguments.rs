//! The arguments of launches, compared with the names of the kernel's parameters: two that are exchanged, a buffer that is passed twice,
//! and a launch that stands there twice.

use std::iter;

use super::code::{code, has, is_part, last_name, numbered_lines, places};
pub use super::launches::arguments as parts;
use super::launches::{arguments, statement};

/// What to try if two arguments are exchanged.
pub const EXCHANGED: &str =
    "arguments go by their order, not by their names: pass them in the order of the kernel's parameters";
/// What to try if a kernel reads and writes one buffer.
pub const IN_PLACE: &str = "threads read what other threads have already stored there, whatever barriers there are: blocks cannot wait for each other. \
                            Let the kernel write to a buffer of its own";
/// What to try if a side is passed for the number of pixels.
pub const SIDE: &str = "a picture has `width * height` pixels";
/// What to try if a kernel reads before another has written.
pub const EARLY: &str = "kernels run in the order of their launches: exchange the two";
/// What to try if a launch stands there twice.
pub const TWICE: &str = "launch it once: the second launch does everything again, and adds every count again";

/// What to try if two kernels count.
pub const BOTH: &str = "each pixel is to be counted once: launch one of the two";

/// What to try if a number is passed as a multiple or a part of itself.
pub const SCALED: &str = "the kernel takes this parameter for the number that it is named after: pass it as it is, and let the kernel divide or multiply \
                          where it counts groups or bytes";

/// Names for a number of elements.
const COUNTS: [&str; 7] = ["pixels", "n", "total", "size", "count", "width", "height"];

/// A launch in the text.
pub struct Launch<'a> {
    /// Where it begins.
    pub line: u32,
    /// The kernel's name.
    pub kernel: &'a str,
    /// What stands between `<<<` and `>>>`, without spaces.
    pub sizes: String,
    /// Without casts.
    pub arguments: Vec<String>,
}

/// Two arguments of a launch that have each other's names: `k(height, width)` of `k(int width, int height)`. `kernel` is the one to look
/// at; without it, the launches of the host function `task` are.
pub fn exchanged(text: &str, kernel: Option<&str>, task: &str) -> Option<String> {
    let code = joined(text);
    launches(text, task).iter().filter(|launch| kernel.is_none_or(|name| name == launch.kernel)).find_map(
        |launch| {
            let names = parameters(&code, launch.kernel)?;
            let pairs = || names.iter().zip(&launch.arguments);
            let (name, argument, other, passed) = pairs().find_map(|(name, argument)| {
                let crossed =
                    |(other, passed): &(&String, &String)| alike(other, argument) && alike(passed, name);
                let (other, passed) = pairs().find(crossed).filter(|_| !alike(name, argument))?;
                Some((name, argument, other, passed))
            })?;
            Some(format!(
                "line {} passes `{argument}` as `{name}` of `{}`, and `{passed}` as `{other}`",
                launch.line, launch.kernel
            ))
        },
    )
}

/// A pointer of the host function that a launch of this kernel, or of any, does not pass, although a parameter has its name and gets another
/// pointer of the host function.
pub fn other_named(text: &str, kernel: Option<&str>, task: &str) -> Option<String> {
    let whole = joined(text);
    let own = listed(&whole, task)?;
    let pointer = |name: &str| own.iter().any(|one| one.contains('*') && name_of(one) == name);
    launches(text, task).iter().filter(|launch| kernel.is_none_or(|name| name == launch.kernel)).find_map(
        |launch| {
            let names = parameters(&whole, launch.kernel)?;
            let (name, argument) = names.iter().zip(&launch.arguments).find(|(name, argument)| {
                let twice = launch.arguments.iter().filter(|other| other == argument).count() > 1;
                name != argument
                    && twice
                    && pointer(name)
                    && pointer(argument)
                    && !launch.arguments.contains(name)
            })?;
            Some(format!(
                "line {} passes `{argument}` as `{name}` of `{}`, and `{name}` nowhere",
                launch.line, launch.kernel
            ))
        },
    )
}

/// The bytes of a colour picture that a launch passes to a kernel which multiplies by 3 itself, or goes on from plane to plane.
pub fn bytes_for_pixels(text: &str, kernel: &str, task: &str) -> Option<String> {
    let names = parameters(&joined(text), kernel)?;
    let tripled = |given: &str| {
        let close: String = given.split_whitespace().collect();
        let three = close.starts_with("3*") || close.ends_with("*3");
        three && (has(&close, "pixels") || has(&close, "n") || has(&close, "width") && has(&close, "height"))
    };
    let whole = joined(text);
    let close: String = whole.split_whitespace().collect();
    launches(text, task).iter().filter(|launch| launch.kernel == kernel).find_map(|launch| {
        names.iter().zip(&launch.arguments).find_map(|(name, argument)| {
            let lines = numbered_lines(text);
            let mut set = lines.filter_map(|(line, text)| {
                let (before, given) = text.split_once('=')?;
                let given = given.split(';').next()?.trim();
                (name_of(before) == argument && tripled(given)).then_some((line, given))
            });
            let (line, given) =
                if tripled(argument) { (launch.line, argument.as_str()) } else { set.next()? };
            let again = close.contains("[3*") || close.contains(&format!("[{name}+")) || close.contains(&format!("[2*{name}+"));
            again.then(|| {
                format!(
                    "line {line} takes `{given}`, the bytes of the picture, for the `{name}` of `{kernel}`, which counts pixels, of three bytes each: likely \
                     it should be `width * height`"
                )
            })
        })
    })
}

/// A side of the picture that is passed, to a kernel or a function of the file, for the number of its pixels.
pub fn side_for_pixels(text: &str, task: &str) -> Option<String> {
    let whole = joined(text);
    let passes = |line: u32, function: &str, given: &[String]| {
        let names = parameters(&whole, function)?;
        let pairs = names.iter().zip(given);
        let (name, side) = pairs.into_iter().find(|(name, given)| {
            ["pixels", "total", "size", "num_pixels"].contains(&name.as_str())
                && ["width", "height"].contains(&given.as_str())
        })?;
        Some(format!("line {line} passes `{side}` as `{name}` of `{function}`"))
    };
    let launched = || {
        launches(text, task).iter().find_map(|launch| passes(launch.line, launch.kernel, &launch.arguments))
    };
    let called = || {
        numbered_lines(text).find_map(|(line, source)| {
            let (before, list) = source.split_once('(')?;
            let name = last_name(before);
            passes(line, name, &arguments(list.split_once(");")?.0))
        })
    };
    launched().or_else(called)
}

/// An argument that is a multiple or a part of the variable that its parameter is named after, `k(pixels / 16)` of `k(int pixels)`: the fact.
/// `kernel` is the one to look at; without it, all that the host function `task` launches are.
pub fn scaled(text: &str, kernel: Option<&str>, task: &str) -> Option<String> {
    let whole = joined(text);
    launches(text, task).iter().filter(|launch| kernel.is_none_or(|name| name == launch.kernel)).find_map(
        |launch| {
            let listed = listed(&whole, launch.kernel)?;
            let (name, argument) =
                listed.iter().zip(&launch.arguments).find_map(|(parameter, argument)| {
                    let name = name_of(parameter);
                    let scales = argument.contains(['/', '*']) || argument.contains(">>");
                    // An address, or a value of another kind, is no number of elements.
                    let is_number =
                        !parameter.contains('*') && COUNTS.contains(&name) && !argument.contains('(');
                    let whole = || counts_elements(text, launch.kernel, name);
                    (is_number && scales && has(argument, name) && whole()).then_some((name, argument))
                })?;
            Some(format!("line {} passes `{argument}` as `{name}` of `{}`", launch.line, launch.kernel))
        },
    )
}

/// Whether a kernel takes this parameter for a number of elements: it divides by the elements of a group itself, or ends there with what is an
/// index of single elements.
fn counts_elements(text: &str, kernel: &str, name: &str) -> bool {
    let lines = super::block::body(text, kernel);
    let indexes = |index: &str| {
        let plain =
            |line: &str| line.contains(&format!("[{index}]")) || line.contains(&format!("[3 * {index}"));
        super::code::words(index).eq([index])
            && lines.iter().any(|(_, line)| plain(line) && !line.contains("_cast<"))
    };
    lines.iter().any(|(_, line)| {
        let divides = places(line, name).any(|at| line[at + name.len()..].trim_start().starts_with('/'));
        let mut tests = super::code::comparisons(line).into_iter();
        divides || tests.any(|(index, operator, bound)| operator == "<" && bound == name && indexes(index))
    })
}

/// Whether two names are the same, or both usual ones for the width or for the height of a picture.
fn alike(one: &str, other: &str) -> bool {
    const SIDES: [&[&str]; 2] = [&["width", "w", "cols", "columns"], &["height", "h", "rows"]];
    one == other || SIDES.iter().any(|side| side.contains(&one) && side.contains(&other))
}

/// A buffer that a launch of this kernel passes for two pointers, of which one is `const`.
pub fn in_place(text: &str, kernel: &str, task: &str) -> Option<String> {
    let parameters = listed(&joined(text), kernel)?;
    launches(text, task).iter().filter(|launch| launch.kernel == kernel).find_map(|launch| {
        let pointers =
            || parameters.iter().zip(&launch.arguments).filter(|(parameter, _)| parameter.contains('*'));
        let (input, argument) = pointers().find(|(parameter, argument)| {
            has(parameter, "const")
                && pointers().any(|(other, passed)| !has(other, "const") && passed == *argument)
        })?;
        let (output, _) = pointers().find(|(other, passed)| !has(other, "const") && *passed == argument)?;
        Some(format!(
            "line {} passes `{argument}` both as `{}` and as `{}` of `{kernel}`",
            launch.line,
            name_of(input),
            name_of(output)
        ))
    })
}

/// Two launches of a kernel with the same sizes and arguments, one after the other, if the kernel adds to memory: others store the same
/// again.
pub fn twice(text: &str, task: &str) -> Option<String> {
    let launches = launches(text, task);
    launches.iter().enumerate().find_map(|(at, first)| {
        let next = launches[at + 1..].iter().find(|next| next.kernel == first.kernel)?;
        let same = next.sizes == first.sizes && next.arguments == first.arguments;
        (same && adds(text, first.kernel) && !anew_between(text, first, next)).then(|| {
            format!(
                "line {} launches `{}`, and line {} launches it again with the same arguments",
                first.line, first.kernel, next.line
            )
        })
    })
}

/// Whether a statement between two launches of a kernel may begin its work anew, or chooses between the two: it names what they get, as
/// `cudaMemset(bins, …)` and another kernel do, or calls a function without arguments.
fn anew_between(text: &str, first: &Launch<'_>, next: &Launch<'_>) -> bool {
    let lines = numbered_lines(text).filter(|(line, _)| (first.line..=next.line).contains(line));
    let code = lines.map(|(_, line)| line).collect::<Vec<_>>().join(" ");
    let launch = |part: &&str| has(part, first.kernel) && part.contains("<<<");
    let mut parts = code.split(';').skip_while(|part| !launch(part)).skip(1);
    parts.by_ref().take_while(|part| !launch(part)).any(|part| {
        let named =
            first.arguments.iter().any(|argument| super::code::words(argument).any(|name| has(part, name)));
        let chosen = ["else", "return", "case", "break"].iter().any(|word| has(part, word));
        named || chosen || part.contains("()") && !part.trim_start().starts_with("cuda")
    }) || code.rsplit(';').find(launch).is_some_and(|part| {
        part.split("<<<").next().is_some_and(|before| ["else", "case"].iter().any(|word| has(before, word)))
    })
}

/// Two launches of different kernels that get one output and add to it.
pub fn both_add(text: &str, task: &str) -> Option<String> {
    let (whole, launches) = (joined(text), launches(text, task));
    // The outputs that a launch adds to.
    let outputs = |launch: &Launch<'_>| -> Vec<String> {
        let names = parameters(&whole, launch.kernel).unwrap_or_default();
        let body = super::block::body(text, launch.kernel);
        let adds = |name: &str| {
            body.iter().any(|(_, line)| line.contains("atomicAdd") && line.contains(&format!("&{name}[")))
        };
        let pairs = names.iter().zip(&launch.arguments);
        pairs
            .filter(|(name, given)| adds(name) && is_output(text, task, given))
            .map(|(_, given)| given.clone())
            .collect()
    };
    launches.iter().enumerate().find_map(|(at, first)| {
        let added = outputs(first);
        let next = launches[at + 1..].iter().find(|next| {
            next.kernel != first.kernel && outputs(next).iter().any(|output| added.contains(output))
        })?;
        Some(format!(
            "line {} launches `{}`, and line {} launches `{}`: both add to `{}`",
            first.line, first.kernel, next.line, next.kernel, added[0]
        ))
    })
}

/// Whether a kernel has atomics, or adds to an element of an array.
fn adds(text: &str, kernel: &str) -> bool {
    let mut lines = text.lines().map(code);
    let begins = |line: &str| has(line, "void") && has(line, kernel) && !line.contains(';');
    let found = lines.by_ref().any(begins);
    // A kernel that is not found may do anything.
    !found
        || lines.take_while(|line| !line.starts_with('}')).any(|line| {
            line.contains("atomic")
                || line.contains("] +=")
                || line.contains("]++")
                || line.trim_start().starts_with("++")
        })
}

/// The first launch that gets this variable to write to after the last one of `kernel`: the line, and the kernel that it launches.
pub fn later(text: &str, task: &str, kernel: &str, variable: &str) -> Option<(u32, String)> {
    let launches = launches(text, task);
    let at = launches.iter().rposition(|launch| launch.kernel == kernel)?;
    let whole = joined(text);
    let gets = |launch: &&Launch<'_>| {
        let parameters = listed(&whole, launch.kernel).unwrap_or_default();
        let may_write = |at: usize| parameters.get(at).is_none_or(|parameter| !has(parameter, "const"));
        launch.arguments.iter().enumerate().any(|(at, argument)| argument == variable && may_write(at))
    };
    launches[at + 1..].iter().find(gets).map(|launch| (launch.line, launch.kernel.to_owned()))
}

/// The last launch before the first one of `kernel` that gets this variable to write to: the line, and the kernel that it launches.
pub fn before(text: &str, task: &str, kernel: &str, variable: &str) -> Option<(u32, String)> {
    let launches = launches(text, task);
    let at = launches.iter().position(|launch| launch.kernel == kernel)?;
    let whole = joined(text);
    let gets = |launch: &&Launch<'_>| {
        let parameters = listed(&whole, launch.kernel).unwrap_or_default();
        let writes = |at: usize| parameters.get(at).is_some_and(|parameter| !has(parameter, "const"));
        launch.arguments.iter().enumerate().any(|(at, argument)| argument == variable && writes(at))
    };
    launches[..at].iter().rfind(gets).map(|launch| (launch.line, launch.kernel.to_owned()))
}

/// The only launch of `kernel`, if it passes this variable for a parameter that has the name of another pointer of the host function, which
/// it does not pass: the line, and that name.
pub fn misnamed(text: &str, task: &str, kernel: &str, variable: &str) -> Option<(u32, String)> {
    let launches = launches(text, task);
    let mut own = launches.iter().filter(|launch| launch.kernel == kernel);
    let (launch, None) = (own.next()?, own.next()) else { return None };
    let names = parameters(&joined(text), kernel)?;
    let at = launch.arguments.iter().position(|argument| argument == variable)?;
    let name = names.get(at).filter(|name| *name != variable && !launch.arguments.contains(name))?;
    // Some other launch before it is passed the variable with the parameter's name.
    let earlier = launches.iter().take_while(|other| other.line < launch.line);
    let is_known = earlier.into_iter().any(|other| other.arguments.contains(name));
    is_known.then(|| (launch.line, name.clone()))
}

/// A call of the host that is passed, behind a launch of this kernel, what the kernel reads as this parameter, where no line before it
/// mentions it: the line, the argument, and the function.
pub fn filled_late(text: &str, task: &str, kernel: &str, parameter: &str) -> Option<(u32, String, String)> {
    let launch = launches(text, task).into_iter().find(|launch| launch.kernel == kernel)?;
    let at = parameters(&joined(text), kernel)?.iter().position(|name| name == parameter)?;
    let given = launch.arguments.get(at)?;
    let calls = |line: &str| {
        let (before, list) = line.trim().split_once('(')?;
        let list = arguments(list.strip_suffix(");")?);
        (list.contains(given) && before.chars().all(is_part)).then(|| before.to_owned())
    };
    let body = super::code::host_function(text, task);
    let before = body
        .iter()
        .filter(|(number, _)| *number < launch.line)
        .any(|(_, line)| calls(line).is_some() || line.contains(&format!("({given},")));
    let (line, function) = body
        .iter()
        .filter(|(number, _)| *number > launch.line)
        .find_map(|(number, line)| Some((*number, calls(line)?)))?;
    (!before).then(|| (line, given.clone(), function))
}

/// A kernel that reads memory of the GPU before the kernel that writes it is launched, as a fact.
pub fn read_early(text: &str, task: &str) -> Option<String> {
    let (whole, launches) = (joined(text), launches(text, task));
    // Whether a launch gets this variable, and may write to it.
    let gets = |launch: &Launch<'_>, variable: &str| {
        let parameters = listed(&whole, launch.kernel)?;
        let at = launch.arguments.iter().position(|argument| argument == variable)?;
        parameters.get(at).map(|parameter| !has(parameter, "const"))
    };
    launches.iter().enumerate().find_map(|(at, reader)| {
        reader.arguments.iter().find_map(|variable| {
            let (before, behind) = (&launches[..at], &launches[at + 1..]);
            let filled = before.iter().any(|launch| gets(launch, variable).is_some())
                || text.lines().map(code).any(|line| {
                    line.contains("cudaMemcpy") && line.contains(&format!("({variable},"))
                });
            let own = whole.contains(&format!("cudaMalloc(&{variable},"));
            let writer = behind.iter().find(|launch| gets(launch, variable) == Some(true))?;
            (own && !filled && gets(reader, variable) == Some(false)).then(|| {
                format!(
                    "line {} launches `{}`, which reads `{variable}`, before line {} launches `{}`, which writes it",
                    reader.line, reader.kernel, writer.line, writer.kernel
                )
            })
        })
    })
}

/// The line that allocates this memory of the GPU, if no call copies to it or fills it, and no kernel gets it to write to.
pub fn never_filled(text: &str, task: &str, name: &str) -> Option<u32> {
    let lines = || numbered_lines(text);
    let (line, _) =
        lines().find(|(_, line)| line.contains("cudaMalloc") && line.contains(&format!("&{name},")))?;
    let fills = |line: &str| {
        ["cudaMemcpy", "cudaMemset"].iter().any(|call| {
            line.split_once(call)
                .and_then(|(_, rest)| rest.split_once('('))
                .is_some_and(|(_, list)| list.split(',').next().is_some_and(|first| has(first, name)))
        })
    };
    // What is given on under another name may be filled there.
    let given = |line: &str| {
        line.split(&format!("= {name}")).skip(1).any(|rest| !rest.starts_with(|c| is_part(c) || c == '['))
    };
    let others = lines().any(|(_, line)| fills(line) || given(line));
    let whole = joined(text);
    let written = launches(text, task).iter().any(|launch| {
        let parameters = listed(&whole, launch.kernel).unwrap_or_default();
        let writes = |at: usize| parameters.get(at).is_none_or(|parameter| !has(parameter, "const"));
        launch.arguments.iter().enumerate().any(|(at, argument)| has(argument, name) && writes(at))
    });
    (!others && !written).then_some(line)
}

/// The argument of a launch at this place of its line, and the parameter that it is passed as: in the order of the text.
pub(super) fn misfit(text: &str, line: u32, column: u32) -> Option<String> {
    let launch = launches(text, "").into_iter().find(|launch| launch.line == line)?;
    let source: String =
        text.lines().nth(line as usize - 1)?.chars().skip(column.checked_sub(1)? as usize).collect();
    let at = launch.arguments.iter().position(|argument| source.starts_with(argument.as_str()))?;
    let parameters = listed(&joined(text), launch.kernel)?;
    let (argument, parameter) = (&launch.arguments[at], parameters.get(at)?);
    // With the same name, the order is right, and the type is not.
    if name_of(parameter) == argument {
        let heads =
            numbered_lines(text).filter(|(_, line)| has(line, launch.kernel) && !line.contains("<<<"));
        let declared = heads.map(|(line, _)| line).find(|line| {
            let rest = numbered_lines(text).skip(*line as usize - 1).take(3);
            rest.into_iter().any(|(_, line)| has(line, "__global__"))
                || numbered_lines(text)
                    .take(*line as usize - 1)
                    .last()
                    .is_some_and(|(_, line)| has(line, "__global__"))
        });
        let place = declared.map_or_else(String::new, |line| format!(" in line {line}"));
        return Some(format!(
            "the launch passes `{argument}` for the parameter of the same name, which `{}` declares{place} as `{}`: give both the same type",
            launch.kernel,
            parameter.trim()
        ));
    }
    Some(format!(
        "`{argument}` is argument {} of this launch, and parameter {} of `{}` is `{}`: pass the arguments in the order of the parameters",
        at + 1,
        at + 1,
        launch.kernel,
        parameter.trim()
    ))
}

/// Whether this pointer is a parameter of the host function `task` that it may write to.
pub fn is_output(text: &str, task: &str, name: &str) -> bool {
    let code = joined(text);
    let head = code.split_once(&format!("void {task}(")).and_then(|(_, rest)| rest.split(')').next());
    head.is_some_and(|head| {
        head.split(',').any(|one| one.contains('*') && !has(one, "const") && name_of(one) == name)
    })
}

/// The text without comments, in one line.
pub fn joined(text: &str) -> String {
    text.lines().map(code).collect::<Vec<_>>().join(" ")
}

/// The launches of a host function in their order; those of the whole file if it has no such function.
pub fn launches<'a>(text: &'a str, task: &str) -> Vec<Launch<'a>> {
    let lines: Vec<(u32, &str)> = numbered_lines(text).collect();
    let begins = |line: &str| {
        line.starts_with(|c: char| c.is_alphabetic())
            && !line.contains(';')
            && places(line, task).any(|at| line[at + task.len()..].trim_start().starts_with('('))
    };
    let first = lines.iter().position(|(_, line)| begins(line));
    let body = first.map_or(&lines[..], |first| {
        let end = lines[first..].iter().position(|(_, line)| line.starts_with('}'));
        &lines[first..end.map_or(lines.len(), |end| first + end)]
    });
    body.iter().enumerate().filter_map(|(at, (line, text))| launch(*line, text, &body[at..])).collect()
}

/// The launch that begins in a line.
fn launch<'a>(line: u32, text: &'a str, rest: &[(u32, &str)]) -> Option<Launch<'a>> {
    let (before, after) = text.split_once("<<<")?;
    let before = before.trim_end();
    let before = before.split_once('<').map_or(before, |(name, _)| name.trim_end());
    let kernel = last_name(before);
    let more = rest.iter().skip(1).map(|(_, line)| line.trim());
    let statement = statement(iter::once(after.trim_end()).chain(more));
    let (sizes, list) = statement.split_once(">>>")?;
    let list = list.trim().strip_prefix('(')?.strip_suffix(')')?;
    let arguments = arguments(list).iter().map(|argument| plain(argument)).collect();
    Some(Launch { line, kernel, sizes: sizes.split_whitespace().collect(), arguments })
}

/// An argument without casts of the pointer: `(uint8_t*)gray` is `gray`.
fn plain(argument: &str) -> String {
    let cast = argument.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    match cast {
        Some((kind, value)) if kind.trim_end().ends_with('*') => value.trim().to_owned(),
        _ => argument.to_owned(),
    }
}

/// The names of a kernel's parameters.
pub fn parameters(code: &str, kernel: &str) -> Option<Vec<String>> {
    Some(listed(code, kernel)?.iter().map(|parameter| name_of(parameter).to_owned()).collect())
}

/// The declaration of each parameter of a kernel.
pub fn declared(code: &str, kernel: &str) -> Option<Vec<String>> {
    listed(code, kernel)
}

/// The parameters of the kernel, or other function, that is defined with this name.
fn listed(code: &str, kernel: &str) -> Option<Vec<String>> {
    let defined = places(code, kernel).find_map(|at| {
        let list = code[at + kernel.len()..].trim_start().strip_prefix('(')?;
        let end = list.find(')')?;
        let is_definition = list[end + 1..].trim_start().starts_with('{');
        is_definition.then(|| &list[..end])
    })?;
    Some(arguments(defined))
}

/// The name at the end of a declaration.
fn name_of(parameter: &str) -> &str {
    let end = parameter.trim_end();
    last_name(end)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn launches_in_the_wrong_order_and_a_side_for_the_pixels_are_told() {
        let file = |body: &str| {
            (
                "__global__ void count(const int* gray, int* bins, int pixels) {\n}\n__global__ void scan(const int* bins, int* table) {\n}\n\
                 void f(const int* gray, int* out, int width, int pixels) {\n    cudaMalloc(&bins, 4);\nBODY\n}\n"
            )
            .replace("BODY", body)
        };
        let (count, scan) = ("    count<<<1, 2>>>(gray, bins, pixels);", "    scan<<<1, 2>>>(bins, out);");
        let told = |body: &str| read_early(&file(body), "f");
        let said =
            "line 7 launches `scan`, which reads `bins`, before line 8 launches `count`, which writes it";
        assert_eq!(told(&format!("{scan}\n{count}")).as_deref(), Some(said));
        assert_eq!(told(&format!("{count}\n{scan}\n{count}")), None);
        assert_eq!(told(&format!("    cudaMemcpy(bins, a, 4, b);\n{scan}\n{count}")), None);
        let side = count.replace(", pixels)", ", width)");
        assert_eq!(
            side_for_pixels(&file(&side), "f").as_deref(),
            Some("line 7 passes `width` as `pixels` of `count`")
        );
        assert_eq!(side_for_pixels(&file(count), "f"), None);
    }

    fn file(host: &str) -> String {
        format!(
            "__global__ void k(const uint8_t* __restrict__ gray, uint8_t* out,\n                  int width, int height) {{\n}}\n\
             void task(const uint8_t* gray, uint8_t* out, int width, int height) {{\n    {host}\n}}\n"
        )
    }

    #[test]
    fn arguments_in_another_order_than_the_parameters_are_told() {
        for (host, told) in [
            ("k<<<1, 2>>>(gray, out, width, height);", None),
            (
                "k<<<1, 2>>>(gray, out, height, width);",
                Some("line 5 passes `height` as `width` of `k`, and `width` as `height`"),
            ),
            (
                "k<<<grid,\n      2>>>((const uint8_t*)out, (uint8_t*)gray, width, height);",
                Some("line 5 passes `out` as `gray` of `k`, and `gray` as `out`"),
            ),
            ("k<<<1, 2>>>(other, gray, pitch, height);", None),
            (
                "k<<<1, 2>>>(gray, out, h, w);",
                Some("line 5 passes `h` as `width` of `k`, and `w` as `height`"),
            ),
            ("k<<<1, 2>>>(gray, out, w, h);", None),
            ("k<<<1, 2>>>(gray + 1, out, height / 2, width);", None),
        ] {
            let text = file(host);
            assert_eq!(exchanged(&text, None, "task").as_deref(), told, "{host}");
            assert_eq!(exchanged(&text, Some("other"), "task"), None);
        }
    }

    #[test]
    fn a_part_of_a_number_that_is_passed_as_the_whole_is_told() {
        let told = |body: &str, passed: &str| {
            let text = format!(
                "__global__ void k(const uint8_t* gray, uint32_t* bins, int pixels) {{\n    {body}\n}}\nvoid task(const uint8_t* gray) {{\n    \
                 k<<<b, 256>>>(gray, bins, {passed});\n}}\n"
            );
            scaled(&text, None, "task")
        };
        let by_one = "if (i < pixels) atomicAdd(&bins[gray[i]], 1);";
        let said = Some("line 5 passes `pixels / 16` as `pixels` of `k`".to_owned());
        assert_eq!(told(by_one, "pixels / 16"), said);
        assert_eq!(told("const int vectors = pixels / 16;", "pixels / 16"), said);
        assert!(told(by_one, "3 * pixels").is_some());
        assert_eq!(told(by_one, "pixels"), None);
        assert_eq!(told(by_one, "ceil_div(pixels, 16)"), None);
        let by_four = "if (i < pixels) four = reinterpret_cast<const uint32_t*>(gray)[i];";
        assert_eq!(told(by_four, "pixels / 4"), None, "groups under the name of pixels");
        let typed = "__global__ void k(const int8_t* gray) {\n}\nvoid task(const uint8_t* gray) {\n    k<<<1, 2>>>(gray);\n}\n";
        let said = misfit(typed, 4, 17).unwrap_or_default();
        assert!(said.contains("which `k` declares in line 1 as `const int8_t* gray`"), "{said}");
    }

    #[test]
    fn memory_that_nothing_fills_and_arguments_that_do_not_fit_are_told() {
        let text = file("cudaMalloc(&table, 256);\n    k<<<1, 2>>>(table, out, 3, 4);");
        assert_eq!(never_filled(&text, "task", "table"), Some(5));
        let copied =
            text.replace("    k<<<", "    cudaMemcpy(table, host, 256, cudaMemcpyHostToDevice);\n    k<<<");
        assert_eq!(never_filled(&copied, "task", "table"), None);
        assert_eq!(never_filled(&text.replace("(table, out", "(gray, table"), "task", "table"), None);
        let said = misfit(&file("k<<<1, 2>>>(gray, 3, out, 4);"), 5, 23).unwrap_or_default();
        assert!(
            said.starts_with("`3` is argument 2 of this launch, and parameter 2 of `k` is `uint8_t* out`"),
            "{said}"
        );
    }

    #[test]
    fn bytes_that_are_passed_for_pixels_are_told() {
        let text = |host: &str, index: &str| {
            format!(
                "__global__ void k(const uint8_t* rgb, int n) {{\n    v = rgb[{index}];\n}}\nvoid task(const uint8_t* rgb, int width, int height) {{\n    \
                 {host}\n}}\n"
            )
        };
        let host = "const int bytes = width * height * 3;\n    k<<<1, 2>>>(rgb, bytes);";
        let said = bytes_for_pixels(&text(host, "3 * i"), "k", "task").unwrap_or_default();
        assert!(
            said.starts_with(
                "line 5 takes `width * height * 3`, the bytes of the picture, for the `n` of `k`"
            ),
            "{said}"
        );
        assert!(bytes_for_pixels(&text("k<<<1, 2>>>(rgb, 3 * pixels);", "n + i"), "k", "task").is_some());
        assert_eq!(bytes_for_pixels(&text(host, "i"), "k", "task"), None);
        assert_eq!(bytes_for_pixels(&text("k<<<1, 2>>>(rgb, pixels);", "3 * i"), "k", "task"), None);
    }

    #[test]
    fn a_buffer_for_both_sides_and_a_launch_that_stands_there_twice_are_told() {
        let both = file("k<<<1, 2>>>(out, out, width, height);");
        let said = "line 5 passes `out` both as `gray` and as `out` of `k`";
        assert_eq!(in_place(&both, "k", "task").as_deref(), Some(said));
        assert_eq!(in_place(&file("k<<<1, 2>>>(gray, out, width, height);"), "k", "task"), None);
        let again = file(
            "k<<<1, 2>>>(gray, out, 3, 4);\n    cudaDeviceSynchronize();\n    k<<<1,2>>>(gray, out, 3, 4);",
        );
        let said = "line 6 launches `k`, and line 8 launches it again with the same arguments";
        assert_eq!(twice(&again, "task"), None, "it stores the same again");
        let adding = again.replacen("{\n}", "{\n    atomicAdd(out, 1);\n}", 1);
        assert_eq!(twice(&adding, "task").as_deref(), Some(said));
        for between in [
            "cudaMemset(out, 0, 4);",
            "cudaMemcpyAsync(out, zero, 4, cudaMemcpyDeviceToDevice);",
            "clear<<<1, 2>>>(out);",
            "reset();",
            "out = other;",
            "return; }\n    if (a) {",
            "else",
        ] {
            let anew = adding.replace("cudaDeviceSynchronize();", between);
            assert_eq!(twice(&anew, "task"), None, "{between}");
        }
        let other = file(
            "k<<<1, 2>>>(gray, out, 3, 4);\n    k<<<1, 2>>>(out, gray, 3, 4);\n    k<<<1, 2>>>(gray, out, 3, 4);",
        );
        assert_eq!(twice(&other, "task"), None);
        assert_eq!(later(&other, "task", "k", "out"), None);
        let sum = file("sum<<<1, 2>>>(out);\n    k<<<1, 2>>>(gray, out, 3, 4);");
        assert_eq!(later(&sum, "task", "sum", "out"), Some((6, "k".to_owned())));
        assert_eq!(["gray", "out", "width"].map(|name| is_output(&sum, "task", name)), [false, true, false]);
    }
}
