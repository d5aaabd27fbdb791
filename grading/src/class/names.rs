//! Short names that are unique, harmless as files, and the same every time.

use std::collections::HashMap;

use crate::hash;

/// Longest name before a suffix.
const LONGEST: usize = 60;

/// Makes the names of one class.
pub struct Namer(HashMap<String, usize>);

impl Namer {
    /// For a class with these raw names.
    pub fn new<'a>(raw: impl Iterator<Item = &'a str>) -> Self {
        let mut counts = HashMap::new();
        for name in raw {
            *counts.entry(plain(name).to_lowercase()).or_default() += 1;
        }
        Self(counts)
    }

    /// The short name: the raw one if it is harmless and no other differs from it by case alone; else with a hash behind, which
    /// does not depend on the other students.
    pub fn name(&self, raw: &str) -> String {
        let plain = plain(raw);
        let alone = self.0.get(&plain.to_lowercase()).is_none_or(|count| *count == 1);
        if plain == raw && alone { plain } else { format!("{plain}-{}", &hash::of(raw.as_bytes())[..8]) }
    }
}

fn plain(raw: &str) -> String {
    let letters = raw.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' });
    let name: String = letters.take(LONGEST).collect();
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "student".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_names_stay_and_others_are_told_apart() {
        let raw = ["ada", "Bob", "bob", "../etc", "a b", "a-b", "", "-rf"];
        let namer = Namer::new(raw.into_iter());
        let names: Vec<String> = raw.iter().map(|name| namer.name(name)).collect();
        assert_eq!(names[0], "ada");
        let mut unique: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), raw.len(), "{names:?}");
        for name in &names {
            assert!(!name.starts_with(['-', '.']) && !name.contains('/'), "{name}");
        }
    }
}
