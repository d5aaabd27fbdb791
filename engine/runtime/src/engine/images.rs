//! Arrays, textures and surfaces, in the terms of both engines.

use simulator::image::Texel;

/// Size and pixel format of an array. The engine chooses the layout in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayShape {
    /// Format of a pixel.
    pub texel: Texel,
    /// Pixels per row.
    pub width: u32,
    /// Rows; 0 for a one-dimensional array.
    pub rows: u32,
    /// Slices, or layers; 0 for an array of one or two dimensions.
    pub depth: u32,
    /// They are layers.
    pub layered: bool,
    /// Surfaces may use it (`cudaArraySurfaceLoadStore`).
    pub surfaces: bool,
    /// `tex2Dgather` may read it (`cudaArrayTextureGather`).
    pub gather: bool,
}

impl ArrayShape {
    /// Bytes per row.
    pub fn row_bytes(&self) -> u64 {
        u64::from(self.width) * self.texel.bytes()
    }

    /// The rows of all slices, one slice after the other.
    pub fn all_rows(&self) -> u64 {
        u64::from(self.rows.max(1)) * u64::from(self.depth.max(1))
    }

    /// Bytes of the whole array.
    pub fn bytes(&self) -> u64 {
        self.row_bytes().saturating_mul(self.all_rows())
    }
}

/// The rectangle of an array that a copy reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// First byte in each row.
    pub x: u64,
    /// First row, counted through all slices.
    pub y: u64,
    /// Bytes of each row.
    pub width: u64,
    /// Rows.
    pub rows: u64,
}

/// The memory that holds a texture's pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextureSource {
    /// An array, and its pixel format.
    Array(u64, Texel),
    /// Linear memory, read with integer coordinates.
    Linear {
        /// The first pixel.
        address: u64,
        /// Pixels.
        length: u32,
        /// A pixel.
        texel: Texel,
    },
    /// Rows of plain memory.
    Rows {
        /// The first pixel.
        address: u64,
        /// Pixels of a row.
        width: u32,
        /// Rows.
        rows: u32,
        /// Distance between rows in bytes.
        pitch: u64,
        /// A pixel.
        texel: Texel,
    },
}

/// A texture or a surface object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ImageKind {
    /// To read through a sampler.
    Texture,
    /// To read and write.
    Surface,
}
