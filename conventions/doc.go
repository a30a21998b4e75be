// Package conventions holds the rules of the guide "Key design patterns" for keys in DynamoDB, as pure functions and
// values: it needs no emulator, no SDK and no clock of its own.
//
// # Keys ("Overview of the key structure")
//
// A key is a string of segments joined by KeySeparator. A partition key begins with the entity's prefix and the tenant,
// a sort key ends, in tables that keep versions, with VersionSeparator and the version, and an id is both keys without it:
//
//	PK = PREFIX#tenant[#more]
//	SK = segment[#segment...][@version]
//	ID = PK#SK
//
// PartitionKey, SortKey and ID build them, ParsePartitionKey, ParseSortKey and ParseID take them apart, and building what
// was parsed gives the key again. What could not be parsed back is not built:
//
//   - A segment is not empty, is UTF-8 and has no "#". A value that may contain "#" needs an encoding of its own, such as
//     url.PathEscape.
//   - "@" may stand in a value: user@example.com is a fine identifier, and its third version is user@example.com@3. Only a
//     final "@" followed by a version in canonical decimal (0, or digits without a leading zero, up to VersionMax) is a
//     version. A value that would be read as if it had one, user@2, is not built.
//   - A sort key that ends in "@" and no canonical version (a@, a@01, a@-1) or in two versions (a@3@4) is not parsed: other
//     programs could read it otherwise.
//   - Partition keys have no version, so "@" means nothing in them.
//   - An id does not say where its partition key ends. ParseID has to be told.
//
// The functions without an error, Prefix, Segments, Tenant, Version, HasVersion and RemoveVersion, are for keys of any
// origin: they say what the rules above find in the key, and "none" where that is nothing.
//
// # Patterns ("Common key patterns")
//
// The guide's six patterns are the types Simple, Hierarchical, Variant, TenantAssociation, MasterData and TimeSeries. A
// value declares an entity: its prefix, and the names that its sort keys may begin with. It builds keys of what they
// stand for and parses them back. "Pattern selection guide" is here as DecisionMatrix and DecisionTree, and Recommend
// walks the tree.
//
// Package example is an application that is made of them, with a policy that holds it and everybody else to the guide.
//
// # Where the guide leaves a choice
//
//   - AddVersion refuses a sort key that has a version, rather than replace or repeat it.
//   - Simple wants ULIDs ("Use ULIDs for sortable ids"), unless AnyID says otherwise.
//   - A prefix for a query ends in the separator (SortKeyPrefix): the guide's ORDER_ITEM#orderId would find the items of
//     order 10 among those of order 1, were the ids not of one length.
//   - TimeSeries parses timestamps with and without milliseconds, as the guide's code and its examples show them.
//   - The decision tree gets the decision matrix's row for shared data as a branch.
package conventions
