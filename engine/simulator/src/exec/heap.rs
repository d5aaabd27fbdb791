//! `malloc` and `free` in kernels. The heap is one range of global memory, from which each call takes the next bytes: nothing is used
//! twice before the end is reached, so that what a block leaves behind is never taken for what another one wrote.
//!
//! Before each piece stands its size; the first word of the heap says where the next piece begins, the second how many bytes are in
//! use. Kernels that call these run their blocks one after another, as all that need an atomic's old value.

use super::fault::FaultKind;
use super::warp::Warp;
use crate::isa::LANES;
use crate::layout::KERNEL_HEAP;
use crate::memory::View;

/// Bytes that may be in use: the limit of a fresh CUDA context.
const MOST_IN_USE: u64 = 8 << 20;
/// Bytes of the range. More, because pieces that were given back are not used again.
pub(crate) const BYTES: u64 = 2 * MOST_IN_USE;
/// Pieces begin at multiples of this; the size of one stands this far before it, and as much lies free behind it.
const STEP: u64 = 16;
/// Marks the size of a piece that is in use.
const IN_USE: u64 = 0x5eed << 48;

/// Where the next piece begins, from the start of the heap.
const NEXT: u64 = KERNEL_HEAP;
/// How many bytes are in use.
const USED: u64 = KERNEL_HEAP + 8;

/// The address of a new piece; 0 if there is no room, as on a GPU.
fn malloc(view: &mut View<'_>, bytes: u64) -> u64 {
    let size = bytes.clamp(1, BYTES).next_multiple_of(STEP);
    // A kernel may have written anything to these words.
    let in_use = word(view, USED, |old| old);
    if in_use.saturating_add(size) > MOST_IN_USE {
        return 0;
    }
    let is_over = |next: u64| next.saturating_add(size + 2 * STEP) > BYTES;
    if in_use == 0 && is_over(word(view, NEXT, |old| old)) {
        word(view, NEXT, |_| 0);
    }
    let next = word(view, NEXT, |old| old).max(STEP);
    if is_over(next) {
        return 0;
    }
    word(view, NEXT, |_| next + size + 2 * STEP);
    word(view, USED, |_| in_use + size);
    word(view, KERNEL_HEAP + next, |_| IN_USE | size);
    KERNEL_HEAP + next + STEP
}

/// Gives a piece back.
fn free(view: &mut View<'_>, address: u64) -> Result<(), FaultKind> {
    if address == 0 {
        return Ok(());
    }
    let inside =
        address.is_multiple_of(STEP) && (KERNEL_HEAP + 2 * STEP..KERNEL_HEAP + BYTES).contains(&address);
    let marked = if inside { word(view, address - STEP, |_| 0) } else { 0 };
    if marked & IN_USE != IN_USE {
        let message = "`free` or `delete` of an address that `malloc` or `new` did not return, or a second time, or something wrote \
                       in front of the memory";
        return Err(FaultKind::Trap { message: Some(message.to_owned()) });
    }
    word(view, USED, |old| old.saturating_sub(marked & !IN_USE));
    Ok(())
}

/// Changes a word of the heap, and returns its old value.
fn word(view: &mut View<'_>, address: u64, change: impl FnOnce(u64) -> u64) -> u64 {
    match view.locate(&[address; LANES], 1, 8) {
        Ok(located) => view.update(located, address, 8, change),
        // The module was built without a heap: it calls none of these.
        Err(_) => 0,
    }
}

/// The argument of a call, and its result: for every lane in turn.
pub(super) fn call(
    name: &str,
    view: &mut View<'_>,
    warp: &mut Warp,
    mask: u32,
    argument: impl Fn(&Warp, usize) -> u64,
    set_result: impl Fn(&mut Warp, usize, u64),
) -> Result<(), FaultKind> {
    for lane in (0..LANES).filter(|lane| mask >> lane & 1 == 1) {
        let given = argument(warp, lane);
        if name == "malloc" {
            let address = malloc(view, given);
            set_result(warp, lane, address);
        } else {
            free(view, given)?;
        }
    }
    Ok(())
}
