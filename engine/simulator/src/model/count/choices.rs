//! Whether a kernel may treat a few blocks unlike all others: something that no sample of its blocks shows.
//!
//! Asked of the code alone. Blocks differ in the branches that they take, and a branch that tells one block from the next compares
//! a value of the block's index alone, compares for equality, or compares with a number. The usual `i < n` of all threads does none of these.

use std::collections::HashMap;

use super::critical_path::operands;
use crate::decode::{Action, Program, Special};
use crate::exec::Slot;
use crate::module::Module;

/// What a value depends on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Of {
    block: bool,
    thread: bool,
}

impl Of {
    fn and(self, other: Self) -> Self {
        Self { block: self.block || other.block, thread: self.thread || other.thread }
    }
}

impl Module {
    /// Whether a kernel may treat a few blocks unlike all others, which no sample of its blocks shows.
    pub fn chooses_blocks(&self, kernel: &str) -> bool {
        matches!(self.program(kernel), Some(Ok(program)) if chooses_blocks(&program))
    }
}

/// Whether a comparison may tell a few blocks from all others.
fn chooses_blocks(program: &Program) -> bool {
    let known = dependences(program);
    program.code.iter().enumerate().any(|(pc, inst)| {
        let Some(row) = program.rows.get(pc).copied().flatten() else { return false };
        if !matches!(inst.action, Action::Compute(_))
            || row.out != Slot::Pred
            || !row.forms.starts_with("setp")
        {
            return false;
        }
        let (sources, _) = operands(program, inst, pc);
        let of = of_all(&known, &sources);
        let equal = ["setp.eq", "setp.ne"].iter().any(|form| row.forms.starts_with(form));
        of.block && (!of.thread || equal || sources.iter().any(|source| is_number(program, *source)))
    })
}

fn is_number(program: &Program, (slot, index): (Slot, u16)) -> bool {
    match slot {
        Slot::R32 => program.constants32.iter().any(|(column, _)| *column == index),
        Slot::R64 => program.constants64.iter().any(|(column, _)| *column == index),
        Slot::Pred => false,
    }
}

fn of_all(known: &HashMap<(Slot, u16), Of>, sources: &[(Slot, u16)]) -> Of {
    sources.iter().filter_map(|source| known.get(source)).fold(Of::default(), |all, of| all.and(*of))
}

/// What each register depends on, whatever writes it.
fn dependences(program: &Program) -> HashMap<(Slot, u16), Of> {
    let special = |(column, special): &(u16, Special)| {
        let of = match special {
            Special::Ctaid(_) => Of { block: true, thread: false },
            Special::Tid(_) | Special::LaneId | Special::WarpId => Of { block: false, thread: true },
            _ => return None,
        };
        Some(((Slot::R32, *column), of))
    };
    let mut known: HashMap<(Slot, u16), Of> = program.specials.iter().filter_map(special).collect();
    loop {
        let mut changed = false;
        for (pc, inst) in program.code.iter().enumerate() {
            let (sources, results) = operands(program, inst, pc);
            let of = of_all(&known, &sources);
            // A table with an entry for each block is one more way to tell blocks apart; a pixel tells nothing.
            let of = if matches!(inst.action, Action::Load(_)) && of.thread { Of::default() } else { of };
            if of == Of::default() {
                continue;
            }
            for result in results {
                let before = known.entry(result).or_default();
                changed |= *before != before.and(of);
                *before = before.and(of);
            }
        }
        if !changed {
            return known;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a kernel of these lines tells blocks apart; `%r1` is the block, `%r2` the thread, `%r3` the global index, `%r4` a parameter.
    fn tells(lines: &str) -> bool {
        let text = format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n) {{\n\
             .reg .pred %p<4>;\n.reg .b32 %r<10>;\n.reg .b64 %rd<4>;\n\
             ld.param.u64 %rd1, [p];\nld.param.u32 %r4, [n];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\n\
             mad.lo.s32 %r3, %r1, 256, %r2;\n{lines}\n@%p1 bra END;\nst.global.u32 [%rd1], %r3;\nEND:\nret;\n}}\n"
        );
        let module = Module::from_ptx(&text).expect("a module");
        module.chooses_blocks("k")
    }

    #[test]
    fn bounds_of_all_threads_tell_no_block_apart() {
        assert!(!tells("setp.ge.s32 %p1, %r3, %r4;"));
        assert!(!tells("setp.ne.s32 %p1, %r2, 0;"), "a thread of each block");
        assert!(!tells("setp.gt.s32 %p1, %r4, 20000000;"), "the size");
        let pixel = "mul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r5, [%rd3];\n";
        assert!(!tells(&format!("{pixel}setp.eq.s32 %p1, %r5, 7;")), "a pixel");
    }

    #[test]
    fn a_block_is_told_apart_by_its_index() {
        for lines in [
            "setp.eq.s32 %p1, %r1, 777;",
            "setp.ge.u32 %p1, %r1, %r4;",
            "rem.u32 %r5, %r1, 300;\nsetp.eq.s32 %p1, %r5, 7;",
            "shr.u32 %r5, %r3, 8;\nxor.b32 %r6, %r5, %r4;\nsetp.eq.s32 %p1, %r6, 0;",
            "sub.s32 %r5, %r3, %r4;\nsetp.lt.u32 %p1, %r5, 256;",
            "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r5, [%rd3];\nsetp.lt.s32 %p1, %r4, %r5;",
        ] {
            assert!(tells(lines), "{lines}");
        }
    }
}
