//! The programs of the corpus, read from their folder.

use std::path::{Path, PathBuf};

use checker::programs::Header;
use judge::exit::Stop;

/// One program.
#[derive(Debug, Clone)]
pub struct Program {
    /// The folder it lies in.
    pub topic: String,
    /// `TOPIC/NAME`.
    pub name: String,
    /// The file name that the compiler gets.
    pub file: String,
    /// Its text.
    pub text: String,
    /// Its header.
    pub header: Header,
}

impl Program {
    /// Why its outcome does not count yet, if it does not.
    pub fn pending(&self) -> Option<&str> {
        self.header.pending.as_deref()
    }
}

/// All programs below `root` whose name contains one of the filters, sorted by name.
pub fn load(root: &Path, filters: &[String]) -> Result<Vec<Program>, Stop> {
    let folder = root.join("engine/simulator/tests/programs");
    let mut programs = Vec::new();
    // `coverage` holds kernels that tests in Rust drive; they are not programs of this form.
    let topics = entries(&folder)?.into_iter().filter(|path| path.is_dir() && !path.ends_with("coverage"));
    for topic in topics {
        for path in entries(&topic)? {
            if path.extension().is_none_or(|extension| extension != "cu") {
                continue;
            }
            let topic = file_name(&topic);
            let name = format!("{topic}/{}", file_name(&path).trim_end_matches(".cu"));
            if !filters.is_empty() && !filters.iter().any(|filter| name.contains(filter.as_str())) {
                continue;
            }
            let failed = |error| Stop::environment(format!("failed to read `{}`: {error}", path.display()));
            let text = std::fs::read_to_string(&path).map_err(failed)?;
            let header = Header::read(&text)
                .map_err(|error| Stop::environment(format!("the header of `{name}` is wrong: {error}")))?;
            programs.push(Program { topic, name, file: file_name(&path), text, header });
        }
    }
    Ok(programs)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Stop> {
    let listed = std::fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let listed = listed
        .map_err(|error| Stop::environment(format!("failed to list `{}`: {error}", folder.display())))?;
    let mut paths: Vec<PathBuf> = listed.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
