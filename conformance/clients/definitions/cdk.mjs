// AWS CDK: the tables of an app, of what "cdk synth" writes.
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as cdk from "aws-cdk-lib";
import * as dynamodb from "aws-cdk-lib/aws-dynamodb";

import { User, run } from "./tables.mjs";

const require = createRequire(import.meta.url);
const { version } = require("aws-cdk-lib/package.json");
const outdir = join(mkdtempSync(join(tmpdir(), "cdk-")), "cdk.out");
const S = dynamodb.AttributeType.STRING, N = dynamodb.AttributeType.NUMBER;
const app = new cdk.App({ outdir });

function tables(stack, name) {
  const orders = new dynamodb.Table(stack, "Orders", {
    tableName: `orders-${name}`, partitionKey: { name: "pk", type: S }, sortKey: { name: "sk", type: S },
    billingMode: dynamodb.BillingMode.PAY_PER_REQUEST, timeToLiveAttribute: "expires", deletionProtection: true,
    stream: dynamodb.StreamViewType.NEW_IMAGE, tableClass: dynamodb.TableClass.STANDARD_INFREQUENT_ACCESS,
  });
  orders.addGlobalSecondaryIndex({ indexName: "by-size", partitionKey: { name: "size", type: N },
    projectionType: dynamodb.ProjectionType.INCLUDE, nonKeyAttributes: ["colour"] });
  orders.addLocalSecondaryIndex({ indexName: "by-day", sortKey: { name: "day", type: S } });
  cdk.Tags.of(orders).add("team", "a");
}

const env = { account: "123456789012", region: "eu-west-1" };
const main = new cdk.Stack(app, "Main", { env });
tables(main, "main");
new dynamodb.TableV2(main, "Global", {
  tableName: "global", partitionKey: { name: "pk", type: S },
  billing: dynamodb.Billing.onDemand({ maxReadRequestUnits: 10, maxWriteRequestUnits: 11 }),
  globalSecondaryIndexes: [{ indexName: "by-day", partitionKey: { name: "day", type: S } }],
  replicas: [{ region: "us-west-2" }],
});
const stage = new cdk.CfnParameter(main, "Stage", { default: "dev" });
const nested = new cdk.NestedStack(main, "Nested");
const inner = new dynamodb.Table(nested, "Inner",
  { tableName: `${stage.valueAsString}-inner`, partitionKey: { name: "id", type: S }, readCapacity: 3,
    writeCapacity: 4 });
new dynamodb.Table(main, "Outer",
  { tableName: `${inner.tableName}-outer`, partitionKey: { name: "id", type: S } });
const production = new cdk.Stage(app, "Production", { env: { ...env, region: "us-east-1" } });
tables(new cdk.Stack(production, "Data"), "production");
app.synth();

const user = new User("own");
const notes = user.apply(outdir);

await run(version, {
  async table() {
    assert.equal(notes, "");
    const orders = await user.table("orders-main");
    assert.deepEqual(orders.KeySchema.map((k) => k.AttributeName), ["pk", "sk"]);
    assert.deepEqual(orders.GlobalSecondaryIndexes.map((i) => [i.IndexName, i.Projection]),
      [["by-size", { ProjectionType: "INCLUDE", NonKeyAttributes: ["colour"] }]]);
    assert.deepEqual(orders.LocalSecondaryIndexes.map((i) => i.IndexName), ["by-day"]);
    assert.deepEqual(orders.TimeToLiveDescription, { TimeToLiveStatus: "ENABLED", AttributeName: "expires" });
    assert.deepEqual(orders.StreamSpecification, { StreamEnabled: true, StreamViewType: "NEW_IMAGE" });
    assert.equal(orders.TableClassSummary.TableClass, "STANDARD_INFREQUENT_ACCESS");
    assert.equal(orders.DeletionProtectionEnabled, true);
    assert.deepEqual(orders.Tags, [{ Key: "team", Value: "a" }]);
  },

  async replicas() {
    const table = await user.table("global");
    assert.deepEqual(table.OnDemandThroughput, { MaxReadRequestUnits: 10, MaxWriteRequestUnits: 11 });
    assert.deepEqual(table.Replicas.map((r) => r.RegionName), ["us-west-2"]);
    assert.deepEqual(await new User("own", "us-west-2").names(), ["global"]);
  },

  async stacks() {
    const inner = await user.table("dev-inner");
    assert.equal(inner.ProvisionedThroughput.WriteCapacityUnits, 4);
    assert.deepEqual(await user.names(), ["dev-inner", "dev-inner-outer", "global", "orders-main"]);
  },

  async stages() {
    assert.deepEqual(await new User("own", "us-east-1").names(), ["orders-production"]);
  },
});
