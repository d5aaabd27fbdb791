//! Lab 4: what a report says of wrong tiles, clamps and weights must be so, and what it cannot know it must not say.

use std::fs;

use crate::causes::{INSIDE, MEAN, filter, lab4};
use crate::common::{shown, shown_in};
use crate::mistakes::{check, tile};

/// The advice on an index of a tile.
const INDEX: &str = "index of the shared array";

/// A file with this change.
fn changed(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "{old} in\n{text}");
    text.replace(old, new)
}

/// A filter that stores through shared memory; `level` is what it stores.
fn staged(level: &str) -> String {
    filter(&format!(
        "__shared__ uint8_t stage[4][96];\n        stage[threadIdx.y][3 * threadIdx.x + c] = border ? right : {level};\n\
         \x20       out[i] = stage[threadIdx.y][3 * threadIdx.x + c];"
    ))
}

#[test]
fn shared_memory_that_only_collects_results_is_not_blamed() {
    let said = ["wrong values should be 0; all", "A level is 0 where", "`max(…, 0)`"];
    check("filter_rgb", &staged("(sum < 0 ? 99 : right)"), &said, &[INDEX]);
    // As where a small picture has a kernel of its own.
    let less = "(width < 20 ? right : min(max(sum / divisor - 128, 0), 255))";
    check("filter_rgb", &staged(less), &["wrong values are 128 too small", "`pixel ^ 128`"], &[INDEX]);
    check(
        "filter_rgb",
        &staged("(right ^ 5 * (i / 3 % 7 == 2))"),
        &["wrong output"],
        &[INDEX, "wrong values should be"],
    );
}

#[test]
fn a_sum_of_signed_pixels_is_a_known_mistake() {
    let signed = "int total = 0;\n        for (int k = 0; k < 25; ++k) total += filter[k];\n\
                  \x20       out[i] = border ? rgb[i] : min(max((sum - 128 * total) / divisor, 0), 255);";
    let said = ["the sum lacks 128 times the sum of the weights", "pixel ^ 128"];
    check("filter_rgb", &filter(signed), &said, &["no known mistake"]);
}

#[test]
fn a_sum_without_a_sign_is_told_by_its_levels() {
    let store = "out[i] = border ? rgb[i] : min(max(int(unsigned(sum) / unsigned(divisor)), 0), 255);";
    let said = ["wrong values should be 0; all", "that should be something else are right", "signed `int`"];
    check("filter_rgb", &filter(store), &said, &[INDEX]);
}

#[test]
fn advice_on_a_loop_that_fills_a_tile_fits_the_loop_and_the_block() {
    let right = tile("2", "2");
    let other_block =
        right.replace("ceil_div(width, 32), ceil_div(height, 8)", "ceil_div(width, 64), ceil_div(height, 4)");
    let other_block = changed(&other_block, "dim3(32, 8)>>>", "dim3(64, 4)>>>");
    check(
        "smooth_box",
        &other_block,
        &["error[W0204]", "line 9 is carried out 512 times by the threads of a block"],
        &["v += blockDim.x"],
    );
    let head = "for (int k = threadIdx.y * 32 + threadIdx.x; k < 12 * 36; k += 256) {";
    let once = changed(&right, head, "const int k = threadIdx.y * 32 + threadIdx.x;\n    if (k < 12 * 36) {");
    check(
        "smooth_box",
        &once,
        &[
            "error[W0204]",
            "sets only `tile[0][0]` to `tile[7][3]`",
            "try: line 10 sets only `tile[0][0]` to `tile[7][3]`",
            "v = threadIdx.y * blockDim.x + threadIdx.x; v < 432; v += blockDim.x * blockDim.y",
        ],
        &[],
    );
}

#[test]
fn rows_that_are_counted_by_the_width_of_the_block_are_told() {
    let body = "const int row = k / 32, column = k % 32;\n        const int cx = int(blockIdx.x * 32) + column - 2, cy = int(blockIdx.y * 8) + row - 2;";
    let right = tile("2", "2");
    let named = changed(
        &right,
        "const int cx = int(blockIdx.x * 32) + k % 36 - 2, cy = int(blockIdx.y * 8) + k / 36 - 2;",
        body,
    );
    let named = changed(&named, "tile[k / 36][k % 36] =", "tile[row][column] =");
    check(
        "smooth_box",
        &named,
        &["error[W0106]", "count in rows of 32 elements", "rows of 36"],
        &["declare 14 rows"],
    );
}

