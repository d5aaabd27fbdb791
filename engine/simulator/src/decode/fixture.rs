//! Programs for tests, without a module around them.

use std::sync::Arc;

use super::{Program, Symbols, decode};
use crate::layout::DEVICE;
use crate::ptx::parse;

/// The kernel `k` of a text. Variables lie 4 KiB apart.
pub(crate) fn program(text: &str) -> Arc<Program> {
    let ast = parse(text).expect("valid PTX");
    let address = |number: usize| DEVICE.variables + 4096 * number as u64;
    let variables = ast.variables.iter().enumerate();
    let functions = ast.functions.iter().enumerate();
    let symbols = Symbols {
        layout: DEVICE,
        variables: variables.map(|(number, variable)| (variable.name.clone(), address(number))).collect(),
        functions: functions.map(|(number, function)| (function.name.clone(), number)).collect(),
    };
    Arc::new(decode(&ast, &symbols, "k").expect("a known kernel"))
}
