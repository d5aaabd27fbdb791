//! One slip in a right file that no rule knows: the report names the line and the change that makes every case right, because it was tried.

use std::path::Path;
use std::process::Command;

use crate::mistakes::check as without_search;
use crate::slips::edited;

/// What a check of a file of this lab prints, with the search for a small change.
fn searched(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(crate::BINARY)
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("CI", "1")
        .env("CUDA_VISIBLE_DEVICES", "")
        .output()
        .expect("the binary starts");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

/// Checks that the report on a file has all of `said`, and none of `unsaid`; its words with single spaces.
fn check(lab: &str, task: &str, source: &str, said: &[&str], unsaid: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("mine.cu"), source).expect("a file in it");
    let shown = searched(folder.path(), &[lab, "--engine", "sim", "--task", task, "--file", "mine.cu"]);
    let report = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in said {
        assert!(report.contains(part), "no `{part}` in\n{report}");
    }
    for part in unsaid {
        assert!(!report.contains(part), "`{part}` in\n{report}");
    }
}

const GRAY: &str = "lab1-grayscale/01_one_pixel_per_thread";
const TILE: &str = "lab6-sobel/02_shared_tile";

#[test]
fn a_constant_and_a_term() {
    let digits = edited(GRAY, "0.59f * rgb", "0.95f * rgb");
    let said = [
        "with `const float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1]",
        "line 22, all 23 cases are right",
    ];
    check("lab1", "grayscale", &digits, &said, &["no known mistake"]);
    let term = edited(TILE, "2 * own[2] + below[2]", "2 * own[2] + below[1]");
    let said = [
        "2 * own[2] + below[2] - above[0]",
        "in line 41, all 23 cases are right",
        "next: `sobel`: Compare line 41",
    ];
    check("lab6", "sobel", &term, &said, &["no known mistake"]);
}

#[test]
fn a_grid_for_large_pictures_is_no_hindrance() {
    let source = edited("lab2-histogram/wrong/first_copy_not_added", "", "");
    check("lab2", "histogram", &source, &["= tried: with `for (int k = 0;"], &["no known mistake"]);
}

#[test]
fn a_change_that_goes_round_the_mistake_is_refused() {
    let source = edited("lab4-smoothing/10_four_pixels", "(pair & 0xffff) + total", "(pair & 0xff) + total");
    check("lab4", "smooth_box", &source, &["smooth_box: wrong output"], &["is_inner(1, first"]);
}

#[test]
fn the_line_of_a_known_mistake_is_searched_for() {
    let source = edited("lab4-smoothing/01_one_pixel_per_thread", "centre[3 * (dy", "centre[-3 * (dy");
    let said = ["the filter is rotated by 180 degrees", "= tried: with `", "in line "];
    check("lab4", "filter_rgb", &source, &said, &["compare line"]);
}

#[test]
fn an_array_behind_the_end_of_an_allocation_is_not_laid_over_another() {
    let source = edited("lab3-equalization/wrong/table_past_the_end", "", "");
    let said = ["argument 2 of the launch is a pointer to the end of `bins`", "allocate the bytes of both"];
    check("lab3", "contrast_stretch", &source, &said, &["= tried"]);
    let inside = edited("lab3-equalization/wrong/table_inside_the_counts", "", "");
    let said = ["error[W0302]: writes byte ", " reads 4 bytes of `bins` here", "to its bytes 0 and 256"];
    // Without a search: this is about the error.
    without_search("equalize", &inside, &said, &["__syncthreads()` between"]);
}

#[test]
fn a_change_that_was_tried_stands_beside_an_error() {
    let last =
        edited(TILE, "for (int row = threadIdx.y; row < rows;", "for (int row = threadIdx.y; row <= rows;");
    let said = [
        "error[W01",
        "= tried: with `for (int row = threadIdx.y; row < rows; row += block_height) {` in line",
    ];
    check("lab6", "sobel", &last, &said, &[]);
}

#[test]
fn a_file_that_no_small_change_makes_right_is_told_none() {
    let two = edited(TILE, "2 * own[2] + below[2]", "own[2] + above[2]");
    check("lab6", "sobel", &two, &["FAIL sobel"], &["are right"]);
}

/// With `height - 1` in the grid, all cases are right, and pictures of 34, 35, 66 … rows are not.
#[test]
fn a_grid_that_does_for_the_cases_alone_is_no_change() {
    let strips = include_str!("strips.cu");
    let said = ["error[W0101]", "next: Solve W0101 in line 11"];
    check("lab4", "smooth_box", strips, &said, &["= tried", "height - 1"]);
}
