//! How an export is laid out: which files are whose.

use std::collections::BTreeMap;

use cuda::text::short;

use super::arrival::Arrival;
use super::gradescope;
use super::person::Person;
use super::refusal::Refusal;
use super::tree::{Entry, MOST_TEXT, Tree};

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
        let (group, name) = if let Some(one) = of_nobody(entry) {
            one
        } else if let Some(one) = of_moodle(path) {
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
    let entries: Vec<&Entry> = tree.entries().iter().filter(|entry| of_nobody(entry).is_none()).collect();
    let Some(first) = entries.first() else { return false };
    entries.len() > 1
        && entries.iter().all(|entry| entry.path.len() > 1 && entry.path[0] == first.path[0])
        && of_moodle(&first.path).is_none()
}

/// The file of a Gradescope export that says whose each folder is.
const METADATA: &str = "submission_metadata.yml";

fn of_gradescope(tree: &dyn Tree) -> Option<Vec<Group>> {
    let is_metadata = |path: &[String]| path.len() <= 2 && path.last().is_some_and(|name| name == METADATA);
    let index = tree.entries().iter().position(|entry| is_metadata(&entry.path))?;
    let (_, wrapper) = tree.entries()[index].path.split_last()?;
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
    let mut others: BTreeMap<String, Group> = BTreeMap::new();
    for (index, entry) in tree.entries().iter().enumerate() {
        let of_gradescope = match entry.path.strip_prefix(wrapper) {
            Some([name]) if name == METADATA => continue,
            Some([folder, .., name]) => Some((folder, name)),
            _ => None,
        };
        if let Some((group, name)) = of_nobody(entry) {
            others.entry(group.key.clone()).or_insert(group).files.push((index, name));
        } else if let Some((folder, name)) = of_gradescope {
            let new = || Group { key: folder.clone(), ..Group::default() };
            found.entry(folder.clone()).or_insert_with(new).files.push((index, name.clone()));
        } else {
            // Gradescope did not write it: a submission that was added by hand, or a slip. It may not vanish.
            let (mut group, name) = plain(&entry.path);
            group.key = format!("{} (outside)", group.key);
            others.entry(group.key.clone()).or_insert(group).files.push((index, name));
        }
    }
    let named = |mut group: Group| {
        if group.person.name.is_empty() {
            group.person.name = short(&group.key);
        }
        group
    };
    // Gradescope's own first: of two that look like one student, that is the one.
    Some(found.into_values().chain(others.into_values()).map(named).collect())
}

/// A member whose name leads out of its folder: whoever wrote it may not spoil the submission of the student that it names, so
/// that it is one of its own.
fn of_nobody(entry: &Entry) -> Option<(Group, String)> {
    let Some(Refusal::Outside(name)) = &entry.fault else { return None };
    let person = Person { name: name.clone(), ..Person::default() };
    // No other key has a `/`.
    Some((Group { person, key: name.clone(), ..Group::default() }, entry.name().to_owned()))
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
    let person = Person { name: short(name), number: number.to_owned(), ..Person::default() };
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
    let person = Person { name: short(name), number: number.to_owned(), ..Person::default() };
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
    let person = Person { name: short(key), ..Person::default() };
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
    fn what_gradescope_did_not_write_does_not_vanish() {
        let file = "all/submission_metadata.yml";
        assert_eq!(
            shown(&[file, "all/submission_1/a.cu", "eve/b.cu", "submission_1/c.cu", "all/d.cu", "e.cu"]),
            (
                "Gradescope",
                vec![
                    "Ada []: a.cu".into(),
                    "all []: d.cu".into(),
                    "e []: e.cu".into(),
                    "eve []: b.cu".into(),
                    "submission_1 []: c.cu".into()
                ]
            )
        );
    }

    #[test]
    fn a_name_that_leads_elsewhere_spoils_nobody_s_submission() {
        let gradescope =
            ["submission_metadata.yml", "submission_1/a.cu", "submission_2/../submission_1/x.cu"];
        for (names, of) in [
            (&["ann/a.cu", "bob/b.cu", "bob/../ann/x.cu"][..], ["ann []: a.cu", "bob []: b.cu"].as_slice()),
            (&["ann/a.cu", "../ann/x.cu"], &["ann []: a.cu"]),
            (&gradescope, &["Ada []: a.cu"]),
        ] {
            let hostile = names[names.len() - 1];
            let stray = format!("{hostile} []: x.cu");
            let mut told: Vec<String> = of.iter().map(ToString::to_string).chain([stray]).collect();
            let mut seen = shown(names).1;
            told.sort();
            seen.sort();
            assert_eq!(seen, told);
        }
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
