// The clients of the AWS SDK for JavaScript v3, and what the steps share.
import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocument, GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";

export const client = new DynamoDB();
export const db = DynamoDBDocument.from(client);
export const TableName = "orders";

export const put = (Item) => db.send(new PutCommand({ TableName, Item }));
export const get = async (customer, at) =>
  (await db.send(new GetCommand({ TableName, Key: { customer, at }, ConsistentRead: true }))).Item;
