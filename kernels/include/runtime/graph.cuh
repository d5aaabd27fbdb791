// CUDA graphs: captured from a stream, or built node by node, then launched. Nodes of host functions, and changes of other nodes than
// kernels, are the compiler's own error.
#pragma once

inline cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return workbook::call(workbook::BeginCapture, stream, mode);
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    return workbook::call(workbook::EndCapture, stream, graph);
}
inline cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return workbook::call(workbook::CaptureStatus, stream, status);
}

// The flags change when memory of a graph is freed, and where it may be launched; here nothing.
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* result, cudaGraph_t graph, unsigned long long = 0) {
    return workbook::call(workbook::GraphInstantiate, result, graph);
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* result, cudaGraph_t graph, unsigned long long = 0) {
    return cudaGraphInstantiate(result, graph);
}
// That of CUDA 11.
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* result, cudaGraph_t graph, cudaGraphNode_t*, char*, size_t) {
    return cudaGraphInstantiate(result, graph);
}
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
    struct {
        void (*function)(void*);
        void* data;
    } next = {nullptr, nullptr};
    cudaError_t status = workbook::call(workbook::GraphLaunch, graph, stream, &next);
    while (status == cudaSuccess && next.function != nullptr) {
        next.function(next.data);
        status = workbook::call(workbook::GraphLaunch, graph, stream, &next);
    }
    return status;
}
inline cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return workbook::call(workbook::GraphDestroy, graph); }
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
    return workbook::call(workbook::GraphDestroy, graph);
}
// Their number alone.
inline cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return nodes ? cudaErrorNotSupported : workbook::call(workbook::GraphNodes, graph, count);
}

namespace workbook {

// `use` has the graph of what `work` puts into a stream.
template <class Work, class Use>
inline cudaError_t with_part(const Work& work, const Use& use) {
    cudaStream_t stream = nullptr;
    cudaGraph_t part = nullptr;
    cudaError_t status = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (status != cudaSuccess) return status;
    status = cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    if (status == cudaSuccess) {
        status = work(stream);
        const cudaError_t ended = cudaStreamEndCapture(stream, &part);
        if (status == cudaSuccess) status = ended;
    }
    if (status == cudaSuccess) status = use(part);
    if (part != nullptr) cudaGraphDestroy(part);
    cudaStreamDestroy(stream);
    return status;
}
template <class Work>
inline cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before, size_t count,
                            const Work& work) {
    return with_part(work, [=](cudaGraph_t part) { return call(GraphAdd, graph, part, before, count, node); });
}
inline cudaError_t launch(const cudaKernelNodeParams* p, cudaStream_t stream) {
    return cudaLaunchKernel(p->func, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes, stream);
}

}  // namespace workbook

inline cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int = 0) {
    return workbook::call(workbook::GraphCreate, graph);
}
inline cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                          size_t count, const cudaKernelNodeParams* p) {
    return workbook::add_node(node, graph, before, count,
                              [=](cudaStream_t stream) { return workbook::launch(p, stream); });
}
inline cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t ready, cudaGraphNode_t node,
                                                    const cudaKernelNodeParams* p) {
    return workbook::with_part([=](cudaStream_t stream) { return workbook::launch(p, stream); },
                               [=](cudaGraph_t part) {
                                   return workbook::call(workbook::GraphSetLaunch, ready, part, node);
                               });
}
inline cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                            size_t count, void* to, const void* from, size_t bytes,
                                            cudaMemcpyKind kind) {
    return workbook::add_node(node, graph, before, count, [=](cudaStream_t stream) {
        return cudaMemcpyAsync(to, from, bytes, kind, stream);
    });
}
// Of one slice, between pitched pointers.
inline cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                          size_t count, const cudaMemcpy3DParms* p) {
    if (p->srcArray != nullptr || p->dstArray != nullptr || p->extent.depth != 1) return cudaErrorNotSupported;
    const auto first = [](const cudaPitchedPtr& of, const cudaPos& at) {
        return static_cast<char*>(of.ptr) + (at.z * of.ysize + at.y) * of.pitch + at.x;
    };
    return workbook::add_node(node, graph, before, count, [=](cudaStream_t stream) {
        return cudaMemcpy2DAsync(first(p->dstPtr, p->dstPos), p->dstPtr.pitch, first(p->srcPtr, p->srcPos),
                                 p->srcPtr.pitch, p->extent.width, p->extent.height, p->kind, stream);
    });
}
// Elements whose bytes are all the same.
inline cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                          size_t count, const cudaMemsetParams* p) {
    const unsigned int byte = p->value & 255;
    const unsigned int repeated = p->elementSize == 1 ? byte : p->elementSize == 2 ? byte * 0x101 : byte * 0x1010101;
    if (p->value != repeated) return cudaErrorNotSupported;
    return workbook::add_node(node, graph, before, count, [=](cudaStream_t stream) {
        cudaError_t status = cudaSuccess;
        for (size_t row = 0; row < p->height && status == cudaSuccess; ++row)
            status = cudaMemsetAsync(static_cast<char*>(p->dst) + row * p->pitch, byte, p->width * p->elementSize,
                                     stream);
        return status;
    });
}
inline cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                        size_t count, const cudaHostNodeParams* p) {
    return workbook::add_node(node, graph, before, count,
                              [=](cudaStream_t stream) { return cudaLaunchHostFunc(stream, p->fn, p->userData); });
}
inline cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                         size_t count) {
    return workbook::add_node(node, graph, before, count, [](cudaStream_t) { return cudaSuccess; });
}
inline cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                              size_t count, cudaGraph_t child) {
    return workbook::call(workbook::GraphAdd, graph, child, before, count, node);
}

// Any graph may take the place of the one before it.
template <class Info>
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t ready, cudaGraph_t graph, Info*) {
    return workbook::call(workbook::GraphUpdate, ready, graph);
}
// That of CUDA 11.
template <class Result>
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t ready, cudaGraph_t graph, cudaGraphNode_t*, Result* result) {
    *result = cudaGraphExecUpdateSuccess;
    return cudaGraphExecUpdate(ready, graph, result);
}
