//! The pointers that `printf` follows on the host: on a real machine, a wild one ends the program.

use crate::exec::Warp;
use crate::layout::{HOST, in_window};
use crate::memory::Memory;

/// What ends a conversion such as `%-8.3lf`.
const CONVERSIONS: &[u8] = b"diouxXeEfFgGaAcspn%";
/// Most characters of a format that are looked at.
const LONGEST: u64 = 4096;

/// The address that a call of `printf` would follow and at which the host function has no memory.
pub(super) fn wild(memory: &Memory, warp: &Warp, format: u64, arguments: u64) -> Option<u64> {
    let read = |address: u64, length: u64| {
        let bytes = match in_window(address, HOST.local) {
            Some(offset) => warp.local_of(0).get(offset as usize..offset.checked_add(length)? as usize)?,
            None => memory.bytes(address, length).ok()?,
        };
        Some(bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
    };
    // Managed memory that is on the GPU comes back when it is read.
    stray(&read, format, arguments).filter(|address| !memory.is_away(*address, 1))
}

/// The address that a call of `printf` would follow and at which there is nothing to `read`: that of the format, or the
/// argument of a `%s`. The arguments lie one after another, each aligned to its size.
fn stray(read: &dyn Fn(u64, u64) -> Option<u64>, format: u64, arguments: u64) -> Option<u64> {
    if read(format, 1).is_none() {
        return Some(format);
    }
    let characters = (0..LONGEST).map_while(|at| read(format.wrapping_add(at), 1)).map(|word| word as u8);
    let text: Vec<u8> = characters.take_while(|byte| *byte != 0).collect();
    let mut at = arguments;
    let mut take = |bytes: u64| {
        at = at.next_multiple_of(bytes);
        let word = read(at, bytes);
        at += bytes;
        word
    };
    let mut rest = &text[..];
    while let Some(start) = rest.iter().position(|byte| *byte == b'%') {
        rest = &rest[start + 1..];
        let end = rest.iter().position(|byte| CONVERSIONS.contains(byte))?;
        let (spec, conversion) = (&rest[..end], rest[end]);
        rest = &rest[end + 1..];
        for _ in spec.iter().filter(|byte| **byte == b'*') {
            take(4);
        }
        let long = spec.iter().any(|byte| b"lzjt".contains(byte));
        match conversion {
            b'%' => {}
            b's' => {
                // The C library prints `(null)` for a null pointer, and nothing of a text of no characters.
                let followed = |address: &u64| *address != 0 && !spec.ends_with(b".0");
                if let Some(address) = take(8).filter(followed).filter(|address| read(*address, 1).is_none())
                {
                    return Some(address);
                }
            }
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' if !long => {
                take(4);
            }
            b'c' => {
                take(4);
            }
            _ => {
                take(8);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    /// Of a call with this format and these bytes of arguments; a text lies at 0x3000.
    fn found(format: &str, arguments: &[u8]) -> Option<u64> {
        let format = [format.as_bytes(), &[0]].concat();
        let pieces: [(u64, &[u8]); 3] = [(0x1000, &format), (0x2000, arguments), (0x3000, b"text\0")];
        let read = |address: u64, bytes: u64| {
            pieces.iter().find_map(|(base, piece)| {
                let from = usize::try_from(address.checked_sub(*base)?).ok()?;
                let bytes = piece.get(from..from + bytes as usize)?;
                Some(bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
            })
        };
        stray(&read, 0x1000, 0x2000)
    }

    #[test]
    fn a_wild_pointer_is_found_behind_every_other_argument() {
        let good = 0x3000_u64.to_le_bytes();
        let bad = 0x10_u64.to_le_bytes();
        let words = |list: &[&[u8]]| list.concat();
        assert_eq!(found("plain", &[]), None);
        assert_eq!(found("%s %s", &words(&[&good, &bad])), Some(0x10));
        assert_eq!(found("%s %p %%", &words(&[&good, &bad])), None);
        assert_eq!(found("%d %s", &words(&[&[1; 8], &bad])), Some(0x10));
        assert_eq!(found("%*d %c %s", &words(&[&[1; 16], &bad])), Some(0x10));
        assert_eq!(found("%ld %f %s", &words(&[&[1; 16], &good])), None);
        assert_eq!(found("%5.2f %-9lu %s", &words(&[&[1; 16], &bad])), Some(0x10));
        assert_eq!(found("%s", &[0; 8]), None, "a null pointer prints as (null)");
        assert_eq!(found("%.0s", &bad), None);
    }

    #[test]
    fn the_format_itself_may_be_wild() {
        assert_eq!(stray(&|_, _| None, 0x10, 0), Some(0x10));
    }
}
