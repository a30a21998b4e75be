"use strict";

// The TypeScript and JavaScript of `kugiri lint --code`. It reads {root, files} from stdin, parses the files with the
// package typescript that the directory root has, and writes {joins, failed, version}: the expressions
// that put text with a separator beside values, in the form of Join in cmd/kugiri/internal/codelint,
// which judges them.

const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join } = require("node:path");

const separators = ["#", "@"];
const others = /[-_:/|.]/; // of keys whose segments have no "#" between them
const cutters = ["split", "indexOf", "lastIndexOf"];

/** Returns the typescript of a directory, or of the package kugiri where that has none. */
function typescriptOf(root) {
  for (const from of [join(root, "package.json"), __filename]) {
    try {
      const ts = createRequire(from)("typescript");
      if (ts.createSourceFile) return ts;
    } catch (err) {
      if (err.code !== "MODULE_NOT_FOUND") throw err;
    }
  }
  return undefined;
}

/** Returns the joins of a file, or throws its first error. */
function joinsOf(ts, name, text) {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const [wrong] = file.parseDiagnostics ?? [];
  if (wrong) {
    const message = ts.flattenDiagnosticMessageText(wrong.messageText, " ");
    throw Object.assign(new Error(message), place(file, wrong.start));
  }
  const texts = constants(ts, file);
  const joins = [];
  walk(ts, file, (node) => {
    const cut = cutOf(ts, node);
    const parts = cut ?? joined(partsOf(ts, node, texts));
    const separated = parts.some((p) => separators.some((s) => p.text?.includes(s)));
    if ((separated && parts.some((p) => p.value)) || mixes(parts)) {
      const names = namesOf(ts, node).filter(Boolean);
      const code = node.getText(file);
      joins.push({ file: name, ...place(file, node.getStart(file)), code, names, parts, cut: cut !== undefined });
    }
  });
  return joins;
}

/** Reports whether parts are a word and values with different separators between them: ORDER-1_item:2. */
function mixes([lead, ...rest]) {
  if (rest.length < 3 || !lead.text) return false;
  const last = lead.text.at(-1);
  if (!others.test(last) || others.test(lead.text.slice(0, -1)) || lead.text.includes(" ")) return false;
  const texts = rest.map((p) => p.text ?? "");
  return !texts.some((t) => /[ \t\n]/.test(t)) && texts.some((t) => others.test(t.replaceAll(last, "")));
}

/** Returns the text and the separator of a call that takes a text apart, undefined for other nodes. */
function cutOf(ts, node) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression: of, name } = node.expression;
  const separator = node.arguments[0] && plain(ts, node.arguments[0]);
  if (!cutters.includes(name.text) || !separator || !ts.isStringLiteralLike(separator)) return undefined;
  return [valueOf(ts, of), { text: separator.text }];
}

/** Calls f for a node and all nodes in it, in their order. It needs no stack: a long sum is a deep tree. */
function walk(ts, root, f) {
  const ahead = [root];
  while (ahead.length > 0) {
    const node = ahead.pop();
    f(node);
    const children = [];
    ts.forEachChild(node, (child) => void children.push(child));
    while (children.length > 0) ahead.push(children.pop());
  }
}

function place(file, offset) {
  const { line, character } = file.getLineAndCharacterOfPosition(offset);
  return { line: line + 1, column: character + 1 };
}

/** Puts neighboring texts together. */
function joined(parts) {
  const all = [];
  for (const p of parts) {
    const last = all.at(-1);
    if (last && !last.value && !p.value) last.text += p.text;
    else all.push({ ...p });
  }
  return all;
}

/** Returns the constants that are text, but for separators and names that are declared twice. */
function constants(ts, file) {
  const texts = new Map();
  const times = new Map();
  walk(ts, file, (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
      const name = node.name.text;
      times.set(name, (times.get(name) ?? 0) + 1);
      const value = node.initializer && plain(ts, node.initializer);
      const fixed = ts.isVariableDeclarationList(node.parent) && node.parent.flags & ts.NodeFlags.Const;
      if (fixed && value && ts.isStringLiteralLike(value)) texts.set(name, value.text);
    }
  });
  for (const [name, text] of texts) if (times.get(name) > 1 || separators.includes(text)) texts.delete(name);
  return texts;
}

/** Leaves out what has no meaning when a program runs. */
function plain(ts, node) {
  while (wraps(ts, node)) node = node.expression;
  return node;
}

const wraps = (ts, node) =>
  ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node) ||
  ts.isNonNullExpression(node) || ts.isTypeAssertionExpression(node);

const isSum = (ts, node) => ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
const isAppend = (ts, node) =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusEqualsToken;

