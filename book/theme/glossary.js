// Links the first occurrence of each term of the glossary on a page to its explanation. `TERMS` is in `terms.js`, which is generated.
"use strict";

// Where a word is no term, or is a link already.
const NOT_IN = "a, code, pre, h1, h2, h3, h4, summary, figure, svg, button, th";

// The elements of the glossary, by the name that links use.
function nameTerms(main) {
    for (const item of main.querySelectorAll("li")) {
        const name = item.querySelector("strong");
        if (name) item.id = "term-" + name.textContent.split(",")[0].trim().replaceAll(" ", "-");
    }
    // The browser has looked for the name before it was there.
    const wanted = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (wanted) wanted.scrollIntoView();
}

function linkTerms(main, root) {
    const open = new Map(TERMS.flatMap(term => term.words.map(word => [word, term])));
    const words = [...open.keys()].sort((one, other) => other.length - one.length);
    const pattern = new RegExp(`\\b(${words.join("|")})(s|es)?\\b`, "gi");
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) {
        if (!walker.currentNode.parentElement.closest(NOT_IN)) texts.push(walker.currentNode);
    }
    for (const text of texts) {
        const parts = document.createDocumentFragment();
        let done = 0;
        for (const match of text.data.matchAll(pattern)) {
            const term = open.get(match[1].toLowerCase());
            if (!term) continue;
            for (const word of term.words) open.delete(word);
            const link = document.createElement("a");
            link.className = "term";
            link.href = `${root}glossary.html#term-${term.words[0].replaceAll(" ", "-")}`;
            link.title = term.means;
            link.textContent = match[0];
            parts.append(text.data.slice(done, match.index), link);
            done = match.index + match[0].length;
        }
        if (done > 0) {
            parts.append(text.data.slice(done));
            text.replaceWith(parts);
        }
    }
}

const content = document.querySelector("main");
if (content && /glossary(\.html)?$/.test(location.pathname)) {
    nameTerms(content);
} else if (content && !/print(\.html)?$/.test(location.pathname)) {
    linkTerms(content, typeof path_to_root === "string" ? path_to_root : "");
}
