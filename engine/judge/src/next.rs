//! The next step for the student, in one or two sentences, from the report alone.

use std::collections::BTreeMap;

use lab::{Idea, Part, Points, Signs, Task, next_idea};

use crate::build::kept::HINT as KEPT;
use crate::build::unset::HINT as UNSET_SUM;
use crate::build::{BY_NONE, FROM_UNSET_HOST, block, host_arrays, launches};
use crate::labs::{self, quoted};
use crate::limiters;
use crate::numbers::grouped;
use crate::prediction::{Cost, LANES, LineShare, PIPE, Resident};
use crate::problem::{self, Problem};
use crate::report::{Performance, Report, Verdict};
use crate::score;
use crate::verify::{AFTER_ANOTHER_TASK, ON_ANOTHER, is_late};
use crate::weight;
use runtime::finding::{Finding, Kind, Severity};

/// What full score deserves.
pub const JOY: &str = "You earned every point: nothing is left to gain here. Well done!";

/// The points of a task.
type PointsOf<'a> = &'a dyn Fn(&dyn Task) -> Points;

/// The next step.
#[derive(Debug, Default)]
pub struct Step {
    /// What a report says: few lines, for a student who reads a report after each change.
    pub text: String,
    /// All that can be said, for a hint; empty if that is the text.
    pub whole: String,
}

impl From<String> for Step {
    fn from(text: String) -> Self {
        Self { text, whole: String::new() }
    }
}

