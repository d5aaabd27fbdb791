//! What the student's text adds to a finding: the names of variables that the program has lost, and the condition that let an access
//! through.

use std::borrow::Cow;

use runtime::finding::{Finding, Label};

use super::channels::{HINT as CHANNELS, told as channels};
use super::code::{
    code, function_of, has, host_function, is_part, is_word, leading_number, line_of, numbered_lines,
};
use super::declared::FROM_UNSET_HOST;
use super::host::{SYMBOL, symbol};
use super::kept::{HINT as KEPT, told as kept};
use super::{
    arguments, arrays, atomics, barriers, block, caret, conditional, declared, dynamic, elements, guards,
    host_arrays, indices, launches, loops, missed, offsets, slips, steps, strides, unlaunched, unshared,
    valued,
};
use crate::submission::Submission;

/// Lines before an access where its condition may stand.
const BEFORE: usize = 8;

/// How the runtime names what the student allocates: `cudaMalloc #1 (line 98)`.
const ALLOCATED: &str = "cudaMalloc #";

/// The finding with what the text explains.
pub fn explained(finding: Finding, submission: &Submission) -> Finding {
    let mut finding = missed::explained(launches::explained(finding, submission), submission);
    let own = finding.file == submission.name;
    if own && let Some(line) = caret::reading(&finding, &submission.text) {
        finding.line = Some(line);
    }
    let past = finding.line.filter(|_| own).zip(one_past(&finding));
    if let Some(condition) = past.and_then(|(line, size)| at_most(line, size, &submission.text)) {
        finding.hint = condition;
    }
    if finding.code == "W0505" && finding.line.is_none() {
        assigned(&mut finding, submission);
    }
    // What the compiler has added is nothing that a student knows: arrays of a function have no names any more.
    if let Some((before, _)) = finding.message.split_once(" near `_Z") {
        finding.message = before.to_owned();
    }
    if own
        && let Some(hint) = input_written(&finding, submission).or_else(|| stored_twice(&finding, submission))
    {
        finding.hint = hint;
    }
    if own {
        guards::explained(&mut finding, &submission.text);
        guards::lanes(&mut finding, &submission.text);
        loops::explained(&mut finding, &submission.text);
        loops::searched(&mut finding, &submission.text);
        host_arrays::explained(&mut finding, &submission.text);
        unshared::explained(&mut finding, &submission.name, &submission.text);
        atomics::explained(&mut finding, &submission.text);
    }
    missed::note_unfilled(&mut finding, submission);
    allocated(&mut finding, submission);
    too_small(&mut finding, submission);
    for told in [&mut finding.message, &mut finding.hint] {
        *told = renamed(told, &submission.text).into_owned();
    }
    for label in &mut finding.labels {
        label.text = renamed(&label.text, &submission.text).into_owned();
    }
    if own {
        offsets::explained(&mut finding, &submission.text);
        declared::explained(&mut finding, submission);
        launched(&mut finding, &submission.text);
        if !swapped(&mut finding, submission) {
            other_size(&mut finding, submission);
        }
        freed(&mut finding, submission);
    }
    caret::moved(&mut finding, &submission.name, &submission.text);
    arrays::explained(&mut finding, &submission.text);
    if own {
        conditional::explained(&mut finding, &submission.text);
        barriers::explained(&mut finding, &submission.text);
        elements::explained(&mut finding, &submission.text);
        dynamic::explained(&mut finding, &submission.text);
        indices::explained(&mut finding, &submission.text);
        valued::explained(&mut finding, &submission.text);
        compared_for_set(&mut finding, &submission.text);
        passed(&mut finding, submission);
        forgotten(&mut finding, submission);
        cause_first(&mut finding, submission);
        other_kernel(&mut finding, submission);
    }
    finding
}

/// What to try against causes that stand before what was seen of a race.
const CAUSES: [&str; 6] =
    [steps::SCAN, steps::SUM, atomics::LAST, arguments::IN_PLACE, barriers::CALL_BLOCK, barriers::CALL_WARP];

