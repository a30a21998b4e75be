import { isDeepStrictEqual } from "node:util";

import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
  type DynamoDBDocumentClient,
  type TransactWriteCommandInput,
} from "@aws-sdk/lib-dynamodb";

import { keyOf, type Item } from "./keys_support.js";
import { keyNames, table } from "./table_name.js";

type TransactItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];
export type Change = NonNullable<TransactItem["Update"]>;

/** The requests of a write: one, and then one for each counter that is kept by ADD. */
export class Write {
  constructor(
    /** Those of a transaction; one that stands alone is a single write. */
    readonly items: TransactItem[],
    readonly after: Change[],
    private readonly alone: boolean,
  ) {}

  /**
   * Sends the requests. A condition that does not hold is a ConditionalCheckFailedException, or a
   * TransactionCanceledException with this reason: then nothing was written. A transaction that is sent again
   * with its token changes nothing a second time for ten minutes: keep it for all tries of a write. Without it
   * the SDK makes one for its own tries. A write of one item has no token: after a lost answer, the SDK's own
   * second try finds what the first one wrote, and is refused.
   */
  async send(client: DynamoDBDocumentClient, token?: string): Promise<void> {
    const [{ Put, Update, Delete }] = this.items as [TransactItem];
    if (!this.alone) {
      await client.send(new TransactWriteCommand({ TransactItems: this.items, ClientRequestToken: token }));
    } else if (Put) {
      await client.send(new PutCommand(Put));
    } else if (Delete) {
      await client.send(new DeleteCommand(Delete));
    } else if (Update) {
      await client.send(new UpdateCommand(Update));
    }
    for (const change of this.after) await client.send(new UpdateCommand(change));
  }
}

/** The names and values of a request's expressions. */
export class Expressions {
  private readonly names = new Map<string, string>();
  private readonly values = new Map<string, unknown>();

  name(of: string): string {
    if (!this.names.has(of)) this.names.set(of, `#n${this.names.size}`);
    return this.names.get(of) as string;
  }

  value(of: unknown): string {
    const placeholder = `:v${this.values.size}`;
    this.values.set(placeholder, of);
    return placeholder;
  }

  /** The condition that an item is there, and has some attributes as they were. */
  there(was: Item, same: string[]): string {
    return [`attribute_exists(${this.name(keyNames[0] as string)})`, ...this.same(was, same)].join(" AND ");
  }

  /** The conditions that an item has some attributes as they were. */
  same(was: Item, same: string[]): string[] {
    return same.map((name) =>
      was[name] === undefined ? `attribute_not_exists(${this.name(name)})` : `${this.name(name)} = ${this.value(was[name])}`,
    );
  }

  /** The condition that a number is the last one. Before the first one there is none, or it is 0. */
  last(name: string, last: number): string {
    const same = `${this.name(name)} = ${this.value(last)}`;
    return last === 0 ? `(attribute_not_exists(${this.name(name)}) OR ${same})` : same;
  }

  /** The update expression between two states of an item. */
  update(was: Item, is: Item): string {
    const sets = Object.keys(is)
      .filter((name) => !isDeepStrictEqual(was[name], is[name]))
      .map((name) => `${this.name(name)} = ${this.value(is[name])}`);
    const removes = Object.keys(was)
      .filter((name) => is[name] === undefined)
      .map((name) => this.name(name));
    return [sets.length ? `SET ${sets.join(", ")}` : "", removes.length ? `REMOVE ${removes.join(", ")}` : ""]
      .filter(Boolean)
      .join(" ");
  }

  used(): { ExpressionAttributeNames: Record<string, string>; ExpressionAttributeValues?: Item } {
    const names = Object.fromEntries([...this.names].map(([name, placeholder]) => [placeholder, name]));
    const values = this.values.size ? { ExpressionAttributeValues: Object.fromEntries(this.values) } : {};
    return { ExpressionAttributeNames: names, ...values };
  }
}

const sameKey = (a: Item, b: Item): boolean => isDeepStrictEqual(keyOf(a), keyOf(b));

/** The sums that are added to the counters of an item, which must have some values. */
interface Adding {
  key: Item;
  same: Item[];
  next: [name: string, last: number][];
  sets?: Item;
  sums: Record<string, number>;
  after: boolean;
}

/** Collects the items of a write. */
export class Writer {
  readonly items: TransactItem[] = [];
  readonly adds: Adding[] = [];
  private last?: Adding; // the last one that got a number
  private shifts = false;

  /** Puts an item, unless the table has one with its key. */
  put(item: Item): this {
    const e = new Expressions();
    const ConditionExpression = `attribute_not_exists(${e.name(keyNames[0] as string)})`;
    this.items.push({ Put: { TableName: table.name, Item: item, ConditionExpression, ...e.used() } });
    return this;
  }

  /** Deletes an item that is there, with some attributes as they were. */
  remove(same: string[], item: Item): this {
    const e = new Expressions();
    const ConditionExpression = e.there(item, same);
    this.items.push({ Delete: { TableName: table.name, Key: keyOf(item), ConditionExpression, ...e.used() } });
    return this;
  }

