//! The files that a graded class leaves behind. All but `provenance.json` are the same however often, and with whatever
//! interruptions, the same submissions are graded.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::Serialize;

use super::Job;
use crate::page::{self, Pages};
use crate::result::{Class, Graded};
use crate::{Error, export, files};

/// When, where from and how long: what differs from run to run.
#[derive(Serialize)]
struct Provenance<'a> {
    submissions: String,
    layout: &'a str,
    engines: Vec<&'a str>,
    jobs: usize,
    gpus: usize,
    /// Seconds since 1970.
    finished: u64,
    seconds: f64,
}

/// Writes all results.
///
/// `texts` are the students' files, by short name.
pub fn write(
    job: &Job,
    all: &[Graded],
    class: &Class,
    texts: &BTreeMap<&str, Cow<'_, str>>,
) -> Result<(), Error> {
    let out = job.out.as_path();
    let results: Vec<(String, Vec<u8>)> = all
        .iter()
        .map(|one| Ok((format!("{}.json", one.person.id), json(one)?)))
        .collect::<Result<_, Error>>()?;
    folder(&out.join("results"), &results)?;
    // By folder, because each is to hold nothing else.
    let mut exports: BTreeMap<PathBuf, Vec<(String, Vec<u8>)>> = BTreeMap::new();
    for (path, bytes) in export::all(all, class, &job.export)? {
        let (above, name) = path.rsplit_once('/').unwrap_or(("", &path));
        exports.entry(out.join("exports").join(above)).or_default().push((name.to_owned(), bytes));
    }
    exports.iter().try_for_each(|(path, files)| folder(path, files))?;
    pages(job, all, class, texts)?;
    file(&out.join("class.json"), &json(class)?)
}

fn pages(
    job: &Job,
    all: &[Graded],
    class: &Class,
    texts: &BTreeMap<&str, Cow<'_, str>>,
) -> Result<(), Error> {
    let pages = Pages::new()?;
    let text = |id: &str| texts.get(id).map_or("", |text| &**text);
    let mut students = Vec::new();
    for one in all {
        let id = one.person.id.as_str();
        let page =
            page::student(&pages, &job.lab, one, text(id), class.pseudonyms.get(id).map(String::as_str))?;
        students.push((format!("{id}.html"), page));
    }
    folder(&job.out.join("students"), &students)?;
    let mut similar = Vec::new();
    for pair in &class.similar {
        let page = page::pair(&pages, pair, [text(&pair.a), text(&pair.b)], &job.lab.published)?;
        similar.push((pair.file(), page));
    }
    folder(&job.out.join("similar"), &similar)?;
    let (of_class, board) = page::class(&pages, all, class)?;
    file(&job.out.join("class.html"), &of_class)?;
    file(&job.out.join("leaderboard.html"), &board)
}

/// Writes how the results came to be.
pub fn provenance(job: &Job, layout: &str, took: Duration) -> Result<(), Error> {
    let finished = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    let provenance = Provenance {
        submissions: job.submissions.display().to_string(),
        layout,
        engines: job.engines.iter().map(|engine| engine.name()).collect(),
        jobs: job.queues.simulator.1,
        gpus: job.queues.gpus.len(),
        finished,
        seconds: took.as_secs_f64(),
    };
    file(&job.out.join("provenance.json"), &json(&provenance)?)
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    let mut bytes = serde_json::to_vec_pretty(value)
        .map_err(|error| Error::Environment(format!("failed to write a result as JSON: {error}")))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// A folder that holds these files, and none of an earlier grading.
fn folder(path: &Path, wanted: &[(String, Vec<u8>)]) -> Result<(), Error> {
    let failed = |error: std::io::Error| Error::at("write to", path, &error);
    fs::create_dir_all(path).map_err(failed)?;
    files::tidy(path).map_err(failed)?;
    let names: BTreeSet<&str> = wanted.iter().map(|(name, _)| name.as_str()).collect();
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if !names.contains(entry.file_name().to_string_lossy().as_ref()) && entry.path().is_file() {
            fs::remove_file(entry.path()).map_err(failed)?;
        }
    }
    wanted.iter().try_for_each(|(name, bytes)| file(&path.join(name), bytes))
}

/// Writes a file, unless it has these bytes.
fn file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    files::replace(path, bytes).map_err(|error| Error::at("write", path, &error))
}
