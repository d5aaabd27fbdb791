//! What the first blocks of a launch do, instruction by instruction: for pictures of it.

use simulator::{Access, AccessKind, Observer, Space, Step};

/// A launch, as its first blocks carry it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// The kernel, by its mangled name.
    pub kernel: String,
    /// Its grid.
    pub grid: [u32; 3],
    /// Its block.
    pub block: [u32; 3],
    /// Block by block, in the order of each block.
    pub events: Vec<Event>,
}

/// An instruction of a warp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Linear index of the block.
    pub block: u64,
    /// Number of the warp in its block.
    pub warp: u32,
    /// The lanes that execute it, a bit each.
    pub mask: u32,
    /// Line of the source; 0 if it has none.
    pub line: u32,
    /// The memory that it asks for; `None` of the instruction itself, which comes first.
    pub request: Option<Request>,
}

/// A request for memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// State space.
    pub space: Space,
    /// Load, store or atomic.
    pub kind: AccessKind,
    /// Address per lane; those of lanes outside the mask mean nothing.
    pub addresses: [u64; 32],
    /// Bytes per lane.
    pub bytes: u64,
}

/// Keeps what blocks below a number do.
pub(super) struct Recorder {
    below: u64,
    pub events: Vec<Event>,
}

impl Recorder {
    pub fn new(below: u64) -> Self {
        Self { below, events: Vec::new() }
    }

    fn note(&mut self, step: &Step<'_>, request: Option<Request>) {
        if step.block < self.below {
            let line = step.location.map_or(0, |location| location.line);
            self.events.push(Event { block: step.block, warp: step.warp, mask: step.mask, line, request });
        }
    }
}

impl Observer for Recorder {
    fn instruction(&mut self, step: &Step<'_>) {
        self.note(step, None);
    }

    fn access(&mut self, step: &Step<'_>, access: &Access<'_>) {
        let &Access { space, kind, addresses, bytes } = access;
        self.note(step, Some(Request { space, kind, addresses: *addresses, bytes }));
    }

    /// A block has all its events in one observer, in order.
    fn absorb(&mut self, other: Self) {
        self.events.extend(other.events);
        self.events.sort_by_key(|event| event.block);
    }
}
