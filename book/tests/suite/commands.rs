//! The commands that the pages show exist, with the options that they show.

use book::files::{entries, has_ending, read};
use book::root;
use checker::cli;

/// Commands in a page: lines of code blocks and code in a line that begin with `checker`, or with what runs it in a checkout.
fn commands(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    // A line that ends in `\` goes on in the next one.
    for line in page.replace("\\\n", " ").lines() {
        if line.starts_with("```") {
            inside = !inside;
            continue;
        }
        if inside {
            found.extend(command(line.trim_start_matches("$ ")));
            continue;
        }
        found.extend(line.split('`').skip(1).step_by(2).filter_map(command));
    }
    found
}

/// The words after the name of the program.
fn command(text: &str) -> Option<String> {
    let rest = ["checker ", "cargo run --release -- "].iter().find_map(|start| text.strip_prefix(start))?;
    let rest = rest.split(" #").next().unwrap_or(rest).split(" > ").next().unwrap_or(rest).trim();
    // What the program itself prints begins with a name and a colon; `checker …` stands for any command.
    let is_prose = rest.contains(": ") || rest.contains(['…', '<']) || rest.is_empty();
    (!is_prose).then(|| rest.to_owned())
}

/// The same with text in quotes as one word.
fn quoted_as_one(command: &str) -> String {
    let parts = command.split('"').enumerate();
    parts
        .map(|(number, part)| if number % 2 == 1 { part.replace(' ', "_") } else { part.to_owned() })
        .collect()
}

#[test]
fn every_command_on_a_page_is_one() {
    let mut folders = vec![root().join("book/pages")];
    let mut pages = vec![root().join("README.md")];
    while let Some(folder) = folders.pop() {
        for path in entries(&folder).unwrap() {
            if path.is_dir() {
                folders.push(path);
            } else if has_ending(&path, "md") {
                pages.push(path);
            }
        }
    }
    for lab in entries(&root().join("labs")).unwrap() {
        pages.extend(Some(lab.join("README.md")).filter(|path| path.is_file()));
    }
    let (mut count, mut wrong) = (0, Vec::new());
    for path in &pages {
        for command in commands(&read(path).unwrap()) {
            count += 1;
            // A letter in place of a number is a placeholder.
            let quoted = quoted_as_one(&command);
            let words = quoted.split_whitespace().map(|word| if word == "N" { "1" } else { word });
            let mut words: Vec<&str> = std::iter::once("checker").chain(words).collect();
            // The name of a command by itself is a mention of it.
            if words.len() == 2 {
                words.push("--help");
            }
            if let Err(error) = cli::understood(&words) {
                let first = error.lines().next().unwrap_or_default();
                wrong.push(format!("{}: `checker {command}`: {first}", path.display()));
            }
        }
    }
    assert!(count > 100, "only {count} commands found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_unknown_option_is_found() {
    assert!(cli::understood(&["checker", "lab1", "--no-such-option"]).is_err());
    assert!(cli::understood(&["checker", "profile", "lab1", "--task", "grayscale"]).is_ok());
    assert_eq!(quoted_as_one("new-lab x --title \"A b\""), "new-lab x --title A_b");
    assert_eq!(commands("```sh\nchecker lab1 \\\n  --json\n```\n"), ["lab1    --json"]);
    assert_eq!(commands("a `checker lab1` b `x`\n```sh\n$ checker try banks\n```\n"), ["lab1", "try banks"]);
}
