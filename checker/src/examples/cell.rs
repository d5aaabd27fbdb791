//! The cells of an example's table.

use simulator::Counters;

use super::column::Column;
use super::measure::Measured;
use judge::numbers::{grouped, significant};

/// The cell of a column for a variant.
pub fn cell(column: Column, of: &Measured) -> String {
    let counters = &of.counters;
    let one = |value: f64| format!("{value:.1}");
    let each = |count: f64| one(count / of.elements as f64);
    match column {
        Column::Blocks => grouped(of.blocks as u64),
        Column::Threads => grouped(of.threads as u64),
        Column::Lanes => one(counters.active_lanes()),
        Column::Instructions => each(32.0 * counters.warp_instructions as f64),
        Column::Requests => grouped(counters.global_requests()),
        Column::Sectors => one(counters.sectors_per_request()),
        Column::Least => one(counters.least_sectors_per_request()),
        Column::Efficiency => efficiency(counters),
        Column::Moved => each(counters.moved_bytes() as f64),
        Column::SharedRequests => grouped(counters.shared_requests),
        Column::Wavefronts => one(counters.wavefronts_per_request()),
        Column::GlobalAtomics => grouped(counters.global_atomics),
        Column::SharedAtomics => grouped(counters.shared_atomic_wavefronts),
        Column::SameAddress => one(counters.atomic_multiplicity()),
        Column::Barriers => grouped(of.barriers),
        Column::Registers => of.registers.to_string(),
        Column::Shared => grouped(u64::from(of.shared)),
        Column::Warps => one(of.resident.map_or(0.0, |resident| resident.warps)),
        Column::Scarce => of.resident.map_or("", |resident| resident.scarce).to_owned(),
        Column::Launches => of.launches.to_string(),
        Column::Link => grouped(of.link_bytes),
        Column::Time => format!("{} ms", significant(1e3 * of.seconds)),
        Column::Speed => significant(of.bytes as f64 / of.seconds * 1e-9),
        Column::Transfers => format!("{} ms", significant(1e3 * of.transfer_seconds)),
        Column::Limit => of.limiter.to_owned(),
    }
}

fn efficiency(counters: &Counters) -> String {
    let sectors = counters.global_sectors();
    if sectors == 0 {
        return "–".to_owned();
    }
    format!("{:.0} %", 100.0 * counters.global_sectors_least as f64 / sectors as f64)
}
