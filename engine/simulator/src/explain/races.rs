//! Races put into words.

use std::collections::BTreeMap;

use super::place::coordinates;
use super::undefined::about;
use super::{Scene, count_bytes};
use crate::decode::{Action, Inst, Where, asks_others};
use crate::finding::{Finding, Kind, Label, Location, Severity};
use crate::isa::actions;
use crate::isa::{AccessKind, LANES};
use crate::observe::{Party, Race, RaceKind};
use crate::ptx::ast::Space;

const BARRIER: &str = "put a `__syncthreads()` between the two, reached by every thread of the block";

/// What to try where one line both loads and stores: a count, or a sum in place.
///
/// The judge has the text of the line, and tells one of the two.
pub const ONE_LINE: &str = "this line loads, computes and stores, and other threads come between: if it adds to a \
                            counter (`n[i] += 1`), make it one step, `atomicAdd(&n[i], 1)`; if it uses what other \
                            threads write, read first, then a barrier, then write";

/// What to try where one line counts with a plain access beside the atomic of another line: no barrier makes it one step.
///
/// The judge has the text of the line, and keeps this where each thread has an element of its own.
pub const BESIDE_ATOMIC: &str = "this line loads, computes and stores in several steps, and the atomic of another thread can come between: make it one atomic \
                                 step as well, `atomicAdd(&n[i], 1)`. If each thread has an element of its own here, put a `__syncthreads()` \
                                 between the two lines instead";

/// What to try where two threads store in one line: no barrier can come between.
const ONE_STORE: &str = "both threads store in this line, so that no barrier can come between. If each thread has an element of its own, compute the index \
                         of both threads: one of them is wrong. If the element is the same for all, let one thread store (`if (threadIdx.x == 0)`)";

/// What to try where two threads store one element in two lines.
const TWO_STORES: &str = "only one of the two values can stay, with a barrier as well: if each thread has an element of its own, compute the index of \
                          both threads, because one of them is wrong; if one is to replace the other, put a `__syncthreads()` between";

/// Why two blocks that store to the same bytes are in conflict: a store of the value that is there is none.
const TWO_VALUES: &str = "two blocks store different values to the same bytes of global memory, and blocks run in any order: which value \
                          stays is left to chance";

/// What to try there.
const WHICH_VALUE: &str = "if each block has elements of its own, compute the index of both threads: one of them is wrong. If both may store this \
                           element, their values must be equal: one of the two threads computes a wrong one";

/// What to try where one thread of a warp uses what another one does.
const IN_A_WARP: &str = "put a `__syncwarp()` between the two, reached by every thread of the warp, or exchange the value with `__shfl_sync`";

/// The same in a block of several warps.
const IN_A_WARP_OF_SEVERAL: &str = "put a `__syncwarp()` between the two, reached by every thread of the warp; if other warps of the block use these bytes as \
                                    well, it has to be a `__syncthreads()`";

/// The same for two threads of a warp.
const WHICH_OF_A_WARP: &str = "the two store different values. If each thread has elements of its own, compute the index of both: one of them is wrong. If \
                               both may store this element, their values must be equal: one of the two threads computes a wrong one. If one value is to replace \
                               the other, put a `__syncthreads()` or a `__syncwarp()` between";

/// Code, severity, sentence and hint of each kind.
fn words(kind: RaceKind) -> (&'static str, Severity, &'static str, &'static str) {
    match kind {
        RaceKind::Shared => (
            "W0301",
            Severity::Error,
            "two warps of the block use the same bytes of shared memory, and no barrier orders the two \
             accesses",
            BARRIER,
        ),
        RaceKind::Block => (
            "W0302",
            Severity::Error,
            "two warps of the block use the same bytes of global memory, and no barrier orders the two \
             accesses",
            BARRIER,
        ),
        RaceKind::Grid => (
            "W0303",
            Severity::Error,
            "two blocks use the same bytes of global memory, and blocks run in any order, or at once",
            "let each block write bytes of its own, use an atomic, or split the kernel: a second launch sees \
             all that the first has written",
        ),
        RaceKind::Warp => (
            "W0304",
            Severity::Warning,
            "two threads of one warp use the same bytes with no `__syncwarp()` between: since compute \
             capability 7.0 the threads of a warp need not run in step",
            IN_A_WARP,
        ),
        RaceKind::Instruction => (
            "W0305",
            Severity::Error,
            "two threads of one warp store different values to the same bytes at once: which one stays is \
             left to chance",
            "compute the index of both threads: likely one of them is wrong. If the element is the same for all, let one thread store \
             (`if (threadIdx.x == 0)`); if the line counts, use an atomic",
        ),
        RaceKind::SameValue => (
            "W0306",
            Severity::Note,
            "several threads store the same value to the same bytes: harmless as long as the value is the \
             same",
            "one thread is enough, unless the test costs more than the store",
        ),
        RaceKind::ReadOnly => (
            "W0311",
            Severity::Error,
            "the load goes through the read-only cache (`__ldg`, or a `const … __restrict__` parameter), which does not \
             see what the kernel itself writes: it may give the old value, even behind a barrier",
            "load it without `__ldg`, and take `__restrict__` off pointers to memory that this kernel also writes; or read it in a \
             second kernel",
        ),
        RaceKind::Scope => (
            "W0310",
            Severity::Error,
            "an atomic of block scope (`atomicAdd_block`) is atomic only among the threads of its own block, and two blocks \
             use these bytes",
            "use the plain form, such as `atomicAdd`, for memory that several blocks share; the `_block` form is for memory of \
             one block",
        ),
        RaceKind::Atomic => (
            "W0307",
            Severity::Error,
            "one thread uses these bytes with an atomic and another with a plain access, and no barrier orders \
             the two accesses",
            "an atomic only orders itself with other atomics: put a barrier between the two (after setting \
             counters to zero, before reading them), or make both atomic",
        ),
    }
}

