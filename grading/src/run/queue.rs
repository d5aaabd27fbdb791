//! Workers: several for the simulator, one for each GPU. Results are published by one thread alone.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use super::child::{Failed, Program};
use super::store::Store;
use super::unit::{Checked, Engine, Unit};
use crate::Error;

/// Attempts at a check whose process is killed or whose machine fails.
const ATTEMPTS: usize = 4;
/// Findings of a file that took all time or memory, or whose process ended. The cause may also be the machine, beside other checks.
const DOUBTFUL: [&str; 4] = ["W0010", "W0520", "W0521", "W0522"];

/// A check, and its file.
#[derive(Debug, Clone)]
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
    pass(queues, work.iter().collect(), &mut |work, step| match step {
        Step::Ended(Ok(checked)) if is_doubtful(&checked) => {
            doubtful.push(work);
            Ok(())
        }
        step => desk.take(&work.unit, step),
    })?;
    // Such a check gets a second chance, with the machine to itself.
    let one = Queues { simulator: (queues.simulator.0.clone(), 1), ..queues.clone() };
    pass(&one, doubtful, &mut |work, step| desk.take(&work.unit, step))?;
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
    let Checked::Report(report) = checked else { return false };
    let findings = report["findings"].as_array();
    findings.is_some_and(|findings| {
        findings.iter().any(|finding| DOUBTFUL.iter().any(|code| finding["code"] == *code))
    })
}

/// Makes these checks, and hands over each step on this thread. Its error stops all work.
fn pass<'a>(
    queues: &Queues,
    work: Vec<&'a Work>,
    take: &mut dyn FnMut(&'a Work, Step) -> Result<(), Error>,
) -> Result<(), Error> {
    let (gpu, sim): (VecDeque<&Work>, _) = work.into_iter().partition(|work| work.unit.engine == Engine::Gpu);
    let (gpu, sim) = (Mutex::new(gpu), Mutex::new(sim));
    let stop = AtomicBool::new(false);
    let (program, jobs) = (&queues.simulator.0, queues.simulator.1.max(1));
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
                    let _ = sender.send((next, Step::Ended(attempts(program, next, stop))));
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
        let queues = Queues { simulator: (program, 3), gpus: Vec::new() };
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
}
