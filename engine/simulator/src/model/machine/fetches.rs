//! Which line of the PTX a fetch of a texture was made of.
//!
//! The assembler often names the line of what it puts in front of a fetch, or one line for several fetches. A fetch whose line is none
//! of the PTX's fetches cannot be told how often it misses; so the fetches of the machine code take the PTX's in order.

use super::decode::{Decoded, Unit};
use super::listing::Listing;

/// Gives each fetch the line of one of the PTX.
pub(super) fn name_lines(code: &mut [Decoded], ptx: &Listing) {
    let lines = ptx.fetches();
    let Some(last) = lines.len().checked_sub(1) else { return };
    let is_fetch = |one: &&mut Decoded| matches!(one.unit, Unit::Fetch | Unit::Texture);
    let number = code.iter_mut().filter(is_fetch).count();
    for (at, one) in code.iter_mut().filter(is_fetch).enumerate() {
        if number == lines.len() {
            one.line = lines[at];
        } else if lines.binary_search(&one.line).is_err() {
            // Copies of a loop's: the nearest one behind what was named.
            one.line = lines[lines.partition_point(|line| *line < one.line).min(last)];
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn lines(ptx: &[&str], code: &[(Unit, u32)]) -> Vec<u32> {
        let ptx = Listing::of_kernel(&ptx.join("\n"));
        let one = |&(unit, line): &(Unit, u32)| Decoded::plain(unit, line);
        let mut code: Vec<Decoded> = code.iter().map(one).collect();
        name_lines(&mut code, &ptx);
        code.iter().map(|one| one.line).collect()
    }

    #[test]
    fn fetches_take_the_lines_of_fetches_in_order() {
        let ptx = [
            "mov.u32 %r1, 1;",
            "tex.1d.v4.u32.s32 {%r2}, [%rd1, {%r1}];",
            "@%p1 tex.2d.v4.f32.f32 {%f1}, [%rd1, {%f2, %f3}];",
        ];
        let fetch = Unit::Fetch;
        assert_eq!(lines(&ptx, &[(Unit::Integer, 1), (fetch, 1), (Unit::Texture, 1)]), [1, 2, 3]);
        // A loop with three copies of a fetch.
        assert_eq!(lines(&ptx, &[(fetch, 1), (fetch, 3), (fetch, 0), (fetch, 9)]), [2, 3, 2, 3]);
        assert_eq!(lines(&["add.s32 %r1, %r1, 1;"], &[(fetch, 1)]), [1]);
    }
}
