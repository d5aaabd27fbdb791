//! The commands of the instructor's guide, run as they stand there, on a class of files that are checked fast.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::common::root;

fn program(folder: &Path, name: &str, script: &str) {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/bash\n{script}\n")).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("set");
}

/// A folder with the files and the programs that the guide speaks of. Slurm is not the real one: `sbatch` runs the tasks at once,
/// one after another, and loses the first task that it ever gets.
fn machine(folder: &Path) {
    let bin = folder.join("bin");
    let class = folder.join("submissions");
    fs::create_dir_all(&bin).expect("made");
    fs::create_dir_all(class.join("eve")).expect("made");
    for (name, text) in [("ada.cu", "__global__ void f( {"), ("bob.cu", "int x;"), ("carl.cu", "\u{7f}")] {
        fs::write(class.join(name), text).expect("written");
    }
    fs::write(class.join("eve/notes.txt"), "nothing").expect("written");
    fs::write(folder.join("class.csv"), "id,section,late_days\nada,A,1\nbob,B,0\ncarl,A,0\nzed,B,0\n")
        .expect("written");
    let gradebook =
        "Student,ID,SIS Login ID,Section,Lab 2 (7)\n    Points Possible,,,,100\n\"Lovelace, Ada\",1,ada,A,\n";
    fs::write(folder.join("gradebook.csv"), gradebook).expect("written");
    let checker = env!("CARGO_BIN_EXE_checker");
    // Not every machine that runs this test can lock the compiler up.
    let trusting = format!(
        "case \"$*\" in *--compare*|package*|lab*) exec {checker} \"$@\" ;; *) exec {checker} \"$@\" --unsandboxed ;; esac"
    );
    program(&bin, "checker", &trusting);
    let sbatch = "cat > task.sh; for option; do case $option in --array=0-*) last=${option#--array=0-} ;; --time=*) time=1 ;; esac; done\n\
                  test $time || exit 1\n\
                  for task in $(seq 0 $last); do mkdir lost 2>/dev/null && continue; SLURM_ARRAY_TASK_ID=$task sh task.sh; done 2>task.log\n\
                  echo 7";
    program(&bin, "sbatch", sbatch);
    program(&bin, "squeue", "");
    program(&bin, "scancel", "");
    let zip = Command::new("python3")
        .args(["-m", "zipfile", "-c", "submissions.zip", "submissions/"])
        .current_dir(folder)
        .status();
    assert!(zip.expect("Python").success());
}

#[test]
fn the_commands_of_the_guide_do_what_it_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    machine(folder);
    let path = format!("{}:{}", folder.join("bin").display(), std::env::var("PATH").unwrap_or_default());
    let commands = commands("grading.md");
    assert!(commands.len() > 8, "{commands:?}");
    for command in commands {
        // No container here, and no time to compile a package.
        if ["podman ", "pip ", "venv "].iter().any(|elsewhere| command.contains(elsewhere)) {
            continue;
        }
        let output = Command::new("bash")
            .args(["-c", &command])
            .current_dir(folder)
            .env("PATH", &path)
            .env_remove("WORKBOOK_SECRET_SEED")
            .output()
            .expect("a shell");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // 1: something needs a person, as in every class.
        assert!(matches!(output.status.code(), Some(0 | 1)), "{command}\n{said}");
        assert!(!said.contains("error:"), "{command}\n{said}");
        if command.contains("--due") {
            let grades = fs::read_to_string(folder.join("graded/exports/grades.csv")).expect("the grades");
            assert!(grades.contains(",true,1,0,,2027-01-31T23:59:00+01:00,the roster,"), "{grades}");
        }
        if command.contains("--canvas") {
            let filled = fs::read_to_string(folder.join("graded/exports/canvas.csv")).expect("the gradebook");
            assert!(filled.contains("\"Lovelace, Ada\",1,ada,A,0"), "{filled}");
        }
    }
    let there = |name: &str| assert!(folder.join(name).exists(), "{name}");
    for name in ["graded/class.html", "graded/students/ada.html", "graded/leaderboard.html", "autograder.zip"]
    {
        there(name);
    }
    // On the cluster it is the same class; a task that was lost was submitted again.
    let result = |out: &str| fs::read(folder.join(out).join("results/bob.json")).expect("a result");
    assert!(result("graded") == result("graded-on-cluster"), "a cluster changes nothing");
    assert!(folder.join("lost").exists() && !folder.join("graded-on-cluster/checks/cluster").exists());
}

/// The commands of a page of the book, in order: those after `$` where it shows a console, and the lines of a shell's script. A line
/// that ends with a backslash goes on.
pub fn commands(page: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join("book/pages").join(page)).expect("the page");
    let mut found: Vec<String> = Vec::new();
    let (mut block, mut more) = (None, false);
    // A step of a list is indented.
    for line in text.lines().map(str::trim_start) {
        if let Some(language) = line.strip_prefix("```") {
            block = (block.is_none() && !language.is_empty()).then_some(language);
        } else if let Some(last) = found.last_mut().filter(|_| more) {
            last.push('\n');
            last.push_str(line);
        } else {
            let command = match block {
                Some("console") => line.strip_prefix("$ "),
                Some("sh") => Some(line),
                _ => None,
            };
            found.extend(command.map(str::to_owned));
        }
        more = block.is_some() && line.ends_with('\\');
    }
    found
}
