//! The cost of a host function's runtime calls, so that a loop of millions of them ends with a finding.
//!
//! Estimated from counts, never measured: the same file gets the same verdict on every machine.

use std::collections::BTreeMap;

use kernels::HostCall;
use simulator::host::{HostCallError, HostView};
use simulator::{Kind, Location};

use super::state::{Outcome, Refusal, Runtime, finding};

/// The most that the calls of one host function may cost, in nanoseconds of the checker's own time.
const MOST: u64 = 3_600_000_000;
/// The same on a small picture: there are many of these, and each is called several times.
const MOST_SMALL: u64 = 2_000_000_000;
/// Pixels of the largest small picture.
const SMALL: u64 = 10_000;

/// Nanoseconds per call, whatever it does.
const CALL: u64 = 2_500;
/// More for a launch with all checks on, besides the kernel's instructions.
const LAUNCH: u64 = 100_000;
/// More for a call that creates a stream, an event, an allocation, an array, a texture or a surface.
const CREATION: u64 = 50_000;
/// Per known allocation, for every call.
const PER_ALLOCATION: u64 = 50;
/// Per earlier operation or copy that the host has not waited for.
const PER_UNFINISHED: u64 = 40;
/// Per pair of streams: each knows how far it has waited for each other.
const PER_STREAM_PAIR: u64 = 20;
/// Bytes copied, filled or allocated per nanosecond: fresh memory is filled with a pattern.
const BYTES: u64 = 2;
/// Per row of a two-dimensional copy or fill.
const PER_ROW: u64 = 8;

/// The most of both that one call is charged for.
const MOST_BYTES: u64 = 1 << 30;
const MOST_ROWS: u64 = 50_000_000;

/// Why calls of one kind are dear.
#[derive(Debug, Clone, Copy)]
enum Cause {
    /// Their number.
    Number,
    /// The bytes that they copy, fill or allocate.
    Bytes,
    /// The rows that they copy or fill.
    Rows,
    /// What exists while they are made: streams, allocations, operations that nothing has waited for.
    Crowd,
}

/// What something costs, by cause.
#[derive(Debug, Clone, Copy, Default)]
struct Cost([u64; 4]);

impl Cost {
    const fn of(cause: Cause, cost: u64) -> Self {
        let mut all = [0; 4];
        all[cause as usize] = cost;
        Self(all)
    }

    fn and(mut self, other: Self) -> Self {
        for (mine, more) in self.0.iter_mut().zip(other.0) {
            *mine = mine.saturating_add(more);
        }
        self
    }

    fn sum(self) -> u64 {
        self.0.into_iter().fold(0, u64::saturating_add)
    }

    fn dearest(self) -> Cause {
        let causes = [Cause::Number, Cause::Bytes, Cause::Rows, Cause::Crowd];
        causes.into_iter().max_by_key(|cause| self.0[*cause as usize]).unwrap_or(Cause::Number)
    }
}

/// The calls so far.
#[derive(Debug)]
pub(super) struct Effort {
    most: u64,
    spent: u64,
    by_call: BTreeMap<&'static str, Calls>,
}

/// The calls of one kind.
#[derive(Debug, Default)]
struct Calls {
    cost: Cost,
    number: u64,
    first: Option<Location>,
}

impl Effort {
    /// For a call with a picture of so many pixels.
    pub fn on(pixels: u64) -> Self {
        let most = if pixels <= SMALL { MOST_SMALL } else { MOST };
        Self { most, spent: 0, by_call: BTreeMap::new() }
    }

    /// The calls that cost the most, in words, and the line of the first.
    fn dearest(&self, streams: u64) -> Option<(String, Option<&Location>)> {
        let (what, calls) = self.by_call.iter().max_by_key(|(_, calls)| calls.cost.sum())?;
        let so_far = format!("{} {what} so far", calls.number);
        let why = match calls.cost.dearest() {
            Cause::Bytes => {
                format!("asks for more bytes than the checker can copy, fill or allocate: {so_far}")
            }
            Cause::Rows => format!("asks for more single rows than the checker can copy or fill: {so_far}"),
            Cause::Number => format!("asks for more work than the checker can do: {so_far}"),
            Cause::Crowd => {
                let among = match streams {
                    0..100 => "memory or work that is still known".to_owned(),
                    _ => format!("{streams} streams"),
                };
                format!("asks for more work than the checker can do: {so_far}, each among {among}")
            }
        };
        Some((why, calls.first.as_ref()))
    }
}

