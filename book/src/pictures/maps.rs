//! Maps of one request of a warp: which lane uses which sector, bank or counter.

use std::collections::BTreeMap;

use runtime::engine::{Event, Recording, Request};
use simulator::{AccessKind, Space};

use super::svg::{Anchor, Svg};

const LANES: usize = 32;
const SLOT: f64 = 22.0;
const LEFT: f64 = 16.0;
const WIDTH: f64 = LEFT + 32.0 * SLOT + 16.0;
const SECTOR: u64 = 32;

/// The request number `skip` of this kind by the first warp of the first block.
pub fn request(
    recordings: &[Recording],
    space: Space,
    kind: AccessKind,
    skip: usize,
) -> Option<(&Event, &Request)> {
    let events = recordings.iter().flat_map(|recording| &recording.events);
    let own = events.filter(|event| event.block == 0 && event.warp == 0);
    let requests = own.filter_map(|event| Some((event, event.request.as_ref()?)));
    requests.filter(|(_, request)| request.space == space && request.kind == kind).nth(skip)
}

fn active(event: &Event) -> impl Iterator<Item = usize> + '_ {
    (0..LANES).filter(|lane| event.mask >> lane & 1 == 1)
}

/// The bytes of each sector that a request uses, by the number of the sector.
fn used(event: &Event, request: &Request) -> BTreeMap<u64, u64> {
    let mut bytes: BTreeMap<u64, u64> = BTreeMap::new();
    let mut seen = std::collections::BTreeSet::new();
    for lane in active(event) {
        for byte in request.addresses[lane]..request.addresses[lane] + request.bytes {
            if seen.insert(byte) {
                *bytes.entry(byte / SECTOR).or_default() += 1;
            }
        }
    }
    bytes
}

/// Lanes above, the sectors that they touch below; one panel for each request.
pub fn sectors(title: &str, panels: &[(String, &Event, &Request)]) -> String {
    let words: Vec<String> = panels
        .iter()
        .map(|(name, event, request)| {
            let used = used(event, request);
            let bytes: u64 = used.values().sum();
            let end = if used.len() == 1 { "" } else { "s" };
            format!("{name}: {} sector{end} for {bytes} bytes", used.len())
        })
        .collect();
    let mut svg = Svg::new(WIDTH, 150.0 * panels.len() as f64, title, &words.join("; "));
    for (index, (panel, words)) in panels.iter().zip(&words).enumerate() {
        sector_panel(&mut svg, 150.0 * index as f64, words, panel);
    }
    svg.finish()
}

fn sector_panel(svg: &mut Svg, top: f64, words: &str, (_, event, request): &(String, &Event, &Request)) {
    svg.text("strong", [LEFT, top + 16.0], Anchor::Start, words);
    let used = used(event, request);
    let slot = 32.0 * SLOT / used.len().max(1) as f64;
    let (lanes_y, sectors_y) = (top + 26.0, top + 106.0);
    let place = |sector: u64| used.range(..sector).count() as f64;
    for lane in active(event) {
        let x = LEFT + (lane as f64 + 0.5) * SLOT;
        let first = request.addresses[lane] / SECTOR;
        let within = (request.addresses[lane] % SECTOR) as f64 + request.bytes.min(SECTOR) as f64 / 2.0;
        let to = LEFT + (place(first) + within / SECTOR as f64) * slot;
        svg.line(&format!("thin c{}", lane % 2), [x, lanes_y + 18.0], [to, sectors_y]);
        svg.rect(&format!("c{}", lane % 2), [x - 9.0, lanes_y], [18.0, 18.0]);
        svg.text("small on", [x, lanes_y + 13.0], Anchor::Middle, &lane.to_string());
    }
    for (index, bytes) in used.values().enumerate() {
        let x = LEFT + index as f64 * slot;
        let share = *bytes as f64 / SECTOR as f64;
        svg.rect("box", [x + 1.0, sectors_y], [slot - 2.0, 22.0]);
        svg.rect("c2", [x + 1.0, sectors_y + 22.0 * (1.0 - share)], [slot - 2.0, 22.0 * share]);
        if used.len() <= 8 {
            let words = format!("{bytes} of 32 bytes used");
            svg.text("small", [x + slot / 2.0, sectors_y + 36.0], Anchor::Middle, &words);
        }
    }
    if used.len() > 8 {
        let bytes: u64 = used.values().sum();
        let mean = bytes as f64 / used.len() as f64;
        let mean = if mean.fract() == 0.0 { mean.to_string() } else { format!("{mean:.1}") };
        let words = format!("each box is a sector of 32 bytes; used: {mean} bytes per sector");
        svg.text("small", [WIDTH / 2.0, sectors_y + 36.0], Anchor::Middle, &words);
    }
}

/// The lanes of each place (a bank or a counter), stacked; one panel per request.
fn stacks(title: &str, panels: &[(String, BTreeMap<u64, Vec<usize>>)], unit: &str, places: u64) -> String {
    let most = |lanes: &BTreeMap<u64, Vec<usize>>| lanes.values().map(Vec::len).max().unwrap_or(0);
    let words: Vec<String> = panels
        .iter()
        .map(|(name, lanes)| match most(lanes) {
            1 => format!("{name}: one lane per {unit}"),
            most => format!("{name}: up to {most} lanes per {unit}"),
        })
        .collect();
    let step = 11.0;
    let heights: Vec<f64> = panels.iter().map(|(_, lanes)| 60.0 + step * most(lanes) as f64).collect();
    let mut svg = Svg::new(WIDTH, heights.iter().sum(), title, &words.join("; "));
    let mut top = 0.0;
    for (((_, lanes), words), height) in panels.iter().zip(&words).zip(&heights) {
        let base = top + height - 24.0;
        svg.text("strong", [LEFT, top + 16.0], Anchor::Start, words);
        for (index, place) in (0..places).enumerate() {
            let x = LEFT + index as f64 * SLOT;
            svg.rect("box", [x + 1.0, base], [SLOT - 2.0, 14.0]);
            svg.text("small", [x + SLOT / 2.0, base + 11.0], Anchor::Middle, &place.to_string());
            for (height, lane) in lanes.get(&place).into_iter().flatten().enumerate() {
                let y = base - (height + 1) as f64 * step;
                svg.rect(&format!("c{}", lane % 2), [x + 2.0, y], [SLOT - 4.0, step - 1.0]);
                svg.text("tiny on", [x + SLOT / 2.0, y + 8.0], Anchor::Middle, &lane.to_string());
            }
        }
        top += height;
    }
    svg.finish()
}

/// Which lane uses which bank.
pub fn banks(title: &str, panels: &[(String, &Event, &Request)]) -> String {
    let panels: Vec<_> = panels
        .iter()
        .map(|(name, event, request)| {
            let mut lanes: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
            for lane in active(event) {
                lanes.entry(request.addresses[lane] / 4 % 32).or_default().push(lane);
            }
            (name.clone(), lanes)
        })
        .collect();
    stacks(title, &panels, "bank", 32)
}

/// Which lane updates which counter: the counters that any lane updates, numbered from the left.
pub fn counters(title: &str, panels: &[(String, &Event, &Request)]) -> String {
    let panels: Vec<_> = panels
        .iter()
        .map(|(name, event, request)| {
            let mut by_address: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
            for lane in active(event) {
                by_address.entry(request.addresses[lane]).or_default().push(lane);
            }
            let numbered = by_address.into_values().enumerate().map(|(place, lanes)| (place as u64, lanes));
            (name.clone(), numbered.collect())
        })
        .collect();
    stacks(title, &panels, "counter", 32)
}
