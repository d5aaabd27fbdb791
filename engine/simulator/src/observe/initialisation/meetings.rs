//! Warp-level operations: undefined bits that move from lane to lane.

use super::observer::Initialisation;
use super::storage::Absence;
use super::uses::Sink;
use crate::decode::{Inst, Meeting, VoteMode};
use crate::exec::{LANES, Slot, Warp, lanes, members, shuffle_sources};

impl Initialisation<'_> {
    /// An operation for which the lanes in `ready` meet.
    pub(super) fn meet(&mut self, warp: &Warp, inst: &Inst, pc: u32, ready: u32) {
        let mut participants = |registers: &[u16]| {
            for &register in registers {
                self.check(warp, Sink::Participants, pc, &[(Slot::R32, register)], ready);
            }
        };
        let Some(meeting) = inst.action.meeting() else { return };
        match meeting {
            Meeting::Barrier => participants(&[inst.a]),
            Meeting::Shuffle { mode, predicate } => {
                participants(&[inst.b, inst.c, inst.e]);
                let (sources, _) = shuffle_sources(warp, inst, mode);
                let (from, to) = (self.number(Slot::R32, inst.a), self.number(Slot::R32, inst.d));
                let registers = self.registers(warp);
                if registers.dirty[from as usize] == 0 {
                    registers.dirty[to as usize] &= !ready;
                } else {
                    let own = registers.bits(from);
                    let bits = sources.map(|source| own[source as usize]);
                    let origin = sources.map(|source| registers.origin(from, source as usize));
                    registers.put(to, &bits, &origin, ready);
                }
                // Lanes that have ended, never were, or are not named: what they hold is left to chance.
                let present = members(warp, meeting, inst).map(|members| members & warp.live);
                let absent = lanes(ready)
                    .filter(|&lane| present[lane] >> sources[lane] & 1 == 0)
                    .fold(0, |absent, lane| absent | 1 << lane);
                if absent != 0 {
                    let mut origin = [0; LANES];
                    for reader in lanes(absent) {
                        let lane = sources[reader];
                        let absence = if warp.born >> lane & 1 == 0 {
                            Absence::Unborn
                        } else if warp.live >> lane & 1 == 0 {
                            Absence::Ended
                        } else {
                            Absence::Unnamed
                        };
                        origin[reader] = self.absent_lane(pc, lane, absence);
                    }
                    let all = u64::from(u32::MAX);
                    self.registers(warp).put(to, &[all; LANES], &origin, absent);
                }
                if let Some(predicate) = predicate {
                    self.define(warp, Slot::Pred, predicate, ready);
                }
            }
            Meeting::Vote { mode, .. } => {
                participants(&[inst.b]);
                let slot = if mode == VoteMode::Ballot { Slot::R32 } else { Slot::Pred };
                let (from, to) = (self.number(Slot::Pred, inst.a), self.number(slot, inst.d));
                self.gather(warp, from, &[to], ready);
            }
            Meeting::Match { wide, predicate, .. } => {
                participants(&[inst.b]);
                let from = self.number(if wide { Slot::R64 } else { Slot::R32 }, inst.a);
                let mut to = vec![self.number(Slot::R32, inst.d)];
                to.extend(predicate.map(|predicate| self.number(Slot::Pred, predicate)));
                self.gather(warp, from, &to, ready);
            }
            Meeting::Reduce(_) => {
                participants(&[inst.b]);
                let (from, to) = (self.number(Slot::R32, inst.a), self.number(Slot::R32, inst.d));
                self.gather(warp, from, &[to], ready);
            }
            Meeting::Elect { predicate } => {
                participants(&[inst.b]);
                self.define(warp, Slot::R32, inst.d, ready);
                self.define(warp, Slot::Pred, predicate, ready);
            }
        }
    }

    /// The result of a vote, match or reduction: undefined if any of the group's sources is.
    fn gather(&mut self, warp: &Warp, source: u32, results: &[u32], ready: u32) {
        let registers = self.registers(warp);
        let dirty = registers.dirty[source as usize] & ready;
        let bits = [if dirty == 0 { 0 } else { u64::from(u32::MAX) }; LANES];
        let origin =
            [if dirty == 0 { 0 } else { registers.origin(source, dirty.trailing_zeros() as usize) }; LANES];
        for &result in results {
            if dirty == 0 {
                registers.dirty[result as usize] &= !ready;
            } else {
                registers.put(result, &bits, &origin, ready);
            }
        }
    }
}
