package main

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Why a place says something else than the others.
const (
	noTrace     = "what is stored does not tell how it came about"
	notStored   = "it does not see what is stored, and the request could do harm"
	noCondition = "a request of this kind has no condition, and what is stored is not seen"
)

// outside is the difference of the places that do not see what is stored, and of lint, to which
// what is left is right.
func outside(want, reason string) []difference {
	return []difference{{inGuard, want, reason}, {inGateway, want, reason}}
}

// untraced is for what is refused everywhere and leaves nothing behind that lint could find.
func untraced() []difference { return traceless(noTrace) }

const (
	first    = "version-first"
	follows  = "version-sequence"
	raised   = "version-not-raised"
	deleted  = "version-deleted"
	repeated = "version-attribute"
	forGood  = "history-immutable"
)

// insertedCommand begins a statement that puts a command.
const insertedCommand = `INSERT INTO command VALUE {'pk':'ORDER#tenant001','sk':'ORDER#1@1'`

// atSigns is a policy that refuses an @ in sort keys.
const atSigns = `
severities: {key-at-sign: enforce}
tables:
  - name: data
    role: data
    entities: [{name: user, prefix: USER, tenant: common, sort: "{provider:local|sso}#{user}"}]
`

// versionPlaces are the cases of versions.
var versionPlaces = slices.Concat(dataPlaces, commandPlaces)

