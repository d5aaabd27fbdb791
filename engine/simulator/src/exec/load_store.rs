//! Loads and stores of a warp: the bytes themselves.

use super::access::{Group, addresses, aligned, check, groups, watch, writable};
use super::fault::{AccessKind, Fault};
use super::lanes::lanes;
use super::regs::{LANES, Regs, blend};
use super::run::Environment;
use super::warp::Warp;
use crate::decode::{Access, Inst, Where};
use crate::memory::{Located, pick, span};
use crate::observe::Observer;
use crate::ptx::ast::Space;

/// Memory to registers.
pub(super) fn load<O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_, O>,
    inst: &Inst,
    access: &Access,
    mask: u32,
    pc: u32,
) -> Result<(), Fault> {
    match access.width {
        1 => load_wide::<1, O>(warp, env, inst, access, mask, pc),
        2 => load_wide::<2, O>(warp, env, inst, access, mask, pc),
        4 => load_wide::<4, O>(warp, env, inst, access, mask, pc),
        _ => load_wide::<8, O>(warp, env, inst, access, mask, pc),
    }
}

/// Registers to memory.
pub(super) fn store<O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_, O>,
    inst: &Inst,
    access: &Access,
    mask: u32,
    pc: u32,
) -> Result<(), Fault> {
    match access.width {
        1 => store_wide::<1, O>(warp, env, inst, access, mask, pc),
        2 => store_wide::<2, O>(warp, env, inst, access, mask, pc),
        4 => store_wide::<4, O>(warp, env, inst, access, mask, pc),
        _ => store_wide::<8, O>(warp, env, inst, access, mask, pc),
    }
}

/// The data register of a vector's element.
fn data_register(env_lists: &[u16], access: &Access, scalar: u16, element: usize) -> u16 {
    if access.vector == 1 { scalar } else { env_lists[access.list as usize + element] }
}

fn load_wide<const W: usize, O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_, O>,
    inst: &Inst,
    access: &Access,
    mask: u32,
    pc: u32,
) -> Result<(), Fault> {
    if let Where::In(space) = access.space {
        let group = Group { space, mask, addresses: addresses(&warp.regs, inst, access) };
        return load_group::<W, O>(warp, env, inst, access, &group, pc);
    }
    for group in groups(&warp.regs, inst, access, mask, env.layout) {
        load_group::<W, O>(warp, env, inst, access, &group, pc)?;
    }
    Ok(())
}

#[inline(always)]
fn load_group<const W: usize, O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_, O>,
    inst: &Inst,
    access: &Access,
    group: &Group,
    pc: u32,
) -> Result<(), Fault> {
    let bytes = W as u64 * u64::from(access.vector);
    if bytes > 1 {
        aligned(warp, group, bytes, AccessKind::Read, pc)?;
    }
    let place = check(warp, env, group, bytes, AccessKind::Read, pc)?;
    watch(warp, env, inst, access, place, pc, group, (bytes, AccessKind::Read));
    for element in 0..usize::from(access.vector) {
        let values = fetch::<W, O>(warp, env, group, place, element * W);
        let register = data_register(&env.program.lists, access, inst.d, element);
        put_loaded::<W>(&mut warp.regs, register, access, &values, group.mask);
    }
    Ok(())
}

/// The bytes of element `skip / W` of each lane; the access has been checked.
fn fetch<const W: usize, O: Observer>(
    warp: &Warp,
    env: &mut Environment<'_, '_, O>,
    group: &Group,
    located: Option<Located>,
    skip: usize,
) -> [[u8; W]; LANES] {
    if let Some(located) = located {
        if skip == 0 {
            return env.view.gather::<W>(located, &group.addresses, group.mask);
        }
        let addresses = group.addresses.map(|address| address.wrapping_add(skip as u64));
        return env.view.gather::<W>(located.skip(skip), &addresses, group.mask);
    }
    if group.space != Space::Local
        && let Some(span) = span(&group.addresses, group.mask, 0)
    {
        let source = if group.space == Space::Shared { &*env.shared } else { env.parameters };
        let bytes = &source[span.low + skip..span.high + skip + W];
        return pick::<W>(bytes, &group.addresses, group.mask, span.low as u64);
    }
    let mut out = [[0; W]; LANES];
    for lane in lanes(group.mask) {
        let start = group.addresses[lane] as usize + skip;
        let source = match group.space {
            Space::Shared => &*env.shared,
            Space::Local => warp.local_of(lane),
            _ => env.parameters,
        };
        out[lane] = source[start..start + W].try_into().expect("the access was checked");
    }
    out
}

