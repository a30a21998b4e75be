// Auth.js: users who sign in, by the table that its page describes.
import assert from "node:assert/strict";

import { DynamoDBDocument } from "@aws-sdk/lib-dynamodb";
import { DynamoDBAdapter } from "@auth/dynamodb-adapter";

import { advance, createTable, db, items, numbers, run } from "./steps.mjs";

const table = "next-auth";
const adapter = DynamoDBAdapter(DynamoDBDocument.from(db));
const hour = () => new Date(Math.floor(Date.now() / 1000 + 3600) * 1000);
const github = (providerAccountId) => ({ provider: "github", providerAccountId });
const session = (userId, sessionToken) => adapter.createSession({ userId, sessionToken, expires: hour() });
let ann;

await createTable(table, ["pk", "sk"], "expires", { name: "GSI1", keys: ["GSI1PK", "GSI1SK"] });
await run("@auth/dynamodb-adapter", {
  async users() {
    ann = await adapter.createUser({ email: "ann@example.com", name: "Ann", emailVerified: new Date(0) });
    const found = await adapter.getUserByEmail("ann@example.com");
    assert.deepEqual(found, await adapter.getUser(ann.id));
    assert.deepEqual(found.emailVerified, new Date(0));
    assert.equal(await adapter.getUser("none"), null);
    assert.equal(await adapter.getUserByEmail("none@example.com"), null);
    const changed = await adapter.updateUser({ id: ann.id, name: "Anna" });
    assert.equal(changed.name, "Anna");
    assert.equal((await adapter.getUser(ann.id)).email, "ann@example.com");
  },

  async accounts() {
    await adapter.linkAccount({ userId: ann.id, type: "oauth", ...github("7") });
    assert.equal((await adapter.getUserByAccount(github("7"))).id, ann.id);
    assert.equal(await adapter.getUserByAccount(github("8")), null);
    await adapter.unlinkAccount(github("7"));
    assert.equal(await adapter.getUserByAccount(github("7")), null);
  },

  async sessions() {
    await session(ann.id, "a-token");
    const found = await adapter.getSessionAndUser("a-token");
    assert.equal(found.user.id, ann.id);
    assert.ok(found.session.expires instanceof Date);
    const expires = new Date(found.session.expires.getTime() + 60_000);
    assert.deepEqual((await adapter.updateSession({ sessionToken: "a-token", expires })).expires, expires);
    assert.equal(await adapter.updateSession({ sessionToken: "none", expires }), null);
    await adapter.deleteSession("a-token");
    assert.equal(await adapter.getSessionAndUser("a-token"), null);
  },

  /** Of two clicks on a link one signs in. */
  async "sign-in links"() {
    const link = { identifier: "ann@example.com", token: "secret" };
    await adapter.createVerificationToken({ ...link, expires: hour() });
    assert.equal(await adapter.useVerificationToken({ ...link, token: "another" }), null);
    const clicks = await Promise.all(numbers(2).map(() => adapter.useVerificationToken(link)));
    assert.equal(clicks.filter((c) => c?.token === "secret").length, 1);
    assert.equal(clicks.filter((c) => c === null).length, 1);
  },

  /** A user with more items than a batch may have is not deleted by one call, as the adapter is. */
  async deletion() {
    const bob = await adapter.createUser({ email: "bob@example.com" });
    await Promise.all(numbers(30).map((i) => session(bob.id, `bob-${i}`)));
    await adapter.deleteUser(bob.id);
    const left = (await items(table)).filter((i) => i.pk.S === `USER#${bob.id}`);
    assert.equal(left.length, 6);
    assert.equal((await adapter.getUser(bob.id)).email, "bob@example.com");
    await adapter.deleteUser(bob.id);
    assert.equal(await adapter.getUser(bob.id), null);
    assert.equal((await adapter.getUser(ann.id)).name, "Anna");
  },

  async expiry() {
    await session(ann.id, "old-token");
    await adapter.createVerificationToken({ identifier: "ann", token: "old", expires: hour() });
    await advance("30m");
    assert.notEqual(await adapter.getSessionAndUser("old-token"), null);
    await advance("96h");
    assert.equal(await adapter.getSessionAndUser("old-token"), null);
    assert.equal(await adapter.useVerificationToken({ identifier: "ann", token: "old" }), null);
    assert.equal((await adapter.getUser(ann.id)).name, "Anna");
  },
});
