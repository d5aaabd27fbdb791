//! One compilation, from source text to PTX or cubin.

use std::ffi::{CString, c_char, c_int};
use std::ptr;

use super::library::{FillCall, Functions, Program, SizeCall, Status};
use super::types::{CompileError, Compiled, CompilerError, Request, Target};
use super::{Compiler, names};
use crate::diagnostics::{self, Diagnostic, Severity};

/// `NVRTC_ERROR_COMPILATION`: the only status that means an error in the source.
const SOURCE_AT_FAULT: Status = 6;
/// A larger log is not fetched at all: macros can make it as large as the memory.
const LOG_BYTES_FETCHED: usize = 256 << 20;

impl Compiler {
    /// Compiles one text. `.file` entries in PTX and names in diagnostics are those of the request, so the image
    /// depends on neither the machine nor the current folder.
    pub fn compile(&self, request: &Request<'_>) -> Result<Compiled, CompileError> {
        let architecture = self.architecture_option(request.target)?;
        let source = no_nul(request.source).map_err(|at| nul_in_source(request, at))?;
        let options = options(architecture, request)?;
        let program = self.program(&source, request)?;
        let pointers = pointers(&options);
        // SAFETY: the program is alive, and `pointers` holds as many C strings as `count` says.
        let status = unsafe { (self.functions.compile)(program.handle, count(&pointers), pointers.as_ptr()) };
        let mut found = program.diagnostics()?;
        names::restore_in_diagnostics(&mut found, request);
        if status == SOURCE_AT_FAULT {
            return Err(CompileError::Source(with_an_error(found)?));
        }
        self.functions.check(status).map_err(|reason| internal(&reason, &found))?;
        let ptx = || program.ptx().map(|ptx| names::restore_in_ptx(&ptx, request));
        let (image, ptx) = match request.target {
            Target::Ptx(_) => (ptx()?.into_bytes(), None),
            Target::Cubin(_) => {
                let image = program.bytes(self.functions.cubin_size, self.functions.cubin)?;
                (image, ptx().ok().filter(|ptx| !ptx.is_empty()))
            }
        };
        Ok(Compiled { image, ptx, diagnostics: found })
    }

    fn architecture_option(&self, target: Target) -> Result<String, CompilerError> {
        let (kind, number) = match target {
            Target::Ptx(number) => ("compute", number),
            Target::Cubin(number) => ("sm", number),
        };
        if self.architectures().contains(&number) {
            return Ok(format!("--gpu-architecture={kind}_{number}"));
        }
        let (major, minor) = self.version();
        Err(CompilerError::Internal(format!(
            "NVRTC {major}.{minor} does not compile for `{kind}_{number}`, only for {:?}; another version may: \
             set `WORKBOOK_NVRTC` to its `libnvrtc.so`",
            self.architectures()
        )))
    }

    fn program(&self, source: &CString, request: &Request<'_>) -> Result<LiveProgram<'_>, CompilerError> {
        let headers = |pick: fn(&(&str, &str)) -> String| -> Result<Vec<CString>, CompilerError> {
            request.headers.iter().map(|header| option(pick(header))).collect()
        };
        let texts = headers(|(_, text)| (*text).to_owned())?;
        let header_names = headers(|(name, _)| (*name).to_owned())?;
        let (texts, header_names) = (pointers(&texts), pointers(&header_names));
        let name = option(names::told(request.file))?;
        let mut handle: Program = ptr::null_mut();
        // SAFETY: all strings live until the call returns, and NVRTC copies them.
        let status = unsafe {
            (self.functions.create)(
                &raw mut handle,
                source.as_ptr(),
                name.as_ptr(),
                count(&texts),
                texts.as_ptr(),
                header_names.as_ptr(),
            )
        };
        self.functions.check(status).map_err(CompilerError::Internal)?;
        Ok(LiveProgram { handle, functions: &self.functions })
    }
}

/// An `nvrtcProgram`, destroyed when this is dropped.
struct LiveProgram<'a> {
    handle: Program,
    functions: &'a Functions,
}

impl Drop for LiveProgram<'_> {
    fn drop(&mut self) {
        // SAFETY: made by `nvrtcCreateProgram` and not destroyed before.
        unsafe { (self.functions.destroy)(&raw mut self.handle) };
    }
}

