//! The pages against the checkout: its pages are up to date, its includes and links resolve, and every finding
//! has its entry.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use book::files::{self, entries, file_name, read};
use book::findings::entries_of;
use book::{codes, generate, root};
use mdbook_driver::MDBook;
use pretty_assertions::assert_eq;

/// All files below a folder with this ending.
fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in entries(folder).unwrap() {
        if path.is_dir() {
            found.extend(files_below(&path, ending));
        } else if file_name(&path).ends_with(ending) {
            found.push(path);
        }
    }
    found
}

#[test]
fn generated_pages_are_up_to_date() {
    let stale = generate::stale(&root()).unwrap();
    assert!(stale.is_empty(), "run `cargo run -p book -- generate` and commit: {stale:?}");
}

#[test]
fn every_finding_has_an_entry_and_every_entry_a_finding() {
    let emitted = codes::emitted(&root()).unwrap();
    assert!(emitted.len() > 50, "the sources are no longer where this test looks: {}", emitted.len());
    let entries: BTreeSet<String> =
        entries_of(&root()).unwrap().into_iter().map(|entry| entry.code).collect();
    let missing: Vec<_> = emitted.iter().filter(|(code, _)| !entries.contains(*code)).collect();
    assert!(missing.is_empty(), "no entry in book/pages/findings/: {missing:?}");
    let gone: Vec<_> = entries.iter().filter(|code| !emitted.contains_key(*code)).collect();
    assert!(gone.is_empty(), "book/pages/findings/ has entries for codes that nothing emits: {gone:?}");
}

#[test]
fn the_chapter_of_every_lab_that_is_here_has_its_task() {
    let labs = files::labs(&root()).unwrap();
    assert!(labs.len() >= 6, "{labs:?}");
    for lab in labs {
        if files::lab_folder(&root(), "labs", &lab).unwrap().is_none() {
            continue;
        }
        let page = read(&root().join(format!("book/pages/labs/{lab}.md"))).unwrap();
        let sheet = format!("../generated/{lab}-sheet.md");
        let included: Vec<_> =
            includes(&page).into_iter().map(|one| one.split(':').next().unwrap()).collect();
        assert!(included.contains(&sheet.as_str()), "book/pages/labs/{lab}.md does not include `{sheet}`");
    }
}

fn entries_below(folder: &str) -> Vec<String> {
    entries(&root().join(folder)).unwrap().iter().map(|path| file_name(path)).collect()
}

/// What an include names: `path`, `path:anchor`, `path:first:last`.
fn includes(text: &str) -> Vec<&str> {
    text.split("{{#include ").skip(1).filter_map(|rest| rest.split("}}").next()).collect()
}

#[test]
fn every_include_names_a_file_and_an_anchor_that_are_there() {
    let mut count = 0;
    for page in files_below(&root().join("book/pages"), ".md") {
        for include in includes(&read(&page).unwrap()) {
            count += 1;
            let (path, place) = include.split_once(':').unwrap_or((include, ""));
            let path = page.parent().unwrap().join(path);
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(!text.is_empty(), "{} includes `{include}`, which is not there", page.display());
            let is_range = place.chars().all(|letter| letter.is_ascii_digit() || letter == ':');
            for mark in ["ANCHOR", "ANCHOR_END"] {
                let line = format!("// {mark}: {place}");
                let there = text.lines().any(|known| known.trim() == line);
                assert!(is_range || there, "{} includes `{include}`; no line `{line}`", page.display());
            }
        }
    }
    assert!(count > 50, "only {count} includes found");
}

#[test]
fn code_on_a_page_is_included_from_a_file() {
    let mut count = 0;
    for page in files_below(&root().join("book/pages"), ".md") {
        let text = read(&page).unwrap();
        for block in text.split("\n```").skip(1).step_by(2) {
            let (language, code) = block.split_once('\n').unwrap();
            // Commands are run by tests, and what a page shows of their output is compared: it is a file, too.
            let is_made = page.components().any(|part| part.as_os_str() == "generated");
            let is_diagram = page.ends_with("simulator.md") && code.starts_with(" PTX text");
            let is_output = ["text", ""].contains(&language) && !is_made && !is_diagram;
            if is_output || ["cpp", "cuda", "c", "rust", "toml"].contains(&language) {
                count += 1;
                assert!(includes(code).len() == code.trim().lines().count(), "{}:\n{code}", page.display());
            }
        }
    }
    assert!(count > 50, "{count} blocks");
}

