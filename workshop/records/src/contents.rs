//! The kinds of files.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{
    Attacks, Bench, Counters, Differential, Grading, Limits, Link, Matrix, Micro, Model, Papers, Programs,
    References, Repeat, Scores, Seeds, SimulatorPeers, Times, Totals, Validate,
};

/// What a file of one kind holds beside its kind and its provenance.
pub trait Content: Serialize + DeserializeOwned {
    /// Its `kind` in the file.
    const KIND: &'static str;
    /// The command that writes such a file, without options.
    const COMMAND: &'static str;

    /// The content, if it is of this kind.
    fn of(contents: &Contents) -> Option<&Self>;
}

/// Each kind once: its name here, its `kind` in the file, the command that writes it.
macro_rules! kinds {
    ($($name:ident, $kind:literal, $command:literal;)*) => {
        /// What a file of any kind holds.
        #[derive(Debug, Clone, PartialEq)]
        #[allow(missing_docs, reason = "each type has its own documentation")]
        pub enum Contents { $($name($name),)* }

        $(impl Content for $name {
            const KIND: &'static str = $kind;
            const COMMAND: &'static str = $command;

            fn of(contents: &Contents) -> Option<&Self> {
                match contents {
                    Contents::$name(content) => Some(content),
                    _ => None,
                }
            }
        })*

        impl Contents {
            /// Every `kind`, and the command that writes it.
            pub const KINDS: &[(&str, &str)] = &[$(($kind, $command)),*];

            /// The content of a file of this kind; `None` if there is no such kind.
            pub(crate) fn parse(kind: &str, text: &str) -> Option<serde_json::Result<Self>> {
                match kind {
                    $($kind => Some(serde_json::from_str(text).map(Self::$name)),)*
                    _ => None,
                }
            }
        }
    };
}

kinds! {
    Attacks, "attacks", "workshop attacks";
    Bench, "bench", "workshop bench";
    Counters, "counters", "workshop counters";
    Differential, "differential", "workshop differential";
    Grading, "grading", "workshop class";
    Limits, "limits", "workshop limits";
    Link, "link", "workshop link";
    Matrix, "matrix", "workshop matrix";
    Micro, "micro", "workshop micro";
    Model, "model", "workshop model";
    Programs, "programs", "workshop programs";
    References, "references", "workshop references";
    Repeat, "repeat", "workshop repeat";
    Papers, "reports", "workshop reports";
    Scores, "scores", "workshop scores";
    Seeds, "seeds", "workshop seeds";
    SimulatorPeers, "simulator-peers", "engine/simulator/benches/peers/run";
    Times, "times", "workshop times";
    Totals, "totals", "workshop totals";
    Validate, "validate", "workshop validate";
}

impl Contents {
    /// The content, if it is of this kind.
    pub fn get<C: Content>(&self) -> Option<&C> {
        C::of(self)
    }
}
