//! Why a submission is not checked: a verdict on that submission alone.

use serde::{Deserialize, Serialize};

/// The reason. Students read it too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// An empty folder or archive.
    #[error("it holds no file")]
    NoFile,
    /// Nothing that looks like the lab's file.
    #[error("it holds no CUDA file (`.cu`): {0}")]
    NoCuda(String),
    /// Which one to grade?
    #[error("it holds several CUDA files, and none has the name of the lab's file: {0}")]
    Several(String),
    /// Two members of an archive with one name: two programs may read two different files.
    #[error("its archive holds `{0}` twice")]
    Twice(String),
    /// More than the limit.
    #[error("`{name}` has more than {most} bytes")]
    TooLarge {
        /// The file.
        name: String,
        /// The limit.
        most: u64,
    },
    /// More files than the limit.
    #[error("it holds more than {0} files")]
    TooMany(usize),
    /// An absolute name, or one with `..`.
    #[error("the name `{0}` leads out of its folder")]
    Outside(String),
    /// A symbolic link.
    #[error("`{0}` is a symbolic link")]
    Link(String),
    /// A device, a pipe.
    #[error("`{0}` is not a regular file")]
    Special(String),
    /// A password is needed.
    #[error("`{0}` is encrypted")]
    Encrypted(String),
    /// Not a zip archive, or a damaged one.
    #[error("its archive cannot be read: {0}")]
    Damaged(String),
    /// An archive of another kind.
    #[error("`{0}` is an archive of a kind that is not read; only zip is")]
    OtherArchive(String),
    /// The system cannot read the file.
    #[error("`{name}` cannot be read: {why}")]
    Unreadable {
        /// The file.
        name: String,
        /// The system's reason.
        why: String,
    },
    /// The checker does not take it, such as text that is not UTF-8.
    #[error("{0}")]
    Checker(String),
}

impl Refusal {
    /// A stable name for tables.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoFile => "no-file",
            Self::NoCuda(_) => "no-cuda",
            Self::Several(_) => "several",
            Self::Twice(_) => "twice",
            Self::TooLarge { .. } => "too-large",
            Self::TooMany(_) => "too-many",
            Self::Outside(_) => "outside",
            Self::Link(_) => "link",
            Self::Special(_) => "special",
            Self::Encrypted(_) => "encrypted",
            Self::Damaged(_) => "damaged",
            Self::OtherArchive(_) => "other-archive",
            Self::Unreadable { .. } => "unreadable",
            Self::Checker(_) => "not-readable",
        }
    }
}
