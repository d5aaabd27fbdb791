//! Pictures of what the kernels of the ladders do, drawn from the simulator's record of them.

use anyhow::Context as _;
use lab::Picture;
use runtime::engine::{Event, Recording, Request};
use simulator::{AccessKind, Space};

use super::{EVERY, charts, images, maps, warps};
use crate::page::Page;
use crate::rungs::{Rungs, Which};

/// A picture.
struct Drawing {
    name: &'static str,
    title: &'static str,
    draw: Draw,
    panels: &'static [Panel],
}

/// A kernel on an image.
struct Panel {
    label: &'static str,
    which: Which,
    on: On,
    /// A part of the kernel's name; empty for all kernels.
    kernel: &'static str,
}

/// An image.
#[derive(Clone, Copy)]
enum On {
    Noise(usize, usize),
    Flat(usize, usize),
    Photograph,
}

impl On {
    fn picture(self) -> Picture {
        match self {
            Self::Noise(width, height) => Picture::Noise { width, height, colours: 256 },
            Self::Flat(width, height) => Picture::Flat { width, height, value: [90, 90, 90] },
            Self::Photograph => Picture::Photograph("camera"),
        }
    }
}

/// The kind of picture.
#[derive(Clone, Copy)]
enum Draw {
    /// The sectors of the request of this number.
    Sectors(AccessKind, usize),
    /// The banks of it.
    Banks(AccessKind, usize),
    /// The addresses of it.
    Counters(Space, AccessKind, usize),
    /// How often each pixel is loaded.
    Fetches(u64),
    /// The pixels that two neighbouring blocks load, of images this wide, with so many bytes per pixel.
    Halos(u64, u64),
    /// The lanes of the first warp, instruction by instruction.
    Lanes,
    /// The blocks over an image.
    Blocks([u64; 2]),
    /// When copies and kernels run.
    Streams,
}

const fn panel(
    label: &'static str,
    lab: &'static str,
    rung: &'static str,
    task: &'static str,
    on: On,
) -> Panel {
    Panel { label, which: Which { lab, rung, task }, on, kernel: "" }
}

/// Whole rows of words.
const SMALL: On = On::Noise(512, 64);
/// Rows of an odd number of bytes, so that planes begin between two words.
const ODD: On = On::Noise(511, 65);
const TILES: On = On::Noise(128, 96);
const WIDE: On = On::Noise(320, 40);

