//! Mistakes of the first two weeks: the first problem is the true cause, with its line and what to write.

use crate::common::shown_in;
use crate::mistakes::{check, histogram};

const GLOBAL: &str = "    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);";
const BLOCKWISE: &str = "    counts[t] = 0;\n    __syncthreads();\n    if (i < pixels) atomicAdd(&counts[gray[i]], 1u);\n    \
                         __syncthreads();\n    atomicAdd(&bins[t], counts[t]);";

#[test]
fn launches_that_do_not_fit_their_kernel() {
    let small = histogram(BLOCKWISE).replace("256>>>", "128>>>").replace("pixels, 256)", "pixels, 128)");
    let said = [
        "try: line 6 gives each of the 256 elements of `counts` to a thread",
        "but line 14 launches `histogram_kernel` with blocks of 128 threads",
        "next: Solve W02",
        "the launch in line 14 and the kernel need the same size of a block",
    ];
    check("histogram", &small, &said, &["`cudaMalloc` gives memory"]);
    let flat = histogram(GLOBAL).replace("256>>>", "dim3(16, 16)>>>");
    let said = [
        "line 10 launches `histogram_kernel` with blocks of 16 × 16 threads, and no line uses `threadIdx.y`",
    ];
    check("histogram", &flat, &said, &["the step is"]);
}

/// Errors of the compiler, which are said before anything runs.
#[test]
fn what_the_compiler_refuses() {
    for (body, said, unsaid) in [
        (
            GLOBAL.replace("&bins", "bins"),
            [
                "error[W0001]",
                "mine.cu:6:",
                "needs the address of what it changes: `atomicAdd(&bins[gray[i]], 1u)`",
            ],
            "also found",
        ),
        (
            format!("    const int n = pixels\n{GLOBAL}"),
            ["expected a \";\"", "mine.cu:6:", "next: Solve W0001 in line 6"],
            "also found",
        ),
        (
            format!("    __shared__ uint32_t own[256] = {{0}};\n{GLOBAL}"),
            ["initializer not allowed", "mine.cu:6:", "Let its threads fill it"],
            "also found",
        ),
    ] {
        check("histogram", &histogram(&body), &said, &[unsaid]);
    }
    let swapped = histogram(GLOBAL).replace("(gray, bins, pixels);", "(gray, pixels, bins);");
    let said = [
        "error[W0001]",
        "mine.cu:10:",
        "`pixels` is argument 2 of this launch, and parameter 2 of `histogram_kernel` is `uint32_t* bins`",
    ];
    check("histogram", &swapped, &said, &["file ends in the middle"]);
}

/// A task that is not begun is not the first problem of one that is; a pointer without a value explains the call that gets it.
#[test]
fn the_task_that_is_begun_comes_first() {
    let text = histogram(GLOBAL).replace(
        "    const int pixels",
        "    uint32_t* sums;\n    cudaMalloc((void**)sums, 1024);\n    const int pixels",
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("mine.cu"), text).expect("a file in it");
    let shown = shown_in(folder.path(), &["lab2", "--engine", "sim", "--file", "mine.cu"]);
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let at = |part: &str| words.find(part).unwrap_or_else(|| panic!("no `{part}` in {shown}"));
    assert!(at("[W0006]: variable \"sums\"") < at("`cudaMalloc(&sums, bytes)`"), "{shown}");
    assert!(at("W0602 in line 10: seen because of this") < at("also found W0003"), "{shown}");
}

