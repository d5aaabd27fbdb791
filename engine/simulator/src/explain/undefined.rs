//! Uses of values that nothing wrote, put into words.

use std::collections::BTreeMap;

use super::{Scene, plural};
use crate::decode::{Action, Meeting, ShuffleMode};
use crate::finding::{Finding, Kind, Label, Location, Severity};
use crate::isa::actions;
use crate::observe::{Absence, Origin, Sink, Undefined};
use crate::ptx::ast::Space;

/// The label of a copy that brought such values.
pub const FROM_UNSET_HOST: &str = "copied here from host memory that nothing had written";

/// What values that nothing has written have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Root {
    /// The array or allocation that they come from.
    Named(String),
    /// The code and the place of the use.
    Unnamed(&'static str, Option<Location>),
}

/// The name in a text such as "writes `tile[74]`, which …".
pub(super) fn about(text: &str) -> Option<&str> {
    text.split('`').nth(1)?.split('[').next()
}

/// Leaves out uses of values that were not there yet because no barrier made threads wait for them: the race is the cause.
pub(crate) fn without_consequences(undefined: Vec<Finding>, races: &[Finding]) -> Vec<Finding> {
    let raced = |finding: &Finding| {
        let race = |race: &&Finding| {
            race.severity == Severity::Error && about(&race.message) == about(&finding.labels[0].text)
        };
        !finding.labels.is_empty() && races.iter().any(|one| race(&one))
    };
    undefined.into_iter().filter(|finding| !raced(finding)).collect()
}

/// Code and sentence of each use.
fn words(sink: Sink) -> (&'static str, &'static str) {
    match sink {
        Sink::Condition => ("W0201", "which way this goes depends on a value that nothing has written"),
        Sink::Address => ("W0202", "an address or index is computed from a value that nothing has written"),
        Sink::Atomic => ("W0203", "an atomic works with a value that nothing has written"),
        Sink::Output => ("W0204", "stores a value to global memory that nothing has written"),
        Sink::Participants => {
            ("W0205", "a mask, lane or barrier number depends on a value that nothing has written")
        }
    }
}

/// What to try after a copy or fill that ends too early.
const COUNTS_BYTES: &str = "copies and fills count bytes, not elements: n elements need `n * sizeof(element)`. If the kernel before \
                            is to write the rest, check that it writes every element";

fn hint(origin: Origin, host: bool, copied: bool) -> &'static str {
    match origin {
        Origin::Variable => {
            "give the variable a value where it is declared: on some path through the code it gets none"
        }
        Origin::AbsentLane { absence, .. } => match absence {
            Absence::Unborn => {
                "a shuffle gives a value only for lanes that exist: make the block a multiple of 32 threads, or do not use what this lane reads"
            }
            Absence::Ended => {
                "a shuffle gives a value only for lanes that execute it: let every lane take part (with 0, say, where it has no pixel), outside of \
                 any `if` that only some lanes enter, and `return` only afterwards"
            }
            Absence::Unnamed => {
                "a shuffle gives a value only for lanes that its mask names: name the lane in the mask (`~0u` is the whole warp) and let it take \
                 part, or do not use what this lane reads"
            }
        },
        Origin::Memory { space: Space::Shared, .. } => {
            "shared memory starts with arbitrary contents in every block: fill every element that is read (in a \
             loop, if there are more than threads in the block), with a `__syncthreads()` before it is used"
        }
        Origin::Memory { space: Space::Local, .. } if host => {
            "a local array starts with arbitrary contents: set every element that is read (`int a[8] = {};`). If a \
             `cudaMemcpy` is to fill it: that counts bytes, elements times `sizeof(element)`"
        }
        Origin::Memory { space: Space::Local, .. } => {
            "a local array starts with arbitrary contents: set every element that is read (`int a[8] = {};`)"
        }
        Origin::Memory { .. } if copied => {
            "a copy brings what is there: set every element of the host's array before it is copied (`int a[8] = {};` for \
             zeros), and copy no more bytes than were set"
        }
        Origin::Memory { .. } if host => {
            "`malloc`, `cudaMallocHost` and `cudaMalloc` give memory with arbitrary contents: set all of it that is read; a \
             `cudaMemcpy` counts bytes, elements times `sizeof(element)`"
        }
        Origin::Memory { .. } => {
            "`cudaMalloc` gives memory with arbitrary contents: fill all of it first (`cudaMemcpy` from the \
             host, or `cudaMemset`), or check that the kernel before wrote every element"
        }
    }
}

