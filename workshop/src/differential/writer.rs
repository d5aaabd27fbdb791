//! Writing a random kernel: variables in scope, expressions of a wanted type, the text so far.

use super::operations::Operation;
use super::random::Random;
use super::types::Type;

/// A variable in scope.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Whether statements may assign to it.
    pub mutable: bool,
}

/// A kernel in the making.
pub struct Writer<'a> {
    /// Where all choices come from.
    pub random: Random,
    /// Variables in scope.
    pub variables: Vec<Variable>,
    /// The operations that expressions are made of.
    pub operations: &'a [Operation],
    /// Types that variables get.
    pub types: Vec<Type>,
    /// Loops around this place.
    pub loops: usize,
    /// Whether a thread may leave: not where others wait for it.
    pub may_return: bool,
    lines: String,
    indent: usize,
    names: usize,
}

impl<'a> Writer<'a> {
    /// An empty kernel.
    pub fn new(random: Random, operations: &'a [Operation], types: &[Type]) -> Self {
        Self {
            random,
            variables: Vec::new(),
            operations,
            types: types.to_vec(),
            loops: 0,
            may_return: false,
            lines: String::new(),
            indent: 1,
            names: 0,
        }
    }

    /// A line of text.
    pub fn line(&mut self, text: impl AsRef<str>) {
        self.lines.push_str(&"    ".repeat(self.indent));
        self.lines.push_str(text.as_ref());
        self.lines.push('\n');
    }

    /// `head { body }`; variables of the body end with it.
    pub fn nest(&mut self, head: impl AsRef<str>, body: impl FnOnce(&mut Self)) {
        self.line(format!("{} {{", head.as_ref()));
        let known = self.variables.len();
        self.indent += 1;
        body(self);
        self.indent -= 1;
        self.variables.truncate(known);
        self.line("}");
    }

    /// The text so far.
    pub fn finish(self) -> String {
        self.lines
    }

    /// A name that is not taken.
    pub fn name(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}{}", self.names)
    }

    /// Makes something an expression may read.
    pub fn know(&mut self, name: impl Into<String>, ty: Type, mutable: bool) {
        self.variables.push(Variable { name: name.into(), ty, mutable });
    }

    /// Declares a variable that statements may assign to.
    pub fn declare(&mut self, ty: Type, value: &str) -> String {
        let name = self.name("x");
        self.line(format!("{} {name} = {value};", ty.name()));
        self.know(&name, ty, true);
        name
    }

    /// Declares variables of all types of the family, read from the thread's eight input words.
    pub fn declare_inputs(&mut self, count: u64) {
        for word in 0..count {
            let types = self.types.clone();
            let ty = *self.random.pick(&types);
            self.declare(ty, &ty.load(word % 8));
        }
    }

    /// An expression of this type.
    pub fn expression(&mut self, ty: Type, depth: u32) -> String {
        if depth == 0 {
            return self.leaf(ty);
        }
        let fitting: Vec<&'a Operation> =
            self.operations.iter().filter(|operation| operation.result == ty).collect();
        if fitting.is_empty() || self.random.once_in(8) {
            return self.leaf(ty);
        }
        let operation = *self.random.pick(&fitting);
        let mut arguments = Vec::new();
        for &argument in &operation.arguments {
            let less = 1 + u32::from(self.random.once_in(3));
            arguments.push(self.expression(argument, depth.saturating_sub(less)));
        }
        operation.with(&arguments)
    }

    /// A variable of this type, another one converted, or a literal.
    pub fn leaf(&mut self, ty: Type) -> String {
        if self.random.once_in(6) {
            return ty.literal(&mut self.random);
        }
        let same: Vec<String> =
            self.variables.iter().filter(|known| known.ty == ty).map(|known| known.name.clone()).collect();
        if !same.is_empty() && !self.random.once_in(5) {
            return self.random.pick(&same).clone();
        }
        // C++ does not define the conversion of a number outside the range of an integer type.
        let convertible: Vec<String> = self
            .variables
            .iter()
            .filter(|known| known.ty.is_integer())
            .map(|known| format!("(({}){})", ty.name(), known.name))
            .collect();
        if convertible.is_empty() {
            return ty.literal(&mut self.random);
        }
        self.random.pick(&convertible).clone()
    }

    /// A condition, true for some threads and not for others more often than not.
    pub fn condition(&mut self) -> String {
        let types = self.types.clone();
        let ty = *self.random.pick(&types);
        match self.random.below(6) {
            0 => format!("(t & {}u) {} 0u", 1 << self.random.below(5), self.random.pick(&["==", "!="])),
            1 => format!("(t % {}u) < {}u", 2 + self.random.below(9), 1 + self.random.below(4)),
            2 => {
                let (a, b) = (self.expression(Type::U32, 1), self.expression(Type::U32, 1));
                let (and, bit) = (["&&", "||"][self.random.below(2) as usize], self.random.below(32));
                format!("(({a} >> {bit}) & 1u) {and} ({b} & 3u) == 1u")
            }
            _ => {
                let operator = *self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
                format!("{} {operator} {}", self.expression(ty, 1), self.expression(ty, 1))
            }
        }
    }

    /// A variable to assign to.
    pub fn target(&mut self) -> Option<Variable> {
        let mutable: Vec<Variable> = self.variables.iter().filter(|known| known.mutable).cloned().collect();
        if mutable.is_empty() { None } else { Some(self.random.pick(&mutable).clone()) }
    }

    /// Writes the thread's results: words of `out`, from variables in scope.
    pub fn results(&mut self) {
        let names: Vec<String> =
            self.variables.iter().filter(|known| known.mutable).map(|known| known.name.clone()).collect();
        for word in 0..RESULTS {
            let mut terms = Vec::new();
            for (number, name) in names.iter().enumerate() {
                if number as u64 % RESULTS == word {
                    terms.push(format!("bits({name}) * {}ull", 2 * number + 1));
                }
            }
            let sum = if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") };
            self.line(format!("out[t * {RESULTS} + {word}] = {sum};"));
        }
    }
}

/// Result words of 8 bytes per thread.
pub const RESULTS: u64 = 4;
