//! Odd files: inline assembly that is none, instructions that no simulator has, calls that a side lacks. Each is refused by
//! name, at the student's line, with exit code 1; what the simulator can carry out passes.

use serde_json::Value;

use crate::common::run;

/// A right kernel with this line, the seventh, in it.
fn in_kernel(line: &str) -> String {
    file("", line, "")
}

/// A right host function with this line, the twelfth, in it.
fn in_host(line: &str) -> String {
    file("", "", line)
}

fn file(before: &str, inside: &str, on_host: &str) -> String {
    format!(
        "{before}#include \"workbook.cuh\"\n\
         __global__ void k(const uint8_t* rgb, uint8_t* gray, int n) {{\n\
         \x20   const int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
         \x20   if (i >= n) return;\n\
         \x20   uint32_t v = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2] + 0.5f;\n\
         \n\
         \x20   {inside}\n\
         \x20   gray[i] = v;\n\
         }}\n\
         void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {{\n\
         \n\
         \x20   {on_host}\n\
         \x20   k<<<ceil_div(width * height, 256), 256>>>(rgb, gray, width * height);\n\
         }}\n"
    )
}

/// Exit code, and the first error's code, line and message; none of a file that passes.
fn judged(text: &str) -> (i32, Option<(String, u64, String)>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("mine.cu"), text).expect("a file in it");
    let arguments = ["lab1", "--engine", "sim", "--task", "grayscale", "--json", "--file", "mine.cu"];
    let output = run(folder.path(), &arguments);
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {text}\n{}", String::from_utf8_lossy(&output.stderr)));
    let findings = report["findings"].as_array().expect("findings");
    let error = findings.iter().find(|finding| finding["severity"] == "error").map(|finding| {
        let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
        (text("code"), finding["line"].as_u64().unwrap_or(0), text("message"))
    });
    (output.status.code().expect("an exit code"), error)
}

/// Each file must end with exit code 1, this code, this line, and this in the message.
fn refused(files: &[(String, &str, u64, &str)]) {
    for (text, code, line, part) in files {
        let (exit, error) = judged(text);
        let (found, at, message) = error.unwrap_or_else(|| panic!("no error in {text}"));
        assert_eq!((exit, found.as_str(), at), (1, *code, *line), "{message}\n{text}");
        assert!(message.contains(part), "{message}\n{text}");
    }
}

#[test]
fn assembly_that_is_none_is_an_error_at_its_line() {
    let asm = |text: &str, operands: &str| in_kernel(&format!("asm volatile(\"{text}\" {operands});"));
    refused(&[
        (asm("this is not ptx;", ""), "W0001", 7, "syntax error"),
        (asm("frobnicate.u32 %0, %0;", ": \"+r\"(v)"), "W0001", 7, "frobnicate"),
        (asm("add.u32 %0, %0, %%nothere;", ": \"+r\"(v)"), "W0001", 7, "'add'"),
        (asm("add.u32 %0, %0, 99999999999999999999999;", ": \"+r\"(v)"), "W0001", 7, "overflow"),
        (asm("ld.global.v3.u32 {%0, %0, %0}, [%1];", ": \"=r\"(v) : \"l\"(rgb)"), "W0001", 7, "v3"),
        (asm("bra nowhere;", ""), "W0001", 7, "nowhere"),
        (asm("call nothing, ();", ""), "W0001", 7, "nothing"),
        (asm(".entry foo() { ret; }", ""), "W0001", 7, ".entry"),
        (asm("bar.sync 99;", ""), "W0001", 7, "99"),
    ]);
}

#[test]
fn instructions_that_the_simulator_lacks_are_named() {
    let bar = "__shared__ uint64_t bar; asm volatile(\"mbarrier.init.shared.b64 [%0], 256;\" :: \
               \"r\"((uint32_t)__cvta_generic_to_shared(&bar)));";
    refused(&[
        (in_kernel(bar), "W0511", 7, "mbarrier"),
        (
            in_kernel("asm volatile(\"barrier.cluster.arrive; barrier.cluster.wait;\");"),
            "W0511",
            7,
            "barrier.cluster",
        ),
        (in_kernel("asm volatile(\"{ .reg .u64 s; alloca.u64 s, 64; }\");"), "W0511", 7, "alloca"),
        (
            in_kernel("asm volatile(\"vmad.s32.s32.s32.sat.shr15 %0, %0.h0, -%0.h1, %0;\" : \"+r\"(v));"),
            "W0511",
            7,
            "`vmad.s32",
        ),
        (in_kernel("asm volatile(\"trap;\");"), "W0505", 7, "trap"),
        (in_kernel("uint32_t (*volatile f)(uint32_t) = nullptr; v = f(v);"), "W0505", 7, "pointer"),
    ]);
}

#[test]
fn what_a_side_lacks_is_named() {
    let clusters = in_kernel("").replace("__global__ void k", "__global__ void __cluster_dims__(2, 1, 1) k");
    refused(&[
        (in_host("__syncthreads();"), "W0622", 12, "barrier"),
        (in_host("asm volatile(\"nop;\");"), "W0622", 12, "nop"),
        (in_host("printf(\"%d %s\", 1, (const char*)-1);"), "W0601", 12, "GPU memory"),
        (in_host("printf((const char*)16, 1);"), "W0108", 12, "null pointer"),
        (in_kernel("cudaDeviceSynchronize();"), "W0007", 7, "only host functions"),
        (in_kernel("v = __float2uint_rn(v * 1.0f); if (v > 300) throw 1;"), "W0007", 7, "exception"),
        (file("#include <setjmp.h>\n", "", ""), "W0002", 1, "setjmp.h"),
        (clusters, "W0502", 13, "clusters of 2"),
    ]);
}

#[test]
fn odd_but_right_files_pass() {
    let right = [
        in_kernel(
            "asm(\"{\\n .reg .pred p;\\n setp.gt.u32 p, %0, 255;\\n @p mov.u32 %0, 255;\\n}\" : \"+r\"(v));",
        ),
        in_kernel("asm volatile(\"prefetch.global.L2 [%0];\" :: \"l\"(rgb));"),
        in_kernel("gray[i] = v; asm volatile(\"exit;\");"),
        in_host("struct A { virtual int f() { return 2; } }; A a; if (a.f() != 2) return;"),
    ];
    for text in right {
        assert_eq!(judged(&text), (0, None), "{text}");
    }
}
