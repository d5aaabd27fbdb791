//! The compiler that is fetched: always the same one, so that predictions are the same on every machine.

/// Package and version, for messages.
pub(super) const PACKAGE: &str = "nvidia-cuda-nvrtc-cu12 12.9.86";
/// The same for pip.
pub(super) const REQUIREMENT: &str = "nvidia-cuda-nvrtc-cu12==12.9.86";
/// The hash of the wheel for x86-64 Linux.
pub(super) const SHA256: &str = "210cf05005a447e29214e9ce50851e83fc5f4358df8b453155d5e1918094dcb4";
/// Bytes of it.
pub(super) const BYTES: u64 = 89_568_129;
