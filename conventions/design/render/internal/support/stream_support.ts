import {
  BatchWriteCommand,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
  type BatchWriteCommandInput,
  type DynamoDBDocumentClient,
  type GetCommandInput,
  type QueryCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";

import { keyOf, type Item } from "./keys_support.js";
import { table } from "./table_name.js";
import { Expressions, Writer, updateOf, type Change } from "./writes_support.js";

/** An image of an item in DynamoDB's JSON. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type StreamImage = Record<string, any>;

/** A record of the stream, whose view type is NEW_AND_OLD_IMAGES: one of Lambda's event, or one of GetRecords. */
export interface StreamRecord {
  eventID?: string;
  eventName?: string;
  dynamodb?: { NewImage?: StreamImage; OldImage?: StreamImage; SequenceNumber?: string };
}

/**
 * Does what writes leave to the consumer of the table's stream: it changes counters, copies and last values, and puts
 * items into feeds. A record that it gets twice changes nothing a second time, except counters that are kept by the
 * stream without "once".
 */
export class Consumer {
  /**
   * unknown gets the records of items that are of no model. Without it such a record is an error, and the consumer
   * goes no further.
   */
  constructor(
    private readonly effects: Effects,
    private readonly shapes: Shape[],
    private readonly client: DynamoDBDocumentClient,
    private readonly unknown?: (record: StreamRecord) => void | Promise<void>,
  ) {}

  /**
   * The handler of a Lambda function: export const handler = (event) => consumer.handle(event). It logs an error, and
   * answers where to go on. The event source mapping must have FunctionResponseTypes: [ReportBatchItemFailures],
   * because without it Lambda takes a batch that has failed as done.
   */
  async handle(event: { Records: StreamRecord[] }): Promise<{ batchItemFailures: { itemIdentifier: string }[] }> {
    const { failed, error } = await this.consume(event.Records);
    if (failed === undefined) return { batchItemFailures: [] };
    console.error(`record ${failed} of the stream of ${table.name} failed`, error);
    return { batchItemFailures: [{ itemIdentifier: failed }] };
  }

  /**
   * Does what records cause, in their order. After an error it returns the sequence number of the record that failed:
   * go on there, AT_SEQUENCE_NUMBER. Nothing was done of the records after it.
   */
  async consume(records: StreamRecord[]): Promise<{ failed?: string; error?: unknown }> {
    for (const record of records) {
      try {
        await this.record(record);
      } catch (error) {
        return { failed: record.dynamodb?.SequenceNumber ?? "", error };
      }
    }
    return {};
  }

  private async record(record: StreamRecord): Promise<void> {
    const { NewImage, OldImage } = record.dynamodb ?? {};
    const event = record.eventName ?? "";
    const image = event === "REMOVE" ? OldImage : NewImage;
    if (!image || (event === "MODIFY" && !OldImage)) {
      throw new RangeError("a record lacks an image: the stream needs the view type NEW_AND_OLD_IMAGES");
    }
    const model = modelOf(this.shapes, image);
    if (model === undefined && this.unknown) return this.unknown(record);
    if (model === undefined) {
      throw new RangeError(`the item ${JSON.stringify(keyOf(image))} is of no model: give unknown for items of others`);
    }
    const effect = this.effects[`${event} ${model}`];
    if (!effect) return;
    const images = { image: imageOf(NewImage ?? {}), old: imageOf(OldImage ?? {}) };
    await effect(new Streaming(this.client), { eventID: record.eventID ?? "", ...images });
  }
}

/** What a record causes. */
type Effect = (s: Streaming, r: { eventID: string; image: Item; old: Item }) => Promise<void>;

/** What records cause, by their event and model. Other records cause nothing. */
export type Effects = Record<string, Effect>;

/** The patterns that attributes of an item match if the item is of a model. */
export interface Shape {
  model: string;
  keys: Record<string, RegExp>;
}

/** Returns the model of an item, or undefined. It reads keys only: numbers of others may be none of JavaScript. */
function modelOf(shapes: Shape[], image: StreamImage): string | undefined {
  const fits = ([name, pattern]: [string, RegExp]) => typeof image[name]?.S === "string" && pattern.test(image[name].S);
  return shapes.find(({ keys }) => Object.entries(keys).every(fits))?.model;
}

/** Reads an image. Lambda has binary values in base64. */
function imageOf(image: StreamImage): Item {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const bytes = (value: any): any => {
    if (Array.isArray(value)) return value.map(bytes);
    if (value === null || typeof value !== "object" || value instanceof Uint8Array) return value;
    const decode = (v: unknown) => (typeof v === "string" ? new Uint8Array(Buffer.from(v, "base64")) : bytes(v));
    const entries = Object.entries(value).map(([name, v]) => {
      if (name === "B") return [name, decode(v)];
      return [name, name === "BS" && Array.isArray(v) ? v.map(decode) : bytes(v)];
    });
    return Object.fromEntries(entries);
  };
  return unmarshall(bytes(image));
}

const batchSize = 25; // the most items of a BatchWriteItem
const streamTries = 10; // of items that a request left unprocessed, or of a conflict with a transaction
const streamWait = 50; // milliseconds before the second try; it doubles
const markStays = 24 * 3600; // seconds: as long as the stream has a record

/** Returns when the item expires that marks a record as counted. */
export const marked = (): number => Math.floor(Date.now() / 1000) + markStays;

/** Waits before another try. */
const pause = (tries: number) => new Promise((resolve) => setTimeout(resolve, streamWait * 2 ** (tries - 1)));

/** Returns why the items of a transaction were refused. */
function reasonsOf(error: unknown): (string | undefined)[] {
  if (!sameName(error, "TransactionCanceledException")) return [];
  const { CancellationReasons } = error as { CancellationReasons?: { Code?: string }[] };
  return (CancellationReasons ?? []).map(({ Code }) => Code);
}

/** Sends a request, and sends it again while it conflicts with a transaction. */
async function again(send: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await send();
      return;
    } catch (error) {
      const conflict = sameName(error, "TransactionConflictException") || reasonsOf(error).includes("TransactionConflict");
      if (!conflict || tries === streamTries) throw error;
    }
    await pause(tries);
  }
}

