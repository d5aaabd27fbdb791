//! How counters and launches grow from one picture to a larger one.

use simulator::model::Kernel;

/// A launch that does this share of its work on half the rows does not depend on them.
const CONSTANT: f64 = 0.9;
/// Counters of 32 bits on a picture so much larger.
pub(crate) fn grown(bytes: &[u8], scale: f64) -> Vec<u8> {
    let (words, rest) = bytes.as_chunks::<4>();
    let grown =
        words.iter().flat_map(|word| ((f64::from(u32::from_le_bytes(*word)) * scale) as u32).to_le_bytes());
    grown.chain(rest.iter().copied()).collect()
}

/// Whether a launch does not depend on the picture: it does about as much on half of the rows, and reads and writes as much.
/// Blocks that clear and add large tables of their own do most of their work whatever the picture is, and yet read it.
pub(super) fn is_constant(sample: &Kernel, half: &Kernel) -> bool {
    let counts: [fn(&Kernel) -> u64; 2] = [
        |kernel| kernel.counters.warp_instructions,
        |kernel| kernel.counters.unique_read_sectors + kernel.counters.unique_write_sectors,
    ];
    counts.iter().all(|count| count(half) as f64 >= CONSTANT * count(sample) as f64)
}

/// How much farther the whole is from the sample than the sample from its half, by the numbers that a launch is given:
/// what it does may depend on how many parts an earlier launch made rather than on the rows. `None` if they do not tell.
pub(super) fn growth([half, sample, whole]: [&[Vec<u8>]; 3]) -> Option<f64> {
    let number = |bytes: &Vec<u8>| Some(f64::from(u32::from_le_bytes(bytes.as_slice().try_into().ok()?)));
    let mut found: Option<f64> = None;
    for ((half, sample), whole) in half.iter().zip(sample).zip(whole) {
        let (Some(half), Some(sample), Some(whole)) = (number(half), number(sample), number(whole)) else {
            continue;
        };
        if half.to_bits() == sample.to_bits() {
            continue;
        }
        let growth = (whole - sample) / (sample - half);
        if found.is_some_and(|found| (found - growth).abs() > 0.1 * growth.abs()) {
            return None;
        }
        found = Some(growth);
    }
    found
}
