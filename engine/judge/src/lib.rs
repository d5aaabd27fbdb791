//! The judge: compiles a submission in a process without rights, checks it on a GPU or on the simulator in another,
//! with limits, explains its faults, predicts or measures its time, and scores it. Its result is a [`report::Report`].
//!
//! A report for people is made of it by `checker`, which has the commands.

pub mod blanks;
pub mod build;
pub mod call;
pub mod case;
pub mod cause;
pub mod chance;
mod counted;
pub mod course;
pub mod exit;
pub mod facts;
pub mod labs;
pub mod limiters;
pub mod modelled;
pub mod next;
pub mod numbers;
pub mod performance;
mod places;
pub mod prediction;
pub mod problem;
pub mod progress;
pub mod repair;
pub mod report;
pub mod root;
pub mod rounding;
pub mod rung;
pub mod score;
pub mod setup;
pub mod submission;
pub mod supervise;
pub mod text;
pub mod tunable;
pub mod variants;
pub mod verdict;
pub mod verify;
mod wasted;
pub mod watcher;
pub mod weight;
pub mod workspace;
pub mod wrap;
pub mod wrong;
