//! Hashes of ranges of device memory: by a kernel where the memory is a GPU's, else on the host.
//!
//! The kernel is the workbook's own, in the module of the yardstick. Its key is new in each run, and known to no kernel before.

use kernels::{digest, digest_shape};

use crate::engine::{Command, DeviceRange, Engine, EngineError};

/// Ranges to hash again and again.
pub struct Digests {
    ranges: Vec<DeviceRange>,
    table: Option<Table>,
}

impl Digests {
    /// Prepares for ranges of `engine`'s memory; `beside` has the kernel loaded.
    pub fn new(
        engine: &dyn Engine,
        beside: &mut dyn Engine,
        ranges: Vec<DeviceRange>,
    ) -> Result<Self, EngineError> {
        let shares = engine.shares_memory() && !ranges.is_empty();
        let table = if shares { Some(Table::new(beside, &ranges)?) } else { None };
        Ok(Self { ranges, table })
    }

    /// The hash of each range, after all work of `engine`.
    pub fn take(
        &self,
        engine: &mut dyn Engine,
        beside: &mut dyn Engine,
        key: u64,
    ) -> Result<Vec<u64>, EngineError> {
        engine.synchronize()?;
        if let Some(table) = &self.table {
            return table.digests(beside, key);
        }
        let one = |range: &DeviceRange| {
            let mut bytes = vec![0; range.bytes as usize];
            engine.read(range.address, &mut bytes)?;
            Ok(digest(&bytes, key))
        };
        self.ranges.iter().map(one).collect()
    }

    /// Frees its memory.
    pub fn release(self, beside: &mut dyn Engine) -> Result<(), EngineError> {
        self.table.map_or(Ok(()), |table| table.release(beside))
    }
}

/// The ranges as the kernel reads them, and a place for their hashes. The table itself is the first range: its hash is known,
/// and shows that the kernel ran and that nothing has changed the table.
struct Table {
    bytes: Vec<u8>,
    address: u64,
    hashes: DeviceRange,
    longest: u64,
}

impl Table {
    fn new(beside: &mut dyn Engine, ranges: &[DeviceRange]) -> Result<Self, EngineError> {
        let size = 16 * (ranges.len() as u64 + 1);
        let address = beside.alloc(size, "ranges")?;
        let itself = DeviceRange { address, bytes: size };
        let all = || [itself].into_iter().chain(ranges.iter().copied());
        let bytes: Vec<u8> =
            all().flat_map(|range| [range.address, range.bytes]).flat_map(u64::to_le_bytes).collect();
        beside.write(address, &bytes)?;
        let hashes = DeviceRange { address: beside.alloc(size / 2, "hashes")?, bytes: size / 2 };
        let longest = all().map(|range| range.bytes).max().unwrap_or(0);
        Ok(Self { bytes, address, hashes, longest })
    }

    fn digests(&self, beside: &mut dyn Engine, key: u64) -> Result<Vec<u64>, EngineError> {
        let shape = digest_shape(self.bytes.len() / 16, self.longest);
        beside.select_stream(0);
        beside.fill(self.hashes.address, 0, self.hashes.bytes)?;
        let arguments = [self.address, self.hashes.address, key].map(|word| word.to_le_bytes().to_vec());
        let launched = beside.launch(Command {
            kernel: shape.kernel.to_owned(),
            grid: shape.grid,
            block: [shape.threads, 1, 1],
            dynamic_shared: 0,
            cooperative: false,
            arguments: arguments.to_vec(),
        })?;
        let broken = |why: &str| EngineError::Broken(format!("the hash of the outputs failed: {why}"));
        if let Some(fault) = launched.findings.first().filter(|_| launched.stopped) {
            return Err(broken(&fault.message));
        }
        let mut bytes = vec![0; self.hashes.bytes as usize];
        beside.read(self.hashes.address, &mut bytes)?;
        // Hashes of known bytes would tell the key, which is used once more.
        beside.fill(self.hashes.address, 0, self.hashes.bytes)?;
        let (words, _) = bytes.as_chunks::<8>();
        match words {
            [itself, hashes @ ..] if u64::from_le_bytes(*itself) == digest(&self.bytes, key) => {
                Ok(hashes.iter().map(|word| u64::from_le_bytes(*word)).collect())
            }
            _ => Err(broken("the kernel did not run, or its table was changed")),
        }
    }

    fn release(self, beside: &mut dyn Engine) -> Result<(), EngineError> {
        beside.free(self.address)?;
        beside.free(self.hashes.address)
    }
}
