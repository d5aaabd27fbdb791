//! `checker init DIR`: a workbook for a student, without solutions. An existing one gets back what is missing.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use kernels::{EDITOR_PRELUDE, editor_headers};
use serde_json::json;

use crate::examples;
use crate::output;
use crate::pages;
use judge::exit::{self, Stop};
use judge::labs;
use judge::workspace::{MARKER, current_folder};

/// The header that every lab file includes.
const HEADER: &str = "workbook.cuh";

/// The folder beside it with declarations for an editor.
const EDITOR: &str = "editor";

/// What makes the C++ extension of VS Code read the flags.
const VSCODE: &str = "{
  \"C_Cpp.default.compileCommands\": \"${workspaceFolder}/compile_commands.json\",
  \"files.associations\": { \"*.cuh\": \"cuda-cpp\" }
}
";

const README: &str = "\
# Your Warpbook

Each folder in `labs/` has a task sheet, `README.md`, and a CUDA file to fill in. Run these commands here or in any folder below:

| command | effect |
|---|---|
| `checker` | what you have reached, and what is next |
| `checker lab1` | check your file of lab 1 |
| `checker watch lab1` | check it again whenever you save it |
| `checker hint lab1` | a hint for what your kernel does now; `--more` says more |
| `checker profile lab1` | what each line costs; `--html FILE` draws it |
| `checker explain lab1` | the questions of the task sheet, answered with your own numbers |
| `checker tune lab1` | your kernel with other block sizes and on other images |
| `checker book` | the book in the terminal; `checker book W0307` says what a finding means |
| `checker try threads` | run an example of the book: change it in `book/examples/`, and run it again |
| `checker device` | the GPUs that are here, and those that the simulator can predict |
| `checker doctor` | what this machine lacks |

`checker init .` brings back files that you have deleted, and overwrites none. Editors find CUDA's words in `include/editor/`: you
need no CUDA toolkit.
";

/// Create a workbook for a student: task sheets, files to fill in, headers, editor settings
#[derive(Debug, Args)]
pub struct Init {
    /// The folder: a new or empty one, or an earlier workbook to repair
    folder: PathBuf,
}

impl Init {
    /// Writes what is missing.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let folder = current_folder()?.join(&self.folder);
        let shown = self.folder.display();
        let is_own = folder.join(MARKER).is_file();
        if folder.join("Cargo.toml").is_file() {
            return Err(Stop::Usage(format!("`{shown}` is a project of its own: name a new folder")));
        }
        if !is_own
            && folder.exists()
            && std::fs::read_dir(&folder).map_or(true, |mut files| files.next().is_some())
        {
            return Err(Stop::Usage(format!(
                "`{shown}` is not empty: name a new folder, so that nothing of yours is in the way"
            )));
        }
        std::fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
        let root = folder.canonicalize().map_err(|error| failed(&folder, &error))?;
        let mut written = 0;
        for (path, text) in files(&root) {
            written += usize::from(write_new(&root.join(path), &text)?);
        }
        let next = if self.folder == Path::new(".") { String::new() } else { format!("cd {shown} && ") };
        output::text(&format!("{written} files in `{shown}`\nnext: {next}checker\n"))?;
        Ok(ExitCode::from(exit::PASSED))
    }
}

/// All files of a workbook in this folder.
fn files(root: &Path) -> Vec<(PathBuf, String)> {
    let mut files: Vec<(PathBuf, String)> = vec![
        (MARKER.into(), format!("{}\n", env!("CARGO_PKG_VERSION"))),
        ("README.md".into(), README.to_owned()),
        (".clangd".into(), clangd(root)),
        ("compile_commands.json".into(), commands(root)),
        (".vscode/settings.json".into(), VSCODE.to_owned()),
    ];
    let header = kernels::HEADERS.iter().find(|header| header.name == HEADER);
    files.extend(header.map(|header| (Path::new("include").join(HEADER), header.text.to_owned())));
    let editor = Path::new("include").join(EDITOR);
    files.extend(editor_headers().map(|header| (editor.join(header.name), header.text.to_owned())));
    let examples = pages::files_in(examples::FOLDER)
        .filter(|(name, _)| Path::new(name).extension().is_some_and(|ending| ending == "cu"));
    files.extend(examples.map(|(name, text)| (name.into(), text.to_owned())));
    for lab in labs::all() {
        let folder = Path::new("labs").join(lab.folder());
        files.push((folder.join(lab.file()), lab.skeleton().to_owned()));
        files.push((folder.join("README.md"), sheet_of_student(lab.sheet())));
    }
    files
}

