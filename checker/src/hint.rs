//! `checker hint lab4`: the next idea for a file, in three stages: the idea, a sketch, a piece of code. Of a file that is not right yet:
//! how to mend it, then the steps of its task.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use colored::Colorize;
use lab::{Idea, Task};

use crate::options::{EngineOptions, LabOptions, SourceOptions};
use crate::output;
use crate::pages;
use crate::sweeps::Sweeps;
use judge::exit::{self, Stop};
use judge::labs;
use judge::next::{self, Told};
use judge::numbers::significant;
use judge::problem::{self, Problem};
use judge::progress::Progress;
use judge::report::Report;
use judge::submission;
use judge::supervise;
use judge::verdict;
use judge::wrap::hanging;
use runtime::finding::Finding;

/// Give a hint for what a file does now. `--more` says more, `--more --more` most: of a right file, some code
#[derive(Debug, Args)]
pub struct Hint {
    #[command(flatten)]
    lab: LabOptions,
    /// Say more: of a right file once for a sketch, twice for a piece of code; of a wrong one, the steps of its task
    #[arg(long, short, action = clap::ArgAction::Count)]
    more: u8,
    #[command(flatten)]
    source: SourceOptions,
    #[command(flatten)]
    engine: EngineOptions,
}

impl Hint {
    /// Checks the file, and prints the hint.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let (lab, tasks) = self.lab.chosen()?;
        let (_, gpu) = self.engine.chosen()?;
        let source = self.source.source();
        let part = submission::of_lab(lab, &source, &tasks)?;
        let progress = Progress::new();
        if !progress.is_watched() {
            drop(progress);
            return supervise::run_again()?.or_else(|loss| Ok(loss.tell()));
        }
        let check = source.check(lab, &part.submission.shown);
        // What a kernel does is counted in the simulator only.
        let report = verdict::simulated(lab, &part, &check, gpu, &Sweeps::tried(gpu.title), progress)?;
        let again = next::hint_command(&check, &part.tasks, &report.lab);
        let stages =
            if report.passed { faster(&check, &report, &part.tasks) } else { wrong(&report, &part.tasks) };
        output::text(&stages.text(usize::from(self.more), &again))?;
        Ok(ExitCode::from(exit::PASSED))
    }
}

/// A hint: what it is about, what it says, each stage after the other, and where else to look behind the last one, if anywhere.
struct Stages {
    title: String,
    parts: Vec<String>,
    elsewhere: String,
}

impl Stages {
    /// One stage below the title: those before it were read. `again` is the command that gave the hint.
    fn text(&self, more: usize, again: &str) -> String {
        let stage = more.min(self.parts.len().saturating_sub(1));
        let text = self.parts.get(stage).map_or("", String::as_str).trim_matches('\n');
        let mut out = if self.title.is_empty() { String::new() } else { format!("{}\n", self.title.bold()) };
        if !out.is_empty() && !text.starts_with(' ') {
            out.push('\n');
        }
        let _ = writeln!(out, "{text}");
        if stage + 1 < self.parts.len() {
            let command = format!("{again}{}", " --more".repeat(stage + 1));
            let _ = writeln!(out, "\n  {}", hanging("more: ", &command).dimmed());
        } else if more > stage {
            let elsewhere = match self.elsewhere.as_str() {
                "" => "that is the whole hint",
                elsewhere => elsewhere,
            };
            let _ = writeln!(out, "\n{}", hanging("  no more: ", elsewhere).dimmed());
        }
        out
    }
}

