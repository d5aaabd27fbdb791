//! Hints for compiler messages that are hard to understand: messages that come from the way the checker compiles, and
//! those that beginners meet most often.

/// Functions that not every GPU has, and the first compute capability that has them.
const NEWER: [(&str, &str); 5] = [
    ("__dp4a", "6.1"),
    ("__dp2a_lo", "6.1"),
    ("__dp2a_hi", "6.1"),
    ("__reduce_add_sync", "8.0"),
    ("__match_any_sync", "7.0"),
];

/// Parts of names, and namespaces, of what only GPUs from compute capability 9.0 on have.
const HOPPER: [&str; 5] = ["cluster", "cuda::device", "cuda::ptx", "expect_tx", "arrive_tx"];

/// A hint for one message of the compiler, if there is one to give.
pub fn hint(message: &str) -> Option<String> {
    let quoted = |index: usize| message.split('"').nth(2 * index + 1).unwrap_or_default();
    let has = |part: &str| message.contains(part);
    let hint = if has("cannot determine which instance of function template") {
        let kernel = quoted(0);
        format!(
            "the template arguments of this kernel cannot be deduced here: write them, as in \
             `{kernel}<float><<<blocks, threads>>>(…)`"
        )
    } else if has("workbook::Deduced<") {
        "the arguments of this launch do not fit the parameters of the kernel template, or leave one of its template \
         arguments open: compare them one by one, or write the template arguments, `kernel<float><<<blocks, threads>>>(…)`"
            .to_owned()
    } else if has("workbook::prepare(T *") {
        "the expression before `<<<` is not a kernel: declare kernels as `__global__ void name(…)`".to_owned()
    } else if has("could not open source file")
        && let Some(meant) = header_meant(quoted(0))
    {
        format!("likely this header is meant: `#include \"{meant}\"`")
    } else if has("could not open source file") {
        format!(
            "`{}` is not among the headers that the checker's compiler has: `workbook.cuh`, `cuda_runtime.h`, `cuda_fp16.h`, \
             `cooperative_groups.h`, `cuda_pipeline.h`, the C library's (`stdint.h`, `stdio.h`, `math.h` …) and small parts \
             of the C++ library (`algorithm`, `array`, `limits`, `numeric`, `type_traits`, `utility`, `vector` …)",
            quoted(0)
        )
    } else if let Some((name, capability)) = NEWER.iter().find(|(name, _)| *name == quoted(0))
        && has("is undefined")
    {
        format!("`{name}` needs compute capability {capability}, and this file is compiled for an older GPU")
    } else if has("is undefined") && is_of_graphs(quoted(0)) {
        "the checker has only CUDA graphs that are captured from a stream: `cudaStreamBeginCapture`, the launches and copies, \
         `cudaStreamEndCapture`, `cudaGraphInstantiate`, `cudaGraphLaunch`"
            .to_owned()
    } else if has("is undefined") && is_of_runtime(quoted(0)) {
        format!(
            "if this is a function of the CUDA runtime, the checker does not have it: the labs need allocation, copies, \
             launches, streams, events, textures and occupancy. Do without `{}`, or guard it with `#ifndef WORKBOOK`",
            quoted(0)
        )
    } else if has("has no member")
        && HOPPER.iter().any(|part| quoted(0).contains(part) || quoted(1).contains(part))
    {
        "clusters of blocks, bulk copies and barriers that count bytes are not available here, and the labs need none of them: let blocks \
         exchange values through global memory, and copy with `cuda::memcpy_async` or `__pipeline_memcpy_async`"
            .to_owned()
    } else if has("namespace \"std\" has no member") {
        format!(
            "include the header that declares `std::{0}`. If you do: the checker's compiler has only the parts of the C++ \
             library that CUDA files use most; write `std::{0}` yourself, or use an array",
            quoted(1)
        )
    } else if has("dynamic initialization is not supported") {
        "give this variable a constant initial value, or set it inside the function".to_owned()
    } else if has("to \"dim3\"") {
        "the number of blocks and the threads of a block are each an `int` or a `dim3(x, y, z)`".to_owned()
    } else if has("a __global__ function call must be configured") {
        "launch a kernel with `kernel<<<blocks, threads_per_block>>>(arguments)`".to_owned()
    } else {
        return None;
    };
    Some(hint)
}

/// Headers of a CUDA file, whose names are easily mistaken.
const HEADERS: [&str; 5] =
    ["workbook.cuh", "cuda_runtime.h", "cuda_fp16.h", "cooperative_groups.h", "cuda_pipeline.h"];

