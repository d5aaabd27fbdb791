//! Rows and columns swapped in what a kernel reads. In a task that makes each pixel of one other, the pixels end in other
//! places, and [`super::GEOMETRY`] knows that; in one that looks at neighbours, they are others.

/// What [`swapped`] makes, in words.
pub const SWAPPED: [&str; 3] = [
    "rows and columns are swapped where neighbours are read: they are taken from x * height + y",
    "width and height are swapped: the image is taken for one with rows as long as it is high",
    "rows and columns are swapped where pixels are stored, before their neighbours are looked at: they lie at x * height + y",
];

/// What to try.
pub const SWAPPED_HINT: &str = "the pixel in column x and row y has the index y * width + x, x below the width and y below the \
                                height; kernels get width and height in the order in which they declare them";

/// A picture, one element a pixel, as swapped indices find it, and its size: with `way` 0 what lies at x * height + y
/// for column x and row y, with 1 the same elements as rows of `height`, with 2 what was stored at x * height + y.
pub fn swapped<T: Copy>(
    picture: &[T],
    (width, height): (usize, usize),
    way: usize,
) -> (Vec<T>, (usize, usize)) {
    let at = |place: usize| match way {
        0 => picture[place % width * height + place / width],
        1 => picture[place],
        _ => picture[place % height * width + place / height],
    };
    let size = if way == 1 { (height, width) } else { (width, height) };
    ((0..picture.len()).map(at).collect(), size)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn a_swapped_index_finds_other_pixels() {
        // Two rows of three; column 1, row 1 is looked for at 1 * 2 + 1.
        assert_eq!(swapped(&[0, 1, 2, 3, 4, 5], (3, 2), 0), (vec![0, 2, 4, 1, 3, 5], (3, 2)));
        assert_eq!(swapped(&[0, 1, 2, 3, 4, 5], (3, 2), 1), (vec![0, 1, 2, 3, 4, 5], (2, 3)));
        // What is stored that way is found again that way.
        let (stored, size) = swapped(&[0, 1, 2, 3, 4, 5], (3, 2), 2);
        assert_eq!((&stored[..], size), (&[0, 3, 1, 4, 2, 5][..], (3, 2)));
        assert_eq!(swapped(&stored, size, 0).0, [0, 1, 2, 3, 4, 5]);
    }
}
