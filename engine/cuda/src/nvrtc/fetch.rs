//! Fetches the pinned compiler from the Python package index, once.
//!
//! pip downloads it, because pip knows the user's proxies, mirrors and certificates. Both pip and this module
//! check the hash. The work is done in a temporary folder in the cache, which is renamed at the end. So a killed
//! fetch leaves nothing that looks finished, and of two fetches at once the slower uses the other's result.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

use super::pinned::{PACKAGE, SHA256};
use super::types::{CompilerError, Origin, Progress};
use super::{Compiler, pip, python};

type Hash = [u8; 32];

/// The libraries in the wheel, and their fingerprints. They are checked before each load: a file in the cache is code that
/// runs.
const LIBRARIES: [(&str, &str); 2] = [
    ("libnvrtc.so.12", "5b7b3a7e5d0459f38278c64627b00eb15a6edede0edd6c6e6ebcf4f61a7c4552"),
    ("libnvrtc-builtins.so.12.9", "018ecfb014c3f01b9920a641c902e2ca044ae8119c74fd5c97177c5792b32a39"),
];
/// A file beside them: how they were when their fingerprints were right.
const CHECKED: &str = "checked";
/// Bytes of the pieces that are hashed side by side, and the most threads that do it.
const PIECE: u64 = 8 << 20;
const MOST_THREADS: usize = 4;
const FOLDER: &str = "nvrtc-12.9.86";
const UNFINISHED: &str = "fetch-";
/// No process still works on an unfinished fetch of this age.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// The folder of the library in the cache.
pub(super) fn library_folder(cache: &Path) -> PathBuf {
    cache.join(FOLDER).join("lib")
}

/// Fetches, checks, unpacks and loads. The error says what stopped it and what to do.
pub(super) fn fetch(
    cache: &Path,
    interpreters: &[&str],
    progress: &mut dyn FnMut(Progress),
) -> Result<Compiler, String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("the package is for 64-bit x86 Linux only; install a CUDA toolkit".to_owned());
    }
    let python = python::interpreter(interpreters).ok_or_else(|| {
        format!("the download needs Python, and none of {interpreters:?} runs; install Python 3")
    })?;
    let writable = |error: io::Error| {
        format!(
            "failed to write to `{}`: {error}; free some room (400 MB), or set `WORKBOOK_CACHE` to a folder \
             on another disk",
            cache.display()
        )
    };
    fs::create_dir_all(cache).map_err(writable)?;
    remove_abandoned(cache);
    let work = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(cache).map_err(writable)?;

    pip::download(&python, work.path(), progress)?;
    let wheel = wheel_in(work.path()).ok_or("pip ended without an error and without the package")?;
    check_hash(&wheel)?;
    unpack(&python, &wheel, &work.path().join("wheel")).map_err(|error| match error {
        Unpacking::Io(error) => writable(error),
        Unpacking::Said(text) => format!("failed to unpack `{}`: {text}", wheel.display()),
    })?;
    let ready = work.path().join("ready");
    arrange(&work.path().join("wheel"), &ready).map_err(writable)?;
    let compiler = load_from(&ready.join("lib")).map_err(|error| error.to_string())?;
    let compiler = put_in_place(compiler, &ready, cache).map_err(writable)?;
    progress(Progress::Ready);
    Ok(compiler)
}

/// Loads the compiler of the cache, if its libraries are those of the package.
pub(super) fn load_from(folder: &Path) -> Result<Compiler, CompilerError> {
    let now = states(folder);
    // To hash 110 MB would take a tenth of a short report's time.
    if now.is_none() || fs::read_to_string(folder.join(CHECKED)).ok() != now {
        check_libraries(folder)?;
        if let Some(states) = now {
            // In a folder that cannot be written, each start hashes.
            let _ = fs::write(folder.join(CHECKED), states);
        }
    }
    Compiler::load(&folder.join(LIBRARIES[0].0), Origin::Cache)
}

/// What changes whenever somebody writes to a library or puts another in its place. Not known on every system.
#[cfg(unix)]
fn states(folder: &Path) -> Option<String> {
    use std::fmt::Write;
    use std::os::unix::fs::MetadataExt;

    let mut text = String::new();
    for (name, fingerprint) in LIBRARIES {
        let file = fs::metadata(folder.join(name)).ok()?;
        let (inode, length, seconds, part) = (file.ino(), file.len(), file.ctime(), file.ctime_nsec());
        writeln!(text, "{name} {fingerprint} {inode} {length} {seconds}.{part:09}").ok()?;
    }
    Some(text)
}

#[cfg(not(unix))]
fn states(_: &Path) -> Option<String> {
    None
}

