//! Runs of the rungs in the simulator, for the chapters of the labs: what the checker says of a rung, and what its kernels do.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context as _, anyhow, bail};
use checker::examples::{Span, spans};
use checker::{profile, render};
use judge::build::{Build, BuildError, build};
use judge::performance::TimingFixtures;
use judge::progress::Progress;
use judge::report::Report;
use judge::rung::Rung;
use judge::setup::{EngineChoice, Setup};
use judge::submission::{self, Submission};
use judge::verdict::{Request, judge};
use judge::{call, labs, prediction};
use lab::{Case, Lab, Picture, Task};
use runtime::engine::Recording;
use runtime::simulation::Simulation;

use crate::codes::is_code;
use crate::files::is_rung;
use crate::files::{entries, file_name, has_ending, lab_folder, read};
use crate::page::Page;

/// Seed of random images.
const SEED: u64 = 1;

/// A rung that a picture shows.
#[derive(Debug, Clone, Copy)]
pub struct Which {
    /// `lab1`
    pub lab: &'static str,
    /// `04`
    pub rung: &'static str,
    /// `grayscale`
    pub task: &'static str,
}

/// The rungs, each compiled on first use.
pub struct Rungs {
    root: PathBuf,
    setup: Setup,
    built: RefCell<BTreeMap<(String, String), Rc<Built>>>,
}

struct Built {
    lab: &'static dyn Lab,
    submission: Submission,
    build: Build,
    simulation: Simulation,
}

impl Built {
    fn task(&self, name: &str) -> anyhow::Result<&'static dyn Task> {
        let found = self.lab.tasks().iter().find(|task| task.name() == name);
        found.copied().with_context(|| format!("`{}` has no task `{name}`", self.lab.name()))
    }
}

impl Rungs {
    /// The rungs of the checkout at `root`, on the simulator of an H200.
    pub fn new(root: &Path) -> anyhow::Result<Self> {
        colored::control::set_override(false);
        let gpu = simulator::model::find("h200").context("the model of the H200 is gone")?;
        let setup = Setup::new(EngineChoice::Simulator, gpu, &Progress::new())?;
        Ok(Self { root: root.to_path_buf(), setup, built: RefCell::default() })
    }

    fn built(&self, lab: &str, number: &str) -> anyhow::Result<Rc<Built>> {
        let key = (lab.to_owned(), number.to_owned());
        if let Some(known) = self.built.borrow().get(&key) {
            return Ok(Rc::clone(known));
        }
        let found = labs::find(lab)?;
        let (path, submission) = self.file(found, number)?;
        let shown = submission.shown.clone();
        let rung = Rung::read(&path, found)?.context("it is not a rung")?;
        let tasks: Vec<&dyn Task> = rung.tasks.iter().map(|task| *task as &dyn Task).collect();
        let build = match build(&self.setup.submissions(), &submission, &tasks, self.setup.targets) {
            Ok(build) => build,
            Err(BuildError::Stop(stop)) => return Err(stop.into()),
            Err(BuildError::Source(findings)) => bail!("`{shown}` does not compile: {findings:?}"),
        };
        let simulation = build.simulation(self.setup.simulated_gpu());
        let built = Rc::new(Built { lab: found, submission, build, simulation });
        self.built.borrow_mut().insert(key, Rc::clone(&built));
        Ok(built)
    }

    /// A rung, by its number, the example of a finding, by its code, or a known-wrong kernel, by its name.
    fn file(&self, lab: &'static dyn Lab, name: &str) -> anyhow::Result<(PathBuf, Submission)> {
        let folder = lab_folder(&self.root, "solutions", lab.name())?.context("there are no solutions")?;
        let rung = name.bytes().all(|byte| byte.is_ascii_digit());
        let path = if rung {
            let files = entries(&folder)?.into_iter();
            files.filter(|path| is_rung(path)).find(|path| file_name(path).starts_with(&format!("{name}_")))
        } else if is_code(name) {
            Some(self.root.join("book/findings").join(format!("{name}.cu")))
        } else {
            Some(folder.join("wrong").join(format!("{name}.cu")))
        };
        let path = path.with_context(|| format!("`{}` has no rung {name}", lab.name()))?;
        let below = path.strip_prefix(&self.root)?;
        let advice = "check that the checkout is whole";
        let submission = submission::read(&path, &below.display().to_string(), lab, advice)?;
        Ok((path, submission))
    }

    /// The check of a file, and the command for it.
    fn judged(
        &self,
        lab: &str,
        name: &str,
        task: Option<&str>,
        timed: bool,
    ) -> anyhow::Result<(Submission, Report, String)> {
        let found = labs::find(lab)?;
        let (_, submission) = self.file(found, name)?;
        let tasks = labs::tasks(found, task)?;
        let option = if name.bytes().all(|byte| byte.is_ascii_digit()) {
            format!("--solution {name}")
        } else {
            format!("--file {}", submission.shown)
        };
        let command = format!("checker {lab} {option}");
        let request = Request { command: command.clone(), timed, ..Request::of(found, &tasks, &submission) };
        let report = judge(&self.setup, &request, &mut TimingFixtures::default(), &mut |_| ())?;
        Ok((submission, report, command))
    }

    /// What `checker` prints of a rung or of a known-wrong kernel.
    pub fn report(&self, lab: &str, name: &str, task: &str) -> anyhow::Result<String> {
        let (submission, report, command) = self.judged(lab, name, Some(task), true)?;
        let text = render::brief(&report, &[&submission]);
        Ok(format!("$ {command} --task {task}\n{}\n", text.trim_end()))
    }

