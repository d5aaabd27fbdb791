//! A test program on a real GPU, in a worker process of its own.

use std::time::Duration;

use cuda::driver::DeviceProperties;

use super::compile::Compiled;
use super::judge;
use super::load::Program;
use super::simulate::{Ran, job};
use runtime::job::Failure;
use runtime::remote::{Images, RemoteGpu};
use runtime::worker::Target;

/// Time for one program.
const LIMIT: Duration = Duration::from_secs(10);

/// The outcome of a program on a GPU, in words; the error names the difference from its header.
pub fn compare(
    program: &Program,
    compiled: &Compiled,
    device: &DeviceProperties,
    yardstick: &[u8],
    simulated: Option<&Ran>,
) -> Result<String, String> {
    if let Some(reason) = &program.header.gpu_skip {
        return Ok(format!("not run: {reason}"));
    }
    let images = Images {
        host: compiled.host_ptx.clone().into_bytes(),
        device: compiled.cubin.clone().ok_or("there is no machine code")?,
        yardstick: yardstick.to_vec(),
    };
    let binary = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut gpu = RemoteGpu::with(binary, Target::Gpu(device.index), images, LIMIT);
    let outcome = gpu.run(&job(&program.header));
    if program.header.is_defect() {
        // Anything may happen; the report tells which.
        return match outcome {
            Err(Failure::Broken(reason)) => Err(reason),
            Err(failure) => Ok(failure.to_string()),
            Ok(outcome) => match outcome.findings.first() {
                Some(finding) => Ok(judge::shown(finding)),
                None => Ok("nothing is noticed".to_owned()),
            },
        };
    }
    let mut outcome = outcome.map_err(|failure| failure.to_string())?;
    if let Some(finding) = outcome.findings.iter().find(|finding| finding.is_error()) {
        return Err(format!("{}: {}", judge::shown(finding), finding.message));
    }
    let outputs = outcome.outputs.pop().unwrap_or_default();
    checker::programs::outputs(&program.header.parameters, &outputs)?;
    judge::printed(&program.header, &outcome.printed)?;
    let differs = simulated.is_some_and(|ran| !ran.outputs.is_empty() && ran.outputs != outputs);
    // Where the header gives no values, engines may differ: that order is nobody's promise.
    if differs && program.header.gives_all_values() {
        return Err("leaves other bytes than the simulator".to_owned());
    }
    Ok("equal".to_owned())
}
