//! Pages by the words of their titles, and by words of CUDA in their code; the page of an idea.

use super::list::{PAGES, Page};

/// Pages that are listed.
const MOST: usize = 8;
/// Letters of a word from which on it is looked for in code.
const LETTERS: usize = 4;

/// Pages with these words in their titles; if there are none, pages that have this word in code, those that have it most often first.
pub fn search(words: &str) -> Vec<&'static Page> {
    let wanted = words.to_lowercase();
    let pages = || PAGES.iter().filter(|page| !page.name.starts_with("findings/"));
    let titled: Vec<_> = pages().filter(|page| has(&page.title().to_lowercase(), &wanted)).collect();
    let is_word = wanted.chars().count() >= LETTERS && !wanted.contains(' ');
    if !titled.is_empty() || !is_word {
        return titled;
    }
    let mut found: Vec<(usize, &Page)> =
        pages().map(|page| (in_code(page.text, &wanted), page)).filter(|(count, _)| *count > 0).collect();
    found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    found.into_iter().map(|(_, page)| page).take(MOST).collect()
}

/// The page of a lab on this rung, or on the nearest one before it.
pub fn of_rung(lab: &str, rung: u32) -> Option<&'static str> {
    let own = format!("labs/{lab}/");
    let step = format!("generated/step-{lab}-");
    let pages = PAGES.iter().filter(|page| page.name.starts_with(&own));
    let rungs = pages.flat_map(|page| {
        let numbers =
            page.text.split(step.as_str()).skip(1).filter_map(|rest| rest.get(..2)?.parse::<u32>().ok());
        numbers.map(|number| (number, page.name))
    });
    rungs.filter(|(number, _)| *number <= rung).max_by_key(|(number, _)| *number).map(|(_, name)| name)
}

/// How often a word stands in code.
fn in_code(text: &str, word: &str) -> usize {
    text.split('`').skip(1).step_by(2).filter(|code| has(&code.to_lowercase(), word)).count()
}

/// Whether a text has these words: between them and other words may be `_`, as in `__dp4a`.
fn has(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        ends(text[..at].chars().next_back()) && ends(text[at + words.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_words_of_cuda_find_pages() {
        let names = |words: &str| search(words).iter().map(|page| page.name).collect::<Vec<_>>();
        assert_eq!(names("dot products"), ["labs/lab1/arithmetic"]);
        assert!(names("dp4a").contains(&"labs/lab4/packed"), "{:?}", names("dp4a"));
        assert!(!names("__shfl_down_sync").is_empty());
        assert!(names("no such thing").is_empty() && names("qqqq").is_empty());
    }

    #[test]
    fn an_idea_has_the_page_of_its_rung() {
        let pages = [10, 13, 9, 18].map(|rung| of_rung("lab4", rung));
        let packed = Some("labs/lab4/packed");
        assert_eq!(pages, [packed, packed, Some("labs/lab4/sliding"), Some("labs/lab4/strips")]);
        assert_eq!(of_rung("no lab", 3), None);
    }
}
