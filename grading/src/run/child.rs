//! One check in a process of its own.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use cuda::text::clean;
use serde::{Deserialize, Serialize};

use super::unit::Checked;

/// Most bytes of a report. The largest honest one has half a megabyte.
const MOST_OUTPUT: u64 = 64 << 20;
/// Most bytes of messages.
const MOST_ERRORS: u64 = 64 << 10;
/// How often a waiting worker looks whether all work is to stop.
const LOOK: Duration = Duration::from_millis(50);

/// The program that checks one file: it prints a report as JSON and ends with 0 or 1, or with 2 if it does not take the file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Program {
    /// The program.
    pub path: PathBuf,
    /// Its arguments; the file's name follows.
    pub arguments: Vec<String>,
    /// Variables of its environment.
    pub environment: Vec<(String, String)>,
    /// Time after which it is stuck: far more than the limits that it sets itself.
    pub patience: Duration,
}

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failed {
    /// The process was killed, or the machine lacks something: another attempt may succeed.
    Broken(String),
    /// All work stops.
    Stopped,
}

impl Program {
    /// Checks `file`, a name in `folder`.
    pub fn check(&self, folder: &Path, file: &str, stop: &AtomicBool) -> Result<Checked, Failed> {
        let mut command = Command::new(&self.path);
        command.args(&self.arguments).arg(file).current_dir(folder);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let broken = |error: std::io::Error| Failed::Broken(error.to_string());
        let mut child = Running(command.spawn().map_err(broken)?);
        let output = reading(child.0.stdout.take(), MOST_OUTPUT);
        let errors = reading(child.0.stderr.take(), MOST_ERRORS);
        let end = Instant::now() + self.patience;
        let output = loop {
            match output.recv_timeout(LOOK) {
                Ok(output) => break output,
                Err(RecvTimeoutError::Disconnected) => break Vec::new(),
                Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => {
                    return Err(Failed::Stopped);
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() > end => {
                    return Err(Failed::Broken(format!("no answer after {} s", self.patience.as_secs())));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        let status = child.0.wait().map_err(broken)?;
        let errors = errors.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
        let said = String::from_utf8_lossy(&errors).trim().to_owned();
        match status.code() {
            Some(0 | 1) => serde_json::from_slice(&output)
                .map(Checked::Report)
                .map_err(|error| Failed::Broken(format!("its report cannot be read: {error}"))),
            Some(2) => Ok(Checked::Refused(sentence(&said))),
            _ if said.is_empty() => Err(Failed::Broken(status.to_string())),
            _ => Err(Failed::Broken(format!("{status}: {}", sentence(&said)))),
        }
    }
}

/// The message alone, on one line.
fn sentence(said: &str) -> String {
    let said = said.rfind("error: ").map_or(said, |at| &said[at + "error: ".len()..]);
    clean(&said.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Reads to the end, or to the limit; the pipe then closes, which ends the writer.
fn reading(pipe: Option<impl Read + Send + 'static>, most: u64) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            // What came before an error is all there is.
            let _ = pipe.take(most).read_to_end(&mut bytes);
        }
        // Nobody listens if the check was given up.
        let _ = sender.send(bytes);
    });
    receiver
}

/// A process that ends with this value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only if it has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;

    fn checked(script: &str, patience: u64) -> Result<Checked, Failed> {
        let program = Program {
            path: "sh".into(),
            arguments: vec!["-c".into(), script.into()],
            environment: Vec::new(),
            patience: Duration::from_millis(patience),
        };
        program.check(&std::env::temp_dir(), "x.cu", &AtomicBool::new(false))
    }

    #[test]
    fn a_report_a_refusal_and_a_fault_are_told_apart() {
        assert_eq!(checked("echo '{\"score\": 1}'; exit 1", 9000), Ok(Checked::Report(json!({"score": 1}))));
        let refused = checked("echo 'error: line 1 is\n  not UTF-8' >&2; exit 2", 9000);
        assert_eq!(refused, Ok(Checked::Refused("line 1 is not UTF-8".into())));
        for script in ["exit 3", "kill -9 $$", "exit 0", "echo '{\"half\":'; exit 0", "sleep 30"] {
            let broken = checked(script, 300);
            assert!(matches!(broken, Err(Failed::Broken(_))), "{script}: {broken:?}");
        }
    }
}
