//! `checker dev link`: what a copy between host and GPU takes, for the modelled link.
//!
//! Up and down, from and to page-locked and pageable memory, and managed memory that moves when the other side touches
//! it; from four bytes, which take what any copy takes, to an image of the labs. The largest copies give the speeds of
//! the model.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use cuda::driver::{DeviceProperties, DriverError, Gpu};
use cuda::nvrtc::Target;
use serde::Serialize;

use super::date::today;
use super::rungs;
use crate::build::yardstick;
use crate::exit::{self, Stop};
use crate::judge::driver_name;
use crate::output;
use crate::progress::Progress;
use crate::timing::median;
use crate::workspace::{Workspace, current_folder};

/// Bytes of a copy. The last is the colour image that the labs time, rounded to the words of the yardstick.
const SIZES: [u64; 7] = [16, 4 << 10, 64 << 10, 1 << 20, 16 << 20, 64 << 20, 140_859_280];

/// Measurements of each copy, after one that does not count.
const REPEATS: usize = 15;

/// All of it, as it is committed.
#[derive(Debug, Serialize)]
struct Measured {
    gpu: String,
    driver: String,
    date: String,
    command: String,
    compiler: String,
    what: &'static str,
    rows: Vec<Row>,
}

/// One kind of copy of one size.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Row {
    host_memory: &'static str,
    direction: &'static str,
    bytes: u64,
    median_microseconds: f64,
    best_microseconds: f64,
    gigabytes_per_second: f64,
}

/// Measures, writes the JSON and, if asked for, the model's constants; prints a table.
pub fn run(out: &Path, constants: Option<&Path>) -> Result<ExitCode, Stop> {
    let here = current_folder()?;
    let workspace = Workspace::find(&here)?;
    let progress = Progress::new();
    let (setup, device) = rungs::setup(&progress, "checker dev link")?;
    progress.say("copying");
    let cubin = yardstick(&setup.compiler, Target::Cubin(device.capability))?;
    let rows = measure(&device, &cubin)
        .map_err(|error| Stop::environment(format!("failed to time copies on {}: {error}", device.name)))?;
    drop(progress);
    let shown = workspace.shown(&here.join(out));
    if let Some(path) = constants {
        std::fs::write(path, source(&rows, &device.name, &shown))
            .map_err(|error| Stop::environment(format!("failed to write `{}`: {error}", path.display())))?;
    }
    let measured = Measured {
        gpu: device.name.clone(),
        driver: driver_name(device.driver_version),
        date: today(),
        command: format!("checker dev link --out {shown}"),
        compiler: setup.compiler_name(),
        what: "copies between host and GPU until the host knows that they are done; managed: what a kernel or the host \
               takes longer the first time, when the pages move",
        rows,
    };
    output::json_file(out, &measured)?;
    output::text(&text(&measured))?;
    Ok(ExitCode::from(exit::PASSED))
}

fn measure(device: &DeviceProperties, cubin: &[u8]) -> Result<Vec<Row>, DriverError> {
    let gpu = Gpu::open(device.index, cubin)?;
    let mut rows = Vec::new();
    for bytes in SIZES {
        let on_gpu = gpu.alloc(bytes)?;
        let pinned = gpu.alloc_pinned(bytes)?;
        // Ones, not zeros: the pages exist before the clock starts.
        let mut pageable = vec![1; bytes as usize];
        let wait = || gpu.synchronize();
        rows.push(row("page-locked", "up", bytes, || {
            timed(|| gpu.write_async(None, on_gpu, &pinned, 0, bytes).and_then(|()| wait()))
        })?);
        rows.push(row("page-locked", "down", bytes, || {
            timed(|| gpu.read_async(None, on_gpu, &pinned, 0, bytes).and_then(|()| wait()))
        })?);
        rows.push(row("pageable", "up", bytes, || {
            timed(|| gpu.write(on_gpu, &pageable).and_then(|()| wait()))
        })?);
        rows.push(row("pageable", "down", bytes, || timed(|| gpu.read(on_gpu, &mut pageable)))?);
        rows.extend(managed(&gpu, on_gpu, &mut pageable)?);
        gpu.free(on_gpu)?;
    }
    Ok(rows)
}

