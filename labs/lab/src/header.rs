//! What the first comment of a file in `solutions/` says about it, one `// NAME: value` a line.

use crate::task::{Lab, Task};

/// What stands behind `// NAME: ` in the comment that a file begins with.
pub fn line<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = text.lines().map_while(|line| line.strip_prefix("//"));
    lines.find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(':')).map(str::trim)
}

/// The tasks of the line `// tasks: smooth_box, smooth_triangular`, in the order of the lab; without such a line
/// all tasks of the lab.
///
/// # Errors
/// A sentence that names a task the lab does not have, and those that it has.
pub fn tasks(text: &str, lab: &dyn Lab) -> Result<Vec<&'static dyn Task>, String> {
    let Some(line) = line(text, "tasks") else { return Ok(lab.tasks().to_vec()) };
    let names: Vec<&str> = line.split(',').map(str::trim).collect();
    let all: Vec<&str> = lab.tasks().iter().map(|task| task.name()).collect();
    if let Some(unknown) = names.iter().find(|name| !all.contains(name)) {
        let known = all.join("`, `");
        return Err(format!(
            "unknown task `{unknown}` in its line `tasks:`; the tasks of {} are `{known}`",
            lab.name()
        ));
    }
    Ok(lab.tasks().iter().copied().filter(|task| names.contains(&task.name())).collect())
}
