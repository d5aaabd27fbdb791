//! The link of an H200, assumed until `checker dev link --constants simulator/src/timing/link_h200.rs` has measured it and
//! writes this file.

use super::link::Link;

/// Page-locked: generation 5 of the bus with 16 lanes, less what its protocol takes. Pageable: a single core of the host
/// copies 10 GB/s. Managed: page faults halve the link's speed.
pub const H200: Link = Link {
    pinned: 55e9,
    pageable_up: 10e9,
    pageable_down: 10e9,
    managed: 27.5e9,
    source: "assumed, not measured",
};