#[test]
fn a_variable_that_is_too_small_for_a_copy_is_told_by_its_type() {
    let narrow =
        changed(&filter("out[i] = right;"), "__constant__ int filter", "__constant__ signed char filter");
    check(
        "filter_rgb",
        &narrow,
        &["error[W0612]", "declared with a smaller type"],
        &["stay inside the variable"],
    );
    let long = changed(&filter("out[i] = right;"), "filter25, 100)", "filter25, 104)");
    check("filter_rgb", &long, &["error[W0612]", "stay inside the variable"], &["smaller type"]);
}

#[test]
fn a_filter_that_is_never_copied_is_to_be_copied() {
    let never = changed(&filter("out[i] = right;"), "    cudaMemcpyToSymbol(filter, filter25, 100);\n", "");
    let said = ["`__constant__` variable that nothing has written", "next: ", "cudaMemcpyToSymbol"];
    check("filter_rgb", &never, &said, &["Follow the data"]);
}

/// A triangle with these weights.
fn triangle(weight: &str) -> String {
    let text = lab4(INSIDE, MEAN).replace("smooth_box", "smooth_triangular");
    changed(
        &changed(&text, "sum += gray", &format!("sum += {weight} * gray")),
        "++count;",
        &format!("count += {weight};"),
    )
}

#[test]
fn a_distance_that_is_used_twice_is_a_known_mistake() {
    let right = triangle("(3 - abs(dx)) * (3 - abs(dy))");
    check("smooth_triangular", &right, &["PASSED"], &["FAIL"]);
    let twice = triangle("(3 - abs(dx)) * (3 - abs(dx))");
    check("smooth_triangular", &twice, &["dx is used twice, and dy not at all"], &["no known mistake"]);
}

#[test]
fn a_kernel_that_is_never_launched_is_named() {
    let own = triangle("(3 - abs(dx)) * (3 - abs(dy))").replace("void k(", "void smooth_triangular_kernel(");
    let (own, host) = own.split_once("void smooth_triangular(").expect("a host function");
    let other = lab4(INSIDE, MEAN).replace("void k(", "void smooth_box_kernel(");
    let other = other.replace("k<<<", "smooth_box_kernel<<<");
    let launched = host.replace("k<<<", "smooth_box_kernel<<<");
    let text = format!("{own}\n{other}\nvoid smooth_triangular({launched}");
    let said = [
        "all neighbours have the same weight",
        "no line launches `smooth_triangular_kernel`",
        "Launch the kernel",
    ];
    check("smooth_triangular", &text, &said, &["abs(dx)"]);
}

#[test]
fn an_if_that_a_semicolon_ends_is_named() {
    let text = lab4(INSIDE, MEAN);
    let stray =
        changed(&text, "if (x >= width || y >= height) return;", "if (x >= width || y >= height); return;");
    check(
        "smooth_box",
        &stray,
        &["a `;` ends the `if` in line 4", "the `;` behind the condition away"],
        &["past the end"],
    );
}

#[test]
fn elements_that_are_left_out_come_with_the_sizes_of_the_launches() {
    let part = lab4(INSIDE, &format!("if (x % 3 < 2) {MEAN}"));
    let said = ["never written", "launched for", "`k` with", "blocks of 32 × 4 threads"];
    check("smooth_box", &part, &said, &[]);
}

#[test]
fn a_hint_names_the_page_of_its_idea() {
    let hint = shown(&["hint", "lab4", "--solution", "14", "--task", "filter_rgb"]);
    assert!(hint.contains("`checker book labs/lab4/strips` explains such steps."), "{hint}");
}

#[test]
fn the_book_is_searched_by_titles_and_words_of_cuda() {
    for words in ["dp4a", "dot products", "__funnelshift_r"] {
        let found = shown(&["book", words]);
        assert!(found.starts_with("exit 0"), "{words}: {found}");
    }
    assert!(shown(&["book", "dp4a"]).contains("labs/lab4/packed"));
    assert!(shown(&["book", "nothing of this name"]).starts_with("exit 2"));
}

#[test]
fn a_long_sweep_tells_its_versions_beforehand() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Nothing of it compiles: the sweep is short, and its number is told all the same.
    let text = "#include \"workbook.cuh\"\nconstexpr int rows = 8;  // tune: 1 2 3 4 5 6 7 8\nvoid smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) { none(rows); }\n";
    fs::write(folder.path().join("mine.cu"), text).expect("a file");
    let arguments = ["tune", "lab4", "--task", "smooth_box", "--file", "mine.cu", "--no-history"];
    let shown = shown_in(folder.path(), &arguments);
    assert!(shown.contains("8 versions to try"), "{shown}");
}

