//! The test images of a task.

use crate::image::{Image, ImageError};
use crate::pattern::Pattern;
use crate::photograph::{photograph, photograph_size};
use crate::picture::{flat, gray_noise, horizontal_stripes, low_contrast, noise, vertical_stripes};
use crate::scene::{bands, scene, slice};

/// The source of the pixels of a case. Cheap to list; generated as an [`Image`] only when the case runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Picture {
    /// A standard photograph of `labs/images`, by file name without ending; colour or gray as stored.
    Photograph(&'static str),
    /// Every pixel the same.
    Flat {
        /// Pixels per row.
        width: usize,
        /// Rows.
        height: usize,
        /// Red, green, blue.
        value: [u8; 3],
    },
    /// Horizontal stripes of different colours, `period` rows each.
    HorizontalStripes {
        /// Pixels per row.
        width: usize,
        /// Rows.
        height: usize,
        /// Rows per stripe.
        period: usize,
    },
    /// Vertical stripes of different colours, `period` columns each.
    VerticalStripes {
        /// Pixels per row.
        width: usize,
        /// Rows.
        height: usize,
        /// Columns per stripe.
        period: usize,
    },
    /// Uniform noise from the seed, with `colours` different values per channel.
    Noise {
        /// Pixels per row.
        width: usize,
        /// Rows.
        height: usize,
        /// Different values per channel, 1 to 256.
        colours: usize,
    },
    /// Uniform noise from the seed, with `levels` different grays (red = green = blue).
    GrayNoise {
        /// Pixels per row.
        width: usize,
        /// Rows.
        height: usize,
        /// Different grays, 1 to 256.
        levels: usize,
    },
    /// Grays between two levels, and about one pixel in 4,096 of any level: an image that needs more contrast.
    LowContrast {
        /// Pixels per row.
        width: usize,
        /// Rows.
        height: usize,
        /// The darkest common level.
        low: u8,
        /// The lightest common level, not below `low`.
        high: u8,
    },
    /// A picture that tells arithmetic that is almost right from arithmetic that is.
    Pattern(Pattern),
    /// A synthetic scene from the seed, with gradients, edges and grain, in place of a large photograph.
    Scene {
        /// Pixels per row.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// Some rows of a scene: a band from the middle of each quarter.
    SceneBands {
        /// Pixels per row.
        width: usize,
        /// Rows taken.
        height: usize,
        /// Rows of the whole scene, at least `height`.
        whole: usize,
    },
    /// Neighbouring rows of a scene.
    SceneSlice {
        /// Pixels per row.
        width: usize,
        /// Rows taken.
        height: usize,
        /// Rows of the whole scene.
        whole: usize,
        /// The first row taken, at most `whole - height`.
        first: usize,
    },
}

/// One case of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Short name in the report: `1x1`, `photograph astronaut`, `noise 5 colours`.
    pub name: String,
    /// Its pixels.
    pub picture: Picture,
}

impl Case {
    /// A case under this name.
    pub fn new(name: impl Into<String>, picture: Picture) -> Self {
        Self { name: name.into(), picture }
    }

    /// Generates the image: always 3 channels, interleaved. `seed` selects the values of random pictures.
    pub fn image(&self, seed: u64) -> Result<Image, ImageError> {
        let data = match self.picture {
            Picture::Photograph(name) => return photograph(name),
            Picture::Flat { width, height, value } => flat(width, height, value),
            Picture::HorizontalStripes { width, height, period } => horizontal_stripes(width, height, period),
            Picture::VerticalStripes { width, height, period } => vertical_stripes(width, height, period),
            Picture::Noise { width, height, colours } => noise(width, height, colours, seed),
            Picture::GrayNoise { width, height, levels } => gray_noise(width, height, levels, seed),
            Picture::LowContrast { width, height, low, high } => {
                low_contrast(width, height, low..=high, seed)
            }
            Picture::Pattern(pattern) => pattern.pixels(),
            Picture::Scene { width, height } => scene(width, height, seed),
            Picture::SceneBands { width, height, whole } => bands(width, height, whole, seed),
            Picture::SceneSlice { width, height, whole, first } => slice(width, first, height, whole, seed),
        };
        let (width, height) = self.size()?;
        Ok(Image { width, height, channels: 3, data })
    }

