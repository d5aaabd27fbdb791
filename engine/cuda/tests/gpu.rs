//! The driver on a real GPU: `cargo test -p cuda --test gpu -- --ignored` on a machine that has one.
//!
//! One test, because its last step breaks the process for CUDA on purpose.

mod common;

use std::thread;
use std::time::{Duration, Instant};

use common::compile;
use cuda::driver::{
    ArrayFormat, ArrayPart, DeviceRows, DriverError, FunctionAttribute, Gpu, TextureMemory, TextureSettings,
    devices,
};
use cuda::nvrtc::Target;

const KERNELS: &str = "
__constant__ int factor = 3;
__device__ int counter;
__managed__ int shared_by_both = 7;
static __device__ int hidden = 5;
struct Pair { int low; char high; };
__global__ void scale(int *p, int n, Pair pair) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    static __device__ int kept = 6;
    if (i < n) { p[i] = p[i] * factor + pair.low + pair.high; atomicAdd(&counter, 1); atomicAdd(&shared_by_both, 2); }
    if (n < 0) { hidden += i; kept += hidden; p[0] = kept; }
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
extern \"C\" __global__ void look(cudaTextureObject_t t, unsigned char *p) {
    p[threadIdx.y * blockDim.x + threadIdx.x] = tex2D<unsigned char>(t, threadIdx.x - .5f, threadIdx.y - .5f);
}
extern \"C\" __global__ void fetch(cudaTextureObject_t t, int *p) { p[threadIdx.x] = tex1Dfetch<int>(t, threadIdx.x); }
extern \"C\" __global__ void blend(cudaTextureObject_t t, float *p) {
    p[0] = tex2D<float>(t, .5f, .5f);
    p[1] = tex2D<float>(t, -1.f, -1.f);
}
extern \"C\" __global__ void paint(cudaSurfaceObject_t s) {
    surf2Dwrite<unsigned char>(threadIdx.x + 10 * threadIdx.y, s, threadIdx.x, threadIdx.y);
}
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
    rows(&gpu);
    outlived(&cubin);
    gates(&gpu);
    managed(&gpu);
    images(&gpu);

    // All variables are found, whatever their linkage.
    let mut first: Vec<i32> = gpu.variables().iter().map(|(address, _)| ints(&gpu, *address, 1)[0]).collect();
    first.sort_unstable();
    assert!([1, 5, 6].iter().all(|value| first.contains(value)), "{first:?}");

    // A fresh module has fresh variables; allocations stay.
    let kept = gpu.alloc(4).unwrap();
    gpu.wipe(kept).unwrap();
    assert_eq!(ints(&gpu, kept, 1)[0].to_ne_bytes(), [0xa7; 4]);
    gpu.fill(kept, 7, 4).unwrap();
    gpu.load(&cubin).unwrap();
    let (counter, _) = gpu.symbol("counter").unwrap();
    assert_eq!((ints(&gpu, counter, 1)[0], ints(&gpu, kept, 1)[0]), (0, 0x0707_0707));

    let (stream, event, pinned) =
        (gpu.stream().unwrap(), gpu.event().unwrap(), gpu.alloc_pinned(16).unwrap());
    gpu.launch("_Z4wildPi", [1; 3], [1; 3], 0, &[kept.to_le_bytes().to_vec()]).unwrap();
    let error = gpu.synchronize().unwrap_err();
    assert!(matches!(&error, DriverError::Sticky { code: 700, .. }), "{error}");
    assert!(error.to_string().contains("CUDA_ERROR_ILLEGAL_ADDRESS"), "{error}");
    let arguments = [kept.to_le_bytes().to_vec()];
    for result in [
        gpu.alloc(4).map(drop),
        gpu.alloc_managed(4).map(drop),
        gpu.write(kept, &[0]),
        gpu.read(kept, &mut [0]),
        gpu.write_async(Some(&stream), kept, &pinned, 0, 4),
        gpu.launch(STAGE, [1; 3], [32, 1, 1], 128, &arguments),
        gpu.record(&event),
        gpu.free(kept),
    ] {
        assert!(matches!(result, Err(DriverError::Sticky { code: 700, .. })), "{result:?}");
    }
    // Everything is dropped now, which fails in silence.
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
    let (variable, _) = gpu.symbol("shared_by_both").unwrap();
    let mut sum = [0; 4];
    gpu.read_managed(variable, &mut sum).unwrap();
    assert_eq!(sum.to_vec(), bytes(&[2007]));
    gpu.write_managed(variable, &bytes(&[1])).unwrap();
    assert_eq!(ints(gpu, variable, 1), [1]);
    let (factor, _) = gpu.symbol("factor").unwrap();
    gpu.write(factor, &bytes(&[1])).unwrap();
    gpu.write(a, &bytes(&values)).unwrap();
    gpu.launch(SCALE, [4, 1, 1], [256, 1, 1], 0, &arguments).unwrap();
    assert_eq!(ints(gpu, a, 3), [7, 8, 9]);

    gpu.launch(STAGE, [1; 3], [64, 1, 1], 256, &[a.to_le_bytes().to_vec()]).unwrap();
    assert_eq!(ints(gpu, a, 2), [71, 70]);
    gpu.fill(a, 0xff, 8).unwrap();
    assert_eq!(ints(gpu, a, 3), [-1, -1, 69]);
    gpu.launch_together_in(None, STAGE, [1; 3], [64, 1, 1], 256, &[a.to_le_bytes().to_vec()]).unwrap();
    assert_eq!(ints(gpu, a, 64)[61..], [70, 0, 0]);
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
    // `cust` knows no such number.
    assert_eq!(code(gpu.launch_together_in(None, STAGE, [1 << 20, 1, 1], [32, 1, 1], 128, &pointer)), 720);
    assert_eq!(code(gpu.alloc(1 << 50)), 2);
    assert_eq!(code(gpu.alloc(0)), 1);
    assert_eq!(code(gpu.alloc_managed(0)), 1);
    assert_eq!(code(gpu.alloc_pinned(0)), 1);
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

