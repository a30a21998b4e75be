// The search of the site of documents. It knows the stems of words, and forgives typing errors. It has
// a script of its own, which the site loads when somebody begins to search.

import { stemmer } from "stemmer";
import MiniSearch, { type SearchResult } from "minisearch";

/** A section of a page: its page's title, its heading, its address and its text. */
interface Section {
  p: string;
  h: string;
  u: string;
  t: string;
}

/** A section that was found, with the text around the first word that was found in it. */
interface Found {
  section: Section;
  before: string;
  hit: string;
  after: string;
}

const most = 20; // results
const word = /[\p{L}\p{N}]+/gu;

const wordsOf = (text: string) => text.match(word) ?? [];
const stemOf = (one: string) => stemmer(one.toLowerCase());
const said = new Set("a an and are as at be by for from in is it of on or that the this to with".split(" ")); // in every text

// What people say, and what the documents say.
const sameAs: { [word: string]: string } = { ttl: "time to live", gsi: "global secondary index", lsi: "local secondary index", pitr: "point-in-time recovery" };

/** Makes the index of sections, and returns what searches it. */
function kugiriSearch(sections: Section[]): (text: string) => Found[] {
  const index = new MiniSearch<Section & { id: number }>({
    fields: ["h", "p", "t"],
    tokenize: wordsOf,
    processTerm: (one) => (said.has(one.toLowerCase()) ? null : stemOf(one)),
    searchOptions: {
      boost: { h: 8, p: 3 },
      prefix: (term, i, terms) => i === terms.length - 1 && term.length > 2, // the last word may not be complete
      fuzzy: (term) => (term.length > 6 ? 2 : term.length > 4 ? 1 : false),
      weights: { fuzzy: 0.2, prefix: 0.4 },
    },
  });
  index.addAll(sections.map((section, id) => ({ ...section, id })));
  const find = (text: string): SearchResult[] => {
    const all = index.search(text, { combineWith: "AND" });
    return all.length > 0 ? all : index.search(text); // no section has all words
  };
  return (text) => {
    const long = sameAs[text.trim().toLowerCase()];
    const found = new Map<unknown, SearchResult>(find(text).map((one) => [one.id, one]));
    for (const one of long ? index.search(long, { combineWith: "AND", fuzzy: false, prefix: false }) : []) {
      const before = found.get(one.id);
      found.set(one.id, before ? { ...before, score: before.score + one.score / 2 } : { ...one, score: one.score / 2 });
    }
    return [...found.values()].sort((a, b) => b.score - a.score).slice(0, most).map((one) => {
      const section = sections[one.id as number]!;
      return { section, ...excerpt(section.t, new Set(one.terms)) };
    });
  };
}

// excerpt returns the text around the first word that has one of some stems.
function excerpt(text: string, stems: Set<string>): Omit<Found, "section"> {
  for (const m of text.matchAll(word)) {
    if (!stems.has(stemOf(m[0]))) continue;
    const end = m.index + m[0].length;
    return { before: text.slice(Math.max(0, m.index - 50), m.index), hit: m[0], after: text.slice(end, end + 80) };
  }
  return { before: text.slice(0, 120), hit: "", after: "" };
}

Object.assign(window, { kugiriSearch });
