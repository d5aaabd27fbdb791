//! The body of a function: registers, variables, labels, tables and instructions, scope by scope.

use super::super::ast::{Body, Space};
use super::super::error::ParseError;
use super::super::lexer::{Kind, Token};
use super::budget::Budget;
use super::cursor::{Cursor, error_at, expected_at};
use super::location::Locations;
use super::scope::{DEEPEST_SCOPE, Names};
use super::variable::{self, Linkage};
use super::{directive, function, instruction, types};

/// The state that a module's functions share.
pub(super) struct Shared {
    /// Source positions.
    pub locations: Locations,
    /// The budget for further declarations.
    pub budget: Budget,
}

/// Parses the body of the function `owner`, from `{` to the matching `}`.
pub(super) fn body(cursor: &mut Cursor<'_>, shared: &mut Shared, owner: &str) -> Result<Body, ParseError> {
    let start = cursor.peek().line;
    cursor.expect('{', "at the start of the body")?;
    shared.locations.enter_function();
    let mut parser = BodyParser { cursor, shared, names: Names::new(), body: Body::default() };
    loop {
        match parser.cursor.peek().kind {
            Kind::Punctuation('}') => {
                parser.cursor.advance();
                if parser.names.close(&mut parser.body) {
                    return Ok(parser.body);
                }
            }
            Kind::End => {
                let what = format!("`}}` at the end of `{owner}`, whose body starts in line {start}");
                return Err(parser.cursor.expected(&what));
            }
            _ => parser.statement()?,
        }
    }
}

struct BodyParser<'p, 'a> {
    cursor: &'p mut Cursor<'a>,
    shared: &'p mut Shared,
    names: Names,
    body: Body,
}

impl BodyParser<'_, '_> {
    fn statement(&mut self) -> Result<(), ParseError> {
        let token = self.cursor.peek();
        match token.kind {
            Kind::Punctuation('{') => {
                if self.names.depth() == DEEPEST_SCOPE {
                    return Err(self.cursor.expected(&format!("scopes nested at most {DEEPEST_SCOPE} deep")));
                }
                self.cursor.advance();
                self.names.open();
                Ok(())
            }
            Kind::Punctuation(';') => {
                self.cursor.advance();
                Ok(())
            }
            Kind::Dotted => {
                self.cursor.advance();
                self.directive(token)
            }
            Kind::Word if self.cursor.peek_second() == Kind::Punctuation(':') => self.label(),
            Kind::Word | Kind::Punctuation('@') => {
                let location = self.shared.locations.current();
                let instruction = instruction::instruction(self.cursor, &self.names, location)?;
                self.names.refer(&instruction.operands, self.body.instructions.len());
                self.body.instructions.push(instruction);
                Ok(())
            }
            _ => Err(self.cursor.expected("an instruction, a label or a directive")),
        }
    }

    fn directive(&mut self, token: Token<'_>) -> Result<(), ParseError> {
        match token.text {
            "reg" => self.registers(),
            "loc" => self.shared.locations.directive(self.cursor),
            "pragma" => directive::skip_pragma(self.cursor),
            "section" => directive::skip_section(self.cursor),
            word => match types::space(word) {
                Some(space) => self.variables(space),
                None => Err(expected_at(token, "an instruction or a directive such as `.reg`")),
            },
        }
    }

    fn registers(&mut self) -> Result<(), ParseError> {
        const WHAT: &str = "the scalar type of the registers";
        let token = self.cursor.expect_kind(Kind::Dotted, WHAT)?;
        let ty = types::scalar_type(token.text).ok_or_else(|| expected_at(token, WHAT))?;
        loop {
            let line = self.cursor.peek().line;
            let name = self.cursor.name("the name of a register")?;
            if self.cursor.eat('<') {
                let count = self.cursor.small("how many registers there are")?;
                self.cursor.expect('>', "after the number of registers")?;
                self.shared.budget.take(u64::from(count), &format!("`{name}<{count}>`"), line)?;
                for index in 0..count {
                    let unique = self.declare(&format!("{name}{index}"), true, line)?;
                    self.body.registers.push((unique, ty));
                }
            } else {
                let unique = self.declare(name, true, line)?;
                self.body.registers.push((unique, ty));
            }
            if !self.cursor.eat(',') {
                return self.cursor.expect(';', "after the registers");
            }
        }
    }

    fn variables(&mut self, space: Space) -> Result<(), ParseError> {
        let line = self.cursor.peek().line;
        let variables = variable::variables(self.cursor, space, Linkage::default(), &mut self.shared.budget)?;
        for mut variable in variables {
            variable.name = self.declare(&variable.name, false, line)?;
            self.body.variables.push(variable);
        }
        Ok(())
    }

    fn declare(&mut self, name: &str, register: bool, line: u32) -> Result<String, ParseError> {
        self.names.declare(name, register).ok_or_else(|| {
            error_at(line, format!("expected a new name, found `{name}`, which this scope declares already"))
        })
    }

    /// `name:`, or a table that a name is given to.
    fn label(&mut self) -> Result<(), ParseError> {
        let token = self.cursor.advance();
        self.cursor.expect(':', "after the label")?;
        let unique = self.names.declare_label(token.text).ok_or_else(|| {
            error_at(
                token.line,
                format!("expected a new label, found `{}`, which this scope has already", token.text),
            )
        })?;
        if self.cursor.at_dotted("branchtargets") {
            self.branch_targets(unique)
        } else if self.cursor.at_dotted("callprototype") {
            self.cursor.advance();
            let (returns, parameters) = function::prototype(self.cursor)?;
            self.body.prototypes.push((unique, returns, parameters));
            Ok(())
        } else if self.cursor.at_dotted("calltargets") {
            // Only tells the assembler which functions an indirect call may reach.
            self.cursor.advance();
            self.names_until_semicolon("a function").map(drop)
        } else {
            self.body.labels.push((unique, self.body.instructions.len()));
            Ok(())
        }
    }

    fn branch_targets(&mut self, name: String) -> Result<(), ParseError> {
        self.cursor.advance();
        let labels = self.names_until_semicolon("a label")?;
        self.names.refer_targets(self.body.branch_targets.len(), labels.len());
        self.body.branch_targets.push((name, labels));
        Ok(())
    }

    fn names_until_semicolon(&mut self, what: &str) -> Result<Vec<String>, ParseError> {
        let mut names = Vec::new();
        loop {
            names.push(self.cursor.name(what)?.to_owned());
            if !self.cursor.eat(',') {
                self.cursor.expect(';', "after the names")?;
                return Ok(names);
            }
        }
    }
}