/** Returns the parts of a node that builds a string, none for other nodes and for parts of others. */
function partsOf(ts, node, texts) {
  const flat = (part) => flatten(ts, part, texts);
  if (isAppend(ts, node)) return [valueOf(ts, node.left), ...flat(node.right)];
  if (isSum(ts, node) || ts.isTemplateExpression(node)) return isPart(ts, node) ? [] : flat(node);
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const { expression: of, name } = node.expression;
  if (name.text === "concat") return [...flat(of), ...node.arguments.flatMap(flat)];
  if (name.text !== "join" || node.arguments.length !== 1) return [];
  const separator = flat(node.arguments[0]);
  const list = plain(ts, of);
  if (!ts.isArrayLiteralExpression(list)) return [valueOf(ts, list), ...separator, { value: true }];
  return list.elements.flatMap((e, i) => [...(i ? separator : []), ...flat(e)]);
}

/** Reports whether a node is part of a longer sum or template. */
function isPart(ts, node) {
  let { parent } = node;
  while (wraps(ts, parent)) parent = parent.parent;
  return isSum(ts, parent) || isAppend(ts, parent) || ts.isTemplateSpan(parent);
}

function flatten(ts, node, texts) {
  node = plain(ts, node);
  if (isSum(ts, node)) {
    const parts = []; // a long sum is deep on its left
    for (; isSum(ts, node); node = plain(ts, node.left)) parts.push(flatten(ts, node.right, texts));
    return [...flatten(ts, node, texts), ...parts.reverse().flat()];
  }
  if (ts.isStringLiteralLike(node)) return [{ text: node.text }];
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.flatMap((s) => [...flatten(ts, s.expression, texts), { text: s.literal.text }]);
    return [{ text: node.head.text }, ...spans].filter((p) => p.value || p.text !== "");
  }
  if (ts.isIdentifier(node) && texts.has(node.text)) return [{ text: texts.get(node.text) }];
  return [valueOf(ts, node)];
}

const valueOf = (ts, node) => ({ value: true, name: nameOf(ts, node) });

/** Returns the last part of a name: pk of order.pk and of item["pk"]. */
function nameOf(ts, node) {
  node = plain(ts, node);
  if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isElementAccessExpression(node)) return nameOf(ts, node.argumentExpression);
  if (ts.isCallExpression(node)) return nameOf(ts, node.expression);
  return "";
}

/** Returns the names of what gets the value of a node. */
function namesOf(ts, node) {
  if (isAppend(ts, node)) return [nameOf(ts, node.left)];
  const names = [];
  for (let at = node; at.parent; at = at.parent) {
    let { parent } = at;
    if (wraps(ts, parent) || ts.isObjectLiteralExpression(parent)) continue;
    if (ts.isPropertyAssignment(parent)) {
      if (parent.initializer === at) names.push(nameOf(ts, parent.name));
    } else if (ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent) || ts.isParameter(parent)) {
      return [...names, nameOf(ts, parent.name)];
    } else if (ts.isConditionalExpression(parent)) {
      if (parent.condition === at) return names;
    } else if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
      if (parent.arguments?.length !== 1) return names; // a function of more is something else
    } else if (ts.isBinaryExpression(parent)) {
      const { left, right, operatorToken } = parent;
      const other = left === at ? right : left;
      if (operatorToken.kind === ts.SyntaxKind.EqualsToken) return left === at ? names : [...names, nameOf(ts, left)];
      if (comparisons(ts).includes(operatorToken.kind)) return [...names, nameOf(ts, other)];
      if (!choices(ts).includes(operatorToken.kind)) return names;
    } else if (ts.isReturnStatement(parent)) {
      while (parent && !ts.isFunctionLike(parent)) parent = parent.parent;
      if (!parent) return names;
      if (parent.name) return [...names, nameOf(ts, parent.name)];
      at = { parent }; // the function's own name is further out
    } else if (!ts.isArrowFunction(parent)) {
      return names;
    }
  }
  return names;
}

const comparisons = ({ SyntaxKind: k }) => [
  k.EqualsEqualsToken, k.EqualsEqualsEqualsToken, k.ExclamationEqualsToken, k.ExclamationEqualsEqualsToken,
];
const choices = ({ SyntaxKind: k }) => [k.QuestionQuestionToken, k.BarBarToken, k.AmpersandAmpersandToken];

function main() {
  const { root, files } = JSON.parse(readFileSync(0, "utf8"));
  const ts = typescriptOf(root);
  const answer = { version: ts?.version ?? "", joins: [], failed: [] };
  for (const name of ts ? files : []) {
    try {
      answer.joins.push(...joinsOf(ts, name, readFileSync(name, "utf8")));
    } catch (err) {
      answer.failed.push({ file: name, line: err.line ?? 0, column: err.column ?? 0, message: err.message });
    }
  }
  process.stdout.write(JSON.stringify(answer));
}

main();
