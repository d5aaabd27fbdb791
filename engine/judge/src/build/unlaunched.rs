//! Launches that do not come: skipped in a case, or those of another task's kernel.

use kernels::Side;

use super::arguments::{Launch, declared, launches};
use super::code::{has, host_function, last_name, numbered_lines, places};

/// What to try if a call ends without its launch.
pub const SKIPPED: &str = "find the condition, the loop or the `return` that leaves this line out in this case: each call has to write all \
                           outputs";
/// What to try if memory is copied to the host that no kernel has got.
pub const FORGOTTEN: &str = "launch the kernel that fills it before this copy";
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

/// A launch of another task's kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Other {
    /// The line of the launch.
    pub line: u32,
    /// What it launches.
    pub kernel: String,
    own: String,
}

impl Other {
    /// The fact.
    pub fn told(&self) -> String {
        let Self { line, kernel, own } = self;
        format!("line {line} launches `{kernel}`, and no line launches `{own}`")
    }
}

/// The launch of another kernel, where no line names the one of this task.
pub fn other_kernel(text: &str, task: &str) -> Option<Other> {
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
    let uses = |name: &str| lines.iter().map(|(_, line)| places(line, name).count()).sum::<usize>();
    let all = launches(text, task);
    let defined: Vec<String> = defined.collect();
    let own: Vec<&String> = defined.iter().filter(|name| name.starts_with(task)).collect();
    let [own] = own.as_slice() else {
        let unused: Vec<&String> = defined.iter().filter(|name| uses(name) == 1).collect();
        let [own] = unused.as_slice() else { return None };
        let other = all.iter().find(|launch| is_of_another(text, launch, (own, task)))?;
        return Some(Other { line: other.line, kernel: other.kernel.to_owned(), own: (*own).clone() });
    };
    // The only kernel of the task, which another function launches as well: any other may be a new version of the one that is not launched.
    let [other] = all.as_slice() else { return None };
    let of_both = other.kernel != own.as_str() && uses(other.kernel) > 2;
    (of_both && uses(own) == 1).then(|| Other {
        line: other.line,
        kernel: other.kernel.to_owned(),
        own: (*own).clone(),
    })
}

/// Letters of a word from which on it says something.
const WORD: usize = 4;

/// Whether a launch has the parameters of the kernel that no line launches, and its kernel is named after another task that launches it, and
/// not after this one.
fn is_of_another(text: &str, launch: &Launch<'_>, (own, task): (&str, &str)) -> bool {
    let is_after =
        |function: &str| function.split('_').any(|word| word.len() >= WORD && launch.kernel.contains(word));
    let fits = declared(text, own).is_some_and(|parameters| parameters.len() == launch.arguments.len());
    fits && !is_after(task)
        && kernels::functions(text).iter().any(|function| {
            let launches_it =
                || launches(text, &function.name).iter().any(|other| other.kernel == launch.kernel);
            function.side == Side::Host && function.name != task && is_after(&function.name) && launches_it()
        })
}

/// Memory of the GPU that a task copies to the host before any of its kernels gets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forgotten {
    name: String,
    /// The line of the copy.
    pub line: u32,
    task: String,
    /// A launch in another function that gets memory of this name: its kernel and its line.
    elsewhere: Option<(String, u32)>,
}

impl Forgotten {
    /// The fact.
    pub fn told(&self) -> String {
        let Self { name, line, task, elsewhere } = self;
        let launched = elsewhere.as_ref().map_or_else(String::new, |(kernel, line)| {
            format!(". `{kernel}`, which line {line} launches with `{name}`, is not launched by `{task}`")
        });
        format!("no kernel gets `{name}` before line {line} copies it to the host{launched}")
    }
}

