//! One line on stderr about what takes time; nothing where stderr is no terminal.

use std::time::Duration;

use cuda::nvrtc::Progress as Fetch;
use indicatif::{ProgressBar, ProgressStyle};

/// The line. Disappears with this value.
pub struct Progress(ProgressBar);

impl Progress {
    /// A line that shows up once something is said.
    pub fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    /// Says what is going on.
    pub fn say(&self, what: &str) {
        self.0.set_message(what.to_owned());
    }

    /// Says how far the fetch of the compiler is.
    pub fn fetch(&self, progress: &Fetch) {
        match progress {
            Fetch::Fetching { package, bytes, done } => {
                if let Ok(style) =
                    ProgressStyle::with_template("{spinner} {msg} {bar:30} {bytes}/{total_bytes}")
                {
                    self.0.set_style(style);
                }
                self.0.set_message(format!("fetching {package}, once"));
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
