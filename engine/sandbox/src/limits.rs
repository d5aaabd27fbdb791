//! Resource limits of this process.

/// Limits in bytes and seconds; `None` leaves a limit as it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Address space: everything that is mapped, libraries and reserved ranges too.
    pub address_space: Option<u64>,
    /// Private writable memory, used or not.
    pub data: Option<u64>,
    /// CPU seconds of all threads together.
    pub cpu_seconds: Option<u64>,
    /// Size of a file that this process writes.
    pub file_size: Option<u64>,
}

impl Limits {
    /// Sets the limits for this process, for good. No core file is written if it dies.
    ///
    /// # Errors
    /// The system's error. A limit of the user that is lower already stays.
    #[cfg(target_os = "linux")]
    pub fn set(self) -> std::io::Result<()> {
        use rustix::process::Resource;
        let wanted = [
            (Resource::As, self.address_space),
            (Resource::Data, self.data),
            (Resource::Cpu, self.cpu_seconds),
            (Resource::Fsize, self.file_size),
            (Resource::Core, Some(0)),
        ];
        for (resource, limit) in wanted {
            if let Some(limit) = limit {
                lower(resource, limit)?;
            }
        }
        Ok(())
    }

    /// Sets nothing on this platform.
    ///
    /// # Errors
    /// Never.
    #[cfg(not(target_os = "linux"))]
    pub fn set(self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(target_os = "linux")]
fn lower(resource: rustix::process::Resource, limit: u64) -> std::io::Result<()> {
    use rustix::process::{Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(resource).maximum.map_or(limit, |highest| highest.min(limit));
    Ok(setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })?)
}

/// Asks the system to kill this process when its parent ends. `false` if the parent has already ended, or if the system
/// cannot do it.
#[cfg(target_os = "linux")]
pub fn die_with_parent(parent: u32) -> bool {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    let asked = set_parent_process_death_signal(Some(Signal::KILL)).is_ok();
    asked && getppid().is_some_and(|now| u32::try_from(now.as_raw_nonzero().get()) == Ok(parent))
}

/// Does nothing on this platform.
#[cfg(not(target_os = "linux"))]
pub fn die_with_parent(_parent: u32) -> bool {
    false
}
