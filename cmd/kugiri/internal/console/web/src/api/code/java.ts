// A program in Java, with the SDK version 2.

import { open, type AttributeValue, type Item } from "../values";
import { indent, listOfParts, lowerFirst, membersOf, printed, readsPages, secretKey, type Call, type Kind, type Target } from "./request";

const by = "    ";

export function java(call: Call, target: Target): string {
  return `import java.net.URI;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.*;

public class Main {
    public static void main(String[] args) {
        try (DynamoDbClient client = ${indent(client(target), by + by + by).trimStart()}) {
${indent(send(call), by + by + by)}
        }
    }
}
`;
}

function client({ endpoint, region, accessKey }: Target): string {
  return chain("DynamoDbClient.builder()", [
    `region(Region.of(${text(region)}))`,
    ...(endpoint ? [`endpointOverride(URI.create(${text(endpoint)}))`] : []),
    ...(accessKey ? [`credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(${text(accessKey)}, ${text(secretKey)})))`] : []),
  ]);
}

function send(call: Call): string {
  const { operation } = call;
  const request = builder(`${operation}Request`, call.input);
  const print = (answer: string) => `System.out.println(${answer}.${lowerFirst(printed(call))}());`;
  if (!printed(call)) return `client.${lowerFirst(operation)}(${request});`;
  if (!readsPages(call)) return `${operation}Response answer = client.${lowerFirst(operation)}(${request});\n${print("answer")}`;
  return `for (${operation}Response page : client.${lowerFirst(operation)}Paginator(${request})) {\n${indent(print("page"), by)}\n}`;
}

const chain = (first: string, calls: string[]) => [first, ...[...calls, "build()"].map((one) => indent("." + one, by + by))].join("\n");

function builder(type: string, input: object): string {
  return chain(`${type}.builder()`, membersOf(input).map((m) => `${lowerFirst(m.name)}(${literal(m.name, m.kind, m.value)})`));
}

const text = (s: string) => JSON.stringify(s);
const bytes = (base64: string) => `SdkBytes.fromByteArray(Base64.getDecoder().decode(${text(base64)}))`;
const list = (parts: string[]) => listOf("List.of(", parts);
const entries = (members: object, of: (value: unknown) => string) => listOf("Map.ofEntries(", Object.entries(members).map(([name, value]) => `Map.entry(${text(name)}, ${of(value)})`));

// listOf is a list of arguments, which has no comma at its end.
const listOf = (begin: string, parts: string[]) => listOfParts(begin, parts, ")", by).replace(/,\n\)$/, ")");

function literal(member: string, kind: Kind, value: unknown): string {
  switch (kind) {
    case "boolean":
    case "number":
      return String(value);
    case "strings":
      return list((value as string[]).map(text));
    case "names":
      return entries(value as object, (one) => text(one as string));
    case "item":
      return item(value as Item);
    case "values":
      return list((value as AttributeValue[]).map(attribute));
    case "statements":
      return list((value as object[]).map((one) => builder(member === "Statements" ? "BatchStatementRequest" : "ParameterizedStatement", one)));
    default:
      return text(value as string);
  }
}

const item = (members: Item) => entries(members, (one) => attribute(one as AttributeValue));

function attribute(value: AttributeValue): string {
  const [type, content] = open(value);
  switch (type) {
    case "BOOL":
    case "NULL":
      return `AttributeValue.${type === "BOOL" ? "fromBool" : "fromNul"}(${String(content)})`;
    case "B":
      return `AttributeValue.fromB(${bytes(content as string)})`;
    case "BS":
      return `AttributeValue.fromBs(${list((content as string[]).map(bytes))})`;
    case "SS":
    case "NS":
      return `AttributeValue.from${type === "SS" ? "Ss" : "Ns"}(${list((content as string[]).map(text))})`;
    case "L":
      return `AttributeValue.fromL(${list((content as AttributeValue[]).map(attribute))})`;
    case "M":
      return `AttributeValue.fromM(${item(content as Item)})`;
    default:
      return `AttributeValue.from${type}(${text(content as string)})`;
  }
}
