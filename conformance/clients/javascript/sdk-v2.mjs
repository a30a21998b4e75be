// The AWS SDK for JavaScript v2: DocumentClient, DynamoDB and DynamoDBStreams.
import assert from "node:assert/strict";

import AWS from "aws-sdk";

import {
  advance,
  edges,
  numbersTo,
  parts,
  run,
  sleep,
  tooLong,
  tooLongMessage,
  unprocessed,
} from "./scenario.mjs";

const TableName = "orders";
const { hostname } = new AWS.DynamoDB().endpoint; // it does not read AWS_ENDPOINT_URL_DYNAMODB
assert.equal(hostname, "dynamodb.us-east-1.amazonaws.com");
const service = { endpoint: process.env.DYNAMODB_ENDPOINT, maxRetries: 3 };
const db = new AWS.DynamoDB(service);
const documents = new AWS.DynamoDB.DocumentClient({ service: db });
const streams = new AWS.DynamoDBStreams(service);

const keys = (partition, sort) => [
  { AttributeName: partition, KeyType: "HASH" },
  { AttributeName: sort, KeyType: "RANGE" },
];
const index = (IndexName, KeySchema) => ({
  IndexName,
  KeySchema,
  Projection: { ProjectionType: "ALL" },
});
const attributes = (types) =>
  Object.entries(types).map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
const get = async (customer, at) =>
  (await documents.get({ TableName, Key: { customer, at }, ConsistentRead: true }).promise()).Item;
const put = (Item) => documents.put({ TableName, Item }).promise();

async function tables() {
  await db
    .createTable({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: keys("customer", "at"),
      AttributeDefinitions: attributes({ customer: "S", at: "N", status: "S", total: "N" }),
      GlobalSecondaryIndexes: [index("by-status", keys("status", "at"))],
      LocalSecondaryIndexes: [index("by-total", keys("customer", "total"))],
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
      Tags: [{ Key: "team", Value: "sales" }],
    })
    .promise();
  const $waiter = { delay: 0.05, maxAttempts: 100 };
  const { Table } = await db.waitFor("tableExists", { TableName, $waiter }).promise();
  assert.equal(Table.LocalSecondaryIndexes[0].IndexName, "by-total");
  const { Tags } = await db.listTagsOfResource({ ResourceArn: Table.TableArn }).promise();
  assert.deepEqual(Tags, [{ Key: "team", Value: "sales" }]);
  const TimeToLiveSpecification = { AttributeName: "expires", Enabled: true };
  await db.updateTimeToLive({ TableName, TimeToLiveSpecification }).promise();
  const { TimeToLiveDescription } = await db.describeTimeToLive({ TableName }).promise();
  assert.equal(TimeToLiveDescription.TimeToLiveStatus, "ENABLED");
  await db
    .updateTable({
      TableName,
      AttributeDefinitions: attributes({ status: "S", total: "N" }),
      GlobalSecondaryIndexUpdates: [
        { Create: index("by-status-and-total", keys("status", "total")) },
      ],
    })
    .promise();
  const changed = await db.describeTable({ TableName }).promise();
  assert.equal(changed.Table.GlobalSecondaryIndexes.length, 2);
  assert.deepEqual((await db.listTables().promise()).TableNames, [TableName]);
}

async function conditions() {
  const written = { customer: "conditions", at: 1, status: "new", version: 1 };
  await put(written);
  const again = documents.put({
    TableName,
    Item: { ...written, status: "late" },
    ConditionExpression: "attribute_not_exists(customer)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  await assert.rejects(again.promise(), {
    code: "ConditionalCheckFailedException",
    message: "The conditional request failed",
    statusCode: 400,
  });
  const save = (read) =>
    documents
      .update({
        TableName,
        Key: { customer: "conditions", at: 1 },
        UpdateExpression: "SET note = :note ADD version :one",
        ConditionExpression: "version = :read",
        ExpressionAttributeValues: { ":note": "paid", ":one": 1, ":read": read },
        ReturnValues: "ALL_NEW",
      })
      .promise();
  await assert.rejects(save(2), { code: "ConditionalCheckFailedException" });
  assert.deepEqual(await get("conditions", 1), written);
  assert.deepEqual((await save(1)).Attributes, { ...written, note: "paid", version: 2 });
}

