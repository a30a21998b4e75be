// What the programs of DAX's clients for JavaScript share: the same calls through the accelerator and
// without, of clients that take plain values and return promises.
import assert from "node:assert/strict";

const endpoint = process.env.DYNAMODB_ENDPOINT;
const TableName = "orders";
const key = (pk, sk) => ({ pk, sk });

/** The table, for either SDK's CreateTable. */
export const table = {
  TableName,
  BillingMode: "PAY_PER_REQUEST",
  KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }, { AttributeName: "sk", KeyType: "RANGE" }],
  AttributeDefinitions: [["pk", "S"], ["sk", "N"], ["status", "S"], ["turn", "N"]].map(
    ([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
  LocalSecondaryIndexes: [{ IndexName: "by-turn", Projection: { ProjectionType: "KEYS_ONLY" },
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }, { AttributeName: "turn", KeyType: "RANGE" }] }],
  GlobalSecondaryIndexes: [{ IndexName: "by-status", Projection: { ProjectionType: "ALL" },
    KeySchema: [{ AttributeName: "status", KeyType: "HASH" }, { AttributeName: "sk", KeyType: "RANGE" }] }],
};

async function advance(seconds) {
  const response = await fetch(`${endpoint}/_kugiri/clock/advance`, { method: "POST",
    headers: { "Content-Type": "application/json" }, body: JSON.stringify({ by: `${seconds}s` }) });
  assert.ok(response.ok, await response.text());
}

/** Makes what the clients return comparable. */
function plain(value) {
  if (value instanceof Uint8Array) return ["bytes", ...value];
  if (value instanceof Set) return ["set", ...value];
  if (value?.wrapperName === "Set") return ["set", ...value.values];
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== "$metadata")
    .sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, v]) => [name, plain(v)]));
}

/** The answer, or the error: DAX's clients put its name before the message. */
async function answer(client, operation, parameters) {
  try {
    return plain(await client[operation](parameters));
  } catch (error) {
    const name = error.code ?? error.name;
    return { name, message: error.message.replace(`${name}: `, "") };
  }
}

