//! Arrays, textures and surfaces, as both engines are asked for them.

use simulator::image::Texel;

/// What an array holds. Its layout is the engine's own business.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayShape {
    /// A pixel.
    pub texel: Texel,
    /// Pixels of a row.
    pub width: u32,
    /// Rows; 0 for an array of one dimension.
    pub rows: u32,
    /// Surfaces may be made of it.
    pub surfaces: bool,
    /// `tex2Dgather` may be used on it.
    pub gather: bool,
}

impl ArrayShape {
    /// Bytes of a row.
    pub fn row_bytes(&self) -> u64 {
        u64::from(self.width) * self.texel.bytes()
    }
}

/// A rectangle of an array that a copy is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// First byte of a row.
    pub x: u64,
    /// First row.
    pub y: u64,
    /// Bytes of each row.
    pub width: u64,
    /// Rows.
    pub rows: u64,
}

/// Where a texture's pixels lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextureSource {
    /// In an array, with pixels like this.
    Array(u64, Texel),
    /// In plain memory, read by whole numbers.
    Linear {
        /// The first pixel.
        address: u64,
        /// Pixels.
        length: u32,
        /// A pixel.
        texel: Texel,
    },
    /// In plain memory, in rows.
    Rows {
        /// The first pixel.
        address: u64,
        /// Pixels of a row.
        width: u32,
        /// Rows.
        rows: u32,
        /// Bytes from row to row.
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
