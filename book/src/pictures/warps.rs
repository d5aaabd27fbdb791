//! What the lanes of a warp do over time.

use runtime::engine::Recording;

use super::svg::{Anchor, Svg};

const LEFT: f64 = 16.0;
const WIDTH: f64 = 736.0;
const ROW: f64 = 4.0;

/// The lanes of the first warp, instruction by instruction; one panel for each kernel, in one scale.
pub fn timeline(title: &str, panels: &[(String, &[Recording])]) -> String {
    let of = |recordings: &[Recording]| -> Vec<u32> {
        let events = recordings.iter().flat_map(|recording| &recording.events);
        let own = events.filter(|event| event.block == 0 && event.warp == 0 && event.request.is_none());
        own.map(|event| event.mask).collect()
    };
    let masks: Vec<Vec<u32>> = panels.iter().map(|(_, recordings)| of(recordings)).collect();
    let longest = masks.iter().map(Vec::len).max().unwrap_or(1);
    let words: Vec<String> = panels
        .iter()
        .zip(&masks)
        .map(|((name, _), masks)| {
            let lanes: u32 = masks.iter().map(|mask| mask.count_ones()).sum();
            let average = f64::from(lanes) / masks.len().max(1) as f64;
            format!("{name}: {} instructions, {average:.1} of 32 lanes active", masks.len())
        })
        .collect();
    let height = 32.0 * ROW + 50.0;
    let mut svg = Svg::new(WIDTH, height * panels.len() as f64 + 16.0, title, &words.join("; "));
    let step = (WIDTH - LEFT - 60.0) / longest as f64;
    for (index, (masks, words)) in masks.iter().zip(&words).enumerate() {
        let top = height * index as f64;
        svg.text("strong", [LEFT, top + 16.0], Anchor::Start, words);
        svg.rect("box", [LEFT, top + 24.0], [step * masks.len() as f64, 32.0 * ROW]);
        for class in [0, 1] {
            let mut runs = Vec::new();
            for lane in (0..32).filter(|lane| lane % 2 == class) {
                let y = top + 24.0 + ROW * f64::from(lane);
                for (start, end) in active(masks, lane) {
                    runs.push(([LEFT + step * start as f64, y], [step * (end - start) as f64, ROW]));
                }
            }
            svg.runs(&format!("c{class}"), &runs);
        }
        svg.text("small", [WIDTH - 54.0, top + 34.0], Anchor::Start, "lane 0");
        svg.text("small", [WIDTH - 54.0, top + 22.0 + 32.0 * ROW], Anchor::Start, "lane 31");
    }
    let bottom = height * panels.len() as f64 + 8.0;
    svg.text("small", [LEFT, bottom], Anchor::Start, "time, one step per instruction of the warp →");
    svg.finish()
}

/// The runs of instructions, from and to, in which a lane is active.
fn active(masks: &[u32], lane: u32) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, _) in masks.iter().enumerate().filter(|(_, mask)| *mask >> lane & 1 == 1) {
        match runs.last_mut() {
            Some((_, end)) if *end == at => *end += 1,
            _ => runs.push((at, at + 1)),
        }
    }
    runs
}
