//! The pictures.

use std::fmt;

use lab::{Case, Picture};

/// Most bytes of a colour picture: host functions count them in an `int`.
const MOST_BYTES: usize = i32::MAX as usize;

/// Width and height in pixels.
pub type Size = (usize, usize);

/// The sizes that are timed if none are given.
pub const SIZES: [Size; 4] = [(512, 512), (1920, 1080), (8784, 5352), (20_000, 20_000)];

/// The content of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// All 256 gray levels, as often as each other, in no order.
    Noise,
    /// Like a photograph: gradients, edges, grain.
    Scene,
    /// One colour.
    Flat,
}

impl Content {
    /// The picture of this size.
    pub fn case(self, (width, height): Size) -> Case {
        let picture = match self {
            Self::Noise => Picture::GrayNoise { width, height, levels: 256 },
            Self::Scene => Picture::Scene { width, height },
            Self::Flat => Picture::Flat { width, height, value: [200, 120, 40] },
        };
        Case::new(format!("{self} {width}x{height}"), picture)
    }
}

impl fmt::Display for Content {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Self::Noise => "noise",
            Self::Scene => "scene",
            Self::Flat => "one colour",
        })
    }
}

/// Reads `1920x1080`.
pub fn size(text: &str) -> Result<Size, String> {
    let side = |side: &str| side.parse::<usize>().ok().filter(|side| *side >= 1);
    let sides = text.split_once('x').and_then(|(width, height)| Some((side(width)?, side(height)?)));
    let fits = |(width, height): &Size| {
        width
            .checked_mul(*height)
            .and_then(|pixels| pixels.checked_mul(3))
            .is_some_and(|all| all <= MOST_BYTES)
    };
    sides
        .filter(fits)
        .ok_or_else(|| format!("write a size as `1920x1080`; a colour picture may have {MOST_BYTES} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_two_sides_whose_bytes_an_int_counts() {
        assert_eq!(size("20000x20000").ok(), Some((20_000, 20_000)));
        for text in ["20000", "0x5", "5x", "-1x5", "30000x30000", "99999999999x99999999999"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
