//! The run as it is committed, and as it is printed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::families::Family;
use super::outcome::Outcome;
use checker::render::shortened;

/// The run, as it is committed.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The GPU, or what was compared instead.
    pub gpu: String,
    /// Its driver; empty without a GPU.
    pub driver: String,
    /// The day.
    pub date: String,
    /// The command that repeats it.
    pub command: String,
    /// The compiler.
    pub compiler: String,
    /// The seed.
    pub seed: u64,
    /// Kernels in all.
    pub kernels: usize,
    /// Kernels that are neither equal nor refused by name.
    pub mismatches: usize,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Seconds of compilation, summed over the children.
    pub compile_seconds: f64,
    /// By family.
    pub families: Vec<Row>,
    /// What the simulator says it lacks, and how many kernels meet it.
    pub not_simulated: BTreeMap<String, usize>,
    /// Every kernel that did not give the same bytes.
    pub failures: Vec<Failure>,
    /// Every kernel on which the compiler crashed or its optimizer changed the result.
    pub compiler_faults: Vec<Failure>,
}

/// One family.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The family.
    pub family: Family,
    /// Kernels run.
    pub kernels: usize,
    /// The same bytes.
    pub same: usize,
    /// Other bytes.
    pub differ: usize,
    /// Other bytes only from optimized machine code, or no machine code at all: the compiler's fault.
    pub compiler: usize,
    /// Refused by the simulator by name.
    pub not_simulated: usize,
    /// Findings where nothing is wrong.
    pub found: usize,
    /// Did not compile or run.
    pub failed: usize,
}

/// A kernel to look at: `--seed S --only INDEX` repeats it.
#[derive(Debug, Serialize)]
pub struct Failure {
    /// Its number.
    pub index: u64,
    /// Its family.
    pub family: Family,
    /// What came of it.
    pub outcome: Outcome,
}

/// Failures that are listed in the text; the JSON has all.
const SHOWN: usize = 20;

impl Report {
    /// Fills in what follows from the outcomes.
    pub fn count(&mut self, outcomes: Vec<(u64, Outcome)>, families: &[Family]) {
        let family_of = |index: u64| families[(index % families.len() as u64) as usize];
        self.kernels = outcomes.len();
        for &family in families {
            let of_it: Vec<&Outcome> = outcomes
                .iter()
                .filter(|(index, _)| family_of(*index) == family)
                .map(|(_, outcome)| outcome)
                .collect();
            let count = |wanted: fn(&Outcome) -> bool| of_it.iter().filter(|one| wanted(one)).count();
            self.families.push(Row {
                family,
                kernels: of_it.len(),
                same: count(|one| matches!(one, Outcome::Same)),
                differ: count(|one| matches!(one, Outcome::Differs(_))),
                compiler: count(|one| matches!(one, Outcome::Optimizer(_) | Outcome::NotCompiled(_))),
                not_simulated: count(|one| matches!(one, Outcome::NotSimulated(_))),
                found: count(|one| matches!(one, Outcome::Found(_))),
                failed: count(|one| matches!(one, Outcome::Failed(_))),
            });
        }
        for (index, outcome) in outcomes {
            if let Outcome::NotSimulated(reason) = &outcome {
                *self.not_simulated.entry(reason.clone()).or_default() += 1;
            }
            self.mismatches += usize::from(outcome.is_mismatch());
            let list = match outcome {
                Outcome::Optimizer(_) | Outcome::NotCompiled(_) => &mut self.compiler_faults,
                Outcome::Same | Outcome::NotSimulated(_) => continue,
                _ => &mut self.failures,
            };
            list.push(Failure { index, family: family_of(index), outcome });
        }
    }

    /// For people: failures first, the table last.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for failure in self.failures.iter().take(SHOWN) {
            let what = match &failure.outcome {
                Outcome::Differs(at) | Outcome::Optimizer(at) => {
                    format!(
                        "{}: {} simulated, {} there; {} words differ",
                        at.place, at.simulated, at.other, at.words
                    )
                }
                Outcome::Found(what)
                | Outcome::Failed(what)
                | Outcome::NotCompiled(what)
                | Outcome::NotSimulated(what) => what.clone(),
                Outcome::Same => String::new(),
            };
            let start = format!("{:6} {:11} ", failure.index, failure.family.name());
            let _ = writeln!(out, "{start}{}", shortened(&what.replace('\n', " "), 100 - start.len()));
        }
        if let Some(first) = self.failures.first() {
            let _ = writeln!(out, "repeat one with `--seed {} --only {}`\n", self.seed, first.index);
        }
        for (reason, count) in self.not_simulated.iter().take(SHOWN) {
            let _ = writeln!(out, "{}", shortened(&format!("{count:6} not simulated: {reason}"), 100));
        }
        let driver = if self.driver.is_empty() { String::new() } else { format!(", driver {}", self.driver) };
        let _ = writeln!(out, "{}{driver}, {}, {}, seed {}", self.gpu, self.compiler, self.date, self.seed);
        let _ = writeln!(
            out,
            "{:12} {:>8} {:>8} {:>8} {:>9} {:>14} {:>9} {:>8}",
            "family", "kernels", "same", "differ", "compiler", "not simulated", "findings", "failed"
        );
        for row in &self.families {
            let _ = writeln!(
                out,
                "{:12} {:>8} {:>8} {:>8} {:>9} {:>14} {:>9} {:>8}",
                row.family.name(),
                row.kernels,
                row.same,
                row.differ,
                row.compiler,
                row.not_simulated,
                row.found,
                row.failed
            );
        }
        let _ = writeln!(
            out,
            "{} kernels in {:.0} s, {} mismatches",
            self.kernels, self.seconds, self.mismatches
        );
        out
    }
}
