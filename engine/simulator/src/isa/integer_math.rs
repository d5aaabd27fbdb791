//! Integer operations that take more than one operator.

/// Every bit of the result is the table's entry for the three input bits. Written as choices between masks, which stay out of a loop
/// over lanes that have the same table.
pub(super) fn lop3(a: u32, b: u32, c: u32, table: u32) -> u32 {
    let entry = |number: u32| 0u32.wrapping_sub(table >> number & 1);
    let choose = |bit: u32, zero: u32, one: u32| zero ^ bit & (zero ^ one);
    let of_c = |first: u32| choose(c, entry(first), entry(first + 1));
    choose(a, choose(b, of_c(0), of_c(2)), choose(b, of_c(4), of_c(6)))
}

/// The 64-bit value that a funnel shift moves a window over.
pub(super) struct Funnel(u64);

pub(super) fn funnel(low: u32, high: u32) -> Funnel {
    Funnel(u64::from(high) << 32 | u64::from(low))
}

impl Funnel {
    /// The upper word after a left shift by 0 to 32.
    pub(super) fn rotate_high(self, by: u32) -> u32 {
        (self.0 << by >> 32) as u32
    }

    /// The lower word after a right shift by 0 to 32.
    pub(super) fn shift_low(self, by: u32) -> u32 {
        (self.0 >> by) as u32
    }
}

/// `bfe`: `length` bits of `value` from `position` (both taken modulo 256), sign-extended if asked.
pub(super) fn bit_field(value: u32, position: u32, length: u32, signed: bool) -> u32 {
    let (position, length) = (position & 0xff, length & 0xff);
    if length == 0 {
        return 0;
    }
    // What lies beyond the value counts as its sign.
    let shifted = match (signed, position) {
        (true, _) => ((value as i32) >> position.min(31)) as u32,
        (false, 0..=31) => value >> position,
        (false, _) => 0,
    };
    let above = 32 - length.min(32);
    if signed { ((shifted << above) as i32 >> above) as u32 } else { shifted << above >> above }
}

/// `bfe` on 64 bits. The manual takes position and length modulo 256; an H200 does not: it shifts by what is
/// given, and a shift by 64 or more leaves zeros or copies of the sign.
pub(super) fn bit_field64(value: u64, position: u32, length: u32, signed: bool) -> u64 {
    let shifted = match (signed, position) {
        (true, _) => ((value as i64) >> position.min(63)) as u64,
        (false, 0..=63) => value >> position,
        (false, _) => 0,
    };
    let ones = if length >= 64 { u64::MAX } else { (1 << length) - 1 };
    let field = shifted & ones;
    let negative = signed && (1..=64).contains(&length) && field >> (length - 1) != 0;
    if negative { field | !ones } else { field }
}

/// `bfi`: the low `length` bits of `from` into `into` at `position`.
pub(super) fn insert(from: u64, into: u64, position: u32, length: u32, width: u32) -> u64 {
    let (position, length) = (position & 0xff, length & 0xff);
    if length == 0 || position >= width {
        return into;
    }
    let ones = if length >= 64 { u64::MAX } else { (1 << length) - 1 };
    let field = ones << position;
    into & !field | from << position & field
}

/// `bfi.b64`, which takes several machine instructions: unlike `bfi.b32`, position and length count in full, not
/// modulo 256, so that 256 bits are all there are. As an H200 has it, for all of `bit_field_insert_64.cu`.
pub(super) fn insert64(from: u64, into: u64, position: u32, length: u32) -> u64 {
    let ones = 1_u64.checked_shl(length).unwrap_or(0).wrapping_sub(1);
    let shifted = |bits: u64| bits.checked_shl(position).unwrap_or(0);
    into & !shifted(ones) | shifted(from & ones)
}

