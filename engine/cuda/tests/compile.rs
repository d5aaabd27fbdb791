//! Compilations with the real compiler.

mod common;

use std::fmt::Write;

use common::{compile, compiler};
use cuda::diagnostics::Severity;
use cuda::nvrtc::{CompileError, CompilerError, Request, Target};
use pretty_assertions::assert_eq;

const KERNEL: &str = "
namespace { __device__ int hidden; }
int helper(int x) { return x * hidden; }
__global__ void scale(int *p) { p[threadIdx.x] = helper(p[threadIdx.x]); }
template <class T> __global__ void fill(T *p, T value) { p[threadIdx.x] = value; }
template __global__ void fill<float>(float *, float);
";

fn errors(result: Result<cuda::nvrtc::Compiled, CompileError>) -> Vec<String> {
    match result {
        Err(CompileError::Source(found)) => found
            .into_iter()
            .filter(|found| found.severity == Severity::Error)
            .map(|found| format!("{}:{}:{} {}", found.file, found.line, found.column, found.message))
            .collect(),
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn ptx_and_cubin() {
    let ptx = compile(KERNEL, Target::Ptx(90), &[]).unwrap();
    let text = String::from_utf8(ptx.image).unwrap();
    for part in
        [".target sm_90", "_Z5scalePi(", "_Z4fillIfEvPT_S0_(", "\t.loc\t1 3 ", "\t.file\t1 \"lab.cu\"\n"]
    {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(ptx.diagnostics.is_empty(), "{:?}", ptx.diagnostics);

    let cubin = compile(KERNEL, Target::Cubin(75), &[]).unwrap();
    assert!(cubin.image.starts_with(b"\x7fELF"));
    assert!(matches!(
        compile(KERNEL, Target::Ptx(89), &["-DX=\0"]),
        Err(CompileError::Compiler(CompilerError::Internal(_)))
    ));
}

#[test]
fn names_are_the_request_s() {
    let headers = [
        (
            "workbook.cuh",
            "#include <cuda/deep.h>\n__device__ int outer(int x) { return inner(x) + clock(); }\n",
        ),
        ("cuda/deep.h", "__device__ __noinline__ int inner(int x) { return x + clock(); }\n"),
    ];
    let source = "#include \"workbook.cuh\"\n__global__ void k(int *p) { p[0] = outer(p[1]); }\n";
    let file = "some/where/lab 1.cu";
    let request = Request { source, file, headers: &headers, options: &[], target: Target::Ptx(75) };
    let text = String::from_utf8(compiler().compile(&request).unwrap().image).unwrap();
    let mut files: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("\t.file\t")?.split('"').nth(1)).collect();
    files.sort_unstable();
    assert_eq!(files, ["cuda/deep.h", "some/where/lab 1.cu", "workbook.cuh"]);

    let source = "#include \"workbook.cuh\"\nint x = y;\n";
    let broken = Request { source, ..request.clone() };
    assert_eq!(
        errors(compiler().compile(&broken)),
        [r#"some/where/lab 1.cu:2:9 identifier "y" is undefined"#]
    );
    let broken = Request { source, headers: &[("workbook.cuh", "int y = x;\n")], ..request };
    assert_eq!(errors(compiler().compile(&broken)), [r#"workbook.cuh:1:9 identifier "x" is undefined"#]);
}

#[test]
fn faults_of_the_source() {
    for (source, target, expected) in [
        ("__global__ void k() {\n\tint x = ;\n}\n", Target::Ptx(90), "lab.cu:2:10 expected an expression"),
        ("#include <vector>\n", Target::Ptx(90), "lab.cu:1:18 could not open source file \"vector\""),
        ("#include \"beside.h\"\n", Target::Ptx(90), "lab.cu:1:20 cannot open source file \"beside.h\""),
        (
            "__global__ void k(int *p) { __shared__ int s[99999]; s[p[0]] = 1; __syncthreads(); p[1] = s[p[2]]; }",
            Target::Cubin(75),
            ":0:0 ptxas: Entry function '_Z1kPi' uses too much shared data (0x61a7c bytes, 0xc000 max)",
        ),
        (
            "int a;\nint b\0;\n",
            Target::Ptx(90),
            "lab.cu:2:0 the file holds a NUL byte; save it as plain UTF-8 text",
        ),
    ] {
        assert_eq!(errors(compile(source, target, &[])), [expected], "{source}");
    }
    let many: String = (0..400).fold("void f() {\n".to_owned(), |mut text, number| {
        writeln!(text, "  x{number};").unwrap();
        text
    });
    let Err(CompileError::Source(found)) = compile(&many, Target::Ptx(90), &[]) else { panic!() };
    assert_eq!(found[0].line, 2);
    assert_eq!(found.last().unwrap().message, "Error limit reached.");
}

#[test]
fn warnings_come_with_the_image() {
    let source = "__global__ void k(int *p) {\n    int unused;\n    p[0] = 1;\n}\n";
    let compiled = compile(source, Target::Cubin(80), &[]).unwrap();
    let shown: Vec<_> = compiled
        .diagnostics
        .iter()
        .map(|found| (found.severity, found.code.as_deref(), found.line))
        .collect();
    assert_eq!(shown, [(Severity::Warning, Some("#177-D"), 2)]);
}

/// So that a cubin and its PTX need one compilation.
#[test]
fn a_cubin_brings_the_ptx_that_a_compilation_to_ptx_gives() {
    let source = "#include \"workbook.cuh\"\nnamespace {\n__global__ void k(int *p) { p[threadIdx.x] = value; }\n}\n\
                  void f(int *p) { void (*kernel)(int *) = k; p[0] = kernel != nullptr; }\n";
    let headers = [("workbook.cuh", "#pragma once\nconstexpr int value = 3;\n")];
    let request =
        Request { source, file: "my lab.cu", headers: &headers, options: &[], target: Target::Ptx(90) };
    let ptx = compiler().compile(&request).unwrap();
    let cubin = compiler().compile(&Request { target: Target::Cubin(90), ..request }).unwrap();
    assert_eq!(ptx.ptx, None);
    assert_eq!(cubin.ptx.unwrap().into_bytes(), ptx.image);
}

#[test]
fn an_architecture_or_option_that_it_lacks() {
    for (target, options, words) in [
        (Target::Ptx(35), &[][..], "`compute_35`, only for ["),
        (Target::Cubin(999), &[], "`sm_999`, only for ["),
        (Target::Ptx(90), &["--no-such-option"], "unrecognized option --no-such-option"),
    ] {
        match compile("", target, options) {
            Err(CompileError::Compiler(error @ CompilerError::Internal(_))) => {
                assert!(error.to_string().contains(words), "{error}");
            }
            other => panic!("{target:?}: {other:?}"),
        }
    }
}

#[test]
fn several_threads_get_the_same() {
    let alone = compile(KERNEL, Target::Ptx(90), &[]).unwrap().image;
    let cubin = compile(KERNEL, Target::Cubin(90), &[]).unwrap().image;
    std::thread::scope(|scope| {
        for number in 0..8 {
            let (alone, cubin) = (&alone, &cubin);
            scope.spawn(move || {
                for round in 0..4 {
                    if (number + round) % 2 == 0 {
                        assert_eq!(&compile(KERNEL, Target::Ptx(90), &[]).unwrap().image, alone);
                    } else {
                        assert_eq!(&compile(KERNEL, Target::Cubin(90), &[]).unwrap().image, cubin);
                    }
                    assert_eq!(errors(compile("int x = y;", Target::Ptx(90), &[])).len(), 1);
                }
            });
        }
    });
}
