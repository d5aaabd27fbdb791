//! Rows and columns swapped in the input of a task that reads neighbours: each pixel then has other neighbours. In a task
//! that reads one pixel per output pixel, only places change: [`super::GEOMETRY`] covers that.

/// The message for each way of [`swapped`].
pub const SWAPPED: [&str; 3] = [
    "rows and columns are swapped where neighbours are read: the index is x * height + y",
    "width and height are swapped: the image is read with rows as long as it is high",
    "rows and columns are swapped where pixels are stored, before their neighbours are read: the index is x * height + y",
];

/// The hint for all of them.
pub const SWAPPED_HINT: &str = "the pixel in column x and row y has the index y * width + x, with x < width and y < height; also \
                                check the order in which width and height are passed to the kernel";

/// A picture (one element per pixel) as a kernel with swapped indices sees it, and its size. `way` 0: column x, row y is
/// read at x * height + y. `way` 1: the same elements are read as rows of `height`. `way` 2: column x, row y was stored
/// at x * height + y.
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
        // Two rows of three: column 1, row 1 is read at 1 * 2 + 1.
        assert_eq!(swapped(&[0, 1, 2, 3, 4, 5], (3, 2), 0), (vec![0, 2, 4, 1, 3, 5], (3, 2)));
        assert_eq!(swapped(&[0, 1, 2, 3, 4, 5], (3, 2), 1), (vec![0, 1, 2, 3, 4, 5], (2, 3)));
        // Reads with the swapped index undo stores with it.
        let (stored, size) = swapped(&[0, 1, 2, 3, 4, 5], (3, 2), 2);
        assert_eq!((&stored[..], size), (&[0, 3, 1, 4, 2, 5][..], (3, 2)));
        assert_eq!(swapped(&stored, size, 0).0, [0, 1, 2, 3, 4, 5]);
    }
}
