//! The committed measurements of `book/data/`: one type per kind of file, and one way to read and to write them.
//!
//! `workshop` and `engine/simulator/benches/peers/run` write these files, the book shows them. A file is a JSON object:
//!
//! ```json
//! {
//!   "kind": "times",
//!   "provenance": { "gpu": "NVIDIA H200", "date": "2026-11-22", "command": "workshop times --out …" },
//!   "points": [ … ]
//! }
//! ```
//!
//! `kind` names the type of the file, `provenance` says where its figures come from ([`Provenance`]), and the other
//! fields are those of the type. Left out on purpose: how figures are measured, and how they are shown.

mod attacks;
mod bench;
mod contents;
mod counters;
mod differential;
mod grading;
mod limits;
mod link;
mod matrix;
mod micro;
mod model;
pub mod papers;
mod programs;
mod provenance;
pub mod published;
mod record;
mod references;
mod repeat;
mod scores;
mod seeds;
mod simulator_peers;
mod times;
mod totals;
mod validate;

pub use attacks::{Attack, Attacks};
pub use bench::{Bench, BenchRow, Fastest, Missing, Peer, TimedRung};
pub use contents::{Content, Contents};
pub use counters::{Counter, Counters, CountersRow};
pub use differential::{Difference, Differential, Failure, FamilyRow, Outcome};
pub use grading::{Faults, Grading, Similar, Whole};
pub use limits::{Busy, Limits, LimitsRow};
pub use link::{Copy, Link, LinkRun, LinkSpeeds};
pub use matrix::{Matrix, MatrixRow};
pub use micro::{Figure, Micro};
pub use model::{Ablation, CountsSummary, Coverage, Model, Prediction, TimesSummary};
pub use papers::Papers;
pub use programs::{Program, Programs, Sanitized};
pub use provenance::Provenance;
pub use record::{ReadError, Record, load, read};
pub use references::{Reference, References};
pub use repeat::{Attempt, Repeat, RepeatedTask, Spread};
pub use scores::{RungScores, Score, Scores, State, TaskScores};
pub use seeds::{Seeds, SeedsRow};
pub use simulator_peers::{SimulatorPeers, SimulatorPeersRow};
pub use times::{Point, Set, Times};
pub use totals::{KernelTotals, LaunchTotals, Totals};
pub use validate::{Validate, Validated};
