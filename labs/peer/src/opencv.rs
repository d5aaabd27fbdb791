//! OpenCV in a Python process that lives as long as the benchmark.

use std::io::{BufRead as _, BufReader, Error, Result, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// What to ask OpenCV for: a method of the program in `opencv.py`.
#[derive(Debug, Clone)]
pub struct Operation {
    /// The method.
    pub method: &'static str,
    /// Its integer parameters.
    pub parameters: Vec<i32>,
    /// The OpenCV calls it makes, and how they differ from the task: printed beside the times.
    pub note: &'static str,
}

impl Operation {
    /// A method without parameters.
    pub const fn new(method: &'static str, note: &'static str) -> Self {
        Self { method, parameters: Vec::new(), note }
    }
}

/// The Python process, and the pipes to and from it.
#[derive(Debug)]
pub struct OpenCv {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    /// `5.0.0`
    pub version: String,
    /// Threads that OpenCV uses by default.
    pub threads: usize,
}

impl OpenCv {
    /// Starts the Python that `OPENCV_PYTHON` names, or `python3`.
    ///
    /// # Errors
    /// A message that says what to install: there is no such Python, or it has no OpenCV.
    pub fn start() -> std::result::Result<Self, String> {
        let python = std::env::var("OPENCV_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let advice = "install it with `pip install opencv-python-headless` in a virtual environment, and name that \
                      environment's Python in OPENCV_PYTHON";
        let mut child = Command::new(&python)
            .args(["-c", include_str!("opencv.py")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("failed to start `{python}`: {error}; {advice}"))?;
        let (to, from) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let mut peer = Self { child, to, from: BufReader::new(from), version: String::new(), threads: 0 };
        let greeting = peer.line().map_err(|_| format!("`{python}` cannot import OpenCV: {advice}"))?;
        let mut words = greeting.split_whitespace().skip(1).map(str::to_owned);
        peer.version = words.next().unwrap_or_default();
        peer.threads = words.next().and_then(|threads| threads.parse().ok()).unwrap_or(1);
        Ok(peer)
    }

    /// Sends the picture that the next operations work on: rows of `width` pixels of `channels` bytes.
    pub fn image(&mut self, bytes: &[u8], width: usize, channels: usize) -> Result<()> {
        let mut file = tempfile::NamedTempFile::new()?;
        file.write_all(bytes)?;
        let (path, height) = (file.path().display(), bytes.len() / (width * channels));
        writeln!(self.to, "image\t{path}\t{width}\t{height}\t{channels}")?;
        self.line().map(|_| ())
    }

    /// Time of `repetitions` on `threads` threads; 0 threads means all.
    pub fn time(&mut self, operation: &Operation, threads: usize, repetitions: u64) -> Result<Duration> {
        write!(self.to, "time\t{}\t{threads}\t{repetitions}", operation.method)?;
        for number in &operation.parameters {
            write!(self.to, "\t{number}")?;
        }
        writeln!(self.to)?;
        let seconds: f64 = self.line()?.trim().parse().map_err(Error::other)?;
        Ok(Duration::from_secs_f64(seconds))
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.from.read_line(&mut line)? > 0 {
            return Ok(line);
        }
        let mut complaint = String::new();
        if let Some(stderr) = self.child.stderr.take() {
            std::io::Read::read_to_string(&mut BufReader::new(stderr), &mut complaint)?;
        }
        Err(Error::other(format!("Python ended: {}", complaint.trim_end())))
    }
}

impl Drop for OpenCv {
    fn drop(&mut self) {
        // The process waits for the next command and has nothing to save.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
