//! `checker new-lab NAME`: begins a lab that plugs in. It copies lab 0, a whole lab that the tests compile and judge but that no
//! student sees, under another number and name, and adds the copy to the list in `labs/all`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use crate::output;
use judge::exit::{self, Stop};
use judge::labs;
use judge::workspace::{Workspace, current_folder};
use judge::wrap::hanging;

/// The files of lab 0, each with its place below the root of a checkout.
macro_rules! template {
    ($($path:literal,)*) => { &[$(($path, include_str!(concat!("../../", $path))),)*] };
}

const TEMPLATE: &[(&str, &str)] = template![
    "labs/lab0-negative/Cargo.toml",
    "labs/lab0-negative/README.md",
    "labs/lab0-negative/negative.cu",
    "labs/lab0-negative/src/answers.rs",
    "labs/lab0-negative/src/ideas.rs",
    "labs/lab0-negative/src/lib.rs",
    "labs/lab0-negative/src/mistakes.rs",
    "labs/lab0-negative/src/negative.rs",
    "labs/lab0-negative/src/scales.rs",
    "labs/lab0-negative/tests/lab.rs",
    "solutions/lab0-negative/01_one_pixel_per_thread.cu",
    "solutions/lab0-negative/wrong/minus_from_256.cu",
    "solutions/lab0-negative/wrong/no_bounds_check.cu",
];

/// The files with the list of labs, and the line in each above which a new lab goes.
const LISTS: [&str; 2] = ["labs/all/Cargo.toml", "labs/all/src/lib.rs"];
const MARK: &str = "`checker new-lab` adds its line above this one.";

/// Words of Rust and of C++ that no function can be called.
const RESERVED: &str = "abstract as async auto await become bool box break case catch char class const continue crate default delete do \
                        double dyn else enum explicit export extern false final float fn for friend goto if impl in inline int let long \
                        loop macro main match mod move mut mutable namespace new operator override priv private protected pub public ref \
                        register return self short signed sizeof static struct super switch template this throw trait true try type \
                        typedef typename typeof union unsafe unsigned unsized use using virtual void volatile where while yield";

/// Begin a lab of your own in this checkout: a crate with specification, reference, cases and skeleton, a rung, wrong kernels
#[derive(Debug, Args)]
pub struct NewLab {
    /// The name of its task, which is the name of the host function too: such as `edges`
    name: String,
    /// Its title; without it, from the name
    #[arg(long)]
    title: Option<String>,
}

impl NewLab {
    /// Writes the files.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let workspace = Workspace::find(&current_folder()?)?;
        if workspace.is_student_s() {
            return Err(Stop::Usage(
                "a student's workbook has no sources: begin a lab in a checkout of the workbook itself"
                    .into(),
            ));
        }
        let title = self.title.unwrap_or_else(|| titled(&self.name));
        let begun = begin(workspace.root(), &self.name, &title)?;
        let Begun { lab, folder, files } = begun;
        output::text(&format!(
            "{}\n{}\n{}\n",
            hanging(
                "",
                &format!(
                    "{files} files in `labs/{folder}` and `solutions/{folder}`, and a line in each of `{}` and `{}`",
                    LISTS[0], LISTS[1]
                )
            ),
            hanging("next: ", &format!("cargo fmt && cargo run --release -- {lab} --solution")),
            hanging(
                "then: ",
                &format!(
                    "write your task in `labs/{folder}/src/{}.rs`; the page \"A lab of your own\" of the book goes through all files. \
                     `cargo test -p {folder}` and `cargo run --release -p workshop -- verify {lab}` say what does not fit yet",
                    self.name
                )
            ),
        ))?;
        Ok(ExitCode::from(exit::PASSED))
    }
}

/// What was begun.
struct Begun {
    lab: String,
    folder: String,
    files: usize,
}

/// Writes a new lab into the checkout at `root`.
fn begin(root: &Path, name: &str, title: &str) -> Result<Begun, Stop> {
    check(name)?;
    if title.contains(['"', '\\']) || title.chars().any(char::is_control) || title.trim().is_empty() {
        return Err(Stop::Usage("a title is a few words, without quotes and backslashes".into()));
    }
    let number = next_number(root)?;
    let (lab, folder) = (format!("lab{number}"), format!("lab{number}-{name}"));
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    for (path, text) in TEMPLATE {
        let renamed = |text: &str| renamed(text, number, name, title);
        files.push((root.join(renamed(path)), renamed(text)));
    }
    if let Some((path, _)) = files.iter().find(|(path, _)| path.exists()) {
        return Err(Stop::Usage(format!("`{}` is there already: take another name", path.display())));
    }
    let count = files.len();
    // The list comes last: it must not name a lab that is not there.
    let lines =
        [format!("{folder} = {{ path = \"../{folder}\" }}\n"), format!("        lab{number}_{name}::LAB,\n")];
    for (list, line) in LISTS.iter().zip(&lines) {
        files.push((root.join(list), with_line(&root.join(list), line)?));
    }
    for (path, text) in files {
        write(&path, &text)?;
    }
    Ok(Begun { lab, folder, files: count })
}

