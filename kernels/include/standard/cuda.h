// A few names of the driver interface, for files that include its header without calling the driver.
#pragma once

#define CUDA_VERSION (__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10)

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
