//! Raw arguments made into a validated configuration, once.

use std::path::PathBuf;

use lab::{Lab, Task};
use simulator::timing::{self, Gpu};

use crate::cli::{
    BenchArgs, CheckArgs, Cli, Command, DevCommand, DifferentialArgs, EngineArg, LadderArgs, RepeatArgs,
    TuneArgs,
};
use crate::dev::differential::{self, families::Family};
use crate::dev::model::compare;
use crate::dev::model::measure::Chosen;
use crate::dev::{programs, repeat, scores};
use crate::exit::Stop;
use crate::{bench, labs, reports, tune};

/// What to do.
pub enum Config {
    /// All labs at a glance.
    Overview,
    /// Judge a file.
    Check(Check),
    /// Describe this machine.
    Device {
        /// As JSON.
        json: bool,
    },
    /// Repeat the reports' experiments.
    Reports(reports::Options),
    /// Check the workbook's own kernels.
    Verify {
        /// Of these labs.
        labs: Vec<&'static dyn Lab>,
        /// On this engine.
        engine: EngineChoice,
    },
    /// Measure every rung.
    Matrix {
        /// Of these labs.
        labs: Vec<&'static dyn Lab>,
        /// Only rungs whose name holds one of these; all if empty.
        only: Vec<String>,
        /// Into this file.
        out: PathBuf,
    },
    /// Compare the timing model with measurements.
    Model(compare::Order),
    /// Time every rung and every held-out kernel.
    Times {
        /// Of these labs.
        labs: Vec<&'static dyn Lab>,
        /// Only these kernels and pictures; the file keeps the others.
        chosen: Chosen,
        /// Into this file.
        out: PathBuf,
    },
    /// Measure single operations on a GPU, into this file.
    Micro(PathBuf),
    /// Time copies over the link.
    Link {
        /// Into this file.
        out: PathBuf,
        /// The model's constants into this one.
        constants: Option<PathBuf>,
    },
    /// Time the CPU references.
    References {
        /// So often.
        runs: usize,
        /// Into this file.
        out: PathBuf,
    },
    /// Compare counters with the GPU's own.
    Counters {
        /// Of these labs.
        labs: Vec<&'static dyn Lab>,
        /// Into this file; without one, only launch the kernels.
        out: Option<PathBuf>,
    },
    /// Show what limits the last rungs.
    Limits {
        /// Of these labs.
        labs: Vec<&'static dyn Lab>,
        /// Into this file; without one, only launch the kernels.
        out: Option<PathBuf>,
    },
    /// Count what kernels do on whole pictures, by the GPU's counters.
    Totals {
        /// Of these labs.
        labs: Vec<&'static dyn Lab>,
        /// Only kernels whose name holds one of these; the file keeps the others.
        only: Vec<String>,
        /// Into this file; without one, only launch the kernels.
        out: Option<PathBuf>,
    },
    /// Run random kernels.
    Differential {
        /// How.
        options: differential::Options,
        /// Only this one.
        only: Option<u64>,
    },
    /// Run the simulator's test programs.
    Programs {
        /// Where.
        mode: programs::Mode,
        /// Those whose names hold one of these.
        filters: Vec<String>,
        /// As JSON.
        json: bool,
        /// JSON into this file.
        out: Option<PathBuf>,
    },
    /// Judge and time every rung.
    Ladder(Ladder),
    /// Sweep parameters.
    Tune(tune::Order),
    /// Time solutions beside other libraries.
    Bench(bench::Order),
    /// Score a file many times.
    Repeat(repeat::Order),
    /// Measured beside predicted scores.
    Scores(scores::Order),
    /// Serve another checker.
    Worker,
}

/// Judging one file.
pub struct Check {
    /// The lab.
    pub lab: &'static dyn Lab,
    /// The tasks to judge.
    pub tasks: Vec<&'static dyn Task>,
    /// The file.
    pub source: Source,
    /// The engine.
    pub engine: EngineChoice,
    /// The GPU that times are predicted for.
    pub gpu: &'static Gpu,
    /// As JSON.
    pub json: bool,
    /// Of random images.
    pub seed: u64,
    /// Folder for pictures of failed cases.
    pub save: Option<PathBuf>,
}

/// Judging every rung.
pub struct Ladder {
    /// Of this lab.
    pub lab: &'static dyn Lab,
    /// The tasks.
    pub tasks: Vec<&'static dyn Task>,
    /// The engine.
    pub engine: EngineChoice,
    /// The GPU that times are predicted for.
    pub gpu: &'static Gpu,
    /// As JSON.
    pub json: bool,
}

/// Which file is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The lab's own.
    Own,
    /// This one.
    File(PathBuf),
    /// The last rung of the ladder, or the one of this number.
    Solution(Option<String>),
}

