//! Declarations of variables and parameters.

use super::super::ast::{Init, Space, Type, Variable};
use super::super::error::ParseError;
use super::super::lexer::Kind;
use super::budget::Budget;
use super::cursor::{Cursor, error_at, expected_at};
use super::{directive, initializer, types};

/// How a name is linked: what stands before `.global` or `.func`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Linkage {
    /// `.extern`
    pub external: bool,
    /// `.visible`, `.weak` or `.common`
    pub visible: bool,
}

/// What stands between the space and the name.
struct Prefix {
    ty: Type,
    /// Bytes of one element.
    bytes: u32,
    /// 2, 4 or 8 for `.v2`, `.v4`, `.v8`; else 1.
    width: u64,
    align: u32,
    managed: bool,
}

/// Parses `.align 4 .b8 a[16] = { … }, b;`, what follows the state space up to the semicolon.
pub(super) fn variables(
    cursor: &mut Cursor<'_>,
    space: Space,
    linkage: Linkage,
    budget: &mut Budget,
) -> Result<Vec<Variable>, ParseError> {
    let prefix = prefix(cursor, false)?;
    let mut variables = Vec::new();
    loop {
        let (mut variable, mut dimensions) = declarator(cursor, &prefix, space, linkage)?;
        if cursor.eat('=') {
            if prefix.width > 1 {
                dimensions.push(prefix.width);
            }
            let (init, count) = initializer::initializer(cursor, prefix.ty, &dimensions, budget)?;
            variable.init = init;
            if variable.elements == 0 {
                variable.elements = count;
            }
        }
        variables.push(variable);
        if !cursor.eat(',') {
            cursor.expect(';', "after the variable")?;
            return Ok(variables);
        }
    }
}

/// Parses `(.param .b32 a, .param .b64 b)`, whose `(` is taken already.
pub(super) fn parameters(cursor: &mut Cursor<'_>) -> Result<Vec<Variable>, ParseError> {
    let mut parameters = Vec::new();
    if cursor.eat(')') {
        return Ok(parameters);
    }
    loop {
        if !cursor.at_dotted("param") {
            return Err(cursor.expected("`.param` (parameters in registers are not supported)"));
        }
        cursor.advance();
        let prefix = prefix(cursor, true)?;
        parameters.push(declarator(cursor, &prefix, Space::Param, Linkage::default())?.0);
        if !cursor.eat(',') {
            cursor.expect(')', "after the parameters")?;
            return Ok(parameters);
        }
    }
}

fn prefix(cursor: &mut Cursor<'_>, parameter: bool) -> Result<Prefix, ParseError> {
    let mut ty = None;
    let mut width = 1;
    let mut align = None;
    let mut managed = false;
    // After `.ptr` come the space and the alignment of what the parameter points to.
    let mut pointee = false;
    while cursor.peek().kind == Kind::Dotted {
        let token = cursor.advance();
        match token.text {
            "align" => {
                let value = alignment(cursor)?;
                if !pointee {
                    align = Some(value);
                }
            }
            "attribute" => managed |= directive::attribute(cursor)?,
            "ptr" if parameter => pointee = true,
            word if pointee && types::space(word).is_some() => {}
            "v2" if width == 1 => width = 2,
            "v4" if width == 1 => width = 4,
            "v8" if width == 1 => width = 8,
            word => match types::scalar_type(word) {
                Some(found) if ty.is_none() => ty = Some(found),
                _ => return Err(expected_at(token, "a type, `.align` or a name")),
            },
        }
    }
    let ty = ty.ok_or_else(|| cursor.expected("the type of the variable"))?;
    let bytes = types::bytes_of(ty)
        .ok_or_else(|| cursor.expected("a type that memory can hold (predicates are registers)"))?;
    Ok(Prefix { ty, bytes, width, align: align.unwrap_or(bytes * width as u32), managed })
}

fn alignment(cursor: &mut Cursor<'_>) -> Result<u32, ParseError> {
    const WHAT: &str = "an alignment that is a power of two";
    let line = cursor.peek().line;
    let value = cursor.small(WHAT)?;
    if value.is_power_of_two() {
        Ok(value)
    } else {
        Err(error_at(line, format!("expected {WHAT}, found `{value}`")))
    }
}

/// A name with its dimensions (0 for an open one).
fn declarator(
    cursor: &mut Cursor<'_>,
    prefix: &Prefix,
    space: Space,
    linkage: Linkage,
) -> Result<(Variable, Vec<u64>), ParseError> {
    let line = cursor.peek().line;
    let name = cursor.name("the name of the variable")?.to_owned();
    let mut dimensions = Vec::new();
    let mut elements = prefix.width;
    while cursor.eat('[') {
        let open = dimensions.is_empty() && cursor.at(']');
        let dimension = if open {
            0
        } else {
            let value = cursor.integer("the number of elements")?;
            u64::try_from(value)
                .map_err(|_| error_at(line, format!("expected a number of elements, found `{value}`")))?
        };
        cursor.expect(']', "after the number of elements")?;
        dimensions.push(dimension);
        elements = elements.checked_mul(dimension).ok_or_else(|| too_large(&name, line))?;
    }
    if elements.checked_mul(u64::from(prefix.bytes)).is_none_or(|bytes| i64::try_from(bytes).is_err()) {
        return Err(too_large(&name, line));
    }
    let variable = Variable {
        space,
        ty: prefix.ty,
        name,
        elements,
        array: !dimensions.is_empty(),
        align: prefix.align,
        init: Vec::<Init>::new(),
        external: linkage.external,
        visible: linkage.visible,
        managed: prefix.managed,
    };
    Ok((variable, dimensions))
}

fn too_large(name: &str, line: u32) -> ParseError {
    error_at(line, format!("expected a variable that fits a 64-bit address space, found `{name}`"))
}
