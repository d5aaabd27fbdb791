//! The end of a host function: warnings of resources that it did not free and of copies that it did not wait for.

use std::collections::BTreeMap;
use std::ops::Range;

use simulator::host::HostMemory;
use simulator::{Finding, Kind, Location, Severity, TouchedRanges as Touched};

use super::clocks::DEFAULT;
use super::kept::Kept;
use super::resources::in_bytes;
use super::short::Landed;
use super::state::{Runtime, finding};
use crate::engine::ImageKind;

/// The results of a host function's runtime calls, and what it leaves to the next call.
#[derive(Debug)]
pub struct Left {
    /// Faults and remarks of its runtime calls and launches, in order.
    pub findings: Vec<Finding>,
    /// The first copy to each memory that has a name.
    pub landed: BTreeMap<String, Landed>,
    /// The failure that broke the GPU, if one did.
    pub crash: Option<(i32, String)>,
    /// What it did not free.
    pub kept: Kept,
}

/// Something that the function has not released.
struct Unreleased {
    /// Its address or handle, and as many numbers behind it as belong to it.
    range: Range<u64>,
    message: String,
    call: &'static str,
    location: Option<Location>,
}

impl Runtime<'_> {
    /// Ends the runtime of one call of a host function, whose memory this is. `faulted`: a fault of the function ended it early.
    pub fn finish(mut self, memory: &HostMemory, faulted: bool) -> Left {
        if !faulted && self.crash.is_none() {
            self.findings.extend(self.never_waited_for());
            let unfinished = self.unfinished_results();
            self.findings.extend(unfinished);
        }
        // A function that was stopped had no chance to free its memory.
        let stopped = faulted || self.findings.iter().any(|finding| finding.severity == Severity::Error);
        if !stopped {
            self.tell_unreleased(memory);
        }
        let findings = std::mem::take(&mut self.findings);
        let crash = self.crash.take();
        let landed = std::mem::take(&mut self.landed);
        Left { findings, landed, crash, kept: self.keep_for_next(memory) }
    }

    /// Tells what was not released, once: a later call of the program finds it again.
    fn tell_unreleased(&mut self, memory: &HostMemory) {
        let left = self.unreleased();
        let ranges: Vec<Range<u64>> = left.iter().map(|left| left.range.clone()).collect();
        let reached = memory.reached(&ranges);
        for (index, Unreleased { range, message, call, location }) in left.into_iter().enumerate() {
            if !self.kept.told.insert(range.start) {
                continue;
            }
            let known = reached.contains(&index);
            let (message, hint, severity) = if known {
                let message = format!("{message}: a variable keeps it for the next call");
                let hint = "allowed, and no gain here: each call that is timed begins with fresh variables";
                (message, hint.to_owned(), Severity::Note)
            } else {
                let hint = format!(
                    "call `{call}` before the host function returns, or keep it in a `static` variable and use it again: a program \
                     that calls the function often enough runs out of them"
                );
                (message, hint, Severity::Warning)
            };
            self.keep(Finding { location, severity, ..finding("W0615", Kind::Host, message, &hint) });
        }
    }

    /// Everything that is not released.
    fn unreleased(&self) -> Vec<Unreleased> {
        let mut left = Vec::new();
        for (&address, allocation) in &self.kept.allocations {
            let Some(location) = &allocation.allocated_at else { continue };
            left.push(Unreleased {
                range: address..address + allocation.bytes,
                message: format!("`{}` ({}) is never freed", allocation.name, in_bytes(allocation.bytes)),
                call: "cudaFree",
                location: location.clone(),
            });
        }
        left.extend(self.kept.pinned.iter().map(|(&address, pinned)| {
            let (message, call) = if pinned.registered {
                (format!("host memory ({}) stays registered", in_bytes(pinned.bytes)), "cudaHostUnregister")
            } else {
                (format!("`cudaMallocHost` ({}) is never freed", in_bytes(pinned.bytes)), "cudaFreeHost")
            };
            let location = pinned.location.clone();
            Unreleased { range: address..address + pinned.bytes, message, call, location }
        }));
        let mut object = |handle: u64, what: &str, call, location: &Option<Location>| {
            let location = location.clone();
            left.push(Unreleased { range: handle..handle + 1, message: what.to_owned(), call, location });
        };
        for (&handle, image) in &self.kept.images {
            let (what, call) = match image.kind {
                ImageKind::Texture => ("a texture object is never destroyed", "cudaDestroyTextureObject"),
                ImageKind::Surface => ("a surface object is never destroyed", "cudaDestroySurfaceObject"),
            };
            object(handle, what, call, &image.made_at);
        }
        for (&handle, array) in &self.kept.arrays {
            let bytes = array.shape.bytes();
            let what = format!("`{}` ({bytes} bytes) is never freed", array.name);
            object(handle, &what, "cudaFreeArray", &array.allocated_at);
        }
        for (&handle, made_at) in &self.kept.streams {
            object(handle, "a stream is never destroyed", "cudaStreamDestroy", made_at);
        }
        for (&handle, graph) in &self.kept.graphs {
            let call = if graph.executable { "cudaGraphExecDestroy" } else { "cudaGraphDestroy" };
            object(handle, "a graph is never destroyed", call, &graph.made_at);
        }
        for (&handle, event) in &self.kept.events {
            object(handle, "an event is never destroyed", "cudaEventDestroy", &event.made_at);
        }
        left
    }

    /// Work on the caller's buffers that the caller does not wait for: its own next operation is in the default stream.
    fn unfinished_results(&mut self) -> Option<Finding> {
        let buffers =
            self.kept.allocations.iter().filter(|(_, allocation)| allocation.allocated_at.is_none());
        let reads = buffers.map(|(address, buffer)| *address..address + buffer.bytes).collect();
        let (_, conflict) =
            self.kept.clocks.add(DEFAULT, "the caller", None, Touched { reads, ..Touched::default() });
        let conflict = conflict?;
        let buffer = self.allocation_at(conflict.address).map_or("memory", |(known, _)| known.name.as_str());
        let found = finding(
            "W0620",
            Kind::Race,
            format!(
                "the host function returns while {}, in a non-blocking stream, may still be writing `{buffer}`",
                conflict.what
            ),
            "call `cudaStreamSynchronize(stream)` or `cudaDeviceSynchronize()` before you return: the default stream, in \
             which the caller reads the result, does not wait for a stream made with `cudaStreamNonBlocking`",
        );
        Some(Finding { location: conflict.location, ..found })
    }
}
