//! Vector clocks of one block: which accesses happened before a thread's next one.
//!
//! Every warp has a time of its own, which moves on at whatever orders its accesses. A row holds, for each
//! warp, the time before which its accesses are known. Barriers join the rows of their participants; a
//! `__syncwarp` of some lanes keeps a row per lane.

use super::release::Token;
use crate::exec::{FULL, LANES, lanes};

/// A lane's row over the lanes of its warp.
type LaneRows = Box<[[u32; LANES]; LANES]>;

/// Rows of all warps.
#[derive(Debug, Clone, Default)]
struct Rows {
    warps: usize,
    times: Vec<u32>,
}

impl Rows {
    fn new(warps: usize) -> Self {
        Self { warps, times: vec![0; warps * warps] }
    }

    fn of(&self, warp: usize) -> &[u32] {
        &self.times[warp * self.warps..(warp + 1) * self.warps]
    }

    fn of_mut(&mut self, warp: usize) -> &mut [u32] {
        &mut self.times[warp * self.warps..(warp + 1) * self.warps]
    }
}

fn join(into: &mut [u32], from: &[u32]) {
    for (a, b) in into.iter_mut().zip(from) {
        *a = (*a).max(*b);
    }
}

/// What fences of one reach have published.
#[derive(Debug, Clone, Default)]
struct Fenced {
    rows: Rows,
    /// A lane's own accesses before this time are published.
    own: Vec<[u32; LANES]>,
}

/// Contributions of warps that arrived at a barrier and went on.
#[derive(Debug, Clone, Default)]
struct Arrived {
    known: Vec<u32>,
    fenced: [Vec<u32>; 2],
}

/// The clocks of a block.
#[derive(Debug)]
pub(super) struct Clocks {
    warps: usize,
    now: Vec<u32>,
    known: Rows,
    lanes: Vec<Option<LaneRows>>,
    /// Published within the block, and to the whole grid.
    fenced: [Fenced; 2],
    arrived: Vec<Option<Arrived>>,
    /// What each warp has acquired.
    pub tokens: Vec<Vec<Token>>,
}

impl Clocks {
    /// Clocks of a block of so many warps.
    pub fn new(warps: usize) -> Self {
        let fenced = Fenced { rows: Rows::new(warps), own: vec![[0; LANES]; warps] };
        Self {
            warps,
            now: vec![1; warps],
            known: Rows::new(warps),
            lanes: vec![None; warps],
            fenced: [fenced.clone(), fenced],
            arrived: vec![None; 16],
            tokens: vec![Vec::new(); warps],
        }
    }

    /// A new block: nothing is known.
    pub fn reset(&mut self) {
        self.now.fill(1);
        self.known.times.fill(0);
        self.lanes.fill(None);
        for fenced in &mut self.fenced {
            fenced.rows.times.fill(0);
            fenced.own.fill([0; LANES]);
        }
        self.arrived.fill(None);
        self.tokens.iter_mut().for_each(Vec::clear);
    }

    /// A warp's time.
    pub fn now(&self, warp: usize) -> u32 {
        self.now[warp]
    }

    /// Whether a lane knows of another's access at `time`, both in this block.
    pub fn knows(&self, warp: usize, lane: usize, other: usize, other_lane: usize, time: u32) -> bool {
        if time < self.known.of(warp)[other] {
            return true;
        }
        warp == other
            && (lane == other_lane
                || self.lanes[warp].as_ref().is_some_and(|rows| time < rows[lane][other_lane]))
    }

    /// `__syncwarp` of the lanes in `group`.
    pub fn sync_lanes(&mut self, warp: usize, group: u32, live: u32) {
        self.now[warp] += 1;
        let now = self.now[warp];
        if group & live == live {
            self.known.of_mut(warp)[warp] = now;
            self.lanes[warp] = None;
            for token in &mut self.tokens[warp] {
                token.lanes = FULL;
            }
            return;
        }
        let rows = self.lanes[warp].get_or_insert_with(|| Box::new([[0; LANES]; LANES]));
        let mut joined = [0; LANES];
        for lane in lanes(group) {
            join(&mut joined, &rows[lane]);
        }
        for lane in lanes(group) {
            joined[lane] = now;
        }
        for lane in lanes(group) {
            rows[lane] = joined;
        }
        for token in &mut self.tokens[warp] {
            token.lanes |= if token.lanes & group != 0 { group } else { 0 };
        }
    }

