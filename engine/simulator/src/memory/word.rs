//! Little-endian words in bytes.

/// A little-endian word of 1 to 8 bytes.
#[inline]
pub(crate) fn read_word(bytes: &[u8]) -> u64 {
    // The usual widths apart: copying a length that the compiler does not know is a call.
    if let Ok(word) = <[u8; 4]>::try_from(bytes) {
        return u64::from(u32::from_le_bytes(word));
    }
    if let Ok(word) = <[u8; 8]>::try_from(bytes) {
        return u64::from_le_bytes(word);
    }
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// Stores the low bytes of a word.
#[inline]
pub(crate) fn write_word(bytes: &mut [u8], word: u64) {
    if let Ok(target) = <&mut [u8; 4]>::try_from(&mut *bytes) {
        *target = (word as u32).to_le_bytes();
    } else {
        bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
    }
}
