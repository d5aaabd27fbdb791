//! The time of an operation by the timing model, on the picture it was counted on or on a taller one.

use simulator::model::{self, Gpu, Model, Whole};

use super::work::{HostMemory, Transfer, Work};

/// Copies of at most this many bytes count as tables and counters, which do not grow with the picture.
pub(crate) const TABLE_BYTES: u64 = 4096;

/// The driver sends copies of at most this many bytes of pageable memory along with its commands: such an upload does
/// not wait for earlier work, where calls follow each other at once.
pub(crate) const TAKEN_ALONG: u64 = 64 << 10;

/// Instructions per second of the CPU that runs the host function: one core at 2 GHz that ends one instruction of its PTX
/// per cycle. The sequential references of the labs, compiled for the machines that the labs name, are about as fast.
pub const HOST_INSTRUCTIONS_PER_SECOND: f64 = 2e9;

/// Seconds until the driver has served the page faults of managed memory that the other side touches, however little moves: kernel
/// and host that use a page in turn take 45 to 60 µs for each time that it moves (`managed_in_turn` in `workshop/validation/pool`).
const FAULTS: f64 = 50e-6;

/// The operation on the picture that it was counted on.
pub(crate) fn as_it_is(work: &Work) -> Whole {
    let blocks = if let Work::Kernel(kernel) = work { kernel.blocks() } else { 0.0 };
    Whole::new(1.0, blocks)
}

/// Seconds of an operation on the whole picture.
pub fn seconds(work: &Work, whole: Whole, model: &Model, gpu: &Gpu) -> f64 {
    let of_whole = |bytes: u64| bytes as f64 * of_size(bytes, whole.scale);
    match work {
        Work::Kernel(kernel) => model::seconds(kernel, whole, model, gpu),
        Work::Memory(bytes) => model::memory_seconds(of_whole(*bytes), gpu),
        Work::Compute(instructions) => *instructions as f64 * whole.scale / HOST_INSTRUCTIONS_PER_SECOND,
        Work::Host(bytes) => of_whole(*bytes) / gpu.link.pageable_up,
        Work::Transfer(transfer) => {
            let waits = if transfer.waits { model.round_trip } else { 0.0 };
            let faults = if transfer.host == HostMemory::Managed { FAULTS } else { 0.0 };
            waits + faults + gpu.launch_seconds + of_whole(transfer.bytes) / speed(transfer, gpu)
        }
    }
}

/// The same for gathered calls, as the GPU times calls that stay on it: the host waits only for downloads, and a
/// small table goes along with the launches.
pub fn seconds_gathered(work: &Work, whole: Whole, model: &Model, gpu: &Gpu) -> f64 {
    if let Work::Transfer(Transfer { bytes, up: true, host: HostMemory::Pageable, .. }) = *work {
        let bytes = bytes as f64 * of_size(bytes, whole.scale);
        if bytes <= TAKEN_ALONG as f64 {
            return gpu.rates.fill_seconds + bytes / gpu.link.pageable_up;
        }
    }
    seconds(work, whole, model, gpu)
}

/// The growth of a copy of `bytes` to the whole picture: tables and counters do not grow.
fn of_size(bytes: u64, scale: f64) -> f64 {
    if bytes <= TABLE_BYTES { 1.0 } else { scale }
}

/// Bytes per second of a transfer on the modelled link.
fn speed(transfer: &Transfer, gpu: &Gpu) -> f64 {
    let link = gpu.link;
    match (transfer.host, transfer.up) {
        (HostMemory::Pageable, true) => link.pageable_up,
        (HostMemory::Pageable, false) => link.pageable_down,
        (HostMemory::Pinned, _) => link.pinned,
        (HostMemory::Managed, _) => link.managed,
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use simulator::model::{H200, find};

    use super::*;

    #[test]
    fn tables_do_not_grow_and_images_do() {
        let gpu = find("h200").unwrap();
        let at = |bytes, scale| seconds(&Work::Memory(bytes), Whole::new(scale, 0.0), &H200, gpu);
        assert_eq!(at(1024, 1.0).to_bits(), at(1024, 100.0).to_bits());
        assert!(at(1 << 20, 100.0) > 10.0 * at(1 << 20, 1.0));
    }

    #[test]
    fn a_table_is_not_waited_for_and_much_is() {
        let gpu = find("h200").unwrap();
        let sent = |bytes| {
            let host = HostMemory::Pageable;
            let work = Work::Transfer(Transfer { bytes, up: true, host, waits: true });
            let whole = as_it_is(&work);
            [seconds(&work, whole, &H200, gpu), seconds_gathered(&work, whole, &H200, gpu)]
        };
        let [waited_for, gathered] = sent(1024);
        assert!(gathered < 2e-6 && waited_for > 5e-6);
        let [waited_for, gathered] = sent(1 << 17);
        assert_eq!(gathered.to_bits(), waited_for.to_bits());
    }

    #[test]
    fn a_host_that_waits_pays_for_the_way_there_and_back() {
        let gpu = find("h200").unwrap();
        let of = |waits| {
            let transfer = Transfer { bytes: 1024, up: false, host: HostMemory::Pinned, waits };
            let work = Work::Transfer(transfer);
            seconds(&work, as_it_is(&work), &H200, gpu)
        };
        assert!(of(true) > of(false) + 1e-6);
    }
}
