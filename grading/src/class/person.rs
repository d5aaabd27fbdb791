//! A student, as far as the export or the roster tells.

use serde::{Deserialize, Serialize};

/// A student.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// Short, unique in the class, and harmless as a file's name.
    pub id: String,
    /// The name to show.
    pub name: String,
    /// The number that the learning platform gave, or empty.
    pub number: String,
    /// The identifier in the roster, or empty.
    pub login: String,
    /// The e-mail address, or empty.
    pub email: String,
    /// The section or group, or empty.
    pub section: String,
    /// Whether the roster names this student; true for all if there is no roster.
    pub enrolled: bool,
}
