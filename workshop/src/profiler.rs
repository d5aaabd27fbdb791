//! NVIDIA's profiler (`ncu`), which starts this same program again and watches its launches.

use std::collections::BTreeMap;
use std::process::Command;

use judge::exit::Stop;

/// The profiler's row of a launch: its metrics and other columns, by name.
pub type Launch = BTreeMap<String, String>;

/// A metric of a launch; `None` if the profiler has none.
pub fn metric(launch: &Launch, name: &str) -> Option<f64> {
    launch.get(name)?.replace(',', "").parse().ok()
}

/// A metric that every launch has to have.
pub fn required(launch: &Launch, name: &str) -> Result<f64, Stop> {
    metric(launch, name).ok_or_else(|| Stop::environment(format!("`ncu` has no metric `{name}` on this GPU")))
}

/// Runs this program with these arguments under the profiler; launch by launch, in order. Clocks are left as they
/// are, and caches are emptied before each launch.
pub fn profiled(arguments: &[String], metrics: &[&str]) -> Result<Vec<Launch>, Stop> {
    let own = std::env::current_exe()
        .map_err(|error| Stop::environment(format!("failed to find this program's own binary: {error}")))?;
    let result = Command::new("ncu")
        .args(["--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none"])
        .args(["--target-processes", "all"])
        .args(["--metrics", &metrics.join(",")])
        .arg(own)
        .args(arguments)
        .output()
        .map_err(|error| {
            Stop::environment(format!(
                "failed to start the profiler `ncu`: {error}; it comes with the CUDA toolkit"
            ))
        })?;
    let text = String::from_utf8_lossy(&result.stdout);
    let rows = parse(&text);
    if !result.status.success() || rows.is_empty() {
        let tail: String = text.chars().rev().take(600).collect::<Vec<_>>().into_iter().rev().collect();
        return Err(Stop::environment(format!("the profiler failed: {tail}")));
    }
    Ok(rows)
}

/// The rows of the profiler's raw page: a line of names, a line of units, a line per launch.
fn parse(text: &str) -> Vec<Launch> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("\"ID\""));
    let Some(names) = lines.next().map(cells) else { return Vec::new() };
    lines
        .map(cells)
        .filter(|values| values.len() == names.len() && values[0].parse::<u64>().is_ok())
        .map(|values| names.iter().cloned().zip(values).collect())
        .collect()
}

/// The cells of a CSV line whose every cell is quoted.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let inside = line.strip_prefix('"').and_then(|line| line.strip_suffix('"')).unwrap_or(line);
    inside.split("\",\"").map(|cell| cell.replace("\"\"", "\"")).collect()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn the_profilers_page_is_read() {
        let text = "==PROF== Connected\n\"ID\",\"Kernel Name\",\"a.sum\",\"b.sum\"\n\"\",\"\",\"sector\",\"\"\n\
                    \"0\",\"k(int, int)\",\"1,234\",\"5.5\"\n\"1\",\"k\",\"7\",\"\"\n==PROF== Disconnected\n";
        let rows = parse(text);
        assert_eq!(rows.len(), 2);
        assert_eq!((metric(&rows[0], "a.sum"), metric(&rows[0], "b.sum")), (Some(1234.0), Some(5.5)));
        assert_eq!((metric(&rows[1], "b.sum"), metric(&rows[1], "c.sum")), (None, None));
        assert_eq!(rows[0]["Kernel Name"], "k(int, int)");
    }
}
