//! The other libraries: built or found once, then run on each picture.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use lab::{Image, Task, Tolerance};
use records::{Missing, Peer};
use serde::Deserialize;

use super::program::output;
use judge::exit::Stop;

/// A CUDA C++ program of ours that times a library.
struct Source {
    library: &'static str,
    file: &'static str,
    text: &'static str,
    /// Its linker options.
    link: &'static [&'static str],
}

const SOURCES: [Source; 2] = [
    Source {
        library: "CUB",
        file: "cub.cu",
        text: include_str!("../../../workshop/peers/cub.cu"),
        link: &[],
    },
    Source {
        library: "NPP",
        file: "npp.cu",
        text: include_str!("../../../workshop/peers/npp.cu"),
        link: &["-lnppif", "-lnppist", "-lnppicc", "-lnppc"],
    },
];
const HEADER: (&str, &str) = ("peers.cuh", include_str!("../../../workshop/peers/peers.cuh"));
const SCRIPT: (&str, &str) = ("peers.py", include_str!("../../../workshop/peers/peers.py"));

/// The libraries of the script; the interpreter may be missing.
const OF_THE_SCRIPT: &str = "CuPy and OpenCV";

/// Time to build a program, and for one picture.
const BUILD_LIMIT: Duration = Duration::from_secs(120);
const LIMIT: Duration = Duration::from_secs(120);

/// Outputs of larger pictures are not compared.
const COMPARED_PIXELS: usize = 10_000_000;

/// The output of a program about a library.
#[derive(Debug, Deserialize)]
struct Said {
    library: String,
    #[serde(default)]
    version: Option<String>,
    #[serde(default)]
    missing: Option<String>,
    #[serde(default)]
    rows: Vec<SaidRow>,
}

#[derive(Debug, Deserialize)]
struct SaidRow {
    operation: String,
    /// The file of its output.
    #[serde(default)]
    output: Option<String>,
    #[serde(flatten)]
    peer: Peer,
}

/// A program that is ready to run.
struct Ready {
    libraries: &'static str,
    program: PathBuf,
    arguments: Vec<PathBuf>,
}

/// All of them.
pub struct Peers {
    folder: PathBuf,
    ready: Vec<Ready>,
    /// Versions of the libraries that have been timed.
    pub versions: BTreeMap<String, String>,
    /// Libraries without times.
    pub missing: Vec<Missing>,
}

