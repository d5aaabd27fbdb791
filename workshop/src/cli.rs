//! The command line of `workshop`.

use std::process::ExitCode;

use checker::command::Worker;
use checker::exit::{self, Stop};
use clap::Parser;

use crate::bench::Bench;
use crate::counters::Counters;
use crate::differential::Differential;
use crate::limits::Limits;
use crate::link::Link;
use crate::matrix::Matrix;
use crate::micro::Micro;
use crate::model::{Model, Times};
use crate::papers::Reports;
use crate::programs::Programs;
use crate::references::References;
use crate::repeat::Repeat;
use crate::scores::Scores;
use crate::totals::Totals;
use crate::verify::Verify;

/// For the workbook's authors: verifies its own kernels, measures them, compares them with other libraries.
#[derive(Debug, Parser)]
#[command(name = "workshop", version, about, after_help = exit::HELP)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    command: Command,
}

checker::commands! {
    /// What to do.
    pub enum Command {
        Verify(Verify),
        Matrix(Matrix),
        Programs(Programs),
        Times(Times),
        Micro(Micro),
        Model(Model),
        Link(Link),
        References(References),
        Counters(Counters),
        Repeat(Repeat),
        Scores(Scores),
        Limits(Limits),
        Totals(Totals),
        Differential(Differential),
        Bench(Bench),
        Reports(Reports),
        #[command(hide = true)]
        Worker(Worker),
    }
}

impl Cli {
    /// Does what was asked for.
    pub fn run(self) -> Result<ExitCode, Stop> {
        self.command.run()
    }
}
