//! Directives that hold no code: `.file`, `.section`, `.pragma`, `.attribute`, `.address_size` and the like.

use super::super::ast::Ast;
use super::super::error::ParseError;
use super::super::lexer::Kind;
use super::cursor::{Cursor, expected_at};

/// `.version 8.8`
pub(super) fn version(cursor: &mut Cursor<'_>) -> Result<(u32, u32), ParseError> {
    const WHAT: &str = "a version such as `8.8`";
    let token = cursor.expect_kind(Kind::Number, WHAT)?;
    let parts = token
        .text
        .split_once('.')
        .and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
    parts.ok_or_else(|| expected_at(token, WHAT))
}

/// `.target sm_90, debug`: the first word; the rest are options of assembler and debugger.
pub(super) fn target(cursor: &mut Cursor<'_>) -> Result<String, ParseError> {
    let target = cursor.name("a target such as `sm_90`")?.to_owned();
    while cursor.eat(',') {
        cursor.name("an option of the target")?;
    }
    Ok(target)
}

/// `.address_size 64`
pub(super) fn address_size(cursor: &mut Cursor<'_>) -> Result<(), ParseError> {
    const WHAT: &str = "an address size of 64 bits";
    let token = cursor.peek();
    if cursor.integer(WHAT)? == 64 { Ok(()) } else { Err(expected_at(token, WHAT)) }
}

/// `.file 1 "a.cu"`, perhaps with time and size.
pub(super) fn file(cursor: &mut Cursor<'_>, ast: &mut Ast) -> Result<(), ParseError> {
    let number = cursor.small("the number of the file")?;
    let path = cursor.expect_kind(Kind::Quoted, "the path of the file in quotes")?.text;
    while cursor.eat(',') {
        cursor.integer("the file's time or size")?;
    }
    ast.files.push((number, unescape(path)));
    Ok(())
}

/// `.section .debug_info { … }`: DWARF data, which only a debugger reads.
pub(super) fn skip_section(cursor: &mut Cursor<'_>) -> Result<(), ParseError> {
    let start = cursor.peek().line;
    if cursor.eat_dotted().is_none() {
        cursor.name("the name of the section")?;
    }
    cursor.expect('{', "at the start of the section")?;
    let mut open = 1_u32;
    while open > 0 {
        if cursor.peek().kind == Kind::End {
            return Err(
                cursor.expected(&format!("`}}` at the end of the section that starts in line {start}"))
            );
        }
        match cursor.advance().kind {
            Kind::Punctuation('{') => open = open.saturating_add(1),
            Kind::Punctuation('}') => open -= 1,
            _ => {}
        }
    }
    Ok(())
}

/// `.pragma "nounroll";`: advice to the assembler.
pub(super) fn skip_pragma(cursor: &mut Cursor<'_>) -> Result<(), ParseError> {
    loop {
        cursor.expect_kind(Kind::Quoted, "the text of the `.pragma` in quotes")?;
        if !cursor.eat(',') {
            return cursor.expect(';', "after the `.pragma`");
        }
    }
}

/// `.attribute(.managed)`, `.attribute(.unified(1, 2))`: where a driver places the variable. Whether one is `.managed`.
pub(super) fn attribute(cursor: &mut Cursor<'_>) -> Result<bool, ParseError> {
    cursor.expect('(', "after `.attribute`")?;
    let mut managed = false;
    loop {
        match cursor.eat_dotted() {
            Some(word) => managed |= word == "managed",
            None => return Err(cursor.expected("an attribute such as `.managed`")),
        }
        if cursor.eat('(') {
            cursor.integer("a number of the attribute")?;
            while cursor.eat(',') {
                cursor.integer("a number of the attribute")?;
            }
            cursor.expect(')', "after the attribute's numbers")?;
        }
        if !cursor.eat(',') {
            return cursor.expect(')', "after the attributes").map(|()| managed);
        }
    }
}

/// One to three sizes with commas between; 1 where absent.
pub(super) fn dimensions(cursor: &mut Cursor<'_>, what: &str) -> Result<[u32; 3], ParseError> {
    let mut sizes = [1; 3];
    for (index, size) in sizes.iter_mut().enumerate() {
        if index > 0 && !cursor.eat(',') {
            break;
        }
        *size = cursor.small(what)?;
    }
    Ok(sizes)
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let escaped =
            if character == '\\' { characters.next_if(|&next| matches!(next, '\\' | '"')) } else { None };
        plain.push(escaped.unwrap_or(character));
    }
    plain
}
