package main

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

// versionPlaces are the cases of versions.
var versionPlaces = []placeCase{
	{name: "a new item", do: alone(order("", "0"))},
	{name: "a new item after its first command", do: alone(order("", "1"))},
	{name: "a new item without a version", do: alone(put("data", "", orderKey()...)), want: "version-first"},
	{name: "the next version", stored: orderAt("3"), do: alone(order("version = :n3", "4"))},
	{name: "a version that is skipped", stored: orderAt("3"), do: alone(order("version = :n3", "5")), want: "version-sequence",
		except: traceless("nothing tells where a version began")},
	{name: "an increment", stored: orderAt("3"), do: alone(update("data", "", "ADD version :n1", orderKey()...))},
	{name: "an increment by two", stored: orderAt("3"), do: alone(update("data", "", "ADD version :n2", orderKey()...)), want: "version-sequence",
		except: traceless("nothing tells where a version began")},
	{name: "a change without a version", stored: orderAt("3"), do: alone(update("data", "", "SET a = :sx", orderKey()...)), want: "version-not-raised",
		except: traceless("nothing tells what the item was before")},
	{name: "a later version of an item that is not there", do: alone(order("", "4")), want: "version-first",
		except: traceless("nothing tells where a version began")},
}

// latestPlaces are the cases of latest items.
var latestPlaces = []placeCase{
	{name: "a version and its latest item", do: together(document("v1", "text"), latestOf("attribute_not_exists(documentVersion)", "v1", "text"))},
	{name: "a version without its latest item", do: alone(document("v1", "text")), want: "latest-missing"},
	{name: "a latest item of other content", do: together(document("v1", "text"), latestOf("attribute_not_exists(documentVersion)", "v1", "other")), want: "latest-content"},
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

// document puts a version of the document, and latestOf its latest item.
func document(version, content string) types.TransactWriteItem {
	return put("documents", "attribute_not_exists(documentVersion)", "documentVersion", version, "content", content)
}

func latestOf(condition, version, content string) types.TransactWriteItem {
	return put("documents", condition, "documentVersion", "latest", "content", content, "actualVersion", version)
}
