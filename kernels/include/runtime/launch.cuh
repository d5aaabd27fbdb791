// Kernel launches. `kernel<<<grid, block, shared, stream>>>(arguments)` reaches the compiler as
//     ::workbook::prepare(kernel, ::workbook::configuration(grid, block, shared, stream))(arguments)
// where `prepare` returns a plain function pointer with the kernel's own parameters: conversions of the
// arguments, and the messages when they do not fit, are then those of an ordinary call.
#pragma once

namespace workbook {

struct Configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};

__forceinline__ Configuration configuration(dim3 grid, dim3 block, size_t shared = 0,
                                            cudaStream_t stream = nullptr) {
    return {grid, block, shared, stream};
}

#ifdef WORKBOOK_HOST
// Launches whose arguments are being evaluated: an argument may call a function that launches too.
enum { MOST_PENDING = 32 };
static word pending[MOST_PENDING][9];
static int pending_count;

__forceinline__ void push(word kernel, const Configuration& c) {
    if (pending_count == MOST_PENDING) __trap();
    word* p = pending[pending_count++];
    p[0] = kernel;
    p[1] = c.grid.x, p[2] = c.grid.y, p[3] = c.grid.z;
    p[4] = c.block.x, p[5] = c.block.y, p[6] = c.block.z;
    p[7] = c.shared, p[8] = to_word(c.stream);
}

template <class... P>
__forceinline__ void submit(P... arguments) {
    word* p = pending[--pending_count];
    word addresses[sizeof...(P) + 1] = {to_word(&arguments)..., 0};
    word sizes[sizeof...(P) + 1] = {sizeof(P)..., 0};
    call(Launch, p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], sizeof...(P), addresses,
         sizes);
    // No trace of handles stays here: what a file keeps is in its own variables.
    for (int i = 0; i < 9; ++i) p[i] = 0;
}
#else
// In the device pass, a launch only makes sure that its kernel is compiled.
__forceinline__ void push(word, const Configuration&) {}

template <class... P>
__forceinline__ void submit(P...) {
    call(Launch);
}
#endif

template <class... P>
using Kernel = void (*)(P...);

// What a launch takes for a parameter of a kernel: a large structure by reference, as the compiler copies one byte by byte.
template <class P, bool is_large = (sizeof(P) > 64)>
struct passed {
    using type = P;
};
template <class P>
struct passed<P, true> {
    using type = const P&;
};
template <class P>
struct passed<P&, true> {
    using type = P&;
};
template <class... P>
using Launcher = Kernel<typename passed<P>::type...>;

// A launch whose template arguments the compiler deduces from those of the call: `find` takes them and returns the type
// `constant<&kernel<…>>`. The rewriter declares, for each kernel template `k`, such a function beside it.
template <auto kernel>
struct constant {};
template <class... P>
__forceinline__ Launcher<P...> prepare(Kernel<P...> kernel, const Configuration& configuration);

template <class T>
T any();

template <class Find>
struct Deduced {
    Configuration configuration;

    template <auto kernel, class... A>
    __forceinline__ void start(constant<kernel>, A&&... arguments) const {
        prepare(kernel, configuration)(static_cast<A&&>(arguments)...);
    }
    template <class... A>
    __forceinline__ auto operator()(A&&... arguments) const
        -> decltype(any<Find>()(static_cast<A&&>(arguments)...), void()) {
        start(decltype(any<Find>()(static_cast<A&&>(arguments)...))(), static_cast<A&&>(arguments)...);
    }
};
template <class Find>
__forceinline__ Deduced<Find> deduce(Find, const Configuration& configuration) {
    return {configuration};
}

template <class... P>
__forceinline__ Launcher<P...> prepare(Kernel<P...> kernel, const Configuration& configuration) {
    push(to_word(kernel), configuration);
    return &submit<typename passed<P>::type...>;
}

