//! Spellings taken apart, types, and what may come out.

/// A type by its name in PTX.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    /// So many bits; signed or not.
    Whole(u32, bool),
    F16,
    Bf16,
    F32,
    F64,
    Pred,
}

impl Type {
    pub fn of(name: &str) -> Option<Self> {
        Some(match name {
            "pred" => Self::Pred,
            "f16" => Self::F16,
            "bf16" => Self::Bf16,
            "f32" => Self::F32,
            "f64" => Self::F64,
            _ => {
                let signed = name.starts_with('s');
                let bits = name.strip_prefix(['u', 's', 'b'])?.parse().ok()?;
                matches!(bits, 8 | 16 | 32 | 64).then_some(Self::Whole(bits, signed))?
            }
        })
    }

    /// The number that a register holds, as this type.
    pub fn number(self, word: u64) -> i128 {
        let Self::Whole(bits, signed) = self else { return i128::from(word) };
        let value = i128::from(word) & ((1 << bits) - 1);
        if signed && value >> (bits - 1) & 1 == 1 { value - (1 << bits) } else { value }
    }

    /// A number as this type's register holds it: short types are extended to 32 bits; an `s16` is kept as its 16
    /// bits.
    pub fn word(self, number: i128) -> u64 {
        let Self::Whole(bits, signed) = self else { return number as u64 };
        let low = number as u64 & if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        if bits == 8 && signed { u64::from(low as u8 as i8 as u32) } else { low }
    }

    pub fn float(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16 | Self::F32 | Self::F64)
    }
}

/// A spelling: opcode, and the words after it.
#[derive(Debug, Clone)]
pub(super) struct Form<'a> {
    pub opcode: &'a str,
    pub words: Vec<&'a str>,
}

impl<'a> Form<'a> {
    pub fn new(spelling: &'a str) -> Self {
        let mut words = spelling.split('.');
        let opcode = words.next().unwrap_or_default();
        let mut words: Vec<&str> = words.collect();
        // `.relu` may stand on either side of the type.
        if words.last() == Some(&"relu") {
            words.rotate_right(1);
        }
        Self { opcode, words }
    }

    pub fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// The last word's type.
    pub fn ty(&self) -> Option<Type> {
        Type::of(self.words.last()?)
    }
}

/// What may come out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Expect {
    /// Just this.
    Bits(u64),
    /// This, and a carry.
    Carry(u64, u64),
    /// A single-precision number next to this one, or it.
    Near(f32),
    /// A double whose upper word is next to this one's, and whose lower is zero.
    NearUpper(f64),
}

impl Expect {
    pub fn allows(self, got: u64, carry: u64) -> bool {
        match self {
            Self::Bits(bits) => got == bits,
            Self::Carry(bits, out) => (got, carry) == (bits, out),
            Self::Near(value) => {
                let near = [value, value.next_up(), value.next_down()];
                near.iter().any(|near| got == u64::from(near.to_bits()))
            }
            Self::NearUpper(value) => {
                let upper = |value: f64| (value.to_bits() >> 32) as i64;
                got.trailing_zeros() >= 32 && (upper(f64::from_bits(got)) - upper(value)).abs() <= 1
                    || value.is_nan() && f64::from_bits(got).is_nan()
            }
        }
    }
}

/// What NVIDIA GPUs give for not-a-number in single precision, and in 16 bits.
pub(super) const NAN32: u64 = 0x7fff_ffff;
pub(super) const NAN16: u64 = 0x7fff;
