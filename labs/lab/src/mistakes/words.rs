//! Bytes of a colour picture that are taken in another order, in whole groups of pixels alone: what a kernel does that loads words, and takes
//! the pixels behind the last whole group one by one.

use crate::Image;
use crate::mistake::{Guess, Mistake, Parameters, Situation};

/// Pixels of a group; the second parameter of each mistake is the number of one.
const SIZES: [usize; 2] = [4, 16];
/// Wrong orders of the bytes of a word, and of the channels of a pixel.
const BYTES: [[usize; 4]; 3] = [[3, 2, 1, 0], [1, 0, 3, 2], [2, 3, 0, 1]];
const CHANNELS: [[usize; 3]; 5] = [[2, 1, 0], [1, 0, 2], [0, 2, 1], [1, 2, 0], [2, 0, 1]];

/// Wrong orders of the three words, or vectors, of a group.
const PARTS: [[usize; 3]; 5] = CHANNELS;

const ALL_BYTES: &[Parameters] = &[[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]];
const ALL_CHANNELS: &[Parameters] =
    &[[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [0, 1], [1, 1], [2, 1], [3, 1], [4, 1]];

/// All mistakes of order in words.
pub const WORDS: &[Mistake] = &[
    Mistake {
        name: "bytes_of_words_in_another_order",
        parameters: ALL_BYTES,
        message: |p| {
            let [first, second, third, last] = BYTES[p[0]];
            format!(
                "the four bytes of each word of the input are taken in the order {first}, {second}, {third} and {last}, counted from 0"
            )
        },
        hint: "the first byte of a word lies in its lowest 8 bits: byte k of a word is `word >> (8 * k) & 255`",
        outputs: |s| reordered(s, &BYTES[s.parameters[0]], 1),
    },
    Mistake {
        name: "channels_of_words_in_another_order",
        parameters: ALL_CHANNELS,
        message: |p| {
            let [red, green, blue] = CHANNELS[p[0]].map(|channel| ["red", "green", "blue"][channel]);
            format!(
                "in whole groups of {} pixels, {red} is taken for red, {green} for green and {blue} for blue; pixels outside such groups are right",
                SIZES[p[1]]
            )
        },
        hint: "a pixel is three bytes, red first, then green, then blue; three words hold four pixels, R G B R, G B R G and B R G B, with the first \
               byte in the lowest 8 bits",
        outputs: |s| reordered(s, &CHANNELS[s.parameters[0]], 1),
    },
    Mistake {
        name: "words_in_another_order",
        parameters: ALL_CHANNELS,
        message: |p| {
            let [first, second, third] = PARTS[p[0]];
            let part = ["words", "vectors"][p[1]];
            format!(
                "the three {part} of each {} pixels are taken in the order {first}, {second} and {third}, counted from 0",
                SIZES[p[1]]
            )
        },
        hint: "pixels 4 * i to 4 * i + 3 are the words 3 * i, 3 * i + 1 and 3 * i + 2: compare which of them each line loads and uses",
        outputs: |s| reordered(s, &PARTS[s.parameters[0]], SIZES[s.parameters[1]]),
    },
];

/// The outputs for a picture whose units of some bytes stand in this order, in whole groups.
fn reordered(s: &Situation<'_>, order: &[usize], unit: usize) -> Option<Guess> {
    if s.task.is_gray() || s.image.channels != 3 {
        return None;
    }
    let size = 3 * SIZES[s.parameters[1]];
    let (whole, rest) = s.image.data.split_at(s.image.data.len() / size * size);
    let taken = whole
        .chunks_exact(order.len() * unit)
        .flat_map(|bytes| order.iter().flat_map(|from| &bytes[from * unit..(from + 1) * unit]).copied());
    let data = taken.chain(rest.iter().copied()).collect();
    Some(s.task.parallel_reference(&Image { data, ..*s.image }).into())
}
