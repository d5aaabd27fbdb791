//! Loads and stores of a warp: addresses, checks, and the bytes themselves.

use super::fault::{AccessKind, Fault, FaultKind};
use super::lanes::lanes;
use super::regs::{BIT, LANES, Regs, blend};
use super::run::Environment;
use super::warp::Warp;
use crate::decode::{Access, Inst, Where};
use crate::layout::{Layout, in_window};
use crate::memory::{Located, Span, pick, span};
use crate::observe::{Observer, Place, Request};
use crate::ptx::ast::Space;

/// Lanes of one access that go to the same state space, with their addresses in it.
pub(super) struct Group {
    pub space: Space,
    pub mask: u32,
    pub addresses: [u64; LANES],
}

/// The addresses of an access, lane by lane.
pub(super) fn addresses(regs: &Regs, inst: &Inst, access: &Access) -> [u64; LANES] {
    let mut out = [0; LANES];
    if access.wide_address {
        let base = &regs.r64[inst.a as usize];
        for lane in 0..LANES {
            out[lane] = base[lane].wrapping_add_signed(access.offset);
        }
    } else {
        let base = &regs.r32[inst.a as usize];
        for lane in 0..LANES {
            out[lane] = u64::from(base[lane]).wrapping_add_signed(access.offset);
        }
    }
    out
}

/// The state space of a generic address, and the address in it.
fn classify(address: u64, layout: Layout) -> (Space, u64) {
    for (space, base) in
        [(Space::Shared, layout.shared), (Space::Local, layout.local), (Space::Param, layout.param)]
    {
        if let Some(offset) = in_window(address, base) {
            return (space, offset);
        }
    }
    (Space::Global, address)
}

/// Splits an access by state space. Nearly always one group, which costs no allocation.
pub(super) fn groups(
    regs: &Regs,
    inst: &Inst,
    access: &Access,
    mask: u32,
    layout: Layout,
) -> impl Iterator<Item = Group> + use<> {
    let mut addresses = addresses(regs, inst, access);
    let (first, rest) = match access.space {
        Where::In(space) => (Group { space, mask, addresses }, Vec::new()),
        Where::Generic => {
            let mut masks: Vec<(Space, u32)> = Vec::new();
            for lane in lanes(mask) {
                let (space, address) = classify(addresses[lane], layout);
                addresses[lane] = address;
                match masks.iter_mut().find(|(known, _)| *known == space) {
                    Some((_, lanes)) => *lanes |= 1 << lane,
                    None => masks.push((space, 1 << lane)),
                }
            }
            let mut parts = masks.into_iter().map(|(space, mask)| Group { space, mask, addresses });
            let first = parts.next().unwrap_or(Group { space: Space::Global, mask: 0, addresses });
            (first, parts.collect())
        }
    };
    std::iter::once(first).chain(rest)
}

/// Checks alignment; `bytes` is the whole vector.
#[inline]
pub(super) fn aligned(
    warp: &Warp,
    group: &Group,
    bytes: u64,
    kind: AccessKind,
    pc: u32,
) -> Result<(), Fault> {
    let mut bits = 0;
    for (address, bit) in group.addresses.iter().zip(BIT) {
        bits |= if group.mask & bit != 0 { *address as u32 } else { 0 };
    }
    if u64::from(bits) & (bytes - 1) == 0 {
        return Ok(());
    }
    let lane =
        lanes(group.mask).find(|&lane| group.addresses[lane] & (bytes - 1) != 0).expect("some bit was set");
    Err(Fault {
        kind: FaultKind::Misaligned { address: group.addresses[lane], bytes, kind },
        pc,
        warp: warp.index,
        lane: lane as u32,
    })
}

pub(super) fn out_of_bounds(
    warp: &Warp,
    group: &Group,
    lane: usize,
    bytes: u64,
    kind: AccessKind,
    pc: u32,
) -> Fault {
    let kind = FaultKind::OutOfBounds { address: group.addresses[lane], bytes, kind, space: group.space };
    Fault { kind, pc, warp: warp.index, lane: lane as u32 }
}

/// Checks that every lane's bytes lie inside a plain array of `size` bytes; how far they reach.
#[inline]
pub(super) fn inside(
    warp: &Warp,
    group: &Group,
    bytes: u64,
    size: usize,
    kind: AccessKind,
    pc: u32,
) -> Result<Span, Fault> {
    match span(&group.addresses, group.mask, 0) {
        Some(span) if span.high as u64 + bytes <= size as u64 => Ok(span),
        _ => {
            let fits =
                |lane: usize| group.addresses[lane].checked_add(bytes).is_some_and(|end| end <= size as u64);
            // These arrays are far smaller than 2 GiB, so some lane does not fit.
            let stray = lanes(group.mask).find(|&lane| !fits(lane)).unwrap_or(0);
            Err(out_of_bounds(warp, group, stray, bytes, kind, pc))
        }
    }
}

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

/// Tells the observer of a request for `bytes` bytes a lane that is about to be carried out.
#[expect(clippy::too_many_arguments, reason = "one instruction's particulars, taken apart by the caller")]
#[inline(always)]
pub(super) fn watch<O: Observer>(
    warp: &Warp,
    env: &mut Environment<'_, '_, O>,
    inst: &Inst,
    access: &Access,
    located: Option<Located>,
    pc: u32,
    group: &Group,
    (bytes, kind): (u64, AccessKind),
) {
    if !O::MEMORY {
        return;
    }
    let request = Request::new(group.space, kind, group.mask, &group.addresses, bytes);
    let (shared, view) = (&*env.shared, &*env.view);
    let place = Place { warp, inst, access, program: env.program, located, shared, view };
    env.observer.access(pc, &request, &place);
}

/// Bounds of an access; for global memory also where it lies.
pub(super) fn check<O: Observer>(
    warp: &Warp,
    env: &mut Environment<'_, '_, O>,
    group: &Group,
    bytes: u64,
    kind: AccessKind,
    pc: u32,
) -> Result<Option<Located>, Fault> {
    let size = match group.space {
        Space::Global | Space::Const => {
            return match env.view.locate(&group.addresses, group.mask, bytes) {
                Ok(located) => Ok(Some(located)),
                Err(lane) => Err(out_of_bounds(warp, group, lane, bytes, kind, pc)),
            };
        }
        Space::Shared => env.shared.len(),
        Space::Local => env.program.local_bytes,
        Space::Param => env.parameters.len(),
    };
    inside(warp, group, bytes, size, kind, pc).map(|_| None)
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

/// Constants and kernel parameters cannot be written.
pub(super) fn writable<O: Observer>(
    warp: &Warp,
    env: &Environment<'_, '_, O>,
    group: &Group,
    located: Option<Located>,
    pc: u32,
) -> Result<(), Fault> {
    let lane = group.mask.trailing_zeros() as usize;
    let address = group.addresses[lane];
    let constant = match located {
        Some(located) => env.view.constant(located, address),
        None => group.space == Space::Param,
    };
    if constant {
        return Err(Fault {
            kind: FaultKind::WriteConstant { address },
            pc,
            warp: warp.index,
            lane: lane as u32,
        });
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
