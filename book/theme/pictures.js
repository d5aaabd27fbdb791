// The pictures of the tutorial that a reader can change. Without this script, a page keeps everything but these.
"use strict";

// ANCHOR: counting
// The sectors of 32 bytes that a warp touches: `lanes` are the first bytes, `bytes` the bytes per lane.
function sectorsOf(lanes, bytes) {
    const sectors = new Map();
    for (const first of lanes) {
        for (let byte = first; byte < first + bytes; ++byte) {
            const sector = Math.floor(byte / 32);
            if (!sectors.has(sector)) sectors.set(sector, new Set());
            sectors.get(sector).add(byte);
        }
    }
    return sectors;
}

// The first byte of each lane of warp 0: block `width` threads wide, rows of `pitch` elements, `stride` elements between
// neighbours in a row.
function addresses(width, pitch, stride, bytes) {
    return Array.from({ length: 32 }, (_, lane) => {
        const x = lane % width, y = Math.floor(lane / width);
        return (y * pitch + x * stride) * bytes;
    });
}

// The lanes of each bank when a warp reads a column of a tile whose rows have `pitch` words, `step` rows apart.
function banksOf(pitch, step) {
    const banks = Array.from({ length: 32 }, () => []);
    for (let lane = 0; lane < 32; ++lane) banks[(lane * step * pitch) % 32].push(lane);
    return banks;
}
// ANCHOR_END: counting

(function () {
    const svg = (inside, height, words) =>
        `<svg viewBox="0 0 736 ${height}" role="img" aria-label="${words}">${inside}</svg>`;
    const number = (figure, name) => Math.max(0, parseInt(figure.querySelector(`[name=${name}]`).value, 10) || 0);

    function drawSectors(figure) {
        const bytes = number(figure, "bytes"), stride = number(figure, "stride");
        const width = number(figure, "width"), pitch = number(figure, "pitch");
        const lanes = addresses(width, pitch, stride, bytes);
        const sectors = [...sectorsOf(lanes, bytes).entries()].sort((a, b) => a[0] - b[0]);
        const used = sectors.reduce((sum, [, set]) => sum + set.size, 0);
        const share = Math.round((100 * used) / (32 * sectors.length));
        const words = `${sectors.length} sectors for ${used} bytes: ${share} % efficiency`;
        const slot = 704 / sectors.length, place = new Map(sectors.map(([sector], index) => [sector, index]));
        let inside = "";
        lanes.forEach((first, lane) => {
            const x = 16 + (lane + 0.5) * 22;
            const to = 16 + (place.get(Math.floor(first / 32)) + ((first % 32) + Math.min(bytes, 32) / 2) / 32) * slot;
            inside += `<line class="thin c${lane % 2}" x1="${x}" y1="22" x2="${to}" y2="96"/>`;
            inside += `<rect class="c${lane % 2}" x="${x - 9}" y="4" width="18" height="18"/>`;
            inside += `<text class="small on" x="${x}" y="17" text-anchor="middle">${lane}</text>`;
        });
        sectors.forEach(([, set], index) => {
            const x = 16 + index * slot, part = (22 * set.size) / 32;
            inside += `<rect class="box" x="${x}" y="96" width="${slot - 1}" height="22"/>`;
            inside += `<rect class="c2" x="${x}" y="${118 - part}" width="${slot - 1}" height="${part}"/>`;
        });
        figure.querySelector("output").textContent = words;
        figure.querySelector(".drawing").innerHTML = svg(inside, 124, words);
    }

    function drawBanks(figure) {
        const banks = banksOf(number(figure, "pitch"), number(figure, "step"));
        const most = Math.max(...banks.map((lanes) => lanes.length));
        const words = `${most} wavefront${most === 1 ? "" : "s"}: at most ${most} lane${most === 1 ? "" : "s"} per bank`;
        const base = 8 + 11 * most;
        let inside = "";
        banks.forEach((lanes, bank) => {
            const x = 16 + bank * 22;
            inside += `<rect class="box" x="${x + 1}" y="${base}" width="20" height="14"/>`;
            inside += `<text class="small" x="${x + 11}" y="${base + 11}" text-anchor="middle">${bank}</text>`;
            lanes.forEach((lane, height) => {
                const y = base - (height + 1) * 11;
                inside += `<rect class="c${lane % 2}" x="${x + 2}" y="${y}" width="18" height="10"/>`;
                inside += `<text class="tiny on" x="${x + 11}" y="${y + 8}" text-anchor="middle">${lane}</text>`;
            });
        });
        figure.querySelector("output").textContent = words;
        figure.querySelector(".drawing").innerHTML = svg(inside, base + 18, words);
    }

    function drawTiles(figure) {
        const across = Math.max(1, number(figure, "across")), down = Math.max(1, number(figure, "down"));
        const halo = number(figure, "halo"), bytes = number(figure, "bytes");
        const width = across + 2 * halo, height = down + 2 * halo, direct = (2 * halo + 1) ** 2;
        const loads = (width * height) / (across * down);
        const words = `${width} × ${height} pixels for ${across} × ${down} results: ${loads.toFixed(2)} loads per result `
            + `instead of ${direct}, and ${width * height * bytes} bytes of shared memory`;
        const scale = Math.min(704 / width, 240 / height, 16);
        const box = (kind, x, y, w, h) => `<rect class="${kind}" x="${16 + x * scale}" y="${4 + y * scale}" `
            + `width="${w * scale}" height="${h * scale}"/>`;
        figure.querySelector("output").textContent = words;
        figure.querySelector(".drawing").innerHTML =
            svg(box("c1", 0, 0, width, height) + box("c0", halo, halo, across, down), 8 + height * scale, words);
    }

    if (typeof document === "undefined") return;
    for (const [id, draw] of [["try-sectors", drawSectors], ["try-banks", drawBanks], ["try-tiles", drawTiles]]) {
        const figure = document.getElementById(id);
        if (!figure) continue;
        figure.addEventListener("input", () => draw(figure));
        draw(figure);
    }
})();

// On paper, what is folded could not be read.
window.addEventListener("beforeprint", () => {
    for (const folded of document.querySelectorAll("details")) folded.open = true;
});
