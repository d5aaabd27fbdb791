//! The mistakes that a beginner makes most: what the report on one screen names first, and what it must not say.

use crate::common::shown_in;

/// A file of lab 2 with this body of the kernel for one pixel per thread.
pub fn histogram(body: &str) -> String {
    HISTOGRAM.replace("BODY", body)
}

const HISTOGRAM: &str = r#"#include "workbook.cuh"
__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ uint32_t counts[256];
    const int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
BODY
}
void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
}
"#;

/// A right body, its counters in shared memory.
const BLOCKWISE: &str = "    counts[t] = 0;
    __syncthreads();
    if (i < pixels) atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[t], counts[t]);";
/// A right body without.
const GLOBAL: &str = "    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);";

/// A file of lab 4 with a tile; `filled` and `read` are the columns of its halo.
pub fn tile(filled: &str, read: &str) -> String {
    TILE.replace("FILLED", filled).replace("READ", read)
}

const TILE: &str = r#"#include "workbook.cuh"
__global__ void smooth_box_kernel(const uint8_t* gray, uint8_t* out, int width, int height) {
    __shared__ uint8_t tile[12][36];
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 12 * 36; k += 256) {
        const int cx = int(blockIdx.x * 32) + k % 36 - FILLED, cy = int(blockIdx.y * 8) + k / 36 - 2;
        const bool inside = cx >= 0 && cy >= 0 && cx < width && cy < height;
        tile[k / 36][k % 36] = inside ? gray[cy * width + cx] : 0;
    }
    __syncthreads();
    if (x >= width || y >= height) return;
    int sum = 0, count = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
            if (x + dx < 0 || y + dy < 0 || x + dx >= width || y + dy >= height) continue;
            sum += tile[threadIdx.y + 2 + dy][threadIdx.x + READ + dx];
            ++count;
        }
    out[y * width + x] = (sum + count / 2) / count;
}
void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    smooth_box_kernel<<<grid, dim3(32, 8)>>>(gray, out, width, height);
}
"#;

/// The report on a file, its words with single spaces.
fn report(task: &str, source: &str) -> String {
    let has = |lab: &&'static dyn lab::Lab| lab.tasks().iter().any(|known| known.name() == task);
    let lab = judge::labs::all().into_iter().find(|lab| has(lab)).expect("a task").name();
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("mine.cu"), source).expect("a file in it");
    let shown = shown_in(folder.path(), &[lab, "--engine", "sim", "--task", task, "--file", "mine.cu"]);
    assert!(shown.lines().count() <= 40, "more than a screen:\n{shown}");
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks that the report has all of `said`, in this order, and none of `unsaid`.
pub fn check(task: &str, source: &str, said: &[&str], unsaid: &[&str]) {
    let report = report(task, source);
    let mut rest = report.as_str();
    for part in said {
        let found = rest.split_once(part);
        assert!(found.is_some(), "no `{part}`, or not in this order, in\n{report}\nof\n{source}");
        rest = found.map_or("", |(_, rest)| rest);
    }
    for part in unsaid {
        assert!(!report.contains(part), "`{part}` in\n{report}\nof\n{source}");
    }
}

#[test]
fn right_files_pass() {
    for source in [histogram(BLOCKWISE), histogram(GLOBAL)] {
        check("histogram", &source, &["PASSED lab2", "PASS histogram", "25 of 25 passed"], &["error"]);
    }
    check("smooth_box", &tile("2", "2"), &["PASSED lab4", "29 of 29 passed"], &["error"]);
}

#[test]
fn barriers() {
    let without = |line: &str| histogram(&BLOCKWISE.replacen(line, "", 1));
    // The race comes first, and what nothing has written follows from it.
    let first = without("    __syncthreads();\n");
    check("histogram", &first, &["error[W0307]", "next: Solve W0307 in line 6 first"], &["error[W0203]"]);
    let zeroing = without("    counts[t] = 0;\n");
    check(
        "histogram",
        &zeroing,
        &["error[W0203]", "next: Solve W0203 first: set `counts` before line 7 reads it"],
        &["error[W0307]", "also found"],
    );
    let returns = histogram(&format!("    if (i >= pixels) return;\n{BLOCKWISE}"));
    check(
        "histogram",
        &returns,
        &["[W0403]", "also: W0403", "W0203", "seen because of this"],
        &["also found"],
    );
    // The barrier in the loop holds up the one behind it.
    let looped = BLOCKWISE.replace(
        "    if (i < pixels) atomicAdd(&counts[gray[i]], 1u);",
        "    for (; i < pixels; i += 32 * 256) {\n        atomicAdd(&counts[gray[i]], 1u);\n        __syncthreads();\n    }",
    );
    let said = [
        "error[W0401]",
        "a loop that its threads leave at different times",
        "guard",
        "next: Solve W0401 in line 10 first",
    ];
    check("histogram", &histogram(&looped), &said, &["W0402]", "also found"]);
}

