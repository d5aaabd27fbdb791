//! 8-bit images, rows tightly packed.

use std::path::Path;

use png::{AdaptiveFilterType, BitDepth, ColorType, Compression, Encoder};

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
    /// Neither gray nor RGB, or not 8 bits per channel.
    #[error("failed to read an image: only 8-bit gray and RGB without transparency are known")]
    Format,
    /// Reading failed.
    #[error("failed to read an image: {0}")]
    Decoding(#[from] png::DecodingError),
    /// Writing failed.
    #[error("failed to write an image: {0}")]
    Encoding(#[from] png::EncodingError),
    /// The file could not be written.
    #[error("failed to write an image: {0}")]
    File(#[from] std::io::Error),
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
        Ok(std::fs::write(path, png)?)
    }

    /// The bytes of a PNG.
    pub fn png(&self) -> Result<Vec<u8>, ImageError> {
        let colour = match self.channels {
            1 => Some(ColorType::Grayscale),
            3 => Some(ColorType::Rgb),
            _ => None,
        };
        let fits = self.data.len() == self.pixels() * self.channels;
        let Some(colour) = colour.filter(|_| fits) else {
            return Err(ImageError::Shape(self.data.len(), self.width, self.height, self.channels));
        };
        let mut png = Vec::new();
        let mut encoder = Encoder::new(&mut png, self.width as u32, self.height as u32);
        encoder.set_color(colour);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Fast);
        encoder.set_adaptive_filter(AdaptiveFilterType::Adaptive);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.data)?;
        writer.finish()?;
        Ok(png)
    }

    /// Reads a PNG of 8-bit gray or RGB pixels.
    pub fn from_png(png: &[u8]) -> Result<Self, ImageError> {
        let mut reader = png::Decoder::new(png).read_info()?;
        let (width, height) = (reader.info().width as usize, reader.info().height as usize);
        let channels = match reader.output_color_type() {
            (ColorType::Grayscale, BitDepth::Eight) => 1,
            (ColorType::Rgb, BitDepth::Eight) => 3,
            _ => return Err(ImageError::Format),
        };
        let mut data = vec![0; reader.output_buffer_size()];
        reader.next_frame(&mut data)?;
        Ok(Self { width, height, channels, data })
    }
}
