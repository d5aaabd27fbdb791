//! Atomic operations, lane by lane in lane order.

use super::access::{Group, addresses, approach, groups, watch};
use super::fault::{AccessKind, Fault};
use super::regs::lanes;
use super::regs::{BIT, LANES, blend};
use super::run::Environment;
use super::warp::Warp;
use crate::decode::{Access, AtomicOp, AtomicType, Inst, Where, canonical, flush, nan64, short_sum};
use crate::memory::{Located, read_word, write_word};
use crate::observe::Observer;
use crate::ptx::ast::Space;

/// The new value of an atomic's cell. `swap` is the third operand of a compare-and-swap, whose `value` is
/// what it compares with. All words are zero-extended.
pub(crate) fn apply_atomic(op: AtomicOp, ty: AtomicType, old: u64, value: u64, swap: u64) -> u64 {
    let (old32, value32) = (old as u32, value as u32);
    match (op, ty) {
        (AtomicOp::Add, AtomicType::F32) => {
            u64::from(canonical(f32::from_bits(old32) + f32::from_bits(value32)).to_bits())
        }
        (AtomicOp::Add, AtomicType::F16 | AtomicType::F16x2) => u64::from(short_sum(old32, value32, false)),
        (AtomicOp::Add, AtomicType::Bf16 | AtomicType::Bf16x2) => u64::from(short_sum(old32, value32, true)),
        (AtomicOp::Add, AtomicType::F64) => {
            let (a, b) = (f64::from_bits(old), f64::from_bits(value));
            nan64([a, b], a + b).to_bits()
        }
        (AtomicOp::Add, AtomicType::U64 | AtomicType::S64) => old.wrapping_add(value),
        (AtomicOp::Add, _) => u64::from(old32.wrapping_add(value32)),
        (AtomicOp::Min, AtomicType::S32) => u64::from((old32 as i32).min(value32 as i32) as u32),
        (AtomicOp::Max, AtomicType::S32) => u64::from((old32 as i32).max(value32 as i32) as u32),
        (AtomicOp::Min, AtomicType::S64) => (old as i64).min(value as i64) as u64,
        (AtomicOp::Max, AtomicType::S64) => (old as i64).max(value as i64) as u64,
        (AtomicOp::Min, _) => old.min(value),
        (AtomicOp::Max, _) => old.max(value),
        (AtomicOp::And, _) => old & value,
        (AtomicOp::Or, _) => old | value,
        (AtomicOp::Xor, _) => old ^ value,
        // Counts up to `value`, then starts at 0.
        (AtomicOp::Inc, _) => u64::from(if old32 >= value32 { 0 } else { old32 + 1 }),
        // Counts down from `value`.
        (AtomicOp::Dec, _) => u64::from(if old32 == 0 || old32 > value32 { value32 } else { old32 - 1 }),
        (AtomicOp::Exch, _) => value,
        (AtomicOp::Cas, _) => {
            if old == value {
                swap
            } else {
                old
            }
        }
    }
}

/// `atom.add.f32` in global memory: subnormal numbers are zero before and after, whatever the compiler's options; in
/// shared memory they are kept (found by experiment: NVIDIA's developer forum, thread 31531).
fn add_flushing(old: u64, value: u64) -> u64 {
    let number = |word: u64| flush(f32::from_bits(word as u32));
    u64::from(flush(canonical(number(old) + number(value))).to_bits())
}

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
