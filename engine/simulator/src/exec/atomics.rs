//! Atomic operations, lane by lane in lane order.

use super::access::{Group, addresses, approach, groups, watch};
use super::fault::Fault;
use super::observer::Observer;
use super::pending::remark_on_use;
use super::run::Environment;
use super::warp::Warp;
use crate::isa::AccessKind;
use crate::isa::lanes;
use crate::isa::{Access, AtomicOp, AtomicType, Inst, Where, add_flushing, apply_atomic};
use crate::isa::{BIT, LANES, blend};
use crate::memory::{Located, read_word, write_word};
use crate::ptx::ast::Space;

/// Carries out an `atom` or `red`.
#[expect(clippy::too_many_arguments, reason = "one instruction's particulars, taken apart by the caller")]
pub(super) fn atomic<O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
    observer: &mut O,
    inst: &Inst,
    access: &Access,
    (op, ty): (AtomicOp, AtomicType),
    quiet: bool,
    mask: u32,
    pc: u32,
) -> Result<(), Fault> {
    let particulars = (op, ty, quiet);
    if let Where::In(space) = access.space {
        let group = Group { space, mask, addresses: addresses(&warp.regs, inst, access) };
        return atomic_group(warp, env, observer, inst, access, particulars, &group, pc);
    }
    for group in groups(&warp.regs, inst, access, mask, env.layout) {
        atomic_group(warp, env, observer, inst, access, particulars, &group, pc)?;
    }
    Ok(())
}

#[expect(clippy::too_many_arguments, reason = "one instruction's particulars, taken apart by the caller")]
fn atomic_group<O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
    observer: &mut O,
    inst: &Inst,
    access: &Access,
    (op, ty, quiet): (AtomicOp, AtomicType, bool),
    group: &Group,
    pc: u32,
) -> Result<(), Fault> {
    let width = ty.bytes();
    let located = approach(warp, env, group, width as u64, AccessKind::Atomic, pc)?;
    if !env.pending.is_empty() && group.space == Space::Shared {
        remark_on_use(warp, env, &group.addresses, group.mask, width as u64, pc);
    }
    watch(observer, warp, env, inst, access, located, pc, group, (width as u64, AccessKind::Atomic));
    update(warp, env, inst, access, (op, ty, quiet), group, located);
    Ok(())
}

/// Changes the cells of the lanes; the access has been checked.
fn update(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
    inst: &Inst,
    access: &Access,
    (op, ty, quiet): (AtomicOp, AtomicType, bool),
    group: &Group,
    located: Option<Located>,
) {
    if let (Space::Shared, AtomicOp::Add, AtomicType::U32 | AtomicType::S32) = (group.space, op, ty) {
        add_in_shared(warp, env.shared, inst, group, quiet);
        return;
    }
    let width = ty.bytes();
    for lane in lanes(group.mask) {
        let read = |register: u16| {
            if access.wide {
                warp.regs.r64[register as usize][lane]
            } else {
                u64::from(warp.regs.r32[register as usize][lane])
            }
        };
        let (value, swap) = (read(inst.b), read(inst.c));
        let address = group.addresses[lane];
        let new = |old| match (group.space, op, ty) {
            (Space::Global, AtomicOp::Add, AtomicType::F32) => add_flushing(old, value),
            _ => apply_atomic(op, ty, old, value, swap),
        };
        let old = match located {
            Some(located) if env.view.exclusive() => env.view.update(located, address, width, new),
            Some(located) => {
                // Programs that need the old value run with an exclusive view.
                env.view.contribute(located, address, width, (op, ty), new);
                continue;
            }
            None if group.space == Space::Shared => in_bytes(env.shared, address, width, new),
            None => in_bytes(warp.local_of_mut(lane), address, width, new),
        };
        if !quiet {
            if access.wide {
                warp.regs.r64[inst.d as usize][lane] = old;
            } else {
                warp.regs.r32[inst.d as usize][lane] = old as u32;
            }
        }
    }
}

/// The most common atomic by far, of every histogram: as below, without asking each lane what to do.
fn add_in_shared(warp: &mut Warp, shared: &mut [u8], inst: &Inst, group: &Group, quiet: bool) {
    let values = warp.regs.r32[inst.b as usize];
    let mut before = [0; LANES];
    for lane in 0..LANES {
        if group.mask & BIT[lane] != 0 {
            let start = group.addresses[lane] as usize;
            let cell: &mut [u8; 4] = (&mut shared[start..start + 4]).try_into().expect("4 bytes");
            before[lane] = u32::from_le_bytes(*cell);
            *cell = before[lane].wrapping_add(values[lane]).to_le_bytes();
        }
    }
    if !quiet {
        blend(&mut warp.regs.r32[inst.d as usize], &before, group.mask);
    }
}

fn in_bytes(bytes: &mut [u8], address: u64, width: usize, f: impl FnOnce(u64) -> u64) -> u64 {
    let cell = &mut bytes[address as usize..address as usize + width];
    let old = read_word(cell);
    write_word(cell, f(old));
    old
}
