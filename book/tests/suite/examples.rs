//! The examples of the tutorial: each does and costs what its first lines say, and what the book shows of it is what
//! `checker try` prints.

use std::fmt::Write as _;

use book::examples::{self, Done};
use book::files::{entries, file_name, has_ending, read};
use book::{generate, root};

/// The most that a report may take of a terminal.
const LINES: usize = 25;
const COLUMNS: usize = 100;

/// The lines of a header that give the cost of each variant, as they should be.
fn costs(done: &Done) -> Vec<String> {
    let cost = |(variant, ran): (&checker::examples::Variant, &checker::examples::Ran)| {
        let cells = match &ran.measured {
            // The header may name any of the errors that stop it.
            None => {
                let named = variant.cost.first().cloned().unwrap_or_default();
                let known = ran.findings.iter().any(|finding| finding.is_error() && finding.code == named);
                vec![if known { named } else { ran.findings[0].code.clone() }]
            }
            Some(measured) => {
                let counted = done.example.columns.iter().filter(|column| column.is_counted());
                counted.map(|column| checker::examples::cell(*column, measured)).collect()
            }
        };
        let wrong = if ran.wrong.is_some() && ran.measured.is_some() { "; wrong" } else { "" };
        format!("// cost {}: {}{wrong}", ran.function, cells.join("; "))
    };
    done.example.variants.iter().zip(&done.variants).map(cost).collect()
}

#[test]
fn examples_do_and_cost_what_their_headers_say_and_the_book_shows_it() {
    let done = examples::run(&root()).unwrap();
    assert!(done.len() >= 13, "{} examples", done.len());
    let mut other = String::new();
    for one in &done {
        let said: Vec<&str> =
            one.example.file.text.lines().filter(|line| line.starts_with("// cost ")).collect();
        let found = costs(one);
        if said != found {
            let _ = writeln!(other, "{}.cu\n{}", one.example.name, found.join("\n"));
        }
    }
    assert!(other.is_empty(), "these lines are otherwise in book/examples:\n{other}");
    for one in &done {
        let report: Vec<&str> = one.report.lines().skip(1).collect();
        assert!(report.len() <= LINES, "{} lines:\n{}", report.len(), one.report);
        let widest = report.iter().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= COLUMNS, "{widest} columns:\n{}", one.report);
    }
    let stale = generate::stale_examples(&root(), &done).unwrap();
    assert!(stale.is_empty(), "run `cargo run -p book -- generate` and commit: {stale:?}");
}

#[test]
fn every_example_and_every_picture_is_on_a_page() {
    let learn = root().join("book/pages/learn");
    let chapters =
        entries(&learn).unwrap().into_iter().chain(entries(&root().join("book/pages/generated")).unwrap());
    let pages: String =
        chapters.filter(|path| has_ending(path, "md")).map(|path| read(&path).unwrap()).collect();
    for path in entries(&learn.join("generated")).unwrap() {
        let include = format!("generated/{}}}}}", file_name(&path));
        assert!(pages.contains(&include), "no page includes `{}`", file_name(&path));
    }
}

#[test]
fn every_chapter_asks_for_a_prediction_and_folds_its_answers() {
    let mut chapters = 0;
    for path in entries(&root().join("book/pages/learn")).unwrap() {
        let name = file_name(&path);
        if !has_ending(&path, "md") || name == "index.md" {
            continue;
        }
        chapters += 1;
        let text = read(&path).unwrap();
        for part in [
            "Predict",
            "## Questions",
            "<details><summary>Answers</summary>",
            "## Where you need it",
            ".svg}}",
        ] {
            assert!(text.contains(part), "{name} has no `{part}`");
        }
        let words = text.split_whitespace().count();
        assert!((300..=1100).contains(&words), "{name} has {words} words");
    }
    assert_eq!(chapters, 11);
}
