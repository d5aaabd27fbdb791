//! Rows of comparisons: each comparison is compiled once, however its result is used.

use super::inst::{Class, Handler, Inst};
use super::regs::{Regs, Slot};
use super::table::Row;

/// `setp` and `set` for one type: all comparisons, alone, combined with a predicate, and with a number as the result.
/// `$run` says how `setp` alone runs, `op` or `rare` as for rows; its combinations call it, and `set` goes lane by lane.
macro_rules! compare {
    ($run:ident, $rows:ident, $types:expr, $t:ty, $class:ident, $(($cmp:expr, $test:expr)),* $(,)?) => {$({
        fn alone(regs: &mut $crate::isa::Regs, inst: &$crate::isa::Inst, mask: u32) {
            let bits = $crate::isa::comparisons::compared!($run, regs, inst, mask, |a: $t, b: $t| $test(&a, &b));
            regs.put_bits(inst.d, bits, mask);
        }
        fn each(regs: &$crate::isa::Regs, inst: &$crate::isa::Inst, mask: u32) -> u32 {
            regs.test_each(inst, mask, |a: $t, b: $t| $test(&a, &b))
        }
        let slot = <$t as $crate::isa::Lane>::SLOT;
        let run = $crate::isa::comparisons::Comparison {
            alone,
            and: |regs, inst, mask| {
                $crate::isa::comparisons::combined(regs, inst, mask, alone, |bits, with| bits & with);
            },
            or: |regs, inst, mask| {
                $crate::isa::comparisons::combined(regs, inst, mask, alone, |bits, with| bits | with);
            },
            xor: |regs, inst, mask| {
                $crate::isa::comparisons::combined(regs, inst, mask, alone, |bits, with| bits ^ with);
            },
            all_ones: |regs, inst, mask| regs.put_truth(inst, mask, each(regs, inst, mask), u32::MAX),
            one: |regs, inst, mask| regs.put_truth(inst, mask, each(regs, inst, mask), 1f32.to_bits()),
        };
        let class = $crate::isa::Class::$class;
        $rows.extend($crate::isa::comparisons::comparison($cmp, $types, slot, class, run));
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

/// How to run a comparison, by what becomes of its result.
pub(super) struct Comparison {
    /// `setp`.
    pub alone: Handler,
    /// `setp` combined with a third predicate.
    pub and: Handler,
    pub or: Handler,
    pub xor: Handler,
    /// `set` to all ones.
    pub all_ones: Handler,
    /// `set` to 1.0.
    pub one: Handler,
}

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

/// The rows of one comparison of two operands of `types`, which lie in `slot`.
pub(super) fn comparison(cmp: &str, types: &str, slot: Slot, class: Class, run: Comparison) -> [Row; 6] {
    let pair: &'static [Slot] = match slot {
        Slot::R32 => &[Slot::R32; 2],
        Slot::R64 => &[Slot::R64; 2],
        Slot::Pred => &[Slot::Pred; 2],
    };
    let with_predicate: &'static [Slot] = match slot {
        Slot::R32 => &[Slot::R32, Slot::R32, Slot::Pred],
        Slot::R64 => &[Slot::R64, Slot::R64, Slot::Pred],
        Slot::Pred => &[Slot::Pred; 3],
    };
    let row = |forms, out, ins, run| Row { forms, out, ins, class, run, carries: false };
    [
        row(format!("setp.{cmp}.{types}"), Slot::Pred, pair, run.alone),
        row(format!("setp.{cmp}.and.{types}"), Slot::Pred, with_predicate, run.and),
        row(format!("setp.{cmp}.or.{types}"), Slot::Pred, with_predicate, run.or),
        row(format!("setp.{cmp}.xor.{types}"), Slot::Pred, with_predicate, run.xor),
        row(format!("set.{cmp}.{{u32,s32}}.{types}"), Slot::R32, pair, run.all_ones),
        row(format!("set.{cmp}.f32.{types}"), Slot::R32, pair, run.one),
    ]
}