    /// The finding of this code in a known-wrong kernel.
    pub fn finding(&self, lab: &str, name: &str, code: &str) -> anyhow::Result<String> {
        shown_finding(self.judged(lab, name, None, false)?, "", code)
    }

    /// The finding of this code in the example of its page, which is about the first task of lab 1.
    pub fn example(&self, code: &str) -> anyhow::Result<String> {
        let text = self.judged("lab1", code, Some("grayscale"), true)?;
        shown_finding(text, " --task grayscale", code)
    }

    /// What `checker profile` prints of a rung, without its source.
    pub fn profile(&self, lab: &str, number: &str, task: &str) -> anyhow::Result<String> {
        let built = self.built(lab, number)?;
        let profiled = profile::profiled(
            built.task(task)?,
            &built.submission,
            &built.build,
            &self.setup,
            profile::Accesses::Unseen,
            (&format!("checker {lab} --solution {number}"), None),
        )?;
        let profiled =
            profiled.map_err(|why| anyhow!("no profile of `{task}` in rung {number} of {lab}: {why}"))?;
        let head = profile::head(&profiled, self.setup.simulated_gpu().title);
        Ok(format!("$ checker profile {lab} --solution {number} --task {task}\n{}\n", head.trim_end()))
    }

    /// What the first blocks of each launch of a rung do on a picture.
    pub fn record(&self, which: Which, picture: &Picture, blocks: u64) -> anyhow::Result<Vec<Recording>> {
        let built = self.built(which.lab, which.rung)?;
        let task = built.task(which.task)?;
        let image = call::image(&Case::new("picture", picture.clone()), SEED)?;
        let job = call::job(task.name(), task.arguments(&image), image.pixels() as u64, SEED);
        let recorded = built.simulation.record(&built.build.program, &job, blocks);
        recorded.map_err(|failure| anyhow!("{}, rung {}: {failure}", which.lab, which.rung))
    }

    /// When the copies and kernels of a rung's timed call run, and how long it takes.
    pub fn spans(&self, which: Which) -> anyhow::Result<(f64, Vec<Span>)> {
        let built = self.built(which.lab, which.rung)?;
        let task = built.task(which.task)?;
        let scaled =
            prediction::scaled(task, &task.timed_case(), &built.build.program, &built.simulation, SEED)
                .map_err(|error| anyhow!("{}, rung {}: {error}", which.lab, which.rung))?;
        let (timeline, spans) = spans(&scaled.taken.steps, self.setup.simulated_gpu(), task.over_link());
        Ok((timeline.end(), spans))
    }
}

/// The first finding of this code, below the command that shows it.
fn shown_finding(judged: (Submission, Report, String), option: &str, code: &str) -> anyhow::Result<String> {
    let (submission, report, command) = judged;
    let Some(found) = report.findings.iter().find(|finding| finding.code == code) else {
        let codes: Vec<&str> = report.findings.iter().map(|finding| finding.code.as_str()).collect();
        bail!("`{}` has no finding {code}, only {codes:?}", submission.shown);
    };
    let text = render::findings(std::slice::from_ref(found), &[&submission]);
    Ok(format!("$ {command}{option}\n{}\n", text.trim_end()))
}

/// The chapters of the labs.
pub fn chapters(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let folders = entries(&root.join("book/pages/labs"))?.into_iter().filter(|path| path.is_dir());
    let mut pages = Vec::new();
    for folder in folders {
        pages.extend(entries(&folder)?.into_iter().filter(|path| has_ending(path, "md")));
    }
    Ok(pages)
}

/// What the pages include of the checker's output, as `profile-lab1-01-grayscale.txt` (the profile of rung 01),
/// `report-lab1-04-grayscale.txt` (the report), `finding-lab1-no_bounds_check-W0101.txt` (a finding in a known-wrong kernel) and
/// `finding-W0104.txt` (a finding in the example of its page).
pub fn wanted_texts(root: &Path) -> anyhow::Result<BTreeSet<String>> {
    let mut pages = chapters(root)?;
    pages.extend(entries(&root.join("book/pages/findings"))?);
    pages.push(root.join("book/pages/reading.md"));
    let mut names = BTreeSet::new();
    for page in pages {
        let text = read(&page)?;
        for kind in ["profile", "report", "finding"] {
            let place = format!("generated/{kind}-");
            let included = text.split(&place).skip(1).filter_map(|rest| rest.split("}}").next());
            names.extend(included.map(|rest| format!("{kind}-{rest}")));
        }
    }
    Ok(names)
}

/// One of these texts, by the name of its file.
pub fn text(rungs: &Rungs, name: &str) -> anyhow::Result<Page> {
    let parts: Vec<&str> = name.strip_suffix(".txt").unwrap_or(name).splitn(4, '-').collect();
    let text = match parts[..] {
        ["profile", lab, number, task] => rungs.profile(lab, number, task),
        ["report", lab, file, task] => rungs.report(lab, file, task),
        ["finding", lab, file, code] => rungs.finding(lab, file, code),
        ["finding", code] => rungs.example(code),
        _ => bail!("`{name}` is not of the form `profile-lab1-01-grayscale.txt`"),
    };
    let text = text.with_context(|| format!("failed to generate `{name}`"))?;
    Ok(Page { name: name.to_owned(), text })
}
