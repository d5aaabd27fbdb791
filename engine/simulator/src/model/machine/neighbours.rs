//! Which loads read neighbours in memory.
//!
//! Loads whose addresses begin with the same register of the PTX and lie close together come for the same sectors, or for some that DRAM
//! sends together: now one and now another of them is the first to ask. Those farther apart miss by themselves, like those of
//! different arrays.

use std::collections::{BTreeMap, BTreeSet};

use super::decode::Decoded;
use super::listing::Listing;

/// Bytes from one load to the next from which on they are no neighbours: a line of the first-level cache.
const APART: i64 = 128;

/// By line of the PTX, for each load that may be far the number of its neighbours' group.
pub(super) fn neighbours(code: &[Decoded], ptx: &Listing) -> BTreeMap<u32, usize> {
    let lines: BTreeSet<u32> =
        code.iter().filter(|one| one.unit.loads_far() && one.line != 0).map(|one| one.line).collect();
    let mut by_base: BTreeMap<&str, Vec<(i64, u32)>> = BTreeMap::new();
    let addresses = ptx.addresses();
    for line in lines {
        let (base, offset) = addresses.get(&line).copied().unwrap_or_default();
        by_base.entry(base).or_default().push((offset, line));
    }
    let mut groups = BTreeMap::new();
    let mut number = 0;
    for mut loads in by_base.into_values() {
        loads.sort_unstable();
        for group in loads.chunk_by(|one, next| next.0 - one.0 < APART) {
            groups.extend(group.iter().map(|&(_, line)| (line, number)));
            number += 1;
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::super::decode::Unit;
    use super::*;

    #[test]
    fn neighbours_have_a_register_in_common_and_are_close_together() {
        let ptx = [
            "ld.global.nc.u8 %rs1, [%rd1+-2];",
            "ld.global.nc.u8 %rs2, [%rd1];",
            "ld.global.nc.u8 %rs3, [%rd1+125];",
            "ld.global.nc.u8 %rs4, [%rd1+256];",
            "ld.global.nc.u8 %rs5, [%rd2+2];",
            "add.s32 %r1, %r1, 1;",
        ];
        let ptx = Listing::of_kernel(&ptx.join("\n"));
        let load = |line| Decoded::plain(Unit::LoadGlobal, line);
        let code: Vec<Decoded> = [5, 4, 3, 2, 1].map(load).into();
        let groups = neighbours(&code, &ptx);
        let of = |line: u32| groups.get(&line);
        assert_eq!([of(1), of(2)], [of(3), of(3)]);
        assert_ne!(of(4), of(3));
        assert_ne!(of(5), of(1));
        assert_ne!(of(5), of(4));
        assert_eq!(of(6), None);
    }
}
