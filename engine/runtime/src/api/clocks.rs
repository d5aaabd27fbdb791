//! The order of operations in streams: a vector clock per stream, per event, and one for the host.
//!
//! Each stream runs in order. The default stream waits for all others, and they wait for it, unless a stream was created
//! non-blocking. A stream that waits for an event learns all that the event's stream knew. Every later call comes after
//! all that the host has waited for. Two operations that touch the same bytes, one of them writing, need such an order.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use simulator::{Location, TouchedRanges as Touched};

/// The default stream.
pub(super) const DEFAULT: u64 = 0;

/// An operation in a stream. Numbers rise over all streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Op {
    stream: u64,
    number: u64,
}

/// By stream, the last operation that is known to be finished.
#[derive(Debug, Clone, Default)]
pub(super) struct VectorClock(BTreeMap<u64, u64>);

impl VectorClock {
    fn join(&mut self, other: &Self) {
        for (stream, number) in &other.0 {
            let known = self.0.entry(*stream).or_insert(0);
            *known = (*known).max(*number);
        }
    }

    fn has(&self, op: Op) -> bool {
        self.0.get(&op.stream).is_some_and(|known| *known >= op.number)
    }
}

/// An operation that the host has not waited for yet.
#[derive(Debug, Clone)]
struct Past {
    op: Op,
    what: String,
    location: Option<Location>,
    touched: Touched,
}

/// The earlier of two operations on the same bytes that nothing orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Conflict {
    /// Its name in findings: `` `cudaMemcpyAsync` ``, ``kernel `k` ``.
    pub what: String,
    /// The line that asked for it.
    pub location: Option<Location>,
    /// Whether it writes; else it reads and the later one writes.
    pub writes: bool,
    /// The first byte that both touch.
    pub address: u64,
}

/// The vector clock of the host and of each stream.
#[derive(Debug, Default)]
pub(super) struct VectorClocks {
    host: VectorClock,
    streams: BTreeMap<u64, VectorClock>,
    marks: BTreeMap<usize, VectorClock>,
    independent: BTreeSet<u64>,
    count: u64,
    past: Vec<Past>,
}

impl VectorClocks {
    /// Adds a non-blocking stream: it does not wait for the default stream, nor the default stream for it.
    pub fn add_independent(&mut self, stream: u64) {
        self.independent.insert(stream);
    }

    /// Whether a stream is non-blocking.
    pub fn is_independent(&self, stream: u64) -> bool {
        self.independent.contains(&stream)
    }

    /// How many streams have had work.
    pub fn streams(&self) -> u64 {
        self.streams.len() as u64
    }

    /// How many operations the host has not waited for, of those that touch memory.
    pub fn unfinished(&self) -> usize {
        self.past.len()
    }

    /// All that is finished before the next operation of a stream begins.
    fn before(&self, stream: u64) -> VectorClock {
        let mut clock = self.host.clone();
        let blocking = !self.independent.contains(&stream);
        for (other, known) in &self.streams {
            let both = blocking && !self.independent.contains(other);
            if *other == stream || both && (stream == DEFAULT || *other == DEFAULT) {
                clock.join(known);
            }
        }
        clock
    }

    /// Adds an operation, called `what` in findings. Returns the first earlier operation on the same bytes that nothing
    /// orders before it.
    pub fn add(
        &mut self,
        stream: u64,
        what: &str,
        location: Option<&Location>,
        touched: Touched,
    ) -> (Op, Option<Conflict>) {
        let mut clock = self.before(stream);
        // No later operation can conflict with one that the host has waited for.
        self.past.retain(|past| !self.host.has(past.op));
        let mut unordered = self.past.iter().filter(|past| !clock.has(past.op));
        let conflict = unordered.find_map(|past| conflict(past, &touched));
        self.count += 1;
        let op = Op { stream, number: self.count };
        clock.0.insert(stream, op.number);
        self.streams.insert(stream, clock);
        if touched != Touched::default() {
            self.past.push(Past { op, what: what.to_owned(), location: location.cloned(), touched });
        }
        (op, conflict)
    }

    /// What uses these bytes, or will, and the host has not waited for; `but` is no use.
    pub fn unfinished_use(&self, address: u64, bytes: u64, but: &str) -> Option<Conflict> {
        let all = Touched::write(address, bytes);
        let mut unfinished = self.past.iter().filter(|past| !self.host.has(past.op) && past.what != but);
        unfinished.find_map(|past| conflict(past, &all))
    }

