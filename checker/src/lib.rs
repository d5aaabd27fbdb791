//! The checker: compiles a student's CUDA file, checks it on a GPU or on the simulator, explains faults, and scores.
//!
//! The product is the binary. It is also a library for `workshop`, which uses its parts, and for tests.

pub mod album;
pub mod blanks;
pub mod book;
pub mod build;
pub mod call;
pub mod cause;
pub mod chance;
pub mod check;
pub mod cli;
pub mod command;
pub mod completions;

pub mod device;
pub mod doctor;
pub mod examples;
pub mod exit;
pub mod explain;
pub mod facts;
pub mod grade;
pub mod hint;
pub mod history;
pub mod init;
pub mod judge;
pub mod labs;
pub mod ladder;
pub mod next;
pub mod numbers;
pub mod options;
pub mod orders;
pub mod output;
pub mod overview;
pub mod pages;
pub mod performance;
pub mod prediction;
pub mod problem;
pub mod profile;
pub mod programs;
pub mod progress;
pub mod render;
pub mod report;
pub mod root;
pub mod rung;
pub mod score;
pub mod setup;
pub mod submission;
pub mod supervise;
pub mod tune;
pub mod variants;
pub mod verify;
pub mod watch;
pub mod watcher;
pub mod workspace;