/// Puts the cause of a race, if its hint names one in another line, before what was seen.
fn cause_first(finding: &mut Finding, submission: &Submission) {
    let Some(line) = finding.line.filter(|_| finding.code.starts_with("W03")) else { return };
    let hint = std::mem::take(&mut finding.hint);
    let found =
        CAUSES.iter().find_map(|advice| Some((hint.strip_suffix(advice)?.strip_suffix(": ")?, *advice)));
    let at = found.and_then(|(cause, _)| {
        let (_, number) = cause.split_once("line ")?;
        leading_number(number)
    });
    let Some(((cause, advice), at)) = found.zip(at).filter(|(_, at)| *at != line) else {
        finding.hint = hint;
        return;
    };
    let text = |line: u32| submission.text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
    if !finding.labels.iter().any(|label| label.line == line) {
        let from = finding.column.saturating_sub(1) as usize;
        let word: String = text(line).chars().skip(from).take_while(|c| !c.is_whitespace()).collect();
        finding.labels.push(label(line, &word, "here it shows", submission));
    }
    finding.message = format!("{cause}. So line {line} {}", finding.message);
    let place = label(at, text(at).trim_start(), "", submission);
    (finding.line, finding.column) = (Some(at), place.column);
    finding.hint = advice.to_owned();
}

/// A value that comes from memory which no kernel had got before the host copied it: the launch that is missing comes first.
fn forgotten(finding: &mut Finding, submission: &Submission) {
    let from_host =
        finding.thread.is_none() || finding.labels.iter().any(|label| label.text == FROM_UNSET_HOST);
    let Some(line) = finding.line.filter(|_| finding.code.starts_with("W02") && from_host) else { return };
    let Some(found) = finding.task().and_then(|task| unlaunched::forgotten(&submission.text, task)) else {
        return;
    };
    let text = line_of(&submission.text, line);
    finding.labels = vec![label(line, text.trim(), "here it shows", submission)];
    let message = finding.message.split_once(": it comes from").map_or(&*finding.message, |(what, _)| what);
    finding.message = format!("{}. So line {line} {message}", found.told());
    (finding.line, finding.column) =
        (Some(found.line), label(found.line, "cudaMemcpy", "", submission).column);
    finding.hint = format!("{}, with all its arguments", unlaunched::FORGOTTEN);
}

/// The call that passes memory of the GPU to a function of the host which reads it.
fn passed(finding: &mut Finding, submission: &Submission) {
    let Some(line) = finding.line.filter(|_| finding.code == "W0601") else { return };
    let lines: Vec<(u32, &str)> = numbered_lines(&submission.text).collect();
    let Some((_, function)) = function_of(&lines, line) else { return };
    let Some(task) = finding.task().filter(|task| *task != function) else { return };
    let own = host_function(&submission.text, task);
    let mut calls = own.iter().filter_map(|(number, line)| {
        let list = line.split_once(&format!("{function}("))?.1.split_once(");")?.0;
        let parameters = arguments::parameters(&arguments::joined(&submission.text), function)?;
        let source = line_of(&submission.text, finding.line?);
        let given = launches::arguments(list);
        let mut read = parameters.iter().zip(given).filter(|(parameter, _)| {
            super::code::places(source, parameter).any(|at| source[at + parameter.len()..].starts_with('['))
        });
        let (parameter, given) = read.next()?;
        let is_gpu = lines.iter().any(|(_, line)| line.contains(&format!("cudaMalloc(&{given},")));
        (is_gpu && read.next().is_none()).then(|| (*number, parameter.clone(), given))
    });
    if let (Some((number, parameter, given)), None) = (calls.next(), calls.next()) {
        drop(calls);
        finding.message =
            format!("{}: `{parameter}` is `{given}`, which line {number} passes", finding.message);
        let call = label(number, function, "memory of the GPU is passed here", submission);
        finding.labels.push(call);
    }
}

/// The launch of another task's kernel, before what that kernel then reads: it is right in its own task.
fn other_kernel(finding: &mut Finding, submission: &Submission) {
    let Some(line) = finding.line.filter(|_| finding.code.starts_with("W02")) else { return };
    let kernel =
        finding.thread.as_ref().and_then(|thread| thread.kernel.split('<').next()).map(str::to_owned);
    let other = finding.task().and_then(|task| unlaunched::other_kernel(&submission.text, task));
    let Some(other) = other.filter(|other| Some(&other.kernel) == kernel.as_ref()) else { return };
    finding.labels.retain(|label| label.line != line);
    finding.labels.push(label(line, line_of(&submission.text, line).trim(), "here it shows", submission));
    let seen = finding.message.replacen(": it comes from `", ", `", 1);
    finding.message = format!("{}. So in line {line} {seen}", other.told());
    (finding.line, finding.column) =
        (Some(other.line), label(other.line, &other.kernel, "", submission).column);
    unlaunched::OTHER.clone_into(&mut finding.hint);
}