#[test]
fn threads_that_return_before_they_help() {
    let late =
        BLOCKWISE.replacen("    if (i < pixels) atomicAdd", "    if (i >= pixels) return;\n    atomicAdd", 1);
    let said = ["warning[W0403]", "before `__syncthreads()`", "next: Solve W0403"];
    check("histogram", &histogram(&late), &said, &["no known mistake", "is wrong"]);
}

#[test]
fn indices() {
    let of_block = histogram(&GLOBAL.replace("(i <", "(i = threadIdx.x, i <"));
    let own = "thread 0 of block 1 read `gray[0]`; with one pixel per thread, it should read `gray[256]`";
    check(
        "histogram",
        &of_block,
        &["never read", own, "are too small", "next:", "Compute the index"],
        &["bins[gray[i]]"],
    );
    let of_grid = histogram(&GLOBAL.replace("(i <", "(i = blockIdx.x * gridDim.x + t, i <"));
    let own = "it should read `gray[256]`";
    check("histogram", &of_grid, &[own, "next: `histogram`: Compute the index"], &["W0101"]);
    let sevenths = histogram(&GLOBAL.replace("(i <", "(i % 7 != 3 && i <"));
    check("histogram", &sevenths, &["every 7th element from `gray[3]` on", "never read"], &[]);
    let after_loop = histogram(
        "    counts[t] = 0;\n    for (; i < pixels; i += 1 << 25) counts[t] += gray[i];\n    \
         if (i < pixels) atomicAdd(&bins[t], counts[t]);",
    );
    check("histogram", &after_loop, &["no thread stored anything to `bins`", "never true"], &["Fill in"]);
    let signed = histogram(
        "    const char level = i < pixels ? gray[i] : 0;\n    if (i < pixels) atomicAdd(&bins[level], 1u);",
    );
    check(
        "histogram",
        &signed,
        &["error[W0101]", "`level` has the type `char` in line 6", "Pixels are `uint8_t`"],
        &["(i >= d)"],
    );
}

#[test]
fn arrays_of_a_block() {
    let beyond =
        histogram(&BLOCKWISE.replace("counts[t] = 0;", "for (int b = t; b <= 256; b += 256) counts[b] = 0;"));
    check("histogram", &beyond, &["error[W0106]", "`counts[256]`", "256 elements"], &["error[W03"]);
    let small = histogram(BLOCKWISE).replace("counts[256]", "counts[128]");
    check(
        "histogram",
        &small,
        &["error[W0106]", "`counts[128]`", "128 elements"],
        &["error[W03", "atomicAdd(&n"],
    );
}

#[test]
fn a_plain_count_beside_an_atomic() {
    let rest = histogram(&BLOCKWISE.replace(
        "    if (i < pixels) atomicAdd(&counts[gray[i]], 1u);",
        "    const int whole = pixels / 16 * 16;\n    if (i < whole) atomicAdd(&counts[gray[i]], 1u);\n    \
         if (i >= whole && i < pixels) {\n        const int level = gray[i];\n        counts[level]++;\n    }",
    ));
    let said = [
        "updates atomically too",
        "`atomicAdd(&counts[level], 1)`, as line 9 does",
        "next: Solve W0307 in line 12 first",
    ];
    check("histogram", &rest, &said, &["put a barrier", "`__syncthreads()`"]);
    // Here each thread has a counter of its own.
    let own = histogram(&BLOCKWISE.replace(
        "    __syncthreads();\n    atomicAdd(&bins",
        "    counts[t] += pixels % 2;\n    atomicAdd(&bins",
    ));
    check("histogram", &own, &["error[W0307]", "put a `__syncthreads()` between the two lines"], &[]);
}

#[test]
fn two_mistakes_are_two_findings() {
    // Too few elements, and no barrier before the counters are added.
    let open = BLOCKWISE
        .replace("counts[t] = 0", "if (t < 255) counts[t] = 0")
        .replace("    __syncthreads();\n    atomicAdd(&bins", "    atomicAdd(&bins");
    let small = histogram(&open).replace("counts[256]", "counts[255]");
    check("histogram", &small, &["error[W0106]", "`counts[255]`", "also found", "W0307"], &["seen because"]);
}

