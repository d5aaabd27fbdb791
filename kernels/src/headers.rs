//! Headers given to the compiler in memory.
//!
//! `include/` holds headers that nvcc may use too. `include/standard` replaces the C library and the headers of the
//! toolkit, which NVRTC does not have; it is not on nvcc's path. `include/standard/cpp` holds the part of the C++ library that
//! CUDA files use. Left out on purpose, so that an `#include` of them is the compiler's own error: files,
//! and the libraries that come with the toolkit (Thrust, CUB) but for the part of libcu++ in `include/standard/cuda`.

/// A header: name as written in `#include`, and its text.
#[derive(Debug, Clone, Copy)]
pub struct Header {
    /// Such as `workbook.cuh`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// Headers with their own text, headers that only include another one, and those of `cuda/std`.
macro_rules! headers {
    ($($name:literal: $path:literal,)* same: $($alias:literal: $of:literal,)* cuda: $($std:literal,)*) => {
        &[
            $(Header { name: $name, text: include_str!(concat!("../include/", $path)) },)*
            $(Header { name: $alias, text: concat!("// ", $of, "\n#pragma once\n#include <", $of, ">\n") },)*
            $(Header {
                name: concat!("cuda/std/", $std),
                text: concat!("// ", $std, "\n#pragma once\n#include <", $std, ">\n#include \"cuda/std.h\"\n"),
            },)*
        ]
    };
}

/// Everything a student may include, and the parts of the runtime shim.
pub const HEADERS: &[Header] = headers! {
    "workbook.cuh": "workbook.cuh",
    "workbook_runtime.cuh": "workbook_runtime.cuh",
    "runtime/call.cuh": "runtime/call.cuh",
    "runtime/exception.cuh": "runtime/exception.cuh",
    "runtime/launch.cuh": "runtime/launch.cuh",
    "runtime/once.cuh": "runtime/once.cuh",
    "runtime/memory.cuh": "runtime/memory.cuh",
    "runtime/symbol.cuh": "runtime/symbol.cuh",
    "runtime/stream.cuh": "runtime/stream.cuh",
    "runtime/graph.cuh": "runtime/graph.cuh",
    "runtime/error.cuh": "runtime/error.cuh",
    "runtime/device.cuh": "runtime/device.cuh",
    "runtime/function.cuh": "runtime/function.cuh",
    "runtime/image.cuh": "runtime/image.cuh",
    "extremes.h": "standard/extremes.h",
    "cooperative_groups.h": "standard/cooperative_groups.h",
    "cooperative_groups/grid.h": "standard/cooperative_groups/grid.h",
    "cooperative_groups/lanes.h": "standard/cooperative_groups/lanes.h",
    "cooperative_groups/reduce.h": "standard/cooperative_groups/reduce.h",
    "cooperative_groups/scan.h": "standard/cooperative_groups/scan.h",
    "cooperative_groups/memcpy_async.h": "standard/cooperative_groups/memcpy_async.h",
    "cpp/algorithm.h": "standard/cpp/algorithm.h",
    "cpp/any.h": "standard/cpp/any.h",
    "cpp/array.h": "standard/cpp/array.h",
    "cpp/bit.h": "standard/cpp/bit.h",
    "cpp/bitset.h": "standard/cpp/bitset.h",
    "cpp/chrono.h": "standard/cpp/chrono.h",
    "cpp/concepts.h": "standard/cpp/concepts.h",
    "cpp/functional.h": "standard/cpp/functional.h",
    "cpp/iostream.h": "standard/cpp/iostream.h",
    "cpp/iterator.h": "standard/cpp/iterator.h",
    "cpp/limits.h": "standard/cpp/limits.h",
    "cpp/list.h": "standard/cpp/list.h",
    "cpp/everything.h": "standard/cpp/everything.h",
    "cpp/unused.h": "standard/cpp/unused.h",
    "cpp/map.h": "standard/cpp/map.h",
    "cpp/memory.h": "standard/cpp/memory.h",
    "cpp/numeric.h": "standard/cpp/numeric.h",
    "cpp/optional.h": "standard/cpp/optional.h",
    "cpp/pending.h": "standard/cpp/pending.h",
    "cpp/queue.h": "standard/cpp/queue.h",
    "cpp/random.h": "standard/cpp/random.h",
    "cpp/source_location.h": "standard/cpp/source_location.h",
    "cpp/string_view.h": "standard/cpp/string_view.h",
    "cpp/thread.h": "standard/cpp/thread.h",
    "cpp/span.h": "standard/cpp/span.h",
    "cpp/string.h": "standard/cpp/string.h",
    "cpp/tuple.h": "standard/cpp/tuple.h",
    "cpp/type_traits.h": "standard/cpp/type_traits.h",
    "cpp/stdexcept.h": "standard/cpp/stdexcept.h",
    "cpp/utility.h": "standard/cpp/utility.h",
    "cpp/variant.h": "standard/cpp/variant.h",
    "cpp/vector.h": "standard/cpp/vector.h",
    "cuda.h": "standard/cuda.h",
    "cuda/atomic.h": "standard/cuda/atomic.h",
    "cuda/barrier.h": "standard/cuda/barrier.h",
    "cuda/cmath.h": "standard/cuda/cmath.h",
    "cuda/latch.h": "standard/cuda/latch.h",
    "cuda/pipeline.h": "standard/cuda/pipeline.h",
    "cuda/std.h": "standard/cuda/std.h",
    "cuda_bf16.h": "standard/cuda_bf16.h",
    "cuda_fp16.h": "standard/cuda_fp16.h",
    "cuda_pipeline.h": "standard/cuda_pipeline.h",
    "cuda_runtime.h": "standard/cuda_runtime.h",
    "assert.h": "standard/assert.h",
    "ctype.h": "standard/ctype.h",
    "float.h": "standard/float.h",
    "helper_cuda.h": "standard/samples/cuda.h",
    "helper_math.h": "standard/samples/math.h",
    "format.h": "standard/format.h",
    "inttypes.h": "standard/inttypes.h",
    "limits.h": "standard/limits.h",
    "math.h": "standard/math.h",
    "mma.h": "standard/mma.h",
    "math_constants.h": "standard/math_constants.h",
    "nvtx.h": "standard/nvtx.h",
    "omp.h": "standard/omp.h",
    "stdbool.h": "standard/stdbool.h",
    "stddef.h": "standard/stddef.h",
    "stdint.h": "standard/stdint.h",
    "stdio.h": "standard/stdio.h",
    "stdlib.h": "standard/stdlib.h",
    "string.h": "standard/string.h",
    "sys/time.h": "standard/sys/time.h",
    "time.h": "standard/time.h",
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
    "algorithm": "cpp/algorithm.h",
    "array": "cpp/array.h",
    "builtin_types.h": "cuda_runtime.h",
    "channel_descriptor.h": "cuda_runtime.h",
    "cinttypes": "inttypes.h",
    "cstdbool": "stdbool.h",
    "ctime": "time.h",
    "cuda_device_runtime_api.h": "cuda_runtime.h",
    "cuda_profiler_api.h": "cuda_runtime.h",
    "cuda_surface_types.h": "cuda_runtime.h",
    "cuda_texture_types.h": "cuda_runtime.h",
    "device_atomic_functions.h": "cuda_runtime.h",
    "device_functions.h": "cuda_runtime.h",
    "device_types.h": "cuda_runtime.h",
    "driver_functions.h": "cuda_runtime.h",
    "driver_types.h": "cuda_runtime.h",
    "cuda/atomic": "cuda/atomic.h",
    "cuda/barrier": "cuda/barrier.h",
    "cuda/cmath": "cuda/cmath.h",
    "cuda/latch": "cuda/latch.h",
    "cuda/pipeline": "cuda/pipeline.h",
    "cuda/std/atomic": "cuda/atomic.h",
    "cuda/std/cstddef": "cuda/std.h",
    "cuda/std/cstdint": "cuda/std.h",
    "atomic": "cuda/atomic.h",
    "bit": "cpp/bit.h",
    "deque": "cpp/queue.h",
    "future": "cpp/thread.h",
    "mutex": "cpp/thread.h",
    "nvToolsExt.h": "nvtx.h",
    "nvtx3/nvToolsExt.h": "nvtx.h",
    "queue": "cpp/queue.h",
    "random": "cpp/random.h",
    "ranges": "cpp/algorithm.h",
    "ratio": "cpp/chrono.h",
    "shared_mutex": "cpp/thread.h",
    "source_location": "cpp/source_location.h",
    "stack": "cpp/queue.h",
    "string_view": "cpp/string_view.h",
    "thread": "cpp/thread.h",
    "unistd.h": "sys/time.h",
    "chrono": "cpp/chrono.h",
    "concepts": "cpp/concepts.h",
    "iomanip": "cpp/iostream.h",
    "ios": "cpp/iostream.h",
    "iostream": "cpp/iostream.h",
    "map": "cpp/map.h",
    "ostream": "cpp/iostream.h",
    "set": "cpp/map.h",
    "span": "cpp/span.h",
    "sstream": "cpp/iostream.h",
    "unordered_map": "cpp/map.h",
    "unordered_set": "cpp/map.h",
    "functional": "cpp/functional.h",
    "host_defines.h": "cuda_runtime.h",
    "initializer_list": "cuda_runtime.h",
    "iterator": "cpp/iterator.h",
    "library_types.h": "cuda_runtime.h",
    "limits": "cpp/limits.h",
    "math_functions.h": "cuda_runtime.h",
    "memory": "cpp/memory.h",
    "new": "cuda_runtime.h",
    "numeric": "cpp/numeric.h",
    "exception": "cpp/stdexcept.h",
    "stdexcept": "cpp/stdexcept.h",
    "sm_20_intrinsics.h": "cuda_runtime.h",
    "sm_30_intrinsics.h": "cuda_runtime.h",
    "sm_32_intrinsics.h": "cuda_runtime.h",
    "sm_35_intrinsics.h": "cuda_runtime.h",
    "sm_35_atomic_functions.h": "cuda_runtime.h",
    "sm_60_atomic_functions.h": "cuda_runtime.h",
    "sm_61_intrinsics.h": "cuda_runtime.h",
    "surface_functions.h": "cuda_runtime.h",
    "surface_indirect_functions.h": "cuda_runtime.h",
    "surface_types.h": "cuda_runtime.h",
    "texture_fetch_functions.h": "cuda_runtime.h",
    "texture_indirect_functions.h": "cuda_runtime.h",
    "texture_types.h": "cuda_runtime.h",
    "optional": "cpp/optional.h",
    "string": "cpp/string.h",
    "tuple": "cpp/tuple.h",
    "type_traits": "cpp/type_traits.h",
    "utility": "cpp/utility.h",
    "vector": "cpp/vector.h",
    "bits/stdc++.h": "cpp/everything.h",
    "cctype": "ctype.h",
    "list": "cpp/list.h",
    "helper_functions.h": "helper_cuda.h",
    "helper_timer.h": "helper_cuda.h",
    "helper_string.h": "helper_cuda.h",
    "cutil_math.h": "helper_math.h",
    "any": "cpp/any.h",
    "barrier": "cpp/unused.h",
    "bitset": "cpp/bitset.h",
    "cerrno": "cpp/unused.h",
    "charconv": "cpp/unused.h",
    "codecvt": "cpp/unused.h",
    "complex": "cpp/unused.h",
    "condition_variable": "cpp/thread.h",
    "csignal": "cpp/unused.h",
    "errno.h": "cpp/unused.h",
    "execution": "cpp/unused.h",
    "filesystem": "cpp/unused.h",
    "format": "cpp/unused.h",
    "forward_list": "cpp/unused.h",
    "fstream": "cpp/unused.h",
    "iosfwd": "cpp/unused.h",
    "latch": "cpp/unused.h",
    "locale": "cpp/unused.h",
    "malloc.h": "stdlib.h",
    "memory.h": "string.h",
    "numbers": "cpp/unused.h",
    "pthread.h": "cpp/unused.h",
    "regex": "cpp/unused.h",
    "semaphore": "cpp/unused.h",
    "signal.h": "cpp/unused.h",
    "strings.h": "string.h",
    "sys/stat.h": "cpp/unused.h",
    "sys/types.h": "cpp/unused.h",
    "typeindex": "cpp/unused.h",
    "typeinfo": "cpp/unused.h",
    "valarray": "cpp/unused.h",
    "variant": "cpp/variant.h",
    "windows.h": "cpp/unused.h",
    "vector_functions.h": "cuda_runtime.h",
    "vector_functions.hpp": "cuda_runtime.h",
    "vector_types.h": "cuda_runtime.h",
    cuda:
    "algorithm",
    "array",
    "bit",
    "cmath",
    "concepts",
    "functional",
    "iterator",
    "limits",
    "numeric",
    "optional",
    "span",
    "tuple",
    "type_traits",
    "utility",
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
                assert!(text(name).is_some(), "`{}` includes `{name}`", header.name);
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
