//! The columns of an example's table: counters of the simulator, and predicted times.

use simulator::Counters;

use super::measure::Measured;
use judge::numbers::{grouped, significant};

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "their titles say it")]
pub enum Column {
    Blocks,
    Threads,
    Lanes,
    Instructions,
    Requests,
    Sectors,
    Least,
    Efficiency,
    Moved,
    SharedRequests,
    Wavefronts,
    GlobalAtomics,
    SharedAtomics,
    SameAddress,
    Barriers,
    Registers,
    Shared,
    Warps,
    Scarce,
    Launches,
    Link,
    Time,
    Speed,
    Transfers,
    Limit,
}

/// Column, name in a header, title.
const COLUMNS: &[(Column, &str, &str)] = &[
    (Column::Blocks, "blocks", "blocks"),
    (Column::Threads, "threads", "threads"),
    (Column::Lanes, "lanes", "active lanes"),
    (Column::Instructions, "instructions", "instr./element"),
    (Column::Requests, "requests", "requests"),
    (Column::Sectors, "sectors", "sectors/request"),
    (Column::Least, "least", "at least"),
    (Column::Efficiency, "efficiency", "efficiency"),
    (Column::Moved, "moved", "bytes/element"),
    (Column::SharedRequests, "shared requests", "shared requests"),
    (Column::Wavefronts, "wavefronts", "wavefronts/request"),
    (Column::GlobalAtomics, "global atomics", "global atomics"),
    (Column::SharedAtomics, "shared atomics", "shared passes"),
    (Column::SameAddress, "same address", "lanes/address"),
    (Column::Barriers, "barriers", "barriers"),
    (Column::Registers, "registers", "registers"),
    (Column::Shared, "shared", "shared bytes"),
    (Column::Warps, "warps", "warps/SM"),
    (Column::Scarce, "scarce", "scarce"),
    (Column::Launches, "launches", "launches"),
    (Column::Link, "link", "bytes over link"),
    (Column::Time, "time", "time"),
    (Column::Speed, "speed", "GB/s"),
    (Column::Transfers, "transfers", "transfers"),
    (Column::Limit, "limit", "limiter"),
];

impl Column {
    /// The columns that a header names, with commas between them.
    pub fn list(text: &str) -> Result<Vec<Self>, String> {
        let one = |name: &str| {
            let known = COLUMNS.iter().find(|(_, known, _)| *known == name.trim());
            known.map(|(column, ..)| *column).ok_or_else(|| format!("`{name}` is not a column"))
        };
        text.split(',').map(one).collect()
    }

    /// Its heading.
    pub fn title(self) -> &'static str {
        COLUMNS.iter().find(|(column, ..)| *column == self).map_or("", |(.., title)| title)
    }

    /// Whether it is counted, and so the same whatever the timing model says.
    pub fn is_counted(self) -> bool {
        !matches!(self, Self::Time | Self::Speed | Self::Transfers | Self::Limit)
    }

    /// Its cell for a variant.
    pub fn cell(self, of: &Measured) -> String {
        let counters = &of.counters;
        let one = |value: f64| format!("{value:.1}");
        let each = |count: f64| one(count / of.elements as f64);
        match self {
            Self::Blocks => grouped(of.blocks as u64),
            Self::Threads => grouped(of.threads as u64),
            Self::Lanes => one(counters.active_lanes()),
            Self::Instructions => each(32.0 * counters.warp_instructions as f64),
            Self::Requests => grouped(counters.global_requests()),
            Self::Sectors => one(counters.sectors_per_request()),
            Self::Least => one(counters.least_sectors_per_request()),
            Self::Efficiency => efficiency(counters),
            Self::Moved => each(counters.moved_bytes() as f64),
            Self::SharedRequests => grouped(counters.shared_requests),
            Self::Wavefronts => one(counters.wavefronts_per_request()),
            Self::GlobalAtomics => grouped(counters.global_atomics),
            Self::SharedAtomics => grouped(counters.shared_atomic_wavefronts),
            Self::SameAddress => one(counters.atomic_multiplicity()),
            Self::Barriers => grouped(of.barriers),
            Self::Registers => of.registers.to_string(),
            Self::Shared => grouped(u64::from(of.shared)),
            Self::Warps => one(of.resident.map_or(0.0, |resident| resident.warps)),
            Self::Scarce => of.resident.map_or("", |resident| resident.scarce).to_owned(),
            Self::Launches => of.launches.to_string(),
            Self::Link => grouped(of.link_bytes),
            Self::Time => format!("{} ms", significant(1e3 * of.seconds)),
            Self::Speed => significant(of.bytes as f64 / of.seconds * 1e-9),
            Self::Transfers => format!("{} ms", significant(1e3 * of.transfer_seconds)),
            Self::Limit => of.limiter.to_owned(),
        }
    }
}

fn efficiency(counters: &Counters) -> String {
    let sectors = counters.global_sectors();
    if sectors == 0 {
        return "–".to_owned();
    }
    format!("{:.0} %", 100.0 * counters.global_sectors_least as f64 / sectors as f64)
}
