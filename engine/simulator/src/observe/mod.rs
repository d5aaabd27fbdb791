//! Analyses that watch an execution.

mod alike;
mod arrivals;
mod beyond;
mod cache;
mod chains;
mod combine;
mod count;
mod course;
mod initialisation;
mod numbering;
mod paths;
mod pieces;
mod race;
mod requests;
mod spill;
mod stores;
mod touched;
mod units;

pub(crate) use chains::Chains;
pub(crate) use combine::{All, Both};
pub(crate) use count::Counting;
pub(crate) use initialisation::{Initialisation, Origin, Sink, Undefined};
pub(crate) use paths::{FAR, Paths, SPIN};
pub(crate) use race::{Party, Race, RaceKind, Races};
pub(crate) use touched::Touched;

pub(crate) use crate::exec::{Observer, Place, Request};
