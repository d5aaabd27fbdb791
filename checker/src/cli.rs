//! The command line as clap parses it. Nothing below [`crate::config`] knows this module.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::exit;

/// Builds a student's CUDA file, checks it, explains what is wrong, and scores it.
#[derive(Debug, Parser)]
#[command(name = "checker", version, about, after_help = exit::HELP, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// What to judge: without any, all labs at a glance.
    #[command(flatten)]
    pub check: CheckArgs,
    /// Everything that is not the judging of a lab.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// `checker lab1 …`
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The lab to check, such as `lab1`; without it, all labs at a glance
    pub lab: Option<String>,
    /// Judge this file instead of the lab's own
    #[arg(long, value_name = "F", conflicts_with = "solution", requires = "lab")]
    pub file: Option<PathBuf>,
    /// Judge a rung of the solution's ladder: the last, or the one of this number
    #[arg(long, value_name = "NN", num_args = 0..=1, requires = "lab")]
    pub solution: Option<Option<String>>,
    /// Judge only this task
    #[arg(long, value_name = "T", requires = "lab")]
    pub task: Option<String>,
    /// Where the kernels run
    #[arg(long, value_enum, default_value = "auto", requires = "lab")]
    pub engine: EngineArg,
    /// The GPU to predict times for on the simulator (`checker device` lists them)
    #[arg(long, value_name = "NAME", requires = "lab")]
    pub gpu: Option<String>,
    /// Print the report as JSON
    #[arg(long, requires = "lab")]
    pub json: bool,
    /// Selects the values of random images
    #[arg(long, value_name = "N", default_value_t = 1, requires = "lab")]
    pub seed: u64,
    /// Write the outputs of failed cases to this folder as PNG: found, expected, and the difference
    #[arg(long, value_name = "DIR", requires = "lab")]
    pub save: Option<PathBuf>,
}

