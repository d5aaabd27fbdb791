//! The checker: compiles a student's CUDA file, checks it on a GPU or on the simulator, explains faults, and scores.
//!
//! The product is the binary. It is also a library for `workshop`, which uses its parts, and for tests.

pub mod album;
pub mod changes;
pub mod check;
pub mod cli;
pub mod cluster;
pub mod command;
pub mod course;
pub mod device;
pub mod doctor;
pub mod examples;
pub mod explain;
pub mod grade;
pub mod graders;
pub mod hint;
pub mod history;
pub mod illustrate;
pub mod init;
pub mod ladder;
pub mod new_lab;
pub mod options;
pub mod output;
pub mod overview;
pub mod package;
pub mod pages;
pub mod profile;
pub mod programs;
pub mod render;
pub mod sweeps;
pub mod tune;
pub mod watch;
