//! The parent's side: children that take units from one list. A child that dies or hangs is replaced, the
//! kernel it had at hand is blamed, and the rest of its unit is run by the next one.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::outcome::{Line, Outcome};

/// A request to a child: a unit's number, and the kernels of it that are left.
#[derive(Debug, Clone)]
pub struct Task {
    /// Number of the unit.
    pub unit: u64,
    /// Its kernels, from the first that is to be run.
    pub kernels: Vec<u64>,
    /// Each kernel is compiled by itself: the compiler has crashed on the unit.
    pub alone: bool,
}

/// How children are started, and how long they may be silent.
pub struct Pool<'a> {
    /// Starts a child.
    pub start: &'a (dyn Fn() -> Command + Sync),
    /// Children at a time.
    pub jobs: usize,
    /// Longest silence: a unit is compiled, or a kernel run, within it.
    pub limit: Duration,
}

/// The answers of all children.
#[derive(Debug, Default)]
pub struct Told {
    /// The outcome of each kernel.
    pub outcomes: Vec<(u64, Outcome)>,
    /// Milliseconds of compilation, summed over the children.
    pub compile_ms: u64,
    /// Children that died or hung.
    pub lost: usize,
}

/// Why a child ended before its task did.
enum Fate {
    /// It exited by itself, after an outcome.
    Left,
    /// It died while it compiled.
    DiedCompiling,
    /// It died while it ran a kernel.
    Died,
    /// Something else, in words.
    Trouble(String),
}

fn died(who: &str, status: Option<String>) -> String {
    status.map_or_else(|| format!("{who} died"), |status| format!("{who} died ({status})"))
}

/// A running child.
struct Running {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Pool<'_> {
    /// Runs all tasks; `progress` is told how many kernels are done.
    pub fn run(&self, tasks: Vec<Task>, progress: &(dyn Fn(usize) + Sync)) -> Told {
        let tasks = Mutex::new(VecDeque::from(tasks));
        let told = Mutex::new(Told::default());
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                scope.spawn(|| self.work(&tasks, &told, progress));
            }
        });
        let mut told = told.into_inner().unwrap_or_else(PoisonError::into_inner);
        told.outcomes.sort_by_key(|(index, _)| *index);
        told
    }

    fn work(&self, tasks: &Mutex<VecDeque<Task>>, told: &Mutex<Told>, progress: &(dyn Fn(usize) + Sync)) {
        let mut running = None;
        loop {
            let next = tasks.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(mut task) = next else { break };
            while !task.kernels.is_empty() {
                if running.is_none() {
                    running = self.child().ok();
                }
                let fate = match running.as_mut() {
                    Some(running) => self.ask(running, &mut task, told, progress),
                    None => Err(Fate::Trouble("the child did not start".to_owned())),
                };
                let Err(fate) = fate else { break };
                let status = running.take().map(end);
                let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
                told.lost += 1;
                let outcome = match fate {
                    Fate::Left => continue,
                    // One of the unit's kernels: which, the next child finds out.
                    Fate::DiedCompiling if !task.alone && task.kernels.len() > 1 => {
                        task.alone = true;
                        continue;
                    }
                    Fate::DiedCompiling => Outcome::NotCompiled(died("the compiler", status)),
                    Fate::Died => Outcome::Failed(died("the child", status)),
                    Fate::Trouble(reason) => Outcome::Failed(reason),
                };
                if !task.kernels.is_empty() {
                    told.outcomes.push((task.kernels.remove(0), outcome));
                }
            }
        }
        if let Some(running) = running {
            let _ = end(running);
        }
    }

    /// Has a child run the task. What it has run is taken from the task; the error says why the
    /// child.
    fn ask(
        &self,
        running: &mut Running,
        task: &mut Task,
        told: &Mutex<Told>,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<(), Fate> {
        let Some(&first) = task.kernels.first() else { return Ok(()) };
        let alone = if task.alone { " alone" } else { "" };
        writeln!(running.input, "{} {first}{alone}", task.unit)
            .map_err(|error| Fate::Trouble(format!("the child takes no work: {error}")))?;
        let (mut reported, mut compiled) = (false, false);
        loop {
            let line = match running.lines.recv_timeout(self.limit) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => {
                    return Err(Fate::Trouble(format!("nothing happened for {} s", self.limit.as_secs())));
                }
                Err(RecvTimeoutError::Disconnected) if reported => return Err(Fate::Left),
                Err(RecvTimeoutError::Disconnected) if compiled => return Err(Fate::Died),
                Err(RecvTimeoutError::Disconnected) => return Err(Fate::DiedCompiling),
            };
            let line: Line = serde_json::from_str(&line)
                .map_err(|error| Fate::Trouble(format!("the child said something else ({error}): {line}")))?;
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            match line {
                Line::Compiled { ms } => {
                    told.compile_ms += ms;
                    compiled = true;
                }
                Line::Ran { index, outcome } => {
                    // A child that breaks its context says so in the outcome of the kernel that did it.
                    reported = outcome.is_mismatch();
                    compiled &= !task.alone;
                    task.kernels.retain(|kernel| *kernel != index);
                    told.outcomes.push((index, outcome));
                    progress(told.outcomes.len());
                }
                Line::Done => {
                    task.kernels.clear();
                    return Ok(());
                }
            }
        }
    }

    fn child(&self) -> std::io::Result<Running> {
        let mut child = (self.start)().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().ok_or(std::io::ErrorKind::BrokenPipe)?;
        let output = child.stdout.take().ok_or(std::io::ErrorKind::BrokenPipe)?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Running { child, input, lines })
    }
}

/// Ends a child, whatever it does; how it ended.
fn end(mut running: Running) -> String {
    // One that has already ended cannot be killed, and need not be.
    let _ = running.child.kill();
    running.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string())
}
