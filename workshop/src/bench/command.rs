//! The order of things: picture by picture, so that each is made once.

use checker::call;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use lab::{Image, Lab, Task};

use super::data::{self, Row};
use super::operations::{OPERATIONS, Operation};
use super::ours::{Call, Rung, is_worth_it};
use super::peers::Peers;
use super::pictures::{Content, SIZES, Size, size};
use super::table;
use crate::date::today;
use crate::rungs;
use checker::exit::{self, Stop};
use checker::labs;
use checker::output;
use checker::progress::Progress;
use checker::workspace::{Workspace, current_folder};
use runtime::timing::GpuLock;

/// Of random pictures.
const SEED: u64 = 1;

/// Time the fastest solutions beside other libraries on this GPU (needs a GPU)
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct Bench {
    /// Only these labs
    labs: Vec<String>,
    /// Picture sizes, such as `1920x1080`; four from 512x512 to 20000x20000 if not given
    #[arg(long, value_name = "WxH", value_delimiter = ',')]
    size: Vec<String>,
    /// How many of the last rungs about each task are timed; 0: all
    #[arg(long, value_name = "N", default_value_t = 3)]
    rungs: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write the JSON to this file too
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const HELP: &str = "\
The other libraries are NPP and CUB (built with nvcc), CuPy and OpenCV (of `python3`); what is missing on this
machine is said by name. All begin with an empty L2; ours are compared with the labs' references.";

impl Bench {
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Stop> {
        run(&Order {
            labs: labs::named(&self.labs)?,
            sizes: self.size.iter().map(|text| size(text)).collect::<Result<_, _>>()?,
            rungs: self.rungs,
            json: self.json,
            out: self.out,
        })
    }
}

/// What to do.
struct Order {
    /// Of these labs.
    labs: Vec<&'static dyn Lab>,
    /// On pictures of these sizes; the usual ones if there are none.
    sizes: Vec<Size>,
    /// The last so many rungs about each task; 0: all.
    rungs: usize,
    /// Print JSON.
    json: bool,
    /// Where to write it too.
    out: Option<PathBuf>,
}

/// The rungs that are among the last `count` about a task, each with these tasks; all of them if it is 0.
fn last_of_each_task(rungs: &[checker::rung::Rung], count: usize) -> Vec<checker::rung::Rung> {
    let is_last = |index: usize, task: &dyn Task| {
        let above = rungs[index + 1..].iter().filter(|rung| rung.is_about(task)).count();
        count == 0 || above < count
    };
    let mut last = Vec::new();
    for (index, rung) in rungs.iter().enumerate() {
        let mut rung = rung.clone();
        rung.tasks.retain(|task| is_last(index, *task));
        last.extend((!rung.tasks.is_empty()).then_some(rung));
    }
    last
}

/// Measures, writes and prints.
fn run(order: &Order) -> Result<ExitCode, Stop> {
    let here = current_folder()?;
    let workspace = Workspace::find(&here)?;
    let (progress, start) = (Progress::new(), Instant::now());
    let (setup, device) = rungs::setup(&progress, "workshop bench")?;
    let open = |build: &checker::build::Build| setup.worker_on(&device, build);
    let mut ladder = Vec::new();
    for lab in &order.labs {
        for rung in last_of_each_task(&workspace.rungs(*lab)?, order.rungs) {
            progress.say(&format!("building {}", workspace.shown(&rung.path)));
            let (name, build) = rungs::compiled(*lab, &rung.path, &rung.tasks, &setup)?;
            ladder.push(Rung::new(*lab, name, rung.tasks, &build, &open)?);
        }
    }
    progress.say("building the programs that time other libraries");
    let mut peers = Peers::new()?;
    let sizes = if order.sizes.is_empty() { &SIZES[..] } else { &order.sizes };
    let mut bench = data::Bench {
        gpu: device.name.clone(),
        driver: device.driver_name(),
        date: today(),
        command: command(order, |path| workspace.shown(&here.join(path))),
        compiler: setup.compiler_name(),
        seconds: 0,
        libraries: BTreeMap::new(),
        missing: Vec::new(),
        rows: Vec::new(),
    };
    for size in sizes {
        for content in [Content::Noise, Content::Scene, Content::Flat] {
            let (ladder, pci) = (&mut ladder, device.pci.as_str());
            let mut place = Place { order, ladder, peers: &mut peers, pci, progress: &progress };
            let rows = place.on_picture(*size, content, &bench.rows)?;
            bench.rows.extend(rows);
        }
        bench.rows.sort_by_key(|row| OPERATIONS.iter().position(|operation| operation.task == row.task));
        bench.seconds = start.elapsed().as_secs();
        (bench.libraries, bench.missing) = (peers.versions.clone(), peers.missing.clone());
        // After each size: the largest takes most of the time, and a machine may be lost.
        if let Some(out) = &order.out {
            output::json_file(out, &bench)?;
        }
    }
    drop(progress);
    if order.json {
        output::json(&bench)?;
    } else {
        output::text(&table::text(&bench))?;
    }
    let wrong = bench.rows.iter().flat_map(|row| &row.rungs).any(|rung| !rung.right);
    Ok(exit::verdict(!wrong))
}

/// The command that measures this again.
fn command(order: &Order, shown: impl Fn(&PathBuf) -> String) -> String {
    let mut words = vec!["workshop bench".to_owned()];
    if order.labs.len() < labs::all().len() {
        words.extend(order.labs.iter().map(|lab| lab.name().to_owned()));
    }
    words.extend(order.sizes.iter().map(|(width, height)| format!("--size {width}x{height}")));
    if order.rungs != DEFAULT_RUNGS {
        words.push(format!("--rungs {}", order.rungs));
    }
    words.extend(order.out.iter().map(|out| format!("--out {}", shown(out))));
    words.join(" ")
}

/// Rungs about each task that are timed if no number is given.
pub const DEFAULT_RUNGS: usize = 3;

/// What every picture needs.
struct Place<'a> {
    order: &'a Order,
    ladder: &'a mut [Rung],
    peers: &'a mut Peers,
    pci: &'a str,
    progress: &'a Progress,
}

