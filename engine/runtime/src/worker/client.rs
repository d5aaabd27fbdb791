//! The parent's side: starts a worker, sends requests, and waits for answers until a deadline.

use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::protocol::{Request, Response, receive, send};
use crate::job::{Failure, shown};

/// Bytes of printed text that are kept.
const PRINTED: usize = 64 * 1024;

/// A process of this program that answers requests. It ends when this value is dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    channel: UnixStream,
    printed: Arc<Mutex<Vec<u8>>>,
    readers: Vec<JoinHandle<()>>,
}

impl Process {
    /// Starts the program with its standard input connected to this value. Its other streams are kept as printed text.
    ///
    /// # Errors
    /// The system's error, such as a program that does not exist.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        let mut child = command
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let printed = Arc::new(Mutex::new(Vec::new()));
        let mut readers = Vec::new();
        if let Some(stdout) = child.stdout.take() {
            readers.push(capture(stdout, Arc::clone(&printed)));
        }
        if let Some(stderr) = child.stderr.take() {
            readers.push(capture(stderr, Arc::clone(&printed)));
        }
        Ok(Self { child, channel: ours, printed, readers })
    }

    /// Sends a request, and waits for the answer at most `limit`.
    ///
    /// # Errors
    /// Why there is no answer. The process has ended then.
    pub fn ask<Q: Serialize, A: DeserializeOwned>(
        &mut self,
        request: &Q,
        bytes: &[&[u8]],
        limit: Duration,
    ) -> Result<(A, Vec<Vec<u8>>), Failure> {
        self.ask_while(request, bytes, limit, &|_, _| false)
    }

    /// The same, and waits longer while `kept_waiting` says so of the process's number and the time that has passed: the machine has
    /// much else to do.
    ///
    /// # Errors
    /// Why there is no answer. The process has ended then.
    pub fn ask_while<Q: Serialize, A: DeserializeOwned>(
        &mut self,
        request: &Q,
        bytes: &[&[u8]],
        limit: Duration,
        kept_waiting: &dyn Fn(u32, Duration) -> bool,
    ) -> Result<(A, Vec<Vec<u8>>), Failure> {
        let start = Instant::now();
        let process = self.child.id();
        let more = || kept_waiting(process, start.elapsed());
        let mut channel = Deadline { channel: &self.channel, at: start + limit, more: &more };
        let answer = send(&mut channel, request, bytes).and_then(|()| receive(&mut channel));
        answer.map_err(|error| self.failure(&error, limit))
    }

    /// Takes the text printed since the last call that has arrived.
    pub fn take_printed(&self) -> Vec<u8> {
        std::mem::take(&mut self.printed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn failure(&mut self, error: &io::Error, limit: Duration) -> Failure {
        match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => {
                self.end();
                Failure::Deadline { seconds: limit.as_secs() }
            }
            io::ErrorKind::UnexpectedEof | io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => {
                let status =
                    self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
                self.join_readers();
                let said = shown(&self.take_printed());
                let last = said.lines().last().map(|line| format!(": {line}")).unwrap_or_default();
                Failure::Died { status: status + &last }
            }
            _ => {
                self.end();
                Failure::Broken(format!("failed to communicate with the worker process: {error}"))
            }
        }
    }

    fn join_readers(&mut self) {
        for reader in self.readers.drain(..) {
            // The text of a reader that panicked is lost; nothing else depends on it.
            let _ = reader.join();
        }
    }

    fn end(&mut self) {
        // Both fail only if the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
        self.join_readers();
    }
}

/// An answer, and the bytes that came with it.
pub type Reply = (Response, Vec<Vec<u8>>);

/// Environment of a process that makes glibc keep freed memory. Returning a picture's pages to the system and getting new
/// ones for the next run takes longer than most runs.
pub const KEPT_MEMORY: [(&str, &str); 2] =
    [("MALLOC_MMAP_MAX_", "0"), ("MALLOC_TRIM_THRESHOLD_", "17179869184")];

/// A process that runs kernels.
#[derive(Debug)]
pub struct Worker(Process);

impl Worker {
    /// Starts `program worker`.
    pub fn start(program: &Path) -> io::Result<Self> {
        let parent = std::process::id().to_string();
        Process::start(Command::new(program).args(["worker", "--parent", &parent]).envs(KEPT_MEMORY))
            .map(Self)
    }

    /// Sends a request, and waits for the answer at most `limit`. After any failure the worker has ended.
    pub fn ask(&mut self, request: &Request, bytes: &[&[u8]], limit: Duration) -> Result<Reply, Failure> {
        match self.0.ask(request, bytes, limit)? {
            (Response::Failed(failure), _) => {
                self.0.end();
                Err(failure)
            }
            reply => Ok(reply),
        }
    }

    /// Takes the text printed since the last call that has arrived.
    pub fn take_printed(&self) -> Vec<u8> {
        self.0.take_printed()
    }
}

/// Reads to the end, and keeps only the beginning: a flood of text neither blocks the worker nor fills our memory.
fn capture(mut from: impl Read + Send + 'static, into: Arc<Mutex<Vec<u8>>>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(length @ 1..) = from.read(&mut buffer) {
            let mut kept = into.lock().unwrap_or_else(PoisonError::into_inner);
            let room = PRINTED.saturating_sub(kept.len()).min(length);
            kept.extend_from_slice(&buffer[..room]);
        }
    })
}

/// A channel with one deadline for all its reads and writes.
struct Deadline<'a> {
    channel: &'a UnixStream,
    at: Instant,
    /// Asked at the deadline: whether to wait a little longer.
    more: &'a dyn Fn() -> bool,
}

/// How much longer.
const LONGER: Duration = Duration::from_secs(1);

impl Deadline<'_> {
    fn left(&mut self) -> io::Result<Option<Duration>> {
        let left = self.at.saturating_duration_since(Instant::now());
        if !left.is_zero() {
            return Ok(Some(left));
        }
        if !(self.more)() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.at = Instant::now() + LONGER;
        Ok(Some(LONGER))
    }
}

impl Read for Deadline<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let left = self.left()?;
            self.channel.set_read_timeout(left)?;
            match self.channel.read(buffer) {
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                }
                other => return other,
            }
        }
    }
}

impl Write for Deadline<'_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let left = self.left()?;
        self.channel.set_write_timeout(left)?;
        self.channel.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.channel.flush()
    }
}
