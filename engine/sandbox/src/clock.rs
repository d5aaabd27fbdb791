//! How long a process has computed.

use std::time::Duration;

/// The CPU time of a process of this machine and of the processes that it has started, with all their threads; `None` if it is
/// not known.
#[cfg(target_os = "linux")]
pub fn computed(process: u32) -> Option<Duration> {
    let ticks = ticks_of(process, 0)?;
    Some(Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64))
}

/// Children of children that are looked at.
#[cfg(target_os = "linux")]
const DEEPEST: u32 = 3;

/// The ticks of a process and its children. The kernel lists the children of each thread if it was built to.
#[cfg(target_os = "linux")]
fn ticks_of(process: u32, depth: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let own = ticks(&stat)?;
    if depth == DEEPEST {
        return Some(own);
    }
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let children = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    let children: Vec<u32> = children
        .flat_map(|text| text.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
        .collect();
    Some(own + children.into_iter().filter_map(|child| ticks_of(child, depth + 1)).sum::<u64>())
}

/// The same on a platform that is not asked.
#[cfg(not(target_os = "linux"))]
pub fn computed(_process: u32) -> Option<Duration> {
    None
}

/// The sum of `utime`, `stime`, `cutime` and `cstime`, the fields 14 to 17 (`man 5 proc_pid_stat`). The second field, the name of the
/// program, may contain anything; it ends at the last `)`.
#[cfg(target_os = "linux")]
fn ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let times: Vec<u64> =
        fields.split_whitespace().skip(11).take(4).map_while(|field| field.parse().ok()).collect();
    (times.len() == 4).then(|| times.iter().sum())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_program_does_not_confuse() {
        let stat = "12 (a) b 1 2) R 1 12 12 0 -1 4194560 90 0 0 0 7 20 300 4000 20 0 1 0 5 6 7";
        assert_eq!(ticks(stat), Some(4327));
        assert_eq!(ticks("12 (a) R 1"), None);
    }

    #[test]
    fn this_process_has_computed() {
        let before = computed(std::process::id()).expect("Linux knows");
        let mut sum = 0_u64;
        while computed(std::process::id()).expect("Linux knows") == before {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert_eq!(computed(u32::MAX), None);
    }

    #[test]
    fn a_child_counts() {
        let mut child =
            std::process::Command::new("sh").args(["-c", "while :; do :; done"]).spawn().expect("a shell");
        let listed = std::path::Path::new("/proc/thread-self/children").exists();
        let children = || ticks_of(child.id(), 0).expect("it runs");
        while children() < 3 {
            std::thread::yield_now();
        }
        let (all, its) = (ticks_of(std::process::id(), 0).expect("Linux knows"), children());
        child.kill().expect("it can be ended");
        child.wait().expect("it has ended");
        assert!(!listed || all + 3 >= its, "{all} {its}");
    }
}