/// Where kernels run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineChoice {
    /// A GPU if there is one.
    Auto,
    /// A GPU.
    Gpu,
    /// The simulator.
    Simulator,
}

impl Config {
    /// Validates the arguments.
    pub fn new(cli: Cli) -> Result<Self, Stop> {
        match cli.command {
            None => check(cli.check),
            Some(Command::Device { json }) => Ok(Self::Device { json }),
            Some(Command::Ladder(args)) => ladder(&args),
            Some(Command::Tune(args)) => tuned(args),
            Some(Command::Bench(args)) => benchmark(args),
            Some(Command::Reports { names, engine, gpu, json }) => {
                let (engine, gpu) = engine_and_gpu(engine, gpu.as_deref())?;
                let selected = reports::select(&names)?;
                Ok(Self::Reports(reports::Options { selected, engine, gpu, json }))
            }
            Some(Command::Worker) => Ok(Self::Worker),
            Some(Command::Dev(DevCommand::Verify { labs, engine })) => {
                Ok(Self::Verify { labs: named(&labs)?, engine: choice(engine) })
            }
            Some(Command::Dev(DevCommand::Matrix { labs, only, out })) => {
                Ok(Self::Matrix { labs: named(&labs)?, only, out })
            }
            Some(Command::Dev(DevCommand::Model { times, out, plot, fit, totals })) => {
                Ok(Self::Model(compare::Order { times, out, plot, fit, totals }))
            }
            Some(Command::Dev(DevCommand::Micro { out })) => Ok(Self::Micro(out)),
            Some(Command::Dev(DevCommand::Times { labs, only, pictures, rounds, out })) => {
                let chosen = Chosen { kernels: only, pictures, rounds: rounds as usize };
                Ok(Self::Times { labs: named(&labs)?, chosen, out })
            }
            Some(Command::Dev(DevCommand::Link { out, constants })) => Ok(Self::Link { out, constants }),
            Some(Command::Dev(DevCommand::References { runs, out })) => Ok(Self::References { runs, out }),
            Some(Command::Dev(DevCommand::Counters { labs, out, launch_only })) => {
                Ok(Self::Counters { labs: named(&labs)?, out: out.filter(|_| !launch_only) })
            }
            Some(Command::Dev(DevCommand::Repeat(args))) => repeated(args),
            Some(Command::Dev(DevCommand::Scores { labs, measured, json, out })) => {
                let labs = named(&labs)?.into_iter().map(|lab| lab.name().to_owned()).collect();
                Ok(Self::Scores(scores::Order { labs, measured, json, out }))
            }
            Some(Command::Dev(DevCommand::Limits { labs, out, launch_only })) => {
                Ok(Self::Limits { labs: named(&labs)?, out: out.filter(|_| !launch_only) })
            }
            Some(Command::Dev(DevCommand::Totals { labs, only, out, launch_only })) => {
                Ok(Self::Totals { labs: named(&labs)?, only, out: out.filter(|_| !launch_only) })
            }
            Some(Command::Dev(DevCommand::Differential(args))) => differential(args),
            Some(Command::Dev(DevCommand::Programs { filters, engine, sanitizer, json, out })) => {
                let mode = match (sanitizer, engine) {
                    (true, _) => programs::Mode::Sanitizer,
                    (false, EngineArg::Gpu) => programs::Mode::Gpu,
                    (false, _) => programs::Mode::Simulator,
                };
                Ok(Self::Programs { mode, filters, json, out })
            }
        }
    }
}

fn check(args: CheckArgs) -> Result<Config, Stop> {
    let Some(name) = args.lab else { return Ok(Config::Overview) };
    let lab = labs::find(&name)?;
    let (engine, gpu) = engine(args.engine, args.gpu.as_deref())?;
    let source = source(args.file, args.solution);
    let tasks = labs::tasks(lab, args.task.as_deref())?;
    Ok(Config::Check(Check {
        lab,
        tasks,
        source,
        engine,
        gpu,
        json: args.json,
        seed: args.seed,
        save: args.save,
    }))
}

/// The engine, and the GPU that the simulator predicts for.
fn engine(engine: EngineArg, gpu: Option<&str>) -> Result<(EngineChoice, &'static Gpu), Stop> {
    let (engine, gpu) = engine_and_gpu(engine, gpu)?;
    Ok((engine, gpu.unwrap_or(&timing::gpus()[0])))
}

#[expect(clippy::option_option, reason = "clap's form of an option whose value may be left out")]
fn source(file: Option<PathBuf>, solution: Option<Option<String>>) -> Source {
    match (file, solution) {
        (Some(file), _) => Source::File(file),
        (None, Some(number)) => Source::Solution(number),
        (None, None) => Source::Own,
    }
}

