//! Where the words of the threads' own memory lie.

use crate::exec::LANES;
use crate::model::count::requests::passes;
use crate::observe::Request;
use crate::ptx::ast::Space;

/// Bytes of a word.
const WORD: u64 = 4;

/// Where the threads' own memory is taken to begin: beyond all global memory.
const OWN: u64 = 1 << 52;

/// Calls `each` with the words of a request to local memory as they lie in memory: those of a warp's lanes side by side, from
/// [`OWN`] on.
pub(in crate::model::count) fn own_words(
    request: &Request<'_>,
    warp: usize,
    mut each: impl FnMut(&Request<'_>),
) {
    for first in (0..request.bytes).step_by(WORD as usize) {
        let addresses = std::array::from_fn(|lane| {
            // Lanes that do not take part may hold any number.
            let at = u64::from((request.addresses[lane] as u32).wrapping_add(first as u32));
            OWN + ((warp as u64) << 32) + at / WORD * (WORD * LANES as u64) + WORD * lane as u64 + at % WORD
        });
        each(&Request::new(Space::Local, request.kind, request.mask, &addresses, request.bytes.min(WORD)));
    }
}

/// Passes of the load/store pipe for a request to local memory.
pub(in crate::model::count) fn own_passes(request: &Request<'_>) -> u64 {
    let mut all = 0;
    own_words(request, 0, |words| all += passes(words));
    all
}
