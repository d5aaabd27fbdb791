//! Finds the compiler, in the order that the comment of `nvrtc` states.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::fetch;
use super::pinned::{PACKAGE, REQUIREMENT};
use super::types::{CompilerError, Origin, Progress};
use super::{Compiler, paths, python};

/// One fetch at a time per process. A thread that has waited finds the cache filled.
static FETCH: Mutex<()> = Mutex::new(());

/// Where to look. Everything that depends on the machine is here, so that tests can describe another machine.
#[derive(Debug, Default)]
pub(super) struct Places<'a> {
    /// `WORKBOOK_NVRTC`.
    pub library: Option<PathBuf>,
    /// The workbook's cache folder.
    pub cache: Option<PathBuf>,
    /// `CUDA_PATH`, `CUDA_HOME`.
    pub environment: Vec<PathBuf>,
    /// Roots of toolkits.
    pub toolkits: Vec<PathBuf>,
    /// Names for the loader to look up.
    pub loader: Vec<&'a str>,
    /// Python interpreters.
    pub interpreters: Vec<&'a str>,
}

fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The workbook's cache folder, which need not be there; `None` if the user has none.
pub fn cache() -> Option<PathBuf> {
    variable("WORKBOOK_CACHE")
        .or_else(|| directories::BaseDirs::new().map(|folders| folders.cache_dir().join("warpbook")))
}

impl Places<'_> {
    fn of_this_machine() -> Self {
        Self {
            library: variable("WORKBOOK_NVRTC"),
            cache: cache(),
            environment: ["CUDA_PATH", "CUDA_HOME"].into_iter().filter_map(variable).collect(),
            toolkits: paths::toolkit_roots(Path::new("/usr/local"), Path::new("/opt")),
            loader: vec!["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"],
            interpreters: python::INTERPRETERS.to_vec(),
        }
    }
}

impl Compiler {
    /// Finds and loads NVRTC. If there is none, fetches the pinned package and reports to `progress`.
    pub fn find(progress: &mut dyn FnMut(Progress)) -> Result<Self, CompilerError> {
        find_in(&Places::of_this_machine(), progress)
    }

    /// Loads the library that another process has found.
    pub fn open(library: &Path) -> Result<Self, CompilerError> {
        Self::load(library, Origin::Environment)
    }
}

/// The first compiler that loads. If none does, the error names those that were found and did not load.
pub(super) fn find_in(
    places: &Places<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Compiler, CompilerError> {
    if let Some(library) = &places.library {
        return Compiler::load(library, Origin::Environment);
    }
    let mut refused = Vec::new();
    if let Some(compiler) = installed(places, &mut refused) {
        return Ok(compiler);
    }
    let _turn = FETCH.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(compiler) = cached(places, &mut Vec::new()) {
        return Ok(compiler);
    }
    let fetched = match &places.cache {
        Some(cache) => fetch::fetch(cache, &places.interpreters, progress),
        None => Err("there is no folder to keep it in: neither `WORKBOOK_CACHE` nor a home folder is \
                     known; set `WORKBOOK_CACHE`"
            .to_owned()),
    };
    fetched.map_err(|reason| CompilerError::NotFound(not_found(&reason, &refused)))
}

fn not_found(reason: &str, refused: &[CompilerError]) -> String {
    let mut text = format!(
        "no CUDA compiler (NVRTC) was found on this machine, and `{PACKAGE}` could not be fetched: {reason}\n\
         to try by hand: `python3 -m pip install {REQUIREMENT}`, or set `CUDA_PATH` to the folder of a CUDA \
         toolkit, or `WORKBOOK_NVRTC` to a `libnvrtc.so`"
    );
    for error in refused {
        text.push_str("\nalso tried: ");
        text.push_str(&error.to_string());
    }
    text
}

fn installed(places: &Places<'_>, refused: &mut Vec<CompilerError>) -> Option<Compiler> {
    let below = |roots: &[PathBuf]| -> Vec<PathBuf> {
        roots.iter().flat_map(|root| paths::library_folders(root)).collect()
    };
    cached(places, refused)
        .or_else(|| in_folders(&below(&places.environment), Origin::Environment, refused))
        .or_else(|| in_folders(&below(&places.toolkits), Origin::Toolkit, refused))
        .or_else(|| by_loader(&places.loader))
        .or_else(|| {
            let mut asked = places.interpreters.iter().map(|name| python::library_folders(name));
            asked.find_map(|folders| in_folders(&folders, Origin::Python, refused))
        })
}

fn cached(places: &Places<'_>, refused: &mut Vec<CompilerError>) -> Option<Compiler> {
    let folder = fetch::library_folder(places.cache.as_ref()?);
    if !folder.exists() {
        return None;
    }
    fetch::load_from(&folder).map_err(|error| refused.push(error)).ok()
}

fn in_folders(folders: &[PathBuf], origin: Origin, refused: &mut Vec<CompilerError>) -> Option<Compiler> {
    folders
        .iter()
        .filter_map(|folder| paths::library_in(folder))
        .find_map(|path| Compiler::load(&path, origin).map_err(|error| refused.push(error)).ok())
}

/// The loader does not say whether a library is missing or broken, so failures here are not reported.
fn by_loader(names: &[&str]) -> Option<Compiler> {
    names.iter().find_map(|name| Compiler::load(Path::new(name), Origin::Toolkit).ok())
}
