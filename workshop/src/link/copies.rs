//! The copies themselves: each kind, of sizes from a few bytes to an image of the labs.

use std::time::Instant;

use cuda::driver::{DeviceProperties, DriverError, Gpu};
use records::Copy;

use runtime::statistics::median;

/// Bytes of a copy. The last is the colour image that the labs time, rounded to the words of the yardstick.
pub const SIZES: [u64; 7] = [16, 4 << 10, 64 << 10, 1 << 20, 16 << 20, 64 << 20, 140_859_280];

/// Measurements of each copy, after one that does not count.
const REPEATS: usize = 15;

/// Measures each kind of copy of each size.
pub fn measure(device: &DeviceProperties, cubin: &[u8]) -> Result<Vec<Copy>, DriverError> {
    let gpu = Gpu::open(device.index, cubin)?;
    let mut rows = Vec::new();
    for bytes in SIZES {
        let on_gpu = gpu.alloc(bytes)?;
        let pinned = gpu.alloc_pinned(bytes)?;
        // Ones, not zeros: the pages exist before the clock starts.
        let mut pageable = vec![1; bytes as usize];
        let wait = || gpu.synchronize();
        rows.push(copy("page-locked", "up", bytes, || {
            timed(|| gpu.write_async(None, on_gpu, &pinned, 0, bytes).and_then(|()| wait()))
        })?);
        rows.push(copy("page-locked", "down", bytes, || {
            timed(|| gpu.read_async(None, on_gpu, &pinned, 0, bytes).and_then(|()| wait()))
        })?);
        rows.push(copy("pageable", "up", bytes, || {
            timed(|| gpu.write(on_gpu, &pageable).and_then(|()| wait()))
        })?);
        rows.push(copy("pageable", "down", bytes, || timed(|| gpu.read(on_gpu, &mut pageable)))?);
        rows.extend(managed(&gpu, on_gpu, &mut pageable)?);
        gpu.free(on_gpu)?;
    }
    Ok(rows)
}

/// Managed memory: the additional time of a kernel on pages that the host has touched, and of the host on pages that the
/// kernel has touched.
fn managed(gpu: &Gpu, out: u64, host: &mut [u8]) -> Result<[Copy; 2], DriverError> {
    let bytes = host.len() as u64;
    let address = gpu.alloc_managed(bytes)?;
    let words = bytes / 16;
    let shape = kernels::yardstick_shape(words, 0);
    let arguments = shape.arguments(address, out, words, 0);
    let touch = || {
        timed(|| {
            gpu.launch(shape.kernel, [shape.blocks, 1, 1], [shape.threads, 1, 1], 0, &arguments)?;
            gpu.synchronize()
        })
    };
    let up = copy("managed", "up", bytes, || {
        gpu.write_managed(address, host)?;
        Ok((touch()? - touch()?).max(0.0))
    })?;
    let down = copy("managed", "down", bytes, || {
        touch()?;
        let first = timed(|| gpu.read_managed(address, host))?;
        Ok((first - timed(|| gpu.read_managed(address, host))?).max(0.0))
    })?;
    gpu.free(address)?;
    Ok([up, down])
}

fn timed(work: impl FnOnce() -> Result<(), DriverError>) -> Result<f64, DriverError> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

/// Measures one kind of copy.
fn copy(
    host_memory: &str,
    direction: &str,
    bytes: u64,
    mut seconds: impl FnMut() -> Result<f64, DriverError>,
) -> Result<Copy, DriverError> {
    seconds()?;
    let all = (0..REPEATS).map(|_| seconds()).collect::<Result<Vec<f64>, _>>()?;
    let middle = median(&all);
    Ok(Copy {
        host_memory: host_memory.to_owned(),
        direction: direction.to_owned(),
        bytes,
        median_microseconds: middle * 1e6,
        best_microseconds: all.iter().copied().fold(f64::INFINITY, f64::min) * 1e6,
        gigabytes_per_second: bytes as f64 / middle * 1e-9,
    })
}
