// Makes a table with a client that has no options: in the server that the variables name.
import { DynamoDB } from "@aws-sdk/client-dynamodb";

export default async function makeTables() {
  await new DynamoDB().createTable({
    TableName: "made",
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
  });
}
