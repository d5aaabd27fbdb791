//! How often each basic block of the machine code runs, and what that comes to.

use std::collections::BTreeMap;

use super::blocks::Block;
use super::decode::{Decoded, Unit};
use super::flow::{Copies, Estimate, balanced};
use super::origin::Place;
use super::schedule::{Exposed, Loads, Timing, schedule};
use super::{MachineCode, MachineWork, PHASES};
use crate::launch::Executed;

/// Blocks of the PTX that are run this much less often are outside of a loop.
const OUTSIDE: f64 = 0.9;
/// Share of a basic block's instructions that may come from where more is executed: they were moved here.
const MOVED: f64 = 0.15;

/// How much an instruction says of how often its basic block runs where the assembler does not keep it one for one; 1 of others. This and
/// [`UNSURE`] are chosen, with the validation in sight.
const GUESSED: f64 = 0.5;
/// And where it was moved there, or copied.
const UNSURE: f64 = 0.02;

/// How much a warp waits for what another of its block has come for before, as a share of what it would wait for by itself: half of it if it
/// came at any time while that was on its way, and nothing if later. Chosen, as what suits the ladders: 0.1, 0.2
/// and 0.3 were tried, too, and change their mean error by less than 0.1 %.
const ON_ITS_WAY: f64 = 0.15;

/// Basic blocks of so few instructions may mostly consist of what was moved there.
const FEW: usize = 3;

impl MachineWork {
    /// Adds an instruction that runs so often.
    fn add(&mut self, unit: Unit, runs: f64) {
        self.issued += runs;
        match unit {
            Unit::Integer => self.integer += runs,
            Unit::Float => self.float += runs,
            Unit::Multiply => self.multiply += runs,
            Unit::Special => self.special += runs,
            Unit::Double => self.double += runs,
            Unit::Shuffle => self.warp += runs,
            // As long as two shuffles (`checker dev micro`).
            Unit::Reduce => self.warp += 2.0 * runs,
            Unit::Barrier => self.barrier += runs,
            Unit::FetchAhead => self.fetched_ahead += runs,
            _ => {}
        }
    }
}

impl MachineCode {
    /// What a launch does whose PTX was executed like this. `executed` is in the order of the lines.
    pub fn work(&self, executed: &[Executed]) -> MachineWork {
        let runs = self.runs(executed);
        let share = |of: fn(&Executed) -> f64| -> BTreeMap<u32, f64> {
            executed.iter().map(|one| (one.line, of(one) / (one.warps as f64).max(1.0))).collect()
        };
        let missed = share(|one| one.missed as f64);
        let late = share(|one| one.missed as f64 + ON_ITS_WAY * one.behind as f64);
        let mut work = MachineWork {
            passes: executed.iter().map(|one| one.passes as f64).sum(),
            conflicts: executed.iter().map(|one| one.conflicts as f64).sum(),
            rounds_missed: executed.iter().map(|one| one.first_missed as f64).sum(),
            ..MachineWork::default()
        };
        work.turns = self.turned(&runs);
        let timings = schedule(&self.instructions, &self.blocks, &self.groups, &runs);
        let mut barriers = 0;
        for ((range, timing), runs) in self.blocks.iter().zip(&timings).zip(runs) {
            let (far, apart) = waits(timing, &late);
            work.missed += runs * waits(timing, &missed).0;
            work.near += runs * timing.near;
            work.far += runs * far;
            work.apart += runs * apart;
            // What a basic block waits for comes before its first barrier, if it has one.
            work.phases[barriers].far += runs * far;
            for one in &self.instructions[range.clone()] {
                work.add(one.unit, runs);
                work.phases[barriers].issued += runs;
                work.phases[barriers].near += runs * timing.near / range.len() as f64;
                barriers = (barriers + usize::from(one.unit == Unit::Barrier)).min(PHASES - 1);
            }
        }
        work
    }

    /// Branches that warps take, and places where their lanes come together.
    fn turned(&self, runs: &[f64]) -> f64 {
        let of = |(number, range): (usize, &Block)| {
            let last = self.instructions[range.end - 1];
            let alone = |next: usize| self.before.get(next).is_some_and(|before| before == &[number]);
            match last.unit {
                Unit::Rejoins => runs[number],
                Unit::Jump if !last.guarded => runs[number],
                Unit::Jump => {
                    let target = last
                        .target
                        .and_then(|start| self.blocks.iter().position(|range| range.start == start));
                    let back = last.target.is_some_and(|target| target <= range.start);
                    match target {
                        _ if alone(number + 1) => (runs[number] - runs[number + 1]).max(0.0),
                        Some(target) if alone(target) => runs[target].min(runs[number]),
                        _ if back => runs[number],
                        _ => 0.0,
                    }
                }
                _ => 0.0,
            }
        };
        self.blocks.iter().enumerate().map(of).sum()
    }

