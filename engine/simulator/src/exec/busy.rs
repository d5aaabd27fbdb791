//! The place where a launch spends its instructions, for one that takes too many.

use std::sync::atomic::AtomicU64;

use super::block::Block;
use super::fault::{Fault, FaultKind};
use super::grid::{GridSpec, Part, Turn, run_block};
use super::observer::Nobody;
use crate::memory::{Memory, View};

/// Instructions of a block that are looked at.
const MOST: u64 = 2_000_000;

/// The part of a block's instructions after which it is looked where it is. Warps run one after another: half of them is where the next
/// one begins.
const PART: [u64; 2] = [29, 64];

/// The same fault at the place where the first block is after part of its instructions: in the longest loop, most likely. The limit
/// itself is reached by whichever block comes last, at its end.
pub(super) fn at_the_busiest_place(spec: &GridSpec<'_>, memory: &Memory, fault: Fault) -> Fault {
    let run = |budget| {
        let (mut state, mut part) = (Block::new(spec.shape), Part::new(Nobody));
        let mut turn = Turn { number: 0, again: false, budget };
        // Alone, so that an atomic whose result matters can run too.
        let mut view = View::new(memory, true);
        let stopped = run_block(&mut state, &mut view, &mut part, spec, &mut turn, &AtomicU64::new(0)).err();
        (budget.saturating_sub(turn.budget), stopped)
    };
    let (all, _) = run(MOST.min(spec.limits.of_a_block()));
    match run(all * PART[0] / PART[1]) {
        (_, Some(Fault { kind: FaultKind::InstructionLimit | FaultKind::Endless, pc, warp, lane })) => {
            Fault { pc, warp, lane, ..fault }
        }
        _ => fault,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{Device, Launch, Limits, Module};

    /// Each thread goes 1,000 times through line 7.
    const PTX: &str = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n\
         .reg .pred %p<2>;\n.reg .b32 %r<2>;\n.loc 1 5 1\nmov.u32 %r1, 0;\nTURN:\n.loc 1 7 1\nadd.s32 %r1, %r1, 1;\n\
         setp.lt.s32 %p1, %r1, 1000;\n@%p1 bra TURN;\n.loc 1 9 1\nret;\n}\n.file 1 \"k.cu\"\n";

    #[test]
    fn a_launch_that_takes_too_many_instructions_is_told_where() {
        // The second loop takes tickets, so that its blocks run in order.
        let ticket = "atom.global.inc.u32 %r1, [count], 7;\nadd.s32 %r1, %r1, 1;\nmov.u32 %r1, %r2;";
        let tickets = PTX
            .replace(".reg .b32 %r<2>;", ".reg .b32 %r<3>;\nmov.u32 %r2, 0;")
            .replace("add.s32 %r1, %r1, 1;", &format!("add.s32 %r2, %r2, 1;\n{ticket}"))
            .replace(".visible .entry", ".global .align 4 .u32 count;\n.visible .entry");
        for ptx in [PTX, &tickets] {
            told_where(ptx);
        }
    }

    fn told_where(ptx: &str) {
        let launch = Launch { kernel: "k", grid: [100, 1, 1], block: [64, 1, 1], ..Launch::default() };
        let found = |launch_instructions| {
            let limits = Limits { block_instructions: 20_000, launch_instructions };
            let module = Module::from_ptx(ptx).expect("the PTX is valid");
            Device::new(Arc::new(module), limits).launch(&launch).expect("it can be launched").findings
        };
        assert_eq!(found(2_000_000), []);
        let findings = found(100_000);
        let [finding] = &findings[..] else { panic!("{findings:?}") };
        assert!(finding.message.contains("needs more instructions"), "{}", finding.message);
        assert_eq!(finding.location.as_ref().map(|location| location.line), Some(7));
    }
}