const DRAWINGS: &[Drawing] = &[
    Drawing {
        name: "lab1-bytes",
        title: "The first load of the first warp: the red bytes of 32 pixels, and 32 words side by side",
        draw: Draw::Sectors(AccessKind::Read, 0),
        panels: &[
            panel("rung 01, one byte per lane", "lab1", "01", "grayscale", SMALL),
            panel("rung 03, one word per lane", "lab1", "03", "grayscale", SMALL),
        ],
    },
    Drawing {
        name: "lab1-words",
        title: "The first load of the first warp, with 4 and with 16 bytes per lane",
        draw: Draw::Sectors(AccessKind::Read, 0),
        panels: &[
            panel("rung 04, every third word", "lab1", "04", "grayscale", SMALL),
            panel("rung 06, every third vector", "lab1", "06", "grayscale", SMALL),
            panel("rung 08, vectors side by side", "lab1", "08", "grayscale", SMALL),
        ],
    },
    Drawing {
        name: "lab1-stores",
        title: "The store of the first warp: 1, 4 and 16 bytes per lane",
        draw: Draw::Sectors(AccessKind::Write, 0),
        panels: &[
            panel("rung 01", "lab1", "01", "grayscale", SMALL),
            panel("rung 04", "lab1", "04", "grayscale", SMALL),
            panel("rung 06", "lab1", "06", "grayscale", SMALL),
        ],
    },
    Drawing {
        name: "lab1-planes",
        title: "The second load of a warp from a planar image whose planes have an odd number of bytes",
        draw: Draw::Sectors(AccessKind::Read, 1),
        panels: &[
            panel("rung 04, green words", "lab1", "04", "grayscale_darken", ODD),
            panel("rung 08, green vectors", "lab1", "08", "grayscale_darken", ODD),
        ],
    },
    Drawing {
        name: "lab1-blocks",
        title: "Rung 02: rectangles of blocks over an image of 250 × 130 pixels",
        draw: Draw::Blocks([250, 130]),
        panels: &[panel("rung 02", "lab1", "02", "grayscale", On::Noise(250, 130))],
    },
    Drawing {
        name: "lab2-queues",
        title: "Rung 02: the first atomic of the first warp, by the counter that lanes add to",
        draw: Draw::Counters(Space::Global, AccessKind::Atomic, 0),
        panels: &[
            panel("noise", "lab2", "02", "histogram", SMALL),
            panel("photograph", "lab2", "02", "histogram", On::Photograph),
            panel("one level", "lab2", "02", "histogram", On::Flat(512, 64)),
        ],
    },
    Drawing {
        name: "lab2-block",
        title: "Rung 07: the first atomic of the first warp on its block's own counters",
        draw: Draw::Counters(Space::Shared, AccessKind::Atomic, 0),
        panels: &[
            panel("photograph", "lab2", "07", "histogram", On::Photograph),
            panel("one level", "lab2", "07", "histogram", On::Flat(512, 64)),
        ],
    },
    Drawing {
        name: "lab2-banks",
        title: "The first atomic of the first warp on noise: lanes per bank",
        draw: Draw::Banks(AccessKind::Atomic, 0),
        panels: &[
            panel("rung 07, counters of the block", "lab2", "07", "histogram", SMALL),
            panel("rung 14, counters of each lane", "lab2", "14", "histogram", SMALL),
        ],
    },
    Drawing {
        name: "lab2-lanes",
        title: "Rung 12: lanes of the first warp while it counts",
        draw: Draw::Lanes,
        panels: &[
            panel("noise", "lab2", "12", "histogram", SMALL),
            panel("one level", "lab2", "12", "histogram", On::Flat(512, 64)),
        ],
    },
    Drawing {
        name: "lab3-branches",
        title: "The lanes of the first warp while it stretches noise",
        draw: Draw::Lanes,
        panels: &[
            Panel {
                kernel: "stretch",
                ..panel("rung 03, branches", "lab3", "03", "contrast_stretch", SMALL)
            },
            Panel {
                kernel: "stretch",
                ..panel("rung 04, min and max", "lab3", "04", "contrast_stretch", SMALL)
            },
        ],
    },
    Drawing {
        name: "lab3-constant",
        title: "Rung 07: the first look-up of the first warp in constant memory, by address",
        draw: Draw::Counters(Space::Const, AccessKind::Read, 0),
        panels: &[
            Panel { kernel: "map", ..panel("noise", "lab3", "07", "equalize", SMALL) },
            Panel { kernel: "map", ..panel("one level", "lab3", "07", "equalize", On::Flat(512, 64)) },
        ],
    },
    Drawing {
        name: "lab3-banks",
        title: "A look-up of the first warp in shared memory, on noise: lanes per bank",
        draw: Draw::Banks(AccessKind::Read, 0),
        panels: &[
            Panel { kernel: "map", ..panel("rung 08, a table per block", "lab3", "08", "equalize", SMALL) },
            Panel { kernel: "map", ..panel("rung 10, a table per lane", "lab3", "10", "equalize", SMALL) },
        ],
    },
    Drawing {
        name: "lab3-launches",
        title: "Equalization on 8773 × 5352 pixels: what runs when",
        draw: Draw::Streams,
        panels: &[
            panel("rung 03: the host makes the table", "lab3", "03", "equalize", SMALL),
            panel("rung 05: a kernel makes it", "lab3", "05", "equalize", SMALL),
            panel("rung 10: both passes near the memory's speed", "lab3", "10", "equalize", SMALL),
            panel("rung 14: one launch", "lab3", "14", "equalize", SMALL),
        ],
    },
    Drawing {
        name: "lab4-fetches",
        title: "Lab 4: how often each pixel is loaded from global memory (upper left corner)",
        draw: Draw::Fetches(128),
        panels: &[
            panel("rung 01, 25 neighbours", "lab4", "01", "smooth_box", TILES),
            panel("rung 06, a tile with its halo", "lab4", "06", "smooth_box", TILES),
            panel("rung 09, a sliding window", "lab4", "09", "smooth_box", TILES),
        ],
    },
    Drawing {
        name: "lab4-halos",
        title: "The pixels that two neighbouring blocks load, and those that both load",
        draw: Draw::Halos(320, 1),
        panels: &[
            panel("rung 01, blocks of 256 × 1", "lab4", "01", "smooth_box", WIDE),
            panel("rung 02, blocks of 32 × 8", "lab4", "02", "smooth_box", WIDE),
            panel("rung 06, tiles of 32 × 8", "lab4", "06", "smooth_box", WIDE),
        ],
    },
    Drawing {
        name: "lab4-rows",
        title: "Whole rows in shared memory: the pixels that two neighbouring blocks load",
        draw: Draw::Halos(320, 3),
        panels: &[panel("rung 05", "lab4", "05", "filter_rgb", WIDE)],
    },
    Drawing {
        name: "lab4-words",
        title: "How often each pixel is loaded, four pixels per thread (upper left corner)",
        draw: Draw::Fetches(128),
        panels: &[
            panel("rung 10, words, every row again", "lab4", "10", "smooth_box", TILES),
            panel("rung 12, words, sliding", "lab4", "12", "smooth_box", TILES),
        ],
    },
    Drawing {
        name: "lab4-border",
        title: "The lanes of the first warp, which is at the border",
        draw: Draw::Lanes,
        panels: &[
            panel("rung 02, checks for every neighbour", "lab4", "02", "smooth_box", TILES),
            Panel {
                kernel: "interior",
                ..panel("rung 07, the interior kernel", "lab4", "07", "smooth_box", TILES)
            },
        ],
    },
    Drawing {
        name: "lab5-copies",
        title: "The pipeline on 8773 × 5352 pixels: pageable and page-locked memory",
        draw: Draw::Streams,
        panels: &[
            panel("rung 02: every step copies", "lab5", "02", "pipeline", SMALL),
            panel("rung 03: the image stays on the GPU", "lab5", "03", "pipeline", SMALL),
            panel("rung 04: page-locked", "lab5", "04", "pipeline", SMALL),
        ],
    },
    Drawing {
        name: "lab5-overlap",
        title: "The pipeline with page-locked memory: overlap",
        draw: Draw::Streams,
        panels: &[
            panel("rung 04: one after the other", "lab5", "04", "pipeline", SMALL),
            panel("rung 05: two streams", "lab5", "05", "pipeline", SMALL),
            panel("rung 06: fused kernels", "lab5", "06", "pipeline", SMALL),
            panel("rung 07: small ends", "lab5", "07", "pipeline", SMALL),
        ],
    },
];

