//! Observers of execution: analyses that watch and never change what happens. Each is a type parameter of
//! the executor, so that one that is absent costs nothing.

mod count;

use crate::exec::{AccessKind, LANES};
use crate::memory::Memory;
use crate::ptx::ast::Space;

pub(crate) use count::{Counting, LineTable};

/// One memory request of a warp, checked and about to be carried out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    /// State space, never generic.
    pub space: Space,
    /// Load, store or atomic.
    pub kind: AccessKind,
    /// Active lanes.
    pub mask: u32,
    /// Address in the space, by lane.
    pub addresses: &'a [u64; LANES],
    /// Bytes a lane.
    pub bytes: u64,
}

/// What an observer is told.
pub(crate) trait Observer: Send {
    /// An instruction is issued for the lanes in `mask`.
    fn issue(&mut self, pc: u32, mask: u32);
    /// Memory is about to be accessed.
    fn request(&mut self, pc: u32, request: &Request<'_>, memory: &Memory);
    /// Takes in what another worker's observer of the same launch saw. Must not depend on the order.
    fn absorb(&mut self, other: Self)
    where
        Self: Sized;
}

/// Watches nothing.
#[derive(Debug, Default)]
pub(crate) struct Nobody;

impl Observer for Nobody {
    #[inline(always)]
    fn issue(&mut self, _pc: u32, _mask: u32) {}
    #[inline(always)]
    fn request(&mut self, _pc: u32, _request: &Request<'_>, _memory: &Memory) {}
    fn absorb(&mut self, _other: Self) {}
}
