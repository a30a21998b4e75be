// A command of the AWS CLI, version 2, for a POSIX shell.

import { membersOf, secretKey, type Call, type Target } from "./request";

export function cli(call: Call, target: Target): string {
  const words = [`aws dynamodb ${kebab(call.operation)}`];
  if (target.endpoint) words.push(option("endpoint-url", target.endpoint));
  words.push(option("region", target.region));
  for (const { name, kind, value } of membersOf(call.input)) {
    if (kind === "boolean") words.push(`--${value ? "" : "no-"}${kebab(name)}`);
    else words.push(option(kebab(name), typeof value === "object" ? JSON.stringify(value) : String(value)));
  }
  const credentials = target.accessKey ? `AWS_ACCESS_KEY_ID=${quote(target.accessKey)} AWS_SECRET_ACCESS_KEY=${secretKey} \\\n` : "";
  return credentials + words.join(" \\\n  ") + "\n";
}

const kebab = (name: string) => name.replace(/(?!^)[A-Z]/g, "-$&").toLowerCase();

// option writes a value that begins with - after =, as it would be taken for an option.
const option = (name: string, value: string) => `--${name}${value.startsWith("-") ? "=" : " "}${quote(value)}`;

const quote = (text: string) => (/^[\w.,:=@%/+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
