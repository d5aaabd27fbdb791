//! `cargo run -p book -- build`: the generated pages, then the HTML in `book/book/`.

use std::process::ExitCode;

use anyhow::Context as _;
use book::{generate, root};
use mdbook_driver::MDBook;

const USAGE: &str = "\
usage: cargo run -p book -- COMMAND
  build      generate pages from labs, solutions and data, then build the HTML in book/book/
  generate   generate the pages, and run examples and rungs for their reports and pictures;
             `generate examples` only those of examples, `generate finding-` only texts of rungs whose names begin so";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["build"] => build(),
        ["generate"] => generate::write(&root())
            .and_then(|()| generate::write_examples(&root()))
            .and_then(|()| generate::write_rungs(&root())),
        ["generate", "examples"] => generate::write_examples(&root()),
        ["generate", start] => generate::write_texts(&root(), start),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> anyhow::Result<()> {
    generate::write(&root())?;
    let folder = root().join("book");
    let book = MDBook::load(&folder).with_context(|| format!("failed to load `{}`", folder.display()))?;
    book.build().context("failed to build the book")?;
    println!("{}", folder.join("book/index.html").display());
    Ok(())
}
