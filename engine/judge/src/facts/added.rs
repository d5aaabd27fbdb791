//! Lines that add the counts of a block to the result, and do it otherwise than by one counter for each level.

use crate::build::arguments::{is_output, joined, launches, parameters, parts};
use crate::build::block::body;
use crate::build::code::{closing, is_part};

/// What to try if all counts go to the first counter.
pub const ONE: &str =
    "give `atomicAdd` the address of the counter that the count belongs to, `atomicAdd(&bins[level], count)`";
/// What to try if counts are not added.
pub const ADD: &str =
    "each block has counted a part of the picture: their counts are added, `atomicAdd(&bins[level], count)`";

/// Atomics that do not add.
const OTHERS: [(&str, &str); 6] = [
    ("atomicMax", "keeps the larger of two counts"),
    ("atomicMin", "keeps the smaller of two counts"),
    ("atomicExch", "puts one count in place of another"),
    ("atomicOr", "joins the bits of two counts"),
    ("atomicAnd", "keeps the common bits of two counts"),
    ("atomicSub", "subtracts a count"),
];

/// The first such line, as a fact, and what to try.
pub fn told(source: &str, task: &str) -> Option<(String, &'static str)> {
    let whole = joined(source);
    launches(source, task).iter().find_map(|launch| {
        let names = parameters(&whole, launch.kernel)?;
        let counters: Vec<&String> = names
            .iter()
            .zip(&launch.arguments)
            .filter(|(_, given)| is_output(source, task, given))
            .map(|(name, _)| name)
            .collect();
        let lines = body(source, launch.kernel);
        let adds = |name: &str| lines.iter().any(|(_, line)| line.contains(&format!("atomicAdd(&{name}[")));
        lines.iter().find_map(|(number, line)| {
            let at = line.find("atomic")?;
            let (call, list) = line[at..].split_once('(')?;
            let list = parts(&list[..closing(list)?]);
            let [to, count] = list.as_slice() else { return None };
            if call == "atomicAdd" && counters.contains(&to) && count.contains('[') {
                let told = format!(
                    "line {number} adds `{count}` to `{to}`, which is `{to}[0]`, whatever its level is"
                );
                return Some((told, ONE));
            }
            let name = to.strip_prefix('&')?.split('[').next()?;
            let (_, does) = OTHERS.iter().find(|(other, _)| *other == call)?;
            let own =
                counters.iter().any(|own| *own == name) && name.chars().all(is_part) && to.contains('[');
            (own && !adds(name))
                .then(|| (format!("`{call}` in line {number} {does} of `{name}`, and adds none"), ADD))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_are_not_added_to_their_counter_are_told() {
        let file = |line: &str| {
            format!(
                "__global__ void k(const uint8_t* gray, uint32_t* bins, int n) {{\n    {line}\n}}\nvoid histogram(const uint8_t* gray, uint32_t* bins, \
                 int width, int height) {{\n    k<<<1, 256>>>(gray, bins, 3);\n}}\n"
            )
        };
        let of = |line: &str| told(&file(line), "histogram").map(|(told, _)| told).unwrap_or_default();
        assert!(of("atomicAdd(bins, local[t]);").contains("which is `bins[0]`"));
        assert!(of("atomicMax(&bins[t], local[t]);").contains("keeps the larger of two counts of `bins`"));
        assert_eq!(of("atomicAdd(&bins[t], local[t]);"), "");
        assert_eq!(of("atomicAdd(bins + t, local[t]);"), "");
        assert_eq!(of("atomicAdd(ticket, local[t]);"), "");
    }
}
