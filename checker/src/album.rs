//! `--save DIR`: the outputs of failed cases as pictures.
//!
//! Each output of each failed case gives three PNG files: found, expected, difference. Histograms are drawn as bars. A
//! failure to write is reported after the report.

use std::cell::RefCell;
use std::error::Error;
use std::path::{Path, PathBuf};

use lab::{Case, Element, Image, OutputShape, Task};

use crate::call;
use crate::exit::Stop;

/// Rows of a drawn histogram, and columns of a bar.
const BARS: usize = 256;
const BAR: usize = 3;

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

/// A failed case.
pub struct Page<'a> {
    /// Its task.
    pub task: &'a dyn Task,
    /// Its number among the task's cases, from 1.
    pub number: usize,
    /// The case.
    pub case: &'a Case,
    /// Its image.
    pub image: &'a Image,
    /// The outputs of each call.
    pub outputs: &'a [Vec<Vec<u8>>],
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
        std::fs::create_dir_all(folder).map_err(failed)?;
        tempfile::tempfile_in(folder).map_err(failed)?;
        Ok(Self { folder: folder.to_path_buf(), state: RefCell::default() })
    }

    /// Adds a failed case: the first of its calls with a wrong output.
    pub fn add(&self, page: &Page<'_>) {
        let mut state = self.state.borrow_mut();
        if state.failure.is_some() {
            return;
        }
        match self.write(page) {
            Ok(files) => {
                state.files += files;
                state.cases += 1;
            }
            Err(failure) => state.failure = Some(failure),
        }
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

    fn write(&self, page: &Page<'_>) -> Result<usize, String> {
        let expected = page.task.parallel_reference(page.image);
        let tolerance = page.task.tolerance();
        let shapes = call::shapes(page.task, page.image);
        let is_wrong = |outputs: &&Vec<Vec<u8>>| {
            let each = shapes.iter().zip(&expected).zip(outputs.iter());
            each.into_iter()
                .any(|((shape, right), found)| !tolerance.compare(shape.element, right, found).passed())
        };
        let Some(found) = page.outputs.iter().find(is_wrong) else { return Ok(0) };
        let mut files = 0;
        for ((shape, right), found) in shapes.iter().zip(&expected).zip(found) {
            let begin =
                format!("{}-{:02}-{}-{}", page.task.name(), page.number, slug(&page.case.name), shape.name);
            for (what, picture) in pictures(shape, page.image.width, right, found) {
                let path = self.folder.join(format!("{begin}-{what}.png"));
                save(&picture, &self.folder, &path)
                    .map_err(|error| format!("failed to write `{}`: {error}", path.display()))?;
                files += 1;
            }
        }
        Ok(files)
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

/// Found, expected, difference.
fn pictures(shape: &OutputShape, width: usize, right: &[u8], found: &[u8]) -> [(&'static str, Image); 3] {
    if shape.row > 0 && shape.element == Element::U8 {
        let channels = if shape.row == 3 * width { 3 } else { 1 };
        let image = |data: Vec<u8>| {
            let width = shape.row / channels;
            Image { width, height: data.len() / shape.row, channels, data }
        };
        let difference = amplified(right, found);
        return [
            ("found", image(found.to_vec())),
            ("expected", image(right.to_vec())),
            ("difference", image(difference)),
        ];
    }
    let values = |bytes: &[u8]| -> Vec<u64> {
        let elements = bytes.chunks_exact(shape.element.size());
        elements.map(|element| shape.element.value(element).max(0) as u64).collect()
    };
    let (right, found) = (values(right), values(found));
    let difference: Vec<u64> =
        right.iter().zip(&found).map(|(right, found)| right.abs_diff(*found)).collect();
    let highest = right.iter().copied().max().unwrap_or(0);
    let own = difference.iter().copied().max().unwrap_or(0);
    [
        ("found", bars(&found, highest)),
        ("expected", bars(&right, highest)),
        ("difference", bars(&difference, own)),
    ]
}

/// Differences, scaled so that the largest is white and no difference looks black.
fn amplified(right: &[u8], found: &[u8]) -> Vec<u8> {
    let differences = || right.iter().zip(found).map(|(right, found)| u32::from(right.abs_diff(*found)));
    let largest = differences().max().unwrap_or(0).max(1);
    differences()
        .map(|difference| if difference == 0 { 0 } else { (64 + difference * 191 / largest) as u8 })
        .collect()
}

/// White bars on black. The value `highest` is as high as the picture; higher values are cut off.
fn bars(values: &[u64], highest: u64) -> Image {
    let width = values.len() * BAR;
    let mut data = vec![0; width * BARS];
    for (index, value) in values.iter().enumerate() {
        let height = (value.saturating_mul(BARS as u64)).div_ceil(highest.max(1)).min(BARS as u64) as usize;
        for row in BARS - height..BARS {
            data[row * width + index * BAR..][..BAR - 1].fill(255);
        }
    }
    Image { width, height: BARS, channels: 1, data }
}

/// A case's name as part of a file name.
fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}
