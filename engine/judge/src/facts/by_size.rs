//! Cases that are wrong from a size of the picture on.

use crate::build::arguments::launches;
use crate::build::block::{block_of, blocks_of};
use crate::case::{Case, Verdict};
use crate::numbers::grouped;

/// What to try.
pub const HINT: &str = "look for what small pictures do not reach. It may be the second round of a loop over the grid (an index that does not change with its counter), a number of \
                        blocks that is cut (`min`) with no loop over the rest, a loop that ends too early, the last pixels that each block takes once more, a count in a type that is too small (`short`, or `float` \
                        beyond 16,777,216), a product beyond 2,147,483,647 in an `int`";

/// Pixels from which on a picture is large.
const LARGE: usize = 1 << 12;

/// From which size on the cases of a task are wrong, if all smaller ones are right, as a fact.
pub fn told(cases: &[&Case]) -> Option<String> {
    let of = |verdict: Verdict| cases.iter().filter(move |case| case.verdict == verdict);
    let smallest = of(Verdict::Failed).map(|case| case.width * case.height).min()?;
    let sizes = |case: &&Case| [case.width * case.height, case.width, case.height];
    let measures = ["pixels", "columns", "rows"].into_iter().enumerate();
    measures.filter(|_| smallest >= LARGE).find_map(|(at, what)| {
        let right = of(Verdict::Passed).map(|case| sizes(case)[at]).max()?;
        let wrong = of(Verdict::Failed).map(|case| sizes(case)[at]).min()?;
        (right < wrong).then(|| {
            let [right, wrong] = [right, wrong].map(|number| grouped(number as u64));
            format!("all pictures of up to {right} {what} are right, and those of {wrong} {what} and more are wrong")
        })
    })
}

/// What to try where the second round of a loop over the grid is wrong.
pub const ROUND: &str = "look at the loop that goes on by the size of the grid: what does a thread set before the loop that each round needs anew, and which index \
                         does not move on with the loop's variable?";

/// Pixels of a thread in one round, at most.
const WIDEST: u64 = 64;

/// The launch with whose second round wrong pixels begin in each wrong case, as a fact.
pub fn second_round(cases: &[&Case], source: &str, task: &str) -> Option<String> {
    let wrong = || cases.iter().filter(|case| case.verdict == Verdict::Failed);
    let first = |case: &Case| {
        let mismatch = case.mismatches.first()?;
        Some((mismatch.y? * case.width + mismatch.x?) as u64)
    };
    let number = first(wrong().next()?)?;
    launches(source, task).iter().find_map(|launch| {
        let (blocks, [across, down]) = (blocks_of(launch, source)?, block_of(launch, source)?);
        let (block, threads) = (across * down, blocks * across * down);
        let begins = |case: &&Case| first(case) == Some(number);
        let each = number.checked_div(threads).filter(|each| number == each * threads)?;
        (blocks > 1 && each.is_power_of_two() && each <= WIDEST && wrong().all(begins)).then(|| {
            let [number, blocks, each] = [number, blocks, each].map(grouped);
            format!(
                "the first wrong pixel has the number {number}, which is {blocks} blocks of {block} threads times {each}: the second round of the loop over the grid begins there (`{}`, \
                 launched in line {})",
                launch.kernel, launch.line
            )
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Mismatch;

    #[test]
    fn the_second_round_of_a_loop_over_the_grid_is_told() {
        let text = "constexpr int blocks = 4;\n__global__ void k(int n) {\n}\nvoid task(int n) {\n    k<<<blocks, 32>>>(n);\n}\n";
        let case = |index: usize| Case {
            task: String::new(),
            name: String::new(),
            width: 100,
            height: 90,
            verdict: Verdict::Failed,
            wrong: 1,
            differing: 1,
            total: 9000,
            mismatches: vec![Mismatch {
                output: "out".to_owned(),
                index,
                x: Some(index % 100),
                y: Some(index / 100),
                channel: None,
                expected: 1,
                found: 2,
            }],
            note: String::new(),
            printed: String::new(),
            timed: false,
        };
        let told = second_round(&[&case(512)], text, "task").unwrap_or_default();
        assert!(
            told.starts_with(
                "the first wrong pixel has the number 512, which is 4 blocks of 32 threads times 4:"
            ),
            "{told}"
        );
        assert_eq!(second_round(&[&case(513)], text, "task"), None);
        assert_eq!(second_round(&[&case(384)], text, "task"), None);
    }

    #[test]
    fn the_size_from_which_on_pictures_are_wrong_is_told() {
        let case = |width: usize, height: usize, right: bool| Case {
            task: String::new(),
            name: String::new(),
            width,
            height,
            verdict: if right { Verdict::Passed } else { Verdict::Failed },
            wrong: 0,
            differing: 0,
            total: 0,
            mismatches: Vec::new(),
            note: String::new(),
            printed: String::new(),
            timed: false,
        };
        let said = |cases: &[Case]| told(&cases.iter().collect::<Vec<_>>()).unwrap_or_default();
        let large = [case(9, 9, true), case(100, 900, true), case(4, 50_000, false), case(900, 800, false)];
        assert_eq!(
            said(&large),
            "all pictures of up to 90,000 pixels are right, and those of 200,000 pixels and more are wrong"
        );
        let tall = [case(9, 9, true), case(900, 900, true), case(4, 50_000, false)];
        assert_eq!(
            said(&tall),
            "all pictures of up to 900 rows are right, and those of 50,000 rows and more are wrong"
        );
        assert_eq!(said(&[case(9, 9, false), case(900, 900, false), case(900, 900, true)]), "");
        assert_eq!(said(&[case(1, 1, true), case(9, 9, false)]), "", "small");
    }
}
