//! A profile as one page that needs nothing else: the source as a heat map, the roofline, and the accesses of a line.

use std::fmt::Write as _;

use super::gather::{KernelTime, Profiled, Roof};
use super::lines::Line;
use super::maps::map;
use super::text::{per_pixel, percent};
use judge::numbers::significant;

const STYLE: &str = "
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--faint:#6a737d;--rule:#d8dee4;--bar:#3b82c4}
@media(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--paper:#16181c;--faint:#9aa4af;--rule:#3a4048;--bar:#5aa0e0}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:80rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem}h2{font-size:1.15rem;margin-top:2.5rem;border-top:1px solid var(--rule);padding-top:1rem}h3{font-size:1rem}
.faint,figcaption{color:var(--faint);font-size:.87rem}.warn{color:#b35900}
.costs{--bars:min(20rem,30vw)}.costs td{padding:.1rem .6rem .1rem 0;white-space:nowrap}.costs td.faint{white-space:normal}.costs .bar{display:inline-block;height:.8rem;background:var(--bar)}
.scroll{overflow-x:auto}.source{border-collapse:collapse;font:12px/1.5 ui-monospace,monospace;white-space:pre}
.source td,.source th{padding:0 .45rem;text-align:right}.source td.code,.source th.code{text-align:left;padding-left:1rem}
.source .number{color:var(--faint)}.source tr.why td{white-space:normal;text-align:left;font:13px/1.4 system-ui,sans-serif;padding:.1rem .55rem .4rem 2rem}.source tr.why div{position:sticky;left:2rem;max-width:min(56rem,85vw)}
svg{max-width:100%;height:auto}svg text{font:9px system-ui,sans-serif;text-anchor:middle;fill:#111}
svg .axis{stroke:var(--faint);fill:none}svg .roof{stroke:var(--bar);stroke-width:2;fill:none}svg .label{fill:var(--ink);font-size:11px}svg .end{text-anchor:end}
svg .sector{fill:none;stroke:var(--rule)}svg .touched{fill:#ffb0001f}figure{margin:1rem 0}
";

/// The page. `file` and `gpu` are names.
pub(super) fn page(profiles: &[Profiled], source: &str, file: &str, gpu: &str, roof: &Roof) -> String {
    let file = escaped(file);
    let mut out = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Profile of {file}</title><style>{STYLE}</style></head><body>\
         <h1>Profile of {file}</h1><p class=\"faint\">Times are predicted for {} by the workbook's simulator.</p>",
        escaped(gpu)
    );
    for profile in profiles {
        task(&mut out, profile, source, roof);
    }
    out.push_str("</body></html>\n");
    out
}

fn task(out: &mut String, profile: &Profiled, source: &str, roof: &Roof) {
    let _ = write!(
        out,
        "<h2>{}: kernels take {} ms</h2><p class=\"faint\">{} × {} pixels, from {} of its rows</p>",
        escaped(&profile.task),
        significant(1e3 * profile.kernel_seconds),
        profile.width,
        profile.height,
        profile.rows
    );
    if let Some(wrong) = &profile.wrong {
        let _ = write!(out, "<p class=\"warn\">{}</p>", sentence(wrong));
    }
    out.push_str("<h3>What the time is spent on</h3><table class=\"costs\">");
    for cost in &profile.costs {
        let (name, meaning) = cost.part.words();
        let _ = write!(
            out,
            "<tr><td>{name}<td>{} %<td><span class=\"bar\" style=\"width:calc({:.3}*var(--bars))\"></span><td class=\"faint\">{meaning}</tr>",
            percent(cost.share),
            cost.share
        );
    }
    out.push_str("</table>");
    if let Some(next) = &profile.next {
        let _ = write!(
            out,
            "<p>Next: {} (<code>{}</code> says more).</p>",
            sentence(&next.idea),
            escaped(&next.command)
        );
    }
    out.push_str("<h3>Source</h3><div class=\"scroll\"><table class=\"source\"><tr>");
    for (title, heading) in [
        ("share of the kernels' time", "share"),
        ("instructions per pixel", "instr"),
        ("active lanes of 32", "lanes"),
        ("sectors per request to global memory, and the fewest that hold its bytes", "sectors"),
        ("passes of shared memory per request, and without bank conflicts; * atomics", "passes"),
        ("cycles of a warp by itself each time", "cycles"),
        ("", ""),
    ] {
        let _ = write!(out, "<th title=\"{title}\">{heading}");
    }
    out.push_str("<th class=\"code\"></tr>");
    let shown = near(&profile.lines);
    for (index, text) in source.lines().enumerate() {
        let number = index as u32 + 1;
        if !shown.contains(&number) {
            continue;
        }
        row(out, number, text, profile.lines.iter().find(|line| line.number == number));
    }
    out.push_str("</table></div>");
    roofline(out, &profile.kernels, roof);
    if let Some(chosen) = &profile.chosen {
        let _ = write!(out, "<h3>Accesses of line {}</h3>", chosen.line);
        let mut told: Vec<String> = Vec::new();
        for request in &chosen.requests {
            let space = if request.shared { "shared" } else { "global" };
            let per_lane =
                if request.bytes == 1 { "1 byte".to_owned() } else { format!("{} bytes", request.bytes) };
            let drawn = format!(
                "<p class=\"faint\">a warp's request to {space} memory, {per_lane} per lane</p>{}",
                map(request)
            );
            // A line that is unrolled makes many requests, which look alike.
            if !told.contains(&drawn) {
                out.push_str(&drawn);
                told.push(drawn);
            }
        }
    }
}

/// Lines of the source before and behind those that were executed, to be shown.
const AROUND: u32 = 3;

/// The lines of the source to show: those of the task's kernels, and some around.
fn near(lines: &[Line]) -> std::ops::RangeInclusive<u32> {
    let numbers = || lines.iter().map(|line| line.number).filter(|number| *number > 0);
    let (first, last) = (numbers().min().unwrap_or(1), numbers().max().unwrap_or(u32::MAX - AROUND));
    first.saturating_sub(AROUND)..=last + AROUND
}

fn row(out: &mut String, number: u32, text: &str, line: Option<&Line>) {
    let Some(line) = line else {
        let _ = write!(
            out,
            "<tr><td><td><td><td><td><td><td class=\"number\">{number}<td class=\"code\">{}</tr>",
            escaped(text)
        );
        return;
    };
    let pair = |pair: Option<[f64; 2]>| pair.map_or_else(String::new, |[a, b]| format!("{a:.1}/{b:.1}"));
    let passes = line.atomic_passes.map_or_else(|| pair(line.wavefronts), |passes| format!("{passes:.1}*"));
    let _ = write!(
        out,
        "<tr style=\"background:rgba(226,75,40,{:.2})\"><td>{} %<td>{}<td>{:.1}<td>{}<td>{passes}<td>{}\
         <td class=\"number\">{number}<td class=\"code\">{}</tr>",
        0.75 * line.share.sqrt().min(1.0),
        percent(line.share),
        per_pixel(line.instructions),
        line.lanes,
        pair(line.sectors),
        line.cycles.map_or_else(String::new, |cycles| format!("{cycles:.0}")),
        escaped(text)
    );
    for cause in &line.causes {
        let _ =
            write!(out, "<tr class=\"why\"><td colspan=\"8\"><div>↳ {}</div></tr>", sentence(&cause.told()));
    }
}

/// Powers of ten that the roofline spans: warp instructions per byte, and per second.
const ACROSS: [f64; 2] = [-3.0, 2.0];
const UP: [f64; 2] = [8.0, 13.0];

fn roofline(out: &mut String, kernels: &[KernelTime], roof: &Roof) {
    let (width, height) = (520.0, 300.0);
    let x = |intensity: f64| {
        60.0 + (width - 80.0) * (intensity.log10().clamp(ACROSS[0], ACROSS[1]) - ACROSS[0])
            / (ACROSS[1] - ACROSS[0])
    };
    let y = |speed: f64| {
        height - 40.0 - (height - 60.0) * (speed.log10().clamp(UP[0], UP[1]) - UP[0]) / (UP[1] - UP[0])
    };
    let _ = write!(
        out,
        "<h3>Roofline</h3><figure><svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\">\
         <path class=\"axis\" d=\"M60 20V{0}H{1}\"/>",
        height - 40.0,
        width - 20.0
    );
    ticks(out, x, y, height);
    let corner = roof.instructions / roof.bytes;
    let left = 10_f64.powf(ACROSS[0]);
    let _ = write!(
        out,
        "<path class=\"roof\" d=\"M{:.1} {:.1}L{:.1} {:.1}H{:.1}\"/>",
        x(left),
        y(left * roof.bytes),
        x(corner),
        y(roof.instructions),
        width - 20.0
    );
    let known: Vec<&KernelTime> =
        kernels.iter().filter(|kernel| kernel.bytes > 0.0 && kernel.seconds > 0.0).collect();
    let place = |kernel: &&KernelTime| {
        [x(kernel.instructions / kernel.bytes), y(kernel.instructions / kernel.seconds)]
    };
    let points: Vec<[f64; 2]> = known.iter().map(place).collect();
    for [across, up] in &points {
        let _ = write!(out, "<circle cx=\"{across:.1}\" cy=\"{up:.1}\" r=\"5\" fill=\"#e24b28\"/>");
    }
    let lengths: Vec<usize> = known.iter().map(|kernel| kernel.name.chars().count()).collect();
    for (kernel, [across, up]) in known.iter().zip(labels(&points, &lengths)) {
        let _ = write!(
            out,
            "<text class=\"label\" x=\"{across:.1}\" y=\"{up:.1}\">{}</text>",
            escaped(&kernel.name)
        );
    }
    let _ = write!(
        out,
        "<text class=\"label\" x=\"{}\" y=\"{}\">warp instructions per byte of memory (logarithmic)</text>\
         <text class=\"label\" transform=\"translate(12 {}) rotate(-90)\">warp instructions per second</text></svg>\
         <figcaption>The roof: as many bytes as DRAM delivers ({} GB/s), or as many instructions as the multiprocessors issue \
         ({} per ns). A kernel far below the roof waits: for each other (atomics, bank conflicts) or for memory.</figcaption></figure>",
        width / 2.0 + 20.0,
        height - 10.0,
        height / 2.0,
        significant(roof.bytes * 1e-9),
        significant(roof.instructions * 1e-9)
    );
}

/// Where the names of points stand, of so many characters: below their point, and below each other where they would meet.
fn labels(points: &[[f64; 2]], lengths: &[usize]) -> Vec<[f64; 2]> {
    const BELOW: f64 = 17.0;
    const LINE: f64 = 13.0;
    const CHARACTER: f64 = 7.0;
    let mut placed: Vec<([f64; 2], usize)> = Vec::new();
    for ([across, up], length) in points.iter().zip(lengths) {
        let mut place = [*across, up + BELOW];
        let meets = |place: [f64; 2]| {
            placed.iter().any(|(other, long)| {
                let room = (long + length) as f64 * CHARACTER / 2.0;
                (other[0] - place[0]).abs() < room && (other[1] - place[1]).abs() < LINE - 2.0
            })
        };
        while meets(place) {
            place[1] += LINE;
        }
        placed.push((place, *length));
    }
    placed.into_iter().map(|(place, _)| place).collect()
}

/// The powers of ten along both axes.
fn ticks(out: &mut String, x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64, height: f64) {
    for (power, name) in (-3..).zip(["0.001", "0.01", "0.1", "1", "10", "100"]) {
        let (across, up) = (x(10_f64.powi(power)), height - 28.0);
        let _ = write!(out, "<text class=\"label\" x=\"{across:.1}\" y=\"{up:.1}\">{name}</text>");
    }
    for (power, name) in (8..).zip(["100 M", "1 G", "10 G", "100 G", "1 T", "10 T"]) {
        let up = y(10_f64.powi(power)) + 4.0;
        let _ = write!(out, "<text class=\"label end\" x=\"55\" y=\"{up:.1}\">{name}</text>");
    }
}

/// A sentence in which what stands between backticks is code.
fn sentence(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let code = |(at, part): (usize, &str)| match at % 2 {
        1 => format!("<code>{}</code>", escaped(part)),
        _ => escaped(part),
    };
    parts.map(code).collect()
}

/// Text of the student in a page.
fn escaped(text: &str) -> String {
    cuda::text::clean(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_points_that_lie_together_stand_below_each_other() {
        let at = |across: f64| [across, 50.0];
        assert_eq!(
            labels(&[at(100.0), at(108.0), at(300.0)], &[16, 14, 10])[1..],
            [[108.0, 80.0], [300.0, 67.0]]
        );
    }

    #[test]
    fn text_of_the_student_is_text() {
        assert_eq!(sentence("add `a < b` up"), "add <code>a &lt; b</code> up");
        assert_eq!(escaped("k<<<g, b>>>(\"&\")"), "k&lt;&lt;&lt;g, b&gt;&gt;&gt;(&quot;&amp;&quot;)");
    }
}
