//! Workers: several for the simulator, one for each GPU. Results are published by one thread alone.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::child::{Failed, Program};
use super::store::Store;
use super::unit::{Checked, Engine, Unit};
use crate::Error;

/// Attempts at a check whose process is killed or whose machine fails.
const ATTEMPTS: usize = 4;
/// The pause before another attempt at a check that is alone on the machine: a machine out of memory needs a moment.
const PAUSE: Duration = Duration::from_secs(2);
/// Findings of a file that took all time or memory, or whose process ended. The cause may also be the machine, beside other checks.
const DOUBTFUL: [&str; 4] = ["W0010", "W0520", "W0521", "W0522"];
/// The field of a report that holds the illustration.
const ILLUSTRATION: &str = "illustration";

/// A check, and its file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Work {
    /// The check.
    pub unit: Unit,
    /// The folder of the file.
    pub folder: PathBuf,
    /// The file's name.
    pub file: String,
}

/// How many checks run at once.
#[derive(Debug, Clone)]
pub struct Queues {
    /// The program for the simulator, and how many at once.
    pub simulator: (Program, usize),
    /// The program for each GPU.
    pub gpus: Vec<Program>,
    /// The program that adds to a report what the student's page shows beside it: see [`illustrated`].
    pub illustrator: Option<Program>,
}

/// What happens, as it happens.
#[derive(Debug, Clone, PartialEq)]
pub enum Event<'a> {
    /// A check begins.
    Began(&'a Unit),
    /// A check has a result.
    Done(&'a Unit, &'a Checked),
    /// A check has none, after several attempts.
    Broken(&'a Unit, &'a str),
}

/// Makes all checks, and publishes each result as it comes. Returns those without a result, and why. `again` replaces results.
pub fn run(
    queues: &Queues,
    work: &[Work],
    store: &mut Store,
    again: bool,
    tell: &mut dyn FnMut(Event<'_>),
) -> Result<Vec<(Unit, String)>, Error> {
    let mut desk = Desk { store, again, tell, broken: Vec::new() };
    let mut doubtful = Vec::new();
    pass(queues, work.iter().collect(), false, &mut |work, step| match step {
        Step::Ended(Ok(checked)) if is_doubtful(&checked) => {
            doubtful.push(work);
            Ok(())
        }
        step => desk.take(&work.unit, step),
    })?;
    // Such a check gets a second chance, with the machine to itself.
    let one = Queues { simulator: (queues.simulator.0.clone(), 1), ..queues.clone() };
    pass(&one, doubtful, true, &mut |work, step| desk.take(&work.unit, step))?;
    let mut broken = desk.broken;
    broken.sort_by_key(|(unit, _)| unit.name());
    Ok(broken)
}

enum Step {
    Began,
    Ended(Result<Checked, Failed>),
}

/// Where results arrive.
struct Desk<'a> {
    store: &'a mut Store,
    again: bool,
    tell: &'a mut dyn FnMut(Event<'_>),
    broken: Vec<(Unit, String)>,
}

impl Desk<'_> {
    fn take(&mut self, unit: &Unit, step: Step) -> Result<(), Error> {
        match step {
            Step::Began => (self.tell)(Event::Began(unit)),
            Step::Ended(Ok(checked)) => {
                let publish = if self.again { Store::replace } else { Store::publish };
                publish(self.store, unit, &checked)?;
                (self.tell)(Event::Done(unit, &checked));
            }
            Step::Ended(Err(Failed::Broken(why))) => {
                (self.tell)(Event::Broken(unit, &why));
                self.broken.push((unit.clone(), why));
            }
            Step::Ended(Err(Failed::Stopped)) => {}
        }
        Ok(())
    }
}

fn is_doubtful(checked: &Checked) -> bool {
    has_finding(checked, |code, _| DOUBTFUL.contains(&code))
}

/// Whether something ended a process of the check. That is rarely the file's fault: its limits do not kill.
fn is_killed(checked: &Checked) -> bool {
    has_finding(checked, |code, message| DOUBTFUL.contains(&code) && message.contains("(SIGKILL)"))
}