/// What to try where two lines of a kernel store to one pixel of an output: no barrier makes both right.
fn stored_twice(finding: &Finding, submission: &Submission) -> Option<String> {
    if !["W0302", "W0303", "W0304"].contains(&finding.code.as_str())
        || !finding.message.contains(" writes too")
    {
        return None;
    }
    let place = finding.message.strip_prefix("writes `")?.split('`').next()?;
    let (name, line, text) = (place.split_once('[')?.0, finding.line?, &submission.text);
    let other =
        finding.labels.iter().find(|label| label.line != line && label.text.contains(" writes `"))?.line;
    let head = arguments::joined(text);
    let head = head.split_once(&format!("void {}(", finding.task()?))?.1.split(')').next()?.to_owned();
    let is_picture = head
        .split(',')
        .any(|one| has(one, name) && has(one, "uint8_t") && one.contains('*') && !has(one, "const"));
    let stores = |line: u32| line_of(text, line).split_once(" = ").is_some_and(|(to, _)| has(to, name));
    (is_picture && stores(line) && stores(other)).then(|| {
        let [first, second] = [line.min(other), line.max(other)];
        let tested = untested_index(line, name, text).or_else(|| untested_index(other, name, text));
        format!(
            "{}each pixel of `{name}` belongs to one thread, and no barrier makes two results of one pixel right: work out, for both threads, the index in line \
             {first} and in line {second}, and find the one that is wrong",
            tested.map_or_else(String::new, |told| format!("{told}; "))
        )
    })
}

/// A store right behind a test of another number than its index, as a fact.
fn untested_index(line: u32, name: &str, text: &str) -> Option<String> {
    let source = line_of(text, line);
    let index = source.split_once(&format!("{name}["))?.1.split_once(']')?.0.trim();
    let kernel = super::code::kernel_to(line, text)?;
    let (number, condition) = kernel.iter().rev().skip(1).take(3).find(|(_, line)| has(line, "if"))?;
    let tests = super::code::comparisons(condition);
    let [(tested, "<", _)] = tests.as_slice() else { return None };
    (is_word(index)
        && is_word(tested)
        && index != *tested
        && has(&kernel.iter().map(|(_, line)| *line).collect::<String>(), index))
    .then(|| format!("line {number} tests `{tested}`, and line {line} stores to `{name}[{index}]`"))
}

/// A line that compares an element which nothing has written with its value, in place of setting it.
fn compared_for_set(finding: &mut Finding, text: &str) {
    let name =
        finding.message.split_once("it comes from `").and_then(|(_, rest)| rest.split(['[', '`']).next());
    let slip =
        finding.line.filter(|_| finding.code.starts_with("W02")).and_then(|line| slips::near(line, text));
    if let Some((_, told, hint)) = slip.filter(|(_, told, _)| told.contains(" compares, "))
        && name.is_some_and(|name| has(&told, name))
    {
        finding.hint = format!("{told}: {hint}");
    }
}

/// The line that allocates what a kernel reads or writes past the end of.
fn allocated(finding: &mut Finding, submission: &Submission) {
    let line = finding.message.split_once(ALLOCATED).and_then(|(_, rest)| {
        let (_, rest) = rest.split_once(" (line ")?;
        rest.split_once(')')?.0.parse().ok()
    });
    if let Some(line) = line.filter(|_| finding.code == "W0101")
        && let Some((_, size)) = finding.message.rsplit_once(", which has ")
    {
        let text = format!("allocated here, with {size}");
        finding.labels.push(label(line, "cudaMalloc", &text, submission));
        let source = line_of(&submission.text, line);
        let side = ["width", "height"].into_iter().find(|side| source.contains(&format!(", {side})")));
        if let Some(side) = side.filter(|_| finding.hint.starts_with(OUTSIDE[0])) {
            finding.hint = format!(
                "line {line} allocates `{side}` bytes, those of one {}: an image has `width * height` pixels",
                if side == "width" { "row" } else { "column" }
            );
        }
    }
}

/// The line that allocates too few bytes for a call that counts them right.
fn too_small(finding: &mut Finding, submission: &Submission) {
    let line = finding.message.split_once(ALLOCATED).and_then(|(_, rest)| {
        let (_, rest) = rest.split_once(" (line ")?;
        rest.split_once(')')?.0.parse::<u32>().ok()
    });
    let call = finding.line.map_or("", |line| line_of(&submission.text, line));
    let Some(line) = line.filter(|_| finding.code == "W0612" && has(call, "sizeof")) else { return };
    let source = line_of(&submission.text, line);
    let size = source.split_once("cudaMalloc(").and_then(|(_, list)| {
        let list = launches::arguments(list.split_once(");")?.0);
        list.get(1).cloned()
    });
    let Some(size) = size.filter(|size| !has(size, "sizeof") && !size.contains('*')) else { return };
    finding.labels.push(label(line, "cudaMalloc", "allocated here", submission));
    finding.hint = format!(
        "line {line} allocates `{size}` bytes, and this call counts `sizeof` for each element: `cudaMalloc` counts bytes, too, n elements need `n * \
         sizeof(element)`"
    );
}

