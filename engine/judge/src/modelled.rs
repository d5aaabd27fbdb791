//! The modelled GPU that is meant by a name, or the nearest one to a GPU that is not modelled.

use std::cmp::Reverse;

use simulator::model::{self, Gpu};

use crate::exit::Stop;
use crate::labs;

/// How names of GPUs begin, and the compute capability of those that do; of several that fit, the longest counts.
const SERIES: [(&str, u32); 42] = [
    ("rtx50", 120),
    ("rtxpro", 120),
    ("rtx40", 89),
    ("rtx30", 86),
    ("rtxa", 86),
    ("rtx20", 75),
    ("gtx16", 75),
    ("gtx10", 61),
    ("gtx9", 52),
    ("gtx7", 35),
    ("gtx6", 30),
    ("gtx5", 20),
    ("gtx4", 20),
    ("b100", 100),
    ("b200", 100),
    ("gb200", 100),
    ("b300", 103),
    ("h100", 90),
    ("h800", 90),
    ("gh200", 90),
    ("l4", 89),
    ("l40", 89),
    ("a100", 80),
    ("a800", 80),
    ("a30", 80),
    ("a2", 86),
    ("a10", 86),
    ("a16", 86),
    ("a40", 86),
    ("t4", 75),
    ("titanrtx", 75),
    ("titanv", 70),
    ("v100", 70),
    ("p4", 61),
    ("p100", 60),
    ("m60", 52),
    ("k40", 35),
    ("k20", 35),
    ("jetsonorin", 87),
    ("orin", 87),
    ("jetsonxavier", 72),
    ("xavier", 72),
];

/// Words before a name that say nothing.
const MAKERS: [&str; 5] = ["nvidia", "geforce", "tesla", "quadro", "agx"];

/// The GPU with this name, to predict times for.
pub fn predicted(name: &str) -> Result<&'static Gpu, Stop> {
    model::find(name).or_else(|| called(name)).ok_or_else(|| Stop::Usage(unknown(name)))
}

/// The GPU with this name; without one the first, which the model was validated on.
pub fn predicted_or_first(name: Option<&str>) -> Result<&'static Gpu, Stop> {
    name.map_or(Ok(&model::gpus()[0]), predicted)
}

/// The modelled GPU with this full or short name, spelt in any way, as a driver does for example: `Quadro K620`, `GTX 480`,
/// `NVIDIA GeForce RTX 4090`.
pub fn called(name: &str) -> Option<&'static Gpu> {
    let full = |gpu: &Gpu| plain(gpu.title.split(',').next().unwrap_or_default());
    let wanted = plain(name);
    model::gpus().iter().find(|gpu| wanted == gpu.name || wanted == full(gpu))
}

/// Letters and digits, without the maker.
fn plain(text: &str) -> String {
    let letters = text.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase());
    let mut name: String = letters.collect();
    while let Some(rest) = MAKERS.iter().find_map(|maker| name.strip_prefix(maker)) {
        name = rest.to_owned();
    }
    name
}

fn unknown(name: &str) -> String {
    let names: Vec<&str> = model::gpus().iter().map(|gpu| gpu.name).collect();
    let all = format!("times can be predicted for {}", labs::quoted(&names));
    let wanted = plain(name);
    if let Some((near, capability)) = of_series(&wanted) {
        let version = |capability: u32| format!("{}.{}", capability / 10, capability % 10);
        let why = if near.capability == capability {
            format!("which has the same compute capability, {}", version(capability))
        } else {
            format!("of compute capability {} ({name}: {})", version(near.capability), version(capability))
        };
        return format!(
            "there is no model of the GPU `{name}`: the nearest is `{}`, {why}; {all}",
            near.name
        );
    }
    match spelt(&wanted) {
        Some(near) => format!("unknown GPU `{name}`: did you mean `{}`? {all}", near.name),
        None => format!("unknown GPU `{name}`: {all}"),
    }
}