/// Sums of the last five rows, as a thread goes down `ROWS` rows of a column.
const DOWN: &str = r#"#include "workbook.cuh"
__global__ void down(const uint8_t* gray, uint8_t* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, top = blockIdx.y * ROWS;
    if (x >= width) return;
    int sums[5] = {}, counts[5] = {};
    for (int y = top - 2; y < top + 10; ++y) {
        int sum = 0, count = 0;
        if (y >= 0 && y < height)
            for (int cx = max(x - 2, 0); cx <= min(x + 2, width - 1); ++cx, ++count)
                sum += gray[y * width + cx];
        sums[(y + 5) % 5] = sum;
        counts[(y + 5) % 5] = count;
        int row = y - 2;
        if (row < top || row >= height) continue;
        int total = 0, all = 0;
        for (int k = 0; k < 5; ++k) total += sums[k], all += counts[k];
        out[row * width + x] = (total + all / 2) / all;
    }
}
void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    down<<<dim3(ceil_div(width, 64), ceil_div(height, 8)), 64>>>(gray, out, width, height);
}
"#;

#[test]
fn a_thread_that_reads_a_pixel_as_a_neighbour_is_not_to_store_it() {
    check("smooth_box", &DOWN.replace("ROWS", "8"), &["PASS"], &[]);
    let said = ["`out[56]` to `out[96]` (41 of 97 elements) were never written", "launched for"];
    let unsaid = ["reads this pixel", "let it store the result"];
    check("smooth_box", &DOWN.replace("ROWS", "4"), &said, &unsaid);
}

/// A kernel for the inside, and one for the border that is launched with a thread for every pixel.
const EVERY: &str = r#"#include "workbook.cuh"
__global__ void inside(const uint8_t* gray, uint8_t* out, int width, int height) {
    int x = 2 + blockIdx.x * blockDim.x + threadIdx.x, y = 2 + blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width - 2 || y >= height - 2) return;
    int sum = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) sum += gray[(y + dy) * width + x + dx];
    out[y * width + x] = (sum + 12) / 25;
}
__global__ void border(const uint8_t* gray, uint8_t* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    if (x >= 2 && x < width - 2 && y >= 2 && y < height - 2) return;
    int sum = 0, count = 0;
    for (int cy = max(y - 2, 0); cy <= min(y + 2, height - 1); ++cy)
        for (int cx = max(x - 2, 0); cx <= min(x + 2, width - 1); ++cx, ++count) sum += gray[cy * width + cx];
    out[y * width + x] = (sum + count / 2) / count;
}
void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    dim3 block(32, 8), grid(ceil_div(width, 32), ceil_div(height, 8));
    border<<<grid, block>>>(gray, out, width, height);
    inside<<<grid, block>>>(gray, out, width, height);
}
"#;

#[test]
fn a_kernel_most_of_whose_threads_have_no_work_is_told_so_in_each_command() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("mine.cu"), EVERY).expect("a file");
    for command in [None, Some("hint"), Some("profile")] {
        let rest = ["lab4", "--task", "smooth_box", "--file", "mine.cu", "--engine", "sim"];
        let arguments: Vec<&str> = command.into_iter().chain(rest).collect();
        let shown = shown_in(folder.path(), &arguments).to_lowercase();
        let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        let said = "of the 1,471,800 warps that `border` starts, at most 11,796 store anything";
        assert!(
            shown.contains(said) && shown.contains("launch only as many threads as have work"),
            "{shown}"
        );
        assert!(shown.contains("let each thread go down a column"), "{shown}");
    }
}

#[test]
fn a_profile_says_no_more_of_a_small_launch_than_the_report() {
    // The second launch takes 5 to 8 % of the time: less than it is told from before an idea.
    let rung = ["lab4", "--task", "smooth_box", "--solution", "13", "--engine", "sim"];
    let [report, profile] = [&[][..], &["profile"]].map(|command| shown(&[command, &rung].concat()));
    for said in [report, profile] {
        assert!(said.contains("let the lanes of a warp share their words"), "{said}");
        assert!(!said.contains("same grid") && !said.contains("larger kernel's grid"), "{said}");
    }
}
