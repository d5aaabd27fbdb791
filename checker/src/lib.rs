//! The checker: compiles a student's CUDA file, checks it on a GPU or on the simulator, explains faults, and scores.
//!
//! The product is the binary. It is also a library for `workshop`, which uses its parts, and for tests.

pub mod album;
pub mod book;
pub mod build;
pub mod call;
pub mod cause;
pub mod chance;
pub mod check;
pub mod cli;
pub mod command;
pub mod device;
pub mod exit;
pub mod grade;
pub mod judge;
pub mod labs;
pub mod ladder;
pub mod next;
pub mod numbers;
pub mod options;
pub mod orders;
pub mod output;
pub mod overview;
pub mod performance;
pub mod prediction;
pub mod progress;
pub mod render;
pub mod report;
pub mod rung;
pub mod score;
pub mod setup;
pub mod submission;
pub mod supervise;
pub mod tune;
pub mod variants;
pub mod verify;
pub mod watcher;
pub mod workspace;
