//! Files that ask for more than the simulator has, in words.

use super::Words;
use crate::finding::Kind;

/// The instructions of a call's launches are spent.
pub(super) fn launch() -> Words {
    Words::new(
        "W0504",
        Kind::Launch,
        "needs more instructions than the checker simulates for a picture of this size, together with the launches before it",
        "a kernel needs some tens of instructions per pixel: look for a loop that does not end, for threads that all repeat the \
         same work, and for a loop of launches on the host",
    )
}

/// More than `bytes` bytes are written at once: by a launch, or by the host function between two runtime calls.
pub(super) fn memory(bytes: u64, host: bool) -> Words {
    let mebibytes = bytes >> 20;
    if host {
        return Words::new(
            "W0631",
            Kind::Host,
            format!("the host function writes to more than {mebibytes} MiB of memory without a runtime call"),
            "check the number of bytes: the pictures of the labs need some MiB",
        );
    }
    Words::new(
        "W0510",
        Kind::Launch,
        format!("one launch writes to more than {mebibytes} MiB of GPU memory"),
        "check the number of bytes that you allocate and fill: the pictures of the labs need some MiB",
    )
}
