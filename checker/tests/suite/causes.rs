//! Wrong kernels, one per cause: the real binary names exactly this cause. Kernels in `solutions/*/wrong` name their
//! cause in a comment, which `workshop verify` checks.

use pretty_assertions::assert_eq;
use serde_json::Value;

/// A kernel of lab 1 with one thread a pixel; `body` has x, y, i, width, height, n, rgb, gray and `level(i)`.
fn lab1(body: &str) -> String {
    format!(
        r#"#include "workbook.cuh"
__device__ int level_at(const uint8_t* rgb, int i) {{
    return (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}}
__global__ void k(const uint8_t* rgb, uint8_t* gray, int width, int height) {{
    const int n = width * height;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int x = i % width, y = i / width;
    #define level(j) level_at(rgb, j)
    {body}
}}
void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {{
    k<<<ceil_div(width * height, 128), 128>>>(rgb, gray, width, height);
}}
"#
    )
}

/// A kernel of lab 2; `body` has i, n, gray and bins.
fn lab2(body: &str) -> String {
    format!(
        r#"#include "workbook.cuh"
__global__ void k(const uint8_t* gray, uint32_t* bins, int n) {{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    {body}
}}
void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {{
    k<<<ceil_div(width * height, 128), 128>>>(gray, bins, width * height);
}}
"#
    )
}

/// A box of lab 4; `place` makes the neighbour's column cx and row cy ones of the image, or leaves it out by
/// `continue`; `store` has x, y, sum and count.
pub(super) fn lab4(place: &str, store: &str) -> String {
    format!(
        r#"#include "workbook.cuh"
__global__ void k(const uint8_t* gray, uint8_t* out, int width, int height) {{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0, count = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {{
            int cx = x + dx, cy = y + dy;
            {place}
            sum += gray[cy * width + cx];
            ++count;
        }}
    {store}
}}
void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {{
    k<<<dim3(ceil_div(width, 32), ceil_div(height, 4)), dim3(32, 4)>>>(gray, out, width, height);
}}
"#
    )
}

/// The filter of lab 4, with what each byte c of a pixel becomes; it has out, x, y, i (the byte), right.
pub(super) fn filter(store: &str) -> String {
    format!(
        r#"#include "workbook.cuh"
__constant__ int filter[25];
__global__ void k(const uint8_t* rgb, uint8_t* out, int divisor, int width, int height) {{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const bool border = x < 2 || y < 2 || x >= width - 2 || y >= height - 2;
    for (int c = 0; c < 3; ++c) {{
        const int i = 3 * (y * width + x) + c;
        int sum = 0;
        for (int k = 0; k < 25 && !border; ++k)
            sum += filter[k] * rgb[i + 3 * ((k / 5 - 2) * width + k % 5 - 2)];
        const int right = border ? rgb[i] : min(max(sum / divisor, 0), 255);
        {store}
    }}
}}
void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width, int height) {{
    cudaMemcpyToSymbol(filter, filter25, 100);
    k<<<dim3(ceil_div(width, 32), ceil_div(height, 4)), dim3(32, 4)>>>(rgb, out, divisor, width, height);
}}
"#
    )
}

pub(super) const INSIDE: &str = "if (cx < 0 || cy < 0 || cx >= width || cy >= height) continue;";
pub(super) const MEAN: &str = "out[y * width + x] = (sum + count / 2) / count;";

