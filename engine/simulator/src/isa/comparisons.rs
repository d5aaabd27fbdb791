//! Rows of comparisons: each comparison is compiled once, however its result is used.

use super::inst::{Class, Handler};
use super::regs::Slot;
use super::table::Row;

/// `setp` and `set` for one type: all comparisons, alone, combined with a predicate, and with a number as the result.
/// Each comparison is compiled once, by `$run` (`op` or `rare`, as for rows); the rows that combine it call it.
macro_rules! compare {
    ($run:ident, $rows:ident, $types:expr, $t:ty, $class:ident, $(($cmp:expr, $test:expr)),* $(,)?) => {$({
        #[inline(never)]
        fn holds(regs: &$crate::isa::Regs, inst: &$crate::isa::Inst, mask: u32) -> u32 {
            $crate::isa::comparisons::compared!($run, regs, inst, mask, |a: $t, b: $t| $test(&a, &b))
        }
        $rows.extend($crate::isa::comparisons::comparison(
            $cmp,
            $types,
            <$t as $crate::isa::Lane>::SLOT,
            $crate::isa::Class::$class,
            $crate::isa::comparisons::Comparison {
                alone: |regs, inst, mask| regs.put_bits(inst.d, holds(regs, inst, mask), mask),
                and: |regs, inst, mask| {
                    let bits = holds(regs, inst, mask) & regs.pred[inst.c as usize];
                    regs.put_bits(inst.d, bits, mask);
                },
                or: |regs, inst, mask| {
                    let bits = holds(regs, inst, mask) | regs.pred[inst.c as usize];
                    regs.put_bits(inst.d, bits, mask);
                },
                xor: |regs, inst, mask| {
                    let bits = holds(regs, inst, mask) ^ regs.pred[inst.c as usize];
                    regs.put_bits(inst.d, bits, mask);
                },
                all_ones: |regs, inst, mask| regs.put_truth(inst, mask, holds(regs, inst, mask), u32::MAX),
                one: |regs, inst, mask| {
                    regs.put_truth(inst, mask, holds(regs, inst, mask), 1f32.to_bits());
                },
            },
        ));
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
