//! The values of `cudaError_t` that this runtime returns (`driver_types.h` of CUDA 12). 0 is success.

/// `cudaErrorInvalidValue`
pub const INVALID_VALUE: i32 = 1;
/// `cudaErrorMemoryAllocation`
pub const MEMORY_ALLOCATION: i32 = 2;
/// `cudaErrorInvalidConfiguration`
pub const INVALID_CONFIGURATION: i32 = 9;
/// `cudaErrorInvalidSymbol`
pub const INVALID_SYMBOL: i32 = 13;
/// `cudaErrorInvalidChannelDescriptor`
pub const INVALID_CHANNEL_DESCRIPTOR: i32 = 20;
/// `cudaErrorInvalidFilterSetting`
pub const INVALID_FILTER_SETTING: i32 = 26;
/// `cudaErrorInvalidNormSetting`
pub const INVALID_NORM_SETTING: i32 = 27;
/// `cudaErrorInvalidDeviceFunction`
pub const INVALID_DEVICE_FUNCTION: i32 = 98;
/// `cudaErrorInvalidDevice`
pub const INVALID_DEVICE: i32 = 101;
/// `cudaErrorInvalidResourceHandle`
pub const INVALID_RESOURCE_HANDLE: i32 = 400;
/// `cudaErrorNotReady`
pub const NOT_READY: i32 = 600;
/// `cudaErrorHostMemoryAlreadyRegistered`
pub const ALREADY_REGISTERED: i32 = 712;
/// `cudaErrorHostMemoryNotRegistered`
pub const NOT_REGISTERED: i32 = 713;
/// `cudaErrorLaunchFailure`
pub const LAUNCH_FAILURE: i32 = 719;
/// `cudaErrorCooperativeLaunchTooLarge`
pub const COOPERATIVE_LAUNCH_TOO_LARGE: i32 = 720;
/// `cudaErrorStreamCaptureUnsupported`
pub const CAPTURE_UNSUPPORTED: i32 = 900;
/// `cudaErrorStreamCaptureInvalidated`
pub const CAPTURE_INVALIDATED: i32 = 901;
/// `cudaErrorStreamCaptureUnjoined`
pub const CAPTURE_UNJOINED: i32 = 904;
/// `cudaErrorStreamCaptureIsolation`
pub const CAPTURE_ISOLATION: i32 = 905;
/// `cudaErrorNotSupported`
pub const NOT_SUPPORTED: i32 = 801;
