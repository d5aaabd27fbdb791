//! A progress line on stderr; nothing if stderr is not a terminal. A process that is watched tells the one that watches.

use std::time::Duration;

use cuda::nvrtc::Progress as Fetch;
use indicatif::{ProgressBar, ProgressStyle};

use crate::watcher::{Message, Watcher, watcher};

/// The line. Disappears with this value.
pub struct Progress(Line);

enum Line {
    Own(ProgressBar),
    Watched(Watcher),
}

impl Progress {
    /// A line that appears with the first message.
    pub fn new() -> Self {
        if let Some(watcher) = watcher() {
            return Self(Line::Watched(watcher));
        }
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(Line::Own(bar))
    }

    /// Whether another process watches this one.
    pub fn is_watched(&self) -> bool {
        matches!(self.0, Line::Watched(_))
    }

    /// Shows the current step.
    pub fn say(&self, what: &str) {
        self.tell(&Message::Step(what.to_owned()));
    }

    /// Says something that stays, above the line.
    pub fn note(&self, what: &str) {
        self.tell(&Message::Note(what.to_owned()));
    }

    /// Shows the progress of the compiler's download.
    pub fn fetch(&self, progress: &Fetch) {
        self.tell(&match progress {
            Fetch::Fetching { package, bytes, done } => {
                Message::Fetching((*package).to_owned(), *bytes, *done)
            }
            Fetch::Ready => Message::Fetched,
        });
    }

    /// Shows what a message says, or passes it on.
    pub fn tell(&self, message: &Message) {
        match &self.0 {
            Line::Watched(watcher) => watcher.tell(message),
            Line::Own(bar) => show(bar, message),
        }
    }
}

fn show(bar: &ProgressBar, message: &Message) {
    match message {
        Message::Step(what) => bar.set_message(what.clone()),
        Message::Note(what) if bar.is_hidden() => eprintln!("{what}"),
        Message::Note(what) => bar.println(what),
        Message::Fetching(package, bytes, done) => {
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {bar:30} {bytes}/{total_bytes}")
            {
                bar.set_style(style);
            }
            bar.set_message(format!("downloading {package}, only once"));
            bar.set_length(*bytes);
            bar.set_position(*done);
        }
        Message::Fetched => {
            bar.set_style(ProgressStyle::default_spinner());
            bar.set_message("the compiler is ready");
        }
        Message::Begun(_) | Message::Verified(_) | Message::Panicked(_) | Message::Quiet => {}
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        match &self.0 {
            Line::Own(bar) => bar.finish_and_clear(),
            Line::Watched(watcher) => watcher.be_quiet(),
        }
    }
}