/// The beginnings of hints on accesses out of bounds, and on values that nothing has written, to which a launch may say more.
const OUTSIDE: [&str; 3] = ["has this thread an element at all?", GROUPS, "the index is negative here"];
/// The same of an access of several elements at once.
const GROUPS: &str = "it begins inside and ends outside";
const UNWRITTEN: &str = "`cudaMalloc` gives memory";

/// What the launches of the task say of a finding: arguments in the wrong order, one buffer for input and output, and a launch that should
/// come before.
fn launched(finding: &mut Finding, text: &str) {
    let Some(task) = finding.task().map(str::to_owned) else {
        return;
    };
    let Some(thread) = &finding.thread else { return };
    let kernel = thread.kernel.split('<').next().unwrap_or_default();
    let hint = match finding.code.as_str() {
        "W0101" if OUTSIDE.iter().any(|hint| finding.hint.starts_with(hint)) => {
            let told = arguments::exchanged(text, Some(kernel), &task);
            let other = || arguments::other_named(text, Some(kernel), &task);
            let groups = finding.hint.starts_with(GROUPS);
            let index = || atomics::adds_index(text, &task).filter(|(line, _)| finding.line == Some(*line));
            told.or_else(other)
                .map(|told| format!("{told}: {}", arguments::EXCHANGED))
                .or_else(|| arguments::bytes_for_pixels(text, kernel, &task))
                .or_else(|| groups_or_rest(finding.line, text, &task, kernel).filter(|_| groups))
                .or_else(|| index().map(|(_, told)| format!("{told}: {}", atomics::ONE)))
        }
        "W0101" if finding.hint.contains(guards::LETS_THROUGH) => {
            let scaled = arguments::scaled(text, Some(kernel), &task);
            let read = || output_read(finding, &task, text);
            scaled.map(|told| format!("{told}: {}", arguments::SCALED)).or_else(read)
        }
        // That it is an input says more.
        "W0302" | "W0303" if !finding.hint.contains("is an input of") => {
            arguments::in_place(text, kernel, &task).map(|told| format!("{told}: {}", arguments::IN_PLACE))
        }
        "W0201" | "W0202" | "W0203" | "W0204" if finding.hint.starts_with(UNWRITTEN) => {
            let told = arguments::exchanged(text, Some(kernel), &task);
            told.map(|told| format!("{told}: {}", arguments::EXCHANGED))
                .or_else(|| unwritten(finding, kernel, &task, text))
        }
        _ => None,
    };
    let colours = ["W0101", "W0302", "W0303"].contains(&finding.code.as_str());
    // Another line's index is another mistake.
    let here = format!("line {} ", finding.line.unwrap_or(0));
    let channels = || {
        let told = channels(text).filter(|told| colours && told.starts_with(&here));
        told.map(|told| format!("{told}: {CHANNELS}"))
    };
    if let Some(hint) = hint.or_else(channels) {
        finding.hint = hint;
    }
}

/// A line that only reads an output of the task, and goes past its end.
fn output_read(finding: &Finding, task: &str, text: &str) -> Option<String> {
    let (_, rest) = finding.message.strip_prefix("reads ")?.split_once(" of `")?;
    let (name, hint) = (rest.split('`').next()?, &finding.hint);
    arguments::is_output(text, task, name)
        .then(|| format!("{hint}. `{name}` is an output of `{task}`: is this line to read an input instead?"))
}

/// What a kernel that takes the last elements one by one does wrong with the groups before them.
fn groups_or_rest(line: Option<u32>, text: &str, task: &str, kernel: &str) -> Option<String> {
    if let Some((told, hint)) = strides::of_kernel(text, task, kernel) {
        return Some(format!("{told}: {hint}"));
    }
    let [groups, rest] = strides::groups_and_rest(text, task, kernel)?;
    let between = line.filter(|line| (groups..rest).contains(line));
    let lines = between.and_then(|line| super::code::kernel_to(line, text));
    if lines.is_some_and(|lines| guards::is_closed(&lines, groups)) {
        return Some(format!(
            "the loop of line {groups}, over whole groups, ends before this line: an access to a group belongs inside of it"
        ));
    }
    Some(format!(
        "the loop of line {groups} ends with the last whole group, and that of line {rest} takes the rest: the index of this access is too large. Group i \
         has the index i in an array of groups; what is counted in bytes or elements has another factor"
    ))
}

