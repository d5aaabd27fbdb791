//! The pages that the program carries.

/// A page of the book.
#[derive(Debug, PartialEq, Eq)]
pub struct Page {
    /// Its file in `book/pages/` without the ending: `learn/atomics`.
    pub name: &'static str,
    /// Its Markdown.
    pub text: &'static str,
}

impl Page {
    /// Its first heading.
    pub fn title(&self) -> &'static str {
        let heading = self.text.lines().find_map(|line| line.strip_prefix("# "));
        heading.unwrap_or(self.name)
    }
}

macro_rules! pages {
    ($($name:literal)*) => {
        &[$(Page { name: $name, text: include_str!(concat!("../../../book/pages/", $name, ".md")) }),*]
    };
}

/// The pages, in the order of the book.
pub const PAGES: &[Page] = pages! {
    "introduction" "working" "judging" "reading"
    "learn/index" "learn/threads" "learn/divergence" "learn/coalescing" "learn/roofline" "learn/latency"
    "learn/atomics" "learn/banks" "learn/vectors" "learn/windows" "learn/arithmetic" "learn/moving"
    "labs/lab1/start" "labs/lab1/shapes" "labs/lab1/words" "labs/lab1/sixteen" "labs/lab1/arithmetic"
    "labs/lab1/once"
    "labs/lab2/atomics" "labs/lab2/buckets" "labs/lab2/block" "labs/lab2/warp" "labs/lab2/pixels"
    "labs/lab2/images"
    "labs/lab3/start" "labs/lab3/branches" "labs/lab3/scan" "labs/lab3/tables" "labs/lab3/launches"
    "labs/lab4/start" "labs/lab4/shapes" "labs/lab4/constants" "labs/lab4/tiles" "labs/lab4/border"
    "labs/lab4/separable" "labs/lab4/sliding" "labs/lab4/packed" "labs/lab4/strips"
    "labs/lab5/copies" "labs/lab5/pinned" "labs/lab5/overlap"
    "findings/index" "findings/compiling" "findings/memory" "findings/initialisation" "findings/races"
    "findings/barriers" "findings/launches" "findings/host" "findings/performance" "findings/lints"
    "measuring" "simulator" "timing" "limits" "revisited" "files" "grading" "course" "new-lab" "glossary" "sources"
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_written_chapter_of_the_book_is_here() {
        let summary = Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/pages/SUMMARY.md");
        let summary = std::fs::read_to_string(summary).expect("the book");
        let chapters = summary.split("](").skip(1).filter_map(|rest| rest.split(".md)").next());
        // Task sheets are printed by `init`, generated pages are tables.
        let is_written = |name: &&str| {
            !name.starts_with("generated/") && !name.starts_with("labs/lab") || name.matches('/').count() == 2
        };
        let wanted: BTreeSet<&str> = chapters.filter(is_written).collect();
        let here: BTreeSet<&str> = PAGES.iter().map(|page| page.name).collect();
        assert_eq!(here, wanted);
        assert!(PAGES.iter().all(|page| page.title() != page.name));
    }
}
