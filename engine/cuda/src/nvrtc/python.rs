//! The user's Python, which knows the installed packages and runs pip.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The names of the interpreter, in the order to try them.
pub(super) const INTERPRETERS: [&str; 2] = ["python3", "python"];

/// Prints the library folders of the NVRTC packages: `nvidia-cuda-nvrtc-cu12` installs `nvidia/cuda_nvrtc`, and
/// `nvidia-cuda-nvrtc` from version 13 on installs `nvidia/cu13`. Nothing is imported from
/// the student's folder: the interpreter runs in another one, and not even that is searched. (Isolated with `-I`, it would
/// not see the user's own packages.)
const FOLDERS: &str = r"
import importlib.util, os, sys
sys.path = [p for p in sys.path if p not in ('', os.getcwd())]
for name in ('nvidia.cuda_nvrtc', 'nvidia.cu13'):
    try:
        spec = importlib.util.find_spec(name)
    except Exception:
        continue
    for path in (spec.submodule_search_locations if spec else None) or ():
        for below in ('lib', 'bin'):
            print(os.path.join(path, below))
";

/// Library folders of the NVRTC packages that an interpreter can import; empty if it cannot be run.
pub(super) fn library_folders(interpreter: &str) -> Vec<PathBuf> {
    let mut question = Command::new(interpreter);
    question.current_dir("/").args(["-c", FOLDERS]).stdin(Stdio::null()).stderr(Stdio::null());
    let answer = question.output();
    let Ok(answer) = answer else { return Vec::new() };
    String::from_utf8_lossy(&answer.stdout).lines().map(PathBuf::from).collect()
}

/// The first interpreter that runs.
pub(super) fn interpreter(names: &[&str]) -> Option<String> {
    let runs = |name: &&&str| {
        let mut version = Command::new(name);
        version
            .current_dir("/")
            .arg("--version")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    };
    names.iter().find(runs).map(|name| (*name).to_owned())
}
