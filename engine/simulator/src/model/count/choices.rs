//! Whether a kernel may treat a few blocks unlike all others: something that no sample of its blocks shows.
//!
//! Asked of the code alone. A branch that tells one block from the next compares the block's index, alone or after some arithmetic with
//! numbers, for equality; or it compares an index that the block is part of with a large number of the file, which the indices of small
//! pictures do not reach; or it keeps only the low bits of such an index, 16 as in a `short`, so that blocks far apart take each other's
//! place. The usual `i < n` of all threads does neither, and nor do a loop over the rows of a block and a test for the
//! border; the first and the last block are tried by themselves.

use std::collections::HashMap;

use super::critical_path::operands;
use crate::decode::{Action, Preset, Program, Special};
use crate::exec::Slot;
use crate::module::Module;

/// A number that is no border, no lane and no level: indices are compared with it, or after it was added, only to choose some.
const FAR: u64 = 300;

/// Instructions after which neighbouring values are no longer neighbours.
const MIXING: [&str; 5] = ["rem.", "xor.", "popc.", "brev.", "clz."];

/// Instructions that keep 16 bits of a register of 32.
const NARROWING: [&str; 2] = ["cvt.{u16,s16}.u32", "cvt.{u16,s16}.s32"];

/// What a value depends on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Of(u8);

impl Of {
    /// On the block's index.
    const BLOCK: Self = Self(1);
    /// On the thread's index in its block.
    const THREAD: Self = Self(2);
    /// On the launch's arguments.
    const ARGUMENT: Self = Self(4);
    /// On what memory holds: that may be anything.
    const DATA: Self = Self(8);
    /// A number of at least [`FAR`] was added to it.
    const FAR_ADDED: Self = Self(16);
    /// Its bits were mixed: neighbours no longer have neighbouring values.
    const MIXED: Self = Self(32);

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn is(self, any: Self) -> bool {
        self.0 & any.0 != 0
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
        let is = |forms: &[&str]| forms.iter().any(|form| starts(program, pc, form));
        if narrows(program, &known, pc) {
            return true;
        }
        if !is(&["setp."]) {
            return false;
        }
        let (sources, _) = operands(program, inst, pc);
        let of: Vec<Of> = sources.iter().filter_map(|source| known.get(source).copied()).collect();
        let block = |of: &&Of| of.is(Of::BLOCK) && !of.is(Of::DATA);
        let numbers: Vec<u64> = sources.iter().filter_map(|source| number(program, *source)).collect();
        let far = of.iter().any(|of| of.is(Of::FAR_ADDED));
        // One index of many, or a few by a hash: `i == 7`, `i % 4099 < 3`. The border, `x == width - 1`, has no number.
        let one = is(&["setp.eq", "setp.ne"]) && !numbers.is_empty();
        let hashed = of.iter().any(|of| of.is(Of::BLOCK) && of.is(Of::MIXED));
        if (one || hashed) && !numbers.contains(&0) && of.iter().any(|of| block(&of)) {
            return true;
        }
        // The first block is tried by itself. `column == 0` of all threads chooses no block, and compilers make
        // `blockIdx.x * 992 == -8 * threadIdx.x` of it, too.
        let alone = |of: &Of| !of.is(Of::THREAD.and(Of::ARGUMENT));
        let column = of.iter().any(|of| of.is(Of::THREAD)) && !far;
        let exact = is(&["setp.eq", "setp.ne"])
            && !numbers.contains(&0)
            && !column
            && of.iter().filter(block).any(alone);
        let large = numbers.iter().any(|number| *number >= FAR || far);
        exact || large && of.iter().any(|of| block(&of))
    })
}

/// Whether an instruction keeps only the low bits of an index that the block is part of, as many as the indices of small pictures need.
fn narrows(program: &Program, known: &HashMap<(Slot, u16), Of>, pc: usize) -> bool {
    let (sources, _) = operands(program, &program.code[pc], pc);
    let of_block = || {
        sources.iter().any(|source| known.get(source).is_some_and(|of| of.is(Of::BLOCK) && !of.is(Of::DATA)))
    };
    // Compilers make `(i << 5) & 0x1f_ffe0` of `(i & 0xffff) << 5`.
    let is_mask =
        |number: u64| number >= FAR && (number >> number.trailing_zeros()).wrapping_add(1).is_power_of_two();
    let mask = || sources.iter().filter_map(|source| number(program, *source)).any(is_mask);
    let short = NARROWING.iter().any(|form| starts(program, pc, form));
    (short || starts(program, pc, "and.b") && mask()) && of_block()
}

/// Whether this is an instruction of these forms.
fn starts(program: &Program, pc: usize, form: &str) -> bool {
    program.rows.get(pc).copied().flatten().is_some_and(|row| row.forms.starts_with(form))
}

/// The size of a number that the file has, without its sign.
fn number(program: &Program, (slot, index): (Slot, u16)) -> Option<u64> {
    let signed = match slot {
        Slot::R32 => {
            program.constants32.iter().find(|known| known.0 == index).map(|known| i64::from(known.1 as i32))
        }
        Slot::R64 => program.constants64.iter().find(|known| known.0 == index).map(|known| known.1 as i64),
        Slot::Pred => None,
    };
    signed.map(i64::unsigned_abs)
}

