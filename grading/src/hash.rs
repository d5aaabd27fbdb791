//! Hashes in hexadecimal.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// SHA-256 of these parts, each with its length in front, so that moving text from one to the next changes the hash.
pub fn of_parts(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hexadecimal(&hash.finalize())
}

/// SHA-256 of these bytes alone, as `sha256sum` prints it.
pub fn of(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
