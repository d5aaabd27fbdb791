//! The standard photographs, embedded, so that the checker needs no files beside itself.
//!
//! Only lossless files: decoders of lossy formats may round differently. Authors and licences are listed in
//! `labs/images/README.md`.

use std::io::Cursor;

use image::ImageFormat;

use crate::image::{Image, ImageError};

/// A standard photograph: its name in [`Picture::Photograph`](crate::Picture::Photograph), and its PNG file.
pub struct Photograph {
    /// File name without ending.
    pub name: &'static str,
    /// The contents of the file in `labs/images`.
    pub file: &'static [u8],
}

macro_rules! photographs {
    ($($name:literal),* $(,)?) => {
        &[$(Photograph { name: $name, file: include_bytes!(concat!("../../images/", $name, ".png")) }),*]
    };
}

/// All standard photographs.
pub const PHOTOGRAPHS: &[Photograph] =
    photographs!["astronaut", "brick", "camera", "chelsea", "clock", "coffee"];

/// Decodes a standard photograph to 3 channels.
pub fn photograph(name: &str) -> Result<Image, ImageError> {
    let pixels = image::load_from_memory(file(name)?)?.into_rgb8();
    let (width, height) = (pixels.width() as usize, pixels.height() as usize);
    Ok(Image { width, height, channels: 3, data: pixels.into_raw() })
}

/// Width and height of a standard photograph, from its head alone.
pub fn photograph_size(name: &str) -> Result<(usize, usize), ImageError> {
    let (width, height) =
        image::ImageReader::with_format(Cursor::new(file(name)?), ImageFormat::Png).into_dimensions()?;
    Ok((width as usize, height as usize))
}

fn file(name: &str) -> Result<&'static [u8], ImageError> {
    let found = PHOTOGRAPHS.iter().find(|photograph| photograph.name == name);
    found.map(|photograph| photograph.file).ok_or_else(|| ImageError::Unknown(name.to_owned()))
}
