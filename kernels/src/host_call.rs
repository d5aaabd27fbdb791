//! The numbers of the trapped runtime calls, which the shim and the checker share.
//!
//! Each call passes the address of an array of 64-bit words, the arguments named in the variant's comment,
//! in order (pointers, integers and floats' bits widened to 64 bits), and returns a `cudaError_t`.

/// A trapped runtime call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum HostCall {
    /// kernel, grid x y z, block x y z, dynamic shared bytes, stream, argument count, address of an array of argument addresses, address of an array of argument sizes
    Launch = 1,
    /// address of the result pointer, bytes, kind (0 device, 1 pinned host, 2 managed, 3 in the order of a stream), stream
    Malloc = 2,
    /// pointer, kind (0 device or managed, 1 pinned host, 3 in the order of a stream), stream
    Free = 3,
    /// destination, source, bytes, `cudaMemcpyKind`, stream, asynchronous (0, 1)
    Memcpy = 4,
    /// destination, value, bytes, stream, asynchronous
    Memset = 5,
    /// symbol, source, bytes, offset, `cudaMemcpyKind`, stream, asynchronous
    MemcpyToSymbol = 6,
    /// destination, symbol, bytes, offset, `cudaMemcpyKind`, stream, asynchronous
    MemcpyFromSymbol = 7,
    /// none
    DeviceSynchronize = 8,
    /// address of the result, flags
    StreamCreate = 9,
    /// stream
    StreamDestroy = 10,
    /// stream
    StreamSynchronize = 11,
    /// address of the result, flags
    EventCreate = 12,
    /// event
    EventDestroy = 13,
    /// event, stream
    EventRecord = 14,
    /// event
    EventSynchronize = 15,
    /// address of a float (milliseconds), start, stop
    EventElapsedTime = 16,
    /// stream, event, flags
    StreamWaitEvent = 17,
    /// none
    GetLastError = 18,
    /// none
    PeekAtLastError = 19,
    /// address of a record of [`crate::DeviceProperties`], device
    GetDeviceProperties = 20,
    /// address of an int, `cudaDeviceAttr`, device
    DeviceGetAttribute = 21,
    /// address of an int
    GetDevice = 22,
    /// device
    SetDevice = 23,
    /// address of an int
    GetDeviceCount = 24,
    /// destination, destination pitch, source, source pitch, width in bytes, rows, kind, stream, asynchronous
    Memcpy2D = 25,
    /// address of the result pointer, address of the result pitch, width in bytes, rows
    MallocPitch = 26,
    /// destination, pitch, value, width in bytes, rows
    Memset2D = 27,
    /// address of the result pointer, symbol
    GetSymbolAddress = 28,
    /// address of the result (`size_t`), symbol
    GetSymbolSize = 29,
    /// kernel, `cudaFuncAttribute`, value
    FuncSetAttribute = 30,
    /// address of an int, kernel, block size, dynamic shared bytes
    OccupancyMaxActiveBlocks = 31,
    /// address of free bytes, address of total bytes
    MemGetInfo = 32,
    /// event
    EventQuery = 33,
    /// stream
    StreamQuery = 34,
    /// status; `exit` and `abort`: the host function ends here, and this does not return
    Exit = 35,
    /// address of the result, bits of the channels (a byte each), `cudaChannelFormatKind`, width, rows (0: one dimension), slices or layers (0: none), flags
    MallocArray = 36,
    /// array
    FreeArray = 37,
    /// array, byte in the row, row (counted through all slices), source, pitch, width in bytes, rows, kind, stream
    Memcpy2DToArray = 38,
    /// array, byte in the row, row (counted through all slices), destination, pitch, width in bytes, rows, kind, stream
    Memcpy2DFromArray = 39,
    /// address of the result, `cudaResourceType`, array or pointer, bits of the channels, `cudaChannelFormatKind`, width (of linear memory: bytes), rows, pitch, address modes x y z, filter mode, read mode, normalized coordinates, address of the border's four colours (bits of floats, as words), whether it asks for a view, sRGB or levels
    CreateTexture = 40,
    /// texture object
    DestroyTexture = 41,
    /// address of the result, whether the resource is an array, array
    CreateSurface = 42,
    /// surface object
    DestroySurface = 43,
    /// address, bytes, flags
    HostRegister = 44,
    /// address
    HostUnregister = 45,
    /// address of the result, host address, flags
    HostGetDevicePointer = 46,
    /// address, bytes
    ManagedHint = 47,
    /// kernel, grid x y z, block x y z, dynamic shared bytes, stream, address of an array of argument addresses, as many as the kernel has parameters
    LaunchCooperative = 48,
    /// kernel, address of six words: static shared bytes, local bytes, most threads of a block, registers, compute capability, most dynamic shared bytes
    FuncGetAttributes = 49,
    /// pointer, address of the result (`cudaMemoryType`, a word)
    PointerGetAttributes = 50,
    /// as `LaunchCooperative`
    LaunchKernel = 51,
    /// stream, `cudaStreamCaptureMode`
    BeginCapture = 52,
    /// stream, address of the result (a graph)
    EndCapture = 53,
    /// stream, address of the result (`cudaStreamCaptureStatus`)
    CaptureStatus = 54,
    /// address of the result (a graph that can be launched), graph
    GraphInstantiate = 55,
    /// graph that can be launched, stream, address of a function of the host and its argument, which has to run before the launch goes on
    GraphLaunch = 56,
    /// graph of either kind
    GraphDestroy = 57,
    /// graph, address of the number of its kernels, copies and fills (`size_t`)
    GraphNodes = 58,
    /// stream, whether the function has ended (0, 1), the function, its argument, address of whether it runs now (`int`)
    HostFunction = 59,
    /// address of the result (a graph)
    GraphCreate = 60,
    /// graph, graph whose parts become a node of it, address of the nodes before it, their number, address of the result (a node)
    GraphAdd = 61,
    /// graph that can be launched, graph with a launch that takes the place of a node's, node
    GraphSetLaunch = 62,
    /// graph that can be launched, graph whose parts take the place of its own
    GraphUpdate = 63,
    /// array, address of the result: bits of the channels, `cudaChannelFormatKind`, width, rows, slices or layers, flags
    ArrayGetInfo = 64,
}

