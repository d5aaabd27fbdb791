//! What a person sees while a class is graded, on stderr: on a terminal a line per result above a bar with the remaining time, else
//! a line per result alone.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::result::{cut, points};
use crate::run::{Checked, Event};

/// The display.
pub struct Live {
    bar: Option<ProgressBar>,
    done: usize,
    all: usize,
    running: Vec<String>,
}

impl Live {
    /// For so many checks, of which some are done from an earlier run.
    pub fn new(open: usize, kept: usize) -> Self {
        if kept > 0 {
            eprintln!("{kept} results are there already, {open} checks to make");
        }
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(open as u64);
            let style =
                ProgressStyle::with_template("{bar:30} {pos} of {len}, {elapsed} so far, {eta} left  {msg}");
            if let Ok(style) = style {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        });
        Self { bar, done: 0, all: open, running: Vec::new() }
    }

    /// Shows what happened.
    pub fn show(&mut self, event: &Event<'_>) {
        let (unit, what) = match event {
            Event::Began(unit) => {
                self.running.push(unit.name());
                return self.say();
            }
            Event::Done(unit, checked) => (unit, told(checked)),
            Event::Broken(unit, why) => (unit, format!("no result: {why}")),
        };
        self.running.retain(|name| *name != unit.name());
        self.done += 1;
        let line = cut(&format!("{:4}/{}  {:30}  {what}", self.done, self.all, unit.name()), 100);
        match &self.bar {
            Some(bar) => {
                bar.println(line);
                bar.inc(1);
            }
            None => eprintln!("{line}"),
        }
        self.say();
    }

    fn say(&self) {
        if let Some(bar) = &self.bar {
            bar.set_message(cut(&self.running.join(" "), 30));
        }
    }

    /// Removes the bar.
    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

fn told(checked: &Checked) -> String {
    let report = match checked {
        Checked::Refused(why) => return format!("refused  {why}"),
        Checked::Report(report) => report,
    };
    let verdict = if report["passed"].as_bool() == Some(true) { "passed" } else { "failed" };
    let score = points(report["score"].as_f64().unwrap_or_default());
    let finding = report["findings"][0]["code"].as_str().unwrap_or_default();
    format!("{verdict}   {score:>5}  {finding}")
}
