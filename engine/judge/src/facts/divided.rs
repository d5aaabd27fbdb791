//! Means that are divided by the weights of a whole window where a window may be cut, or that are rounded in two steps.

use crate::build::arguments::launches;
use crate::build::block::body;

/// What to try if the divisor is that of a whole window.
pub const ADDED_ONLY: &str = "divide by the number of the neighbours that were added, or by the sum of their weights: near the border fewer lie inside the image";
/// What to try if a mean of means is rounded twice.
pub const ONCE: &str = "keep the sums of the first step, in a type that holds them (`uint16_t`, `int`), and divide once, at the end: the rounding of the first \
                        step moves the result";

/// A task with a single kernel that divides by the weights of a whole window alone, as a fact.
pub fn by_all(source: &str, task: &str) -> Option<String> {
    let all = launches(source, task);
    let [launch] = all.as_slice() else { return None };
    let lines = body(source, launch.kernel);
    let quotients = |line: &str| {
        let parts: Vec<String> = line
            .split(" / ")
            .skip(1)
            .map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned())
            .collect();
        parts
    };
    let divisors: Vec<(u32, String)> = lines
        .iter()
        .flat_map(|(number, line)| quotients(line).into_iter().map(|by| (*number, by)))
        .filter(|(_, by)| by != "2")
        .collect();
    let (number, by) = divisors.first()?;
    let whole = ["25", "81"].contains(&by.as_str()) && divisors.len() == 1;
    let calls = lines.iter().any(|(_, line)| line.contains("out") && line.contains("(gray"));
    (whole && !calls && task.starts_with("smooth")).then(|| format!("line {number} divides by {by} for each pixel, the weights of a window of 5 × 5 that lies inside the image"))
}

/// Two kernels of a task, of which the second reads what the first has divided and rounded, and divides again, as a fact.
pub fn twice(source: &str, task: &str) -> Option<String> {
    let all = launches(source, task);
    let rounds = |kernel: &str| {
        body(source, kernel).into_iter().find(|(_, line)| line.contains("/ 2) / ")).map(|(number, _)| number)
    };
    all.windows(2).filter(|_| task.starts_with("smooth")).find_map(|both| {
        let [first, second] = [&both[0], &both[1]].map(|launch| rounds(launch.kernel));
        let (first, second) = first.zip(second)?;
        let passed =
            both[0].arguments.iter().skip(1).take(1).any(|given| both[1].arguments.first() == Some(given));
        (passed && first != second).then(|| {
            format!("line {first} divides and rounds, and line {second} divides its result and rounds again")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisors_that_do_not_fit_are_told() {
        let file = |line: &str| {
            format!(
                "__global__ void k(int n) {{\n    out[i] = {line};\n}}\nvoid smooth_box(int n) {{\n    k<<<1, 1>>>(n);\n}}\n"
            )
        };
        assert!(
            by_all(&file("(sum + count / 2) / 25"), "smooth_box")
                .is_some_and(|told| told.starts_with("line 2 divides by 25"))
        );
        assert_eq!(by_all(&file("(sum + count / 2) / count"), "smooth_box"), None);
        assert_eq!(by_all(&file("inner ? (sum + 12) / 25 : sum / count"), "smooth_box"), None);
        let two = "__global__ void rows(int* in) {\n    out[i] = (sum + n / 2) / n;\n}\n__global__ void columns(int* in) {\n    out[i] = (sum + n / 2) / n;\n}\n\
                   void smooth_box(int n) {\n    rows<<<1, 1>>>(gray, temp, n);\n    columns<<<1, 1>>>(temp, out, n);\n}\n";
        assert!(
            twice(two, "smooth_box")
                .is_some_and(|told| told.starts_with("line 2 divides and rounds, and line 5"))
        );
        assert_eq!(twice(&two.replacen("(sum + n / 2) / n", "sum", 1), "smooth_box"), None);
    }
}