/// The first such copy: between it and its allocation, the function uses the memory only to fill it.
pub fn forgotten(text: &str, task: &str) -> Option<Forgotten> {
    let lines = host_function(text, task);
    lines.iter().enumerate().find_map(|(at, (line, source))| {
        let list = source.trim_start().strip_prefix("cudaMemcpy(")?.split_once(");")?.0;
        let parts = super::launches::arguments(list);
        let [_, name, _, way] = parts.as_slice() else { return None };
        if way != "cudaMemcpyDeviceToHost" {
            return None;
        }
        let before = || lines[..at].iter().map(|(_, line)| *line).filter(|line| has(line, name));
        let allocated = format!("cudaMalloc(&{name},");
        // A declaration of pointers alone gives the memory to nobody.
        let fills = |line: &str| {
            let declares = line.contains('*') && !line.contains(['=', '(', '<']);
            line.contains(&allocated) || line.contains(&format!("cudaMemset({name},")) || declares
        };
        let own = before().any(|line| line.contains(&allocated)) && before().all(fills);
        // A launch that comes too late is another mistake.
        let later =
            launches(text, task).iter().any(|launch| launch.line >= *line && launch.arguments.contains(name));
        (own && !later).then(|| {
            let gets = |launch: &Launch<'_>| launch.arguments.contains(name);
            let here = launches(text, task);
            let elsewhere = launches(text, "")
                .into_iter()
                .find(|launch| gets(launch) && here.iter().all(|own| own.kernel != launch.kernel))
                .map(|launch| (launch.kernel.to_owned(), launch.line));
            Forgotten { name: name.clone(), line: *line, task: task.to_owned(), elsewhere }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_that_is_forgotten_before_a_copy_is_told() {
        let text = |launch: &str| {
            format!(
                "__global__ void count(int* bins) {{\n}}\nvoid first(int n) {{\n    count<<<n, 32>>>(bins);\n}}\nvoid second(int n) {{\n    int* bins;\n    \
                 cudaMalloc(&bins, 4 * n);\n    cudaMemset(bins, 0, 4 * n);\n{launch}    cudaMemcpy(host, bins, 4 * n, cudaMemcpyDeviceToHost);\n}}\n"
            )
        };
        let said = "no kernel gets `bins` before line 10 copies it to the host. `count`, which line 4 launches with `bins`, is not launched by `second`";
        assert_eq!(forgotten(&text(""), "second").map(|of| of.told()).as_deref(), Some(said));
        assert_eq!(forgotten(&text("    count<<<n, 32>>>(bins);\n"), "second"), None);
        assert_eq!(forgotten(&text("    fill(bins, n);\n"), "second"), None);
        assert_eq!(forgotten(&text(""), "first"), None);
    }

    #[test]
    fn a_kernel_that_no_line_launches_is_told_beside_the_one_in_its_place() {
        let text = |kernel: &str| {
            format!(
                "__global__ void blur_kernel(int n) {{\n}}\n__global__ void __launch_bounds__(256)\nsharpen_kernel(int n) {{\n}}\n\
                 void blur(int n) {{\n    blur_kernel<<<n, 32>>>(n);\n}}\nvoid sharpen(int n) {{\n    {kernel}<<<n, 32>>>(n);\n}}\n"
            )
        };
        let said = "line 10 launches `blur_kernel`, and no line launches `sharpen_kernel`";
        assert_eq!(
            other_kernel(&text("blur_kernel"), "sharpen").map(|other| other.told()).as_deref(),
            Some(said)
        );
        assert_eq!(other_kernel(&text("blur_kernel"), "blur"), None);
        let newer = text("sharpen_by_rows").replace(
            "__global__ void blur",
            "__global__ void sharpen_by_rows(int n) {\n}\n__global__ void blur",
        );
        assert_eq!(other_kernel(&newer, "sharpen"), None, "a new version");
        assert_eq!(other_kernel(&text("sharpen_kernel"), "sharpen"), None);
        let other = |launched: &str| {
            let text = format!(
                "__global__ void count(int n) {{\n}}\n__global__ void stretch_kernel(int* a, int n) {{\n}}\n__global__ void map_kernel(int* a, int n) {{\n}}\n\
                 void contrast_stretch(int* a, int n) {{\n    count<<<n, 32>>>(n);\n    stretch_kernel<<<n, 32>>>(a, n);\n}}\n\
                 void equalize(int* a, int n) {{\n    count<<<n, 32>>>(n);\n    {launched}<<<n, 32>>>(a, n);\n}}\n"
            );
            other_kernel(&text, "equalize").map(|other| other.told())
        };
        let said = "line 13 launches `stretch_kernel`, and no line launches `map_kernel`";
        assert_eq!(other("stretch_kernel").as_deref(), Some(said));
        assert_eq!(other("map_kernel"), None);
        let said = "no kernel was launched: line 10 launches `sharpen_kernel`, but was not reached";
        assert_eq!(skipped(&text("sharpen_kernel"), "sharpen").as_deref(), Some(said));
        assert_eq!(skipped("void sharpen(int n) {\n}\n", "sharpen"), None);
    }
}
