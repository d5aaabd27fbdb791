//! The arguments of a host function: buffers and integers, in the order of its C parameters.

/// Where a buffer lives when the host function is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// GPU memory: the checker allocates, fills and reads it back.
    Device,
    /// Host memory: the student's function copies.
    Host,
}

/// Element type of a buffer; buffers are little endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// `uint8_t`
    U8,
    /// `uint32_t`
    U32,
    /// `int`
    I32,
}

impl Element {
    /// Bytes of one element.
    pub const fn size(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U32 | Self::I32 => 4,
        }
    }

    /// The value of one element, given as its little-endian bytes.
    ///
    /// # Panics
    /// If `bytes` is not one element long.
    pub fn value(self, bytes: &[u8]) -> i64 {
        match (self, bytes) {
            (Self::U8, &[byte]) => i64::from(byte),
            (Self::U32, &[a, b, c, d]) => i64::from(u32::from_le_bytes([a, b, c, d])),
            (Self::I32, &[a, b, c, d]) => i64::from(i32::from_le_bytes([a, b, c, d])),
            _ => panic!("{} bytes are not an element of type {self:?}", bytes.len()),
        }
    }
}

/// One argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// A buffer that the function reads (and must not change).
    Input {
        /// Parameter name, as in the C declaration.
        name: &'static str,
        /// Where it lives.
        memory: Memory,
        /// Element type.
        element: Element,
        /// Contents.
        bytes: Vec<u8>,
    },
    /// A buffer that the function must fill.
    Output {
        /// Parameter name.
        name: &'static str,
        /// Where it lives.
        memory: Memory,
        /// Element type.
        element: Element,
        /// Number of elements.
        length: usize,
        /// Elements per row of a picture: mismatches are reported as x, y. 0 if the output is not a picture: mismatches
        /// are reported by index.
        row: usize,
        /// Whether the task promises zeros; otherwise the checker fills it with a random pattern.
        zeroed: bool,
    },
    /// An `int`.
    Int {
        /// Parameter name.
        name: &'static str,
        /// Its value.
        value: i32,
    },
}
