//! The files in a zip archive. Nothing is ever unpacked to the disk, and no more bytes than a limit are unpacked at all; so a
//! bomb costs no more than an honest file.

use std::collections::HashMap;
use std::io::Read;

use cuda::text::short;
use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive, ZipArchiveEntryWayfinder, ZipSliceArchive};

use super::refusal::Refusal;
use super::tree::{Entry, Tree, is_clutter};

/// An archive in memory.
pub struct Archive {
    zip: ZipSliceArchive<Vec<u8>>,
    entries: Vec<Entry>,
    places: Vec<(ZipArchiveEntryWayfinder, CompressionMethod)>,
}

impl Archive {
    /// Reads the list of files, of which there may be `most`.
    pub fn open(bytes: Vec<u8>, most: usize) -> Result<Self, Refusal> {
        let zip = ZipArchive::from_slice(bytes).map_err(|error| damaged(&error))?;
        let (mut entries, mut places) = (Vec::new(), Vec::new());
        for record in zip.entries() {
            let record = record.map_err(|error| damaged(&error))?;
            let raw = String::from_utf8_lossy(record.file_path().as_ref()).into_owned();
            if record.is_dir() {
                continue;
            }
            let (path, leads_out) = parts(&raw);
            if path.is_empty() || is_clutter(&path) {
                continue;
            }
            if entries.len() == most {
                return Err(Refusal::TooMany(most));
            }
            let fault = if leads_out {
                Some(Refusal::Outside(short(&raw)))
            } else if record.mode().is_symlink() {
                Some(Refusal::Link(short(&raw)))
            } else {
                record.flags().is_encrypted().then(|| Refusal::Encrypted(short(&raw)))
            };
            places.push((record.wayfinder(), record.compression_method()));
            entries.push(Entry { path, size: record.uncompressed_size_hint(), fault });
        }
        mark_twins(&mut entries);
        Ok(Self { zip, entries, places })
    }
}

/// Two members of one name: what is read depends on the program, so neither is.
fn mark_twins(entries: &mut [Entry]) {
    let mut seen: HashMap<Vec<String>, usize> = HashMap::new();
    for entry in entries.iter() {
        *seen.entry(entry.path.clone()).or_default() += 1;
    }
    for entry in entries {
        if seen[&entry.path] > 1 && entry.fault.is_none() {
            entry.fault = Some(Refusal::Twice(short(&entry.path.join("/"))));
        }
    }
}

/// The parts of a member's name, and whether it leads out of its folder. Windows programs write `\`.
fn parts(raw: &str) -> (Vec<String>, bool) {
    let absolute = raw.starts_with(['/', '\\']) || raw.get(1..3).is_some_and(|at| matches!(at, ":\\" | ":/"));
    let all: Vec<&str> = raw.split(['/', '\\']).collect();
    let leads_out = absolute || all.contains(&"..") || raw.contains('\0');
    let kept = all.into_iter().filter(|part| !matches!(*part, "" | "." | ".."));
    (kept.map(str::to_owned).collect(), leads_out)
}

impl Tree for Archive {
    fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn read(&self, index: usize, most: u64) -> Result<Vec<u8>, Refusal> {
        let entry = &self.entries[index];
        if let Some(fault) = &entry.fault {
            return Err(fault.clone());
        }
        let (place, method) = self.places[index];
        let too_large = || Refusal::TooLarge { name: short(entry.name()), most };
        // The claim may lie in both directions: the reader below believes nothing.
        if entry.size > most {
            return Err(too_large());
        }
        let member = self.zip.get_entry(place).map_err(|error| damaged(&error))?;
        let unpacked: Box<dyn Read> = match method {
            CompressionMethod::STORE => Box::new(member.data()),
            CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(member.data())),
            other => {
                return Err(Refusal::Damaged(format!(
                    "`{}` is packed in a way ({other:?}) that is not read",
                    short(entry.name())
                )));
            }
        };
        let mut bytes = Vec::new();
        let mut reader = member.verifying_reader(unpacked).take(most + 1);
        let read = reader.read_to_end(&mut bytes);
        if bytes.len() as u64 > most {
            return Err(too_large());
        }
        read.map_err(|error| Refusal::Damaged(format!("`{}`: {error}", short(entry.name()))))?;
        Ok(bytes)
    }
}

fn damaged(error: &rawzip::Error) -> Refusal {
    Refusal::Damaged(short(&error.to_string()))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::class::zips::{Member, zip};

    fn opened(members: &[Member<'_>]) -> Archive {
        Archive::open(zip(members), 100).expect("an archive")
    }

    #[test]
    fn members_are_read_stored_and_deflated() {
        let text = "x".repeat(5000);
        let archive = opened(&[Member::stored("a/b.cu", b"one"), Member::deflated("c.cu", text.as_bytes())]);
        assert_eq!(archive.entries()[0].path, ["a", "b.cu"]);
        assert_eq!(archive.read(0, 10).expect("read"), b"one");
        assert_eq!(archive.read(1, 5000).expect("read"), text.as_bytes());
    }

    #[test]
    fn a_member_that_is_larger_than_it_may_be_is_refused_whatever_it_claims() {
        let bomb = vec![0; 1 << 20];
        let refused = Err(Refusal::TooLarge { name: "a.cu".into(), most: 100 });
        assert_eq!(opened(&[Member::deflated("a.cu", &bomb)]).read(0, 100), refused);
        let lie = Member { claimed: Some(10), ..Member::deflated("a.cu", &bomb) };
        assert!(matches!(opened(&[lie]).read(0, 100), Err(Refusal::Damaged(_))));
    }

    #[test]
    fn a_member_with_a_wrong_checksum_or_cut_off_is_damaged() {
        let mut bytes = zip(&[Member::stored("a.cu", b"hello")]);
        let at = bytes.windows(5).position(|w| w == b"hello").expect("stored");
        bytes[at] = b'j';
        let read = Archive::open(bytes, 10).expect("an archive").read(0, 100);
        assert!(matches!(read, Err(Refusal::Damaged(_))), "{read:?}");
        assert!(matches!(Archive::open(b"PK\x03\x04 not really".to_vec(), 10), Err(Refusal::Damaged(_))));
    }

    #[test]
    fn names_that_lead_out_links_twins_and_secrets_are_faults() {
        let archive = opened(&[
            Member::stored("../../etc/x.cu", b"a"),
            Member::stored("/abs.cu", b"a"),
            Member::stored("C:\\win.cu", b"a"),
            Member { link: true, ..Member::stored("link.cu", b"/etc/passwd") },
            Member { encrypted: true, ..Member::stored("secret.cu", b"a") },
            Member::stored("twin.cu", b"a"),
            Member::stored("twin.cu", b"b"),
            Member::stored("dir\\fine.cu", b"a"),
            Member::stored("__MACOSX/._fine.cu", b"a"),
        ]);
        let codes: Vec<&str> =
            archive.entries().iter().map(|entry| entry.fault.as_ref().map_or("", Refusal::code)).collect();
        assert_eq!(codes, ["outside", "outside", "outside", "link", "encrypted", "twice", "twice", ""]);
        assert!((0..7).all(|index| archive.read(index, 100).is_err()));
        assert_eq!(archive.entries()[7].path, ["dir", "fine.cu"]);
    }

    #[test]
    fn too_many_members_are_refused() {
        let names: Vec<String> = (0..12).map(|n| format!("{n}.cu")).collect();
        let members: Vec<Member<'_>> = names.iter().map(|name| Member::stored(name, b"")).collect();
        assert_eq!(Archive::open(zip(&members), 10).err(), Some(Refusal::TooMany(10)));
    }
}
