//! Runs a kernel with every analysis, for the tests of what they find.

use std::sync::Arc;

use simulator::{Checks, Device, Finding, Launch, LaunchReport, Limits, Module, Severity};

/// An argument of a kernel.
pub enum Argument {
    /// An `int`.
    Int(i32),
    /// A buffer of so many bytes, fresh from `cudaMalloc`.
    Fresh(usize),
    /// A buffer of so many zeros.
    Zeros(usize),
    /// A buffer with these contents.
    Bytes(Vec<u8>),
    /// The same as `int`s: 0, 1, 2 …
    Count(usize),
    /// So many elements of so many bytes, each with only these bytes defined.
    Holes(usize, usize, &'static [usize]),
}

/// A file of kernels.
pub struct Programs {
    /// Compiled.
    pub ptx: &'static str,
    /// Its source.
    pub source: &'static str,
}

impl Programs {
    /// The line that holds this text.
    pub fn line_of(&self, text: &str) -> u32 {
        let mut lines = self.source.lines().enumerate().filter(|(_, line)| line.contains(text));
        let (line, _) = lines.next().unwrap_or_else(|| panic!("`{text}` is in the source"));
        line as u32 + 1
    }

    /// The line that holds this text in this kernel.
    pub fn line_in(&self, kernel: &str, text: &str) -> u32 {
        let from = self.line_of(&format!("void {kernel}("));
        let lines = self.source.lines().enumerate().skip(from as usize - 1);
        let mut lines = lines.filter(|(_, line)| line.contains(text));
        let (line, _) = lines.next().unwrap_or_else(|| panic!("`{text}` is in `{kernel}`"));
        line as u32 + 1
    }

    /// Runs a kernel with these checks.
    pub fn run(
        &self,
        kernel: &str,
        grid: u32,
        block: [u32; 2],
        arguments: &[Argument],
        checks: Checks,
    ) -> LaunchReport {
        let limits = Limits { block_instructions: 1_000_000, ..Limits::default() };
        let mut device = Device::new(Arc::new(Module::from_ptx(self.ptx).expect("valid PTX")), limits);
        let mut bytes = Vec::new();
        let mut fill = |device: &mut Device, contents: &[u8], defined: bool| {
            let name = format!("argument {}", bytes.len());
            let address = device.alloc(contents.len() as u64, &name).unwrap();
            if defined {
                device.write(address, contents).unwrap();
            } else {
                device.write_undefined(address, contents).unwrap();
            }
            bytes.push(address.to_le_bytes().to_vec());
            address
        };
        let mut integers = Vec::new();
        for (number, argument) in arguments.iter().enumerate() {
            match argument {
                Argument::Int(value) => integers.push((number, value.to_le_bytes().to_vec())),
                Argument::Fresh(size) => {
                    fill(&mut device, &vec![0x5a; *size], false);
                }
                Argument::Zeros(size) => {
                    fill(&mut device, &vec![0; *size], true);
                }
                Argument::Bytes(contents) => {
                    fill(&mut device, contents, true);
                }
                Argument::Count(count) => {
                    let contents: Vec<u8> = (0..*count as u32).flat_map(u32::to_le_bytes).collect();
                    fill(&mut device, &contents, true);
                }
                Argument::Holes(count, size, defined) => {
                    let address = fill(&mut device, &vec![0x11; count * size], false);
                    for element in 0..*count {
                        for at in *defined {
                            device.write(address + (element * size + at) as u64, &[7]).unwrap();
                        }
                    }
                }
            }
        }
        for (number, value) in integers {
            bytes.insert(number, value);
        }
        let grid = [grid, 1, 1];
        let block = [block[0], block[1], 1];
        let launch = Launch {
            kernel,
            grid,
            block,
            dynamic_shared: 512,
            cooperative: false,
            arguments: &bytes,
            checks,
            order: simulator::Order::Forward,
        };
        device.launch(&launch).unwrap()
    }
}

/// The findings as `code now-line before-line`.
pub fn shown(findings: &[Finding]) -> Vec<String> {
    findings
        .iter()
        .map(|finding| {
            let line = |location: &simulator::Location| location.line;
            let now = finding.location.as_ref().map_or(0, line);
            let before = finding.labels.first().map_or(0, |label| line(&label.location));
            format!("{} {now} {before}", finding.code)
        })
        .collect()
}

/// The findings that make a case fail.
pub fn errors(findings: &[Finding]) -> Vec<&Finding> {
    findings.iter().filter(|finding| finding.severity == Severity::Error).collect()
}
