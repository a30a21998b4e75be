// The consumer of a stream gives away items of others whatever they have, such as a number that is
// none of JavaScript.
const assert = require("node:assert");
const { StreamConsumer } = require("./out/support/support/support.js");

const client = { send: () => assert.fail("nothing is sent for an item of others") };
const NewImage = { PK: { S: "a" }, SK: { S: "other" }, n: { N: "12345678901234567890123" } };
const record = { eventID: "1", eventName: "INSERT", dynamodb: { SequenceNumber: "7", NewImage } };
const got = [];
(async () => {
  const consumer = new StreamConsumer(client, (r) => void got.push(r));
  assert.deepEqual(await consumer.consume([record]), {});
  assert.deepEqual(got, [record]);
  assert.equal((await new StreamConsumer(client).consume([record])).failed, "7");
})();
