//! Straight-line arithmetic, and control flow that lanes take differently.

use super::Writer;

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
