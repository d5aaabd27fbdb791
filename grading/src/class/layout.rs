//! How an export is laid out: which files are whose.

use std::collections::BTreeMap;

use cuda::text::clean;

use super::arrival::Arrival;
use super::gradescope;
use super::person::Person;
use super::tree::{MOST_TEXT, Tree};

/// The files of one student.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    /// The student; without a short name yet.
    pub person: Person,
    /// The name that tells this student from the others in this export.
    pub key: String,
    /// When it came.
    pub arrival: Arrival,
    /// Each file: its index, and its name as the student gave it.
    pub files: Vec<(usize, String)>,
}

/// The layout's name, and the students' files.
pub fn groups(tree: &dyn Tree, is_archive: bool) -> (&'static str, Vec<Group>) {
    if let Some(groups) = of_gradescope(tree) {
        return ("Gradescope", groups);
    }
    let skip = usize::from(is_archive && has_wrapper(tree));
    let mut found: BTreeMap<String, Group> = BTreeMap::new();
    let (mut moodle, mut canvas) = (0, 0);
    for (index, entry) in tree.entries().iter().enumerate() {
        let path = &entry.path[skip.min(entry.path.len() - 1)..];
        let (group, name) = if let Some(one) = of_moodle(path) {
            moodle += 1;
            one
        } else if let Some(one) = of_canvas(path) {
            canvas += 1;
            one
        } else {
            plain(path)
        };
        let into = found.entry(group.key.clone()).or_insert(group.clone());
        into.arrival.marked_by = into.arrival.marked_by.or(group.arrival.marked_by);
        into.files.push((index, name));
    }
    let kind = match (moodle > 0, canvas > 0) {
        (true, _) => "Moodle",
        (_, true) => "Canvas",
        _ => "plain",
    };
    (kind, found.into_values().collect())
}

/// Whether one folder holds everything: archives often do.
fn has_wrapper(tree: &dyn Tree) -> bool {
    let entries = tree.entries();
    let Some(first) = entries.first() else { return false };
    entries.len() > 1
        && entries.iter().all(|entry| entry.path.len() > 1 && entry.path[0] == first.path[0])
        && of_moodle(&first.path).is_none()
}

fn of_gradescope(tree: &dyn Tree) -> Option<Vec<Group>> {
    let is_metadata = |path: &[String]| {
        path.len() <= 2 && path.last().is_some_and(|name| name == "submission_metadata.yml")
    };
    let index = tree.entries().iter().position(|entry| is_metadata(&entry.path))?;
    let depth = tree.entries()[index].path.len() - 1;
    let text = tree.read(index, 16 * MOST_TEXT).ok()?;
    let owners = gradescope::owners(&String::from_utf8_lossy(&text));
    let mut found: BTreeMap<String, Group> = owners
        .into_iter()
        .map(|owner| {
            let at = owner.at.map(|at| (at, "Gradescope"));
            let arrival = Arrival { at, ..Arrival::default() };
            (
                owner.folder.clone(),
                Group { person: owner.person, key: owner.folder, arrival, ..Group::default() },
            )
        })
        .collect();
    for (index, entry) in tree.entries().iter().enumerate() {
        let Some([folder, .., name]) = entry.path.get(depth..) else { continue };
        let into =
            found.entry(folder.clone()).or_insert_with(|| Group { key: folder.clone(), ..Group::default() });
        into.files.push((index, name.clone()));
    }
    let named = |mut group: Group| {
        if group.person.name.is_empty() {
            group.person.name = clean(&group.key);
        }
        group
    };
    Some(found.into_values().map(named).collect())
}

