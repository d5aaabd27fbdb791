//! Names of a function's body: what each stands for, with the scopes of `{ … }` flattened.
//!
//! A name declared in an inner scope becomes `name@2`, where 2 numbers the scopes of the function. No name of
//! PTX holds `@`, so the new ones collide with none. Registers and variables stand before their first use;
//! labels may come later, so an operand that might be one is settled when its scope closes.

use std::collections::{HashMap, HashSet};

use super::super::ast::{Body, Operand};

/// Deeper nesting than this is refused.
pub(super) const DEEPEST_SCOPE: usize = 256;

/// The meaning of a name.
#[derive(Debug, Clone)]
struct Binding {
    /// The name in the syntax tree.
    unique: String,
    /// A register rather than a variable.
    register: bool,
    /// Number of the scope that declares it.
    scope: u32,
}

/// A name, looked up.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Resolved {
    /// A register or special register.
    Register(String),
    /// A variable, function, label or whatever else has an address.
    Symbol(String),
}

/// A name of a label that a scope may yet define.
enum Reference {
    /// An instruction's operand, by the indices of both.
    Operand(usize, usize),
    /// An entry of a `.branchtargets` table, by the indices of both.
    Target(usize, usize),
}

#[derive(Default)]
struct Scope {
    number: u32,
    /// Bindings that this scope hides, to be put back.
    hidden: Vec<(String, Option<Binding>)>,
    labels: HashSet<String>,
    references: Vec<Reference>,
}

/// All names that are visible at one place of a body.
pub(super) struct Names {
    bindings: HashMap<String, Binding>,
    open: Vec<Scope>,
    scopes: u32,
}

impl Names {
    /// The outermost scope of a function, empty.
    pub fn new() -> Self {
        Self { bindings: HashMap::new(), open: vec![Scope::default()], scopes: 0 }
    }

    /// How many scopes are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Opens an inner scope.
    pub fn open(&mut self) {
        self.scopes = self.scopes.saturating_add(1);
        self.open.push(Scope { number: self.scopes, ..Scope::default() });
    }

    /// Closes the innermost scope and names its labels in `body`. True if that was the last.
    pub fn close(&mut self, body: &mut Body) -> bool {
        let Some(scope) = self.open.pop() else { return true };
        let Some(outer) = self.open.last_mut() else { return true };
        for reference in scope.references {
            let name = match reference {
                Reference::Operand(instruction, operand) => symbol(body, instruction, operand),
                Reference::Target(table, entry) => Some(&mut body.branch_targets[table].1[entry]),
            };
            match name {
                Some(name) if scope.labels.contains(name.as_str()) => *name = unique(name, scope.number),
                _ => outer.references.push(reference),
            }
        }
        for (name, hidden) in scope.hidden.into_iter().rev() {
            match hidden {
                Some(binding) => self.bindings.insert(name, binding),
                None => self.bindings.remove(&name),
            };
        }
        false
    }

    /// Declares a register or variable; gives its name in the syntax tree, or nothing if the scope has it.
    pub fn declare(&mut self, name: &str, register: bool) -> Option<String> {
        let scope = self.open.last_mut()?;
        let unique = unique(name, scope.number);
        let binding = Binding { unique: unique.clone(), register, scope: scope.number };
        let hidden = self.bindings.insert(name.to_owned(), binding);
        if hidden.as_ref().is_some_and(|hidden| hidden.scope == scope.number) {
            return None;
        }
        if scope.number > 0 {
            scope.hidden.push((name.to_owned(), hidden));
        }
        Some(unique)
    }

    /// Declares a label; gives its name in the syntax tree, or nothing if the scope has it.
    pub fn declare_label(&mut self, name: &str) -> Option<String> {
        let scope = self.open.last_mut()?;
        scope.labels.insert(name.to_owned()).then(|| unique(name, scope.number))
    }

    /// Remembers operands of instruction `index` that may name a label of an open inner scope.
    pub fn refer(&mut self, operands: &[Operand], index: usize) {
        let Some(scope) = self.open.last_mut().filter(|scope| scope.number > 0) else { return };
        let symbols =
            operands.iter().enumerate().filter(|(_, operand)| matches!(operand, Operand::Symbol { .. }));
        scope.references.extend(symbols.map(|(operand, _)| Reference::Operand(index, operand)));
    }

    /// Remembers the labels of a `.branchtargets` table.
    pub fn refer_targets(&mut self, table: usize, entries: usize) {
        if let Some(scope) = self.open.last_mut().filter(|scope| scope.number > 0) {
            scope.references.extend((0..entries).map(|entry| Reference::Target(table, entry)));
        }
    }

    /// What a name stands for here. What is declared nowhere is a special register if it looks like one,
    /// else a symbol.
    pub fn resolve(&self, name: &str) -> Resolved {
        match self.bindings.get(name) {
            Some(Binding { unique, register: true, .. }) => Resolved::Register(unique.clone()),
            Some(Binding { unique, register: false, .. }) => Resolved::Symbol(unique.clone()),
            None if name.starts_with('%') || name == "WARP_SZ" => Resolved::Register(name.to_owned()),
            None => Resolved::Symbol(name.to_owned()),
        }
    }
}

fn unique(name: &str, scope: u32) -> String {
    if scope == 0 { name.to_owned() } else { format!("{name}@{scope}") }
}

fn symbol(body: &mut Body, instruction: usize, operand: usize) -> Option<&mut String> {
    match &mut body.instructions[instruction].operands[operand] {
        Operand::Symbol { name, .. } => Some(name),
        _ => None,
    }
}