/// `prmt` in its default mode: four bytes picked from eight, each perhaps replaced by its sign. Each choice stays out of a loop over
/// lanes that have the same selector.
pub(super) fn permute(a: u32, b: u32, selector: u32) -> u32 {
    let mut out = 0;
    for byte in 0..4 {
        let choice = selector >> (4 * byte) & 0xf;
        let source = if choice & 4 == 0 { a } else { b };
        let picked = source >> (8 * (choice & 3)) & 0xff;
        let sign = (picked >> 7) * 0xff;
        out |= (if choice & 8 == 0 { picked } else { sign }) << (8 * byte);
    }
    out
}

pub(super) fn bytes(word: u32) -> [u8; 4] {
    word.to_le_bytes()
}

fn byte(word: u32, index: usize, signed: bool) -> i32 {
    let value = bytes(word)[index];
    if signed { i32::from(value as i8) } else { i32::from(value) }
}

/// `dp4a`: four byte products added to `c`.
pub(super) fn dot4(a: u32, b: u32, c: u32, a_signed: bool, b_signed: bool) -> u32 {
    (0..4).fold(c, |sum, i| sum.wrapping_add((byte(a, i, a_signed) * byte(b, i, b_signed)) as u32))
}

/// `dp2a`: two 16 × 8-bit products added to `c`; `b`'s two bytes are its lowest.
pub(super) fn dot2(a: u32, b: u32, c: u32, a_signed: bool, b_signed: bool) -> u32 {
    (0..2).fold(c, |sum, i| {
        let half = a >> (16 * i) & 0xffff;
        let half = if a_signed { i32::from(half as u16 as i16) } else { half as i32 };
        sum.wrapping_add((half * byte(b, i, b_signed)) as u32)
    })
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn bit_fields_match_the_manual() {
        assert_eq!(bit_field(0xabcd_1234, 8, 8, false), 0x12);
        assert_eq!(bit_field(0x0000_8000, 8, 8, true), 0xffff_ff80);
        assert_eq!(bit_field(0xf000_0000, 28, 8, true), 0xffff_ffff);
        assert_eq!(bit_field(0xf000_0000, 28, 8, false), 0xf);
        assert_eq!(bit_field(0xffff_ffff, 0, 0, true), 0);
        assert_eq!(insert(0xff, 0x1234_5678, 8, 8, 32), 0x1234_ff78);
        assert_eq!(insert(0xff, 0x1234_5678, 40, 8, 32), 0x1234_5678);
    }

    #[test]
    fn permutes_pick_bytes_and_signs() {
        assert_eq!(permute(0x0403_0201, 0x0807_0605, 0x7531), 0x0806_0402);
        assert_eq!(permute(0x0000_8001, 0, 0x9898), 0xff00_ff00);
    }

    #[test]
    fn three_input_logic_follows_its_table() {
        let (a, b, c) = (0xf0f0_f0f0, 0xcccc_cccc, 0xaaaa_aaaa);
        assert_eq!(lop3(a, b, c, 0x80), a & b & c);
        assert_eq!(lop3(a, b, c, 0x96), a ^ b ^ c);
        assert_eq!(lop3(a, b, c, 0xca), a & b | !a & c);
    }

    #[test]
    fn funnel_shifts_clamp_and_wrap() {
        assert_eq!(funnel(0x8000_0000, 0x1).rotate_high(1), 0x3);
        assert_eq!(funnel(0x8000_0000, 0x1).rotate_high(32), 0x8000_0000);
        assert_eq!(funnel(0x8000_0000, 0x1).shift_low(31), 0x3);
        assert_eq!(funnel(0x8000_0000, 0x1).shift_low(32), 0x1);
    }

    #[test]
    fn byte_dot_products_mind_signs() {
        assert_eq!(dot4(0x01ff_0203, 0x0101_0101, 10, false, false), 10 + 1 + 255 + 2 + 3);
        assert_eq!(dot4(0x01ff_0203, 0x0101_0101, 10, true, true), 10 + 1 - 1 + 2 + 3);
    }
}
