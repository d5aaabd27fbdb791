//! 8-bit images, rows tightly packed.

use std::path::Path;

use image::{ExtendedColorType, ImageFormat};

/// An 8-bit image: `data[(y * width + x) * channels + channel]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Pixels per row, at least 1.
    pub width: usize,
    /// Rows, at least 1.
    pub height: usize,
    /// Bytes per pixel: 1 (gray) or 3 (RGB).
    pub channels: usize,
    /// `width * height * channels` bytes.
    pub data: Vec<u8>,
}

/// Why an image could not be made or stored.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// No standard image of that name.
    #[error("no standard image named `{0}`")]
    Unknown(String),
    /// The fields of the image do not fit together.
    #[error("failed to store {0} bytes as an image of {1}x{2} pixels with {3} channels")]
    Shape(usize, usize, usize, usize),
    /// Reading or writing failed.
    #[error("failed to read or write an image: {0}")]
    Codec(#[from] image::ImageError),
}

impl Image {
    /// Pixels.
    pub fn pixels(&self) -> usize {
        self.width * self.height
    }

    /// The first row alone.
    #[must_use]
    pub fn first_row(&self) -> Self {
        Self { height: 1, data: self.data[..self.width * self.channels].to_vec(), ..*self }
    }

    /// Writes a PNG.
    pub fn save(&self, path: &Path) -> Result<(), ImageError> {
        let png = self.png()?;
        Ok(std::fs::write(path, png).map_err(image::ImageError::IoError)?)
    }

    /// The bytes of a PNG.
    pub fn png(&self) -> Result<Vec<u8>, ImageError> {
        let colour = match self.channels {
            1 => Some(ExtendedColorType::L8),
            3 => Some(ExtendedColorType::Rgb8),
            _ => None,
        };
        let fits = self.data.len() == self.pixels() * self.channels;
        let Some(colour) = colour.filter(|_| fits) else {
            return Err(ImageError::Shape(self.data.len(), self.width, self.height, self.channels));
        };
        let (width, height) = (self.width as u32, self.height as u32);
        let mut png = std::io::Cursor::new(Vec::new());
        image::write_buffer_with_format(&mut png, &self.data, width, height, colour, ImageFormat::Png)?;
        Ok(png.into_inner())
    }
}
