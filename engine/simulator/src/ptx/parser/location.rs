//! `.loc`: source positions, and the chain of calls that each was inlined through.
//!
//! A compiler writes `.loc 1 2 5, function_name …, inlined_at 1 6 5`: line 2 of a function that was inlined
//! at line 6. Where line 6 was inlined itself is said by the `.loc` of line 6, which the compiler puts before
//! the first one that refers to it:
//!
//! ```text
//! .loc 1 19 5
//! .loc 1 6 5, function_name f, inlined_at 1 19 5
//! .loc 1 2 5, function_name g, inlined_at 1 6 5
//! ```
//!
//! So `inlined_at` means the latest `.loc` of that position in the same function. Where `f` was inlined twice
//! and the compiler wove the two copies together, the text does not say which copy a later line belongs to,
//! and this takes the later one.

use std::collections::HashMap;

use super::super::ast::SourceLocation;
use super::super::error::ParseError;
use super::super::lexer::Kind;
use super::cursor::{Cursor, expected_at};

/// Calls beyond this many are cut off, so that no text makes chains that are slow to walk.
const LONGEST_CHAIN: u8 = 100;

/// The optional parts after a position and a comma.
const ATTRIBUTE: &str = "`function_name` or `inlined_at` in the `.loc`";

/// File, line, column.
type Position = (u32, u32, u32);

/// All positions of a module, each once.
pub(super) struct Locations {
    all: Vec<SourceLocation>,
    chain_lengths: Vec<u8>,
    known: HashMap<SourceLocation, u32>,
    latest: HashMap<Position, u32>,
    current: u32,
}

impl Locations {
    /// Holds only entry 0, "unknown".
    pub fn new() -> Self {
        Self {
            all: vec![SourceLocation { file: 0, line: 0, column: 0, inlined_at: 0 }],
            chain_lengths: vec![0],
            known: HashMap::new(),
            latest: HashMap::new(),
            current: 0,
        }
    }

    /// Forgets the positions of the function before.
    pub fn enter_function(&mut self) {
        // A new map, as clearing an old one costs what its largest function cost.
        self.latest = HashMap::new();
        self.current = 0;
    }

    /// The location of the next instruction.
    pub fn current(&self) -> u32 {
        self.current
    }

    /// The table, for the syntax tree.
    pub fn into_table(self) -> Vec<SourceLocation> {
        self.all
    }

    /// Parses the rest of `.loc`.
    pub fn directive(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ParseError> {
        let position = parse_position(cursor)?;
        let mut call = None;
        while cursor.eat(',') {
            let token = cursor.expect_kind(Kind::Word, ATTRIBUTE)?;
            match token.text {
                "function_name" => {
                    cursor.name("the label of a function's name")?;
                    cursor.offset()?;
                }
                "inlined_at" => call = Some(parse_position(cursor)?),
                // Line-table flags, as other compilers write them; they say nothing about positions.
                "prologue_end" | "epilogue_begin" | "basic_block" => {}
                _ => return Err(expected_at(token, ATTRIBUTE)),
            }
        }
        self.current = match call {
            None => self.intern(position, 0),
            Some(call) => self.inlined(position, call),
        };
        self.latest.insert(position, self.current);
        Ok(())
    }

    fn inlined(&mut self, position: Position, call: Position) -> u32 {
        let parent = match self.latest.get(&call) {
            Some(&index) => index,
            None => self.intern(call, 0),
        };
        // A function inlined into itself gives the same line each time it repeats: the chain has it once.
        let mut ancestor = parent;
        while ancestor != 0 {
            let SourceLocation { inlined_at, .. } = self.all[ancestor as usize];
            if self.position(ancestor) == position && inlined_at != 0 && self.position(inlined_at) == call {
                return ancestor;
            }
            ancestor = inlined_at;
        }
        if self.chain_lengths[parent as usize] == LONGEST_CHAIN {
            return self.intern(position, 0);
        }
        self.intern(position, parent)
    }

    fn position(&self, index: u32) -> Position {
        let SourceLocation { file, line, column, .. } = self.all[index as usize];
        (file, line, column)
    }

    fn intern(&mut self, (file, line, column): Position, inlined_at: u32) -> u32 {
        let location = SourceLocation { file, line, column, inlined_at };
        let (all, chain_lengths) = (&mut self.all, &mut self.chain_lengths);
        *self.known.entry(location).or_insert_with_key(|location| {
            all.push(location.clone());
            let length = if inlined_at == 0 { 0 } else { chain_lengths[inlined_at as usize] + 1 };
            chain_lengths.push(length);
            (all.len() - 1) as u32
        })
    }
}

fn parse_position(cursor: &mut Cursor<'_>) -> Result<Position, ParseError> {
    Ok((
        cursor.small("the number of a file in the `.loc`")?,
        cursor.small("a line in the `.loc`")?,
        cursor.small("a column in the `.loc`")?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    /// The lines, innermost first, that each `.loc` of `text` unwinds to.
    fn chains(text: &str) -> Vec<Vec<u32>> {
        let mut locations = Locations::new();
        let mut chains = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            locations.directive(&mut Cursor::new(line)).unwrap();
            let mut index = locations.current() as usize;
            let mut chain = Vec::new();
            while index != 0 {
                chain.push(locations.all[index].line);
                assert!(
                    (locations.all[index].inlined_at as usize) < index,
                    "a chain must not close on itself"
                );
                index = locations.all[index].inlined_at as usize;
            }
            chains.push(chain);
        }
        chains
    }

    #[test]
    fn the_latest_call_is_meant() {
        let text = "1 19 5
            1 11 5, function_name $a, inlined_at 1 19 5
            1 6 5, function_name $b, inlined_at 1 11 5
            1 2 5, function_name $c+4, inlined_at 1 6 5
            1 21 5
            1 6 5, function_name $b, inlined_at 1 21 5
            1 2 5, function_name $c, inlined_at 1 6 5
            1 19 5";
        let expected: &[&[u32]] =
            &[&[19], &[11, 19], &[6, 11, 19], &[2, 6, 11, 19], &[21], &[6, 21], &[2, 6, 21], &[19]];
        assert_eq!(chains(text), expected);
    }

    #[test]
    fn a_call_never_seen_ends_the_chain() {
        assert_eq!(chains("1 2 5, function_name $c, inlined_at 1 6 5"), [[2, 6]]);
    }

    #[test]
    fn recursion_stays_short() {
        let text = "1 9 1
            1 5 5, function_name $f, inlined_at 1 9 1
            1 7 5, function_name $g, inlined_at 1 5 5
            1 5 5, function_name $f, inlined_at 1 7 5
            1 7 5, function_name $g, inlined_at 1 5 5
            1 5 5, function_name $f, inlined_at 1 7 5";
        let expected: &[&[u32]] = &[&[9], &[5, 9], &[7, 5, 9], &[5, 7, 5, 9], &[7, 5, 9], &[5, 7, 5, 9]];
        assert_eq!(chains(text), expected);
    }

    #[test]
    fn long_chains_are_cut() {
        let lines: Vec<String> =
            (1..500).map(|line| format!("1 {} 0, inlined_at 1 {line} 0", line + 1)).collect();
        assert!(chains(&lines.join("\n")).iter().all(|chain| chain.len() <= usize::from(LONGEST_CHAIN) + 1));
    }
}
