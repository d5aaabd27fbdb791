//! Pictures of an image: where blocks lie, and how often pixels are fetched.

use std::collections::BTreeMap;

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
        checker::numbers::grouped(idle)
    );
    let scale = 2.6;
    let (left, top) = (16.0, 28.0);
    let size = [(across * x) as f64 * scale + 32.0, (down * y) as f64 * scale + 60.0];
    let mut svg = Svg::new(size[0], size[1], title, &description);
    svg.text("strong", [left, 16.0], Anchor::Start, &description);
    for block in 0..across * down {
        let corner = [left + (block % across * x) as f64 * scale, top + (block / across * y) as f64 * scale];
        let count = busy.get(&block).copied().unwrap_or(0);
        let class = if u64::from(count) == threads { "c0" } else { "c1" };
        svg.rect(&format!("{class} cell"), corner, [x as f64 * scale, y as f64 * scale]);
        if u64::from(count) < threads {
            let middle = [corner[0] + x as f64 * scale / 2.0, corner[1] + y as f64 * scale / 2.0 + 4.0];
            svg.text("small on", middle, Anchor::Middle, &format!("{count}/{threads}"));
        }
    }
    svg.rect("frame", [left, top], [width as f64 * scale, height as f64 * scale]);
    let words = "blue: every thread has a pixel; orange: some have none (pixels/threads); frame: the image";
    svg.text("small", [left, size[1] - 10.0], Anchor::Start, words);
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
