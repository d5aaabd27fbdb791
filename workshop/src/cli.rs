//! The command line of `workshop`.

use std::process::ExitCode;

use checker::check::Check;
use checker::command::Worker;
use clap::Parser;
use judge::build::CompilerWorker;
use judge::exit::{self, Stop};

use crate::attacks::Attacks;
use crate::bench::Bench;
use crate::class::Class;
use crate::counters::Counters;
use crate::differential::Differential;
use crate::limits::Limits;
use crate::link::Link;
use crate::matrix::Matrix;
use crate::micro::Micro;
use crate::model::{Model, Times};
use crate::papers::Papers;
use crate::programs::Programs;
use crate::references::References;
use crate::repeat::Repeat;
use crate::scores::Scores;
use crate::seeds::Seeds;
use crate::totals::Totals;
use crate::validate::Validate;
use crate::verify::Verify;

/// For the workbook's authors: verifies its own kernels, measures them, compares them with other libraries.
#[derive(Debug, Parser)]
#[command(name = "workshop", version, about, after_help = exit::HELP)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    command: Command,
}

checker::commands! {
    /// The command.
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
        Seeds(Seeds),
        Limits(Limits),
        Totals(Totals),
        Validate(Validate),
        Differential(Differential),
        Bench(Bench),
        Reports(Papers),
        Attacks(Attacks),
        Class(Class),
        /// Check a lab's file, as `checker` does
        #[command(hide = true)]
        Check(Check),
        #[command(hide = true)]
        Worker(Worker),
        #[command(hide = true)]
        Compiler(CompilerWorker),
    }
}

impl Cli {
    /// Carries the command out.
    pub fn run(self) -> Result<ExitCode, Stop> {
        self.command.run()
    }
}

#[cfg(test)]
mod tests {
    use judge::labs;

    use super::*;
    use crate::launches::arguments;

    /// A command that the profiler starts in vain would say so only on a machine with a GPU.
    #[test]
    fn the_process_under_the_profiler_gets_arguments_that_it_understands() {
        let labs = &labs::all()[..2];
        for arguments in [
            arguments::<records::Counters>(labs, &[]),
            arguments::<records::Limits>(labs, &[]),
            arguments::<records::Totals>(labs, &["02".to_owned()]),
        ] {
            let program = ["workshop".to_owned()].into_iter();
            let parsed = Cli::try_parse_from(program.chain(arguments.iter().cloned()));
            assert!(parsed.is_ok(), "{arguments:?}");
        }
    }
}
