//! Operands of instructions.
//!
//! Lists and vectors hold simple operands only, as PTX has them; so nothing here recurses.

use super::super::ast::{AddressBase, Operand};
use super::super::error::ParseError;
use super::super::lexer::Kind;
use super::cursor::{Cursor, expected_at};
use super::number::Literal;
use super::scope::{Names, Resolved};

/// Parses one operand.
pub(super) fn operand(cursor: &mut Cursor<'_>, names: &Names) -> Result<Operand, ParseError> {
    if cursor.at('{') {
        return vector(cursor, names).map(Operand::Vector);
    }
    if cursor.eat('[') {
        return address(cursor, names);
    }
    if cursor.eat('(') {
        return Ok(Operand::List(simple_until(cursor, names, ')', "at the end of the list")?));
    }
    simple(cursor, names)
}

/// The register that a guard or a `!` refers to.
pub(super) fn register(cursor: &mut Cursor<'_>, names: &Names) -> Result<String, ParseError> {
    const WHAT: &str = "a predicate register";
    let token = cursor.peek();
    match name(cursor, names, WHAT)? {
        Resolved::Register(name) => Ok(name),
        Resolved::Symbol(_) => Err(expected_at(token, WHAT)),
    }
}

fn simple(cursor: &mut Cursor<'_>, names: &Names) -> Result<Operand, ParseError> {
    const WHAT: &str = "an operand";
    match cursor.peek().kind {
        Kind::Number | Kind::Punctuation('-' | '+' | '~') => number(cursor),
        Kind::Punctuation('!') => {
            cursor.advance();
            register(cursor, names).map(Operand::Negated)
        }
        Kind::Word => {
            let first = if cursor.peek().text == "_" {
                cursor.advance();
                if !cursor.at('|') {
                    return Ok(Operand::Sink);
                }
                "_".to_owned()
            } else {
                match name(cursor, names, WHAT)? {
                    Resolved::Symbol(name) => return Ok(Operand::Symbol { name, offset: cursor.offset()? }),
                    Resolved::Register(name) => name,
                }
            };
            if !cursor.eat('|') {
                return Ok(Operand::Register(first));
            }
            if cursor.peek().text == "_" {
                cursor.advance();
                return Ok(Operand::Pair(first, "_".to_owned()));
            }
            Ok(Operand::Pair(first, register(cursor, names)?))
        }
        _ => Err(cursor.expected(WHAT)),
    }
}

fn number(cursor: &mut Cursor<'_>) -> Result<Operand, ParseError> {
    Ok(match cursor.literal("a number")? {
        Literal::Integer(value) => Operand::Integer(value.wrapping_add(cursor.offset()?)),
        Literal::Single(bits) => Operand::Float { bits: u64::from(bits), single: true },
        Literal::Double(bits) => Operand::Float { bits, single: false },
    })
}

/// A name with its dotted parts, as `%tid.x` has.
fn name(cursor: &mut Cursor<'_>, names: &Names, what: &str) -> Result<Resolved, ParseError> {
    let mut resolved = names.resolve(cursor.name(what)?);
    while let Some(part) = cursor.eat_dotted() {
        let (Resolved::Register(name) | Resolved::Symbol(name)) = &mut resolved;
        name.push('.');
        name.push_str(part);
    }
    Ok(resolved)
}

fn vector(cursor: &mut Cursor<'_>, names: &Names) -> Result<Vec<Operand>, ParseError> {
    cursor.expect('{', "at the start of the vector")?;
    simple_until(cursor, names, '}', "at the end of the vector")
}

/// Simple operands up to `end`, which is taken too.
fn simple_until(
    cursor: &mut Cursor<'_>,
    names: &Names,
    end: char,
    place: &str,
) -> Result<Vec<Operand>, ParseError> {
    let mut elements = Vec::new();
    if cursor.eat(end) {
        return Ok(elements);
    }
    loop {
        elements.push(simple(cursor, names)?);
        if !cursor.eat(',') {
            cursor.expect(end, place)?;
            return Ok(elements);
        }
    }
}

/// What stands after a `[`.
fn address(cursor: &mut Cursor<'_>, names: &Names) -> Result<Operand, ParseError> {
    const END: &str = "at the end of the address";
    let base = match cursor.peek().kind {
        Kind::Word => match name(cursor, names, "an address")? {
            Resolved::Register(name) => AddressBase::Register(name),
            Resolved::Symbol(name) => AddressBase::Symbol(name),
        },
        Kind::Number | Kind::Punctuation('-' | '+') => AddressBase::Absolute,
        _ => return Err(cursor.expected("a register, a name or a number as the address")),
    };
    let offset = match base {
        AddressBase::Absolute => cursor.integer("an address")?.wrapping_add(cursor.offset()?),
        _ => cursor.offset()?,
    };
    if cursor.at(',') {
        let texture = match base {
            AddressBase::Register(name) if offset == 0 => Operand::Register(name),
            AddressBase::Symbol(name) if offset == 0 => Operand::Symbol { name, offset },
            _ => return Err(cursor.expected(&format!("`]` {END}"))),
        };
        return texture_address(cursor, names, texture);
    }
    cursor.expect(']', END)?;
    Ok(Operand::Address { base, offset })
}

/// The rest of `[texture, coordinates]` or `[texture, sampler, coordinates]`.
fn texture_address(cursor: &mut Cursor<'_>, names: &Names, texture: Operand) -> Result<Operand, ParseError> {
    cursor.expect(',', "after the texture")?;
    let mut sampler = None;
    let mut coordinates = coordinates(cursor, names)?;
    if cursor.eat(',') {
        // What came first was the sampler.
        match <[Operand; 1]>::try_from(coordinates) {
            Ok([operand @ (Operand::Register(_) | Operand::Symbol { .. })]) => {
                sampler = Some(Box::new(operand));
            }
            _ => return Err(cursor.expected("`]` after the coordinates")),
        }
        coordinates = self::coordinates(cursor, names)?;
    }
    cursor.expect(']', "after the coordinates")?;
    Ok(Operand::TextureAddress { texture: Box::new(texture), sampler, coordinates })
}

fn coordinates(cursor: &mut Cursor<'_>, names: &Names) -> Result<Vec<Operand>, ParseError> {
    if cursor.at('{') { vector(cursor, names) } else { Ok(vec![simple(cursor, names)?]) }
}
