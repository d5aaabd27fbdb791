//! Values that nothing wrote: followed bit by bit through registers and memory, and reported when one
//! decides something.
//!
//! A register has a mask of the lanes in which any of its bits is undefined; nearly always it is empty, and
//! an instruction costs a few operations. Only where it is not are bits looked at ([`rules`]). Shared and
//! local memory have a bit a bit, global memory a bit a byte ([`crate::memory::Validity`]), which stays from
//! launch to launch.
//!
//! Reported: an undefined value in an address, a condition, an atomic, a mask or barrier, or stored to
//! global memory. Not reported: moving it, such as the padding of a structure or the unused lane of a
//! vector; which of them a partly undefined store is, its first byte decides.

mod accesses;
mod flow;
mod meetings;
mod observer;
mod registers;
mod rules;
mod storage;
mod uses;

pub(super) use flow::{Flow, flows};
pub(crate) use observer::Initialisation;
pub(super) use rules::{Bench, Column, column_of};
pub(crate) use storage::{Absence, Origin};
pub(crate) use uses::{Sink, Undefined};
