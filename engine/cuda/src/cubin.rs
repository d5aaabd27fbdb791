//! What a cubin says about its kernels, read without a GPU: registers, shared and local memory, parameters.
//!
//! NVIDIA does not document these sections. The values were compared with the report of ptxas
//! (`--ptxas-options=-v`) for every architecture of NVRTC 12.9 and 13.0. Left out on purpose: cubins compiled
//! with `-rdc`, because the workbook makes none.

mod code;
mod elf;

pub use code::{CubinCode, KernelCode, MachineInstruction, cubin_code};
use elf::{Elf, u16_at, u32_at};

/// Attributes in `.nv.info` sections.
const REGISTER_COUNT: u8 = 0x2f;
const MIN_STACK_SIZE: u8 = 0x12;
const KERNEL_PARAMETER: u8 = 0x17;
/// From compute capability 9.0 on, the shared section of each kernel begins with 1 KiB for the system. The limit
/// of shared memory per block does not count it.
const SYSTEM_SHARED: u64 = 1024;

/// The resources that one kernel needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelResources {
    /// Mangled name.
    pub name: String,
    /// Registers per thread.
    pub registers: u32,
    /// Bytes of `__shared__` variables of known size.
    pub static_shared: u32,
    /// Bytes of local memory (stack) per thread.
    pub local_bytes: u32,
    /// Offset and size in bytes of each parameter, in order.
    pub parameters: Vec<(u32, u32)>,
}

/// The kernels of a cubin, in the order of its symbol table. Unknown and damaged sections are skipped, so the
/// list may be empty.
pub fn cubin_resources(cubin: &[u8]) -> Vec<KernelResources> {
    Elf::read(cubin).map(|elf| kernels(&elf)).unwrap_or_default()
}

/// Names of a cubin's `__device__` and `__constant__` variables, those of one function among them.
pub fn cubin_variables(cubin: &[u8]) -> Vec<String> {
    let elf = Elf::read(cubin);
    let symbols = elf.as_ref().map(Elf::symbols).unwrap_or_default();
    let holds_variables =
        |section: &str| section.starts_with(".nv.global") || section.starts_with(".nv.constant3");
    let variables = symbols.iter().filter(|symbol| symbol.object_in.is_some_and(holds_variables));
    variables.map(|symbol| symbol.name.to_owned()).collect()
}

/// Whether every section that a cubin's headers name is inside it. The driver is given no length and relies on
/// the headers.
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    expect(dead_code, reason = "only the driver loads cubins")
)]
pub(crate) fn is_whole(cubin: &[u8]) -> bool {
    Elf::read(cubin).is_some_and(|elf| elf.whole)
}

fn kernels(elf: &Elf<'_>) -> Vec<KernelResources> {
    let module_info = elf.section(".nv.info").map(attributes).unwrap_or_default();
    let reserved = if elf.section(".nv.shared.reserved.0").is_some() { SYSTEM_SHARED } else { 0 };
    let of_symbol = |attribute: u8, symbol: u32| {
        module_info
            .iter()
            .filter(|(kind, data)| *kind == attribute && u32_at(data, 0) == Some(symbol))
            .find_map(|(_, data)| u32_at(data, 4))
    };
    let symbols = elf.symbols();
    let entries = symbols.iter().filter(|symbol| symbol.is_kernel);
    entries
        .map(|symbol| {
            let name = symbol.name;
            let shared = elf.section_size(&format!(".nv.shared.{name}")).unwrap_or(0);
            let info = elf.section(&format!(".nv.info.{name}")).map(attributes).unwrap_or_default();
            KernelResources {
                name: name.to_owned(),
                registers: of_symbol(REGISTER_COUNT, symbol.index).unwrap_or(0),
                static_shared: shared.saturating_sub(reserved) as u32,
                local_bytes: of_symbol(MIN_STACK_SIZE, symbol.index).unwrap_or(0),
                parameters: parameters(&info),
            }
        })
        .collect()
}

/// Splits a `.nv.info` section into records: one byte format, one byte kind, and 16 bits that are the value or,
/// in format 4, the length of the data that follows.
fn attributes(section: &[u8]) -> Vec<(u8, &[u8])> {
    let mut list = Vec::new();
    let mut rest = section;
    while let [format, kind, low, high, tail @ ..] = rest {
        let length = if *format == 4 { usize::from(u16::from_le_bytes([*low, *high])) } else { 0 };
        let Some((data, after)) = tail.split_at_checked(length) else { break };
        list.push((*kind, data));
        rest = after;
    }
    list
}

/// Each record: index, ordinal and offset (16 bits each), flags with the size from bit 18 on.
fn parameters(info: &[(u8, &[u8])]) -> Vec<(u32, u32)> {
    let records = info.iter().filter(|(kind, _)| *kind == KERNEL_PARAMETER);
    let mut list: Vec<(u16, u32, u32)> = records
        .filter_map(|(_, data)| Some((u16_at(data, 4)?, u32::from(u16_at(data, 6)?), u32_at(data, 8)? >> 18)))
        .collect();
    list.sort_unstable();
    list.into_iter().map(|(_, offset, size)| (offset, size)).collect()
}
