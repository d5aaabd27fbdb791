//! How long a process has computed.

use std::time::Duration;

/// The CPU time of a process of this machine, of all its threads and of its own processes that have ended; `None` if it is not
/// known.
#[cfg(target_os = "linux")]
pub fn computed(process: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let ticks = ticks(&stat)?;
    Some(Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64))
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
}
