//! Published figures beside ours.

use lab::Case;
use records::papers::{self, Both, Verdict};
use records::published::{Claim, Experiment, Reference, Row};

use super::lookup::{self, Place};
use super::measure::{Clock, Timed};
use super::published::{Selection, picture};
use judge::exit::Stop;
use judge::progress::Progress;
use judge::setup::{Engine, Setup};
use judge::workspace::Workspace;

/// Times that differ by less count as equal.
const SAME: f64 = 0.05;

/// Whether every result of ours was right.
pub fn all_right(reports: &records::Papers) -> bool {
    let mut experiments = reports.reports.iter().flat_map(|report| &report.experiments);
    experiments.all(|one| one.rows.iter().all(|row| row.right) && one.claims.iter().all(|one| one.right))
}

/// Repeats the selected experiments of a report.
pub fn report(
    selection: &Selection,
    setup: &Setup,
    workspace: &Workspace,
    progress: &Progress,
) -> Result<papers::Paper, Stop> {
    let (engine, gpu, driver) = match &setup.engine {
        Engine::Gpu(device) => ("gpu", device.name.clone(), Some(device.driver_name())),
        Engine::Simulator(gpu) => ("sim", gpu.title.to_owned(), None),
    };
    let mut clock = Clock::new(setup);
    let mut experiments = Vec::new();
    for experiment in &selection.experiments {
        progress.say(&format!("{}: {}", selection.report.id, experiment.name));
        experiments.push(one(experiment, &mut clock, workspace)?);
    }
    Ok(papers::Paper {
        id: selection.report.id.clone(),
        title: selection.report.title.clone(),
        hardware: selection.report.hardware.clone(),
        engine: engine.to_owned(),
        gpu,
        driver,
        compiler: setup.compiler_name(),
        experiments,
    })
}

fn one(
    experiment: &Experiment,
    clock: &mut Clock<'_>,
    workspace: &Workspace,
) -> Result<papers::Experiment, Stop> {
    let place = lookup::place(experiment);
    let mut compared = papers::Experiment {
        name: experiment.name.clone(),
        what: experiment.what.clone(),
        source: experiment.source.clone(),
        note: experiment.note.clone(),
        lab: experiment.lab.clone(),
        task: experiment.task.clone(),
        size: None,
        basis: None,
        missing: place.as_ref().err().cloned(),
        rows: Vec::new(),
        claims: Vec::new(),
    };
    let picture = experiment.image.and_then(picture);
    let case = picture.map(|picture| Case::new(format!("{picture:?}"), picture));
    let mut scene = Scene { place: place.ok(), case, clock, workspace, last: None };
    let times = experiment.rows.iter().map(|row| scene.row(row)).collect::<Result<Vec<_>, Stop>>()?;
    compared.rows = rows(&experiment.rows, &times, scene.last.as_ref());
    compared.claims =
        experiment.claims.iter().map(|claim| scene.claim(claim)).collect::<Result<Vec<_>, Stop>>()?;
    if let Some(timed) = &scene.last {
        compared.size = Some([timed.performance.width, timed.performance.height]);
        compared.basis = Some(timed.performance.basis.to_owned());
    }
    Ok(compared)
}

/// Our side of a published row.
enum Ours {
    /// A timed rung.
    Rung(String, Box<Timed>),
    /// A CPU reference; its time is known once a rung is timed.
    Reference(Reference),
    /// Nothing, and why.
    Missing(String),
}

/// Where the rows of an experiment run.
struct Scene<'a, 'b> {
    place: Option<Place>,
    case: Option<Case>,
    clock: &'a mut Clock<'b>,
    workspace: &'a Workspace,
    last: Option<Timed>,
}

impl Scene<'_, '_> {
    fn row(&mut self, row: &Row) -> Result<Ours, Stop> {
        match (&row.rung, row.reference) {
            (Some(wanted), _) => self.rung(wanted),
            (None, Some(reference)) => Ok(Ours::Reference(reference)),
            (None, None) => Ok(Ours::Missing("nothing here repeats it".into())),
        }
    }

    fn rung(&mut self, wanted: &str) -> Result<Ours, Stop> {
        let Some(place) = self.place else { return Ok(Ours::Missing("the lab is not here yet".into())) };
        let Some(found) = lookup::rung(self.workspace, place.lab, wanted)? else {
            let folder = place.lab.folder();
            return Ok(Ours::Missing(format!("no rung `{wanted}` in solutions/{folder} yet")));
        };
        let timed = self.clock.time(place, &found, self.case.as_ref())?;
        self.last = Some(timed.clone());
        Ok(Ours::Rung(found.name, Box::new(timed)))
    }

