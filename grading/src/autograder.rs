//! An autograder for Gradescope: the archive to upload, and the grading of one submission in the container that Gradescope makes
//! of it.

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ZipArchiveWriter};

use crate::class;
use crate::result::{Graded, Lab, Rules, grade};
use crate::run::{self, Engine, Queues, Store, Unit, Work};
use crate::{Error, export, files};

const SETUP: &str = include_str!("../templates/setup.sh");
const RUN: &str = include_str!("../templates/run_autograder.sh");

/// What the archive holds.
#[derive(Debug, Clone, Copy)]
pub struct Contents<'a> {
    /// The lab.
    pub lab: &'a str,
    /// The program that grades.
    pub program: &'a [u8],
    /// The secret seed, if there is one.
    pub seed: Option<&'a str>,
    /// Further arguments of `checker autograde`.
    pub arguments: &'a [String],
}

/// The archive.
pub fn archive(contents: &Contents<'_>) -> Result<Vec<u8>, Error> {
    let mut words = vec!["--lab".to_owned(), contents.lab.to_owned()];
    words.extend(contents.seed.map(|_| "--secret-seed-file=seed".to_owned()));
    words.extend(contents.arguments.iter().cloned());
    let words: Vec<String> = words.iter().map(|word| run::quoted(word)).collect();
    let script = RUN.replace("ARGUMENTS", &words.join(" "));
    let seed = contents.seed.map(|seed| format!("{seed}\n"));
    let mut members =
        vec![("setup.sh", 0o755, SETUP.as_bytes()), ("run_autograder", 0o755, script.as_bytes())];
    members.push(("checker", 0o755, contents.program));
    members.extend(seed.as_ref().map(|seed| ("seed", 0o600, seed.as_bytes())));
    zip(&members).map_err(|error| Error::Environment(format!("failed to pack the autograder: {error}")))
}

fn zip(members: &[(&str, u32, &[u8])]) -> Result<Vec<u8>, rawzip::Error> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    for (name, mode, data) in members {
        let file = archive.new_file(*name).unix_permissions(*mode);
        // The same archive each time. Without a date, it would hold one that does not exist.
        let file = match UtcDateTime::from_components(1980, 1, 1, 0, 0, 0, 0) {
            Some(date) => file.last_modified(date),
            None => file,
        };
        let (mut entry, config) = file.compression_method(CompressionMethod::DEFLATE).start()?;
        let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::fast()));
        writer.write_all(data)?;
        let (encoder, descriptor) = writer.finish()?;
        encoder.finish()?;
        entry.finish(descriptor)?;
    }
    archive.finish()?;
    Ok(bytes)
}

/// Grades the submission in a folder, and writes `results.json`. Without a result, because the machine failed, it writes none:
/// Gradescope then shows that the autograder failed, and the submission can be graded again.
pub fn one(
    submission: &Path,
    lab: &Lab,
    queues: &Queues,
    program: &str,
    out: &Path,
) -> Result<Graded, Error> {
    let student = class::read_one(submission, &lab.file)?;
    let checked = match &student.file {
        Some(Ok(chosen)) => vec![Some(checked(&chosen.bytes, lab, queues)?)],
        _ => Vec::new(),
    };
    // Gradescope has its own late days.
    let rules = Rules { max_score: lab.max_score, late_penalty: 0.0, free_days: 0, due: None };
    let graded = grade(&lab.name, &student, checked, program, &rules);
    let results = export::gradescope(&graded)?;
    files::replace(out, &results).map_err(|error| Error::at("write", out, &error))?;
    Ok(graded)
}

fn checked(bytes: &[u8], lab: &Lab, queues: &Queues) -> Result<run::Checked, Error> {
    let failed = |error: std::io::Error| Error::Environment(format!("failed to make a folder: {error}"));
    let folder = tempfile::tempdir().map_err(failed)?;
    let path = folder.path().join(&lab.file);
    std::fs::write(&path, bytes).map_err(|error| Error::at("write", &path, &error))?;
    let unit = Unit::new("submission", Engine::Sim, bytes, &[]);
    let work = Work { unit: unit.clone(), folder: folder.path().to_path_buf(), file: lab.file.clone() };
    let mut store = Store::open(folder.path())?;
    let broken = run::run(queues, &[work], &mut store, false, &mut |_| {})?;
    let why = broken.first().map(|(_, why)| why.clone()).unwrap_or_default();
    store.find(&unit)?.ok_or(Error::Environment(why))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use pretty_assertions::assert_eq;
    use rawzip::ZipArchive;

    use super::*;

    #[test]
    fn the_archive_holds_programs_and_a_seed_for_its_owner_alone() {
        let arguments = ["--gpu".to_owned(), "l'gpu".to_owned()];
        let contents =
            Contents { lab: "lab2", program: b"\x7fELF", seed: Some("a secret"), arguments: &arguments };
        let bytes = archive(&contents).expect("packed");
        let archive = ZipArchive::from_slice(&bytes).expect("an archive");
        let mut told = Vec::new();
        let mut entries = archive.entries();
        while let Some(entry) = entries.next_entry().expect("an entry") {
            let name = String::from_utf8_lossy(entry.file_path().as_ref()).into_owned();
            let member = archive.get_entry(entry.wayfinder()).expect("a member");
            let mut text = Vec::new();
            let unpacked = flate2::bufread::DeflateDecoder::new(member.data());
            member.verifying_reader(unpacked).read_to_end(&mut text).expect("unpacked");
            told.push((name, entry.mode().permissions(), String::from_utf8_lossy(&text).into_owned()));
        }
        let names: Vec<(&str, u32)> = told.iter().map(|(name, mode, _)| (name.as_str(), *mode)).collect();
        assert_eq!(
            names,
            [("setup.sh", 0o755), ("run_autograder", 0o755), ("checker", 0o755), ("seed", 0o600)]
        );
        let command = "./checker autograde '--lab' 'lab2' '--secret-seed-file=seed' '--gpu' 'l'\\''gpu' ";
        assert!(told[1].2.contains(command), "{}", told[1].2);
        assert_eq!(told[3].2, "a secret\n");
    }

    #[test]
    #[cfg(unix)]
    fn one_submission_gives_results_and_a_broken_machine_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let (handed_in, out) = (folder.path().join("submission"), folder.path().join("results.json"));
        std::fs::create_dir(&handed_in).expect("made");
        std::fs::write(handed_in.join("notes.txt"), "").expect("written");
        std::fs::write(handed_in.join("mine.cu"), "text").expect("written");
        let lab = Lab::gray();
        let graded = |script: &str| {
            let program = run::Program {
                path: "sh".into(),
                arguments: vec!["-c".into(), script.into()],
                environment: Vec::new(),
                patience: std::time::Duration::from_secs(60),
            };
            let queues = Queues { simulator: (program, 1), gpus: Vec::new(), illustrator: None };
            one(&handed_in, &lab, &queues, "abc", &out)
        };
        assert!(graded("exit 3").is_err() && !out.exists());
        let done = graded("test $(cat x.cu) = text && echo '{\"score\": 12.5, \"max_score\": 50}'");
        assert_eq!(done.map(|graded| graded.score), Ok(12.5));
        let results = std::fs::read(&out).expect("written");
        let results: serde_json::Value = serde_json::from_slice(&results).expect("JSON");
        assert_eq!(results["score"], 12.5);
    }
}