async function updates() {
  const Key = { customer: "updates", at: 1 };
  await put({ ...Key, note: "x", amount: 5, labels: documents.createSet(["a", "b"]) });
  const changed = await documents
    .update({
      TableName,
      Key,
      UpdateExpression:
        "SET amount = amount - :two, version = if_not_exists(version, :seven), " +
        "notes = list_append(if_not_exists(notes, :none), :first) REMOVE note",
      ExpressionAttributeValues: { ":two": 2, ":seven": 7, ":none": [], ":first": ["first"] },
      ReturnValues: "ALL_NEW",
    })
    .promise();
  const { labels, ...rest } = changed.Attributes;
  assert.deepEqual(rest, { ...Key, amount: 3, version: 7, notes: ["first"] });
  assert.deepEqual(labels.values, ["a", "b"]);
  const third = await documents
    .update({
      TableName,
      Key,
      UpdateExpression: "ADD amount :ten DELETE labels :a",
      ExpressionAttributeValues: { ":ten": 10, ":a": documents.createSet(["a"]) },
      ReturnValues: "UPDATED_NEW",
    })
    .promise();
  assert.deepEqual([third.Attributes.amount, third.Attributes.labels.values], [13, ["b"]]);
  const deleted = await documents.delete({ TableName, Key, ReturnValues: "ALL_OLD" }).promise();
  assert.deepEqual(deleted.Attributes.notes, ["first"]);
  assert.equal(await get("updates", 1), undefined);
}

/** Returns the times of orders in pages of three, by the SDK's own iteration. */
function timesInPages(input) {
  const pages = [];
  return new Promise((resolve, reject) => {
    documents.query({ TableName, Limit: 3, ...input }).eachPage((error, page) => {
      if (error) {
        reject(error);
      } else if (page) {
        pages.push(page.Items.map((order) => order.at));
      } else {
        resolve(pages);
      }
    });
  });
}

async function pages() {
  for (const at of numbersTo(7)) {
    await put({ customer: "pages", at, status: "paged", amount: 10 * at });
  }
  const mine = {
    KeyConditionExpression: "customer = :customer",
    ExpressionAttributeValues: { ":customer": "pages" },
  };
  assert.deepEqual(await timesInPages(mine), [[1, 2, 3], [4, 5, 6], [7]]);
  assert.deepEqual(await timesInPages({ ...mine, ScanIndexForward: false }), [[7, 6, 5], [4, 3, 2], [1]]);
  const paged = {
    IndexName: "by-status",
    KeyConditionExpression: "#status = :status AND #at BETWEEN :from AND :to",
    ExpressionAttributeNames: { "#status": "status", "#at": "at" },
    ExpressionAttributeValues: { ":status": "paged", ":from": 2, ":to": 6 },
  };
  assert.deepEqual(await timesInPages(paged), [[2, 3, 4], [5, 6]]);
  const large = {
    ...mine,
    FilterExpression: "amount > :least",
    ExpressionAttributeValues: { ":customer": "pages", ":least": 60 },
  };
  assert.deepEqual(await timesInPages(large), [[], [], [7]]);
  const { Count } = await documents.query({ TableName, Select: "COUNT", ...mine }).promise();
  assert.equal(Count, 7);
}

