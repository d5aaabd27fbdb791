//! A file: its kind, its provenance, its content.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Content, Contents, Provenance};

/// A file of one kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Record<C> {
    kind: &'static str,
    /// Where the figures come from.
    pub provenance: Provenance,
    /// The figures.
    #[serde(flatten)]
    pub content: C,
}

impl<C: Content> Record<C> {
    /// A file to write.
    pub fn new(provenance: Provenance, content: C) -> Self {
        Self { kind: C::KIND, provenance, content }
    }
}

/// The fields that every file has.
#[derive(Deserialize)]
struct Header {
    kind: String,
    provenance: Provenance,
}

/// Why a file could not be read. Each message ends with the command that writes such a file.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is no such file, or it is not text.
    #[error("failed to read `{}`: {source}; `{command}` writes such a file", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
        /// What writes it.
        command: &'static str,
    },
    /// It is not JSON, or a field is missing or of another type: an older version wrote it, perhaps.
    #[error("failed to read `{}`: {source}; `{command}` writes such a file anew", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// The reason, with line and column.
        source: serde_json::Error,
        /// What writes it.
        command: &'static str,
    },
    /// It holds something else.
    #[error("`{}` is a file of the kind `{found}`, not `{wanted}`; `{command}` writes such a file", path.display())]
    Kind {
        /// The file.
        path: PathBuf,
        /// Its kind.
        found: String,
        /// The kind that was expected.
        wanted: &'static str,
        /// What writes that kind.
        command: &'static str,
    },
    /// Its kind is not known.
    #[error("`{}` is a file of the kind `{found}`; the kinds are {kinds}", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
        /// Its kind.
        found: String,
        /// All kinds.
        kinds: String,
    },
}

/// Reads a file of this kind.
pub fn read<C: Content>(path: &Path) -> Result<Record<C>, ReadError> {
    let command = C::COMMAND;
    let (text, header) = header(path, command)?;
    if header.kind != C::KIND {
        let (path, found) = (path.to_owned(), header.kind);
        return Err(ReadError::Kind { path, found, wanted: C::KIND, command });
    }
    let content = serde_json::from_str(&text).map_err(|source| ReadError::Form {
        path: path.to_owned(),
        source,
        command,
    })?;
    Ok(Record::new(header.provenance, content))
}

/// Reads a file of any kind.
pub fn load(path: &Path) -> Result<(Provenance, Contents), ReadError> {
    let (text, Header { kind, provenance }) = header(path, "workshop")?;
    let Some(contents) = Contents::parse(&kind, &text) else {
        let kinds: Vec<String> = Contents::KINDS.iter().map(|(kind, _)| format!("`{kind}`")).collect();
        return Err(ReadError::Unknown { path: path.to_owned(), found: kind, kinds: kinds.join(", ") });
    };
    let command = Contents::KINDS.iter().find(|(known, _)| *known == kind).map_or("", |(_, command)| command);
    let contents = contents.map_err(|source| ReadError::Form { path: path.to_owned(), source, command })?;
    Ok((provenance, contents))
}

fn header(path: &Path, command: &'static str) -> Result<(String, Header), ReadError> {
    let text = std::fs::read_to_string(path).map_err(|source| ReadError::Text {
        path: path.to_owned(),
        source,
        command,
    })?;
    let header = serde_json::from_str(&text).map_err(|source| ReadError::Form {
        path: path.to_owned(),
        source,
        command,
    })?;
    Ok((text, header))
}
