//! What a host function leaves to the next call of the same program: all that it has created and not released, as on a real machine.

use std::collections::{BTreeMap, BTreeSet};

use simulator::host::HostMemory;

use super::clocks::VectorClocks;
use super::graphs::{Capture, Graph};
use super::resources::{Allocation, Array, Event, Image, Managed, Pinned};
use super::short::Written;
use super::state::{FIRST_HANDLE, Runtime};
use crate::engine::{Engine, EngineError};
use simulator::{Label, Location};

/// Resources between two calls of a host function.
#[derive(Debug)]
pub struct Kept {
    pub(super) allocations: BTreeMap<u64, Allocation>,
    /// Each with the line that created it.
    pub(super) streams: BTreeMap<u64, Option<Location>>,
    pub(super) events: BTreeMap<u64, Event>,
    pub(super) clocks: VectorClocks,
    /// Graphs, and those that are ready to be launched.
    pub(super) graphs: BTreeMap<u64, Graph>,
    pub(super) capture: Option<Capture>,
    pub(super) pinned: BTreeMap<u64, Pinned>,
    pub(super) managed: BTreeMap<u64, Managed>,
    /// The host's address of each `__managed__` variable, by the device's.
    pub(super) variables: BTreeMap<u64, u64>,
    pub(super) variables_known: bool,
    pub(super) arrays: BTreeMap<u64, Array>,
    pub(super) images: BTreeMap<u64, Image>,
    pub(super) next_handle: u64,
    pub(super) mallocs: u32,
    pub(super) opted_in: BTreeMap<String, u32>,
    /// Addresses and handles of which it was told that nothing releases them.
    pub(super) told: BTreeSet<u64>,
    /// By address, the allocations that copies and fills have written.
    pub(super) written: BTreeMap<u64, Written>,
    /// The last copy to the host that looks as if it counted elements instead of bytes.
    pub(super) short_download: Option<Label>,
    /// The first copy to the host of what nothing on the GPU had written, and what has left it so.
    pub(super) unset_download: Vec<Label>,
    /// The first copy to the GPU of host memory that nothing had written.
    pub(super) unset_upload: Option<Label>,
}

impl Default for Kept {
    fn default() -> Self {
        Self {
            allocations: BTreeMap::new(),
            streams: BTreeMap::new(),
            events: BTreeMap::new(),
            clocks: VectorClocks::default(),
            graphs: BTreeMap::new(),
            capture: None,
            pinned: BTreeMap::new(),
            managed: BTreeMap::new(),
            variables: BTreeMap::new(),
            variables_known: false,
            arrays: BTreeMap::new(),
            images: BTreeMap::new(),
            next_handle: FIRST_HANDLE,
            mallocs: 0,
            opted_in: BTreeMap::new(),
            told: BTreeSet::new(),
            written: BTreeMap::new(),
            short_download: None,
            unset_download: Vec::new(),
            unset_upload: None,
        }
    }
}

impl Kept {
    /// Frees what holds memory of the GPU: no further call follows.
    pub fn release(self, engine: &mut dyn Engine) -> Result<(), EngineError> {
        for (address, allocation) in self.allocations {
            if allocation.allocated_at.is_some() {
                let device = self.managed.get(&address).map_or(address, |managed| managed.device);
                engine.free(device)?;
            }
        }
        for (handle, image) in self.images {
            engine.destroy_image(image.kind, handle)?;
        }
        self.arrays.into_values().try_for_each(|array| engine.free_array(array.id))
    }
}

impl Runtime<'_> {
    /// What the next call finds. All work on the GPU has ended by then: the caller waits for it.
    pub(super) fn keep_for_next(self, memory: &HostMemory) -> Kept {
        let mut kept = self.kept;
        kept.clocks.wait_for_all();
        let managed = &kept.managed;
        kept.allocations
            .retain(|address, known| known.allocated_at.is_some() || managed.contains_key(address));
        // The engine counts marks anew. One that was reached means as little as one that was never set: nobody waits.
        kept.events.values_mut().for_each(|event| event.mark = None);
        // The caller's buffers are gone.
        kept.pinned.retain(|address, pinned| memory.holds(*address, pinned.bytes));
        kept
    }
}