    /// Executions of each basic block.
    fn runs(&self, executed: &[Executed]) -> Vec<f64> {
        let lines: BTreeMap<u32, f64> = executed.iter().map(|one| (one.line, one.warps as f64)).collect();
        let mut most: BTreeMap<u32, f64> = BTreeMap::new();
        for (line, &runs) in &lines {
            if let Some(&origin) = self.origins.get(line) {
                let most = most.entry(origin).or_default();
                *most = runs.max(*most);
            }
        }
        let shares: BTreeMap<u32, Vec<f64>> = self
            .places
            .iter()
            .map(|(origin, places)| (*origin, self.shares(*origin, places, &most)))
            .collect();
        let estimates = self.estimates(&lines, &most, &shares);
        let mut runs = balanced(&estimates, &self.before, &self.copies(&most), self.jumps_anywhere());
        for (runs, rare) in runs.iter_mut().zip(&self.rare) {
            if *rare {
                *runs = 0.0;
            }
        }
        for (runs, range) in runs.iter_mut().zip(&self.blocks) {
            *runs *= self.turns(range, executed);
        }
        runs
    }

    /// What the PTX says of each basic block, by line, the most of a basic block of it, and how often each of the machine code runs by
    /// what one of the PTX says.
    fn estimates(
        &self,
        lines: &BTreeMap<u32, f64>,
        most: &BTreeMap<u32, f64>,
        shares: &BTreeMap<u32, Vec<f64>>,
    ) -> Vec<Estimate> {
        let mut estimates: Vec<Estimate> = Vec::with_capacity(self.blocks.len());
        for (number, range) in self.blocks.iter().enumerate() {
            let instructions = &self.instructions[range.clone()];
            let told = instructions.iter().filter(|one| one.line != 0).map(|one| {
                if self.is_behind_its_jump(one, instructions) {
                    return lines.range(one.line + 1..).next().map_or(0.0, |(_, &runs)| runs);
                }
                let origin = self.origins[&one.line];
                let most = most.get(&origin).copied().unwrap_or(0.0);
                let own = lines.get(&one.line).copied().unwrap_or(0.0);
                if most > 0.0 { shares[&origin][number] * own / most } else { 0.0 }
            });
            let told: Vec<f64> = told.collect();
            let last = instructions[instructions.len() - 1];
            let before = estimates.last().map_or(0.0, |last| last.runs);
            let begins = self.before[number].is_empty() && number == 0;
            estimates.push(Estimate {
                // All warps come by the first line of the PTX, and by no loop whose instructions were moved up to it.
                runs: match lines.values().find(|runs| **runs > 0.0) {
                    Some(&warps) if begins => warps,
                    _ if told.is_empty() => before,
                    _ => agreed(told),
                },
                weight: self.weight(number),
                ends: matches!(last.unit, Unit::Return | Unit::Ends | Unit::Anywhere),
            });
        }
        estimates
    }

    /// Whether an instruction was made of a branch of the PTX, and stands where that leads when it is not taken: where the warp's
    /// lanes come together again behind a loop.
    fn is_behind_its_jump(&self, one: &Decoded, block: &[Decoded]) -> bool {
        let is_jump = |other: &Decoded| other.unit == Unit::Jump && other.line == one.line;
        block.len() <= FEW && self.jumps.contains(&one.line) && !block.iter().any(is_jump)
    }

    /// How sure it is what the PTX says of a basic block of the machine code: by its instructions that stand where most of their
    /// own do, and hardly by others, or by those of one that was copied.
    fn weight(&self, number: usize) -> f64 {
        let of = |one: &Decoded| {
            let here =
                self.places.get(self.origins.get(&one.line)?)?.iter().find(|place| place.block == number)?;
            Some(match (here.kept, here.total) {
                (true, total) if total == here.copies => 1.0 / f64::from(total),
                (false, 1) => GUESSED,
                _ => UNSURE,
            })
        };
        let instructions = &self.instructions[self.blocks[number].clone()];
        instructions.iter().map(|one| of(one).unwrap_or(UNSURE)).sum()
    }

    /// Whether there is a jump of which nobody knows where it goes.
    fn jumps_anywhere(&self) -> bool {
        self.instructions.iter().any(|one| one.unit == Unit::Anywhere)
    }

    /// The basic blocks of the PTX that stand in several of the machine code.
    fn copies(&self, most: &BTreeMap<u32, f64>) -> Vec<Copies> {
        let of = |(origin, places): (&u32, &Vec<Place>)| {
            let copied: Vec<&Place> = places.iter().filter(|place| place.total > place.copies).collect();
            let first = copied.first()?;
            let sum: u32 = copied.iter().map(|place| place.copies).sum();
            let own = |place: &&&Place| {
                let instructions = &self.instructions[self.blocks[place.block].clone()];
                instructions.iter().filter(|one| self.origins.get(&one.line) == Some(origin)).count() as f64
                    / f64::from(place.copies)
            };
            (sum == first.total).then(|| Copies {
                blocks: copied.iter().map(|place| (place.block, f64::from(place.copies))).collect(),
                all: most.get(origin).copied().unwrap_or(0.0),
                weight: copied.iter().map(|place| own(&place)).fold(0.0, f64::max),
            })
        };
        self.places.iter().filter_map(of).collect()
    }

