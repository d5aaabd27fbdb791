//! What a line of the source does, as a profile shows it.

use lab::Part;
use serde::Serialize;

use super::causes::{Around, Cause, Indices, causes};
use judge::build::dear::returns_early;
use judge::build::indices::looks_up;
use judge::prediction::{LANES, Sums};

/// What a line of the file does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// Its number, from 1.
    #[serde(rename = "line")]
    pub number: u32,
    /// Its text.
    pub text: String,
    /// Its share of the time of all kernels, 0 to 1.
    pub share: f64,
    /// Executions by warps of its most frequent instruction, on the whole picture.
    pub runs: f64,
    /// Instructions for each pixel of the picture.
    pub instructions: f64,
    /// Active lanes of an instruction, 0 to 32.
    pub lanes: f64,
    /// Sectors of 32 bytes that a request to global memory touches, and the fewest that hold its bytes.
    pub sectors: Option<[f64; 2]>,
    /// Passes of shared memory per request, and without bank conflicts.
    pub wavefronts: Option<[f64; 2]>,
    /// Passes of shared memory per request of an atomic.
    pub atomic_passes: Option<f64>,
    /// Cycles that a warp by itself takes for the line each time; absent where the machine code cannot be read.
    pub cycles: Option<f64>,
    /// What its share is spent on, largest first.
    pub parts: Vec<(Part, f64)>,
    /// What makes it cost so much.
    pub causes: Vec<Cause>,
}

impl Line {
    /// A line as data. `whole` is the time of all kernels.
    pub(super) fn of(sums: &Sums, number: u32, text: &str, whole: f64, around: Around<'_>) -> Self {
        let counters = &sums.counters;
        let indices = if looks_up(text) { Indices::LookedUp } else { around.indices };
        let around = Around { indices, ..around };
        let parts = sums.parts(whole);
        let has = |events: u64| (events > 0).then_some(());
        let share = sums.all() / whole;
        let instructions = LANES * sums.instructions / around.of_picture;
        let around = Around {
            atomics: sums.global_atomics,
            signed: LANES * sums.signed / around.of_picture,
            behind_a_branch: sums.loads_behind_a_branch() && returns_early(text),
            adds_products: adds_products(text),
            wait: sums.wait(),
            turns: sums.turns,
            ..around
        };
        Self {
            number,
            text: text.to_owned(),
            share,
            runs: sums.runs,
            instructions,
            lanes: counters.active_lanes(),
            sectors: has(counters.global_requests())
                .map(|()| [counters.sectors_per_request(), counters.least_sectors_per_request()]),
            wavefronts: has(counters.shared_requests)
                .map(|()| [counters.wavefronts_per_request(), counters.least_wavefronts_per_request()]),
            atomic_passes: has(counters.shared_atomic_wavefronts)
                .map(|()| counters.shared_atomic_wavefronts as f64 / counters.atomic_requests.max(1) as f64),
            cycles: sums.cycles.filter(|_| sums.sampled > 0.0).map(|cycles| cycles / sums.sampled),
            causes: causes(counters, share, &parts, (instructions, around)),
            parts,
        }
    }
}

/// Whether a line adds up products, by its text: `0.3f * r + 0.59f * g`, or `sum += weight * pixel`.
fn adds_products(text: &str) -> bool {
    let mut depth = 0_u32;
    let outside: String = text
        .chars()
        .filter(|c| {
            match c {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })
        .collect();
    let products = outside.split("//").next().unwrap_or_default().matches(" * ").count();
    products >= 2 || products == 1 && outside.contains("+=")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_products_are_told_from_a_product() {
        let sums = ["out[3 * i] = 0.3f * r[3 * i] + 0.59f * g[i] + 0.5f;", "sum += weights[k * 5] * pixel;"];
        let one = ["out[i] = (gray[i] - low) * factor + 0.5f;", "x = y[3 * i] * 2.0f; // a * b * c"];
        assert_eq!([sums, one].map(|lines| lines.map(adds_products)), [[true; 2], [false; 2]]);
    }
}
