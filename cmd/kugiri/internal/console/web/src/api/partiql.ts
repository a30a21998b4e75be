// Statements of PartiQL: where they end, how many parameters they take, whether they write.

export interface Statement {
  text: string;
  title: string; // its text without comments, on a line
  parameters: number; // question marks
  writes: boolean;
}

// Texts, names and comments, in which nothing ends a statement.
const opaque = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\//;
const token = new RegExp(`${opaque.source}|[;?]`, "g");

/** The statements of a text, which has semicolons between them. */
export function splitStatements(text: string): Statement[] {
  const list: Statement[] = [];
  let from = 0;
  let parameters = 0;
  const end = (to: number) => {
    const one = text.slice(from, to).trim();
    const title = withoutComments(one).replace(/\s+/g, " ");
    if (title !== "") list.push({ text: one, title, parameters, writes: !/^select\b/i.test(title) });
    parameters = 0;
  };
  for (const m of text.matchAll(token)) {
    if (m[0] === "?") parameters++;
    if (m[0] !== ";") continue;
    end(m.index);
    from = m.index + 1;
  }
  end(text.length);
  return list;
}

/** Where the last text, name in quotes or comment of statements ends. */
export function endOfTokens(text: string): number {
  let end = 0;
  for (const m of text.matchAll(new RegExp(opaque.source, "g"))) end = m.index + m[0].length;
  return end;
}

/** The table from which a statement selects, and whether it selects all that its items have. */
export function sourceOf({ title }: Statement): { table: string; whole: boolean } | undefined {
  const [all, what, quoted, plain, index] = /^select\s+(.*?)\s+from\s+(?:"((?:[^"]|"")+)"|([\w-]+))(\s*\.\s*"?[\w.-]+"?)?/i.exec(title) ?? [];
  if (all === undefined) return undefined;
  return { table: quoted?.replaceAll('""', '"') ?? plain!, whole: what === "*" && index === undefined };
}

function withoutComments(text: string): string {
  return text.replace(new RegExp(opaque.source, "g"), (one) => (one.startsWith("--") || one.startsWith("/*") ? " " : one)).trim();
}