/// `Ada Lovelace_12345_assignsubmission_file_/histogram.cu`, or with `_` for `/`.
fn of_moodle(path: &[String]) -> Option<(Group, String)> {
    let (owner, rest) = path[0].split_once("_assignsubmission_")?;
    let (name, number) = owner.rsplit_once('_').filter(|(_, number)| is_number(number))?;
    let file = match path {
        [flat] => {
            let (_, file) = flat.split_once("_assignsubmission_file_")?;
            file.to_owned()
        }
        [.., file] => file.clone(),
        [] => return None,
    };
    // Text typed into the web page is no file to grade, unless it is all there is.
    let file = if rest.starts_with("onlinetext") { format!("online-{file}") } else { file };
    let person = Person { name: clean(name), number: number.to_owned(), ..Person::default() };
    Some((Group { person, key: owner.to_owned(), ..Group::default() }, file))
}

/// `lovelaceada_LATE_123_456_histogram.cu`: name, number of the student, number of the submission, file.
fn of_canvas(path: &[String]) -> Option<(Group, String)> {
    let [flat] = path else { return None };
    let mut parts = flat.splitn(2, '_');
    let (name, mut rest) = (parts.next()?, parts.next()?);
    let late = rest.strip_prefix("LATE_");
    rest = late.unwrap_or(rest);
    let mut parts = rest.splitn(3, '_');
    let (number, submission, file) = (parts.next()?, parts.next()?, parts.next()?);
    if !is_number(number) || !is_number(submission) || file.is_empty() {
        return None;
    }
    let person = Person { name: clean(name), number: number.to_owned(), ..Person::default() };
    let arrival = Arrival { marked_by: late.map(|_| "Canvas"), ..Arrival::default() };
    Some((Group { person, key: format!("{name}_{number}"), arrival, files: Vec::new() }, file.to_owned()))
}

/// A folder or a file per student.
fn plain(path: &[String]) -> (Group, String) {
    let file = path.last().cloned().unwrap_or_default();
    let key = match path {
        [flat] => {
            flat.rsplit_once('.').map_or(flat.as_str(), |(stem, _)| if stem.is_empty() { flat } else { stem })
        }
        _ => &path[0],
    };
    let person = Person { name: clean(key), ..Person::default() };
    (Group { person, key: key.to_owned(), ..Group::default() }, file)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::class::archive::Archive;
    use crate::class::zips::{Member, zip};

    fn shown(names: &[&str]) -> (&'static str, Vec<String>) {
        let members: Vec<Member<'_>> = names
            .iter()
            .map(|name| Member::stored(name, b"---\nsubmission_1:\n  :submitters:\n  - :name: Ada\n"))
            .collect();
        let archive = Archive::open(zip(&members), 100).expect("an archive");
        let (kind, groups) = groups(&archive, true);
        let line = |group: Group| {
            let files: Vec<String> = group.files.into_iter().map(|(_, name)| name).collect();
            let late = group.arrival.marked_by.map_or("", |_| " late");
            format!("{} [{}]{late}: {}", group.person.name, group.person.number, files.join(" "))
        };
        (kind, groups.into_iter().map(line).collect())
    }

    #[test]
    fn exports_are_told_by_their_layout() {
        assert_eq!(
            shown(&[
                "x_export/submission_metadata.yml",
                "x_export/submission_1/a.cu",
                "x_export/submission_2/sub/b.cu"
            ]),
            ("Gradescope", vec!["Ada []: a.cu".into(), "submission_2 []: b.cu".into()])
        );
        assert_eq!(
            shown(&["Ada L_12_assignsubmission_file_/a.cu", "Bob_X_13_assignsubmission_file_b.cu"]),
            ("Moodle", vec!["Ada L [12]: a.cu".into(), "Bob_X [13]: b.cu".into()])
        );
        assert_eq!(
            shown(&["lovelaceada_LATE_12_900_my_histogram.cu", "stonebob_13_901_histogram-1.cu"]),
            (
                "Canvas",
                vec!["lovelaceada [12] late: my_histogram.cu".into(), "stonebob [13]: histogram-1.cu".into()]
            )
        );
        assert_eq!(
            shown(&["all/ada/a.cu", "all/ada/b.txt", "all/bob.cu", "all/.hidden"]),
            (
                "plain",
                vec![".hidden []: .hidden".into(), "ada []: a.cu b.txt".into(), "bob []: bob.cu".into()]
            )
        );
    }
}
