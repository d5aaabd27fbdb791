//! Straight-line arithmetic, and control flow that lanes take differently.

use super::Writer;
use crate::differential::operations::Operation;
use crate::differential::writer::RESULTS;

/// Deep expressions, one after another.
pub fn straight(writer: &mut Writer<'_>) {
    writer.declare_inputs(8);
    for _ in 0..4 + writer.random.below(5) {
        let types = writer.types.clone();
        let ty = *writer.random.pick(&types);
        let value = writer.expression(ty, 4);
        writer.declare(ty, &value);
    }
    for _ in 0..4 {
        writer.assign(4);
    }
    writer.results();
}

/// Nested branches and loops, with early returns.
pub fn divergent(writer: &mut Writer<'_>) {
    writer.declare_inputs(6);
    writer.may_return = true;
    let count = 5 + writer.random.below(5);
    writer.statements(count, 3);
    writer.results();
}

/// One operation alone, four times with different arguments: a difference names its operation.
pub fn alone(writer: &mut Writer<'_>, operation: &Operation) {
    for &ty in &operation.arguments {
        for _ in 0..2 {
            let word = writer.random.below(8);
            let (name, value) = (writer.name("x"), ty.load(word));
            writer.line(format!("const {} {name} = {value};", ty.name()));
            writer.know(name, ty, false);
        }
    }
    for _ in 0..RESULTS {
        let arguments: Vec<String> = operation.arguments.iter().map(|&ty| writer.leaf(ty)).collect();
        writer.declare(operation.result, &operation.with(&arguments));
    }
    writer.results();
}
