//! The chapters of the labs: each has its parts, every rung and every picture is on a page, and what they show of the checker's
//! output is what it prints.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use book::files::is_rung;
use book::files::{LABS, entries, file_name, has_ending, lab_folder, read};
use book::rungs::{self, Rungs};
use book::{generate, pictures, root};
use pretty_assertions::assert_eq;

/// The fewest pictures of the book.
const PICTURES: usize = 40;

fn generated() -> [PathBuf; 3] {
    ["generated", "labs/generated", "learn/generated"].map(|folder| root().join("book/pages").join(folder))
}

/// The text of every page, the generated ones too.
fn all_pages() -> String {
    let mut folders = vec![root().join("book/pages")];
    let mut text = String::new();
    while let Some(folder) = folders.pop() {
        for path in entries(&folder).unwrap() {
            if path.is_dir() {
                folders.push(path);
            } else if has_ending(&path, "md") {
                text += &read(&path).unwrap();
            }
        }
    }
    text
}

#[test]
fn every_chapter_of_a_lab_asks_for_a_prediction_shows_a_measurement_and_goes_on() {
    let chapters = rungs::chapters(&root()).unwrap();
    assert!(chapters.len() >= 25, "{} chapters", chapters.len());
    for path in chapters {
        let text = read(&path).unwrap();
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        let measured = text.contains("## Measured") || text.contains("{{#include ../../generated/step-");
        assert!(measured, "{name} shows no measurement");
        for part in ["What limits", "## The idea", "Predict", "## What the reports found", "## Try", ".svg}}"]
        {
            assert!(text.contains(part), "{name} has no `{part}`");
        }
        let words = text.split_whitespace().count();
        assert!((150..=900).contains(&words), "{name} has {words} words");
    }
}

#[test]
fn every_rung_is_in_a_chapter_of_its_lab() {
    for lab in LABS {
        let chapters: String = rungs::chapters(&root())
            .unwrap()
            .iter()
            .filter(|path| path.parent().is_some_and(|folder| file_name(folder) == lab))
            .map(|path| read(path).unwrap())
            .collect();
        let folder = lab_folder(&root(), "solutions", lab).unwrap().unwrap();
        for rung in entries(&folder).unwrap().iter().filter(|path| is_rung(path)) {
            let number = &file_name(rung)[..2];
            let piece = format!("generated/step-{lab}-{number}.md}}}}");
            assert!(chapters.contains(&piece), "no chapter of {lab} includes `{piece}`");
        }
    }
}

#[test]
fn every_picture_says_in_words_what_it_shows_and_is_on_a_page() {
    let pages = all_pages();
    let mut titles = BTreeSet::new();
    let mut count = 0;
    for path in generated().iter().flat_map(|folder| entries(folder).unwrap()) {
        if !has_ending(&path, "svg") {
            continue;
        }
        count += 1;
        let name = file_name(&path);
        let text = read(&path).unwrap();
        let between =
            |from: &str, to: &str| text.split_once(from).unwrap().1.split_once(to).unwrap().0.to_owned();
        let (title, description) = (between("<title>", "</title>"), between("<desc>", "</desc>"));
        assert!(title.len() > 15 && description.len() > 25, "{name}: `{title}`, `{description}`");
        assert!(!description.contains("NaN") && !text.contains("NaN") && !text.contains("inf\""), "{name}");
        assert!(titles.insert(title.clone()), "two pictures are called `{title}`");
        assert!(
            pages.contains(&format!("/{name}}}}}")) || pages.contains(&format!("#include {name}}}}}")),
            "{name}"
        );
    }
    assert!(count >= PICTURES, "{count} pictures");
}

#[test]
fn generated_files_of_the_labs_are_those_that_the_pages_need() {
    let mut wanted: BTreeSet<String> = rungs::wanted_texts(&root()).unwrap();
    wanted.extend(pictures::rung_pictures().map(|name| format!("{name}.svg")));
    let there: BTreeSet<String> =
        entries(&generated()[1]).unwrap().iter().map(|path| file_name(path)).collect();
    assert_eq!(there, wanted, "run `cargo run -p book -- generate` and commit");
}

/// The pictures of all rungs take minutes: this one is the cheapest, and changes with whatever changes the others.
#[test]
fn a_picture_of_a_rung_is_what_the_simulator_does_now() {
    let rungs = Rungs::new(&root()).unwrap();
    let page = pictures::of_rung(&rungs, "lab1-words").unwrap();
    let committed = generate::committed_rung(&root(), &page.name).unwrap_or_default();
    assert_eq!(
        committed, page.text,
        "run `cargo run --release -p book -- generate` and commit: {}",
        page.name
    );
}

/// Every text below a command of the checker, but those of `checker try`, which `examples.rs` compares.
#[test]
fn what_the_pages_show_of_the_checkers_output_is_what_it_prints_now() {
    let names: Vec<String> = rungs::wanted_texts(&root()).unwrap().into_iter().collect();
    assert!(names.len() > 80, "{} texts", names.len());
    let next = AtomicUsize::new(0);
    let other = || {
        let rungs = Rungs::new(&root()).unwrap();
        let mut other = Vec::new();
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            let made = rungs::text(&rungs, name).unwrap().text;
            if generate::committed_rung(&root(), name).as_ref() != Some(&made) {
                other.push(format!("{name}\n{made}"));
            }
        }
        other
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    let stale: Vec<String> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|_| scope.spawn(other)).collect();
        started.into_iter().flat_map(|one| one.join().unwrap()).collect()
    });
    assert!(
        stale.is_empty(),
        "run `cargo run --release -p book -- generate` and commit:\n{}",
        stale.join("\n")
    );
}

#[test]
fn every_limit_that_a_report_can_name_has_a_page() {
    let page = read(&root().join("book/pages/reading.md")).unwrap();
    for name in judge::limiters::all() {
        let row = format!("| {name} |");
        assert!(page.contains(&row), "reading.md has no row `{row}`");
    }
}
