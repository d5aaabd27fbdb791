//! A check in a process of its own, with limits of time and memory.
//!
//! The command starts itself again and watches. So a file that takes all memory, all time, or the checker down with
//! it ends only that second process, and gets a verdict all the same, from the process that watched.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use runtime::worker::KEPT_MEMORY;
use sandbox::Limits;

use crate::case::Case;
use crate::exit::{self, KILLED, Stop};
use crate::progress::Progress;
use crate::repair::TRYING;
use crate::setup::Engine;
use crate::watcher::{Message, WATCHED};
use crate::wrap::hanging;
use runtime::finding::{Finding, Kind, Severity};

/// Bytes that the second process may use if it simulates. The checks of the largest pictures need 0.4 GB.
const MEMORY: u64 = 2560 << 20;
/// Seconds for a check on the simulator; the solutions of the labs take one to five.
const SIMULATED_SECONDS: u64 = 50;
/// Seconds for a check on a GPU; with [`KEPT_WAITING`] it may wait for another process's measurement.
const GPU_SECONDS: u64 = 100;

/// The part of its seconds that a process has to have computed before it is late, while it has not waited for too long.
const COMPUTED: f64 = 0.9;
/// Times its seconds that a process may take if the machine keeps it waiting.
const KEPT_WAITING: u64 = 5;

/// The step in which a file is compiled, as `judge` says it.
const COMPILING: &str = "compiling";

/// In a step after cases with wrong outputs.
pub const WRONG_BEFORE: &str = "cases before were wrong";

/// Seconds over the limit that need no explanation.
const SLACK: u64 = 5;

/// How the second process ended without a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lost {
    /// It took longer than it may.
    Late {
        /// The seconds that it may take.
        limit: u64,
        /// The seconds that it took: more on a machine that kept it waiting.
        took: u64,
    },
    /// It ended, most likely because there was no more memory.
    Memory,
    /// It ended otherwise.
    Crashed(String),
}

/// The step in which wrong outputs are explained.
pub const SEARCHING: &str = "searching for the cause";

/// A loss, and the step in which it happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// How.
    pub how: Lost,
    /// The step, such as `grayscale: 31x33, odd`; empty before the first.
    pub step: String,
    /// The cases of the tasks that were right before, one of which may have been timed.
    pub verified: Vec<Case>,
}

impl Loss {
    /// Whether something else than this program ended the process: its limits never do that, a machine out of memory does.
    pub fn is_from_outside(&self) -> bool {
        matches!(&self.how, Lost::Crashed(why) if why.contains(KILLED))
    }
}

/// Limits this process from now on, and starts the clock of the one that watches.
pub fn begin(progress: &Progress, engine: &Engine) -> Result<(), Stop> {
    limit_memory(progress, engine)?;
    progress.tell(&Message::Begun(match engine {
        Engine::Simulator(_) => SIMULATED_SECONDS,
        Engine::Gpu(_) => GPU_SECONDS,
    }));
    Ok(())
}

/// Limits the memory of this process from now on, if it is watched and simulates. The driver of a real GPU reserves more than
/// the machine has; kernels run in yet another process there.
pub fn limit_memory(progress: &Progress, engine: &Engine) -> Result<(), Stop> {
    if progress.is_watched() && matches!(engine, Engine::Simulator(_)) {
        Limits { data: Some(MEMORY), ..Limits::default() }.set().map_err(|error| {
            Stop::environment(format!("failed to limit the memory of the check: {error}"))
        })?;
    }
    Ok(())
}

impl Loss {
    /// Whether it happened while small changes were tried.
    fn is_of_a_search(&self) -> bool {
        self.step.contains(TRYING) && !self.is_from_outside()
    }

    /// The cases of a task that was right, if only the timing was late: of this task, or of one that came later.
    pub fn verified(&self, task: &str) -> Option<Vec<Case>> {
        let own = || self.verified.iter().filter(|case| case.task == task).cloned().collect::<Vec<_>>();
        matches!(self.how, Lost::Late { .. }).then(own).filter(|cases| !cases.is_empty())
    }

    /// The finding that these tasks are right, and not scored.
    pub fn unscored(&self, tasks: &[&str]) -> Finding {
        let late = self.finding();
        let message = late.message.strip_suffix(MAY_BE_RIGHT).unwrap_or(&late.message);
        let names: Vec<String> = tasks.iter().map(|task| format!("`{task}`")).collect();
        let (are, their) = if tasks.len() == 1 { ("is", "its") } else { ("are", "their") };
        let message =
            format!("{} {are} right, but {their} speed is not scored: {message}", names.join(" and "));
        Finding::new("W0705", Kind::Performance, Severity::Warning, message, &late.hint)
    }

