// Streams and events.
#pragma once

inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
    return workbook::call(workbook::StreamCreate, stream, flags);
}
inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithFlags(stream, 0);
}
// The priority is accepted and has no effect.
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int) {
    return cudaStreamCreateWithFlags(stream, flags);
}
inline cudaError_t cudaStreamGetPriority(cudaStream_t, int* priority) {
    *priority = 0;
    return cudaSuccess;
}
// What a stream keeps in the L2 cache: accepted, no effect.
inline cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaLaunchAttributeID, const cudaLaunchAttributeValue*) {
    return cudaSuccess;
}
inline cudaError_t cudaStreamCopyAttributes(cudaStream_t, cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
    *id = workbook::to_word(stream);
    return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return workbook::call(workbook::StreamDestroy, stream);
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return workbook::call(workbook::StreamSynchronize, stream);
}
inline cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return workbook::call(workbook::StreamQuery, stream);
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                       unsigned int flags = 0) {
    return workbook::call(workbook::StreamWaitEvent, stream, event, flags);
}

inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
    return workbook::call(workbook::EventCreate, event, flags);
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags = 0) {
    return cudaEventCreateWithFlags(event, flags);
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return workbook::call(workbook::EventDestroy, event);
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr) {
    return workbook::call(workbook::EventRecord, event, stream);
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return workbook::call(workbook::EventSynchronize, event);
}
inline cudaError_t cudaEventQuery(cudaEvent_t event) {
    return workbook::call(workbook::EventQuery, event);
}
inline cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
    return workbook::call(workbook::EventElapsedTime, milliseconds, start, stop);
}
// The priority is accepted and has no effect; neither have flags of an event's record.
inline cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr, unsigned int = 0) {
    return cudaEventRecord(event, stream);
}
// The host function waits for the stream, and calls the function itself; unless the stream is captured.
inline cudaError_t cudaLaunchHostFunc(cudaStream_t stream, void (*function)(void*), void* data) {
    int now = 0;
    const cudaError_t status = workbook::call(workbook::HostFunction, stream, 0, function, data, &now);
    if (status != cudaSuccess || now == 0) return status;
    function(data);
    return workbook::call(workbook::HostFunction, stream, 1, function, data, &now);
}
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void* data);
inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                         unsigned int) {
    int now = 0;
    const cudaError_t status = workbook::call(workbook::HostFunction, stream, 0, 0, data, &now);
    if (status != cudaSuccess) return status;
    function(stream, cudaSuccess, data);
    return workbook::call(workbook::HostFunction, stream, 1, 0, data, &now);
}
template <class T>
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, T*, size_t = 0, unsigned int = cudaMemAttachSingle) {
    return cudaSuccess;
}
