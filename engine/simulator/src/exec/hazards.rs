//! Arithmetic that a GPU carries out and a CPU does not: there, dividing integers by zero ends the program, and C++ leaves open
//! which integer a NaN becomes. Programs of the host function are checked for it, kernels are not.

use crate::decode::{Action, Inst, Program};
use crate::isa::{Class, Hazard, Regs, Slot};

/// Lets the host function's program look for hazards before it computes.
pub(crate) fn look_out(program: &mut Program) {
    for (inst, row) in program.code.iter_mut().zip(&program.rows) {
        let (Action::Compute(run), Some(row)) = (inst.action, row) else { continue };
        let wide = |source: usize| row.ins.get(source) == Some(&Slot::R64);
        let to_integer = || {
            let form = row.forms;
            form.starts_with("cvt.r")
                && form.contains('i')
                && (form.ends_with(".f32") || form.ends_with(".f64"))
        };
        let hazard = match inst.class {
            Class::IntDiv => Hazard::ZeroDivisor { wide: wide(1) },
            Class::Convert if to_integer() => Hazard::NotANumber { wide: wide(0) },
            _ => continue,
        };
        inst.action = Action::Checked(run, hazard);
    }
}

impl Hazard {
    /// Whether it is there. The host function has one thread.
    pub fn is_met(self, regs: &Regs, inst: &Inst) -> bool {
        match self {
            Self::ZeroDivisor { wide: true } => regs.r64[usize::from(inst.b)][0] == 0,
            Self::ZeroDivisor { wide: false } => regs.r32[usize::from(inst.b)][0] == 0,
            Self::NotANumber { wide: true } => f64::from_bits(regs.r64[usize::from(inst.a)][0]).is_nan(),
            Self::NotANumber { wide: false } => f32::from_bits(regs.r32[usize::from(inst.a)][0]).is_nan(),
        }
    }
}
