//! Copies and fills that leave a part of an allocation as it was: what to blame if a kernel reads that part.

use simulator::host::HostView;
use simulator::{FROM_UNSET_HOST, Finding, Label, Rows};

use super::state::Runtime;
use crate::engine::ShortWrite;

/// What to try after a copy to the host that ends too early.
const TO_HOST: &str = "where do the values in the host's array come from? A copy to the host counts bytes, not elements: n elements need \
                       `n * sizeof(element)`";

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