impl Runtime<'_> {
    /// Adds the cost of a call before it is carried out; ends the host function if all its calls cost too much.
    pub(super) fn charge(&mut self, call: HostCall, words: &[u64], host: &HostView<'_>) -> Outcome<()> {
        let streams = self.kept.clocks.streams();
        let known =
            (self.kept.allocations.len() + self.kept.pinned.len() + self.kept.mallocs as usize) as u64;
        let unfinished = (self.kept.clocks.unfinished() + self.pending.len()) as u64;
        let crowd = (known * PER_ALLOCATION)
            .saturating_add(unfinished * PER_UNFINISHED)
            .saturating_add(streams * streams * PER_STREAM_PAIR);
        let cost = Cost::of(Cause::Number, CALL).and(Cost::of(Cause::Crowd, crowd));
        // What there is no room for is not allocated.
        let allocates = matches!(call, HostCall::Malloc | HostCall::MallocPitch | HostCall::MallocArray);
        let room = if allocates { self.free_memory() } else { 0 };
        self.spend(name(call), cost.and(of_its_own(call, words, room)), host)
    }

    /// Adds the cost of moving managed memory, which a call or an access of the host caused.
    pub(super) fn charge_move(&mut self, bytes: u64, host: &HostView<'_>) -> Outcome<()> {
        self.spend("moves of managed memory", Cost::of(Cause::Bytes, bytes), host)
    }

    fn spend(&mut self, what: &'static str, cost: Cost, host: &HostView<'_>) -> Outcome<()> {
        let streams = self.kept.clocks.streams();
        let effort = &mut self.effort;
        effort.spent = effort.spent.saturating_add(cost.sum());
        let calls = effort.by_call.entry(what).or_default();
        if calls.number == 0 {
            calls.first = host.location().cloned();
        }
        calls.cost = calls.cost.and(cost);
        calls.number += 1;
        if effort.spent <= effort.most {
            return Ok(());
        }
        let Some((why, first)) = effort.dearest(streams) else { return Ok(()) };
        let found = finding(
            "W0630",
            Kind::Host,
            format!("the host function {why}"),
            "each call costs some microseconds on a GPU too: process the whole image with one launch, and copy it with one call \
             (`cudaMemcpy2D` for rows or columns of it); create streams, events and memory once, before the loop",
        );
        let found = simulator::Finding { location: first.or(host.location()).cloned(), ..found };
        Err(Refusal::End(HostCallError::Finding(Box::new(found))))
    }
}

/// The cost of a call besides what every call costs; `room`: bytes that may be allocated.
fn of_its_own(call: HostCall, words: &[u64], room: u64) -> Cost {
    let word = |index: usize| words.get(index).copied().unwrap_or(0);
    // A call that names more than there is ends at once: one such call may not end the host function.
    let bytes = |bytes: u64| Cost::of(Cause::Bytes, bytes.min(MOST_BYTES) / BYTES);
    let rows = |width: u64, rows: u64| {
        if width == 0 {
            return Cost::default();
        }
        bytes(width.saturating_mul(rows)).and(Cost::of(Cause::Rows, rows.min(MOST_ROWS) * PER_ROW))
    };
    let created = |size: u64| {
        Cost::of(Cause::Number, CREATION).and(if size <= room { bytes(size) } else { Cost::default() })
    };
    match call {
        HostCall::Launch | HostCall::LaunchCooperative => Cost::of(Cause::Number, LAUNCH),
        HostCall::Malloc => created(word(1)),
        HostCall::MallocPitch => created(word(2).saturating_mul(word(3))),
        // Four bytes an element are nearly the most.
        HostCall::MallocArray => {
            created(word(3).saturating_mul(word(4).max(1)).saturating_mul(word(5).max(1)).saturating_mul(4))
        }
        HostCall::StreamCreate
        | HostCall::EventCreate
        | HostCall::CreateTexture
        | HostCall::CreateSurface
        | HostCall::HostRegister => created(0),
        HostCall::Memcpy | HostCall::Memset | HostCall::MemcpyToSymbol | HostCall::MemcpyFromSymbol => {
            bytes(word(2))
        }
        HostCall::Memcpy2D => rows(word(4), word(5)),
        HostCall::Memset2D => rows(word(3), word(4)),
        HostCall::Memcpy2DToArray | HostCall::Memcpy2DFromArray => rows(word(5), word(6)),
        _ => Cost::default(),
    }
}

