//! Which registers an instruction reads, and which it writes.

use crate::decode::{Access, Action, AtomicOp, Inst, Program, VoteMode};
use crate::exec::Slot;
use crate::isa::actions;

type Registers = Vec<(Slot, u16)>;

fn wide(wide: bool) -> Slot {
    if wide { Slot::R64 } else { Slot::R32 }
}

/// The registers of an access's data.
fn data(program: &Program, access: &Access, scalar: u16) -> Registers {
    let slot = wide(access.wide);
    match access.vector {
        1 => vec![(slot, scalar)],
        count => {
            let list = &program.lists[access.list as usize..][..usize::from(count)];
            list.iter().map(|&register| (slot, register)).collect()
        }
    }
}

/// What an instruction reads, its guard excepted, and what it writes.
pub(in crate::model::count) fn operands(program: &Program, inst: &Inst, pc: usize) -> (Registers, Registers) {
    let Inst { a, b, c, d, e, .. } = *inst;
    let words = |registers: &[u16]| registers.iter().map(|&register| (Slot::R32, register)).collect();
    match inst.action {
        Action::Compute(_) | Action::Checked(..) => {
            let Some(row) = program.rows.get(pc).copied().flatten() else { return Default::default() };
            let sources = row.ins.iter().copied().zip([a, b, c, e]).collect();
            let carry = row.carries.then_some((Slot::Pred, e));
            (sources, [(row.out, d)].into_iter().chain(carry).collect())
        }
        Action::Load(access) => (vec![(wide(access.wide_address), a)], data(program, &access, d)),
        Action::Store(access) => {
            let mut sources = data(program, &access, b);
            sources.push((wide(access.wide_address), a));
            (sources, Vec::new())
        }
        Action::Atomic { access, op, quiet, .. } => {
            let slot = wide(access.wide);
            let mut sources = vec![(wide(access.wide_address), a), (slot, b)];
            sources.extend((op == AtomicOp::Cas).then_some((slot, c)));
            (sources, if quiet { Vec::new() } else { vec![(slot, d)] })
        }
        Action::Texture(fetch) => {
            let (results, place) =
                program.lists[fetch.list as usize..][..4 + usize::from(fetch.axes)].split_at(4);
            let mut sources: Registers = words(place);
            sources.push((Slot::R64, a));
            (sources, words(results))
        }
        Action::Surface(what) => {
            let place = [(Slot::R64, a), (Slot::R32, c), (Slot::R32, e)];
            let mut sources = place[..=usize::from(what.axes)].to_vec();
            if what.store {
                sources.extend(data(program, &what.access, b));
                return (sources, Vec::new());
            }
            (sources, data(program, &what.access, d))
        }
        Action::BranchTable { .. } | Action::WarpBarrier => (words(&[a]), Vec::new()),
        Action::Barrier { counted, .. } => (words(&[a, b][..=usize::from(counted)]), Vec::new()),
        Action::BarrierReduce { popc, .. } => {
            (vec![(Slot::Pred, c)], vec![(if popc { Slot::R32 } else { Slot::Pred }, d)])
        }
        Action::Shuffle { predicate, .. } => (words(&[a, b, c, e]), result(d, predicate)),
        Action::Vote { mode, .. } => {
            let slot = if mode == VoteMode::Ballot { Slot::R32 } else { Slot::Pred };
            (vec![(Slot::Pred, a), (Slot::R32, b)], vec![(slot, d)])
        }
        Action::Match { wide: long, predicate, .. } => {
            (vec![(wide(long), a), (Slot::R32, b)], result(d, predicate))
        }
        Action::Reduce(_) => (words(&[a, b]), words(&[d])),
        Action::Elect { predicate } => (words(&[b]), result(d, Some(predicate))),
        Action::ActiveMask => (Vec::new(), words(&[d])),
        Action::Clock { wide: long } => (Vec::new(), vec![(wide(long), d)]),
        Action::IsSpace(_) => (vec![(Slot::R64, a)], vec![(Slot::Pred, d)]),
        Action::ToGeneric { wide: long, .. } | Action::FromGeneric { wide: long, .. } => {
            (vec![(wide(long), a)], vec![(wide(long), d)])
        }
        Action::Branch { .. } | Action::Call(_) | Action::GridBarrier | actions!(ends | waits) => {
            Default::default()
        }
    }
}

/// A word, and a predicate if there is one.
fn result(word: u16, predicate: Option<u16>) -> Registers {
    let predicate = predicate.map(|predicate| (Slot::Pred, predicate));
    [(Slot::R32, word)].into_iter().chain(predicate).collect()
}
