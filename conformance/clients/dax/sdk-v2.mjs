// amazon-dax-client beside the AWS SDK for JavaScript v2.
import { createRequire } from "node:module";

import AWS from "aws-sdk";

import { run, table } from "./scenario.mjs";

const require = createRequire(import.meta.url);
const AmazonDaxClient = require("amazon-dax-client");
AWS.config.update({ region: "us-east-1", accessKeyId: "AKIDCLIENT", secretAccessKey: "secret" });
const db = new AWS.DynamoDB({ endpoint: process.env.DYNAMODB_ENDPOINT });
await db.createTable(table).promise();

/** The operations of a document client as functions that return promises. */
function promising(service) {
  const documents = new AWS.DynamoDB.DocumentClient({ service });
  const operations = ["get", "put", "update", "delete", "query", "scan", "batchGet", "batchWrite", "transactGet", "transactWrite"];
  return Object.fromEntries(operations.map((name) => [name, (parameters) => documents[name](parameters).promise()]));
}

const sets = new AWS.DynamoDB.DocumentClient();
await run(
  require("amazon-dax-client/package.json").version,
  promising(db),
  promising(new AmazonDaxClient({ endpoints: [process.env.DAX], region: "us-east-1" })),
  (elements) => sets.createSet(elements),
);
