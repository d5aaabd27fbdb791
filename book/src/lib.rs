//! The generated pages of the book: from the ladders, the known-wrong kernels, the committed measurements and the published
//! figures. They are committed, so that plain
//! `mdbook build book` works too; a test compares them with newly generated ones.

pub mod codes;
pub mod commands;
pub mod data;
pub mod difference;
pub mod examples;
pub mod files;
pub mod findings;
pub mod generate;
pub mod gpus;
pub mod header;
pub mod ladder;
pub mod markdown;
pub mod measurements;
pub mod page;
pub mod papers;
pub mod pictures;
pub mod readme;
pub mod rungs;
pub mod serve;
pub mod steps;
pub mod tables;
pub mod terms;
pub mod then;
pub mod wrong;

use std::path::{Path, PathBuf};

/// The root of the checkout that this crate was built from.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace").to_path_buf()
}
