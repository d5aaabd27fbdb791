//! Textures and surfaces: pixels in device memory that kernels reach by coordinates.
//!
//! Filtering follows the CUDA programming guide's appendix on texture fetching: weights with 8 bits behind the
//! point, out of 256. What it leaves open is decided here: a weight is rounded to the nearest, the weighted sum is
//! exact, and rounded once. Left out: mipmaps, filtering between slices, cube maps, anisotropy, sRGB.

mod format;
mod lanes;
mod objects;
mod sample;

pub use format::{Numbers, Texel};
pub(crate) use lanes::{Coordinates, Places, places};
pub use objects::Pixels;
pub(crate) use objects::{Object, Objects, Problem};
pub use sample::{AddressMode, Filter, Sampler};
pub(crate) use sample::{Axis, Tap, axis, corners, filtered, position, taken};