/// A launch whose two sizes are swapped, behind whatever its kernel then does. Returns whether it is.
fn swapped(finding: &mut Finding, submission: &Submission) -> bool {
    let may_follow = ["W01", "W02", "W04", "W05"].iter().any(|code| finding.code.starts_with(code));
    let kernel = finding.thread.as_ref().and_then(|thread| thread.kernel.split('<').next());
    let task = finding.task();
    let Some((kernel, task)) = kernel.zip(task).filter(|_| may_follow) else { return false };
    let Some((told, hint, line)) = launches::swapped_sizes(&submission.text, task, Some(kernel)) else {
        return false;
    };
    let at = label(line, kernel, launches::SWAPPED_HERE, submission);
    finding.hint = format!("{told}: {hint}");
    if finding.code.starts_with("W05") {
        // Where the kernel stands when its instructions run out says nothing.
        (finding.line, finding.column) = (Some(at.line), at.column);
        finding.labels.clear();
    } else {
        finding.labels.push(at);
    }
    true
}

/// A kernel that is written for blocks of another size than its launch gives: it leaves elements unset, or goes past the end. What the host
/// or another kernel reads in the memory of the GPU depends on all kernels of the task.
fn other_size(finding: &mut Finding, submission: &Submission) {
    let explains = finding.code.starts_with("W02") || ["W0101", "W0106"].contains(&finding.code.as_str());
    let Some(task) = finding.task().filter(|_| explains) else {
        return;
    };
    let kernel = finding.thread.as_ref().and_then(|thread| thread.kernel.split('<').next());
    let shared = finding.message.contains("(global memory)");
    let other = || shared.then(|| block::other_size(&submission.text, task, None)).flatten();
    if let Some((told, line)) = block::other_size(&submission.text, task, kernel).or_else(other) {
        finding.hint = format!("{told}: {}", block::HINT);
        let source = submission.text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
        let name = source.split("<<<").next().unwrap_or_default().trim();
        finding.labels.push(label(line, name, block::LAUNCHED, submission));
    }
}

/// Where memory that a kernel still uses was freed.
fn freed(finding: &mut Finding, submission: &Submission) {
    if finding.code != "W0103" {
        return;
    }
    let Some(name) = finding.message.split('`').nth(1).map(str::to_owned) else { return };
    let name = name.split('[').next().unwrap_or_default();
    let call = format!("({name})");
    let frees = |line: &str| {
        let close: String = line.split_whitespace().collect();
        close.split_once("cudaFree").is_some_and(|(_, after)| after.contains(&call))
    };
    let text: Vec<(u32, &str)> = numbered_lines(&submission.text).collect();
    let all: Vec<u32> = text.iter().filter(|(_, line)| frees(line)).map(|(line, _)| *line).collect();
    // Other functions may free memory of the same name.
    let own = |line: &u32| function_of(&text, *line).is_some_and(|(_, name)| finding.task() == Some(name));
    let mut lines: Vec<u32> = all.iter().copied().filter(own).collect();
    if lines.is_empty() {
        lines = all;
    }
    if let [line] = lines.as_slice() {
        finding.message = format!("{} in line {line}", finding.message);
        finding.labels.push(label(*line, "cudaFree", "freed here", submission));
    }
}

/// A label at a word of a line.
pub(super) fn label(line: u32, word: &str, text: &str, submission: &Submission) -> Label {
    let source = submission.text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
    let column = source.find(word).map_or(0, |at| source[..at].chars().count() as u32 + 1);
    Label { file: submission.name.clone(), line, column, text: text.to_owned() }
}

