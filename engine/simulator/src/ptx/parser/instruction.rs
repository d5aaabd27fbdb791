//! One instruction: guard, opcode, modifiers, operands.

use super::super::ast::Instruction;
use super::super::error::ParseError;
use super::cursor::Cursor;
use super::operand;
use super::scope::Names;

/// Parses an instruction with its semicolon.
pub(super) fn instruction(
    cursor: &mut Cursor<'_>,
    names: &Names,
    location: u32,
) -> Result<Instruction, ParseError> {
    let guard = if cursor.eat('@') {
        let negated = cursor.eat('!');
        Some((operand::register(cursor, names)?, negated))
    } else {
        None
    };
    let line = cursor.peek().line;
    let opcode = cursor.name("an instruction")?.to_owned();
    let modifiers: Vec<String> = std::iter::from_fn(|| cursor.eat_dotted()).map(str::to_owned).collect();
    let mut operands = Vec::new();
    if !cursor.at(';') {
        loop {
            operands.push(operand::operand(cursor, names)?);
            if !cursor.eat(',') {
                break;
            }
        }
    }
    if !cursor.eat(';') {
        return Err(cursor.expected(&format!("`;` after the operands of `{opcode}`")));
    }
    Ok(Instruction { guard, opcode, modifiers, operands, line, location })
}
