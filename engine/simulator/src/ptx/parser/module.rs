//! A whole text: directives, variables and functions at module scope.

use std::collections::HashMap;

use super::super::ast::{Ast, Function, Variable};
use super::super::error::ParseError;
use super::super::lexer::Kind;
use super::body::Shared;
use super::budget::Budget;
use super::cursor::{Cursor, error_at, expected_at};
use super::location::Locations;
use super::variable::{self, Linkage};
use super::{directive, function, types};

/// Parses a whole PTX text.
pub fn parse(text: &str) -> Result<Ast, ParseError> {
    let mut parser = ModuleParser {
        cursor: Cursor::new(text),
        ast: Ast::default(),
        shared: Shared { locations: Locations::new(), budget: Budget::new() },
        functions: HashMap::new(),
        variables: HashMap::new(),
    };
    while parser.cursor.peek().kind != Kind::End {
        parser.item()?;
    }
    parser.ast.locations = parser.shared.locations.into_table();
    Ok(parser.ast)
}

struct ModuleParser<'a> {
    cursor: Cursor<'a>,
    ast: Ast,
    shared: Shared,
    /// Name → index in the tree.
    functions: HashMap<String, usize>,
    variables: HashMap<String, usize>,
}

impl ModuleParser<'_> {
    fn item(&mut self) -> Result<(), ParseError> {
        const WHAT: &str = "a directive such as `.entry` or `.global`";
        if self.cursor.eat(';') {
            return Ok(());
        }
        let linkage = self.linkage();
        let token = self.cursor.expect_kind(Kind::Dotted, WHAT)?;
        let cursor = &mut self.cursor;
        match token.text {
            "version" => self.ast.version = directive::version(cursor)?,
            "target" => self.ast.target = directive::target(cursor)?,
            "address_size" => directive::address_size(cursor)?,
            "file" => directive::file(cursor, &mut self.ast)?,
            "section" => directive::skip_section(cursor)?,
            "pragma" => directive::skip_pragma(cursor)?,
            "loc" => self.shared.locations.directive(cursor)?,
            "entry" | "func" => {
                let function = function::function(cursor, token.text == "entry", linkage, &mut self.shared)?;
                self.add_function(function)?;
            }
            word => {
                let Some(space) = types::space(word) else { return Err(expected_at(token, WHAT)) };
                for variable in variable::variables(cursor, space, linkage, &mut self.shared.budget)? {
                    self.add_variable(variable, token.line)?;
                }
            }
        }
        Ok(())
    }

    fn linkage(&mut self) -> Linkage {
        let mut linkage = Linkage::default();
        loop {
            match self.cursor.peek() {
                token if token.kind != Kind::Dotted => return linkage,
                token if token.text == "extern" => linkage.external = true,
                token if matches!(token.text, "visible" | "weak" | "common") => linkage.visible = true,
                _ => return linkage,
            }
            self.cursor.advance();
        }
    }

    /// A definition takes the place of its declaration.
    fn add_function(&mut self, function: Function) -> Result<(), ParseError> {
        let Some(&index) = self.functions.get(&function.name) else {
            self.functions.insert(function.name.clone(), self.ast.functions.len());
            self.ast.functions.push(function);
            return Ok(());
        };
        let earlier = &mut self.ast.functions[index];
        match (&earlier.body, &function.body) {
            (Some(_), Some(_)) => Err(twice(&function.name, earlier.line, function.line)),
            (None, Some(_)) => {
                *earlier = function;
                Ok(())
            }
            (_, None) => Ok(()),
        }
    }

    fn add_variable(&mut self, variable: Variable, line: u32) -> Result<(), ParseError> {
        let Some(&index) = self.variables.get(&variable.name) else {
            self.variables.insert(variable.name.clone(), self.ast.variables.len());
            self.ast.variables.push(variable);
            return Ok(());
        };
        let earlier = &mut self.ast.variables[index];
        match (earlier.external, variable.external) {
            (false, false) => {
                let message = format!(
                    "expected a new name, found `{}`, which the module declares already",
                    variable.name
                );
                Err(error_at(line, message))
            }
            (true, false) => {
                *earlier = variable;
                Ok(())
            }
            (_, true) => Ok(()),
        }
    }
}

fn twice(name: &str, first: u32, second: u32) -> ParseError {
    error_at(
        second,
        format!("expected one definition of `{name}`, found a second one (the first is in line {first})"),
    )
}