/// What to try where a kernel reads memory that a later launch gets, or an output of the task.
fn unwritten(finding: &Finding, kernel: &str, task: &str, text: &str) -> Option<String> {
    let name = finding.message.split_once("it comes from `")?.1.split('[').next()?;
    if let Some(told) = unset_counters(finding, text, task, name) {
        return Some(told);
    }
    if let Some((line, writer)) = arguments::before(text, task, kernel, name) {
        let element =
            finding.message.split_once(&format!("`{name}[")).and_then(|(_, rest)| rest.split_once(']'));
        let which =
            element.map_or_else(|| "this element".to_owned(), |(element, _)| format!("`{name}[{element}]`"));
        return Some(format!(
            "line {line} launches `{writer}`, which gets `{name}`, before `{kernel}`, and it has not written {which}. If `{writer}` is to fill \
             `{name}`, look whether its grid has a thread for that element, and whether the `if` of its kernel lets the thread through"
        ));
    }
    if let Some((line, parameter)) = arguments::misnamed(text, task, kernel, name) {
        return Some(format!(
            "line {line} passes `{name}` as `{parameter}` of `{kernel}`, and earlier launches get a `{parameter}`, too. Likely it should be `{parameter}`"
        ));
    }
    if let Some((line, writer)) = arguments::later(text, task, kernel, name) {
        return Some(format!(
            "kernels run in the order of their launches, and line {line} launches `{writer}`, which gets `{name}`, after `{kernel}`. If `{writer}` is to \
             write `{name}`, launch it first"
        ));
    }
    let source = finding.line.map_or("", |line| line_of(text, line));
    let late = source.match_indices('[').find_map(|(at, _)| {
        arguments::filled_late(text, task, kernel, super::code::last_name(&source[..at]))
    });
    if let Some((line, given, function)) = late.filter(|(_, _, function)| function != "cudaFree") {
        return Some(format!(
            "`{kernel}` reads `{given}`, and only line {line}, behind its launch, passes `{given}` to `{function}`. If `{function}` is to fill it, call it first"
        ));
    }
    if let Some(told) = kept(text, task) {
        return Some(format!("{told}: {KEPT}"));
    }
    if let Some(told) = offset_in_elements(text, name) {
        return Some(told);
    }
    if let Some(line) = arguments::never_filled(text, task, name) {
        return Some(format!(
            "line {line} allocates `{name}`, and no line copies anything to it: a host array does not go to the GPU by itself. Before the launch: \
             `cudaMemcpy({name}, on_the_host, bytes, cudaMemcpyHostToDevice)`"
        ));
    }
    arguments::is_output(text, task, name).then(|| {
        format!(
            "`{name}` is an output of `{task}`: it holds nothing before a kernel writes it. Read the input instead; or, if a thread needs what it has \
             stored itself, keep that in a variable"
        )
    })
}

/// Counters in the memory of the GPU that atomics add to, and that no line of the task sets to 0.
fn unset_counters(finding: &Finding, text: &str, task: &str, name: &str) -> Option<String> {
    finding.message.starts_with("an atomic").then_some(())?;
    let (_, rest) = text.split_once(&format!("void {task}("))?;
    let (own, _) = rest.split_once("\n}").unwrap_or((rest, ""));
    let allocates =
        |text: &str| text.lines().map(code).any(|line| line.contains(&format!("cudaMalloc(&{name},")));
    // A function that the task calls may allocate them.
    let lines: Vec<&str> = if allocates(own) { own } else { text }.lines().map(code).collect();
    let allocated = allocates(text);
    // Copies from the counters fill others.
    let fills = |line: &&&str| {
        let to = line.split_once("cudaMem").and_then(|(_, call)| call.split_once('(')?.1.split(',').next());
        !line.contains("cudaMalloc") && to.is_some_and(|to| has(to, name))
    };
    match lines.iter().find(fills).filter(|_| allocated) {
        Some(line) => {
            let parts = launches::arguments(line.split_once("cudaMemset(")?.1.split_once(");")?.0);
            (parts.last()? == "0").then(|| {
                format!(
                    "`{}` sets 0 bytes: the order is pointer, value, bytes, `cudaMemset({name}, 0, {})`",
                    line.trim().trim_end_matches(';'),
                    parts[1]
                )
            })
        }
        None => allocated.then(|| {
            format!(
                "no line sets the counters `{name}` to 0, and `cudaMalloc` gives memory with arbitrary contents: `cudaMemset({name}, 0, bytes)` before the first \
                 launch"
            )
        }),
    }
}

/// A trap without a line, where a host function uses a variable of the GPU: the compiler puts it where a constant is assigned to.
fn assigned(finding: &mut Finding, submission: &Submission) {
    if let Some((line, told)) = symbol(&submission.text) {
        let message = format!("the host function stops here: {told}");
        SYMBOL.clone_into(&mut finding.hint);
        finding.message = message;
        (finding.file, finding.line) = (submission.name.clone(), Some(line));
    }
}