/** Runs the steps. Clients are objects of functions by operation; set makes a set of strings. */
export async function run(version, http, dax, set) {
  console.log("version", version);
  const same = async (operation, parameters) => {
    const direct = await answer(http, operation, parameters);
    const through = await answer(dax, operation, parameters);
    assert.deepEqual(through, direct, operation);
    return through;
  };
  const put = (client, Item) => client.put({ TableName, Item });

  const steps = {
    async items() {
      const values = { text: "text ü", empty: "", n: -7, d: 0.000125, b: Buffer.from([0, 255]), yes: true, nothing: null,
        tags: set(["a", "b"]), l: ["x", [], { z: 1 }], m: { k: "v", e: {} } };
      for (const [i, sk] of [0, -12.5, 100, 0.001, -1].entries()) {
        await put(dax, { ...key(`i${i}`, sk), ...values });
        const { Item } = await same("get", { TableName, Key: key(`i${i}`, sk) });
        assert.equal(Object.keys(Item).length, 12);
      }
      const Key = key("i0", 0);
      await same("get", { TableName, Key, ConsistentRead: true, ReturnConsumedCapacity: "INDEXES" });
      await same("get", { TableName, Key, ProjectionExpression: "l[2].z, l[0], m.k, #n, pk", ExpressionAttributeNames: { "#n": "nothing" } });
      await same("get", { TableName, Key: key("none", 0) });
    },
    async conditions() {
      await put(dax, { ...key("c", 1), v: 1 });
      const failed = await same("put", { TableName, Item: key("c", 1), ExpressionAttributeValues: { ":one": 1, ":p": "c" },
        ConditionExpression: "attribute_exists(pk) AND NOT (v = :one OR begins_with(pk, :p))" });
      assert.equal(failed.name, "ConditionalCheckFailedException");
      const wrong = await same("update", { TableName, Key: key("c", 1), UpdateExpression: "SET v = v + :s",
        ExpressionAttributeValues: { ":s": "x" } });
      assert.equal(wrong.name, "ValidationException");
      const missing = await answer(dax, "get", { TableName: "missing", Key: key("c", 1) });
      assert.deepEqual(missing, { name: "ResourceNotFoundException", message: "Requested resource not found" });
    },
    async updates() {
      for (const ReturnValues of ["NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"]) {
        const found = [];
        for (const client of [http, dax]) {
          await put(client, { ...key("u", 1), n: 5, list: ["a"], tags: set(["x", "y"]), gone: "" });
          found.push(await answer(client, "update", { TableName, Key: key("u", 1), ReturnValues,
            UpdateExpression: "SET n = n - :two, #l = list_append(#l, :b), made = if_not_exists(made, :two) REMOVE gone ADD hits :two DELETE tags :x",
            ExpressionAttributeNames: { "#l": "list" }, ExpressionAttributeValues: { ":two": 2, ":b": ["b"], ":x": set(["x"]) } }));
        }
        assert.deepEqual(found[1], found[0], ReturnValues);
      }
    },
    async pages() {
      for (let i = 0; i < 10; i++) await put(dax, { ...key("p", i * 10), status: "open", v: i });
      const query = { TableName, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": "p" }, Limit: 4 };
      for (const more of [{}, { ScanIndexForward: false }, { ProjectionExpression: "v" },
        { IndexName: "by-status", KeyConditionExpression: "#s = :p", ExpressionAttributeNames: { "#s": "status" },
          ExpressionAttributeValues: { ":p": "open" } }]) {
        const counts = [];
        for (let ExclusiveStartKey; ;) {
          const found = await same("query", { ...query, ...more, ...(ExclusiveStartKey && { ExclusiveStartKey }) });
          counts.push(found.Count);
          if (!(ExclusiveStartKey = found.LastEvaluatedKey)) break;
        }
        assert.deepEqual(counts, [4, 4, 2]);
      }
      await same("query", { ...query, Select: "COUNT", Limit: 100 });
      for (const Segment of [0, 1]) await same("scan", { TableName, TotalSegments: 2, Segment, Limit: 5 });
    },
    async batches() {
      const keys = Array.from({ length: 20 }, (_, i) => key("b", i));
      await same("batchWrite", { RequestItems: { orders: [...keys.map((k) => ({ PutRequest: { Item: { ...k, v: "x" } } })),
        { DeleteRequest: { Key: key("b", 99) } }] } });
      for (const more of [{}, { ConsistentRead: true }, { ProjectionExpression: "v, sk" }]) {
        const found = [];
        for (const client of [http, dax]) {
          const got = await answer(client, "batchGet", { RequestItems: { orders: { Keys: [...keys, key("b", 77)], ...more } } });
          got.Responses.orders.sort((a, b) => a.sk - b.sk);
          found.push(got);
        }
        assert.deepEqual(found[1], found[0]);
      }
    },
    async transactions() {
      await same("transactWrite", { TransactItems: [
        { Put: { TableName, Item: { ...key("t", 1), v: 1 } } },
        { Update: { TableName, Key: key("t", 2), UpdateExpression: "SET v = :v", ExpressionAttributeValues: { ":v": 2 } } },
        { Delete: { TableName, Key: key("t", 3) } },
        { ConditionCheck: { TableName, Key: key("t", 4), ConditionExpression: "attribute_not_exists(pk)" } }] });
      const canceled = await same("transactWrite", { TransactItems: [
        { Put: { TableName, Item: key("t", 1), ConditionExpression: "attribute_not_exists(pk)" } }] });
      assert.equal(canceled.name, "TransactionCanceledException");
      await same("transactGet", { TransactItems: [{ Get: { TableName, Key: key("t", 1) } }, { Get: { TableName, Key: key("t", 9) } },
        { Get: { TableName, Key: key("t", 2), ProjectionExpression: "v" } }] });
    },
    /** What the other steps do not send: see emulator/docs/dax-protocol.md, Options and Expressions. */
    async fields() {
      const Key = key("f", 1);
      const before = { ...Key, v: 1, turn: 7, status: "done" };
      const each = async (operation, parameters) => {
        const found = [];
        for (const client of [http, dax]) {
          await put(client, before);
          found.push(await answer(client, operation, parameters));
        }
        assert.deepEqual(found[1], found[0], operation);
        return found[1];
      };
      const sizes = { ReturnItemCollectionMetrics: "SIZE", ReturnConsumedCapacity: "INDEXES" };
      const replaced = await each("put", { TableName, Item: { ...Key, v: -1.5, turn: 8 }, ReturnValues: "ALL_OLD", ...sizes });
      assert.equal(replaced.Attributes.v, 1);
      assert.deepEqual(replaced.ItemCollectionMetrics.ItemCollectionKey, { pk: "f" });
      const held = { ConditionExpression: "attribute_type(v, :t) AND v >= :low AND v <= :high AND v < :more AND attribute_exists(sk) AND v BETWEEN :low AND :high AND v IN (:low, :more)",
        ExpressionAttributeValues: { ":t": "N", ":low": 1, ":high": 1, ":more": 2 } };
      const change = { ...held, UpdateExpression: "SET w = :high" };
      assert.equal((await each("update", { TableName, Key, ReturnValues: "ALL_NEW", ...change, ...sizes })).Attributes.w, 1);
      assert.equal((await each("delete", { TableName, Key, ReturnValues: "ALL_OLD", ...held, ...sizes })).Attributes.v, 1);
      await each("batchWrite", { ...sizes, RequestItems: { orders: [{ DeleteRequest: { Key } }, { PutRequest: { Item: key("f", 2) } }] } });
      await each("transactWrite", { ...sizes, TransactItems: [{ Update: { TableName, Key, ...change } }] });
      await each("transactWrite", { ...sizes, TransactItems: [{ Delete: { TableName, Key, ...held } }] });
      const fails = { ExpressionAttributeValues: { ...held.ExpressionAttributeValues, ":more": 0 }, ReturnValuesOnConditionCheckFailure: "ALL_OLD" };
      for (const [kind, more] of Object.entries({ Update: change, Delete: held, ConditionCheck: held })) {
        const found = await each("transactWrite", { TransactItems: [{ [kind]: { TableName, Key, ...more, ...fails } }] });
        assert.equal(found.name, "TransactionCanceledException");
      }
      await put(http, before);
      const query = { TableName, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": "f" } };
      for (const more of [{ ConsistentRead: true, Select: "ALL_ATTRIBUTES", ReturnConsumedCapacity: "INDEXES" }, { ScanIndexForward: true },
        { IndexName: "by-turn", Select: "ALL_PROJECTED_ATTRIBUTES", ReturnConsumedCapacity: "INDEXES" },
        { ProjectionExpression: "v", Select: "SPECIFIC_ATTRIBUTES" },
        ...[">=", "<=", ">", "<"].map((operator) => ({ KeyConditionExpression: `pk = :p AND sk ${operator} :n`,
          ExpressionAttributeValues: { ":p": "f", ":n": 1 } })),
        { FilterExpression: "v <> :p AND size(pk) = :n AND contains(pk, :p)", ExpressionAttributeValues: { ":p": "f", ":n": 1 } }]) {
        await same("query", { ...query, ...more });
      }
      const filter = { FilterExpression: "attribute_type(turn, :t) AND pk = :p", ExpressionAttributeValues: { ":t": "N", ":p": "f" } };
      let pages = 0;
      for (let ExclusiveStartKey; pages === 0 || ExclusiveStartKey; pages++) {
        const more = ExclusiveStartKey && { ExclusiveStartKey };
        const found = await same("scan", { TableName, ConsistentRead: true, Limit: 20, Select: "ALL_ATTRIBUTES", ...filter, ...more });
        ExclusiveStartKey = found.LastEvaluatedKey;
      }
      assert.ok(pages > 1, pages);
      const page = await same("scan", { TableName, IndexName: "by-status", Limit: 3, ReturnConsumedCapacity: "INDEXES", ProjectionExpression: "pk, sk" });
      await same("scan", { TableName, IndexName: "by-status", ExclusiveStartKey: page.LastEvaluatedKey, Select: "COUNT" });
      await same("batchGet", { RequestItems: { orders: { Keys: [Key], ConsistentRead: true } }, ReturnConsumedCapacity: "INDEXES" });
    },
    async staleness() {
      const read = async (more) => (await dax.get({ TableName, Key: key("s", 1), ...more })).Item?.v;
      assert.equal(await read(), undefined);
      await put(http, { ...key("s", 1), v: "beside" });
      assert.equal(await read(), undefined);
      assert.equal(await read({ ConsistentRead: true }), "beside");
      await put(dax, { ...key("s", 1), v: "through" });
      await put(http, { ...key("s", 1), v: "beside" });
      assert.equal(await read(), "through");
      await advance(300);
      assert.equal(await read(), "beside");
    },
  };
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step();
      console.log("ok", name);
    } catch (error) {
      console.log(`failed ${name}: ${String(error.stack ?? error).replace(/\s+/g, " ")}`);
    }
  }
  process.exit(0); // the clients of DAX look for their nodes forever
}
