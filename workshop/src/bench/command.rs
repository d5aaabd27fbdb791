//! The command: picture by picture, so that each is made once.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use lab::{Image, Lab, Task};
use records::{BenchRow, Record};

use super::operations::{OPERATIONS, Operation};
use super::ours::{Call, Rung, is_worth_it};
use super::peers::Peers;
use super::pictures::{Content, SIZES, Size, size};
use super::table;
use crate::command_line::CommandLine;
use crate::machine::Machine;
use crate::result::ResultOptions;
use crate::rungs;
use crate::sources::{self, Source, workspace};
use judge::call;
use judge::call::PUBLIC_SEED;
use judge::exit::{self, Stop};
use judge::labs;
use judge::progress::Progress;
use runtime::timing::GpuLock;

/// Rungs of each ladder that are timed if no number is given.
const DEFAULT_RUNGS: usize = 3;

/// Time the fastest solutions beside other libraries on this GPU (needs a GPU)
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct Bench {
    /// Only these labs
    labs: Vec<String>,
    /// Picture sizes, such as `1920x1080`; four from 512x512 to 20000x20000 if not given
    #[arg(long, value_name = "WxH", value_delimiter = ',', value_parser = size)]
    size: Vec<Size>,
    /// How many of the last rungs about each task are timed; 0: all
    #[arg(long, value_name = "N", default_value_t = DEFAULT_RUNGS)]
    rungs: usize,
    #[command(flatten)]
    result: ResultOptions,
}

const HELP: &str = "\
The other libraries are NPP and CUB (built with nvcc), CuPy and OpenCV (of `python3`); the report names those that
are missing on this machine. All begin with an empty L2; ours are compared with the labs' references.";

impl Bench {
    /// Measures, writes and prints.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let labs = labs::named(&self.labs)?;
        let (progress, start) = (Progress::new(), Instant::now());
        let machine = Machine::find::<records::Bench>(&progress)?;
        let mut ladder = self.ladder(&labs, &machine, &progress)?;
        progress.say("building the programs that time other libraries");
        let mut peers = Peers::new()?;
        let sizes = if self.size.is_empty() { &SIZES[..] } else { &self.size };
        let bench =
            records::Bench { seconds: 0, libraries: BTreeMap::new(), missing: Vec::new(), rows: Vec::new() };
        let mut record = Record::new(machine.provenance(self.command(&labs)), bench);
        for size in sizes {
            let bench = &mut record.content;
            for content in [Content::Noise, Content::Scene, Content::Flat] {
                let (ladder, pci) = (&mut ladder, machine.device.pci.as_str());
                let mut place = Place { labs: &labs, ladder, peers: &mut peers, pci, progress: &progress };
                let rows = place.on_picture(*size, content, &bench.rows)?;
                bench.rows.extend(rows);
            }
            bench.rows.sort_by_key(|row| OPERATIONS.iter().position(|operation| operation.task == row.task));
            bench.seconds = start.elapsed().as_secs();
            (bench.libraries, bench.missing) = (peers.versions.clone(), peers.missing.clone());
            // After each size: the largest takes most of the time, and a machine may be lost.
            self.result.write(&record)?;
        }
        drop(progress);
        self.result.print(&record, || table::text(&record))?;
        let wrong = record.content.rows.iter().flat_map(|row| &row.rungs).any(|rung| !rung.right);
        Ok(exit::verdict(!wrong))
    }

    /// The last rungs of each lab, built and opened.
    fn ladder(
        &self,
        labs: &[&'static dyn Lab],
        machine: &Machine,
        progress: &Progress,
    ) -> Result<Vec<Rung>, Stop> {
        let workspace = workspace()?;
        let mut ladder = Vec::new();
        for lab in labs {
            for source in last_of_each_task(sources::ladders(&[*lab], &workspace)?, self.rungs) {
                progress.say(&format!("building {}", workspace.shown(&source.path)));
                let build = rungs::compiled(&source, &machine.setup)?;
                let gpu = machine.setup.worker_on(&machine.device, &build)?;
                ladder.push(Rung { lab: *lab, name: source.name, tasks: source.tasks, gpu });
            }
        }
        Ok(ladder)
    }

    /// The command that measures this again.
    fn command(&self, labs: &[&'static dyn Lab]) -> CommandLine {
        let line = CommandLine::of::<records::Bench>().labs(labs);
        let line = self
            .size
            .iter()
            .fold(line, |line, (width, height)| line.option("--size", Some(format!("{width}x{height}"))));
        let rungs = (self.rungs != DEFAULT_RUNGS).then_some(self.rungs);
        line.option("--rungs", rungs).file("--out", self.result.out.as_deref())
    }
}

/// The rungs that are among the last `count` about a task, each with these tasks; all of them if it is 0.
fn last_of_each_task(mut rungs: Vec<Source>, count: usize) -> Vec<Source> {
    let all = rungs.clone();
    for (index, rung) in rungs.iter_mut().enumerate() {
        let above = |task: &dyn Task| all[index + 1..].iter().filter(|rung| rung.is_about(task)).count();
        rung.tasks.retain(|task| count == 0 || above(*task) < count);
    }
    rungs.retain(|rung| !rung.tasks.is_empty());
    rungs
}

/// The state that every picture needs.
struct Place<'a> {
    labs: &'a [&'static dyn Lab],
    ladder: &'a mut [Rung],
    peers: &'a mut Peers,
    pci: &'a str,
    progress: &'a Progress,
}