/// Of a right file: the idea, a sketch of it, some code.
fn faster(check: &str, report: &Report, tasks: &[&'static dyn Task]) -> Stages {
    let elsewhere = |task: &'static dyn Task| next::tools(check, task, report);
    let idea = next::idea(tasks, report);
    if let Some(Told { task, told, more }) = next::first(check, tasks, report) {
        let mut stages = vec![hanging("", &told)];
        stages.extend((!more.is_empty()).then(|| hanging("", &more)));
        // What the report says behind it has a sketch and some code.
        if let Some(((task, idea), after)) = idea.zip(next::after(tasks, report)) {
            stages.push(hanging("", &format!("{after} {}", idea.sketch)));
            stages.push(indented(&of_task(idea.code, task, &report.lab)));
        }
        return Stages { title: String::new(), parts: stages, elsewhere: elsewhere(task) };
    }
    if let Some(Told { task, told, more }) = next::nearly(check, tasks, report) {
        let mut stages: Vec<String> = [told, more].iter().map(|stage| hanging("", stage)).collect();
        // The idea that the report names last has a sketch and some code.
        if let Some((_, idea)) = idea.filter(|(of, _)| of.name() == task.name()) {
            let name = next::sentence(idea.name);
            let sketch = format!("{}: {}", name.trim_end_matches('.'), idea.sketch);
            let _ = write!(stages[1], "\n\n{}", hanging("", &sketch));
            stages.push(indented(&of_task(idea.code, task, &report.lab)));
        }
        return Stages { title: String::new(), parts: stages, elsewhere: elsewhere(task) };
    }
    let Some((task, idea)) = idea else {
        let reached = report.score >= report.max_score;
        let whole = if report.next_whole.is_empty() { &report.next } else { &report.next_whole };
        let text = if reached { next::JOY.to_owned() } else { whole.clone() };
        let elsewhere = next::open(tasks, report).map(elsewhere).unwrap_or_default();
        return Stages { title: String::new(), parts: vec![hanging("", &text)], elsewhere };
    };
    let timed = report.performance.iter().find(|timed| timed.task == task.name());
    let signs = timed.and_then(|timed| timed.signs).unwrap_or_default();
    // A small change that saves what a line was seen to waste comes before the idea, as in a report.
    let named = timed.and_then(|timed| next::named(idea, timed));
    let mut first = match &named {
        Some(named) => {
            format!(
                "{}\n{}",
                hanging("  First: ", named),
                hanging("  Then: ", &next::sentence(&idea.told(&signs)))
            )
        }
        None => hanging("  ", &next::sentence(&idea.told(&signs))),
    };
    let densest = timed.and_then(|timed| next::densest(idea, timed));
    let page = pages::of_rung(&report.lab, idea.rung);
    let vectors = on_vectors(idea, page);
    let page = page.map(|page| format!("`checker book {page}` explains such steps."));
    for more in now(report, task).into_iter().chain(densest).chain(page).chain(vectors) {
        let _ = write!(first, "\n{}", hanging("  ", &more));
    }
    Stages {
        title: format!("{}: {}", task.name(), idea.name),
        parts: vec![first, hanging("  ", idea.sketch), indented(&of_task(idea.code, task, &report.lab))],
        elsewhere: elsewhere(task),
    }
}

/// What the kernel does now: the numbers that show whether a change has had its effect.
fn now(report: &Report, task: &dyn Task) -> Option<String> {
    let signs = report.performance.iter().find(|timed| timed.task == task.name())?.signs?;
    // There, the copies count.
    if task.over_link() {
        return None;
    }
    let accesses = signs.loads + signs.stores;
    let atomics = match counted(signs.global_atomics).as_str() {
        "0" => String::new(),
        number => format!(" and {number} atomics there"),
    };
    let added = match counted(signs.shared_atomics).as_str() {
        "0" => String::new(),
        number => format!(" and {number} atomics there"),
    };
    let of_which = if signs.launches > 1.5 { " in the launch with the most threads" } else { "" };
    Some(format!(
        "Now, per pixel: {} instructions, {} accesses to global memory (of {} bytes){atomics}, {} to shared memory{added}; {} pixels per thread{of_which}.",
        counted(signs.instructions),
        counted(accesses),
        counted(signs.access_bytes),
        counted(signs.shared_accesses),
        counted(signs.pixels_per_thread)
    ))
}

/// The page on vectors.
const VECTORS: &str = "learn/vectors";

/// Where it is shown how to load several pixels at once, for an idea that says so.
fn on_vectors(idea: &Idea, page: Option<&str>) -> Option<String> {
    let wide = ["uint4", "uint32_t"].iter().any(|kind| idea.idea.contains(kind) || idea.code.contains(kind));
    let loads = wide && idea.code.contains("reinterpret_cast");
    (loads && page != Some(VECTORS)).then(|| {
        format!("`checker book {VECTORS}` shows such loads; byte k of a word is `word >> 8 * k & 0xff`.")
    })
}

/// A number per pixel; what hardly any block does is nothing.
fn counted(number: f64) -> String {
    significant(if number < 0.00005 { 0.0 } else { number })
}

/// Of a file that is not right yet: what the finding to solve first is about, if it is one, and how to mend it; then the hints of its
/// task, half of them at a time.
fn wrong(report: &Report, tasks: &[&'static dyn Task]) -> Stages {
    let finding = match problem::first(report) {
        Some(Problem::Finding(root)) => report.findings.get(root.finding),
        _ => None,
    };
    let mut hint = match finding {
        Some(finding) => of_finding(finding, report),
        None => of_output(report),
    };
    // The steps are those of the task that the problem is about: another one may not be begun.
    let about = match problem::first(report) {
        Some(Problem::Output(task)) => Some(task.name.as_str()),
        _ => finding.and_then(|finding| finding.task()),
    };
    let wrong = |task: &&&'static dyn Task| {
        report.tasks.iter().any(|judged| judged.name == task.name() && !judged.passed)
    };
    let own = tasks.iter().filter(wrong).find(|task| about == Some(task.name()));
    if let Some(task) = own.or_else(|| tasks.iter().find(wrong)) {
        let hints: Vec<String> = task.hints().iter().map(|hint| hanging("  - ", hint)).collect();
        for half in hints.chunks(hints.len().div_ceil(2).max(1)) {
            let steps = format!("{}, step by step (your kernel may do some of it already)", task.name());
            hint.parts.push(format!("{}\n{}", steps.bold(), half.join("\n")));
        }
    }
    hint
}

/// Wrong outputs: what was seen of them, then what to try.
fn of_output(report: &Report) -> Stages {
    let task = match problem::first(report) {
        Some(Problem::Output(task)) if !report.untouched => task,
        _ => {
            let stages = vec![hanging("", &report.next)];
            return Stages { title: String::new(), parts: stages, elsewhere: String::new() };
        }
    };
    let not_started = task.cause.as_ref().is_some_and(|cause| cause.not_started);
    let what = match &task.cause {
        Some(cause) => cause.message.as_str(),
        None => "wrong output",
    };
    let seen = task.facts.iter().flat_map(|facts| &facts.seen).filter(|_| !not_started);
    let is_tried = |fact: &String| task.repair.as_ref().is_some_and(|repair| repair.told == *fact);
    let label = |fact: &String| if is_tried(fact) { "  tried: " } else { "  seen: " };
    let mut lines: Vec<String> = seen.map(|fact| hanging(label(fact), fact)).collect();
    let whole = if report.next_whole.is_empty() { &report.next } else { &report.next_whole };
    // The title names the task.
    let whole = whole.strip_prefix(&format!("`{}`: ", task.name)).unwrap_or(whole);
    lines.push(hanging("  ", whole));
    let title = hanging("", &format!("{}: {what}", task.name));
    Stages { title, parts: vec![lines.join("\n")], elsewhere: String::new() }
}

/// A finding: what its code is about, what to try, and where an example is; then how to mend it.
fn of_finding(finding: &Finding, report: &Report) -> Stages {
    let place = finding.in_line();
    let title = hanging(&format!("{}{place}: ", finding.code), &finding.message);
    let [why, mend] = ["Why", "Mend"]
        .map(|name| of_origin(&pages::section(&finding.code, name).unwrap_or_default(), &finding.message));
    let trying = match finding.hint.as_str() {
        "" => String::new(),
        hint => hanging("Try: ", &next::sentence(hint)),
    };
    let example = pages::command_for(&finding.code).map(|command| format!("`{command}` shows an example."));
    let tried = problem::tried(report, finding)
        .map(|repair| hanging("Tried: ", &next::sentence(&repair.told)))
        .unwrap_or_default();
    let parts = [why.trim().to_owned(), tried, trying, hanging("", &example.unwrap_or_default())];
    let first = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n");
    let stages = [first, mend.trim().to_owned()].into_iter();
    let stages = stages.filter(|stage| !stage.is_empty()).collect();
    Stages { title, parts: stages, elsewhere: String::new() }
}

/// The paragraphs of an entry that are about where a value comes from that nothing has written, as the message says it.
fn of_origin(section: &str, message: &str) -> String {
    let is_shared = message.contains("(shared memory)");
    let is_own = ["a variable that was never set", "a local variable or array"]
        .iter()
        .any(|own| message.contains(own));
    let is_lane = message.contains("a lane that takes no part in a shuffle");
    let fits = |paragraph: &&str| {
        let begins = |lead: &str| paragraph.starts_with(lead);
        (is_shared || !begins("In shared memory"))
            && (is_own || !begins("In a variable or an array"))
            && (is_lane || !begins("From a lane"))
            && !(begins("In memory of the GPU") && (is_shared || is_own || is_lane))
    };
    section.split("\n\n").filter(fits).collect::<Vec<_>>().join("\n\n")
}

/// The lines of code that are not marked, at their end, as those of another task of the lab.
fn of_task(code: &str, task: &dyn Task, lab: &str) -> String {
    let others: Vec<String> = labs::find(lab).map_or_else(
        |_| Vec::new(),
        |lab| {
            let names = lab.tasks().iter().map(|other| other.name());
            names.filter(|name| *name != task.name()).map(|name| format!("// {name}")).collect()
        },
    );
    let own = code.lines().filter(|line| !others.iter().any(|other| line.ends_with(other.as_str())));
    own.collect::<Vec<_>>().join("\n")
}

fn indented(code: &str) -> String {
    let lines: Vec<String> = code.trim_matches('\n').lines().map(|line| format!("      {line}")).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::Stages;

    #[test]
    fn a_stage_that_is_not_there_is_not_shown_without_a_word() {
        let stages = Stages {
            title: String::new(),
            parts: ["one", "two"].map(str::to_owned).to_vec(),
            elsewhere: "`checker profile lab2` shows what each line costs".into(),
        };
        let text = |more| stages.text(more, "checker hint lab2");
        assert!(text(0).contains("more: checker hint lab2 --more"), "{}", text(0));
        assert_eq!(text(1), "two\n");
        let beyond = text(2);
        assert!(beyond.starts_with("two\n") && beyond.contains("no more: `checker profile"), "{beyond}");
    }
}
