//! A hash of all code that decides what is counted of a launch, for the cache of `workshop model`: counts stay good while only weights,
//! rates and the formula change.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Folders of that code, and single files.
const COUNTING: [&str; 8] = [
    "../Cargo.lock",
    "../engine/cuda/src",
    "../engine/judge/src",
    "../engine/runtime/src",
    "../engine/simulator/src",
    "../kernels",
    "../labs",
    "src/sources.rs",
];

/// What turns counts into seconds.
const NOT_COUNTING: [&str; 4] = [
    "../engine/simulator/src/model/time",
    "../engine/simulator/src/model/gpu/rates.rs",
    "../engine/runtime/src/engine/prediction.rs",
    "../engine/runtime/src/engine/timeline.rs",
];

fn main() {
    let mut files = Vec::new();
    for place in COUNTING {
        println!("cargo:rerun-if-changed={place}");
        files_of(Path::new(place), &mut files);
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.hash(&mut hasher);
        fs::read(&file).unwrap_or_default().hash(&mut hasher);
    }
    println!("cargo:rustc-env=COUNTING={:016x}", hasher.finish());
}

fn files_of(place: &Path, files: &mut Vec<PathBuf>) {
    if NOT_COUNTING.iter().any(|other| place == Path::new(other)) {
        return;
    }
    match fs::read_dir(place) {
        Ok(entries) => entries.flatten().for_each(|entry| files_of(&entry.path(), files)),
        Err(_) => files.push(place.to_owned()),
    }
}
