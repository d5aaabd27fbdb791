//! Pictures, drawn from data and from what the simulator saw the examples do.

mod charts;
#[cfg(test)]
mod colours;
mod data;
mod dots;
mod images;
mod maps;
mod rungs;
mod svg;
mod warps;

use std::collections::BTreeMap;

use anyhow::Context as _;
use checker::examples::{Example, Measured, Ran, Workbench};
use judge::numbers::significant;
use runtime::engine::{Event, Recording, Request};
use simulator::model::Gpu;
use simulator::{AccessKind, Space};

pub use data::of_data;
pub use rungs::{of_rung, rung_pictures};

use crate::page::Page;
use charts::{Bar, Point};

/// All blocks of a launch.
const EVERY: u64 = u64::MAX;

/// The pictures of an example.
pub fn of_example(
    example: &Example,
    bench: &Workbench<'_>,
    variants: &[Ran],
    gpu: &Gpu,
) -> anyhow::Result<Vec<Page>> {
    let drawn = Drawn { bench, variants, gpu };
    let name = example.name.as_str();
    let text = match name {
        "threads" => drawn.threads()?,
        "divergence" => drawn.divergence()?,
        "coalescing" => drawn.coalescing()?,
        "roofline" => drawn.roofline(),
        "latency" => drawn.latency()?,
        "atomics" => drawn.atomics()?,
        "banks" => drawn.banks()?,
        "vectors" => drawn.vectors()?,
        "windows" => drawn.windows()?,
        "streams" => drawn.streams(),
        _ => charts::times(&format!("Predicted times of `{name}`").replace('`', ""), variants),
    };
    Ok(vec![Page { name: format!("{name}.svg"), text }])
}

struct Drawn<'a> {
    bench: &'a Workbench<'a>,
    variants: &'a [Ran],
    gpu: &'a Gpu,
}

