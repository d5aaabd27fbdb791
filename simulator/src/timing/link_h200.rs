//! The link of an H200. Written by `checker dev link --constants`; not by hand.

use super::link::Link;

/// Measured on an NVIDIA H200, copies of 140859280 bytes.
pub const H200: Link = Link {
    pinned: 5.473e10,
    pageable_up: 7.091e9,
    pageable_down: 1.451e10,
    managed: 9.102e9,
    source: "measured, book/data/link-h200.json",
};
