//! A progress line on stderr; nothing if stderr is not a terminal.

use std::time::Duration;

use cuda::nvrtc::Progress as Fetch;
use indicatif::{ProgressBar, ProgressStyle};

/// The line. Disappears with this value.
pub struct Progress(ProgressBar);

impl Progress {
    /// A line that appears with the first message.
    pub fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    /// Shows the current step.
    pub fn say(&self, what: &str) {
        self.0.set_message(what.to_owned());
    }

    /// Shows the progress of the compiler's download.
    pub fn fetch(&self, progress: &Fetch) {
        match progress {
            Fetch::Fetching { package, bytes, done } => {
                if let Ok(style) =
                    ProgressStyle::with_template("{spinner} {msg} {bar:30} {bytes}/{total_bytes}")
                {
                    self.0.set_style(style);
                }
                self.0.set_message(format!("downloading {package}, only once"));
                self.0.set_length(*bytes);
                self.0.set_position(*done);
            }
            Fetch::Ready => {
                self.0.set_style(ProgressStyle::default_spinner());
                self.say("the compiler is ready");
            }
        }
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
