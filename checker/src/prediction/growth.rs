//! How counters and launches grow from one picture to a larger one.

use simulator::model::Kernel;

/// A launch that does this share of its work on half the rows does not depend on them.
const CONSTANT: f64 = 0.9;
/// Counters of 32 bits on a picture so much larger.
pub(super) fn grown(bytes: &[u8], scale: f64) -> Vec<u8> {
    let (words, rest) = bytes.as_chunks::<4>();
    let grown =
        words.iter().flat_map(|word| ((f64::from(u32::from_le_bytes(*word)) * scale) as u32).to_le_bytes());
    grown.chain(rest.iter().copied()).collect()
}

/// Whether a launch does not depend on the picture.
pub(super) fn is_constant(sample: &Kernel, half: &Kernel) -> bool {
    let [sample, half] = [sample, half].map(|kernel| kernel.counters.warp_instructions as f64);
    half >= CONSTANT * sample
}
