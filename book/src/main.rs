//! `cargo run -p book -- build`: the generated pages, then the HTML in `book/book/`; `serve` shows it in a browser.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use book::{generate, root, serve};
use mdbook_driver::MDBook;

const USAGE: &str = "\
usage: cargo run -p book -- COMMAND
  build      generate pages from labs, solutions and data, then build the HTML in book/book/
  serve      build, then serve the book at http://127.0.0.1:3000 until Ctrl-C; `serve 8080` takes another port
  generate   generate the pages, and run examples and rungs for their reports and pictures;
             `generate examples` only those of examples, `generate finding-` only texts of rungs whose names begin so";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["build"] => build().map(|folder| println!("{}", folder.join("index.html").display())),
        ["serve"] => served("3000"),
        ["serve", port] => served(port),
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

fn served(port: &str) -> anyhow::Result<()> {
    let port: u16 = port.parse().with_context(|| format!("`{port}` is not a port"))?;
    let listener =
        TcpListener::bind(("127.0.0.1", port)).with_context(|| format!("failed to take port {port}"))?;
    let folder = build()?;
    println!("http://{}", listener.local_addr()?);
    serve::serve(&listener, &folder).context("failed to serve the book")
}

/// Makes the HTML, and says where.
fn build() -> anyhow::Result<PathBuf> {
    generate::write(&root())?;
    let folder = root().join("book");
    let book = MDBook::load(&folder).with_context(|| format!("failed to load `{}`", folder.display()))?;
    book.build().context("failed to build the book")?;
    Ok(folder.join("book"))
}
