//! Archives for tests, also such as no honest program writes.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// A member of an archive.
#[derive(Clone, Copy)]
pub struct Member<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its contents.
    pub bytes: &'a [u8],
    /// Whether it is packed.
    pub deflated: bool,
    /// The size that it claims to have.
    pub claimed: Option<u32>,
    /// Whether it is marked as a symbolic link.
    pub link: bool,
    /// Whether it is marked as encrypted.
    pub encrypted: bool,
}

impl<'a> Member<'a> {
    /// As it is.
    pub fn stored(name: &'a str, bytes: &'a [u8]) -> Self {
        Self { name, bytes, deflated: false, claimed: None, link: false, encrypted: false }
    }

    /// Packed.
    pub fn deflated(name: &'a str, bytes: &'a [u8]) -> Self {
        Self { deflated: true, ..Self::stored(name, bytes) }
    }
}

/// The bytes of an archive of these members.
pub fn zip(members: &[Member<'_>]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for member in members {
        let data = if member.deflated {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(member.bytes).and_then(|()| encoder.finish()).expect("memory takes it")
        } else {
            member.bytes.to_vec()
        };
        let claimed = member.claimed.unwrap_or(member.bytes.len() as u32);
        let mut common = Vec::new();
        for field in [u16::from(member.encrypted), if member.deflated { 8 } else { 0 }, 0, 33] {
            common.extend(field.to_le_bytes());
        }
        for field in [rawzip::crc32(member.bytes), data.len() as u32, claimed] {
            common.extend(field.to_le_bytes());
        }
        common.extend((member.name.len() as u16).to_le_bytes());
        common.extend(0u16.to_le_bytes());
        let offset = out.len() as u32;
        out.extend(b"PK\x03\x04\x14\0");
        out.extend(&common);
        out.extend(member.name.as_bytes());
        out.extend(data);
        // Made on Unix, so that the upper half of the attributes is its mode.
        directory.extend(b"PK\x01\x02\x14\x03\x14\0");
        directory.extend(&common);
        directory.extend([0; 6]);
        let mode: u32 = if member.link { 0o120_777 } else { 0o100_644 };
        directory.extend((mode << 16).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(member.name.as_bytes());
    }
    let (count, at) = (members.len() as u16, out.len() as u32);
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(at.to_le_bytes());
    out.extend([0, 0]);
    out
}
