//! The table of computing instructions: spelling, operand types, cost class, meaning, in one row each.
//!
//! It drives decoding, execution and the timing model's classes, and is the list of what is supported.
//! Instructions that touch memory, control flow or other lanes are in [`super::special`].

use std::collections::HashMap;
use std::sync::OnceLock;

use super::inst::{Class, Handler};
use super::regs::Slot;
use super::{bits, carry, convert, double, float, half, integer, video};

/// One row, a constant: the table takes no code to build. A pattern such as `add{,.rn}.{u32,s32}` stands for all its expansions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// Spellings.
    pub forms: &'static str,
    /// File of the destination.
    pub out: Slot,
    /// Files of the sources.
    pub ins: &'static [Slot],
    /// Cost class.
    pub class: Class,
    /// Meaning.
    pub run: Handler,
    /// It writes the condition code too, through the fourth source.
    pub carries: bool,
}

/// A row that runs all lanes in one loop, which the compiler turns into vector instructions:
/// `op!("not.b32", Logic, |a: u32| -> u32 { !a })`. Such a loop is some kilobytes of machine code, so it is only for
/// instructions that compilers emit for ordinary kernels.
macro_rules! op {
    ($($row:tt)*) => { $crate::isa::table::typed_row!(map1 map2 map3 map4, $($row)*) };
}
pub(crate) use op;

/// A row written as for [`op!`] whose last source is nearly always the same in all lanes: the distance of a
/// shift, the selector of a permutation. One loop then does without it; other warps go lane by lane.
macro_rules! alike {
    ($($row:tt)*) => { $crate::isa::table::typed_row!(map1 alike2 alike3 alike4, $($row)*) };
}
pub(crate) use alike;

/// A row written as for [`op!`] that calls its expression once per lane: slower to run, and much faster to compile. For
/// rare instructions, and for those that spend their time in a function anyway.
macro_rules! rare {
    ($($row:tt)*) => { $crate::isa::table::typed_row!(each1 each2 each3 each4, $($row)*) };
}
pub(crate) use rare;

/// A row from a spelling and a typed expression, run by one of these methods of [`crate::isa::Regs`].
macro_rules! typed_row {
    ($one:ident $two:ident $three:ident $four:ident,
     $forms:expr, $class:ident, |$a:ident: $ta:ty| -> $td:ty $body:block) => {
        const {
            $crate::isa::table::Row {
                forms: $forms,
                out: <$td as $crate::isa::Lane>::SLOT,
                ins: &[<$ta as $crate::isa::Lane>::SLOT],
                class: $crate::isa::Class::$class,
                run: |regs, inst, mask| regs.$one::<$ta, $td>(inst, mask, |$a| $body),
                carries: false,
            }
        }
    };
    ($one:ident $two:ident $three:ident $four:ident,
     $forms:expr, $class:ident, |$a:ident: $ta:ty, $b:ident: $tb:ty| -> $td:ty $body:block) => {
        const {
            $crate::isa::table::Row {
                forms: $forms,
                out: <$td as $crate::isa::Lane>::SLOT,
                ins: &[<$ta as $crate::isa::Lane>::SLOT, <$tb as $crate::isa::Lane>::SLOT],
                class: $crate::isa::Class::$class,
                run: |regs, inst, mask| regs.$two::<$ta, $tb, $td>(inst, mask, |$a, $b| $body),
                carries: false,
            }
        }
    };
    ($one:ident $two:ident $three:ident $four:ident,
     $forms:expr, $class:ident, |$a:ident: $ta:ty, $b:ident: $tb:ty, $c:ident: $tc:ty| -> $td:ty $body:block) => {
        const {
            $crate::isa::table::Row {
                forms: $forms,
                out: <$td as $crate::isa::Lane>::SLOT,
                ins: &[
                    <$ta as $crate::isa::Lane>::SLOT,
                    <$tb as $crate::isa::Lane>::SLOT,
                    <$tc as $crate::isa::Lane>::SLOT,
                ],
                class: $crate::isa::Class::$class,
                run: |regs, inst, mask| regs.$three::<$ta, $tb, $tc, $td>(inst, mask, |$a, $b, $c| $body),
                carries: false,
            }
        }
    };
    ($one:ident $two:ident $three:ident $four:ident,
     $forms:expr, $class:ident,
     |$a:ident: $ta:ty, $b:ident: $tb:ty, $c:ident: $tc:ty, $e:ident: $te:ty| -> $td:ty $body:block) => {
        const {
            $crate::isa::table::Row {
                forms: $forms,
                out: <$td as $crate::isa::Lane>::SLOT,
                ins: &[
                    <$ta as $crate::isa::Lane>::SLOT,
                    <$tb as $crate::isa::Lane>::SLOT,
                    <$tc as $crate::isa::Lane>::SLOT,
                    <$te as $crate::isa::Lane>::SLOT,
                ],
                class: $crate::isa::Class::$class,
                run: |regs, inst, mask| {
                    regs.$four::<$ta, $tb, $tc, $te, $td>(inst, mask, |$a, $b, $c, $e| $body);
                },
                carries: false,
            }
        }
    };
}
pub(crate) use typed_row;

