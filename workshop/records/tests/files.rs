//! The committed files are of the kinds that they name, and reading refuses anything else.

use std::path::{Path, PathBuf};

use pretty_assertions::assert_eq;
use records::{Content, Contents, Matrix, Provenance, ReadError, Record, Times, load, read};
use serde_json::{Value, json};

fn committed() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/data");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect()
}

fn written(provenance: Provenance, contents: Contents) -> Value {
    fn of<C: Content>(provenance: Provenance, content: C) -> Value {
        serde_json::to_value(Record::new(provenance, content)).unwrap()
    }
    match contents {
        Contents::Attacks(content) => of(provenance, content),
        Contents::Bench(content) => of(provenance, content),
        Contents::Counters(content) => of(provenance, content),
        Contents::Differential(content) => of(provenance, content),
        Contents::Grading(content) => of(provenance, content),
        Contents::Limits(content) => of(provenance, content),
        Contents::Link(content) => of(provenance, content),
        Contents::Matrix(content) => of(provenance, content),
        Contents::Micro(content) => of(provenance, content),
        Contents::Model(content) => of(provenance, content),
        Contents::Programs(content) => of(provenance, content),
        Contents::References(content) => of(provenance, content),
        Contents::Repeat(content) => of(provenance, content),
        Contents::Papers(content) => of(provenance, content),
        Contents::Scores(content) => of(provenance, content),
        Contents::Seeds(content) => of(provenance, content),
        Contents::SimulatorPeers(content) => of(provenance, content),
        Contents::Times(content) => of(provenance, content),
        Contents::Totals(content) => of(provenance, content),
        Contents::Validate(content) => of(provenance, content),
    }
}

/// A field that no type knows, and a figure that changes when it is read, would both show here.
#[test]
fn every_committed_file_is_the_same_when_it_is_written_again() {
    let files = committed();
    assert!(files.len() > 10, "{files:?}");
    for path in files {
        let (provenance, contents) = load(&path).unwrap();
        let before: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert!(written(provenance, contents) == before, "{} holds what its type does not", path.display());
    }
}

fn file(text: &Value) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.json");
    std::fs::write(&path, text.to_string()).unwrap();
    (folder, path)
}

#[test]
fn kind_and_provenance_come_first() {
    let provenance = Provenance {
        gpu: Some("NVIDIA H200".to_owned()),
        command: "workshop times".to_owned(),
        ..Provenance::default()
    };
    let text = serde_json::to_string(&Record::new(provenance, Times { points: Vec::new() })).unwrap();
    let expected =
        r#"{"kind":"times","provenance":{"gpu":"NVIDIA H200","command":"workshop times"},"points":[]}"#;
    assert_eq!(text, expected);
}

#[test]
fn a_file_of_another_kind_names_both_kinds_and_the_command() {
    let (_folder, path) =
        file(&json!({"kind": "times", "provenance": {"command": "workshop times"}, "points": []}));
    assert_eq!(read::<Times>(&path).unwrap().content, Times { points: Vec::new() });
    let refused = read::<Matrix>(&path).unwrap_err().to_string();
    let expected = "is a file of the kind `times`, not `matrix`; `workshop matrix` writes such a file";
    assert!(refused.ends_with(expected) && refused.contains("file.json"), "{refused}");
}

#[test]
fn an_older_form_says_what_is_missing() {
    let (_folder, path) = file(&json!({"gpu": "NVIDIA H200", "rows": []}));
    let refused = read::<Matrix>(&path).unwrap_err().to_string();
    assert!(refused.contains("missing field `kind`"), "{refused}");
    let (_folder, path) =
        file(&json!({"kind": "matrix", "provenance": {"command": "c"}, "rows": [{"lab": "lab1"}]}));
    for refused in [read::<Matrix>(&path).unwrap_err(), load(&path).unwrap_err()] {
        let refused = refused.to_string();
        assert!(refused.contains("missing field `rung`"), "{refused}");
        assert!(refused.ends_with("`workshop matrix` writes such a file anew"), "{refused}");
    }
}

#[test]
fn an_unknown_kind_lists_the_known_ones() {
    let (_folder, path) = file(&json!({"kind": "matrices", "provenance": {"command": "c"}, "rows": []}));
    let refused = load(&path).unwrap_err();
    assert!(matches!(refused, ReadError::Unknown { .. }));
    let refused = refused.to_string();
    assert!(refused.contains("`matrices`; the kinds are `attacks`, `bench`, `counters`"), "{refused}");
    assert!(
        read::<Matrix>(Path::new("no-such-file.json")).unwrap_err().to_string().contains("`workshop matrix`")
    );
}
