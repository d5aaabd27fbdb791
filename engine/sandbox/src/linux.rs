//! Landlock for files and the network, seccomp for system calls.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, Scope,
};
use seccompiler::{SeccompAction, SeccompFilter, TargetArch};

use crate::Unconfined;

/// The first version of Landlock that covers all of the file system but `ioctl`, and TCP.
const ABI_NEEDED: ABI = ABI::V4;
/// The version whose further restrictions are used where the kernel has them: `ioctl`, signals, abstract sockets.
const ABI_WANTED: ABI = ABI::V6;

/// The system calls of a compiler that runs in memory: memory, threads, time, and the files and pipes it has open.
/// `openat` stays, because Landlock decides about files.
const ALLOWED: &[i64] = &[
    libc::SYS_brk,
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_clone,
    libc::SYS_close,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_fcntl,
    libc::SYS_fstat,
    libc::SYS_futex,
    libc::SYS_getcwd,
    libc::SYS_getpid,
    libc::SYS_getrandom,
    libc::SYS_getrusage,
    libc::SYS_gettid,
    libc::SYS_gettimeofday,
    libc::SYS_lseek,
    libc::SYS_madvise,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_nanosleep,
    libc::SYS_newfstatat,
    libc::SYS_openat,
    libc::SYS_poll,
    libc::SYS_pread64,
    libc::SYS_prlimit64,
    libc::SYS_read,
    libc::SYS_readlink,
    libc::SYS_readv,
    libc::SYS_recvfrom,
    libc::SYS_restart_syscall,
    libc::SYS_rseq,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_sendto,
    libc::SYS_set_robust_list,
    libc::SYS_sigaltstack,
    libc::SYS_statx,
    libc::SYS_sysinfo,
    libc::SYS_tgkill,
    libc::SYS_times,
    libc::SYS_uname,
    libc::SYS_write,
    libc::SYS_writev,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_arch_prctl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_access,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_stat,
];

pub fn confine(readable: &Path) -> Result<(), Unconfined> {
    landlock(readable).map_err(|error| Unconfined(format!("Landlock does not work here: {error}")))?;
    seccomp().map_err(|error| Unconfined(format!("seccomp does not work here: {error}")))?;
    tried()
}

fn landlock(readable: &Path) -> Result<(), String> {
    let text = |error: &dyn std::error::Error| error.to_string();
    let needed = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI_NEEDED))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(ABI_NEEDED)))
        .map_err(|error| text(&error))?;
    let wanted = needed
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(ABI_WANTED))
        .and_then(|rules| rules.scope(Scope::from_all(ABI_WANTED)))
        .map_err(|error| text(&error))?;
    let folder = PathFd::new(readable).map_err(|error| text(&error))?;
    let rules = wanted
        .create()
        .and_then(|rules| {
            rules
                .set_compatibility(CompatLevel::HardRequirement)
                .add_rule(PathBeneath::new(folder, AccessFs::ReadFile | AccessFs::ReadDir))
        })
        .map_err(|error| text(&error))?;
    let status = rules.restrict_self().map_err(|error| text(&error))?;
    if status.ruleset == RulesetStatus::NotEnforced || !status.no_new_privs {
        return Err(format!("the kernel enforced nothing ({:?})", status.ruleset));
    }
    Ok(())
}

/// Other calls fail with `EPERM`; `clone3` with `ENOSYS`, after which the C library starts threads with `clone`, whose
/// flags a filter can see.
fn seccomp() -> Result<(), String> {
    let filter = |rules: BTreeMap<i64, Vec<_>>, otherwise, matched| -> Result<(), String> {
        let architecture =
            TargetArch::try_from(std::env::consts::ARCH).map_err(|error| format!("{error:?}"))?;
        let filter = SeccompFilter::new(rules, otherwise, matched, architecture)
            .map_err(|error| format!("{error:?}"))?;
        let program: seccompiler::BpfProgram = filter.try_into().map_err(|error| format!("{error:?}"))?;
        seccompiler::apply_filter(&program).map_err(|error| format!("{error:?}"))
    };
    // The last filter decides between two errors, so that of `clone3` comes last.
    let mut allowed: BTreeMap<i64, Vec<_>> = ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
    allowed.insert(libc::SYS_clone, vec![threads_only()?]);
    // The next filter must still be installed; it ends this right.
    allowed.insert(libc::SYS_seccomp, Vec::new());
    allowed.insert(libc::SYS_prctl, Vec::new());
    filter(allowed, SeccompAction::Errno(libc::EPERM as u32), SeccompAction::Allow)?;
    let privileged = [(libc::SYS_seccomp, Vec::new()), (libc::SYS_prctl, Vec::new())];
    let refused = [(libc::SYS_clone3, Vec::new())];
    filter(refused.into(), SeccompAction::Allow, SeccompAction::Errno(libc::ENOSYS as u32))?;
    filter(privileged.into(), SeccompAction::Allow, SeccompAction::Errno(libc::EPERM as u32))
}

/// `clone` with `CLONE_THREAD`: a thread and not a process.
fn threads_only() -> Result<seccompiler::SeccompRule, String> {
    use seccompiler::{SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompRule};
    let thread = libc::CLONE_THREAD as u64;
    SeccompCondition::new(0, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(thread), thread)
        .and_then(|condition| SeccompRule::new(vec![condition]))
        .map_err(|error| format!("{error:?}"))
}

/// Tries what must fail now. A restriction that is only believed in is none.
fn tried() -> Result<(), Unconfined> {
    let possible = |what: &str| Err(Unconfined(format!("a confined process can still {what}")));
    let denied = |kind: ErrorKind| kind == ErrorKind::PermissionDenied;
    for path in ["/", "/etc/passwd", "/proc/self/environ", "/proc/self/exe"] {
        match std::fs::File::open(path) {
            Err(error) if denied(error.kind()) || error.kind() == ErrorKind::NotFound => {}
            _ => return possible(&format!("read `{path}`")),
        }
    }
    if std::fs::write("/tmp/warpbook-confined", "").is_ok() {
        return possible("write files");
    }
    if !TcpListener::bind("127.0.0.1:0").is_err_and(|error| denied(error.kind())) {
        return possible("use the network");
    }
    if Command::new("/bin/true").spawn().is_ok() {
        return possible("start programs");
    }
    match std::thread::Builder::new().spawn(|| ()).map(std::thread::JoinHandle::join) {
        Ok(Ok(())) => Ok(()),
        _ => Err(Unconfined("a confined process cannot start a thread".to_owned())),
    }
}
