// Runs one kernel of kernels.cl on the first OpenCL device and prints pixels and the median seconds a launch.
//   host KERNELS.cl KERNEL WIDTH HEIGHT REPETITIONS [PLATFORM_NAME_PART]
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void check(cl_int status, const char* what) {
    if (status != CL_SUCCESS) {
        fprintf(stderr, "failed to %s: OpenCL status %d\n", what, status);
        exit(1);
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static int by_size(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static size_t round_up(size_t n, size_t of) { return (n + of - 1) / of * of; }

int main(int argc, char** argv) {
    if (argc < 6) {
        fprintf(stderr, "usage: host KERNELS.cl KERNEL WIDTH HEIGHT REPETITIONS [PLATFORM]\n");
        return 2;
    }
    const char* name = argv[2];
    const cl_int width = atoi(argv[3]), height = atoi(argv[4]);
    const int repetitions = atoi(argv[5]);
    const cl_int n = width * height;
    const size_t in_bytes = strcmp(name, "gray") == 0 ? 3 * (size_t)n : (size_t)n;
    const size_t out_bytes = strcmp(name, "histogram") == 0 ? 1024 : (size_t)n;

    FILE* file = fopen(argv[1], "rb");
    if (!file) { perror(argv[1]); return 1; }
    static char text[1 << 16];
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    const char* source = text;

    cl_platform_id platforms[16], platform = NULL;
    cl_uint count = 0;
    cl_int status;
    check(clGetPlatformIDs(16, platforms, &count), "list platforms");
    for (cl_uint i = 0; i < count && i < 16 && !platform; i++) {
        char label[256] = "";
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof label - 1, label, NULL);
        if (argc < 7 || strstr(label, argv[6])) platform = platforms[i];
    }
    if (!platform) { fprintf(stderr, "no such OpenCL platform\n"); return 1; }
    cl_device_id device;
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "find a device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "create a context");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "create a queue");
    cl_program program = clCreateProgramWithSource(context, 1, &source, &length, &status);
    check(status, "read the kernels");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "compile the kernels");
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check(status, "find the kernel");

    unsigned char* bytes = malloc(in_bytes);
    for (size_t i = 0; i < in_bytes; i++) bytes[i] = (i + 1) * 0x9e3779b97f4a7c15ull >> 40;
    cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, in_bytes, bytes, &status);
    check(status, "allocate the input");
    memset(bytes, 0, in_bytes);
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, out_bytes, bytes, &status);
    check(status, "allocate the output");
    check(clSetKernelArg(kernel, 0, sizeof in, &in), "set an argument");
    check(clSetKernelArg(kernel, 1, sizeof out, &out), "set an argument");

    size_t global[2], local[2];
    cl_uint dimensions = 1;
    if (strcmp(name, "box") == 0) {
        dimensions = 2;
        local[0] = 32, local[1] = 8;
        global[0] = round_up(width, local[0]), global[1] = round_up(height, local[1]);
        check(clSetKernelArg(kernel, 2, sizeof width, &width), "set an argument");
        check(clSetKernelArg(kernel, 3, sizeof height, &height), "set an argument");
    } else {
        local[0] = 256;
        global[0] = strcmp(name, "histogram") == 0 ? 264 * 256 : round_up(n, 256);
        check(clSetKernelArg(kernel, 2, sizeof n, &n), "set an argument");
    }
    double* seconds = malloc(repetitions * sizeof *seconds);
    // PoCL compiles at the first launch, which is not timed where there are several.
    for (int i = repetitions > 1 ? -1 : 0; i < repetitions; i++) {
        const double start = now();
        check(clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, global, local, 0, NULL, NULL), "launch");
        check(clFinish(queue), "finish");
        if (i >= 0) seconds[i] = now() - start;
    }
    qsort(seconds, repetitions, sizeof *seconds, by_size);
    printf("%d %.6f\n", n, seconds[repetitions / 2]);
    return 0;
}
