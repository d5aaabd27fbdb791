//! Intervals of predicted times, from the residuals of cross-validation, and how often they hold.

use std::collections::BTreeSet;

use records::{Coverage, Prediction};
use simulator::model::{COVERED, GROUP_NAMES, GROUPS, bounds};

/// A call that was predicted without its family: the family, the group of its limiter, measured ÷ predicted.
pub struct Residual<'a> {
    family: &'a str,
    group: usize,
    ratio: f64,
}

/// Of all calls that were cross-validated; `groups` has the group of each row.
pub fn residuals<'a>(rows: &'a [Prediction], groups: &[usize]) -> Vec<Residual<'a>> {
    let of = |(row, &group): (&'a Prediction, &usize)| {
        let ratio = row.point.seconds / row.cross_validated_seconds?;
        Some(Residual { family: &row.family, group, ratio })
    };
    rows.iter().zip(groups).filter_map(of).collect()
}

/// Shares of the times of other families that lie beyond each bound, the widest interval last: those that share an idea miss alike, so that
/// an interval which holds for nine of ten times of some families holds for fewer of another.
const OUTSIDE: [f64; 9] = [0.1, 0.09, 0.08, 0.07, 0.06, 0.05, 0.04, 0.03, 0.02];

/// The bounds of each group, as narrow as they may be to hold for families that they do not come from.
pub fn of_groups(residuals: &[Residual<'_>]) -> [[f64; 2]; GROUPS] {
    std::array::from_fn(|group| bounds(ratios(residuals, group, |_| true), calibrated(residuals, group)))
}

/// How many calls of each group, and of all, lie inside the bounds that the calls of all other families give.
pub fn coverage(residuals: &[Residual<'_>]) -> Vec<Coverage> {
    let counts: [[usize; 2]; GROUPS] =
        std::array::from_fn(|group| held(residuals, group, calibrated(residuals, group)));
    let bounds = of_groups(residuals);
    let of_group = |(group, &[inside, times]): (usize, &[usize; 2])| {
        let group_name = Some(GROUP_NAMES[group].to_owned());
        Coverage { group: group_name, bounds: Some(bounds[group]), times, inside, asked: COVERED }
    };
    let [inside, times] = counts.iter().fold([0; 2], |sum, one| [sum[0] + one[0], sum[1] + one[1]]);
    let all = Coverage { group: None, bounds: None, times, inside, asked: COVERED };
    counts.iter().enumerate().map(of_group).chain([all]).collect()
}

/// The share beyond each bound of the narrowest interval that holds often enough, or of the widest.
fn calibrated(residuals: &[Residual<'_>], group: usize) -> f64 {
    let holds = |outside: f64| {
        let [inside, times] = held(residuals, group, outside);
        inside as f64 >= COVERED * times as f64
    };
    OUTSIDE.into_iter().find(|&outside| holds(outside)).unwrap_or(OUTSIDE[OUTSIDE.len() - 1])
}

/// The calls of a group that lie inside the bounds of all other families, and all its calls.
fn held(residuals: &[Residual<'_>], group: usize, outside: f64) -> [usize; 2] {
    let families: BTreeSet<&str> =
        residuals.iter().filter(|one| one.group == group).map(|one| one.family).collect();
    families.into_iter().fold([0; 2], |[inside, times], family| {
        let [low, high] = bounds(ratios(residuals, group, |one| one != family), outside);
        let own = ratios(residuals, group, |one| one == family);
        let within = own.iter().filter(|ratio| (low..=high).contains(*ratio)).count();
        [inside + within, times + own.len()]
    })
}

/// The ratios of a group, of these families.
fn ratios(residuals: &[Residual<'_>], group: usize, of: impl Fn(&str) -> bool) -> Vec<f64> {
    residuals.iter().filter(|one| one.group == group && of(one.family)).map(|one| one.ratio).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_of_a_family_come_from_the_others() {
        let of = |family, ratio: f64| Residual { family, group: 0, ratio };
        // Ten of the one family around 1, and one of the other far off.
        let mut all: Vec<Residual<'_>> = (0..11).map(|at| of("a", 0.95 + 0.01 * f64::from(at))).collect();
        all.push(of("b", 2.0));
        let found = coverage(&all);
        // Those of `a` have only the bounds of `b`, and the other way round.
        assert_eq!((found[0].inside, found[0].times), (0, 12));
        // All of one family: no bounds of others, and so the widest.
        let [low, high] = of_groups(&all[..11])[0];
        assert!((low - 0.95).abs() < 1e-9 && (high - 1.05).abs() < 1e-9);
        assert_eq!(found.last().map(|all| (all.group.clone(), all.times)), Some((None, 12)));
    }

    #[test]
    fn bounds_widen_until_they_hold_for_other_families() {
        let names = ["a", "b", "c", "d", "e"];
        let of = |spread: fn(usize) -> f64| -> Vec<Residual<'_>> {
            let each = names.iter().enumerate().flat_map(|(number, family)| {
                (0..10).map(move |at| Residual {
                    family,
                    group: 1,
                    ratio: spread(number) + 1e-4 * f64::from(at),
                })
            });
            each.collect()
        };
        // Families alike, and families that are each off by something of their own.
        assert!((calibrated(&of(|_| 1.0), 1) - OUTSIDE[0]).abs() < 1e-12);
        assert!(calibrated(&of(|number| 1.0 + 0.01 * number as f64), 1) < OUTSIDE[0]);
    }
}
