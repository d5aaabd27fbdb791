//! Pictures of an image: where blocks lie, and how often pixels are fetched.

use std::collections::{BTreeMap, BTreeSet};

use runtime::engine::Recording;
use simulator::{AccessKind, Space};

use super::svg::{Anchor, Rectangle, Svg};

/// The blocks of a launch over an image: how many threads of each have a pixel.
pub fn blocks(title: &str, recording: &Recording, [width, height]: [u64; 2]) -> String {
    let ([across, down, _], [x, y, _]) = (recording.grid.map(u64::from), recording.block.map(u64::from));
    let mut busy: BTreeMap<u64, u32> = BTreeMap::new();
    for event in &recording.events {
        if event.request.as_ref().is_some_and(|request| request.kind == AccessKind::Write) {
            *busy.entry(event.block).or_default() += event.mask.count_ones();
        }
    }
    let threads = x * y;
    let idle = across * down * threads - busy.values().map(|count| u64::from(*count)).sum::<u64>();
    let description = format!(
        "{across} × {down} blocks of {x} × {y} threads cover an image of {width} × {height} pixels; {} threads have no pixel",
        judge::numbers::grouped(idle)
    );
    let scale = 2.6;
    let (left, top) = (16.0, 28.0);
    let size = [(across * x) as f64 * scale + 32.0, (down * y) as f64 * scale + 72.0];
    let mut svg = Svg::new(size[0], size[1], title, &description);
    svg.text("strong", [left, 16.0], Anchor::Start, &description);
    for block in 0..across * down {
        let corner = [left + (block % across * x) as f64 * scale, top + (block / across * y) as f64 * scale];
        let count = busy.get(&block).copied().unwrap_or(0);
        let class = if u64::from(count) == threads { "c0" } else { "c1" };
        svg.rect(&format!("{class} cell"), corner, [x as f64 * scale, y as f64 * scale]);
    }
    svg.rect("frame", [left, top], [width as f64 * scale, height as f64 * scale]);
    svg.text(
        "small",
        [left, size[1] - 24.0],
        Anchor::Start,
        "blue: every thread has a pixel; frame: the image",
    );
    let with = |place: &str, [column, row]: [u64; 2]| match busy.get(&(row * across + column)) {
        Some(count) if u64::from(*count) < threads => format!(", {place} {count}"),
        _ => String::new(),
    };
    let partly = [
        with("at the right", [across - 1, 0]),
        with("at the bottom", [0, down - 1]),
        with("in the corner", [across - 1, down - 1]),
    ]
    .concat();
    let words = format!("orange: fewer than {threads} threads have one{partly}");
    svg.text("small", [left, size[1] - 8.0], Anchor::Start, &words);
    svg.finish()
}

/// How many times each byte of the first input is loaded from global memory.
fn fetched(recordings: &[Recording]) -> BTreeMap<u64, u32> {
    let mut times: BTreeMap<u64, u32> = BTreeMap::new();
    for event in recordings.iter().flat_map(|recording| &recording.events) {
        let Some(request) = &event.request else { continue };
        if request.space != Space::Global || request.kind != AccessKind::Read {
            continue;
        }
        for lane in (0..32).filter(|lane| event.mask >> lane & 1 == 1) {
            for byte in request.addresses[lane]..request.addresses[lane] + request.bytes {
                *times.entry(byte).or_default() += 1;
            }
        }
    }
    times
}

/// How often each pixel of the upper left corner is loaded; one panel per kernel.
pub fn fetches(title: &str, panels: &[(String, &[Recording])], width: u64) -> String {
    const SHOWN: [u64; 2] = [72, 24];
    let scale = 9.0;
    let panel_height = SHOWN[1] as f64 * scale + 46.0;
    let mut words = Vec::new();
    let mut all = Vec::new();
    for (name, recordings) in panels {
        let times = fetched(recordings);
        let first = times.keys().next().copied().unwrap_or(0);
        let loads: u64 = times.values().map(|count| u64::from(*count)).sum();
        let average = loads as f64 / times.len().max(1) as f64;
        words.push(format!("{name}: {average:.1} loads per pixel on average"));
        all.push((first, times));
    }
    let size = [SHOWN[0] as f64 * scale + 32.0, panel_height * panels.len() as f64 + 12.0];
    let mut svg = Svg::new(size[0], size[1], title, &words.join("; "));
    for (index, ((first, times), words)) in all.iter().zip(&words).enumerate() {
        let top = panel_height * index as f64;
        svg.text("strong", [16.0, top + 16.0], Anchor::Start, words);
        let mut by_class: BTreeMap<usize, Vec<Rectangle>> = BTreeMap::new();
        for y in 0..SHOWN[1] {
            let class = |x: u64| heat(times.get(&(first + y * width + x)).copied().unwrap_or(0));
            let mut from = 0;
            for x in 1..=SHOWN[0] {
                if x == SHOWN[0] || class(x) != class(from) {
                    let corner = [16.0 + from as f64 * scale, top + 24.0 + y as f64 * scale];
                    by_class
                        .entry(class(from))
                        .or_default()
                        .push((corner, [(x - from) as f64 * scale, scale]));
                    from = x;
                }
            }
        }
        for (class, runs) in by_class {
            svg.runs(&format!("h{class}"), &runs);
        }
    }
    let bottom = size[1] - 8.0;
    let mut x = 16.0;
    for (class, name) in ["1 load", "2", "3 to 5", "6 to 9", "10 to 15", "16 to 25"].iter().enumerate() {
        svg.rect(&format!("h{class}"), [x, bottom - 9.0], [12.0, 12.0]);
        svg.text("small", [x + 16.0, bottom], Anchor::Start, name);
        x += 88.0;
    }
    svg.finish()
}

