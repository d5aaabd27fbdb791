//! `checker grade`: a small class, graded twice, the second time with an interruption.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pretty_assertions::assert_eq;

use crate::common::{root, run};

/// A class of three: a solution, a file that does not compile, and a folder without a CUDA file.
fn class(folder: &Path) {
    let solution = root().join("solutions/lab6-sobel/01_one_pixel_per_thread.cu");
    let text = fs::read_to_string(solution).expect("a solution");
    fs::create_dir_all(folder.join("eve")).expect("made");
    fs::write(folder.join("ada.cu"), &text).expect("written");
    fs::write(folder.join("bob.cu"), "__global__ void f( {").expect("written");
    fs::write(folder.join("eve/notes.txt"), "=HYPERLINK(\"http://x\")").expect("written");
}

fn grade(folder: &Path, out: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let arguments =
        ["grade", "class", "--lab", "lab6", "--secret-seed", "a secret", "--unsandboxed", "--out", out];
    let output = run(folder, &[&arguments, more].concat());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// All files but those that tell of the run itself.
fn files(below: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![below.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(below).expect("below").to_path_buf();
            if path.is_dir() {
                folders.push(path);
            } else if !["provenance.json", "checks/journal.jsonl"].iter().any(|own| Path::new(own) == name) {
                found.insert(name, fs::read(path).expect("readable"));
            }
        }
    }
    found
}

#[test]
fn a_class_is_graded_again_and_after_an_interruption_with_the_same_results() {
    let folder = tempfile::tempdir().expect("a folder");
    class(&folder.path().join("class"));
    let (code, table, errors) = grade(folder.path(), "one", &["--jobs", "2"]);
    assert_eq!(code, Some(1), "eve needs a person: {errors}");
    assert!(table.contains("2 graded (1 passed), 1 refused, 0 missing"), "{table}");
    assert!(table.contains("eve  refused: not checked: it holds no CUDA file"), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
    let first = files(&folder.path().join("one"));
    for file in [
        "class.html",
        "students/ada.html",
        "results/bob.json",
        "exports/grades.csv",
        "exports/gradescope/eve.json",
    ] {
        assert!(first.contains_key(Path::new(file)), "{file}");
    }

    let (code, _, errors) = grade(folder.path(), "one", &[]);
    assert_eq!(code, Some(2), "results are there: {errors}");

    // As after a kill between two steps: one result without its line, one line cut off, one result lost.
    let checks = folder.path().join("one/checks");
    let of_ada = fs::read_dir(&checks).expect("there").map(|entry| entry.expect("an entry").path());
    let of_ada =
        of_ada.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("ada")));
    of_ada.for_each(|path| fs::remove_file(path).expect("removed"));
    fs::write(checks.join("journal.jsonl"), "{\"unit\": \"bo").expect("torn");
    fs::remove_file(folder.path().join("one/class.json")).expect("removed");
    let (code, again, errors) = grade(folder.path(), "one", &["--resume", "--jobs", "1"]);
    assert_eq!((code, again), (Some(1), table.clone()));
    assert!(errors.contains("1 results are there already, 1 checks to make"), "{errors}");
    assert_eq!(
        files(&folder.path().join("one")).keys().collect::<Vec<_>>(),
        first.keys().collect::<Vec<_>>()
    );
    assert!(files(&folder.path().join("one")) == first, "not the same bytes");
    let compared = run(folder.path(), &["grade", "--compare", "one", "one"]);
    assert_eq!(String::from_utf8_lossy(&compared.stdout), "0 results changed, 3 are the same\n");
    assert_eq!(compared.status.code(), Some(0));
}

#[test]
fn wrong_usage_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    class(&folder.path().join("class"));
    let (code, _, errors) = grade(folder.path(), "out", &["--roster", "none.csv"]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("failed to read the roster `none.csv`"), "{errors}");
    let (code, _, errors) = grade(folder.path(), "out", &["--only", "zed"]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("no student is called `zed`"), "{errors}");
}
