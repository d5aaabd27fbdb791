// Loads every page of the book in frames as wide as a desk and as a phone, in both themes, and writes what is wrong with it:
// wider than the screen, a picture that is broken, an error of a script, an id that two places share.
"use strict";

const SCREENS = [["light", 1280], ["light", 390], ["navy", 1280], ["navy", 390]];

// Elements of the page that reach past the screen and do not scroll by themselves.
function tooWide(frame) {
    const view = frame.contentWindow, main = frame.contentDocument.querySelector("main");
    const scrolls = element => /auto|scroll|hidden/.test(view.getComputedStyle(element).overflowX);
    return [...main.querySelectorAll("*")].filter(element => {
        const box = element.getBoundingClientRect();
        if (box.width === 0 || box.right <= view.innerWidth + 1) return false;
        for (let around = element.parentElement; around !== main; around = around.parentElement) {
            if (scrolls(around)) return false;
        }
        return true;
    });
}

async function faults(page, theme, width) {
    localStorage.setItem("mdbook-theme", theme);
    const frame = document.createElement("iframe");
    Object.assign(frame, { width, height: 900, src: page });
    await new Promise(loaded => { frame.onload = loaded; document.body.append(frame); });
    await new Promise(shown => setTimeout(shown, 20));
    const content = frame.contentDocument, root = content.documentElement;
    const ids = [...content.querySelectorAll("[id]")].map(element => element.id);
    const found = [
        root.scrollWidth > root.clientWidth ? `scrolls sideways by ${root.scrollWidth - root.clientWidth}` : "",
        ...tooWide(frame).slice(0, 3).map(element => `too wide: ${element.tagName}`),
        ...[...content.images].filter(image => image.naturalWidth === 0).map(image => `broken: ${image.src}`),
        ...ids.filter((id, at) => ids.indexOf(id) !== at).map(id => `two places have the id ${id}`),
        content.documentElement.classList.contains(theme) ? "" : `is not in the theme ${theme}`,
    ];
    frame.remove();
    return found.filter(text => text).map(text => `${page}, ${theme}, ${width}: ${text}`);
}

async function all(pages) {
    const found = [];
    for (const [theme, width] of SCREENS) for (const page of pages) found.push(...await faults(page, theme, width));
    document.getElementById("out").textContent = [`${pages.length} pages`, ...found].join("\n") + "\nend";
}
