//! The CPU references of a lab beside OpenCV, in one criterion run. Only benchmarks use this crate.
//!
//! `cargo bench -p labN-… --bench reference` times five ways to do each task: the sequential reference, the parallel
//! one on one thread and on all, and what of OpenCV comes nearest, on one thread and on all. OpenCV lives in a Python
//! process of its own ([`opencv`]), with the same picture, and reports the seconds of so many repetitions.
//!
//! OpenCV comes from PyPI: `pip install opencv-python-headless`, in a virtual environment of which `OPENCV_PYTHON`
//! names the interpreter if it is not `python3`. Without it that column is missing, and the benchmark says so.

mod compare;
mod opencv;

pub use compare::{Comparison, Way};
pub use opencv::{OpenCv, Operation};
