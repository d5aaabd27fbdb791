//! Kernels and functions: the header, up to the body or the semicolon.

use super::super::ast::{Function, Variable};
use super::super::error::ParseError;
use super::super::lexer::Kind;
use super::body::{self, Shared};
use super::cursor::{Cursor, error_at, expected_at};
use super::directive;
use super::variable::{self, Linkage};

/// A kernel's performance directives.
#[derive(Default)]
struct Limits {
    max_threads: Option<u32>,
    cluster: Option<[u32; 3]>,
    required_threads: Option<[u32; 3]>,
}

/// Parses the rest of `.entry` or `.func`.
pub(super) fn function(
    cursor: &mut Cursor<'_>,
    entry: bool,
    linkage: Linkage,
    shared: &mut Shared,
) -> Result<Function, ParseError> {
    let line = cursor.peek().line;
    if cursor.at_dotted("attribute") {
        cursor.advance();
        directive::attribute(cursor)?;
    }
    let returns = if !entry && cursor.eat('(') { variable::parameters(cursor)? } else { Vec::new() };
    let name = cursor.name("the name of the function")?.to_owned();
    let parameters = if cursor.eat('(') { variable::parameters(cursor)? } else { Vec::new() };
    let limits = limits(cursor)?;
    let body = if cursor.eat(';') {
        None
    } else if cursor.at('{') {
        Some(body::body(cursor, shared, &name)?)
    } else {
        return Err(cursor.expected(&format!("`{{` or `;` after the header of `{name}`")));
    };
    Ok(Function {
        name,
        entry,
        external: linkage.external,
        returns,
        parameters,
        max_threads: limits.max_threads,
        cluster: limits.cluster,
        required_threads: limits.required_threads,
        body,
        line,
    })
}

/// Parses the rest of `.callprototype`, with its semicolon: returns and parameters.
pub(super) fn prototype(cursor: &mut Cursor<'_>) -> Result<(Vec<Variable>, Vec<Variable>), ParseError> {
    let returns = if cursor.eat('(') { variable::parameters(cursor)? } else { Vec::new() };
    cursor.name("`_` in place of the function's name")?;
    let parameters = if cursor.eat('(') { variable::parameters(cursor)? } else { Vec::new() };
    limits(cursor)?;
    cursor.expect(';', "after the prototype")?;
    Ok((returns, parameters))
}

/// Directives between the parameters and the body. Those that only steer register allocation, scheduling
/// or clusters are read and dropped: they change no result.
fn limits(cursor: &mut Cursor<'_>) -> Result<Limits, ParseError> {
    let mut limits = Limits::default();
    while cursor.peek().kind == Kind::Dotted {
        let token = cursor.advance();
        match token.text {
            "maxntid" => {
                let [x, y, z] = directive::dimensions(cursor, "a number of threads")?;
                let product = x.checked_mul(y).and_then(|plane| plane.checked_mul(z));
                limits.max_threads = Some(product.ok_or_else(|| {
                    error_at(
                        token.line,
                        format!("expected a number of threads that fits 32 bits, found {x} x {y} x {z}"),
                    )
                })?);
            }
            "reqntid" => {
                limits.required_threads = Some(directive::dimensions(cursor, "a number of threads")?);
            }
            "reqnctapercluster" => {
                limits.cluster = Some(directive::dimensions(cursor, "a number of blocks")?);
            }
            "minnctapersm"
            | "maxnctapersm"
            | "maxnreg"
            | "minnreg"
            | "maxclusterrank"
            | "abi_preserve"
            | "abi_preserve_control" => {
                cursor.integer("a number")?;
            }
            "noreturn" | "explicitcluster" | "blocksareclusters" => {}
            "attribute" => drop(directive::attribute(cursor)?),
            "pragma" => directive::skip_pragma(cursor)?,
            _ => return Err(expected_at(token, "a directive such as `.maxntid` after the parameters")),
        }
    }
    Ok(limits)
}
