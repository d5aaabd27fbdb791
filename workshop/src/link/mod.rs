//! `workshop link`: times of copies between host and GPU, for the modelled link.
//!
//! Up and down, from and to page-locked and pageable memory, and managed memory that moves when the other side touches
//! it; from a few bytes, whose time is that of any copy, to an image of the labs. The largest copies give the speeds of
//! the model. Pageable memory is copied by the host, and hosts with the same GPU differ in it by a third: so the file gathers
//! the speeds of several machines, and the middle of them counts.

mod command;
mod copies;
mod speeds;

pub use command::Link;
