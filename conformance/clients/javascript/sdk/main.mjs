// The AWS SDK for JavaScript v3: tables, and the steps of the other files.
import assert from "node:assert/strict";

import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ListTagsOfResourceCommand,
  ResourceNotFoundException,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  paginateListTables,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from "@aws-sdk/client-dynamodb";

import { run } from "../scenario.mjs";
import { batches, conditions, pages, parallelScan, updates } from "./items.mjs";
import { TableName, client, get } from "./orders.mjs";
import { expiry, readStream } from "./streams.mjs";
import { partiQL, transactions } from "./transactions.mjs";
import { numbers, values } from "./values.mjs";

const wait = (until) =>
  until({ client, minDelay: 0.05, maxDelay: 1, maxWaitTime: 20 }, { TableName });
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

async function tables() {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: keys("customer", "at"),
      AttributeDefinitions: attributes({ customer: "S", at: "N", status: "S", total: "N" }),
      GlobalSecondaryIndexes: [index("by-status", keys("status", "at"))],
      LocalSecondaryIndexes: [index("by-total", keys("customer", "total"))],
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
      Tags: [{ Key: "team", Value: "sales" }],
    }),
  );
  const { state, reason } = await wait(waitUntilTableExists);
  assert.equal(state, "SUCCESS");
  assert.equal(reason.Table.LocalSecondaryIndexes[0].IndexName, "by-total");
  const { Tags } = await client.send(
    new ListTagsOfResourceCommand({ ResourceArn: reason.Table.TableArn }),
  );
  assert.deepEqual(Tags, [{ Key: "team", Value: "sales" }]);

  const TimeToLiveSpecification = { AttributeName: "expires", Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  assert.deepEqual(TimeToLiveDescription, {
    AttributeName: "expires",
    TimeToLiveStatus: "ENABLED",
  });

  await client.send(
    new UpdateTableCommand({
      TableName,
      AttributeDefinitions: attributes({ status: "S", total: "N" }),
      GlobalSecondaryIndexUpdates: [
        { Create: index("by-status-and-total", keys("status", "total")) },
      ],
    }),
  );
  await wait(waitUntilTableExists);
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  assert.equal(Table.GlobalSecondaryIndexes.length, 2);
  const names = [];
  for await (const page of paginateListTables({ client, pageSize: 1 }, {})) {
    names.push(...page.TableNames);
  }
  assert.deepEqual(names, [TableName]);
}

async function deletion() {
  await client.send(new DeleteTableCommand({ TableName }));
  assert.equal((await wait(waitUntilTableNotExists)).state, "SUCCESS");
  await assert.rejects(get("any", 1), (error) => error instanceof ResourceNotFoundException);
}

await run("@aws-sdk/client-dynamodb", {
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
