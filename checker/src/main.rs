//! `checker`: see [`checker`] the library for what it does.

use std::process::ExitCode;

use checker::cli::Cli;
use checker::config::Config;
use checker::exit::{self, Stop};
use clap::Parser;
use clap::error::ErrorKind;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // `--help` and `--version` come here too, and are no errors.
            let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            // Nothing is left to say to a terminal that has gone away.
            let _ = error.print();
            return ExitCode::from(if asked { exit::PASSED } else { exit::USAGE });
        }
    };
    match run(cli) {
        Ok(code) => code,
        Err(stop) => {
            eprintln!("{}", checker::render::hanging("error: ", &stop.to_string()));
            ExitCode::from(stop.code())
        }
    }
}

fn run(cli: Cli) -> Result<ExitCode, Stop> {
    match Config::new(cli)? {
        Config::Overview => checker::overview::run(),
        Config::Check(check) => checker::check::run(&check),
        Config::Ladder(ladder) => checker::ladder::run(&ladder),
        Config::Tune(order) => checker::tune::run(&order),
        Config::Device { json } => checker::device::run(json),
        Config::Reports(options) => checker::reports::run(&options),
        Config::Verify { labs, engine } => checker::dev::verify::run(&labs, engine),
        Config::Model(order) => checker::dev::model::compare::run(&order),
        Config::Micro(out) => checker::dev::micro::command::run(&out),
        Config::Times { labs, chosen, out } => checker::dev::model::measure::run(&labs, &chosen, &out),
        Config::Matrix { labs, only, out } => checker::dev::matrix::run(&labs, &only, &out),
        Config::Link { out, constants } => checker::dev::link::run(&out, constants.as_deref()),
        Config::References { runs, out } => checker::dev::references::run(runs, &out),
        Config::Counters { labs, out: Some(out) } => checker::dev::counters::run(&labs, &out),
        Config::Counters { labs, out: None } => checker::dev::counters::launch_only(&labs),
        Config::Limits { labs, out: Some(out) } => checker::dev::limits::run(&labs, &out),
        Config::Totals { labs, only, out: Some(out) } => checker::dev::totals::run(&labs, &only, &out),
        Config::Totals { labs, only, out: None } => checker::dev::totals::launch_only(&labs, &only),
        Config::Limits { labs, out: None } => checker::dev::limits::launch_only(&labs),
        Config::Differential { options, only: Some(index) } => {
            checker::dev::differential::show(&options, index)
        }
        Config::Differential { options, only: None } => checker::dev::differential::run(&options),
        Config::Programs { mode, filters, json, out } => {
            checker::dev::programs::run(mode, &filters, json, out.as_deref())
        }
        Config::Bench(order) => checker::bench::run(&order),
        Config::Repeat(order) => checker::dev::repeat::run(&order),
        Config::Scores(order) => checker::dev::scores::run(&order),
        Config::Worker => {
            checker::worker::serve()
                .map_err(|error| Stop::environment(format!("the worker lost its parent: {error}")))?;
            Ok(ExitCode::from(exit::PASSED))
        }
    }
}