/// A row whose operands are all predicates, given by what it does to lane masks: `mask_op!("not.pred", |a| !a)`.
macro_rules! mask_op {
    ($forms:expr, $class:ident, |$a:ident| $body:expr) => {
        const {
            $crate::isa::table::Row {
                forms: $forms,
                out: $crate::isa::Slot::Pred,
                ins: &[$crate::isa::Slot::Pred],
                class: $crate::isa::Class::$class,
                run: |regs, inst, mask| {
                    let $a = regs.pred[inst.a as usize];
                    regs.put_bits(inst.d, $body, mask);
                },
                carries: false,
            }
        }
    };
    ($forms:expr, $class:ident, |$a:ident, $b:ident| $body:expr) => {
        const {
            $crate::isa::table::Row {
                forms: $forms,
                out: $crate::isa::Slot::Pred,
                ins: &[$crate::isa::Slot::Pred, $crate::isa::Slot::Pred],
                class: $crate::isa::Class::$class,
                run: |regs, inst, mask| {
                    let ($a, $b) = (regs.pred[inst.a as usize], regs.pred[inst.b as usize]);
                    regs.put_bits(inst.d, $body, mask);
                },
                carries: false,
            }
        }
    };
}
pub(crate) use mask_op;

/// The row of a spelling such as `mad.lo.s32`.
pub(crate) fn row(spelling: &str) -> Option<&'static Row> {
    static TABLE: OnceLock<(Vec<Row>, HashMap<String, usize>)> = OnceLock::new();
    let (rows, index) = TABLE.get_or_init(|| {
        let rows = all();
        let mut index = HashMap::new();
        for (number, row) in rows.iter().enumerate() {
            for form in expand(row.forms) {
                index.insert(form, number);
            }
        }
        (rows, index)
    });
    index.get(spelling).map(|&number| &rows[number])
}

/// The whole table.
pub(super) fn all() -> Vec<Row> {
    let mut rows = integer::rows();
    rows.extend(integer::compare_rows());
    rows.extend(float::rows());
    rows.extend(convert::rows());
    rows.extend(bits::rows());
    rows.extend(video::rows());
    rows.extend(carry::rows());
    rows.extend(double::rows());
    rows.extend(half::rows());
    rows.extend(half::convert_rows());
    rows
}

/// All spellings of a pattern: `a{x,y}` gives `ax` and `ay`. Braces do not nest.
pub(super) fn expand(pattern: &str) -> Vec<String> {
    let Some(open) = pattern.find('{') else { return vec![pattern.to_owned()] };
    let close = open + pattern[open..].find('}').expect("a pattern closes its braces");
    let tails = expand(&pattern[close + 1..]);
    pattern[open + 1..close]
        .split(',')
        .flat_map(|choice| tails.iter().map(move |tail| (choice, tail)))
        .map(|(choice, tail)| format!("{}{choice}{tail}", &pattern[..open]))
        .collect()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn patterns_expand_in_order() {
        assert_eq!(expand("a{,.b}.{c,d}"), ["a.c", "a.d", "a.b.c", "a.b.d"]);
        assert_eq!(expand("plain"), ["plain"]);
    }

    #[test]
    fn no_two_rows_share_a_spelling() {
        let mut seen = std::collections::HashSet::new();
        for row in &all() {
            for form in expand(row.forms) {
                assert!(seen.insert(form.clone()), "`{form}` stands in two rows");
            }
        }
    }
}
