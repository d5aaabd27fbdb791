//! Undefined values (host memory that nothing has written) that go to the GPU: by a copy, or as a kernel's argument.

use std::ops::Range;

use simulator::host::HostView;
use simulator::{Finding, Kind, Rows, Severity};

use super::state::{Outcome, Runtime, finding};

impl Runtime<'_> {
    /// Records that a copy brought undefined values: `parts` of the bytes of `to`, numbered without gaps between rows.
    ///
    /// A simulated GPU finds the kernel that uses one of them. A real GPU cannot, nor can either follow a variable of
    /// the GPU, whose value a kernel may load before it begins: there a copy of undefined values only is reported
    /// itself.
    pub(super) fn copied_unset(
        &mut self,
        call: &str,
        to: Rows,
        parts: &[Range<u64>],
        host: &HostView<'_>,
    ) -> Outcome<()> {
        let mut followed = true;
        for place in parts.iter().flat_map(|part| to.places(part.clone())) {
            let bytes = place.end - place.start;
            followed &= self.engine.copied_unset(place.start, bytes, host.location())?;
        }
        let length = to.bytes();
        // The compiler may keep other values in a part of an array that nothing fills.
        if 2 * parts.iter().map(|part| part.end - part.start).sum::<u64>() > length {
            self.host_sent_unset(to, host);
        }
        let variable = call == "cudaMemcpyToSymbol";
        if all_of(parts, length) && (variable || !followed) {
            let severity = if variable { Severity::Error } else { Severity::Warning };
            let found = finding(
                "W0206",
                Kind::Initialisation,
                format!("`{call}` copies {length} bytes of host memory that nothing has written"),
                "fill the array before the copy (`int a[8] = {};` for zeros): an array on the host starts with arbitrary contents",
            );
            self.note(host, Finding { severity, ..found });
        }
        Ok(())
    }

    /// Reports arguments that nothing has written; `places` are their addresses and sizes.
    pub(super) fn note_unset_arguments(
        &mut self,
        kernel: &str,
        places: &[(u64, u64)],
        host: &mut HostView<'_>,
    ) {
        for (index, &(address, size)) in places.iter().enumerate() {
            // An empty structure is one byte that nothing writes.
            if size < 2 || !all_of(&host.undefined(address, size), size) {
                continue;
            }
            let found = finding(
                "W0207",
                Kind::Initialisation,
                format!("argument {} of `{kernel}` is undefined: nothing has written its value", index + 1),
                "give the variable a value before the launch; for a pointer, call `cudaMalloc(&pointer, bytes)`",
            );
            self.note(host, found);
        }
    }
}

/// Whether these parts cover all of `length` bytes.
fn all_of(parts: &[Range<u64>], length: u64) -> bool {
    parts.iter().map(|part| part.end - part.start).sum::<u64>() == length
}
