//! Headers for an editor on a machine without a CUDA toolkit: declarations that clang reads in CUDA mode without NVIDIA's
//! headers. They are never given to the compiler.

use crate::headers::{HEADERS, Header};

/// Files with their own text.
const OWN: [Header; 3] = [
    Header { name: "cuda_runtime.h", text: include_str!("../include/editor/cuda_runtime.h") },
    Header { name: "calls.h", text: include_str!("../include/editor/calls.h") },
    Header { name: "images.h", text: include_str!("../include/editor/images.h") },
];

/// The header that an editor reads in front of every file.
pub const EDITOR_PRELUDE: &str = OWN[0].name;

/// Headers of the compiler that an editor reads as they are: plain C++ on top of what `cuda_runtime.h` declares.
const SHARED: [&str; 14] = [
    "cooperative_groups.h",
    "cooperative_groups/grid.h",
    "cooperative_groups/lanes.h",
    "cooperative_groups/reduce.h",
    "cooperative_groups/scan.h",
    "cooperative_groups/memcpy_async.h",
    "cuda.h",
    "cuda_bf16.h",
    "cuda_fp16.h",
    "cuda_pipeline.h",
    "cuda_runtime_api.h",
    "device_launch_parameters.h",
    "math_constants.h",
    "vector_types.h",
];

/// All headers for an editor.
pub fn editor_headers() -> impl Iterator<Item = Header> {
    let shared = HEADERS.iter().copied().filter(|header| SHARED.contains(&header.name));
    OWN.into_iter().chain(shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_header_is_there_once() {
        let names: Vec<&str> = editor_headers().map(|header| header.name).collect();
        assert_eq!(names.len(), OWN.len() + SHARED.len(), "{names:?}");
        assert!(editor_headers().all(|header| header.text.contains("#pragma once")));
    }

    /// A call that the compiler knows and the editor does not would be marked as an error in a right file.
    #[test]
    fn every_runtime_call_of_the_compilers_headers_is_declared() {
        let declared: String = OWN.iter().map(|header| header.text).collect();
        let runtime = HEADERS.iter().filter(|header| header.name.starts_with("runtime/"));
        let mut calls = 0;
        for line in runtime.flat_map(|header| header.text.lines()) {
            let Some((_, rest)) = line.split_once("inline cudaError_t ") else { continue };
            let name = rest.split('(').next().unwrap_or_default();
            // The others are the shim's own.
            if !name.starts_with("cuda") {
                continue;
            }
            calls += 1;
            assert!(declared.contains(&format!(" {name}(")), "an editor does not know `{name}`");
        }
        assert!(calls > 60, "{calls} calls");
    }
}
