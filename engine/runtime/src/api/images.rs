//! Texture and surface objects.

use kernels::HostCall;
use simulator::host::HostView;
use simulator::image::{AddressMode, Filter, Numbers, Sampler, Texel};
use simulator::{Finding, Kind, Rows};

use super::arrays::{no_such_format, texel};
use super::resources::Image;
use super::state::{Outcome, Refusal, Runtime, finding, malformed};
use crate::codes;
use crate::engine::{ImageKind, TextureSource};

/// `cudaResourceType`.
const ARRAY: u64 = 0;
const LINEAR: u64 = 2;
const ROWS: u64 = 3;

/// Alignment in bytes of the first pixel of a texture in plain memory, and of its rows (`textureAlignment` and
/// `texturePitchAlignment` of every GPU since compute capability 5.0).
const ALIGNMENT: u64 = 512;
const ROW_ALIGNMENT: u64 = 32;
/// Largest texture in plain memory that has rows: pixels per row, and rows (CUDA C Programming Guide, technical specifications, compute
/// capability 5.0).
const MOST_ACROSS: u64 = 131_072;
const MOST_ROWS: u64 = 65_000;

fn unfit(message: impl Into<String>, hint: &str) -> Finding {
    finding("W0618", Kind::Host, message.into(), hint)
}

impl Runtime<'_> {
    pub(super) fn create_texture(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[result, resource, source, bits, kind, width, rows, pitch, ref rest @ ..] = words else {
            return Err(malformed(HostCall::CreateTexture));
        };
        let &[x_mode, y_mode, z_mode, filter, read, normalized, border, special] = rest else {
            return Err(malformed(HostCall::CreateTexture));
        };
        if special != 0 || !matches!(resource, ARRAY | LINEAR | ROWS) {
            let found = unfit(
                "this texture uses mipmap levels, sRGB or a resource view, which the checker does not support",
                "use a texture of one or two dimensions over an array, over rows of memory (`cudaResourceTypePitch2D`) or \
                 over linear memory",
            );
            return self.refuse(host, codes::NOT_SUPPORTED, found);
        }
        let (source, texel) = if resource == ARRAY {
            let array = self.array("cudaCreateTextureObject", source, host)?;
            if array.shape.depth > 0 && !array.shape.layered && filter == 1 {
                let found = unfit(
                    "the checker does not simulate the filtering between the slices of an array of three dimensions",
                    "use `cudaFilterModePoint`, or `cudaArrayLayered` and `tex2DLayered`, which filters within a layer",
                );
                return self.refuse(host, codes::NOT_SUPPORTED, found);
            }
            (TextureSource::Array(array.id, array.shape.texel), array.shape.texel)
        } else {
            let Some(texel) = texel(bits, kind) else {
                return self.refuse(host, codes::INVALID_CHANNEL_DESCRIPTOR, no_such_format());
            };
            let shape = [width, rows, pitch];
            (self.texture_memory(resource == LINEAR, source, shape, texel, host)?, texel)
        };
        let colours = host.read_u64s(border, 4)?;
        let sampler = Sampler {
            address: [address_mode(x_mode)?, address_mode(y_mode)?, address_mode(z_mode)?],
            filter: if filter == 1 { Filter::Linear } else { Filter::Point },
            normalized: normalized != 0,
            fractions: read == 1 && texel.numbers != Numbers::Float,
            border: std::array::from_fn(|i| f32::from_bits(colours[i] as u32)),
        };
        if let Some((code, found)) = unfit_sampler(&sampler, texel, resource == LINEAR) {
            return self.refuse(host, code, found);
        }
        let handle = self.engine.create_texture(&source, &sampler)?;
        self.kept
            .images
            .insert(handle, Image { kind: ImageKind::Texture, made_at: host.location().cloned() });
        Ok(host.write(result, &handle.to_le_bytes())?)
    }

    /// Plain memory as a texture's pixels.
    fn texture_memory(
        &mut self,
        linear: bool,
        address: u64,
        [width, rows, pitch]: [u64; 3],
        texel: Texel,
        host: &HostView<'_>,
    ) -> Outcome<TextureSource> {
        let bytes = texel.bytes();
        let length = if linear {
            width
        } else {
            Rows { address, pitch, width: width.saturating_mul(bytes), rows: rows.max(1) }.extent()
        };
        if HostView::is_host_address(address) {
            let found = unfit(
                "this texture uses host memory, which the GPU cannot read",
                "copy the image to memory from `cudaMalloc` first",
            );
            return self.refuse(host, codes::INVALID_VALUE, found);
        }
        self.check_device_side("cudaCreateTextureObject", "covers", address, length, host)?;
        let offset =
            self.kept.allocations.range(..=address).next_back().map_or(0, |(base, _)| address - base);
        if !offset.is_multiple_of(ALIGNMENT)
            || !linear && (!pitch.is_multiple_of(ROW_ALIGNMENT) || pitch < width.saturating_mul(bytes))
        {
            let found = unfit(
                format!(
                    "the texture's pixels begin {offset} bytes into their allocation, with a pitch of {pitch} bytes: the GPU \
                     cannot read this layout"
                ),
                "allocate with `cudaMallocPitch`, and copy the image into it with `cudaMemcpy2D`: pixels must begin at a multiple \
                 of 512 bytes, and the pitch must be a multiple of 32 and at least the bytes of a row",
            );
            return self.refuse(host, codes::INVALID_VALUE, found);
        }
        let most = self.engine.limits().linear_texture();
        let fits = if linear { width / bytes <= most } else { width <= MOST_ACROSS && rows <= MOST_ROWS };
        if !fits || width == 0 || !linear && rows == 0 {
            return Err(Refusal::Code(codes::INVALID_VALUE));
        }
        Ok(if linear {
            TextureSource::Linear { address, length: (width / bytes) as u32, texel }
        } else {
            TextureSource::Rows { address, width: width as u32, rows: rows as u32, pitch, texel }
        })
    }

    pub(super) fn create_surface(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[result, is_array, array] = words else { return Err(malformed(HostCall::CreateSurface)) };
        if is_array == 0 {
            let found = unfit(
                "a surface needs an array, and this memory is not an array",
                "allocate it with `cudaMallocArray(…, cudaArraySurfaceLoadStore)`; use a plain pointer for plain memory",
            );
            return self.refuse(host, codes::INVALID_VALUE, found);
        }
        let array = self.array("cudaCreateSurfaceObject", array, host)?;
        if !array.shape.surfaces {
            let found = unfit(
                format!(
                    "the surface uses `{}`, which was allocated without `cudaArraySurfaceLoadStore`",
                    array.name
                ),
                "pass the flag `cudaArraySurfaceLoadStore` to `cudaMallocArray`",
            );
            return self.refuse(host, codes::INVALID_VALUE, found);
        }
        let handle = self.engine.create_surface(array.id)?;
        self.kept
            .images
            .insert(handle, Image { kind: ImageKind::Surface, made_at: host.location().cloned() });
        Ok(host.write(result, &handle.to_le_bytes())?)
    }

    pub(super) fn destroy_image(&mut self, kind: ImageKind, handle: u64, host: &HostView<'_>) -> Outcome<()> {
        if self.kept.images.get(&handle).is_some_and(|image| image.kind == kind) {
            self.kept.images.remove(&handle);
            return Ok(self.engine.destroy_image(kind, handle)?);
        }
        let (call, what) = match kind {
            ImageKind::Texture => ("cudaDestroyTextureObject", "texture"),
            ImageKind::Surface => ("cudaDestroySurfaceObject", "surface"),
        };
        let found = finding(
            "W0613",
            Kind::Host,
            format!("`{call}` is given a handle that is not a {what} object, or that is already destroyed"),
            "destroy each object once, with the handle that its creation returned",
        );
        self.refuse(host, codes::INVALID_VALUE, found)
    }
}