var dataPlaces = []placeCase{
	{name: "a new item", do: alone(order("", "0"))},
	{name: "a new item after its first command", do: alone(order("", "1"))},
	{name: "a new item in a batch", do: batched(order("", "0")),
		except: outside(follows, noCondition)},
	{name: "a new item by INSERT",
		do: statement(
			`INSERT INTO data VALUE {'pk':'ORDER#tenant001','sk':'ORDER#1','version':0}`)},
	{name: "a new item without a version", do: alone(put("data", "", orderKey()...)), want: first},
	{name: "a version that is text",
		do: alone(put("data", "", append(orderKey(), "version", "1")...)), want: first},
	{name: "a version of 38 digits", do: alone(order("", "99999999999999999999999999999999999999")),
		want: first},
	{name: "a negative version", do: alone(order("", "-1")), want: first},
	{name: "a later version of an item that is not there", do: alone(order("", "4")), want: first,
		except: untraced()},
	{name: "a later version by INSERT",
		do: statement(
			`INSERT INTO data VALUE {'pk':'ORDER#tenant001','sk':'ORDER#1','version':4}`),
		want: first, except: untraced()},
	{name: "a first version of an item that is there", stored: orderAt("0"),
		do: alone(order("", "0", "a", "b")), want: follows, except: untraced()},
	{name: "a first version in place of a later one", stored: orderAt("7"),
		do: alone(order("", "1")), want: follows, except: untraced()},

	{name: "the next version", stored: orderAt("3"), do: alone(order("version = :n3", "4"))},
	{name: "the next version of another spelling", stored: orderAt("3"),
		do: alone(order("version = :n3", "4.0"))},
	{name: "the next version in powers of ten", stored: orderAt("9"), do: alone(order("", "1e1"))},
	{name: "the next version whatever is read", stored: orderAt("3"), do: alone(order("", "4"))},
	{name: "the next version in a transaction", stored: orderAt("3"), do: together(order("", "4"))},
	{name: "the next version in a batch", stored: orderAt("3"), do: batched(order("", "4")),
		except: outside(follows, noCondition)},
	{name: "the stored version", stored: orderAt("3"), do: alone(order("", "3", "a", "b")),
		want: follows, except: untraced()},
	{name: "the stored version of another spelling", stored: orderAt("3"),
		do: alone(order("", "3.0", "a", "b")), want: follows, except: untraced()},
	{name: "the same again", stored: orderAt("3"), do: alone(order("", "3")), want: follows,
		except: untraced()},
	{name: "the stored version under a condition on it", stored: orderAt("3"),
		do: alone(order("version = :n3", "3", "a", "b")), want: follows, except: untraced()},
	{name: "the stored version in a transaction", stored: orderAt("3"),
		do: together(order("", "3", "a", "b")), want: follows, except: untraced()},
	{name: "the stored version in a batch", stored: orderAt("3"),
		do: batched(order("", "3", "a", "b")), want: follows, except: untraced()},
	{name: "a copy of a command put again", stored: orderAt("3", "csk", "ORDER#1@3"),
		do:     alone(order("", "3", "csk", "ORDER#1@3")),
		except: outside(failedCondition, notStored)},
	{name: "another copy of a command", stored: orderAt("3", "csk", "ORDER#1@3"),
		do: alone(order("", "3", "csk", "ORDER#1@3", "a", "b")), want: follows, except: untraced()},
	{name: "a version that is skipped", stored: orderAt("3"),
		do: alone(order("version = :n3", "5")), want: follows, except: untraced()},
	{name: "a version under a condition on anything", stored: orderAt("3"),
		do: alone(order("attribute_exists(pk)", "3", "a", "b")), want: follows, except: untraced()},
	{name: "a version under a condition on one of two", stored: orderAt("3"),
		do: alone(order("version = :n3 OR version = :n4", "4", "a", "b"))},

	{name: "an increment", stored: orderAt("3"),
		do: alone(update("data", "", "ADD version :n1", orderKey()...))},
	{name: "an increment by SET", stored: orderAt("3"),
		do: alone(update("data", "", "SET version = version + :n1, a = :sx", orderKey()...))},
	{name: "an increment by UPDATE", stored: orderAt("3"),
		do: statement(
			`UPDATE data SET version = version + 1 WHERE pk = 'ORDER#tenant001' AND sk = 'ORDER#1'`)},
	{name: "an increment of nothing",
		do: alone(update("data", "", "ADD version :n1", orderKey()...))},
	{name: "an increment of nothing from five",
		do: alone(update("data", "", "SET version = if_not_exists(version, :n5) + :n1",
			orderKey()...)), want: first, except: untraced()},
	{name: "an increment of an item that is there, or of nothing from five", stored: orderAt("3"),
		do: alone(update("data", "", "SET version = if_not_exists(version, :n5) + :n1",
			orderKey()...)),
		except: []difference{{inGuard, first, itemUnseen}, {inGateway, first, itemUnseen}}},
	{name: "an increment by two", stored: orderAt("3"),
		do: alone(update("data", "", "ADD version :n2", orderKey()...)), want: follows,
		except: untraced()},
	{name: "an increment by five", stored: orderAt("6"),
		do: alone(update("data", "", "SET version = version + :n5", orderKey()...)), want: follows,
		except: untraced()},
	{name: "an increment by nothing", stored: orderAt("3"),
		do:   alone(update("data", "", "SET version = version + :n0, a = :sx", orderKey()...)),
		want: follows, except: untraced()},
	{name: "a decrement", stored: orderAt("3"),
		do: alone(update("data", "", "SET version = version - :n1", orderKey()...)), want: raised,
		except: untraced()},
	{name: "the next version assigned", stored: orderAt("3"),
		do: alone(update("data", "", "SET version = :n4, a = :sx", orderKey()...))},
	{name: "the next version assigned by UPDATE", stored: orderAt("3"),
		do: statement(
			`UPDATE data SET version = 4 WHERE pk = 'ORDER#tenant001' AND sk = 'ORDER#1' AND version = 3`)},
	{name: "the stored version assigned", stored: orderAt("3"),
		do:   alone(update("data", "version = :n3", "SET version = :n3, a = :sx", orderKey()...)),
		want: follows, except: untraced()},
	{name: "a version copied", stored: orderAt("3", "b", "=4"),
		do:     alone(update("data", "version = :n3", "SET version = b", orderKey()...)),
		except: outside(raised, notStored)},
	{name: "a change without a version", stored: orderAt("3"),
		do: alone(update("data", "", "SET a = :sx", orderKey()...)), want: raised,
		except: untraced()},
	{name: "a change that leaves the version under a condition on it", stored: orderAt("3"),
		do: alone(update("data", "version = :n3", "SET a = :sx", orderKey()...)), want: raised,
		except: untraced()},
	{name: "a change that leaves the version by UPDATE", stored: orderAt("3"),
		do: statement(
			`UPDATE data SET a = 'x' WHERE pk = 'ORDER#tenant001' AND sk = 'ORDER#1' AND version = 3`), want: raised, except: untraced()},
	{name: "a change that leaves the version in a batch of statements", stored: orderAt("3"),
		do: statementsInBatch(
			`UPDATE data SET a = 'x' WHERE pk = 'ORDER#tenant001' AND sk = 'ORDER#1' AND version = 3`), want: raised, except: untraced()},
	{name: "a change that leaves the version in a transaction of statements", stored: orderAt("3"),
		do: statementsTogether(
			`UPDATE data SET a = 'x' WHERE pk = 'ORDER#tenant001' AND sk = 'ORDER#1' AND version = 3`), want: raised, except: untraced()},
	{name: "the version removed", stored: orderAt("3"),
		do: alone(update("data", "version = :n3", "REMOVE version", orderKey()...)), want: raised,
		except: []difference{{inLint, first, "lint sees an item without a version"}}},

	{name: "the id of an address that is cut at its @", policy: atSigns, want: "key-id",
		do: alone(put("data", "", "pk", "USER#common", "sk", "local#bob@example.com", "version",
			"=0", "id", "USER#common#local#bob"))},
	{name: "an address in a key, where that is refused", policy: atSigns, want: "key-at-sign",
		do: alone(put("data", "", "pk", "USER#common", "sk", "local#bob@example.com", "version",
			"=0"))},
	{name: "an encoded address in a key", policy: atSigns,
		do: alone(put("data", "", "pk", "USER#common", "sk", "local#bob%40example.com", "version",
			"=0"))},
	{name: "a deletion", stored: orderAt("3"), do: alone(remove("data", "", orderKey()...)),
		want: deleted, except: untraced()},
	{name: "a deletion in a transaction", stored: orderAt("3"),
		do: together(remove("data", "", orderKey()...)), want: deleted, except: untraced()},
	{name: "a deletion in a batch", stored: orderAt("3"),
		do: batched(remove("data", "", orderKey()...)), want: deleted, except: untraced()},
	{name: "a deletion by DELETE", stored: orderAt("3"),
		do:   statement(`DELETE FROM data WHERE pk = 'ORDER#tenant001' AND sk = 'ORDER#1'`),
		want: deleted, except: untraced()},
	{name: "a deletion under a condition on anything", stored: orderAt("3"),
		do: alone(remove("data", "attribute_exists(version)", orderKey()...)), want: deleted,
		except: untraced()},
	{name: "a deletion of the version that was read", stored: orderAt("3"),
		do: alone(remove("data", "version = :n3", orderKey()...))},
	{name: "a deletion of the version that was read by DELETE", stored: orderAt("3"),
		do: statement(
			`DELETE FROM data WHERE pk = 'ORDER#tenant001' AND sk = 'ORDER#1' AND version = 3`)},
	{name: "a deletion of another version than the stored one", stored: orderAt("4"),
		do: alone(remove("data", "version = :n3", orderKey()...)), want: failedCondition,
		except: untraced()},
}

