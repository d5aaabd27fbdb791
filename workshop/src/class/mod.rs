//! `workshop class`: a synthetic class graded again and again, with and without faults, and pairs of files that are alike.

mod alike;
mod faults;
mod machine;
mod make;
mod outcome;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use records::{Grading, Provenance, Record};

use crate::command_line::CommandLine;
use crate::date::today;
use crate::result::ResultOptions;
use judge::exit::{self, Stop};

/// Grade synthetic classes: exit code 1 if a grading gives other files than the first
#[derive(Debug, Args)]
pub struct Class {
    /// Students of a class that is graded twice, and once more with a kill in the middle; 0: the file keeps its figures of them
    #[arg(long, value_name = "N", default_value_t = 200)]
    students: usize,
    /// Gradings of a small class with a fault in each
    #[arg(long, value_name = "N", default_value_t = 200)]
    faults: usize,
    /// The program `checker`; without it, the one beside this program
    #[arg(long, value_name = "FILE")]
    checker: Option<PathBuf>,
    #[command(flatten)]
    result: ResultOptions,
}

impl Class {
    /// Makes, grades, compares, prints.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let failed = |error: std::io::Error| Stop::environment(format!("failed to try a class: {error}"));
        let own = std::env::current_exe().map_err(failed)?;
        let checker = self.checker.clone().unwrap_or_else(|| own.with_file_name("checker"));
        if !checker.is_file() {
            return Err(Stop::Usage(format!(
                "there is no `{}`: build it with `cargo build --release -p checker`, or name it with `--checker`",
                checker.display()
            )));
        }
        let kept = self.kept()?;
        let similar = alike::measure()?;
        let (students, gradings) = match kept {
            Some(Grading { students, gradings, .. }) => (students, gradings),
            None => (self.students, faults::whole(&checker, self.students)?),
        };
        let faults = faults::all(&checker, self.faults)?;
        let provenance = Provenance {
            date: Some(today()),
            command: CommandLine::of::<Grading>()
                .option("--students", (students != 200).then_some(students))
                .option("--faults", (self.faults != 200).then_some(self.faults))
                .file("--out", self.result.out.as_deref())
                .into(),
            ..Provenance::default()
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let content = Grading { cores, students, gradings, faults, similar };
        let record = Record::new(provenance, content);
        self.result.write(&record)?;
        self.result.print(&record, || text(&record.content))?;
        let content = &record.content;
        let same = content.gradings.iter().all(|one| one.same);
        Ok(exit::verdict(same && content.faults.iter().all(|kind| kind.same == kind.runs)))
    }

    /// The file's figures, if those of a whole class stay as they are.
    fn kept(&self) -> Result<Option<Grading>, Stop> {
        match &self.result.out {
            Some(out) if self.students == 0 && out.exists() => {
                Ok(Some(records::read::<Grading>(out).map_err(crate::again::stop)?.content))
            }
            _ => Ok(None),
        }
    }
}

fn text(grading: &Grading) -> String {
    let mut lines: Vec<String> = Vec::new();
    for one in &grading.gradings {
        let same = if one.same { "same" } else { "OTHER FILES" };
        lines.push(format!("{} students, {}: {:.1} s, {same}", grading.students, one.how, one.seconds));
    }
    for kind in &grading.faults {
        lines.push(format!(
            "{}: {} gradings, {} struck, {} same",
            kind.kind, kind.runs, kind.struck, kind.same
        ));
    }
    for one in &grading.similar {
        let what = if one.transformation.is_empty() { "different files" } else { &one.transformation };
        lines.push(format!("{} {what}: {} of {} shown", one.lab, one.shown, one.pairs));
    }
    lines.join("\n") + "\n"
}