    fn claim(&mut self, claim: &Claim) -> Result<papers::Claim, Stop> {
        let mut compared = papers::Claim {
            text: claim.text.clone(),
            verdict: None,
            times: Vec::new(),
            right: true,
            missing: None,
        };
        for wanted in claim.faster.iter().chain(&claim.slower).chain(&claim.same) {
            match self.rung(wanted)? {
                Ours::Rung(name, timed) => {
                    compared.right &= timed.right;
                    compared.times.push((name, timed.performance.seconds * 1e3));
                }
                Ours::Missing(why) => compared.missing = Some(why),
                Ours::Reference(_) => {}
            }
        }
        if compared.missing.is_none() {
            let times: Vec<f64> = compared.times.iter().map(|(_, ms)| *ms).collect();
            compared.verdict = Some(verdict(claim.faster.is_some(), &times));
        }
        Ok(compared)
    }
}

/// Whether the first time is below all others or, without an order, whether all are about the same.
fn verdict(ordered: bool, times: &[f64]) -> Verdict {
    let Some((first, others)) = times.split_first() else { return Verdict::DoesNotHold };
    let excess = |other: &f64| other / first - 1.0;
    let holds = if ordered {
        others.iter().all(|other| excess(other) > SAME)
    } else {
        others.iter().all(|other| excess(other).abs() <= SAME)
    };
    if holds {
        Verdict::Holds
    } else if ordered && others.iter().all(|other| excess(other) >= -SAME) {
        Verdict::TooClose
    } else {
        Verdict::DoesNotHold
    }
}

fn rows(published: &[Row], ours: &[Ours], timed: Option<&Timed>) -> Vec<papers::Row> {
    let here: Vec<Option<f64>> = ours.iter().map(|ours| milliseconds(ours, timed)).collect();
    let ratio = |from: Option<f64>, to: Option<f64>| from.zip(to).map(|(from, to)| from / to);
    let times = |from: usize, to: usize| {
        let published = ratio(Some(published[from].ms), Some(published[to].ms));
        Both::new(published, ratio(here[from], here[to]))
    };
    published
        .iter()
        .enumerate()
        .map(|(index, row)| {
            let (name, right, missing) = match &ours[index] {
                Ours::Rung(name, timed) => (Some(name.clone()), timed.right, None),
                Ours::Reference(Reference::Sequential) => (Some("sequential".to_owned()), true, None),
                Ours::Reference(Reference::Parallel) => (Some("parallel".to_owned()), true, None),
                Ours::Missing(why) => (None, true, Some(why.clone())),
            };
            papers::Row {
                label: row.label.clone(),
                ours: name,
                ms: Both::new(Some(row.ms), here[index]),
                before: index.checked_sub(1).map_or_else(Both::default, |before| times(before, index)),
                first: if index == 0 { Both::default() } else { times(0, index) },
                right,
                missing,
            }
        })
        .collect()
}

fn milliseconds(ours: &Ours, timed: Option<&Timed>) -> Option<f64> {
    let seconds = match ours {
        Ours::Rung(_, timed) => Some(timed.performance.seconds),
        Ours::Reference(Reference::Sequential) => timed.map(|timed| timed.performance.sequential_seconds),
        Ours::Reference(Reference::Parallel) => timed.and_then(|timed| timed.performance.parallel_seconds),
        Ours::Missing(_) => None,
    };
    seconds.map(|seconds| seconds * 1e3)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn a_claim_holds_only_if_all_its_times_agree() {
        assert_eq!(verdict(true, &[1.0, 1.1, 3.0]), Verdict::Holds);
        assert_eq!(verdict(true, &[1.0, 1.1, 0.9]), Verdict::DoesNotHold);
        assert_eq!(verdict(true, &[1.0, 1.1, 1.0]), Verdict::TooClose);
        assert_eq!(verdict(false, &[1.0, 1.04]), Verdict::Holds);
        assert_eq!(verdict(false, &[1.0, 0.9]), Verdict::DoesNotHold);
    }

    #[test]
    fn ratios_stand_beside_each_other_and_a_gap_leaves_them_out() {
        let row = |ms| Row { label: String::new(), ms, rung: None, reference: None };
        let reference = || Ours::Reference(Reference::Parallel);
        let rows = rows(&[row(8.0), row(2.0)], &[reference(), reference()], None);
        assert_eq!(rows[1].before, Both { published: Some(4.0), here: None, ratio: None });
        assert_eq!(Both::new(Some(4.0), Some(2.0)).ratio, Some(0.5));
        assert_eq!(rows[0].first, Both::default());
    }
}