var commandPlaces = []placeCase{
	{name: "the first command", do: alone(aCommand("", "1"))},
	{name: "the first command by INSERT",
		do: statement(insertedCommand + `, 'version':1}`)},
	{name: "the first command in a batch", do: batched(aCommand("", "1")),
		except: outside(forGood, noCondition)},
	{name: "the first command again", stored: commandStored("1"), do: alone(aCommand("", "1")),
		want: forGood, except: untraced()},
	{name: "another first command", stored: commandStored("1"),
		do: alone(aCommand("", "1", "a", "b")), want: forGood, except: untraced()},
	{name: "another first command in a batch", stored: commandStored("1"),
		do: batched(aCommand("", "1", "a", "b")), want: forGood, except: untraced()},
	{name: "another first command in a transaction", stored: commandStored("1"),
		do: together(aCommand("", "1", "a", "b")), want: forGood, except: untraced()},
	{name: "a command that follows", stored: commandStored("1"), do: alone(aCommand("", "2")),
		except: outside(follows, notStored)},
	{name: "a command that follows in a transaction", stored: commandStored("1"),
		do: together(aCommand("", "2"))},
	{name: "a command that follows one that is checked", stored: commandStored("1"),
		do: together(aCommand("", "2"),
			check("command", "attribute_exists(sk)", keyOfCommand("1")...))},
	{name: "two commands at once", do: together(aCommand("", "2"), aCommand("", "1"))},
	{name: "a command that follows none", stored: commandStored("1"), do: alone(aCommand("", "3")),
		want: follows},
	{name: "a command that follows none in a transaction", stored: commandStored("1"),
		do: together(aCommand("", "3")), want: follows},
	{name: "a command before the first", stored: commandStored("1"), do: alone(aCommand("", "0")),
		want: follows, except: untraced()},
	{name: "a command before the first in a transaction", stored: commandStored("1"),
		do: together(aCommand("", "0")), want: follows, except: untraced()},
	{name: "a command of two spellings", stored: commandStored("1"), do: alone(aCommand("", "01")),
		want: "version-missing"},
	{name: "a command with a fraction", stored: commandStored("1"), do: alone(aCommand("", "1.0")),
		want: "version-missing"},
	{name: "a command without a version", do: alone(put("command", "", orderKey()...)),
		want: "version-missing"},
	{name: "a command with another version in its attribute",
		do: alone(aCommand("", "1", "version", "=2")), want: repeated},
	{name: "a command with its version in its key only", do: alone(unversioned("1")),
		want: repeated},
	{name: "a later command with its version in its key only", stored: commandStored("1"),
		do: alone(unversioned("2")), want: repeated},
	{name: "a command with its version in its key only in a batch", do: batched(unversioned("1")),
		want: repeated},
	{name: "a command with its version in its key only in a transaction",
		do: together(aCommand("", "1"), unversioned("2")), want: repeated},
	{name: "a command with its version in its key only by INSERT",
		do: statement(insertedCommand + `}`), want: repeated},
	{name: "a command with its version in its key only in a batch of statements",
		do: statementsInBatch(insertedCommand + `}`), want: repeated},
	{name: "a command with its version in its key only in a transaction of statements",
		do: statementsTogether(insertedCommand + `}`), want: repeated},
	{name: "a command whose version is null",
		do: statement(insertedCommand + `, 'version':NULL}`), want: repeated},
	{name: "history with its version in its key only",
		do: alone(put("history", "", keyOfCommand("1")...)), want: repeated},
	{name: "bookkeeping of a stored command with its version in its key only",
		stored: []types.Put{*unversioned("1").Put},
		do:     alone(update("command", "", "SET updatedAt = :sx", keyOfCommand("1")...)),
		except: []difference{{inLint, repeated, "lint sees the item that was there"}}},
	{name: "a command whose version is removed", stored: commandStored("1"),
		do:     alone(update("command", "", "REMOVE version", keyOfCommand("1")...)),
		want:   forGood,
		except: []difference{{inLint, repeated, "lint sees an item without a version"}}},
	{name: "a command with its version as text", do: alone(aCommand("", "1", "version", "1")),
		want: repeated},
	{name: "a command with its version of another spelling",
		do: alone(aCommand("", "1", "version", "=1.00"))},
	{name: "a command changed", stored: commandStored("1"),
		do:   alone(update("command", "attribute_exists(pk)", "SET a = :sx", keyOfCommand("1")...)),
		want: forGood, except: untraced()},
	{name: "a command deleted", stored: commandStored("1"),
		do: alone(remove("command", "attribute_exists(pk)", keyOfCommand("1")...)), want: forGood,
		except: untraced()},
	{name: "a copy in history put again",
		stored: []types.Put{stored("history", copyOfCommand()...)},
		do:     alone(put("history", "", copyOfCommand()...)),
		except: outside(failedCondition, notStored)},
	{name: "history deleted in a batch",
		stored: []types.Put{stored("history", keyOfCommand("1")...)},
		do:     batched(remove("history", "", keyOfCommand("1")...)), want: forGood,
		except: untraced()},
	{name: "commands that expire", caller: "ADMIN", do: expire("command"), want: "history-expiry"},
	{name: "history that expires", caller: "ADMIN", do: expire("history"), want: "history-expiry"},
	{name: "data that expire", caller: "ADMIN", do: expire("data")},
}

