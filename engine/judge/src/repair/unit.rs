//! Versions of a file, compiled together and run on small pictures.

use std::collections::BTreeMap;
use std::sync::Arc;

use cuda::diagnostics::{Diagnostic, Severity};
use cuda::nvrtc::{CompileError, Request, Target};
use kernels::{Pass, version_function, version_name, versions_unit};
use lab::{Image, Task};
use runtime::engine::SimulatedEngine;
use runtime::job::{self, Outcome, Program};
use runtime::simulation::Simulation;
use simulator::model::Gpu;
use simulator::{Checks, Module};

use crate::build::{self, Compile};
use crate::call;
use crate::exit::Stop;
use crate::report::Verdict;
use crate::verify;

/// The virtual architecture of both passes: nothing is timed here.
const ARCHITECTURE: u32 = 90;
/// Compiling takes most of the time of a search, and running hardly any.
const QUICKLY: [&str; 1] = ["--Ofast-compile=max"];
/// Limit of warp instructions of the calls on a small picture, as a multiple of what the unchanged file needs, and more: a change may
/// let a loop do what it left out.
const TIMES: u64 = 8;
const MORE: u64 = 1_000_000;
/// The most that the unchanged file may need on all small pictures for it to be worth a search: one without an end is not.
pub const MOST: u64 = 20_000_000;

/// Limit of instructions of the host function in a call, which has no loop over pixels.
const HOST: u64 = 100_000;

/// Threads that are enough for a picture.
const THREADS_PER_PIXEL: u64 = 4;
const MORE_THREADS: u64 = 2048;

/// A small picture, and what a version has to do with it.
pub struct Trial {
    /// Its name in the report.
    pub name: String,
    /// The picture.
    pub image: Image,
    /// What the unchanged file comes to on it.
    pub verdict: Verdict,
}

impl Trial {
    /// Whether the unchanged file is wrong on it.
    pub fn is_wrong(&self) -> bool {
        self.verdict == Verdict::Failed
    }
}

/// What a version launches.
#[derive(Debug, Default)]
pub struct Launches {
    /// Threads of the largest launch.
    pub threads: u64,
    /// How often each kernel was launched.
    pub kernels: BTreeMap<String, usize>,
    /// Pairs of arguments of a launch that point into the same allocation.
    pub neighbours: usize,
}

impl Launches {
    /// Whether each kernel is launched as often as in others at least.
    pub fn has_all_of(&self, others: &Self) -> bool {
        others.kernels.iter().all(|(name, times)| self.kernels.get(name).is_some_and(|own| own >= times))
    }

    /// How many there are.
    pub fn times(&self) -> usize {
        self.kernels.values().sum()
    }
}

/// A version of a file: its number and its text.
pub type Version = (usize, String);

/// The host functions of one version. They serve each version whose kernels alone differ, with its kernels under the names of this one.
#[derive(Clone)]
pub struct Hosts {
    program: Arc<Program>,
    version: usize,
}

impl Hosts {
    /// The host pass over one version. `None` if it does not compile.
    pub fn new(compiler: &dyn Compile, task: &dyn Task, (version, text): (usize, &str)) -> Option<Self> {
        let host = compiled(compiler, task, &[(version, text)], &[Pass::Host]).ok()?.pop()?;
        Some(Self { program: Arc::new(Program::from_ptx(&host).ok()?), version })
    }
}

/// The kernels of one version. They serve each version whose host functions alone differ, under the names of that one.
#[derive(Clone)]
pub struct Kernels {
    module: Arc<Module>,
    version: usize,
}