    /// Memory has been freed: whoever gets the same addresses next has nothing to do with what used them.
    pub fn forget(&mut self, freed: &Range<u64>) {
        let outside = |range: &Range<u64>| range.start < freed.start || range.end > freed.end;
        for Past { touched: Touched { reads, writes, atomics }, .. } in &mut self.past {
            for ranges in [reads, writes, atomics] {
                ranges.retain(outside);
            }
        }
    }

    /// What the host knows now, for [`Self::host_knew`].
    pub fn host_knows(&self) -> VectorClock {
        self.host.clone()
    }

    /// The host did not wait, after all: a function in a stream did, which is no matter of the thread that put it there.
    pub fn host_knew(&mut self, before: VectorClock) {
        self.host = before;
    }

    /// Whether the host knows that this is finished.
    pub fn is_done(&self, op: Op) -> bool {
        self.host.has(op)
    }

    /// Whether this is finished before the next operation of a stream begins.
    pub fn is_before(&self, op: Op, stream: u64) -> bool {
        self.before(stream).has(op)
    }

    /// The host waits for everything.
    pub fn wait_for_all(&mut self) {
        for clock in self.streams.values() {
            self.host.join(clock);
        }
    }

    /// The host finds that this is finished, and so is what comes before it in its stream.
    pub fn wait_for(&mut self, op: Op) {
        if let Some(clock) = self.streams.get(&op.stream) {
            let mut clock = clock.clone();
            clock.0.insert(op.stream, op.number);
            self.host.join(&clock);
        }
    }

    /// The host waits for a stream.
    pub fn wait_for_stream(&mut self, stream: u64) {
        self.host = self.before(stream);
    }

    /// The host waits for a mark.
    pub fn wait_for_mark(&mut self, mark: usize) {
        if let Some(clock) = self.marks.get(&mark) {
            self.host.join(clock);
        }
    }

    /// Whether the host knows that everything before a mark is finished.
    pub fn mark_is_done(&self, mark: usize) -> bool {
        self.unfinished_before_mark(mark).is_none()
    }

    /// Something before a mark that the host does not know to be finished.
    pub fn unfinished_before_mark(&self, mark: usize) -> Option<Op> {
        self.marks.get(&mark).and_then(|clock| self.unfinished_of(clock))
    }

    /// The same of all work in a stream.
    pub fn unfinished_in_stream(&self, stream: u64) -> Option<Op> {
        self.unfinished_of(&self.before(stream))
    }

    fn unfinished_of(&self, clock: &VectorClock) -> Option<Op> {
        let mut last = clock.0.iter().map(|(&stream, &number)| Op { stream, number });
        last.find(|op| !self.host.has(*op))
    }

    /// A mark is set in a stream.
    pub fn mark(&mut self, mark: usize, stream: u64) {
        let clock = self.before(stream);
        self.marks.insert(mark, clock);
    }

    /// A stream waits for a mark.
    pub fn stream_waits(&mut self, stream: u64, mark: usize) {
        let Some(mark) = self.marks.get(&mark) else { return };
        self.streams.entry(stream).or_default().join(mark);
    }
}

fn conflict(past: &Past, now: &Touched) -> Option<Conflict> {
    let found = |writes, address| Conflict {
        what: past.what.clone(),
        location: past.location.clone(),
        writes,
        address,
    };
    let theirs = &past.touched;
    let meet = |ours: [&[Range<u64>]; 3], theirs: &[Range<u64>]| {
        ours.into_iter().filter_map(|ours| overlap(ours, theirs)).min()
    };
    // Two atomics do not conflict, nor do two reads.
    meet([&now.reads, &now.writes, &now.atomics], &theirs.writes)
        .or_else(|| meet([&now.reads, &now.writes, &[]], &theirs.atomics))
        .map(|address| found(true, address))
        .or_else(|| {
            meet([&now.writes, &now.atomics, &[]], &theirs.reads).map(|address| found(false, address))
        })
}

/// Pairs of ranges that are compared one by one; with more, both sides are sorted first.
const FEW_PAIRS: usize = 64;

/// The first byte that lies in ranges of both sides. The ranges of a side do not overlap each other.
fn overlap(one: &[Range<u64>], other: &[Range<u64>]) -> Option<u64> {
    if one.len().saturating_mul(other.len()) > FEW_PAIRS {
        return overlap_of_many(one, other);
    }
    let both = one.iter().flat_map(|a| other.iter().map(move |b| a.start.max(b.start)..a.end.min(b.end)));
    both.filter(|range| range.start < range.end).map(|range| range.start).min()
}

