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

/// Versions of the inputs in the runs of one measurement. Few, because the right output of each is computed; two neighbouring
/// calls on the same buffers never have the same.
const VERSIONS: usize = 4;

/// Versions that no kernel can know before: the patches that are on in each, one bit per patch.
pub fn versions(patches: usize, random: &mut Random) -> Vec<u64> {
    let all = 1_u64.checked_shl(patches as u32).map_or(u64::MAX, |all| all - 1);
    let wanted = VERSIONS.min(usize::try_from(all).unwrap_or(usize::MAX).saturating_add(1));
    let mut versions: Vec<u64> = Vec::new();
    while versions.len() < wanted {
        let version = random.number() & all;
        if !versions.contains(&version) {
            versions.push(version);
        }
    }
    versions
}

/// Brings one set of buffers from the version `on` to the version `to`.
pub fn switch(
    engine: &mut dyn Engine,
    prepared: &mut Prepared<'_>,
    job: &Job,
    patches: &[Patch],
    on: &mut u64,
    to: u64,
) -> Result<(), EngineError> {
    let flip = *on ^ to;
    *on = to;
    for (index, patch) in patches.iter().enumerate().filter(|(index, _)| flip >> index & 1 == 1) {
        for change in patch {
            let JobArgument::Input { bytes, .. } = &job.arguments[change.argument] else { continue };
            let place = change.offset..change.offset + change.bytes.len();
            let now = if to >> index & 1 == 1 { &change.bytes[..] } else { &bytes[place] };
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
    fn versions_differ_and_there_are_no_more_than_the_patches_give() {
        let mut random = Random::new(3);
        for (patches, wanted) in [(0, 1), (1, 2), (2, 4), (6, VERSIONS), (64, VERSIONS)] {
            let mut versions = versions(patches, &mut random);
            versions.sort_unstable();
            versions.dedup();
            assert_eq!(versions.len(), wanted, "{patches} patches");
            assert!(patches > 63 || versions.iter().all(|version| *version < 1 << patches));
        }
    }

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