/// Loaded bytes to a register, extended to its width.
fn put_loaded<const W: usize>(
    regs: &mut Regs,
    register: u16,
    access: &Access,
    values: &[[u8; W]; LANES],
    mask: u32,
) {
    if access.wide {
        let mut words = [0; LANES];
        for lane in 0..LANES {
            words[lane] = extend(&values[lane], access.signed);
        }
        blend(&mut regs.r64[register as usize], &words, mask);
    } else {
        let mut words = [0; LANES];
        if access.signed {
            for lane in 0..LANES {
                words[lane] = extend(&values[lane], true) as u32;
            }
        } else {
            for lane in 0..LANES {
                words[lane] = extend(&values[lane], false) as u32;
            }
        }
        blend(&mut regs.r32[register as usize], &words, mask);
    }
}

/// A loaded element as a word: zero- or sign-extended.
#[inline(always)]
fn extend<const W: usize>(bytes: &[u8; W], signed: bool) -> u64 {
    let mut word = [0; 8];
    word[..W].copy_from_slice(bytes);
    let unused = 64 - 8 * W as u32;
    let word = u64::from_le_bytes(word);
    if signed { ((word << unused) as i64 >> unused) as u64 } else { word }
}

fn store_wide<const W: usize, O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_, O>,
    inst: &Inst,
    access: &Access,
    mask: u32,
    pc: u32,
) -> Result<(), Fault> {
    if let Where::In(space) = access.space {
        let group = Group { space, mask, addresses: addresses(&warp.regs, inst, access) };
        return store_group::<W, O>(warp, env, inst, access, &group, pc);
    }
    for group in groups(&warp.regs, inst, access, mask, env.layout) {
        store_group::<W, O>(warp, env, inst, access, &group, pc)?;
    }
    Ok(())
}

#[inline(always)]
fn store_group<const W: usize, O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_, O>,
    inst: &Inst,
    access: &Access,
    group: &Group,
    pc: u32,
) -> Result<(), Fault> {
    let bytes = W as u64 * u64::from(access.vector);
    if bytes > 1 {
        aligned(warp, group, bytes, AccessKind::Write, pc)?;
    }
    let located = check(warp, env, group, bytes, AccessKind::Write, pc)?;
    writable(warp, env, group, located, pc)?;
    watch(warp, env, inst, access, located, pc, group, (bytes, AccessKind::Write));
    for element in 0..usize::from(access.vector) {
        let register = data_register(&env.program.lists, access, inst.b, element);
        let values = stored::<W>(&warp.regs, register, access.wide);
        put_back::<W, O>(warp, env, group, located, element * W, &values);
    }
    Ok(())
}

fn stored<const W: usize>(regs: &Regs, register: u16, wide: bool) -> [[u8; W]; LANES] {
    let mut out = [[0; W]; LANES];
    if wide {
        let column = &regs.r64[register as usize];
        for lane in 0..LANES {
            out[lane].copy_from_slice(&column[lane].to_le_bytes()[..W]);
        }
    } else {
        let column = &regs.r32[register as usize];
        for lane in 0..LANES {
            out[lane].copy_from_slice(&u64::from(column[lane]).to_le_bytes()[..W]);
        }
    }
    out
}

fn put_back<const W: usize, O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_, O>,
    group: &Group,
    located: Option<Located>,
    skip: usize,
    values: &[[u8; W]; LANES],
) {
    if let Some(located) = located {
        if skip == 0 {
            env.view.scatter::<W>(located, &group.addresses, group.mask, values);
            return;
        }
        let addresses = group.addresses.map(|address| address.wrapping_add(skip as u64));
        env.view.scatter::<W>(located.skip(skip), &addresses, group.mask, values);
        return;
    }
    for lane in lanes(group.mask) {
        let start = group.addresses[lane] as usize + skip;
        let target = match group.space {
            Space::Shared => &mut *env.shared,
            _ => warp.local_of_mut(lane),
        };
        target[start..start + W].copy_from_slice(&values[lane]);
    }
}
