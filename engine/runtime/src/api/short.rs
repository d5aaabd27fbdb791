//! Copies and fills that leave a part of an allocation as it was: what to blame if a kernel reads that part.

use std::collections::BTreeMap;

use simulator::host::HostView;
use simulator::{FROM_UNSET_HOST, Finding, Kind, Label, Location, Rows};

use super::kept::Kept;
use super::state::Runtime;
use crate::engine::ShortWrite;
use crate::finding::Finding as Reported;

/// What to try after a copy to the host that ends too early.
const TO_HOST: &str = "where do the values in the host's array come from? A copy to the host counts bytes, not elements: n elements need \
                       `n * sizeof(element)`";

/// What to try after a copy to the host of what a fill or copy has left out.
const LEFT_OUT: &str = "the host reads here what a copy from the GPU brought, and nothing had written it there: copies and fills count \
                        bytes, not elements, and n elements need `n * sizeof(element)`";

/// What to try after a copy to the host of what no kernel has written.
const TOO_EARLY: &str = "the host reads here what a copy from the GPU brought, and nothing had written it there: fill the memory before \
                         (`cudaMemset`), launch the kernel before the copy, and let it write every element";

/// What to try after a copy in the wrong direction.
const SWAPPED: &str = "did you mean to copy from the GPU to this array? The destination comes first: `cudaMemcpy(host, device, bytes, \
                       cudaMemcpyDeviceToHost)`. Else set every element before the first use (`int a[8] = {};`)";

/// A copy.
#[derive(Debug, Clone)]
pub struct Landed {
    call: String,
    location: Location,
}

/// A finding on an input that has changed, at the copy that wrote to it, if one of these did.
#[must_use]
pub fn at_its_copy(mut finding: Reported, landed: &BTreeMap<String, Landed>) -> Reported {
    let name = finding.message.split('`').nth(1).unwrap_or_default();
    let Some(Landed { call, location }) = landed.get(name) else { return finding };
    let other = match call.strip_prefix("cudaMemcpyFromSymbol") {
        Some(_) => "To fill a variable of the GPU from it: `cudaMemcpyToSymbol`",
        None => "To read from it, pass it second, with the direction that fits",
    };
    finding.hint =
        format!("`{call}` writes to `{name}` here: the first argument is where the bytes go. {other}");
    finding.at(&location.file, location.line, location.column)
}

/// How the program's copies and fills have left an allocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Written {
    /// One of them wrote all of it, the last one a fill.
    Whole { fill: bool },
    /// One wrote a part of it.
    Short(ShortWrite),
    /// Several wrote parts of it, or rows with gaps.
    Often,
}

