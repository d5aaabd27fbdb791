//! Surface loads and stores of a warp.

use super::access::{Group, watch};
use super::fault::{Fault, FaultKind};
use super::observer::Observer;
use super::run::{Environment, fault};
use super::warp::Warp;
use crate::decode::{Access, Inst, Outside, SurfaceAccess};
use crate::image::Pixels;
use crate::isa::AccessKind;
use crate::isa::LANES;
use crate::isa::lanes;
use crate::ptx::ast::Space;

/// Carries an access out, for the lanes of each surface in turn.
pub(super) fn access<O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
    observer: &mut O,
    inst: &Inst,
    what: &SurfaceAccess,
    mask: u32,
    pc: u32,
) -> Result<(), Fault> {
    let handles = warp.regs.r64[inst.a as usize];
    let mut remaining = mask;
    while remaining != 0 {
        let handle = handles[remaining.trailing_zeros() as usize];
        let group = lanes(remaining)
            .filter(|&lane| handles[lane] == handle)
            .fold(0u32, |group, lane| group | 1 << lane);
        let pixels = env
            .view
            .memory()
            .objects
            .surface(handle)
            .map_err(|problem| fault(warp, pc, group, FaultKind::BadObject { surface: true, problem }))?;
        let (addresses, inside) = addresses(warp, &env.program.lists, inst, what, &pixels, group, pc)?;
        let bytes = u64::from(what.access.width) * u64::from(what.access.vector);
        let kind = if what.store { AccessKind::Write } else { AccessKind::Read };
        if !what.store {
            zero(warp, &env.program.lists, inst, &what.access, group & !inside);
        }
        if inside != 0 {
            let located = env.view.locate(&addresses, inside, bytes).map_err(|lane| Fault {
                kind: FaultKind::OutOfBounds { address: addresses[lane], bytes, kind, space: Space::Global },
                pc,
                warp: warp.index,
                lane: lane as u32,
            })?;
            let reached = Group { space: Space::Global, mask: inside, addresses };
            watch(observer, warp, env, inst, &what.access, Some(located), pc, &reached, (bytes, kind));
            match what.access.width {
                1 => transfer::<1>(warp, env, inst, what, located, &addresses, inside),
                2 => transfer::<2>(warp, env, inst, what, located, &addresses, inside),
                4 => transfer::<4>(warp, env, inst, what, located, &addresses, inside),
                _ => transfer::<8>(warp, env, inst, what, located, &addresses, inside),
            }
        }
        remaining &= !group;
    }
    Ok(())
}

/// Each lane's address, and the lanes that have one.
fn addresses(
    warp: &Warp,
    lists: &[u16],
    inst: &Inst,
    what: &SurfaceAccess,
    pixels: &Pixels,
    group: u32,
    pc: u32,
) -> Result<([u64; LANES], u32), Fault> {
    let bytes = u64::from(what.access.width) * u64::from(what.access.vector);
    let (row, rows) = (u64::from(pixels.width) * pixels.texel.bytes(), u64::from(pixels.height));
    let kind = if what.store { AccessKind::Write } else { AccessKind::Read };
    let (mut out, mut inside) = ([0; LANES], 0u32);
    for lane in lanes(group) {
        let at = |register: u16| i64::from(warp.regs.r32[register as usize][lane] as i32);
        let (mut x, mut y) = (at(inst.c), if what.axes == 2 { at(inst.e) } else { 0 });
        let at_fault = |kind| Fault { kind, pc, warp: warp.index, lane: lane as u32 };
        if x.rem_euclid(bytes as i64) != 0 {
            return Err(at_fault(FaultKind::Misaligned { address: x as u64, bytes, kind }));
        }
        let last = row as i64 - bytes as i64;
        let mut z = slice(lists, what).map_or(0, at);
        // What lies outside along z is told as rows behind the last: the rows of slices follow each other.
        if what.outside != Outside::Clamp && !(0..i64::from(pixels.depth)).contains(&z) {
            y += z * rows as i64;
        }
        z = z.clamp(0, i64::from(pixels.depth) - 1);
        if x < 0 || x > last || y < 0 || y >= rows as i64 {
            match what.outside {
                Outside::Trap => {
                    return Err(at_fault(FaultKind::SurfaceOutside { x, y, bytes, row, rows, kind }));
                }
                Outside::Zero => continue,
                Outside::Clamp => {
                    x = x.clamp(0, last.max(0));
                    y = y.clamp(0, rows as i64 - 1);
                }
            }
        }
        out[lane] = pixels.slice(z as u32).address + y as u64 * pixels.pitch + x as u64;
        inside |= 1 << lane;
    }
    Ok((out, inside))
}

/// The register that chooses a slice.
fn slice(lists: &[u16], what: &SurfaceAccess) -> Option<u16> {
    let data = if what.access.vector == 1 { 0 } else { usize::from(what.access.vector) };
    what.sliced.then(|| lists[what.access.list as usize + data])
}

/// The data register of a vector's element.
fn register(lists: &[u16], access: &Access, scalar: u16, element: usize) -> usize {
    usize::from(if access.vector == 1 { scalar } else { lists[access.list as usize + element] })
}

/// Lanes that read outside get zeros.
fn zero(warp: &mut Warp, lists: &[u16], inst: &Inst, access: &Access, mask: u32) {
    for element in 0..usize::from(access.vector) {
        let register = register(lists, access, inst.d, element);
        for lane in lanes(mask) {
            if access.wide {
                warp.regs.r64[register][lane] = 0;
            } else {
                warp.regs.r32[register][lane] = 0;
            }
        }
    }
}

/// Moves the elements, `W` bytes each.
fn transfer<const W: usize>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
    inst: &Inst,
    what: &SurfaceAccess,
    located: crate::memory::Located,
    addresses: &[u64; LANES],
    mask: u32,
) {
    let access = &what.access;
    for element in 0..usize::from(access.vector) {
        let addresses = addresses.map(|address| address.wrapping_add((element * W) as u64));
        let located = located.skip(element * W);
        let register =
            register(&env.program.lists, access, if what.store { inst.b } else { inst.d }, element);
        if what.store {
            let mut values = [[0; W]; LANES];
            for (lane, value) in values.iter_mut().enumerate() {
                let word = if access.wide {
                    warp.regs.r64[register][lane]
                } else {
                    u64::from(warp.regs.r32[register][lane])
                };
                value.copy_from_slice(&word.to_le_bytes()[..W]);
            }
            env.view.scatter::<W>(located, &addresses, mask, &values);
            continue;
        }
        let values = env.view.gather::<W>(located, &addresses, mask);
        for lane in lanes(mask) {
            let mut word = [0; 8];
            word[..W].copy_from_slice(&values[lane]);
            if access.wide {
                warp.regs.r64[register][lane] = u64::from_le_bytes(word);
            } else {
                warp.regs.r32[register][lane] = u64::from_le_bytes(word) as u32;
            }
        }
    }
}