#[test]
fn a_condition_that_lets_one_too_many_through_is_quoted() {
    let guard = histogram(&GLOBAL.replace("i < pixels", "i <= pixels"));
    check("histogram", &guard, &["error[W0101]", "Line 6", "`i <= pixels`", "`i < pixels`"], &[]);
    let beyond =
        histogram(&BLOCKWISE.replace("counts[t] = 0;", "for (int b = t; b <= 256; b += 256) counts[b] = 0;"));
    check("histogram", &beyond, &["error[W0106]", "Line 6", "`b <= 256`", "`b < 256`"], &[]);
    // Elsewhere, it is no cause.
    let none = histogram(&format!("    for (int k = 0; k <= 0; ++k) __syncthreads();\n{GLOBAL}"))
        .replace("if (i < pixels)", "");
    check("histogram", &none, &["error[W0101]"], &[]);
}

#[test]
fn wrong_counts_of_small_pictures_come_before_the_time_that_a_large_one_takes() {
    let stride =
        histogram("    for (; i < pixels; i += pixels > 1000 ? 0 : 32) atomicAdd(&bins[gray[i]], 1u);");
    check(
        "histogram",
        &stride,
        &["histogram: ", "`bins` counts", "are too large", "next: `histogram`:", "belongs to one thread"],
        &["error[W0504]", "Solve W0504"],
    );
}

#[test]
fn allocations_are_named_by_their_pointers() {
    let copy = "    uint32_t* copies;\n    cudaMalloc((void**)&copies, 256 * sizeof(uint32_t));\n";
    let source = histogram(GLOBAL)
        .replace("height;\n", &format!("height;\n{copy}"))
        .replace("(gray, bins, pixels);", "(gray, copies, pixels);\n    cudaFree(copies);");
    check("histogram", &source, &["error[W0203]", "`copies["], &["cudaMalloc #"]);
}

/// A file of lab 4 without shared memory: the tile's kernel, which reads the picture itself.
fn untiled() -> String {
    let (before, rest) = TILE.split_once("    for (int k").expect("the loop that fills the tile");
    let (_, after) = rest.split_once("    __syncthreads();\n").expect("the barrier after it");
    format!("{before}{after}")
        .replace("    __shared__ uint8_t tile[12][36];\n", "")
        .replace("tile[threadIdx.y + 2 + dy][threadIdx.x + READ + dx]", "gray[(y + dy) * width + x + dx]")
}

#[test]
fn pixels_that_nothing_wrote_are_told_beside_another_mistake() {
    let right = untiled();
    check("smooth_box", &right, &["PASSED lab4"], &["error"]);
    let both = right
        .replace(
            "grid(ceil_div(width, 32), ceil_div(height, 8))",
            "grid(ceil_div(height, 8), ceil_div(width, 32))",
        )
        .replace("(sum + count / 2) / count", "(sum + count / 2) / (count + 1)");
    check(
        "smooth_box",
        &both,
        &[
            "smooth_box: wrong output -->",
            "in case \"",
            "`out[96]` (89 of 97 elements) were never written",
            "next: `smooth_box`: Take the size of the grid from the picture",
        ],
        &["Draw the"],
    );
}

#[test]
fn counting_without_atomics() {
    let plain = histogram("    if (i < pixels) bins[gray[i]]++;");
    check("histogram", &plain, &["error[W0302]", "atomicAdd"], &["harmless", "W0306"]);
    let kept = histogram("    if (i < pixels) atomicMax(&bins[gray[i]], atomicAdd(&sums[gray[i]], 1u) + 1);")
        .replace("__global__", "__device__ uint32_t sums[256];\n__global__");
    check("histogram", &kept, &["line 7 changes `sums`", "no line sets it back"], &["Draw the"]);
}

#[test]
fn neighbourhoods() {
    check("smooth_box", &tile("1", "2"), &["all neighbours are taken 1 column to the right"], &["Draw the"]);
    let three =
        tile("2", "2").replace("= -2; dy <= 2", "= -1; dy <= 1").replace("= -2; dx <= 2", "= -1; dx <= 1");
    check("smooth_box", &three, &["the neighbourhood is 3 x 3, not 5 x 5"], &["blockIdx.x * blockDim.x"]);
    let by_nine = three.replace("(sum + count / 2) / count", "sum / 9");
    check("smooth_box", &by_nine, &["the neighbourhood is 3 x 3, not 5 x 5"], &["blockIdx.x * blockDim.x"]);
}

