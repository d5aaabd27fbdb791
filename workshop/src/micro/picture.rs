//! The textures and surfaces of the microbenchmarks.

use cuda::driver::{ArrayPart, DriverError, Gpu, TextureMemory};
use simulator::image::{AddressMode, Filter, Numbers, Sampler, Texel};

use runtime::engine::pixels::{format, settings};

/// Texels of a row.
pub const WIDTH: u32 = 128;
/// Rows.
pub const ROWS: u32 = 64;

/// A picture of zeros in an array, or the buffer itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    /// A texture of bytes.
    Bytes,
    /// A texture of words.
    Words,
    /// A texture of four bytes per texel.
    Fours,
    /// A texture of floats.
    Floats,
    /// A texture of bytes that are read as fractions, filtered.
    Filtered,
    /// A surface of bytes.
    SurfaceOfBytes,
    /// A surface of words.
    SurfaceOfWords,
    /// A texture of words in plain memory: those of the buffer.
    Line,
}

impl Picture {
    /// The format of a texel.
    pub fn texel(self) -> Texel {
        let (channels, bits, numbers) = match self {
            Self::Bytes | Self::Filtered | Self::SurfaceOfBytes => (1, 8, Numbers::Unsigned),
            Self::Fours => (4, 8, Numbers::Unsigned),
            Self::Floats => (1, 32, Numbers::Float),
            Self::Words | Self::SurfaceOfWords | Self::Line => (1, 32, Numbers::Unsigned),
        };
        Texel { channels, bits, numbers }
    }

    /// Whether it is a surface.
    pub fn is_surface(self) -> bool {
        matches!(self, Self::SurfaceOfBytes | Self::SurfaceOfWords)
    }

    /// How it is read.
    pub fn sampler(self) -> Sampler {
        let filtered = self == Self::Filtered;
        Sampler {
            address: [AddressMode::Clamp; 3],
            filter: if filtered { Filter::Linear } else { Filter::Point },
            normalized: false,
            fractions: filtered,
            border: [0.0; 4],
        }
    }
}

/// A picture on a GPU.
pub struct Shown {
    /// The texture or surface object.
    pub object: u64,
    surface: bool,
    array: Option<u64>,
}

impl Shown {
    /// Makes it. `buffer` has so many words.
    pub fn new(gpu: &Gpu, picture: Picture, buffer: u64, words: u64) -> Result<Self, DriverError> {
        let (texel, surface) = (picture.texel(), picture.is_surface());
        let settings = settings(&picture.sampler(), texel);
        if picture == Picture::Line {
            let memory = TextureMemory::Linear { address: buffer, bytes: 4 * words, format: format(texel) };
            return Ok(Self { object: gpu.create_texture(memory, &settings)?, surface, array: None });
        }
        let array = gpu.alloc_array(format(texel), WIDTH, ROWS, surface, false)?;
        let row = u64::from(WIDTH) * texel.bytes();
        let all = ArrayPart { x: 0, y: 0, width: row, rows: ROWS.into() };
        gpu.write_array(array, all, &vec![0; (row * u64::from(ROWS)) as usize])?;
        let object = if surface {
            gpu.create_surface(array)?
        } else {
            gpu.create_texture(TextureMemory::Array(array), &settings)?
        };
        Ok(Self { object, surface, array: Some(array) })
    }

    /// Destroys it, when nothing uses it any more.
    pub fn destroy(self, gpu: &Gpu) -> Result<(), DriverError> {
        gpu.synchronize()?;
        if self.surface {
            gpu.destroy_surface(self.object)?;
        } else {
            gpu.destroy_texture(self.object)?;
        }
        self.array.map_or(Ok(()), |array| gpu.free_array(array))
    }
}