/// For a GPU of a known series, the nearest modelled one, and the capability of the former: the same generation before others, newer ones
/// before older, then the nearest number.
fn of_series(wanted: &str) -> Option<(&'static Gpu, u32)> {
    let fits = SERIES.iter().filter(|(begin, _)| wanted.starts_with(begin));
    let (_, capability) = *fits.max_by_key(|(begin, _)| begin.len())?;
    let key = |gpu: &&Gpu| {
        let generations = (gpu.capability / 10).abs_diff(capability / 10);
        let older = gpu.capability / 10 < capability / 10;
        (generations, older, gpu.capability.abs_diff(capability), number(gpu.name).abs_diff(number(wanted)))
    };
    model::gpus().iter().min_by_key(key).map(|gpu| (gpu, capability))
}

/// The modelled GPU whose name is spelt most alike, among those whose names begin with the same letters; of a number alone, the one with
/// this number.
fn spelt(wanted: &str) -> Option<&'static Gpu> {
    if let Ok(alone) = wanted.parse::<u32>() {
        return model::gpus().iter().find(|gpu| number(gpu.name) == alone);
    }
    let family = |name: &str| name.chars().take_while(char::is_ascii_alphabetic).collect::<String>();
    let same = model::gpus().iter().filter(|gpu| family(gpu.name) == family(wanted));
    let distance = |gpu: &Gpu| strsim::damerau_levenshtein(gpu.name, wanted);
    same.min_by_key(|gpu| (distance(gpu), Reverse(number(gpu.name))))
}

/// The first number in a name.
fn number(name: &str) -> u32 {
    let digits = name.chars().skip_while(|letter| !letter.is_ascii_digit());
    digits.take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn nearest(name: &str) -> String {
        let text = predicted(name).err().map(|stop| stop.to_string()).unwrap_or_default();
        let before = text.split("times can be predicted").next().unwrap_or_default();
        before.split('`').nth(3).unwrap_or_default().to_owned()
    }

    #[test]
    fn names_are_known_however_they_are_spelt() {
        for (name, short) in [
            ("GTX 480", "gtx480"),
            ("Quadro K620", "k620"),
            ("NVIDIA GeForce RTX 4090", "rtx4090"),
            ("rtx-3060", "rtx3060"),
            ("Tesla T4", "t4"),
            ("NVIDIA A100-SXM4-40GB", "a100"),
            ("NVIDIA H100 PCIe", "h100"),
            ("Orin", "orin"),
        ] {
            assert_eq!(predicted(name).ok().map(|gpu| gpu.name), Some(short), "{name}");
        }
    }

    #[test]
    fn a_gpu_without_a_model_is_told_the_nearest_one_of_its_generation() {
        for (name, near) in [
            ("rtx4080", "rtx4090"),
            ("rtx4070", "rtx4060"),
            ("RTX 3080 Ti", "rtx3060"),
            ("rtx5090", "rtx5070"),
            ("rtx2080", "gtx1650"),
            ("gtx1660", "gtx1650"),
            ("gtx1080", "gtx1650"),
            ("gtx580", "gtx480"),
            ("a40", "rtx3060"),
            ("v100", "t4"),
            ("gh200", "h200"),
            ("b200", "h200"),
        ] {
            assert_eq!(nearest(name), near, "{name}");
        }
    }

    #[test]
    fn a_slip_is_told_the_name_and_no_other_family_is_suggested() {
        for (name, near) in [
            ("h20", "h200"),
            ("rtx490", "rtx4090"),
            ("gtx48", "gtx480"),
            ("rtx9999", "rtx4090"),
            ("4090", "rtx4090"),
        ] {
            assert_eq!(nearest(name), near, "{name}");
        }
        for name in ["zebra", "radeon", "", "x480"] {
            assert_eq!(nearest(name), "", "{name}");
        }
        // No name of an RTX leads to a card of 2010.
        for number in (0..10_000).step_by(10) {
            let near = nearest(&format!("rtx{number}"));
            assert!(near.is_empty() || near.starts_with("rtx") || number < 2100, "rtx{number}: {near}");
            assert!(!["gtx480", "k80", "k620"].contains(&near.as_str()), "rtx{number}: {near}");
        }
    }
}
