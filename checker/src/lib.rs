//! The checker: builds a student's CUDA file, checks it on a GPU or the simulator, explains, scores.
//!
//! A library only so that tests and benchmarks reach its parts; the product is the binary.

pub mod album;
pub mod bench;
pub mod book;
pub mod build;
pub mod cause;
pub mod check;
pub mod cli;
pub mod config;
pub mod dev;
pub mod device;
pub mod engine;
pub mod exit;
pub mod finding;
pub mod gpu;
pub mod job;
pub mod judge;
pub mod labs;
pub mod ladder;
pub mod next;
pub mod output;
pub mod overview;
pub mod performance;
pub mod poison;
pub mod progress;
pub mod render;
pub mod report;
pub mod reports;
pub mod runtime;
pub mod score;
pub mod session;
pub mod setup;
pub mod submission;
pub mod timing;
pub mod tune;
pub mod variants;
pub mod verify;
pub mod worker;
pub mod workspace;
