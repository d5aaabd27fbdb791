//! The texture and surface objects of a device, by their handles.

use super::format::Texel;
use super::sample::Sampler;

/// Where handles begin, and how far they are apart: far from every address, so that a pointer is no handle.
const FIRST: u64 = 0x0000_0d00_0000_0000;
const STEP: u64 = 0x100;

/// Pixels in rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pixels {
    /// The first pixel's address.
    pub address: u64,
    /// Pixels of a row.
    pub width: u32,
    /// Rows; 1 for one dimension.
    pub height: u32,
    /// Slices or layers; 1 where there is no third dimension. The rows of one follow those of the one before.
    pub depth: u32,
    /// Bytes from row to row.
    pub pitch: u64,
    /// The format of a pixel.
    pub texel: Texel,
    /// Plain memory that is read by whole numbers (`tex1Dfetch`): outside there are zeros.
    pub linear: bool,
}

impl Pixels {
    /// One of its slices or layers.
    pub(crate) fn slice(&self, number: u32) -> Self {
        let before = u64::from(number) * u64::from(self.height) * self.pitch;
        Self { address: self.address + before, depth: 1, ..*self }
    }
}

/// The object behind a handle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Object {
    /// Pixels to be read through a sampler.
    Texture(Pixels, Sampler),
    /// Pixels to be read and written.
    Surface(Pixels),
}

/// Why a handle cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Problem {
    /// No object was ever called so.
    Unknown,
    /// It was destroyed.
    Destroyed,
    /// A surface where a texture is needed, or the other way round.
    OtherKind,
}

/// All objects ever made. Handles are never given twice.
#[derive(Debug, Clone, Default)]
pub(crate) struct Objects {
    made: Vec<(Object, bool)>,
}

impl Objects {
    /// A new object's handle.
    pub fn add(&mut self, object: Object) -> u64 {
        self.made.push((object, true));
        FIRST + STEP * (self.made.len() as u64 - 1)
    }

    fn index(&self, handle: u64) -> Option<usize> {
        let distance = handle.checked_sub(FIRST)?;
        let index = (distance / STEP) as usize;
        (distance.is_multiple_of(STEP) && index < self.made.len()).then_some(index)
    }

    /// Destroys an object; whether there was one.
    pub fn destroy(&mut self, handle: u64) -> bool {
        let Some(index) = self.index(handle) else { return false };
        std::mem::take(&mut self.made[index].1)
    }

    fn get(&self, handle: u64) -> Result<Object, Problem> {
        match self.index(handle).map(|index| self.made[index]) {
            None => Err(Problem::Unknown),
            Some((_, false)) => Err(Problem::Destroyed),
            Some((object, true)) => Ok(object),
        }
    }

    /// The texture that a handle stands for.
    pub fn texture(&self, handle: u64) -> Result<(Pixels, Sampler), Problem> {
        match self.get(handle)? {
            Object::Texture(pixels, sampler) => Ok((pixels, sampler)),
            Object::Surface(_) => Err(Problem::OtherKind),
        }
    }

    /// The surface that a handle stands for.
    pub fn surface(&self, handle: u64) -> Result<Pixels, Problem> {
        match self.get(handle)? {
            Object::Surface(pixels) => Ok(pixels),
            Object::Texture(..) => Err(Problem::OtherKind),
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::super::format::Numbers;
    use super::*;

    #[test]
    fn handles_are_checked() {
        let texel = Texel::new(1, 8, Numbers::Unsigned).unwrap();
        let pixels = Pixels { address: 0, width: 1, height: 1, depth: 1, pitch: 1, texel, linear: false };
        let mut objects = Objects::default();
        let handle = objects.add(Object::Surface(pixels));
        assert_eq!(objects.surface(handle), Ok(pixels));
        assert_eq!(objects.texture(handle), Err(Problem::OtherKind));
        assert_eq!(objects.surface(handle + 1), Err(Problem::Unknown));
        assert_eq!(objects.surface(0), Err(Problem::Unknown));
        assert!(objects.destroy(handle) && !objects.destroy(handle));
        assert_eq!(objects.surface(handle), Err(Problem::Destroyed));
    }
}