/// What to try where threads race for an input: no kernel may store there.
fn input_written(finding: &Finding, submission: &Submission) -> Option<String> {
    let race = ["W0302", "W0303"].contains(&finding.code.as_str());
    let place = finding.message.split('`').nth(1).filter(|_| race)?;
    let name = place.split_once('[')?.0;
    let task = finding.task()?;
    let code: String = submission.text.lines().map(code).collect::<Vec<_>>().join("\n");
    let head = code.split_once(&format!("void {task}("))?.1.split(')').next()?;
    let is_input = head
        .split(',')
        .any(|parameter| has(parameter, "const") && parameter.contains('*') && has(parameter, name));
    is_input.then(|| {
        format!(
            "`{name}` is an input of `{task}`, and no kernel may store to it: a neighbour's thread still reads it. Pass the output to the kernel where \
             the launch passes `{name}` to be written, or write to memory of your own"
        )
    })
}

/// The text with allocations under the names of their pointers: `bins[64]` instead of `cudaMalloc #1 (line 98)[64]`.
pub fn renamed<'a>(message: &'a str, text: &str) -> Cow<'a, str> {
    let mut message = Cow::Borrowed(message);
    while let Some((before, rest)) = message.split_once(ALLOCATED)
        && let Some((_, rest)) = rest.split_once(" (line ")
        && let Some((line, rest)) = rest.split_once(')')
        && let Some(pointer) = line.parse().ok().and_then(|line| pointer(line, text))
    {
        // Pointers of several functions may have the same name.
        let alike =
            (1..=text.lines().count()).filter(|line| self::pointer(*line, text) == Some(pointer)).count();
        let (index, rest) = rest.split_once('`').unwrap_or((rest, ""));
        let place = if alike > 1 { format!(" of line {line}") } else { String::new() };
        message = Cow::Owned(format!("{before}{pointer}{index}`{place}{rest}"));
    }
    message
}

/// The variable that a line allocates: `bins` of `cudaMalloc(&bins, …)`.
fn pointer(line: usize, text: &str) -> Option<&str> {
    let line = text.lines().nth(line.checked_sub(1)?)?;
    let mut calls = line.split("cudaMalloc").skip(1);
    let (call, None) = (calls.next()?, calls.next()) else { return None };
    let argument = call.split_once('(')?.1.split(',').next()?;
    let name = argument.split_once('&')?.1.trim_matches([' ', ')']);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then_some(name)
}

/// The size if an access is to the first element past the end: `` `n[256]`, but `n` has 256 elements ``, or `1 byte at byte 9 of `n`, which
/// has 9 bytes`.
fn one_past(finding: &Finding) -> Option<u64> {
    let number = |text: &str| text.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u64>().ok();
    let after = |before: &str| finding.message.split_once(before).and_then(|(_, text)| number(text));
    let (at, size) = match finding.code.as_str() {
        "W0101" => (after(" at byte "), after(", which has ")),
        "W0106" => (after("["), after(" has ")),
        _ => return None,
    };
    at.filter(|_| at == size)
}

/// The nearest `<=` at or before a line that may have let an access past `size` bytes or elements through, as advice.
fn at_most(line: u32, size: u64, text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().take(line as usize).collect();
    let mut near =
        lines.iter().enumerate().rev().take(BEFORE).take_while(|(_, text)| !text.contains("__global__"));
    let access = lines.last()?;
    let (at, condition) = near.find_map(|(at, text)| {
        Some((at + 1, compared(text).filter(|how| lets_past(how, text, access, size))?))
    })?;
    let less = condition.replacen("<=", "<", 1);
    Some(format!(
        "this is the first element past the end: elements are counted from 0, so that the last has the number n - 1. Line {at} lets n itself \
         through: `{condition}`. Likely it should be `{less}`"
    ))
}

/// Whether a comparison is one of an index of the access with the size: not one of a neighbour's offset, `dx <= 2`.
fn lets_past(condition: &str, text: &str, access: &str, size: u64) -> bool {
    let Some((index, bound)) = condition.split_once(" <= ") else { return false };
    let mut words = access.split(|c: char| !c.is_alphanumeric() && c != '_');
    let is_size = |bound: u64| bound > 0 && size.is_multiple_of(bound) && size / bound <= 8;
    let (used, symmetric) = (words.any(|word| word == index), text.contains("= -"));
    // `x + 2` and `n - 1` may be anything.
    let is_word = bound.chars().all(is_part);
    used && !symmetric && is_word && bound.parse().map_or(true, is_size)
}

