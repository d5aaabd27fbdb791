//! The header comments of rungs and known-wrong kernels, taken apart.

/// The comment lines that a file begins with, without their `//`; the indentation after it is kept.
pub fn comment(text: &str) -> Vec<&str> {
    text.lines().map_while(|line| line.strip_prefix("//")).collect()
}

/// A rung's header.
#[derive(Debug, PartialEq, Eq)]
pub struct Rung {
    /// `four pixels per thread`
    pub title: String,
    /// The tasks that it is about; none: all of the lab.
    pub tasks: Vec<String>,
    /// Whether it is marked `level: expert`.
    pub expert: bool,
    /// Why it may be slower than the rung before it.
    pub slower: Option<String>,
    /// `Before`, `Change`, `Expected`, with their lines.
    pub parts: Vec<(String, Vec<Line>)>,
}

/// A line of a part.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// Words that run on.
    Prose(String),
    /// A separate line, indented further than the prose.
    Indented(String),
}

/// Spaces before the prose of a part.
const INDENT: usize = 11;

/// Takes a rung's header apart: `// Rung 4: title.`, an empty line, `// tasks: a, b`, `// level: expert` and `// slower: why`
/// if there are such, then parts as `// Before:   words`.
pub fn rung(text: &str) -> Result<Rung, String> {
    let lines = comment(text);
    let first = lines.first().ok_or("the file does not begin with a comment")?;
    let (_, title) = first.split_once(": ").ok_or("the first line is not `// Rung N: title.`".to_owned())?;
    let title = title.trim_end_matches('.').to_owned();
    let mut parts: Vec<(String, Vec<Line>)> = Vec::new();
    for line in lines.iter().skip(1).filter(|line| !line.trim().is_empty()) {
        let label = line.trim_start().split_once(':').filter(|(name, _)| {
            line.starts_with(' ') && !line.starts_with("  ") && name.chars().all(char::is_alphabetic)
        });
        match (label, parts.last_mut()) {
            (Some((name, words)), _) => {
                parts.push((name.to_owned(), vec![Line::Prose(words.trim().to_owned())]));
            }
            (None, None) => return Err(format!("`//{line}` stands before the first `Before:`")),
            (None, Some((_, lines))) => {
                let spaces = line.len() - line.trim_start().len();
                lines.push(if spaces > INDENT {
                    Line::Indented(line.trim().to_owned())
                } else {
                    Line::Prose(line.trim().to_owned())
                });
            }
        }
    }
    let tasks = taken(&mut parts, "tasks");
    let tasks = tasks.iter().flat_map(|names| names.split(',')).map(|name| name.trim().to_owned()).collect();
    let expert = match taken(&mut parts, "level").as_deref() {
        None => false,
        Some("expert") => true,
        Some(other) => return Err(format!("`level: {other}` is not a level; `expert` is the only one")),
    };
    let slower = taken(&mut parts, "slower");
    let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
    if names != ["Before", "Change", "Expected"] {
        return Err(format!("the header has the parts {names:?}, not `Before`, `Change`, `Expected`"));
    }
    Ok(Rung { title, tasks, expert, slower, parts })
}

/// Takes the part of this name out; its words on one line.
fn taken(parts: &mut Vec<(String, Vec<Line>)>, name: &str) -> Option<String> {
    let index = parts.iter().position(|(part, _)| part == name)?;
    let words = parts.remove(index).1.into_iter().map(|line| match line {
        Line::Prose(words) | Line::Indented(words) => words,
    });
    Some(words.collect::<Vec<_>>().join(" "))
}

/// The anchors that a file marks for the book, in order.
pub fn anchors(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.trim().strip_prefix("// ANCHOR: ")).collect()
}