impl Place<'_> {
    /// Everything on one picture; `before` are the rows of earlier ones.
    fn on_picture(
        &mut self,
        size: Size,
        content: Content,
        before: &[BenchRow],
    ) -> Result<Vec<BenchRow>, Stop> {
        let wanted: Vec<(&Operation, &'static dyn Lab, &'static dyn Task)> = OPERATIONS
            .iter()
            .filter(|operation| operation.contents.contains(&content))
            .filter_map(|operation| operation.find(self.labs).map(|(lab, task)| (operation, lab, task)))
            .collect();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let case = content.case(size);
        self.progress.say(&format!("making {}", case.name));
        let image = call::image(&case, PUBLIC_SEED)?;
        let (mut rows, mut references) = (Vec::new(), Vec::new());
        for (operation, lab, task) in wanted {
            let expected = task.parallel_reference(&image);
            let row = blank(operation, lab, task, size, content);
            let last = before.iter().rev().find(|last| last.task == row.task && last.content == row.content);
            rows.push(self.timed(row, operation, task, &image, &expected, last));
            references.push((task, expected));
        }
        self.beside(&case.name, &image, &references, &mut rows)?;
        Ok(rows)
    }

    /// Fills in the times of our rungs.
    fn timed(
        &mut self,
        mut row: BenchRow,
        operation: &Operation,
        task: &'static dyn Task,
        image: &Image,
        expected: &[Vec<u8>],
        last: Option<&BenchRow>,
    ) -> BenchRow {
        let call = Call::new(operation, task, image, expected);
        let last = last.map_or(&[][..], |last| &last.rungs);
        for rung in
            self.ladder.iter_mut().filter(|rung| rung.lab.name() == row.lab && rung.is_about(&row.task))
        {
            if is_worth_it(&rung.name, image.pixels(), last) {
                let size = format!("{}x{}", image.width, image.height);
                self.progress.say(&format!("{} {size}: {}", task.name(), rung.name));
                row.rungs.push(call.time(rung));
            }
        }
        row.ours = call.fastest(&row.rungs);
        row
    }

    /// Fills in the times of other libraries.
    fn beside(
        &mut self,
        picture: &str,
        image: &Image,
        references: &[(&'static dyn Task, Vec<Vec<u8>>)],
        rows: &mut [BenchRow],
    ) -> Result<(), Stop> {
        self.progress.say(&format!("{picture}: other libraries"));
        let tasks: Vec<_> = references.iter().map(|(task, expected)| (*task, expected.as_slice())).collect();
        let gray = lab::gray(image);
        let waiting = || eprintln!("waiting: another program of the workbook measures on this GPU");
        let lock = GpuLock::take(self.pci, waiting).map_err(|error| Stop::environment(error.to_string()))?;
        let beside = self.peers.time(picture, image, &gray, &tasks);
        drop(lock);
        for (task, mut peer) in beside {
            let Some(row) = rows.iter_mut().find(|row| row.task == task) else { continue };
            peer.ratio = peer.ms.zip(row.ours.as_ref()).map(|(ms, ours)| ms / ours.ms);
            row.peers.push(peer);
        }
        Ok(())
    }
}

fn blank(operation: &Operation, lab: &dyn Lab, task: &dyn Task, size: Size, content: Content) -> BenchRow {
    BenchRow {
        operation: operation.title.to_owned(),
        lab: lab.name().to_owned(),
        task: task.name().to_owned(),
        width: size.0,
        height: size.1,
        content: content.to_string(),
        yardstick: operation.yardstick().to_owned(),
        target: operation.target,
        ours: None,
        rungs: Vec::new(),
        peers: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_says_what_is_not_usual() {
        let usual = Bench {
            labs: Vec::new(),
            size: Vec::new(),
            rungs: DEFAULT_RUNGS,
            result: ResultOptions { json: true, out: None },
        };
        assert_eq!(String::from(usual.command(&labs::all())), "workshop bench");
        let result = ResultOptions { json: false, out: Some("x.json".into()) };
        let bench = Bench { size: vec![(5, 4)], rungs: 0, result, ..usual };
        let line = String::from(bench.command(&labs::all()[..2]));
        assert_eq!(line, "workshop bench lab1 lab2 --size 5x4 --rungs 0 --out x.json");
    }

    #[test]
    fn a_rung_is_timed_for_the_tasks_that_it_is_among_the_last_about() {
        let lab = labs::find("lab1").expect("lab1");
        let rung = |name: &str, tasks: &[&'static dyn Task]| {
            sources::source((records::Set::Ladder, ""), lab, name.into(), tasks.to_vec())
        };
        let tasks = lab.tasks();
        let ladder =
            vec![rung("01", tasks), rung("02", tasks), rung("03", &tasks[..1]), rung("04", &tasks[..1])];
        let last = |count: usize| -> Vec<(String, usize)> {
            let rungs = last_of_each_task(ladder.clone(), count).into_iter();
            rungs.map(|rung| (rung.name, rung.tasks.len())).collect()
        };
        let named = |number: &str, tasks: usize| (number.to_owned(), tasks);
        assert_eq!(last(1), [named("02", 1), named("04", 1)]);
        assert_eq!(last(2), [named("01", 1), named("02", 1), named("03", 1), named("04", 1)]);
        assert_eq!(last(0).len(), 4);
    }
}
