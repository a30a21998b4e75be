// A client of DynamoDB: it speaks its JSON protocol. The server of the page signs, if need be.

import { caller } from "./caller";
import { send } from "./http";
import { add, counted } from "./spent";
import { tablesOf, written } from "./written";
import type { Item } from "./values";

/** An error that DynamoDB, or the server of the page, answered. */
export class ServiceError extends Error {
  constructor(
    readonly type: string, // without its namespace
    message: string,
    readonly status: number,
    readonly body: Record<string, unknown>,
  ) {
    super(message || type);
  }
}

export interface KeyElement {
  AttributeName: string;
  KeyType: "HASH" | "RANGE";
}

export interface IndexDescription {
  IndexName: string;
  KeySchema?: KeyElement[]; // a vector index has none
  Projection?: { ProjectionType: string; NonKeyAttributes?: string[] };
  ProvisionedThroughput?: { ReadCapacityUnits: number; WriteCapacityUnits: number };
  IndexStatus?: string;
  Backfilling?: boolean;
  VectorAttribute?: { AttributeName: string }; // of a vector index
  SearchSchema?: { AttributeName: string; SearchSchemaElementType: string }[];
  Dimensions?: number;
  DistanceFunction?: string;
  ItemCount?: number;
  IndexSizeBytes?: number;
  IndexArn?: string;
}

export interface TableDescription {
  TableName: string;
  TableStatus: string;
  TableArn?: string;
  TableId?: string;
  CreationDateTime?: number;
  KeySchema: KeyElement[];
  AttributeDefinitions: { AttributeName: string; AttributeType: string }[];
  ItemCount?: number;
  TableSizeBytes?: number;
  BillingModeSummary?: { BillingMode: string };
  ProvisionedThroughput?: { ReadCapacityUnits: number; WriteCapacityUnits: number };
  LocalSecondaryIndexes?: IndexDescription[];
  GlobalSecondaryIndexes?: IndexDescription[];
  VectorIndexes?: IndexDescription[];
  StreamSpecification?: { StreamEnabled: boolean; StreamViewType?: string };
  LatestStreamArn?: string;
  DeletionProtectionEnabled?: boolean;
  TableClassSummary?: { TableClass: string };
  OnDemandThroughput?: { MaxReadRequestUnits?: number; MaxWriteRequestUnits?: number };
  WarmThroughput?: { ReadUnitsPerSecond?: number; WriteUnitsPerSecond?: number; Status?: string };
  Replicas?: { RegionName: string; ReplicaStatus?: string }[];
}

export interface Capacity {
  CapacityUnits?: number;
  Table?: { CapacityUnits?: number }; // of it, that of the table itself
}

/** A page of Query or Scan. */
export interface Page {
  Items: Item[];
  Count: number;
  ScannedCount: number;
  LastEvaluatedKey?: Item;
  ConsumedCapacity?: Capacity;
}

/**
 * Calls an operation. It is one of DynamoDB Streams if its service is said to be. as is an access key
 * to send it for, in place of that of the present identity. Who shows items is told of a write, unless the
 * caller does that (tells).
 */
export async function call<Output = Record<string, unknown>>(
  operation: string,
  input: object,
  options: { signal?: AbortSignal; service?: "DynamoDB" | "DynamoDBStreams"; as?: string; tells?: boolean; told?: (headers: Headers) => void } = {},
): Promise<Output> {
  const answer = await send("dynamodb", {
    method: "POST",
    body: JSON.stringify(counted(operation, input)),
    headers: headersOf(operation, options.service ?? "DynamoDB", options.as),
    ...(options.signal ? { signal: options.signal } : {}),
  }, onlyReads(operation, input));
  options.told?.(answer.headers);
  const body = await bodyOf(answer);
  if (!answer.ok) {
    const type = String(body["__type"] ?? answer.statusText).replace(/^.*#/, "");
    throw new ServiceError(type, String(body["message"] ?? body["Message"] ?? body["error"] ?? ""), answer.status, body);
  }
  add(operation, body);
  if (!options.tells && !onlyReads(operation, input)) written(tablesOf(input));
  return body as Output;
}

// onlyReads reports whether a request changes nothing, so that it can be sent twice.
function onlyReads(operation: string, input: object): boolean {
  const { Statement } = input as { Statement?: string };
  return /^(Get|BatchGet|TransactGet|Query|Scan|Describe|List|Search)/.test(operation) || /^\s*select\b/i.test(Statement ?? "");
}

function headersOf(operation: string, service: string, as?: string): Record<string, string> {
  return {
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Target": `${service}_20120810.${operation}`,
    ...callerHeaders(as),
  };
}

/** The headers that say for whom the server of the page asks. */
export function callerHeaders(as?: string): Record<string, string> {
  const { accessKey: own, region, writes } = caller();
  const accessKey = as || own;
  const headers: Record<string, string> = {};
  if (accessKey) headers["X-Kugiri-Access-Key"] = accessKey;
  if (region) headers["X-Kugiri-Region"] = region;
  if (writes) headers["X-Kugiri-Writes"] = "allowed";
  return headers;
}

/** Creates the tables of a file, with its items if it has some. Returns notes about what the file leaves open. */
export async function loadFile(name: string, text: string): Promise<string[]> {
  const answer = await send("load?name=" + encodeURIComponent(name), {
    method: "POST",
    body: text,
    headers: { ...headersOf("", ""), "Content-Type": "text/plain" },
  });
  const body = await bodyOf(answer);
  if (!answer.ok) throw new Error(String(body["message"] ?? body["error"]));
  written();
  return (body["notes"] as string[] | null) ?? [];
}

async function bodyOf(answer: Response): Promise<Record<string, unknown>> {
  const text = await answer.text();
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { message: text.trim() };
  }
}

export async function describeTable(name: string, signal?: AbortSignal): Promise<TableDescription> {
  const out = await call<{ Table: TableDescription }>("DescribeTable", { TableName: name }, signal ? { signal } : {});
  return out.Table;
}

/** Whether an error is of a type, such as ResourceNotFoundException. */
export function isError(error: unknown, type: string): boolean {
  return error instanceof ServiceError && error.type === type;
}

/** What went wrong, for people. */
export function explain(error: unknown): string {
  if (error instanceof ServiceError) return error.message === error.type ? error.type : `${error.type}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
