//! Wrong pixels that follow from the level of the input: all pixels of some levels are wrong, and all others are right.

use lab::Element;

use crate::rounding::Output;

/// What to try.
pub const HINT: &str = "what each level becomes is wrong from some level on, whatever its place: look where a number for each level is computed (a count, \
                        a sum of counts, a table), and follow the first wrong level there: a loop that ends too early, a type that is too small, a \
                        number that the level before has and this one lacks";

/// Levels on either side that a rule needs: those of a tiny picture part by chance.
const FEWEST: usize = 4;

/// Which levels of the gray input are wrong in this output, as a sentence; `None` if the level alone does not decide it.
pub fn told(gray: &[u8], output: &Output<'_>) -> Option<String> {
    if output.shape.element != Element::U8 || output.shape.row == 0 || output.expected.len() != gray.len() {
        return None;
    }
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
        told(
            &gray,
            &Output { shape: &shape, expected: &[0; 400], found: &found, tolerance: Tolerance::Exact },
        )
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
