import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";

test("a file sees what the project's own setup made, in a fork", async () => {
  expect((await new DynamoDB().listTables()).TableNames).toEqual(["made"]);
  expect(process.env.AWS_ACCESS_KEY_ID).toMatch(/^fork-/);
});