/// The same in the time that sorting takes: a copy of columns has a range per row.
fn overlap_of_many(one: &[Range<u64>], other: &[Range<u64>]) -> Option<u64> {
    let sorted = |ranges: &[Range<u64>]| {
        let mut ranges = ranges.to_vec();
        ranges.sort_unstable_by_key(|range| range.start);
        ranges
    };
    let (one, other) = (sorted(one), sorted(other));
    let (mut a, mut b) = (one.iter().peekable(), other.iter().peekable());
    loop {
        let (first, second) = (a.peek()?, b.peek()?);
        let start = first.start.max(second.start);
        if start < first.end.min(second.end) {
            return Some(start);
        }
        if first.end <= second.end {
            a.next();
        } else {
            b.next();
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    /// Adds a write of byte 0, and returns whether it is ordered.
    fn writes(clocks: &mut VectorClocks, stream: u64) -> (Op, bool) {
        let (op, conflict) = clocks.add(stream, "w", None, Touched::write(0, 1));
        (op, conflict.is_none())
    }

    #[test]
    fn one_stream_is_in_order_and_two_are_not() {
        let mut clocks = VectorClocks::default();
        assert!(writes(&mut clocks, 8).1 && writes(&mut clocks, 8).1);
        assert!(!writes(&mut clocks, 16).1);
    }

    #[test]
    fn the_default_stream_orders_all_but_independent_ones() {
        let mut clocks = VectorClocks::default();
        clocks.add_independent(24);
        assert!(writes(&mut clocks, 8).1 && writes(&mut clocks, DEFAULT).1 && writes(&mut clocks, 16).1);
        assert!(!writes(&mut clocks, 24).1);
        assert!(!writes(&mut clocks, DEFAULT).1);
    }

    #[test]
    fn events_and_the_host_order_streams() {
        let mut clocks = VectorClocks::default();
        let (first, _) = writes(&mut clocks, 8);
        clocks.mark(0, 8);
        clocks.stream_waits(16, 0);
        assert!(clocks.is_before(first, 16) && !clocks.is_done(first));
        let (second, in_order) = writes(&mut clocks, 16);
        assert!(in_order);
        clocks.wait_for_mark(0);
        assert!(clocks.is_done(first) && !clocks.is_done(second));
        clocks.wait_for_stream(16);
        assert!(clocks.is_done(second) && writes(&mut clocks, 24).1);
    }

    #[test]
    fn reads_may_meet_and_what_is_apart_may_too() {
        let mut clocks = VectorClocks::default();
        assert_eq!(clocks.add(8, "r", None, Touched::read(0, 10)).1, None);
        assert_eq!(clocks.add(16, "r", None, Touched::read(5, 10)).1, None);
        assert_eq!(clocks.add(16, "w", None, Touched::write(10, 10)).1, None);
        let conflict = clocks.add(8, "r", None, Touched::read(0, 11)).1.expect("both touch byte 10");
        assert_eq!((conflict.writes, conflict.address), (true, 10));
        let conflict = clocks.add(24, "w", None, Touched::write(2, 1)).1.expect("both touch byte 2");
        assert_eq!((conflict.writes, conflict.address), (false, 2));
    }

    #[test]
    fn atomics_may_meet_atomics_only() {
        let atomics = |range: Range<u64>| Touched { atomics: vec![range], ..Touched::default() };
        let mut clocks = VectorClocks::default();
        assert_eq!(clocks.add(8, "a", None, atomics(0..4)).1, None);
        assert_eq!(clocks.add(16, "a", None, atomics(0..4)).1, None);
        assert!(clocks.add(24, "r", None, Touched::read(3, 1)).1.is_some());
        assert!(clocks.add(32, "w", None, Touched::write(0, 1)).1.is_some());
        assert!(clocks.add(40, "a", None, atomics(3..4)).1.is_some_and(|conflict| !conflict.writes));
    }

    #[test]
    fn knowledge_is_passed_on() {
        let mut clocks = VectorClocks::default();
        let (first, _) = writes(&mut clocks, 8);
        clocks.mark(0, 8);
        clocks.stream_waits(16, 0);
        clocks.mark(1, 16);
        clocks.wait_for_mark(1);
        assert!(clocks.is_done(first));
        let (last, _) = writes(&mut clocks, 24);
        assert!(!clocks.is_done(last));
        clocks.wait_for_all();
        assert!(clocks.is_done(last));
    }
}
