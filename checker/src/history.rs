//! The attempts of a student: what each check of their own file gave. Kept in the user's data folder, and nowhere else.
//!
//! Kept are: checks of a lab's own file, or of one of its tasks, with the public seed, printed as text. Not kept: `--json`, `--file`,
//! `--solution`, `--gpu`, `--no-history`, checks on a machine that tests (`CI` is set), and a file that was the last one already.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::changes::Checked;
use judge::report::Report;

/// The name of the file in the folder.
const FILE: &str = "history.jsonl";
/// Bytes from which on older attempts are dropped.
const MOST_BYTES: u64 = 1 << 20;
/// Attempts that are kept then.
const KEPT: usize = 1000;

/// One attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// The folder of the workbook.
    pub workbook: PathBuf,
    /// The lab.
    pub lab: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Points.
    pub score: f64,
    /// Points that can be earned.
    pub most: f64,
    /// The GPU, real or simulated.
    pub gpu: String,
    /// By task, its milliseconds.
    #[serde(default)]
    pub times: BTreeMap<String, f64>,
    /// By task, the rows of the picture that a prediction ran.
    #[serde(default)]
    pub rows: BTreeMap<String, usize>,
}

impl Attempt {
    /// What a report gave, in this workbook.
    pub fn of(workbook: &Path, report: &Report) -> Self {
        Self {
            workbook: workbook.to_path_buf(),
            lab: report.lab.clone(),
            sha256: report.sha256.clone(),
            score: report.score,
            most: report.max_score,
            gpu: report.gpu.clone(),
            times: report.performance.iter().map(|timed| (timed.task.clone(), 1e3 * timed.seconds)).collect(),
            rows: report
                .performance
                .iter()
                .filter_map(|timed| Some((timed.task.clone(), timed.rows?)))
                .collect(),
        }
    }

    /// Whether so many points could be earned: others were those of other tasks.
    pub fn is_out_of(&self, most: f64) -> bool {
        (self.most - most).abs() < 0.05
    }

    /// What of it is compared with other checks.
    pub fn checked(&self) -> Checked {
        Checked { score: self.score, most: self.most, times: self.times.clone(), rows: self.rows.clone() }
    }
}

/// The user's attempts.
#[derive(Debug)]
pub struct History {
    path: PathBuf,
}

impl History {
    /// That of this user; `None` if there is no folder for it.
    pub fn of_user() -> Option<Self> {
        let chosen = std::env::var_os("WORKBOOK_DATA").filter(|folder| !folder.is_empty()).map(PathBuf::from);
        let own = || directories::BaseDirs::new().map(|folders| folders.data_dir().join("warpbook"));
        Some(Self { path: chosen.or_else(own)?.join(FILE) })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether this process may keep attempts.
    pub fn is_wanted() -> bool {
        std::env::var_os("CI").is_none_or(|value| value.is_empty())
    }

    /// The attempts of a workbook, the oldest first. Lines that cannot be read are left out.
    pub fn attempts(&self, workbook: &Path) -> Vec<Attempt> {
        self.all().into_iter().filter(|attempt| attempt.workbook == workbook).collect()
    }

    fn all(&self) -> Vec<Attempt> {
        let text = std::fs::read_to_string(&self.path).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Keeps an attempt. Nothing is said if that fails: a check must not fail for lack of a history.
    pub fn keep(&self, attempt: &Attempt) {
        let _ = self.add(attempt);
    }

    /// The attempt before this one: of the same workbook, lab and tasks, on the same GPU.
    pub fn before(&self, attempt: &Attempt) -> Option<Attempt> {
        let same = |earlier: &Attempt| {
            earlier.lab == attempt.lab && earlier.gpu == attempt.gpu && earlier.is_out_of(attempt.most)
        };
        self.attempts(&attempt.workbook).into_iter().rfind(same)
    }

    fn add(&self, attempt: &Attempt) -> std::io::Result<()> {
        let earlier = self.attempts(&attempt.workbook);
        if earlier.iter().rfind(|known| known.lab == attempt.lab) == Some(attempt) {
            return Ok(());
        }
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        if std::fs::metadata(&self.path).is_ok_and(|file| file.len() > MOST_BYTES) {
            let all = self.all();
            let kept: Vec<String> = all[all.len().saturating_sub(KEPT)..].iter().filter_map(line).collect();
            std::fs::write(&self.path, kept.concat())?;
        }
        let text = line(attempt).ok_or_else(|| std::io::Error::other("it has no text"))?;
        // One write of one line: processes that append at the same time do not mix theirs.
        OpenOptions::new().append(true).create(true).open(&self.path)?.write_all(text.as_bytes())
    }
}

fn line(attempt: &Attempt) -> Option<String> {
    serde_json::to_string(attempt).ok().map(|line| line + "\n")
}

/// The shares of the points over the attempts as bars, the latest at the right.
pub fn plot(attempts: &[&Attempt], width: usize) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let shown = &attempts[attempts.len().saturating_sub(width)..];
    let bar = |attempt: &&Attempt| {
        let share = (attempt.score / attempt.most.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        BARS[(share * 7.0).round() as usize]
    };
    shown.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn attempt(sha256: &str, score: f64) -> Attempt {
        Attempt {
            workbook: "/w".into(),
            lab: "lab1".into(),
            sha256: sha256.into(),
            score,
            most: 100.0,
            gpu: "H200".into(),
            times: BTreeMap::new(),
            rows: BTreeMap::new(),
        }
    }

    #[test]
    fn attempts_are_kept_once_and_by_workbook() {
        let folder = tempfile::tempdir().expect("a folder");
        let history = History { path: folder.path().join("data").join(FILE) };
        let (first, second) = (attempt("a", 0.0), attempt("b", 50.0));
        for tried in [&first, &first, &second, &Attempt { workbook: "/other".into(), ..first.clone() }] {
            history.add(tried).expect("it is kept");
        }
        let mut file = OpenOptions::new().append(true).open(&history.path).expect("it is there");
        writeln!(file, "not an attempt").expect("it is written");
        assert_eq!(history.attempts(Path::new("/w")), [first.clone(), second.clone()]);
        assert_eq!(history.attempts(Path::new("/other")).len(), 1);
        assert_eq!(history.before(&first), Some(second));
        assert_eq!(history.before(&Attempt { gpu: "T4".into(), ..first.clone() }), None);
        assert_eq!(history.before(&Attempt { most: 60.0, ..first }), None, "of one task");
    }

    #[test]
    fn attempts_of_earlier_versions_are_read() {
        let mut line = serde_json::to_value(attempt("a", 1.0)).expect("it has a text");
        line.as_object_mut().expect("an object").remove("times");
        assert_eq!(serde_json::from_value::<Attempt>(line).ok(), Some(attempt("a", 1.0)));
    }

    #[test]
    fn the_plot_shows_the_latest() {
        let tried = [0.0, 50.0, 100.0].map(|score| attempt("a", score));
        let all: Vec<&Attempt> = tried.iter().collect();
        assert_eq!((plot(&all, 9).as_str(), plot(&all, 2).as_str()), ("▁▅█", "▅█"));
        assert_eq!(plot(&[], 9), "");
    }
}
