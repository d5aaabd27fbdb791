//! What a reader means by the word after `checker book`.

use super::include::expanded;
use super::list::{PAGES, Page};
use super::search::search;
use super::text::shown;

/// What the word names.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// A page.
    Whole(&'static Page),
    /// A finding: its page, and its text.
    Entry(&'static Page, &'static str),
    /// A term of the glossary: its line.
    Term(&'static str),
    /// A lab by its name: its pages, the first of which says where to begin.
    Lab(Vec<&'static Page>),
    /// More than one page.
    Several(Vec<&'static Page>),
    /// Nothing.
    Nothing,
}

/// Finds a page by its name or by the last part of it, a finding by its code, a term by its word; else by its title or by a word of CUDA.
pub fn find(word: &str) -> Found {
    let plain = word.trim().to_lowercase();
    let plain = plain.trim_start_matches("book/pages/").replace(".md", "");
    let plain = plain
        .split_once('#')
        .map_or(plain.as_str(), |(page, place)| if place.starts_with('w') { place } else { page });
    if let Some((page, entry)) = entry(plain) {
        return Found::Entry(page, entry);
    }
    if let Some(page) = PAGES.iter().find(|page| page.name == plain || page.name == format!("labs/{plain}")) {
        return Found::Whole(page);
    }
    let last = |page: &&Page| page.name.rsplit('/').next() == Some(plain);
    let mut named: Vec<&'static Page> = PAGES.iter().filter(last).collect();
    if named.is_empty() && plain.starts_with("lab") {
        named = PAGES.iter().filter(|page| page.name.split('/').any(|part| part == plain)).collect();
        if !named.is_empty() {
            return Found::Lab(named);
        }
    }
    match named[..] {
        [page] => Found::Whole(page),
        [] => term(plain).map_or_else(|| searched(word.trim()), Found::Term),
        _ => Found::Several(named),
    }
}

fn searched(words: &str) -> Found {
    match search(words).as_slice() {
        [] => Found::Nothing,
        [page] => Found::Whole(page),
        pages => Found::Several(pages.to_vec()),
    }
}

/// The command that shows the entry of a finding; `None` for a code without an entry.
pub fn command_for(code: &str) -> Option<String> {
    entry(code).map(|_| format!("checker book {code}"))
}

/// The name of the page that helps with a limit of a report, such as `DRAM bandwidth`: the table of the page on reports has it.
pub fn on_limit(limit: &str, lab: &str) -> Option<&'static str> {
    let reading = PAGES.iter().find(|page| page.name == "reading")?;
    let row = reading
        .text
        .lines()
        .find_map(|line| line.strip_prefix("| ")?.strip_prefix(limit)?.strip_prefix(" | "))?;
    let pages: Vec<&str> =
        row.split("](").skip(1).filter_map(|link| Some(link.split_once(".md")?.0)).collect();
    let own = format!("labs/{lab}/");
    let name = pages.iter().find(|page| page.starts_with(&own)).or(pages.first())?;
    let last = name.rsplit('/').next()?;
    Some(if matches!(find(last), Found::Whole(_) | Found::Entry(..)) { last } else { name })
}

/// The text of a section, such as `Why`, of the entry of a finding, for a terminal.
pub fn section(code: &str, name: &str) -> Option<String> {
    let (page, text) = entry(code)?;
    let (_, below) = text.split_once(&format!("\n## {name}\n"))?;
    let section = below.split("\n## ").next().unwrap_or(below);
    Some(shown(&expanded(page.name, section.trim()), false))
}

/// The page of a finding.
fn entry(code: &str) -> Option<(&'static Page, &'static str)> {
    let name = format!("findings/{}", code.to_uppercase());
    let page = PAGES.iter().find(|page| page.name == name)?;
    Some((page, page.text))
}

/// The line of the glossary that explains a word.
fn term(word: &str) -> Option<&'static str> {
    let glossary = PAGES.iter().find(|page| page.name == "glossary")?;
    glossary.text.lines().filter(|line| line.starts_with("- **")).find(|line| {
        let terms = line.trim_start_matches("- **").split("**").next().unwrap_or_default().to_lowercase();
        terms.split(", ").any(|term| term == word)
    })
}

#[cfg(test)]
mod tests {
    use lab::Part;

    use super::*;

    fn name(found: &Found) -> &str {
        match found {
            Found::Whole(page) | Found::Entry(page, _) => page.name,
            _ => "",
        }
    }

    #[test]
    fn every_limit_of_a_report_has_a_page() {
        for name in judge::limiters::all() {
            let page = on_limit(name, "lab1");
            let found = page.map(find);
            assert!(matches!(found, Some(Found::Whole(_) | Found::Entry(..))), "{name}: {page:?}");
        }
        for (name, _) in Part::ALL.map(Part::words) {
            let page = on_limit(name, "lab1");
            assert!(matches!(page.map(find), Some(Found::Whole(_))), "{name}: {page:?}");
        }
        assert_eq!(
            [on_limit("latency", "lab1"), on_limit("double-precision arithmetic", "lab1")],
            [Some("latency"), Some("W0801")]
        );
        assert_eq!(
            ["lab1", "lab4"].map(|lab| on_limit("multiplications", lab)),
            [Some("labs/lab1/arithmetic"), Some("packed")],
            "the page of the lab itself"
        );
        assert_eq!(["lab3", "lab5"].map(|lab| on_limit("copies", lab)), [Some("scan"), Some("copies")]);
        assert_eq!(on_limit("no limit", "lab1"), None);
    }

    #[test]
    fn pages_findings_and_terms_are_found() {
        assert_eq!(name(&find("coalescing")), "learn/coalescing");
        assert_eq!(name(&find("labs/lab4/tiles")), "labs/lab4/tiles");
        let paths = ["W0301", "w0301", "book/pages/findings/races.md#w0301"];
        for path in paths {
            let Found::Entry(page, text) = find(path) else { panic!("{path}") };
            assert_eq!(page.name, "findings/W0301");
            assert!(text.starts_with("# W0301: ") && text.contains("## Mend"), "{text}");
        }
        assert_eq!(command_for("W0301").as_deref(), Some("checker book W0301"));
        assert_eq!(command_for("W9"), None);
        assert!(matches!(find("halo"), Found::Term(line) if line.contains("tile")));
        let of_lab = |pages: &[&Page]| pages.len() > 3 && pages[0].name == "labs/lab2/atomics";
        assert!(matches!(find("lab2"), Found::Lab(pages) if of_lab(&pages)));
        assert!(matches!(find("atomics"), Found::Several(pages) if pages.len() == 2));
        assert_eq!(find("no such thing"), Found::Nothing);
    }
}