const sameName = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

type BatchRequest = NonNullable<NonNullable<BatchWriteCommandInput["RequestItems"]>[string]>[number];

/** Does what one record causes. */
export class Streaming {
  private batch = new Map<string, BatchRequest>(); // by key: a batch has an item once

  constructor(private readonly client: DynamoDBDocumentClient) {}

  /** Returns the item that a request finds, or undefined. */
  async found(input: GetCommandInput): Promise<Item | undefined> {
    return (await this.client.send(new GetCommand(input))).Item;
  }

  /** Returns all of an item, or undefined if it was deleted. */
  async whole(item: Item): Promise<Item | undefined> {
    return this.found({ TableName: table.name, Key: keyOf(item), ConsistentRead: true });
  }

  /** Returns the item that a request finds as a sequence. */
  async *only(input: GetCommandInput): AsyncGenerator<Item> {
    const item = await this.found(input);
    if (item) yield item;
  }

  /** Returns the items that requests find, page by page. */
  async *each(inputs: QueryCommandInput | QueryCommandInput[]): AsyncGenerator<Item> {
    for (const input of Array.isArray(inputs) ? inputs : [inputs]) {
      let from: Item | undefined;
      do {
        const page: { Items?: Item[]; LastEvaluatedKey?: Item } = await this.client.send(
          new QueryCommand({ ...input, ExclusiveStartKey: from }),
        );
        yield* page.Items ?? [];
        from = page.LastEvaluatedKey;
      } while (from);
    }
  }

  /**
   * Changes an item. It returns false if the condition does not hold: then the item was deleted or
   * changed.
   */
  async update(change: Change): Promise<boolean> {
    try {
      await again(() => this.client.send(new UpdateCommand(change)));
      return true;
    } catch (error) {
      if (!sameName(error, "ConditionalCheckFailedException")) throw error;
      return false;
    }
  }