    /// `bar.arrive` of a warp.
    pub fn arrive(&mut self, id: u32, warp: usize) {
        self.now[warp] += 1;
        self.publish_lanes(warp);
        let mut known = self.known.of(warp).to_vec();
        known[warp] = self.now[warp];
        let entry = self.arrived[id as usize % 16].get_or_insert_with(|| Arrived {
            known: vec![0; self.warps],
            fenced: [vec![0; self.warps], vec![0; self.warps]],
        });
        join(&mut entry.known, &known);
        for (into, from) in entry.fenced.iter_mut().zip(&self.fenced) {
            join(into, from.rows.of(warp));
        }
    }

    /// Barrier `id` lets these warps go: each knows what any of them, or of those that arrived, knew.
    pub fn barrier(&mut self, id: u32, participants: &[usize]) {
        let mut joined = self.arrived[id as usize % 16].take().unwrap_or_else(|| Arrived {
            known: vec![0; self.warps],
            fenced: [vec![0; self.warps], vec![0; self.warps]],
        });
        let mut tokens: Vec<Token> = Vec::new();
        for &warp in participants {
            self.now[warp] += 1;
            self.publish_lanes(warp);
            join(&mut joined.known, self.known.of(warp));
            joined.known[warp] = self.now[warp];
            for (into, from) in joined.fenced.iter_mut().zip(&self.fenced) {
                join(into, from.rows.of(warp));
            }
            for token in &self.tokens[warp] {
                Token { lanes: FULL, effective: true, ..*token }.add_to(&mut tokens);
            }
        }
        for &warp in participants {
            self.known.of_mut(warp).copy_from_slice(&joined.known);
            self.lanes[warp] = None;
            for (fenced, row) in self.fenced.iter_mut().zip(&joined.fenced) {
                fenced.rows.of_mut(warp).copy_from_slice(row);
            }
            self.tokens[warp].clone_from(&tokens);
        }
    }

    /// A fence of these lanes publishes what they know.
    pub fn fence(&mut self, warp: usize, mask: u32, live: u32, wide: bool) {
        self.now[warp] += 1;
        let now = self.now[warp];
        for fenced in &mut self.fenced[..=usize::from(wide)] {
            join(fenced.rows.of_mut(warp), self.known.of(warp));
            if mask & live == live {
                fenced.rows.of_mut(warp)[warp] = now;
            }
            for lane in lanes(mask) {
                fenced.own[warp][lane] = now;
            }
        }
        for token in &mut self.tokens[warp] {
            token.effective |= token.lanes & mask != 0;
        }
    }

    /// At a barrier, what single lanes published counts for their warp: an atomic of any thread behind the
    /// barrier releases it.
    fn publish_lanes(&mut self, warp: usize) {
        for fenced in &mut self.fenced {
            let most = fenced.own[warp].iter().copied().max().unwrap_or(0);
            let row = fenced.rows.of_mut(warp);
            row[warp] = row[warp].max(most);
        }
    }

    /// What an atomic of this lane releases, within the block and to the grid: rows and own times. Nothing
    /// if no fence came before.
    pub fn released(&self, warp: usize, lane: usize) -> Option<([Vec<u32>; 2], [u32; 2])> {
        let own = [0, 1].map(|reach: usize| self.fenced[reach].own[warp][lane]);
        let rows = [0, 1].map(|reach: usize| self.fenced[reach].rows.of(warp).to_vec());
        (own[0] != 0 || rows[0].iter().any(|&time| time != 0)).then_some((rows, own))
    }
}