/// The comparison by `<=` in a line, if there is exactly one: `i <= n`.
fn compared(line: &str) -> Option<String> {
    let code = line.split("//").next()?;
    let (before, after) = code.split_once("<=")?;
    let ends = |c: char| ['(', ')', ';', '&', '|', ',', '{', '?', ':', '='].contains(&c);
    let left = before.rsplit(ends).next()?.trim();
    let right = after.split(ends).next()?;
    // `min(x + 2, width)` is no bound that can be quoted in part.
    let calls = after[right.len()..].starts_with('(');
    let right = right.trim();
    let whole =
        !calls && !left.is_empty() && !right.is_empty() && !after.contains("<=") && !before.ends_with('<');
    whole.then(|| format!("{left} <= {right}"))
}

/// A copy to a part of this memory whose length is a multiple of an element and whose place is not.
fn offset_in_elements(text: &str, name: &str) -> Option<String> {
    numbered_lines(text).find_map(|(number, line)| {
        let list = line.split_once("cudaMemcpy")?.1.split_once('(')?.1.split_once(");")?.0;
        let parts = launches::arguments(list);
        let [to, _, bytes, ..] = parts.as_slice() else { return None };
        let place = to.strip_prefix(name)?.trim_start().strip_prefix('+')?.trim();
        let factor = ["2", "3", "4"].into_iter().find(|factor| bytes.starts_with(&format!("{factor} *")))?;
        (!place.contains('*')).then(|| {
            format!(
                "line {number} copies `{bytes}` bytes to `{to}`: the length counts {factor} bytes for each element, and the place only one. Likely it \
                 should be `{name} + {factor} * {place}`, in the source as well"
            )
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "void f() {\n  int *bins, *sums;\n  cudaMalloc((void**)&bins, 4 * n);\n  WORKBOOK_CHECK(cudaMalloc(&sums, n));\n}\n\
                        void g() {\n  cudaMalloc(&sums, 4);\n  cudaMalloc(&rows[2], 4);\n}\n";

    #[test]
    fn allocations_are_named_by_their_pointers() {
        for (told, name) in [
            ("from `cudaMalloc #1 (line 3)[64]` (global memory)", "from `bins[64]` (global memory)"),
            ("from `cudaMalloc #2 (line 4)[6]`", "from `sums[6]` of line 4"),
            (
                "`cudaMalloc #3 (line 7)` (4 bytes) is never freed",
                "`sums` of line 7 (4 bytes) is never freed",
            ),
            ("`cudaMalloc #4 (line 8)`", "`cudaMalloc #4 (line 8)`"),
            ("`cudaMalloc #1 (line 3)` and `cudaMalloc #1 (line 3)[1]`", "`bins` and `bins[1]`"),
            ("`cudaMalloc #4`", "`cudaMalloc #4`"),
        ] {
            assert_eq!(renamed(told, TEXT), name);
        }
    }

    #[test]
    fn the_comparison_that_lets_one_too_many_through_is_found() {
        for (line, condition) in [
            ("    if (i <= pixels) bins[gray[i]]++;", Some("i <= pixels")),
            ("    for (int b = t; b <= 256; b += 256)", Some("b <= 256")),
            ("    if (x < width && y <= height - 1)", Some("y <= height - 1")),
            ("    if (i < pixels) n[i] = 0;  // <= never", None),
            ("    if (x <= width && y <= height)", None),
            ("    for (int i = max(x - 2, 0); i <= min(x + 2, width - 1); ++i)", None),
        ] {
            assert_eq!(compared(line).as_deref(), condition, "{line}");
        }
        let text = "__global__ void f() {\n  if (i <= n)\n    a[i] = 1;\n}\n";
        assert!(at_most(3, 9, text).is_some_and(|said| said.contains("Line 2") && said.contains("`i < n`")));
        assert_eq!(
            at_most(3, 9, "if (i <= n)\n__global__ void f() {\n  a[i] = 1;\n}\n"),
            None,
            "of another function"
        );
        assert_eq!(at_most(3, 9, &text.replace("i <= n", "i <= n - 1")), None, "not n itself");
        let neighbours = "  for (int k = FROM; k <= 2; ++k)\n    s += a[i + k];\n";
        assert_eq!(at_most(2, 97, &neighbours.replace("FROM", "-2")), None, "an offset");
        assert_eq!(at_most(2, 97, &neighbours.replace("FROM", "0")), None, "a bound that is not the size");
        assert!(at_most(2, 2, &neighbours.replace("FROM", "0")).is_some(), "the size");
    }
}
