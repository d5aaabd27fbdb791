//! How often each basic block of the machine code runs, by what the PTX says of it.

use std::collections::BTreeMap;

use super::MachineCode;
use super::decode::{Decoded, Unit};
use super::flow::{Copies, Estimate};
use super::origin::Place;
use super::runs::PtxRuns;

/// Blocks of the PTX that are run this much less often are outside of a loop.
const OUTSIDE: f64 = 0.9;
/// Share of a basic block's instructions that may come from where more is executed: they were moved here.
const MOVED: f64 = 0.15;

/// How much an instruction says of how often its basic block runs where the assembler does not keep it one for one; 1 of others. This and
/// [`UNSURE`] are chosen, with the validation in sight.
const GUESSED: f64 = 0.5;
/// And where it was moved there, or copied.
const UNSURE: f64 = 0.02;

/// Basic blocks of so few instructions may mostly consist of what was moved there.
const FEW: usize = 3;

/// By basic block of the PTX, how often each of the machine code runs by what it says.
type Shares = BTreeMap<u32, Vec<f64>>;

impl MachineCode {
    /// What the PTX says of each basic block.
    pub(super) fn estimates(&self, ptx: &PtxRuns) -> Vec<Estimate> {
        let places = self.places.iter();
        let shares: Shares =
            places.map(|(&origin, places)| (origin, self.shares(origin, places, ptx))).collect();
        let mut estimates: Vec<Estimate> = Vec::with_capacity(self.blocks.len());
        for block in 0..self.blocks.len() {
            estimates.push(Estimate {
                runs: self.estimated_runs(block, ptx, &shares, &estimates),
                weight: self.weight(block),
                ends: self.ends_the_warp(block),
            });
        }
        estimates
    }

    /// Executions of a basic block; `others` are those before it.
    fn estimated_runs(&self, block: usize, ptx: &PtxRuns, shares: &Shares, others: &[Estimate]) -> f64 {
        // All warps come by the first line of the PTX, and by no loop whose instructions were moved up to it.
        let begins = block == 0 && self.before[block].is_empty();
        if let Some(warps) = ptx.warps().filter(|_| begins) {
            return warps;
        }
        let code = self.code_of(block);
        let known = code.iter().filter(|one| one.line != 0);
        let told: Vec<f64> = known.map(|one| self.told(one, block, ptx, shares)).collect();
        if told.is_empty() { self.come(block, others) } else { agreed(told) }
    }

    /// How often a basic block is come to that nothing is known of: as often as the one before it runs, or, where nobody goes on
    /// from there, as often as all that jump or call: a routine stands behind the code, whatever that ends with.
    fn come(&self, block: usize, others: &[Estimate]) -> f64 {
        let Some(last) = block.checked_sub(1) else { return 0.0 };
        let from = &self.before[block];
        if from.contains(&last) {
            return others[last].runs;
        }
        from.iter().filter_map(|&from| others.get(from)).map(|other| other.runs).sum()
    }

    /// What the PTX of an instruction says of how often the basic block runs that it stands in.
    fn told(&self, one: &Decoded, block: usize, ptx: &PtxRuns, shares: &Shares) -> f64 {
        if self.is_behind_its_jump(one, self.code_of(block)) {
            return ptx.behind(one.line);
        }
        let origin = self.origins[&one.line];
        let most = ptx.of_block(origin);
        if most > 0.0 { shares[&origin][block] * ptx.of_line(one.line) / most } else { 0.0 }
    }

    fn ends_the_warp(&self, block: usize) -> bool {
        let last = self.instructions[self.blocks[block].end - 1];
        matches!(last.unit, Unit::Return | Unit::Exit | Unit::IndirectBranch)
    }

    /// Whether an instruction was made of a branch of the PTX, and stands where that leads when it is not taken: where the warp's
    /// lanes come together again behind a loop.
    fn is_behind_its_jump(&self, one: &Decoded, block: &[Decoded]) -> bool {
        let is_jump = |other: &Decoded| other.unit == Unit::Jump && other.line == one.line;
        block.len() <= FEW && self.jumps.contains(&one.line) && !block.iter().any(is_jump)
    }

