//! The PTX that machine code was made of, by line.

use std::collections::{BTreeMap, HashMap};

use crate::ptx::ast::{AddressBase, Body, Instruction, Operand};
use crate::ptx::parse;

/// A PTX text.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// In the order of the text, each with the line of its function's head.
    bodies: Vec<(u32, Body)>,
}

impl Listing {
    /// Of a whole text; `None` if it cannot be read.
    pub fn of(ptx: &str) -> Option<Self> {
        let functions = parse(ptx).ok()?.functions;
        let bodies = functions.into_iter().filter_map(|function| Some((function.line, function.body?)));
        let mut bodies: Vec<(u32, Body)> = bodies.collect();
        bodies.sort_by_key(|(line, _)| *line);
        Some(Self { bodies })
    }

    fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.bodies.iter().flat_map(|(_, body)| &body.instructions)
    }

    /// Lines of fetches through textures and of reads through surfaces.
    pub(super) fn fetches(&self) -> Vec<u32> {
        let fetches = |one: &&Instruction| matches!(one.opcode.as_str(), "tex" | "tld4" | "suld");
        self.instructions().filter(fetches).map(|one| one.line).collect()
    }

    /// By line, what an access's address begins with, and the bytes added to it.
    pub(super) fn addresses(&self) -> HashMap<u32, (&str, i64)> {
        self.instructions()
            .filter_map(|one| Some((one.line, one.operands.iter().find_map(address)?)))
            .collect()
    }

    /// The first line of each basic block, and the first and last basic block of each loop as they stand in the text. What opens a
    /// function is made of the line of its head, and belongs to its first block.
    pub(super) fn blocks(&self) -> (Vec<u32>, Vec<(u32, u32)>) {
        let (mut starts, mut loops) = (Vec::new(), Vec::new());
        for (head, body) in &self.bodies {
            let mut here: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
            for (label, at) in &body.labels {
                here.entry(*at).or_default().push(label);
            }
            let (mut labels, mut begins) = (HashMap::new(), true);
            for (at, one) in body.instructions.iter().enumerate() {
                let own = here.remove(&at).unwrap_or_default();
                if begins || !own.is_empty() {
                    starts.push(if at == 0 { *head } else { one.line });
                }
                let block = starts.len() as u32;
                labels.extend(own.into_iter().map(|label| (label, block)));
                loops.extend(target(one).and_then(|target| labels.get(target)).map(|first| (*first, block)));
                begins = matches!(one.opcode.as_str(), "bra" | "brx" | "ret" | "exit" | "call");
            }
        }
        (starts, loops)
    }
}

/// Where a jump goes.
fn target(one: &Instruction) -> Option<&str> {
    match one.operands.first()? {
        Operand::Symbol { name, .. } if one.opcode == "bra" => Some(name),
        _ => None,
    }
}

fn address(operand: &Operand) -> Option<(&str, i64)> {
    match operand {
        Operand::Address { base: AddressBase::Register(name) | AddressBase::Symbol(name), offset } => {
            Some((name, *offset))
        }
        Operand::Address { base: AddressBase::Absolute, offset } => Some(("", *offset)),
        Operand::TextureAddress { texture, .. } => match &**texture {
            Operand::Register(name) | Operand::Symbol { name, .. } => Some((name, 0)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
impl Listing {
    /// Of the instructions of one kernel.
    pub(super) fn of_kernel(instructions: &str) -> Self {
        let head = ".version 8.0 .target sm_90 .address_size 64 .visible .entry kernel() {";
        Self::of(&format!("{head} {instructions}\n}}")).expect("valid PTX")
    }
}
