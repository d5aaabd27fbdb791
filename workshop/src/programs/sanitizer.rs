//! The same programs under NVIDIA's compute-sanitizer: its findings beside ours.

use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use records::Sanitized;

use super::load::Program;
use super::standalone;
use judge::exit::Stop;

/// Time for one program under the tool: a kernel that hangs is killed.
const LIMIT: Duration = Duration::from_secs(20);

/// Builds a program with nvcc and runs it under its tool; `None` if its header names none.
pub fn sanitize(program: &Program, folder: &Path) -> Option<Sanitized> {
    let tool = program.header.sanitizer.clone()?;
    let failed = |said: String| Sanitized { tool: tool.clone(), count: None, lines: Vec::new(), said };
    if let Some(reason) = &program.header.gpu_skip {
        return Some(failed(format!("not run: {reason}")));
    }
    let stem = program.name.replace('/', "__");
    let (source, binary) = (folder.join(format!("{stem}.cu")), folder.join(&stem));
    if let Err(error) = fs::write(&source, standalone::text(program)) {
        return Some(failed(format!("failed to write the program: {error}")));
    }
    let mut nvcc = Command::new("nvcc");
    nvcc.args(["-lineinfo", "-std=c++17", "-arch=native", "-w", "-I"])
        .arg(folder)
        .arg("-o")
        .arg(&binary)
        .arg(&source);
    match nvcc.output() {
        Err(error) => return Some(failed(format!("nvcc: {error}"))),
        Ok(output) if !output.status.success() => {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            return Some(failed(format!("nvcc: {}", text.lines().next().unwrap_or_default())));
        }
        Ok(_) => {}
    }
    let mut sanitizer = Command::new("compute-sanitizer");
    sanitizer.args(["--tool", &tool]);
    if tool == "racecheck" {
        sanitizer.args(["--racecheck-report", "all"]);
    }
    let log = folder.join(format!("{stem}.log"));
    match run(sanitizer.arg(&binary), &log) {
        Err(error) => Some(failed(error)),
        Ok(text) => Some(read(&tool, &text, &format!("{stem}.cu"))),
    }
}

/// The headers that a program may include.
pub fn write_headers(folder: &Path) -> Result<(), Stop> {
    let text =
        kernels::HEADERS.iter().find(|header| header.name == "workbook.cuh").map_or("", |header| header.text);
    fs::write(folder.join("workbook.cuh"), text)
        .map_err(|error| Stop::environment(format!("failed to write `{}`: {error}", folder.display())))
}

/// Runs a command with its output in a file, and kills it at the limit.
fn run(command: &mut Command, log: &Path) -> Result<String, String> {
    let mut attempt = || -> io::Result<Option<String>> {
        let out = fs::File::create(log)?;
        let errors = out.try_clone()?;
        let mut child = command.process_group(0).stdin(Stdio::null()).stdout(out).stderr(errors).spawn()?;
        let end = Instant::now() + LIMIT;
        while child.try_wait()?.is_none() {
            if Instant::now() > end {
                // The program that the tool started too.
                let group = format!("-{}", child.id());
                Command::new("kill").args(["-9", "--", &group]).status()?;
                child.wait()?;
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(Some(String::from_utf8_lossy(&fs::read(log)?).into_owned()))
    };
    match attempt() {
        Ok(Some(text)) => Ok(text),
        Ok(None) => Err(format!("did not end within {} s", LIMIT.as_secs())),
        Err(error) => Err(format!("compute-sanitizer: {error}")),
    }
}

/// Takes the report apart: its summary, its first complaint, and the lines of `file` that it names.
fn read(tool: &str, text: &str, file: &str) -> Sanitized {
    let said = text.lines().filter_map(|line| line.strip_prefix("========= "));
    let summary = said.clone().find(|line| line.contains("SUMMARY"));
    let number = |line: &str| line.split_whitespace().find_map(|word| word.parse::<u64>().ok());
    let mut lines: Vec<u32> = text
        .split(file)
        .skip(1)
        .filter_map(|after| {
            after.strip_prefix(':')?.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
        })
        .collect();
    lines.sort_unstable();
    lines.dedup();
    let ours = |line: &&str| !line.starts_with("COMPUTE-SANITIZER") && !line.contains("SUMMARY");
    Sanitized {
        tool: tool.to_owned(),
        count: summary.and_then(number),
        lines,
        said: said.clone().find(ours).unwrap_or_default().trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    /// As compute-sanitizer 2024 and 2025 word them.
    #[test]
    fn a_report_is_read() {
        let text = "========= COMPUTE-SANITIZER\n========= Invalid __global__ write of size 4 bytes\n\
            =========     at kernel(int *)+0xb0 in /t/memory__past.cu:12\n=========     Host Frame: run in \
            /t/memory__past.cu:20\n========= ERROR SUMMARY: 3 errors\n";
        let found = read("memcheck", text, "memory__past.cu");
        assert_eq!((found.count, &found.lines[..]), (Some(3), &[12, 20][..]));
        assert_eq!(found.said, "Invalid __global__ write of size 4 bytes");
        let text = "========= COMPUTE-SANITIZER\n========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n";
        let found = read("racecheck", text, "x.cu");
        assert_eq!((found.count, found.lines.len(), found.said.as_str()), (Some(0), 0, ""));
        assert_eq!(read("memcheck", "", "x.cu").count, None);
    }
}
