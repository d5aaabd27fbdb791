//! The number of rows of the picture per block.

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
}
