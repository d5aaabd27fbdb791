//! Host memory that nothing has written and that is given to the GPU: by a copy, or as an argument of a kernel.

use std::ops::Range;

use simulator::host::HostView;
use simulator::{Finding, Kind, Severity};

use super::calls::{Outcome, Runtime, finding};

impl Runtime<'_> {
    /// A copy has brought these parts of `length` bytes, offsets from `to`, from host memory that nothing had written.
    ///
    /// A simulated GPU finds the kernel that uses one. On a real one, and in a variable of the GPU, whose value a kernel
    /// may have before it begins, all that can be said is that the copy was of nothing.
    pub(super) fn copied_unset(
        &mut self,
        call: &str,
        (to, length): (u64, u64),
        parts: &[Range<u64>],
        host: &HostView<'_>,
    ) -> Outcome<()> {
        let mut followed = true;
        for part in parts {
            let bytes = part.end - part.start;
            followed &= self.engine.copied_unset(to + part.start, bytes, host.location())?;
        }
        let variable = call == "cudaMemcpyToSymbol";
        if all_of(parts, length) && (variable || !followed) {
            let severity = if variable { Severity::Error } else { Severity::Warning };
            let found = finding(
                "W0206",
                Kind::Initialisation,
                format!("`{call}` copies {length} bytes of host memory, and nothing has written any of them"),
                "an array on the host starts with arbitrary contents: fill it before the copy (`int a[8] = {};` for zeros)",
            );
            self.note(host, Finding { severity, ..found });
        }
        Ok(())
    }

    /// Notes the arguments that nothing has written; `places` are their addresses and sizes.
    pub(super) fn note_unset_arguments(
        &mut self,
        kernel: &str,
        places: &[(u64, u64)],
        host: &mut HostView<'_>,
    ) {
        for (index, &(address, size)) in places.iter().enumerate() {
            // A structure without members is a byte that nobody writes.
            if size < 2 || !all_of(&host.undefined(address, size), size) {
                continue;
            }
            let found = finding(
                "W0207",
                Kind::Initialisation,
                format!("argument {} of `{kernel}` has a value that nothing has written", index + 1),
                "give the variable a value before the launch; a pointer gets its by `cudaMalloc(&pointer, bytes)`",
            );
            self.note(host, found);
        }
    }
}

/// Whether these parts are all of so many bytes.
fn all_of(parts: &[Range<u64>], length: u64) -> bool {
    parts.iter().map(|part| part.end - part.start).sum::<u64>() == length
}
