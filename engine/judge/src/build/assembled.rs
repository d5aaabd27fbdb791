//! The assembled kernels: registers, and the machine code of each line of their PTX.

use std::collections::BTreeMap;
use std::sync::Arc;

use cuda::cubin::{CubinCode, cubin_code, cubin_resources};
use simulator::model::machine::{CAPABILITIES, Listing, MachineCode, MachineInstruction};

use super::compile::Targets;
use runtime::engine::{Assembled, AssembledKernels};

/// The kernels of a cubin that was made for these targets; `ptx` is the text that the simulator runs. Machine code that cannot be
/// read, or that belongs to another GPU or another text, is left out: times are then predicted from the PTX.
pub fn assembled(cubin: &[u8], targets: Targets, ptx: &str) -> AssembledKernels {
    let read = targets.cubin.filter(|architecture| targets.own && CAPABILITIES.contains(architecture));
    let mut codes =
        read.map_or_else(BTreeMap::new, |architecture| codes(cubin_code(cubin), architecture, ptx));
    let kernels = cubin_resources(cubin).into_iter().map(|kernel| {
        let code = codes.remove(&kernel.name).map(Arc::new);
        (kernel.name, Assembled { registers: kernel.registers, code })
    });
    Arc::new(kernels.collect())
}

fn codes(cubin: CubinCode, architecture: u32, ptx: &str) -> BTreeMap<String, MachineCode> {
    if !same_text(&cubin.ptx, ptx) {
        return BTreeMap::new();
    }
    let Some(ptx) = Listing::of(ptx) else { return BTreeMap::new() };
    let kernels = cubin.kernels.into_iter().filter_map(|kernel| {
        let of =
            |one: &cuda::cubin::MachineInstruction| MachineInstruction { word: one.word, line: one.line };
        let instructions: Vec<MachineInstruction> = kernel.instructions.iter().map(of).collect();
        Some((kernel.name, MachineCode::of(architecture, &ptx, &instructions)?))
    });
    kernels.collect()
}

/// Whether the lines kept in a cubin are those of this text, except comments, `.loc` and spaces.
fn same_text(kept: &[String], ptx: &str) -> bool {
    let bare = |line: &str| line.split_whitespace().collect::<String>();
    let mut lines = ptx.lines();
    kept.iter().all(|kept| {
        let line = lines.next().unwrap_or("");
        kept.trim().is_empty() || bare(kept) == bare(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_of_the_same_text_is_used() {
        let kept = ["", "ld.global.u8 \t%rs1, [%rd1];", "", "ret;"].map(str::to_owned);
        assert!(same_text(&kept, "// a comment\n\tld.global.u8 %rs1, [%rd1];\n\t.loc 1 2 3\nret;\n"));
        assert!(!same_text(&kept, "ld.global.u8 %rs1, [%rd1];\nret;\n"), "a line is missing");
        assert!(!same_text(&kept, "\nld.global.u8 %rs1, [%rd2];\n\nret;\n"), "another register");
    }
}
