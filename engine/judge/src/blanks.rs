//! Functions that are still empty: what a student has not begun.

use lab::{Lab, Task};

use crate::text::code::line_at;

/// A function whose body holds nothing but comments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blank {
    /// Its name.
    pub name: String,
    /// The line where the code goes: that of the comment in its body, else of its end.
    pub line: u32,
}

/// The empty functions of a file, in order.
pub fn blanks(source: &str) -> Vec<Blank> {
    let text = without_comments(source);
    let mut found = Vec::new();
    for (open, _) in text.match_indices('{') {
        let Some(length) = text[open + 1..].find(|c: char| !c.is_whitespace()) else { continue };
        let close = open + 1 + length;
        if let Some(name) = function_before(&text[..open])
            && text[close..].starts_with('}')
        {
            let todo = source.len() == text.len();
            let comment = source[open..close].find("//").filter(|_| todo);
            let at = comment.map_or(close, |at| open + at);
            let line = line_at(&text, at);
            found.push(Blank { name: name.to_owned(), line });
        }
    }
    found
}

/// The empty functions that a task is about: those named after it, such as `histogram_kernel` after `histogram`, and those
/// that its first step names.
pub fn of_task(blanks: &[Blank], task: &dyn Task) -> Vec<Blank> {
    let named = |name: &str| task.first_step().split('`').skip(1).step_by(2).any(|quoted| quoted == name);
    let after = |name: &str| {
        name.strip_prefix(task.name()).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    blanks.iter().filter(|blank| named(&blank.name) || after(&blank.name)).cloned().collect()
}

/// The empty functions of a task that was not begun, in words; `None` if it was. A host function that is empty beside a kernel that is
/// not has forgotten the launch.
pub fn not_started(source: &str, task: &dyn Task) -> Option<String> {
    let empty = of_task(&blanks(source), task);
    if empty.iter().all(|blank| blank.name == task.name()) {
        return None;
    }
    let named: Vec<String> =
        empty.iter().map(|blank| format!("`{}` (line {})", blank.name, blank.line)).collect();
    let verb = if named.len() == 1 { "is" } else { "are" };
    Some(format!("{} {verb} still empty", named.join(" and ")))
}

/// The first step of a task, without the functions that are filled in already.
pub fn first_step(source: &str, task: &dyn Task) -> String {
    let step = task.first_step();
    let Some((named, rest)) = step.split_once(" in `labs/") else { return step.to_owned() };
    let Some(path) = rest.split('`').next() else { return step.to_owned() };
    let named: Vec<&str> = named.split('`').skip(1).step_by(2).collect();
    let left: Vec<String> =
        named.iter().filter(|name| is_left(source, name, task)).map(|name| format!("`{name}`")).collect();
    match left.split_last() {
        Some((last, before)) if left.len() < named.len() => {
            let before = before.join(", ");
            let and = if before.is_empty() { "" } else { " and " };
            format!("Fill in {before}{and}{last}, too, in `labs/{path}`")
        }
        _ => step.to_owned(),
    }
}

/// Whether a function is as the skeleton has it: it is empty, or still says what to do.
fn is_left(source: &str, function: &str, task: &dyn Task) -> bool {
    let has_task = |lab: &&'static dyn Lab| lab.tasks().iter().any(|other| other.name() == task.name());
    let body = |text: &str| body_of(&without_comments(text), function);
    let skeleton = crate::labs::all().into_iter().find(has_task).and_then(|lab| body(lab.skeleton()));
    body(source).is_some_and(|own| own.is_empty() || Some(own) == skeleton)
}

/// The code between the outermost braces of a function, without spaces; `None` without such a function.
fn body_of(text: &str, function: &str) -> Option<String> {
    let open = text
        .match_indices('{')
        .map(|(at, _)| at)
        .find(|at| function_before(&text[..*at]) == Some(function))?;
    let mut depth = 0_u32;
    let inner = text[open..].chars().take_while(|c| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        depth > 0
    });
    Some(inner.skip(1).filter(|c| !c.is_whitespace()).collect())
}

/// A line of a skeleton that says what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Todo<'a> {
    /// The line, from 1.
    pub line: u32,
    /// The function that it is in.
    pub function: &'a str,
    /// The first line of its text.
    pub text: &'a str,
}