fn check_libraries(folder: &Path) -> Result<(), CompilerError> {
    for (name, expected) in LIBRARIES {
        let path = folder.join(name);
        let changed = |reason: String| CompilerError::Load { path: path.clone(), reason };
        let found = fingerprint(&path).map_err(|error| changed(error.to_string()))?;
        if found != expected {
            let advice = format!("delete `{}`, and the next run downloads it again", folder.display());
            return Err(changed(format!(
                "it is not the file of {PACKAGE}: its fingerprint is {found}; {advice}"
            )));
        }
    }
    Ok(())
}

/// Renames the folder into its place. If another process was faster, its copy stays, unless it does not load.
fn put_in_place(compiler: Compiler, ready: &Path, cache: &Path) -> io::Result<Compiler> {
    let place = cache.join(FOLDER);
    if fs::rename(ready, &place).is_err() {
        if let Ok(theirs) = load_from(&place.join("lib")) {
            return Ok(theirs);
        }
        fs::remove_dir_all(&place)?;
        fs::rename(ready, &place)?;
    }
    let name = compiler.path().file_name().map(PathBuf::from).unwrap_or_default();
    Ok(compiler.moved_to(place.join("lib").join(name)))
}

fn wheel_in(folder: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    entries.into_iter().find(|path| path.extension().is_some_and(|extension| extension == "whl"))
}

fn check_hash(wheel: &Path) -> Result<(), String> {
    let found = hash_of(wheel).map_err(|error| format!("failed to read `{}`: {error}", wheel.display()))?;
    if found == SHA256 {
        return Ok(());
    }
    Err(format!(
        "`{}` is not the file that the workbook was tested with: its SHA-256 is {found}, not {SHA256}",
        wheel.display()
    ))
}

fn hash_of(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    Ok(hex(&hash(&mut file)?))
}

fn hash(from: &mut impl Read) -> io::Result<Hash> {
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        let length = from.read(&mut buffer)?;
        if length == 0 {
            return Ok(digest.finalize().into());
        }
        digest.update(&buffer[..length]);
    }
}

/// The SHA-256 of the hashes of all pieces, which several threads make: each start waits for it.
fn fingerprint(path: &Path) -> io::Result<String> {
    let pieces = fs::metadata(path)?.len().div_ceil(PIECE);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
    let next = AtomicU64::new(0);
    let work = || {
        let mut file = File::open(path)?;
        let mut hashes = Vec::new();
        loop {
            let piece = next.fetch_add(1, Ordering::Relaxed);
            if piece >= pieces {
                return Ok(hashes);
            }
            file.seek(SeekFrom::Start(piece * PIECE))?;
            hashes.push((piece, hash(&mut (&mut file).take(PIECE))?));
        }
    };
    let of_threads: io::Result<Vec<Vec<(u64, Hash)>>> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let others = others.into_iter().map(|other| other.join().expect("hashing does not panic"));
        std::iter::once(own).chain(others).collect()
    });
    let mut all: Vec<(u64, Hash)> = of_threads?.into_iter().flatten().collect();
    all.sort_unstable();
    Ok(hex(&Sha256::digest(all.iter().flat_map(|(_, hash)| *hash).collect::<Vec<u8>>())))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

enum Unpacking {
    Io(io::Error),
    Said(String),
}

fn unpack(python: &str, wheel: &Path, to: &Path) -> Result<(), Unpacking> {
    let output = Command::new(python)
        .args(["-I", "-m", "zipfile", "-e"])
        .arg(wheel)
        .arg(to)
        .stdin(Stdio::null())
        .output()
        .map_err(Unpacking::Io)?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("No space left") {
        return Err(Unpacking::Io(io::Error::from(io::ErrorKind::StorageFull)));
    }
    Err(Unpacking::Said(said.lines().last().unwrap_or("it said nothing").to_owned()))
}

/// Keeps the library, its builtins and the licence, without NVIDIA's alternative build, which is as large as all
/// of them.
fn arrange(wheel: &Path, ready: &Path) -> io::Result<()> {
    let lib = ready.join("lib");
    fs::create_dir_all(&lib)?;
    for entry in fs::read_dir(wheel.join("nvidia/cuda_nvrtc/lib"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if !name.to_string_lossy().contains(".alt.") {
            fs::rename(&path, lib.join(name))?;
        }
    }
    for entry in fs::read_dir(wheel)? {
        let licence = entry?.path().join("licenses/License.txt");
        if licence.exists() {
            fs::rename(licence, ready.join("License.txt"))?;
        }
    }
    Ok(())
}

fn remove_abandoned(cache: &Path) {
    let old = |path: &Path| {
        let age = fs::metadata(path)
            .and_then(|data| data.modified())
            .map(|time| SystemTime::now().duration_since(time).unwrap_or_default());
        age.is_ok_and(|age| age > ABANDONED)
    };
    for entry in fs::read_dir(cache).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) && old(&entry.path()) {
            // It fails if another process removes the folder at the same time.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
