//! Who calls whom: which functions can be running twice at once in a thread, and which a pointer may lead to.
//!
//! Registers and local memory of a function have fixed places, which is what makes calls cheap. Functions on a
//! cycle of the call graph need a frame for each activation instead; everything else keeps its fixed place.

use std::collections::{HashMap, HashSet};

use crate::ptx::ast::{Ast, Init, Instruction, Operand};

/// What decoding has to know about the module's functions.
#[derive(Debug, Default)]
pub(super) struct CallGraph {
    /// Functions that may call themselves, by whatever way.
    pub recursive: HashSet<String>,
    /// Functions whose address is taken, in the order of the text.
    pub pointed_to: Vec<String>,
}

/// Whether a call goes through a register.
pub(super) fn indirect(instruction: &Instruction) -> bool {
    instruction.opcode == "call" && instruction.operands.iter().any(|o| matches!(o, Operand::Register(_)))
}

/// Examines a module.
pub(super) fn examine(ast: &Ast) -> CallGraph {
    let defined: Vec<_> = ast
        .functions
        .iter()
        .filter(|f| !f.entry)
        .filter_map(|f| Some((f.name.as_str(), f.body.as_ref()?)))
        .collect();
    let names: HashSet<&str> = defined.iter().map(|(name, _)| *name).collect();
    let mut taken: HashSet<&str> = HashSet::new();
    for init in ast.variables.iter().flat_map(|variable| &variable.init) {
        if let Init::Address { symbol, .. } = init {
            taken.insert(symbol);
        }
    }
    let bodies = ast.functions.iter().filter_map(|function| function.body.as_ref());
    for instruction in bodies.flat_map(|body| &body.instructions).filter(|i| i.opcode != "call") {
        for operand in &instruction.operands {
            if let Operand::Symbol { name, .. } = operand {
                taken.insert(name);
            }
        }
    }
    let pointed_to: Vec<String> =
        defined.iter().filter(|(name, _)| taken.contains(name)).map(|(name, _)| (*name).to_owned()).collect();
    let calls: HashMap<&str, HashSet<&str>> = defined
        .iter()
        .map(|(name, body)| {
            let mut callees = HashSet::new();
            for instruction in body.instructions.iter().filter(|i| i.opcode == "call") {
                if indirect(instruction) {
                    callees.extend(pointed_to.iter().map(String::as_str));
                }
                for operand in &instruction.operands {
                    if let Operand::Symbol { name, .. } = operand {
                        callees.extend(names.get(name.as_str()));
                    }
                }
            }
            (*name, callees)
        })
        .collect();
    let recursive =
        names.iter().filter(|name| reaches_itself(name, &calls)).map(|&name| name.to_owned()).collect();
    CallGraph { recursive, pointed_to }
}

fn reaches_itself(name: &str, calls: &HashMap<&str, HashSet<&str>>) -> bool {
    let mut seen: HashSet<&str> = HashSet::new();
    let mut open: Vec<&str> = calls[name].iter().copied().collect();
    while let Some(next) = open.pop() {
        if next == name {
            return true;
        }
        if seen.insert(next) {
            open.extend(&calls[next]);
        }
    }
    false
}