fn address_mode(number: u64) -> Outcome<AddressMode> {
    Ok(match number {
        0 => AddressMode::Wrap,
        1 => AddressMode::Clamp,
        2 => AddressMode::Mirror,
        3 => AddressMode::Border,
        _ => return Err(Refusal::Code(codes::INVALID_VALUE)),
    })
}

/// Why a texture of these pixels cannot be read with this sampler.
fn unfit_sampler(sampler: &Sampler, texel: Texel, linear_memory: bool) -> Option<(i32, Finding)> {
    if sampler.fractions && texel.bits == 32 {
        let found = unfit(
            "channels of 32 bits cannot be read as values between 0 and 1",
            "use `cudaReadModeElementType`: `cudaReadModeNormalizedFloat` is for channels of 8 and 16 bits",
        );
        return Some((codes::INVALID_NORM_SETTING, found));
    }
    let whole = texel.numbers != Numbers::Float && !sampler.fractions;
    if sampler.filter == Filter::Linear && (whole || linear_memory) {
        let found = unfit(
            if linear_memory {
                "a texture over linear memory cannot be filtered"
            } else {
                "a texture that is read as integers cannot be filtered"
            },
            "for 8-bit pixels, set `readMode` to `cudaReadModeNormalizedFloat`: `cudaFilterModeLinear` needs pixels in rows or \
             in an array that are read as floating-point numbers",
        );
        return Some((codes::INVALID_FILTER_SETTING, found));
    }
    if sampler.normalized && linear_memory {
        let found = unfit(
            "a texture over linear memory takes integer coordinates, not normalized ones",
            "set `normalizedCoords` to 0",
        );
        return Some((codes::INVALID_VALUE, found));
    }
    None
}