    /// The loss as a finding.
    pub fn finding(&self) -> Finding {
        let at = if self.step.is_empty() { String::new() } else { format!(", at \"{}\"", self.step) };
        let (code, what, hint) = match &self.how {
            Lost::Late { limit, took } => {
                let busy = if *took > limit + SLACK {
                    format!(" ({took} s on this machine, which had much else to do)")
                } else {
                    String::new()
                };
                let may = if may_be_right(&self.step) { MAY_BE_RIGHT } else { "" };
                ("W0520", format!("the check took longer than {limit} s{at}{busy}{may}"), late_at(&self.step))
            }
            Lost::Memory => (
                "W0521",
                format!("the check needed more memory than it may use (2.5 GB){at}"),
                "look for large arrays and allocations, and for allocations in a loop",
            ),
            Lost::Crashed(why) => (
                "W0522",
                format!("the checker itself failed on this file{at}: {why}"),
                "please report it with your file; until then, change the part that is unlike the other solutions",
            ),
        };
        Finding::new(code, Kind::Launch, Severity::Error, what, hint)
    }

    /// Tells the loss on stderr, for a command that has no report to put it in.
    pub fn tell(&self) -> ExitCode {
        let finding = self.finding();
        eprintln!("{}", hanging("error: ", &format!("{}; {}", finding.message, finding.hint)));
        exit::verdict(false)
    }
}

/// What the message on a late check ends with if nothing speaks against the file.
const MAY_BE_RIGHT: &str = "; no picture before that came out wrong, so the file may be right on a GPU: it needs less work to be verified here";

/// Whether a check that ended in this step had found nothing wrong: it was running a case of a task.
fn may_be_right(step: &str) -> bool {
    let case = step.split_once(": ").map(|(_, case)| case);
    case.is_some_and(|case| !["timing", "counting", SEARCHING].contains(&case))
        && !step.contains(WRONG_BEFORE)
}

/// What may have taken so long in this step.
fn late_at(step: &str) -> &'static str {
    if step.contains(WRONG_BEFORE) {
        return "mend the wrong values of the smaller picture first: the cause is often the same. Then look for work that grows faster than \
                the picture, and for runtime calls in a loop of the host function";
    }
    match step.rsplit_once(": ").map_or(step, |(_, what)| what) {
        "" | COMPILING => {
            "look for text that the file has thousands of times, such as generated lines, long tables and macros: no lab needs it"
        }
        "timing" | "counting" => {
            "this is the picture that is timed, the largest: look for a loop with very many steps in every thread, a lock that all \
             threads wait for, a runtime call for every row or pixel"
        }
        _ => {
            "look for work that grows faster than the picture: a loop over many pixels in every thread, a lock that all threads \
             wait for; and for runtime calls in a loop of the host function, each of which is checked"
        }
    }
}

/// Runs this command again, with its arguments, in a second process, and shows its progress. Returns its exit code, or
/// how it was lost.
///
/// # Errors
/// The second process could not be started.
pub fn run_again() -> Result<Result<ExitCode, Loss>, Stop> {
    let mut ended = started_again(true);
    // The verdict was there before: only the search has to do without.
    if ended.as_ref().is_ok_and(|ended| ended.as_ref().is_err_and(Loss::is_of_a_search)) {
        ended = started_again(false);
    }
    ended.map_err(|error| Stop::environment(format!("failed to start the process of the check: {error}")))
}

/// Tells the second process not to search for small changes, in which the one before it was lost.
const WITHOUT_SEARCH: &str = "WORKBOOK_WITHOUT_SEARCH";

/// Whether this process may search for small changes that make a task right.
pub fn may_search() -> bool {
    std::env::var_os(WITHOUT_SEARCH).is_none()
}

fn started_again(searches: bool) -> io::Result<Result<ExitCode, Loss>> {
    let (ours, theirs) = UnixStream::pair()?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args(std::env::args_os().skip(1)).envs(KEPT_MEMORY).env(WATCHED, std::process::id().to_string());
    if !searches {
        command.env(WITHOUT_SEARCH, "1");
    }
    let child = command.stdin(Stdio::from(OwnedFd::from(theirs))).stderr(Stdio::piped()).spawn()?;
    // The command holds the other end of the line, which must close with the second process.
    drop(command);
    watch(Running(child), ours)
}

/// A process that is killed when this value is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only if the process has already ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// How long the second process may take.
struct Clock {
    start: Instant,
    seconds: u64,
}

