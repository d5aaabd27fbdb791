//! Keys from the terminal, one by one. The terminal is as before when the value is dropped.

use std::io::{self, Stdin};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// A terminal that sends single keys.
pub(super) struct Terminal {
    stdin: Stdin,
    before: Termios,
}

/// What Ctrl-C sends.
pub(super) const INTERRUPT: char = '\u{3}';

impl Terminal {
    /// The terminal of stdin; `None` if it is not one.
    pub fn open() -> Option<Self> {
        let stdin = io::stdin();
        let before = tcgetattr(&stdin).ok()?;
        let mut keys = before.clone();
        // Ctrl-C arrives as a key, so that the terminal can be restored.
        keys.local_modes -= LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
        tcsetattr(&stdin, OptionalActions::Now, &keys).ok()?;
        Some(Self { stdin, before })
    }

    /// The next key, if one comes within this time.
    pub fn key(&self, within: Duration) -> Option<char> {
        let mut fds = [PollFd::new(&self.stdin, PollFlags::IN)];
        let time = Timespec { tv_sec: within.as_secs() as i64, tv_nsec: i64::from(within.subsec_nanos()) };
        match poll(&mut fds, Some(&time)) {
            Ok(ready) if ready > 0 => {}
            _ => return None,
        }
        let mut byte = [0];
        match rustix::io::read(&self.stdin, &mut byte) {
            // The terminal is gone.
            Ok(0) | Err(_) => Some(INTERRUPT),
            Ok(_) => Some(char::from(byte[0])),
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It fails only if the terminal is gone.
        let _ = tcsetattr(&self.stdin, OptionalActions::Now, &self.before);
    }
}
