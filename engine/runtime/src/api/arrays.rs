//! Arrays: allocating, freeing, copying.

use std::ops::Range;

use kernels::HostCall;
use simulator::host::HostView;
use simulator::image::{Numbers, Texel};
use simulator::{Kind, Rows, TouchedRanges as Touched};

use super::clocks::Op;
use super::resources::Array;
use super::state::{Outcome, Refusal, Runtime, finding, malformed};
use super::transfer::named;
use crate::codes;
use crate::engine::{ArrayShape, Part};

/// `cudaArrayLayered`, `cudaArraySurfaceLoadStore` and `cudaArrayTextureGather`.
const LAYERED: u64 = 1;
const SURFACES: u64 = 2;
const GATHER: u64 = 8;

/// Most pixels per row and most rows of an array (CUDA C Programming Guide, technical specifications, compute capability 6.0 and
/// later; 5.x: 65,536 both).
const MOST_ACROSS: u64 = 131_072;
const MOST_ROWS: u64 = 65_536;
/// The same of each dimension of an array of three, of the rows of one with layers, and of its layers.
const MOST_DEEP: u64 = 16_384;
const MOST_LAYERED: u64 = 32_768;
const MOST_LAYERS: u64 = 2048;

/// The pixel format of a channel description; `None` if there is no such format.
pub(super) fn texel(bits: u64, kind: u64) -> Option<Texel> {
    let [x, y, z, w] = [0, 8, 16, 24].map(|shift| (bits >> shift) as u8);
    let channels = match (y, z, w) {
        (0, 0, 0) => 1,
        (_, 0, 0) if y == x => 2,
        _ if [y, z, w] == [x; 3] => 4,
        _ => return None,
    };
    let numbers = match kind {
        0 => Numbers::Signed,
        1 => Numbers::Unsigned,
        2 => Numbers::Float,
        _ => return None,
    };
    Texel::new(channels, x, numbers)
}

/// All of an array.
fn whole(array: &Array) -> Part {
    Part { x: 0, y: 0, width: array.shape.row_bytes(), rows: array.shape.all_rows() }
}

/// The finding that a pixel format does not exist.
pub(super) fn no_such_format() -> simulator::Finding {
    finding(
        "W0618",
        Kind::Host,
        "the GPU has no pixel format with this channel description".to_owned(),
        "use 1, 2 or 4 channels of the same 8, 16 or 32 bits, such as `cudaCreateChannelDesc<uchar4>()`; there is no \
         format with three channels",
    )
}

