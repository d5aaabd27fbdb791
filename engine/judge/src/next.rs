//! The next step for the student, in one or two sentences, from the report alone.

mod costs;
mod first;
mod unset;

use lab::{Idea, Points, Task, next_idea};

use crate::labs::{self, quoted};
use crate::problem::{self, Problem};
use crate::report::{Report, Verdict};
use crate::score;
use crate::tunable::CLEARLY;
use crate::verify::{AFTER_ANOTHER_TASK, ON_ANOTHER, is_late};
use crate::weight;
use runtime::finding::{Finding, Kind, Severity};

pub use costs::{BEHIND_A_BRANCH, Dear, MOSTLY_COPIES, cost_named, densest, named, told_after_costs};
pub use first::{Seen, first, first_seen};

use costs::{atomic_line, beside, dearest, limit, moves_each_byte_once};
use first::Marks;
use unset::{certain, unset};

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

/// Advice on one task of a right file that is not an idea of its lab.
pub struct Told {
    /// The task.
    pub task: &'static dyn Task,
    /// What a report says.
    pub told: String,
    /// More words on it; empty if there are none.
    pub more: String,
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
            if let Some(task) = problem::facts_behind(report, finding)
                && let Some(hint) = seen(task)
            {
                return format!("`{}`: {} {}", task.name, sentence(hint), sentence(&again));
            }
            if let Some(repair) = problem::tried(report, finding) {
                if let Some(what) = certain(finding, repair) {
                    return format!("Solve {} first: {what}; {again}.", finding.code);
                }
                return format!("Solve {} first: {}; {again}.", finding.code, repair.hint());
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
    let own = |finding: &&Finding| finding.cases.is_empty() || finding.is_of(task);
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
        // A faster kernel earns nothing while its time does not count.
        let signs = timed.signs.as_ref().filter(|_| timed.unscored.is_none())?;
        Some((task, next_idea(task.ideas(), signs)?))
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
            // What is filled in already is not asked for.
            return format!("`{}`: {}", task.name(), sentence(&in_this_file(&cause.hint, &report.file)));
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
             call before, its picture or another argument. Compute it in every call: the next one may have the same sizes and addresses, and other values.",
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
    let more = to_hint
        .map(|hint| format!(" `{hint} --more` goes through the steps of the task."))
        .unwrap_or_default();
    format!(
        "`{}`: Work the first wrong value out by hand, and print the numbers that your kernel has for it.{more}",
        task.name()
    )
}

/// What to try after what was seen.
fn seen(task: &crate::report::Task) -> Option<&str> {
    task.facts.as_ref().map(|facts| facts.hint.as_str()).filter(|hint| !hint.is_empty())
}

/// The task with the most points left to earn, and how to reach its next level.
fn faster(check: &str, tasks: &[&'static dyn Task], report: &Report, points: PointsOf<'_>) -> Option<Step> {
    let says_more = format!("`{}` says more", hint_command(check, tasks, &report.lab));
    let with_more = |text: String, more: &str| match more {
        "" => text.into(),
        more => Step { whole: format!("{text} {more}"), text: format!("{text} {says_more}.") },
    };
    if let Some(Told { told, more, .. }) = first(check, tasks, report) {
        // The number of blocks alone reaches no further level.
        let after = after(tasks, report).map(|after| format!(" {after}"));
        let text = format!("{told}{}", after.as_deref().unwrap_or_default());
        // A hint has a sketch and some code of the idea behind it.
        return Some(match after {
            Some(_) if more.is_empty() => Step { text: format!("{text} {says_more}."), whole: text },
            _ => with_more(text, &more),
        });
    }
    if let Some(Told { told, more, .. }) = nearly(check, tasks, report) {
        return Some(with_more(told, &more));
    }
    if let Some(told) = wasted_more(tasks, report) {
        return Some(told.into());
    }
    // The idea that the kernel lacks, if what it does is known; else what the next level needs.
    if let Some((task, idea)) = idea(tasks, report) {
        let timed = report.performance.iter().find(|timed| timed.task == task.name())?;
        // A small change that saves what a line was seen to waste comes before an idea for the whole kernel.
        let text = format!(
            "All cases pass. To make `{}` faster: {} ({says_more}).{}{}",
            task.name(),
            told_after_costs(idea, &Dear::of(timed)),
            atomic_line(idea, timed),
            tuned(check, task, report, timed.share >= NEAR * points(task).share.target).replacen(
                " `",
                " After that, `",
                1
            )
        );
        return Some(text.into());
    }
    let task = &open(tasks, report)?;
    let timed = report.performance.iter().find(|timed| timed.task == task.name());
    // The timing of a check that was late has left a finding alone.
    let late = || report.findings.iter().any(|finding| finding.code == "W0705");
    if timed.map_or_else(late, |timed| timed.unscored.is_some()) {
        let hint =
            report.findings.iter().find(|finding| finding.code == "W0705").map(|finding| &finding.hint);
        let hint = hint.filter(|hint| !hint.is_empty()).map(|hint| format!(" {}", sentence(hint)));
        let text = format!(
            "All cases pass. The time of `{}` does not count yet: do what W0705 says.{}",
            task.name(),
            hint.unwrap_or_default()
        );
        return Some(text.into());
    }
    let timed = timed?;
    if let Some(finding) = weight::worst(report, timed) {
        return Some(mend(*task, finding).into());
    }
    let swept = Marks::of(*task, report).are_swept();
    if let Some(told) =
        exhausted(*task, timed.share, points(*task).share.target).filter(|_| swept && timed.signs.is_some())
    {
        return Some(told.into());
    }
    let mut tuned = tuned(check, *task, report, true);
    let profile = format!("`{}`", of_file(check, "profile", *task));
    // A kernel that lacks none of the ideas is told what limits it: what the level needs, it may do already.
    let limit = timed.signs.and_then(|_| limit(timed, swept));
    if tuned.is_empty() && limit.is_some() && !swept {
        tuned = format!(
            " Write values to try behind a constant, in a comment that begins with `// tune:` (its own value, smaller and larger ones), and `{}` \
             finds the best.",
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
            let beside = beside(timed, swept).map(|words| format!(" {words}")).unwrap_or_default();
            with_more(format!("{text} {words}"), &format!("{}{beside}{tuned}", dearest(timed, &profile)))
        }
        None => format!(
            "{text} To get there: {} If it does that already, {profile} shows which lines take the rest of the time.{tuned}",
            plain_sentence(level.how)
        )
        .into(),
    })
}

/// The task with the most points left to earn.
pub fn open(tasks: &[&'static dyn Task], report: &Report) -> Option<&'static dyn Task> {
    let missing = |task: &'static dyn Task| score::missing(&report.points, task.name());
    let most = tasks.iter().copied().max_by(|one, other| missing(*one).total_cmp(&missing(*other)))?;
    (missing(most) > 0.0).then_some(most)
}

/// The idea that follows advice that comes before all ideas.
pub fn after(tasks: &[&'static dyn Task], report: &Report) -> Option<String> {
    let (task, idea) = idea(tasks, report)?;
    let timed = report.performance.iter().find(|timed| timed.task == task.name())?;
    Some(format!("After that, in `{}`: {}.", task.name(), idea.told(&timed.signs?)))
}

/// What else says more of a task than a hint does.
pub fn tools(check: &str, task: &'static dyn Task, report: &Report) -> String {
    let profile = format!("`{}` shows what each line costs", of_file(check, "profile", task));
    let names: Vec<&str> =
        report.tunable.get(task.name()).into_iter().flatten().map(String::as_str).collect();
    if names.is_empty() {
        return profile;
    }
    format!("`{}` compares the values of {}, and {profile}", of_file(check, "tune", task), quoted(&names))
}

/// Said of a task that lacks no idea, and whose constants were compared, if it needs less than a prediction can tell.
fn exhausted(task: &dyn Task, share: f64, target: f64) -> Option<String> {
    let less = 1.0 - share / target;
    (less > 0.0 && less <= CLEARLY).then(|| {
        format!(
            "All cases pass. `{}` reaches {} % of the yardstick's speed, and all points take {} %: {} % less time, which is less than predictions \
             can tell apart. It does what the ideas of the lab say, and `checker tune` has compared its constants: this is as far as \
             a prediction goes.",
            task.name(),
            percent_below(share, target),
            percent(target),
            percent(less.max(0.001)),
        )
    })
}

/// What to mend in the task with the most points left, if only another task with fewer of them lacks an idea.
fn wasted_more(tasks: &[&'static dyn Task], report: &Report) -> Option<String> {
    let missing = |task: &dyn Task| score::missing(&report.points, task.name());
    let task = tasks.iter().max_by(|one, other| missing(**one).total_cmp(&missing(**other)))?;
    let (other, _) = idea(tasks, report)?;
    if missing(*task) <= missing(other) {
        return None;
    }
    let timed = report.performance.iter().find(|timed| timed.task == task.name())?;
    let finding = weight::worst(report, timed).filter(|_| timed.unscored.is_none())?;
    Some(mend(*task, finding))
}

/// The remark on wasteful accesses that is the next thing to mend.
fn mend(task: &dyn Task, finding: &Finding) -> String {
    format!(
        "All cases pass. To make `{}` faster, mend {}{}: {}",
        task.name(),
        finding.code,
        finding.in_line(),
        plain_sentence(&finding.hint)
    )
}

/// Points left from which down another idea is too much.
pub const LEFT: f64 = 0.5;

/// What to do about the last tenths of a point of kernels that were predicted: other values of constants may earn them.
pub fn nearly(check: &str, tasks: &[&'static dyn Task], report: &Report) -> Option<Told> {
    let task = open(tasks, report)?;
    let timed = report.performance.iter().find(|timed| timed.task == task.name())?;
    let left = score::missing(&report.points, task.name());
    if timed.signs.is_none() || timed.unscored.is_some() || !is_nearly(left, task, report) {
        return None;
    }
    let dearest = dearest(timed, &format!("`{}`", of_file(check, "profile", task)));
    let limit = limit(timed, false).filter(|_| moves_each_byte_once(timed));
    let more = limit.map_or(dearest.clone(), |limit| format!("{limit} {dearest}"));
    let what = last_tenths(check, task, report, &Dear::of(timed));
    Some(Told {
        task,
        told: format!("All cases pass. `{}` is nearly at full points: {what}", task.name()),
        more,
    })
}

/// Whether a task has so few points left that other values of its constants come first, and none were compared yet.
pub fn is_nearly(left: f64, task: &dyn Task, report: &Report) -> bool {
    left <= LEFT && !Marks::of(task, report).are_swept()
}

/// What comes first for the last tenths of a point, and the idea that comes next.
pub fn last_tenths(check: &str, task: &dyn Task, report: &Report, dear: &Dear<'_>) -> String {
    let tune = tuned(check, task, report, true);
    let tune = if tune.is_empty() {
        format!(
            " Write some behind a constant, in a comment that begins with `// tune:` (its own value, smaller and larger ones), and `{}` compares \
             them.",
            of_file(check, "tune", task)
        )
    } else {
        tune
    };
    let then = match next_idea(task.ideas(), &dear.signs) {
        Some(idea) => format!("the next step is this: {}.", idea.told(&dear.signs)),
        None => "they gain no more.".to_owned(),
    };
    let tune = format!("{tune} Where it says to keep the file's values, {then}");
    let named = cost_named(dear);
    let copies = Some(dear.signs.link_share).filter(|share| *share >= MOSTLY_COPIES);
    let copies = copies.map(|share| {
        format!(
            "copies keep the link between host and GPU busy for {:.0} % of the time, so faster kernels gain nothing. Try other \
             numbers of parts, or a smaller first and last part.",
            100.0 * share
        )
    });
    let tune = if copies.is_some() { String::new() } else { tune };
    let what = named.or(copies).unwrap_or_else(|| {
        "try other values of its constants before any other change, such as the number of blocks, or of pixels per thread.".to_owned()
    });
    format!("{what}{tune}")
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
    use super::{exhausted, hint_command, in_this_file, percent, percent_below};
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
    fn less_than_predictions_tell_apart_is_as_far_as_it_goes() {
        let task = labs::find("lab2").expect("a lab").tasks()[0];
        let told = exhausted(task, 0.843, 0.85).expect("less than a hundredth");
        let said = "`histogram` reaches 84.3 % of the yardstick's speed, and all points take 85 %: 0.8 % less time, which is less than";
        assert!(told.contains(said) && !told.contains("  "), "{told}");
        assert_eq!(exhausted(task, 0.83, 0.85), None, "a faster kernel is told from this one");
        assert_eq!(exhausted(task, 0.9, 0.85), None);
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
