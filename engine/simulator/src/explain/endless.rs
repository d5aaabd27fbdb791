//! Loops without an end, put into words.

use super::Words;
use crate::finding::Kind;

/// The words for such a loop.
pub(super) fn waiting_in_the_block() -> Words {
    Words::new(
        "W0504",
        Kind::Launch,
        "does not come to an end: this loop waits for a value in shared memory that another thread of the block has to store, and none does",
        "count who arrives: a barrier needs exactly as many arrivals as its `init` says, and a flag has to be stored by a thread that does \
         not wait itself",
    )
}

/// The words for such a loop.
pub(super) fn waiting() -> Words {
    Words::new(
        "W0504",
        Kind::Launch,
        "does not come to an end: this loop waits for a value that another thread has to store, and none does",
        "the blocks of a `<<<…>>>` launch need not run at once: a block that waits for a later one may keep it from starting. \
         End the kernel where blocks have to wait and launch a second one, or use `cudaLaunchCooperativeKernel` and \
         `grid.sync()`. If the threads of one warp wait for each other (a lock), let one thread per warp or block take it",
    )
}

/// The words for a host function that needs too many instructions: whether it ends is not known.
pub(super) fn on_the_host() -> Words {
    Words::new(
        "W0504",
        Kind::Host,
        "the host function needs more instructions than the checker gives it, and was stopped here: a loop has no end, or it does the \
         work of a kernel",
        "does this loop run once per pixel? Then let a kernel do it. Else check that its condition becomes false: does the index grow by a \
         step that is not zero, and is it compared with the right bound?",
    )
}

/// The words for a loop that was seen to come back to the same values.
pub(super) fn comes_back(host: bool) -> Words {
    Words::new(
        "W0504",
        if host { Kind::Host } else { Kind::Launch },
        "does not come to an end: the variables of this loop have the same values again, turn after turn",
        "find the variable that is to end the loop, and work out its next values for this thread: is it changed at all, and is its step \
         0 here (`i += n` with n = 0, `i *= 2` from 0 on, `i /= 2` at 0), or its type too narrow (a `uint8_t` is always below 256)?",
    )
}
