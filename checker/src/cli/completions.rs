//! `checker completions SHELL`: what a shell needs to complete the command line, and the manual page.

use std::process::ExitCode;

use clap::{Args, CommandFactory, ValueEnum};
use clap_complete::Shell;

use super::Cli;
use crate::output;
use judge::exit::{self, Stop};

const HELP: &str = "\
For example:
  checker completions bash > ~/.local/share/bash-completion/completions/checker
  checker completions man > ~/.local/share/man/man1/checker.1";

/// Who completes, or shows the manual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum For {
    Bash,
    Elvish,
    Fish,
    Zsh,
    /// The manual page, as roff
    Man,
}

/// Print the completions of a shell, or the manual page
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: For,
}

impl Completions {
    /// Prints them.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let mut command = Cli::command();
        let mut text = Vec::new();
        let shell = match self.shell {
            For::Bash => Some(Shell::Bash),
            For::Elvish => Some(Shell::Elvish),
            For::Fish => Some(Shell::Fish),
            For::Zsh => Some(Shell::Zsh),
            For::Man => None,
        };
        match shell {
            Some(shell) => clap_complete::generate(shell, &mut command, "checker", &mut text),
            None => clap_mangen::Man::new(command)
                .render(&mut text)
                .map_err(|error| Stop::environment(format!("failed to write the manual page: {error}")))?,
        }
        output::text(&String::from_utf8_lossy(&text))?;
        Ok(ExitCode::from(exit::PASSED))
    }
}
