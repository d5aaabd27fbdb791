//! Loads and stores of a warp: the bytes themselves.
//!
//! Each step is a separate function that is never inlined: merged into one, their lane loops are not vectorized.

use super::access::{Group, addresses, approach, groups, watch};
use super::fault::Fault;
use super::observer::Observer;
use super::pending::remark_on_use;
use super::run::Environment;
use super::warp::Warp;
use crate::decode::{ASYNCHRONOUS, Access, Inst, Where};
use crate::isa::AccessKind;
use crate::isa::lanes;
use crate::isa::{LANES, Regs, blend};
use crate::memory::{Located, pick, span};
use crate::ptx::ast::Space;

/// Memory to registers.
pub(super) fn load<O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
    observer: &mut O,
    inst: &Inst,
    access: &Access,
    mask: u32,
    pc: u32,
) -> Result<(), Fault> {
    if let Where::In(space) = access.space {
        let group = Group { space, mask, addresses: addresses(&warp.regs, inst, access) };
        return load_group(warp, env, observer, inst, access, &group, pc);
    }
    for group in groups(&warp.regs, inst, access, mask, env.layout) {
        load_group(warp, env, observer, inst, access, &group, pc)?;
    }
    Ok(())
}

/// Registers to memory.
pub(super) fn store<O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
    observer: &mut O,
    inst: &Inst,
    access: &Access,
    mask: u32,
    pc: u32,
) -> Result<(), Fault> {
    if let Where::In(space) = access.space {
        let group = Group { space, mask, addresses: addresses(&warp.regs, inst, access) };
        return store_group(warp, env, observer, inst, access, &group, pc);
    }
    for group in groups(&warp.regs, inst, access, mask, env.layout) {
        store_group(warp, env, observer, inst, access, &group, pc)?;
    }
    Ok(())
}

fn load_group<O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
    observer: &mut O,
    inst: &Inst,
    access: &Access,
    group: &Group,
    pc: u32,
) -> Result<(), Fault> {
    let bytes = u64::from(access.width) * u64::from(access.vector);
    let located = approach(warp, env, group, bytes, AccessKind::Read, pc)?;
    if !env.pending.is_empty() && group.space == Space::Shared {
        remark_on_use(warp, env, &group.addresses, group.mask, bytes, pc);
    }
    watch(observer, warp, env, inst, access, located, pc, group, (bytes, AccessKind::Read));
    match access.width {
        1 => load_elements::<1>(warp, env, inst, access, group, located),
        2 => load_elements::<2>(warp, env, inst, access, group, located),
        4 => load_elements::<4>(warp, env, inst, access, group, located),
        _ => load_elements::<8>(warp, env, inst, access, group, located),
    }
    Ok(())
}

fn store_group<O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
    observer: &mut O,
    inst: &Inst,
    access: &Access,
    group: &Group,
    pc: u32,
) -> Result<(), Fault> {
    let bytes = u64::from(access.width) * u64::from(access.vector);
    let located = approach(warp, env, group, bytes, AccessKind::Write, pc)?;
    if !env.pending.is_empty() && group.space == Space::Shared {
        remark_on_use(warp, env, &group.addresses, group.mask, bytes, pc);
    }
    watch(observer, warp, env, inst, access, located, pc, group, (bytes, AccessKind::Write));
    if inst.e & ASYNCHRONOUS != 0 && group.space == Space::Shared {
        send(warp, env, inst, access, group, pc);
        return Ok(());
    }
    match access.width {
        1 => store_elements::<1>(warp, env, inst, access, group, located),
        2 => store_elements::<2>(warp, env, inst, access, group, located),
        4 => store_elements::<4>(warp, env, inst, access, group, located),
        _ => store_elements::<8>(warp, env, inst, access, group, located),
    }
    Ok(())
}

/// Sends the bytes of an asynchronous copy on their way.
fn send(warp: &Warp, env: &mut Environment<'_, '_>, inst: &Inst, access: &Access, group: &Group, pc: u32) {
    let mut data = [[0; 16]; LANES];
    let words = usize::from(access.vector);
    for element in 0..words {
        let register = data_register(&env.program.lists, access, inst.b, element);
        let values = stored::<4>(&warp.regs, register, access.wide);
        for (bytes, value) in data.iter_mut().zip(values) {
            bytes[4 * element..4 * element + 4].copy_from_slice(&value);
        }
    }
    env.pending.issue((warp.index, pc), group.mask, &group.addresses, 4 * words, &data);
}

/// The data register of a vector's element.
fn data_register(lists: &[u16], access: &Access, scalar: u16, element: usize) -> u16 {
    if access.vector == 1 { scalar } else { lists[access.list as usize + element] }
}

/// Loads every element, of `W` bytes; the access has been checked.
fn load_elements<const W: usize>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
    inst: &Inst,
    access: &Access,
    group: &Group,
    located: Option<Located>,
) {
    for element in 0..usize::from(access.vector) {
        let values = fetch::<W>(warp, env, group, located, element * W);
        let register = data_register(&env.program.lists, access, inst.d, element);
        put_loaded::<W>(&mut warp.regs, register, access, &values, group.mask);
    }
}

/// Stores every element, of `W` bytes; the access has been checked.
fn store_elements<const W: usize>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
    inst: &Inst,
    access: &Access,
    group: &Group,
    located: Option<Located>,
) {
    for element in 0..usize::from(access.vector) {
        let register = data_register(&env.program.lists, access, inst.b, element);
        let values = stored::<W>(&warp.regs, register, access.wide);
        put_back::<W>(warp, env, group, located, element * W, &values);
    }
}

/// The bytes of element `skip / W` of each lane; the access has been checked.
#[inline(never)]
fn fetch<const W: usize>(
    warp: &Warp,
    env: &mut Environment<'_, '_>,
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
#[inline(never)]
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

#[inline(never)]
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

#[inline(never)]
fn put_back<const W: usize>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
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