impl LiveProgram<'_> {
    fn length(&self, size: SizeCall) -> Result<usize, CompilerError> {
        let mut length = 0;
        // SAFETY: the program is alive; `length` is written before the call returns.
        let status = unsafe { size(self.handle, &raw mut length) };
        self.functions.check(status).map_err(CompilerError::Internal)?;
        Ok(length)
    }

    fn bytes(&self, size: SizeCall, fill: FillCall) -> Result<Vec<u8>, CompilerError> {
        let mut bytes = vec![0; self.length(size)?];
        // SAFETY: NVRTC writes as many bytes as it has just reported.
        let status = unsafe { fill(self.handle, bytes.as_mut_ptr().cast::<c_char>()) };
        self.functions.check(status).map_err(CompilerError::Internal)?;
        Ok(bytes)
    }

    /// The same without the final NUL.
    fn text(&self, size: SizeCall, fill: FillCall) -> Result<Vec<u8>, CompilerError> {
        let mut bytes = self.bytes(size, fill)?;
        if bytes.last() == Some(&0) {
            bytes.pop();
        }
        Ok(bytes)
    }

    fn ptx(&self) -> Result<String, CompilerError> {
        String::from_utf8(self.text(self.functions.ptx_size, self.functions.ptx)?)
            .map_err(|_| CompilerError::Internal("its PTX is not text".to_owned()))
    }

    fn diagnostics(&self) -> Result<Vec<Diagnostic>, CompilerError> {
        let length = self.length(self.functions.log_size)?;
        if length > LOG_BYTES_FETCHED {
            let message = format!("the compiler's messages are too many to show ({} MiB)", length >> 20);
            return Ok(vec![diagnostics::unplaced(Severity::Remark, message)]);
        }
        let log = self.text(self.functions.log_size, self.functions.log)?;
        let start = String::from_utf8_lossy(&log[..log.len().min(diagnostics::LOG_LIMIT)]);
        Ok(diagnostics::parse_start(&start, log.len()))
    }
}

/// Adds the options of every compilation. With `-default-device` a host function compiles as device code, so that
/// it can be interpreted. `--use_fast_math` is never used, because the reference is computed with full precision.
fn options(architecture: String, request: &Request<'_>) -> Result<Vec<CString>, CompilerError> {
    let ours = ["-lineinfo", "-default-device", "-device-int128", "-std=c++20"].map(str::to_owned);
    let all = ours.into_iter().chain([architecture]).chain(request.options.iter().cloned());
    all.map(option).collect()
}

fn option(text: String) -> Result<CString, CompilerError> {
    CString::new(text).map_err(|_| CompilerError::Internal("an option or header holds a NUL byte".to_owned()))
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).collect()
}

fn count(list: &[*const c_char]) -> c_int {
    c_int::try_from(list.len()).expect("options and headers are few")
}

/// The text as a C string, or the offset of the NUL in it.
fn no_nul(source: &str) -> Result<CString, usize> {
    CString::new(source).map_err(|error| error.nul_position())
}

fn nul_in_source(request: &Request<'_>, at: usize) -> CompileError {
    let line = request.source[..at].matches('\n').count() as u32 + 1;
    let message = "the file holds a NUL byte; save it as plain UTF-8 text".to_owned();
    let file = request.file.to_owned();
    let placed = Diagnostic { file, line, ..diagnostics::unplaced(Severity::Error, message) };
    CompileError::Source(vec![placed])
}

/// Makes sure that a refused source comes with an error: if none was recognised, the first message without a
/// position becomes one.
fn with_an_error(mut found: Vec<Diagnostic>) -> Result<Vec<Diagnostic>, CompilerError> {
    if found.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return Ok(found);
    }
    let unplaced = |diagnostic: &&mut Diagnostic| diagnostic.line == 0;
    match found.iter_mut().find(unplaced) {
        Some(diagnostic) => diagnostic.severity = Severity::Error,
        None => return Err(CompilerError::Internal("it rejected the file without a message".to_owned())),
    }
    Ok(found)
}

fn internal(reason: &str, found: &[Diagnostic]) -> CompilerError {
    let mut text = reason.to_owned();
    for diagnostic in found {
        text.push_str("; ");
        text.push_str(&diagnostic.message);
    }
    CompilerError::Internal(text)
}