/// What the compiler only warns of comes before what it leads to, and a plain name is not taken for the code of a type.
#[test]
fn an_assignment_for_a_comparison_and_a_name_of_one_letter() {
    let equal = histogram(&format!("    if (pixels = 0) return;\n{GLOBAL}"));
    let said = ["warning[W0006]", "mine.cu:6:", "`==` compares", "next: Solve W0006 in line 6"];
    check("histogram", &equal, &said, &["no known mistake"]);
    let letter = "    extern __shared__ uint32_t s[];\n    s[t] = 0;\n    __syncthreads();\n    atomicAdd(&s[gray[min(i, pixels - 1)]], 1u);\n    \
                  __syncthreads();\n    atomicAdd(&bins[t], s[t]);";
    check(
        "histogram",
        &histogram(letter),
        &["error[W0106]", "writes `s[0]`", "no shared memory"],
        &["`short"],
    );
}

#[test]
fn arrays_and_functions_that_are_declared_for_something_else() {
    let own = "    unsigned own[256];\n    for (; i < pixels; i += gridDim.x * blockDim.x) own[gray[i]]++;\n    \
               for (int v = 0; v < 256; v++)\n        if (own[v]) atomicAdd(&bins[v], own[v]);";
    let said = [
        "it comes from `own`, an array of this thread",
        "declared here, without values",
        "give it values in line 6, `unsigned own[256] = {};`",
    ];
    check("histogram", &histogram(own), &said, &["a local variable"]);
    let host = histogram(GLOBAL).replace("1u)", "one())").replacen(
        "__global__",
        "unsigned one() {\n    return 1u;\n}\n__global__",
        1,
    );
    let said = [
        "error[W0001]: a kernel calls `one`, a function of the host: `nvcc` refuses that",
        "write `__device__ unsigned one()` in line 2",
    ];
    check("histogram", &host, &said, &["PASSED"]);
    let variable =
        histogram(GLOBAL).replace("1u)", "step)").replacen("__global__", "unsigned step = 1;\n__global__", 1);
    let said = [
        "error[W0001]: a kernel uses `step`, a variable of the host: `nvcc` refuses that",
        "or `__device__` (they write it, too) before it in line 2",
    ];
    check("histogram", &variable, &said, &["PASSED"]);
}

/// Slips that only the text shows, by their lines.
#[test]
fn slips_of_the_pen() {
    let endless = BLOCKWISE.replacen(
        "    if (i < pixels) atomicAdd(&counts[gray[i]], 1u);",
        "    while (i < pixels)\n        atomicAdd(&counts[gray[i]], 1u);\n        i += gridDim.x * blockDim.x;",
        1,
    );
    let said = [
        "error[W0504]",
        "the `while` of line 8 has no braces: only line 9 belongs to it, and line 10 does not",
    ];
    check("histogram", &histogram(&endless), &said, &["is it changed at all"]);
    let first = BLOCKWISE.replacen("&bins[t]", "bins", 1);
    let said = ["line 10 adds `counts[t]` to `bins`, which is `bins[0]`", "the address of the counter"];
    check("histogram", &histogram(&first), &said, &["no known mistake"]);
    let compares = BLOCKWISE.replacen("counts[t] = 0", "counts[t] == 0", 1);
    let said = ["error[W0203]", "line 6 compares, `counts[t] == 0;`, and sets nothing"];
    check("histogram", &histogram(&compares), &said, &["PASSED"]);
    let cut = histogram(GLOBAL).replace("<<<ceil_div(pixels, 256)", "<<<std::min(ceil_div(pixels, 256), 64)");
    let said = ["line 10 cuts the number of blocks (`min`)", "has no loop by the size of the grid"];
    check("histogram", &cut, &said, &["no known mistake"]);
}

/// A helper has several callers: the call is shown, too.
#[test]
fn the_call_of_a_helper_is_shown() {
    let text = histogram("    count(gray, bins, i);").replacen(
        "__global__",
        "__device__ void count(const uint8_t* gray, uint32_t* bins, int i) {\n    atomicAdd(&bins[gray[i]], 1u);\n}\n__global__",
        1,
    );
    check(
        "histogram",
        &text,
        &["error[W0101]", "mine.cu:3:", "count(gray, bins, i);", "called here"],
        &["PASSED"],
    );
}
