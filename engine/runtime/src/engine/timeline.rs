//! When each operation of a host function runs, given its duration. Streams run in order; uploads, downloads and kernels
//! overlap.
//!
//! An operation starts when the host has asked for it, all earlier operations of its stream are done, and its unit
//! (link up, link down, kernels) is free. The default stream waits for all others, and they wait for it. Left out: the
//! time of the calls on the host, and kernels that share the GPU.

use std::collections::BTreeMap;
use std::ops::Range;

use super::work::{Apart, HostWaits, Step, Work};

/// Units that run one operation at a time: link up, link down, kernels.
const UNITS: usize = 3;

/// Times in seconds from the beginning.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    host: f64,
    streams: BTreeMap<u64, f64>,
    units: [f64; UNITS],
    marks: BTreeMap<usize, f64>,
    end: f64,
    apart: Apart,
}

impl Timeline {
    /// Adds a step; `seconds` gives the duration of work. Returns when work begins and ends.
    pub fn add(&mut self, step: &Step, seconds: impl Fn(&Work) -> f64) -> Option<Range<f64>> {
        match step {
            Step::Work { stream, work } => return Some(self.work(*stream, work, seconds(work))),
            Step::Mark { mark, stream } => {
                let time = self.ready(*stream).max(self.host);
                self.marks.insert(*mark, time);
            }
            Step::Wait { mark, stream } => {
                let time = self.ready(*stream).max(self.time_of(*mark));
                self.streams.insert(*stream, time);
            }
            Step::Host(waits) => {
                let until = match waits {
                    HostWaits::All => self.end,
                    HostWaits::Stream(stream) => self.ready(*stream),
                    HostWaits::Mark(mark) => self.time_of(*mark),
                };
                self.host = self.host.max(until);
            }
        }
        None
    }

    fn work(&mut self, stream: u64, work: &Work, seconds: f64) -> Range<f64> {
        let busy = match work {
            Work::Transfer(_) | Work::Host(_) | Work::Compute(_) => &mut self.apart.transfers,
            Work::Kernel(_) | Work::Memory(_) => &mut self.apart.kernels,
        };
        *busy += seconds;
        let (unit, waits) = match work {
            Work::Host(_) | Work::Compute(_) => {
                self.host += seconds;
                self.end = self.end.max(self.host);
                return self.host - seconds..self.host;
            }
            Work::Transfer(transfer) => (usize::from(!transfer.up), transfer.waits),
            Work::Kernel(_) | Work::Memory(_) => (2, false),
        };
        let start = self.host.max(self.ready(stream)).max(self.units[unit]);
        let end = start + seconds;
        self.streams.insert(stream, end);
        self.units[unit] = end;
        self.end = self.end.max(end);
        if waits {
            self.host = end;
        }
        start..end
    }

    /// When a stream has finished all its work so far.
    fn ready(&self, stream: u64) -> f64 {
        let of = |stream: &u64| self.streams.get(stream).copied().unwrap_or(0.0);
        if stream == 0 { self.streams.values().copied().fold(0.0, f64::max) } else { of(&stream).max(of(&0)) }
    }

    /// When a mark was reached; 0 if it was never set.
    pub fn time_of(&self, mark: usize) -> f64 {
        self.marks.get(&mark).copied().unwrap_or(0.0)
    }

    /// When everything was done.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// The time of each kind of work by itself.
    pub fn apart(&self) -> Apart {
        self.apart
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::engine::work::{HostMemory, Transfer};

    fn copy(stream: u64, up: bool, waits: bool) -> Step {
        let transfer = Transfer { bytes: 4, up, host: HostMemory::Pinned, waits };
        Step::Work { stream, work: Work::Transfer(transfer) }
    }

    fn on_host() -> Step {
        Step::Work { stream: 0, work: Work::Host(7) }
    }

    fn kernel(stream: u64) -> Step {
        Step::Work { stream, work: Work::Memory(1) }
    }

    /// Copies take 4 seconds, kernels 1.
    fn end(steps: &[Step]) -> u64 {
        let mut timeline = Timeline::default();
        for step in steps {
            timeline.add(step, |work| if matches!(work, Work::Transfer(_)) { 4.0 } else { 1.0 });
        }
        timeline.end().round() as u64
    }

    #[test]
    fn one_stream_adds_up_and_two_overlap() {
        assert_eq!(end(&[copy(0, true, true), kernel(0), copy(0, false, true)]), 9);
        let one = |stream| [copy(stream, true, false), kernel(stream), copy(stream, false, false)];
        // Up: 0-4, 4-8. Kernels: 4-5, 8-9. Down: 5-9, 9-13.
        assert_eq!(end(&[one(8), one(16)].concat()), 13);
        // With copies that the host waits for, only operations after the last of them overlap.
        assert_eq!(end(&[one(0), one(0)].concat()), 18);
    }

    #[test]
    fn the_default_stream_waits_for_all_and_all_for_it() {
        assert_eq!(end(&[copy(8, true, false), kernel(0)]), 5);
        assert_eq!(end(&[copy(0, true, false), kernel(8)]), 5);
        assert_eq!(end(&[copy(8, true, false), kernel(16)]), 4);
    }

    #[test]
    fn marks_order_streams_and_hold_the_host() {
        let mark = Step::Mark { mark: 0, stream: 8 };
        assert_eq!(end(&[copy(8, true, false), mark.clone(), kernel(16)]), 4);
        let wait = Step::Wait { mark: 0, stream: 16 };
        assert_eq!(end(&[copy(8, true, false), mark.clone(), wait, kernel(16)]), 5);
        let host = Step::Host(HostWaits::Mark(0));
        assert_eq!(end(&[copy(8, true, false), mark, host, kernel(16)]), 5);
        assert_eq!(end(&[copy(8, true, false), Step::Host(HostWaits::Stream(8)), kernel(16)]), 5);
        assert_eq!(end(&[copy(8, true, false), Step::Host(HostWaits::All), kernel(16)]), 5);
    }

    #[test]
    fn the_host_copies_while_the_gpu_works() {
        // A kernel, 0-1, beside a copy of the host, 0-1, then another kernel: 1-2.
        assert_eq!(end(&[kernel(0), on_host(), kernel(0)]), 2);
    }

    #[test]
    fn kinds_are_counted_apart() {
        let mut timeline = Timeline::default();
        for step in [copy(8, true, false), kernel(16), kernel(16)] {
            timeline.add(&step, |work| if matches!(work, Work::Transfer(_)) { 4.0 } else { 1.0 });
        }
        assert_eq!((timeline.apart(), timeline.end()), (Apart { transfers: 4.0, kernels: 2.0 }, 4.0));
    }
}
