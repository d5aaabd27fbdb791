//! The link of an H200. Written by `workshop link --constants`; not by hand.

use super::link::Link;

/// Measured on an NVIDIA H200, copies of 140859280 bytes; the middle of all machines of the file.
pub const H200: Link = Link {
    pinned: 5.521e10,
    pageable_up: 8.009e9,
    pageable_down: 1.677e10,
    managed: 9.759e9,
    source: "measured, book/data/link-h200.json",
};
