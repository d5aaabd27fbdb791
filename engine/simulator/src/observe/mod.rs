//! Analyses that watch an execution.

mod combine;
mod initialisation;
mod numbering;
mod race;
mod touched;

pub(crate) use combine::Both;
pub(crate) use initialisation::{Absence, Initialisation, Origin, Sink, Undefined};
pub(crate) use numbering::Numbering;
pub(crate) use race::{Party, Race, RaceKind, Races};
pub(crate) use touched::Touched;
pub use touched::TouchedRanges;

pub(crate) use crate::exec::{Observer, Place, Request};