/// The report on this file.
fn report(task: &str, source: &str) -> Value {
    let lab = match task {
        "grayscale" | "grayscale_darken" => "lab1",
        "histogram" | "gray_histogram" => "lab2",
        "contrast_stretch" | "equalize" => "lab3",
        "pipeline" => "lab5",
        _ => "lab4",
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("mine.cu"), source).expect("a file in it");
    let arguments = [lab, "--engine", "sim", "--task", task, "--file", "mine.cu", "--json"];
    let output = crate::common::run(folder.path(), &arguments);
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// Checks the names of the causes of these kernels, and a part of each message.
pub(super) fn check(task: &str, kernels: &[(&str, &str, String)]) {
    for (name, message, source) in kernels {
        let report = report(task, source);
        let cause = report.pointer("/tasks/0/cause");
        let text = |key: &str| cause.and_then(|cause| cause[key].as_str()).unwrap_or("none").to_owned();
        assert_eq!(text("name"), *name, "of\n{source}\n{:#}", report["findings"]);
        assert!(text("message").contains(message), "`{}` lacks `{message}`", text("message"));
        let count = |key: &str| cause.and_then(|cause| cause[key].as_u64()).unwrap_or(0);
        assert!(count("explained") > 0 && 50 * count("explained") >= 49 * count("wrong"), "{cause:?}");
    }
}

#[test]
fn values_in_the_wrong_places() {
    check(
        "grayscale",
        &[
            ("shifted", "1 column to the right", lab1("gray[i] = level(min(i + 1, n - 1));")),
            ("shifted", "2 rows above", lab1("gray[i] = level(max(i - 2 * width, 0));")),
            ("mirrored", "left and right", lab1("gray[i] = level(y * width + width - 1 - x);")),
            ("mirrored", "top and bottom", lab1("gray[i] = level((height - 1 - y) * width + x);")),
            ("rows_and_columns_swapped", "x * height + y", lab1("gray[x * height + y] = level(i);")),
            ("rows_and_columns_swapped", "x * height + y", lab1("gray[i] = level(x * height + y);")),
            ("first_pixel_everywhere", "the first one", lab1("gray[i] = level(0);")),
            (
                "pixels_a_byte_apart",
                "one byte apart",
                lab1("gray[i] = (30 * rgb[i] + 59 * rgb[i + 1] + 11 * rgb[i + 2] + 50) / 100;"),
            ),
        ],
    );
    let three_left_out = "int weighted = 0; const int j = y * width + x + c; for (int k = 0; k < 25 && !border; ++k) \
                          weighted += filter[k] * rgb[j + (k / 5 - 2) * width + k % 5 - 2]; \
                          out[i] = border ? rgb[j] : min(max(weighted / divisor, 0), 255);";
    check(
        "filter_rgb",
        &[
            ("channels_swapped", "BGR", filter("out[i - c + 2 - c] = right;")),
            ("pixels_a_byte_apart", "one byte apart", filter(three_left_out)),
        ],
    );
    let counted = "void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {\n\
                   k<<<ceil_div(width * height, 128), 128>>>(rgb, gray, bins, width * height);\n}\n";
    let kernel = "#include \"workbook.cuh\"\n\
                  __global__ void k(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int n) {\n\
                  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
                  if (i >= n) return;\n\
                  gray[i] = (30 * rgb[i] + 59 * rgb[i + 1] + 11 * rgb[i + 2] + 50) / 100;\n\
                  atomicAdd(&bins[gray[i]], 1);\n}\n";
    check("gray_histogram", &[("pixels_a_byte_apart", "one byte apart", format!("{kernel}{counted}"))]);
}

#[test]
fn pixels_left_out() {
    check(
        "grayscale",
        &[
            ("first_block_only", "first 128 pixels", lab1("if (i < 128) gray[i] = level(i);")),
            ("first_block_only", "only the first pixel", lab1("if (i == 0) gray[0] = level(0);")),
            ("last_pixels_left_out", "multiple of 16", lab1("if (i < n / 16 * 16) gray[i] = level(i);")),
            ("columns_beyond_a_block_left_out", "from 256 on", lab1("if (x < 256) gray[i] = level(i);")),
            (
                "last_row_or_column_left_out",
                "the last column",
                lab1("if (x < width - 1) gray[i] = level(i);"),
            ),
            ("last_row_or_column_left_out", "the last row", lab1("if (y < height - 1) gray[i] = level(i);")),
            ("one_of_several_pixels", "multiple of 4", lab1("if (i % 4 == 0) gray[i] = level(i);")),
            (
                "partial_blocks_left_out",
                "a multiple of 32, and the last rows",
                lab1("if (x < width / 32 * 32 && y < height / 8 * 8) gray[i] = level(i);"),
            ),
            (
                "border_left_out",
                "2 outermost",
                lab1("if (x > 1 && y > 1 && x < width - 2 && y < height - 2) gray[i] = level(i);"),
            ),
        ],
    );
}

