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
    "findings/W0001" "findings/W0002" "findings/W0003" "findings/W0004" "findings/W0005"
    "findings/W0006" "findings/W0007" "findings/W0008" "findings/W0010" "findings/W0101"
    "findings/W0102" "findings/W0103" "findings/W0104" "findings/W0105" "findings/W0106"
    "findings/W0107" "findings/W0108" "findings/W0109" "findings/W0110" "findings/W0111"
    "findings/W0121" "findings/W0122" "findings/W0123" "findings/W0201" "findings/W0202"
    "findings/W0203" "findings/W0204" "findings/W0205" "findings/W0206" "findings/W0207"
    "findings/W0301" "findings/W0302" "findings/W0303" "findings/W0304" "findings/W0305"
    "findings/W0306" "findings/W0307" "findings/W0308" "findings/W0309" "findings/W0310"
    "findings/W0311" "findings/W0312" "findings/W0401" "findings/W0402" "findings/W0403"
    "findings/W0404" "findings/W0405" "findings/W0406" "findings/W0407" "findings/W0408" "findings/W0409"
    "findings/W0501" "findings/W0502" "findings/W0503" "findings/W0504" "findings/W0505"
    "findings/W0506" "findings/W0508" "findings/W0509" "findings/W0510" "findings/W0511"
    "findings/W0520" "findings/W0521" "findings/W0522" "findings/W0601" "findings/W0602"
    "findings/W0603" "findings/W0604" "findings/W0605" "findings/W0611" "findings/W0612" "findings/W0613" "findings/W0614"
    "findings/W0615" "findings/W0616" "findings/W0617" "findings/W0618" "findings/W0620"
    "findings/W0621" "findings/W0622" "findings/W0630" "findings/W0631" "findings/W0632" "findings/W0701"
    "findings/W0702" "findings/W0703" "findings/W0704" "findings/W0705" "findings/W0801"
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
