//! The whole report on each kind of fault: exit code and output of the real binary.

use crate::common::{shown, shown_in};

/// The report on one wrong kernel of lab 1 and one task, so that it has no times.
fn wrong(name: &str, task: &str) -> String {
    let file = format!("solutions/lab1-grayscale/wrong/{name}.cu");
    shown(&["lab1", "--engine", "sim", "--task", task, "--file", &file])
}

/// The report on this file.
fn text(source: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("mine.cu"), source).expect("a file in it");
    shown_in(folder.path(), &["lab1", "--engine", "sim", "--task", "grayscale", "--file", "mine.cu"])
}

#[test]
fn the_untouched_skeleton_fails_and_says_what_to_do_first() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let skeleton = lab1_grayscale::LAB.skeleton();
    std::fs::write(folder.path().join("grayscale.cu"), skeleton).expect("a file in it");
    insta::assert_snapshot!(shown_in(folder.path(), &["lab1", "--engine", "sim", "--file", "grayscale.cu"]));
}

#[test]
fn syntax_error() {
    insta::assert_snapshot!(wrong("syntax_error", "grayscale"));
}

#[test]
fn unknown_include() {
    insta::assert_snapshot!(wrong("unknown_include", "grayscale"));
}

#[test]
fn wrong_signature() {
    insta::assert_snapshot!(wrong("wrong_signature", "grayscale"));
}

#[test]
fn missing_host_function() {
    insta::assert_snapshot!(wrong("missing_host_function", "grayscale_darken"));
}

#[test]
fn endless_loop() {
    insta::assert_snapshot!(wrong("endless_loop", "grayscale"));
}

#[test]
fn out_of_bounds() {
    insta::assert_snapshot!(wrong("one_pixel_too_many", "grayscale"));
}

#[test]
fn host_pointer_in_a_kernel() {
    insta::assert_snapshot!(wrong("host_pointer", "grayscale"));
}

#[test]
fn too_many_threads() {
    insta::assert_snapshot!(wrong("too_many_threads", "grayscale"));
}

#[test]
fn wrong_values() {
    insta::assert_snapshot!(wrong("plain_average", "grayscale"));
}

#[test]
fn everything_in_full() {
    let file = "solutions/lab1-grayscale/wrong/plain_average.cu";
    let arguments = ["lab1", "--engine", "sim", "--task", "grayscale", "--file", file, "--verbose"];
    insta::assert_snapshot!(shown(&arguments));
}

#[test]
fn unfinished_file() {
    insta::assert_snapshot!(text(
        "void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {\n"
    ));
}

#[test]
fn refused_launch() {
    insta::assert_snapshot!(text("__global__ void k() {}\nvoid f() {\n    k<<<1>>>();\n}\n"));
}

#[test]
fn groups_that_are_not_there() {
    insta::assert_snapshot!(text(GROUPS));
}

const GROUPS: &str = r"#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <stdint.h>
namespace cg = cooperative_groups;
__global__ void k(int* out) {
    auto pairs = cg::tiled_partition<64>(cg::this_thread_block());
    *out = cg::reduce(cg::this_thread_block(), 1, cg::plus<int>());
}
void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {}
";

#[test]
fn faults_of_runtime_calls() {
    insta::assert_snapshot!(text(RUNTIME_FAULTS));
}

const RUNTIME_FAULTS: &str = r#"#include "workbook.cuh"
__constant__ float weights[3];
__global__ void copy(const uint8_t* in, uint8_t* out) { out[0] = in[0] * weights[0]; }
void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    float on_host[4] = {1, 2, 3, 4};
    uint8_t* scratch;
    cudaMalloc(&scratch, 100);
    cudaMemcpyToSymbol(weights, on_host, sizeof(on_host));
    cudaMemcpy(scratch, on_host, 16, cudaMemcpyDeviceToHost);
    cudaMemset(scratch, 0, 101);
    cudaFree(gray);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    copy<<<1, 1>>>(rgb, gray);
}
"#;
