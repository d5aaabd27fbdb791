//! A program that is given bytes and a deadline.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs it with `input` on its standard input; its standard output, or why there is none.
pub fn output(command: &mut Command, input: &[&[u8]], limit: Duration) -> Result<String, String> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut stdin = stdin?;
            // A program that does not read them all reports why.
            input.iter().try_for_each(|bytes| stdin.write_all(bytes)).ok()
        });
        let out = scope.spawn(move || text(stdout));
        let said = scope.spawn(move || text(stderr));
        let start = Instant::now();
        let status = loop {
            match child.try_wait() {
                Err(error) => break Err(error.to_string()),
                Ok(Some(status)) => break Ok(status),
                Ok(None) if start.elapsed() >= limit => {
                    // It may have ended just now; then nothing is left to do.
                    let _ = child.kill();
                    let _ = child.wait();
                    break Err(format!("not done within {} s", limit.as_secs()));
                }
                Ok(None) => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let out = out.join().unwrap_or_default();
        let said = said.join().unwrap_or_default();
        let status = status?;
        if status.success() {
            return Ok(out);
        }
        let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
        Err(format!("{status}: {}", last.trim()))
    })
}

fn text(from: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    // When a pipe breaks, the bytes that arrived are the output.
    let _ = from.map(|mut from| from.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, input: &[&[u8]], limit: Duration) -> Result<String, String> {
        output(Command::new("sh").args(["-c", script]), input, limit)
    }

    #[test]
    fn bytes_go_in_and_come_out() {
        let long = vec![b'x'; 1 << 20];
        let out = shell("cat", &[b"ab", &long], Duration::from_secs(60)).expect("it ends well");
        assert!(out.starts_with("abxx") && out.len() == (1 << 20) + 2);
    }

    #[test]
    fn a_failure_and_a_hang_say_what_they_are() {
        let failed = shell("echo one >&2; echo two >&2; exit 3", &[], Duration::from_secs(60));
        assert_eq!(failed, Err("exit status: 3: two".to_owned()));
        // Nothing but the deadline ends it.
        let hangs = shell("exec sleep 600", &[], Duration::from_millis(50));
        assert_eq!(hangs, Err("not done within 0 s".to_owned()));
        let missing = output(&mut Command::new("no-such-program-here"), &[], Duration::from_secs(1));
        assert!(missing.expect_err("it is not there").contains("No such file"));
    }
}