impl Runtime<'_> {
    pub(super) fn malloc_array(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[result, bits, kind, width, rows, depth, flags] = words else {
            return Err(malformed(HostCall::MallocArray));
        };
        let Some(texel) = texel(bits, kind) else {
            return self.refuse(host, codes::INVALID_CHANNEL_DESCRIPTOR, no_such_format());
        };
        let layered = flags & LAYERED != 0;
        let most = match (depth, layered) {
            (0, false) => [MOST_ACROSS, MOST_ROWS, 0],
            (_, false) => [MOST_DEEP; 3],
            (_, true) => [MOST_LAYERED, MOST_LAYERED, MOST_LAYERS],
        };
        let fits = [width, rows, depth].iter().zip(most).all(|(size, most)| *size <= most);
        let flat = depth > 0 && rows == 0 || layered && depth == 0;
        if width == 0 || !fits || flat || flags & !(LAYERED | SURFACES | GATHER) != 0 {
            return Err(Refusal::Code(codes::INVALID_VALUE));
        }
        let shape = ArrayShape {
            texel,
            width: width as u32,
            rows: rows as u32,
            depth: depth as u32,
            layered,
            surfaces: flags & SURFACES != 0,
            gather: flags & GATHER != 0,
        };
        self.check_room(shape.bytes())?;
        self.kept.mallocs += 1;
        let name = format!("cudaMallocArray #{}", self.kept.mallocs);
        let id = self.engine.alloc_array(&shape, &name)?;
        let handle = self.handle();
        let array = Array { id, shape, name, allocated_at: host.location().cloned() };
        self.kept.arrays.insert(handle, array);
        Ok(host.write(result, &handle.to_le_bytes())?)
    }

    pub(super) fn array_info(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[handle, result] = words else { return Err(malformed(HostCall::ArrayGetInfo)) };
        let shape = self.array("cudaArrayGetInfo", handle, host)?.shape;
        let texel = shape.texel;
        let bits = (0..u32::from(texel.channels)).map(|channel| u64::from(texel.bits) << (8 * channel)).sum();
        let kind = match texel.numbers {
            Numbers::Signed => 0,
            Numbers::Unsigned => 1,
            Numbers::Float => 2,
        };
        let flag = |set: bool, flag: u64| if set { flag } else { 0 };
        let flags =
            flag(shape.layered, LAYERED) | flag(shape.surfaces, SURFACES) | flag(shape.gather, GATHER);
        let about: [u64; 6] = [bits, kind, shape.width.into(), shape.rows.into(), shape.depth.into(), flags];
        Ok(host.write(result, about.map(u64::to_le_bytes).as_flattened())?)
    }

    pub(super) fn free_array(&mut self, handle: u64, host: &mut HostView<'_>) -> Outcome<()> {
        if handle == 0 {
            return Ok(());
        }
        let array = self.array("cudaFreeArray", handle, host)?;
        if let Some(rows) = self.engine.array_rows(array.id, whole(&array)) {
            self.kept.clocks.forget(&(rows.address..rows.address + rows.extent()));
        }
        self.kept.arrays.remove(&handle);
        Ok(self.engine.free_array(array.id)?)
    }

    /// The array behind a handle.
    pub(super) fn array(&mut self, call: &str, handle: u64, host: &HostView<'_>) -> Outcome<Array> {
        if let Some(array) = self.kept.arrays.get(&handle) {
            return Ok(array.clone());
        }
        let found = finding(
            "W0613",
            Kind::Host,
            format!(
                "`{call}` is given an array that `cudaMallocArray` did not make, or that is already freed"
            ),
            "check the error that `cudaMallocArray` returns, and free each array once",
        );
        self.refuse(host, codes::INVALID_RESOURCE_HANDLE, found)
    }

    /// `cudaMemcpy2DToArray` and, with `out`, `cudaMemcpy2DFromArray`.
    pub(super) fn array_copy(&mut self, out: bool, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[handle, x, y, pointer, pitch, width, rows, kind, stream, later] = words else {
            return Err(malformed(HostCall::Memcpy2DToArray));
        };
        let names = if out {
            ["cudaMemcpy2DFromArray", "cudaMemcpy2DFromArrayAsync"]
        } else {
            ["cudaMemcpy2DToArray", "cudaMemcpy2DToArrayAsync"]
        };
        let call = named(names, later);
        let stream = self.check_stream(stream)?;
        self.engine.select_stream(stream);
        let array = self.array(call, handle, host)?;
        self.check_array_direction(call, out, pointer, kind, host)?;
        let (row, height) = (array.shape.row_bytes(), array.shape.all_rows());
        let outside = x.saturating_add(width) > row || y.saturating_add(rows) > height;
        if outside || width > pitch {
            let message = if outside {
                format!(
                    "`{call}` copies {rows} rows of {width} bytes at byte {x} of row {y}, and that is outside `{}`, which has \
                     {height} rows of {row} bytes",
                    array.name
                )
            } else {
                format!("`{call}` copies rows of {width} bytes with a pitch of only {pitch}")
            };
            let hint = "give the offset and the width in bytes (`width * sizeof(pixel)`), the height in rows, and a pitch of at \
                        least the width";
            return self.refuse(host, codes::INVALID_VALUE, finding("W0612", Kind::Memory, message, hint));
        }
        if width == 0 || rows == 0 {
            return Ok(());
        }
        let part = Part { x, y, width, rows };
        let memory = Rows { address: pointer, pitch, width, rows };
        if HostView::is_host_address(pointer) {
            return self.array_and_host(call, out, (&array, part), memory, (stream, later == 0), host);
        }
        if let Some(base) = self.managed_at(pointer) {
            self.take_to_device(base, host)?;
        }
        let does = if out { "writes" } else { "reads" };
        self.check_device_side(call, does, pointer, memory.extent(), host)?;
        self.in_order(out, call, stream, (&array, part), self.ranges(memory), host);
        if out {
            self.engine.copy_from_array(pointer, pitch, array.id, part)?;
        } else {
            self.engine.copy_to_array(array.id, part, pointer, pitch)?;
        }
        Ok(())
    }

    /// The array, as findings name it, that holds the pixel at this address.
    pub(super) fn array_at(&self, address: u64) -> Option<&str> {
        let holds = |array: &&Array| {
            let rows = self.engine.array_rows(array.id, whole(array));
            rows.is_some_and(|rows| (rows.address..rows.address + rows.extent()).contains(&address))
        };
        self.kept.arrays.values().find(holds).map(|array| array.name.as_str())
    }

    /// Takes its place among the work of streams: kernels read arrays as textures. `memory` is the other side.
    fn in_order(
        &mut self,
        out: bool,
        call: &str,
        stream: u64,
        (array, part): (&Array, Part),
        memory: Vec<Range<u64>>,
        host: &HostView<'_>,
    ) -> Op {
        let pixels = self.engine.array_rows(array.id, part).map_or(Vec::new(), |rows| self.ranges(rows));
        let (reads, writes) = if out { (pixels, memory) } else { (memory, pixels) };
        self.ordered(stream, &format!("`{call}`"), Touched { reads, writes, ..Touched::default() }, host)
    }

    /// From or to host memory: the host waits, but for page-locked memory in a call that need not.
    fn array_and_host(
        &mut self,
        call: &str,
        out: bool,
        (array, part): (&Array, Part),
        memory: Rows,
        (stream, waits): (u64, bool),
        host: &mut HostView<'_>,
    ) -> Outcome<()> {
        let waits = waits || self.pinned_at(memory.address, memory.extent()).is_none();
        let (op, bytes) = if out {
            self.refuse_in_flight(call, memory, "writes", host)?;
            host.check_write(memory)?;
            let op = self.in_order(out, call, stream, (array, part), Vec::new(), host);
            let mut bytes = vec![0; memory.bytes() as usize];
            self.engine.read_array(array.id, part, &mut bytes)?;
            (op, bytes)
        } else {
            if !waits {
                self.fetch_for(memory, stream, host)?;
            }
            let bytes = self.host_bytes(call, memory, host)?;
            let op = self.in_order(out, call, stream, (array, part), Vec::new(), host);
            self.engine.write_array(array.id, part, &bytes)?;
            (op, bytes)
        };
        if !waits {
            self.leave_pending(op, (memory, bytes), out, host);
            return Ok(());
        }
        if out {
            host.write_rows(memory, &bytes)?;
        }
        self.waited_for_copy(stream, host)
    }

    fn check_array_direction(
        &mut self,
        call: &str,
        out: bool,
        pointer: u64,
        kind: u64,
        host: &HostView<'_>,
    ) -> Outcome<()> {
        // The array is device memory; the pointer decides which of the two directions is right.
        let on_host = HostView::is_host_address(pointer);
        let wanted = match (out, on_host) {
            (false, true) => 1,
            (true, true) => 2,
            (_, false) => 3,
        };
        if kind == wanted || kind == 4 {
            return Ok(());
        }
        let other = if on_host { "host memory" } else { "device memory" };
        let found = finding(
            "W0611",
            Kind::Memory,
            format!(
                "`{call}` is given the wrong direction: the array is on the GPU, and the pointer points to {other}"
            ),
            "use `cudaMemcpyHostToDevice` to fill an array from host memory, `cudaMemcpyDeviceToHost` to read it \
             back, `cudaMemcpyDeviceToDevice` for device memory",
        );
        self.refuse(host, codes::INVALID_VALUE, found)
    }
}
