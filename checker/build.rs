//! Collects the files that pages of the book include, so that `checker book` shows them without a checkout: writes a table of
//! their paths and texts. Of pictures, a terminal shows the description.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = Path::new(&env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("..");
    let pages = root.join("book/pages");
    println!("cargo::rerun-if-changed={}", pages.display());
    let mut files = BTreeSet::new();
    for page in files_below(&pages, "md") {
        collect(&root, &page, &mut files);
    }
    // A workbook has all examples, those that no page includes, too.
    let examples = Path::new("book/examples");
    println!("cargo::rerun-if-changed={}", root.join(examples).display());
    let names = files_below(&root.join(examples), "cu")
        .into_iter()
        .filter_map(|path| path.file_name().map(PathBuf::from));
    files.extend(names.map(|name| examples.join(name)));
    let mut table = String::from("&[\n");
    for file in files {
        let text = root.join(&file).canonicalize().expect("it was read");
        let text = text.to_str().expect("a path in UTF-8");
        let name = file.to_str().expect("a name in UTF-8").replace('\\', "/");
        if is_picture(&file) {
            let told = described(&fs::read_to_string(text).expect("a picture in UTF-8"));
            writeln!(table, "    ({name:?}, {told:?}),").expect("a string");
        } else {
            writeln!(table, "    ({name:?}, include_str!({text:?})),").expect("a string");
        }
    }
    table += "]\n";
    let target = Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join("includes.rs");
    fs::write(target, table).expect("the build folder is writable");
}

fn is_picture(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "svg")
}

/// The title of a picture, and its description as a list; nothing if it has none.
fn described(picture: &str) -> String {
    let of = |tag: &str| {
        let (_, rest) = picture.split_once(&format!("<{tag}>"))?;
        let text = rest.split_once(&format!("</{tag}>"))?.0;
        Some(text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    };
    let (Some(title), Some(description)) = (of("title"), of("desc")) else { return String::new() };
    let items: Vec<&str> = description.split("; ").collect();
    match items[..] {
        [one] => format!("Picture: {title}. {one}\n"),
        _ => format!("Picture: {title}\n\n- {}\n", items.join("\n- ")),
    }
}

/// The files with this ending in a folder and below.
fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let own = files.into_iter().filter(|path| path.extension().is_some_and(|end| end == ending));
    folders.iter().flat_map(|folder| files_below(folder, ending)).chain(own).collect()
}

/// Adds the files that this one includes, from the root on, and the files that those include.
fn collect(root: &Path, file: &Path, files: &mut BTreeSet<PathBuf>) {
    let Ok(text) = fs::read_to_string(file) else { return };
    for line in text.lines() {
        let Some(path) = line.trim().strip_prefix("{{#include ").and_then(|rest| rest.strip_suffix("}}"))
        else {
            continue;
        };
        let path = plain(&file.parent().expect("a folder").join(path.split(':').next().unwrap_or(path)));
        let name = path.strip_prefix(plain(root)).map(Path::to_path_buf);
        let Ok(name) = name else { continue };
        if !path.is_file() || !files.insert(name) || is_picture(&path) {
            continue;
        }
        println!("cargo::rerun-if-changed={}", path.display());
        collect(root, &path, files);
    }
}

/// The path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}
