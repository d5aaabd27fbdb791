//! Compiling in a process that has no rights: the text of a submission is the first hostile input, and the compiler is
//! the only native code that reads it.
//!
//! The process loads the compiler, gives up its rights (see [`sandbox::confine`]), and only then receives the text. Its
//! environment and its current folder are empty. So an `#include` of a file, of the environment or of another process
//! finds nothing, and a macro or template bomb ends that process alone.

use std::io::{self, BufReader, BufWriter};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use cuda::diagnostics::Diagnostic;
use cuda::nvrtc::{CompileError, Compiled, Compiler, CompilerError, Request, Target};
use runtime::job::Failure;
use runtime::worker::{Process, receive, send};
use sandbox::Limits;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::compile::headers;
use super::passes::Compile;
use crate::exit::{self, Stop};

/// Seconds for all passes over one file. The slowest rung of the ladders takes two.
const SECONDS: u64 = 20;
/// The part of them that it has to have computed before it is late, while it has not waited for too long.
const COMPUTED: f64 = 0.8;
/// Times its seconds that it may take on a machine with much else to do.
const KEPT_WAITING: u64 = 3;
/// The limits of the process. A rung needs half a gigabyte of address space, most of it the compiler itself.
const LIMITS: Limits = Limits {
    address_space: Some(2560 << 20),
    data: None,
    cpu_seconds: Some(2 * SECONDS),
    file_size: Some(0),
};

/// The compiler in a confined process. A process compiles one file; the next file gets a new one.
pub struct Confined {
    program: PathBuf,
    library: PathBuf,
    /// The current folder of each process.
    empty: TempDir,
    /// A process that loads the compiler while the rest is prepared.
    ready: Mutex<Option<Process>>,
    unconfined: OnceLock<String>,
}

/// All passes over one file. The headers are those of the workbook, which both processes have.
#[derive(Serialize, Deserialize)]
struct Wanted {
    file: String,
    passes: Vec<WantedPass>,
}

#[derive(Serialize, Deserialize)]
struct WantedPass {
    source: String,
    options: Vec<String>,
    target: Target,
}

/// The answer. Bytes: the image of each pass, empty if it has none.
#[derive(Serialize, Deserialize)]
struct Answer {
    passes: Vec<Result<MadePass, Refused>>,
    /// Why the process could not give up its rights.
    unconfined: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct MadePass {
    ptx: Option<String>,
    diagnostics: Vec<Diagnostic>,
}

#[derive(Serialize, Deserialize)]
enum Refused {
    Source(Vec<Diagnostic>),
    Compiler(String),
}

impl Confined {
    /// Starts the first process. `library` is the path of the compiler.
    ///
    /// # Errors
    /// The system's error, such as no room for a temporary folder.
    pub fn new(program: PathBuf, library: &Path) -> io::Result<Self> {
        let empty = tempfile::Builder::new().prefix("warpbook-").tempdir()?;
        let new = Self {
            program,
            library: library.to_owned(),
            empty,
            ready: Mutex::new(None),
            unconfined: OnceLock::new(),
        };
        *new.ready.lock().unwrap_or_else(PoisonError::into_inner) = Some(new.start()?);
        Ok(new)
    }

    /// Why compilations are not confined on this machine, known after the first.
    pub fn unconfined(&self) -> Option<&str> {
        self.unconfined.get().map(String::as_str)
    }