/// Everything else.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List GPUs, the CUDA compiler, the processor, and the speed a score is measured against
    Device {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Judge and time every rung of a lab's ladder (the solutions: spoilers)
    Ladder(LadderArgs),
    /// Sweep tunable constants, image sizes and numbers of levels
    Tune(TuneArgs),
    /// Time the fastest solutions beside other libraries on this GPU (needs a GPU)
    Bench(BenchArgs),
    /// Repeat the experiments of the reports that the labs come from, beside their figures
    Reports {
        /// Only these: `R0`, or one experiment, `R0/grayscale`
        #[arg(value_name = "REPORT")]
        names: Vec<String>,
        /// Where the kernels run
        #[arg(long, value_enum, default_value = "auto")]
        engine: EngineArg,
        /// The GPU to predict for on the simulator; the report's own if not given
        #[arg(long, value_name = "NAME")]
        gpu: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// For those who work on the workbook itself
    #[command(subcommand)]
    Dev(DevCommand),
    /// Runs kernels on behalf of another checker
    #[command(hide = true)]
    Worker,
}

/// `checker ladder lab1 …`
#[derive(Debug, Args)]
pub struct LadderArgs {
    /// The lab
    pub lab: String,
    /// Only this task
    #[arg(long, value_name = "T")]
    pub task: Option<String>,
    /// Where the kernels run
    #[arg(long, value_enum, default_value = "auto")]
    pub engine: EngineArg,
    /// The GPU to predict times for on the simulator
    #[arg(long, value_name = "NAME")]
    pub gpu: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `checker tune lab1 …`
#[derive(Debug, Args)]
#[command(after_help = TUNE_HELP)]
pub struct TuneArgs {
    /// The lab
    pub lab: String,
    /// Tune this file instead of the lab's own
    #[arg(long, value_name = "F", conflicts_with = "solution")]
    pub file: Option<PathBuf>,
    /// Tune a rung of the ladder: the last, or the one of this number
    #[arg(long, value_name = "NN", num_args = 0..=1)]
    pub solution: Option<Option<String>>,
    /// Only this task
    #[arg(long, value_name = "T")]
    pub task: Option<String>,
    /// Values of a constant, instead of those the file names: `--set block_size=64,128`
    #[arg(long, value_name = "NAME=V,V")]
    pub set: Vec<String>,
    /// Image sizes, such as `640x426,3840x2160`; the lab's own if not given
    #[arg(long, value_name = "WxH", value_delimiter = ',')]
    pub size: Vec<String>,
    /// Gray levels of a random image (1 to 256), instead of a scene
    #[arg(long, value_name = "N", value_delimiter = ',')]
    pub levels: Vec<usize>,
    /// The most combinations to try
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub limit: usize,
    /// Where the kernels run
    #[arg(long, value_enum, default_value = "auto")]
    pub engine: EngineArg,
    /// The GPU to predict times for on the simulator
    #[arg(long, value_name = "NAME")]
    pub gpu: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Draw the sweep to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// `checker bench …`
#[derive(Debug, Args)]
#[command(after_help = BENCH_HELP)]
pub struct BenchArgs {
    /// Only these labs
    pub labs: Vec<String>,
    /// Picture sizes, such as `1920x1080`; four from 512x512 to 20000x20000 if not given
    #[arg(long, value_name = "WxH", value_delimiter = ',')]
    pub size: Vec<String>,
    /// How many of the last rungs of each ladder are timed; 0: all
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub rungs: usize,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Write the JSON to this file too
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

const BENCH_HELP: &str = "\
The other libraries are NPP and CUB (built with nvcc), CuPy and OpenCV (of `python3`); what is missing on this
machine is said by name. All begin with an empty L2; ours are compared with the labs' references.";

/// `checker dev repeat …`
#[derive(Debug, Args)]
pub struct RepeatArgs {
    /// The lab
    pub lab: String,
    /// Score this file instead of the lab's own
    #[arg(long, value_name = "F", conflicts_with = "solution")]
    pub file: Option<PathBuf>,
    /// Score a rung of the ladder: the last, or the one of this number
    #[arg(long, value_name = "NN", num_args = 0..=1)]
    pub solution: Option<Option<String>>,
    /// Only this task
    #[arg(long, value_name = "T")]
    pub task: Option<String>,
    /// How often
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..))]
    pub times: u16,
    /// Where the kernels run; the simulator's predictions never differ
    #[arg(long, value_enum, default_value = "gpu")]
    pub engine: EngineArg,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Write the JSON to this file too
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

const TUNE_HELP: &str = "\
A constant is tunable if its values stand behind it:
  constexpr int block_size = 256;  // tune: 64 128 256 512";

/// `checker dev …`
#[derive(Debug, Subcommand)]
pub enum DevCommand {
    /// Skeletons compile and fail, rungs pass, wrong kernels fail as labelled
    Verify {
        /// Only these labs
        labs: Vec<String>,
        /// Where the kernels run
        #[arg(long, value_enum, default_value = "auto")]
        engine: EngineArg,
    },
    /// Run every rung on a GPU and on the simulator, compare bytes, measure times (needs a GPU)
    Matrix {
        /// Only these labs
        labs: Vec<String>,
        /// Only rungs whose name holds one of these; what the file has of the others stays
        #[arg(long, value_delimiter = ',', value_name = "NAMES")]
        only: Vec<String>,
        /// Where to write the JSON
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Run the simulator's test programs: outputs and findings as their headers say
    Programs {
        /// Only programs whose `topic/name` holds one of these
        filters: Vec<String>,
        /// `gpu`: on a GPU as well, and compare the bytes
        #[arg(long, value_enum, default_value = "sim", conflicts_with = "sanitizer")]
        engine: EngineArg,
        /// Under compute-sanitizer as well (needs a GPU, nvcc and compute-sanitizer)
        #[arg(long)]
        sanitizer: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Write the JSON to this file too
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Time every rung and every held-out kernel on many pictures, for the timing model (needs a GPU)
    Times {
        /// Only these labs; what the file has of the others stays
        labs: Vec<String>,
        /// Only kernels whose name holds one of these; what the file has of the others stays
        #[arg(long, value_name = "NAMES", value_delimiter = ',')]
        only: Vec<String>,
        /// Only pictures whose name holds one of these; what the file has of the others stays
        #[arg(long, value_name = "NAMES", value_delimiter = ',')]
        pictures: Vec<String>,
        /// Measure so often, each time in a new process, and take the median
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=99))]
        rounds: u64,
        /// Where to write the JSON
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Measure what single operations cost on a GPU, for the timing model (needs a GPU)
    Micro {
        /// Where to write the JSON
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Compare the timing model with measured times, or fit it to those of the ladders
    Model {
        /// Measured times, as `checker dev times` writes them
        #[arg(long, value_name = "FILE", default_value = "book/data/times-h200.json")]
        times: PathBuf,
        /// Where to write the JSON
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Draw predicted over measured times to this file
        #[arg(long, value_name = "FILE")]
        plot: Option<PathBuf>,
        /// Fit first, and write the weights here: `engine/simulator/src/timing/weights.rs`
        #[arg(long, value_name = "FILE")]
        fit: Option<PathBuf>,
        /// Put what was counted beside the GPU's counters, as `checker dev totals` writes them
        #[arg(long, value_name = "FILE")]
        totals: Option<PathBuf>,
    },
    /// Time copies between host and GPU, page-locked, pageable and managed, for the modelled link (needs a GPU)
    Link {
        /// Where to write the JSON; a file that is there already keeps its runs, and gets one more
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Write the constants of the model too, from the middle of all machines in the file:
        /// `engine/simulator/src/timing/link_h200.rs`
        #[arg(long, value_name = "FILE")]
        constants: Option<PathBuf>,
    },
    /// Time the CPU references of all labs beside OpenCV, with criterion
    References {
        /// How often: the best counts
        #[arg(long, value_name = "N", default_value_t = 3)]
        runs: usize,
        /// Where to write the JSON
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Compare the simulator's counters with the GPU's own, read by `ncu` (needs both)
    Counters {
        /// Only these labs
        labs: Vec<String>,
        /// Where to write the JSON
        #[arg(long, value_name = "FILE", required_unless_present = "launch_only")]
        out: Option<PathBuf>,
        /// Only launch the kernels, for the profiler to watch
        #[arg(long, hide = true)]
        launch_only: bool,
    },
    /// Score the same file many times: exit code 1 if the scores spread by more than 1 % or a level flips
    Repeat(RepeatArgs),
    /// Points of every rung with measured and with predicted times: exit code 1 if they are more than 5 apart
    Scores {
        /// Only these labs
        labs: Vec<String>,
        /// Times that `checker dev matrix` has written, instead of measuring now (which needs a GPU)
        #[arg(long, value_name = "FILE")]
        measured: Option<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Write the JSON to this file too
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Show what keeps the last rungs from being faster: how busy `ncu` sees each part of the GPU (needs both)
    Limits {
        /// Only these labs
        labs: Vec<String>,
        /// Where to write the JSON
        #[arg(long, value_name = "FILE", required_unless_present = "launch_only")]
        out: Option<PathBuf>,
        /// Only launch the kernels, for the profiler to watch
        #[arg(long, hide = true)]
        launch_only: bool,
    },
    /// Count what every rung and held-out kernel does on whole pictures, by `ncu`'s counters, for `dev model` (needs both)
    Totals {
        /// Only these labs
        labs: Vec<String>,
        /// Only kernels whose name holds one of these; what the file has of the others stays
        #[arg(long, value_name = "NAMES", value_delimiter = ',')]
        only: Vec<String>,
        /// Where to write the JSON
        #[arg(long, value_name = "FILE", required_unless_present = "launch_only")]
        out: Option<PathBuf>,
        /// Only launch the kernels, for the profiler to watch
        #[arg(long, hide = true)]
        launch_only: bool,
    },
    /// Run random kernels on the simulator and on a GPU (or on the simulator twice), compare bytes
    Differential(DifferentialArgs),
}

/// `checker dev differential …`
#[derive(Debug, Args)]
pub struct DifferentialArgs {
    /// Kernels to run
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub count: u64,
    /// Selects the kernels
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Families that take turns, separated by commas; all that must agree if not given
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub families: Vec<String>,
    /// What the simulator on one thread is compared with: a GPU, or itself on several threads
    #[arg(long, value_enum, default_value = "auto")]
    pub engine: EngineArg,
    /// Run this kernel alone; print its text and the first element that differs
    #[arg(long, value_name = "INDEX")]
    pub only: Option<u64>,
    /// Where to write the JSON
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Child processes; as many as there are cores if not given
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Serve another differential run
    #[arg(long, hide = true)]
    pub child: bool,
}

/// `--engine`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineArg {
    /// A GPU if there is one, else the simulator
    Auto,
    /// An NVIDIA GPU
    Gpu,
    /// The simulator
    Sim,
}