fn ladder(args: &LadderArgs) -> Result<Config, Stop> {
    let lab = labs::find(&args.lab)?;
    let (engine, gpu) = engine(args.engine, args.gpu.as_deref())?;
    let tasks = labs::tasks(lab, args.task.as_deref())?;
    Ok(Config::Ladder(Ladder { lab, tasks, engine, gpu, json: args.json }))
}

fn tuned(args: TuneArgs) -> Result<Config, Stop> {
    let lab = labs::find(&args.lab)?;
    let (engine, gpu) = engine(args.engine, args.gpu.as_deref())?;
    Ok(Config::Tune(tune::Order {
        lab,
        tasks: labs::tasks(lab, args.task.as_deref())?,
        source: source(args.file, args.solution),
        set: args.set.iter().map(|text| tune::setting(text)).collect::<Result<_, _>>()?,
        sizes: args.size.iter().map(|text| tune::size(text)).collect::<Result<_, _>>()?,
        levels: tune::levels(args.levels)?,
        limit: args.limit,
        engine,
        gpu,
        json: args.json,
        svg: args.svg,
    }))
}

fn benchmark(args: BenchArgs) -> Result<Config, Stop> {
    Ok(Config::Bench(bench::Order {
        labs: named(&args.labs)?,
        sizes: args.size.iter().map(|text| bench::size(text)).collect::<Result<_, _>>()?,
        rungs: args.rungs,
        json: args.json,
        out: args.out,
    }))
}

fn repeated(args: RepeatArgs) -> Result<Config, Stop> {
    let lab = labs::find(&args.lab)?;
    Ok(Config::Repeat(repeat::Order {
        lab,
        tasks: labs::tasks(lab, args.task.as_deref())?,
        source: source(args.file, args.solution),
        times: args.times.into(),
        engine: choice(args.engine),
        json: args.json,
        out: args.out,
    }))
}

/// The engine, and the GPU to predict for if one is named: naming one means the simulator.
fn engine_and_gpu(
    engine: EngineArg,
    gpu: Option<&str>,
) -> Result<(EngineChoice, Option<&'static Gpu>), Stop> {
    let gpu = gpu.map(predicted).transpose()?;
    let engine = match (engine, gpu) {
        (EngineArg::Gpu, Some(_)) => {
            return Err(Stop::Usage(
                "`--gpu` names the GPU to predict for on the simulator; leave it out with `--engine gpu`"
                    .into(),
            ));
        }
        (EngineArg::Auto, Some(_)) => EngineChoice::Simulator,
        (engine, _) => choice(engine),
    };
    Ok((engine, gpu))
}

fn differential(args: DifferentialArgs) -> Result<Config, Stop> {
    let family = |name: &String| {
        Family::named(name).ok_or_else(|| {
            let names = Family::DEFAULT.map(Family::name);
            let advice = format!("there are {} and `contraction`", labs::quoted(&names));
            Stop::Usage(labs::unknown("family", name, &names, &advice))
        })
    };
    let families = if args.families.is_empty() {
        Family::DEFAULT.to_vec()
    } else {
        args.families.iter().map(family).collect::<Result<_, _>>()?
    };
    let options = differential::Options {
        count: args.count,
        seed: args.seed,
        families,
        engine: choice(args.engine),
        out: args.out,
        jobs: args.jobs,
        child: args.child,
    };
    Ok(Config::Differential { options, only: args.only })
}

fn predicted(name: &str) -> Result<&'static Gpu, Stop> {
    timing::find(name).or_else(|| titled(name)).ok_or_else(|| {
        let names: Vec<&str> = timing::gpus().iter().map(|gpu| gpu.name).collect();
        let advice = format!("times can be predicted for {}", labs::quoted(&names));
        Stop::Usage(labs::unknown("GPU", name, &names, &advice))
    })
}

/// The GPU of this full name, or of its part that is the short name: `Quadro K620`, `GTX 480`.
fn titled(name: &str) -> Option<&'static Gpu> {
    let plain = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
    };
    let full = |gpu: &Gpu| plain(gpu.title.split(',').next().unwrap_or_default());
    let wanted = plain(name);
    timing::gpus().iter().find(|gpu| wanted == gpu.name || wanted == full(gpu))
}

fn named(names: &[String]) -> Result<Vec<&'static dyn Lab>, Stop> {
    if names.is_empty() {
        return Ok(labs::all());
    }
    names.iter().map(|name| labs::find(name)).collect()
}

fn choice(engine: EngineArg) -> EngineChoice {
    match engine {
        EngineArg::Auto => EngineChoice::Auto,
        EngineArg::Gpu => EngineChoice::Gpu,
        EngineArg::Sim => EngineChoice::Simulator,
    }
}
