//! Slips of the pen that the text alone shows, wherever they lead: braces that are missing, `==` for `=`, values that are moved in the wrong
//! order, borders of the image that are one off.

mod pictures;
mod statements;
mod words;

use super::code::code;

pub use statements::{KEEP, moved_index};

use pictures::{
    border, crossed, ends_at_outside, extent, first_left_out, hundred, other_distance, other_weights, pixel,
    plane, weight, weighted,
};
use statements::{
    begins_high, compared, difference, inverse, moved, same_in_each_round, scale, unbraced, unused_distance,
};
use words::{adds_up, funnel, neighbour, other_place, packed, rest, taken};

/// A line, what it does, and what to try.
pub type Slip = (u32, String, &'static str);

const BRACES: &str = "put all lines that belong together in braces, `{ … }`: without them, an `if` or a loop has the next statement only";
const SETS: &str = "`=` sets a variable, and `==` compares";
const OLDEST: &str = "move the oldest value first: each is passed on before its place gets a new one";
const EVERY: &str =
    "each round is to take another element: which index should change with the counter of the loop?";
const BOTH_ENDS: &str = "the columns from a to b are `b - a + 1`, and the last column of an image is `width - 1` (rows: `height - 1`): \
                         `min(x + 2, width - 1) - max(x - 2, 0) + 1`";
const CROSSED: &str = "columns end at `width - 1`, and rows at `height - 1`";
const FIRST: &str = "columns and rows are counted from 0: `>= 0` keeps the first one";
const INNER: &str = "with n neighbours to each side, the inner columns go from n to `width - n - 1`, so that the border begins at `x >= width - n`";
const BRACKETS: &str =
    "`*` binds before `-`: put each difference in brackets, `(3 - abs(dx)) * (3 - abs(dy))`";
const DISTANCE: &str = "the weight falls with the distance to both sides: `3 - abs(dx)`";
const ADDS_UP: &str = "`word >> (8 * k) & 255` takes byte k and leaves the word as it is; or shift the word itself by 8 at the end of each round";
const THREE: &str = "a pixel of `rgb` has three bytes, so that pixel i begins at `3 * i`";
const ROUND: &str = "`break` ends the loop, and the neighbours behind this one may lie inside: `continue` leaves out this one only";
const ONE: &str = "the quotient of two integers is cut off to an integer: divide the sum, `sum / divisor`";
const PLANES: &str = "in a planar image all of R comes first, then G, then B: the planes begin at 0, at `pixels` and at `2 * pixels`";
const REST: &str = "count the threads that take the rest from 0, `4 * quads + (thread - quads)`";
const DIFFERENCE: &str =
    "`/` binds before `-`: put the difference that divides in brackets, `255 * (level - low) / (high - low)`";
const PACK: &str = "a word has four bytes: byte k goes to the bits from 8 * k on, `word |= byte << (8 * k)`";
const BITS: &str = "a byte has 8 bits: byte k of a word has the bits from `8 * k` on, where it is read and where it is stored";
const BYTES: &str = "the funnel shift counts bits, and an address has bytes: `8 * (address % 4)`";
const MASK: &str = "a byte has 8 bits, and its mask is 255 (0xff)";
const WORDS: &str = "byte n of an array of words is byte `n % 4` of the word `n / 4`";
const HUNDRED: &str = "divide the weighted sum by 100, the sum of the weights";
const OTHER_WEIGHTS: &str = "take the weights of the task, and divide their sum by 100: others round to another level for some colours";
const NEXT_LANE: &str = "the lane beside this one is 1 away: `__shfl_down_sync(mask, value, 1)` or `__shfl_up_sync(mask, value, 1)`";
const DISTANCES: &str = "the column of a neighbour is `x + dx`, and its row `y + dy`: use both counters";
const FROM_ZERO: &str = "a sum begins with 0";
const WEIGHTS: &str = "a pixel has the bytes red, green, blue, in this order, with the weights 30, 59 and 11";
const AREA: &str = "an image has `width * height` pixels";

const FRACTION: &str =
    "the quotient of two integers loses its fraction: write `255.0f`, or multiply before you divide";

/// The first slip of a text.
pub fn told(text: &str) -> Option<Slip> {
    let lines: Vec<&str> = text.lines().map(code).collect();
    unbraced(&lines)
        .or_else(|| moved(&lines))
        .or_else(|| same_in_each_round(&lines))
        .or_else(|| unused_distance(&lines))
        .or_else(|| begins_high(&lines))
        .or_else(|| rest(&lines))
        .or_else(|| other_place(&lines))
        .or_else(|| (1..).zip(&lines).find_map(|(number, line)| in_line(number, line, &lines)))
}

/// A slip that one line shows.
fn in_line(number: u32, line: &str, lines: &[&str]) -> Option<Slip> {
    let before = &lines[..number as usize - 1];
    let told = compared(line, before)
        .map(|told| (told, SETS))
        .or_else(|| extent(line).map(|told| (told, BOTH_ENDS)))
        .or_else(|| crossed(line).map(|told| (told, CROSSED)))
        .or_else(|| first_left_out(line).map(|told| (told, FIRST)))
        .or_else(|| border(line).map(|told| (told, INNER)))
        .or_else(|| weight(line, before))
        .or_else(|| adds_up(line, before).map(|told| (told, ADDS_UP)))
        .or_else(|| pixel(line).map(|told| (told, THREE)))
        .or_else(|| ends_at_outside(line).map(|told| (told, ROUND)))
        .or_else(|| inverse(line).map(|told| (told, ONE)))
        .or_else(|| other_distance(line).map(|told| (told, DISTANCES)))
        .or_else(|| weighted(line).map(|told| (told, WEIGHTS)))
        .or_else(|| neighbour(line).map(|told| (told, NEXT_LANE)))
        .or_else(|| difference(line).map(|told| (told, DIFFERENCE)))
        .or_else(|| scale(line, lines).map(|told| (told, FRACTION)))
        .or_else(|| packed(line, before))
        .or_else(|| taken(line))
        .or_else(|| hundred(line).map(|told| (told, HUNDRED)))
        .or_else(|| other_weights(line).map(|told| (told, OTHER_WEIGHTS)))
        .or_else(|| funnel(line, before).map(|told| (told, BYTES)))
        .or_else(|| plane(line).map(|told| (told, PLANES)))
        .or_else(|| {
            line.contains("= width + height;").then(|| ("computes `width + height`".to_owned(), AREA))
        });
    told.map(|(told, hint)| (number, format!("line {number} {told}"), hint))
}

/// The slip that keeps a loop without an end, or lets an access through, in the kernel of a line or on the host.
pub fn near(line: u32, text: &str) -> Option<Slip> {
    let kernel = |line: u32| super::code::kernel_to(line, text).and_then(|lines| Some(lines.first()?.0));
    let (own, slip) = (kernel(line), told(text)?);
    let of = kernel(slip.0);
    (of.is_none() || of == own).then_some(slip)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A slip, its right form, and what is said of it.
    const PAIRS: &[(&str, &str, &str)] = &[
        (
            "    while (i < n)\n        a[i] = 0;\n        i += step;\n",
            "    while (i < n)\n        a[i] = 0;\n    i += step;\n",
            "only line 2 belongs to it, and line 3 does not",
        ),
        (
            "    if (x)\n        a = 1;\n        b = 2;\n",
            "    if (x)\n        a = 1;\n    else\n        b = 2;\n",
            "the `if` of line 1",
        ),
        ("local[t] == 0;", "local[t] = 0;", "line 1 compares"),
        ("last == true;", "bool last = a == b;", "line 1 compares"),
        ("d = e;\nc = d;\nb = c;", "b = c;\nc = d;\nd = e;", "pass its new value on"),
        (
            "for (int k = 3; k >= 0; --k) rows[k] = rows[k + 1];",
            "for (int k = 0; k < 4; ++k) rows[k] = rows[k + 1];",
            "the round before has just changed",
        ),
        (
            "for (int j = 0; j < 5; j++)\n    sum += tile[ty][tx];",
            "for (int j = 0; j < 5; j++)\n    sum += tile[ty + j][tx];",
            "each round adds the same",
        ),
        (
            "for (int k = 0; k < 4; k++) {\n    atomicAdd(&local[w & 255], 1u);\n}",
            "for (int k = 0; k < 4; k++) {\n    atomicAdd(&local[w & 255], 1u);\n    w >>= 8;\n}",
            "nothing in it depends on `k`",
        ),
        (
            "int cols = min(x + 2, width) - max(x - 2, 0) + 1;",
            "int cols = min(x + 2, width - 1) - max(x - 2, 0) + 1;",
            "counts to `width`",
        ),
        (
            "int cols = min(x + 2, width - 1) - max(x - 2, 0);",
            "int cols = min(x + 3, width) - max(x - 2, 0);",
            "counts one too few",
        ),
        ("int last = min(y + 2, width - 1);", "int last = min(y + 2, height - 1);", "limits `y + 2`, a row"),
        ("if (xx > 0 && xx < width)", "if (xx >= 0 && xx < width)", "tests `xx > 0`"),
        ("if (xx <= 0 || xx >= width) continue;", "if (xx < 0 || xx >= width) continue;", "tests `xx <= 0`"),
        (
            "if (x < 2 || x > width - 2) return;",
            "if (x < 2 || x > width - 3) return;",
            "begins the border at `x > width - 2`",
        ),
        (
            "int w = 3 - abs(dx) * 3 - abs(dy);",
            "int w = (3 - abs(dx)) * (3 - abs(dy));",
            "multiplies before it subtracts",
        ),
        (
            "for (int dy = -2; dy < 3; dy++)\nfor (int dx = -2; dx < 3; dx++)\nw = (3 - dx) * (3 - dy);",
            "for (int dy = -2; dy < 3; dy++)\nfor (int dx = -2; dx < 3; dx++)\nw = (3 - abs(dx)) * (3 - abs(dy));",
            "subtracts `dx`",
        ),
        (
            "for (int k = 0; k < 4; k++) {\n    w >>= 8 * k;\n    f(w & 255);\n}",
            "for (int k = 0; k < 4; k++) {\n    w >>= 8;\n    f(w & 255);\n}",
            "the shifts add up",
        ),
        ("const uint8_t* p = rgb + i + 3;", "const uint8_t* p = rgb + 3 * i;", "begin at `rgb + i + 3`"),
        (
            "if (x < 0 || x >= width) break;",
            "if (x < 0 || x >= width) continue;",
            "ends the loop at the first neighbour",
        ),
        ("sum = sum * (1 / divisor);", "sum = sum * (1.0f / divisor);", "multiplies by `1 / divisor`"),
        (
            "for (int dy = -2; dy <= 2; dy++) {\n    for (int dx = -2; dx <= 2; dx++) {\n        s += a[w * y + x + dx];\n    }\n}",
            "for (int dy = -2; dy <= 2; dy++) {\n    for (int dx = -2; dx <= 2; dx++) {\n        s += a[w * (y + dy) + x + dx];\n    }\n}",
            "no line in it uses `dy`",
        ),
        ("int xx = x + dx, yy = y + dx;", "int xx = x + dx, yy = y + dy;", "computes `y + dx`"),
        (
            "int sum = 0, norm = 1;\nnorm += w;\nreturn sum / norm;",
            "int sum = 0, norm = 0;\nnorm += w;\nreturn sum / norm;",
            "lets `norm` begin with 1",
        ),
        (
            "v = (p[1] * 30 + p[0] * 59 + p[2] * 11 + 50) / 100;",
            "v = (p[0] * 30 + p[1] * 59 + p[2] * 11 + 50) / 100;",
            "multiplies `p[1] * 30`: the weight is that of red, and the byte is green",
        ),
        (
            "v = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i] + 0.11f * rgb[3 * i + 2];",
            "v = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];",
            "the weight is that of green, and the byte is red",
        ),
        (
            "if (y < 2 || y >= height - 1) return;",
            "if (y < 2 || y >= height - 2) return;",
            "begins the border at `y >= height - 1`",
        ),
        (
            "right[c] = __shfl_down_sync(~0u, own[c], 2);",
            "two = __shfl_down_sync(~0u, own[c], 2);",
            "takes `right` from the lane 2 away",
        ),
        (
            "v = 255 * (level - low) / high - low + 0.5f;",
            "v = 255 * (level - low) / (high - low) + 0.5f;",
            "divides by `high` alone",
        ),
        (
            "uint32_t word = 0;\nfor (int k = 0; k < 4; ++k)\n    word |= table[byte_of(four, k)];",
            "uint32_t word = 0;\nfor (int k = 0; k < 4; ++k)\n    word |= table[byte_of(four, k)] << (8 * k);",
            "without a shift",
        ),
        (
            "uint32_t word = 0;\nfor (int k = 0; k < 4; ++k) word |= table[byte_of(four, k)] << (4 * k);",
            "uint32_t any = 0;\nfor (int k = 0; k < 5; ++k) any |= table[k];",
            "by 0, 4, 8 and 12 bits",
        ),
        (
            "byte = (words[k / 4] >> (k % 4)) & 255;",
            "byte = (words[k / 4] >> (8 * (k % 4))) & 255;",
            "shifts by `k % 4`, which is 0 to 3 bits",
        ),
        (
            "byte = (words[k / 3] >> (8 * (k % 4))) & 255;",
            "byte = (words[n] >> (8 * (k % 4))) & 255;",
            "takes word `k / 3` and byte `k % 4`",
        ),
        ("f((four >> (8 * k)) & 127);", "f((four >> (7 * k)) & 127);", "only the lower 7 of the 8 bits"),
        (
            "v = (30 * r + 59 * g + 11 * b + 50) >> 7;",
            "v = (30 * r + 59 * g + 11 * b + 50) / 100;",
            "shifts by 7 bits, which divides by 128",
        ),
        (
            "v = (77 * r + 151 * g + 28 * b + 128) >> 8;",
            "v = (30 * r + 59 * g + 11 * b + 50) / 100;",
            "has the weights 77, 151 and 28, which make 256",
        ),
        (
            "r |= t[w >> 8 & 255] << 8;\nr |= t[w >> 16 & 255] << 8;",
            "r |= t[w >> 8 & 255] << 8;\nr |= t[w >> 16 & 255] << 16;",
            "line 2 takes the byte at bit 16",
        ),
        (
            "shift = start % 4;\nw = __funnelshift_r(a, b, shift);",
            "shift = 8 * (start % 4);\nw = __funnelshift_r(a, b, shift);",
            "in place of bits",
        ),
        ("g = planar_rgb[i + 1];", "g = planar_rgb[i + n];", "as if a plane began at `1`"),
        ("g = planar_rgb[i + 2 * width];", "g = planar_rgb[2 * n + y * width + x];", "began at `2 * width`"),
        (
            "    if (t < quads) {\n        f();\n        return;\n    }\n    int i = 4 * quads + t;\n",
            "    if (t < quads) {\n        f();\n        return;\n    }\n    int i = 4 * quads + (t - quads);\n",
            "only threads from `quads` on come to line 5",
        ),
        ("int n = width + height;", "int n = width * height;", "computes `width + height`"),
    ];

    #[test]
    fn slips_are_told_and_their_right_forms_are_not() {
        for (wrong, right, part) in PAIRS {
            let said = told(wrong).map(|(_, told, _)| told).unwrap_or_default();
            assert!(said.contains(part), "{wrong}: {said}");
            assert_eq!(told(right), None, "{right}");
        }
    }

    #[test]
    fn an_index_that_a_loop_has_moved_is_told() {
        let text = "    while (i < n / 4) {\n        i += step;\n    }\n    int rest = n / 4 * 4 + i;\n";
        assert!(moved_index(text).is_some_and(|said| said.contains("in line 4")));
        assert_eq!(moved_index(&text.replace("4 + i", "4 + first")), None);
    }
}