impl Clock {
    /// How long to wait at most before the next look at the clock; `None` if the process is late. On a machine with much else to do
    /// it gets more time, until it has computed for most of its seconds.
    fn left(&self, process: u32) -> Option<Duration> {
        let passed = self.start.elapsed();
        if let Some(left) =
            Duration::from_secs(self.seconds).checked_sub(passed).filter(|left| !left.is_zero())
        {
            return Some(left);
        }
        let kept_waiting = passed.as_secs() < KEPT_WAITING * self.seconds
            && sandbox::computed(process)
                .is_some_and(|computed| computed.as_secs_f64() < COMPUTED * self.seconds as f64);
        kept_waiting.then_some(Duration::from_secs(1))
    }
}

fn watch(mut child: Running, line: UnixStream) -> io::Result<Result<ExitCode, Loss>> {
    let errors = child.0.stderr.take();
    let errors = std::thread::spawn(move || errors.map(forward).unwrap_or_default());
    // Shown only while the second process has no text to show.
    let mut progress: Option<Progress> = None;
    let mut step = String::new();
    let mut limit: Option<Clock> = None;
    let mut verified = Vec::new();
    let mut panicked = None;
    let mut from = BufReader::new(line);
    let mut text = Vec::new();
    loop {
        if let Some(clock) = &limit {
            let Some(left) = clock.left(child.0.id()) else {
                let took = clock.start.elapsed().as_secs();
                return Ok(Err(Loss { how: Lost::Late { limit: clock.seconds, took }, step, verified }));
            };
            from.get_ref().set_read_timeout(Some(left))?;
        }
        match from.by_ref().take(MOST_TEXT).read_until(b'\n', &mut text) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                continue;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        }
        match serde_json::from_slice(&text) {
            Ok(Message::Begun(seconds)) => limit = Some(Clock { start: Instant::now(), seconds }),
            Ok(Message::Panicked(what)) => panicked = Some(what),
            Ok(Message::Verified(cases)) => verified.extend(cases),
            Ok(Message::Step(what)) => {
                progress.get_or_insert_default().say(&what);
                step = what;
            }
            Ok(Message::Quiet) => {
                drop(progress.take());
                // If it has ended meanwhile, the next look says so.
                let _ = from.get_ref().write_all(&[0]);
            }
            Ok(message) => progress.get_or_insert_default().tell(&message),
            Err(_) => {}
        }
        text.clear();
    }
    drop(progress);
    let status = child.0.wait()?;
    let said = errors.join().unwrap_or_default();
    Ok(match status.code().and_then(|code| u8::try_from(code).ok()) {
        Some(code @ (exit::PASSED | exit::FAILED | exit::USAGE | exit::ENVIRONMENT))
            if panicked.is_none() =>
        {
            Ok(ExitCode::from(code))
        }
        _ => Err(Loss { how: how(status, panicked, &said), step, verified }),
    })
}

/// Longest line that is read.
const MOST_TEXT: u64 = 64 * 1024;

/// What the runtime of Rust prints before it ends the process for lack of memory.
const NO_MEMORY: &str = "memory allocation of ";

/// Passes error messages on, but for those of a process that dies. Returns the last of these.
fn forward(errors: impl Read) -> String {
    let mut last = String::new();
    for line in BufReader::new(errors).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).into_owned();
        if line.starts_with(NO_MEMORY) || line.contains("has overflowed its stack") {
            last = line;
        } else if last.is_empty() {
            eprintln!("{line}");
        }
    }
    last
}

