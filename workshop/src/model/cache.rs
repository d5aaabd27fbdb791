//! Counts that are kept from run to run, in `target/counts`: counting every kernel on the simulator takes minutes, and a change of
//! weights, rates or the formula (see `build.rs`) leaves the counts as they are.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use judge::exit::Stop;
use judge::setup::Setup;
use judge::workspace::Workspace;

/// Of the sources of all that counts, when this program was built.
const COUNTING: &str = env!("COUNTING");

/// A folder of counts.
pub struct Cache {
    folder: PathBuf,
    compiler: String,
}

/// What a file holds.
#[derive(Serialize, Deserialize)]
struct Kept<T> {
    /// Of all that the counts depend on.
    key: String,
    counts: T,
}

impl Cache {
    /// That of a checkout.
    pub fn new(workspace: &Workspace, setup: &Setup) -> Self {
        Self { folder: workspace.root().join("target/counts"), compiler: setup.compiler_name() }
    }

    /// What is kept under this name if nothing that it depends on has changed, which `of` is besides the program and the compiler; else
    /// what `count` finds. Numbers are read back from their text either way, so that they have the same bits in every run.
    pub fn get<T: Serialize + DeserializeOwned>(
        &self,
        name: &str,
        of: impl Hash,
        count: impl FnOnce() -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let mut hasher = DefaultHasher::new();
        (&self.compiler, of).hash(&mut hasher);
        let key = format!("{COUNTING}-{:016x}", hasher.finish());
        let path = self.folder.join(name).with_extension("json");
        if let Some(kept) = std::fs::read(&path).ok().and_then(|text| read::<T>(&text, &key)) {
            return Ok(kept);
        }
        let kept = Kept { key: key.clone(), counts: count()? };
        let failed = |what: &str| Stop::environment(format!("failed to {what} `{}`", path.display()));
        let text = serde_json::to_vec(&kept).map_err(|error| failed(&format!("write ({error})")))?;
        let write = || std::fs::create_dir_all(&self.folder).and_then(|()| std::fs::write(&path, &text));
        write().map_err(|error| failed(&format!("write ({error})")))?;
        read(&text, &key).ok_or_else(|| failed("read what was written to"))
    }
}

fn read<T: DeserializeOwned>(text: &[u8], key: &str) -> Option<T> {
    let kept: Kept<T> = serde_json::from_slice(text).ok()?;
    (kept.key == key).then_some(kept.counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_kept_while_what_they_depend_on_stays() {
        let folder = tempfile::tempdir().unwrap();
        let cache =
            |compiler: &str| Cache { folder: folder.path().join("counts"), compiler: compiler.to_owned() };
        let count = |compiler, of, number: f64| cache(compiler).get("a", of, || Ok(number)).unwrap();
        let bits = f64::to_bits;
        assert_eq!(bits(count("13.0", "text", 1.5)), bits(1.5));
        assert_eq!(bits(count("13.0", "text", 2.5)), bits(1.5), "counted once");
        assert_eq!(bits(count("13.0", "other text", 2.5)), bits(2.5));
        assert_eq!(bits(count("12.9", "other text", 3.5)), bits(3.5));
    }
}
