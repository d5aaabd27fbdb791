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

/// A hint for one message of the compiler, if there is one to give.
pub fn hint(message: &str) -> Option<String> {
    let quoted = |index: usize| message.split('"').nth(2 * index + 1).unwrap_or_default();
    let has = |part: &str| message.contains(part);
    let hint = if has("cannot determine which instance of function template") {
        let kernel = quoted(0);
        format!(
            "the checker cannot deduce the template arguments of a kernel from a launch: write them, as in \
             `{kernel}<float><<<blocks, threads>>>(…)`"
        )
    } else if has("workbook::prepare(T *") {
        "the expression before `<<<` is not a kernel: declare kernels as `__global__ void name(…)`".to_owned()
    } else if has("could not open source file") {
        format!(
            "`{}` is not among the headers that the checker's compiler has: `workbook.cuh`, `cuda_runtime.h`, \
             `cooperative_groups.h`, `cuda_pipeline.h` and the C library's (`stdint.h`, `stdio.h`, `math.h` …); \
             there is no C++ library on the GPU",
            quoted(0)
        )
    } else if let Some((name, capability)) = NEWER.iter().find(|(name, _)| *name == quoted(0))
        && has("is undefined")
    {
        format!("`{name}` needs compute capability {capability}, and this file is compiled for an older GPU")
    } else if has("namespace \"std\" has no member") {
        format!(
            "the checker's compiler has only these parts of the C++ library: `std::min`, `std::max`, `std::clamp`, \
             `std::swap` and the C functions; write `std::{}` yourself, or use an array",
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
                "a kernel, or a function called by it, calls the CUDA runtime or launches a kernel: \
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
