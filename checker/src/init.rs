//! `checker init DIR`: a workbook for a student, without solutions. An existing one gets back what is missing.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use crate::exit::{self, Stop};
use crate::labs;
use crate::output;
use crate::workspace::{MARKER, current_folder};

/// The header that every lab file includes.
const HEADER: &str = "workbook.cuh";

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
| `checker book W0307` | what a finding means |
| `checker doctor` | what this machine lacks |

`checker init .` brings back files that you have deleted, and overwrites none.
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
    ];
    let header = kernels::HEADERS.iter().find(|header| header.name == HEADER);
    files.extend(header.map(|header| (Path::new("include").join(HEADER), header.text.to_owned())));
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

/// The flags for an editor: those of the CUDA toolkit if there is one. Without it the CUDA words mean nothing, and the editor
/// completes names without judging the code.
fn flags(root: &Path) -> Vec<String> {
    let include = format!("-I{}", root.join("include").display());
    let toolkit = ["CUDA_PATH", "CUDA_HOME"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    let usual = [PathBuf::from("/usr/local/cuda"), PathBuf::from("/opt/cuda")];
    let found = toolkit.chain(usual).find(|folder| folder.join("include/cuda_runtime.h").is_file());
    let Some(found) = found else {
        let words = ["__global__", "__device__", "__host__", "__constant__"].map(|word| format!("-D{word}="));
        let plain = ["-xc++", "-std=c++17", "-D__shared__=static"].map(str::to_owned);
        return plain.into_iter().chain(words).chain([include]).collect();
    };
    let cuda = [format!("--cuda-path={}", found.display()), include];
    ["-xcuda", "-std=c++17", "--cuda-gpu-arch=sm_80"].into_iter().map(str::to_owned).chain(cuda).collect()
}

fn clangd(root: &Path) -> String {
    let flags = flags(root);
    let list: Vec<String> = flags.iter().map(|flag| format!("    - \"{flag}\"\n")).collect();
    // Without a toolkit every launch would be marked as an error.
    let judged = flags.iter().any(|flag| flag == "-xcuda");
    let silent = if judged { "" } else { "Diagnostics:\n  Suppress: \"*\"\n" };
    format!(
        "# Settings of clangd, the language server for C++ and CUDA.\nCompileFlags:\n  Add:\n{}{silent}",
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
        assert!(files.iter().all(|(_, text)| !text.contains("solutions/") && !text.contains("cargo run")));
    }
}
