//! The columns of an example's table: counters of the simulator, and predicted times.

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
}
