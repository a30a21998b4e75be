"use strict";
// The search. The index, search.js, is loaded when somebody begins to search.
(() => {
  const root = document.body.dataset.root;
  const field = document.getElementById("search");
  const results = document.getElementById("results");
  const most = 20; // results
  let loading;

  const load = () => loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = root + "search.js";
    script.onload = () => resolve(window.kugiriIndex);
    script.onerror = reject;
    document.head.append(script);
  });

  // score is 0 unless the section has all words: a heading counts more than a text.
  const score = (section, words) => {
    let sum = 0;
    for (const word of words) {
      const inHeading = section.h.toLowerCase().includes(word) ? 20 : 0;
      const inPage = section.p.toLowerCase().includes(word) ? 5 : 0;
      const inText = Math.min(section.t.toLowerCase().split(word).length - 1, 4);
      if (inHeading + inPage + inText === 0) return 0;
      sum += inHeading + inPage + inText;
    }
    return sum;
  };

  // excerpt is the text around the first word that it has, with that word marked.
  const excerpt = (text, words) => {
    const element = document.createElement("small");
    const at = words.map((word) => [text.toLowerCase().indexOf(word), word.length]).find(([i]) => i >= 0);
    if (!at) {
      element.textContent = text.slice(0, 120);
      return element;
    }
    const [i, length] = at;
    const mark = document.createElement("mark");
    mark.textContent = text.slice(i, i + length);
    element.append(text.slice(Math.max(0, i - 50), i), mark, text.slice(i + length, i + length + 80));
    return element;
  };

  const show = (index) => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    results.replaceChildren();
    results.hidden = words.length === 0;
    if (results.hidden) return;
    const found = index.map((section) => [score(section, words), section]).filter(([points]) => points > 0);
    found.sort(([a], [b]) => b - a);
    for (const [, section] of found.slice(0, most)) {
      const link = document.createElement("a");
      link.href = root + section.u;
      link.append(section.h === section.p ? section.h : section.p + " › " + section.h, excerpt(section.t, words));
      link.addEventListener("click", () => { results.hidden = true; });
      const entry = document.createElement("li");
      entry.append(link);
      results.append(entry);
    }
    if (found.length === 0) results.append(Object.assign(document.createElement("p"), { textContent: "Nothing found." }));
  };

  const search = () => load().then(show, () => { loading = undefined; });
  field.addEventListener("input", search);
  field.addEventListener("focus", search);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") results.hidden = true;
    if (event.key === "/" && document.activeElement !== field) {
      event.preventDefault();
      field.focus();
    }
  });
  document.addEventListener("click", (event) => {
    if (!results.contains(event.target) && event.target !== field) results.hidden = true;
  });
})();
