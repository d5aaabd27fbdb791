//! Rows of comparisons: each comparison is compiled once, however its result is used.

use super::inst::{Class, Handler, Inst};
use super::regs::{Regs, Slot};
use super::table::Row;

/// `setp` and `set` for one type: all comparisons, alone, combined with a predicate, and with a number as the result.
/// `$run` says how `setp` alone runs, `op` or `rare` as for rows; its combinations call it, and `set` goes lane by lane.
/// `$ftz` is what stands between the comparison and the types.
macro_rules! compare {
    ($run:ident, $rows:ident, $ftz:literal, $types:expr, $t:ty, $class:ident,
     $(($cmp:expr, $test:expr)),* $(,)?) => {$({
        fn alone(regs: &mut $crate::isa::Regs, inst: &$crate::isa::Inst, mask: u32) {
            let bits = $crate::isa::comparisons::compared!($run, regs, inst, mask, |a: $t, b: $t| $test(&a, &b));
            regs.put_bits(inst.d, bits, mask);
        }
        fn each(regs: &$crate::isa::Regs, inst: &$crate::isa::Inst, mask: u32) -> u32 {
            regs.test_each(inst, mask, |a: $t, b: $t| $test(&a, &b))
        }
        const ROWS: [$crate::isa::Row; 6] = {
            use $crate::isa::comparisons::{combined, row};
            use $crate::isa::{Class, Lane, Slot};
            const SLOT: Slot = <$t as Lane>::SLOT;
            const CLASS: Class = Class::$class;
            [
                row(concat!("setp.", $cmp, $ftz, ".", $types), Slot::Pred, &[SLOT; 2], CLASS, alone),
                row(concat!("setp.", $cmp, ".and", $ftz, ".", $types), Slot::Pred, &[SLOT, SLOT, Slot::Pred], CLASS,
                    |regs, inst, mask| combined(regs, inst, mask, alone, |bits, with| bits & with)),
                row(concat!("setp.", $cmp, ".or", $ftz, ".", $types), Slot::Pred, &[SLOT, SLOT, Slot::Pred], CLASS,
                    |regs, inst, mask| combined(regs, inst, mask, alone, |bits, with| bits | with)),
                row(concat!("setp.", $cmp, ".xor", $ftz, ".", $types), Slot::Pred, &[SLOT, SLOT, Slot::Pred], CLASS,
                    |regs, inst, mask| combined(regs, inst, mask, alone, |bits, with| bits ^ with)),
                row(concat!("set.", $cmp, $ftz, ".{u32,s32}.", $types), Slot::R32, &[SLOT; 2], CLASS,
                    |regs, inst, mask| regs.put_truth(inst, mask, each(regs, inst, mask), u32::MAX)),
                row(concat!("set.", $cmp, $ftz, ".f32.", $types), Slot::R32, &[SLOT; 2], CLASS,
                    |regs, inst, mask| regs.put_truth(inst, mask, each(regs, inst, mask), 1f32.to_bits())),
            ]
        };
        $rows.extend_from_slice(&ROWS);
    })*};
}
pub(super) use compare;

/// The lanes of a mask in which a comparison holds: all lanes in one loop, or one lane after another.
macro_rules! compared {
    (op, $regs:ident, $inst:ident, $mask:ident, $test:expr) => {{
        let _ = $mask;
        $regs.test($inst, $test)
    }};
    (rare, $regs:ident, $inst:ident, $mask:ident, $test:expr) => {
        $regs.test_each($inst, $mask, $test)
    };
}
pub(super) use compared;

/// A comparison combined with its third predicate.
pub(super) fn combined(
    regs: &mut Regs,
    inst: &Inst,
    mask: u32,
    alone: Handler,
    combine: fn(u32, u32) -> u32,
) {
    // The result may replace the predicate.
    let with = regs.pred[inst.c as usize];
    alone(regs, inst, mask);
    regs.put_bits(inst.d, combine(regs.pred[inst.d as usize], with), mask);
}

/// A row of a comparison.
pub(super) const fn row(
    forms: &'static str,
    out: Slot,
    ins: &'static [Slot],
    class: Class,
    run: Handler,
) -> Row {
    Row { forms, out, ins, class, run, carries: false }
}
