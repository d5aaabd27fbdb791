//! The scalar types of generated kernels.

use super::random::Random;

/// A scalar type; `name` is its typedef in `prelude.cuh`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// `u8` …
    U8,
    /// `s8` …
    S8,
    /// `u16`
    U16,
    /// `s16`
    S16,
    /// `u32`
    U32,
    /// `s32`
    S32,
    /// `u64`
    U64,
    /// `s64`
    S64,
    /// `f32`
    F32,
    /// `f64`
    F64,
}

/// All integer types.
pub const INTEGERS: [Type; 8] =
    [Type::U8, Type::S8, Type::U16, Type::S16, Type::U32, Type::S32, Type::U64, Type::S64];

/// Words that make operations take their rarer paths, for 32 bits: integers and numbers alike.
const SPECIAL_32: [u32; 26] = [
    0,
    1,
    2,
    31,
    32,
    33,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_ffff,
    0x3f80_0000, // 1
    0xbf00_0000, // −0.5
    0x4b00_0000, // 2²³
    0x4f00_0000, // 2³¹
    0x5f00_0000, // 2⁶³
    0x0080_0000, // the smallest normal number
    0x007f_ffff, // the largest subnormal one
    0x7f7f_ffff, // the largest number
    0xff80_0000, // −∞
    0x7fc0_0001, // NaN
];

/// The same for 64 bits.
const SPECIAL_64: [u64; 12] = [
    0x8000_0000_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0xffff_ffff_ffff_ffff,
    0x0000_0001_0000_0000,
    0x3ff0_0000_0000_0000, // 1
    0xc1e0_0000_0000_0000, // −2³¹
    0x43e0_0000_0000_0000, // 2⁶³
    0x0010_0000_0000_0000, // the smallest normal number
    0x000f_ffff_ffff_ffff, // the largest subnormal one
    0x7fef_ffff_ffff_ffff, // the largest number
    0x7ff0_0000_0000_0000, // ∞
    0xfff8_0000_0000_0001, // NaN
];

impl Type {
    /// Its typedef.
    pub fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::S8 => "s8",
            Self::U16 => "u16",
            Self::S16 => "s16",
            Self::U32 => "u32",
            Self::S32 => "s32",
            Self::U64 => "u64",
            Self::S64 => "s64",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// Its width in bits.
    pub fn bits(self) -> u32 {
        match self {
            Self::U8 | Self::S8 => 8,
            Self::U16 | Self::S16 => 16,
            Self::U32 | Self::S32 | Self::F32 => 32,
            Self::U64 | Self::S64 | Self::F64 => 64,
        }
    }

    /// Whether it is an integer.
    pub fn is_integer(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }

    /// The unsigned type in which sums and products wrap: narrower ones would be promoted to `int`, whose
    /// overflow is undefined.
    pub fn wrapping(self) -> &'static str {
        if self.bits() == 64 { "u64" } else { "u32" }
    }

    /// The expression that reads this type from word `word` of the thread's inputs.
    pub fn load(self, word: u64) -> String {
        let name = self.name();
        let elements = 64 / u64::from(self.bits());
        match elements {
            1 => format!("((const {name}*)mine)[{word}]"),
            _ => format!("((const {name}*)mine)[{}]", word * elements),
        }
    }

    /// A literal, often a special one.
    pub fn literal(self, random: &mut Random) -> String {
        let word = word(random);
        match self {
            Self::F32 => format!("__uint_as_float({:#x}u)", word as u32),
            Self::F64 => format!("__longlong_as_double((s64){word:#x}ull)"),
            Self::U64 | Self::S64 => format!("(({}){word:#x}ull)", self.name()),
            _ if random.once_in(2) => format!("(({}){}u)", self.name(), word & 0x1f),
            _ => format!("(({}){:#x}u)", self.name(), word as u32),
        }
    }
}

/// 64 bits: random, or two special words, or a special long one, or a number of moderate size.
pub fn word(random: &mut Random) -> u64 {
    let word = random.next();
    let pair = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
    match random.below(6) {
        0 | 1 => word,
        2 => pair(*random.pick(&SPECIAL_32), *random.pick(&SPECIAL_32)),
        3 => *random.pick(&SPECIAL_64),
        // Numbers near each other, so that sums round and cancel; and small integers.
        4 => (f64::from((word as i32) >> 8) * 0.125).to_bits(),
        _ => pair((((word as i32) >> 12) as f32 * 0.25).to_bits(), (word >> 32) as u32 & 0xff),
    }
}
