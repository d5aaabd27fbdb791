//! The names of NVRTC's files, and where toolkits keep them.

use std::path::{Path, PathBuf};

/// Folders of libraries under the root of a toolkit.
const BELOW_ROOT: [&str; 5] = ["lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "lib", "bin"];

/// The newest NVRTC in a folder.
pub(super) fn library_in(folder: &Path) -> Option<PathBuf> {
    let mut found: Vec<(Vec<u32>, PathBuf)> = files(folder)
        .into_iter()
        .filter_map(|path| Some((library_version(path.file_name()?.to_str()?)?, path)))
        .collect();
    found.sort();
    found.pop().map(|(_, path)| path)
}

/// The builtins of a library, which are in its folder.
pub(super) fn builtins_beside(library: &Path) -> Vec<PathBuf> {
    let Some(folder) = library.parent().filter(|folder| !folder.as_os_str().is_empty()) else {
        return Vec::new();
    };
    let is_builtins = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        name.starts_with("libnvrtc-builtins.so.") || name.starts_with("nvrtc-builtins64_")
    };
    files(folder).into_iter().filter(is_builtins).collect()
}

/// The folders of a toolkit that may hold its libraries.
pub(super) fn library_folders(root: &Path) -> Vec<PathBuf> {
    BELOW_ROOT.iter().map(|below| root.join(below)).collect()
}

/// Roots of installed toolkits: `cuda` first, then the newest.
pub(super) fn toolkit_roots(local: &Path, opt: &Path) -> Vec<PathBuf> {
    let mut versioned: Vec<(Vec<u32>, PathBuf)> = files(local)
        .into_iter()
        .filter_map(|path| Some((numbers(path.file_name()?.to_str()?.strip_prefix("cuda-")?)?, path)))
        .collect();
    versioned.sort();
    let newest_first = versioned.into_iter().rev().map(|(_, path)| path);
    [local.join("cuda")].into_iter().chain(newest_first).chain([opt.join("cuda")]).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut list: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    list.sort();
    list
}

/// `libnvrtc.so` → [], `libnvrtc.so.12.9.86` → [12, 9, 86], `nvrtc64_120_0.dll` → [120, 0]; `None` for any
/// other file, such as NVIDIA's alternative build (`libnvrtc.alt.so.12`).
fn library_version(name: &str) -> Option<Vec<u32>> {
    if let Some(version) = name.strip_prefix("libnvrtc.so") {
        return if version.is_empty() { Some(Vec::new()) } else { numbers(version.strip_prefix('.')?) };
    }
    numbers(&name.strip_prefix("nvrtc64_")?.strip_suffix(".dll")?.replace('_', "."))
}

fn numbers(text: &str) -> Option<Vec<u32>> {
    text.split('.').map(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names() {
        for (name, version) in [
            ("libnvrtc.so", Some(vec![])),
            ("libnvrtc.so.12", Some(vec![12])),
            ("libnvrtc.so.12.9.86", Some(vec![12, 9, 86])),
            ("nvrtc64_120_0.dll", Some(vec![120, 0])),
            ("libnvrtc.alt.so.12", None),
            ("libnvrtc-builtins.so.12.9", None),
            ("libnvrtc_static.a", None),
            ("libnvrtc.so.old", None),
        ] {
            assert_eq!(library_version(name), version, "{name}");
        }
    }

    #[test]
    fn the_newest_library_and_toolkit_come_first() {
        let root = tempfile::tempdir().unwrap();
        for name in ["cuda-9.2", "cuda-12.4", "cuda-12.10", "cudnn", "cuda-old"] {
            std::fs::create_dir(root.path().join(name)).unwrap();
        }
        let roots = toolkit_roots(root.path(), Path::new("/opt"));
        let names: Vec<_> = roots.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["cuda", "cuda-12.10", "cuda-12.4", "cuda-9.2", "cuda"]);

        let folder = root.path().join("cuda-12.4");
        for name in ["libnvrtc.so", "libnvrtc.so.12", "libnvrtc.so.12.4.1", "libnvrtc.alt.so.12.4.2"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        assert_eq!(library_in(&folder), Some(folder.join("libnvrtc.so.12.4.1")));
        assert_eq!(library_in(&root.path().join("cuda-9.2")), None);
    }
}
