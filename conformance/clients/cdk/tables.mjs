// Runs the function with which Amplify makes, changes and deletes the tables of models
// (AmplifyTableManager), which waits for a table and changes an index at a time.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";

import { CustomResource, db, describe, load, loadWithClock, run, until }
  from "./cloudformation.mjs";

const name = "@aws-amplify/graphql-model-transformer";
const manager = `${name}/lib/resources/amplify-dynamodb-table/amplify-table-manager-lambda`;

// The tags of the function itself, which it asks Lambda for, are those of its tables.
let tags = { stage: "test" };
const lambda = createServer((_, response) => response
  .setHeader("Connection", "close").end(JSON.stringify({ Tags: tags })));
lambda.listen(0, "127.0.0.1").unref();
await once(lambda, "listening");
process.env.AWS_ENDPOINT_URL_LAMBDA = `http://127.0.0.1:${lambda.address().port}`;
process.env.WAITER_STATE_MACHINE_ARN = "waiter";

const functions = loadWithClock(`${manager}/amplify-table-manager-handler.js`);
const table = new CustomResource(functions, load(`${manager}/outbound.js`));

const key = (attributeName, keyType = "HASH") => ({ attributeName, keyType });
const throughput = (units) => ({ readCapacityUnits: `${units}`, writeCapacityUnits: `${units}` });
const index = (attribute, projection = { projectionType: "ALL" }) => ({
  indexName: `by-${attribute}`, keySchema: [key(attribute)], projection,
  provisionedThroughput: throughput(5),
});

// CloudFormation sends numbers and truth values as texts.
let properties = {
  tableName: "orders",
  attributeDefinitions: ["id", "owner", "status", "day"]
    .map((attributeName) => ({ attributeName, attributeType: "S" })),
  keySchema: [key("id")],
  billingMode: "PROVISIONED",
  provisionedThroughput: throughput(5),
  streamSpecification: { streamViewType: "NEW_AND_OLD_IMAGES" },
  pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: "true" },
  timeToLiveSpecification: { enabled: "true", attributeName: "ttl" },
  deletionProtectionEnabled: "false",
  allowDestructiveGraphqlSchemaUpdates: "true",
};

/** The attributes of the table's key and of these indexes: others are refused. */
const attributesOf = ({ keySchema, globalSecondaryIndexes: indexes = [] }) =>
  [keySchema, ...indexes.map((i) => i.keySchema)].flat().map((k) => k.attributeName);

/** Returns the properties as of now, with those attributes only. */
function desired() {
  const used = attributesOf(properties);
  const attributeDefinitions = properties.attributeDefinitions
    .filter(({ attributeName }) => used.includes(attributeName));
  return structuredClone({ ...properties, attributeDefinitions });
}

/** Changes properties, and returns how often the function said that it was not over. */
function change(changes) {
  properties = { ...properties, ...changes };
  return table.update(desired());
}

const TableName = properties.tableName;

async function indexes() {
  const { GlobalSecondaryIndexes: found = [] } = await describe(TableName);
  return Object.fromEntries(found.map((i) => [i.IndexName, i.Projection.ProjectionType]));
}

async function recovery() {
  const { ContinuousBackupsDescription } = await db.describeContinuousBackups({ TableName });
  return ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus;
}

async function expiry() {
  return (await db.describeTimeToLive({ TableName })).TimeToLiveDescription;
}

await run(name, {
  async create() {
    // It waits for the table, and then for each of recovery and expiry.
    assert.ok(await table.create(desired()) > 3);
    const { TableStatus, StreamSpecification, ProvisionedThroughput } = await describe(TableName);
    assert.equal(TableStatus, "ACTIVE");
    assert.equal(StreamSpecification.StreamViewType, "NEW_AND_OLD_IMAGES");
    assert.equal(ProvisionedThroughput.ReadCapacityUnits, 5);
    assert.equal(await recovery(), "ENABLED");
    assert.match((await expiry()).TimeToLiveStatus, /^ENABL(ING|ED)$/);
  },

  async indexes() {
    assert.ok(await change({ globalSecondaryIndexes: [index("owner"), index("status")] }) > 5);
    assert.deepEqual(await indexes(), { "by-owner": "ALL", "by-status": "ALL" });
    // An index with another projection is deleted and made again; one is new, and one is gone.
    const some = { projectionType: "KEYS_ONLY" };
    assert.ok(await change({ globalSecondaryIndexes: [index("owner", some), index("day")] }) > 8);
    assert.deepEqual(await indexes(), { "by-owner": "KEYS_ONLY", "by-day": "ALL" });
  },

  async throughput() {
    await change({ billingMode: "PAY_PER_REQUEST", provisionedThroughput: undefined });
    assert.equal((await describe(TableName)).BillingModeSummary.BillingMode, "PAY_PER_REQUEST");
    await change({ billingMode: "PROVISIONED", provisionedThroughput: throughput(7),
      globalSecondaryIndexes: properties.globalSecondaryIndexes
        .map((i) => ({ ...i, provisionedThroughput: throughput(7) })) });
    const { ProvisionedThroughput, GlobalSecondaryIndexes } = await describe(TableName);
    for (const { ReadCapacityUnits } of [ProvisionedThroughput,
      ...GlobalSecondaryIndexes.map((i) => i.ProvisionedThroughput)]) {
      assert.equal(ReadCapacityUnits, 7);
    }
  },

  async settings() {
    tags = { owner: "shop" };
    await change({
      streamSpecification: { streamViewType: "KEYS_ONLY" },
      sseSpecification: { sseEnabled: "true", sseType: "KMS" },
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: "false" },
      deletionProtectionEnabled: "true",
    });
    const found = await describe(TableName);
    assert.equal(found.TableStatus, "ACTIVE");
    assert.equal(found.StreamSpecification.StreamViewType, "KEYS_ONLY");
    assert.equal(found.SSEDescription.Status, "ENABLED");
    assert.equal(found.DeletionProtectionEnabled, true);
    assert.equal(await recovery(), "DISABLED");
    const { Tags } = await db.listTagsOfResource({ ResourceArn: found.TableArn });
    assert.deepEqual(Tags, [{ Key: "owner", Value: "shop" }]);
    await until(async () => (await expiry()).TimeToLiveStatus === "ENABLED");
    await change({ timeToLiveSpecification: { enabled: "false" } });
    await until(async () => (await expiry()).TimeToLiveStatus === "DISABLED");
  },

  async replacement() {
    await change({ deletionProtectionEnabled: "false" });
    const { TableId } = await describe(TableName);
    assert.ok(await change({ keySchema: [key("id"), key("day", "RANGE")] }) > 1);
    const found = await describe(TableName);
    assert.notEqual(found.TableId, TableId);
    assert.equal(found.KeySchema.length, 2);
  },

  async protection() {
    await change({ deletionProtectionEnabled: "true" });
    await table.delete();
    assert.equal((await describe(TableName)).TableStatus, "ACTIVE");
  },

  async deletion() {
    await change({ deletionProtectionEnabled: "false" });
    await table.delete();
    assert.equal((await describe(TableName)).TableStatus, "DELETING");
    await until(async () => !(await describe(TableName)));
  },
});