/// What versions need not be compiled for.
#[derive(Clone, Copy)]
pub enum Given<'a> {
    /// They differ on both sides.
    Nothing,
    /// Only kernels differ.
    Hosts(&'a Hosts),
    /// Only host functions do.
    Kernels(&'a Kernels),
}

/// Versions of a file that were compiled together.
pub struct Unit {
    hosts: Option<Hosts>,
    kernels: Option<Kernels>,
    program: Arc<Program>,
    module: Arc<Module>,
    gpu: &'static Gpu,
    /// Their numbers.
    pub versions: Vec<usize>,
    /// Bytes of their PTX.
    pub bytes: usize,
}

impl Unit {
    /// Compiles versions; those that do not compile are left out. Several units, where a message does not tell which version is refused; none, if
    /// no version compiles, or the compiler gives up.
    pub fn all(
        compiler: &dyn Compile,
        task: &dyn Task,
        versions: &[Version],
        given: Given<'_>,
        gpu: &'static Gpu,
    ) -> Vec<Self> {
        let passes: &[Pass] = match given {
            Given::Nothing => &[Pass::Device, Pass::Host],
            Given::Hosts(_) => &[Pass::Device],
            Given::Kernels(_) => &[Pass::Host],
        };
        let mut left = read(task, borrowed(versions), passes);
        if left.is_empty() {
            return Vec::new();
        }
        loop {
            let refused = match compiled(compiler, task, &left, passes) {
                Ok(texts) => {
                    let versions = left.iter().map(|(number, _)| *number).collect();
                    return Self::made(&texts, versions, given, gpu).into_iter().collect();
                }
                Err(refused) => refused,
            };
            if refused.is_empty() {
                return Vec::new();
            }
            let is_named = |number: usize| {
                let name = version_name(number);
                refused.iter().any(|told| told.contains(&name))
            };
            let before = left.len();
            left.retain(|(number, _)| !is_named(*number));
            if left.len() == before {
                break;
            }
            if left.is_empty() {
                return Vec::new();
            }
        }
        let left: Vec<Version> = left.into_iter().map(|(number, text)| (number, text.to_owned())).collect();
        let halves = left.chunks(left.len().div_ceil(2)).filter(|half| half.len() < left.len());
        halves.flat_map(|half| Self::all(compiler, task, half, given, gpu)).collect()
    }

    fn made(texts: &[String], versions: Vec<usize>, given: Given<'_>, gpu: &'static Gpu) -> Option<Self> {
        let bytes = texts.iter().map(String::len).sum();
        let (mut hosts, mut kernels) = (None, None);
        let (first, last) = (texts.first()?, texts.last()?);
        let (module, program) = match given {
            Given::Nothing => {
                let module = Arc::new(Module::from_ptx(first).ok()?);
                let program = Program::from_ptx(last).ok()?.beside(&module);
                (module, Arc::new(program))
            }
            Given::Hosts(of) => {
                hosts = Some(of.clone());
                (Arc::new(Module::from_ptx(first).ok()?), Arc::clone(&of.program))
            }
            Given::Kernels(of) => {
                kernels = Some(of.clone());
                (Arc::clone(&of.module), Arc::new(Program::from_ptx(last).ok()?))
            }
        };
        Some(Self { hosts, kernels, program, module, gpu, versions, bytes })
    }

    /// The kernels of one of its versions, for versions with other host functions. `None` if they use `__managed__` variables, which
    /// host functions know by their kernels.
    pub fn kernels(&self, version: usize) -> Option<Kernels> {
        let any = self.module.kernels().iter().any(|kernel| !kernel.managed.is_empty());
        (!any).then(|| Kernels { module: Arc::clone(&self.module), version })
    }

    /// Whether a version is right on a picture, within so many warp instructions; and how many it took.
    ///
    /// # Errors
    /// The reference's.
    pub fn is_right(
        &self,
        task: &dyn Task,
        version: usize,
        trial: (&Trial, u64),
        most: u64,
    ) -> Result<(bool, u64), Stop> {
        let (engine, outcome) = self.run(task, version, trial, most);
        let Some(outcome) = outcome else { return Ok((false, engine.all_instructions())) };
        let judged = verify::compared(task, &trial.0.name, &trial.0.image, &outcome)?;
        Ok((judged.verdict == Verdict::Passed, engine.all_instructions()))
    }

    /// What a version launches on a picture.
    pub fn launches(&self, task: &dyn Task, version: usize, trial: (&Trial, u64)) -> Launches {
        let (engine, _) = self.run(task, version, trial, MOST);
        let own = version_name(self.named(version));
        let mut kernels = BTreeMap::new();
        for kernel in engine.launched() {
            *kernels.entry(kernel.replace(&own, "")).or_default() += 1;
        }
        Launches { threads: engine.most_threads(), neighbours: engine.neighbours(), kernels }
    }

    /// The version whose names the kernels of one have.
    fn named(&self, version: usize) -> usize {
        self.hosts.as_ref().map_or(version, |hosts| hosts.version)
    }

    fn run(
        &self,
        task: &dyn Task,
        version: usize,
        (Trial { image, .. }, seed): (&Trial, u64),
        most: u64,
    ) -> (SimulatedEngine, Option<Outcome>) {
        let named = self.named(version);
        let own = self.kernels.as_ref().map_or(version, |kernels| kernels.version);
        let module = if own == named {
            Arc::clone(&self.module)
        } else {
            Arc::new(self.module.of_version(&version_name(own), &version_name(named)))
        };
        let simulation = Simulation::new(module, self.gpu);
        let function = version_function(named, task.name());
        let job = call::job(&function, task.arguments(image), image.pixels() as u64, seed);
        // A grid for large pictures alone would take all the time of a search.
        let enough = THREADS_PER_PIXEL * image.pixels() as u64 + MORE_THREADS;
        let mut engine =
            simulation.engine_within(most, Checks::NONE).computing(Some(HOST)).with_enough(enough);
        let outcome = job::run(&mut engine, &self.program, &job).ok();
        (engine, outcome)
    }

    /// The limit for [`Self::is_right`] on a picture, by what this version needs, the unchanged file, which takes that from `left`. `None` if
    /// it comes to another verdict than the report, such as where only a second call is wrong.
    ///
    /// # Errors
    /// The reference's.
    pub fn limit(
        &self,
        task: &dyn Task,
        unchanged: usize,
        trial: (&Trial, u64),
        left: &mut u64,
    ) -> Result<Option<u64>, Stop> {
        let (is_right, took) = self.is_right(task, unchanged, trial, *left)?;
        *left = left.saturating_sub(took);
        let agrees = match trial.0.verdict {
            Verdict::Passed => is_right,
            Verdict::Failed => !is_right,
            Verdict::Skipped => true,
        };
        Ok(agrees.then(|| TIMES * took + MORE))
    }
}

fn borrowed(versions: &[Version]) -> Vec<(usize, &str)> {
    versions.iter().map(|(number, text)| (*number, text.as_str())).collect()
}

/// Versions without those whose launches cannot be read: such a version would take all others with it.
fn read<'v>(task: &dyn Task, versions: Vec<(usize, &'v str)>, passes: &[Pass]) -> Vec<(usize, &'v str)> {
    let entry = build::entry(task);
    let is_read =
        |some: &[(usize, &str)]| passes.iter().all(|pass| versions_unit(some, *pass, entry).is_some());
    if is_read(&versions) {
        return versions;
    }
    versions.into_iter().filter(|version| is_read(std::slice::from_ref(version))).collect()
}

