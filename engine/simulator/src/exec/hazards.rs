//! Arithmetic that a GPU carries out and a CPU does not: there, dividing integers by zero ends the program, and C++ leaves open
//! which integer a NaN becomes. Programs of the host function are checked for it, kernels are not.

use super::fault::{Fault, FaultKind, Remark};
use super::observer::Observer;
use super::run::{Environment, fault};
use super::warp::Warp;
use crate::decode::{Action, Inst, Program};
use crate::isa::{Class, Handler, Hazard, Regs, Slot};

/// Lets the host function's program look for hazards before it computes.
pub(crate) fn look_out(program: &mut Program) {
    for (inst, row) in program.code.iter_mut().zip(&program.rows) {
        let (Action::Compute(run), Some(row)) = (inst.action, row) else { continue };
        let wide = |source: usize| row.ins.get(source) == Some(&Slot::R64);
        let parts = || row.forms.split('.');
        let rounds = || parts().nth(1).is_some_and(|how| how.starts_with('r') && how.contains('i'));
        let float = |part: &str| ["f32", "f64"].contains(&part);
        // The operand's type comes last, before it the result's.
        let types = || row.forms.rsplit('.');
        let to_integer =
            || rounds() && types().next().is_some_and(float) && !types().nth(1).is_some_and(float);
        let hazard = match inst.class {
            Class::IntDiv => Hazard::ZeroDivisor { wide: wide(1) },
            Class::Convert if to_integer() => Hazard::NotANumber { wide: wide(0) },
            _ => continue,
        };
        inst.action = Action::Checked(run, hazard);
    }
}

/// Computes, unless a CPU would end the program. The warp's first path stands at the instruction: a host function has no other.
pub(super) fn compute<O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
    observer: &mut O,
    (run, hazard): (Handler, Hazard),
    inst: &Inst,
    active: u32,
) -> Result<(), Fault> {
    let pc = warp.paths[0].pc;
    if hazard.is_met(&warp.regs, inst) {
        if matches!(hazard, Hazard::ZeroDivisor { .. }) {
            return Err(fault(warp, pc, active, FaultKind::DividedByZero));
        }
        let remark = (Remark::NotANumber { pc }, warp.index, 0);
        if !env.remarks.contains(&remark) {
            env.remarks.push(remark);
        }
    }
    if O::REGISTERS {
        observer.compute(warp, inst, pc, warp.paths[0].mask, active);
    }
    run(&mut warp.regs, inst, active);
    Ok(())
}

impl Hazard {
    /// Whether it is there. The host function has one thread.
    fn is_met(self, regs: &Regs, inst: &Inst) -> bool {
        match self {
            Self::ZeroDivisor { wide: true } => regs.r64[usize::from(inst.b)][0] == 0,
            Self::ZeroDivisor { wide: false } => regs.r32[usize::from(inst.b)][0] == 0,
            Self::NotANumber { wide: true } => f64::from_bits(regs.r64[usize::from(inst.a)][0]).is_nan(),
            Self::NotANumber { wide: false } => f32::from_bits(regs.r32[usize::from(inst.a)][0]).is_nan(),
        }
    }
}
