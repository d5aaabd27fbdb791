//! What a process that is watched says to the one that watches it: see [`crate::supervise`].

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;

use serde::{Deserialize, Serialize};

use crate::case::Case;

/// Tells the second process that it is one. The value is the process to end with.
pub const WATCHED: &str = "WORKBOOK_WATCHED_BY";
/// What the second process says while it works, one JSON text a line.
#[derive(Debug, Serialize, Deserialize)]
pub enum Message {
    /// The step that begins.
    Step(String),
    /// A line that stays.
    Note(String),
    /// The compiler is being downloaded: package, its bytes, bytes so far.
    Fetching(String, u64, u64),
    /// The download is complete.
    Fetched,
    /// Compiler and engine are there: from now on the file is responsible for the time. Seconds that it may take.
    Begun(u64),
    /// A task is right, and is timed next: its cases.
    Verified(Vec<Case>),
    /// The checker itself is at fault: a sentence.
    Panicked(String),
    /// The line of progress is to disappear, because text follows. One byte back says that it has.
    Quiet,
}

/// The line to the process that watches this one.
#[derive(Debug)]
pub struct Watcher {
    line: UnixStream,
    /// The same line. A file is read with the one call that a confined process still may use.
    answers: File,
}

/// The line to the process that watches, if there is one.
pub fn watcher() -> Option<Watcher> {
    let parent = std::env::var(WATCHED).ok()?.parse().ok()?;
    if !sandbox::die_with_parent(parent) {
        return None;
    }
    let channel = io::stdin().as_fd().try_clone_to_owned().map(UnixStream::from).ok()?;
    let line = channel.try_clone().ok()?;
    std::panic::set_hook(Box::new(move |panic| {
        Watcher::tell_on(&line, &Message::Panicked(panic.to_string()));
    }));
    let answers = channel.as_fd().try_clone_to_owned().map(File::from).ok()?;
    Some(Watcher { line: channel, answers })
}

impl Watcher {
    /// A line of one's own, for tests.
    #[cfg(test)]
    pub fn on(line: UnixStream) -> Self {
        let answers = line.as_fd().try_clone_to_owned().map(File::from).expect("a copy");
        Self { line, answers }
    }

    /// Tells the process that watches. If it has ended, so has this process, soon.
    pub fn tell(&self, message: &Message) {
        Self::tell_on(&self.line, message);
    }

    /// Makes the line of progress disappear, before text of this process is in its place.
    pub fn be_quiet(&self) {
        self.tell(&Message::Quiet);
        // Without an answer, nobody shows progress any more.
        let _ = (&self.answers).read_exact(&mut [0]);
    }

    fn tell_on(mut line: &UnixStream, message: &Message) {
        if let Ok(text) = serde_json::to_string(message) {
            let _ = writeln!(line, "{text}");
        }
    }
}
