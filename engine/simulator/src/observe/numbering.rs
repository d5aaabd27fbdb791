//! One numbering of all registers of a program, whatever their file.

use crate::decode::{FunctionRange, Program};
use crate::exec::Slot;

/// Numbers of registers over all files; 0 is none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbering {
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

    /// The numbers of all registers of a function.
    pub fn all(self, program: &Program, function: &FunctionRange) -> impl Iterator<Item = u32> + use<> {
        let preds = self.r64 + program.r64;
        let r32 = function.r32.clone().map(move |register| register + self.r32);
        let r64 = function.r64.clone().map(move |register| register + self.r64);
        r32.chain(r64).chain(function.preds.clone().map(move |p| p + preds)).map(|number| number as u32)
    }
}