fn has_finding(checked: &Checked, is: impl Fn(&str, &str) -> bool) -> bool {
    let Checked::Report(report) = checked else { return false };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let findings = report["findings"].as_array();
    findings
        .is_some_and(|all| all.iter().any(|finding| is(&text(&finding["code"]), &text(&finding["message"]))))
}

/// Makes these checks, and hands over each step on this thread. Its error stops all work. `alone`: nothing else runs beside them.
fn pass<'a>(
    queues: &Queues,
    work: Vec<&'a Work>,
    alone: bool,
    take: &mut dyn FnMut(&'a Work, Step) -> Result<(), Error>,
) -> Result<(), Error> {
    let (gpu, sim): (VecDeque<&Work>, _) = work.into_iter().partition(|work| work.unit.engine == Engine::Gpu);
    let (gpu, sim) = (Mutex::new(gpu), Mutex::new(sim));
    let stop = AtomicBool::new(false);
    let (program, jobs) = (&queues.simulator.0, queues.simulator.1.max(1));
    let illustrator = queues.illustrator.as_ref();
    let workers =
        std::iter::repeat_n((program, &sim), jobs).chain(queues.gpus.iter().map(|program| (program, &gpu)));
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for (program, queue) in workers {
            let (sender, stop) = (sender.clone(), &stop);
            scope.spawn(move || {
                while let Some(next) = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front() {
                    // Nobody listens if the work has stopped.
                    let _ = sender.send((next, Step::Began));
                    let _ = sender.send((next, Step::Ended(made(program, illustrator, next, alone, stop))));
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (work, step) in receiver {
            if let Err(error) = take(work, step) {
                stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    })
}

/// Makes a check, and its illustration.
fn made(
    program: &Program,
    illustrator: Option<&Program>,
    work: &Work,
    alone: bool,
    stop: &AtomicBool,
) -> Result<Checked, Failed> {
    let mut checked = attempts(program, work, stop)?;
    for _ in 1..ATTEMPTS {
        if !alone || !is_killed(&checked) || stop.load(Ordering::Relaxed) {
            break;
        }
        std::thread::sleep(PAUSE);
        checked = attempts(program, work, stop)?;
    }
    match (&checked, illustrator) {
        (Checked::Report(_), Some(illustrator)) if !is_doubtful(&checked) => {
            illustrated(checked, illustrator, work, stop)
        }
        _ => Ok(checked),
    }
}

/// Adds the illustration to the report of a file that compiles.
fn illustrated(
    checked: Checked,
    illustrator: &Program,
    work: &Work,
    stop: &AtomicBool,
) -> Result<Checked, Failed> {
    let Checked::Report(mut report) = checked else { return Ok(checked) };
    let empty = Vec::new();
    let some = |name: &str| report[name].as_array().unwrap_or(&empty).iter();
    if !some("cases").any(|case| case["verdict"] == "passed" || case["wrong"].as_u64() > Some(0)) {
        return Ok(Checked::Report(report));
    }
    let wrong = some("tasks").filter(|task| task["passed"] != true).filter_map(|task| task["name"].as_str());
    let mut program = illustrator.clone();
    program.arguments.extend(wrong.flat_map(|name| ["--wrong".to_owned(), name.to_owned()]));
    program.arguments.push("--file".to_owned());
    if let Checked::Report(illustration) = attempts(&program, work, stop)? {
        report[ILLUSTRATION] = illustration;
    }
    Ok(Checked::Report(report))
}

fn attempts(program: &Program, work: &Work, stop: &AtomicBool) -> Result<Checked, Failed> {
    let mut last = Failed::Stopped;
    for attempt in 0..ATTEMPTS {
        // A machine out of memory needs a moment.
        std::thread::sleep(Duration::from_millis(200 * attempt as u64));
        match program.check(&work.folder, &work.file, stop) {
            Err(failed @ Failed::Broken(_)) => last = failed,
            other => return other,
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn ran(script: &str, students: &[&str]) -> (Vec<String>, Vec<String>) {
        let folder = tempfile::tempdir().expect("a folder");
        let program = Program {
            path: "sh".into(),
            arguments: vec!["-c".into(), script.into()],
            environment: Vec::new(),
            patience: Duration::from_secs(60),
        };
        let queues = Queues { simulator: (program, 3), gpus: Vec::new(), illustrator: None };
        let unit = |student: &&str| Unit::new(student, Engine::Sim, student.as_bytes(), &[]);
        let work = |student| Work { unit: unit(student), folder: folder.path().into(), file: "x.cu".into() };
        let work: Vec<Work> = students.iter().map(work).collect();
        let mut store = Store::open(folder.path()).expect("a store");
        let mut done = Vec::new();
        let broken = run(&queues, &work, &mut store, false, &mut |event| {
            if let Event::Done(unit, checked) = event {
                done.push(format!("{} {checked:?}", unit.student));
            }
        });
        done.sort();
        (
            done,
            broken
                .expect("it ran")
                .into_iter()
                .map(|(unit, why)| format!("{}: {why}", unit.student))
                .collect(),
        )
    }

    #[test]
    fn every_check_is_made_once() {
        let (done, broken) = ran("echo '{}'", &["a", "b", "c", "d", "e"]);
        assert_eq!(done.len(), 5);
        assert!(broken.is_empty());
    }

    /// The first process of each is killed; the script finds that out by a file.
    #[test]
    fn a_killed_process_is_started_again_and_a_broken_machine_is_no_verdict() {
        let (done, _) = ran("if mkdir tried; then kill -9 $$; fi; echo '{}'", &["a"]);
        assert_eq!(done, ["a Report(Object {})"]);
        let (done, broken) = ran("echo 'error: no compiler' >&2; exit 3", &["a"]);
        assert!(done.is_empty());
        assert_eq!(broken, ["a: exit status: 3: no compiler"]);
    }

    /// Beside others it is late; alone it is not. Alone it finds the folder that the first attempt made.
    #[test]
    fn a_late_check_is_made_again_alone() {
        let late = r#"{"findings": [{"code": "W0520"}]}"#;
        let (done, _) = ran(&format!("if mkdir tried; then echo '{late}'; else echo '{{}}'; fi"), &["a"]);
        assert_eq!(done, ["a Report(Object {})"]);
    }

    /// A machine out of memory kills twice, once beside others and once alone.
    #[test]
    fn a_check_that_the_machine_kills_is_made_again() {
        let killed = r#"{"findings": [{"code": "W0522", "message": "itself failed: signal: 9 (SIGKILL)"}]}"#;
        let script = format!("if mkdir once || mkdir twice; then echo '{killed}'; else echo '{{}}'; fi");
        assert_eq!(ran(&script, &["a"]).0, ["a Report(Object {})"]);
    }

    #[test]
    fn a_report_is_illustrated_if_the_file_ran() {
        let folder = tempfile::tempdir().expect("a folder");
        let unit = Unit::new("a", Engine::Sim, b"", &[]);
        let work = Work { unit, folder: folder.path().into(), file: "x.cu".into() };
        let program = Program {
            path: "sh".into(),
            arguments: vec!["-c".into(), "echo \"{\\\"said\\\": \\\"$*\\\"}\"".into(), "illustrate".into()],
            environment: Vec::new(),
            patience: Duration::from_secs(60),
        };
        let of = |report: Value| {
            let checked = illustrated(Checked::Report(report), &program, &work, &AtomicBool::new(false));
            let Ok(Checked::Report(report)) = checked else { panic!("{checked:?}") };
            report[ILLUSTRATION]["said"].as_str().map(str::to_owned)
        };
        let tasks = serde_json::json!([{"name": "one", "passed": true}, {"name": "two", "passed": false}]);
        let report =
            |verdict: &str| serde_json::json!({"tasks": tasks, "cases": [{"verdict": verdict, "wrong": 0}]});
        assert_eq!(of(report("passed")).as_deref(), Some("--wrong two --file x.cu"));
        assert_eq!(of(report("skipped")), None);
    }
}