impl Runtime<'_> {
    /// Records a copy from these bytes on the device to the host: one that looks as if it counted elements may have left the rest of
    /// the host's array as it was.
    pub(super) fn host_read(&mut self, from: Rows, host: &HostView<'_>) {
        let Some((allocation, room)) = self.allocation_at(from.address) else { return };
        let (length, size) = (from.bytes(), allocation.bytes);
        let elements = room == size && size.is_multiple_of(length) && [2, 4, 8].contains(&(size / length));
        if let Some(location) = host.location().filter(|_| elements) {
            let text = format!("only {length} of {size} bytes");
            self.kept.short_download = Some(Label { location: location.clone(), text });
        }
    }

    /// Adds such a copy to a finding on undefined values that came from the host.
    pub(super) fn with_short_download(&self, mut found: Finding) -> Finding {
        let from_host = found.labels.iter().any(|label| label.text == FROM_UNSET_HOST);
        if let Some(label) = self.kept.short_download.as_ref().filter(|_| from_host) {
            found.labels.push(label.clone());
            TO_HOST.clone_into(&mut found.hint);
        }
        found
    }

    /// Records the first copy to memory that has a name, such as that of a parameter.
    pub(super) fn lands(&mut self, call: &str, to: Rows, host: &HostView<'_>) {
        let of_gpu = self.allocation_at(to.address).map(|(known, _)| known.name.as_str());
        if let (Some(name), Some(location)) = (of_gpu.or_else(|| host.name_at(to.address)), host.location())
            && !self.landed.contains_key(name)
        {
            let landed = Landed { call: call.to_owned(), location: location.clone() };
            self.landed.insert(name.to_owned(), landed);
        }
    }

    /// Records that a copy brings the host what nothing on the device has written.
    pub(super) fn host_read_unset(&mut self, from: Rows, host: &HostView<'_>) {
        let Some(location) = host.location().filter(|_| self.kept.unset_download.is_empty()) else { return };
        let Some((&base, allocation)) = self.kept.allocations.range(..=from.address).next_back() else {
            return;
        };
        let text = format!("copies from `{}` what nothing has written", allocation.name);
        let short = match self.kept.written.get(&base) {
            Some(Written::Short(short)) => short.label(),
            _ => None,
        };
        let label = Label { location: location.clone(), text };
        self.kept.unset_download = std::iter::once(label).chain(short).collect();
    }

    /// Records that a copy brings the device host memory that nothing has written.
    pub(super) fn host_sent_unset(&mut self, to: Rows, host: &HostView<'_>) {
        let name = self.allocation_at(to.address).map(|(allocation, _)| allocation.name.clone());
        if let (Some(name), Some(location), None) = (name, host.location(), &self.kept.unset_upload) {
            let text = format!("copies to `{name}` from host memory that nothing has written");
            self.kept.unset_upload = Some(Label { location: location.clone(), text });
        }
    }

    /// Records a copy to these bytes on the device, or a fill of them.
    pub(super) fn host_wrote(&mut self, call: &str, to: Rows, fill: bool, host: &HostView<'_>) {
        let Some((&base, allocation)) = self.kept.allocations.range(..=to.address).next_back() else {
            return;
        };
        let whole = base..base + allocation.bytes;
        let written = to.address..to.address + to.extent();
        let before = self.kept.written.get(&base);
        let short = |after_fill| {
            let (name, call) = (allocation.name.clone(), call.to_owned());
            let (whole, written) = (whole.clone(), written.clone());
            Written::Short(ShortWrite {
                whole,
                written,
                name,
                call,
                after_fill,
                location: host.location().cloned(),
            })
        };
        let after = match before {
            _ if to.rows > 1 => Written::Often,
            _ if written == whole => Written::Whole { fill },
            None => short(false),
            Some(Written::Whole { fill: true }) if !fill => short(true),
            Some(Written::Whole { fill }) => Written::Whole { fill: *fill },
            // The same line in the next call.
            Some(Written::Short(known)) if short(known.after_fill) == Written::Short(known.clone()) => return,
            Some(Written::Short(_) | Written::Often) => Written::Often,
        };
        if before != Some(&after) {
            let short = if let Written::Short(short) = &after { Some(short) } else { None };
            self.engine.written_in_part(base, short);
            self.kept.written.insert(base, after);
        }
    }
}

impl Kept {
    /// A remark on the host function, with the copy that brought the values that nothing has written.
    #[must_use]
    pub fn with_copies(&self, mut remark: Finding) -> Finding {
        if remark.kind != Kind::Initialisation || remark.thread.is_some() {
            return remark;
        }
        let (labels, hint): (Vec<&Label>, _) = match (&self.unset_download[..], &self.short_download) {
            ([], Some(short)) => (vec![short], TO_HOST),
            ([], None) => (self.unset_upload.iter().collect(), SWAPPED),
            ([copy], _) => (vec![copy], TOO_EARLY),
            (both, _) => (both.iter().collect(), LEFT_OUT),
        };
        if !labels.is_empty() {
            remark.labels.extend(labels.into_iter().cloned());
            hint.clone_into(&mut remark.hint);
        }
        remark
    }
}
