//! The options of a sweep, checked.

use std::path::PathBuf;

use lab::{Lab, Task};
use simulator::model::Gpu;

use super::setting::Setting;
use judge::setup::EngineChoice;

/// The options.
pub(super) struct Options {
    /// The lab.
    pub lab: &'static dyn Lab,
    /// Its tasks.
    pub tasks: Vec<&'static dyn Task>,
    /// Values of constants, instead of the values in the file.
    pub set: Vec<Setting>,
    /// Width and height of images; empty for the task's own.
    pub sizes: Vec<(usize, usize)>,
    /// Gray levels of random images; empty for the task's own picture.
    pub levels: Vec<usize>,
    /// Whether all combinations are tried, however many they are.
    pub all: bool,
    /// The most combinations.
    pub limit: usize,
    /// The engine.
    pub engine: EngineChoice,
    /// The GPU that times are predicted for.
    pub gpu: &'static Gpu,
    /// Whether to print JSON.
    pub json: bool,
    /// The file to draw to.
    pub svg: Option<PathBuf>,
    /// Whether it is remembered that the constants were swept.
    pub keeps: bool,
}
