//! `workshop attacks`: files that want the machine and not the points, each checked by a process as a student starts it.

pub mod files;
mod processes;

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use clap::Args;
use records::{Attack, Provenance, Record};
use serde_json::Value;

use crate::command_line::CommandLine;
use crate::date::today;
use crate::result::ResultOptions;
use judge::exit::{self, Stop};
use judge::progress::Progress;

use files::{File, all};

/// The most that any file may take: seconds on two cores, and MiB.
const SECONDS: u64 = 60;
const MEBIBYTES: f64 = 3072.0;
/// In the environment of each check, and in a file beside the attack.
const SECRET: &str = "warpbook-secret-7f3a91";

/// Check files that attack the machine: exit code 1 if one of them is too slow, takes too much, leaks, or has no verdict
#[derive(Debug, Args)]
pub struct Attacks {
    /// Only attacks whose family or name contains this
    only: Option<String>,
    #[command(flatten)]
    result: ResultOptions,
}

impl Attacks {
    /// Checks every file, prints or writes what became of it.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let only = self.only.as_deref().unwrap_or_default();
        let progress = Progress::new();
        let chosen = all().into_iter().filter(|file| file.family.contains(only) || file.name.contains(only));
        let tried = chosen.map(|file| {
            progress.say(&format!("{}: {}", file.family, file.name));
            attack(&file)
        });
        let rows: Vec<Attack> = tried.collect::<Result<_, _>>()?;
        drop(progress);
        let provenance = Provenance {
            date: Some(today()),
            command: CommandLine::of::<records::Attacks>().file("--out", self.result.out.as_deref()).into(),
            what: Some("peak memory is that of all processes of one check, sampled every 5 ms".to_owned()),
            ..Provenance::default()
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let record = Record::new(provenance, records::Attacks { cores, rows });
        self.result.write(&record)?;
        self.result.print(&record, || table(&record.content.rows))?;
        Ok(exit::verdict(record.content.rows.iter().all(|row| trouble(row).is_none())))
    }
}

/// What is wrong with the outcome of an attack.
fn trouble(row: &Attack) -> Option<&'static str> {
    let passes = row.exit == Some(exit::PASSED.into()) && row.codes.is_empty();
    let fails = row.exit == Some(exit::FAILED.into());
    match row {
        _ if !(passes || fails) => Some("no verdict"),
        _ if row.seconds > SECONDS as f64 => Some("too slow"),
        _ if row.mebibytes > MEBIBYTES => Some("too much memory"),
        _ if row.leaked > 0 => Some("leaks"),
        _ => None,
    }
}

fn table(rows: &[Attack]) -> String {
    let mut text = String::new();
    for row in rows {
        let verdict = trouble(row).unwrap_or("ok");
        let codes = row.codes.join(" ");
        let _ = writeln!(
            text,
            "{:12} {:44} {:6.1} s {:6.0} MiB  {verdict} {codes}",
            row.family, row.name, row.seconds, row.mebibytes
        );
    }
    let worst = |of: fn(&Attack) -> f64| rows.iter().map(of).fold(0.0, f64::max);
    let leaked: usize = rows.iter().map(|row| row.leaked).sum();
    let _ = writeln!(
        text,
        "\n{} attacks: at most {:.1} s and {:.0} MiB, {leaked} bytes leaked",
        rows.len(),
        worst(|row| row.seconds),
        worst(|row| row.mebibytes)
    );
    text
}

/// Checks one file, with a secret beside it and in the environment.
fn attack(file: &File) -> Result<Attack, Stop> {
    let failed = |error: std::io::Error| Stop::environment(format!("failed to try `{}`: {error}", file.name));
    let folder = tempfile::tempdir().map_err(failed)?;
    std::fs::write(folder.path().join("secret.txt"), SECRET).map_err(failed)?;
    std::fs::write(folder.path().join("mine.cu"), file.text(folder.path())).map_err(failed)?;
    let (code, said, seconds, mebibytes) = checked(folder.path()).map_err(failed)?;
    let report: Value = serde_json::from_str(&said).unwrap_or_default();
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    let errors = findings.iter().filter(|finding| finding["severity"] == "error");
    Ok(Attack {
        family: file.family.to_owned(),
        name: file.name.to_owned(),
        // A report that is none is no verdict.
        exit: code.filter(|_| report.is_object()),
        codes: errors.filter_map(|finding| finding["code"].as_str().map(str::to_owned)).collect(),
        seconds,
        mebibytes,
        leaked: said.matches(SECRET).count() * SECRET.len(),
    })
}

/// Exit code, printed text, seconds and peak memory of a check in this folder.
fn checked(folder: &Path) -> std::io::Result<(Option<i32>, String, f64, f64)> {
    let start = Instant::now();
    let mut child = Command::new(std::env::current_exe()?)
        .args(["check", "lab1", "--engine", "sim", "--json", "--file", "mine.cu"])
        .current_dir(folder)
        .env("WORKBOOK_SECRET", SECRET)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let stdout = child.stdout.take();
    let said = std::thread::spawn(move || stdout.map(std::io::read_to_string));
    let mut highest: f64 = 0.0;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if start.elapsed() > Duration::from_secs(2 * SECONDS) {
            child.kill()?;
            child.wait()?;
            break None;
        }
        highest = highest.max(processes::mebibytes(child.id()));
        std::thread::sleep(Duration::from_millis(5));
    };
    let seconds = start.elapsed().as_secs_f64();
    let said = said.join().ok().flatten().transpose()?.unwrap_or_default();
    Ok((status.and_then(|status| status.code()), said, seconds, highest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_in_order_only_within_all_limits() {
        let good = Attack {
            family: "files".into(),
            name: "a".into(),
            exit: Some(1),
            codes: vec!["W0002".into()],
            seconds: 1.0,
            mebibytes: 100.0,
            leaked: 0,
        };
        assert_eq!(trouble(&good), None);
        for (bad, what) in [
            (Attack { exit: None, ..good.clone() }, "no verdict"),
            (Attack { exit: Some(3), ..good.clone() }, "no verdict"),
            (Attack { exit: Some(0), ..good.clone() }, "no verdict"),
            (Attack { seconds: 61.0, ..good.clone() }, "too slow"),
            (Attack { mebibytes: 4000.0, ..good.clone() }, "too much memory"),
            (Attack { leaked: 1, ..good.clone() }, "leaks"),
        ] {
            assert_eq!(trouble(&bad), Some(what));
        }
    }
}
