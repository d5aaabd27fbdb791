//! Events of a launch and of each source line.

use super::critical_path::CriticalPath;
use super::scheduler_balance::SchedulerBalance;
use super::traffic::Traffic;
use crate::decode::Class;
use crate::finding::Location;
use serde::{Deserialize, Serialize};

/// Bytes of a sector.
const SECTOR: u64 = 32;

/// Events of one launch or one source line. A sector is 32 bytes of global memory; a wavefront is one pass of a warp's
/// request. New events may be added; those here keep their meaning.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Counters {
    /// Instructions executed, counted once a warp.
    pub warp_instructions: u64,
    /// Instructions executed, counted once an active lane.
    pub thread_instructions: u64,
    /// Global load requests (warp instructions).
    pub global_load_requests: u64,
    /// Sectors that global loads touched, counted each time.
    pub global_load_sectors: u64,
    /// Global store requests.
    pub global_store_requests: u64,
    /// Sectors that global stores touched, counted each time.
    pub global_store_sectors: u64,
    /// Distinct sectors read at least once.
    pub unique_read_sectors: u64,
    /// Distinct sectors written at least once, atomics included.
    pub unique_write_sectors: u64,
    /// Atomic operations on global memory, counted once a lane.
    pub global_atomics: u64,
    /// Sectors that they touched, counted each time.
    pub global_atomic_sectors: u64,
    /// Atomic operations on shared memory, counted once a lane.
    #[serde(default)]
    pub shared_atomics: u64,
    /// Their requests.
    #[serde(default)]
    pub shared_atomic_requests: u64,
    /// Shared-memory load and store requests.
    pub shared_requests: u64,
    /// Shared-memory wavefronts, loads and stores.
    pub shared_wavefronts: u64,
    /// Wavefronts that the same requests need without bank conflicts.
    pub shared_wavefronts_least: u64,
    /// Sectors that global loads and stores need at the least: the bytes they use, in whole sectors.
    pub global_sectors_least: u64,
    /// Atomic requests (warp instructions), global and shared.
    pub atomic_requests: u64,
    /// The most lanes of one request that update the same address, summed over them: rounds if nothing is merged.
    pub atomic_rounds: u64,
    /// Loads and stores of global memory, in passes of the load/store pipe: bank conflicts and lines count.
    pub global_wavefronts: u64,
    /// Sectors that global loads did not find in the first-level cache, which each block is taken to have to itself.
    pub missed_sectors: u64,
    /// Sectors of the threads' own memory that stores touched, counted each time: they go to the L2 as those of global stores.
    pub local_store_sectors: u64,
    /// Pixels fetched from textures, a request for a warp each.
    pub texture_requests: u64,
    /// Cycles of an H200's texture units for them and for reads through surfaces: 8 a fetch by floating coordinates, 4 by whole
    /// numbers, more where the lanes' texels are scattered.
    pub texture_passes: u64,
    /// The different values that matches found among their lanes, summed over the matches.
    pub match_values: u64,
    /// What that takes, in words that the first level of the constant cache has: more where the launch touches over 2 KiB.
    pub constant_passes: u64,
    /// Loads and stores of local memory.
    pub local_requests: u64,
    /// Their passes of the load/store pipe.
    pub local_wavefronts: u64,
    /// Passes of shared memory that its atomics need: the most lanes in one bank. Increments by one whose result nobody
    /// reads are merged, lanes at one address count once. What shared memory does by a loop takes a load and two passes more for each
    /// turn, and in each turn one lane of a bank succeeds; turns that another warp makes vain count, too.
    pub shared_atomic_wavefronts: u64,
    /// The most lanes at one address in each sector that a global atomic request touches, summed over sectors and
    /// requests: what the L2 does one after another if all lies in one place.
    pub global_atomic_rounds: u64,
    /// The share of them in the busiest 512 bytes, which one slice of the L2 serves.
    pub hottest_atomic_rounds: u64,
    /// The share of the rounds in [`Self::global_atomic_rounds`] in sectors of which the request changes several words.
    pub global_atomic_neighbours: u64,
    /// The same of [`Self::hottest_atomic_rounds`].
    pub hottest_atomic_neighbours: u64,
    /// `mix` without what the assembler needs not execute: values that are known before the launch, in loops that it
    /// unrolls, and what is settled when the launch begins.
    pub live: [u64; Class::COUNT],
    /// What goes on from the first-level caches.
    pub traffic: Traffic,
    /// The longest warp of each block, summed over the blocks.
    pub path: CriticalPath,
    /// The longest warp of all.
    pub longest_path: CriticalPath,
    /// How instructions of `live` spread over the schedulers.
    pub scheduler_balance: SchedulerBalance,
    /// The most times that a word of global memory that threads wait for, such as a lock, went from one of them to the next.
    #[serde(default)]
    pub turns_of_threads: u64,
    /// The same of a word of shared memory: within one block.
    #[serde(default)]
    pub turns_in_a_block: u64,
    /// `warp_instructions` by the unit that executes them, indexed by [`Class`].
    pub mix: [u64; Class::COUNT],
}

