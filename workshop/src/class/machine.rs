//! What a machine does to the programs on it: a disk fills up, memory runs out, the clock is set.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A disk in memory.
pub struct Disk(pub PathBuf);

impl Disk {
    /// Of this size; `None` without the right to mount.
    pub fn new(path: PathBuf, size: &str) -> io::Result<Option<Self>> {
        fs::create_dir(&path)?;
        let options = format!("size={size}");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(&path).stderr(Stdio::null());
        Ok(mount.status()?.success().then_some(Self(path)))
    }

    /// Makes it larger.
    pub fn grow(&self) {
        // If that fails, so does the next grading, and it says why.
        self.mount(&["-o", "remount,size=64m"]);
    }

    /// Makes it read-only, for files that are opened from now on: a disk with files that are open for writing cannot be as a whole,
    /// but it can lie below itself.
    pub fn cover(&self) -> bool {
        let own = self.0.to_string_lossy();
        self.mount(&["--bind", &own]) && self.mount(&["-o", "remount,bind,ro"])
    }

    /// Makes it writable again.
    pub fn uncover(&self) {
        self.unmount();
    }

    fn mount(&self, options: &[&str]) -> bool {
        let mount = Command::new("mount").args(options).arg(&self.0).stderr(Stdio::null()).status();
        mount.is_ok_and(|status| status.success())
    }

    fn unmount(&self) {
        // What is still mounted goes with the machine.
        let _ = Command::new("umount").arg("-l").arg(&self.0).stderr(Stdio::null()).status();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        self.unmount();
    }
}

/// A group of processes whose memory can be limited: the system kills some of them if they need more.
pub struct Memory {
    folder: PathBuf,
    limit: &'static str,
    unlimited: &'static str,
    events: &'static str,
}

impl Memory {
    /// A new group; `None` without the right to make one.
    pub fn new() -> Option<Self> {
        let with = |above: &str, limit, unlimited, events| {
            let folder = tempfile::Builder::new().prefix("warpbook-").tempdir_in(above).ok()?.keep();
            let group = Self { folder, limit, unlimited, events };
            group.folder.join(limit).is_file().then_some(group)
        };
        with("/sys/fs/cgroup", "memory.max", "max", "memory.events")
            .or_else(|| with("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "-1", "memory.oom_control"))
    }

    /// Adds a process, and all that it starts from now on.
    pub fn take(&self, process: u32) -> io::Result<()> {
        fs::write(self.folder.join("cgroup.procs"), process.to_string())
    }

    /// Sets or lifts the limit in bytes.
    pub fn limit(&self, bytes: Option<u64>) -> io::Result<()> {
        let bytes = bytes.map_or(self.unlimited.to_owned(), |bytes| bytes.to_string());
        fs::write(self.folder.join(self.limit), bytes)
    }

    /// Whether the limit has cost a process its life.
    pub fn has_killed(&self) -> io::Result<bool> {
        let events = fs::read_to_string(self.folder.join(self.events))?;
        let killed = events.lines().find_map(|line| line.strip_prefix("oom_kill "));
        Ok(killed.and_then(|count| count.trim().parse::<u64>().ok()).is_some_and(|count| count > 0))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // A group that still has processes goes with the machine.
        let _ = fs::remove_dir(&self.folder);
    }
}

/// The wall clock as a program sees it, through `libfaketime`. The clock that only ever runs forward is left alone, as it is
/// when somebody sets a machine's time.
pub struct Clock {
    library: PathBuf,
    offset: PathBuf,
}

/// Seconds of ten years.
const FARTHEST: f64 = 3.2e8;

impl Clock {
    /// A clock that is right at first; `None` without the library.
    pub fn new(folder: &Path) -> io::Result<Option<Self>> {
        let folders = ["/usr/lib/x86_64-linux-gnu/faketime", "/usr/lib64/faketime", "/usr/lib/faketime"];
        let libraries = folders.iter().map(|folder| Path::new(folder).join("libfaketimeMT.so.1"));
        let Some(library) = libraries.into_iter().find(|library| library.is_file()) else { return Ok(None) };
        let clock = Self { library, offset: folder.join("clock") };
        fs::write(&clock.offset, "+0")?;
        Ok(Some(clock))
    }

    /// Gives it to a program.
    pub fn give(&self, command: &mut Command) {
        let library: OsString = self.library.clone().into();
        command.env("LD_PRELOAD", library).env("FAKETIME_TIMESTAMP_FILE", &self.offset);
        command.env("FAKETIME_NO_CACHE", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    }

    /// Jumps, back for a `part` below a half and forward above it.
    pub fn jump(&self, part: f64) -> io::Result<()> {
        let seconds = ((2.0 * part - 1.0) * FARTHEST) as i64;
        let new = self.offset.with_extension("new");
        fs::write(&new, format!("{seconds:+}"))?;
        fs::rename(new, &self.offset)
    }
}
