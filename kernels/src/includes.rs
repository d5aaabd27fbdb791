//! Refuses directives that reach for files, or name others: the compiler gets only the workbook's headers and the student's text.
//!
//! The process that compiles can read no file anyway. This comes before, so that a student learns what is wrong with the
//! line, and so that a machine that cannot lock that process up is not without any defence. A name without a folder goes
//! to the compiler, whose message about a missing header is as good.

use crate::error::RewriteError;
use crate::lexer::{self, Kind, Token};

/// Directives that read a file, but for `include`.
const OTHERS: [&str; 3] = ["embed", "import", "include_next"];
/// Operators of `#if` that tell whether a file exists.
const QUESTIONS: [&str; 3] = ["__has_include", "__has_include_next", "__has_embed"];

/// The first directive that names a file elsewhere, or a file in a way that cannot be read off the line. Directives in
/// blocks that `#if` leaves out count as well; those in comments and literals do not.
pub fn refused_include(source: &str) -> Option<RewriteError> {
    // An unclosed comment or literal is an error of its own, with its own message.
    let tokens = lexer::tokens(source).ok()?;
    let mut lines = tokens.chunk_by(|a, b| a.directive == b.directive);
    lines.find_map(|line| {
        let word = line.get(1).filter(|_| line[0].directive > 0 && line[0].is('#'));
        word.and_then(|word| directive(source, word, line.get(2))).or_else(|| question(source, line))
    })
}

/// Why the directive with this name, and this first token behind it, is refused.
fn directive(source: &str, word: &Token, next: Option<&Token>) -> Option<RewriteError> {
    let name = joined(word.text(source));
    let refused = |message: String| Some(RewriteError::at(source, word.start, message));
    if OTHERS.contains(&name.as_str()) {
        return refused(format!("`#{name}` is not available: write `#include` and the name of a header"));
    }
    // `# 1 "file"` is the form in which a preprocessor writes it.
    if name == "line" || name.starts_with(|c: char| c.is_ascii_digit()) {
        return refused(
            "a submission may not rename its lines: every message names the line as it stands in the file"
                .into(),
        );
    }
    if name != "include" {
        return None;
    }
    match next.map_or(Header::Computed, |next| header(source, next)) {
        Header::Plain => None,
        Header::Elsewhere(file) => refused(format!(
            "`{file}` is a file of this machine; a submission is one file, and includes only the workbook's headers"
        )),
        Header::Computed => refused(
            "write the header's name in this line, as in `#include \"workbook.cuh\"`, and not with a macro"
                .into(),
        ),
    }
}

/// The first operator in these tokens that asks for a file elsewhere.
fn question(source: &str, line: &[Token]) -> Option<RewriteError> {
    line.iter().enumerate().filter(|(_, token)| token.kind == Kind::Name).find_map(|(index, token)| {
        let name = joined(token.text(source));
        if !QUESTIONS.contains(&name.as_str()) {
            return None;
        }
        let asked = line.get(index + 2).map_or(Header::Computed, |asked| header(source, asked));
        let message = format!("`{name}` may ask only for a header, by its plain name");
        (!matches!(asked, Header::Plain)).then(|| RewriteError::at(source, token.start, message))
    })
}

enum Header {
    /// A name without a way out of the headers.
    Plain,
    /// A path.
    Elsewhere(String),
    /// Neither `<…>` nor `"…"`.
    Computed,
}

/// The header whose name begins at this token.
fn header(source: &str, first: &Token) -> Header {
    let line = logical_line(&source[first.start..]);
    let close = match line.chars().next() {
        Some('<') => '>',
        Some('"') => '"',
        _ => return Header::Computed,
    };
    let name = line[1..].split(close).next().unwrap_or_default().trim();
    let leaves = name.starts_with(['/', '~', '\\']) || name.split(['/', '\\']).any(|part| part == "..");
    if leaves { Header::Elsewhere(name.to_owned()) } else { Header::Plain }
}

/// The text up to the end of the line; a `\` at the end joins it with the next.
fn logical_line(text: &str) -> String {
    let mut whole = String::new();
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        match line.strip_suffix('\\') {
            Some(begun) => whole.push_str(begun),
            None => return whole + line,
        }
    }
    whole
}

/// A token without the line ends inside it.
fn joined(token: &str) -> String {
    token.replace("\\\n", "").replace("\\\r\n", "")
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn line_of(source: &str) -> Option<u32> {
        refused_include(source).map(|error| error.line)
    }

    #[test]
    fn files_of_the_machine_are_refused_however_they_are_spelled() {
        for source in [
            "#include \"/etc/passwd\"",
            "#include </etc/passwd>",
            "  #  include  \"../../solution.cu\"",
            "#include \"a/../../b\"",
            "#inc\\\nlude \"/etc/passwd\"",
            "#\\\ninclude \"/etc/passwd\"",
            "#\\\r\ninclude \"/etc/passwd\"",
            "#include \"/et\\\nc/passwd\"",
            "#include /* c */ \"/etc/passwd\"",
            "/* c */ #include \"/etc/passwd\"",
            "%:include \"/etc/passwd\"",
            "%\\\n:include \"/etc/passwd\"",
            "\u{feff}#include \"/etc/passwd\"",
            "#include NAME",
            "#include",
            "#include_next <math.h>",
            "#import <math.h>",
            "#embed \"/etc/passwd\"",
            "#if __has_include(\"/etc/passwd\")",
            "#if __has_include(NAME)",
            "#if 1 && __has_inc\\\nlude(</etc/passwd>)",
            "#elif __has_embed(\"/etc/passwd\")",
            "#if 0\n#include \"/etc/passwd\"\n#endif",
            "#line 1 \"/etc/passwd\"",
            "#line 7",
            "#li\\\nne LINE",
            "# 1 \"/etc/passwd\"",
            "%: 1 \"/etc/passwd\" 2",
        ] {
            assert!(line_of(source).is_some(), "{source}");
        }
    }

    #[test]
    fn a_directive_among_the_arguments_of_a_macro_is_one() {
        assert_eq!(line_of("#define S(x) #x\nconst char* s = S(\n#include \"/etc/passwd\"\n);"), Some(3));
    }

    #[test]
    fn headers_comments_and_literals_are_not() {
        for source in [
            "#include \"workbook.cuh\" // and not \"/etc/passwd\"",
            "#include <opencv2/opencv.hpp>",
            "// #include \"/etc/passwd\"",
            "/*\n#include \"/etc/passwd\"\n*/",
            "const char* s = R\"(\n#include \"/etc/passwd\"\n)\";",
            "#define STRING(x) #x\n#pragma once",
            "int line = 1; // #line 3 \"a\"",
            "#if __has_include(<cooperative_groups.h>)\n#endif",
            "int a = 5 % 3;",
        ] {
            assert_eq!(line_of(source), None, "{source}");
        }
    }
}
