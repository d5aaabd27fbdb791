//! The codes of findings that the simulator and the checker can emit, read from their sources.

use std::collections::BTreeMap;
use std::path::Path;

use crate::files::{entries, has_ending, read};

/// Folders whose Rust sources emit findings.
const SOURCES: [&str; 4] = ["engine/simulator/src", "engine/runtime/src", "engine/judge/src", "kernels/src"];

/// Every code in a string literal of a source, with the first file that has it. Test modules count too: what
/// they name exists elsewhere, or they would fail.
pub fn emitted(root: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let mut codes = BTreeMap::new();
    for folder in SOURCES {
        visit(&root.join(folder), &mut codes)?;
    }
    Ok(codes)
}

fn visit(folder: &Path, codes: &mut BTreeMap<String, String>) -> anyhow::Result<()> {
    for path in entries(folder)? {
        if path.is_dir() {
            visit(&path, codes)?;
        } else if has_ending(&path, "rs") {
            for code in literals(&read(&path)?) {
                codes.entry(code).or_insert_with(|| path.display().to_string());
            }
        }
    }
    Ok(())
}

/// The string literals of a source that are codes: `"W0101"`.
fn literals(source: &str) -> Vec<String> {
    source.split('"').filter(|text| is_code(text)).map(str::to_owned).collect()
}

/// `W` and four digits.
pub fn is_code(text: &str) -> bool {
    text.len() == 5 && text.starts_with('W') && text[1..].bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_literals_are_codes() {
        let source = "a(\"W0101\", \"W01\", \"[W0102]\") // W0103\n const X: &str = \"W0104\";";
        assert_eq!(literals(source), ["W0101", "W0104"]);
    }
}
