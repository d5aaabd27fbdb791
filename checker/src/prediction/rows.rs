//! How many rows of the picture a block has.

/// The rows of a block that has as many as it can, where the sample lies within one row of blocks, which has so `few`, and the whole has
/// `times` as many. `blocks_of` asks the host function for the blocks on so many rows. `None` if it has no answer, or blocks do not come with the rows.
pub(super) fn rows_of_a_block<E>(
    [sample, whole]: [usize; 2],
    few: f64,
    times: f64,
    mut blocks_of: impl FnMut(usize) -> Result<Option<f64>, E>,
) -> Result<Option<usize>, E> {
    // So many rows of blocks are as many as the whole needs: each has so many rows at the least, and fewer than one row of blocks less
    // would have to have.
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

    /// What is found on a picture of 1080 rows, sampled on 64, and how often the host function was asked.
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
    fn who_has_no_answer_is_not_guessed_at() {
        assert_eq!(found(|_| None).0, None);
        // No blocks of rows: as many for each hundred pixels, say.
        assert_eq!(found(|rows| Some(if rows > 70 { 5.0 } else { 1.0 })).0, None);
    }
}
