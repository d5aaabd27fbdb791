//! Wrong pixels that follow from the level of the input: all pixels of some levels are wrong, and all others are right.

use lab::Element;

use crate::rounding::Output;

/// What to try.
pub const HINT: &str = "what each level becomes is wrong from some level on, whatever its place: look where a number for each level is computed (a count, \
                        a sum of counts, a table), and follow the first wrong level there: a loop that ends too early, a type that is too small, a \
                        number that the level before has and this one lacks";

/// What to try where values are off by more and more.
pub const GROWS: &str = "what each level becomes is off by more the further it is from one end: look at the factor or divisor that all levels share. A quotient of \
                         integers is cut off, so divide last, or compute it in `float`";

/// Levels on either side that a rule needs: those of a tiny picture part by chance.
const FEWEST: usize = 4;
/// Steps of a difference that grows which are named.
const STEPS: usize = 3;

/// Which levels of the gray input are wrong in this output, as a sentence, and what to try; `None` if the level alone does not decide it.
pub fn told(gray: &[u8], output: &Output<'_>) -> Option<(String, &'static str)> {
    if output.shape.element != Element::U8 || output.shape.row == 0 || output.expected.len() != gray.len() {
        return None;
    }
    let is_off = |off: i64| off != 0 && !output.is_wrong(off);
    if output.off().any(is_off) {
        // Levels whose values are hardly wrong count as right, but their arithmetic is not.
        return grows(gray, output).map(|seen| (seen, GROWS));
    }
    wrong_levels(gray, output).map(|seen| (seen, HINT))
}

/// From which levels on values are off by how much, if that grows from level to level in one direction.
fn grows(gray: &[u8], output: &Output<'_>) -> Option<String> {
    let mut by: [Option<i64>; 256] = [None; 256];
    for (level, off) in gray.iter().zip(output.off()) {
        let known = by[usize::from(*level)].get_or_insert(off);
        if *known != off {
            return None;
        }
    }
    let mut levels: Vec<(usize, i64)> =
        by.iter().enumerate().filter_map(|(level, off)| Some((level, (*off)?))).collect();
    let is_upward = levels.first()?.1.abs() < levels.last()?.1.abs();
    if !is_upward {
        levels.reverse();
    }
    let same_sign = levels.iter().all(|(_, off)| *off >= 0) || levels.iter().all(|(_, off)| *off <= 0);
    if !same_sign || !levels.is_sorted_by_key(|(_, off)| off.abs()) {
        return None;
    }
    let mut steps = levels.chunk_by(|(_, one), (_, other)| one == other).map(|same| same[0]);
    let told: Vec<String> = steps
        .by_ref()
        .filter(|(_, off)| *off != 0)
        .take(STEPS)
        .map(|(level, off)| format!("{} from level {level} on", off.abs()))
        .collect();
    let (small, down) = (levels.last()?.1 < 0, if is_upward { "" } else { ", downwards" });
    (told.len() == STEPS).then(|| {
        format!("values are too {} by {}{down}", if small { "small" } else { "large" }, told.join(", by "))
    })
}

fn wrong_levels(gray: &[u8], output: &Output<'_>) -> Option<String> {
    let mut seen = [[false; 2]; 256];
    for (level, off) in gray.iter().zip(output.off()) {
        seen[usize::from(*level)][usize::from(output.is_wrong(off))] = true;
    }
    if seen.iter().any(|[right, wrong]| *right && *wrong) {
        return None;
    }
    let of =
        |wrong: bool| -> Vec<usize> { (0..256).filter(|level| seen[*level][usize::from(wrong)]).collect() };
    let (right, wrong) = (of(false), of(true));
    if right.len().min(wrong.len()) < FEWEST {
        return None;
    }
    let ends = |levels: &[usize]| Some((*levels.first()?, *levels.last()?));
    let ((lowest, highest), (first, last)) = (ends(&right)?, ends(&wrong)?);
    if highest < first {
        return Some(format!(
            "all pixels of levels up to {highest} are right, and all of level {first} and above are wrong"
        ));
    }
    if last < lowest {
        return Some(format!(
            "all pixels of levels up to {last} are wrong, and all of level {lowest} and above are right"
        ));
    }
    let between = right.iter().all(|level| *level < first || *level > last);
    between.then(|| format!("all pixels of levels {first} to {last} are wrong, and all others are right"))
}

#[cfg(test)]
mod tests {
    use lab::{OutputShape, Tolerance};

    use super::*;

    fn of(is_wrong: impl Fn(usize, u8) -> bool) -> Option<String> {
        let gray: Vec<u8> = (0..400_usize).map(|at| (at % 200) as u8).collect();
        let found: Vec<u8> =
            gray.iter().enumerate().map(|(at, level)| u8::from(is_wrong(at, *level))).collect();
        let shape = OutputShape { name: "out", element: Element::U8, row: 20, zeroed: false };
        let output =
            Output { shape: &shape, expected: &[0; 400], found: &found, tolerance: Tolerance::Exact };
        told(&gray, &output).map(|(seen, _)| seen)
    }

    #[test]
    fn a_difference_that_grows_is_told_where_small_ones_count_as_right() {
        let gray: Vec<u8> = (0..200).collect();
        let shape = OutputShape { name: "out", element: Element::U8, row: 20, zeroed: false };
        let of = |found: fn(u8) -> u8| {
            let found: Vec<u8> = gray.iter().map(|level| found(*level)).collect();
            let tolerance = Tolerance::Levels(1);
            told(&gray, &Output { shape: &shape, expected: &gray, found: &found, tolerance })
        };
        let seen =
            "values are too small by 1 from level 50 on, by 2 from level 100 on, by 3 from level 150 on";
        assert_eq!(of(|level| level - level / 50), Some((seen.to_owned(), GROWS)));
        assert_eq!(of(|level| if level > 99 { level + 3 } else { level + 1 }), None);
        let sharp = of(|level| if level > 99 { 0 } else { level });
        assert_eq!(sharp.map(|(_, hint)| hint), Some(HINT));
    }

    #[test]
    fn levels_that_are_wrong_are_told_where_the_level_alone_decides() {
        let above = "all pixels of levels up to 131 are right, and all of level 132 and above are wrong";
        assert_eq!(of(|_, level| level >= 132).as_deref(), Some(above));
        let below = "all pixels of levels up to 9 are wrong, and all of level 10 and above are right";
        assert_eq!(of(|_, level| level < 10).as_deref(), Some(below));
        let some = "all pixels of levels 10 to 13 are wrong, and all others are right";
        assert_eq!(of(|_, level| (10..14).contains(&level)).as_deref(), Some(some));
        assert_eq!(of(|_, level| level % 2 == 0), None);
        assert_eq!(of(|at, _| at > 300), None);
        assert_eq!(of(|_, _| true), None);
    }
}
