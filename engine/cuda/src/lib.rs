//! The CUDA compiler library (NVRTC) and the CUDA driver, both found and loaded at run time.
//!
//! A binary that links this crate starts on any machine. Without a driver, [`driver::devices`] returns an error;
//! without a toolkit, [`nvrtc::Compiler::find`] fetches the pinned compiler once. All unsafe code of the
//! workbook is in this crate.

pub mod clock;
pub mod cubin;
pub mod diagnostics;
pub mod driver;
pub mod identity;
pub mod nvrtc;
pub mod text;