/// The names of the pictures.
pub fn rung_pictures() -> impl Iterator<Item = &'static str> {
    DRAWINGS.iter().map(|drawing| drawing.name)
}

/// The picture of this name.
pub fn of_rung(rungs: &Rungs, name: &str) -> anyhow::Result<Page> {
    let drawing = DRAWINGS.iter().find(|drawing| drawing.name == name);
    let drawing = drawing.with_context(|| format!("no picture is called `{name}`"))?;
    let text = drawing.draw(rungs).with_context(|| format!("failed to draw `{name}`"))?;
    Ok(Page { name: format!("{name}.svg"), text })
}

impl Drawing {
    fn draw(&self, rungs: &Rungs) -> anyhow::Result<String> {
        match self.draw {
            Draw::Sectors(kind, skip) => self.request(rungs, (Space::Global, kind, skip), maps::sectors),
            Draw::Banks(kind, skip) => self.request(rungs, (Space::Shared, kind, skip), maps::banks),
            Draw::Counters(space, kind, skip) => self.request(rungs, (space, kind, skip), maps::counters),
            Draw::Streams => self.streams(rungs),
            Draw::Fetches(width) => {
                self.recorded(rungs, EVERY, |panels| images::fetches(self.title, panels, width))
            }
            Draw::Halos(width, bytes) => {
                self.recorded(rungs, EVERY, |panels| images::halos(self.title, panels, width, bytes))
            }
            Draw::Lanes => self.recorded(rungs, 1, |panels| warps::timeline(self.title, panels)),
            Draw::Blocks(size) => self.recorded(rungs, EVERY, |panels| {
                panels[0].1.first().map_or_else(String::new, |first| images::blocks(self.title, first, size))
            }),
        }
    }

    /// What the panels' kernels do.
    fn all(&self, rungs: &Rungs, blocks: u64) -> anyhow::Result<Vec<(String, Vec<Recording>)>> {
        let record = |panel: &Panel| {
            let mut recorded = rungs.record(panel.which, &panel.on.picture(), blocks)?;
            recorded.retain(|recording| recording.kernel.contains(panel.kernel));
            Ok((panel.label.to_owned(), recorded))
        };
        self.panels.iter().map(record).collect()
    }

    fn recorded(
        &self,
        rungs: &Rungs,
        blocks: u64,
        draw: impl Fn(&[(String, &[Recording])]) -> String,
    ) -> anyhow::Result<String> {
        let all = self.all(rungs, blocks)?;
        let panels: Vec<(String, &[Recording])> =
            all.iter().map(|(label, recorded)| (label.clone(), recorded.as_slice())).collect();
        Ok(draw(&panels))
    }

    fn request(
        &self,
        rungs: &Rungs,
        (space, kind, skip): (Space, AccessKind, usize),
        draw: impl Fn(&str, &[(String, &Event, &Request)]) -> String,
    ) -> anyhow::Result<String> {
        let all = self.all(rungs, 1)?;
        let mut panels = Vec::new();
        for (label, recorded) in &all {
            let found = maps::request(recorded, space, kind, skip);
            let (event, request) = found.with_context(|| format!("`{label}` makes no such request"))?;
            panels.push((label.clone(), event, request));
        }
        Ok(draw(self.title, &panels))
    }

    fn streams(&self, rungs: &Rungs) -> anyhow::Result<String> {
        let mut all = Vec::new();
        for panel in self.panels {
            let (seconds, spans) = rungs.spans(panel.which)?;
            all.push((panel.label.to_owned(), seconds, spans));
        }
        let panels: Vec<charts::Streams<'_>> =
            all.iter().map(|(label, seconds, spans)| (label.clone(), *seconds, spans.as_slice())).collect();
        Ok(charts::streams(self.title, &panels))
    }
}
