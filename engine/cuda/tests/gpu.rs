//! The driver on a real GPU: `cargo test -p cuda --test gpu -- --ignored` on a machine that has one.
//!
//! One test, because its last step breaks the process for CUDA on purpose.

mod common;

use std::thread;
use std::time::{Duration, Instant};

use common::compile;
use cuda::driver::{DriverError, FunctionAttribute, Gpu, devices};
use cuda::nvrtc::Target;

const KERNELS: &str = "
__constant__ int factor = 3;
__device__ int counter;
struct Pair { int low; char high; };
__global__ void scale(int *p, int n, Pair pair) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { p[i] = p[i] * factor + pair.low + pair.high; atomicAdd(&counter, 1); }
}
template <class T> __global__ void stage(T *p) {
    extern __shared__ int s[];
    __shared__ int fixed[25];
    fixed[threadIdx.x % 25] = 1;
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x] + fixed[0];
}
template __global__ void stage<int>(int *);
__global__ void wild(int *p) { p[1ull << 40] = 1; }
";
const SCALE: &str = "_Z5scalePii4Pair";
const STAGE: &str = "_Z5stageIiEvPT_";

fn bytes(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn code(result: Result<impl Sized, DriverError>) -> i32 {
    match result {
        Err(DriverError::Call { code, message, .. }) => {
            println!("{code}: {message}");
            code
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("not refused"),
    }
}

fn ints(gpu: &Gpu, address: u64, count: usize) -> Vec<i32> {
    let mut data = vec![0; count * 4];
    gpu.read(address, &mut data).unwrap();
    data.chunks_exact(4).map(|four| i32::from_le_bytes(four.try_into().unwrap())).collect()
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn all_of_it() {
    let device = devices().unwrap().remove(0);
    println!("{device:#?}");
    let cubin = compile(KERNELS, Target::Cubin(device.capability), &[]).unwrap().image;
    let mut gpu = Gpu::open(0, &cubin).unwrap();
    memory_and_launches(&gpu);
    refusals(&gpu);
    streams(&gpu);
    gates(&gpu);
    managed(&gpu);

    // A fresh module has fresh variables; allocations stay.
    let kept = gpu.alloc(4).unwrap();
    gpu.fill(kept, 7, 4).unwrap();
    gpu.load(&cubin).unwrap();
    let (counter, _) = gpu.symbol("counter").unwrap();
    assert_eq!((ints(&gpu, counter, 1)[0], ints(&gpu, kept, 1)[0]), (0, 0x0707_0707));

    gpu.launch("_Z4wildPi", [1; 3], [1; 3], 0, &[kept.to_le_bytes().to_vec()]).unwrap();
    let error = gpu.synchronize().unwrap_err();
    assert!(matches!(&error, DriverError::Sticky { code: 700, .. }), "{error}");
    assert!(error.to_string().contains("CUDA_ERROR_ILLEGAL_ADDRESS"), "{error}");
    assert!(matches!(gpu.alloc(4), Err(DriverError::Sticky { code: 700, .. })));
}

fn memory_and_launches(gpu: &Gpu) {
    let values: Vec<i32> = (0..1000).collect();
    let (a, b) = (gpu.alloc(4000).unwrap(), gpu.alloc_managed(4000).unwrap());
    gpu.write(a, &bytes(&values)).unwrap();
    let pair = vec![5, 0, 0, 0, 2, 0, 0, 0];
    let arguments = [a.to_le_bytes().to_vec(), 1000_i32.to_le_bytes().to_vec(), pair];
    gpu.launch(SCALE, [4, 1, 1], [256, 1, 1], 0, &arguments).unwrap();
    gpu.copy(b, a, 4000).unwrap();
    gpu.synchronize().unwrap();
    let expected: Vec<i32> = values.iter().map(|value| value * 3 + 7).collect();
    assert_eq!(ints(gpu, b, 1000), expected);

    let (counter, size) = gpu.symbol("counter").unwrap();
    assert_eq!((ints(gpu, counter, 1)[0], size), (1000, 4));
    let (factor, _) = gpu.symbol("factor").unwrap();
    gpu.write(factor, &bytes(&[1])).unwrap();
    gpu.write(a, &bytes(&values)).unwrap();
    gpu.launch(SCALE, [4, 1, 1], [256, 1, 1], 0, &arguments).unwrap();
    assert_eq!(ints(gpu, a, 3), [7, 8, 9]);

    gpu.launch(STAGE, [1; 3], [64, 1, 1], 256, &[a.to_le_bytes().to_vec()]).unwrap();
    assert_eq!(ints(gpu, a, 2), [71, 70]);
    gpu.fill(a, 0xff, 8).unwrap();
    assert_eq!(ints(gpu, a, 3), [-1, -1, 69]);
    gpu.free(a).unwrap();
    gpu.free(b).unwrap();

    // 100 bytes are declared; the assembler may round up to where dynamic shared memory can begin.
    let shared = gpu.function_attribute(STAGE, FunctionAttribute::StaticShared).unwrap();
    assert!((100..=112).contains(&shared), "{shared}");
    assert!(gpu.function_attribute(STAGE, FunctionAttribute::Registers).unwrap() > 0);
    assert!(gpu.occupancy(STAGE, 256, 0).unwrap() > gpu.occupancy(STAGE, 256, 40_000).unwrap());
}

fn refusals(gpu: &Gpu) {
    let a = gpu.alloc(4096).unwrap();
    let pointer = [a.to_le_bytes().to_vec()];
    assert_eq!(code(gpu.launch("no_such_kernel", [1; 3], [1; 3], 0, &[])), 98);
    assert_eq!(code(gpu.symbol("no_such_variable")), 13);
    assert_eq!(code(gpu.launch(STAGE, [1; 3], [4096, 1, 1], 0, &pointer)), 9);
    assert_eq!(code(gpu.launch(STAGE, [1; 3], [32, 1, 1], 0, &[])), 1);
    assert_eq!(code(gpu.launch(STAGE, [1; 3], [32, 1, 1], 60_000, &pointer)), 1);
    gpu.set_dynamic_shared_limit(STAGE, 60_000).unwrap();
    gpu.launch(STAGE, [1; 3], [32, 1, 1], 60_000, &pointer).unwrap();
    assert_eq!(code(gpu.alloc(1 << 50)), 2);
    assert_eq!(code(gpu.alloc(0)), 1);
    assert_eq!(code(gpu.write(a + 4000, &[0; 97])), 1);
    let host = [0_u8; 16];
    assert_eq!(code(gpu.read(host.as_ptr() as u64, &mut [0; 16])), 1);
    assert_eq!(code(gpu.free(a + 4)), 1);
    gpu.free(a).unwrap();
    assert_eq!(code(gpu.free(a)), 1);
    assert!(matches!(Gpu::open(99, b""), Err(DriverError::NoDevice(_))));
    assert_eq!(code(Gpu::open(0, b"\x7fELF")), 200);
    // None of it broke anything.
    gpu.synchronize().unwrap();
}

/// Managed memory as the host's and as the GPU's.
fn managed(gpu: &Gpu) {
    let values: Vec<i32> = (0..64).collect();
    let (managed, plain) = (gpu.alloc_managed(256).unwrap(), gpu.alloc(256).unwrap());
    gpu.write_managed(managed, &bytes(&values)).unwrap();
    gpu.launch(STAGE, [1; 3], [64, 1, 1], 256, &[managed.to_le_bytes().to_vec()]).unwrap();
    let mut result = vec![0; 256];
    gpu.read_managed(managed, &mut result).unwrap();
    let expected: Vec<i32> = values.iter().rev().map(|value| value + 1).collect();
    assert_eq!(result, bytes(&expected));
    // Only part of it, from the middle on.
    gpu.write_managed(managed + 128, &bytes(&[7])).unwrap();
    assert_eq!(ints(gpu, managed, 33)[31..], [expected[31], 7]);
    assert_eq!(code(gpu.read_managed(managed + 4, &mut result)), 1);
    assert_eq!(code(gpu.write_managed(plain, &[0])), 1);
    gpu.free(managed).unwrap();
    gpu.free(plain).unwrap();
}

fn gates(gpu: &Gpu) {
    let mut gate = gpu.gate().unwrap();
    let (a, event) = (gpu.alloc(4).unwrap(), gpu.event().unwrap());
    let mut held = 0;
    for value in 1..=100 {
        let closed = Instant::now();
        gate.close(gpu).unwrap();
        gpu.fill(a, value, 4).unwrap();
        gpu.record(&event).unwrap();
        // Long enough for a fill that nothing holds back.
        thread::sleep(Duration::from_micros(200));
        let is_done = gpu.event_is_done(&event).unwrap();
        // Where this thread was held up for longer, the gate may have opened by itself.
        if closed.elapsed() < Duration::from_millis(1) {
            assert!(!is_done);
            held += 1;
        }
        // The last one opens by itself.
        if value < 100 {
            gate.open();
        }
        gpu.synchronize().unwrap();
        assert_eq!(ints(gpu, a, 1)[0], i32::from(value) * 0x0101_0101);
    }
    assert!(held > 50, "{held}");
    gpu.free(a).unwrap();
}

fn streams(gpu: &Gpu) {
    let (one, two) = (gpu.stream().unwrap(), gpu.stream().unwrap());
    let (start, half, stop) = (gpu.event().unwrap(), gpu.event().unwrap(), gpu.event().unwrap());
    let a = gpu.alloc(256).unwrap();
    let pinned = gpu.alloc_pinned(512).unwrap();
    let values: Vec<i32> = (0..64).collect();
    pinned.write(0, &bytes(&values)).unwrap();
    gpu.record_in(Some(&one), &start).unwrap();
    gpu.write_async(Some(&one), a, &pinned, 0, 256).unwrap();
    gpu.launch_in(Some(&one), STAGE, [1; 3], [64, 1, 1], 256, &[a.to_le_bytes().to_vec()]).unwrap();
    gpu.record_in(Some(&one), &half).unwrap();
    gpu.wait_event(Some(&two), &half).unwrap();
    gpu.read_async(Some(&two), a, &pinned, 256, 256).unwrap();
    gpu.record_in(Some(&two), &stop).unwrap();
    let milliseconds = gpu.elapsed_ms(&start, &stop).unwrap();
    assert!(milliseconds > 0.0 && milliseconds < 1000.0, "{milliseconds} ms");
    assert!(gpu.event_is_done(&stop).unwrap() && gpu.stream_is_done(&two).unwrap());
    let mut result = vec![0; 256];
    pinned.read(256, &mut result).unwrap();
    let expected: Vec<i32> = values.iter().rev().map(|value| value + 1).collect();
    assert_eq!(result, bytes(&expected));
    assert_eq!(code(pinned.read(500, &mut [0; 13])), 1);
    assert_eq!(code(gpu.read_async(None, a, &pinned, 500, 13)), 1);
    gpu.synchronize_stream(&one).unwrap();
    gpu.destroy_stream(one).unwrap();
    gpu.free(a).unwrap();
}