/// The header with the same name but for its ending, its folder and its underscores.
fn header_meant(name: &str) -> Option<&'static str> {
    let plain = |name: &str| -> String {
        let file = name.rsplit('/').next().unwrap_or(name);
        file.split('.')
            .next()
            .unwrap_or(file)
            .chars()
            .filter(|c| c.is_alphanumeric())
            .collect::<String>()
            .to_lowercase()
    };
    HEADERS.into_iter().find(|known| plain(known) == plain(name) && *known != name)
}

/// Whether a name looks like a function or type of the CUDA runtime.
fn is_of_runtime(name: &str) -> bool {
    name.strip_prefix("cuda").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// Whether a name belongs to CUDA graphs.
fn is_of_graphs(name: &str) -> bool {
    name.starts_with("cudaGraph") || name.starts_with("cudaStream") && name.contains("Capture")
}

/// A message for each function without a body in compiled PTX (`.extern .func`) that the engines do not supply: the
/// file declares it and never defines it, or kernels cannot call it. `host` says whether the PTX is from the host pass.
pub fn explain_undefined(ptx: &str, host: bool) -> Vec<String> {
    const SUPPLIED: &[&str] = &["vprintf", "malloc", "free", "__assertfail"];
    let names = ptx.lines().filter_map(|line| line.strip_prefix(".extern .func")).map(|rest| {
        let rest = rest.rsplit(')').next().unwrap_or_default();
        rest.trim().trim_end_matches('(')
    });
    names
        .filter(|name| !SUPPLIED.contains(name))
        .filter(|name| !host || *name != "host_call")
        .map(|name| match name {
            "host_call" => {
                "a kernel, or a function called by it, calls the CUDA runtime, launches a kernel or throws an exception: \
                            only host functions can do that here"
                    .to_owned()
            }
            "workbook_launch_of_something_that_is_not_a_kernel" => {
                "the expression before a `<<<` is not a kernel: declare kernels as `__global__ void name(…)`"
                    .to_owned()
            }
            _ => format!(
                "`{}` is called, but the file has only its declaration: give it a body",
                readable(name)
            ),
        })
        .collect()
}

/// The plain name in a mangled one such as `_Z4grayPKhPhii`; any other stays as it is.
fn readable(mangled: &str) -> &str {
    let simple = || {
        let rest = mangled.strip_prefix("_Z")?;
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        rest.get(digits..digits + rest[..digits].parse::<usize>().ok()?)
    };
    simple().unwrap_or(mangled)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    /// Messages as NVRTC 12.9 words them.
    #[test]
    fn hints_name_what_the_message_is_about() {
        let cases = [
            ("namespace \"cooperative_groups\" has no member \"this_cluster\"", "through global memory"),
            ("namespace \"cuda::ptx\" has no member \"mbarrier_init\"", "`cuda::memcpy_async`"),
            (
                "cannot determine which instance of function template \"k\" is intended",
                "`k<float><<<blocks, threads>>>(…)`",
            ),
            (
                "function \"workbook::prepare(T *, const workbook::Configuration &) [with T=int]\" (declared at line 72 \
                 of runtime/launch.cuh) cannot be referenced -- it is a deleted function",
                "not a kernel",
            ),
            ("could not open source file \"vector\" (no directories in search list)", "`vector`"),
            ("namespace \"std\" has no member \"sort\"", "`std::sort`"),
            ("dynamic initialization is not supported for a __device__ variable", "constant"),
            (
                "no suitable constructor exists to convert from \"const float *\" to \"dim3\"",
                "`dim3(x, y, z)`",
            ),
            ("a __global__ function call must be configured", "`kernel<<<"),
            ("identifier \"__dp4a\" is undefined", "compute capability 6.1"),
            ("identifier \"cudaIpcOpenMemHandle\" is undefined", "the checker does not have it"),
            ("identifier \"cudaGraphAddKernelNode\" is undefined", "captured from a stream"),
            ("no instance of \"workbook::Deduced<Find> [with …]\" matches", "kernel template"),
        ];
        for (message, part) in cases {
            let hint = hint(message).unwrap_or_default();
            assert!(hint.contains(part), "{message}\n  gave {hint}");
        }
        assert_eq!(hint("identifier \"dp4a\" is undefined"), None);
        assert_eq!(hint("expected a \";\""), None);
    }

    #[test]
    fn calls_without_a_body_are_named() {
        let ptx = ".extern .func  (.param .b32 func_retval0) host_call\n(\n.extern .func  (.param .b32 r) vprintf\n(\n\
                   .extern .func _Z4grayPKhPhii\n(\n.func _Z1fv\n";
        let undefined = explain_undefined(ptx, true);
        assert_eq!(undefined, ["`gray` is called, but the file has only its declaration: give it a body"]);
        assert!(explain_undefined(ptx, false)[0].contains("only host functions"));
        assert_eq!(readable("_ZN1a1fEv"), "_ZN1a1fEv");
    }
}