/// Why a plain access and another block's atomic are in conflict.
const BLOCKS: &str = "one block uses these bytes with an atomic and another with a plain access, and nothing orders the two: blocks \
                      run in any order, or at once";

/// What to try there.
const SECOND_KERNEL: &str = "an atomic only orders itself with other atomics: read the bytes in a second kernel, or make both accesses \
                             atomic";

/// What to try where blocks tell each other by an atomic that they have stored something.
const FENCE: &str = "if an atomic counter or a flag tells the other block that the value is there, put a `__threadfence()` between \
                     the store (or the atomic that adds the value) and that atomic, without which the value may arrive later than the \
                     flag; and, behind the atomic that sees it, a `__syncthreads()` (or a second fence) before the value is read. Otherwise let each block write bytes of its own, or \
                     split the kernel";

/// The same in a kernel that has a fence.
const FENCE_ELSEWHERE: &str = "if an atomic counter or a flag tells the other block that the value is there, the kernel's \
                               `__threadfence()` is not enough where it stands: let every thread call it after its last store or \
                               atomic, then let all meet at a `__syncthreads()`, and only then let one thread add to the counter; \
                               the block that sees the counter needs a fence or barrier, too, before it reads. Otherwise let each \
                               block write bytes of its own, or split the kernel";

impl Scene<'_> {
    /// What to try where blocks tell each other by atomics or `volatile` stores on global memory, if they do.
    fn fence(&self) -> Option<&'static str> {
        let global = |space| space != Where::In(Space::Shared);
        let code = &self.program.code;
        let tells = |inst: &Inst| match inst.action {
            Action::Atomic { access, .. } => global(access.space),
            Action::Store(access) => access.strong && global(access.space),
            Action::Load(_)
            | Action::Texture(_)
            | Action::Surface(_)
            | actions!(registers | warps | barriers | jumps | ends | waits) => false,
        };
        let fences = code.iter().any(|inst| matches!(inst.action, Action::Fence));
        // Whoever is told has to look.
        let told = code.iter().any(tells) && code.iter().any(asks_others);
        told.then_some(if fences { FENCE_ELSEWHERE } else { FENCE })
    }

    fn verb(&self, party: Party) -> &'static str {
        match self.program.code[party.pc as usize].action.access_kind() {
            Some(AccessKind::Read) => "reads",
            Some(AccessKind::Write) => "writes",
            Some(AccessKind::Atomic) | None => "updates atomically",
        }
    }

    /// Whether the line of a plain access both loads and stores, in the kind of memory of a race: a count in several steps.
    fn counts_plainly(&self, party: Party, shared: bool) -> bool {
        let Some(line) = self.location(party.pc).filter(|_| self.verb(party) != "updates atomically") else {
            return false;
        };
        let is_here = |pc: usize| {
            let location = u32::try_from(pc).ok().and_then(|pc| self.location(pc));
            location.is_some_and(|own| (&own.file, own.line) == (&line.file, line.line))
        };
        let same = |space: Where| (space == Where::In(Space::Shared)) == shared;
        let of = |reads: bool| {
            let mut code = self.program.code.iter().enumerate();
            code.any(|(pc, inst)| {
                let access = match inst.action {
                    Action::Load(access) if reads => access,
                    Action::Store(access) if !reads => access,
                    _ => return false,
                };
                same(access.space) && is_here(pc)
            })
        };
        of(true) && of(false)
    }

    /// Bytes of an element of an access: the compiler joins accesses to several.
    fn size(&self, party: Party) -> Option<u64> {
        match self.program.code[party.pc as usize].action {
            Action::Load(access) | Action::Store(access) | Action::Atomic { access, .. } => {
                Some(u64::from(access.width))
            }
            Action::Texture(_)
            | Action::Surface(_)
            | actions!(registers | warps | barriers | jumps | ends | waits) => None,
        }
    }

    /// Races as findings, those of the same lines together.
    pub fn races(&self, races: impl Iterator<Item = Race>, grid: [u32; 3]) -> Vec<Finding> {
        let mut found: BTreeMap<(&str, Option<Location>, Option<Location>), Finding> = BTreeMap::new();
        for race in races {
            let finding = self.race(&race, grid);
            let other = finding.labels.first().map(|label| label.location.clone());
            // Whoever came first here may come last elsewhere.
            let mut lines = [finding.location.clone(), other];
            lines.sort();
            let [first, second] = lines;
            found
                .entry((finding.code, first, second))
                .and_modify(|known| known.count += finding.count)
                .or_insert(finding);
        }
        // Lanes in step matter no more where a barrier is missing.
        let errors: Vec<String> = found
            .values()
            .filter(|finding| finding.severity == Severity::Error)
            .filter_map(|finding| about(&finding.message).map(str::to_owned))
            .collect();
        let beside = |finding: &Finding| {
            finding.severity == Severity::Warning
                && about(&finding.message).is_some_and(|name| errors.iter().any(|error| error == name))
        };
        found.into_values().filter(|finding| !beside(finding)).collect()
    }

    fn race(&self, race: &Race, grid: [u32; 3]) -> Finding {
        // The atomic is right: the line that counts without one comes first.
        let mut race = race.clone();
        let [now, before] = [race.now, race.before].map(|party| self.counts_plainly(party, race.shared));
        let beside_atomic = race.kind == RaceKind::Atomic && (now || before);
        if beside_atomic && before {
            std::mem::swap(&mut race.now, &mut race.before);
        }
        let race = &race;
        let (code, severity, reason, hint) = words(race.kind);
        let space = if race.shared { Space::Shared } else { Space::Global };
        let sizes = [race.now, race.before].map(|party| self.size(party));
        let differ = matches!(sizes, [Some(now), Some(before)] if now != before);
        let element = if differ {
            self.bytes_of(space, race.address, race.bytes)
        } else {
            self.element(space, race.address, race.bytes)
        };
        let thread = |party: Party| self.thread_of(grid, u64::from(party.block), party.warp, party.lane);
        let blocks = race.before.block != race.now.block;
        let before = thread(race.before);
        let who = before.as_ref().map_or_else(
            || "another thread".to_owned(),
            |thread| {
                let place = coordinates(thread.thread);
                if blocks {
                    format!("thread {place} of block {}", coordinates(thread.block))
                } else {
                    format!("thread {place}")
                }
            },
        );
        let (now_does, before_does) = (self.verb(race.now), self.verb(race.before));
        let (location, other) = (self.location(race.now.pc), self.location(race.before.pc));
        let same_line = location
            .as_ref()
            .zip(other.as_ref())
            .is_some_and(|(a, b)| (&a.file, a.line) == (&b.file, b.line));
        let plain = [now_does, before_does].iter().all(|does| ["reads", "writes"].contains(does));
        let (reason, hint) =
            if race.kind == RaceKind::Atomic && blocks { (BLOCKS, SECOND_KERNEL) } else { (reason, hint) };
        let both_store = now_does == "writes" && before_does == "writes";
        let two_values = race.kind == RaceKind::Grid && both_store;
        let (reason, hint) = match race.kind {
            RaceKind::Grid if both_store => (TWO_VALUES, WHICH_VALUE),
            // No barrier makes one of two values the right one.
            RaceKind::Warp if both_store => (reason, WHICH_OF_A_WARP),
            RaceKind::Warp if self.block.iter().product::<u32>() > LANES as u32 => {
                (reason, IN_A_WARP_OF_SEVERAL)
            }
            _ => (reason, hint),
        };
        let fence = self.fence().filter(|_| {
            race.kind == RaceKind::Grid && !two_values || race.kind == RaceKind::Atomic && blocks
        });
        let part = match sizes[1].filter(|_| differ) {
            Some(bytes) => format!("{} of {}", count_bytes(bytes), self.array(space, race.address)),
            None => element.clone(),
        };
        let overlapping = self.overlapping(race.address).filter(|_| differ && !race.shared);
        let hint = if let Some(fence) = fence {
            fence
        } else if beside_atomic {
            BESIDE_ATOMIC
        } else if same_line && plain && now_does != before_does {
            ONE_LINE
        } else if same_line && plain && hint == BARRIER {
            ONE_STORE
        } else if let Some(told) = overlapping.as_deref() {
            told
        } else if plain && now_does == before_does && race.kind == RaceKind::Block {
            TWO_STORES
        } else {
            hint
        };
        let label =
            other.map(|location| Label { location, text: format!("{who} {before_does} {part} here") });
        Finding {
            code,
            kind: Kind::Race,
            severity,
            message: format!("{now_does} {element}, which {who} {before_does} too: {reason}"),
            location,
            labels: label.into_iter().collect(),
            thread: thread(race.now),
            count: race.count,
            hint: hint.to_owned(),
        }
    }
}