  /** Deletes a guard: the item that reserves the values of another one. */
  release(item: Item): this {
    this.items.push({ Delete: { TableName: table.name, Key: keyOf(item) } });
    return this;
  }

  /** Replaces a guard by another one, unless both have the same key. */
  move(was: Item, is: Item): this {
    return sameKey(was, is) ? this : this.release(was).put(is);
  }

  /** Updates what differs between two states of an item, which has some attributes as they were. */
  change(same: string[], was: Item, is: Item): this {
    if (!sameKey(was, is)) throw new RangeError("a change leaves the primary key of an item as it is");
    const e = new Expressions();
    const ConditionExpression = e.there(was, same);
    const UpdateExpression = e.update(was, is);
    const all = { TableName: table.name, Key: keyOf(is), ConditionExpression, ...e.used() };
    this.items.push(UpdateExpression ? { Update: { ...all, UpdateExpression } } : { ConditionCheck: all });
    return this;
  }

  /** Lessens numbers of an item by as much as of has of each, if there is as much. With give it adds to them. */
  take(give: boolean, names: string[], of: Item): this {
    const e = new Expressions();
    const conditions = [e.there({}, [])];
    const sets = names.map((name) => {
      if (!(Number(of[name]) > 0)) throw new RangeError(`say how much ${name} changes by: a number above 0`);
      const [number, amount] = [e.name(name), e.value(of[name])];
      if (!give) conditions.push(`${number} >= ${amount}`);
      return `${number} = ${number} ${give ? "+" : "-"} ${amount}`;
    });
    const UpdateExpression = `SET ${sets.join(", ")}`;
    const ConditionExpression = conditions.join(" AND ");
    this.items.push({
      Update: { TableName: table.name, Key: keyOf(of), UpdateExpression, ConditionExpression, ...e.used() },
    });
    return this;
  }

  /** Adds numbers to counters of an item. One that only counts is made by the first number, with sets. */
  add(after: boolean, key: Item, sets: Item | undefined, numbers: Record<string, number>): this {
    if (Object.values(key).includes(undefined)) throw new RangeError("a value of the key of a counter is empty");
    const known = this.adds.find((a) => a.after === after && isDeepStrictEqual(a.key, key));
    const adding = known ?? { key, same: [], next: [], sets, sums: {}, after };
    for (const [name, number] of Object.entries(numbers)) adding.sums[name] = (adding.sums[name] ?? 0) + number;
    if (!known) this.adds.push(adding);
    this.last = adding;
    return this;
  }

  /**
   * Has the item of the last addition need some values: those of a copy, which is not put if it is out of date.
   * undefined is that there must be none.
   */
  same(values: Item): this {
    this.last?.same.push(values);
    return this;
  }

  /**
   * Has the item of the last addition need the number before one that it gives: an item whose number somebody else
   * has got, or that would leave out a number, is not put.
   */
  next(name: string, number: number | undefined): this {
    if (!Number.isSafeInteger(number) || Number(number) < 1) {
      throw new RangeError(`${number} is no number to give: want 1 or a whole number above it`);
    }
    this.last?.next.push([name, Number(number) - 1]);
    return this;
  }

  /**
   * Changes counters of an item from what an item added to them before a change to what it adds after that. Counters
   * that stay as they are are left alone.
   */
  shift(key: Item, sets: Item | undefined, was: Record<string, number>, is: Record<string, number>): this {
    this.shifts = true;
    const less = Object.fromEntries(Object.entries(was).map(([name, number]) => [name, -number]));
    return this.add(false, key, sets, less).add(false, key, sets, is);
  }

  /** Returns the write. alone says that it is one item. */
  done(alone: boolean): Write {
    const adds = this.adds.filter((a) => !this.shifts || Object.values(a.sums).some((sum) => sum !== 0));
    const after = adds.filter((a) => a.after).map(updateOf);
    const items = [...this.items, ...adds.filter((a) => !a.after).map((a) => ({ Update: updateOf(a) }))];
    if (items.length === 0) throw new RangeError("there is nothing to write");
    return new Write(items, after, alone);
  }
}

/** The request of an addition. */
export function updateOf({ key, same, next, sets, sums }: Adding): Change {
  const e = new Expressions();
  const set = Object.entries(sets ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${e.name(name)} = ${e.value(value)}`);
  const add = Object.entries(sums).map(([name, number]) => `${e.name(name)} ${e.value(number)}`);
  const there = () => [e.there({}, []), ...same.flatMap((values) => e.same(values, Object.keys(values)))];
  const conditions = [...(sets ? [] : there()), ...next.map(([name, last]) => e.last(name, last))];
  const ConditionExpression = conditions.join(" AND ") || undefined;
  const UpdateExpression = `${set.length ? `SET ${set.join(", ")} ` : ""}ADD ${add.join(", ")}`;
  return { TableName: table.name, Key: key, UpdateExpression, ConditionExpression, ...e.used() };
}

/** Pairs the states of items before and after a write. */
export function pairs<T>(before: T[], after: T[]): [T, T][] {
  if (before.length !== after.length) throw new RangeError("each item is given as it is and as it will be");
  return before.map((was, i) => [was, after[i] as T]);
}
