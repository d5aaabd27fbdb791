//! Initial values of variables: `= 3`, `= {1, 2}`, `= {{1, 2}, {3}}`, `= generic(table)+4`.
//!
//! An address in an array of bytes (a packed structure with a pointer) is written as eight masks,
//! `0xFF(x), 0xFF00(x), …`; here it becomes one [`Init::Address`], which stands for eight bytes like any other.

use super::super::ast::{Init, Type};
use super::super::error::ParseError;
use super::super::lexer::Kind;
use super::budget::Budget;
use super::cursor::{Cursor, error_at};
use super::number::Literal;
use super::types;

/// Bytes of an address.
const ADDRESS_BYTES: u32 = 8;

/// Parses what follows `=`. `dimensions` are the variable's, outermost first (0 if open; empty for a
/// scalar), the vector width last. Gives the values and how many elements an open dimension makes of them.
/// Inner rows that are written short are filled with zeros; the end of the variable is not.
pub(super) fn initializer(
    cursor: &mut Cursor<'_>,
    ty: Type,
    dimensions: &[u64],
    budget: &mut Budget,
) -> Result<(Vec<Init>, u64), ParseError> {
    let line = cursor.peek().line;
    let Some(bytes) =
        types::bytes_of(ty).filter(|_| !matches!(ty, Type::TexRef | Type::SamplerRef | Type::SurfRef))
    else {
        return Err(cursor.expected("no initial value of a texture, sampler or surface (not supported)"));
    };
    let mut values = Values { ty, bytes, init: Vec::new(), count: 0, mask: None };
    if dimensions.is_empty() {
        values.value(cursor)?;
    } else {
        values.nested(cursor, &block_sizes(dimensions), budget)?;
    }
    values.finish(line)?;
    // An open dimension ends with a whole row.
    let row = dimensions.iter().skip(1).fold(1_u64, |row, &dimension| row.saturating_mul(dimension));
    let rows = values.count.div_ceil(row.max(1));
    Ok((values.init, rows.saturating_mul(row)))
}

/// Elements that one brace of each depth holds, outermost first; an open outermost dimension holds any number.
fn block_sizes(dimensions: &[u64]) -> Vec<u64> {
    let mut sizes: Vec<u64> = dimensions
        .iter()
        .rev()
        .scan(1_u64, |size, &dimension| {
            *size = size.saturating_mul(dimension);
            Some(*size)
        })
        .collect();
    sizes.reverse();
    if dimensions[0] == 0 {
        sizes[0] = u64::MAX;
    }
    sizes
}

/// An address of which `next` masks have been read.
struct Masked {
    symbol: String,
    offset: i64,
    generic: bool,
    next: u32,
}

struct Values {
    ty: Type,
    bytes: u32,
    init: Vec<Init>,
    count: u64,
    mask: Option<Masked>,
}

impl Values {
    fn nested(
        &mut self,
        cursor: &mut Cursor<'_>,
        sizes: &[u64],
        budget: &mut Budget,
    ) -> Result<(), ParseError> {
        cursor.expect('{', "before the initial values")?;
        // Where each open brace started, outermost first.
        let mut starts = vec![0_u64];
        loop {
            let line = cursor.peek().line;
            // A brace may be empty, and a comma may stand before its end.
            if cursor.eat('}') {
                let start = starts.pop().unwrap_or(0);
                let depth = starts.len();
                self.finish(line)?;
                if depth == 0 {
                    return Ok(());
                }
                self.fill(start.saturating_add(sizes[depth]), budget, line)?;
            } else if cursor.at('{') {
                if starts.len() == sizes.len() {
                    return Err(cursor.expected("a value (the variable has no more dimensions)"));
                }
                cursor.advance();
                starts.push(self.count);
                continue;
            } else {
                self.value(cursor)?;
            }
            let depth = starts.len() - 1;
            if self.count - starts[depth] > sizes[depth] {
                let message = format!("expected at most {} initial values here, found more", sizes[depth]);
                return Err(error_at(line, message));
            }
            if !cursor.eat(',') && !cursor.at('}') {
                return Err(cursor.expected("`,` or `}` after the initial value"));
            }
        }
    }

    /// Zeros up to `end` elements.
    fn fill(&mut self, end: u64, budget: &mut Budget, line: u32) -> Result<(), ParseError> {
        let missing = end.saturating_sub(self.count);
        budget.take(missing, "a short row of initial values", line)?;
        let zero = Init::Bytes(vec![0; self.bytes as usize]);
        self.init.extend(std::iter::repeat_n(zero, missing as usize));
        self.count += missing;
        Ok(())
    }

