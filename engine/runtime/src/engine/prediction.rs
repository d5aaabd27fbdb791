//! What a piece of work takes by the timing model, on the picture it was counted on or on a taller one.

use simulator::model::{self, Gpu, Model, Whole, link};

use super::interface::{HostMemory, Transfer, Work};

/// Copies of so few bytes are taken for tables and counters, which do not grow with the picture.
pub const TABLE_BYTES: u64 = 4096;

/// Copies of so many bytes of ordinary memory the driver takes along with its commands: what is queued before them is not
/// waited for, where calls come one right after the other.
pub const TAKEN_ALONG: u64 = 64 << 10;

/// The picture itself.
pub fn as_it_is(work: &Work) -> Whole {
    let blocks = if let Work::Kernel(kernel) = work { kernel.blocks() } else { 0.0 };
    Whole { scale: 1.0, blocks, earlier: None }
}

/// Seconds of a piece of work on the whole picture.
pub fn seconds(work: &Work, whole: Whole, model: &Model, gpu: &Gpu) -> f64 {
    let of_whole = |bytes: u64| bytes as f64 * of_size(bytes, whole.scale);
    match work {
        Work::Kernel(kernel) => model::seconds(kernel, whole, model, gpu),
        Work::Memory(bytes) => model::memory_seconds(of_whole(*bytes), gpu),
        Work::Host(bytes) => of_whole(*bytes) / link(gpu).pageable_up,
        Work::Transfer(transfer) => {
            let waits = if transfer.waits { model.round_trip } else { 0.0 };
            waits + gpu.launch_seconds + of_whole(transfer.bytes) / speed(transfer, gpu)
        }
    }
}

/// The same where nothing waits but for what the host reads, as calls are timed that stay on the GPU: a table that the host function
/// sends goes along with the launches.
pub fn seconds_gathered(work: &Work, whole: Whole, model: &Model, gpu: &Gpu) -> f64 {
    if let Work::Transfer(Transfer { bytes, up: true, host: HostMemory::Pageable, .. }) = *work {
        let bytes = bytes as f64 * of_size(bytes, whole.scale);
        if bytes <= TAKEN_ALONG as f64 {
            return gpu.rates.fill_seconds + bytes / link(gpu).pageable_up;
        }
    }
    seconds(work, whole, model, gpu)
}

/// How much larger these bytes are on the whole: tables and counters do not grow.
fn of_size(bytes: u64, scale: f64) -> f64 {
    if bytes <= TABLE_BYTES { 1.0 } else { scale }
}

/// Bytes a second that a transfer moves on the modelled link.
fn speed(transfer: &Transfer, gpu: &Gpu) -> f64 {
    let link = link(gpu);
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
        let at = |bytes, scale| {
            seconds(&Work::Memory(bytes), Whole { scale, blocks: 0.0, earlier: None }, &H200, gpu)
        };
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
