// CUDA graphs: captured from a stream, then launched. A graph that is built node by node is the compiler's own error.
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
    return workbook::call(workbook::GraphLaunch, graph, stream);
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
