// Which field of a form an error of the server speaks of. Nobody lists that: a field belongs to those members of
// the requests that change when it does.

export interface Source {
  field: string;
  value: string;
  requests: (value: string) => object[]; // what is sent if the field has another value; it may throw an error
}

/** The field of a form that an error is about, undefined if it is about none of them. */
export function fieldOfError(message: string, sources: Source[]): string | undefined {
  const all = sources.map((source) => ({ ...source, members: membersOf(source) }));
  const [, path] = / at '([^']+)'/.exec(message) ?? [];
  const has = (wanted: (member: string) => boolean) => all.find((one) => one.members.some(wanted))?.field;
  if (path) return has((member) => member === path) ?? has((member) => member.startsWith(path + ".") || path.startsWith(member + "."));
  const words = new Set(message.match(/\w+/g));
  return (
    has((member) => words.has(lastName(member))) ??
    all.findLast(({ value }) => value !== "" && message.split(/[\s:,{}]+/).includes(value))?.field ??
    has((member) => member.split(".").some((name) => words.has(upperFirst(name)))) ??
    (/\bindex\b/i.test(message) ? has((member) => member.endsWith("indexName")) : undefined)
  );
}

const upperFirst = (name: string) => name[0]!.toUpperCase() + name.slice(1);
const lastName = (member: string) => upperFirst(member.slice(member.lastIndexOf(".") + 1));

// membersOf returns the members that differ when a field has another value, as the server names them.
function membersOf({ value, requests }: Source): string[] {
  const [before, after] = [value, value === "7" ? "8" : "7"].map((one) => {
    try {
      return flat(requests(one));
    } catch {
      return new Map<string, string>(); // the form says itself what is wrong with it
    }
  }) as [Map<string, string>, Map<string, string>];
  return [...new Set([...before.keys(), ...after.keys()])].filter((member) => before.get(member) !== after.get(member));
}

function flat(requests: object[]): Map<string, string> {
  const found = new Map<string, string>();
  const add = (value: unknown, at: string) => {
    if (Array.isArray(value)) value.forEach((one, i) => add(one, `${at}.${i + 1}.member`));
    else if (value !== null && typeof value === "object") for (const [name, one] of Object.entries(value)) add(one, at + (at && ".") + name[0]!.toLowerCase() + name.slice(1));
    else found.set(at, String(value));
  };
  for (const one of requests) add(one, "");
  return found;
}
