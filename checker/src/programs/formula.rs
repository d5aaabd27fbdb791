//! The expected values of an output as a formula: computed here, by nothing that the simulator shares.
//!
//! Expressions as in C, over whole numbers of 128 bits and 64-bit floating-point numbers. `i` is the index of the
//! element; `in[e]` an element of an input; `sum(k, from, below, e)` and its kin run over a range.

mod parse;

use std::collections::BTreeMap;

/// A value on the way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// Exact.
    Int(i128),
    /// As in the hardware's double precision.
    Float(f64),
}

/// The meaning of names: inputs.
pub type Inputs = BTreeMap<String, Vec<Value>>;

/// A parsed formula.
#[derive(Debug, Clone)]
pub enum Formula {
    Literal(Value),
    Name(String),
    Element(String, Box<Formula>),
    Unary(&'static str, Box<Formula>),
    Binary(&'static str, Box<Formula>, Box<Formula>),
    Choice(Box<[Formula; 3]>),
    Call(String, Vec<Formula>),
    /// Kind, variable, first, end, body.
    Over(String, String, Box<[Formula; 3]>),
}

impl Formula {
    /// Reads a formula.
    pub fn parse(text: &str) -> Result<Self, String> {
        parse::parse(text)
    }

    /// Its value with these inputs and variables.
    pub fn value(&self, inputs: &Inputs, variables: &mut Vec<(String, Value)>) -> Result<Value, String> {
        Ok(match self {
            Self::Literal(value) => *value,
            Self::Name(name) => {
                let known = variables.iter().rev().find(|(known, _)| known == name);
                known.map(|(_, value)| *value).ok_or_else(|| format!("nothing is called `{name}`"))?
            }
            Self::Element(name, index) => {
                let index = index.value(inputs, variables)?;
                let elements = inputs.get(name).ok_or_else(|| format!("no input is called `{name}`"))?;
                let element = usize::try_from(int(index)?).ok().and_then(|index| elements.get(index));
                *element.ok_or_else(|| format!("`{name}` has no element {index:?}"))?
            }
            Self::Unary(operator, operand) => unary(operator, operand.value(inputs, variables)?)?,
            Self::Binary(operator @ ("&&" | "||"), left, right) => {
                let left = truth(left.value(inputs, variables)?);
                let decided = left == (*operator == "||");
                Value::Int(i128::from(if decided { left } else { truth(right.value(inputs, variables)?) }))
            }
            Self::Binary(operator, left, right) => {
                binary(operator, left.value(inputs, variables)?, right.value(inputs, variables)?)?
            }
            Self::Choice(parts) => {
                let [condition, then, other] = &**parts;
                let chosen = if truth(condition.value(inputs, variables)?) { then } else { other };
                chosen.value(inputs, variables)?
            }
            Self::Call(name, arguments) => {
                let values: Result<Vec<Value>, String> =
                    arguments.iter().map(|argument| argument.value(inputs, variables)).collect();
                call(name, &values?)?
            }
            Self::Over(kind, variable, parts) => over(kind, variable, parts, inputs, variables)?,
        })
    }
}

fn over(
    kind: &str,
    variable: &str,
    [first, end, body]: &[Formula; 3],
    inputs: &Inputs,
    variables: &mut Vec<(String, Value)>,
) -> Result<Value, String> {
    let (first, end) = (int(first.value(inputs, variables)?)?, int(end.value(inputs, variables)?)?);
    let mut all: Option<Value> = None;
    for index in first..end {
        variables.push((variable.to_owned(), Value::Int(index)));
        let value = body.value(inputs, variables);
        variables.pop();
        let value = value?;
        all = Some(match (kind, all) {
            ("any", all) => Value::Int(i128::from(truth(value) || all.is_some_and(truth))),
            (_, None) => value,
            ("sum", Some(all)) => binary("+", all, value)?,
            ("xor", Some(all)) => binary("^", all, value)?,
            ("largest", Some(all)) => call("max", &[all, value])?,
            (_, Some(all)) => call("min", &[all, value])?,
        });
    }
    Ok(all.unwrap_or(Value::Int(0)))
}

fn int(value: Value) -> Result<i128, String> {
    match value {
        Value::Int(value) => Ok(value),
        Value::Float(value) => Err(format!("{value} stands where a whole number is needed")),
    }
}

fn float(value: Value) -> f64 {
    match value {
        Value::Int(value) => value as f64,
        Value::Float(value) => value,
    }
}

fn truth(value: Value) -> bool {
    match value {
        Value::Int(value) => value != 0,
        Value::Float(value) => value != 0.0,
    }
}

fn unary(operator: &str, value: Value) -> Result<Value, String> {
    Ok(match (operator, value) {
        ("-", Value::Int(value)) => Value::Int(-value),
        ("-", Value::Float(value)) => Value::Float(-value),
        ("!", value) => Value::Int(i128::from(!truth(value))),
        (_, value) => Value::Int(!int(value)?),
    })
}

fn binary(operator: &str, left: Value, right: Value) -> Result<Value, String> {
    if let (Value::Int(a), Value::Int(b)) = (left, right) {
        let divided = |result: Option<i128>| result.ok_or_else(|| "divides by zero".to_owned());
        let shift = || u32::try_from(b).ok().filter(|&b| b < 127).ok_or(format!("shifts by {b}"));
        return Ok(Value::Int(match operator {
            "|" => a | b,
            "^" => a ^ b,
            "&" => a & b,
            "==" => i128::from(a == b),
            "!=" => i128::from(a != b),
            "<=" => i128::from(a <= b),
            ">=" => i128::from(a >= b),
            "<" => i128::from(a < b),
            ">" => i128::from(a > b),
            "<<" => a << shift()?,
            ">>" => a >> shift()?,
            "+" => a + b,
            "-" => a - b,
            "*" => a * b,
            "/" => divided(a.checked_div(b))?,
            _ => divided(a.checked_rem(b))?,
        }));
    }
    let (a, b) = (float(left), float(right));
    #[expect(clippy::float_cmp, reason = "a formula's comparison means what C's does")]
    Ok(match operator {
        "==" => Value::Int(i128::from(a == b)),
        "!=" => Value::Int(i128::from(a != b)),
        "<=" => Value::Int(i128::from(a <= b)),
        ">=" => Value::Int(i128::from(a >= b)),
        "<" => Value::Int(i128::from(a < b)),
        ">" => Value::Int(i128::from(a > b)),
        "+" => Value::Float(a + b),
        "-" => Value::Float(a - b),
        "*" => Value::Float(a * b),
        "/" => Value::Float(a / b),
        "%" => Value::Float(a % b),
        _ => return Err(format!("`{operator}` is for whole numbers")),
    })
}

fn call(name: &str, arguments: &[Value]) -> Result<Value, String> {
    let wrap = |bits: u32, signed: bool, value: Value| -> Result<Value, String> {
        let value = int(value)? & ((1 << bits) - 1);
        let negative = signed && value >> (bits - 1) & 1 == 1;
        Ok(Value::Int(if negative { value - (1 << bits) } else { value }))
    };
    Ok(match (name, arguments) {
        ("u8", &[a]) => wrap(8, false, a)?,
        ("i8", &[a]) => wrap(8, true, a)?,
        ("u16", &[a]) => wrap(16, false, a)?,
        ("i16", &[a]) => wrap(16, true, a)?,
        ("u32", &[a]) => wrap(32, false, a)?,
        ("i32", &[a]) => wrap(32, true, a)?,
        ("u64", &[a]) => wrap(64, false, a)?,
        ("i64", &[a]) => wrap(64, true, a)?,
        ("f32", &[a]) => Value::Float(f64::from(float(a) as f32)),
        ("f64", &[a]) => Value::Float(float(a)),
        ("f32_bits", &[a]) => Value::Int(i128::from((float(a) as f32).to_bits())),
        ("from_f32_bits", &[a]) => Value::Float(f64::from(f32::from_bits(int(a)? as u32))),
        ("trunc", &[a]) => Value::Int(float(a).trunc() as i128),
        ("floor", &[a]) => Value::Int(float(a).floor() as i128),
        ("ceil", &[a]) => Value::Int(float(a).ceil() as i128),
        ("rint", &[a]) => Value::Int(float(a).round_ties_even() as i128),
        ("sqrt", &[a]) => Value::Float(float(a).sqrt()),
        ("abs", &[Value::Int(a)]) => Value::Int(a.abs()),
        ("abs", &[Value::Float(a)]) => Value::Float(a.abs()),
        ("popc", &[a]) => Value::Int(i128::from(int(a)?.count_ones())),
        ("min", &[a, b]) => {
            if truth(binary("<", b, a)?) {
                b
            } else {
                a
            }
        }
        ("max", &[a, b]) => {
            if truth(binary("<", a, b)?) {
                b
            } else {
                a
            }
        }
        ("clamp", &[a, low, high]) => call("min", &[call("max", &[a, low])?, high])?,
        _ => return Err(format!("no function `{name}` takes {} arguments", arguments.len())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        let inputs = Inputs::from([("in".to_owned(), (0..4).map(|n| Value::Int(n * n)).collect())]);
        let mut variables = vec![("i".to_owned(), Value::Int(3))];
        Formula::parse(text).and_then(|formula| formula.value(&inputs, &mut variables)).expect(text)
    }

    #[test]
    fn formulas_mean_what_they_mean_in_c() {
        for (text, expected) in [
            ("1 + 2 * 3 - 4 / 3", 6),
            ("1 << 2 + 1 | 1 & 3", 9),
            ("i > 2 ? in[i] : in[100]", 9),
            ("i < 2 && in[100] || !0", 1),
            ("-7 / 2 * 10 + -7 % 2", -31),
            ("sum(k, 0, i + 1, in[k])", 14),
            ("largest(k, 0, 4, k ^ 1)", 3),
            ("u8(-1) + i8(255) * 2 + u32(0 - 1 >> 31)", 255 - 2 + 0xffff_ffff),
            ("clamp(300, 0, 0xff) == 255", 1),
            ("f32_bits(1.0)", 0x3f80_0000),
            ("rint(2.5) + trunc(-1.5) + floor(-1.5)", -1),
            ("3 - -3", 6),
        ] {
            assert_eq!(value(text), Value::Int(expected), "{text}");
        }
        assert_eq!(value("1e-3 * 2"), Value::Float(2e-3));
        assert_eq!(value("1 / 4.0"), Value::Float(0.25));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "1 +", "(1", "in[", "1 2", "sum(k, 0, 4)"] {
            assert!(Formula::parse(text).is_err(), "{text}");
        }
        let empty = Inputs::new();
        for text in ["x", "in[0]", "1 / 0", "1 << 200", "nothing(1)"] {
            let formula = Formula::parse(text).expect(text);
            assert!(formula.value(&empty, &mut Vec::new()).is_err(), "{text}");
        }
    }
}
