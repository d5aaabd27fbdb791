//! The median, and its confidence interval.

/// The middle of a set of measurements; NaN if there are none.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => f64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
    }
}

/// The median of a set of ratios, and half the width of its 95 % interval relative to it. The interval uses order
/// statistics, so it assumes no distribution.
pub fn ratio(ratios: &[f64]) -> (f64, f64) {
    let middle = median(ratios);
    let count = ratios.len() as f64;
    let mut sorted = ratios.to_vec();
    sorted.sort_by(f64::total_cmp);
    let reach = 0.98 * count.sqrt();
    let low = (count / 2.0 - reach).floor().max(0.0) as usize;
    let high = (count / 2.0 + reach).ceil().min(count - 1.0) as usize;
    match (sorted.get(low), sorted.get(high)) {
        (Some(low), Some(high)) => (middle, (high - low) / 2.0 / middle),
        _ => (middle, f64::INFINITY),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_stands_in_the_middle() {
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
        assert!((median(&[4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < f64::EPSILON);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn few_measurements_are_unsure_and_an_outlier_does_not_matter() {
        let mut many = vec![1.0; 99];
        many.push(50.0);
        let (middle, error) = ratio(&many);
        assert!((middle - 1.0).abs() < f64::EPSILON && error < 1e-12);
        assert!(ratio(&[1.0, 2.0]).1 > 0.3);
        assert!(ratio(&[]).1.is_infinite());
    }
}
