//! A search, for the tests of a lab: whether its cases tell arithmetic that is almost right from arithmetic that is.

use crate::{Argument, Element, Image, Task};

/// What a kernel with almost right arithmetic computes: the bytes of each output.
pub type Outputs = fn(&Image) -> Vec<Vec<u8>>;

/// Seeds that are tried: whatever the seed of a check, each of these finds must be possible.
const SEEDS: [u64; 3] = [1, 20, 300];

/// Whether some case of the task is wrong for each of these, under every seed. A message names those that pass all cases.
///
/// # Panics
/// If there are such.
pub fn all_are_told(task: &dyn Task, almost: &[(&str, Outputs)]) {
    let passed = passed(task, almost);
    assert!(passed.is_empty(), "`{}` passes with: {passed:?}", task.name());
}

/// Those that pass all cases under some seed: name and seed.
pub fn passed<'a>(task: &dyn Task, almost: &[(&'a str, Outputs)]) -> Vec<(&'a str, u64)> {
    let mut passed = Vec::new();
    for seed in SEEDS {
        let mut left: Vec<&(&str, Outputs)> = almost.iter().collect();
        for case in task.cases() {
            if left.is_empty() {
                break;
            }
            let image = case.image(seed).expect("a picture");
            let (expected, elements) = (task.parallel_reference(&image), elements(task, &image));
            left.retain(|(name, outputs)| {
                let found = outputs(&image);
                assert_eq!(found.len(), expected.len(), "{name}: other outputs");
                let mut pairs = expected.iter().zip(&found).zip(&elements);
                pairs.all(|((expected, found), element)| {
                    task.tolerance().compare(*element, expected, found).passed()
                })
            });
        }
        passed.extend(left.into_iter().map(|(name, _)| (*name, seed)));
    }
    passed
}

fn elements(task: &dyn Task, image: &Image) -> Vec<Element> {
    let element = |argument| match argument {
        Argument::Output { element, .. } => Some(element),
        _ => None,
    };
    task.arguments(image).into_iter().filter_map(element).collect()
}