impl HostCall {
    /// Every call, in the order of their numbers, with how many words of arguments it has.
    pub const ALL: &'static [(Self, usize)] = &[
        (Self::Launch, 12),
        (Self::Malloc, 4),
        (Self::Free, 3),
        (Self::Memcpy, 6),
        (Self::Memset, 5),
        (Self::MemcpyToSymbol, 7),
        (Self::MemcpyFromSymbol, 7),
        (Self::DeviceSynchronize, 0),
        (Self::StreamCreate, 2),
        (Self::StreamDestroy, 1),
        (Self::StreamSynchronize, 1),
        (Self::EventCreate, 2),
        (Self::EventDestroy, 1),
        (Self::EventRecord, 2),
        (Self::EventSynchronize, 1),
        (Self::EventElapsedTime, 3),
        (Self::StreamWaitEvent, 3),
        (Self::GetLastError, 0),
        (Self::PeekAtLastError, 0),
        (Self::GetDeviceProperties, 2),
        (Self::DeviceGetAttribute, 3),
        (Self::GetDevice, 1),
        (Self::SetDevice, 1),
        (Self::GetDeviceCount, 1),
        (Self::Memcpy2D, 9),
        (Self::MallocPitch, 4),
        (Self::Memset2D, 5),
        (Self::GetSymbolAddress, 2),
        (Self::GetSymbolSize, 2),
        (Self::FuncSetAttribute, 3),
        (Self::OccupancyMaxActiveBlocks, 4),
        (Self::MemGetInfo, 2),
        (Self::EventQuery, 1),
        (Self::StreamQuery, 1),
        (Self::Exit, 1),
        (Self::MallocArray, 7),
        (Self::FreeArray, 1),
        (Self::Memcpy2DToArray, 10),
        (Self::Memcpy2DFromArray, 10),
        (Self::CreateTexture, 16),
        (Self::DestroyTexture, 1),
        (Self::CreateSurface, 3),
        (Self::DestroySurface, 1),
        (Self::HostRegister, 3),
        (Self::HostUnregister, 1),
        (Self::HostGetDevicePointer, 3),
        (Self::ManagedHint, 2),
        (Self::LaunchCooperative, 10),
        (Self::FuncGetAttributes, 2),
        (Self::PointerGetAttributes, 2),
        (Self::LaunchKernel, 10),
        (Self::BeginCapture, 2),
        (Self::EndCapture, 2),
        (Self::CaptureStatus, 2),
        (Self::GraphInstantiate, 2),
        (Self::GraphLaunch, 3),
        (Self::GraphDestroy, 1),
        (Self::GraphNodes, 2),
        (Self::HostFunction, 5),
        (Self::GraphCreate, 1),
        (Self::GraphAdd, 5),
        (Self::GraphSetLaunch, 3),
        (Self::GraphUpdate, 2),
        (Self::ArrayGetInfo, 2),
    ];

    /// The call with this number, and how many words of arguments it has.
    pub fn from_number(number: i32) -> Option<(Self, usize)> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        Self::ALL.get(index).copied()
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    const SHIM: &str = include_str!("../include/runtime/call.cuh");

    /// The shim's `enum Call` has the same names with the same numbers.
    #[test]
    fn the_shim_has_the_same_numbers() {
        let in_shim: Vec<(String, i32)> = SHIM
            .lines()
            .skip_while(|line| !line.starts_with("enum Call"))
            .skip(1)
            .take_while(|line| *line != "};")
            .filter_map(|line| line.trim().trim_end_matches(',').split_once(" = "))
            .filter_map(|(name, number)| Some((name.to_owned(), number.parse().ok()?)))
            .collect();
        let here: Vec<(String, i32)> =
            HostCall::ALL.iter().map(|&(call, _)| (format!("{call:?}"), call as i32)).collect();
        assert_eq!(in_shim, here);
    }

    /// Every use in the shim passes as many words as the table says.
    #[test]
    fn the_shim_passes_as_many_words() {
        let mut used = Vec::new();
        for header in crate::HEADERS {
            for (at, _) in header.text.match_indices("call(") {
                let Some(arguments) = header.text[at + 5..].split(");").next() else { continue };
                let mut arguments = arguments.split(',').map(str::trim);
                let name = arguments.next().unwrap_or_default().trim_start_matches("workbook::");
                let Some(&(call, words)) = HostCall::ALL.iter().find(|(call, _)| format!("{call:?}") == name)
                else {
                    continue;
                };
                let count = arguments.count();
                // The device pass passes no words of a launch: it never runs one.
                let device_pass = call == HostCall::Launch && count == 0;
                assert!(device_pass || count == words, "`{}`: {name} with {count} words", header.name);
                used.push(call);
            }
        }
        for (call, _) in HostCall::ALL {
            assert!(used.contains(call), "the shim never makes the call {call:?}");
        }
    }

    #[test]
    fn numbers_lead_back_to_calls() {
        for &(call, words) in HostCall::ALL {
            assert_eq!(HostCall::from_number(call as i32), Some((call, words)));
        }
        assert_eq!([-1, 0, 65].map(HostCall::from_number), [None; 3]);
    }
}
