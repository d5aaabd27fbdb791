//! The one file to grade, among those that a student handed in.

use cuda::text::short;

use super::archive::Archive;
use super::layout::Group;
use super::refusal::Refusal;
use super::tree::{MOST_ARCHIVE, MOST_TEXT, Tree};

/// Most members of a student's archive.
const MOST_MEMBERS: usize = 2000;
/// Most names in a message.
const MOST_NAMES: usize = 5;

/// The file to grade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// Its name as the student gave it, cleaned.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Chooses and reads the file. `wanted` is the name of the lab's own.
pub fn choose(tree: &dyn Tree, group: &Group, wanted: &str) -> Result<Chosen, Refusal> {
    choose_in(tree, &group.files, wanted, true)
}

fn choose_in(
    tree: &dyn Tree,
    files: &[(usize, String)],
    wanted: &str,
    nested: bool,
) -> Result<Chosen, Refusal> {
    let fault = |index: usize| tree.entries()[index].fault.clone();
    // An archive made to write elsewhere is not a slip.
    if let Some(outside) =
        files.iter().filter_map(|(index, _)| fault(*index)).find(|f| matches!(f, Refusal::Outside(_)))
    {
        return Err(outside);
    }
    let with = |extension: &str| -> Vec<&(usize, String)> {
        files.iter().filter(|(_, name)| has_extension(name, extension)).collect()
    };
    let texts = with("cu");
    if !texts.is_empty() {
        let (index, name) = the_one(&texts, wanted)?;
        return Ok(Chosen { name: short(name), bytes: tree.read(*index, MOST_TEXT)? });
    }
    match with("zip")[..] {
        [(index, name)] if nested => {
            let bytes = tree.read(*index, MOST_ARCHIVE)?;
            let inner = Archive::open(bytes, MOST_MEMBERS)?;
            let entries = inner.entries().iter().enumerate();
            let files: Vec<(usize, String)> =
                entries.map(|(index, entry)| (index, entry.name().to_owned())).collect();
            choose_in(&inner, &files, wanted, false)
                .map(|chosen| Chosen { name: format!("{}: {}", short(name), chosen.name), ..chosen })
        }
        [] => Err(files
            .iter()
            .find_map(|(index, name)| fault(*index).or_else(|| other_archive(name)))
            .unwrap_or_else(|| {
                if files.is_empty() {
                    Refusal::NoFile
                } else {
                    Refusal::NoCuda(names(files.iter().map(|(_, name)| name)))
                }
            })),
        ref several if nested => Err(Refusal::Several(names(several.iter().map(|(_, name)| name)))),
        _ => Err(Refusal::NoCuda("only another archive".into())),
    }
}

/// The only file, or the only one with the name of the lab's; of uploads one after another (Canvas numbers them) the last.
fn the_one<'a>(texts: &[&'a (usize, String)], wanted: &str) -> Result<&'a (usize, String), Refusal> {
    if let [only] = texts {
        return Ok(only);
    }
    let named = |file: &&&'a (usize, String)| upload(&file.1, wanted).is_some();
    let last = texts.iter().filter(named).max_by_key(|file| upload(&file.1, wanted));
    let is_last = |file: &&&'a (usize, String)| {
        last.is_some_and(|last| upload(&file.1, wanted) == upload(&last.1, wanted))
    };
    match last {
        Some(last) if texts.iter().filter(named).filter(is_last).count() == 1 => Ok(last),
        _ => Err(Refusal::Several(names(texts.iter().map(|(_, name)| name)))),
    }
}

/// 0 for `histogram.cu`, 2 for `histogram-2.cu`, if that is the wanted name.
fn upload(name: &str, wanted: &str) -> Option<u32> {
    let (name, wanted) = (name.to_lowercase(), wanted.to_lowercase());
    let stem = |name: &str| name.strip_suffix(".cu").map(str::to_owned);
    let rest = stem(&name)?.strip_prefix(&stem(&wanted)?)?.to_owned();
    if rest.is_empty() { Some(0) } else { rest.strip_prefix('-')?.parse().ok() }
}

fn has_extension(name: &str, extension: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, last)| last.eq_ignore_ascii_case(extension))
}

fn other_archive(name: &str) -> Option<Refusal> {
    let known = ["tar", "gz", "tgz", "bz2", "xz", "7z", "rar", "zst"];
    known.iter().any(|extension| has_extension(name, extension)).then(|| Refusal::OtherArchive(short(name)))
}

fn names<'a>(all: impl Iterator<Item = &'a String>) -> String {
    let mut all: Vec<&String> = all.collect();
    all.sort();
    let shown: Vec<String> = all.iter().take(MOST_NAMES).map(|name| format!("`{}`", short(name))).collect();
    let more = all.len().saturating_sub(MOST_NAMES);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::class::zips::{Member, zip};

    fn chosen(members: &[Member<'_>]) -> Result<Chosen, Refusal> {
        let archive = Archive::open(zip(members), 100)?;
        let files =
            archive.entries().iter().enumerate().map(|(index, entry)| (index, entry.name().to_owned()));
        choose_in(&archive, &files.collect::<Vec<_>>(), "histogram.cu", true)
    }

    fn text(members: &[Member<'_>]) -> Result<String, &'static str> {
        chosen(members)
            .map(|chosen| String::from_utf8_lossy(&chosen.bytes).into_owned())
            .map_err(|refusal| refusal.code())
    }

    #[test]
    fn the_lab_s_file_is_found_among_others() {
        let file = Member::stored;
        assert_eq!(text(&[file("x/Mine.CU", b"1"), file("notes.txt", b"2")]).as_deref(), Ok("1"));
        assert_eq!(text(&[file("old.cu", b"1"), file("Histogram.cu", b"2")]).as_deref(), Ok("2"));
        assert_eq!(
            text(&[file("histogram.cu", b"1"), file("histogram-10.cu", b"3"), file("histogram-2.cu", b"2")])
                .as_deref(),
            Ok("3")
        );
        assert_eq!(text(&[file("a/histogram.cu", b"1"), file("b/histogram.cu", b"2")]), Err("several"));
        assert_eq!(text(&[file("a.cu", b"1"), file("b.cu", b"2")]), Err("several"));
        assert_eq!(text(&[file("a.cpp", b"1")]), Err("no-cuda"));
        assert_eq!(text(&[file("a.tar.gz", b"1")]), Err("other-archive"));
        assert_eq!(text(&[]), Err("no-file"));
    }

    #[test]
    fn an_archive_in_the_archive_is_read_and_no_deeper() {
        let inner = zip(&[Member::deflated("histogram.cu", b"text")]);
        assert_eq!(text(&[Member::stored("mine.zip", &inner)]).as_deref(), Ok("text"));
        let outer = zip(&[Member::stored("mine.zip", &inner)]);
        assert_eq!(text(&[Member::stored("outer.zip", &outer)]), Err("no-cuda"));
        assert_eq!(text(&[Member::stored("bad.zip", b"PK nonsense")]), Err("damaged"));
    }

    #[test]
    fn a_hostile_member_beside_a_good_one_refuses_the_submission() {
        assert_eq!(
            text(&[Member::stored("histogram.cu", b"1"), Member::stored("../x", b"2")]),
            Err("outside")
        );
        let link = Member { link: true, ..Member::stored("histogram.cu", b"/etc/passwd") };
        assert_eq!(text(&[link]), Err("link"));
        let huge = vec![b' '; MOST_TEXT as usize + 1];
        assert_eq!(text(&[Member::deflated("histogram.cu", &huge)]), Err("too-large"));
    }
}
