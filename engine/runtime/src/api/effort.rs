//! The cost of a host function's runtime calls, so that a loop of millions of them ends with a finding.
//!
//! Estimated from counts, never measured: the same file gets the same verdict on every machine.

use std::collections::BTreeMap;

use kernels::HostCall;
use simulator::host::{HostCallError, HostView};
use simulator::{Kind, Location};

use super::state::{Outcome, Refusal, Runtime, finding};

/// The most that the calls of one host function may cost, in nanoseconds of the checker's own time.
const MOST: u64 = 3_000_000_000;

/// Nanoseconds per call, whatever it does.
const CALL: u64 = 2_500;
/// More for a launch, besides the kernel's instructions.
const LAUNCH: u64 = 60_000;
/// More for a call that creates a stream, an event, an allocation, an array, a texture or a surface.
const CREATION: u64 = 50_000;
/// Per known allocation, for every call.
const PER_ALLOCATION: u64 = 50;
/// Per earlier operation or copy that the host has not waited for.
const PER_UNFINISHED: u64 = 40;
/// Per pair of streams: each knows how far it has waited for each other.
const PER_STREAM_PAIR: u64 = 20;
/// Bytes copied or filled per nanosecond.
const BYTES: u64 = 2;
/// Per row of a two-dimensional copy or fill.
const PER_ROW: u64 = 8;

/// The calls so far.
#[derive(Debug, Default)]
pub(super) struct Effort {
    spent: u64,
    /// By kind of call: its cost, its number, the line of the first.
    by_call: BTreeMap<&'static str, (u64, u64, Option<Location>)>,
}

impl Runtime<'_> {
    /// Adds the cost of a call before it is carried out; ends the host function if all its calls cost too much.
    pub(super) fn charge(&mut self, call: HostCall, words: &[u64], host: &HostView<'_>) -> Outcome<()> {
        let streams = self.clocks.streams();
        let known = (self.allocations.len() + self.pinned.len() + self.mallocs as usize) as u64;
        let unfinished = (self.clocks.unfinished() + self.pending.len()) as u64;
        let cost = CALL
            .saturating_add(known * PER_ALLOCATION)
            .saturating_add(unfinished * PER_UNFINISHED)
            .saturating_add(streams * streams * PER_STREAM_PAIR)
            .saturating_add(of_its_own(call, words));
        self.spend(name(call), cost, host)
    }

    /// Adds the cost of moving managed memory, which a call or an access of the host caused.
    pub(super) fn charge_move(&mut self, bytes: u64, host: &HostView<'_>) -> Outcome<()> {
        self.spend("moves of managed memory", bytes, host)
    }

    fn spend(&mut self, what: &'static str, cost: u64, host: &HostView<'_>) -> Outcome<()> {
        let effort = &mut self.effort;
        effort.spent = effort.spent.saturating_add(cost);
        let (sum, number, _) = effort.by_call.entry(what).or_insert_with(|| (0, 0, host.location().cloned()));
        *sum = sum.saturating_add(cost);
        *number += 1;
        if effort.spent <= MOST {
            return Ok(());
        }
        let dearest = effort.by_call.iter().max_by_key(|(_, (sum, ..))| *sum);
        let Some((what, (_, number, first))) = dearest else { return Ok(()) };
        let location = first.clone().or_else(|| host.location().cloned());
        let message = if *number < 1000 {
            format!(
                "the host function moves more bytes than the checker can: it is stopped in {number} {what}"
            )
        } else {
            format!("the host function asks for more work than the checker can do: {number} {what} so far")
        };
        let found = finding(
            "W0630",
            Kind::Host,
            message,
            "each call costs some microseconds on a GPU too: process the whole image with one launch, and copy it with one call \
             (`cudaMemcpy2D` for rows or columns of it); create streams, events and memory once, before the loop",
        );
        let found = simulator::Finding { location, ..found };
        Err(Refusal::End(HostCallError::Finding(Box::new(found))))
    }
}

/// The cost of a call besides what every call costs.
fn of_its_own(call: HostCall, words: &[u64]) -> u64 {
    let word = |index: usize| words.get(index).copied().unwrap_or(0);
    let rows = |width: u64, rows: u64| {
        // A call of no bytes or with rows outside its memory ends at once.
        if width == 0 { 0 } else { width.saturating_mul(rows) / BYTES + rows.saturating_mul(PER_ROW) }
    };
    match call {
        HostCall::Launch | HostCall::LaunchCooperative => LAUNCH,
        HostCall::Malloc
        | HostCall::MallocPitch
        | HostCall::MallocArray
        | HostCall::StreamCreate
        | HostCall::EventCreate
        | HostCall::CreateTexture
        | HostCall::CreateSurface
        | HostCall::HostRegister => CREATION,
        HostCall::Memcpy | HostCall::Memset | HostCall::MemcpyToSymbol | HostCall::MemcpyFromSymbol => {
            word(2).min(1 << 32) / BYTES
        }
        HostCall::Memcpy2D => rows(word(4).min(1 << 32), word(5).min(1 << 32)).min(1 << 31),
        HostCall::Memset2D => rows(word(3).min(1 << 32), word(4).min(1 << 32)).min(1 << 31),
        HostCall::Memcpy2DToArray | HostCall::Memcpy2DFromArray => {
            rows(word(5).min(1 << 32), word(6).min(1 << 32)).min(1 << 31)
        }
        _ => 0,
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
