//! The outcomes of a run counted, and the printed report.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use records::{Difference, Differential, Failure, FamilyRow, Outcome, Record};

use super::families::Family;
use crate::machine::heading;
use judge::wrap::shortened;

/// Failures that are listed in the text; the JSON has all.
const SHOWN: usize = 20;

/// The figures of a run; how long it took is still missing.
pub fn counted(outcomes: Vec<(u64, Outcome)>, families: &[Family], seed: u64) -> Differential {
    let family_of = |index: u64| families[(index % families.len() as u64) as usize];
    let mut run = Differential {
        seed,
        kernels: outcomes.len(),
        mismatches: outcomes.iter().filter(|(_, outcome)| outcome.is_mismatch()).count(),
        seconds: 0.0,
        compile_seconds: 0.0,
        families: Vec::new(),
        not_simulated: BTreeMap::new(),
        failures: Vec::new(),
        compiler_faults: Vec::new(),
    };
    for &family in families {
        let of_it = outcomes.iter().filter(|(index, _)| family_of(*index) == family);
        run.families.push(row(family, &of_it.map(|(_, outcome)| outcome).collect::<Vec<_>>()));
    }
    for (index, outcome) in outcomes {
        if let Outcome::NotSimulated(reason) = &outcome {
            *run.not_simulated.entry(reason.clone()).or_default() += 1;
        }
        let list = match outcome {
            Outcome::Optimizer(_) | Outcome::NotCompiled(_) => &mut run.compiler_faults,
            Outcome::Same | Outcome::NotSimulated(_) => continue,
            _ => &mut run.failures,
        };
        list.push(Failure { index, family: family_of(index).name().to_owned(), outcome });
    }
    run
}

fn row(family: Family, outcomes: &[&Outcome]) -> FamilyRow {
    let count = |wanted: fn(&Outcome) -> bool| outcomes.iter().filter(|one| wanted(one)).count();
    FamilyRow {
        family: family.name().to_owned(),
        kernels: outcomes.len(),
        same: count(|one| matches!(one, Outcome::Same)),
        differ: count(|one| matches!(one, Outcome::Differs(_))),
        compiler: count(|one| matches!(one, Outcome::Optimizer(_) | Outcome::NotCompiled(_))),
        not_simulated: count(|one| matches!(one, Outcome::NotSimulated(_))),
        found: count(|one| matches!(one, Outcome::Found(_))),
        failed: count(|one| matches!(one, Outcome::Failed(_))),
    }
}

/// For people: failures first, the table last.
pub fn text(record: &Record<Differential>) -> String {
    let run = &record.content;
    let mut out = String::new();
    for failure in run.failures.iter().take(SHOWN) {
        let start = format!("{:6} {:11} ", failure.index, failure.family);
        let what = in_words(&failure.outcome).replace('\n', " ");
        let _ = writeln!(out, "{start}{}", shortened(&what, 100 - start.len()));
    }
    if let Some(first) = run.failures.first() {
        let _ = writeln!(out, "repeat one with `--seed {} --only {}`\n", run.seed, first.index);
    }
    for (reason, count) in run.not_simulated.iter().take(SHOWN) {
        let _ = writeln!(out, "{}", shortened(&format!("{count:6} not simulated: {reason}"), 100));
    }
    let compiler = record.provenance.compiler.as_deref().unwrap_or_default();
    let _ = writeln!(out, "{}, {compiler}, seed {}", heading(&record.provenance), run.seed);
    let _ = writeln!(
        out,
        "{:12} {:>8} {:>8} {:>8} {:>9} {:>14} {:>9} {:>8}",
        "family", "kernels", "same", "differ", "compiler", "not simulated", "findings", "failed"
    );
    for row in &run.families {
        let _ = writeln!(
            out,
            "{:12} {:>8} {:>8} {:>8} {:>9} {:>14} {:>9} {:>8}",
            row.family,
            row.kernels,
            row.same,
            row.differ,
            row.compiler,
            row.not_simulated,
            row.found,
            row.failed
        );
    }
    let _ = writeln!(out, "{} kernels in {:.0} s, {} mismatches", run.kernels, run.seconds, run.mismatches);
    out
}

fn in_words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Differs(at) | Outcome::Optimizer(at) => {
            let Difference { place, simulated, other, words, .. } = at;
            format!("{place}: {simulated} simulated, {other} there; {words} words differ")
        }
        Outcome::Found(what)
        | Outcome::Failed(what)
        | Outcome::NotCompiled(what)
        | Outcome::NotSimulated(what) => what.clone(),
        Outcome::Same => String::new(),
    }
}
