package main

import "slices"

// lenientPlaces are the cases of rules that the policy does not enforce: no place adds their
// conditions, while those of the other rules stay.
var lenientPlaces = slices.Concat(
	lenient("version-sequence: off", []placeCase{
		{name: "a version that is skipped", stored: orderAt("3"), do: alone(order("", "5"))},
		{name: "the stored version", stored: orderAt("3"), do: alone(order("", "3", "a", "b"))},
		{name: "the stored version in a batch", stored: orderAt("3"),
			do: batched(order("", "3", "a", "b")), except: outside(first, noCondition)},
		{name: "a first version in a batch", stored: orderAt("3"),
			do: batched(order("", "1", "a", "b"))},
		{name: "a version before the stored one", stored: orderAt("3"), do: alone(order("", "1"))},
		{name: "a version assigned", stored: orderAt("3"),
			do: alone(update("data", "", "SET version = :n7", orderKey()...))},
		{name: "a later version of an item that is not there", do: alone(order("", "4")),
			want: first, except: untraced()},
		{name: "a later version of no item in a batch", do: batched(order("", "4")), want: first,
			except: untraced()},
		{name: "a command that follows none", stored: commandStored("1"),
			do: alone(aCommand("", "3"))},
		{name: "a command that follows none in a transaction", stored: commandStored("1"),
			do: together(aCommand("", "3"))},
		{name: "another first command", stored: commandStored("1"),
			do: alone(aCommand("", "1", "a", "b")), want: forGood, except: untraced()},
	}),
	lenient("version-sequence: warn", []placeCase{
		{name: "a version put again", stored: orderAt("3"), do: alone(order("", "3", "a", "b"))},
		{name: "a version put again in a batch", stored: orderAt("3"),
			do: batched(order("", "3", "a", "b")), except: outside(first, noCondition)},
		{name: "a command before the first", stored: commandStored("1"),
			do: together(aCommand("", "0"))},
	}),
	lenient("version-first: off", []placeCase{
		{name: "a later version of an item that is not there", do: alone(order("", "4"))},
		{name: "a later version in place of another", stored: orderAt("7"),
			do: alone(order("", "4")), want: follows, except: untraced()},
		{name: "the next version", stored: orderAt("3"), do: alone(order("", "4"))},
	}),
	lenient("version-first: off, version-sequence: off", []placeCase{
		{name: "a version in place of any", stored: orderAt("7"), do: alone(order("", "4"))},
		{name: "a version of no item", do: alone(order("", "4"))},
	}),
	lenient("history-immutable: warn", []placeCase{
		{name: "another first command", stored: commandStored("1"),
			do: alone(aCommand("", "1", "a", "b"))},
		{name: "another first command in a batch", stored: commandStored("1"),
			do: batched(aCommand("", "1", "a", "b"))},
		{name: "bookkeeping of no command",
			do:   alone(update("command", "", "SET updatedAt = :sx", keyOfCommand("1")...)),
			want: repeated},
		{name: "bookkeeping of a command", stored: commandStored("1"),
			do: alone(update("command", "", "SET updatedAt = :sx", keyOfCommand("1")...))},
		{name: "an update that makes a command",
			do: alone(update("command", "", "SET version = :n1", keyOfCommand("1")...))},
		{name: "an update that makes a command of another version",
			do:   alone(update("command", "", "SET version = :n2", keyOfCommand("1")...)),
			want: repeated},
		{name: "an update of nothing that makes a command",
			do: alone(updateOfNothing("command", keyOfCommand("1")...)), want: repeated},
		{name: "an update of nothing without a condition that makes a command", unamended: true,
			do: alone(updateOfNothing("command", keyOfCommand("1")...)), want: repeated},
		{name: "an update of nothing of a command", stored: commandStored("1"),
			do: alone(updateOfNothing("command", keyOfCommand("1")...))},
		{name: "a command whose version is removed", stored: commandStored("1"),
			do:   alone(update("command", "", "REMOVE version", keyOfCommand("1")...)),
			want: repeated},
		{name: "a command whose version is raised", stored: commandStored("1"),
			do:   alone(update("command", "", "ADD version :n1", keyOfCommand("1")...)),
			want: repeated},
		{name: "a command whose version is removed by UPDATE", stored: commandStored("1"),
			do: statement(
				`UPDATE command REMOVE version WHERE pk = 'ORDER#tenant001' AND sk = 'ORDER#1@1'`),
			want: repeated},
		{name: "a command that follows none", do: together(aCommand("", "3")), want: follows},
	}),
	lenient("version-attribute: warn", []placeCase{
		{name: "a command with its version in its key only", do: alone(unversioned("1")),
			except: []difference{{inLint, repeated, "lint tells what is only warned of, too"}}},
	}),
	lenient("version-attribute: off, history-immutable: off", []placeCase{
		{name: "a command with its version in its key only", do: alone(unversioned("1"))},
		{name: "a command whose version is removed", stored: commandStored("1"),
			do: alone(update("command", "", "REMOVE version", keyOfCommand("1")...))},
		{name: "bookkeeping of no command",
			do: alone(update("command", "", "SET updatedAt = :sx", keyOfCommand("1")...))},
	}),
	lenient("latest-rewritten: off", []placeCase{
		{name: "a version rewritten together with latest", stored: published("v1"),
			do: together(put("documents", "", "documentVersion", "v1", "content", "other"),
				latestOf("actualVersion = :sv1", "v1", "other"))},
	}),
	lenient("latest-version: off", []placeCase{
		{name: "the newest version deleted in a transaction", stored: published("v1"),
			do: together(remove("documents", "", "documentVersion", "v1"))},
	}),
)

// lenient gives cases the usual policy with other severities.
func lenient(severities string, cases []placeCase) []placeCase {
	for i := range cases {
		c := &cases[i]
		c.name, c.policy = c.name+" under "+severities, "severities: {"+severities+"}\n"+
			placesPolicy
	}
	return cases
}
