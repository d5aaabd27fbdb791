//! Headers given to the compiler in memory.
//!
//! `include/` holds headers that nvcc may use too. `include/standard` replaces the C library and the headers of the
//! toolkit, which NVRTC does not have; it is not on nvcc's path. Left out on purpose, so that an `#include` of them is the
//! compiler's own error: the C++ library beyond the C headers (`vector`, `algorithm`, `iostream`), `cuda_fp16.h` and the
//! driver's `cuda.h`.

/// A header: name as written in `#include`, and its text.
#[derive(Debug, Clone, Copy)]
pub struct Header {
    /// Such as `workbook.cuh`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// Headers with their own text, and headers that only include another one.
macro_rules! headers {
    ($($name:literal: $path:literal,)* same: $($alias:literal: $of:literal,)*) => {
        &[
            $(Header { name: $name, text: include_str!(concat!("../include/", $path)) },)*
            $(Header { name: $alias, text: concat!("// ", $of, "\n#pragma once\n#include <", $of, ">\n") },)*
        ]
    };
}

/// Everything a student may include, and the parts of the runtime shim.
pub const HEADERS: &[Header] = headers! {
    "workbook.cuh": "workbook.cuh",
    "workbook_runtime.cuh": "workbook_runtime.cuh",
    "runtime/call.cuh": "runtime/call.cuh",
    "runtime/launch.cuh": "runtime/launch.cuh",
    "runtime/memory.cuh": "runtime/memory.cuh",
    "runtime/symbol.cuh": "runtime/symbol.cuh",
    "runtime/stream.cuh": "runtime/stream.cuh",
    "runtime/error.cuh": "runtime/error.cuh",
    "runtime/device.cuh": "runtime/device.cuh",
    "runtime/function.cuh": "runtime/function.cuh",
    "runtime/image.cuh": "runtime/image.cuh",
    "extremes.h": "standard/extremes.h",
    "cooperative_groups.h": "standard/cooperative_groups.h",
    "cooperative_groups/grid.h": "standard/cooperative_groups/grid.h",
    "cooperative_groups/lanes.h": "standard/cooperative_groups/lanes.h",
    "cooperative_groups/reduce.h": "standard/cooperative_groups/reduce.h",
    "cuda_pipeline.h": "standard/cuda_pipeline.h",
    "cuda_runtime.h": "standard/cuda_runtime.h",
    "assert.h": "standard/assert.h",
    "float.h": "standard/float.h",
    "limits.h": "standard/limits.h",
    "math.h": "standard/math.h",
    "stddef.h": "standard/stddef.h",
    "stdint.h": "standard/stdint.h",
    "stdio.h": "standard/stdio.h",
    "stdlib.h": "standard/stdlib.h",
    "string.h": "standard/string.h",
    same:
    "cuda_pipeline_primitives.h": "cuda_pipeline.h",
    "cuda_runtime_api.h": "cuda_runtime.h",
    "device_launch_parameters.h": "cuda_runtime.h",
    "cassert": "assert.h",
    "cfloat": "float.h",
    "climits": "limits.h",
    "cmath": "math.h",
    "cstddef": "stddef.h",
    "cstdint": "stdint.h",
    "cstdio": "stdio.h",
    "cstdlib": "stdlib.h",
    "cstring": "string.h",
};

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str) -> Option<&'static str> {
        HEADERS.iter().find(|header| header.name == name).map(|header| header.text)
    }

    #[test]
    fn every_include_of_a_header_is_there() {
        for header in HEADERS {
            for line in header.text.lines().filter(|line| line.starts_with("#include")) {
                let name = line.split(['"', '<', '>']).nth(1).unwrap_or_default();
                let nvcc_only = name == "algorithm";
                assert!(nvcc_only || text(name).is_some(), "`{}` includes `{name}`", header.name);
            }
        }
    }

    /// A text under two names would be compiled twice: `#pragma once` goes by name.
    #[test]
    fn every_text_is_compiled_once() {
        for (index, header) in HEADERS.iter().enumerate() {
            assert!(header.text.contains("\n#pragma once\n"), "{}", header.name);
            let alias = header.text.starts_with("// ") && header.text.lines().count() == 3;
            let same = HEADERS[..index].iter().find(|other| other.text == header.text && !alias);
            assert_eq!(same.map(|other| other.name), None, "{}", header.name);
        }
    }
}