/// Rows that lie apart, at distances that no allocation of the driver would have.
fn rows(gpu: &Gpu) {
    let bytes: Vec<u8> = (0..=255).cycle().take(301 * 20).collect();
    let (a, b) = (gpu.alloc(301 * 20).unwrap(), gpu.alloc(259 * 20).unwrap());
    let of = |address, pitch| DeviceRows { address, pitch, width: 250, rows: 20 };
    gpu.write(a, &bytes).unwrap();
    gpu.fill_in(None, b, 9, 259 * 20).unwrap();
    gpu.copy_rows_in(None, of(b, 259), of(a, 301)).unwrap();
    gpu.fill_rows_in(None, DeviceRows { width: 3, ..of(b + 1, 259) }, 7).unwrap();
    let mut result = vec![0; 259 * 20];
    gpu.read(b, &mut result).unwrap();
    for (row, there) in result.chunks(259).enumerate() {
        assert_eq!((there[0], &there[1..4]), (bytes[301 * row], &[7; 3][..]));
        assert_eq!((&there[4..250], &there[250..]), (&bytes[301 * row + 4..301 * row + 250], &[9; 9][..]));
    }
    // The last row ends outside.
    assert_eq!(code(gpu.copy_rows_in(None, of(b + 10, 259), of(a, 301))), 1);
    assert_eq!(code(gpu.fill_rows_in(None, DeviceRows { pitch: 249, ..of(a, 301) }, 0)), 1);
    gpu.free(a).unwrap();
    gpu.free(b).unwrap();
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
    assert!(gpu.event_is_done(&stop).unwrap());
    let mut result = vec![0; 256];
    pinned.read(256, &mut result).unwrap();
    let expected: Vec<i32> = values.iter().rev().map(|value| value + 1).collect();
    assert_eq!(result, bytes(&expected));
    assert_eq!(code(pinned.read(500, &mut [0; 13])), 1);
    assert_eq!(code(gpu.read_async(None, a, &pinned, 500, 13)), 1);

    // Behind the work of a stream, with and without page-locked memory.
    let b = gpu.alloc(256).unwrap();
    gpu.fill_in(Some(&one), a, 1, 256).unwrap();
    gpu.write_behind(Some(&one), a, &bytes(&[5])).unwrap();
    gpu.copy_in(Some(&one), b, a, 256).unwrap();
    gpu.synchronize_stream(&one).unwrap();
    drop(one);
    assert_eq!(ints(gpu, b, 2), [5, 0x0101_0101]);
    gpu.fill(a, 2, 256).unwrap();
    gpu.write_behind(None, a, &bytes(&[6])).unwrap();
    assert_eq!(ints(gpu, a, 2), [6, 0x0202_0202]);
    gpu.free(a).unwrap();
    gpu.free(b).unwrap();
}

/// What a GPU has made may live longer than the GPU, and its work is finished.
fn outlived(cubin: &[u8]) {
    let gpu = Gpu::open(0, cubin).unwrap();
    let (stream, event, pinned) =
        (gpu.stream().unwrap(), gpu.event().unwrap(), gpu.alloc_pinned(1 << 20).unwrap());
    let a = gpu.alloc(1 << 20).unwrap();
    gpu.fill_in(Some(&stream), a, 3, 1 << 20).unwrap();
    gpu.read_async(Some(&stream), a, &pinned, 0, 1 << 20).unwrap();
    gpu.record_in(Some(&stream), &event).unwrap();
    gpu.synchronize().unwrap();
    drop(gpu);
    let mut last = [0];
    pinned.read((1 << 20) - 1, &mut last).unwrap();
    assert_eq!(last, [3]);
}

const BYTE: ArrayFormat = ArrayFormat { number: 0x01, bytes: 1, channels: 1 };
const INT: ArrayFormat = ArrayFormat { number: 0x0a, bytes: 4, channels: 1 };
const FLOAT: ArrayFormat = ArrayFormat { number: 0x20, bytes: 4, channels: 1 };
const CLAMP: i32 = 1;
const BORDER: i32 = 3;
/// 16 bytes by 4 rows.
const ALL: ArrayPart = ArrayPart { x: 0, y: 0, width: 16, rows: 4 };
const PITCH: u64 = 512;