const (
	rewritten = "latest-rewritten"
	named     = "latest-version"
	none      = "attribute_not_exists(documentVersion)"
)

// latestPlaces are the cases of latest items.
var latestPlaces = []placeCase{
	{name: "a version and its latest item",
		do: together(document("v1", "text"), latestOf(none, "v1", "text"))},
	{name: "the next version and its latest item", stored: published("v1"),
		do: together(document("v2", "text"), latestOf("actualVersion = :sv1", "v2", "text"))},
	{name: "a version without its latest item", do: alone(document("v1", "text")),
		want: "latest-missing"},
	{name: "a latest item of other content",
		do:   together(document("v1", "text"), latestOf(none, "v1", "other")),
		want: "latest-content"},
	{name: "a latest item with more than the version that an update makes",
		do: together(update("documents", none, "SET content = :stext", "documentVersion", "v1"),
			put("documents", none, "documentVersion", "latest", "actualVersion", "v1",
				"content", "text", "a", "x")), want: "latest-content"},
	{name: "a latest item with less than the version that an update makes",
		do: together(update("documents", "", "SET content = :stext, a = :sx",
			"documentVersion", "v1"), latestOf(none, "v1", "text")), want: "latest-content"},
	{name: "a version and its latest item by updates", do: together(
		update("documents", "", "SET content = :stext", "documentVersion", "v1"),
		update("documents", none, "SET content = :stext, actualVersion = :sv1",
			"documentVersion", "latest"))},
	{name: "a document removed by a privileged caller", caller: "ADMIN",
		stored: published("v1", "v2"), do: removal("actualVersion = :sv2", "v1", "v2")},
	{name: "a document removed by a tenant", stored: published("v1", "v2"),
		do: removal("actualVersion = :sv2", "v1", "v2"), want: "latest-missing",
		except: untraced()},
	{name: "a document removed whatever its latest item names", caller: "ADMIN",
		stored: published("v1"), do: removal("", "v1"), want: "latest-condition",
		except: untraced()},
	{name: "a document removed but for its newest version", caller: "ADMIN",
		stored: published("v1", "v2"), do: removal("actualVersion = :sv2", "v1"),
		want: "latest-missing"},
	{name: "a document removed that has got a version meanwhile", caller: "ADMIN",
		stored: published("v1", "v2"), do: removal("actualVersion = :sv1", "v1"),
		want: failedCondition, except: untraced()},
	{name: "a document removed in a batch", caller: "ADMIN", stored: published("v1"),
		do: batched(remove("documents", "", "documentVersion", "latest"),
			remove("documents", "", "documentVersion", "v1")), want: "latest-missing",
		except: untraced()},
	{name: "a document removed by statements", caller: "ADMIN", stored: published("v1"),
		do: statementsTogether("DELETE FROM documents WHERE documentVersion = 'latest' AND actualVersion = 'v1'",
			"DELETE FROM documents WHERE documentVersion = 'v1'")},
	{name: "a latest item of no version", do: alone(latestOf(none, "v1", "text")), want: named},
	{name: "a latest item whatever it named", stored: published("v1"),
		do: together(document("v2", "text"), latestOf("", "v2", "text")), want: "latest-condition",
		except: untraced()},
	{name: "a latest item under a condition on anything", stored: published("v1"),
		do: together(document("v2", "text"),
			latestOf("attribute_exists(documentVersion)", "v2", "text")), want: "latest-condition",
		except: untraced()},
	{name: "a latest item under a condition on its content", stored: published("v1"),
		do:   together(document("v2", "text"), latestOf("content = :stext", "v2", "text")),
		want: "latest-condition", except: untraced()},
	{name: "a latest item under a condition on one of two versions", stored: published("v1"),
		do: together(document("v2", "text"),
			latestOf("actualVersion = :sv1 OR actualVersion = :sv0", "v2", "text")),
		want: "latest-condition", except: untraced()},
	{name: "a latest item that moved since", stored: published("v2"),
		do:   together(document("v3", "text"), latestOf("actualVersion = :sv1", "v3", "text")),
		want: failedCondition, except: untraced()},
	{name: "a latest item that goes back without a condition", stored: published("v1", "v2"),
		do:     alone(latestOf("attribute_exists(documentVersion)", "v1", "text")),
		want:   "latest-condition",
		except: []difference{{inLint, named, "lint sees a newer version than the named one"}}},
	{name: "a latest item that goes back", stored: published("v1", "v2"),
		do: alone(latestOf("actualVersion = :sv2", "v1", "text")), want: named},
	{name: "a latest item that goes back with the newest version",
		stored: published("v1",
			"v2"), do: together(remove("documents", "", "documentVersion", "v2"),
			latestOf("actualVersion = :sv2", "v1", "text")), except: outside(named, notStored)},
	{name: "a version rewritten together with latest",
		stored: published("v1"), do: together(
			put("documents", "", "documentVersion", "v1", "content", "other"),
			latestOf("actualVersion = :sv1", "v1", "other")), want: rewritten, except: untraced()},
	{name: "an older version rewritten", stored: published("v1", "v2"),
		do:   alone(put("documents", "", "documentVersion", "v1", "content", "other")),
		want: rewritten,
		except: append(outside("latest-missing",
			"it does not see that the version is not new, which makes no difference"),
			untraced()...)},
	{name: "a version updated together with latest",
		stored: published("v1"), do: together(
			update("documents", "content = :stext", "SET content = :sother", "documentVersion",
				"v1"),
			update("documents", "actualVersion = :sv1",
				"SET content = :sother, actualVersion = :sv1",
				"documentVersion", "latest")), want: rewritten, except: untraced()},
	{name: "the newest version deleted", stored: published("v1"),
		do: alone(remove("documents", "", "documentVersion", "v1")), want: named},
	{name: "the newest version deleted in a transaction", stored: published("v1"),
		do: together(remove("documents", "", "documentVersion", "v1")), want: named},
	{name: "the newest version deleted in a batch", stored: published("v1"),
		do: batched(remove("documents", "", "documentVersion", "v1")), want: named},
	{name: "the newest version deleted by DELETE", stored: published("v1"),
		do: statement(`DELETE FROM documents WHERE documentVersion = 'v1'`), want: named},
	{name: "the newest version deleted and named again",
		stored: published("v1"), do: together(remove("documents", "", "documentVersion", "v1"),
			latestOf("actualVersion = :sv1", "v1", "text")), want: named},
	{name: "an older version deleted", stored: published("v1", "v2"),
		do:     alone(remove("documents", "", "documentVersion", "v1")),
		except: outside(named, notStored)},
	{name: "an older version deleted in a transaction", stored: published("v1", "v2"),
		do: together(remove("documents", "", "documentVersion", "v1"))},
	{name: "the newest version replaced by another",
		stored: published("v1"), do: together(remove("documents", "", "documentVersion", "v1"),
			document("v2", "text"),
			latestOf("actualVersion = :sv1", "v2", "text"))},
	{name: "a version and a latest item that stays behind",
		stored: published("v1"), do: together(document("v2", "text"),
			latestOf("actualVersion = :sv1", "v1", "text")), want: named},
	{name: "a version and a latest item that is updated and stays behind", stored: published("v1"),
		want: named,
		do: together(document("v2", "other"),
			update("documents", "actualVersion = :sv1", "SET actualVersion = :sv1",
				"documentVersion", "latest"))},
	{name: "two versions and the newer one as the latest",
		stored: published("v8"), do: together(document("v10", "text"), document("v9", "text"),
			latestOf("actualVersion = :sv8", "v10", "text"))},
	{name: "two versions and the older one as the latest",
		stored: published("v8"), do: together(document("v10", "text"), document("v9", "text"),
			latestOf("actualVersion = :sv8", "v9", "text")), want: named},
	{name: "two versions of which nothing tells the newer one",
		do: together(document("blue", "text"), document("green", "text"),
			latestOf(none, "blue", "text"))},
	{name: "an older version and a latest item that goes back to it",
		stored: published("v2"), do: together(document("v1", "text"),
			latestOf("actualVersion = :sv2", "v1", "text")), want: named},
	{name: "an older version in place of the newest one",
		stored: published("v2"), do: together(remove("documents", "", "documentVersion", "v2"),
			document("v1", "text"),
			latestOf("actualVersion = :sv2", "v1", "text"))},
	{name: "the latest item deleted", stored: published("v1"),
		do:   alone(remove("documents", "actualVersion = :sv1", "documentVersion", "latest")),
		want: "latest-missing"},
	{name: "documents that expire", caller: "ADMIN", do: expire("documents"),
		want: "history-expiry"},
}

