//! Finding and fetching on machines that consist of temporary folders, with scripts for Python.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::find::{Places, find_in};
use super::{Compiler, CompilerError, Origin, Progress};
use super::{fetch, pinned};

/// A folder with the libraries of the compiler that this machine has (or fetches).
fn real_libraries() -> PathBuf {
    let compiler = Compiler::find(&mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
    compiler.path().parent().unwrap().to_owned()
}

/// Makes `folder` look like a folder with NVRTC.
fn plant(folder: &Path) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    for entry in fs::read_dir(real_libraries()).unwrap() {
        let path = entry.unwrap().path();
        // Not what was remembered of the files.
        if !path.to_string_lossy().contains(".so") {
            continue;
        }
        symlink(&path, folder.join(path.file_name().unwrap())).unwrap();
    }
    super::paths::library_in(folder).unwrap()
}

fn script(folder: &Path, body: &str) -> String {
    let path = folder.join("python");
    fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

fn find(places: &Places<'_>) -> Result<Compiler, CompilerError> {
    find_in(places, &mut |_| {})
}

#[test]
fn the_order_of_discovery() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    let override_ = plant(&root.join("override"));
    let cached = plant(&root.join("cache/nvrtc-12.9.86/lib"));
    let in_environment = plant(&root.join("environment/targets/x86_64-linux/lib"));
    let in_toolkit = plant(&root.join("toolkit/lib64"));
    let in_python = plant(&root.join("site/nvidia/cu13/lib"));
    // A real interpreter, with the package in its path.
    let python = script(root, &format!("PYTHONPATH='{}' exec python3 \"$@\"", root.join("site").display()));

    let mut places = Places {
        library: Some(override_.clone()),
        cache: Some(root.join("cache")),
        environment: vec![root.join("missing"), root.join("environment")],
        toolkits: vec![root.join("toolkit")],
        loader: vec!["libnvrtc-that-nobody-has.so"],
        interpreters: vec!["/missing/python3", &python],
    };
    let check = |places: &Places<'_>, path: &Path, origin: Origin| {
        let compiler = find(places).unwrap();
        assert_eq!((compiler.path(), compiler.origin()), (path, origin));
        assert_eq!(compiler.is_pinned(), origin == Origin::Cache);
        assert!(compiler.version() >= (12, 0) && compiler.architectures().contains(&90));
    };
    check(&places, &override_, Origin::Environment);
    places.library = None;
    check(&places, &cached, Origin::Cache);
    places.cache = None;
    check(&places, &in_environment, Origin::Environment);
    places.environment.clear();
    check(&places, &in_toolkit, Origin::Toolkit);
    // A broken toolkit does not hide a working package.
    let broken = root.join("broken/lib64");
    fs::create_dir_all(&broken).unwrap();
    fs::write(broken.join("libnvrtc.so.12"), "no library").unwrap();
    places.toolkits = vec![root.join("broken")];
    check(&places, &in_python, Origin::Python);
}

#[test]
fn a_compiler_in_the_cache_that_was_changed_is_not_loaded() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("cache/nvrtc-12.9.86/lib");
    plant(&folder);
    for name in ["libnvrtc-builtins.so.12.9", "libnvrtc.so.12"] {
        let library = folder.join(name);
        let whole = fs::read(&library).unwrap();
        fs::remove_file(&library).unwrap();
        // Loads like the real one, and is one byte longer.
        fs::write(&library, [whole.as_slice(), b"x"].concat()).unwrap();
        let error = fetch::load_from(&folder).unwrap_err().to_string();
        assert!(
            error.contains(name) && error.contains("fingerprint") && error.contains("delete `"),
            "{error}"
        );
        fs::write(&library, whole).unwrap();
        // The first load hashes and remembers; what it remembers is of these files only.
        fetch::load_from(&folder).unwrap();
        fetch::load_from(&folder).unwrap();
    }
}

#[test]
fn an_override_that_does_not_load_is_not_passed_over() {
    let root = tempfile::tempdir().unwrap();
    let toolkits = vec![root.path().join("toolkit")];
    plant(&root.path().join("toolkit/lib64"));
    let library = root.path().join("libnvrtc.so.12");
    fs::write(&library, "no library").unwrap();
    let places = Places { library: Some(library.clone()), toolkits, ..Places::default() };
    match find(&places) {
        Err(CompilerError::Load { path, .. }) => assert_eq!(path, library),
        other => panic!("{other:?}"),
    }
}

