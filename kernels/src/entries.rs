//! The host functions that the checker calls: the lines that are appended for them, and the meaning of compiler errors
//! in those lines.

/// A host function that the checker calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The host function: `grayscale`. The PTX entry is `workbook_entry_grayscale`.
    pub function: &'a str,
    /// Its C parameters.
    pub parameters: &'a str,
}

/// The types that labs use in their signatures; a file may do without `<stdint.h>`.
const TYPES: &[(&str, &str)] =
    &[("uint8_t", "unsigned char"), ("uint16_t", "unsigned short"), ("uint32_t", "unsigned int")];

/// One line per entry: the kernel that the interpreter starts, which takes the function's address with the lab's
/// signature, so that a wrong one is an error here; and a declaration, which clashes with a kernel of that name.
pub(crate) fn text(entries: &[Entry<'_>]) -> String {
    let lines = entries.iter().map(|Entry { function, parameters }| {
        let arguments = names(parameters);
        format!(
            "extern \"C\" __global__ void workbook_entry_{function}({parameters}) \
             {{ constexpr void (*workbook_signature)({parameters}) = ::{function}; workbook_signature({arguments}); }} \
             void {function}({parameters});"
        )
    });
    let mut text = types();
    text.push(' ');
    text.push_str(&lines.collect::<Vec<_>>().join("\n"));
    text.push('\n');
    text
}

/// The types of [`TYPES`], defined.
pub(crate) fn types() -> String {
    let types = TYPES.iter().map(|(name, meaning)| format!("typedef {meaning} {name};"));
    types.collect::<Vec<_>>().join(" ")
}

/// The kernel that the interpreter starts for a function in this namespace.
pub(crate) fn of_version(Entry { function, parameters }: Entry<'_>, namespace: &str) -> String {
    let arguments = names(parameters);
    format!(
        "extern \"C\" __global__ void workbook_entry_{namespace}_{function}({parameters}) {{ {namespace}::{function}({arguments}); }}\n"
    )
}

/// The names of parameters, as arguments of a call.
fn names(parameters: &str) -> String {
    let names: Vec<&str> = split_parameters(parameters).into_iter().map(|(_, name)| name).collect();
    names.join(", ")
}

/// Type and name of each parameter: `const uint8_t* rgb, int n`.
fn split_parameters(parameters: &str) -> Vec<(&str, &str)> {
    let names = |parameter: &str| parameter.rfind(|c: char| !(c.is_alphanumeric() || c == '_'));
    parameters
        .split(',')
        .map(str::trim)
        .filter(|parameter| !parameter.is_empty())
        .map(|parameter| parameter.split_at(names(parameter).map_or(0, |before| before + 1)))
        .map(|(kind, name)| (kind.trim(), name))
        .collect()
}

/// Explains the compiler's errors in [`crate::ENTRY_FILE`] (line and message of each) to the student: one message per
/// entry, or one message for all if the file is unfinished.
pub fn explain_entry_errors(entries: &[Entry<'_>], errors: &[(u32, &str)]) -> Vec<String> {
    let unfinished = |message: &str| SYNTAX.iter().any(|part| message.contains(part));
    if errors.iter().any(|(_, message)| unfinished(message)) {
        return vec![UNFINISHED.to_owned()];
    }
    let mut explained = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let mut own =
            errors.iter().filter(|(line, _)| *line as usize == index + 1).map(|(_, message)| *message);
        if own.clone().next().is_some() {
            match own.find_map(|message| explain(entry, message)) {
                Some(message) => explained.push(message),
                None => return vec![UNFINISHED.to_owned()],
            }
        }
    }
    if explained.is_empty() && !errors.is_empty() {
        return vec![UNFINISHED.to_owned()];
    }
    explained
}

/// Parts of the messages for the first words after an unfinished declaration or block.
const SYNTAX: &[&str] = &[
    "expected a",
    "linkage specification is not allowed",
    "may not be specified here",
    "is not a type name",
    "is not valid here",
    "cannot be a member function",
];

const UNFINISHED: &str = "the file ends in the middle of a block or statement: a `}`, `)` or `;` is missing; check that \
     every `{` has its `}`";

fn explain(entry: &Entry<'_>, message: &str) -> Option<String> {
    let Entry { function, parameters } = entry;
    let asked = format!("`void {function}({parameters})`");
    if message.contains(&format!("the global scope has no \"{function}\"")) {
        return Some(format!(
            "the file defines no function `{function}`; the lab asks for {asked}, outside any namespace"
        ));
    }
    if message.contains("redeclared with __device__") {
        return Some(format!(
            "`{function}` is a kernel (`__global__`); the lab asks for a host function {asked} that launches kernels"
        ));
    }
    if message.contains("no instance of overloaded function")
        || message.contains("no instance of function template")
    {
        return Some(format!(
            "none of the functions `{function}` has the right parameters; the lab asks for {asked}"
        ));
    }
    if message.contains("type name is not allowed") {
        return Some(format!("`{function}` is a type; the lab asks for a function {asked}"));
    }
    let declared = message.strip_prefix("a value of type \"")?.split('"').next()?;
    let Some((returned, types)) =
        declared.strip_suffix(')').and_then(|declared| declared.split_once(" (*)("))
    else {
        return Some(format!(
            "`{function}` is not a function but a variable of type `{declared}`; the lab asks for {asked}"
        ));
    };
    Some(format!("`{function}` {}; the lab asks for {asked}", difference(returned, types, parameters)))
}

/// The first difference between the declared function and the required one.
fn difference(returned: &str, types: &str, parameters: &str) -> String {
    let asked = split_parameters(parameters);
    let types: Vec<&str> =
        types.split(',').map(str::trim).filter(|kind| !matches!(*kind, "" | "void")).collect();
    if returned != "void" {
        return format!("returns `{returned}` instead of `void`");
    }
    if types.len() != asked.len() {
        return format!("has {} parameters instead of {}", types.len(), asked.len());
    }
    let differing = types.iter().zip(&asked).position(|(is, (should, _))| plain(is) != plain(should));
    match differing {
        Some(at) => {
            let (kind, name) = asked[at];
            format!("has `{}` as parameter {} instead of `{kind} {name}`", types[at], at + 1)
        }
        None => "has other parameters".to_owned(),
    }
}

/// A type in one canonical spelling: no spaces beside `*`, the names of [`TYPES`] spelt out.
fn plain(kind: &str) -> String {
    let spaced = kind.replace('*', " * ");
    let words = spaced.split_whitespace();
    let spelt =
        words.map(|word| TYPES.iter().find(|(name, _)| *name == word).map_or(word, |(_, meaning)| *meaning));
    spelt.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    const GRAY: Entry<'_> =
        Entry { function: "gray", parameters: "const uint8_t* rgb, uint8_t* gray, int width, int height" };
    const DARKEN: Entry<'_> = Entry { function: "darken", parameters: "const int* filter25, int divisor" };

    #[test]
    fn an_entry_passes_its_parameters_on() {
        assert!(text(&[DARKEN]).ends_with(
            "; workbook_signature(filter25, divisor); } void darken(const int* filter25, int divisor);\n"
        ));
        assert_eq!(
            split_parameters("const uint8_t *a,unsigned  b"),
            [("const uint8_t *", "a"), ("unsigned", "b")]
        );
        assert_eq!(split_parameters(""), []);
    }

    /// Messages as NVRTC 12.9 words them.
    #[test]
    fn errors_are_explained() {
        let cannot = |is: &str| {
            format!(
                "a value of type \"{is}\" cannot be used to initialize an entity of type \"void (*const)(const uint8_t *, \
                 uint8_t *, int, int)\" (aka \"void (*const)(const uint8_t *, unsigned char *, int, int)\")"
            )
        };
        let cases = [
            ("the global scope has no \"gray\"".into(), "the file defines no function `gray`"),
            (
                "a __global__ function(\"gray\") redeclared with __device__".into(),
                "`gray` is a kernel (`__global__`)",
            ),
            (
                "no instance of overloaded function \"gray\" matches the required type".into(),
                "none of the functions",
            ),
            ("type name is not allowed".into(), "`gray` is a type"),
            (cannot("int"), "`gray` is not a function but a variable of type `int`"),
            (
                cannot("int (*)(const unsigned char *, unsigned char *, int, int)"),
                "`gray` returns `int` instead of `void`; the lab asks for `void gray(const uint8_t* rgb, uint8_t* gray, ",
            ),
            (
                cannot("void (*)(const unsigned char *, uint8_t *, unsigned int, int)"),
                "`gray` has `unsigned int` as parameter 3 instead of `int width`",
            ),
            (
                cannot("void (*)(unsigned char *, unsigned char *, int, int)"),
                "`gray` has `unsigned char *` as parameter 1 instead of `const uint8_t* rgb`",
            ),
            (cannot("void (*)(const uint8_t *, uint8_t *)"), "`gray` has 2 parameters instead of 4"),
            (cannot("void (*)(void)"), "`gray` has 0 parameters instead of 4"),
            ("linkage specification is not allowed".into(), "the file ends in the middle of a block"),
        ];
        for (message, expected) in cases {
            let explained = explain_entry_errors(&[GRAY, DARKEN], &[(1, &message)]);
            assert_eq!(explained.len(), 1, "{message}");
            assert!(explained[0].starts_with(expected), "{message}\n  gave {}", explained[0]);
        }
    }

    /// As after a last line of `struct X {}`.
    #[test]
    fn an_unfinished_file_is_not_taken_for_a_missing_function() {
        let errors =
            [(1, "variable \"uint8_t\" is not a type name"), (1, "the global scope has no \"gray\"")];
        assert_eq!(explain_entry_errors(&[GRAY], &errors), [UNFINISHED]);
    }

    #[test]
    fn each_entry_gets_one_message() {
        let missing = |name: &str| format!("the global scope has no \"{name}\"");
        let (gray, darken) = (missing("gray"), missing("darken"));
        let errors = [(2, "too few arguments in function call"), (1, &*gray), (2, &*darken), (2, &*darken)];
        let explained = explain_entry_errors(&[GRAY, DARKEN], &errors);
        assert_eq!(explained.len(), 2);
        assert!(explained[0].contains("`gray`") && explained[1].contains("`darken`"), "{explained:?}");
        assert_eq!(explain_entry_errors(&[GRAY], &[]), Vec::<String>::new());
    }
}