/// The values of an attribute in a page.
fn attributes<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    html.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn the_book_builds_and_its_links_resolve() {
    let built = tempfile::tempdir().unwrap();
    let mut book = MDBook::load(root().join("book")).unwrap();
    book.config.build.build_dir = built.path().to_path_buf();
    book.build().unwrap();
    let pages: BTreeMap<PathBuf, String> = files_below(built.path(), ".html")
        .into_iter()
        // All pages in one, and the two that stand for a missing page and for the list of chapters.
        .filter(|path| !["print.html", "404.html", "toc.html"].contains(&file_name(path).as_str()))
        .map(|path| (path.canonicalize().unwrap(), read(&path).unwrap()))
        .collect();
    assert!(pages.len() > 20, "{} pages", pages.len());
    for (path, html) in &pages {
        let (_, content) = html.split_once("<main>").unwrap();
        let (content, _) = content.split_once("</main>").unwrap();
        assert!(!content.contains("{{#"), "an include of {} was not resolved", path.display());
        for link in attributes(content, "href").into_iter().filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            let target = target.canonicalize().ok().and_then(|target| pages.get(&target));
            let target = target.unwrap_or_else(|| panic!("{} links to `{link}`", path.display()));
            let there = anchor.is_empty() || attributes(target, "id").contains(&anchor);
            assert!(there, "{} links to `{link}`: no such place on that page", path.display());
        }
    }
}

#[test]
fn every_finding_has_an_example_or_says_why_it_has_none() {
    let entries = entries_of(&root()).unwrap();
    let mut without = Vec::new();
    for entry in &entries {
        let ending = format!("-{}.txt", entry.code);
        let shown = includes(&entry.text).iter().any(|include| include.ends_with(&ending));
        let none = entry.text.lines().any(|line| line.starts_with("No example: "));
        assert!(shown != none, "book/pages/findings/{}.md shows no finding of this code", entry.code);
        without.extend(none.then_some(&entry.code));
    }
    // Each of them says why: it needs a GPU, or what no test can spend.
    assert_eq!(without, ["W0010", "W0121", "W0123", "W0506", "W0520", "W0521", "W0522"]);
    let own = entries_below("book/findings");
    for file in &own {
        let code = file.trim_end_matches(".cu");
        assert!(
            entries.iter().any(|entry| entry.text.contains(&format!("/finding-{code}.txt}}}}"))),
            "{file}"
        );
    }
}

#[test]
fn the_readme_asks_for_the_rust_version_of_the_workspace() {
    let manifest = read(&root().join("Cargo.toml")).unwrap();
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")).unwrap();
    let version = version.trim_end_matches('"');
    for page in ["README.md", "book/pages/introduction.md"] {
        let text = read(&root().join(page)).unwrap();
        let asked: Vec<&str> = text
            .split("Rust ")
            .skip(1)
            .map(|rest| rest.split(|letter: char| letter != '.' && !letter.is_ascii_digit()).next().unwrap())
            .filter(|number| !number.is_empty())
            .collect();
        assert_eq!(asked, [version], "{page} and `rust-version` of Cargo.toml");
    }
}

#[test]
fn the_glossary_explains_each_term_once_in_alphabetical_order() {
    let text = read(&root().join("book/pages/glossary.md")).unwrap();
    let terms: Vec<String> = text
        .lines()
        .filter(|line| line.starts_with("- "))
        .map(|line| {
            line.strip_prefix("- **").and_then(|line| line.split_once("**: ")).expect(line).0.to_lowercase()
        })
        .collect();
    assert!(terms.len() > 50, "only {} terms", terms.len());
    let sorted: Vec<String> = terms.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect();
    assert_eq!(terms, sorted);
}

#[test]
fn the_links_of_the_documents_outside_the_book_name_files_that_are_there() {
    let mut count = 0;
    let documents =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "solutions/README.md"];
    for document in documents.map(|name| root().join(name)) {
        let text = read(&document).unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.contains("://")) {
            count += 1;
            let file = link.split('#').next().unwrap();
            let target = document.parent().unwrap().join(file);
            assert!(target.exists(), "{} links to `{link}`", document.display());
        }
    }
    assert!(count > 10, "only {count} links found");
}