/// The message when nothing is installed and Python is the script `body`.
fn refusal(body: &str) -> String {
    let root = tempfile::tempdir().unwrap();
    let python = script(root.path(), body);
    let cache = root.path().join("cache");
    let places = Places { cache: Some(cache.clone()), interpreters: vec![&python], ..Places::default() };
    let error = find(&places).unwrap_err();
    assert!(matches!(error, CompilerError::NotFound(_)), "{error:?}");
    let left: Vec<_> =
        fs::read_dir(&cache).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    assert!(left.is_empty(), "a failed fetch leaves nothing behind: {left:?}");
    error.to_string()
}

/// A script that runs Python without the packages of this machine: only the question for them uses `-c`.
fn python_but(prefix: &str) -> String {
    format!("test \"$1\" = -c && exit 0\n{prefix} exec python3 \"$@\"")
}

#[test]
fn each_failure_of_a_fetch_names_the_next_step() {
    let bogus = tempfile::tempdir().unwrap();
    let wheel = "nvidia_cuda_nvrtc_cu12-12.9.86-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl";
    fs::write(bogus.path().join(wheel), "not what it should be").unwrap();
    let links = bogus.path().display();
    let past_pip = format!(
        "test \"$1\" = -c && exit 0\n\
         test \"$3\" = pip || exec python3 \"$@\"\n\
         while test \"$1\" != --dest; do shift; done; cp '{links}/{wheel}' \"$2\""
    );
    for (body, words) in [
        (
            python_but("PIP_NO_INDEX=1"),
            "pip failed to download the package (90 MB, once); is this machine online?",
        ),
        (
            python_but(&format!("PIP_NO_INDEX=1 PIP_FIND_LINKS='{links}'")),
            "is not the file that the workbook was tested with (its SHA-256 differs)",
        ),
        (past_pip, "its SHA-256 is 1912"),
        ("echo 'No module named pip' >&2; test \"$2\" != -m".to_owned(), "has no pip; install it"),
        ("exit 1".to_owned(), "the download needs Python, and none of"),
    ] {
        let message = refusal(&body);
        assert!(message.starts_with("no CUDA compiler (NVRTC) was found"), "{message}");
        assert!(message.contains(words), "{words}: {message}");
        assert!(message.contains("`python3 -m pip install nvidia-cuda-nvrtc-cu12==12.9.86`"), "{message}");
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_said() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("file");
    fs::write(&file, "").unwrap();
    let cache = Some(file.join("cache"));
    let message = find(&Places { cache, interpreters: vec!["python3"], ..Places::default() });
    let message = message.unwrap_err().to_string();
    assert!(message.contains("failed to write to `") && message.contains("`WORKBOOK_CACHE`"), "{message}");

    let message = find(&Places::default()).unwrap_err().to_string();
    assert!(message.contains("set `WORKBOOK_CACHE`"), "{message}");
}

#[test]
fn a_download_shows_progress() {
    let root = tempfile::tempdir().unwrap();
    // Writes where pip writes, and fails at the end.
    let body = "test \"$1\" = -c && exit 0\n\
                test \"$3\" = pip || exit 0\n\
                head -c 1000000 /dev/zero > \"$TMPDIR/part\"; sleep 0.5; echo 'Max retries exceeded'; exit 1";
    let python = script(root.path(), body);
    let cache = Some(root.path().join("cache"));
    let places = Places { cache, interpreters: vec![&python], ..Places::default() };
    let mut seen = Vec::new();
    find_in(&places, &mut |progress| seen.push(progress)).unwrap_err();
    let Progress::Fetching { package, bytes, .. } = seen[0] else { panic!("{seen:?}") };
    assert_eq!((package, bytes), ("nvidia-cuda-nvrtc-cu12 12.9.86", 89_568_129));
    let reached = |progress: &Progress| matches!(progress, Progress::Fetching { done: 1_000_000, .. });
    assert!(seen.iter().any(reached), "{seen:?}");
    assert!(!seen.contains(&Progress::Ready));
}

/// The Python package brings the compiler that would be fetched.
#[test]
fn the_python_package_depends_on_the_pinned_compiler() {
    let package = include_str!("../../../../pyproject.toml");
    assert!(package.contains(&format!("dependencies = [\"{}\"]", pinned::REQUIREMENT)));
}
