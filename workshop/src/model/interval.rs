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

/// The bounds of each group.
pub fn of_groups<'a>(residuals: &(impl Iterator<Item = &'a Residual<'a>> + Clone)) -> [[f64; 2]; GROUPS] {
    std::array::from_fn(|group| {
        bounds(residuals.clone().filter(|one| one.group == group).map(|one| one.ratio).collect())
    })
}

/// How many calls of each group, and of all, lie inside the bounds that the calls of all other families give.
pub fn coverage(residuals: &[Residual<'_>]) -> Vec<Coverage> {
    let mut counts = [(0, 0); GROUPS];
    let families: BTreeSet<&str> = residuals.iter().map(|one| one.family).collect();
    for family in families {
        let of_others = of_groups(&residuals.iter().filter(|one| one.family != family));
        for one in residuals.iter().filter(|one| one.family == family) {
            let [low, high] = of_others[one.group];
            let (inside, all) = &mut counts[one.group];
            *inside += usize::from((low..=high).contains(&one.ratio));
            *all += 1;
        }
    }
    let bounds = of_groups(&residuals.iter());
    let of_group = |(group, &(inside, times)): (usize, &(usize, usize))| {
        let group_name = Some(GROUP_NAMES[group].to_owned());
        Coverage { group: group_name, bounds: Some(bounds[group]), times, inside, asked: COVERED }
    };
    let (inside, times) = counts.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let all = Coverage { group: None, bounds: None, times, inside, asked: COVERED };
    counts.iter().enumerate().map(of_group).chain([all]).collect()
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
        let [low, high] = of_groups(&all[..11].iter())[0];
        assert!((low - 0.96).abs() < 1e-9 && (high - 1.04).abs() < 1e-9);
        assert_eq!(found.last().map(|all| (all.group.clone(), all.times)), Some((None, 12)));
    }
}
