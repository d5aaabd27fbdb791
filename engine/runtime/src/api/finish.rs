//! The end of a host function: warnings of resources that it did not free and of copies that it did not wait for.

use simulator::{Finding, Kind, Severity, TouchedRanges as Touched};

use super::clocks::DEFAULT;
use super::state::{Runtime, finding};
use crate::engine::ImageKind;

/// The results of a host function's runtime calls, and the resources that it left behind.
#[derive(Debug)]
pub struct Left {
    /// Faults and remarks of its runtime calls and launches, in order.
    pub findings: Vec<Finding>,
    /// The failure that broke the GPU, if one did.
    pub crash: Option<(i32, String)>,
    /// Addresses it allocated and did not free.
    pub unfreed: Vec<u64>,
    /// Objects it created and did not destroy, then arrays it did not free.
    pub unfreed_images: Vec<LeftImage>,
}

/// A texture or surface resource that a host function left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftImage {
    /// A texture or surface object.
    Object(ImageKind, u64),
    /// An array, by the engine's number.
    Array(u64),
}

impl Runtime<'_> {
    /// Ends the runtime of one host function. `faulted`: a fault of the function ended it early.
    pub fn finish(mut self, faulted: bool) -> Left {
        if !faulted && self.crash.is_none() {
            self.findings.extend(self.never_waited_for());
            let unfinished = self.unfinished_results();
            self.findings.extend(unfinished);
        }
        // A function that was stopped had no chance to free its memory.
        let stopped = faulted || self.findings.iter().any(|finding| finding.severity == Severity::Error);
        let mut unfreed = Vec::new();
        for (address, allocation) in &self.allocations {
            let Some(location) = &allocation.allocated_at else { continue };
            unfreed.push(*address);
            if stopped {
                continue;
            }
            self.findings.push(Finding {
                location: location.clone(),
                severity: Severity::Warning,
                ..finding(
                    "W0615",
                    Kind::Host,
                    format!("`{}` ({} bytes) is never freed", allocation.name, allocation.bytes),
                    "call `cudaFree` before the host function returns; the checker begins every call with fresh variables, so a \
                     `static` pointer keeps nothing for the next call",
                )
            });
        }
        if !stopped {
            self.warn_of_pinned();
        }
        let unfreed_images = self.forget_images(stopped);
        Left { findings: self.findings, crash: self.crash, unfreed, unfreed_images }
    }

    /// Work on the caller's buffers that the caller does not wait for: its own next operation is in the default stream.
    fn unfinished_results(&mut self) -> Option<Finding> {
        let buffers = self.allocations.iter().filter(|(_, allocation)| allocation.allocated_at.is_none());
        let reads = buffers.map(|(address, buffer)| *address..address + buffer.bytes).collect();
        let (_, conflict) =
            self.clocks.add(DEFAULT, "the caller", None, Touched { reads, ..Touched::default() });
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

    /// Warns of memory that stays page-locked.
    fn warn_of_pinned(&mut self) {
        for (message, call, location) in self.left_pinned() {
            let hint =
                format!("call `{call}` before the host function returns: nothing is kept for the next call");
            let found = finding("W0615", Kind::Host, message, &hint);
            self.keep(Finding { location, severity: Severity::Warning, ..found });
        }
    }

    /// Objects and arrays that are left, each with a warning unless a fault `stopped` the function.
    fn forget_images(&mut self, stopped: bool) -> Vec<LeftImage> {
        let mut left = Vec::new();
        let mut warnings = Vec::new();
        for (handle, image) in &self.images {
            let (what, call) = match image.kind {
                ImageKind::Texture => ("a texture object", "cudaDestroyTextureObject"),
                ImageKind::Surface => ("a surface object", "cudaDestroySurfaceObject"),
            };
            left.push(LeftImage::Object(image.kind, *handle));
            warnings.push((image.made_at.clone(), format!("{what} is never destroyed"), call));
        }
        for array in self.arrays.values() {
            left.push(LeftImage::Array(array.id));
            let bytes = array.shape.row_bytes() * u64::from(array.shape.rows.max(1));
            let message = format!("`{}` ({bytes} bytes) is never freed", array.name);
            warnings.push((array.allocated_at.clone(), message, "cudaFreeArray"));
        }
        for (location, message, call) in warnings.into_iter().filter(|_| !stopped) {
            let hint =
                format!("call `{call}` before the host function returns: nothing is kept for the next call");
            let found = finding("W0615", Kind::Host, message, &hint);
            self.keep(Finding { location, severity: Severity::Warning, ..found });
        }
        left
    }
}
