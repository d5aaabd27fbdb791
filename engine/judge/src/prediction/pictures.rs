//! The pictures of a prediction: a sample of the rows of a large picture, other slices and sizes, and a picture of full size.

use std::ops::Range;

use lab::{Case, Image, ImageError, Picture, Task, into_gray};
use rayon::prelude::*;

use crate::chance::Chance;

/// Pixels of the sample: enough for every multiprocessor to have work, few enough for a tenth of a second.
const SAMPLE_PIXELS: usize = 250_000;
/// Rows of a sample are a multiple of this, so that colour planes and rows stay aligned as they are in the whole.
pub(super) const ROWS: usize = 32;
/// Different rows of a picture of full size.
const DIFFERENT: usize = 96;

/// The first rows of a picture, and the height of the whole. Only a synthetic picture can be cut: a photograph is
/// small enough to run whole.
pub fn sample(case: &Case, seed: u64) -> Result<(Image, usize), ImageError> {
    let (picture, whole) = cut(case, |width, height| {
        let wanted = (SAMPLE_PIXELS / width).max(2 * ROWS);
        (wanted.next_multiple_of(ROWS) + height % ROWS).min(height)
    });
    let image = image(picture, seed)?;
    let whole = whole.unwrap_or(image.height);
    Ok((image, whole))
}

/// Rows of the smaller sample: about half as many, as well aligned.
pub(super) fn smaller(rows: usize) -> usize {
    rows / ROWS / 2 * ROWS + rows % ROWS
}

/// So many rows of the picture.
pub(super) fn rows_of(case: &Case, rows: usize, seed: u64) -> Result<Image, ImageError> {
    image(cut(case, |_, _| rows).0, seed)
}

/// The level of a picture where any would do.
pub(super) const ANY_LEVEL: u8 = 90;

/// A picture whose pixels all have this level.
pub(super) fn plain(width: usize, height: usize, level: u8) -> Result<Image, ImageError> {
    image(Picture::Flat { width, height, value: [level; 3] }, 0)
}

/// A picture of full size: some rows of the case's picture, each at many places, in an order that a file cannot know. It is made as
/// fast as memory is copied.
pub(super) struct Tall {
    rows: Image,
    height: usize,
    chance: u64,
}

impl Tall {
    pub fn new(task: &dyn Task, case: &Case, height: usize, chance: Chance) -> Result<Self, ImageError> {
        let mut rows = slice(case, DIFFERENT, chance)?;
        if task.is_gray() {
            rows = Image { channels: 1, width: rows.width, height: rows.height, data: into_gray(rows) };
        }
        Ok(Self { rows, height, chance: chance.number("order of rows") })
    }

    /// The whole of it.
    pub fn image(&self) -> Image {
        self.part(0..self.height)
    }

    /// These rows of it.
    pub fn part(&self, rows: Range<usize>) -> Image {
        let Image { width, channels, ref data, .. } = self.rows;
        let bytes = width * channels;
        let mut part = vec![0; bytes * rows.len()];
        // On all cores: most of the time goes into memory that is touched first.
        part.par_chunks_mut(bytes).zip(rows.clone()).for_each(|(part, y)| {
            part.copy_from_slice(&data[self.row(y as u64) * bytes..][..bytes]);
        });
        Image { width, height: rows.len(), channels, data: part }
    }

    pub fn height(&self) -> usize {
        self.height
    }

    /// The row that stands at this height.
    fn row(&self, y: u64) -> usize {
        // SplitMix64.
        let z = self.chance.wrapping_add(y.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % self.rows.height as u64) as usize
    }
}

/// The pictures that a file must also be right on: a slice of the true picture at a place that it cannot know, one in between,
/// and, if `high`, one as high as the true picture; each with a name.
pub(super) fn others(case: &Case, chance: Chance, high: bool) -> Result<Vec<(String, Image)>, ImageError> {
    let Some((width, height)) = size(&case.picture) else { return Ok(Vec::new()) };
    let rows = chance.between("rows of the slice", 9, 40).min(height);
    let slice = slice(case, rows, chance)?;
    let narrow = chance.between("width of the narrow one", 9, 24).min(width);
    let tall = height - chance.between("height of the narrow one", 0, 63).min(height - 1);
    let (medium, low) = (
        chance.between("width of the medium one", 700, 1400).min(width),
        chance.between("height of the medium one", 40, 110).min(height),
    );
    let resized = |width, height, purpose| image(sized(&case.picture, width, height), chance.number(purpose));
    let mut others = vec![
        (format!("{}, {rows} other rows", case.name), slice),
        (format!("{medium}x{low}, drawn for this file"), resized(medium, low, "medium")?),
    ];
    if high {
        others.push((format!("{narrow}x{tall}, as high as the timed one"), resized(narrow, tall, "narrow")?));
    }
    Ok(others)
}

/// Neighbouring rows of the case's picture, at a place that the chance decides.
fn slice(case: &Case, rows: usize, chance: Chance) -> Result<Image, ImageError> {
    let seed = chance.number("content of a slice");
    if let Picture::Scene { width, height: whole } = case.picture {
        let height = rows.min(whole);
        let first = chance.between("place of a slice", 0, whole - height);
        return image(Picture::SceneSlice { width, height, whole, first }, seed);
    }
    rows_of(case, rows, seed)
}

fn image(picture: Picture, seed: u64) -> Result<Image, ImageError> {
    Case { name: String::new(), picture }.image(seed)
}

/// The size of a picture that can be cut.
pub(super) fn size(picture: &Picture) -> Option<(usize, usize)> {
    match *picture {
        Picture::Photograph(_)
        | Picture::Pattern(_)
        | Picture::SceneBands { .. }
        | Picture::SceneSlice { .. } => None,
        Picture::Scene { width, height }
        | Picture::Flat { width, height, .. }
        | Picture::HorizontalStripes { width, height, .. }
        | Picture::VerticalStripes { width, height, .. }
        | Picture::Noise { width, height, .. }
        | Picture::GrayNoise { width, height, .. }
        | Picture::LowContrast { width, height, .. } => Some((width, height)),
    }
}

/// A picture of the same kind and another size; unchanged if it cannot be cut.
fn sized(picture: &Picture, to_width: usize, to_height: usize) -> Picture {
    let mut picture = picture.clone();
    match &mut picture {
        Picture::Photograph(_)
        | Picture::Pattern(_)
        | Picture::SceneBands { .. }
        | Picture::SceneSlice { .. } => {}
        Picture::Scene { width, height }
        | Picture::Flat { width, height, .. }
        | Picture::HorizontalStripes { width, height, .. }
        | Picture::VerticalStripes { width, height, .. }
        | Picture::Noise { width, height, .. }
        | Picture::GrayNoise { width, height, .. }
        | Picture::LowContrast { width, height, .. } => (*width, *height) = (to_width, to_height),
    }
    picture
}

/// The picture with as many rows as `rows` says for its width and height, and the rows that it had; unchanged if it
/// cannot be cut. Of a scene these are rows of it, and not a lower scene: blocks should find side by side what they find in
/// the whole.
fn cut(case: &Case, rows: impl Fn(usize, usize) -> usize) -> (Picture, Option<usize>) {
    let Some((width, whole)) = size(&case.picture) else { return (case.picture.clone(), None) };
    let height = rows(width, whole);
    let picture = match case.picture {
        Picture::Scene { .. } => Picture::SceneBands { width, height, whole },
        _ => sized(&case.picture, width, height),
    };
    (picture, Some(whole))
}
