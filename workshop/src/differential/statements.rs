//! Random statements: assignments, and control flow that lanes take differently.

use super::types::Type;
use super::writer::Writer;

impl Writer<'_> {
    /// Some statements, `depth` levels of control flow deep at most.
    pub fn statements(&mut self, count: u64, depth: u32) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        if depth == 0 || self.random.once_in(3) {
            return self.assign(2);
        }
        let count = 1 + self.random.below(3);
        match self.random.below(9) {
            0 | 1 => self.branch(count, depth - 1),
            2 => self.count_loop(count, depth - 1),
            3 => self.fuelled_loop(count, depth - 1),
            4 => self.do_loop(count, depth - 1),
            5 => self.switch(depth - 1),
            6 if self.loops > 0 => {
                let (condition, leave) = (self.condition(), *self.random.pick(&["break", "continue"]));
                self.line(format!("if ({condition}) {leave};"));
            }
            7 if self.may_return => {
                let condition = self.condition();
                let few = self.random.below(4);
                self.nest(format!("if (({condition}) && (t & 3u) == {few}u)"), |writer| {
                    writer.results();
                    writer.line("return;");
                });
            }
            8 => {
                let types = self.types.clone();
                let ty = *self.random.pick(&types);
                let (condition, a, b) = (self.condition(), self.expression(ty, 2), self.expression(ty, 2));
                self.declare(ty, &format!("({condition}) ? {a} : {b}"));
            }
            _ => self.assign(3),
        }
    }

    /// `x = …;`
    pub fn assign(&mut self, depth: u32) {
        let Some(target) = self.target() else { return };
        let value = self.expression(target.ty, depth);
        let name = &target.name;
        if target.ty.is_integer() && self.random.once_in(3) {
            let operator = *self.random.pick(&["^", "|", "&"]);
            return self.line(format!("{name} = ({})({name} {operator} {value});", target.ty.name()));
        }
        self.line(format!("{name} = {value};"));
    }

    fn branch(&mut self, count: u64, depth: u32) {
        let condition = self.condition();
        self.nest(format!("if ({condition})"), |writer| writer.statements(count, depth));
        if self.random.once_in(2) {
            self.nest("else", |writer| writer.statements(count, depth));
        }
    }

    /// A loop whose trip count depends on the lane.
    fn count_loop(&mut self, count: u64, depth: u32) {
        let (limit, index) = (self.name("n"), self.name("i"));
        let bound = self.expression(Type::U32, 1);
        let most = [1, 3, 7][self.random.below(3) as usize];
        self.line(format!("const u32 {limit} = {bound} & {most}u;"));
        self.looped(format!("for (u32 {index} = 0; {index} < {limit}; ++{index})"), |writer| {
            writer.know(&index, Type::U32, false);
            writer.statements(count, depth);
        });
    }

    /// A loop that a condition ends, or the fuel.
    fn fuelled_loop(&mut self, count: u64, depth: u32) {
        let (fuel, condition) = (self.name("fuel"), self.condition());
        let most = 1 + self.random.below(6);
        self.line(format!("u32 {fuel} = {most};"));
        self.looped(format!("while (({condition}) && {fuel}-- != 0)"), |writer| {
            writer.statements(count, depth);
        });
    }

    fn do_loop(&mut self, count: u64, depth: u32) {
        let (fuel, condition) = (self.name("fuel"), self.condition());
        let most = 1 + self.random.below(5);
        self.line(format!("u32 {fuel} = {most};"));
        self.looped("do", |writer| writer.statements(count, depth));
        self.line(format!("while (--{fuel} != 0 && ({condition}));"));
    }

    fn looped(&mut self, head: impl AsRef<str>, body: impl FnOnce(&mut Self)) {
        self.loops += 1;
        self.nest(head, body);
        self.loops -= 1;
    }

    fn switch(&mut self, depth: u32) {
        let selector = self.expression(Type::U32, 1);
        let cases = 2 + self.random.below(7);
        let dense = self.random.once_in(2);
        // `break` would leave the switch and `continue` the loop: both stay out.
        let loops = std::mem::take(&mut self.loops);
        self.nest(format!("switch ({selector} % {}u)", cases + 1), |writer| {
            for case in 0..cases {
                let label = if dense || case == 0 { case } else { case * 5 };
                writer.line(format!("case {label}:"));
                let falls = writer.random.once_in(4);
                writer.nest("", |writer| writer.statements(1, depth));
                if !falls {
                    writer.line("break;");
                }
            }
            writer.line("default:");
            writer.nest("", |writer| writer.statements(1, depth));
        });
        self.loops = loops;
    }
}
