//! Compilations that are remembered: `checker hint` after `checker lab2`, and the yardstick of every check, are not compiled again.
//!
//! What a compilation depends on is its name: the texts, the options and the compiler. Graded checks remember nothing, so that nothing
//! which was put into the folder counts.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

use cuda::diagnostics::Diagnostic;
use cuda::nvrtc::{CompileError, Compiled, Request};
use grading::hash::of_parts;
use runtime::job::Failure;
use runtime::worker::{receive, send};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::passes::Compile;
use crate::submission::regular;

/// How names of files begin that are being written.
const UNFINISHED: &str = ".compiled-";
/// Changes with the form of the files.
const FORM: &str = "1";
/// Files that are kept: the newest. Of 128 of tests, half had less than 75 kB, and the largest 3.5 MB.
const MOST: usize = 128;
const DIGEST: usize = 32;
/// Bytes of a file that is read: more than any compilation of a file of the largest size made.
const MOST_BYTES: u64 = 32 << 20;

/// A folder of compilations by one compiler.
#[derive(Debug)]
pub struct Memory {
    folder: PathBuf,
    /// Path, size and time of the compiler's library.
    compiler: String,
}

/// A compiler, and what it has compiled before.
#[derive(Clone, Copy)]
pub struct Remembered<'a> {
    /// The compiler.
    pub compiler: &'a dyn Compile,
    /// Nothing is remembered without it.
    pub memory: Option<&'a Memory>,
}

impl Compile for Remembered<'_> {
    fn compile_all(&self, requests: &[Request<'_>]) -> Result<Vec<Result<Compiled, CompileError>>, Failure> {
        match self.memory {
            Some(memory) => memory.compile(self.compiler, requests),
            None => self.compiler.compile_all(requests),
        }
    }
}

/// All passes over one file, but for their images.
#[derive(Serialize, Deserialize)]
struct Known {
    passes: Vec<(Option<String>, Vec<Diagnostic>)>,
}

impl Memory {
    /// In the user's cache folder; `None` if there is none, or the compiler's file is gone.
    pub fn of(library: &Path) -> Option<Self> {
        let file = fs::metadata(library).ok()?;
        let changed = file.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        let compiler = format!("{} {} {}", library.display(), file.len(), changed.as_nanos());
        Some(Self { folder: cuda::nvrtc::cache()?.join("compiled"), compiler })
    }