impl Scene<'_> {
    /// Uses as findings: one for each array or allocation that nothing has filled, however many lines use it, and one for each line
    /// that uses another variable.
    pub fn undefined(&self, uses: impl Iterator<Item = Undefined>, grid: [u32; 3]) -> Vec<Finding> {
        let mut found: BTreeMap<Root, Finding> = BTreeMap::new();
        for used in uses {
            let finding = self.undefined_use(&used, grid);
            let root = match self.named(&used) {
                Some(name) => Root::Named(name),
                None => Root::Unnamed(finding.code, finding.location.clone()),
            };
            found.entry(root).and_modify(|known| known.count += finding.count).or_insert(finding);
        }
        found.into_values().collect()
    }

    /// The array or allocation that a value comes from, unless it is a thread's own.
    fn named(&self, used: &Undefined) -> Option<String> {
        match used.origin {
            Origin::Variable | Origin::AbsentLane { .. } | Origin::Memory { space: Space::Local, .. } => None,
            Origin::Memory { space, address, .. } => {
                about(&self.element(space, address, 1)).map(str::to_owned)
            }
        }
    }

    /// The lane that a shuffle reads, and why it takes no part.
    fn absent(&self, pc: u32, warp: u32, lane: u32, absence: Absence) -> String {
        let name = match self.program.code[pc as usize].action.meeting() {
            Some(Meeting::Shuffle { mode: ShuffleMode::Up, .. }) => "__shfl_up_sync",
            Some(Meeting::Shuffle { mode: ShuffleMode::Down, .. }) => "__shfl_down_sync",
            Some(Meeting::Shuffle { mode: ShuffleMode::Bfly, .. }) => "__shfl_xor_sync",
            _ => "__shfl_sync",
        };
        let threads: u64 = self.block.iter().map(|&side| u64::from(side)).product();
        let here = threads.saturating_sub(32 * u64::from(warp)).min(32);
        let why = match absence {
            Absence::Unborn => {
                format!(", which does not exist: this warp has {here} thread{}", plural(here as u32))
            }
            Absence::Ended => ", which has ended and takes no part".to_owned(),
            Absence::Unnamed => ", which the mask does not name".to_owned(),
        };
        format!("`{name}` reads lane {lane} of the warp here{why}")
    }

    fn undefined_use(&self, used: &Undefined, grid: [u32; 3]) -> Finding {
        let (code, sentence) = words(used.sink);
        let (copied, short) = match used.origin {
            Origin::Memory { space: Space::Global | Space::Const, address, .. } => {
                (self.memory.unset_copy(address), self.memory.short_write(address).cloned())
            }
            _ => (None, None),
        };
        let hint = match (used.origin, copied, &short) {
            (_, None, Some(_)) => COUNTS_BYTES,
            (origin, copied, _) => hint(origin, self.host, copied.is_some()),
        };
        let (source, label) = match used.origin {
            Origin::Variable => ("a variable that was never set".to_owned(), None),
            Origin::AbsentLane { pc, lane, absence } => {
                let text = self.absent(pc, used.warp, lane, absence);
                let label = self.location(pc).map(|location| Label { location, text });
                ("a lane that takes no part in a shuffle".to_owned(), label)
            }
            Origin::Memory { pc, space, address } => {
                let bytes = match self.program.code[pc as usize].action {
                    Action::Load(access) | Action::Store(access) | Action::Atomic { access, .. } => {
                        u64::from(access.width)
                    }
                    Action::Surface(surface) => u64::from(surface.access.width),
                    Action::Texture(_) | actions!(registers | warps | barriers | jumps | ends | waits) => 1,
                };
                let element = self.element(space, address, bytes);
                let text = format!("{element} is read here, and nothing has written it");
                let source = match space {
                    Space::Local => "a local variable or array".to_owned(),
                    Space::Const => element,
                    _ if self.host => element,
                    _ => format!("{element} ({})", Self::memory_words(space)),
                };
                (source, self.location(pc).map(|location| Label { location, text }))
            }
        };
        let brought =
            copied.map(|location| Label { location: location.clone(), text: FROM_UNSET_HOST.to_owned() });
        Finding {
            code,
            kind: Kind::Initialisation,
            severity: Severity::Error,
            message: format!("{sentence}: it comes from {source}"),
            location: self.location(used.pc),
            labels: label.into_iter().chain(brought.or(short)).collect(),
            thread: self.thread_of(grid, used.block, used.warp, used.lane),
            count: used.count,
            hint: hint.to_owned(),
        }
    }
}
