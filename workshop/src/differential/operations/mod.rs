//! The parts of expressions: operations as text with places for their arguments, by result type.
//!
//! Only operations whose result bits are defined. Floating point: the correctly rounded intrinsics, which name
//! their rounding. Plain `a * b + c` is left to the family `contraction`, because the assembler may fuse an
//! unmarked product and sum and the simulator, which runs the PTX, does not know whether it did.

pub mod floating;
pub mod integer;

use super::types::Type;

/// One operation. `$0`, `$1` … in the text stand for arguments of these types.
#[derive(Debug, Clone)]
pub struct Operation {
    /// Type of the result.
    pub result: Type,
    /// Types of the arguments.
    pub arguments: Vec<Type>,
    /// The C++ expression.
    pub text: String,
}

impl Operation {
    /// An operation from its parts.
    pub fn new(result: Type, arguments: &[Type], text: impl Into<String>) -> Self {
        Self { result, arguments: arguments.to_vec(), text: text.into() }
    }

    /// The expression with these arguments.
    pub fn with(&self, arguments: &[String]) -> String {
        let mut pieces = self.text.split('$');
        let mut out = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (digit, rest) = piece.split_at(1);
            let number: usize = digit.parse().expect("a digit follows `$`");
            out.push_str(&arguments[number]);
            out.push_str(rest);
        }
        out
    }
}

/// A table row: result type, argument types, text.
pub(super) type Row = (Type, &'static [Type], &'static str);

/// The operations of a table.
pub(super) fn of(rows: &[Row]) -> Vec<Operation> {
    rows.iter().map(|(result, arguments, text)| Operation::new(*result, arguments, *text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_go_to_their_places() {
        let operation = Operation::new(Type::U32, &[Type::U32, Type::U32], "f($1, $0, $1)");
        assert_eq!(operation.with(&["a".into(), "b".into()]), "f(b, a, b)");
    }

    #[test]
    fn every_place_has_an_argument_and_every_argument_a_place() {
        let all = [integer::all(), floating::all(), floating::contractable()].concat();
        for operation in all {
            for number in 0..10 {
                let named = operation.text.contains(&format!("${number}"));
                assert_eq!(named, number < operation.arguments.len(), "{operation:?}");
            }
        }
    }
}