fn how(status: ExitStatus, panicked: Option<String>, said: &str) -> Lost {
    match panicked {
        _ if said.starts_with(NO_MEMORY) => Lost::Memory,
        Some(text) if text.contains("failed to spawn thread") || text.contains("capacity overflow") => {
            Lost::Memory
        }
        Some(text) => Lost::Crashed(text),
        None if said.is_empty() => Lost::Crashed(status.to_string()),
        None => Lost::Crashed(said.trim().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::watcher::Watcher;

    /// What becomes of a program that says these messages before its script runs.
    fn watched(said: &[Message], script: &str) -> Result<ExitCode, Loss> {
        let (ours, theirs) = UnixStream::pair().expect("a pair");
        let own = Watcher::on(theirs.try_clone().expect("a copy"));
        for message in said {
            own.tell(message);
        }
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::from(OwnedFd::from(theirs))).stderr(Stdio::piped());
        let child = command.spawn().expect("a shell");
        drop((command, own));
        watch(Running(child), ours).expect("it can be watched")
    }

    fn lost(said: &[Message], script: &str) -> Loss {
        watched(said, script).expect_err("it has no verdict")
    }

    #[test]
    fn a_verdict_is_passed_on() {
        assert_eq!(watched(&[Message::Begun(60)], "exit 1"), Ok(ExitCode::from(1)));
        assert_eq!(watched(&[], "echo 'a note' >&2; exit 0"), Ok(ExitCode::from(0)));
    }

    #[test]
    fn a_process_that_is_late_is_lost_where_it_was() {
        let said = [Message::Begun(1), Message::Step("grayscale: 1x1".into())];
        let loss = lost(&said, "sleep 30");
        assert_eq!(loss.step, "grayscale: 1x1");
        assert!(matches!(loss.how, Lost::Late { limit: 1, took } if took >= 1), "{:?}", loss.how);
    }

    #[test]
    fn a_task_that_was_right_before_it_was_late_stays_right() {
        let case = Case {
            task: "sobel".into(),
            name: "1x1".into(),
            width: 1,
            height: 1,
            verdict: crate::case::Verdict::Passed,
            wrong: 0,
            differing: 0,
            total: 1,
            mismatches: Vec::new(),
            note: String::new(),
            printed: String::new(),
            timed: false,
        };
        let step = Message::Step("sobel: timing".into());
        let said = [Message::Begun(1), Message::Verified(vec![case.clone()]), step];
        let loss = lost(&said, "sleep 30");
        assert_eq!(loss.verified("sobel"), Some(vec![case]));
        assert_eq!(loss.verified("grayscale"), None);
        let finding = loss.unscored(&["sobel"]);
        assert_eq!((finding.code.as_str(), finding.severity), ("W0705", Severity::Warning));
        assert!(
            finding.message.starts_with("`sobel` is right, but its speed is not scored: the check took"),
            "{}",
            finding.message
        );
        assert_eq!(lost(&said, "kill -KILL $$").verified("sobel"), None);
    }

    #[test]
    fn a_late_check_tells_its_step_and_how_long_it_really_took() {
        let late = |took, step: &str| {
            let how = Lost::Late { limit: 50, took };
            let loss = Loss { how, step: step.to_owned(), verified: Vec::new() };
            let finding = loss.finding();
            (finding.message, finding.hint)
        };
        let (message, hint) = late(51, COMPILING);
        assert_eq!(message, "the check took longer than 50 s, at \"compiling\"");
        assert!(hint.contains("generated lines") && !hint.contains("picture"), "{hint}");
        let (message, hint) = late(110, "sobel: timing");
        assert!(
            message.ends_with("at \"sobel: timing\" (110 s on this machine, which had much else to do)"),
            "{message}"
        );
        assert!(hint.contains("the largest"), "{hint}");
        let step = format!("sobel: 64x64 ({WRONG_BEFORE}, first \"1x1\", with 5 for 7 in `out[0]`)");
        let (message, hint) = late(51, &step);
        assert!(
            message.contains("5 for 7") && hint.starts_with("mend the wrong values"),
            "{message}: {hint}"
        );
        assert!(!message.contains("may be right"), "{message}");
        let (message, hint) = late(51, "sobel: 8x4, exactly one warp");
        assert!(
            message.contains("; no picture before that came out wrong, so the file may be right"),
            "{message}"
        );
        assert!(hint.contains("runtime calls in a loop"), "{hint}");
        for step in ["sobel: timing", "sobel: counting", "sobel: searching for the cause", COMPILING, ""] {
            assert!(!late(51, step).0.contains("may be right"), "{step}");
        }
    }

    #[test]
    fn a_process_that_dies_is_lost_and_says_of_what() {
        let memory = "echo 'memory allocation of 99999999999 bytes failed' >&2; kill -ABRT $$";
        assert_eq!(lost(&[], memory).how, Lost::Memory);
        assert_eq!(lost(&[], "kill -KILL $$").how, Lost::Crashed("signal: 9 (SIGKILL)".into()));
        let stack = "echo \"thread 'main' has overflowed its stack\" >&2; kill -ABRT $$";
        assert_eq!(lost(&[], stack).how, Lost::Crashed("thread 'main' has overflowed its stack".into()));
    }

    /// A thread that panics may leave a process that ends as if nothing had happened.
    #[test]
    fn a_panic_and_an_unknown_exit_code_are_no_verdict() {
        let panicked = [Message::Panicked("index out of bounds".into())];
        assert_eq!(lost(&panicked, "exit 0").how, Lost::Crashed("index out of bounds".into()));
        assert_eq!(lost(&[], "exit 101").how, Lost::Crashed("exit status: 101".into()));
    }
}