async function parallelScan() {
  for (const part of parts(numbersTo(200), 25)) {
    const requests = part.map((at) => ({ PutRequest: { Item: { customer: "scan", at } } }));
    await documents.batchWrite({ RequestItems: { [TableName]: requests } }).promise();
  }
  const segment = async (Segment) => {
    const times = [];
    let ExclusiveStartKey;
    do {
      const page = await documents
        .scan({
          ...{ TableName, Segment, TotalSegments: 4, Limit: 30, ExclusiveStartKey },
          FilterExpression: "customer = :customer",
          ExpressionAttributeValues: { ":customer": "scan" },
        })
        .promise();
      times.push(...page.Items.map((order) => order.at));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    return times;
  };
  const found = await Promise.all([0, 1, 2, 3].map(segment));
  assert.deepEqual(found.flat().sort((a, b) => a - b), numbersTo(200));
}

async function batches() {
  const hit = await unprocessed("BatchWriteItem", "BatchGetItem");
  const customers = numbersTo(130).map((i) => `customer-${i}`);
  for (const part of parts(customers.slice(0, 60), 25)) {
    const requests = part.map((customer) => ({ PutRequest: { Item: { customer, at: 1 } } }));
    let RequestItems = { [TableName]: requests };
    while (RequestItems[TableName]) {
      RequestItems = (await documents.batchWrite({ RequestItems }).promise()).UnprocessedItems;
    }
  }
  const found = [];
  for (const part of parts(customers, 100)) {
    let RequestItems = { [TableName]: { Keys: part.map((customer) => ({ customer, at: 1 })) } };
    while (RequestItems[TableName]) {
      const { Responses, UnprocessedKeys } = await documents.batchGet({ RequestItems }).promise();
      found.push(...Responses[TableName].map((order) => order.customer));
      RequestItems = UnprocessedKeys;
    }
  }
  assert.deepEqual(found.sort(), customers.slice(0, 60).sort());
  await hit();
}

/** The promise of a failed transaction has no reasons: they are in the response's body. */
async function transactions() {
  const customer = "transactions";
  for (const at of numbersTo(3)) {
    await put({ customer, at, amount: 10 * at });
  }
  const write = async (expected, ClientRequestToken) => {
    const request = documents.transactWrite({
      ClientRequestToken,
      TransactItems: [
        { Put: { TableName, Item: { customer, at: 4, amount: 40 } } },
        {
          Update: {
            ...{ TableName, Key: { customer, at: 1 }, UpdateExpression: "ADD amount :one" },
            ExpressionAttributeValues: { ":one": 1 },
          },
        },
        { Delete: { TableName, Key: { customer, at: 2 } } },
        {
          ConditionCheck: {
            ...{ TableName, Key: { customer, at: 3 }, ConditionExpression: "amount = :amount" },
            ExpressionAttributeValues: { ":amount": expected },
            ReturnValuesOnConditionCheckFailure: "ALL_OLD",
          },
        },
      ],
    });
    let reasons;
    request.on("extractError", (response) => {
      reasons = JSON.parse(response.httpResponse.body.toString()).CancellationReasons;
    });
    await request.promise().catch((error) => {
      throw Object.assign(error, { reasons });
    });
  };
  await assert.rejects(write(31), (error) => {
    assert.deepEqual(error.reasons.map((reason) => reason.Code), ["None", "None", "None", "ConditionalCheckFailed"]);
    assert.equal(error.reasons[3].Item.amount.N, "30");
    return error.code === "TransactionCanceledException";
  });
  assert.equal((await get(customer, 1)).amount, 10);
  await write(30, "once");
  await write(30, "once"); // a repeat changes nothing
  const { Responses } = await documents
    .transactGet({ TransactItems: [1, 2, 4].map((at) => ({ Get: { TableName, Key: { customer, at } } })) })
    .promise();
  assert.deepEqual(Responses.map(({ Item }) => Item?.amount), [11, undefined, 40]);
}

async function partiQL() {
  const run = (Statement, ...values) =>
    db
      .executeStatement({
        Statement,
        Parameters: values.length ? values.map((value) => AWS.DynamoDB.Converter.input(value)) : undefined,
      })
      .promise();
  for (const at of numbersTo(5)) {
    await run(`INSERT INTO "orders" VALUE {'customer': ?, 'at': ?, 'amount': ?}`, "partiql", at, 10 * at);
  }
  const statement = {
    Statement: `SELECT "at" FROM "orders" WHERE customer = ? AND amount > ?`,
    Parameters: ["partiql", 10].map((value) => AWS.DynamoDB.Converter.input(value)),
    Limit: 2,
  };
  const found = [];
  let NextToken;
  do {
    const page = await db.executeStatement({ ...statement, NextToken }).promise();
    found.push(...page.Items.map((order) => order.at.N));
    NextToken = page.NextToken;
  } while (NextToken);
  assert.deepEqual(found, ["2", "3", "4", "5"]);
  await run(`UPDATE "orders" SET amount = 11 WHERE customer = ? AND "at" = ?`, "partiql", 1);
  assert.equal((await get("partiql", 1)).amount, 11);
  const { Responses } = await db
    .batchExecuteStatement({
      Statements: [
        { Statement: `DELETE FROM "orders" WHERE customer = 'partiql' AND "at" = 2` },
        { Statement: `INSERT INTO "orders" VALUE {'customer': 'partiql', 'at': 1}` },
      ],
    })
    .promise();
  assert.deepEqual(Responses.map(({ Error }) => Error?.Code), [undefined, "DuplicateItem"]);
}

async function readStream() {
  const customer = "streams";
  await put({ customer, at: 1, amount: 1 });
  await put({ customer, at: 1, amount: 2 });
  await documents.delete({ TableName, Key: { customer, at: 1 } }).promise();
  const { Streams } = await streams.listStreams({ TableName }).promise();
  const { StreamArn } = Streams[0];
  const { StreamDescription } = await streams.describeStream({ StreamArn }).promise();
  const read = [];
  for (const { ShardId } of StreamDescription.Shards) {
    let ShardIterator = (
      await streams
        .getShardIterator({ StreamArn, ShardId, ShardIteratorType: "TRIM_HORIZON" })
        .promise()
    ).ShardIterator;
    for (let empty = 0; ShardIterator && empty < 2; ) {
      const page = await streams.getRecords({ ShardIterator }).promise();
      read.push(...page.Records);
      empty = page.Records.length ? 0 : empty + 1;
      ShardIterator = page.NextShardIterator;
      await sleep(10);
    }
  }
  const mine = read.filter(({ dynamodb }) => dynamodb.Keys.customer.S === customer);
  assert.deepEqual(
    mine.map(({ eventName, dynamodb: { OldImage, NewImage } }) => [eventName, OldImage?.amount.N, NewImage?.amount.N]),
    [
      ["INSERT", undefined, "1"],
      ["MODIFY", "1", "2"],
      ["REMOVE", "2", undefined],
    ],
  );
}

/** The client holds all numbers as texts; the DocumentClient, if it wraps them. */
async function numbers() {
  const exact = new AWS.DynamoDB.DocumentClient({ service: db, wrapNumbers: true });
  const Key = { customer: "numbers", at: 1 };
  await db
    .putItem({
      TableName,
      Item: { customer: { S: "numbers" }, at: { N: "1" }, all: { L: edges.map((N) => ({ N })) } },
    })
    .promise();
  const { Item } = await exact.get({ TableName, Key }).promise();
  assert.deepEqual(Item.all.map(({ value }) => value), edges);
  const refused = db.putItem({
    TableName,
    Item: { customer: { S: "numbers" }, at: { N: "2" }, n: { N: tooLong } },
  });
  await assert.rejects(refused.promise(), { code: "ValidationException", message: tooLongMessage });
}

async function values() {
  const payload = {
    list: ["a", 1.5, true, null, [[]]],
    map: { deep: { er: "x" } },
    null: null,
    true: true,
    false: false,
    text: "",
    binary: Buffer.from([]),
  };
  const sets = [["a", "ü"], [-1, 2.5], [Buffer.from([0, 255])]];
  await put({ customer: "values", at: 1, payload, sets: sets.map((set) => documents.createSet(set)) });
  const read = await get("values", 1);
  assert.deepEqual(read.payload, payload);
  assert.deepEqual(read.sets.map((set) => [...set.values].sort()), sets.map((set) => [...set].sort()));
}

async function expiry() {
  const expires = Math.floor(Date.now() / 1000) + 3600;
  await put({ customer: "expiry", at: 1, expires });
  assert.equal((await get("expiry", 1)).expires, expires);
  await advance("20h");
  assert.equal(await get("expiry", 1), undefined);
}

async function deletion() {
  await db.deleteTable({ TableName }).promise();
  await db.waitFor("tableNotExists", { TableName, $waiter: { delay: 0.05, maxAttempts: 100 } }).promise();
  await assert.rejects(get("x", 1), { code: "ResourceNotFoundException" });
}

await run("aws-sdk", {
  tables,
  conditions,
  updates,
  pages,
  "parallel scan": parallelScan,
  batches,
  transactions,
  PartiQL: partiQL,
  streams: readStream,
  numbers,
  values,
  expiry,
  deletion,
});