/// Managed memory: what a kernel takes longer on pages that the host has touched, and the host on pages that the
/// kernel has.
fn managed(gpu: &Gpu, out: u64, host: &mut [u8]) -> Result<[Row; 2], DriverError> {
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
    let up = row("managed", "up", bytes, || {
        gpu.write_managed(address, host)?;
        Ok((touch()? - touch()?).max(0.0))
    })?;
    let down = row("managed", "down", bytes, || {
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
fn row(
    host_memory: &'static str,
    direction: &'static str,
    bytes: u64,
    mut seconds: impl FnMut() -> Result<f64, DriverError>,
) -> Result<Row, DriverError> {
    seconds()?;
    let all = (0..REPEATS).map(|_| seconds()).collect::<Result<Vec<f64>, _>>()?;
    let middle = median(&all);
    Ok(Row {
        host_memory,
        direction,
        bytes,
        median_microseconds: middle * 1e6,
        best_microseconds: all.iter().copied().fold(f64::INFINITY, f64::min) * 1e6,
        gigabytes_per_second: bytes as f64 / middle * 1e-9,
    })
}

/// Bytes a second of the largest copies of a kind: both directions together, or one.
fn speed(rows: &[Row], host_memory: &str, direction: Option<&str>) -> f64 {
    let largest = SIZES[SIZES.len() - 1];
    let of_kind = |row: &&Row| {
        row.bytes == largest
            && row.host_memory == host_memory
            && direction.is_none_or(|direction| direction == row.direction)
    };
    let (bytes, seconds) = rows.iter().filter(of_kind).fold((0, 0.0), |(bytes, seconds), row| {
        (bytes + row.bytes, seconds + row.median_microseconds * 1e-6)
    });
    bytes as f64 / seconds
}

/// The model's constants as the source file that holds them.
fn source(rows: &[Row], gpu: &str, from: &str) -> String {
    let speed = |memory, direction| format!("{:.3e}", speed(rows, memory, direction));
    format!(
        "//! The link of an H200. Written by `checker dev link --constants`; not by hand.\n\n\
         use super::link::Link;\n\n\
         /// Measured on an {gpu}, copies of {} bytes.\n\
         pub const H200: Link = Link {{\n    pinned: {},\n    pageable_up: {},\n    pageable_down: {},\n    \
         managed: {},\n    source: \"measured, {from}\",\n}};\n",
        SIZES[SIZES.len() - 1],
        speed("page-locked", None),
        speed("pageable", Some("up")),
        speed("pageable", Some("down")),
        speed("managed", None),
    )
}

fn text(measured: &Measured) -> String {
    let mut out = format!("{}, driver {}, {}\n", measured.gpu, measured.driver, measured.date);
    let _ = writeln!(out, "{:12} {:5} {:>12} {:>12} {:>8}", "host memory", "", "bytes", "median us", "GB/s");
    for row in &measured.rows {
        let _ = writeln!(
            out,
            "{:12} {:5} {:>12} {:>12.2} {:>8.2}",
            row.host_memory, row.direction, row.bytes, row.median_microseconds, row.gigabytes_per_second
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn rows() -> Vec<Row> {
        let row = |host_memory, direction, bytes: u64, median_microseconds: f64| Row {
            host_memory,
            direction,
            bytes,
            median_microseconds,
            best_microseconds: median_microseconds,
            gigabytes_per_second: bytes as f64 / median_microseconds * 1e-3,
        };
        let large = SIZES[SIZES.len() - 1];
        vec![
            row("page-locked", "up", 16, 8.0),
            row("page-locked", "up", large, 2000.0),
            row("page-locked", "down", large, 3000.0),
            row("pageable", "up", large, 10_000.0),
            row("pageable", "down", large, 20_000.0),
            row("managed", "up", large, 4000.0),
            row("managed", "down", large, 4000.0),
        ]
    }

    #[test]
    fn the_largest_copies_give_the_speeds() {
        let text = source(&rows(), "NVIDIA H200", "book/data/link-h200.json");
        for line in
            ["pinned: 5.634e10,", "pageable_up: 1.409e10,", "pageable_down: 7.043e9,", "managed: 3.521e10,"]
        {
            assert!(text.contains(line), "{line} in\n{text}");
        }
        assert!(text.contains("source: \"measured, book/data/link-h200.json\""), "{text}");
    }

    #[test]
    fn sizes_are_whole_words_of_the_kernel_that_touches_them() {
        assert_eq!(SIZES.map(|bytes| bytes % 16), [0; 7]);
    }
}
