//! The CPU references of a lab beside OpenCV, in one criterion run. Only benchmarks use this crate.
//!
//! `cargo bench -p labN-… --bench reference` times each task five ways: the sequential reference, the parallel
//! reference on one thread and on all threads, and the nearest OpenCV operation on one thread and on all threads.
//! OpenCV runs in a separate Python process ([`opencv`]) on the same picture, and reports the seconds of a number of
//! repetitions.
//!
//! OpenCV comes from PyPI: `pip install opencv-python-headless` in a virtual environment. `OPENCV_PYTHON` names the
//! Python of that environment; the default is `python3`. Without OpenCV the benchmark times the references only, and
//! says so.

mod compare;
mod opencv;

pub use compare::compare;
pub use opencv::{OpenCv, Operation};
