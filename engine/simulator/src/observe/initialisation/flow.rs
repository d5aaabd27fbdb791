//! Where each instruction reads and writes, in one numbering of all registers.

use super::rules::Rule;
use crate::decode::{Program, Row};
use crate::exec::Slot;
use crate::observe::numbering::Numbering;

/// An instruction's registers, and how undefined bits spread through it.
#[derive(Debug, Clone, Copy)]
pub(in crate::observe) struct Flow {
    pub sources: [u32; 4],
    pub guard: u32,
    pub destination: u32,
    /// The condition code, if it is written too; else 0.
    pub carry: u32,
    pub rule: Rule,
    pub row: Option<&'static Row>,
}

/// The flow of every instruction. An instruction that is not a computation has only a guard here.
pub(in crate::observe) fn flows(program: &Program, numbering: Numbering) -> Vec<Flow> {
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