/// Pixels, by row, that a block loads from the image that begins at `first`.
fn loaded(recordings: &[Recording], block: u64, first: u64, bytes: u64) -> BTreeSet<u64> {
    let events = recordings.iter().flat_map(|recording| &recording.events);
    let requests = events.filter(|event| event.block == block).filter_map(|event| {
        let request = event.request.as_ref()?;
        (request.space == Space::Global && request.kind == AccessKind::Read).then_some((event.mask, request))
    });
    let mut pixels = BTreeSet::new();
    for (mask, request) in requests {
        for lane in (0..32).filter(|lane| mask >> lane & 1 == 1) {
            let from = request.addresses[lane];
            pixels.extend(
                (from..from + request.bytes).filter_map(|byte| Some(byte.checked_sub(first)? / bytes)),
            );
        }
    }
    pixels
}

/// What two blocks with neighbouring numbers load: the two that share most pixels.
fn neighbours(recordings: &[Recording], first: u64, bytes: u64) -> [BTreeSet<u64>; 2] {
    let blocks = recordings.iter().flat_map(|recording| &recording.events).map(|event| event.block).max();
    let all: Vec<BTreeSet<u64>> =
        (0..=blocks.unwrap_or(0)).map(|block| loaded(recordings, block, first, bytes)).collect();
    let shared = |pair: &&[BTreeSet<u64>]| pair[0].intersection(&pair[1]).count();
    let pair = all.windows(2).max_by_key(shared);
    pair.map_or_else(Default::default, |pair| [pair[0].clone(), pair[1].clone()])
}

/// The pixels that two neighbouring blocks load, and those that both do; one panel per kernel.
pub fn halos(title: &str, panels: &[(String, &[Recording])], width: u64, bytes: u64) -> String {
    const LEFT: f64 = 16.0;
    const ACROSS: f64 = 704.0;
    let scale = ACROSS / width as f64;
    let mut shown = Vec::new();
    for (name, recordings) in panels {
        let times = fetched(recordings);
        let first = times.keys().next().copied().unwrap_or(0);
        let [one, other] = neighbours(recordings, first, bytes);
        let both = one.intersection(&other).count();
        let words = format!("{name}: {} and {} pixels, {both} of them twice", one.len(), other.len());
        shown.push((words, one, other));
    }
    let rows = |one: &BTreeSet<u64>, other: &BTreeSet<u64>| {
        let rows = || one.iter().chain(other).map(|pixel| pixel / width);
        let (top, bottom) = (rows().min().unwrap_or(0).saturating_sub(2), rows().max().unwrap_or(0) + 3);
        (top, bottom)
    };
    let height = |one: &BTreeSet<u64>, other: &BTreeSet<u64>| {
        let (top, bottom) = rows(one, other);
        (bottom - top) as f64 * scale + 36.0
    };
    let total: f64 = shown.iter().map(|(_, one, other)| height(one, other)).sum();
    let description = shown.iter().map(|(words, ..)| words.clone()).collect::<Vec<_>>().join("; ");
    let mut svg = Svg::new(ACROSS + 2.0 * LEFT, total + 28.0, title, &description);
    let mut y = 0.0;
    for (words, one, other) in &shown {
        svg.text("strong", [LEFT, y + 16.0], Anchor::Start, words);
        let (top, bottom) = rows(one, other);
        svg.rect("box", [LEFT, y + 24.0], [ACROSS, (bottom - top) as f64 * scale]);
        let both: BTreeSet<u64> = one.intersection(other).copied().collect();
        for (class, pixels) in [("c0", one), ("c1", other), ("c4", &both)] {
            let runs: Vec<Rectangle> = runs_of(pixels, width)
                .into_iter()
                .map(|(from, to)| {
                    let corner = [
                        LEFT + (from % width) as f64 * scale,
                        y + 24.0 + ((from / width).saturating_sub(top)) as f64 * scale,
                    ];
                    (corner, [(to - from) as f64 * scale, scale])
                })
                .collect();
            svg.runs(class, &runs);
        }
        y += height(one, other);
    }
    for (index, (class, name)) in
        [("c0", "one block"), ("c1", "its neighbour"), ("c4", "both")].into_iter().enumerate()
    {
        let x = LEFT + 130.0 * index as f64;
        svg.rect(class, [x, total + 8.0], [12.0, 12.0]);
        svg.text("small", [x + 18.0, total + 18.0], Anchor::Start, name);
    }
    svg.finish()
}

/// Runs of neighbouring pixels, each within a row: from, and the one after the last.
fn runs_of(pixels: &BTreeSet<u64>, width: u64) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for pixel in pixels {
        match runs.last_mut() {
            Some((_, end)) if *end == *pixel && !pixel.is_multiple_of(width) => *end += 1,
            _ => runs.push((*pixel, pixel + 1)),
        }
    }
    runs
}

/// The class of a number of loads.
fn heat(count: u32) -> usize {
    match count {
        0..=1 => 0,
        2 => 1,
        3..=5 => 2,
        6..=9 => 3,
        10..=15 => 4,
        _ => 5,
    }
}
