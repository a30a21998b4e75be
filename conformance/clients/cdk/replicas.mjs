// Runs the function with which CDK's Table adds and removes replicas (replicationRegions), inside
// CDK's provider framework.
import assert from "node:assert/strict";

import { createTable, CustomResource, describe, load, run, until } from "./cloudformation.mjs";

const handlers = "aws-cdk-lib/custom-resource-handlers/dist/aws-dynamodb";
const handler = load(`${handlers}/replica-handler/index.js`);
const runtime = "aws-cdk-lib/custom-resources/lib/provider-framework/runtime";
const outbound = load(`${runtime}/outbound.js`);
const framework = load(`${runtime}/framework.js`);

process.env.USER_ON_EVENT_FUNCTION_ARN = "onEventHandler";
process.env.USER_IS_COMPLETE_FUNCTION_ARN = "isCompleteHandler";
process.env.WAITER_STATE_MACHINE_ARN = "waiter";

// Lambda calls the function that the framework names.
outbound.invokeFunction = async ({ FunctionName, Payload }) => {
  try {
    return { Payload: JSON.stringify(await handler[FunctionName](JSON.parse(Payload))) };
  } catch (error) {
    const payload = { errorType: error.name, errorMessage: error.message };
    return { FunctionError: "Unhandled", Payload: JSON.stringify(payload) };
  }
};

const TableName = "orders";
const replica = () => new CustomResource(framework, outbound);
const properties = (Region, more) => ({ TableName, Region, ...more });

/** Returns the states of the table and its replicas. */
async function states() {
  const { TableStatus, Replicas = [] } = await describe(TableName);
  const byRegion = Replicas.map(({ RegionName, ReplicaStatus }) => [RegionName, ReplicaStatus]);
  return { table: TableStatus, ...Object.fromEntries(byRegion) };
}

const west = replica();
const europe = replica();
const asia = replica();

await run("aws-cdk-lib", {
  async create() {
    await createTable({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
    });
    assert.ok(await west.create(properties("us-west-2")) > 1, "there is nothing to wait for");
    assert.deepEqual(await states(), { table: "ACTIVE", "us-west-2": "ACTIVE" });
  },

  async second() {
    assert.ok(await europe.create(properties("eu-west-1")) > 1, "there is nothing to wait for");
    assert.deepEqual(await states(),
      { table: "ACTIVE", "us-west-2": "ACTIVE", "eu-west-1": "ACTIVE" });
  },

  async "no wait"() {
    await asia.create(properties("ap-northeast-1", { SkipReplicationCompletedWait: "true" }));
    const { table, ...replicas } = await states();
    assert.equal(table, "ACTIVE");
    assert.ok("ap-northeast-1" in replicas);
    await until(async () => (await states())["ap-northeast-1"] === "ACTIVE");
  },

  async update() {
    assert.equal(await west.update(properties("us-west-2")), 1, "it makes what is there");
  },

  async retain() {
    await europe.update(properties("eu-west-1", { SkipReplicaDeletion: "true" }));
    await europe.delete();
    assert.equal((await states())["eu-west-1"], "ACTIVE");
  },

  async delete() {
    assert.ok(await west.delete() > 1, "there is nothing to wait for");
    await asia.delete();
    assert.deepEqual(await states(), { table: "ACTIVE", "eu-west-1": "ACTIVE" });
  },
});