fn of_all(known: &HashMap<(Slot, u16), Of>, sources: &[(Slot, u16)]) -> Of {
    sources.iter().filter_map(|source| known.get(source)).fold(Of::default(), |all, of| all.and(*of))
}

/// What each register depends on, whatever writes it.
fn dependences(program: &Program) -> HashMap<(Slot, u16), Of> {
    let special = |(column, special): &(u16, Special)| {
        let of = match special {
            Special::Ctaid(_) => Of::BLOCK,
            Special::Tid(_) | Special::LaneId | Special::WarpId => Of::THREAD,
            _ => return None,
        };
        Some(((Slot::R32, *column), of))
    };
    let argument = |preset: &Preset| ((preset.slot, preset.index), Of::ARGUMENT);
    let specials = program.specials.iter().filter_map(special);
    let mut known: HashMap<(Slot, u16), Of> = specials.chain(program.presets.iter().map(argument)).collect();
    loop {
        let mut changed = false;
        for (pc, inst) in program.code.iter().enumerate() {
            let (sources, results) = operands(program, inst, pc);
            let of = of_all(&known, &sources);
            let is_load = matches!(inst.action, Action::Load(_));
            let added = ["add.", "sub."].iter().any(|form| starts(program, pc, form))
                && sources.iter().any(|source| number(program, *source).is_some_and(|number| number >= FAR));
            let of = of.and(if is_load { Of::DATA } else { Of::default() });
            let of = of.and(if added { Of::FAR_ADDED } else { Of::default() });
            let mixed = of.is(Of::BLOCK) && MIXING.iter().any(|form| starts(program, pc, form));
            let of = of.and(if mixed { Of::MIXED } else { Of::default() });
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
             .reg .pred %p<4>;\n.reg .b16 %rs<4>;\n.reg .b32 %r<10>;\n.reg .b64 %rd<4>;\n\
             ld.param.u64 %rd1, [p];\nld.param.u32 %r4, [n];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\n\
             mad.lo.s32 %r3, %r1, 256, %r2;\n{lines}\n@%p1 bra END;\nst.global.u32 [%rd1], %r3;\nEND:\nret;\n}}\n"
        );
        let module = Module::from_ptx(&text).expect("a module");
        module.chooses_blocks("k")
    }

    #[test]
    fn bounds_of_all_threads_tell_no_block_apart() {
        for lines in [
            "setp.ge.s32 %p1, %r3, %r4;",
            "setp.ne.s32 %p1, %r2, 0;",
            "mul.lo.s32 %r5, %r1, 992;\nshl.b32 %r6, %r2, 3;\nneg.s32 %r6, %r6;\nsetp.ne.s32 %p1, %r5, %r6;",
            "setp.gt.s32 %p1, %r4, 20000000;",
            "setp.ge.s32 %p1, %r1, %r4;",
            "setp.eq.s32 %p1, %r1, 0;",
            "setp.lt.s32 %p1, %r3, 256;",
            "add.s32 %r5, %r3, 4096;\nsetp.lt.s32 %p1, %r5, %r4;",
            "mul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r5, [%rd3];\nsetp.gt.u32 %p1, %r5, 65535;",
            "setp.lt.s32 %p1, %r1, 2;",
            "and.b32 %r5, %r2, 65535;\nsetp.ge.s32 %p1, %r5, %r4;",
            "and.b32 %r5, %r3, -4;\nsetp.ge.s32 %p1, %r5, %r4;",
            "and.b32 %r5, %r3, 31;\nsetp.ge.s32 %p1, %r5, %r4;",
            "min.s32 %r5, %r1, %r4;\nand.b32 %r6, %r5, 3;\nsetp.eq.s32 %p1, %r6, 0;",
            "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r5, [%rd3];\nsetp.eq.s32 %p1, %r5, 7;",
        ] {
            assert!(!tells(lines), "{lines}");
        }
    }

    #[test]
    fn a_block_is_told_apart_by_its_index() {
        for lines in [
            "setp.eq.s32 %p1, %r1, 777;",
            "setp.ne.s32 %p1, %r1, %r4;",
            "add.s32 %r5, %r2, 70000;\nsetp.eq.s32 %p1, %r1, %r5;",
            "rem.u32 %r5, %r1, 300;\nsetp.eq.s32 %p1, %r5, 7;",
            "setp.gt.s32 %p1, %r3, 7000000;",
            "add.s32 %r5, %r3, -7000001;\nsetp.lt.u32 %p1, %r5, 299;",
            "setp.eq.s32 %p1, %r3, 7000000;",
            "and.b32 %r5, %r1, 65535;\nmad.lo.s32 %r3, %r5, 32, %r2;\nsetp.ge.s32 %p1, %r3, %r4;",
            "shl.b32 %r5, %r1, 5;\nand.b32 %r5, %r5, 2097120;\nor.b32 %r3, %r5, %r2;\nsetp.ge.s32 %p1, %r3, %r4;",
            "cvt.u16.u32 %rs1, %r1;\nmul.wide.u16 %r5, %rs1, 32;\nadd.s32 %r3, %r5, %r2;\nsetp.ge.s32 %p1, %r3, %r4;",
        ] {
            assert!(tells(lines), "{lines}");
        }
    }
}
