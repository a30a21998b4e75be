// Programs in JavaScript, with the SDK version 3: with its client, whose values are those of the wire,
// and with its document client, whose values are those of JavaScript.

import { t } from "../../i18n";
import { open, type AttributeValue, type Item } from "../values";
import { indent, listOfParts, membersOf, printed, readsPages, secretKey, type Call, type Target } from "./request";

const by = "  ";

export function javascript(call: Call, target: Target): string {
  const input = object(call.input, wire);
  return `import { DynamoDBClient, ${sender(call)} } from "@aws-sdk/client-dynamodb";

const client = new DynamoDBClient(${options(target)});

${send(call, "client", input)}
`;
}

export function javascriptDocument(call: Call, target: Target): string {
  const used = { numbers: false };
  const own = { ...call, operation: call.operation.replace(/Item$/, "") as Call["operation"] }; // PutCommand puts an item
  const input = object(call.input, (value) => native(value, used));
  const ofTables = call.operation === "ListTables"; // it has no values, and is the client's
  return `import { DynamoDBClient${ofTables ? `, ${sender(own)}` : ""} } from "@aws-sdk/client-dynamodb";
import { ${["DynamoDBDocumentClient", ...(used.numbers ? ["NumberValue"] : []), ...(ofTables ? [] : [sender(own)])].join(", ")} } from "@aws-sdk/lib-dynamodb";

const client = DynamoDBDocumentClient.from(new DynamoDBClient(${options(target)}), {
  unmarshallOptions: { wrapNumbers: true }, // numbers of JavaScript have 16 digits, those of DynamoDB 38
});

${send(call, "client", input, own)}
`;
}

const sender = (call: Call) => (readsPages(call) ? `paginate${call.operation}` : `${call.operation}Command`);

function options({ endpoint, region, accessKey }: Target): string {
  return braces([
    `region: ${text(region)}`,
    ...(endpoint ? [`endpoint: ${text(endpoint)}`] : []),
    ...(accessKey ? [`credentials: { accessKeyId: ${text(accessKey)}, secretAccessKey: ${text(secretKey)} }`] : []),
  ]);
}

function send(call: Call, client: string, input: string, named = call): string {
  if (readsPages(call)) return `for await (const page of paginate${call.operation}({ ${client} }, ${input})) {\n${indent(print(call, "page"), by)}\n}`;
  if (!printed(call)) return `await ${client}.send(new ${named.operation}Command(${input}));`;
  return `const answer = await ${client}.send(new ${named.operation}Command(${input}));\n${print(call, "answer")}`;
}

function print(call: Call, answer: string): string {
  const member = printed(call);
  if (member === "Count" || member === "Item") return `console.log(${answer}.${member});`;
  return `for (const item of ${answer}.${member} ?? []) console.log(item);`;
}

const text = (s: string) => JSON.stringify(s);
const bytes = (base64: string) => `Buffer.from(${text(base64)}, "base64")`;
const braces = (parts: string[]) => listOfParts("{", parts, "}", by, " ");
const brackets = (parts: string[]) => listOfParts("[", parts, "]", by);

// property writes the name of a member. __proto__ would be no member, but the prototype.
function property(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : text(name);
}

const members = (of: object, value: (one: unknown) => string) => braces(Object.entries(of).map(([name, one]) => `${property(name)}: ${value(one)}`));

// object writes the members of a request, with the values of attributes written by value.
function object(input: object, value: (one: AttributeValue) => string): string {
  return braces(membersOf(input).map((m) => {
    switch (m.kind) {
      case "item":
        return `${m.name}: ${members(m.value as Item, (one) => value(one as AttributeValue))}`;
      case "values":
        return `${m.name}: ${brackets((m.value as AttributeValue[]).map(value))}`;
      case "statements":
        return `${m.name}: ${brackets((m.value as object[]).map((one) => object(one, value)))}`;
      case "names":
        return `${m.name}: ${members(m.value as object, (one) => text(one as string))}`;
      default:
        return `${m.name}: ${JSON.stringify(m.value)}`;
    }
  }));
}

function wire(value: AttributeValue): string {
  const [type, content] = open(value);
  switch (type) {
    case "B":
      return `{ B: ${bytes(content as string)} }`;
    case "BS":
      return `{ BS: ${brackets((content as string[]).map(bytes))} }`;
    case "L":
      return `{ L: ${brackets((content as AttributeValue[]).map(wire))} }`;
    case "M":
      return `{ M: ${members(content as Item, (one) => wire(one as AttributeValue))} }`;
    case "SS":
    case "NS":
      return `{ ${type}: ${brackets((content as string[]).map(text))} }`;
    default:
      return `{ ${type}: ${JSON.stringify(content)} }`;
  }
}

interface Used {
  numbers: boolean; // NumberValue is used
}

function native(value: AttributeValue, used: Used): string {
  const [type, content] = open(value);
  switch (type) {
    case "N":
      return number(content as string, used, isSafe(content as string));
    case "B":
      return bytes(content as string);
    case "NULL":
      return "null";
    case "SS":
      return set((content as string[]).map(text));
    case "NS": { // one kind for all members
      const safe = (content as string[]).every(isSafe);
      return set((content as string[]).map((one) => number(one, used, safe)));
    }
    case "BS":
      return set((content as string[]).map(bytes));
    case "L":
      return brackets((content as AttributeValue[]).map((one) => native(one, used)));
    case "M":
      if (Object.hasOwn(content as Item, "__proto__")) throw new Error(t("code.proto")); // it would send an empty value
      return members(content as Item, (one) => native(one as AttributeValue, used));
    default:
      return JSON.stringify(content);
  }
}

const set = (parts: string[]) => `new Set(${brackets(parts)})`;

// isSafe reports whether a number of JavaScript is that number. The document client refuses integers
// that are larger than safe ones.
const isSafe = (digits: string) => String(Number(digits)) === digits && Math.abs(Number(digits)) <= Number.MAX_SAFE_INTEGER;

function number(digits: string, used: Used, safe: boolean): string {
  if (safe) return digits;
  used.numbers = true;
  return `NumberValue.from(${text(digits)})`;
}
