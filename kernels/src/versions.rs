//! Several versions of one file in one translation unit, each in a namespace of its own: the headers are read once for all, which is most of the
//! time that a small file takes to compile.

use std::fmt::Write as _;

use crate::entries::Entry;
use crate::unit::Pass;
use crate::{device_code, entries, lexer, rewrite};

/// The file name of a version in the compiler's messages, and its namespace. Those of numbers below 100 are of one length, so that names which
/// the compiler makes of them are, too.
pub fn version_name(number: usize) -> String {
    format!("workbook_version_{number:02}")
}

/// The name of a host function of a version, as jobs call it.
pub fn version_function(number: usize, function: &str) -> String {
    format!("{}_{function}", version_name(number))
}

/// Directives that all versions share.
const SHARED: [&str; 2] = ["#include", "#define"];

/// The unit of one pass, with an entry for `entry`'s function of each version. `None` if the versions cannot stand side by side: what they
/// share depends on a condition, or they have names that belong to C; or one cannot be read.
pub fn versions_unit(versions: &[(usize, &str)], pass: Pass, entry: Entry<'_>) -> Option<String> {
    let (_, first) = versions.first()?;
    let mut unit = shared(first)?;
    for (number, text) in versions {
        let rewritten = rewrite::rewrite_launches(text).ok()?;
        let text = match pass {
            Pass::Host => device_code::without_bodies(&rewritten),
            Pass::Device => rewritten,
        };
        let name = version_name(*number);
        let _ = writeln!(unit, "namespace {name} {{\n#line 1 \"{name}\"\n{}\n}}", without_shared(&text));
    }
    if pass == Pass::Host {
        unit.push_str(&entries::types());
        for (number, _) in versions {
            unit.push_str(&entries::of_version(entry, &version_name(*number)));
        }
    }
    Some(unit)
}

/// The directives of a text that stand before all versions, in its lines.
fn shared(text: &str) -> Option<String> {
    let tokens = lexer::tokens(text).ok()?;
    let of_c = tokens.iter().any(|token| token.text(text) == "\"C\"");
    let (mut unit, mut conditions) = (String::new(), 0);
    for line in text.lines().map(str::trim) {
        let is_open = line.starts_with('#') && line.ends_with('\\');
        if is_open || of_c || line.starts_with("#undef") {
            return None;
        }
        conditions += i32::from(line.starts_with("#if")) - i32::from(line.starts_with("#endif"));
        if is_shared(line) {
            if conditions > 0 {
                return None;
            }
            unit.push_str(line);
        }
        unit.push('\n');
    }
    Some(unit)
}

fn is_shared(line: &str) -> bool {
    SHARED.iter().any(|directive| line.trim_start().starts_with(directive))
}

/// The text without them.
fn without_shared(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(|line| if is_shared(line) { "" } else { line }).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: Entry<'_> = Entry { function: "gray", parameters: "const uint8_t* rgb, int n" };

    #[test]
    fn versions_share_their_directives_and_have_an_entry_each() {
        let text = "#include \"workbook.cuh\"\nvoid gray(const uint8_t* rgb, int n) {\n#pragma unroll\n}";
        let unit = versions_unit(&[(0, text), (7, text)], Pass::Host, ENTRY).expect("a unit");
        assert_eq!(unit.matches("#include").count(), 1);
        assert_eq!(unit.matches("#pragma unroll").count(), 2);
        assert!(
            unit.contains("workbook_entry_workbook_version_07_gray(const uint8_t* rgb, int n)"),
            "{unit}"
        );
        assert!(unit.contains("workbook_version_07::gray(rgb, n)"), "{unit}");
        for alone in
            ["#ifdef A\n#define B\n#endif", "#define A 1 \\\n+ 1", "extern \"C\" void f();", "/* open"]
        {
            assert_eq!(versions_unit(&[(0, alone)], Pass::Device, ENTRY), None, "{alone}");
        }
        let text = "#define A 1\n#if A > 0\nvoid gray();\n#endif\n#define B 2";
        let unit = versions_unit(&[(0, text)], Pass::Device, ENTRY).expect("a unit");
        assert!(unit.contains("#if A > 0") && unit.starts_with("#define A 1\n\n\n\n#define B 2"), "{unit}");
    }
}
