//! `submission_metadata.yml` of a Gradescope export: which folder is whose.
//!
//! The file is YAML as one program writes it, so that lines and their indents are enough; a text that looks otherwise gives
//! fewer names, and no error.

use cuda::text::short;

use super::moment::Moment;
use super::person::Person;

/// A folder, whose it is, and when it came. A group has several names in one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// `submission_123`
    pub folder: String,
    /// The student.
    pub person: Person,
    /// When it came, if the text says so.
    pub at: Option<Moment>,
}

/// The owners of all folders.
pub fn owners(text: &str) -> Vec<Owner> {
    let mut all: Vec<Owner> = Vec::new();
    let mut in_submitters = false;
    for line in text.lines() {
        let trimmed = line.trim_start().trim_start_matches("- ").trim();
        if !line.starts_with([' ', '-']) {
            if let Some(folder) =
                line.trim_end().strip_suffix(':').filter(|name| name.starts_with("submission_"))
            {
                all.push(Owner { folder: unquoted(folder), person: Person::default(), at: None });
            }
            in_submitters = false;
            continue;
        }
        let Some(owner) = all.last_mut() else { continue };
        // Deeper ones are of earlier submissions.
        if let Some(at) = line.strip_prefix("  :created_at: ") {
            owner.at = unquoted(at).parse().ok();
        }
        let Some((key, value)) = trimmed.trim_start_matches(':').split_once(':') else { continue };
        let value = unquoted(value);
        let person = &mut owner.person;
        match key {
            "submitters" => in_submitters = true,
            // A group's submission lists its members; the score is of them all.
            "name" if in_submitters && person.name.is_empty() => person.name = value,
            "name" if in_submitters => person.name = format!("{}, {value}", person.name),
            "sid" if in_submitters && person.number.is_empty() => person.number = value,
            "email" if in_submitters && person.email.is_empty() => person.email = value,
            "name" | "sid" | "email" => {}
            _ => in_submitters = false,
        }
    }
    all
}

fn unquoted(value: &str) -> String {
    let value = value.trim();
    let inner = value
        .strip_prefix('\'')
        .and_then(|rest| rest.strip_suffix('\''))
        .map(|text| text.replace("''", "'"))
        .or_else(|| {
            value
                .strip_prefix('"')
                .and_then(|rest| rest.strip_suffix('"'))
                .map(|text| text.replace("\\\"", "\""))
        });
    short(&inner.unwrap_or_else(|| value.to_owned()))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn folders_have_owners() {
        let text = "---\nsubmission_71:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: '0042'\n    :email: ada@example.edu\n  \
                    :created_at: 2026-11-20 10:00:00.5 Z\n  :score: 0.0\n  :history:\n  - :id: 70\n    \
                    :created_at: 2026-11-19 10:00:00 Z\n    :name: no\nsubmission_72:\n  \
                    :submitters:\n  - :name: \"Bob \\\"B\\\" Stone\"\n    :sid: \n    :email: b@example.edu\n  - :name: Carl\n";
        let owners = owners(text);
        let told: Vec<[&str; 4]> = owners
            .iter()
            .map(|o| [&o.folder, &o.person.name, &o.person.number, &o.person.email].map(String::as_str))
            .collect();
        assert_eq!(
            told,
            [
                ["submission_71", "Ada Lovelace", "0042", "ada@example.edu"],
                ["submission_72", "Bob \"B\" Stone, Carl", "", "b@example.edu"]
            ]
        );
        let times: Vec<_> = owners.iter().map(|owner| owner.at.as_ref().map(Moment::to_string)).collect();
        assert_eq!(times, [Some("2026-11-20T10:00:00.5Z".to_owned()), None]);
    }
}