impl Place<'_> {
    /// Everything on one picture; `before` are the rows of earlier ones.
    fn on_picture(&mut self, size: Size, content: Content, before: &[Row]) -> Result<Vec<Row>, Stop> {
        let wanted: Vec<(&Operation, &'static dyn Lab, &'static dyn Task)> = OPERATIONS
            .iter()
            .filter(|operation| operation.contents.contains(&content))
            .filter_map(|operation| {
                operation.find(&self.order.labs).map(|(lab, task)| (operation, lab, task))
            })
            .collect();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let case = content.case(size);
        self.progress.say(&format!("making {}", case.name));
        let image = call::image(&case, SEED)?;
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

    /// Fills in what our rungs take.
    fn timed(
        &mut self,
        mut row: Row,
        operation: &Operation,
        task: &'static dyn Task,
        image: &Image,
        expected: &[Vec<u8>],
        last: Option<&Row>,
    ) -> Row {
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

    /// Fills in what other libraries take.
    fn beside(
        &mut self,
        picture: &str,
        image: &Image,
        references: &[(&'static dyn Task, Vec<Vec<u8>>)],
        rows: &mut [Row],
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

fn blank(operation: &Operation, lab: &dyn Lab, task: &dyn Task, size: Size, content: Content) -> Row {
    Row {
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
    use checker::labs;

    #[test]
    fn the_command_says_what_is_not_usual() {
        let mut order =
            Order { labs: labs::all(), sizes: Vec::new(), rungs: DEFAULT_RUNGS, json: true, out: None };
        let shown = |path: &PathBuf| path.display().to_string();
        assert_eq!(command(&order, shown), "workshop bench");
        order.labs.truncate(2);
        (order.sizes, order.rungs, order.out) = (vec![(5, 4)], 0, Some("x.json".into()));
        assert_eq!(command(&order, shown), "workshop bench lab1 lab2 --size 5x4 --rungs 0 --out x.json");
    }

    #[test]
    fn a_rung_is_timed_for_the_tasks_that_it_is_among_the_last_about() {
        let tasks = labs::find("lab1").expect("lab1").tasks();
        let rung = |number: &str, tasks: &[&'static dyn Task]| checker::rung::Rung {
            number: number.to_owned(),
            path: PathBuf::new(),
            tasks: tasks.to_vec(),
            expert: false,
        };
        let ladder = [rung("01", tasks), rung("02", tasks), rung("03", &tasks[..1]), rung("04", &tasks[..1])];
        let last = |count: usize| -> Vec<(String, usize)> {
            let rungs = last_of_each_task(&ladder, count).into_iter();
            rungs.map(|rung| (rung.number, rung.tasks.len())).collect()
        };
        let named = |number: &str, tasks: usize| (number.to_owned(), tasks);
        assert_eq!(last(1), [named("02", 1), named("04", 1)]);
        assert_eq!(last(2), [named("01", 1), named("02", 1), named("03", 1), named("04", 1)]);
        assert_eq!(last(0).len(), 4);
    }
}