    /// Width and height of the image, which need not be generated for that.
    pub fn size(&self) -> Result<(usize, usize), ImageError> {
        Ok(match self.picture {
            Picture::Photograph(name) => photograph_size(name)?,
            Picture::Pattern(pattern) => pattern.size(),
            Picture::Flat { width, height, .. }
            | Picture::HorizontalStripes { width, height, .. }
            | Picture::VerticalStripes { width, height, .. }
            | Picture::Noise { width, height, .. }
            | Picture::GrayNoise { width, height, .. }
            | Picture::LowContrast { width, height, .. }
            | Picture::Scene { width, height }
            | Picture::SceneBands { width, height, .. }
            | Picture::SceneSlice { width, height, .. } => (width, height),
        })
    }
}

/// Images in which some levels have just enough pixels to matter, one in 1,024, and others one pixel too few: with a number of pixels
/// that is a multiple of 1,024, and with one more than a multiple.
pub fn cases_around_threshold() -> [Case; 2] {
    [(64, 32), (41, 25)].map(|(width, height)| {
        let name = format!("{width}x{height}, levels that just matter");
        Case::new(name, Picture::Pattern(Pattern::CountsAroundThreshold { width, height }))
    })
}

/// Sizes that break kernels, smallest first: each misses a multiple of blocks, warps or words in another way.
const SIZES: [(usize, usize, &str); 11] = [
    (1, 1, "1x1"),
    (1, 97, "1x97, one column"),
    (131, 1, "131x1, one row"),
    (5, 4, "5x4, fewer pixels than a warp"),
    (8, 4, "8x4, exactly one warp"),
    (31, 33, "31x33, odd"),
    (32, 16, "32x16, whole blocks"),
    (255, 3, "255x3, one short of a block a row"),
    (257, 5, "257x5, one past a block a row"),
    (34, 127, "34x127, taller than wide"),
    // The first pixel of nearly every row, times `1.0f / 61`, is less than the number of the row: no other width here is so bad.
    (61, 29, "61x29, rows that a reciprocal misses"),
];

/// Sides that 16 bits do not hold, or 15. A texture has at most 65,000 rows, and a launch for each row is slow but honest, so
/// columns are not as long as rows.
pub const LONG_SIDES: [(usize, usize, &str); 2] =
    [(100_003, 1, "100003x1, a long row"), (4, 32_771, "4x32771, long columns")];

/// The cases of a task on colour images, smallest first: noise in awkward sizes, flat and striped pictures, photographs,
/// and a large scene whose sides are not a multiple of any block size.
pub fn standard_cases() -> Vec<Case> {
    let sizes = SIZES
        .into_iter()
        .map(|(width, height, name)| Case::new(name, Picture::Noise { width, height, colours: 256 }));
    let adversarial = [
        Case::new("flat black", Picture::Flat { width: 67, height: 41, value: [0, 0, 0] }),
        Case::new("flat white", Picture::Flat { width: 67, height: 41, value: [255, 255, 255] }),
        Case::new("flat colour", Picture::Flat { width: 200, height: 150, value: [255, 0, 128] }),
        Case::new("1-row stripes", Picture::HorizontalStripes { width: 320, height: 200, period: 1 }),
        Case::new("32-column stripes", Picture::VerticalStripes { width: 320, height: 200, period: 32 }),
        Case::new("noise 5 values", Picture::Noise { width: 640, height: 426, colours: 5 }),
        Case::new("noise 256 values", Picture::Noise { width: 640, height: 426, colours: 256 }),
    ];
    let photographs = ["astronaut", "chelsea"]
        .map(|name| Case::new(format!("photograph {name}"), Picture::Photograph(name)));
    let long = LONG_SIDES
        .into_iter()
        .map(|(width, height, name)| Case::new(name, Picture::Noise { width, height, colours: 256 }));
    let large = Case::new("large scene 1283x967", Picture::Scene { width: 1283, height: 967 });
    sizes.chain(adversarial).chain(photographs).chain(long).chain([large]).collect()
}
