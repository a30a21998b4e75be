const { DynamoDB } = require("@aws-sdk/client-dynamodb");
const { expect, test } = require("@jest/globals");

test("a file sees what the project's own setup made, in a fork", async () => {
  expect((await new DynamoDB().listTables()).TableNames).toEqual(["made"]);
  expect(process.env.AWS_ACCESS_KEY_ID).toMatch(/^fork-/);
});