/// Columns beyond the texture are clamped, and rows beyond it are zero.
const BYTES: TextureSettings = TextureSettings {
    address: [CLAMP, BORDER],
    linear_filter: false,
    as_integers: true,
    normalized: false,
    border: [0.0; 4],
};

fn images(gpu: &Gpu) {
    let picture: Vec<u8> = (100..164).collect();
    let array = gpu.alloc_array(BYTE, 16, 4, true, false).unwrap();
    gpu.write_array(array, ALL, &picture).unwrap();
    let mut middle = [0; 6];
    gpu.read_array(array, ArrayPart { x: 4, y: 1, width: 3, rows: 2 }, &mut middle).unwrap();
    assert_eq!(middle, [120, 121, 122, 136, 137, 138]);

    let (rows, out) = (gpu.alloc(4 * PITCH).unwrap(), gpu.alloc(256).unwrap());
    gpu.copy_from_array(rows, PITCH, array, ALL).unwrap();
    for memory in [
        TextureMemory::Array(array),
        TextureMemory::Rows { address: rows, format: BYTE, width: 16, rows: 4, pitch: PITCH },
    ] {
        let texture = gpu.create_texture(memory, &BYTES).unwrap();
        gpu.launch(
            "look",
            [1; 3],
            [18, 6, 1],
            0,
            &[texture.to_le_bytes().to_vec(), out.to_le_bytes().to_vec()],
        )
        .unwrap();
        let mut seen = [1; 108];
        gpu.read(out, &mut seen).unwrap();
        let row = |y: usize| {
            [&picture[16 * y..][..1], &picture[16 * y..][..16], &picture[16 * y + 15..][..1]].concat()
        };
        let expected = [vec![0; 18], row(0), row(1), row(2), row(3), vec![0; 18]].concat();
        assert_eq!(seen[..], expected[..], "{memory:?}");
        gpu.destroy_texture(texture).unwrap();
        assert_eq!(code(gpu.destroy_texture(texture)), 1);
    }

    let linear = TextureMemory::Linear { address: rows, bytes: 16, format: INT };
    let texture = gpu.create_texture(linear, &BYTES).unwrap();
    gpu.launch("fetch", [1; 3], [4, 1, 1], 0, &[texture.to_le_bytes().to_vec(), out.to_le_bytes().to_vec()])
        .unwrap();
    assert_eq!(ints(gpu, out, 4), ints(gpu, rows, 4));
    gpu.destroy_texture(texture).unwrap();

    let surface = gpu.create_surface(array).unwrap();
    gpu.launch("paint", [1; 3], [16, 4, 1], 0, &[surface.to_le_bytes().to_vec()]).unwrap();
    let mut painted = [0; 64];
    gpu.read_array(array, ALL, &mut painted).unwrap();
    assert_eq!((painted[0], painted[15], painted[63]), (0, 15, 45));
    gpu.destroy_surface(surface).unwrap();
    gpu.copy_to_array(array, ALL, rows, PITCH).unwrap();
    gpu.read_array(array, ALL, &mut painted).unwrap();
    assert_eq!(painted[..], picture[..]);

    let floats = gpu.alloc_array(FLOAT, 2, 2, false, true).unwrap();
    let values: Vec<u8> = [1_f32, 3.0, 1.0, 3.0].iter().flat_map(|value| value.to_le_bytes()).collect();
    gpu.write_array(floats, ArrayPart { x: 0, y: 0, width: 8, rows: 2 }, &values).unwrap();
    let settings = TextureSettings {
        address: [BORDER; 2],
        linear_filter: true,
        as_integers: false,
        normalized: true,
        border: [7.0; 4],
    };
    let texture = gpu.create_texture(TextureMemory::Array(floats), &settings).unwrap();
    gpu.launch("blend", [1; 3], [1; 3], 0, &[texture.to_le_bytes().to_vec(), out.to_le_bytes().to_vec()])
        .unwrap();
    assert_eq!(ints(gpu, out, 2), [2_f32, 7.0].map(|value| value.to_bits().cast_signed()));

    assert_eq!(code(gpu.write_array(array, ALL, &picture[1..])), 1);
    assert_eq!(code(gpu.write_array(array, ArrayPart { x: 1, ..ALL }, &picture)), 1);
    assert_eq!(code(gpu.alloc_array(ArrayFormat { number: 0x77, ..BYTE }, 1, 1, false, false)), 1);
    assert_eq!(code(gpu.create_texture(linear, &TextureSettings { address: [CLAMP, 4], ..BYTES })), 1);
    assert_eq!(code(gpu.create_surface(array + 8)), 1);
    gpu.free_array(array).unwrap();
    assert_eq!(code(gpu.free_array(array)), 1);
    assert_eq!(code(gpu.create_texture(TextureMemory::Array(array), &BYTES)), 1);
    // The texture and its array stay, for the GPU to destroy.
    gpu.free(rows).unwrap();
    gpu.free(out).unwrap();
}
