"use strict";
// The search. Its index, search.js, and what searches it, library.js, are loaded when somebody begins.
(() => {
  const root = document.body.dataset.root;
  const field = document.getElementById("search");
  const results = document.getElementById("results");
  let loading;

  const loaded = (name) => new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = root + name;
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });

  // load returns what searches the index. It is made once.
  const load = () => loading ??= Promise.all([loaded("library.js"), loaded("search.js")]).then(() => window.kugiriSearch(window.kugiriIndex));

  // excerpt is the text around the word that was found, with that word marked.
  const excerpt = ({ before, hit, after }) => {
    const element = document.createElement("small");
    element.append(before, Object.assign(document.createElement("mark"), { textContent: hit }), after);
    return element;
  };

  const show = (find) => {
    const text = field.value.trim();
    results.replaceChildren();
    results.hidden = text === "";
    if (results.hidden) return;
    const found = find(text);
    for (const one of found) {
      const { p, h, u } = one.section;
      const link = document.createElement("a");
      link.href = root + u;
      link.append(h === p ? h : p + " › " + h, excerpt(one));
      link.addEventListener("click", () => { results.hidden = true; });
      const entry = document.createElement("li");
      entry.append(link);
      results.append(entry);
    }
    if (found.length === 0) results.append(Object.assign(document.createElement("li"), { textContent: "Nothing found." }));
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

// What scrolls sideways can be reached by the keyboard.
(() => {
  const mark = () => {
    for (const box of document.querySelectorAll("main pre, main table")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  mark();
  addEventListener("resize", mark);
})();
