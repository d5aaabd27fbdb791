//! Which parts of the simulator know of which others: execution never of the timing model, and the parts of the model only of
//! those before them.

use std::fs;
use std::path::Path;

/// A folder of the sources, and the modules that nothing in it may name.
const RULES: [(&str, &[&str]); 10] = [
    ("ptx", &["model"]),
    ("decode", &["model"]),
    ("memory", &["model"]),
    ("exec", &["model"]),
    ("observe", &["model"]),
    ("model/counters", &["count", "machine", "gpu", "time"]),
    ("model/gpu", &["counters", "count", "machine", "time"]),
    ("model/count", &["machine", "gpu", "time"]),
    ("model/machine", &["count", "time"]),
    ("model/time", &["count"]),
];

/// The lines of a text that name a module, comments left out.
fn naming<'a>(text: &'a str, module: &str) -> Vec<&'a str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let names = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        code.match_indices(module).any(|(at, _)| {
            let (before, behind) = (&code[..at], &code[at + module.len()..]);
            !before.ends_with(is_name)
                && (behind.starts_with("::") || before.ends_with("crate::") && !behind.starts_with(is_name))
        })
    };
    text.lines().filter(|line| names(line)).collect()
}

fn check(folder: &Path, modules: &[&str]) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            check(&path, modules);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a readable source");
            for module in modules {
                let found = naming(&text, module);
                assert!(found.is_empty(), "{} must not know of `{module}`: {found:?}", path.display());
            }
        }
    }
}

#[test]
fn no_part_knows_of_one_that_comes_later() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (folder, modules) in RULES {
        check(&sources.join(folder), modules);
    }
}

#[test]
fn imports_are_found_and_other_words_are_not() {
    let text = "use crate::model::Counters;\nuse crate::model;\nlet a = super::model::find();\nuse crate::{decode, model::Gpu};\n\
                // crate::model::Gpu\nuse crate::remodel::A;\nlet model = 1;\nmodels::b();";
    assert_eq!(naming(text, "model").len(), 4);
}