    /// How sure it is what the PTX says of a basic block of the machine code: by its instructions that stand where most of their
    /// own do, and hardly by others, or by those of one that was copied.
    fn weight(&self, block: usize) -> f64 {
        let of = |one: &Decoded| {
            let here =
                self.places.get(self.origins.get(&one.line)?)?.iter().find(|place| place.block == block)?;
            Some(match (here.kept, here.total) {
                (true, total) if total == here.copies => 1.0 / f64::from(total),
                (false, 1) => GUESSED,
                _ => UNSURE,
            })
        };
        self.code_of(block).iter().map(|one| of(one).unwrap_or(UNSURE)).sum()
    }

    /// How often each basic block of the machine code runs by what one of the PTX says, which has these places.
    fn shares(&self, origin: u32, places: &[Place], ptx: &PtxRuns) -> Vec<f64> {
        let all = ptx.of_block(origin);
        let fewest = places.iter().map(|place| place.total).min().unwrap_or(1).max(1);
        let mut shares = vec![all / f64::from(fewest); self.blocks.len()];
        for place in places {
            shares[place.block] = all / f64::from(place.total.max(place.copies));
        }
        if all > 0.0
            && let Some(unrolled) = unrolled(places)
        {
            let entries = ptx.nearest_before(origin, OUTSIDE * all).unwrap_or(all / 1e9);
            share_rounds(&unrolled, all, entries, &mut shares);
        }
        shares
    }

    /// The basic blocks of the PTX that stand in several of the machine code.
    pub(super) fn copies(&self, ptx: &PtxRuns) -> Vec<Copies> {
        let of = |(&origin, places): (&u32, &Vec<Place>)| self.copies_of(origin, places, ptx);
        self.places.iter().filter_map(of).collect()
    }

    fn copies_of(&self, origin: u32, places: &[Place], ptx: &PtxRuns) -> Option<Copies> {
        let copied: Vec<&Place> = places.iter().filter(|place| place.total > place.copies).collect();
        let sum: u32 = copied.iter().map(|place| place.copies).sum();
        let of_one = |place: &&Place| {
            let code = self.code_of(place.block).iter();
            let own = code.filter(|one| self.origins.get(&one.line) == Some(&origin)).count();
            own as f64 / f64::from(place.copies)
        };
        (sum == copied.first()?.total).then(|| Copies {
            blocks: copied.iter().map(|place| (place.block, f64::from(place.copies))).collect(),
            all: ptx.of_block(origin),
            weight: copied.iter().map(of_one).fold(0.0, f64::max),
        })
    }
}

/// The places of a loop that was unrolled, and of what is left over of its rounds, most copies first; `None` of others.
fn unrolled(places: &[Place]) -> Option<Vec<Place>> {
    let mut copied: Vec<Place> = places.iter().copied().filter(|place| place.total > place.copies).collect();
    copied.sort_by_key(|place| std::cmp::Reverse(place.copies));
    let total = copied.iter().map(|place| place.total).max()?;
    let sum: u32 = copied.iter().map(|place| place.copies).sum();
    let differ = copied.first()?.copies != copied.last()?.copies;
    (sum == total && differ).then_some(copied)
}

/// Shares out the rounds of an unrolled loop that is entered so often: most copies first, as often as they fit.
fn share_rounds(unrolled: &[Place], all: f64, entries: f64, shares: &mut [f64]) {
    let fewest = unrolled.iter().map(|place| place.copies).min();
    let mut rounds = all / entries;
    for same in unrolled.chunk_by(|one, other| one.copies == other.copies) {
        let copies = f64::from(same[0].copies);
        let is_last = Some(same[0].copies) == fewest;
        let times = if is_last { rounds / copies } else { (rounds / copies + 1e-6).floor() };
        for place in same {
            shares[place.block] = times * entries / same.len() as f64;
        }
        rounds -= times * copies;
    }
}

/// What the instructions of a basic block say of how often it runs: nearly the most, as some of them may have been moved here.
fn agreed(mut told: Vec<f64>) -> f64 {
    told.sort_by(|one, other| other.total_cmp(one));
    let at =
        if told.len() > FEW { ((MOVED * told.len() as f64) as usize).clamp(2, told.len() - 1) } else { 0 };
    told[at]
}