  /**
   * Changes an item that has some attributes as they were from one state to another one. It returns false if they are
   * not.
   */
  async refresh<T>(same: string[], write: (v: T) => Item, was: T, is: T): Promise<boolean> {
    const [item] = new Writer().change(same, write(was), write(is)).items;
    return item?.Update ? this.update(item.Update) : true; // nothing differs
  }

  /**
   * Changes a copy that is stored beside other values of its item: it reads the item, and does so again if somebody
   * has changed it since.
   */
  async follow<T>(item: Item, same: string[], read: (i: Item) => T, write: (v: T) => Item, change: (v: T) => T) {
    for (let tries = 0; tries < streamTries; tries++) {
      const whole = await this.whole(item);
      if (!whole) return;
      const was = read(whole);
      if (await this.refresh(same, write, was, change(was))) return;
    }
    throw new Error(`the item ${JSON.stringify(keyOf(item))} changes all the time`);
  }

  /** Gives an item, if it is there, other values of attributes. */
  async set(item: Item, values: Item): Promise<void> {
    const e = new Expressions();
    const gone = Object.fromEntries(Object.keys(values).map((name) => [name, null])); // unlike each value
    const is = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    const UpdateExpression = e.update(gone, is);
    const ConditionExpression = e.there({}, []);
    await this.update({ TableName: table.name, Key: keyOf(item), UpdateExpression, ConditionExpression, ...e.used() });
  }

  /**
   * Gives the item with a key, if it is there, the values of a new one, unless it has those of a newer one: order is
   * the attribute that says so.
   */
  async newer(order: string, key: Item, values: Item): Promise<void> {
    if (Object.values(key).includes(undefined)) throw new RangeError("a value of the key of a last value is empty");
    const e = new Expressions();
    const gone = Object.fromEntries(Object.keys(values).map((name) => [name, null])); // unlike each value
    const is = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    const UpdateExpression = e.update(gone, is);
    const older = `(attribute_not_exists(${e.name(order)}) OR ${e.name(order)} < ${e.value(is[order])})`;
    const ConditionExpression = `${e.there({}, [])} AND ${older}`;
    await this.update({ TableName: table.name, Key: key, UpdateExpression, ConditionExpression, ...e.used() });
  }

  /** Puts an item with others. */
  async put(item: Item): Promise<void> {
    await this.add(item, { PutRequest: { Item: item } });
  }

  /** Deletes an item with others. */
  async remove(item: Item): Promise<void> {
    await this.add(item, { DeleteRequest: { Key: keyOf(item) } });
  }

  private async add(item: Item, request: BatchRequest): Promise<void> {
    this.batch.set(JSON.stringify(Object.values(keyOf(item))), request);
    if (this.batch.size === batchSize) await this.flush();
  }

  /** Sends the batch. It sends again what is left unprocessed. */
  async flush(): Promise<void> {
    let left = [...this.batch.values()];
    this.batch.clear();
    for (let tries = 0; left.length > 0; tries++) {
      if (tries === streamTries) throw new Error(`BatchWriteItem left ${left.length} items unprocessed`);
      if (tries > 0) await pause(tries);
      const out = await this.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: left } }));
      left = out.UnprocessedItems?.[table.name] ?? [];
    }
  }

  /** Adds to counters: those of an item are one update. */
  async count(w: Writer): Promise<void> {
    for (const a of w.adds) await this.update(updateOf(a));
  }

  /**
   * Adds to counters in one transaction with the item that marks the record as counted. It does nothing if that is
   * there. It leaves out counters of items that were deleted.
   */
  async countOnce(w: Writer): Promise<void> {
    for (let adds = w.adds; adds.length > 0; ) {
      const TransactItems = [...w.items, ...adds.map((a) => ({ Update: updateOf(a) }))];
      try {
        await again(() => this.client.send(new TransactWriteCommand({ TransactItems })));
        return;
      } catch (error) {
        const reasons = reasonsOf(error);
        const fails = (i: number) => reasons[i] === "ConditionalCheckFailed";
        if (fails(0)) return;
        const there = adds.filter((_, i) => !fails(w.items.length + i));
        if (there.length === adds.length) throw error;
        adds = there;
      }
    }
  }
}
