// Numbers at the edges, and values of all types.
import assert from "node:assert/strict";

import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand, NumberValue, PutCommand } from "@aws-sdk/lib-dynamodb";

import { edges, tooLong, tooLongMessage } from "../scenario.mjs";
import { TableName, client, get, put } from "./orders.mjs";

export async function numbers() {
  const exact = DynamoDBDocumentClient.from(new DynamoDB(), {
    unmarshallOptions: { wrapNumbers: true },
  });
  const Item = { customer: "numbers", at: 1, numbers: edges.map((edge) => NumberValue.from(edge)) };
  await exact.send(new PutCommand({ TableName, Item }));
  const read = await exact.send(new GetCommand({ TableName, Key: { customer: "numbers", at: 1 } }));
  assert.deepEqual(
    read.Item.numbers.map(({ value }) => value),
    edges,
  );
  await assert.rejects(put({ ...Item, numbers: [NumberValue.from(tooLong)] }), {
    name: "ValidationException",
    message: tooLongMessage,
  });
}

export async function values() {
  const item = {
    customer: "values",
    at: 1,
    strings: new Set(["a", "ü"]),
    numbers: new Set([-1, 2.5]),
    binaries: new Set([Uint8Array.of(), Uint8Array.of(0, 255)]),
    list: ["a", 1.5, true, null, [[]]],
    map: { deep: { er: "x" } },
    null: null,
    true: true,
    false: false,
    text: "",
    binary: new Uint8Array(),
  };
  await put(item);
  assert.deepEqual(await get("values", 1), item);
  const { Item } = await client.getItem({
    TableName,
    Key: { customer: { S: "values" }, at: { N: "1" } },
  });
  assert.deepEqual(
    [Item.text, Item.null, Item.numbers],
    [{ S: "" }, { NULL: true }, { NS: ["-1", "2.5"] }],
  );
}
