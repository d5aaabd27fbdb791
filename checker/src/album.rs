//! `--save DIR`: the outputs of failed cases as pictures.
//!
//! Each output of each failed case gives three PNG files: found, expected, difference. Histograms are drawn as bars. A
//! failure to write is reported after the report.

use std::cell::RefCell;
use std::error::Error;
use std::path::{Path, PathBuf};

use lab::Image;

use judge::exit::Stop;
use judge::wrong::{Gallery, Wrong};

/// A folder for pictures.
pub struct Album {
    folder: PathBuf,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    files: usize,
    cases: usize,
    failure: Option<String>,
}

impl Album {
    /// Creates the folder, and tests that it is writable.
    pub fn open(folder: &Path) -> Result<Self, Stop> {
        let failed = |error: std::io::Error| {
            Stop::Usage(format!(
                "failed to write to the folder `{}`: {error}; name a folder that you may write to, or a new one",
                folder.display()
            ))
        };
        // A student's folder may hold a link by this name.
        if std::fs::symlink_metadata(folder).is_ok_and(|there| there.is_symlink()) {
            return Err(failed(std::io::Error::other("it is a link")));
        }
        std::fs::create_dir_all(folder).map_err(failed)?;
        tempfile::tempfile_in(folder).map_err(failed)?;
        Ok(Self { folder: folder.to_path_buf(), state: RefCell::default() })
    }

    /// Returns the number of pictures as a sentence, or the first failure to write.
    pub fn close(self) -> Result<String, Stop> {
        let State { files, cases, failure } = self.state.into_inner();
        let folder = self.folder.display();
        match failure {
            Some(failure) => Err(Stop::environment(format!(
                "{failure}; the report above is complete, and `{folder}` holds {files} pictures"
            ))),
            None if files == 0 => Ok(format!("no wrong output to save in `{folder}`")),
            None => Ok(format!("{files} pictures of {cases} failed cases in `{folder}`")),
        }
    }

    fn write(&self, wrong: &Wrong<'_>) -> Result<usize, String> {
        let mut files = 0;
        for picture in wrong.pictures() {
            let path = self.folder.join(format!(
                "{}-{:02}-{}-{}-{}.png",
                wrong.task.name(),
                wrong.number,
                slug(&wrong.case.name),
                picture.output,
                picture.what
            ));
            save(&picture.image, &self.folder, &path)
                .map_err(|error| format!("failed to write `{}`: {error}", path.display()))?;
            files += 1;
        }
        Ok(files)
    }
}

impl Gallery for Album {
    fn add(&self, wrong: &Wrong<'_>) {
        let mut state = self.state.borrow_mut();
        if state.failure.is_some() {
            return;
        }
        match self.write(wrong) {
            Ok(files) => {
                state.files += files;
                state.cases += 1;
            }
            Err(failure) => state.failure = Some(failure),
        }
    }
}

/// Writes a new file under a name that nobody knows, and renames it. So nothing is written through a link, a picture of an
/// earlier check is replaced whole, and anything else under the name stays.
fn save(picture: &Image, folder: &Path, path: &Path) -> Result<(), Box<dyn Error>> {
    match std::fs::symlink_metadata(path) {
        Ok(there) if !there.is_file() => return Err("it exists, and is not a regular file".into()),
        _ => {}
    }
    let file = tempfile::Builder::new().prefix(".picture-").suffix(".png").tempfile_in(folder)?;
    picture.save(file.path())?;
    // Readable as other new files are, not for its owner alone.
    #[cfg(unix)]
    std::fs::set_permissions(file.path(), std::os::unix::fs::PermissionsExt::from_mode(0o644))?;
    file.persist(path)?;
    Ok(())
}

/// A case's name as part of a file name.
fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}