    /// What `compiler` makes of these requests, or has made of them before. Refused files are not remembered.
    ///
    /// # Errors
    /// The compiler's.
    fn compile(
        &self,
        compiler: &dyn Compile,
        requests: &[Request<'_>],
    ) -> Result<Vec<Result<Compiled, CompileError>>, Failure> {
        let file = self.folder.join(self.name(requests));
        if let Some(known) = read(&file).filter(|known| known.len() == requests.len()) {
            return Ok(known.into_iter().map(Ok).collect());
        }
        let made = compiler.compile_all(requests)?;
        if let Some(made) = made.iter().map(|pass| pass.as_ref().ok()).collect::<Option<Vec<_>>>() {
            // A folder that cannot be written to costs the next check its time, and nothing else.
            let _ = self.keep(&file, &made);
        }
        Ok(made)
    }

    fn name(&self, requests: &[Request<'_>]) -> String {
        let mut parts = vec![FORM.to_owned(), self.compiler.clone()];
        for Request { source, file, headers, options, target } in requests {
            parts.push(format!("{target:?} {} {}", headers.len(), options.len()));
            parts.extend(headers.iter().flat_map(|(name, text)| [name, text]).map(|&text| text.to_owned()));
            parts.extend(options.iter().cloned());
            parts.extend([*file, *source].map(str::to_owned));
        }
        of_parts(&parts.iter().map(String::as_bytes).collect::<Vec<_>>())
    }

    /// Writes a file at once, whoever reads it meanwhile, and removes the oldest.
    fn keep(&self, file: &Path, made: &[&Compiled]) -> io::Result<()> {
        let known =
            Known { passes: made.iter().map(|pass| (pass.ptx.clone(), pass.diagnostics.clone())).collect() };
        let images: Vec<&[u8]> = made.iter().map(|pass| pass.image.as_slice()).collect();
        let mut content = Vec::new();
        send(&mut content, &known, &images)?;
        fs::create_dir_all(&self.folder)?;
        let mut new = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(&self.folder)?;
        new.write_all(&Sha256::digest(&content))?;
        new.write_all(&content)?;
        new.persist(file)?;
        self.forget()
    }

    fn forget(&self) -> io::Result<()> {
        let mut files: Vec<(SystemTime, PathBuf)> = fs::read_dir(&self.folder)?
            .filter_map(|entry| {
                let entry = entry.ok().filter(|entry| is_own(&entry.file_name()))?;
                Some((entry.metadata().ok()?.modified().ok()?, entry.path()))
            })
            .collect();
        files.sort();
        let old = files.len().saturating_sub(MOST);
        files.into_iter().take(old).try_for_each(|(_, file)| fs::remove_file(file))
    }
}

/// Whether a file has a name as compilations have, or as one that was interrupted: others belong to somebody else.
fn is_own(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| {
        name.len() == 2 * DIGEST && name.bytes().all(|byte| byte.is_ascii_hexdigit())
            || name.starts_with(UNFINISHED)
    })
}

/// What a file holds; `None` if it is not there or not whole.
fn read(file: &Path) -> Option<Vec<Compiled>> {
    let content = regular(file, MOST_BYTES).ok()?;
    let (digest, mut content) = content.split_at_checked(DIGEST)?;
    if Sha256::digest(content).as_slice() != digest {
        return None;
    }
    let (known, images): (Known, _) = receive(&mut content).ok()?;
    let whole = known.passes.len() == images.len();
    let pass = |((ptx, diagnostics), image)| Compiled { image, ptx, diagnostics };
    whole.then(|| known.passes.into_iter().zip(images).map(pass).collect())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use cuda::nvrtc::Target;

    use super::*;

    /// Makes the text itself, counts how often, and refuses the empty one.
    #[derive(Default)]
    struct Counted(AtomicUsize);

    impl Compile for Counted {
        fn compile_all(
            &self,
            requests: &[Request<'_>],
        ) -> Result<Vec<Result<Compiled, CompileError>>, Failure> {
            self.0.fetch_add(1, Ordering::Relaxed);
            let made = |request: &Request<'_>| {
                if request.source.is_empty() {
                    return Err(CompileError::Source(Vec::new()));
                }
                let ptx = Some(request.file.to_owned());
                Ok(Compiled { image: request.source.as_bytes().to_vec(), ptx, diagnostics: Vec::new() })
            };
            Ok(requests.iter().map(made).collect())
        }
    }

    fn memory(folder: &Path) -> Memory {
        Memory { folder: folder.to_owned(), compiler: "one".to_owned() }
    }

    fn image(memory: &Memory, compiler: &Counted, source: &str, options: &[String]) -> Option<Vec<u8>> {
        let request = Request { source, file: "a.cu", headers: &[], options, target: Target::Ptx(90) };
        memory.compile(compiler, &[request]).unwrap().remove(0).ok().map(|made| made.image)
    }

    #[test]
    fn the_same_text_is_compiled_once() {
        let folder = tempfile::tempdir().unwrap();
        let (memory, compiler) = (memory(folder.path()), Counted::default());
        let of = |source: &str, options: &[&str]| {
            let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
            let made = image(&memory, &compiler, source, &options);
            (made.map(|made| String::from_utf8(made).unwrap()), compiler.0.load(Ordering::Relaxed))
        };
        assert_eq!(of("a", &[]), (Some("a".to_owned()), 1));
        assert_eq!(of("a", &[]), (Some("a".to_owned()), 1));
        assert_eq!(of("b", &[]), (Some("b".to_owned()), 2));
        assert_eq!(of("a", &["-D"]), (Some("a".to_owned()), 3));
        // Neither are errors kept.
        assert_eq!(of("", &[]), (None, 4));
        assert_eq!(of("", &[]), (None, 5));
        let other = Memory { compiler: "two".to_owned(), ..self::memory(folder.path()) };
        assert!(image(&other, &compiler, "a", &[]).is_some());
        assert_eq!(compiler.0.load(Ordering::Relaxed), 6);
    }

    #[test]
    fn a_file_that_is_not_whole_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let (memory, compiler) = (memory(folder.path()), Counted::default());
        image(&memory, &compiler, "a", &[]);
        let file = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        let whole = fs::read(&file).unwrap();
        for damaged in [&whole[..whole.len() - 1], &whole[..9], &[&whole[..], b"x"].concat()] {
            fs::write(&file, damaged).unwrap();
            let before = compiler.0.load(Ordering::Relaxed);
            assert_eq!(image(&memory, &compiler, "a", &[]), Some(b"a".to_vec()));
            assert_eq!(compiler.0.load(Ordering::Relaxed), before + 1);
        }
        assert_eq!(fs::read(&file).unwrap(), whole);
    }

    /// A pipe would never end, and a file with a hole of terabytes would fill memory.
    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_no_plain_file_of_a_usual_size_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let (memory, compiler) = (memory(folder.path()), Counted::default());
        image(&memory, &compiler, "a", &[]);
        let file = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        let again = || {
            let before = compiler.0.load(Ordering::Relaxed);
            assert_eq!(image(&memory, &compiler, "a", &[]), Some(b"a".to_vec()));
            assert_eq!(compiler.0.load(Ordering::Relaxed), before + 1);
            fs::remove_file(&file).unwrap();
        };
        fs::File::options().write(true).open(&file).unwrap().set_len(1 << 42).unwrap();
        again();
        rustix::fs::mknodat(rustix::fs::CWD, &file, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0)
            .unwrap();
        again();
        std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
        again();
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let (memory, compiler) = (memory(folder.path()), Counted::default());
        // Somebody's own file is the oldest.
        fs::write(folder.path().join("lab2.cu"), "mine").unwrap();
        for number in 0..MOST + 3 {
            image(&memory, &compiler, &format!("text {number}"), &[]);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), MOST + 1);
        assert!(folder.path().join("lab2.cu").exists());
    }
}
