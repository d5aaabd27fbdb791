//! Where each instruction reads and writes, in one numbering of all registers.

use super::rules::Rule;
use crate::decode::{FunctionRange, Program, Row};
use crate::exec::Slot;

/// Numbers of registers over all files; 0 is none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbering {
    r32: usize,
    r64: usize,
    /// One more than the highest number.
    pub count: usize,
}

impl Numbering {
    pub fn new(program: &Program) -> Self {
        let r64 = 1 + program.r32;
        Self { r32: 1, r64, count: r64 + program.r64 + program.preds }
    }

    /// The number of a register. Predicates come last.
    pub fn of(self, program: &Program, slot: Slot, register: u16) -> u32 {
        let register = usize::from(register);
        (match slot {
            Slot::R32 => self.r32 + register,
            Slot::R64 => self.r64 + register,
            Slot::Pred => self.r64 + program.r64 + register,
        }) as u32
    }
}

impl Numbering {
    /// The numbers of all registers of a function.
    pub fn all(self, program: &Program, function: &FunctionRange) -> impl Iterator<Item = u32> + use<> {
        let preds = self.r64 + program.r64;
        let r32 = function.r32.clone().map(move |register| register + self.r32);
        let r64 = function.r64.clone().map(move |register| register + self.r64);
        r32.chain(r64).chain(function.preds.clone().map(move |p| p + preds)).map(|number| number as u32)
    }
}

/// An instruction's registers, and what it does with undefined bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flow {
    pub sources: [u32; 4],
    pub guard: u32,
    pub destination: u32,
    /// The condition code, if it is written too; else 0.
    pub carry: u32,
    pub rule: Rule,
    pub row: Option<&'static Row>,
}

/// The flow of every instruction. Those that are no computation have only a guard here.
pub(super) fn flows(program: &Program, numbering: Numbering) -> Vec<Flow> {
    program
        .code
        .iter()
        .enumerate()
        .map(|(pc, inst)| {
            // The guard that is always true is never undefined, but has to be looked at like the others.
            let guard = numbering.of(program, Slot::Pred, inst.guard);
            let row = program.rows.get(pc).copied().flatten();
            let mut flow = Flow { sources: [0; 4], guard, destination: 0, carry: 0, rule: Rule::Any, row };
            if let Some(row) = row {
                let registers = [inst.a, inst.b, inst.c, inst.e];
                for ((number, slot), register) in flow.sources.iter_mut().zip(row.ins).zip(registers) {
                    *number = numbering.of(program, *slot, register);
                }
                flow.destination = numbering.of(program, row.out, inst.d);
                if row.carries {
                    flow.carry = numbering.of(program, Slot::Pred, inst.e);
                }
                flow.rule = Rule::of(row);
            }
            flow
        })
        .collect()
}