#[test]
fn names_and_launches() {
    let right = histogram(GLOBAL);
    let cases = [
        (right.replace("#include \"workbook.cuh\"\n", ""), "write `#include \"workbook.cuh\"`"),
        (
            right.replace("+ threadIdx.x", "+ threadidx.x"),
            "`threadidx` is not declared: did you mean `threadIdx`?",
        ),
        (
            right.replace("    if (i", "    int low = 0;\n    if (lwo + i"),
            "`lwo` is not declared: did you mean `low`?",
        ),
        (
            right.replace("    histogram_kernel<<<", "    histgram_kernel<<<"),
            "did you mean `histogram_kernel`?",
        ),
        (
            right.replace("__global__ void", "void").replace("    __shared__ uint32_t counts[256];\n", ""),
            "in line 2 lacks `__global__`",
        ),
        (
            right.replace("<<<ceil_div(pixels, 256), 256>>>", "<<<256, ceil_div(pixels, 256)>>>"),
            "`<<<ceil_div(pixels, 256), 256>>>`",
        ),
        (
            histogram(BLOCKWISE)
                .replace("<<<ceil_div(pixels, 256), 256>>>", "<<<256, ceil_div(pixels, 256)>>>"),
            "its two sizes swapped",
        ),
    ];
    for (source, said) in cases {
        assert_ne!(source, right, "the mistake is made");
        check("histogram", &source, &["FAILED lab2", said, "next: Solve W0"], &["as its `try` line says"]);
    }
}

#[test]
fn swapped_sizes_lead_where_each_block_counts_other_levels() {
    let by_steps = |launch: &str| {
        let body = "    for (int v = t; v < 256; v += blockDim.x) counts[v] = 0;\n    __syncthreads();\n    \
                    for (; i < pixels; i += gridDim.x * blockDim.x) atomicAdd(&counts[gray[i]], 1u);\n    __syncthreads();\n    \
                    if (t < 256) atomicAdd(&bins[t], counts[t]);";
        histogram(body)
            .replace(
                "    histogram_kernel<<<",
                "    constexpr int block_size = 512, blocks = 128;\n    histogram_kernel<<<",
            )
            .replace("ceil_div(pixels, 256), 256", launch)
    };
    check("histogram", &by_steps("blocks, block_size"), &["PASSED lab2"], &["error"]);
    let said = [
        "the counters from level 128 on stay 0",
        "line 15 launches `histogram_kernel` with its two sizes swapped",
        "next: `histogram`: First the number of blocks, then the threads of each block",
    ];
    check("histogram", &by_steps("block_size, blocks"), &said, &["Zero, count and add"]);
}

#[test]
fn a_task_that_is_not_started() {
    let empty = "#include \"workbook.cuh\"\n__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int n) {\n}\n\
                 void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {\n    \
                 histogram_kernel<<<1, 256>>>(gray, bins, width * height);\n}\n";
    check(
        "histogram",
        empty,
        &[
            "not started",
            "`histogram_kernel` (line 3) is still empty",
            "next:",
            "Fill in `histogram_kernel` in `mine.cu`",
        ],
        &["no thread stored"],
    );
}

/// A file of lab 1 whose host function computes the last number that its kernel gets.
const ON_THE_HOST: &str = r#"#include "workbook.cuh"
__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels, int extra) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) gray[i] = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2] + 0.5f + 0 * extra;
}
void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height, least = pixels - 1;
    const int extra = NUMBER;
    if (extra == 77) printf("never\n");
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels, extra);
}
"#;

/// The report on such a file.
fn on_the_host(number: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("mine.cu");
    std::fs::write(&file, ON_THE_HOST.replace("NUMBER", number)).expect("a file in it");
    shown_in(folder.path(), &["lab1", "--engine", "sim", "--task", "grayscale", "--file", "mine.cu"])
}

#[test]
fn what_a_cpu_does_not_divide_is_named_with_its_line() {
    for quotient in
        ["pixels / least", "pixels % least", "(int)((long long)pixels / least)", "(unsigned)pixels / least"]
    {
        let shown = on_the_host(quotient);
        assert!(shown.contains("error[W0604]: the host function divides an integer by zero"), "{shown}");
        assert!(shown.contains("mine.cu:8:"), "{shown}");
    }
}

#[test]
fn a_nan_that_becomes_an_integer_is_named_and_fails_nothing() {
    let shown = on_the_host("(uint8_t)(float(pixels - 1) / least)");
    assert!(shown.contains("W0605 line 8"), "{shown}");
    assert!(!shown.contains("  FAIL  grayscale"), "{shown}");
    // A guarded quotient is no fault, nor is a NaN that stays one.
    for right in ["least == 0 ? 0 : pixels / least", "truncf(float(pixels - 1) / least) > 2.0f"] {
        let shown = on_the_host(right);
        assert!(!shown.contains("W060"), "{shown}");
    }
}
