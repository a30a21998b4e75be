// A table with items of the six patterns of keys: simple, hierarchical, variants, of all tenants, master data,
// and time series.

import { call } from "./dynamodb";
import type { Item } from "./values";

export const sampleTable = "sample";

const texts = (pk: string, sk: string, attributes: { [name: string]: string }, version = "1"): Item => ({
  pk: { S: pk }, sk: { S: sk }, version: { N: version },
  ...Object.fromEntries(Object.entries(attributes).map(([name, text]) => [name, { S: text }])),
});

const items: Item[] = [
  texts("PRODUCT#acme", "01JGFJJZ00A0B1C2D3E4F5G6H7", { name: "Kettle", price: "49.00" }),
  texts("PRODUCT#acme", "01JGFJJZ01A0B1C2D3E4F5G6H8", { name: "Lamp", price: "19.90" }, "3"),
  texts("ORDER#acme", "ORDER#o-1", { state: "open", customer: "u-1" }, "2"),
  texts("ORDER#acme", "ORDER_ITEM#o-1#1", { product: "Kettle", quantity: "1" }),
  texts("ORDER#acme", "ORDER_ITEM#o-1#2", { product: "Lamp", quantity: "2" }),
  texts("ORDER#acme", "ORDER#o-2", { state: "sent", customer: "u-2" }, "4"),
  texts("USER#acme", "admin#u-1", { name: "Ada" }),
  texts("USER#acme", "member#u-2", { name: "Ben" }),
  texts("USER_TENANT#common", "acme#u-1", { since: "2026-01-01" }),
  texts("USER_TENANT#common", "other#u-1", { since: "2026-01-02" }),
  texts("MASTER#acme", "STATUS#order#open", { label: "Open" }),
  texts("MASTER#acme", "STATUS#order#sent", { label: "Sent" }),
  texts("LOG#acme#2026-01", "2026-01-05T10:00:00Z#e-1", { event: "ordered" }),
  texts("LOG#acme#2026-01", "2026-01-06T08:30:00Z#e-2", { event: "sent" }),
];

/** Makes the table with its items. */
export async function makeSample(): Promise<void> {
  const key = (AttributeName: string, KeyType: string) => ({ AttributeName, KeyType });
  await call("CreateTable", {
    TableName: sampleTable, BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }, { AttributeName: "sk", AttributeType: "S" }],
    KeySchema: [key("pk", "HASH"), key("sk", "RANGE")],
  });
  await ready();
  let left: object[] = items.map((Item) => ({ PutRequest: { Item } }));
  while (left.length > 0) {
    const answer = await call<{ UnprocessedItems?: { [table: string]: object[] } }>("BatchWriteItem", { RequestItems: { [sampleTable]: left } });
    left = answer.UnprocessedItems?.[sampleTable] ?? [];
  }
}

// ready waits until the table can be written.
async function ready(): Promise<void> {
  for (;;) {
    const { Table } = await call<{ Table: { TableStatus: string } }>("DescribeTable", { TableName: sampleTable });
    if (Table.TableStatus === "ACTIVE") return;
    await new Promise((done) => setTimeout(done, 500));
  }
}