/// The events of one source line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineCounters {
    /// The student's line.
    pub location: Location,
    /// Its share of the launch's events. `unique_*` are the line's own: a sector that two lines touch counts for both.
    pub counters: Counters,
}

impl Counters {
    /// Active lanes per instruction: 0 to 32.
    pub fn active_lanes(&self) -> f64 {
        ratio(self.thread_instructions, self.warp_instructions)
    }

    /// Global load and store requests (warp instructions).
    pub fn global_requests(&self) -> u64 {
        self.global_load_requests + self.global_store_requests
    }

    /// Sectors that global loads and stores touched, counted each time.
    pub fn global_sectors(&self) -> u64 {
        self.global_load_sectors + self.global_store_sectors
    }

    /// Sectors per global load or store request: 1 to 32 for each 32 bytes of a lane.
    pub fn sectors_per_request(&self) -> f64 {
        ratio(self.global_sectors(), self.global_requests())
    }

    /// The same if each request's bytes lay side by side.
    pub fn least_sectors_per_request(&self) -> f64 {
        ratio(self.global_sectors_least, self.global_requests())
    }

    /// How often loads touch each sector that they read.
    pub fn loads_per_sector(&self) -> f64 {
        ratio(self.global_load_sectors, self.unique_read_sectors)
    }

    /// Wavefronts per shared-memory request: 1 without bank conflicts, for up to 4 bytes per lane.
    pub fn wavefronts_per_request(&self) -> f64 {
        ratio(self.shared_wavefronts, self.shared_requests)
    }

    /// The same without bank conflicts.
    pub fn least_wavefronts_per_request(&self) -> f64 {
        ratio(self.shared_wavefronts_least, self.shared_requests)
    }

    /// Whether there are atomics on shared memory that hardly wait for each other: its layout suits them.
    pub fn layout_suits_atomics(&self) -> bool {
        self.shared_atomic_wavefronts > 0 && ratio(self.shared_atomic_wavefronts, self.atomic_requests) < 1.5
    }

    /// Lanes that update the same address, the most of each atomic request, on average.
    pub fn atomic_multiplicity(&self) -> f64 {
        ratio(self.atomic_rounds, self.atomic_requests)
    }

    /// Passes of the load/store pipe: global, shared and local memory.
    pub fn load_store_passes(&self) -> u64 {
        self.global_wavefronts
            + self.shared_wavefronts
            + self.local_wavefronts
            + self.shared_atomic_wavefronts
    }

    /// Bytes of global memory that were read, and that were written, at least once, in whole sectors.
    pub fn unique_bytes(&self) -> (u64, u64) {
        (SECTOR * self.unique_read_sectors, SECTOR * self.unique_write_sectors)
    }

    /// Bytes of the sectors that global loads and stores touched, counted each time.
    pub fn moved_bytes(&self) -> u64 {
        SECTOR * self.global_sectors()
    }

    /// Adds the events of another launch, as far as they are sums over instructions.
    pub fn include(&mut self, other: &Self) {
        self.add(other);
    }

    /// Adds another's events, as far as they are sums over instructions.
    pub fn add(&mut self, other: &Self) {
        let mut other = other.clone();
        for (mine, theirs) in self.of_instructions().zip(other.of_instructions()) {
            *mine += *theirs;
        }
        for (mine, theirs) in self.mix.iter_mut().zip(&other.mix) {
            *mine += theirs;
        }
    }

    /// The counters that are sums over instructions, but for `mix`.
    pub(crate) fn of_instructions(&mut self) -> impl Iterator<Item = &mut u64> {
        [
            &mut self.warp_instructions,
            &mut self.thread_instructions,
            &mut self.global_load_requests,
            &mut self.global_load_sectors,
            &mut self.global_store_requests,
            &mut self.global_store_sectors,
            &mut self.global_atomics,
            &mut self.global_atomic_sectors,
            &mut self.shared_atomics,
            &mut self.shared_atomic_requests,
            &mut self.shared_requests,
            &mut self.shared_wavefronts,
            &mut self.shared_wavefronts_least,
            &mut self.global_sectors_least,
            &mut self.atomic_requests,
            &mut self.atomic_rounds,
            &mut self.global_wavefronts,
            &mut self.texture_requests,
            &mut self.texture_passes,
            &mut self.match_values,
            &mut self.local_requests,
            &mut self.local_wavefronts,
            &mut self.shared_atomic_wavefronts,
            &mut self.global_atomic_rounds,
            &mut self.global_atomic_neighbours,
        ]
        .into_iter()
    }

    /// The counters that are known of a whole launch only and grow with it; `live`, `path`, `traffic` and `scheduler_balance` do, too.
    pub(crate) fn of_launch(&mut self) -> impl Iterator<Item = &mut u64> {
        [
            &mut self.unique_read_sectors,
            &mut self.unique_write_sectors,
            &mut self.missed_sectors,
            &mut self.local_store_sectors,
            &mut self.constant_passes,
            &mut self.turns_of_threads,
            &mut self.turns_in_a_block,
        ]
        .into_iter()
    }
}

/// `a / b`, and 0 where there is no `b`.
pub(crate) fn ratio(a: u64, b: u64) -> f64 {
    if b == 0 { 0.0 } else { a as f64 / b as f64 }
}
