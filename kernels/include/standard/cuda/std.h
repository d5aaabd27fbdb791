// `cuda::std`: the C++ library for kernels. Here it is the one of the host function, which compiles for both.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace cuda {

namespace std = ::std;

}  // namespace cuda
