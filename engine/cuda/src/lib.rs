//! The CUDA compiler library (NVRTC) and the CUDA driver, both found and loaded at run time.
//!
//! A binary that links this crate starts on any machine: without a driver, [`driver::devices`] says so;
//! without a toolkit, [`nvrtc::Compiler::find`] fetches the pinned compiler once. The only unsafe code of
//! the workbook is in here.

pub mod clock;
pub mod cubin;
pub mod diagnostics;
pub mod driver;
pub mod identity;
pub mod nvrtc;
