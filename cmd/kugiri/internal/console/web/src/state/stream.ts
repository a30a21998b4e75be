// The records of streams, read as they come: in each shard in order, and parents before their
// children.

import { call, isError } from "../api/dynamodb";
import type { Item } from "../api/values";

export type EventName = "INSERT" | "MODIFY" | "REMOVE";

export interface StreamRecord {
  sequence: string;
  shard: string;
  event: EventName;
  seconds: number; // since 1970
  keys: Item;
  before?: Item;
  after?: Item;
  size: number; // bytes
  expired: boolean; // deleted by TTL
}

/** Where reading begins: at the oldest record, with what comes from now on, or at a sequence number. */
export type From = "oldest" | "newest" | { sequence: string };

interface Shard {
  id: string;
  parent: string | undefined;
  start: object; // the members of GetShardIterator that say where to begin
  iterator?: string;
  last?: string; // the sequence number of the last record that was read
  done: boolean;
}

interface ShardDescription {
  ShardId: string;
  ParentShardId?: string;
  SequenceNumberRange: { StartingSequenceNumber?: string; EndingSequenceNumber?: string };
}

interface StreamDescription {
  StreamStatus: string;
  Shards: ShardDescription[];
  LastEvaluatedShardId?: string;
}

interface RecordDescription {
  eventName: EventName;
  userIdentity?: { Type?: string };
  dynamodb: {
    ApproximateCreationDateTime?: number;
    Keys: Item;
    OldImage?: Item;
    NewImage?: Item;
    SequenceNumber: string;
    SizeBytes?: number;
  };
}

const horizon = { ShardIteratorType: "TRIM_HORIZON" };

const pagesAtOnce = 20; // of a shard, before the others have their turn

/** Reads a stream from a place on, and goes on where it was each time. */
export class StreamReader {
  private shards = new Map<string, Shard>();
  private listed = false;
  private ended = false; // the stream is switched off and has no more shards

  constructor(
    private readonly arn: string,
    private readonly from: From,
  ) {}

  /** How many shards are read at present, and how many there are. */
  get progress(): { open: number; all: number } {
    const all = [...this.shards.values()];
    return { open: all.filter((s) => !s.done && this.ready(s)).length, all: all.length };
  }

  /** Reads what has come since the last time, in the order in which it came. */
  async poll(signal: AbortSignal): Promise<StreamRecord[]> {
    if (!this.listed) await this.list(signal);
    const records: StreamRecord[] = [];
    for (const shard of this.shards.values()) {
      if (!shard.done && this.ready(shard)) records.push(...(await this.read(shard, signal)));
    }
    const all = [...this.shards.values()];
    if (!this.ended && all.every((s) => s.done)) this.listed = false; // their children come
    return records.sort((a, b) => a.seconds - b.seconds || compare(a.sequence, b.sequence));
  }

  // ready reports whether a shard's parent has been read.
  private ready(shard: Shard): boolean {
    const parent = shard.parent === undefined ? undefined : this.shards.get(shard.parent);
    return !parent || parent.done;
  }

  // list adds the shards that are new. Parents are listed before their children.
  private async list(signal: AbortSignal): Promise<void> {
    const first = this.shards.size === 0;
    let from: string | undefined;
    do {
      const { StreamDescription: s }: { StreamDescription: StreamDescription } = await streams("DescribeStream", {
        StreamArn: this.arn,
        ...(from ? { ExclusiveStartShardId: from } : {}),
      }, signal);
      this.ended = s.StreamStatus === "DISABLED";
      for (const d of s.Shards) if (!this.shards.has(d.ShardId)) this.shards.set(d.ShardId, shardOf(d, first ? this.from : "oldest"));
      from = s.LastEvaluatedShardId;
    } while (from);
    this.listed = true;
  }

  private async read(shard: Shard, signal: AbortSignal): Promise<StreamRecord[]> {
    const records: StreamRecord[] = [];
    for (let pages = 0; pages < pagesAtOnce && !shard.done; pages++) {
      const page = await this.page(shard, signal);
      for (const r of page.Records) records.push(recordOf(r, shard.id));
      if (records.length) shard.last = records.at(-1)!.sequence;
      if (page.NextShardIterator) shard.iterator = page.NextShardIterator;
      else this.finish(shard);
      if (page.Records.length === 0) break;
    }
    return records;
  }

  // finish ends a shard, which has rolled or split if the stream goes on: there are new ones.
  private finish(shard: Shard): void {
    shard.done = true;
    delete shard.iterator;
    this.listed = false;
  }

  // page reads a page. An iterator that has expired is replaced by one for the same place, and a
  // place that is trimmed by the oldest record. A shard that is gone has ended.
  private async page(shard: Shard, signal: AbortSignal): Promise<{ Records: RecordDescription[]; NextShardIterator?: string }> {
    for (;;) {
      const had = shard.iterator !== undefined;
      try {
        shard.iterator ??= await this.iterator(shard, signal);
        return await streams("GetRecords", { ShardIterator: shard.iterator, Limit: 1000 }, signal);
      } catch (error) {
        delete shard.iterator;
        const gone = isError(error, "TrimmedDataAccessException") || isError(error, "ResourceNotFoundException");
        if (gone && shard.start === horizon && !shard.last) return { Records: [] };
        if (gone && shard.last) {
          delete shard.last;
          shard.start = horizon;
        } else if (!had || !isError(error, "ExpiredIteratorException")) throw error;
        else if (!shard.last) shard.start = horizon; // shows too much rather than too little
      }
    }
  }

  private async iterator(shard: Shard, signal: AbortSignal): Promise<string> {
    const start = shard.last ? { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: shard.last } : shard.start;
    const out: { ShardIterator: string } = await streams("GetShardIterator", { StreamArn: this.arn, ShardId: shard.id, ...start }, signal);
    return out.ShardIterator;
  }
}

function streams<Output>(operation: string, input: object, signal: AbortSignal): Promise<Output> {
  return call<Output>(operation, input, { service: "DynamoDBStreams", signal });
}

// shardOf says where the reading of a shard begins, or that there is nothing to read in it.
function shardOf(d: ShardDescription, from: From): Shard {
  const { StartingSequenceNumber: first, EndingSequenceNumber: last } = d.SequenceNumberRange;
  const shard: Shard = { id: d.ShardId, parent: d.ParentShardId, start: horizon, done: false };
  if (from === "newest") {
    shard.done = last !== undefined;
    shard.start = { ShardIteratorType: "LATEST" };
  } else if (from !== "oldest") {
    shard.done = last !== undefined && compare(last, from.sequence) < 0;
    if (first === undefined || compare(first, from.sequence) <= 0) {
      shard.start = { ShardIteratorType: "AT_SEQUENCE_NUMBER", SequenceNumber: from.sequence };
    }
  }
  return shard;
}

// compare compares sequence numbers, which have more digits than a number of JavaScript.
function compare(a: string, b: string): number {
  const [x, y] = [a, b].map((text) => text.replace(/^0+/, ""));
  return x!.length - y!.length || (x! < y! ? -1 : x! > y! ? 1 : 0);
}

function recordOf(r: RecordDescription, shard: string): StreamRecord {
  const d = r.dynamodb;
  return {
    sequence: d.SequenceNumber,
    shard,
    event: r.eventName,
    seconds: d.ApproximateCreationDateTime ?? 0,
    keys: d.Keys,
    size: d.SizeBytes ?? 0,
    expired: r.userIdentity?.Type === "Service",
    ...(d.OldImage ? { before: d.OldImage } : {}),
    ...(d.NewImage ? { after: d.NewImage } : {}),
  };
}
