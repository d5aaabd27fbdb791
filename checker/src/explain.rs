//! `checker explain lab2`: the questions of the task sheet, answered with the numbers of the student's own file.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use colored::Colorize;
use lab::{Facts, Lab, NOT_YET};
use simulator::model::Gpu;

use crate::options::{EngineOptions, LabOptions, SourceOptions};
use crate::output;
use judge::exit::{self, Stop};
use judge::progress::Progress;
use judge::report::Report;
use judge::submission;
use judge::supervise;
use judge::verdict;
use judge::wrap::hanging;

/// The heading that the questions stand below.
const HEADING: &str = "## Predict before you code";

/// Answer the questions of a lab's task sheet with the numbers of your own file (spoilers)
#[derive(Debug, Args)]
pub struct Explain {
    #[command(flatten)]
    lab: LabOptions,
    #[command(flatten)]
    source: SourceOptions,
    #[command(flatten)]
    engine: EngineOptions,
}

impl Explain {
    /// Checks the file, and answers.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let (lab, tasks) = self.lab.chosen()?;
        let (_, gpu) = self.engine.chosen()?;
        let source = self.source.source();
        let part = submission::of_lab(lab, &source, &tasks)?;
        let progress = Progress::new();
        if !progress.is_watched() {
            drop(progress);
            return supervise::run_again()?.or_else(|loss| {
                eprintln!("{}", hanging("note: ", &loss.finding().message));
                output::text(&text(lab, &[]))?;
                Ok(exit::verdict(false))
            });
        }
        let report = verdict::simulated(
            lab,
            &part,
            &source.check(lab, &part.submission.shown),
            gpu,
            &BTreeSet::new(),
            progress,
        )?;
        output::text(&text(lab, &facts(lab, &report, gpu)))?;
        Ok(ExitCode::from(exit::PASSED))
    }
}

/// What the report tells of each task that is right.
fn facts(lab: &'static dyn Lab, report: &Report, gpu: &Gpu) -> Vec<Facts> {
    let of = |task: &&'static dyn lab::Task| {
        let timed = report.performance.iter().find(|timed| timed.task == task.name())?;
        let link_seconds = timed.transfer_seconds.unwrap_or_default();
        Some(Facts {
            task: task.name(),
            pixels: (timed.width * timed.height) as f64,
            fewest: task.fewest_bytes(timed.width, timed.height),
            signs: timed.signs?,
            seconds: timed.seconds,
            kernel_seconds: timed.kernel_seconds.unwrap_or(timed.seconds),
            link_seconds: if task.over_link() {
                link_seconds
            } else {
                timed.signs?.link_share * timed.seconds
            },
            bandwidth: gpu.dram_bytes_per_second,
        })
    };
    lab.tasks().iter().filter_map(of).collect()
}

/// The questions of a task sheet, without their numbers.
fn questions(sheet: &str) -> Vec<&str> {
    let below = sheet.split_once(HEADING).map_or("", |(_, below)| below);
    let section = below.split("\n## ").next().unwrap_or_default();
    let numbered = section.lines().filter_map(|line| line.split_once(". "));
    numbered.filter(|(number, _)| number.parse::<u32>().is_ok()).map(|(_, question)| question).collect()
}

fn text(lab: &dyn Lab, facts: &[Facts]) -> String {
    let mut out = format!("{}\n", format!("{}: {}", lab.name(), lab.title()).bold());
    let mut told = Vec::new();
    for (number, (question, answer)) in questions(lab.sheet()).iter().zip(lab.answers()).enumerate() {
        let _ = writeln!(
            out,
            "\n{}",
            hanging(&format!("{}. ", number + 1), &question.replace("cargo run --release -- ", "checker "))
                .bold()
        );
        let _ = writeln!(out, "{}", hanging("   ", &without_repeats(answer(facts), &mut told)));
    }
    out
}

/// An answer without the remarks on tasks that do not run yet which are known already.
fn without_repeats(answer: String, told: &mut Vec<String>) -> String {
    let remark = answer
        .find(NOT_YET)
        .map(|start| start..answer[start..].find(".)").map_or(answer.len(), |end| start + end + 2));
    let Some(remark) = remark else { return answer };
    let text = answer[remark.clone()].to_owned();
    if told.contains(&text) {
        return format!("{} {}", answer[..remark.start].trim_end(), answer[remark.end..].trim_start())
            .trim_end()
            .to_owned();
    }
    told.push(text);
    answer
}

#[cfg(test)]
mod tests {
    use lab::{FewestBytes, Signs};

    use super::*;
    use judge::labs;

    #[test]
    fn every_question_has_an_answer() {
        for lab in labs::all() {
            assert_eq!(questions(lab.sheet()).len(), lab.answers().len(), "{}", lab.name());
            let facts: Vec<Facts> = lab
                .tasks()
                .iter()
                .map(|task| Facts {
                    task: task.name(),
                    pixels: 1e6,
                    fewest: FewestBytes { read: 3_000_000, write: 1_000_000 },
                    signs: Signs { pixels_per_thread: 4.0, barriers: 0.5, ..Signs::default() },
                    seconds: 2e-3,
                    kernel_seconds: 1e-3,
                    link_seconds: 1e-3,
                    bandwidth: 4e12,
                })
                .collect();
            for facts in [&facts[..], &[]] {
                let text = text(lab, facts);
                assert!(!text.contains("NaN") && !text.contains("inf "), "{text}");
                assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
                let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
                assert_eq!(words.contains("not right yet"), facts.is_empty(), "{text}");
                assert!(!words.to_lowercase().contains("yours"), "a number without its task: {text}");
                for task in lab.tasks() {
                    assert!(
                        words.matches(&format!("Your `{}` is not right yet", task.name())).count() <= 1,
                        "{text}"
                    );
                }
            }
        }
    }
}
