//! Memory accesses of a warp: addresses, state spaces, checks, and who is told.

use super::fault::{Fault, FaultKind};
use super::observer::{Observer, Place, Request};
use super::run::{Environment, fault};
use super::warp::Warp;
use crate::decode::{Access, Inst, Where};
use crate::isa::AccessKind;
use crate::isa::lanes;
use crate::isa::{BIT, LANES, Regs};
use crate::layout::{Layout, in_window};
use crate::memory::{Located, MOST_WRITTEN, Span, span};
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
        // In 32 bits, as the hardware adds: compilers rely on the sum wrapping round.
        for lane in 0..LANES {
            out[lane] = u64::from(base[lane].wrapping_add(access.offset as u32));
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
fn aligned(warp: &Warp, group: &Group, bytes: u64, kind: AccessKind, pc: u32) -> Result<(), Fault> {
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
#[inline(never)]
fn inside(
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

/// Tells the observer of a request for `bytes` bytes per lane that is about to be carried out.
#[expect(clippy::too_many_arguments, reason = "one instruction's particulars, taken apart by the caller")]
#[inline(always)]
pub(super) fn watch<O: Observer>(
    observer: &mut O,
    warp: &Warp,
    env: &Environment<'_, '_>,
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
    observer.access(pc, &request, &place);
}

/// Alignment, bounds and permission of an access to `bytes` bytes per lane; for global memory, where it lies.
#[inline(always)]
pub(super) fn approach(
    warp: &Warp,
    env: &mut Environment<'_, '_>,
    group: &Group,
    bytes: u64,
    kind: AccessKind,
    pc: u32,
) -> Result<Option<Located>, Fault> {
    if bytes > 1 {
        aligned(warp, group, bytes, kind, pc)?;
    }
    let located = check(warp, env, group, bytes, kind, pc)?;
    if kind != AccessKind::Read {
        writable(warp, env, group, located, pc)?;
        if env.view.full() {
            return Err(fault(warp, pc, group.mask, FaultKind::MemoryLimit { bytes: MOST_WRITTEN }));
        }
    }
    Ok(located)
}

/// Bounds of an access; for global memory, where it lies.
fn check(
    warp: &Warp,
    env: &mut Environment<'_, '_>,
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
        Space::Shared => {
            let reach = inside(warp, group, bytes, env.shared.len(), kind, pc)?;
            if !env.program.red_zones.is_empty() {
                outside_red_zones(warp, env, group, bytes, reach, kind, pc)?;
            }
            return Ok(None);
        }
        Space::Local => env.program.local_bytes,
        Space::Param => env.parameters.len(),
    };
    inside(warp, group, bytes, size, kind, pc).map(|_| None)
}

/// Checks that no lane's bytes lie between two arrays in shared memory.
fn outside_red_zones(
    warp: &Warp,
    env: &Environment<'_, '_>,
    group: &Group,
    bytes: u64,
    reach: Span,
    kind: AccessKind,
    pc: u32,
) -> Result<(), Fault> {
    let (low, high) = (reach.low as u64, reach.high as u64 + bytes);
    for zone in env.program.red_zones.iter().filter(|zone| zone.start < high && low < zone.end) {
        let within = |lane: &usize| {
            let address = group.addresses[*lane];
            zone.start < address + bytes && address < zone.end
        };
        if let Some(lane) = lanes(group.mask).find(within) {
            return Err(out_of_bounds(warp, group, lane, bytes, kind, pc));
        }
    }
    Ok(())
}

/// Constants and kernel parameters cannot be written.
fn writable(
    warp: &Warp,
    env: &Environment<'_, '_>,
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
