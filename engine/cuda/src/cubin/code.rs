//! The machine code of a cubin, each instruction with the PTX line that it was compiled from.
//!
//! With `-lineinfo` a cubin from NVRTC holds two more sections. `.nv_debug_ptx_txt` is the PTX: lines that end with
//! a zero byte, empty for `.loc` and comments. `.nv_debug_line_sass` is a DWARF 2 line program from machine code to
//! those lines; the address that begins a kernel's part of it is a relocation by the kernel's symbol. NVIDIA
//! documents neither. The layout is that of cubins from NVRTC 12.9 and 13.0, and anything else is skipped.

use std::collections::BTreeMap;

use gimli::{DebugLine, DebugLineOffset, LittleEndian};

use super::elf::{Elf, u32_at, u64_at};

/// Bytes of an instruction, since compute capability 7.0.
const INSTRUCTION: usize = 16;
/// The bit of a line program's address where the number of a symbol begins, above every offset in a section.
const SYMBOL: u32 = 32;

/// One machine instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MachineInstruction {
    /// Its 128 bits.
    pub word: u128,
    /// The PTX line that it was compiled from, counted from 1; 0 if unknown.
    pub line: u32,
}

/// The machine code of one kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelCode {
    /// Mangled name.
    pub name: String,
    /// In the order of their addresses.
    pub instructions: Vec<MachineInstruction>,
}

/// The kernels of a cubin, and the PTX that they were compiled from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CubinCode {
    /// Lines of the PTX; `.loc` lines and comments are empty.
    pub ptx: Vec<String>,
    /// In the order of the sections.
    pub kernels: Vec<KernelCode>,
}

/// The machine code of a cubin for compute capability 7.0 or newer that was compiled with `-lineinfo`. Empty if the
/// cubin does not hold its PTX.
pub fn cubin_code(cubin: &[u8]) -> CubinCode {
    Elf::read(cubin).and_then(|elf| code(&elf)).unwrap_or_default()
}

fn code(elf: &Elf<'_>) -> Option<CubinCode> {
    let text = elf.section(".nv_debug_ptx_txt")?;
    let ptx = text.split(|&byte| byte == 0).map(|line| String::from_utf8_lossy(line).into_owned()).collect();
    let lines = lines(elf)?;
    let symbols = elf.symbols();
    let kernels = symbols.iter().filter(|symbol| symbol.is_kernel).filter_map(|symbol| {
        let name = symbol.name.to_owned();
        let section = elf.section(&format!(".text.{name}"))?;
        let lines = lines.get(&symbol.index)?;
        let words = section.chunks_exact(INSTRUCTION).zip((0..).step_by(INSTRUCTION));
        let instructions = words.map(|(bytes, address)| MachineInstruction {
            word: u128::from_le_bytes(bytes.try_into().expect("16 bytes")),
            line: lines.range(..=address).next_back().map_or(0, |(_, line)| *line),
        });
        Some(KernelCode { name, instructions: instructions.collect() })
    });
    Some(CubinCode { ptx, kernels: kernels.collect() })
}

/// Symbol → offset → the line from that offset on; 0 if there is none.
fn lines(elf: &Elf<'_>) -> Option<BTreeMap<u32, BTreeMap<u64, u32>>> {
    let mut section = elf.section(".nv_debug_line_sass")?.to_vec();
    for (at, symbol, added) in relocations(elf) {
        let address = u64::from(symbol) << SYMBOL | added;
        section.get_mut(at..at + 8)?.copy_from_slice(&address.to_le_bytes());
    }
    let debug = DebugLine::new(&section, LittleEndian);
    let mut found: BTreeMap<u32, BTreeMap<u64, u32>> = BTreeMap::new();
    let mut at = 0;
    while at < section.len() {
        let program = debug.program(DebugLineOffset(at), 8, None, None).ok()?;
        // The unit's length does not count the four bytes that hold it.
        at += program.header().unit_length() + 4;
        let mut rows = program.rows();
        while let Some((_, row)) = rows.next_row().ok()? {
            let (symbol, offset) = ((row.address() >> SYMBOL) as u32, row.address() & u64::from(u32::MAX));
            let line = if row.end_sequence() { 0 } else { row.line().map_or(0, |line| line.get() as u32) };
            found.entry(symbol).or_default().insert(offset, line);
        }
    }
    Some(found)
}

/// Offset, symbol and addend of each relocation of the line program.
fn relocations(elf: &Elf<'_>) -> Vec<(usize, u32, u64)> {
    let with_addends = elf.section(".rela.nv_debug_line_sass").unwrap_or_default().chunks_exact(24);
    let without = elf.section(".rel.nv_debug_line_sass").unwrap_or_default().chunks_exact(16);
    let record = |record: &[u8]| {
        let added = if record.len() == 24 { u64_at(record, 16)? } else { 0 };
        Some((usize::try_from(u64_at(record, 0)?).ok()?, u32_at(record, 12)?, added))
    };
    with_addends.chain(without).filter_map(record).collect()
}
