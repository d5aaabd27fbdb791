//! Causes of the kind "the right values by the wrong way": rows and columns swapped in any picture, and the steps of the
//! pipeline joined wrongly.

use crate::causes::{INSIDE, MEAN, check, filter, lab4};

/// A rung of a ladder with one expression replaced.
fn changed(rung: &str, from: &str, to: &str) -> String {
    let path = format!("{}/../solutions/{rung}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(text.contains(from), "{rung} lacks `{from}`");
    text.replace(from, to)
}

/// Rows and columns swapped, in every task that has pictures: where a pixel is stored, where neighbours are read, and
/// where a kernel is given height and width in the other order.
#[test]
fn rows_and_columns_swapped_in_all_pictures() {
    const SWAPPED: &str = "rows_and_columns_swapped";
    let size = "const int height = pixels / WIDTH, other = i % WIDTH * height + i / WIDTH;";
    let one_a_thread = |kernel: &str, body: &str, call: &str| {
        let body = format!("{} {body}", size.replace("WIDTH", "width"));
        format!(
            r#"#include "workbook.cuh"
__global__ void k({kernel}, int pixels, int width) {{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    {body}
}}
{call}
"#
        )
    };
    let darken = one_a_thread(
        "const uint8_t* in, uint8_t* out",
        "out[other] = int((0.3f * in[i] + 0.59f * in[pixels + i] + 0.11f * in[2 * pixels + i]) * 0.6f + 0.5f);",
        "void grayscale_darken(const uint8_t* in, uint8_t* out, int width, int height) { \
         k<<<ceil_div(width * height, 64), 64>>>(in, out, width * height, width); }",
    );
    check("grayscale_darken", &[(SWAPPED, "x * height + y", darken)]);
    let gray = one_a_thread(
        "const uint8_t* in, uint8_t* out, uint32_t* bins",
        "const int level = (30 * in[3 * i] + 59 * in[3 * i + 1] + 11 * in[3 * i + 2] + 50) / 100; \
         out[other] = level; atomicAdd(&bins[level], 1u);",
        "void gray_histogram(const uint8_t* in, uint8_t* out, uint32_t* bins, int width, int height) { \
         k<<<ceil_div(width * height, 64), 64>>>(in, out, bins, width * height, width); }",
    );
    check("gray_histogram", &[(SWAPPED, "x * height + y", gray)]);
    for (task, value) in [("contrast_stretch", "stretched("), ("equalize", "mapped(")] {
        let (right, wrong) =
            (format!("out[y * width + x] = {value}"), format!("out[x * height + y] = {value}"));
        let rung = changed("lab3-equalization/01_branches.cu", &right, &wrong);
        check(task, &[(SWAPPED, "x * height + y", rung)]);
    }
    let read = "gray[cy * width + cx]";
    let plain = lab4(INSIDE, MEAN);
    let swapped_call = plain.replace("(gray, out, width, height);\n}", "(gray, out, height, width);\n}");
    let swapped_grid = swapped_call
        .replace("ceil_div(width, 32), ceil_div(height, 4)", "ceil_div(height, 32), ceil_div(width, 4)");
    check(
        "smooth_box",
        &[
            (SWAPPED, "where neighbours are read", plain.replace(read, "gray[cx * height + cy]")),
            (SWAPPED, "pixels lie where", plain.replace("out[y * width + x]", "out[x * height + y]")),
            (SWAPPED, "rows as long as it is high", swapped_grid),
        ],
    );
    let filtered = filter("out[i] = right;");
    let inner = "rgb[i + 3 * ((k / 5 - 2) * width + k % 5 - 2)]";
    check(
        "filter_rgb",
        &[
            (
                SWAPPED,
                "where neighbours are read",
                filtered.replace(inner, "rgb[3 * ((x + k % 5 - 2) * height + y + k / 5 - 2) + c]"),
            ),
            (
                SWAPPED,
                "pixels lie where",
                filtered.replace("out[i] = right;", "out[3 * (x * height + y) + c] = right;"),
            ),
        ],
    );
}

/// The pipeline: steps left out, in another order, with indices that do not agree.
#[test]
fn steps_of_the_pipeline() {
    let kernels = r#"#include "workbook.cuh"
__global__ void to_gray(const uint8_t* in, uint8_t* out, uint32_t* bins, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (30 * in[3 * i] + 59 * in[3 * i + 1] + 11 * in[3 * i + 2] + 50) / 100;
}
__global__ void count(const uint8_t* in, uint32_t* bins, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[in[i]], 1u);
}
__global__ void stretch(const uint8_t* in, uint8_t* out, const uint32_t* bins, int width, int height) {
    const int n = width * height, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int low = 0, high = 255;
    while (bins[low] < (n + 1023) / 1024) ++low;
    while (bins[high] < (n + 1023) / 1024) --high;
    const int v = min(max(int(in[i]), low), high), range = high - low;
    const int x = i % width, y = i / width;
    out[STORED] = range == 0 ? in[i] : (255 * (v - low) + range / 2) / range;
}
__global__ void smooth(const uint8_t* in, uint8_t* out, int width, int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height) return;
    const int x = i % width, y = i / width;
    int sum = 0, count = 0;
    for (int cy = max(y - 2, 0); cy <= min(y + 2, height - 1); ++cy)
        for (int cx = max(x - 2, 0); cx <= min(x + 2, width - 1); ++cx) {
            sum += in[READ];
            ++count;
        }
    out[i] = (sum + count / 2) / count;
}
void pipeline(const uint8_t* host_rgb, uint8_t* host_out, int width, int height) {
    const int n = width * height, blocks = ceil_div(n, 256);
    uint8_t *rgb, *a, *b;
    uint32_t* bins;
    cudaMalloc(&rgb, 3 * n); cudaMalloc(&a, n); cudaMalloc(&b, n); cudaMalloc(&bins, 1024);
    cudaMemset(bins, 0, 1024);
    cudaMemcpy(rgb, host_rgb, 3 * n, cudaMemcpyHostToDevice);
    to_gray<<<blocks, 256>>>(rgb, a, bins, n);
    STEPS
    cudaMemcpy(host_out, a, n, cudaMemcpyDeviceToHost);
    cudaFree(rgb); cudaFree(a); cudaFree(b); cudaFree(bins);
}
"#;
    let count = "count<<<blocks, 256>>>(a, bins, n);";
    let stretch = "stretch<<<blocks, 256>>>(a, b, bins, width, height);";
    let smooth = "smooth<<<blocks, 256>>>(b, a, width, height);";
    let with = |steps: &str, stored: &str, read: &str| {
        kernels.replace("STEPS", steps).replace("STORED", stored).replace("READ", read)
    };
    let all = format!("{count} {stretch} {smooth}");
    let plain = |steps: &str| with(steps, "i", "cy * width + cx");
    let back = "cudaMemcpy(b, a, n, cudaMemcpyDeviceToDevice);";
    let forth = "cudaMemcpy(a, b, n, cudaMemcpyDeviceToDevice);";
    check(
        "pipeline",
        &[
            (
                "rows_and_columns_swapped",
                "where pixels are stored",
                with(&all, "x * height + y", "cy * width + cx"),
            ),
            ("rows_and_columns_swapped", "where neighbours are read", with(&all, "i", "cx * height + cy")),
            (
                "rows_and_columns_swapped",
                "rows as long",
                plain(&all.replace("(b, a, width, height)", "(b, a, height, width)")),
            ),
            ("gray_only", "handed back", plain("")),
            ("not_smoothed", "smoothing is missing", plain(&format!("{count} {stretch} {forth}"))),
            ("not_stretched", "not stretched", plain(&format!("{back} {smooth}"))),
            (
                "smoothed_before_stretched",
                "the range of its smoothed levels",
                plain(&format!("{back} {smooth} {count} {stretch} {forth}")),
            ),
            (
                "smoothed_before_stretched",
                "levels before smoothing",
                plain(&format!("{count} {back} {smooth} {stretch} {forth}")),
            ),
        ],
    );
}
