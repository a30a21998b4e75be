// A program in Go, with the SDK version 2.

import { open, type AttributeValue, type Item } from "../values";
import { indent, listOfParts, membersOf, printed, readsPages, secretKey, type Call, type Target } from "./request";

const by = "\t";
const sdk = "github.com/aws/aws-sdk-go-v2/";

export function go(call: Call, target: Target): string {
  const code = new Writer();
  const input = code.struct(`&dynamodb.${call.operation}Input`, call.input);
  const options = clientOptions(target);
  const imports = ["aws", "config", ...(target.accessKey ? ["credentials"] : []), "service/dynamodb", ...(code.usesTypes ? ["service/dynamodb/types"] : [])];
  if (!code.usesAWS && !target.endpoint) imports.shift();
  return `package main

import (
	"context"
${printed(call) ? '\t"encoding/json"\n' : ""}	"log"
${printed(call) ? '\t"os"\n' : ""}
${imports.map((one) => `\t"${sdk}${one}"\n`).join("")})

func main() {
	ctx := context.Background()
	cfg, err := config.LoadDefaultConfig(ctx, config.WithRegion(${text(target.region)}))
	if err != nil {
		log.Fatal(err)
	}
	client := dynamodb.NewFromConfig(cfg${options})
${indent(send(call, input), by)}
}
`;
}

function clientOptions({ endpoint, accessKey }: Target): string {
  if (!endpoint && !accessKey) return "";
  const lines = [
    ...(endpoint ? [`o.BaseEndpoint = aws.String(${text(endpoint)})`] : []),
    ...(accessKey ? [`o.Credentials = credentials.NewStaticCredentialsProvider(${text(accessKey)}, ${text(secretKey)}, "")`] : []),
  ];
  return `, func(o *dynamodb.Options) {\n${lines.map((l) => `\t\t${l}\n`).join("")}\t}`;
}

function send(call: Call, input: string): string {
  const print = `json.NewEncoder(os.Stdout).Encode(out.${printed(call)})`;
  const check = `if err != nil {\n\tlog.Fatal(err)\n}\n`;
  if (!printed(call)) return `_, err = client.${call.operation}(ctx, ${input})\n${check.trimEnd()}`;
  if (!readsPages(call)) return `out, err := client.${call.operation}(ctx, ${input})\n${check}${print}`;
  return `pages := dynamodb.New${call.operation}Paginator(client, ${input})
for pages.HasMorePages() {
${indent(`out, err := pages.NextPage(ctx)\n${check}${print}`, by)}
}`;
}

// The byte order mark is no character of Go programs.
const text = (s: string) => JSON.stringify(s).replaceAll("\ufeff", "\\ufeff");
const bytes = (base64: string) => `[]byte("${Array.from(atob(base64), (c) => "\\x" + c.charCodeAt(0).toString(16).padStart(2, "0")).join("")}")`;

// Writer writes values, and notes which packages they use: Go allows no imports that are not used.
class Writer {
  usesAWS = false;
  usesTypes = false;

  struct(type: string, members: object): string {
    const fields = membersOf(members).map(({ name, kind, value }) => `${name}: ${this.member(name, kind, value)}`);
    return fields.length ? `${type}{\n${fields.map((f) => indent(f, by) + ",\n").join("")}}` : `${type}{}`;
  }

  member(name: string, kind: string, value: unknown): string {
    switch (kind) {
      case "boolean":
        return this.pointer("Bool", String(value));
      case "number":
        return this.pointer("Int32", String(value));
      case "enum":
        return this.types(`${name}(${text(value as string)})`);
      case "strings":
        return texts(value as string[]);
      case "names":
        return map("map[string]string", value as object, (one) => text(one as string));
      case "item":
        return this.item(value as Item);
      case "values":
        return this.list(value as AttributeValue[]);
      case "statements":
        return this.statements(name, value as object[]);
      default:
        return this.pointer("String", text(value as string));
    }
  }

  pointer(type: string, value: string): string {
    this.usesAWS = true;
    return `aws.${type}(${value})`;
  }

  types(rest: string): string {
    this.usesTypes = true;
    return "types." + rest;
  }

  statements(member: string, all: object[]): string {
    const type = this.types(member === "Statements" ? "BatchStatementRequest" : "ParameterizedStatement");
    return `[]${type}{\n${all.map((one) => indent(this.struct("", one), by) + ",\n").join("")}}`;
  }

  item(item: Item): string {
    return map(`map[string]${this.types("AttributeValue")}`, item, (one) => this.attribute(one as AttributeValue));
  }

  list(values: AttributeValue[]): string {
    return listOfParts(`[]${this.types("AttributeValue")}{`, values.map((one) => this.attribute(one)), "}", by);
  }

  attribute(value: AttributeValue): string {
    const [type, content] = open(value);
    return `&${this.types(`AttributeValueMember${type}`)}{Value: ${this.content(type, content)}}`;
  }

  content(type: string, content: unknown): string {
    switch (type) {
      case "BOOL":
      case "NULL":
        return String(content);
      case "B":
        return bytes(content as string);
      case "BS":
        return listOfParts("[][]byte{", (content as string[]).map(bytes), "}", by);
      case "SS":
      case "NS":
        return texts(content as string[]);
      case "L":
        return this.list(content as AttributeValue[]);
      case "M":
        return this.item(content as Item);
      default:
        return text(content as string);
    }
  }
}

const texts = (all: string[]) => listOfParts("[]string{", all.map(text), "}", by);
const map = (type: string, members: object, of: (value: unknown) => string) => listOfParts(type + "{", Object.entries(members).map(([name, value]) => `${text(name)}: ${of(value)}`), "}", by);
