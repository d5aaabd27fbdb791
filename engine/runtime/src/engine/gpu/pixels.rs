//! Pixels, rows and textures as the driver describes them.

use cuda::driver::{ArrayFormat, ArrayPart, DeviceRows, TextureSettings};
use simulator::Rows;
use simulator::image::{AddressMode, Filter, Numbers, Sampler, Texel};

use crate::engine::Part;

/// A pixel as the driver numbers it (`CUarray_format`).
pub fn format(texel: Texel) -> ArrayFormat {
    let number = match (texel.numbers, texel.bits) {
        (Numbers::Unsigned, 8) => 0x01,
        (Numbers::Unsigned, 16) => 0x02,
        (Numbers::Unsigned, _) => 0x03,
        (Numbers::Signed, 8) => 0x08,
        (Numbers::Signed, 16) => 0x09,
        (Numbers::Signed, _) => 0x0a,
        (Numbers::Float, 16) => 0x10,
        (Numbers::Float, _) => 0x20,
    };
    ArrayFormat { number, bytes: u32::from(texel.bits) / 8, channels: texel.channels.into() }
}

/// A rectangle of an array.
pub(super) fn part(Part { x, y, width, rows }: Part) -> ArrayPart {
    ArrayPart { x, y, width, rows }
}

/// Rows of device memory.
pub(super) fn device_rows(Rows { address, pitch, width, rows }: Rows) -> DeviceRows {
    DeviceRows { address, pitch, width, rows }
}

/// The driver's settings for a texture of these pixels.
pub fn settings(sampler: &Sampler, texel: Texel) -> TextureSettings {
    let as_integers = !sampler.fractions && texel.numbers != Numbers::Float;
    let mode = |mode| match mode {
        AddressMode::Wrap => 0,
        AddressMode::Clamp => 1,
        AddressMode::Mirror => 2,
        AddressMode::Border => 3,
    };
    TextureSettings {
        address: [mode(sampler.address[0]), mode(sampler.address[1])],
        linear_filter: sampler.filter == Filter::Linear,
        as_integers,
        normalized: sampler.normalized,
        border: sampler.border,
    }
}