func orderKey() []string { return []string{"pk", "ORDER#tenant001", "sk", "ORDER#1"} }

// order puts a version of an order.
func order(condition, version string, more ...string) types.TransactWriteItem {
	return put("data", condition, append(append(orderKey(), "version", "="+version), more...)...)
}

// orderAt is the order, stored.
func orderAt(version string, more ...string) []types.Put {
	return []types.Put{*order("", version, more...).Put}
}

func keyOfCommand(version string) []string {
	return []string{"pk", "ORDER#tenant001", "sk", "ORDER#1@" + version}
}

// copyOfCommand are the attributes of a command's copy in history.
func copyOfCommand() []string {
	return append(keyOfCommand("1"), "csk", "ORDER#1@1", "version", "=1")
}

// aCommand puts a command for an order, with its version unless more has one.
func aCommand(condition, version string, more ...string) types.TransactWriteItem {
	if !slices.Contains(more, "version") {
		more = append([]string{"version", "=" + version}, more...)
	}
	return put("command", condition, append(keyOfCommand(version), more...)...)
}

// unversioned puts a command that has its version in its key only.
func unversioned(version string) types.TransactWriteItem {
	return put("command", "", keyOfCommand(version)...)
}

func commandStored(version string) []types.Put { return []types.Put{*aCommand("", version).Put} }

// document puts a version of the document, and latestOf its latest item.
func document(version, content string) types.TransactWriteItem {
	return put("documents", "attribute_not_exists(documentVersion)", "documentVersion", version,
		"content", content)
}

func latestOf(condition, version, content string) types.TransactWriteItem {
	return put("documents", condition, "documentVersion", "latest", "content", content,
		"actualVersion", version)
}

// published are versions of the document, stored, and the latest item, which names the last.
func published(versions ...string) (all []types.Put) {
	for _, v := range versions {
		all = append(all, *document(v, "text").Put)
	}
	return append(all, *latestOf("", versions[len(versions)-1], "text").Put)
}

const itemUnseen = "the request does not show that the item is there"

// removal deletes versions of the document and, under a condition, its latest item in one
// transaction.
func removal(condition string, versions ...string) clientRequest {
	writes := []types.TransactWriteItem{
		remove("documents", condition, "documentVersion", "latest")}
	for _, v := range versions {
		writes = append(writes, remove("documents", "", "documentVersion", v))
	}
	return together(writes...)
}
