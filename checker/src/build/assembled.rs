//! What the assembler made of kernels: registers, and the machine code behind each line of their PTX.

use std::collections::BTreeMap;
use std::sync::Arc;

use cuda::cubin::{CubinCode, cubin_code, cubin_resources};
use simulator::model::machine::{CAPABILITY, MachineCode, MachineInstruction};

use runtime::engine::{Assembled, AssembledKernels};

/// What this cubin for compute capability `architecture` (90 for 9.0) says of its kernels, which the simulator runs as this
/// PTX. Machine code that cannot be read, or was made of another text, is left out: times are then predicted from the PTX.
pub fn assembled(cubin: &[u8], architecture: u32, ptx: &str) -> AssembledKernels {
    let mut codes = if architecture == CAPABILITY { codes(cubin_code(cubin), ptx) } else { BTreeMap::new() };
    let kernels = cubin_resources(cubin).into_iter().map(|kernel| {
        let code = codes.remove(&kernel.name).map(Arc::new);
        (kernel.name, Assembled { registers: kernel.registers, code })
    });
    Arc::new(kernels.collect())
}

fn codes(cubin: CubinCode, ptx: &str) -> BTreeMap<String, MachineCode> {
    if !same_text(&cubin.ptx, ptx) {
        return BTreeMap::new();
    }
    let kernels = cubin.kernels.into_iter().filter_map(|kernel| {
        let of =
            |one: &cuda::cubin::MachineInstruction| MachineInstruction { word: one.word, line: one.line };
        let instructions: Vec<MachineInstruction> = kernel.instructions.iter().map(of).collect();
        Some((kernel.name, MachineCode::new(&cubin.ptx, &instructions)?))
    });
    kernels.collect()
}

/// Whether the lines that a cubin keeps are those of this text: all but comments and `.loc`, spaces aside.
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
        assert!(!same_text(&kept, "ld.global.u8 %rs1, [%rd1];\nret;\n"), "a line less");
        assert!(!same_text(&kept, "\nld.global.u8 %rs1, [%rd2];\n\nret;\n"), "another register");
    }
}
