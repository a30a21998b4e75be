// A program in Python, with boto3.

import { open, type AttributeValue } from "../values";
import { indent, listOfParts, membersOf, printed, readsPages, secretKey, type Call, type Kind, type Target } from "./request";

const by = "    ";

export function python(call: Call, target: Target): string {
  const parts = membersOf(call.input).map((m) => `${m.name}=${literal(m.kind, m.value)}`);
  const method = call.operation.replace(/(?!^)[A-Z]/g, "_$&").toLowerCase();
  const body = readsPages(call)
    ? `for page in ${listOfParts(`client.get_paginator(${text(method)}).paginate(`, parts, ")", by)}:\n${indent(print(call, "page"), by)}`
    : `${printed(call) ? "answer = " : ""}${listOfParts(`client.${method}(`, parts, ")", by)}\n${print(call, "answer")}`.trimEnd();
  return `import boto3\n\nclient = ${listOfParts("boto3.client(", client(target), ")", by)}\n\n${body}\n`;
}

function client({ endpoint, region, accessKey }: Target): string[] {
  return [
    text("dynamodb"),
    `region_name=${text(region)}`,
    ...(endpoint ? [`endpoint_url=${text(endpoint)}`] : []),
    ...(accessKey ? [`aws_access_key_id=${text(accessKey)}`, `aws_secret_access_key=${text(secretKey)}`] : []),
  ];
}

function print(call: Call, answer: string): string {
  const member = printed(call);
  if (member === "") return "";
  if (member === "Count" || member === "Item") return `print(${answer}.get("${member}"))`;
  return `for item in ${answer}.get("${member}", []):\n${by}print(item)`;
}

const text = (s: string) => JSON.stringify(s); // a string of JSON is one of Python

function literal(kind: Kind, value: unknown): string {
  switch (kind) {
    case "boolean":
      return value ? "True" : "False";
    case "number":
      return String(value);
    case "string":
    case "enum":
      return text(value as string);
    case "strings":
      return list((value as string[]).map(text));
    case "names":
      return dict(value as object, (one) => text(one as string));
    case "item":
      return dict(value as object, (one) => attribute(one as AttributeValue));
    case "values":
      return list((value as AttributeValue[]).map(attribute));
    case "statements":
      return list((value as object[]).map((one) => listOfParts("{", membersOf(one).map((m) => `${text(m.name)}: ${literal(m.kind, m.value)}`), "}", by)));
  }
}

const list = (parts: string[]) => listOfParts("[", parts, "]", by);
const dict = (members: object, of: (value: unknown) => string) => listOfParts("{", Object.entries(members).map(([name, value]) => `${text(name)}: ${of(value)}`), "}", by);

function attribute(value: AttributeValue): string {
  const [type, content] = open(value);
  return `{"${type}": ${contentOf(type, content)}}`;
}

function contentOf(type: string, content: unknown): string {
  switch (type) {
    case "BOOL":
    case "NULL":
      return content ? "True" : "False";
    case "B":
      return bytes(content as string);
    case "BS":
      return list((content as string[]).map(bytes));
    case "SS":
    case "NS":
      return list((content as string[]).map(text));
    case "L":
      return list((content as AttributeValue[]).map(attribute));
    case "M":
      return dict(content as object, (one) => attribute(one as AttributeValue));
    default:
      return text(content as string);
  }
}

const bytes = (base64: string) => `b"${Array.from(atob(base64), (c) => "\\x" + c.charCodeAt(0).toString(16).padStart(2, "0")).join("")}"`;
