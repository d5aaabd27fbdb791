//! One slip in a right file, in labs 1, 3, 4, 5 and 6: the report names the cause, or what leads to it, and no false one.

use std::fs;

use crate::common::root;
use crate::mistakes::check;

/// A rung with one text in place of another.
pub fn edited(rung: &str, text: &str, other: &str) -> String {
    let path = root().join("solutions").join(rung).with_extension("cu");
    let source = fs::read_to_string(&path).expect("a rung");
    assert!(source.contains(text), "{text}");
    source.replacen(text, other, 1)
}

const GRAY: &str = "lab1-grayscale/01_one_pixel_per_thread";
const STREAMS: &str = "lab5-pipeline/05_two_streams";
const SOBEL: &str = "lab6-sobel/01_one_pixel_per_thread";
const SOBEL_TILE: &str = "lab6-sobel/02_shared_tile";
const EQUALIZE: &str = "lab3-equalization/02_coalesced";

#[test]
fn guards_that_are_turned_around() {
    let kept = edited(GRAY, "if (i >= pixels) return;", "if (i < pixels) return;");
    let said = ["error[W0101]", "sends away the threads with `i < pixels`", "`if (i >= pixels) return;`"];
    check("grayscale", &kept, &said, &["`rgb` has no more elements"]);
}

#[test]
fn columns_and_rows_of_a_pixel() {
    let turned = edited(SOBEL, "x = i % width, y = i / width", "x = i / width, y = i % width");
    let said = ["line 26 gives `x` the value `i / width`", "column `i % width` and row `i / width`"];
    check("sobel", &turned, &said, &["Take one of these elements"]);
}

#[test]
fn terms_of_a_gradient() {
    let sign = edited(SOBEL, "- at(-1, -1) - 2 * at(-1, 0)", "+ at(-1, -1) - 2 * at(-1, 0)");
    let said = ["in gx, the neighbour in column x - 1 and row y - 1 has the wrong sign", "six terms"];
    check("sobel", &sign, &said, &["no known mistake"]);
    let weight = edited(SOBEL, "2 * at(1, 0)", "at(1, 0)");
    check("sobel", &weight, &["in column x + 1 and row y has not its weight of 2"], &["no known mistake"]);
    let one = edited(SOBEL, "min(abs(gx) + abs(gy), 255)", "min(abs(gx), 255)");
    check("sobel", &one, &["only gx counts"], &["twice"]);
    let signs = edited(SOBEL, "min(abs(gx) + abs(gy), 255)", "min(gx + gy, 255)");
    check("sobel", &signs, &["added with their signs", "Take the absolute values"], &["no known mistake"]);
}

#[test]
fn work_that_is_done_more_than_once() {
    let rows = edited(SOBEL_TILE, "row += block_height", "row += 1");
    let said =
        ["PASSED lab6", "but `sobel` computes many pixels more than once: line 43", "After that, in `sobel`"];
    check("sobel", &rows, &said, &["error"]);
}

#[test]
fn streams_and_copies() {
    let stream = edited(STREAMS, "dim3(32, 8), 0, stream>>>(", "dim3(32, 8)>>>(");
    let said = [
        "PASSED lab5",
        "line 138 launches `smooth_kernel` without a stream",
        "`<<<grid, block, 0, stream>>>`",
    ];
    check("pipeline", &stream, &said, &["error"]);
    let place = edited(STREAMS, "host_out + band.first * width, out", "host_out + band.first, out");
    let said = ["error[W0620]", "both write the same bytes", "the place or the length of one is wrong"];
    check("pipeline", &place, &said, &[]);
}

#[test]
fn names_of_headers_and_characters_that_look_like_others() {
    let header = edited(GRAY, "\"workbook.cuh\"", "<workbook.h>");
    check("grayscale", &header, &["error[W0002]", "`#include \"workbook.cuh\"`"], &["among the headers"]);
    let angle = edited(GRAY, "grayscale_kernel<<<", "grayscale_kernel<\u{2039}");
    let said =
        ["error[W0001]", "`\u{2039}` (U+2039) is not a character of C++", "`kernel<<<blocks, threads>>>(…)`"];
    check("grayscale", &angle, &said, &["fix the first error first: later"]);
}

#[test]
fn kernels_that_are_called_skipped_or_exchanged() {
    let source = edited(GRAY, "__global__ void grayscale_kernel", "void grayscale_kernel");
    let called = source.replace(
        "grayscale_kernel<<<ceil_div(pixels, block_size), block_size>>>(rgb",
        "grayscale_kernel(rgb",
    );
    let said =
        ["error[W0601]", "`grayscale_kernel` runs on the CPU", "write `__global__ void grayscale_kernel(…)`"];
    check("grayscale", &called, &said, &["do the work in a kernel"]);
    let launch = "    grayscale_kernel<<<";
    let skipped = edited(GRAY, launch, &format!("    if (pixels % 2 == 0) return;\n{launch}"));
    let said = [
        "no kernel was launched: line 39 launches `grayscale_kernel`",
        "the condition, the loop or the `return`",
    ];
    check("grayscale", &skipped, &said, &["Launch your kernel"]);
    let other = edited(GRAY, "    grayscale_darken_kernel<<<", "    grayscale_kernel<<<");
    let said = [
        "launches `grayscale_kernel`, and no line launches `grayscale_darken_kernel`",
        "Launch the kernel of this task",
    ];
    check("grayscale_darken", &other, &said, &[]);
}

#[test]
fn arrays_of_the_host_that_end_too_early() {
    let loops = edited(EQUALIZE, "level < levels; ++level", "level <= levels; ++level");
    let said = ["W0602 line 69", "the host function uses `counts[256]`, which does not exist"];
    check("equalize", &loops, &said, &["FAILED"]);
    let right = edited(EQUALIZE, "level < levels; ++level", "level < levels; level++");
    check("equalize", &right, &["PASSED lab3"], &["W0602"]);
}