/// A known-wrong kernel's header.
#[derive(Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The expected end of the check: `finding memory`, `mismatch grayscale`.
    pub expect: String,
    /// Whether only the simulator has to notice.
    pub simulator_only: bool,
    /// The cause that the report has to name, if it has to: `border_black`.
    pub cause: Option<String>,
    /// The fault.
    pub fault: String,
    /// The faulty line, if one is marked.
    pub line: Option<String>,
}

/// Takes the header of a known-wrong kernel apart.
pub fn wrong(text: &str) -> Result<Wrong, String> {
    let mut values: Vec<(String, String)> = Vec::new();
    for line in comment(text) {
        let words = line.trim();
        match (line.trim_start().split_once(": "), values.last_mut()) {
            (Some((name, value)), _) if ["expect", "tasks", "engine", "cause", "fault"].contains(&name) => {
                values.push((name.to_owned(), value.to_owned()));
            }
            (_, Some((_, value))) => value.extend([" ", words]),
            (_, None) => {
                return Err(format!(
                    "`//{line}` is none of `expect:`, `tasks:`, `engine:`, `cause:`, `fault:`"
                ));
            }
        }
    }
    let value = |name: &str| values.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let marked = text.lines().find_map(|line| Some(line.split_once("// <- here")?.0.trim().to_owned()));
    Ok(Wrong {
        expect: value("expect").ok_or("no `expect:` line")?,
        simulator_only: value("engine").as_deref() == Some("simulator"),
        cause: value("cause"),
        fault: value("fault").ok_or("no `fault:` line")?,
        line: marked,
    })
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn a_rung_has_three_parts() {
        let text = "// Rung 2: block shapes.\n//\n// Before:   a b\n//           c.\n// Change:   d:\n\
                    //               M1  e\n// Expected: f: g.\n\nint x;\n// ANCHOR: kernel\n";
        let rung = rung(text).unwrap();
        assert_eq!(rung.title, "block shapes");
        let prose = |text: &str| Line::Prose(text.to_owned());
        assert_eq!(rung.parts[0], ("Before".to_owned(), vec![prose("a b"), prose("c.")]));
        assert_eq!(rung.parts[1].1, [prose("d:"), Line::Indented("M1  e".to_owned())]);
        assert_eq!(rung.parts[2].1, [prose("f: g.")]);
        assert_eq!(anchors(text), ["kernel"]);
        assert_eq!((rung.tasks, rung.expert, rung.slower), (vec![], false, None));
    }

    #[test]
    fn a_rung_may_name_its_tasks_and_its_level_and_say_why_it_is_slower() {
        let parts = "// Before:   a.\n// Change:   b.\n// Expected: c.\n";
        let text = format!(
            "// Rung 2: x.\n//\n// tasks: a_b, c\n// level: expert\n// slower:   d\n//           e.\n//\n{parts}"
        );
        let rung = rung(&text).unwrap();
        assert_eq!(rung.tasks, ["a_b", "c"]);
        assert_eq!((rung.expert, rung.slower.as_deref()), (true, Some("d e.")));
        assert_eq!(rung.parts.len(), 3);
        let wrong = format!("// Rung 2: x.\n//\n// level: hard\n{parts}");
        assert!(super::rung(&wrong).is_err());
    }

    #[test]
    fn a_header_without_its_parts_is_refused() {
        assert!(rung("// Rung 2: x.\n//\n// Before:   a\n").is_err());
        assert!(rung("int x;\n").is_err());
        assert!(wrong("// fault: x\n").is_err());
    }

    #[test]
    fn a_wrong_kernel_names_its_fault_and_line() {
        let text = "// expect: finding race\n// engine: simulator\n// cause: c_d\n// fault: a\n//        b.\n\nf();\n  \
                    x = 1;  // <- here\n";
        let wrong = wrong(text).unwrap();
        assert_eq!((wrong.expect.as_str(), wrong.cause.as_deref()), ("finding race", Some("c_d")));
        assert!(wrong.simulator_only);
        assert_eq!((wrong.fault.as_str(), wrong.line.as_deref()), ("a b.", Some("x = 1;")));
    }
}
