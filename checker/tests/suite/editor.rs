//! What an editor says of a workbook on a machine without a CUDA toolkit: clangd, with the settings that `checker init` writes.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{root, shown_in};

/// The errors that clangd marks in this file.
fn marked(file: &Path) -> Vec<String> {
    let mut command = Command::new("clangd");
    command.arg("--check-lines=1").arg(format!("--check={}", file.display()));
    let output = command.current_dir(file.parent().expect("a folder")).output().expect("clangd: install it");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("All checks completed"), "{said}");
    said.lines().filter(|line| line.starts_with('E') && !line.contains("tweak")).map(str::to_owned).collect()
}

#[test]
#[ignore = "needs clangd, of version 14 or later: run it after a change of `include/editor` or of a rung"]
fn an_editor_marks_no_error_in_a_skeleton_or_a_rung_and_those_of_a_student() {
    let folder = tempfile::tempdir().expect("a folder");
    shown_in(folder.path(), &["init", "mine"]);
    let labs = folder.path().join("mine/labs");
    let entries = |folder: &Path| -> Vec<_> {
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
    };
    let is_cuda = |path: &&std::path::PathBuf| path.extension().is_some_and(|ending| ending == "cu");
    for solutions in entries(&root().join("solutions")).iter().filter(|path| path.is_dir()) {
        let own = labs.join(solutions.file_name().expect("a name"));
        fs::create_dir_all(&own).expect("a folder");
        for rung in entries(solutions).iter().filter(is_cuda) {
            fs::copy(rung, own.join(rung.file_name().expect("a name"))).expect("a copy");
        }
    }
    let mut files = 0;
    for file in entries(&labs).iter().flat_map(|lab| entries(lab)).filter(|path| is_cuda(&path)) {
        assert_eq!(marked(&file), [""; 0], "{}", file.display());
        files += 1;
    }
    assert!(files > 70, "{files} files");
    let file = labs.join("lab1-grayscale/grayscale.cu");
    let text = fs::read_to_string(&file).expect("the skeleton");
    fs::write(
        &file,
        text.replace("<<<ceil_div(pixels, block_size), block_size>>>", "<<<pixel, block_size>>>"),
    )
    .expect("a file");
    let errors = marked(&file);
    assert!(errors.len() == 1 && errors[0].contains("'pixel'"), "{errors:?}");
}