/// Calls of this kind in a message.
fn name(call: HostCall) -> &'static str {
    match call {
        HostCall::Launch | HostCall::LaunchCooperative => "launches",
        HostCall::Malloc | HostCall::MallocPitch | HostCall::MallocArray => "allocations",
        HostCall::Free | HostCall::FreeArray => "calls that free memory",
        HostCall::Memcpy
        | HostCall::Memcpy2D
        | HostCall::MemcpyToSymbol
        | HostCall::MemcpyFromSymbol
        | HostCall::Memcpy2DToArray
        | HostCall::Memcpy2DFromArray => "copies",
        HostCall::Memset | HostCall::Memset2D => "fills",
        HostCall::StreamCreate | HostCall::StreamDestroy => "streams created or destroyed",
        HostCall::EventCreate | HostCall::EventDestroy => "events created or destroyed",
        HostCall::CreateTexture
        | HostCall::CreateSurface
        | HostCall::DestroyTexture
        | HostCall::DestroySurface => "textures or surfaces created or destroyed",
        HostCall::EventRecord | HostCall::StreamWaitEvent | HostCall::EventElapsedTime => "uses of events",
        HostCall::DeviceSynchronize
        | HostCall::StreamSynchronize
        | HostCall::StreamQuery
        | HostCall::EventSynchronize
        | HostCall::EventQuery => "waits for the GPU",
        _ => "runtime calls",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dearest_calls_are_named_with_what_makes_them_dear() {
        let said = |number: u64, cost: Cost| {
            let mut effort = Effort::on(1);
            effort
                .by_call
                .insert("waits for the GPU", Calls { cost: Cost::of(Cause::Number, 9), ..Calls::default() });
            effort.by_call.insert("copies", Calls { cost, number, first: None });
            effort.dearest(3000).map(|(why, _)| why).unwrap_or_default()
        };
        let calls = Cost::of(Cause::Number, 10);
        assert_eq!(said(7, calls), "asks for more work than the checker can do: 7 copies so far");
        let bytes = calls.and(Cost::of(Cause::Bytes, 11));
        assert_eq!(
            said(7, bytes),
            "asks for more bytes than the checker can copy, fill or allocate: 7 copies so far"
        );
        let rows = bytes.and(Cost::of(Cause::Rows, 12));
        assert_eq!(
            said(2, rows),
            "asks for more single rows than the checker can copy or fill: 2 copies so far"
        );
        let streams = rows.and(Cost::of(Cause::Crowd, u64::MAX));
        let among = "asks for more work than the checker can do: 748 copies so far, each among 3000 streams";
        assert_eq!(said(748, streams), among);
    }

    #[test]
    fn one_call_alone_never_costs_all_that_there_is() {
        let all = u64::MAX;
        for (call, words) in [
            (HostCall::Memcpy, [0, 0, all, 0, 0, 0, 0]),
            (HostCall::Memcpy2D, [0, 0, 0, 0, all, all, 0]),
            (HostCall::Memset2D, [0, 0, 0, 2, all, 0, 0]),
            (HostCall::Malloc, [0, all - 1, 0, 0, 0, 0, 0]),
        ] {
            let cost = of_its_own(call, &words, all).sum();
            assert!((1..MOST_SMALL).contains(&cost), "{call:?}: {cost}");
        }
        assert_eq!(of_its_own(HostCall::Malloc, &[0, 1000], 999).sum(), CREATION, "there is no room for it");
    }
}