#[test]
fn values_that_are_not_right() {
    check(
        "grayscale",
        &[
            ("negative", "255 minus", lab1("gray[i] = 255 - level(i);")),
            ("all_zero", "0 was written", lab1("gray[i] = level(i) / 256 * 255;")),
            ("one_channel", "green channel", lab1("gray[i] = rgb[3 * i + 1];")),
            (
                "other_weights",
                "Rec. 709",
                lab1(
                    "gray[i] = 0.2126f * rgb[3 * i] + 0.7152f * rgb[3 * i + 1] + 0.0722f * rgb[3 * i + 2] + 0.5f;",
                ),
            ),
        ],
    );
    check(
        "filter_rgb",
        &[
            (
                "rounded",
                "rounded",
                filter(
                    "out[i] = border ? rgb[i] : min(max(int(floorf(float(sum) / divisor + 0.5f)), 0), 255);",
                ),
            ),
            ("border_zero", "become 0", filter("out[i] = border ? 0 : right;")),
            ("input_copied", "is copied", filter("out[i] = rgb[i];")),
            ("clamped_on_one_side", "at 255", filter("out[i] = border ? rgb[i] : min(sum / divisor, 255);")),
        ],
    );
}

#[test]
fn counts_that_are_not_right() {
    check(
        "histogram",
        &[
            ("counted_several_times", "twice", lab2("atomicAdd(&bins[gray[i]], 2u);")),
            ("levels_mirrored", "255 - v", lab2("atomicAdd(&bins[255 - gray[i]], 1u);")),
            ("levels_missing", "level 0", lab2("if (gray[i] > 0) atomicAdd(&bins[gray[i]], 1u);")),
            (
                "last_pixels_left_out",
                "multiple of 8",
                lab2("if (i < n / 8 * 8) atomicAdd(&bins[gray[i]], 1u);"),
            ),
        ],
    );
}

#[test]
fn borders() {
    let reflect = "if (cx < 0) cx = -cx; if (cy < 0) cy = -cy; if (cx >= width) cx = 2 * width - 2 - cx; \
                   if (cy >= height) cy = 2 * height - 2 - cy; cx = min(max(cx, 0), width - 1); \
                   cy = min(max(cy, 0), height - 1);";
    let ring = "if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) out[y * width + x] = ";
    check(
        "smooth_box",
        &[
            ("border_reflected", "reflected", lab4(reflect, MEAN)),
            (
                "border_periodic",
                "opposite side",
                lab4("cx = (cx + 4 * width) % width; cy = (cy + 4 * height) % height;", MEAN),
            ),
            (
                "border_repeated",
                "the mean is truncated",
                lab4(
                    "cx = min(max(cx, 0), width - 1); cy = min(max(cy, 0), height - 1);",
                    "out[y * width + x] = sum / count;",
                ),
            ),
            ("border_copied", "copied", lab4(INSIDE, &format!("{MEAN} {ring}gray[y * width + x];"))),
            ("border_zero", "become 0", lab4(INSIDE, &format!("{MEAN} {ring}0;"))),
            (
                "neighbourhood_too_small",
                "3 x 3",
                lab4(&format!("if (abs(dx) > 1 || abs(dy) > 1) continue; {INSIDE}"), MEAN),
            ),
            (
                "middle_left_out",
                "itself",
                lab4(
                    &format!("if (dx == 0 && dy == 0) continue; {INSIDE}"),
                    "out[y * width + x] = count == 0 ? 0 : (sum + count / 2) / count;",
                ),
            ),
        ],
    );
}

/// No cause is named without certainty: two faults at once, noise, a fault that is not a known mistake.
#[test]
fn nothing_is_named_without_certainty() {
    let none = [
        lab1("gray[i] = level(i) ^ 0x15;"),
        lab1("gray[i] = x < 20 ? 255 - level(i) : level(max(i - 1, 0));"),
        lab1("gray[i] = x % 3 == 0 ? level(i) : i * 37;"),
        // As many as a grid with swapped sides covers, and the grid is right.
        lab1("if (x < (height + 31) / 32 * 32 && y < (width + 7) / 8 * 8) gray[i] = level(i);"),
    ];
    for source in none {
        let report = report("grayscale", &source);
        assert_eq!(report["passed"], false);
        assert_eq!(report.pointer("/tasks/0/cause"), None, "{source}");
    }
}

