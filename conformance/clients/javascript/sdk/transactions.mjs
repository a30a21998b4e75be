// Transactions, and statements of PartiQL.
import assert from "node:assert/strict";

import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { TransactGetCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";

import { numbersTo } from "../scenario.mjs";
import { TableName, db, get, put } from "./orders.mjs";

export async function transactions() {
  const customer = "transactions";
  for (const at of [1, 2, 3]) {
    await put({ customer, at, amount: 10 * at });
  }
  const write = (amount, ClientRequestToken) =>
    db.send(
      new TransactWriteCommand({
        ClientRequestToken,
        TransactItems: [
          { Put: { TableName, Item: { customer, at: 4, amount: 40 } } },
          {
            Update: {
              TableName,
              Key: { customer, at: 1 },
              UpdateExpression: "ADD amount :one",
              ExpressionAttributeValues: { ":one": 1 },
            },
          },
          { Delete: { TableName, Key: { customer, at: 2 } } },
          {
            ConditionCheck: {
              TableName,
              Key: { customer, at: 3 },
              ConditionExpression: "amount = :amount",
              ExpressionAttributeValues: { ":amount": amount },
              ReturnValuesOnConditionCheckFailure: "ALL_OLD",
            },
          },
        ],
      }),
    );
  await assert.rejects(write(31), (error) => {
    assert.ok(error instanceof TransactionCanceledException);
    const codes = error.CancellationReasons.map((reason) => reason.Code);
    assert.deepEqual(codes, ["None", "None", "None", "ConditionalCheckFailed"]);
    assert.deepEqual(unmarshall(error.CancellationReasons[3].Item), {
      customer,
      at: 3,
      amount: 30,
    });
    return true;
  });
  assert.equal((await get(customer, 1)).amount, 10);
  await write(30, "once");
  await write(30, "once"); // a repeat changes nothing
  const TransactItems = [1, 2, 4].map((at) => ({ Get: { TableName, Key: { customer, at } } }));
  const { Responses } = await db.send(new TransactGetCommand({ TransactItems }));
  assert.deepEqual(
    Responses.map(({ Item }) => Item),
    [{ customer, at: 1, amount: 11 }, undefined, { customer, at: 4, amount: 40 }],
  );
}

export async function partiQL() {
  const insert = "INSERT INTO orders VALUE {'customer': ?, 'at': ?, 'amount': ?}";
  for (const at of numbersTo(5)) {
    await db.executeStatement({ Statement: insert, Parameters: ["partiql", at, 10 * at] });
  }
  const found = [];
  let NextToken;
  do {
    const Statement = "SELECT * FROM orders WHERE customer = ? AND amount > ?";
    const page = await db.executeStatement({
      Statement,
      Parameters: ["partiql", 10],
      Limit: 3,
      NextToken,
    });
    found.push(...page.Items.map((order) => order.at));
    NextToken = page.NextToken;
  } while (NextToken);
  assert.deepEqual(found, [2, 3, 4, 5]);
  const { Items } = await db.executeStatement({
    Statement: `UPDATE orders SET amount = amount + ? WHERE customer = ? AND "at" = ? RETURNING ALL NEW *`,
    Parameters: [1, "partiql", 1],
  });
  assert.deepEqual(Items, [{ customer: "partiql", at: 1, amount: 11 }]);

  const { Responses } = await db.batchExecuteStatement({
    Statements: [6, 1].map((at) => ({ Statement: insert, Parameters: ["partiql", at, 60] })),
  });
  assert.deepEqual(
    Responses.map((response) => response.Error?.Code),
    [undefined, "DuplicateItem"],
  );
  const change = `UPDATE orders SET amount = 0 WHERE customer = ? AND "at" = ?`;
  await db.executeTransaction({
    TransactStatements: [5, 6].map((at) => ({ Statement: change, Parameters: ["partiql", at] })),
  });
  assert.equal((await get("partiql", 6)).amount, 0);
}
