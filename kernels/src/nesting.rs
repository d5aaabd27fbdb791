//! Bounds on the shape of a source: brackets nested so deep, or statements so long, that the compiler's own stack
//! overflows, and more launches than it compiles in a reasonable time.

use crate::error::RewriteError;
use crate::lexer::{Kind, Token};

/// Brackets open at once: (), [] and {} together. No readable file comes near.
const DEEPEST: usize = 200;
/// `#if`s open at once.
const DEEPEST_CONDITION: usize = 100;
/// Operators of one character side by side: `!!!!x`, `- - - x`.
const MOST_OPERATORS: usize = 100;
/// Tokens between two of `;`, `,`, `{` and `}`.
const LONGEST: usize = 10_000;
/// Launches of a file. The compiler's time grows with the square of their number.
pub(crate) const MOST_LAUNCHES: usize = 256;

const SPLIT: &str = "split it: move the inner part to a function of its own, or use a loop or an array";

/// The first place at which a source exceeds a bound.
pub(crate) fn check(tokens: &[Token], source: &str) -> Result<(), RewriteError> {
    let mut open: Vec<&Token> = Vec::new();
    let mut conditions = 0_usize;
    let (mut operators, mut length) = (0_usize, 0_usize);
    let mut directive = 0;
    for (index, token) in tokens.iter().enumerate() {
        if token.directive != directive {
            directive = token.directive;
            (operators, length) = (0, 0);
        }
        // A directive's `#` is followed by its name.
        let named = index > 0 && tokens[index - 1].is('#') && tokens[index - 1].directive == token.directive;
        if token.directive != 0 && named {
            match token.text(source) {
                "if" | "ifdef" | "ifndef" => conditions += 1,
                "endif" => conditions = conditions.saturating_sub(1),
                _ => {}
            }
        }
        let refused = |message: String| {
            Err(RewriteError { hint: SPLIT, ..RewriteError::at(source, token.start, message) })
        };
        if conditions > DEEPEST_CONDITION {
            return refused(format!("this `#if` is nested more than {DEEPEST_CONDITION} deep"));
        }
        match token.kind {
            Kind::Mark('(' | '[' | '{') => open.push(token),
            Kind::Mark(')' | ']' | '}') => drop(open.pop()),
            _ => {}
        }
        if open.len() > DEEPEST {
            let mark = token.text(source);
            return refused(format!("this `{mark}` is nested more than {DEEPEST} brackets deep"));
        }
        let operator = matches!(token.kind, Kind::Mark('!' | '~' | '-' | '+' | '*' | '&' | '<' | '>' | '^'));
        operators = if operator { operators + 1 } else { 0 };
        if operators > MOST_OPERATORS {
            return refused(format!("more than {MOST_OPERATORS} operators follow each other here"));
        }
        length = if matches!(token.kind, Kind::Mark(';' | ',' | '{' | '}')) { 0 } else { length + 1 };
        if length > LONGEST {
            return refused(format!("this statement is longer than {LONGEST} words and signs"));
        }
    }
    Ok(())
}

/// The error of the launch that is one too many.
pub(crate) fn too_many_launches(source: &str, offset: usize) -> RewriteError {
    let message = format!(
        "the file has more than {MOST_LAUNCHES} launches (`<<<…>>>`): this one is the first too many"
    );
    let hint = "write the launches as a loop, or let one launch process the whole image";
    RewriteError { hint, ..RewriteError::at(source, offset, message) }
}

#[cfg(test)]
mod tests {
    use crate::rewrite_launches;

    /// The line and message of the refusal.
    fn refused(source: &str) -> (u32, String) {
        let error = rewrite_launches(source).expect_err("it exceeds a bound");
        (error.line, error.message)
    }

    #[test]
    fn deep_nesting_is_refused_at_its_line() {
        for (open, close, message) in [
            ("{", "}", "this `{` is nested more than 200 brackets deep"),
            ("(", ")", "this `(` is nested more than 200 brackets deep"),
            ("a[", "]", "this `[` is nested more than 200 brackets deep"),
            ("#if 1\n", "#endif\n", "this `#if` is nested more than 100 deep"),
            ("!", "", "more than 100 operators follow each other here"),
            ("- ", "", "more than 100 operators follow each other here"),
            ("a + ", "", "this statement is longer than 10000 words and signs"),
        ] {
            let source = format!("int a;\n{}x{}", open.repeat(50_000), close.repeat(50_000));
            let (line, found) = refused(&source);
            assert_eq!(found, message, "{open}");
            assert!(line >= 2, "{open}");
            let unclosed = format!("int a;\n{}", open.repeat(50_000));
            assert_eq!(refused(&unclosed).1, message, "{open} without an end");
        }
    }

    #[test]
    fn what_people_write_is_far_from_the_bounds() {
        let table = format!("const int t[] = {{{}}};", "1, ".repeat(50_000));
        let nested = format!("int x = {}1{};", "(".repeat(150), ")".repeat(150));
        let many = "k<<<1, 2>>>(a);\n".repeat(256);
        for source in [table, nested, many] {
            assert!(rewrite_launches(&source).is_ok(), "{}", &source[..60]);
        }
    }

    #[test]
    fn thirty_thousand_launches_are_refused_at_the_first_too_many() {
        let (line, message) = refused(&"k<<<1, 2>>>(a);\n".repeat(30_000));
        assert_eq!(line, 257);
        assert!(message.contains("more than 256 launches"), "{message}");
    }
}