    fn start(&self) -> io::Result<Process> {
        let mut command = Command::new(&self.program);
        command.arg("compiler").arg("--library").arg(&self.library);
        command.args(["--parent", &std::process::id().to_string()]);
        Process::start(command.env_clear().current_dir(self.empty.path()))
    }
}

impl Compile for Confined {
    fn compile_all(&self, requests: &[Request<'_>]) -> Result<Vec<Result<Compiled, CompileError>>, Failure> {
        let ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut process = match ready {
            Some(process) => process,
            None => self.start().map_err(|error| {
                Failure::Broken(format!("failed to start the compiler's process: {error}"))
            })?,
        };
        let pass = |request: &Request<'_>| WantedPass {
            source: request.source.to_owned(),
            options: request.options.to_vec(),
            target: request.target,
        };
        let file = requests.first().map(|request| request.file.to_owned()).unwrap_or_default();
        let wanted = Wanted { file, passes: requests.iter().map(pass).collect() };
        let (answer, images): (Answer, _) =
            process.ask_while(&wanted, &[], Duration::from_secs(SECONDS), &kept_waiting)?;
        if let Some(reason) = answer.unconfined {
            // A second file finds the same reason.
            let _ = self.unconfined.set(reason);
        }
        if answer.passes.len() != requests.len() || images.len() != requests.len() {
            return Err(Failure::Broken("the compiler's process gave an unexpected answer".to_owned()));
        }
        let made = |(pass, image): (Result<MadePass, Refused>, Vec<u8>)| match pass {
            Ok(MadePass { ptx, diagnostics }) => Ok(Compiled { image, ptx, diagnostics }),
            Err(Refused::Source(diagnostics)) => Err(CompileError::Source(diagnostics)),
            Err(Refused::Compiler(message)) => Err(CompilerError::Internal(message).into()),
        };
        Ok(answer.passes.into_iter().zip(images).map(made).collect())
    }
}

/// Compile for another process of this program
#[derive(Debug, clap::Args)]
pub struct CompilerWorker {
    /// The compiler's library
    #[arg(long)]
    library: PathBuf,
    /// The process to end with
    #[arg(long)]
    parent: u32,
}

impl CompilerWorker {
    /// Gives up all rights, and compiles until the parent closes the channel.
    ///
    /// # Errors
    /// The channel's.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let lost = |error: io::Error| Stop::environment(format!("the compiler's process failed: {error}"));
        // Where this is not possible, the closed channel ends the loop.
        let _ = sandbox::die_with_parent(self.parent);
        LIMITS.set().map_err(lost)?;
        let channel = io::stdin().as_fd().try_clone_to_owned().map(UnixStream::from).map_err(lost)?;
        let mut from = BufReader::new(channel.try_clone().map_err(lost)?);
        let mut to = BufWriter::new(channel);
        let compiler = Compiler::open(&self.library).map_err(|error| Stop::Environment(error.into()))?;
        let folder = self.library.parent().unwrap_or(&self.library);
        let unconfined = sandbox::confine(folder).err().map(|error| error.to_string());
        loop {
            let wanted = match receive(&mut from) {
                Ok((wanted, _)) => wanted,
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    return Ok(ExitCode::from(exit::PASSED));
                }
                Err(error) => return Err(lost(error)),
            };
            let (passes, images) = compile(&compiler, &wanted)?;
            let answer = Answer { passes, unconfined: unconfined.clone() };
            let images: Vec<&[u8]> = images.iter().map(Vec::as_slice).collect();
            send(&mut to, &answer, &images).map_err(lost)?;
        }
    }
}

/// Whether the machine has kept the compiler waiting: until it has computed for most of its seconds, it gets more time.
fn kept_waiting(process: u32, passed: Duration) -> bool {
    passed.as_secs() < KEPT_WAITING * SECONDS
        && sandbox::computed(process)
            .is_some_and(|computed| computed.as_secs_f64() < COMPUTED * SECONDS as f64)
}

type Images = Vec<Vec<u8>>;

fn compile(compiler: &Compiler, wanted: &Wanted) -> Result<(Vec<Result<MadePass, Refused>>, Images), Stop> {
    let headers = headers();
    let requests: Vec<Request<'_>> = wanted
        .passes
        .iter()
        .map(|WantedPass { source, options, target }| Request {
            source,
            file: &wanted.file,
            headers: &headers,
            options,
            target: *target,
        })
        .collect();
    let made = compiler.compile_all(&requests).map_err(|failure| Stop::environment(failure.to_string()))?;
    let parts = made.into_iter().map(|made| match made {
        Ok(Compiled { image, ptx, diagnostics }) => (Ok(MadePass { ptx, diagnostics }), image),
        Err(CompileError::Source(diagnostics)) => (Err(Refused::Source(diagnostics)), Vec::new()),
        Err(CompileError::Compiler(error)) => (Err(Refused::Compiler(error.to_string())), Vec::new()),
    });
    Ok(parts.unzip())
}
