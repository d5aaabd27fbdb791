//! Divisions of kernels, which a GPU carries out whatever the divisor: for an observer that looks for wrong values.

use crate::decode::Program;
use crate::isa::{Class, Regs, Slot, Successor, lanes};

/// What an instruction divides by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Divisor {
    /// Its column.
    register: u16,
    /// Whether it has 64 bits.
    wide: bool,
    /// Whether it is a floating-point number.
    pub float: bool,
}

/// The divisor of each instruction of a program that divides.
pub(crate) fn divisors(program: &Program) -> Vec<Option<Divisor>> {
    (0..program.code.len()).map(|at| divisor(program, at)).collect()
}

fn divisor(program: &Program, at: usize) -> Option<Divisor> {
    let (inst, row) = (&program.code[at], program.rows.get(at)?.as_ref()?);
    let float = row.forms.ends_with("f32") || row.forms.ends_with("f64");
    let source = match row.forms.split('.').next() {
        _ if inst.class == Class::IntDiv => 1,
        Some("div") if float => 1,
        Some("rcp") if float => 0,
        _ => return None,
    };
    if float && may_be_dropped(program, at) {
        return None;
    }
    let wide = row.ins.get(source) == Some(&Slot::R64);
    Some(Divisor { register: [inst.a, inst.b][source], wide, float })
}

/// Whether a `selp` may drop the result: a compiler also divides where the source tests the divisor first, if that does no harm.
fn may_be_dropped(program: &Program, at: usize) -> bool {
    let mut follow = vec![(program.rows[at].map(|row| row.out), program.code[at].d)];
    for (inst, row) in program.code.iter().zip(&program.rows).skip(at + 1) {
        if inst.action.successor() != Successor::Next {
            break;
        }
        let Some(row) = row else { continue };
        let sources = row.ins.iter().zip([inst.a, inst.b, inst.c, inst.e]);
        if sources.into_iter().any(|(slot, register)| follow.contains(&(Some(*slot), register))) {
            if row.forms.starts_with("selp") {
                return true;
            }
            follow.push((Some(row.out), inst.d));
        }
    }
    false
}

impl Divisor {
    /// The lanes among `active` that divide by zero.
    pub fn zeros(self, regs: &Regs, active: u32) -> u32 {
        let column = usize::from(self.register);
        // Minus zero is a zero, too.
        let sign = u32::from(self.float);
        let zero = |lane: usize| {
            if self.wide { regs.r64[column][lane] << sign == 0 } else { regs.r32[column][lane] << sign == 0 }
        };
        lanes(active).filter(|lane| zero(*lane)).fold(0, |mask, lane| mask | 1 << lane)
    }
}