// Other expressions before `<<<`. The first is chosen for pointers that are not kernels (a function that
// returns something, an array); the second for a name without a type (a misspelt name, a template without its
// arguments), whose own message the compiler has given already.
struct not_a_kernel {
    template <class... A>
    void operator()(const A&...) const {}
};
template <class T>
not_a_kernel prepare(T* kernel, const Configuration& configuration) = delete;

extern "C" __device__ void workbook_launch_of_something_that_is_not_a_kernel();
inline not_a_kernel prepare(...) {
    workbook_launch_of_something_that_is_not_a_kernel();
    return {};
}

}  // namespace workbook

// The sizes of the arguments are known from the kernel, even if its pointer was cast to another type.
template <class T>
inline cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared = 0, cudaStream_t stream = nullptr) {
    return workbook::call(workbook::LaunchKernel, kernel, grid.x, grid.y, grid.z, block.x, block.y,
                          block.z, shared, stream, arguments);
}
// All blocks run on the GPU at once, so that they can wait for each other (`cooperative_groups::this_grid().sync()`).
template <class T>
inline cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                               size_t shared = 0, cudaStream_t stream = nullptr) {
    return workbook::call(workbook::LaunchCooperative, kernel, grid.x, grid.y, grid.z, block.x,
                          block.y, block.z, shared, stream, arguments);
}

// A kernel that may begin before the one before it has ended begins after it: the one order that is always right.
__device__ inline void cudaGridDependencySynchronize() {}
__device__ inline void cudaTriggerProgrammaticLaunchCompletion() {}

namespace workbook {
template <class... P>
cudaError_t launch_cooperatively(const cudaLaunchConfig_t* c, void (*kernel)(P...), P... arguments) {
    void* addresses[sizeof...(P) + 1] = {static_cast<void*>(&arguments)..., nullptr};
    return cudaLaunchCooperativeKernel(kernel, c->gridDim, c->blockDim, addresses, c->dynamicSmemBytes, c->stream);
}
}  // namespace workbook

namespace workbook {
// Whether the attributes ask for a cooperative launch. Clusters are not carried out.
inline cudaError_t attributes_of(const cudaLaunchConfig_t* c, bool* together) {
    for (unsigned int i = 0; i < c->numAttrs; ++i) {
        const cudaLaunchAttributeID id = c->attrs[i].id;
        if (id == cudaLaunchAttributeCooperative)
            *together = c->attrs[i].val.cooperative != 0;
        else if (id == cudaLaunchAttributeClusterDimension) {
            const auto& blocks = c->attrs[i].val.clusterDim;
            if (blocks.x * blocks.y * blocks.z == 1) continue;
            printf("Clusters of several blocks are not available here: let blocks exchange values through global memory.\n");
            return cudaErrorNotSupported;
        } else if (id != cudaLaunchAttributeProgrammaticStreamSerialization && id != cudaLaunchAttributePriority &&
                   id != cudaLaunchAttributeAccessPolicyWindow)
            return cudaErrorNotSupported;
    }
    return cudaSuccess;
}
}  // namespace workbook

template <class T>
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, T* kernel, void** arguments) {
    bool together = false;
    const cudaError_t status = workbook::attributes_of(c, &together);
    if (status != cudaSuccess) return status;
    return together ? cudaLaunchCooperativeKernel(kernel, c->gridDim, c->blockDim, arguments, c->dynamicSmemBytes, c->stream)
                    : cudaLaunchKernel(kernel, c->gridDim, c->blockDim, arguments, c->dynamicSmemBytes, c->stream);
}
template <class... P, class... A>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* c, void (*kernel)(P...), A&&... arguments) {
    bool together = false;
    const cudaError_t status = workbook::attributes_of(c, &together);
    if (status != cudaSuccess) return status;
    if (together) return workbook::launch_cooperatively<P...>(c, kernel, static_cast<A&&>(arguments)...);
    workbook::prepare(kernel, workbook::configuration(c->gridDim, c->blockDim, c->dynamicSmemBytes,
                                                      c->stream))(static_cast<A&&>(arguments)...);
    return workbook::call(workbook::PeekAtLastError);
}
