//! The number of rows of the picture per block.

use std::collections::BTreeMap;

/// The rows of a full block, if the sample fits in one row of blocks. The sample has `few` blocks, the whole picture
/// `times` as many. `blocks_of` asks the host function for the number of blocks on a picture with this many rows.
/// `None` if it has no answer, or if the number of blocks does not depend on the rows.
pub(super) fn rows_of_a_block<E>(
    [sample, whole]: [usize; 2],
    few: f64,
    times: f64,
    mut blocks_of: impl FnMut(usize) -> Result<Option<f64>, E>,
) -> Result<Option<usize>, E> {
    // The whole picture needs `times` rows of blocks. That bounds the rows of a block from below, and one row of blocks
    // fewer bounds them from above.
    let most = (whole as f64 / (times - 1.0)).ceil();
    let (mut fit, mut too_many) = ((whole as f64 / times).ceil() as usize, most.min(whole as f64) as usize);
    if fit < sample || blocks_of(fit)? != Some(few) || blocks_of(too_many)? == Some(few) {
        return Ok(None);
    }
    while too_many - fit > 1 {
        let middle = usize::midpoint(fit, too_many);
        *(if blocks_of(middle)? == Some(few) { &mut fit } else { &mut too_many }) = middle;
    }
    Ok(Some(fit))
}

/// Rows of a picture beyond which no period is looked for.
const FARTHEST: usize = 256;

/// Heights at which a grid grows that are looked at for a period.
const HEIGHTS: usize = 4;

/// The rows after which the grid of a launch grows, if that is a whole row of blocks: the distance of heights above `sample` at which it
/// has more blocks. `None` if the blocks do not depend on the rows there, or do at almost every row.
pub(super) fn rows_of_a_step<E>(
    sample: usize,
    mut blocks_of: impl FnMut(usize) -> Result<Option<f64>, E>,
) -> Result<Option<usize>, E> {
    let mut heights = Vec::new();
    while heights.len() < HEIGHTS {
        let from = heights.last().copied().unwrap_or(sample);
        let Some(next) = next_growth(from, &mut blocks_of)? else { break };
        heights.push(next);
        if let [first, second] = heights[..] {
            let step = second - first;
            if step < 2 || grows_at(second + step, &mut blocks_of)? {
                break;
            }
        }
    }
    Ok(period(&heights).filter(|step| *step > 1))
}

/// The distance that most pairs of these heights have, and the least of such. A grid may grow at other heights besides, as one does that
/// holds the blocks of the border, too.
fn period(heights: &[usize]) -> Option<usize> {
    let mut pairs: BTreeMap<usize, usize> = BTreeMap::new();
    for (place, one) in heights.iter().enumerate() {
        for other in &heights[place + 1..] {
            *pairs.entry(other - one).or_default() += 1;
        }
    }
    pairs.into_iter().rev().max_by_key(|(_, pairs)| *pairs).map(|(step, _)| step)
}

/// Whether a grid has more blocks with this row than without.
fn grows_at<E>(row: usize, mut blocks_of: impl FnMut(usize) -> Result<Option<f64>, E>) -> Result<bool, E> {
    Ok(match (blocks_of(row - 1)?, blocks_of(row)?) {
        (Some(before), Some(with)) => with > before,
        _ => false,
    })
}

/// The first height above this one at which a grid has another number of blocks.
fn next_growth<E>(
    from: usize,
    mut blocks_of: impl FnMut(usize) -> Result<Option<f64>, E>,
) -> Result<Option<usize>, E> {
    let Some(before) = blocks_of(from)? else { return Ok(None) };
    let is_same = |blocks: f64| blocks.to_bits() == before.to_bits();
    // A grid as large as the GPU, most often.
    if blocks_of(from + FARTHEST)?.is_none_or(is_same) {
        return Ok(None);
    }
    let (mut same, mut step) = (from, 1);
    // Twice as far each time: most periods are short.
    let mut more = loop {
        let to = from + step;
        match blocks_of(to)? {
            Some(blocks) if is_same(blocks) => same = to,
            Some(_) => break to,
            None => return Ok(None),
        }
        step *= 2;
    };
    while more - same > 1 {
        let middle = usize::midpoint(same, more);
        *(if blocks_of(middle)?.is_some_and(is_same) { &mut same } else { &mut more }) = middle;
    }
    Ok(Some(more))
}

/// Heights of two samples of a picture of `whole` rows that both end as it does within a row of blocks of `step` rows: the lower one
/// has at least `less` rows, and the higher one at least `apart` more.
pub(super) fn in_step(step: usize, whole: usize, [less, apart]: [usize; 2]) -> [usize; 2] {
    let low = less + (whole + step - less % step) % step;
    [low, low + apart.next_multiple_of(step)]
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use pretty_assertions::assert_eq;

    use super::*;

    /// The result on a picture of 1080 rows, sampled on 64, and the number of questions to the host function.
    fn found(blocks_of: impl Fn(usize) -> Option<f64>) -> (Option<usize>, u32) {
        let mut asked = 0;
        let few = blocks_of(64).unwrap_or(1.0);
        let times = blocks_of(1080).unwrap_or(5.0) / few;
        let ask = |rows| {
            asked += 1;
            Ok::<_, Infallible>(blocks_of(rows))
        };
        let Ok(rows) = rows_of_a_block([64, 1080], few, times, ask);
        (rows, asked)
    }

    #[test]
    fn rows_are_found_to_the_last_one() {
        for block in [65, 100, 216, 255, 256, 540, 1079] {
            let (rows, asked) = found(|rows| Some(15.0 * rows.div_ceil(block) as f64));
            assert_eq!(rows, Some(block));
            assert!(asked < 14, "{asked}");
        }
    }

    #[test]
    fn nothing_is_guessed_without_an_answer() {
        assert_eq!(found(|_| None).0, None);
        // The blocks are not blocks of rows, but a number per hundred pixels.
        assert_eq!(found(|rows| Some(if rows > 70 { 5.0 } else { 1.0 })).0, None);
    }

    #[test]
    fn the_period_of_a_grid_is_found_where_it_has_one() {
        let step = |blocks_of: fn(usize) -> Option<f64>| {
            let Ok(step) = rows_of_a_step(72, |rows| Ok::<_, Infallible>(blocks_of(rows)));
            step
        };
        assert_eq!(step(|rows| Some(15.0 * rows.div_ceil(48) as f64)), Some(48));
        assert_eq!(step(|rows| Some(rows.div_ceil(8) as f64)), Some(8));
        assert_eq!(step(|rows| Some((8773 * rows).div_ceil(256) as f64)), None, "pixels in a line");
        let with_the_border =
            |rows: usize| Some(37.0 * ((4 * (8773 + rows)).div_ceil(1184) + rows.div_ceil(48)) as f64);
        assert_eq!(step(with_the_border), Some(48));
        assert_eq!(step(|_| Some(264.0)), None, "as large as the GPU");
        assert_eq!(step(|_| None), None);
    }

    #[test]
    fn samples_end_as_the_whole_does() {
        for step in [2, 12, 24, 36, 48, 100] {
            let [low, high] = in_step(step, 5352, [40, 32]);
            assert!(low >= 40 && low < 40 + step && high >= low + 32 && high < low + 32 + step, "{step}");
            assert_eq!([low % step, high % step], [5352 % step; 2], "{step}");
        }
    }
}