/// What differs from run to run can only be seen on a GPU: here the engine is a closure.
#[test]
fn another_result_each_time_is_a_cause_of_its_own() {
    use judge::cause::{Failed, Ran};
    use judge::verify::unsteady;
    use lab::{Case, Picture};

    let task = lab1_grayscale::LAB.tasks()[0];
    let case = Case::new("noise", Picture::Noise { width: 40, height: 30, colours: 256 });
    let rounds = vec![vec![vec![7; 1200]]];
    let failed = Some(Failed { rounds: rounds.clone(), poison: 1 });
    let ran = [Ran { case, calls: 1, failed }];
    let mut steady = |_: &runtime::job::Job| Some(rounds.clone());
    assert_eq!(unsteady(task, &ran, 1, &mut steady).expect("an image"), None);
    let mut runs = 0;
    let mut racing = |_: &runtime::job::Job| {
        runs += 1;
        let mut rounds = rounds.clone();
        if runs == 2 {
            rounds[0][0][5..9].fill(8);
        }
        Some(rounds)
    };
    let cause = unsteady(task, &ran, 1, &mut racing).expect("an image").expect("a cause");
    assert_eq!((cause.name.as_str(), cause.wrong), ("differs_from_run_to_run", 4));
}

/// Lab 1 with four pixels per thread: the three words of a thread, the shift of byte `k` of a word, and the channels of a pixel.
fn lab1_words(words: &str, byte: &str, channels: &str) -> String {
    format!(
        r#"#include "workbook.cuh"
__device__ unsigned byte_of(const unsigned* words, int at) {{
    const int k = at % 4;
    return words[at / 4] >> ({byte}) & 255;
}}
__device__ unsigned level(unsigned r, unsigned g, unsigned b) {{
    return (30 * r + 59 * g + 11 * b + 50) / 100;
}}
__global__ void k(const uint8_t* rgb, uint8_t* gray, int n) {{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {{
        const unsigned* own = reinterpret_cast<const unsigned*>(rgb) + 3 * i;
        const unsigned words[3] = {{{words}}};
        unsigned four = 0;
        for (int p = 0; p < 4; ++p) {{
            unsigned c[3];
            for (int at = 0; at < 3; ++at) c[at] = byte_of(words, 3 * p + at);
            four |= level({channels}) << (8 * p);
        }}
        reinterpret_cast<unsigned*>(gray)[i] = four;
    }} else if (i - n / 4 < n % 4) {{
        const int at = n / 4 * 4 + i - n / 4;
        gray[at] = level(rgb[3 * at], rgb[3 * at + 1], rgb[3 * at + 2]);
    }}
}}
void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {{
    const int n = width * height;
    k<<<ceil_div(n / 4 + 3, 256), 256>>>(rgb, gray, n);
}}
"#
    )
}

#[test]
fn words_in_the_wrong_order() {
    let (words, byte, channels) = ("own[0], own[1], own[2]", "8 * k", "c[0], c[1], c[2]");
    let bytes = "bytes_of_words_in_another_order";
    check(
        "grayscale",
        &[
            (bytes, "in the order 3, 2, 1 and 0", lab1_words(words, "24 - 8 * k", channels)),
            (bytes, "in the order 1, 0, 3 and 2", lab1_words(words, "8 * (k ^ 1)", channels)),
            (
                "channels_of_words_in_another_order",
                "groups of 4 pixels, blue is taken for red, green for green and red for blue",
                lab1_words(words, byte, "c[2], c[1], c[0]"),
            ),
            (
                "words_in_another_order",
                "words of each 4 pixels are taken in the order 2, 1 and 0",
                lab1_words("own[2], own[1], own[0]", byte, channels),
            ),
        ],
    );
}