impl Peers {
    /// Builds the programs, side by side.
    pub fn new() -> Result<Self, Stop> {
        let folder = std::env::temp_dir().join(format!("workbook-bench-{}", std::process::id()));
        let failed = |error: std::io::Error| {
            Stop::environment(format!("failed to write to `{}`: {error}", folder.display()))
        };
        std::fs::create_dir_all(&folder).map_err(failed)?;
        for (name, text) in SOURCES.iter().map(|source| (source.file, source.text)).chain([HEADER, SCRIPT]) {
            std::fs::write(folder.join(name), text).map_err(failed)?;
        }
        let script = Ready {
            libraries: OF_THE_SCRIPT,
            program: "python3".into(),
            arguments: vec![folder.join(SCRIPT.0)],
        };
        let mut peers = Self { folder, ready: Vec::new(), versions: BTreeMap::new(), missing: Vec::new() };
        let built: Vec<Result<PathBuf, String>> = std::thread::scope(|scope| {
            let folder = &peers.folder;
            let threads = SOURCES.each_ref().map(|source| scope.spawn(move || build(source, folder)));
            let panicked = || Err("building it panicked".to_owned());
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| panicked())).collect()
        });
        for (source, built) in SOURCES.iter().zip(built) {
            match built {
                Ok(program) => {
                    peers.ready.push(Ready { libraries: source.library, program, arguments: Vec::new() });
                }
                Err(why) => peers.lacks(source.library, None, why),
            }
        }
        peers.ready.push(script);
        Ok(peers)
    }

    /// Times these tasks, by `tasks` with their expected outputs, on a picture. The time of each library, by task.
    pub fn time(
        &mut self,
        picture: &str,
        image: &Image,
        gray: &[u8],
        tasks: &[(&'static dyn Task, &[Vec<u8>])],
    ) -> Vec<(String, Peer)> {
        let outputs = self.folder.join("outputs");
        let compared = image.pixels() <= COMPARED_PIXELS;
        let mut rows = Vec::new();
        let mut failed = Vec::new();
        for ready in &self.ready {
            let mut command = Command::new(&ready.program);
            command.args(&ready.arguments).args(order(image, tasks));
            if compared {
                // The program reports a folder that cannot be made.
                let _ = std::fs::remove_dir_all(&outputs);
                let _ = std::fs::create_dir_all(&outputs);
                command.arg(&outputs);
            }
            match output(&mut command, &[&image.data, gray], LIMIT).and_then(|text| read(&text)) {
                Ok(said) => rows.extend(said.into_iter().map(|said| (said, ready.libraries))),
                Err(why) => failed.push((ready.libraries, why)),
            }
            if compared {
                for (said, _) in rows.iter_mut().filter(|(_, libraries)| *libraries == ready.libraries) {
                    said.rows.iter_mut().for_each(|row| compare(row, &outputs, tasks));
                }
            }
        }
        for (library, why) in failed {
            self.lacks(library, Some(picture), why);
        }
        rows.into_iter().flat_map(|(said, _)| self.heard(said)).collect()
    }

    /// Keeps the version of a library, or why it is missing; returns its rows.
    fn heard(&mut self, said: Said) -> Vec<(String, Peer)> {
        if let Some(why) = said.missing {
            self.lacks(&said.library, None, why);
        }
        if let Some(version) = said.version {
            self.versions.insert(said.library, version);
        }
        said.rows.into_iter().map(|row| (row.operation, row.peer)).collect()
    }

    fn lacks(&mut self, library: &str, picture: Option<&str>, why: String) {
        let missing = Missing { library: library.to_owned(), picture: picture.map(str::to_owned), why };
        if !self.missing.contains(&missing) {
            self.missing.push(missing);
        }
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        // A temporary folder that stays does no harm.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Builds a program with nvcc; its path.
fn build(source: &Source, folder: &Path) -> Result<PathBuf, String> {
    let program = folder.join(source.file.trim_end_matches(".cu"));
    let mut nvcc = Command::new("nvcc");
    nvcc.args(["-O3", "-std=c++17", "-arch=native", "-w", "-o"])
        .arg(&program)
        .arg(folder.join(source.file))
        .args(source.link);
    output(&mut nvcc, &[], BUILD_LIMIT).map_err(|why| format!("failed to build it with nvcc: {why}"))?;
    Ok(program)
}

/// Width, height, operations, and the filter that `filter_rgb` has at this width.
fn order(image: &Image, tasks: &[(&'static dyn Task, &[Vec<u8>])]) -> [String; 4] {
    let names: Vec<&str> = tasks.iter().map(|(task, _)| task.name()).collect();
    let filter = lab4_smoothing::filters::filter_for(image.width);
    let numbers = [filter.divisor].into_iter().chain(filter.values);
    let filter: Vec<String> = numbers.map(|number| number.to_string()).collect();
    [image.width.to_string(), image.height.to_string(), names.join(","), filter.join(",")]
}

/// Reads the output of a program: an object per library.
fn read(text: &str) -> Result<Vec<Said>, String> {
    let objects = serde_json::Deserializer::from_str(text).into_iter::<Said>();
    objects.collect::<Result<_, _>>().map_err(|error| format!("it printed something else: {error}"))
}

/// Compares the output of a library with the lab's reference.
fn compare(row: &mut SaidRow, folder: &Path, tasks: &[(&'static dyn Task, &[Vec<u8>])]) {
    let Some((task, expected)) = tasks.iter().find(|(task, _)| task.name() == row.operation) else { return };
    let Some(found) = row.output.as_ref().and_then(|name| std::fs::read(folder.join(name)).ok()) else {
        return;
    };
    let expected = expected.iter().find(|expected| expected.len() == found.len());
    row.peer.differing = expected.map(|expected| differing(expected, &found, task.tolerance()));
}

/// The share of bytes that the tolerance does not allow; a level off is allowed to everybody, since libraries round
/// in their own ways.
fn differing(expected: &[u8], found: &[u8], tolerance: Tolerance) -> f64 {
    let tolerance = if tolerance == Tolerance::Exact { Tolerance::Levels(1) } else { tolerance };
    let wrong =
        expected.iter().zip(found).filter(|(one, other)| !tolerance.allows(one.abs_diff(**other).into()));
    wrong.count() as f64 / expected.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::bench::pictures::Content;
    use judge::labs;

    #[test]
    fn what_programs_print_is_read() {
        let text = "{\"library\": \"CUB\", \"version\": \"3.0.1\", \"rows\": [\n{\"operation\": \"histogram\", \
                    \"peer\": \"CUB x\", \"ms\": 0.03, \"runs\": 15, \"calls\": 7, \"output\": \"histogram-0\"},\n\
                    {\"operation\": \"equalize\", \"peer\": \"CUB y\", \"refused\": \"no\", \"same\": false}\n]}\n\
                    {\"library\": \"B\", \"missing\": \"gone\"}\n";
        let said = read(text).expect("two libraries");
        assert_eq!(said.len(), 2);
        assert_eq!((said[0].rows[0].peer.ms, said[0].rows[0].peer.same), (Some(0.03), true));
        let other = &said[0].rows[1].peer;
        assert_eq!((other.refused.as_deref(), other.same), (Some("no"), false));
        assert_eq!((said[1].library.as_str(), said[1].missing.as_deref()), ("B", Some("gone")));
        assert!(read("segmentation fault").is_err());
    }

    #[test]
    fn a_level_off_is_rounding_and_two_are_not() {
        assert!(differing(&[1, 2, 3, 4], &[2, 1, 3, 4], Tolerance::Exact) < 1e-9);
        assert!((differing(&[1, 2, 3, 4], &[3, 2, 3, 4], Tolerance::Levels(1)) - 0.25).abs() < 1e-9);
    }

    /// The script runs on any Python, and says of each library whether it is there; so do the programs, which need
    /// nvcc.
    #[test]
    fn every_library_has_times_or_a_reason() {
        let mut peers = Peers::new().expect("a folder");
        let image = Content::Scene.case((64, 48)).image(1).expect("a picture");
        let (gray, task) = (lab::gray(&image), labs::all()[2].tasks()[1]);
        let reference = task.reference(&image);
        let rows = peers.time("scene 64x48", &image, &gray, &[(task, &reference)]);
        for library in ["CUB", "NPP", "CuPy", "OpenCV-CUDA", "OpenCV"] {
            let missing = peers.missing.iter().find(|missing| missing.library == library);
            let said = peers.versions.contains_key(library) || missing.is_some_and(|one| !one.why.is_empty());
            // Without Python, of both of its libraries at once.
            let none = peers.missing.iter().any(|missing| missing.library == OF_THE_SCRIPT);
            assert!(said || none, "nothing was said of {library}: {:?}", peers.missing);
        }
        for (operation, peer) in rows {
            assert_eq!(operation, "equalize");
            assert!(peer.ms.is_some_and(|ms| ms > 0.0) || peer.refused.is_some(), "{peer:?}");
        }
    }
}
