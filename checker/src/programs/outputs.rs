//! Whether the outputs of a program are those that its header gives.

use super::formula::Value;
use super::header::{Buffer, Element, Parameter};

/// Compares outputs with the expected values; the error names the first that differs.
pub fn outputs(parameters: &[Parameter], outputs: &[Vec<u8>]) -> Result<(), String> {
    let expected = parameters.iter().filter_map(|parameter| match parameter {
        Parameter::Output { buffer, values, .. } => Some((buffer, *values)),
        _ => None,
    });
    let expected: Vec<(&Buffer, bool)> = expected.collect();
    if expected.len() != outputs.len() {
        return Err(format!("left {} outputs instead of {}", outputs.len(), expected.len()));
    }
    for ((buffer, _), bytes) in expected.iter().zip(outputs).filter(|((_, values), _)| *values) {
        let size = buffer.element.size();
        let mut pairs = buffer.bytes.chunks(size).zip(bytes.chunks(size)).enumerate();
        if let Some((index, (should, is))) = pairs.find(|(_, (should, is))| !same(buffer.element, should, is))
        {
            let [should, is] = [should, is].map(|bytes| in_words(buffer.element, bytes));
            return Err(format!("`{}[{index}]` is {is} instead of {should}", buffer.name));
        }
    }
    Ok(())
}

/// The same bits, or both not a number: programs do not depend on the bits of a NaN.
fn same(element: Element, should: &[u8], is: &[u8]) -> bool {
    let nan = |bytes| matches!(element.value(bytes), Value::Float(value) if value.is_nan());
    should == is || nan(should) && nan(is)
}

fn in_words(element: Element, bytes: &[u8]) -> String {
    match element.value(bytes) {
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:e}"),
    }
}