/// The advice.
pub fn advice(command: &str, tasks: &[&'static dyn Task], report: &Report, points: PointsOf<'_>) -> Step {
    let right = report.passed && !report.untouched && problem::first(report).is_none();
    if !right {
        return mended(command, tasks, report);
    }
    faster(command, tasks, report, points).unwrap_or_else(|| match wrong_on_a_gpu(report) {
        Some(doubt) => format!("You earned every point. {doubt}").into(),
        None => JOY.to_owned().into(),
    })
}

/// What makes a file right.
fn mended(command: &str, tasks: &[&'static dyn Task], report: &Report) -> Step {
    let text = first_step(command, tasks, report, true);
    // A hint does not send to itself.
    let whole = first_step(command, tasks, report, false);
    Step { whole: if whole == text { String::new() } else { whole }, text }
}

fn first_step(command: &str, tasks: &[&'static dyn Task], report: &Report, to_hint: bool) -> String {
    let again = format!("then run `{command}` again");
    if report.untouched
        && let Some(task) = tasks.first()
    {
        return format!("{} {}", sentence(&in_this_file(task.first_step(), &report.file)), sentence(&again));
    }
    match problem::first(report) {
        Some(Problem::Finding(root)) => {
            let finding = &report.findings[root.finding];
            if let Some(task) = problem::index_behind(report, finding)
                && let Some(hint) = seen(task)
            {
                return format!("`{}`: {} {}", task.name, sentence(hint), sentence(&again));
            }
            let place = finding.in_line();
            return match unset(finding) {
                Some(what) => format!("Solve {} first: {what}; {again}.", finding.code),
                None => format!("Solve {}{place} first; {again}.", finding.code),
            };
        }
        Some(Problem::Output(wrong)) => {
            if let Some(task) = tasks.iter().find(|task| task.name() == wrong.name) {
                let to_hint = to_hint.then(|| of_file(command, "hint", *task));
                return format!("{} {}", hint(to_hint.as_deref(), *task, report), sentence(&again));
            }
        }
        None => {}
    }
    format!("Read the findings above; {again}.")
}

/// What to do about a value that nothing has set: the line of the finding reads it, and is right.
fn unset(finding: &Finding) -> Option<String> {
    let line = finding.line.filter(|_| finding.code.starts_with("W02"))?;
    if let Some(label) = finding.labels.iter().find(|label| label.text == block::LAUNCHED) {
        return Some(format!(
            "the launch in line {} and the kernel need the same size of a block",
            label.line
        ));
    }
    if let Some((told, _)) = finding.hint.split_once(&format!(": {KEPT}")) {
        return Some(told.to_owned());
    }
    if let Some((told, _)) = finding.hint.split_once(BY_NONE) {
        return Some(told.to_owned());
    }
    if let Some(label) = finding.labels.iter().find(|label| label.text == launches::SWAPPED_HERE) {
        return Some(format!("exchange the two sizes of the launch in line {}", label.line));
    }
    if let Some(label) = finding.labels.iter().find(|label| label.text.starts_with("only ")) {
        return Some(format!("line {} writes {}", label.line, label.text));
    }
    // Of an array of the host, what reads too far, or fills too little.
    if finding.message.ends_with(host_arrays::NO_ELEMENT) || finding.hint.contains(host_arrays::LAST) {
        return Some(finding.hint.clone());
    }
    if let Some((_, fills)) = finding.message.split_once(host_arrays::IN_PART) {
        return Some(fills.to_owned());
    }
    if let Some(label) = finding.labels.iter().find(|label| label.text == FROM_UNSET_HOST) {
        let told = finding.hint.split_once(&format!(": {UNSET_SUM}")).or_else(|| {
            finding.hint.split_once(": ").filter(|(told, _)| told.starts_with("the copy of line"))
        });
        let general = || format!("set what line {} copies", label.line);
        return Some(told.map_or_else(general, |(told, _)| told.to_owned()));
    }
    let name = finding.message.split_once("it comes from `")?.1.split(['[', '`']).next()?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    // A value that is stored may have been read in a line before.
    let read = finding.labels.iter().find(|label| label.text.contains("is read here"));
    let line = read.map_or(line, |label| label.line);
    is_name.then(|| match finding.message.split_once("; line ") {
        Some((_, fills)) => format!("line {fills}, and line {line} reads the rest"),
        None => format!("set `{name}` before line {line} reads it"),
    })
}

/// What is to be said against a task before its speed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The finding, or that outputs are wrong, without a full stop.
    pub what: String,
    /// Whether the task fails; else a GPU may give other values.
    pub wrong: bool,
}

/// What is wrong with a task, or may be on a GPU.
pub fn fault(report: &Report, task: &str) -> Option<Fault> {
    let wrong = report.tasks.iter().any(|judged| judged.name == task && !judged.passed);
    let own = |finding: &&Finding| {
        let of_task = |case: &String| case.starts_with(&format!("{task}: "));
        finding.cases.is_empty() || finding.cases.iter().any(of_task)
    };
    let harms = |finding: &&Finding| {
        finding.is_error() || finding.severity >= Severity::Warning && may_harm(finding.kind)
    };
    let mut found: Vec<&Finding> = report.findings.iter().filter(own).filter(harms).collect();
    found.sort_by_key(|finding| !finding.is_error());
    let what = match found.first() {
        Some(finding) => {
            let place = finding.in_line();
            format!("{}{place}: {}", finding.code, finding.message.trim_end_matches('.'))
        }
        None if wrong => "the outputs differ from the reference".to_owned(),
        None => return None,
    };
    Some(Fault { what, wrong })
}

fn may_harm(kind: Kind) -> bool {
    matches!(kind, Kind::Memory | Kind::Initialisation | Kind::Race | Kind::Barrier | Kind::Launch)
}

/// What may be wrong on a GPU although every case passes here.
fn wrong_on_a_gpu(report: &Report) -> Option<String> {
    let finding = report
        .findings
        .iter()
        .find(|finding| finding.severity >= Severity::Warning && may_harm(finding.kind))?;
    let place = finding.in_line();
    Some(format!("Solve {}{place} all the same: another GPU may give other values.", finding.code))
}

/// The idea to work on: of the task with the most points left to earn for which there is one.
pub fn idea(tasks: &[&'static dyn Task], report: &Report) -> Option<(&'static dyn Task, &'static Idea)> {
    let mut left: Vec<(f64, &'static dyn Task)> =
        tasks.iter().map(|task| (score::missing(&report.points, task.name()), *task)).collect();
    left.retain(|(points, _)| *points > 0.0);
    left.sort_by(|one, other| other.0.total_cmp(&one.0));
    left.into_iter().find_map(|(_, task)| {
        let timed = report.performance.iter().find(|timed| timed.task == task.name())?;
        Some((task, next_idea(task.ideas(), timed.signs.as_ref()?)?))
    })
}

/// The command for a hint on the tasks that were checked, by the command that checks their file: of one task alone, it names the task.
pub fn hint_command(check: &str, tasks: &[&'static dyn Task], lab: &str) -> String {
    match tasks {
        [task] if labs::find(lab).is_ok_and(|lab| lab.tasks().len() > 1) => of_file(check, "hint", *task),
        _ => check.replacen("checker ", "checker hint ", 1),
    }
}

/// Another command on the file that `check` checks, for one task: `checker tune lab4 --task smooth_box --file mine.cu`.
pub fn of_file(check: &str, verb: &str, task: &dyn Task) -> String {
    let words = check.strip_prefix("checker ").unwrap_or(check);
    let (lab, file) = words.split_at(words.find(' ').unwrap_or(words.len()));
    format!("checker {verb} {lab} --task {}{file}", task.name())
}

/// A first step names the lab's own file; with `--file` another file is checked.
fn in_this_file(step: &str, file: &str) -> String {
    let own = step.split('`').find(|word| word.starts_with("labs/"));
    own.map_or_else(|| step.to_owned(), |own| step.replace(own, file))
}

/// What to try for wrong outputs. `to_hint` is the command that says more.
fn hint(to_hint: Option<&str>, task: &dyn Task, report: &Report) -> String {
    let judged = report.tasks.iter().find(|judged| judged.name == task.name());
    if let Some(cause) = judged.and_then(|judged| judged.cause.as_ref()) {
        if cause.not_started {
            return format!(
                "`{}`: {}",
                task.name(),
                sentence(&in_this_file(task.first_step(), &report.file))
            );
        }
        let hint = judged.and_then(seen).unwrap_or(&cause.hint);
        return format!("`{}`: {}", task.name(), sentence(hint));
    }
    if let Some(hint) = judged.and_then(seen) {
        return format!("`{}`: {}", task.name(), sentence(hint));
    }
    let mut failed =
        report.cases.iter().filter(|case| case.task == task.name() && case.verdict == Verdict::Failed);
    let note = failed.next().map_or("", |case| case.note.as_str());
    if note == AFTER_ANOTHER_TASK {
        return format!(
            "`{}`: Another task's function leaves something in a variable that this one uses, such as a `__constant__` one. Set it in \
             every call, in both functions, or give each function a variable of its own.",
            task.name()
        );
    }
    if note == ON_ANOTHER {
        return format!(
            "`{}`: Your code keeps something from one call to the next (a `static` or global variable, or one on the GPU) that fits the \
             picture before. Compute it in every call: a picture of the same size, at the same address, may show something else.",
            task.name()
        );
    }
    if is_late(note) {
        return format!(
            "`{}`: The first calls are right, and a later one on the same picture is wrong: your code keeps something from call to call (a \
             `static` or global variable, or one on the GPU), such as a counter. Set it to its first value in every call.",
            task.name()
        );
    }
    // Nothing says what the mistake is: a hint on a step of the task would be a guess.
    let more =
        to_hint.map(|hint| format!(" `{hint}` goes through the steps of the task.")).unwrap_or_default();
    format!(
        "`{}`: Work the first wrong value out by hand, and print the numbers that your kernel has for it.{more}",
        task.name()
    )
}

/// What to try after what was seen.
fn seen(task: &crate::report::Task) -> Option<&str> {
    task.facts.as_ref().map(|facts| facts.hint.as_str()).filter(|hint| !hint.is_empty())
}

/// What comes before any idea of the lab, and more words on it: threads without work, an array in local memory.
pub fn first(check: &str, tasks: &[&'static dyn Task], report: &Report) -> Option<(String, &'static str)> {
    let seen = |task: &'static dyn Task| Some((task, Seen::of(task, report)?));
    let open: Vec<(&'static dyn Task, Seen<'_>)> = tasks.iter().filter_map(|task| seen(*task)).collect();
    first_of(check, &open, report)
}

/// The same of a task that was run for a profile: without what the lab's ideas would say.
pub fn first_seen(check: &str, task: &'static dyn Task, report: &Report, seen: Seen<'_>) -> Option<String> {
    let (told, _) = first_of(check, &[(task, seen)], report)?;
    let faster = format!("All cases pass. To make `{}` faster, ", task.name());
    Some(told.strip_prefix(&faster).unwrap_or(&told).trim_end_matches('.').to_owned())
}

fn first_of(
    check: &str,
    open: &[(&'static dyn Task, Seen<'_>)],
    report: &Report,
) -> Option<(String, &'static str)> {
    let of_threads = |(task, seen): &(&'static dyn Task, Seen<'_>)| {
        idle(*task, seen)
            .or_else(|| few_lanes(*task, seen, report))
            .or_else(|| few_blocks(check, *task, seen, report))
    };
    let of_threads = open
        .iter()
        .find_map(|(task, _)| wasted(*task, report))
        .or_else(|| open.iter().find_map(of_threads))
        .map(|told| (told, ""));
    of_threads.or_else(|| open.iter().find_map(|(task, seen)| Some((local(*task, seen)?, IN_REGISTERS))))
}

/// What a task with points left to earn was seen to do.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// What its kernels do per pixel.
    pub signs: Option<Signs>,
    /// The lines' shares of the time, largest first.
    pub lines: &'a [LineShare],
    /// The resident warps of its longest kernel.
    pub resident: Option<Resident>,
    /// That kernel's share of the time.
    pub longest_share: Option<f64>,
}

impl<'a> Seen<'a> {
    fn of(task: &dyn Task, report: &'a Report) -> Option<Self> {
        let timed = report.performance.iter().find(|timed| timed.task == task.name())?;
        (score::missing(&report.points, task.name()) > 0.0).then_some(Self {
            signs: timed.signs,
            lines: &timed.lines,
            resident: timed.resident,
            longest_share: timed.longest_share,
        })
    }
}

/// The task with the most points left to earn, and how to reach its next level.
fn faster(check: &str, tasks: &[&'static dyn Task], report: &Report, points: PointsOf<'_>) -> Option<Step> {
    let says_more = format!("`{}` says more", hint_command(check, tasks, &report.lab));
    let with_more = |text: String, more: &str| match more {
        "" => text.into(),
        more => Step { whole: format!("{text} {more}"), text: format!("{text} {says_more}.") },
    };
    if let Some((told, more)) = first(check, tasks, report) {
        // The number of blocks alone reaches no further level.
        let after = idea(tasks, report).and_then(|(task, idea)| {
            let timed = report.performance.iter().find(|timed| timed.task == task.name())?;
            Some(format!(" After that, in `{}`: {}.", task.name(), idea.told(&timed.signs?)))
        });
        return Some(with_more(format!("{told}{}", after.unwrap_or_default()), more));
    }
    if let Some((told, more)) = nearly(check, tasks, report) {
        return Some(with_more(told, &more));
    }
    // The idea that the kernel lacks, if what it does is known; else what the next level needs.
    if let Some((task, idea)) = idea(tasks, report) {
        let timed = report.performance.iter().find(|timed| timed.task == task.name())?;
        // A small change that saves what a line was seen to waste comes before an idea for the whole kernel.
        let pixels = (timed.width * timed.height) as f64;
        let text = format!(
            "All cases pass. To make `{}` faster: {} ({says_more}).{}{}",
            task.name(),
            told_after_costs(idea, &timed.lines, &timed.signs.unwrap_or_default(), pixels),
            atomic_line(idea, timed),
            tuned(check, task, report, timed.share >= NEAR * points(task).share.target)
        );
        return Some(text.into());
    }
    let missing = |task: &str| score::missing(&report.points, task);
    let task = tasks.iter().max_by(|a, b| missing(a.name()).total_cmp(&missing(b.name())))?;
    if missing(task.name()) <= 0.0 {
        return None;
    }
    let timed = report.performance.iter().find(|timed| timed.task == task.name());
    // The timing of a check that was late has left a finding alone.
    let late = || report.findings.iter().any(|finding| finding.code == "W0705");
    if timed.map_or_else(late, |timed| timed.unscored.is_some()) {
        let text =
            format!("All cases pass. The time of `{}` does not count yet: do what W0705 says.", task.name());
        return Some(text.into());
    }
    let timed = timed?;
    if let Some(finding) = weight::worst(report, timed) {
        let place = finding.in_line();
        let text = format!(
            "All cases pass. To make `{}` faster, mend {}{place}: {}",
            task.name(),
            finding.code,
            plain_sentence(&finding.hint)
        );
        return Some(text.into());
    }
    let mut tuned = tuned(check, *task, report, true);
    let profile = format!("`{}`", of_file(check, "profile", *task));
    // A kernel that lacks none of the ideas is told what limits it: what the level needs, it may do already.
    let limit = timed.signs.and_then(|_| limit(timed));
    if tuned.is_empty() && limit.is_some() && !Marks::of(*task, report).are_swept() {
        tuned = format!(
            " Write values to try behind a constant, `constexpr int rows = 32;  // tune: 16 32 64`, and `{}` finds the best.",
            of_file(check, "tune", *task)
        );
    }
    let reached =
        |shown: &str| format!("All cases pass. `{}` reaches {shown} % of the yardstick's speed", task.name());
    let Some(level) = points(*task).share.next(timed.share) else {
        return Some(format!("{}.{tuned}", reached(&percent(timed.share))).into());
    };
    // The name of a level says what a kernel does that was there first: this one may do that, or something else.
    let text = format!(
        "{}; the next level starts at {} %, with {} % less time.",
        reached(&percent_below(timed.share, level.at)),
        percent(level.at),
        percent((1.0 - timed.share / level.at).max(0.001)),
    );
    Some(match limit {
        Some(words) => {
            let beside = beside(timed).map(|words| format!(" {words}")).unwrap_or_default();
            with_more(format!("{text} {words}"), &format!("{}{beside}{tuned}", dearest(timed, &profile)))
        }
        None => format!(
            "{text} To get there: {} If it does that already, {profile} shows which lines take the rest of the time.{tuned}",
            plain_sentence(level.how)
        )
        .into(),
    })
}

/// Points left from which down another idea is too much.
const LEFT: f64 = 0.5;

/// What to do about the last tenths of a point of kernels that were predicted: other values of constants may earn them.
fn nearly(check: &str, tasks: &[&'static dyn Task], report: &Report) -> Option<(String, String)> {
    let missing = |task: &&&'static dyn Task| score::missing(&report.points, task.name());
    let left: f64 = tasks.iter().map(|task| missing(&task)).sum();
    let task = tasks.iter().max_by(|one, other| missing(one).total_cmp(&missing(other)))?;
    let timed = report.performance.iter().find(|timed| timed.task == task.name())?;
    if left <= 0.0
        || left > LEFT
        || timed.signs.is_none()
        || timed.unscored.is_some()
        || Marks::of(*task, report).are_swept()
    {
        return None;
    }
    let tune = tuned(check, *task, report, true);
    let tune = if tune.is_empty() {
        format!(
            " Write some beside it, `constexpr int blocks = 528;  // tune: 264 528 1056`, and `{}` compares them.",
            of_file(check, "tune", *task)
        )
    } else {
        tune
    };
    let more = dearest(timed, &format!("`{}`", of_file(check, "profile", *task)));
    let pixels = (timed.width * timed.height) as f64;
    let named = costs_named(&timed.lines, &timed.signs.unwrap_or_default(), pixels).next();
    let what = named.unwrap_or_else(|| {
        "try other values of its constants before any other change, first of the number of blocks.".to_owned()
    });
    let told = format!("All cases pass. `{}` is nearly at full points: {what}{tune}", task.name());
    Some((told, more))
}

/// Parts of the time that a change can shorten although they do not limit, from this share on.
const BESIDE: [Part; 3] = [Part::Waiting, Part::Launches, Part::Copies];
const WORTH_A_WORD: f64 = 0.015;

/// Copies to shared memory per pixel from which on a kernel copies ahead, and what may then shorten the waits.
const COPIES: f64 = 0.05;
const ROWS_AT_ONCE: &str = ", or wait once for the copies of several rows";

/// What takes time beside the limit, and what to do about it.
fn beside(timed: &Performance) -> Option<String> {
    let (limit, others) = timed.costs.split_first()?;
    let single = timed.signs.is_some_and(|signs| signs.launches <= 1.0);
    let told = |cost: &&Cost| {
        let shortened = BESIDE.contains(&cost.part) && !(cost.part == Part::Launches && single);
        shortened && cost.share >= WORTH_A_WORD && cost.part != limit.part
    };
    let loads = timed.wait.is_some_and(|wait| ["memory", "both"].contains(&wait));
    let copies = timed.signs.is_some_and(|signs| signs.copies_ahead > COPIES);
    let parts: Vec<String> = others
        .iter()
        .filter(told)
        .map(|cost| {
            let advice = limiters::advice(cost.part, loads);
            let more = if cost.part == Part::Waiting && copies { ROWS_AT_ONCE } else { "" };
            format!("{}, {} %: {advice}{more}", cost.part.words().0, percent(cost.share))
        })
        .collect();
    (!parts.is_empty()).then(|| format!("Beside that: {}.", parts.join("; ")))
}

/// The part of the pixels of some cases from which on it matters that several threads store the same of them.
const REPEATED: f64 = 0.5;

/// What a task does for nothing.
fn wasted(task: &dyn Task, report: &Report) -> Option<String> {
    match report.wasted.get(task.name()) {
        Some(told) => Some(format!("All cases pass, but {told}")),
        None => repeated(task, report),
    }
}

/// Outputs that several threads store, the same value each.
fn repeated(task: &dyn Task, report: &Report) -> Option<String> {
    let outputs = || task.parameters().split(',').filter(|of| of.contains('*') && !of.contains("const"));
    let is_output = |finding: &&Finding| {
        let name = finding.message.split('`').nth(1).and_then(|place| place.split('[').next());
        finding.code == "W0306"
            && name.is_some_and(|name| outputs().any(|output| output.ends_with(&format!(" {name}"))))
    };
    let pixels = |finding: &Finding| {
        let of = |case: &&crate::report::Case| {
            case.task == task.name()
                && !case.timed
                && finding.cases.contains(&format!("{}: {}", case.task, case.name))
        };
        report.cases.iter().filter(of).map(|case| (case.width * case.height) as f64).sum::<f64>()
    };
    let much = |finding: &&Finding| {
        let pixels = pixels(finding);
        pixels > 0.0 && finding.count as f64 >= REPEATED * pixels
    };
    let finding = report.findings.iter().filter(is_output).find(much)?;
    Some(format!(
        "All cases pass, but `{}` computes many pixels more than once:{} stores what another thread has stored as well (W0306). Let each pixel belong to one \
         thread: compare where two threads begin, and the step of the loop in which they go on.",
        task.name(),
        finding.in_line().replacen(" in", "", 1)
    ))
}

/// Threads for each pixel from which on most of them have none, and the part of the time that makes that worth a word.
const IDLE: [f64; 2] = [4.0, 0.2];

/// What to do about blocks that have nothing to do.
fn idle(task: &dyn Task, seen: &Seen<'_>) -> Option<String> {
    let signs = seen.signs?;
    let [many, worth] = IDLE;
    let threads = 1.0 / signs.pixels_per_thread;
    let lost = signs.time[Part::Launches as usize] + signs.time[Part::Waiting as usize];
    (threads >= many && lost >= worth).then(|| {
        format!(
            "All cases pass. To make `{}` faster, launch fewer blocks: it starts {threads:.0} threads for each pixel, and most of them have nothing to \
             do. A block of {:.0} threads covers that many pixels, so the grid needs `ceil_div(width, block.x)` × `ceil_div(height, block.y)` \
             blocks, or `ceil_div(pixels, block_size)`.",
            task.name(),
            signs.threads_per_block
        )
    })
}

/// How an array comes into registers.
const IN_REGISTERS: &str = "Such an index is the counter of a loop with a constant number of rounds that is unrolled (`#pragma unroll`), inside of a loop over all \
     rows if need be. An array whose index comes from the data belongs in shared memory.";

/// The part of the time that makes an array in local memory worth a word.
const LOCAL: f64 = 0.05;

/// What to do about an array in local memory.
fn local(task: &dyn Task, seen: &Seen<'_>) -> Option<String> {
    let of = |lines: &[LineShare]| lines.iter().filter(|line| line.local).map(|line| line.share).sum::<f64>();
    if of(seen.lines) < LOCAL {
        return None;
    }
    let line = seen.lines.iter().find(|line| line.local)?;
    Some(format!(
        "All cases pass. To make `{}` faster, look at the array in line {}: it lies in local memory, which is a part of global memory, \
         because registers have no index. Make each index a constant, and the array fits registers.",
        task.name(),
        line.number
    ))
}

/// The part of the resident warps that a multiprocessor can hold, and the part of the time that they wait, below and above which more
/// blocks come before any other change.
const FEW_WARPS: f64 = 0.5;
const WAITS: f64 = 0.5;
/// Bytes read per pixel from which on a kernel reads the image many times.
const MANY_READS: f64 = 64.0;

/// What to do about a grid that leaves multiprocessors with few warps or none.
fn few_blocks(check: &str, task: &'static dyn Task, seen: &Seen<'_>, report: &Report) -> Option<String> {
    let resident = seen.resident.filter(|resident| resident.scarce == "grid")?;
    if resident.idle() >= 1.0 && seen.longest_share.is_some_and(|share| share >= MOST) {
        return Some(format!(
            "All cases pass. To make `{}` faster, launch more blocks: the grid has {:.0}, so that {:.0} of the {} multiprocessors have nothing to do. \
             One to eight blocks per multiprocessor suit a kernel whose threads go on in a loop; \
             `cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device)` gives their number.",
            task.name(),
            resident.blocks,
            resident.idle(),
            resident.multiprocessors
        ));
    }
    let waits = seen.signs?.time[Part::Waiting as usize];
    // More blocks that each read the whole image would read more.
    let reads_again = seen.signs.is_some_and(|signs| signs.loads * signs.access_bytes > MANY_READS);
    let few = resident.warps < FEW_WARPS * f64::from(resident.most) && waits >= WAITS && !reads_again;
    // A sweep has found how many blocks are best.
    let marks = Marks::of(task, report);
    (few && !marks.are_swept()).then(|| {
        let tune = of_file(check, "tune", task);
        let compared = match marks.unswept {
            [] => format!(
                "write the number as a constant, `constexpr int blocks = 528;  // tune: 264 528 1056`, and `{tune}` compares them"
            ),
            names => format!("`{tune}` compares the values of {}", quoted(&names.iter().map(String::as_str).collect::<Vec<_>>())),
        };
        format!(
            "All cases pass. To make `{}` faster, launch more blocks: a multiprocessor has {:.0} of {} warps, because the grid has no more \
             blocks, and they wait {:.0} % of the time. How many are best depends on what each block does besides: {compared}.",
            task.name(),
            resident.warps,
            resident.most,
            100.0 * waits,
        )
    })
}

/// The constants of a task that the file marks as tunable.
struct Marks<'a> {
    unswept: &'a [String],
    swept: &'a [String],
}

impl<'a> Marks<'a> {
    fn of(task: &dyn Task, report: &'a Report) -> Self {
        let of =
            |names: &'a BTreeMap<String, Vec<String>>| names.get(task.name()).map_or(&[][..], Vec::as_slice);
        Self { unswept: of(&report.tunable), swept: of(&report.swept) }
    }

    /// Whether all of them were swept: to try other values is no advice any more.
    fn are_swept(&self) -> bool {
        self.unswept.is_empty() && !self.swept.is_empty()
    }
}

/// The part of the time of a line that makes lanes without work the first thing to mend.
const MOST: f64 = 0.5;

/// What to do about a line that takes most of the time with few lanes active.
fn few_lanes(task: &dyn Task, seen: &Seen<'_>, report: &Report) -> Option<String> {
    let line = seen.lines.first().filter(|line| line.share >= MOST)?;
    let is_it = |finding: &&Finding| finding.code == "W0704" && finding.line == Some(line.number);
    let finding = report.findings.iter().find(is_it)?;
    Some(format!(
        "All cases pass. To make `{}` faster, mend {} in line {}, which takes {:.0} % of the time: {}",
        task.name(),
        finding.code,
        line.number,
        100.0 * line.share,
        plain_sentence(&finding.hint)
    ))
}

/// What limits a task that was predicted, and what to do about it.
fn limit(timed: &Performance) -> Option<String> {
    let limiter = timed.limiter?;
    // Bytes that move once already cannot become fewer: the next part of the time is what a change can shorten.
    if limiter == "DRAM" && moves_each_byte_once(timed) {
        let next = timed.costs.iter().find(|cost| cost.part != Part::Bytes)?;
        return Some(format!(
            "It reads and writes each byte once already; of the other time, most goes to {}.",
            match sums_of_blocks(timed).filter(|_| next.part == Part::Atomics) {
                Some(advice) => format!("{}: {advice}", next.part.words().0),
                None => format!("{}: {}", next.part.words().0, limiters::advice(next.part, true)),
            }
        ));
    }
    let named = named(timed).map(|named| format!(" {named}")).unwrap_or_default();
    let words = if limiter == PIPE {
        // Which of its parts it is decides what helps.
        let parts = [Part::Requests, Part::SharedMemory, Part::Atomics];
        let most = timed.costs.iter().find(|cost| parts.contains(&cost.part));
        let part = most.map_or(Part::Requests, |cost| cost.part);
        format!("the load/store units: {}", limiters::advice(part, true))
    } else {
        limiters::words(limiter, timed.wait, timed.resident.as_ref())
    };
    Some(format!("The kernel that takes longest is limited by {}{named}", plain_sentence(&words)))
}

/// The part of the instructions, of the time of a line, and of the time of all launches from which on a cost is named.
const SIGNED: f64 = 0.03;
const BRANCHED: f64 = 0.1;
const SECOND_LAUNCH: f64 = 0.06;

/// Costs that lines were seen to have and that a small change saves: what only negative dividends need, loads behind a branch, a second
/// launch.
pub fn named(timed: &Performance) -> Option<String> {
    let pixels = (timed.width * timed.height) as f64;
    let told: Vec<String> = costs_named(&timed.lines, &timed.signs.unwrap_or_default(), pixels)
        .map(|told| sentence(&told))
        .collect();
    (!told.is_empty()).then(|| told.join(" "))
}

/// An idea in words, behind a small change that saves what a line was seen to waste.
pub fn told_after_costs(idea: &Idea, lines: &[LineShare], signs: &Signs, pixels: f64) -> String {
    let named = costs_named(lines, signs, pixels).next().filter(|_| idea.saves_instructions());
    let first = named.map(|named| format!("{named} After that: ")).unwrap_or_default();
    format!("{first}{}", idea.told(signs))
}

fn costs_named(lines: &[LineShare], signs: &Signs, pixels: f64) -> impl Iterator<Item = String> {
    [signed(lines, signs, pixels), branched(lines), second_launch(signs)].into_iter().flatten()
}

/// Quotients and remainders of numbers that may be negative.
fn signed(lines: &[LineShare], signs: &Signs, pixels: f64) -> Option<String> {
    let all: f64 = lines.iter().map(|line| line.instructions).sum();
    let mut lines: Vec<&LineShare> = lines.iter().filter(|line| line.signed > 0.005 * all).collect();
    lines.sort_by(|one, other| other.signed.total_cmp(&one.signed));
    lines.truncate(DENSEST);
    let sum: f64 = lines.iter().map(|line| line.signed).sum();
    (sum >= SIGNED * all).then(|| {
        let mut numbers: Vec<u32> = lines.iter().map(|line| line.number).collect();
        numbers.sort_unstable();
        format!(
            "in {}, {:.1} of the {:.1} instructions per pixel are there because the dividend of a `/` or `%` might be negative: if it never \
             is, make it unsigned (`uint32_t`).",
            in_lines(&numbers),
            LANES * sum / pixels,
            signs.instructions
        )
    })
}

/// Loads that wait for a branch with an early return.
fn branched(lines: &[LineShare]) -> Option<String> {
    let line = lines.iter().find(|line| line.branches && line.share >= BRANCHED)?;
    Some(format!(
        "the load in line {} ({:.0} % of the time) {BEHIND_A_BRANCH}.",
        line.number,
        100.0 * line.share
    ))
}

/// What a load behind a branch costs, and what to do about it.
pub const BEHIND_A_BRANCH: &str = "stands behind a branch that returns early, so the compiler cannot start the loads of several rounds \
                                   together: load without the branch, and choose the value after it";

/// The launch of a second kernel that hardly does anything.
fn second_launch(signs: &Signs) -> Option<String> {
    let share = signs.time[Part::Launches as usize];
    (signs.launches > 1.0 && share >= SECOND_LAUNCH).then(|| {
        format!(
            "launching {:.0} kernels takes {:.0} % of the time: let more blocks of one grid do the work of the smaller kernel.",
            signs.launches,
            100.0 * share
        )
    })
}

/// `line 3`, or `lines 3, 5 and 7`.
fn in_lines(numbers: &[u32]) -> String {
    let named: Vec<String> = numbers.iter().map(u32::to_string).collect();
    match named.as_slice() {
        [line] => format!("line {line}"),
        [first @ .., last] => format!("lines {} and {last}", first.join(", ")),
        [] => String::new(),
    }
}

/// Blocks per multiprocessor from which on fewer of them would add their sums less often, and passes of an atomic on shared memory up to
/// which its lanes do not meet.
const MANY_BLOCKS: f64 = 2.0;
const APART: f64 = 1.15;

/// What to do about atomics if they are those by which many blocks add their sums to global memory.
fn sums_of_blocks(timed: &Performance) -> Option<String> {
    let (signs, resident) = (timed.signs?, timed.resident?);
    let own = signs.shared_atomics > 0.5 && signs.atomic_passes <= APART && signs.global_atomics > 0.0;
    let multiprocessors = f64::from(resident.multiprocessors);
    (own && resident.blocks > MANY_BLOCKS * multiprocessors).then(|| {
        format!(
            "launch fewer blocks, with more pixels each. Each of the {} adds its sums to global memory, and one or two per multiprocessor \
             ({multiprocessors:.0} of them) would do",
            grouped(resident.blocks.round() as u64)
        )
    })
}

/// Bytes beyond the fewest that a kernel may move and still moves each once: whole sectors at the ends of rows, and counters.
const ONCE: f64 = 1.1;

fn moves_each_byte_once(timed: &Performance) -> bool {
    let fewest = timed.gigabytes_per_second * 1e9 * timed.seconds;
    timed.sector_bytes.is_some_and(|bytes| bytes as f64 <= ONCE * fewest)
}

/// Lines that are named where instructions are to become fewer.
const DENSEST: usize = 3;

/// The lines with most of the instructions, for an idea that makes them fewer.
pub fn densest(idea: &Idea, timed: &Performance) -> Option<String> {
    let pixels = (timed.width * timed.height) as f64;
    let mut lines: Vec<(u32, f64)> =
        timed.lines.iter().map(|line| (line.number, LANES * line.instructions / pixels)).collect();
    lines.retain(|(_, instructions)| *instructions >= 0.05);
    lines.sort_by(|one, other| other.1.total_cmp(&one.1));
    let named: Vec<String> = lines
        .iter()
        .take(DENSEST)
        .map(|(line, instructions)| format!("{instructions:.1} in line {line}"))
        .collect();
    (idea.saves_instructions() && named.len() == DENSEST)
        .then(|| format!("Most instructions per pixel: {}.", named.join(", ")))
}

/// The line that takes most of the time, where updates that wait for each other are to become fewer.
fn atomic_line(idea: &Idea, timed: &Performance) -> String {
    // A line that waits for its loads is not what fewer updates would help.
    let eased = |line: &LineShare| line.parts.first().is_some_and(|(part, _)| *part == Part::Atomics);
    let line = timed
        .lines
        .first()
        .filter(|line| line.share >= MOST && idea.eases[0] == Part::Atomics && eased(line));
    line.map_or_else(String::new, |line| {
        format!(" Line {} takes {:.0} % of the time.", line.number, 100.0 * line.share)
    })
}

/// The share of a line from which on it is told what its time is spent on.
const WORTH_NAMING: f64 = 0.1;

/// The line that takes most of the time, and where the others are shown.
fn dearest(timed: &Performance, profile: &str) -> String {
    match timed.lines.first() {
        Some(line) => {
            let on = line.parts.first().map(|(part, _)| format!(", mainly for {}", part.words().0));
            let much = if line.share >= MOST { "most" } else { "the largest part" };
            format!(
                "Line {} takes {much} of the time: {:.0} %{}; {profile} shows the others.",
                line.number,
                100.0 * line.share,
                on.filter(|_| line.share >= WORTH_NAMING).unwrap_or_default()
            )
        }
        None => format!("{profile} shows the lines."),
    }
}

/// The part of the share for all points from which on other values of constants alone may reach it.
const NEAR: f64 = 0.85;

/// Limits that other values of a constant may move: how many blocks there are, and how many warps wait at the same time.
const MOVED_BY_CONSTANTS: [&str; 2] = ["starting blocks", "latency"];

/// A pointer to the sweep, if the file has constants to try, and one may limit the task or `always`; else nothing.
fn tuned(check: &str, task: &dyn Task, report: &Report, always: bool) -> String {
    let timed = report.performance.iter().find(|timed| timed.task == task.name());
    let limits = timed.and_then(|timed| timed.limiter).is_some_and(|name| MOVED_BY_CONSTANTS.contains(&name));
    let names: Vec<&str> =
        report.tunable.get(task.name()).into_iter().flatten().map(String::as_str).collect();
    if names.is_empty() || !(always || limits) {
        return String::new();
    }
    format!(" `{}` finds the best values of {}.", of_file(check, "tune", task), quoted(&names))
}

/// A share in per cent, with a decimal if it is not 0.
fn percent(share: f64) -> String {
    tenths_of_percent((1000.0 * share).round())
}

/// The same for a share below a level: never rounded up to the level.
fn percent_below(share: f64, level: f64) -> String {
    let tenths = (1000.0 * share).round();
    tenths_of_percent(if tenths < 1000.0 * level { tenths } else { (1000.0 * share).floor() })
}

fn tenths_of_percent(tenths: f64) -> String {
    let decimals = usize::from(tenths % 10.0 > 0.0);
    format!("{:.decimals$}", tenths / 10.0)
}

/// The text with a full stop.
fn plain_sentence(text: &str) -> String {
    let stop = if text.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{text}{stop}")
}

/// The text with a capital letter and a full stop.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    plain_sentence(&format!("{capital}{}", letters.as_str()))
}

#[cfg(test)]
mod tests {
    use super::{hint_command, in_this_file, percent, percent_below};
    use crate::labs;

    #[test]
    fn a_command_names_the_file_that_is_checked() {
        let tasks = labs::find("lab4").expect("a lab").tasks();
        let of = |check, tasks| hint_command(check, tasks, "lab4");
        assert_eq!(of("checker lab4", tasks), "checker hint lab4");
        assert_eq!(of("checker lab4", &tasks[..1]), "checker hint lab4 --task smooth_box");
        assert_eq!(
            of("checker lab4 --file a b.cu", &tasks[..1]),
            "checker hint lab4 --task smooth_box --file a b.cu"
        );
        assert_eq!(of("checker lab4 --solution", tasks), "checker hint lab4 --solution");
    }

    #[test]
    fn the_first_step_names_the_file_that_is_checked() {
        let step = "Fill in `k` in `labs/lab1-grayscale/grayscale.cu`: its launch is there.";
        assert_eq!(in_this_file(step, "my.cu"), "Fill in `k` in `my.cu`: its launch is there.");
        assert_eq!(in_this_file("Fill in `k`.", "my.cu"), "Fill in `k`.");
    }

    #[test]
    fn a_share_just_below_a_level_is_not_shown_as_it() {
        let shown = [0.0984, 0.0996, 0.0999, 0.0028].map(|share| percent_below(share, 0.1));
        assert_eq!(shown, ["9.8", "9.9", "9.9", "0.3"]);
        assert_eq!([0.1, 0.115, 1.0].map(percent), ["10", "11.5", "100"]);
    }
}
