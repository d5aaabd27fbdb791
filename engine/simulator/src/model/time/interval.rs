//! How far the time of a new kernel may lie from its prediction.
//!
//! Kernels that are kept busy by the same resource are mispredicted alike: so the cross-validated residuals of a group of limiters give
//! an interval, in which a share of [`COVERED`] of all times lies. `workshop model --fit` works the bounds out, and
//! `workshop model --cross-validate` counts how often they hold.

use super::terms::TERMS;

/// The share of times that lie inside their interval.
pub const COVERED: f64 = 0.8;

/// Groups of limiters.
pub const GROUPS: usize = 5;

/// What they are called, in order.
pub const GROUP_NAMES: [&str; GROUPS] =
    ["memory", "load/store pipe and tables", "arithmetic", "global atomics", "waiting"];

/// The group of each term, in the order of [`TERM_NAMES`](super::TERM_NAMES).
const GROUP_OF: [usize; TERMS] = [0, 0, 1, 2, 2, 2, 2, 2, 1, 4, 1, 1, 3, 4, 4];

/// The group of a limiter; without launches all is waiting.
pub(super) fn group(limiter: Option<usize>) -> usize {
    limiter.map_or(GROUPS - 1, |term| GROUP_OF[term])
}

/// The least and the most that measured times are of predicted ones: a share of `outside` lies beyond each; 1 and 1 if there are none.
pub fn bounds(mut ratios: Vec<f64>, outside: f64) -> [f64; 2] {
    ratios.sort_by(f64::total_cmp);
    let Some(last) = ratios.len().checked_sub(1) else { return [1.0; 2] };
    let at = |share: f64| ratios[(share * last as f64).round() as usize];
    [at(outside), at(1.0 - outside)]
}

#[cfg(test)]
mod tests {
    use super::super::TERM_NAMES;
    use super::*;

    #[test]
    fn as_many_lie_below_as_above() {
        let [low, high] = bounds((0..=100).rev().map(f64::from).collect(), 0.1);
        assert!((low - 10.0).abs() < 1e-9 && (high - 90.0).abs() < 1e-9);
        let bits = |values: Vec<f64>| bounds(values, 0.1).map(f64::to_bits);
        assert_eq!([bits(Vec::new()), bits(vec![0.7])], [[1.0_f64.to_bits(); 2], [0.7_f64.to_bits(); 2]]);
    }

    #[test]
    fn every_limiter_has_a_group() {
        let of = |name| GROUP_NAMES[group(TERM_NAMES.iter().position(|term| *term == name))];
        assert_eq!(
            [of("DRAM"), of("issue"), of("global atomics"), of("latency")],
            ["memory", "arithmetic", "global atomics", "waiting"]
        );
        assert_eq!(of("no launch"), "waiting");
    }
}
