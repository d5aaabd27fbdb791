//! Pairs made by known transformations: how many of them are found, and how many others are shown.

use std::collections::{BTreeMap, BTreeSet};

use grading::similar::pairs;
use judge::exit::Stop;
use judge::labs;
use judge::workspace::{Workspace, cuda_files, current_folder};
use records::Similar;

/// A transformation of a text.
type Transformation = fn(&str) -> String;

const TRANSFORMATIONS: [(&str, Transformation); 5] = [
    ("names changed", renamed),
    ("comments and layout changed", reformatted),
    ("functions in another order", reordered),
    ("numbers changed", renumbered),
    ("all of these", |text| renumbered(&renamed(&reordered(&reformatted(text))))),
];

/// Measures with the files of each lab that are no published solution.
pub fn measure() -> Result<Vec<Similar>, Stop> {
    let workspace = Workspace::find(&current_folder()?)?;
    let mut all = Vec::new();
    for lab in labs::all() {
        let read = |path: &std::path::PathBuf| {
            std::fs::read_to_string(path)
                .map_err(|error| Stop::environment(format!("{}: {error}", path.display())))
        };
        let mut published = vec![lab.skeleton().to_owned()];
        for rung in workspace.rungs(lab)? {
            published.push(read(&rung.path)?);
        }
        let held_out = workspace.root().join("workshop/validation/heldout").join(lab.folder());
        let mut paths = workspace.unusual_kernels(lab)?;
        if held_out.is_dir() {
            paths.extend(cuda_files(&held_out)?);
        }
        let originals: Vec<String> = paths.iter().map(read).collect::<Result<_, _>>()?;
        let names: Vec<String> = (0..originals.len()).map(|index| format!("{index}")).collect();
        let files: Vec<(&str, &str)> =
            names.iter().map(String::as_str).zip(originals.iter().map(String::as_str)).collect();
        let shown = pairs(&files, &published).len();
        let count = files.len() * files.len().saturating_sub(1) / 2;
        all.push(Similar { lab: lab.name().to_owned(), transformation: String::new(), pairs: count, shown });
        for (what, transform) in TRANSFORMATIONS {
            // One pair at a time: in a class, what many have is not counted.
            let found = originals.iter().filter(|text| {
                let copy = transform(text);
                !pairs(&[("original", text), ("copy", &copy)], &published).is_empty()
            });
            let (lab, shown) = (lab.name().to_owned(), found.count());
            all.push(Similar { lab, transformation: what.to_owned(), pairs: originals.len(), shown });
        }
    }
    Ok(all)
}

/// The text with each token that `change` changes.
fn mapped(text: &str, mut change: impl FnMut(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut end = 0;
    for (at, token) in kernels::tokens_at(text) {
        out.push_str(&text[end..at]);
        out.push_str(&change(token).unwrap_or_else(|| token.to_owned()));
        end = at + token.len();
    }
    out + &text[end..]
}

/// Names that are declared in the text become others: those after a type's name, `*`, `&` or `const`.
fn renamed(text: &str) -> String {
    let tokens: Vec<&str> = kernels::tokens_at(text).into_iter().map(|(_, token)| token).collect();
    let is_name = |token: &str| token.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let types = [
        "int",
        "uint8_t",
        "uint32_t",
        "unsigned",
        "float",
        "bool",
        "void",
        "size_t",
        "*",
        "&",
        "__restrict__",
    ];
    let declared: BTreeSet<&str> = tokens
        .windows(2)
        .filter(|pair| {
            types.contains(&pair[0]) && is_name(pair[1]) && !types.contains(&pair[1]) && pair[1] != "const"
        })
        .map(|pair| pair[1])
        .collect();
    let new: BTreeMap<&str, String> =
        declared.into_iter().enumerate().map(|(index, name)| (name, format!("my_{index}"))).collect();
    mapped(text, |token| new.get(token).cloned())
}

/// Without comments, one statement a line, without indents.
fn reformatted(text: &str) -> String {
    let mut out = String::new();
    let mut end = 0;
    for (at, token) in kernels::tokens_at(text) {
        // A directive ends with its line.
        out.push(if text[end..at].contains('\n') { '\n' } else { ' ' });
        out.push_str(token);
        if token == ";" && !out.lines().last().unwrap_or_default().trim_start().starts_with("for") {
            out.push('\n');
        }
        end = at + token.len();
    }
    out + "\n"
}

/// The functions in the opposite order; what comes before the first stays.
fn reordered(text: &str) -> String {
    let (mut parts, mut depth) = (vec![String::new()], 0_usize);
    for line in text.lines() {
        let part = parts.last_mut().expect("never empty");
        part.push_str(line);
        part.push('\n');
        depth += line.matches('{').count();
        depth = depth.saturating_sub(line.matches('}').count());
        if depth == 0 && line.contains('}') {
            parts.push(String::new());
        }
    }
    parts.reverse();
    parts.concat()
}

/// Numbers of several digits become others.
fn renumbered(text: &str) -> String {
    mapped(text, |token| {
        let value: u64 = token.parse().ok().filter(|_| token.len() > 1)?;
        Some((value + 7).to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "// one\n__global__ void f(int* a, int n) {\n    a[threadIdx.x] = n * 256;\n}\nvoid g(int* a) {\n    f<<<1, 32>>>(a, 10);\n}\n";

    #[test]
    fn transformations_change_what_they_say() {
        assert!(renamed(TEXT).contains("[threadIdx.x] = my_"), "{}", renamed(TEXT));
        assert!(!reformatted(TEXT).contains("one") && !reformatted(TEXT).contains("    "));
        assert!(
            reordered(TEXT).find("void g").expect("there") < reordered(TEXT).find("void f").expect("there")
        );
        assert!(renumbered(TEXT).contains("263"));
    }
}
