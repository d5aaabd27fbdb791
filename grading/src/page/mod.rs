//! Pages in HTML, each complete in one file: no scripts, no fonts, nothing from elsewhere. The templates escape every value.

mod class;
mod pair;
mod source;
mod student;
#[cfg(test)]
mod tests;
mod values;

use minijinja::value::Serde;
use minijinja::{Environment, Value};
use serde::Serialize;

use crate::Error;

pub use class::class;
pub use pair::pair;
pub use student::student;

const TEMPLATES: [(&str, &str); 6] = [
    ("page.html", include_str!("../../templates/page.html")),
    ("student.html", include_str!("../../templates/student.html")),
    ("class.html", include_str!("../../templates/class.html")),
    ("board.html", include_str!("../../templates/board.html")),
    ("places.html", include_str!("../../templates/places.html")),
    ("pair.html", include_str!("../../templates/pair.html")),
];

/// The templates, read once.
pub struct Pages(Environment<'static>);

impl Pages {
    /// Reads the templates.
    pub fn new() -> Result<Self, Error> {
        let mut environment = Environment::new();
        for (name, text) in TEMPLATES {
            environment.add_template(name, text).map_err(|error| failed(&error))?;
        }
        Ok(Self(environment))
    }

    fn render(&self, name: &str, values: &impl Serialize) -> Result<Vec<u8>, Error> {
        let values = Value::from(Serde(values));
        let text = self.0.get_template(name).and_then(|template| template.render(values));
        text.map(String::into_bytes).map_err(|error| failed(&error))
    }
}

fn failed(error: &minijinja::Error) -> Error {
    Error::Environment(format!("failed to write a page: {error:#}"))
}