/// A task sheet, with the commands of an installed checker, and without the pointer to solutions that are not there.
pub fn sheet_of_student(sheet: &str) -> String {
    let sheet = sheet.replace("cargo run --release -- ", "checker ");
    let ladder = |sentence: &&str| !sentence.contains("solutions/");
    let lines = sheet.lines().map(|line| {
        if !line.contains("solutions/") {
            return line.to_owned();
        }
        line.split_inclusive(". ").filter(ladder).collect::<String>().trim_end().to_owned()
    });
    lines.map(|line| line + "\n").collect()
}

/// The flags for an editor: CUDA without NVIDIA's toolkit. What the toolkit would declare, `include/editor` declares.
fn flags(root: &Path) -> Vec<String> {
    let include = root.join("include");
    let editor = include.join(EDITOR);
    // For the host, so that no part of the GPU's toolchain is asked for. `printf` takes any number of arguments in a kernel, too.
    let language = ["-xcuda", "-std=c++17", "--cuda-host-only", "-nocudainc", "-nocudalib"];
    let printf = ["-Xclang", "-fcuda-allow-variadic-functions"];
    let folders = [&include, &editor].map(|folder| format!("-I{}", folder.display()));
    let prelude = ["-include".to_owned(), editor.join(EDITOR_PRELUDE).display().to_string()];
    language.into_iter().chain(printf).map(str::to_owned).chain(folders).chain(prelude).collect()
}

fn clangd(root: &Path) -> String {
    let list: Vec<String> = flags(root).iter().map(|flag| format!("    - \"{flag}\"\n")).collect();
    format!(
        "# Settings of clangd, the language server for C++ and CUDA.\nCompileFlags:\n  Add:\n{}Diagnostics:\n  # `__shared__ \
         alignas(16)`, which nvcc accepts.\n  Suppress: [attribute_not_type_attr]\n",
        list.concat()
    )
}

fn commands(root: &Path) -> String {
    let entry = |lab: &'static dyn lab::Lab| {
        let file = root.join("labs").join(lab.folder()).join(lab.file());
        let arguments =
            [vec!["clang++".to_owned()], flags(root), vec!["-c".to_owned(), file.display().to_string()]];
        json!({ "directory": root, "file": file, "arguments": arguments.concat() })
    };
    let all: Vec<_> = labs::all().into_iter().map(entry).collect();
    format!("{:#}\n", serde_json::Value::Array(all))
}

/// Writes a file unless it is there; returns whether it was written.
fn write_new(path: &Path, text: &str) -> Result<bool, Stop> {
    if path.exists() {
        return Ok(false);
    }
    let parent = path.parent().unwrap_or(path);
    std::fs::create_dir_all(parent).map_err(|error| failed(parent, &error))?;
    std::fs::write(path, text).map_err(|error| failed(path, &error))?;
    Ok(true)
}

fn failed(path: &Path, error: &std::io::Error) -> Stop {
    Stop::Usage(format!("failed to write `{}`: {error}; name a folder that you may write to", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workbook_has_every_lab_and_no_solution() {
        let files = files(Path::new("/somewhere"));
        for lab in labs::all() {
            let own = Path::new("labs").join(lab.folder());
            let file = |name: &str| {
                files.iter().find(|(path, _)| *path == own.join(name)).map(|(_, text)| text.as_str())
            };
            assert_eq!(file(lab.file()), Some(lab.skeleton()));
            let sheet = file("README.md").expect("a task sheet");
            assert!(sheet.starts_with(&format!("# Lab {}", &lab.name()[3..])), "{}", &sheet[..40]);
        }
        let examples = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/examples"));
        let paths = examples.expect("a checkout").map(|entry| entry.expect("an entry").path());
        for path in paths.filter(|path| path.extension().is_some_and(|ending| ending == "cu")) {
            let own = Path::new(examples::FOLDER).join(path.file_name().expect("a name"));
            assert!(files.iter().any(|(path, _)| *path == own), "{} is missing", own.display());
        }
        assert!(files.iter().all(|(_, text)| !text.contains("solutions/") && !text.contains("cargo run")));
    }
}
