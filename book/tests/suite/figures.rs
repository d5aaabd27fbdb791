//! The pictures of the tutorial that a reader can change.

use std::path::{Path, PathBuf};
use std::process::Command;

use book::files::{entries, file_name, has_ending, read};
use book::root;
use mdbook_driver::MDBook;

/// Chapter, id of its figure.
const FIGURES: [(&str, &str); 3] = [("coalescing", "sectors"), ("banks", "banks"), ("windows", "tiles")];

#[test]
fn the_script_and_the_figures_name_the_same_things() {
    let script = read(&root().join("book/theme/pictures.js")).unwrap();
    for (chapter, name) in FIGURES {
        let figure = read(&root().join(format!("book/pages/learn/figures/{name}.inc"))).unwrap();
        let page = read(&root().join(format!("book/pages/learn/{chapter}.md"))).unwrap();
        assert!(page.contains(&format!("{{{{#include figures/{name}.inc}}}}")), "{chapter}");
        assert!(
            figure.contains(&format!("id=\"try-{name}\"")) && script.contains(&format!("\"try-{name}\""))
        );
        for input in figure.split(" name=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(script.contains(&format!("number(figure, \"{input}\")")), "nothing reads `{input}`");
        }
        assert!(!figure.contains("\n\n"), "an empty line would end the HTML in a page");
    }
}

/// The text of the output of a figure.
fn shown(page: &Path, id: &str) -> String {
    let html = dom(page);
    let figure = html.split_once(&format!("id=\"try-{id}\"")).expect("the figure is on the page").1;
    figure.split_once("<output>").unwrap().1.split_once("</output>").unwrap().0.to_owned()
}

/// A page as Chromium leaves it after three seconds.
fn dom(page: &Path) -> String {
    dom_after(page, 3)
}

fn dom_after(page: &Path, seconds: u32) -> String {
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--dump-dom"])
        .arg(format!("--virtual-time-budget={}", 1000 * seconds))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("Chromium is on the path");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
#[ignore = "needs Chromium"]
fn figures_count_what_the_simulator_counts() {
    let built = tempfile::tempdir().unwrap();
    let mut book = MDBook::load(root().join("book")).unwrap();
    book.config.build.build_dir = built.path().to_path_buf();
    book.build().unwrap();
    let page = |name: &str| built.path().join(format!("learn/{name}.html"));
    assert_eq!(shown(&page("coalescing"), "sectors"), "4 sectors for 128 bytes: 100 % efficiency");
    assert_eq!(shown(&page("banks"), "banks"), "32 wavefronts: at most 32 lanes per bank");
    let tile = "36 × 12 pixels for 32 × 8 results: 1.69 loads per result instead of 25, and 432 bytes of shared memory";
    assert_eq!(shown(&page("windows"), "tiles"), tile);
    let linked = dom(&page("atomics"));
    assert!(linked.contains("href=\"../glossary.html#term-contention\""), "no term is linked");
    let glossary = dom(&built.path().join("glossary.html"));
    assert!(glossary.contains("<li id=\"term-contention\">"), "the glossary has no place for a link");
}

/// The pages below a folder, but those that stand for others.
fn html_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in entries(folder).unwrap() {
        if path.is_dir() {
            html_below(&path, found);
        } else if has_ending(&path, "html")
            && !["print.html", "404.html", "toc.html"].contains(&file_name(&path).as_str())
        {
            found.push(path);
        }
    }
}

#[test]
#[ignore = "needs Chromium"]
fn no_page_is_wider_than_a_desk_or_a_phone() {
    let built = tempfile::tempdir().unwrap();
    let mut book = MDBook::load(root().join("book")).unwrap();
    book.config.build.build_dir = built.path().to_path_buf();
    book.build().unwrap();
    let mut pages = Vec::new();
    html_below(built.path(), &mut pages);
    let names: Vec<_> = pages.iter().map(|page| page.strip_prefix(built.path()).unwrap()).collect();
    let frames = built.path().join("frames.html");
    let text = format!(
        "<!doctype html><pre id=\"out\"></pre><script>{}\nall({});</script>",
        include_str!("screens.js"),
        serde_json::to_string(&names).unwrap()
    );
    std::fs::write(&frames, text).unwrap();
    let html = dom_after(&frames, 4000);
    let told = html.split_once("<pre id=\"out\">").unwrap().1.split_once("</pre>").unwrap().0;
    assert_eq!(told, format!("{} pages\nend", names.len()));
}