impl Drawn<'_> {
    fn recorded(&self, variants: &[&str], blocks: u64) -> anyhow::Result<BTreeMap<String, Vec<Recording>>> {
        let record = |variant: &&str| Ok(((*variant).to_owned(), self.bench.record(variant, blocks)?));
        variants.iter().map(record).collect()
    }

    /// A picture of one request of each variant: its name, the number of such requests before it.
    fn of_requests(
        &self,
        variants: &[(&str, usize)],
        (space, kind): (Space, AccessKind),
        draw: impl Fn(&[(String, &Event, &Request)]) -> String,
    ) -> anyhow::Result<String> {
        let names: Vec<&str> = variants.iter().map(|(name, _)| *name).collect();
        let recorded = self.recorded(&names, 1)?;
        let mut panels = Vec::new();
        for (name, skip) in variants {
            let found = maps::request(&recorded[*name], space, kind, *skip);
            let (event, request) = found.with_context(|| format!("`{name}` makes no such request"))?;
            panels.push(((*name).to_owned(), event, request));
        }
        Ok(draw(&panels))
    }

    fn threads(&self) -> anyhow::Result<String> {
        let recorded = self.recorded(&["tiles"], EVERY)?;
        let first = recorded["tiles"].first().context("`tiles` launches nothing")?;
        Ok(images::blocks(
            "The blocks of `tiles` over the image".replace('`', "").as_str(),
            first,
            [250, 130],
        ))
    }

    fn divergence(&self) -> anyhow::Result<String> {
        let names = ["by_lane", "by_warp", "both"];
        let recorded = self.recorded(&names, 1)?;
        let panels: Vec<(String, &[Recording])> =
            names.iter().map(|name| ((*name).to_owned(), recorded[*name].as_slice())).collect();
        Ok(warps::timeline("The lanes of the first warp, instruction by instruction", &panels))
    }

    fn coalescing(&self) -> anyhow::Result<String> {
        let title = "The first load of the first warp: lanes above, sectors of memory below";
        self.of_requests(
            &[("one_each", 0), ("chunks", 0), ("strided", 0)],
            (Space::Global, AccessKind::Read),
            |panels| maps::sectors(title, panels),
        )
    }

    fn vectors(&self) -> anyhow::Result<String> {
        let title = "The first load of the first warp with 1, 4 and 16 bytes per lane";
        self.of_requests(
            &[("bytes", 0), ("words", 0), ("vectors", 0)],
            (Space::Global, AccessKind::Read),
            |panels| maps::sectors(title, panels),
        )
    }

    fn atomics(&self) -> anyhow::Result<String> {
        let title = "The first atomic of the first warp on global memory: the lanes of each counter";
        self.of_requests(
            &[("grid_noise", 0), ("grid_smooth", 0)],
            (Space::Global, AccessKind::Atomic),
            |panels| maps::counters(title, panels),
        )
    }

    fn banks(&self) -> anyhow::Result<String> {
        let title = "The first load of the first warp from shared memory: the lanes of each bank";
        self.of_requests(&[("tile_32", 0), ("tile_33", 0)], (Space::Shared, AccessKind::Read), |panels| {
            maps::banks(title, panels)
        })
    }

    fn windows(&self) -> anyhow::Result<String> {
        let names = ["direct", "tile", "sliding"];
        let recorded = self.recorded(&names, EVERY)?;
        let panels: Vec<(String, &[Recording])> =
            names.iter().map(|name| ((*name).to_owned(), recorded[*name].as_slice())).collect();
        Ok(images::fetches(
            "How often each pixel is loaded from global memory (upper left corner)",
            &panels,
            128,
        ))
    }

    fn measured(&self) -> impl Iterator<Item = (&Ran, &Measured)> {
        self.variants.iter().filter_map(|ran| Some((ran, ran.measured.as_ref()?)))
    }

    fn streams(&self) -> String {
        let panels: Vec<charts::Streams<'_>> = self
            .measured()
            .map(|(ran, measured)| (ran.function.clone(), measured.seconds, &measured.spans[..]))
            .collect();
        charts::streams("When copies and kernels run", &panels)
    }

    fn latency(&self) -> anyhow::Result<String> {
        let mut bars = Vec::new();
        for (ran, measured) in self.measured() {
            let recordings = self.bench.record(&ran.function, 1)?;
            // The loads of a warp before its first store are in flight together.
            let events = recordings.iter().flat_map(|recording| &recording.events);
            let own = events.filter(|event| event.warp == 0).filter_map(|event| event.request.as_ref());
            let global = own.filter(|request| request.space == Space::Global);
            let loads = global.take_while(|request| request.kind == AccessKind::Read).count();
            let multiprocessors = measured.blocks.min(f64::from(self.gpu.multiprocessors));
            let warps = measured.resident.map_or(0.0, |resident| resident.warps);
            let kilobytes = multiprocessors * warps * 32.0 * 4.0 * loads as f64 / 1024.0;
            let speed = measured.bytes as f64 / measured.seconds * 1e-9;
            bars.push(Bar {
                name: format!("{}: {} KB in flight", ran.function, significant(kilobytes)),
                value: speed,
                label: format!("{} GB/s", significant(speed)),
                class: "c0",
            });
        }
        Ok(charts::bars("Bytes in flight on the whole GPU, and the speed that follows", &bars))
    }

    fn roofline(&self) -> String {
        let points: Vec<Point> = self
            .measured()
            .map(|(ran, measured)| {
                let work = 32.0 * measured.counters.warp_instructions as f64 / measured.elements as f64;
                let elements = measured.bytes as f64 / 8.0;
                let traffic = measured.bytes as f64;
                Point {
                    intensity: work * elements / traffic,
                    rate: work * elements / measured.seconds,
                    name: ran.function.clone(),
                    tip: ran.function.clone(),
                    class: "c0".into(),
                }
            })
            .collect();
        charts::roofline(
            "The four variants below the roof of an H200",
            data::roof(self.gpu),
            &points,
            &[],
            true,
        )
    }
}