    fn value(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ParseError> {
        let line = cursor.peek().line;
        if cursor.peek().kind == Kind::Word {
            let (symbol, offset, generic) = address(cursor)?;
            if self.bytes != ADDRESS_BYTES {
                let bits = self.bytes * 8;
                let message =
                    format!("expected elements of 64 bits for the address of `{symbol}`, found {bits} bits");
                return Err(error_at(line, message));
            }
            self.finish(line)?;
            self.init.push(Init::Address { symbol, offset, generic });
        } else if cursor.peek().kind == Kind::Number && cursor.peek_second() == Kind::Punctuation('(') {
            let mask = cursor.integer("a mask")?;
            cursor.expect('(', "after the mask")?;
            let (symbol, offset, generic) = address(cursor)?;
            cursor.expect(')', "after the masked address")?;
            self.masked(Masked { symbol, offset, generic, next: 0 }, mask as u64, line)?;
        } else {
            let literal = cursor.literal("an initial value")?;
            self.finish(line)?;
            let bytes = literal_bytes(literal, self.ty, self.bytes as usize).ok_or_else(|| {
                error_at(line, "expected an integer as the initial value, found a float".to_owned())
            })?;
            self.init.push(Init::Bytes(bytes));
        }
        self.count += 1;
        Ok(())
    }

    /// Takes the next part of a masked address; the last part completes it.
    fn masked(&mut self, found: Masked, mask: u64, line: u32) -> Result<(), ParseError> {
        let mut whole = match self.mask.take() {
            Some(whole) if (&whole.symbol, whole.offset) == (&found.symbol, found.offset) => whole,
            None => found,
            Some(whole) => return Err(incomplete(&whole, line)),
        };
        let bits = self.bytes * 8;
        if bits >= 64 || mask != ((1_u64 << bits) - 1) << (whole.next * bits) {
            return Err(error_at(
                line,
                format!("expected the masks of `{}` in order, found {mask:#x}", whole.symbol),
            ));
        }
        whole.next += 1;
        if whole.next * self.bytes == ADDRESS_BYTES {
            self.init.push(Init::Address {
                symbol: whole.symbol,
                offset: whole.offset,
                generic: whole.generic,
            });
        } else {
            self.mask = Some(whole);
        }
        Ok(())
    }

    /// Makes sure that no masked address is left half read.
    fn finish(&self, line: u32) -> Result<(), ParseError> {
        self.mask.as_ref().map_or(Ok(()), |whole| Err(incomplete(whole, line)))
    }
}

fn incomplete(whole: &Masked, line: u32) -> ParseError {
    error_at(
        line,
        format!("expected the rest of the masked address of `{}`, found another value", whole.symbol),
    )
}

/// `symbol`, `symbol+4`, `generic(symbol)+4`.
fn address(cursor: &mut Cursor<'_>) -> Result<(String, i64, bool), ParseError> {
    let generic = cursor.peek().text == "generic" && cursor.peek_second() == Kind::Punctuation('(');
    if generic {
        cursor.advance();
        cursor.advance();
    }
    let symbol = cursor.name("the name of a variable or function")?.to_owned();
    let mut offset = cursor.offset()?;
    if generic {
        cursor.expect(')', "after `generic`")?;
        offset = offset.wrapping_add(cursor.offset()?);
    }
    Ok((symbol, offset, generic))
}

/// The bytes of a literal as an element of type `ty`; nothing if that type cannot hold a float.
fn literal_bytes(literal: Literal, ty: Type, bytes: usize) -> Option<Vec<u8>> {
    let pattern = match (literal, ty) {
        (Literal::Integer(value), Type::F32) => u64::from((value as f32).to_bits()),
        (Literal::Integer(value), Type::F64) => (value as f64).to_bits(),
        (Literal::Integer(value), _) => value as u64,
        (Literal::Single(bits), Type::F64) => f64::from(f32::from_bits(bits)).to_bits(),
        (Literal::Single(bits), Type::F32 | Type::B32) => u64::from(bits),
        (Literal::Double(bits), Type::F32) => u64::from((f64::from_bits(bits) as f32).to_bits()),
        (Literal::Double(bits), Type::F64 | Type::B64) => bits,
        (Literal::Single(_) | Literal::Double(_), _) => return None,
    };
    let negative = matches!(literal, Literal::Integer(value) if value < 0);
    let mut element = pattern.to_le_bytes().to_vec();
    element.resize(bytes, if negative { 0xFF } else { 0 });
    Some(element)
}
