//! What one pixel of a texture or surface holds.

/// How the bits of a channel are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// Whole numbers from 0 on.
    Unsigned,
    /// Whole numbers in two's complement.
    Signed,
    /// IEEE numbers of 16 or 32 bits.
    Float,
}

/// A pixel: 1, 2 or 4 channels of 8, 16 or 32 bits, the same for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texel {
    /// 1, 2 or 4.
    pub channels: u8,
    /// Bits of a channel: 8, 16, 32; not 8 if they are floating-point numbers.
    pub bits: u8,
    /// The meaning of the bits.
    pub numbers: Numbers,
}

impl Texel {
    /// A format, if there is such a one.
    pub fn new(channels: u8, bits: u8, numbers: Numbers) -> Option<Self> {
        let exists = matches!(channels, 1 | 2 | 4)
            && matches!(bits, 8 | 16 | 32)
            && (numbers != Numbers::Float || bits > 8);
        exists.then_some(Self { channels, bits, numbers })
    }

    /// Bytes of one pixel: 1 to 16.
    pub fn bytes(self) -> u64 {
        u64::from(self.channels) * u64::from(self.bits) / 8
    }

    /// Channel `number` of a pixel: a whole number extended to 32 bits, or the bits of a 32-bit IEEE number.
    pub(crate) fn channel(self, pixel: &[u8; 16], number: usize) -> u32 {
        let at = number * usize::from(self.bits / 8);
        if self.bits == 8 && self.numbers == Numbers::Unsigned {
            return u32::from(pixel[at & 15]);
        }
        let short = u16::from_le_bytes([pixel[at], pixel[at + 1 & 15]]);
        let word = u32::from_le_bytes(std::array::from_fn(|byte| pixel[at + byte & 15]));
        match (self.numbers, self.bits) {
            (Numbers::Signed, 8) => i32::from(pixel[at] as i8) as u32,
            (Numbers::Unsigned, 16) => u32::from(short),
            (Numbers::Signed, 16) => i32::from(short as i16) as u32,
            (Numbers::Float, 16) => half::f16::from_bits(short).to_f32().to_bits(),
            _ => word,
        }
    }

    /// The whole number that becomes 1 where whole numbers are read as fractions; `None` where they cannot be.
    pub(crate) fn one(self) -> Option<f64> {
        match (self.numbers, self.bits) {
            (Numbers::Unsigned, 8) => Some(255.0),
            (Numbers::Signed, 8) => Some(127.0),
            (Numbers::Unsigned, 16) => Some(65535.0),
            (Numbers::Signed, 16) => Some(32767.0),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn channels_are_extended_as_they_are_declared() {
        let pixel = std::array::from_fn(|at| 0x80 | at as u8);
        let of =
            |channels, bits, numbers, at| Texel::new(channels, bits, numbers).unwrap().channel(&pixel, at);
        assert_eq!(of(4, 8, Numbers::Unsigned, 3), 0x83);
        assert_eq!(of(4, 8, Numbers::Signed, 3), 0xffff_ff83);
        assert_eq!(of(2, 16, Numbers::Signed, 1), 0xffff_8382);
        assert_eq!(of(4, 32, Numbers::Unsigned, 3), 0x8f8e_8d8c);
        let one = [0, 0x3c, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let halves = Texel::new(2, 16, Numbers::Float).unwrap();
        assert_eq!([0, 1].map(|at| halves.channel(&one, at)), [1.0, -2.0].map(f32::to_bits));
        assert_eq!(Texel::new(3, 8, Numbers::Unsigned), None);
        assert_eq!(Texel::new(1, 8, Numbers::Float), None);
    }
}