/// The lines of a skeleton that say what to do.
pub fn todos(source: &str) -> Vec<Todo<'_>> {
    let mut function = "";
    let mut found = Vec::new();
    for (line, text) in (1..).zip(source.lines()) {
        if let Some((before, _)) = text.split_once('(')
            && !text.starts_with([' ', '/', '#'])
        {
            function = before.rsplit([' ', '*']).next().unwrap_or_default();
        }
        found.extend(text.split_once("// TODO:").map(|(_, text)| Todo { line, function, text: text.trim() }));
    }
    found
}

/// The name before the parameters that end here.
fn function_before(text: &str) -> Option<&str> {
    let text = text.trim_end().strip_suffix(')')?;
    let mut depth = 1;
    let open = text.char_indices().rev().find(|(_, c)| {
        depth += match c {
            ')' => 1,
            '(' => -1,
            _ => 0,
        };
        depth == 0
    });
    let before = text[..open?.0].trim_end();
    let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    let name = &before[start..];
    (!name.is_empty() && !["if", "for", "while", "switch"].contains(&name)).then_some(name)
}

/// The text with spaces in place of comments and of the contents of strings.
fn without_comments(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let end = match (first, rest) {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |at| at + 4),
            ('"' | '\'', _) => quoted(rest, first),
            _ => {
                out.push(first);
                rest = &rest[first.len_utf8()..];
                continue;
            }
        };
        let blank = if first == '/' { ' ' } else { '_' };
        out.extend(rest[..end].chars().map(|c| if c == '\n' { '\n' } else { blank }));
        rest = &rest[end..];
    }
    out
}

/// The length of the string or character at the start of a text.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let ends = (*c == quote && !escaped) || *c == '\n';
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, c)| at + c.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_with_comments_alone_is_empty() {
        let source = "void a(int (*f)(int), int n) {\n    // TODO: }\n}\nvoid b() { /* { */ }\nvoid c() { a(0, 1); }\n\
                      struct S { };\nvoid d() { if (1) { } }\nconst char* s = \"void e() { }\";\n";
        let names: Vec<(String, u32)> =
            blanks(source).into_iter().map(|blank| (blank.name, blank.line)).collect();
        assert_eq!(names, [("a".to_owned(), 2), ("b".to_owned(), 4)]);
    }

    #[test]
    fn every_skeleton_says_what_to_do_and_has_a_blank_for_each_task_with_a_kernel_to_write() {
        for lab in crate::labs::all() {
            let found = blanks(lab.skeleton());
            let todos = todos(lab.skeleton());
            assert!(todos.len() >= lab.tasks().len(), "{}", lab.name());
            assert!(todos.iter().all(|todo| !todo.function.is_empty() && !todo.text.is_empty()), "{todos:?}");
            // The host function of lab 5 is begun.
            for task in lab.tasks().iter().filter(|task| task.name() != "pipeline") {
                assert!(!of_task(&found, *task).is_empty(), "{}: {found:?}", task.name());
            }
        }
    }

    #[test]
    fn a_first_step_names_what_is_left() {
        let lab3 = crate::labs::find("lab3").expect("it is there");
        let task = lab3.tasks()[0];
        assert_eq!(first_step(lab3.skeleton(), task), task.first_step());
        let begun = lab3.skeleton().replacen(
            "    // TODO: when all threads",
            "    bins[0] = 1;  // when all threads",
            1,
        );
        let told = first_step(&begun, task);
        let path = "`labs/lab3-equalization/equalization.cu`";
        assert_eq!(told, format!("Fill in `find_range` and `stretch_kernel`, too, in {path}"));
        let begun = begun.replacen("    return range;", "    range.low = 1;\n    return range;", 1);
        assert_eq!(first_step(&begun, task), format!("Fill in `stretch_kernel`, too, in {path}"));
    }

    #[test]
    fn a_kernel_belongs_to_its_own_task() {
        let found = blanks("void gray_histogram_kernel() {}\nvoid histogram_kernel() {}\n");
        let tasks = crate::labs::find("lab2").map(Lab::tasks).unwrap_or_default();
        let counts: Vec<usize> = tasks.iter().map(|task| of_task(&found, *task).len()).collect();
        assert_eq!(counts, [1, 1]);
    }
}
