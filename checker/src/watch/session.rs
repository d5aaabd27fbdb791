//! A watch: checks, keys, and what is shown.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use colored::Colorize;
use lab::Lab;

use super::file::Watched;
use super::terminal::{INTERRUPT, Terminal};
use crate::changes::Checked;
use crate::output;
use judge::exit::Stop;
use judge::labs;
use judge::workspace::Workspace;

/// Time between two looks at the file: two looks have to agree, and a check is to begin within a second.
const LOOK: Duration = Duration::from_millis(250);

/// Stages after the first that a hint may have.
const MOST_HINTS: u8 = 4;

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Hint,
    Profile,
    Tune,
    Next,
    Again,
    Quit,
}

impl Key {
    /// The key of this letter.
    pub fn of(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_lowercase() {
            'h' => Self::Hint,
            'p' => Self::Profile,
            't' => Self::Tune,
            'n' => Self::Next,
            'r' | '\n' | '\r' | ' ' => Self::Again,
            'q' | INTERRUPT | '\u{4}' => Self::Quit,
            _ => return None,
        })
    }
}

/// A watch of one lab after the other.
pub(super) struct Session {
    pub lab: &'static dyn Lab,
    pub workspace: Workspace,
    /// The options of each check, after the name of the lab.
    pub options: Vec<OsString>,
    pub terminal: Option<Terminal>,
    /// The file that checks write their report to.
    pub report: PathBuf,
    /// The result of the last check of this lab.
    pub last: Option<Checked>,
    /// How much hints say.
    pub hints: u8,
}

/// A process that is ended when this value is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only if it has already ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Why a look at the file and the keys ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    Saved,
    Pressed(Key),
    Ended,
}

impl Session {
    /// Checks until the student quits.
    pub fn run(mut self) -> Result<(), Stop> {
        let mut watched = self.watched();
        let mut event = Event::Saved;
        loop {
            event = match event {
                Event::Pressed(Key::Quit) => return Ok(()),
                Event::Pressed(Key::Next) => {
                    self.next_lab();
                    watched = self.watched();
                    self.check(&mut watched)?
                }
                Event::Saved | Event::Pressed(Key::Again) => {
                    self.hints = 0;
                    self.check(&mut watched)?
                }
                Event::Pressed(Key::Hint) => {
                    let more = vec![OsString::from("--more"); usize::from(self.hints)];
                    self.hints = (self.hints + 1).min(MOST_HINTS);
                    self.command("hint", more, &mut watched)?
                }
                Event::Pressed(Key::Profile) => self.command("profile", Vec::new(), &mut watched)?,
                Event::Pressed(Key::Tune) => self.command("tune", Vec::new(), &mut watched)?,
                Event::Ended => self.wait(&mut watched, None),
            };
        }
    }

    fn watched(&self) -> Watched {
        Watched::new(&self.workspace.lab_file(self.lab))
    }

    fn next_lab(&mut self) {
        let labs = labs::all();
        let place = labs.iter().position(|lab| lab.name() == self.lab.name()).unwrap_or(0);
        self.lab = labs[(place + 1) % labs.len()];
        (self.last, self.hints) = (None, 0);
        // The other lab has other tasks.
        if let Some(at) = self.options.iter().position(|option| option == "--task") {
            self.options.drain(at..at + 2);
        }
    }

    /// Checks the file, and says what has changed.
    fn check(&mut self, watched: &mut Watched) -> Result<Event, Stop> {
        // An old report is not that of this check.
        let _ = std::fs::remove_file(&self.report);
        let name = OsString::from(self.lab.name());
        let report = [OsString::from("--report"), self.report.clone().into_os_string()];
        let arguments = std::iter::once(name).chain(self.options.clone()).chain(report);
        let event = self.show(arguments.collect(), watched)?;
        if event != Event::Ended {
            return Ok(event);
        }
        let written = std::fs::read(&self.report).ok();
        let result = written.and_then(|text| Checked::of(&serde_json::from_slice(&text).ok()?));
        if let Some(result) = result {
            for line in result.since(self.last.as_ref()) {
                println!("{}", format!("\nwatch: {line}").bold());
            }
            self.last = Some(result);
        }
        self.menu();
        Ok(Event::Ended)
    }

    /// Runs another command on the lab.
    fn command(&self, name: &str, more: Vec<OsString>, watched: &mut Watched) -> Result<Event, Stop> {
        let first = [OsString::from(name), OsString::from(self.lab.name())];
        let event = self.show(first.into_iter().chain(more).collect(), watched)?;
        if event == Event::Ended {
            self.menu();
        }
        Ok(event)
    }

    /// Runs this program again, and shows its output, until it ends or something else is wanted.
    fn show(&self, arguments: Vec<OsString>, watched: &mut Watched) -> Result<Event, Stop> {
        if self.terminal.is_none() {
            println!("watch: checking `{}`", self.workspace.shown(&self.workspace.lab_file(self.lab)));
        }
        // The terminal may be gone; then the next key says so.
        let _ = std::io::stdout().flush();
        let failed = |error| Stop::environment(format!("failed to start a check: {error}"));
        let program = std::env::current_exe().map_err(failed)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null());
        if self.terminal.is_some() {
            // The last report can be read until the next one is there.
            command.env(output::CLEAR, "1");
        }
        let child = command.spawn().map_err(failed)?;
        Ok(self.wait(watched, Some(Running(child))))
    }

    /// Waits for a save, a key, or the end of a process.
    fn wait(&self, watched: &mut Watched, mut running: Option<Running>) -> Event {
        loop {
            if watched.changed() {
                return Event::Saved;
            }
            if running.as_mut().is_some_and(|running| !matches!(running.0.try_wait(), Ok(None))) {
                return Event::Ended;
            }
            match &self.terminal {
                Some(terminal) => {
                    if let Some(key) = terminal.key(LOOK).and_then(Key::of) {
                        return Event::Pressed(key);
                    }
                }
                None => std::thread::sleep(LOOK),
            }
        }
    }

    fn menu(&self) {
        if self.terminal.is_some() {
            let keys = "h hint   p profile   t tune   n next lab   r run again   q quit";
            println!("\n{}", format!("watching {}:   {keys}", self.lab.name()).dimmed());
        } else {
            println!("watch: waiting for the next save of {}", self.lab.file());
        }
    }
}
