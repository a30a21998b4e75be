// @amazon-dax-sdk/lib-dax beside the AWS SDK for JavaScript v3.
import { createRequire } from "node:module";

import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocument } from "@aws-sdk/lib-dynamodb";

import { run, table } from "./scenario.mjs";

const require = createRequire(import.meta.url);
const { DaxDocument } = require("@amazon-dax-sdk/lib-dax");
const credentials = { accessKeyId: "AKIDCLIENT", secretAccessKey: "secret" };
const db = new DynamoDB({ region: "us-east-1", credentials });
await db.createTable(table);
await run(
  require("@amazon-dax-sdk/lib-dax/package.json").version,
  DynamoDBDocument.from(db),
  new DaxDocument({ endpoint: process.env.DAX, region: "us-east-1", credentials }),
  (elements) => new Set(elements),
);
