//! Numbers that a submission cannot know before it is finished: they follow from its own tokens and from the seed of the run,
//! which is secret when a class is graded. The same file with the same seed gets the same numbers.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::exit::Stop;

/// A source of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Chance(u64);

impl Chance {
    /// That of a file with these tokens (see [`kernels::tokens_alone`]).
    pub fn of_tokens(tokens: &str) -> Self {
        Self(first_word(Sha256::digest(tokens)))
    }

    /// That of a file whose tokens have this hash: see [`Self::hash`].
    pub fn new(hash: u64) -> Self {
        Self(hash)
    }

    /// The hash.
    pub fn hash(self) -> u64 {
        self.0
    }

    /// Another source for each purpose and seed.
    #[must_use]
    pub fn with(self, purpose: &str, seed: u64) -> Self {
        let hash = Sha256::new().chain_update(self.0.to_le_bytes()).chain_update(seed.to_le_bytes());
        Self(first_word(hash.chain_update(purpose).finalize()))
    }

    /// The number for this purpose.
    pub fn number(self, purpose: &str) -> u64 {
        self.with(purpose, 0).0
    }

    /// A number from `low` to `high`.
    pub fn between(self, purpose: &str, low: usize, high: usize) -> usize {
        low + (self.number(purpose) % (high.saturating_sub(low) as u64 + 1)) as usize
    }
}

/// Where a secret seed may stand, besides the command line, which other users of the machine can read.
pub const VARIABLE: &str = "WORKBOOK_SECRET_SEED";

/// The secret seed: given, else of the file, else of the environment; `None` if there is none.
pub fn secret(given: Option<String>, file: Option<&Path>) -> Result<Option<String>, Stop> {
    let secret = match (given, file) {
        (Some(text), _) => Some(text),
        (None, Some(path)) => {
            let text = std::fs::read_to_string(path).map_err(|error| {
                Stop::Usage(format!("failed to read `{}`: {error}; name a text file", path.display()))
            })?;
            Some(text.lines().next().unwrap_or_default().to_owned())
        }
        (None, None) => std::env::var(VARIABLE).ok(),
    };
    match secret {
        Some(text) if text.trim().is_empty() => {
            Err(Stop::Usage("the secret seed is empty: give it at least a few random characters".to_owned()))
        }
        secret => Ok(secret),
    }
}

/// A seed for random pictures from a secret text.
pub fn seed_of(secret: &str) -> u64 {
    first_word(Sha256::new().chain_update("seed\n").chain_update(secret).finalize())
}

fn first_word(hash: impl AsRef<[u8]>) -> u64 {
    hash.as_ref().iter().take(8).fold(0, |word, byte| word << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_seed_decide_and_nothing_else() {
        let of = |text: &str| Chance::of_tokens(&kernels::tokens_alone(text));
        assert_eq!(of("int a; // one\nint b;"), of("int   a;\n/* two */ int b;\n"));
        assert_ne!(of("int a;"), of("int b;"));
        let chance = of("int a;");
        assert_eq!(chance.with("rows", 1), chance.with("rows", 1));
        assert_ne!(chance.with("rows", 1), chance.with("rows", 2));
        assert_ne!(chance.with("rows", 1), chance.with("width", 1));
        assert_ne!(seed_of("a"), seed_of("b"));
    }

    #[test]
    fn numbers_reach_both_ends() {
        let drawn = |n: u64| Chance::default().with("", n).between("x", 3, 5);
        assert!((0..100).map(drawn).all(|n| (3..=5).contains(&n)));
        assert!((3..=5).all(|wanted| (0..100).map(drawn).any(|n| n == wanted)));
    }
}
