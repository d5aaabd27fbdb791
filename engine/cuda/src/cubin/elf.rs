//! The part of 64-bit little-endian ELF that a cubin needs: sections by name, and symbols. Every access is
//! checked, so a damaged file gives fewer sections and never a panic.

const SYMBOL_TABLE: u32 = 2;
const NO_BITS: u32 = 8;
const OBJECT: u8 = 1;
const FUNCTION: u8 = 2;
/// In a symbol's `st_other`: the function is a kernel.
const KERNEL: u8 = 0x10;

struct Section<'a> {
    name: &'a str,
    kind: u32,
    /// Empty if the section takes no room in the file.
    data: &'a [u8],
    size: u64,
    link: u32,
}

pub(super) struct Symbol<'a> {
    pub index: u32,
    pub name: &'a str,
    pub is_kernel: bool,
    /// The section of the variable that it names.
    pub object_in: Option<&'a str>,
}

pub(super) struct Elf<'a> {
    sections: Vec<Section<'a>>,
    /// Every section lies within the file.
    pub whole: bool,
}

impl<'a> Elf<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        const HEADER: &[u8] = b"\x7fELF\x02\x01";
        if !bytes.starts_with(HEADER) {
            return None;
        }
        let table = usize::try_from(u64_at(bytes, 40)?).ok()?;
        let entry = usize::from(u16_at(bytes, 58)?).max(64);
        let count = usize::from(u16_at(bytes, 60)?);
        let names = usize::from(u16_at(bytes, 62)?);
        let header = |index: usize| bytes.get(table.checked_add(index.checked_mul(entry)?)?..)?.get(..64);
        let names = content(bytes, header(names)?)?;
        let sections = (0..count).filter_map(|index| section(bytes, header(index)?, names)).collect();
        let lies_within = |index| header(index).is_some_and(|header| content(bytes, header).is_some());
        Some(Self { sections, whole: (0..count).all(lies_within) })
    }

    fn find(&self, name: &str) -> Option<&Section<'a>> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// The bytes of a section.
    pub(super) fn section(&self, name: &str) -> Option<&'a [u8]> {
        self.find(name).map(|section| section.data)
    }

    /// The size of a section, also of one that takes no room in the file.
    pub(super) fn section_size(&self, name: &str) -> Option<u64> {
        self.find(name).map(|section| section.size)
    }

    pub(super) fn symbols(&self) -> Vec<Symbol<'a>> {
        let Some(table) = self.sections.iter().find(|section| section.kind == SYMBOL_TABLE) else {
            return Vec::new();
        };
        let names = self.sections.get(table.link as usize).map_or(&[][..], |section| section.data);
        let symbols = table.data.chunks_exact(24).zip(0..);
        symbols
            .filter_map(|(symbol, index)| {
                let name = text_at(names, u32_at(symbol, 0)?)?;
                let is_kernel = symbol[4] & 15 == FUNCTION && symbol[5] & KERNEL != 0;
                let section = self.sections.get(usize::from(u16_at(symbol, 6)?));
                let object_in = section.filter(|_| symbol[4] & 15 == OBJECT).map(|section| section.name);
                Some(Symbol { index, name, is_kernel, object_in })
            })
            .collect()
    }
}

/// Links refer to sections by index, so a section that cannot be read keeps its place and is empty.
fn section<'a>(bytes: &'a [u8], header: &[u8], names: &'a [u8]) -> Option<Section<'a>> {
    Some(Section {
        name: text_at(names, u32_at(header, 0)?).unwrap_or(""),
        kind: u32_at(header, 4)?,
        data: content(bytes, header).unwrap_or(&[]),
        size: u64_at(header, 32)?,
        link: u32_at(header, 40)?,
    })
}

fn content<'a>(bytes: &'a [u8], header: &[u8]) -> Option<&'a [u8]> {
    if u32_at(header, 4)? == NO_BITS {
        return Some(&[]);
    }
    let start = usize::try_from(u64_at(header, 24)?).ok()?;
    let length = usize::try_from(u64_at(header, 32)?).ok()?;
    bytes.get(start..start.checked_add(length)?)
}

fn text_at(names: &[u8], at: u32) -> Option<&str> {
    let rest = names.get(at as usize..)?;
    let end = rest.iter().position(|&byte| byte == 0)?;
    std::str::from_utf8(&rest[..end]).ok()
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}
