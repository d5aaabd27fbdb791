//! Slightly different versions of an image: no two timed runs have the same input.

use crate::call;
use lab::{Image, Task};
use rayon::prelude::*;

use runtime::job::Job;
use runtime::poison::Random;
use runtime::timing::{Patch, difference};

/// Patches per image: they give 64 versions of it.
const PATCHES: usize = 6;
/// Pixels of a patch, side by side.
const PIXELS: usize = 48;

/// A changed place of an image, and its new bytes.
#[derive(Debug, Clone)]
struct Spot {
    /// Index of its first byte.
    offset: usize,
    bytes: Vec<u8>,
}

/// The versions of one image: each patch is on or off.
#[derive(Debug, Clone)]
pub struct Variants {
    spots: Vec<Spot>,
    /// The same patches in the bytes of a task's inputs.
    pub patches: Vec<Patch>,
}

impl Variants {
    /// Versions of `image`; `job` holds the task's arguments for it. An image too small for patches has only one version.
    pub fn of(task: &dyn Task, image: &Image, job: &Job, seed: u64) -> Self {
        let one = |spot: Spot| {
            let changed = with(image, &[&spot]);
            let after = call::job(&job.function, task.arguments(&changed), job.pixels, job.poison);
            // Arguments of another shape cannot be patched in place.
            Some((spot, difference(job, &after)?))
        };
        let (spots, patches) = spots(image, seed).into_par_iter().filter_map(one).unzip();
        Self { spots, patches }
    }

    /// The version in which the patches of these bits are on.
    pub fn image(&self, image: &Image, on: u64) -> Image {
        let spots = self.spots.iter().enumerate().filter(|(index, _)| on >> index & 1 == 1);
        with(image, &spots.map(|(_, spot)| spot).collect::<Vec<_>>())
    }
}

/// One spot in each of [`PATCHES`] stripes, so that no two overlap.
fn spots(image: &Image, seed: u64) -> Vec<Spot> {
    let mut random = Random::new(seed);
    let width = PIXELS.min(image.width);
    let stripe = image.height / PATCHES;
    if stripe == 0 {
        return Vec::new();
    }
    let mut spot = |index: usize| {
        let y = index * stripe + random.number() as usize % stripe;
        let x = random.number() as usize % (image.width - width + 1);
        let bytes = (0..width * image.channels).map(|_| random.number() as u8).collect();
        Spot { offset: (y * image.width + x) * image.channels, bytes }
    };
    (0..PATCHES).map(&mut spot).collect()
}

fn with(image: &Image, spots: &[&Spot]) -> Image {
    let mut image = image.clone();
    for Spot { offset, bytes } in spots {
        image.data[*offset..offset + bytes.len()].copy_from_slice(bytes);
    }
    image
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::labs;
    use runtime::job::JobArgument;

    fn inputs(job: &Job) -> Vec<Vec<u8>> {
        job.inputs().into_iter().map(<[u8]>::to_vec).collect()
    }

    fn patched(job: &Job, variants: &Variants, on: u64) -> Vec<Vec<u8>> {
        let mut job = job.clone();
        for (_, patch) in variants.patches.iter().enumerate().filter(|(index, _)| on >> index & 1 == 1) {
            for change in patch {
                let JobArgument::Input { bytes, .. } = &mut job.arguments[change.argument] else {
                    panic!("only inputs change")
                };
                bytes[change.offset..change.offset + change.bytes.len()].copy_from_slice(&change.bytes);
            }
        }
        inputs(&job)
    }

    #[test]
    fn patched_inputs_are_those_of_the_patched_image() {
        let image = Image { width: 101, height: 37, channels: 3, data: vec![9; 101 * 37 * 3] };
        for lab in labs::all() {
            for task in lab.tasks() {
                let job = call::job(task.name(), task.arguments(&image), 0, 1);
                let variants = Variants::of(*task, &image, &job, 7);
                assert_eq!(variants.patches.len(), PATCHES);
                for on in [0, 1, 0b10_1010, 0b11_1111] {
                    let whole = call::job(task.name(), task.arguments(&variants.image(&image, on)), 0, 1);
                    assert!(patched(&job, &variants, on) == inputs(&whole), "{}: {on:b}", task.name());
                }
            }
        }
    }

    #[test]
    fn an_image_of_few_rows_has_no_patches() {
        let image = Image { width: 10, height: 5, channels: 3, data: vec![0; 150] };
        assert!(spots(&image, 1).is_empty());
    }
}
