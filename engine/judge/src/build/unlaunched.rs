//! Launches that do not come: skipped in a case, or those of another task's kernel.

use super::arguments::launches;
use super::code::{has, last_name, numbered_lines, places};

/// What to try if a call ends without its launch.
pub const SKIPPED: &str = "find the condition, the loop or the `return` that leaves this line out in this case: each call has to write all \
                           outputs";
/// What to try if the kernel of another task is launched.
pub const OTHER: &str = "launch the kernel of this task, with its arguments";

/// The first launch of a task, none of which was reached, as a fact.
pub fn skipped(text: &str, task: &str) -> Option<String> {
    let launch = launches(text, task).into_iter().next()?;
    Some(format!(
        "no kernel was launched: line {} launches `{}`, but was not reached",
        launch.line, launch.kernel
    ))
}

/// The launch of another kernel, where no line names the one of this task, as a fact. Kernels are named after their tasks.
pub fn other_kernel(text: &str, task: &str) -> Option<String> {
    let lines: Vec<(u32, &str)> = numbered_lines(text).collect();
    let defined =
        lines.iter().enumerate().filter(|(_, (_, line))| has(line, "__global__")).filter_map(|(at, _)| {
            let head: String = lines[at..].iter().take(2).map(|(_, line)| *line).collect();
            let (_, after) = head.split_once("void ")?;
            let after = match after.split_once("__launch_bounds__(") {
                Some((_, after)) => after.split_once(')')?.1,
                None => after,
            };
            Some(last_name(after.split_once('(')?.0.trim_end()).to_owned())
        });
    let own: Vec<String> = defined.filter(|name| name.starts_with(task)).collect();
    let [own] = own.as_slice() else { return None };
    let uses = |name: &str| lines.iter().map(|(_, line)| places(line, name).count()).sum::<usize>();
    let all = launches(text, task);
    // The only kernel of the task, which another function launches as well: any other may be a new version of the one that is not launched.
    let [other] = all.as_slice() else { return None };
    let of_both = other.kernel != own && uses(other.kernel) > 2;
    (of_both && uses(own) == 1)
        .then(|| format!("line {} launches `{}`, and no line launches `{own}`", other.line, other.kernel))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_that_no_line_launches_is_told_beside_the_one_in_its_place() {
        let text = |kernel: &str| {
            format!(
                "__global__ void blur_kernel(int n) {{\n}}\n__global__ void __launch_bounds__(256)\nsharpen_kernel(int n) {{\n}}\n\
                 void blur(int n) {{\n    blur_kernel<<<n, 32>>>(n);\n}}\nvoid sharpen(int n) {{\n    {kernel}<<<n, 32>>>(n);\n}}\n"
            )
        };
        let said = "line 10 launches `blur_kernel`, and no line launches `sharpen_kernel`";
        assert_eq!(other_kernel(&text("blur_kernel"), "sharpen").as_deref(), Some(said));
        assert_eq!(other_kernel(&text("blur_kernel"), "blur"), None);
        let newer = text("sharpen_by_rows").replace(
            "__global__ void blur",
            "__global__ void sharpen_by_rows(int n) {\n}\n__global__ void blur",
        );
        assert_eq!(other_kernel(&newer, "sharpen"), None, "a new version");
        assert_eq!(other_kernel(&text("sharpen_kernel"), "sharpen"), None);
        let said = "no kernel was launched: line 10 launches `sharpen_kernel`, but was not reached";
        assert_eq!(skipped(&text("sharpen_kernel"), "sharpen").as_deref(), Some(said));
        assert_eq!(skipped("void sharpen(int n) {\n}\n", "sharpen"), None);
    }
}
