// A table for clients that make none: keys named pk and sk, and an index of the same kind.
import { DynamoDB, waitUntilTableExists } from "@aws-sdk/client-dynamodb";

export const client = new DynamoDB();
export const table = "shop";

const key = (partition, sort) => [
  { AttributeName: partition, KeyType: "HASH" },
  { AttributeName: sort, KeyType: "RANGE" },
];

export async function createTable() {
  await client.createTable({
    TableName: table,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: key("pk", "sk"),
    AttributeDefinitions: ["pk", "sk", "gsi1pk", "gsi1sk"].map((AttributeName) => ({
      AttributeName,
      AttributeType: "S",
    })),
    GlobalSecondaryIndexes: [
      {
        IndexName: "gsi1",
        KeySchema: key("gsi1pk", "gsi1sk"),
        Projection: { ProjectionType: "ALL" },
      },
    ],
  });
  await waitUntilTableExists(
    { client, minDelay: 0.05, maxDelay: 1, maxWaitTime: 20 },
    { TableName: table },
  );
  await client.updateTimeToLive({
    TableName: table,
    TimeToLiveSpecification: { AttributeName: "expires", Enabled: true },
  });
}
