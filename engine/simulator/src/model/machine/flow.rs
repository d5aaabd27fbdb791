//! How often basic blocks run so that it fits together: who comes to a block has come from another one.
//!
//! What the PTX says of a basic block of the machine code is sometimes wrong: instructions were moved there from elsewhere, or a loop
//! was copied, and nothing says how often which copy runs. The way that control can take says more. Sought are the executions
//! nearest to what the PTX says, summed over the instructions, that the branches allow: a linear program. A warp whose lanes part goes
//! both ways, and comes together again; so no block runs more often than those before it together lead to it, and all that
//! is not the last goes on somewhere.

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome, Variable};

/// What is known of a basic block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Estimate {
    /// Executions.
    pub runs: f64,
    /// What one more or less than that costs.
    pub weight: f64,
    /// Whether a warp may end here, or leave by an indirect branch.
    pub ends: bool,
}

/// Copies of one basic block of the PTX: all together run as often as it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Copies {
    /// Basic blocks of the machine code, and how often it stands in each.
    pub blocks: Vec<(usize, f64)>,
    /// Executions in the PTX.
    pub all: f64,
    /// What one more or less than that costs.
    pub weight: f64,
}

/// Executions of each basic block; `before` holds those from which one can come to it. There always are some: all warps may take one way
/// from the first block on until it ends or goes round for ever. Should the solver give up all the same, what was estimated.
pub(super) fn balanced(
    estimates: &[Estimate],
    before: &[Vec<usize>],
    copies: &[Copies],
    indirect: bool,
) -> Vec<f64> {
    let most = estimates.iter().map(|one| one.runs).chain(copies.iter().map(|one| one.all));
    let most = most.fold(0.0, f64::max);
    let as_estimated = || estimates.iter().map(|one| one.runs).collect();
    if most <= 0.0 {
        return as_estimated();
    }
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let runs: Vec<Variable> = estimates.iter().map(|_| problem.add_var(0.0, (0.0, f64::INFINITY))).collect();
    if before[0].is_empty() {
        // All warps come to the first one once.
        problem.add_constraint([(runs[0], 1.0)], ComparisonOp::Eq, estimates[0].runs / most);
    }
    for (block, one) in estimates.iter().enumerate() {
        near(&mut problem, &[(runs[block], 1.0)], one.runs / most, one.weight);
    }
    for one in copies {
        let sum: Vec<(Variable, f64)> =
            one.blocks.iter().map(|&(block, copies)| (runs[block], copies)).collect();
        near(&mut problem, &sum, one.all / most, one.weight);
    }
    ways(&mut problem, &runs, estimates, before, indirect);
    match problem.solve() {
        Ok(SolveOutcome::Solution(solution)) => {
            runs.iter().map(|&block| (solution[block] * most).max(0.0)).collect()
        }
        _ => as_estimated(),
    }
}

/// The sum shall be near a value.
fn near(problem: &mut Problem, sum: &[(Variable, f64)], value: f64, weight: f64) {
    if weight <= 0.0 {
        return;
    }
    let (more, less) =
        (problem.add_var(weight, (0.0, f64::INFINITY)), problem.add_var(weight, (0.0, f64::INFINITY)));
    let all: Vec<(Variable, f64)> = sum.iter().copied().chain([(more, -1.0), (less, 1.0)]).collect();
    problem.add_constraint(all, ComparisonOp::Eq, value);
}

/// What control allows. To a basic block behind no other one comes only from an indirect branch.
fn ways(
    problem: &mut Problem,
    runs: &[Variable],
    estimates: &[Estimate],
    before: &[Vec<usize>],
    indirect: bool,
) {
    let mut on: Vec<Vec<(Variable, f64)>> = vec![Vec::new(); runs.len()];
    for (block, from) in before.iter().enumerate() {
        let mut here = vec![(runs[block], -1.0)];
        for &from in from {
            let way = problem.add_var(0.0, (0.0, f64::INFINITY));
            problem.add_constraint([(way, 1.0), (runs[from], -1.0)], ComparisonOp::Le, 0.0);
            problem.add_constraint([(way, 1.0), (runs[block], -1.0)], ComparisonOp::Le, 0.0);
            here.push((way, 1.0));
            on[from].push((way, 1.0));
        }
        if block > 0 && !(from.is_empty() && indirect) {
            problem.add_constraint(here, ComparisonOp::Ge, 0.0);
        }
    }
    for (block, mut on) in on.into_iter().enumerate() {
        if !estimates[block].ends && !on.is_empty() {
            on.push((runs[block], -1.0));
            problem.add_constraint(on, ComparisonOp::Ge, 0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    /// Estimates of blocks of so many instructions; the last one ends.
    fn estimates(of: &[(f64, f64)]) -> Vec<Estimate> {
        let last = of.len() - 1;
        let one = |(block, &(runs, weight))| Estimate { runs, weight, ends: block == last };
        of.iter().enumerate().map(one).collect()
    }

    fn rounded(runs: Vec<f64>) -> Vec<f64> {
        runs.into_iter().map(f64::round).collect()
    }

    #[test]
    fn what_stands_between_runs_as_often_as_its_neighbours() {
        let estimates = estimates(&[(100.0, 9.0), (20.0, 1.0), (100.0, 9.0)]);
        let runs = balanced(&estimates, &[vec![], vec![0], vec![1]], &[], false);
        assert_eq!(rounded(runs), [100.0; 3]);
    }

    #[test]
    fn who_has_come_goes_on() {
        let estimates = estimates(&[(100.0, 9.0), (20.0, 1.0), (20.0, 1.0)]);
        let runs = balanced(&estimates, &[vec![], vec![0], vec![1]], &[], false);
        assert_eq!(rounded(runs), [100.0; 3]);
    }

    #[test]
    fn a_warp_may_go_both_ways_and_no_more_than_come() {
        let before = [vec![], vec![0], vec![0], vec![1, 2]];
        // Both ways, and more of them behind than came.
        let estimates = estimates(&[(100.0, 9.0), (70.0, 9.0), (60.0, 9.0), (500.0, 1.0)]);
        assert_eq!(rounded(balanced(&estimates, &before, &[], false)), [100.0, 70.0, 60.0, 130.0]);
    }

    #[test]
    fn copies_share_out_what_the_branches_leave_open() {
        // A loop of four copies, passed by, and what is left over of its rounds behind it: a hundred warps with one round each.
        let before = [vec![], vec![0, 1], vec![0, 1], vec![2]];
        let estimates = estimates(&[(100.0, 3.0), (25.0, 0.1), (0.0, 0.1), (100.0, 3.0)]);
        let copies = Copies { blocks: vec![(1, 4.0), (2, 1.0)], all: 100.0, weight: 5.0 };
        assert_eq!(rounded(balanced(&estimates, &before, &[copies], false)), [100.0, 0.0, 100.0, 100.0]);
    }

    #[test]
    fn nobody_comes_to_what_nothing_leads_to() {
        let before = [vec![], vec![], vec![0]];
        let estimates = estimates(&[(10.0, 5.0), (10.0, 5.0), (10.0, 5.0)]);
        assert_eq!(rounded(balanced(&estimates, &before, &[], false)), [10.0, 0.0, 10.0]);
        // Unless there is an indirect branch.
        assert_eq!(rounded(balanced(&estimates, &before, &[], true)), [10.0; 3]);
    }

    #[test]
    fn nothing_runs_of_what_does_not_run() {
        let none = estimates(&[(0.0, 2.0), (0.0, 2.0)]);
        assert_eq!(balanced(&none, &[vec![], vec![0]], &[], false), [0.0, 0.0]);
    }
}
