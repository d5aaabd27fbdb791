//! Small changes to the inputs, switched on and off between timed runs, so that no two runs have the same inputs.

use serde::{Deserialize, Serialize};

use crate::engine::{Engine, EngineError};
use crate::job::{Job, JobArgument, Prepared};
use crate::poison::Random;

/// A range of bytes of one input, and its contents while the patch is on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Index of the argument.
    pub argument: usize,
    /// First byte in it.
    pub offset: usize,
    /// The bytes there while the patch is on.
    pub bytes: Vec<u8>,
}

/// Changes that are made together: a few pixels. No two patches change the same byte.
pub type Patch = Vec<Change>;

/// Most equal bytes within one change: below this, one larger copy is cheaper than two.
const GAP: usize = 64;

/// The patch that turns the inputs of `before` into those of `after`; `None` if their sizes differ.
pub fn difference(before: &Job, after: &Job) -> Option<Patch> {
    if before.arguments.len() != after.arguments.len() {
        return None;
    }
    let mut patch = Vec::new();
    for (argument, both) in before.arguments.iter().zip(&after.arguments).enumerate() {
        match both {
            (JobArgument::Input { bytes: old, .. }, JobArgument::Input { bytes: new, .. }) => {
                if old.len() != new.len() {
                    return None;
                }
                patch.extend(changes(argument, old, new));
            }
            (old, new) if old == new => {}
            _ => return None,
        }
    }
    Some(patch)
}

fn changes(argument: usize, old: &[u8], new: &[u8]) -> Vec<Change> {
    let mut found: Vec<Change> = Vec::new();
    // Blocks first: almost all are equal, and comparing whole blocks is fast.
    for (block, (old, new)) in old.chunks(4096).zip(new.chunks(4096)).enumerate() {
        if old == new {
            continue;
        }
        for (at, _) in old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new) {
            let offset = block * 4096 + at;
            match found.last_mut() {
                Some(last) if offset <= last.offset + last.bytes.len() + GAP => {
                    last.bytes.resize(offset + 1 - last.offset, 0);
                }
                _ => found.push(Change { argument, offset, bytes: vec![0] }),
            }
        }
    }
    for change in &mut found {
        let place = change.offset..change.offset + change.bytes.len();
        change.bytes.copy_from_slice(&new[place]);
    }
    found
}

/// Switches patches of one set of buffers at random; `on` has one bit per patch.
pub fn switch(
    engine: &mut dyn Engine,
    prepared: &mut Prepared<'_>,
    job: &Job,
    patches: &[Patch],
    on: &mut u64,
    random: &mut Random,
) -> Result<(), EngineError> {
    if patches.is_empty() {
        return Ok(());
    }
    let all = u64::MAX >> (64 - patches.len().min(64));
    // Never the state of the last run.
    let flip = match random.number() & all {
        0 => 1,
        flip => flip,
    };
    for (index, patch) in patches.iter().enumerate().take(64) {
        if flip >> index & 1 == 0 {
            continue;
        }
        *on ^= 1 << index;
        for change in patch {
            let JobArgument::Input { bytes, .. } = &job.arguments[change.argument] else { continue };
            let place = change.offset..change.offset + change.bytes.len();
            let now = if *on >> index & 1 == 1 { &change.bytes[..] } else { &bytes[place] };
            prepared.change_input(engine, change.argument, change.offset, now)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn differences_are_found_and_neighbours_joined() {
        let old = vec![7; 10_000];
        let mut new = old.clone();
        (new[3], new[5], new[9_000]) = (1, 2, 3);
        let found = changes(4, &old, &new);
        assert_eq!(
            found,
            [
                Change { argument: 4, offset: 3, bytes: vec![1, 7, 2] },
                Change { argument: 4, offset: 9_000, bytes: vec![3] },
            ]
        );
        assert!(changes(0, &old, &old).is_empty());
    }
}