/// That a name can be that of a function, a module and a folder, and is not taken.
fn check(name: &str) -> Result<(), Stop> {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    if !begins || !name.chars().all(letters) || name.ends_with('_') || name.contains("__") {
        return Err(Stop::Usage(format!(
            "`{name}` cannot be the name of a host function: take lower-case letters, digits and single `_`, such as `box_blur`"
        )));
    }
    let is_word =
        |text: &str| text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name);
    let code = TEMPLATE.iter().filter(|(path, _)| matches!(path.rsplit('.').next(), Some("rs" | "cu")));
    if is_word(RESERVED) || code.into_iter().any(|(_, text)| is_word(text)) {
        return Err(Stop::Usage(format!(
            "`{name}` means something else in the files of a lab: take another name"
        )));
    }
    let taken = labs::all().into_iter().find(|lab| lab.tasks().iter().any(|task| task.name() == name));
    taken.map_or(Ok(()), |lab| {
        Err(Stop::Usage(format!("`{name}` is a task of {} already: take another name", lab.name())))
    })
}

/// `box_blur`: `Box blur`
fn titled(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The number after that of the last lab in the checkout.
fn next_number(root: &Path) -> Result<u32, Stop> {
    let folder = root.join("labs");
    let entries = std::fs::read_dir(&folder)
        .map_err(|error| Stop::environment(format!("failed to list `{}`: {error}", folder.display())))?;
    let number = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        name.strip_prefix("lab")?.split('-').next()?.parse::<u32>().ok()
    };
    Ok(1 + entries.filter_map(|entry| number(entry.ok()?)).max().unwrap_or(0))
}

/// Text of lab 0 as that of another lab.
fn renamed(text: &str, number: u32, name: &str, title: &str) -> String {
    let kind: String = name.split('_').map(titled).collect();
    text.replace("\"Negative\"", &format!("\"{title}\""))
        .replace("Lab 0: negative", &format!("Lab {number}: {}", title.to_lowercase()))
        .replace("Negative", &kind)
        .replace("negative", name)
        .replace("lab0", &format!("lab{number}"))
        .replace("labN", &format!("lab{number}"))
        .replace("Lab0", &format!("Lab{number}"))
        .replace("Lab 0", &format!("Lab {number}"))
}

/// The text of a list with one line more.
fn with_line(path: &Path, line: &str) -> Result<String, Stop> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Stop::environment(format!("failed to read `{}`: {error}", path.display())))?;
    let mark = text.lines().position(|line| line.contains(MARK)).ok_or_else(|| {
        Stop::environment(format!(
            "`{}` has no line with {MARK:?}: put it back, as a comment after the last lab",
            path.display()
        ))
    })?;
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    lines.insert(mark, line);
    Ok(lines.concat())
}

fn write(path: &Path, text: &str) -> Result<(), Stop> {
    let failed =
        |error: std::io::Error| Stop::environment(format!("failed to write `{}`: {error}", path.display()));
    std::fs::create_dir_all(path.parent().unwrap_or(path)).map_err(failed)?;
    std::fs::write(path, text).map_err(failed)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    /// A folder with the lists of this checkout, and a lab 6.
    fn checkout() -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for list in LISTS {
            let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(list);
            write(&root.path().join(list), &std::fs::read_to_string(own).expect("a list")).expect("written");
        }
        std::fs::create_dir_all(root.path().join("labs/lab6-sobel")).expect("made");
        root
    }

    fn read(root: &Path, path: &str) -> String {
        std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    #[test]
    fn a_new_lab_has_nothing_of_lab_0_and_is_in_the_list() {
        let root = checkout();
        let begun = begin(root.path(), "box_blur", "Box blur").unwrap_or_else(|stop| panic!("{stop}"));
        assert_eq!((begun.lab.as_str(), begun.folder.as_str()), ("lab7", "lab7-box_blur"));
        for (path, _) in TEMPLATE {
            let path = path.replace("lab0-negative", "lab7-box_blur").replace("negative", "box_blur");
            let text = read(root.path(), &path);
            for word in ["negative", "Negative", "lab0", "Lab0", "Lab 0", "labN"] {
                assert!(!text.contains(word), "{path} holds `{word}`");
            }
        }
        assert!(read(root.path(), "labs/lab7-box_blur/README.md").starts_with("# Lab 7: box blur\n"));
        let code = read(root.path(), "labs/lab7-box_blur/src/lib.rs");
        assert!(code.contains("\"Box blur\"") && code.contains("&[&box_blur::BoxBlur]"), "{code}");
        let [manifest, list] = LISTS.map(|list| read(root.path(), list));
        assert!(
            manifest.contains("\nlab7-box_blur = { path = \"../lab7-box_blur\" }\n# `checker"),
            "{manifest}"
        );
        assert!(list.contains("        lab7_box_blur::LAB,\n        // `checker"), "{list}");
        let next = begin(root.path(), "edges", "Edges").unwrap_or_else(|stop| panic!("{stop}"));
        assert_eq!(next.folder, "lab8-edges");
    }

    #[test]
    fn a_name_that_would_not_compile_or_is_taken_is_refused_before_anything_is_written() {
        let root = checkout();
        for name in
            ["", "Blur", "box-blur", "2d", "blur_", "a__b", "while", "gray", "sobel", "scales", "../x"]
        {
            assert!(begin(root.path(), name, "T").is_err(), "{name}");
        }
        assert!(begin(root.path(), "blur", "a \"b\"").is_err());
        assert_eq!(std::fs::read_dir(root.path().join("labs")).expect("labs").count(), 2);
    }

    #[test]
    fn the_template_is_the_whole_lab_0() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut folders = ["labs/lab0-negative", "solutions/lab0-negative"].map(PathBuf::from).to_vec();
        let mut found = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(root.join(&folder)).expect("a folder") {
                let path = folder.join(entry.expect("readable").file_name());
                if root.join(&path).is_dir() { folders.push(path) } else { found.push(path) }
            }
        }
        found.sort();
        assert_eq!(found, TEMPLATE.iter().map(|(path, _)| PathBuf::from(path)).collect::<Vec<_>>());
    }
}
