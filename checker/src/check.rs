//! `checker lab1`: one file judged, its report printed.

use std::process::ExitCode;

use lab::Lab;

use crate::album::Album;
use crate::config::{Check, Source};
use crate::exit::{self, Stop};
use crate::judge::{Order, judge};
use crate::performance::Subjects;
use crate::progress::Progress;
use crate::setup::Setup;
use crate::submission::{self, Submission};
use crate::workspace::{self, Workspace, current_folder};
use crate::{output, render};

/// Judges and prints.
pub fn run(check: &Check) -> Result<ExitCode, Stop> {
    let submission = submission(check.lab, &check.source)?;
    let album = check.save.as_deref().map(Album::open).transpose()?;
    let progress = Progress::new();
    let setup = Setup::new(check.engine, check.gpu, &progress)?;
    let order = Order {
        lab: check.lab,
        tasks: &check.tasks,
        submission: &submission,
        seed: check.seed,
        command: command(check, &submission),
        timed: true,
        album: album.as_ref(),
    };
    let report = judge(&setup, &order, &mut Subjects::default(), &mut |what| progress.say(what))?;
    drop(progress);
    if check.json {
        output::json(&report)?;
    } else {
        output::text(&render::text(&report, &submission))?;
    }
    // After the report: a full disk must not cost it.
    if let Some(album) = album {
        eprintln!("{}", render::hanging("", &album.close()?));
    }
    Ok(exit::verdict(report.passed))
}

/// The file to judge.
pub fn submission(lab: &dyn Lab, source: &Source) -> Result<Submission, Stop> {
    let here = current_folder()?;
    let name = lab.name();
    let (path, if_missing) = match source {
        Source::File(path) => {
            (path.clone(), format!("`checker {name}` without `--file` judges the lab's own file"))
        }
        Source::Own => {
            let path = Workspace::find(&here)?.lab_file(lab);
            let advice =
                format!("`git checkout {}` brings the skeleton back", workspace::shown_from(&here, &path));
            (path, advice)
        }
        Source::Solution(number) => {
            (Workspace::find(&here)?.rung(lab, number.as_deref())?, "check that the checkout is whole".into())
        }
    };
    submission::read(&path, workspace::shown_from(&here, &path), lab, &if_missing)
}

/// What judges the same file again.
fn command(check: &Check, submission: &Submission) -> String {
    let lab = check.lab.name();
    match &check.source {
        Source::Own => format!("checker {lab}"),
        Source::File(_) => format!("checker {lab} --file {}", submission.shown),
        Source::Solution(None) => format!("checker {lab} --solution"),
        Source::Solution(Some(number)) => format!("checker {lab} --solution {number}"),
    }
}