/// The PTX of passes over versions; or the errors, which name those that are refused; none, if the compiler gives up.
fn compiled(
    compiler: &dyn Compile,
    task: &dyn Task,
    versions: &[(usize, &str)],
    passes: &[Pass],
) -> Result<Vec<String>, Vec<String>> {
    let entry = build::entry(task);
    let texts: Option<Vec<String>> =
        passes.iter().map(|pass| versions_unit(versions, *pass, entry)).collect();
    let Some(texts) = texts else { return Err(Vec::new()) };
    let options = passes.iter().map(|pass| {
        let mut options = kernels::options(*pass);
        options.extend(QUICKLY.map(str::to_owned));
        options
    });
    let options: Vec<Vec<String>> = options.collect();
    let headers = build::headers();
    let request = |(source, options)| Request {
        source,
        file: "workbook_versions.cu",
        headers: &headers,
        options,
        target: Target::Ptx(ARCHITECTURE),
    };
    let requests: Vec<Request<'_>> =
        texts.iter().map(String::as_str).zip(options.iter().map(Vec::as_slice)).map(request).collect();
    let Ok(made) = compiler.compile_all(&requests) else { return Err(Vec::new()) };
    let (mut images, mut refused) = (Vec::new(), Vec::new());
    for pass in made {
        match pass {
            Ok(made) => images.push(String::from_utf8_lossy(&made.image).trim_end_matches('\0').to_owned()),
            Err(CompileError::Source(found)) => {
                let errors = found.into_iter().filter(|found| found.severity == Severity::Error);
                // An error in a header names the line that leads to it in its message.
                refused.extend(errors.map(|Diagnostic { file, message, .. }| format!("{file}: {message}")));
            }
            Err(CompileError::Compiler(_)) => {}
        }
    }
    if images.len() == passes.len() { Ok(images) } else { Err(refused) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_whose_launch_cannot_be_read_leaves_the_others() {
        let lab = crate::labs::all().into_iter().next().expect("a lab");
        let text = |launch: &str| format!("void f() {{\n    k{launch}(a);\n}}\n");
        let texts = [text("<<<1, 2>>>"), text("<<<1, 2"), text("<<<2, 2>>>")];
        let versions = texts.iter().enumerate().map(|(number, text)| (number, text.as_str())).collect();
        let left = read(lab.tasks()[0], versions, &[Pass::Host]);
        assert_eq!(left.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn a_change_that_launches_one_kernel_for_another_lacks_one() {
        let of = |kernels: &[(&str, usize)]| Launches {
            kernels: kernels.iter().map(|(name, times)| ((*name).to_owned(), *times)).collect(),
            ..Launches::default()
        };
        let own = of(&[("inside", 2), ("border", 3)]);
        assert!(of(&[("inside", 2), ("border", 3)]).has_all_of(&own));
        assert!(of(&[("inside", 3), ("border", 3)]).has_all_of(&own));
        assert!(!of(&[("inside", 3), ("border", 2)]).has_all_of(&own), "in one of the pictures");
        assert!(!of(&[("inside", 5)]).has_all_of(&own));
    }
}