    /// Times round of a basic block that is the loop by which shared memory does an atomic it has no adder for; 1 of others.
    fn turns(&self, range: &Block, executed: &[Executed]) -> f64 {
        let block = &self.instructions[range.clone()];
        let back =
            block.last().is_some_and(|last| last.unit == Unit::Jump && last.target == Some(range.start));
        let Some(swap) = block.iter().find(|one| back && one.unit == Unit::AtomicShared) else { return 1.0 };
        let Ok(at) = executed.binary_search_by_key(&swap.line, |one| one.line) else { return 1.0 };
        (executed[at].turns as f64 / (executed[at].warps as f64).max(1.0)).max(1.0)
    }

    /// How often each basic block of the machine code runs by what one of the PTX says, which has these places.
    fn shares(&self, origin: u32, places: &[Place], most: &BTreeMap<u32, f64>) -> Vec<f64> {
        let all = most.get(&origin).copied().unwrap_or(0.0);
        let fewest = places.iter().map(|place| place.total).min().unwrap_or(1).max(1);
        let mut shares = vec![all / f64::from(fewest); self.blocks.len()];
        for place in places {
            shares[place.block] = all / f64::from(place.total.max(place.copies));
        }
        let mut apart: Vec<Place> =
            places.iter().copied().filter(|place| place.total > place.copies).collect();
        apart.sort_by_key(|place| std::cmp::Reverse(place.copies));
        let (Some(first), Some(last)) = (apart.first(), apart.last()) else { return shares };
        let total = apart.iter().map(|place| place.total).max().unwrap_or(0);
        let sum: u32 = apart.iter().map(|place| place.copies).sum();
        if sum != total || first.copies == last.copies || all <= 0.0 {
            return shares;
        }
        // An unrolled loop with what is left over of its rounds: most copies first, as often as they fit.
        let outside = most
            .range(..origin)
            .rev()
            .map(|(_, &runs)| runs)
            .find(|&runs| runs > 0.0 && runs < OUTSIDE * all);
        let entries = outside.unwrap_or(all / 1e9);
        let mut rounds = all / entries;
        for same in apart.chunk_by(|one, other| one.copies == other.copies) {
            let copies = f64::from(same[0].copies);
            let is_last = same[0].copies == last.copies;
            let times = if is_last { rounds / copies } else { (rounds / copies + 1e-6).floor() };
            for place in same {
                shares[place.block] = times * entries / same.len() as f64;
            }
            rounds -= times * copies;
        }
        shares
    }
}

/// Cycles that a basic block waits for far loads, and of those the ones by which several that are waited for together make it longer, in
/// standard deviations of a load.
fn waits(timing: &Timing, missed: &BTreeMap<u32, f64>) -> (f64, f64) {
    let of = |exposed: &Exposed| {
        // Neighbours take turns in missing; others miss by themselves.
        let shares = exposed.loads.iter().map(|loads| behind(loads, missed).min(1.0));
        let (none, all) = shares.fold((1.0, 0.0), |(none, all), share| (none * (1.0 - share), all + share));
        let any = 1.0 - none;
        let far = exposed.cycles * any;
        (far, far * slowest_of(all / any.max(f64::MIN_POSITIVE)))
    };
    timing.exposed.iter().map(of).fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

/// How often a warp finds anything missing of a group of neighbours, by how often each load misses: now one and now another of them is
/// the first to ask for a sector, so that each wait has its part of what all of them miss.
fn behind(loads: &Loads, missed: &BTreeMap<u32, f64>) -> f64 {
    let all: f64 = loads.neighbours.iter().filter_map(|line| missed.get(line)).sum();
    all * loads.awaited as f64 / loads.neighbours.len().max(1) as f64
}

/// How many standard deviations the largest of so many random numbers lies above their mean: order statistics of the normal
/// distribution.
fn slowest_of(many: f64) -> f64 {
    const OF: [f64; 8] = [0.0, 0.564, 0.846, 1.029, 1.163, 1.267, 1.352, 1.424];
    let at = (many - 1.0).clamp(0.0, (OF.len() - 1) as f64);
    let (below, way) = (at as usize, at.fract());
    OF[below] + way * (OF[(below + 1).min(OF.len() - 1)] - OF[below])
}

/// What the instructions of a basic block say of how often it runs: nearly the most, as some of them may have been moved here.
fn agreed(mut told: Vec<f64>) -> f64 {
    told.sort_by(|one, other| other.total_cmp(one));
    let at =
        if told.len() > FEW { ((MOVED * told.len() as f64) as usize).clamp(2, told.len() - 1) } else { 0 };
    told[at]
}
