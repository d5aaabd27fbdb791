//! Measured and predicted speeds of rungs.

use std::path::Path;

use lab::Task;
use records::{Matrix, Provenance};

use crate::command_line::CommandLine;
use crate::machine::Machine;
use crate::rungs;
use crate::sources::Source;
use crate::timed::scored;
use judge::call::PUBLIC_SEED;
use judge::exit::Stop;
use judge::performance::{self, TimingFixtures};
use judge::progress::Progress;
use judge::report::Verdict;
use judge::score::Speed;
use judge::setup::Setup;
use judge::verify::Runner;

/// A rung's speeds, task by task.
pub type Speeds = Vec<(String, Speed)>;

/// Measured speeds.
pub struct Measured {
    /// Where they come from.
    pub provenance: Provenance,
    /// Lab, rung and the speeds of its tasks.
    rungs: Vec<(String, String, Speeds)>,
}

impl Measured {
    /// Those of a file that `workshop matrix` wrote.
    pub fn read(path: &Path) -> Result<Self, Stop> {
        let record = records::read::<Matrix>(path).map_err(|error| Stop::Usage(error.to_string()))?;
        let mut rungs: Vec<(String, String, Speeds)> = Vec::new();
        for row in record.content.rows {
            let (lab, rung) = (row.lab, row.rung);
            if !row.right {
                return Err(Stop::Usage(format!("`{rung}` of {lab} was wrong when it was measured")));
            }
            let speed = Speed { share: row.share, speedup: row.speedup, state: scored(row.state) };
            let known = rungs.iter_mut().find(|(of, name, _)| (of, name) == (&lab, &rung));
            match known {
                Some((.., speeds)) => speeds.push((row.task, speed)),
                None => rungs.push((lab, rung, vec![(row.task, speed)])),
            }
        }
        Ok(Self { provenance: record.provenance, rungs })
    }

    /// Measures every rung on the GPU of this machine. The CPU's references are timed once per task.
    pub fn now(sources: &[Source], progress: &Progress) -> Result<Self, Stop> {
        let machine = Machine::find::<records::Scores>(progress)?;
        let mut all = Vec::new();
        let mut fixtures = TimingFixtures::default();
        rungs::each(sources, &machine, &mut |rung| {
            let mut speeds = Vec::new();
            for task in rung.tasks.iter().copied() {
                progress.say(&format!("measuring {}: {}", rung.name, task.name()));
                let mut runner =
                    Runner { program: rung.program, simulation: &rung.simulation, gpu: Some(&mut rung.gpu) };
                let (case, setup) = (task.timed_case(), &machine.setup);
                let timed =
                    performance::time_on(task, &case, setup, &mut runner, PUBLIC_SEED, &mut fixtures)?;
                speeds.push((task.name().to_owned(), speed(task, &rung.name, timed)?));
            }
            all.push((rung.lab.name().to_owned(), rung.name.clone(), speeds));
            Ok(())
        })?;
        Ok(Self { provenance: machine.provenance(CommandLine::of::<records::Scores>()), rungs: all })
    }

    /// The speeds of a rung; `None` if it was not measured.
    pub fn of(&self, lab: &str, rung: &str) -> Option<&Speeds> {
        let found = self.rungs.iter().find(|(of, name, _)| (of.as_str(), name.as_str()) == (lab, rung));
        found.map(|(.., speeds)| speeds)
    }
}

/// The speeds that the simulator predicts for a rung, compiled as for a student without a GPU.
pub fn predicted(source: &Source, setup: &Setup) -> Result<Speeds, Stop> {
    let build = rungs::compiled(source, setup)?;
    let simulation = build.simulation(setup.simulated_gpu());
    let one = |task: &&'static dyn Task| {
        let mut runner = Runner { program: &build.program, simulation: &simulation, gpu: None };
        let timed = performance::time(*task, &task.timed_case(), setup, &mut runner, PUBLIC_SEED)?;
        Ok((task.name().to_owned(), speed(*task, &source.name, timed)?))
    };
    source.tasks.iter().map(one).collect()
}

fn speed(task: &dyn Task, rung: &str, timed: performance::Timed) -> Result<Speed, Stop> {
    let right = timed.case.verdict == Verdict::Passed;
    let performance = timed.performance.filter(|_| right).ok_or_else(|| {
        Stop::environment(format!("`{rung}` is not right in `{}`: run `workshop verify`", task.name()))
    })?;
    Ok(Speed { share: performance.share, speedup: performance.speedup, state: performance.state })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_measured_file_is_read_rung_by_rung_and_a_wrong_one_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("matrix.json");
        let row = |task: &str, right: bool| {
            json!({"lab": "lab1", "rung": "01_a", "task": task, "cases": 20, "unequal": [], "right": right,
                "case": "c", "width": 1, "height": 1, "seconds": 1.0, "gigabytes_per_second": 1.0,
                "yardstick_seconds": 1.0, "yardstick_gigabytes_per_second": 1.0, "share": 0.5, "state": "unstable",
                "sequential_seconds": 9.0, "speedup": 9.0})
        };
        let write = |rows: &[Value]| {
            let file = json!({"kind": "matrix", "provenance": {"command": "c"}, "rows": rows});
            std::fs::write(&path, file.to_string()).unwrap();
        };
        write(&[row("grayscale", true), row("grayscale_darken", true)]);
        let measured = Measured::read(&path).expect("a matrix");
        let speeds = measured.of("lab1", "01_a").expect("its speeds");
        assert_eq!(speeds.len(), 2);
        assert_eq!(speeds[1].1.state, judge::score::State::Unstable);
        assert!(measured.of("lab2", "01_a").is_none());
        write(&[row("grayscale", false)]);
        assert!(Measured::read(&path).is_err());
    }
}
