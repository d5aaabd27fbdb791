// The CUDA runtime as a host function under the checker sees it: every call is packed into words and handed
// to `host_call`, which the checker traps. Force-included before the student's text in both passes; nvcc
// never sees it. Types and enumerations (cudaError_t, cudaStream_t, cudaDeviceProp …) are NVRTC's own.
//
// Left out, so that using them is the compiler's own error: graphs built node by node, 3D arrays, mipmaps, peer
// access, interprocess handles.
#pragma once

// Set in both passes, so that a file can tell the checker from nvcc.
#define WORKBOOK 1

// -default-device makes every function device code, the host functions too; `__host__` alone would ask
// for a second compiler.
#undef __host__
#define __host__

// Types of the system headers that nvcc's forced include brings along; `uchar` is OpenCV's.
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#include "runtime/call.cuh"
#include "runtime/exception.cuh"
#include "runtime/launch.cuh"
#include "runtime/memory.cuh"
#include "runtime/once.cuh"
#include "runtime/symbol.cuh"
#include "runtime/stream.cuh"
#include "runtime/graph.cuh"
#include "runtime/error.cuh"
#include "runtime/device.cuh"
#include "runtime/function.cuh"
#include "runtime/image.cuh"

// nvcc's own forced include brings these along too; a file that relies on it compiles there.
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "extremes.h"
