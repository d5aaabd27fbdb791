//! The place in the book that explains a finding.

/// Pages of `book/pages/findings/`, by the two digits after the `W`.
const PAGES: [&str; 9] = [
    "compiling",
    "memory",
    "initialisation",
    "races",
    "barriers",
    "launches",
    "host",
    "performance",
    "lints",
];

/// The entry of a code, a path in the checkout that is also a link: `book/pages/findings/memory.md#w0101`.
pub fn entry(code: &str) -> Option<String> {
    let family: usize = code.get(1..3)?.parse().ok()?;
    let page = PAGES.get(family)?;
    Some(format!("book/pages/findings/{page}.md#{}", code.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Workspace;

    /// A test of the book demands an entry for every code; this test shows that `entry` leads there.
    #[test]
    fn every_entry_of_the_book_is_where_the_report_says() {
        let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let workspace = Workspace::find(here).expect("a checkout");
        let mut entries = 0;
        for page in std::fs::read_dir(workspace.root().join("book/pages/findings")).expect("the book") {
            let name = page.expect("a page").file_name().to_string_lossy().into_owned();
            if let Some(code) = name.strip_suffix(".md").filter(|name| name.starts_with("W0")) {
                entries += 1;
                assert!(entry(code).is_some_and(|entry| entry.ends_with(&code.to_lowercase())), "{code}");
            }
        }
        assert!(entries > 50, "{entries} entries");
        assert_eq!(entry("W99"), None);
    }
}
